"""A vocabulary as text: short for prompts, in tables for pages."""

from __future__ import annotations

import re

from dataflow_ext.claims.vocabulary import Term, Vocabulary
from dataflow_ext.text import symbol

_HOW = """Put a claim in square brackets right behind the words that it proves: "leaves 0.41 m [gap(sofa, bed)] to the
bed", "stands at the north wall [at_wall(sofa, north)]". Write numbers in digits, not "half a metre" or "twice": only
digits can be proven. A number stands before its mark, with its unit, and has to be its value to its own last digit
(10 % after "about"); {{gap(sofa, bed)}} is filled in with value and unit. "20 % narrower" is
20 % [1 - width(a) / width(b)]. Without a number the mark is a statement: [gap(a, b) < 0.6 m]. Allowed are + - * /
< <= > >= = != and, not{states}. Every number with a unit or decimals, every count above three and every kind of thing
that is not there needs a mark. [general(0.9)] marks common knowledge; it names nothing of what is there."""


def prompt_text(vocabulary: Vocabulary) -> str:
    """What a writer is told of a vocabulary: how marks are set, and every term; what a word's limit is."""
    states = ""
    if len(vocabulary.states) > 1:
        others = " or ".join(f'"{state}"' for state in vocabulary.states[1:])
        states = f"; a last argument {others} asks for that state, width(sofa, {vocabulary.states[1]})"
    measures = ", ".join(_short(term) for term in vocabulary.terms if term.is_measure)
    predicates = ", ".join(_short(term) for term in vocabulary.terms if not term.is_measure)
    return f"{_HOW.format(states=states)}\nMeasures: {measures}.\nStatements: {predicates}."


def page_text(vocabulary: Vocabulary) -> str:
    """A vocabulary as Markdown: its sorts, its measures with units, its predicates."""
    sorts = [f"| `{sort.name}` | {sort.meaning} |" for sort in vocabulary.sorts]
    measures = [f"| `{_cell(t)}` | {t.meaning} | {_unit(t)} |" for t in vocabulary.terms if t.is_measure]
    predicates = [f"| `{_cell(t)}` | {t.meaning} |" for t in vocabulary.terms if not t.is_measure]
    return "\n".join([
        "| an argument | is |", "|---|---|", *sorts, "",
        "| measure | meaning | unit |", "|---|---|---|", *measures, "",
        "| statement | it is so if |", "|---|---|", *predicates, "",
    ])  # fmt: skip


def _short(term: Term) -> str:
    unit = f" {_unit(term)}" if term.is_measure and _unit(term) != "number" else ""
    limit = f" ({term.meaning})" if not term.is_measure and re.search(r"\d (?:m|%|°)|°|%", term.meaning) else ""
    return f"{term.form}{unit}{limit}"


def _cell(term: Term) -> str:
    return term.form.replace("|", "\\|")


def _unit(term: Term) -> str:
    return "%" if term.share else symbol(term.dimension) or "number"
