"""What claims may name: sorts and terms, and a vocabulary as text, short for prompts, in tables for pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from dataflow_ext.text import Dimension, dimension, symbol


@dataclass(frozen=True, slots=True)
class Sort:
    """What an argument may be: its name in the vocabulary, and what that means.

    ``words`` closes a sort: each value with the words by which a text may speak of it. A text speaks of the arguments
    of a sort that is a ``thing``; one that has words of a closed sort has the claimed one.
    """

    name: str
    meaning: str
    thing: bool = False
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Term:
    """A measure (with a unit, ``1`` for counts, shares and ratios) or a predicate (without).

    ``parameters`` names the sorts of the arguments; one with ``?`` may be left out. ``answer`` gets the world's view
    of a state and what was found for each argument; it returns a number in the base unit, or whether it is so.
    ``places`` are the digits with which a value is written; values that differ by less than half of the last one are
    not told apart. ``share`` writes a value as per cent.
    """

    word: str
    parameters: tuple[str, ...]
    meaning: str
    answer: Callable[..., Any]
    unit: str | None = None
    places: int = 2
    share: bool = False

    @property
    def is_measure(self) -> bool:
        """Whether it gives a number."""
        return self.unit is not None

    @property
    def dimension(self) -> Dimension:
        """What its number measures."""
        return dimension(self.unit or "")

    @property
    def slack(self) -> float:
        """Half of the last digit with which its value is written."""
        return 0.0 if self.unit == "1" and not self.places else float(f"5e-{self.places + 1}")

    @property
    def form(self) -> str:
        """How it is called: ``gap(thing, thing)``."""
        return f"{self.word}({', '.join(self.parameters)})"


@dataclass(frozen=True)
class Vocabulary:
    """A family's sorts and terms; ``states`` are those of its world, first the one that is meant when none is named."""

    sorts: Sequence[Sort]
    terms: Sequence[Term]
    states: Sequence[str] = ("now",)

    @cached_property
    def by_word(self) -> Mapping[str, Term]:
        """The terms by their words."""
        return {term.word: term for term in self.terms}

    @cached_property
    def sort(self) -> Mapping[str, Sort]:
        """The sorts by their names."""
        return {sort.name: sort for sort in self.sorts}


class World(Protocol):
    """What is true: it finds what names mean, and gives each state as the terms of its vocabulary take it."""

    @property
    def vocabulary(self) -> Vocabulary:
        """What may be claimed of it."""
        ...

    def find(self, sort: str, name: str, state: str) -> Sequence[Any]:
        """What a name may mean in a state: nothing if there is none, several if it leaves open which."""
        ...

    def view(self, state: str) -> Any:
        """A state, as the terms' answers take it."""
        ...

    def spoken(self, sort: str, found: Any) -> Collection[str]:
        """The words by which a text may speak of what was found, in lower case."""
        ...

    def nouns(self) -> Mapping[str, bool]:
        """Every word for a kind of thing, in lower case, with whether the world has one in any state."""
        ...

    def names(self) -> Collection[str]:
        """The names of all its things, as texts write them."""
        ...


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
