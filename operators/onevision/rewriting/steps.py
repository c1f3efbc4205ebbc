"""Which sentences of a source's reasoning stay: all but talk, and guesses that the answer does not need."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from operators.onevision.conclusions import conclusion_of
from operators.onevision.rewriting.facts import Facts, words_of
from operators.onevision.rewriting.meta import without_talk
from operators.onevision.rewriting.reading import Described
from operators.onevision.rewriting.sentences import joined
from operators.onevision.rewriting.vague import is_vague, plain, without_asides

#: Characters of a question or code that are read.
READ = 8_000
COMPUTES = re.compile(r"[=≈]\s*[-+]?\s*[\d\\(√π.]|\d\s*[+×*/÷]\s*\d")
#: Clauses of a sentence; only what the guess is about has to be borne out, the others are said plainly already.
_CLAUSES = re.compile(r",\s(?=(?:so|and|but|thus|hence|which|because|since|as)\b)|，|；|;\s")
_WITHIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_BEFORE = _WITHIN | {"."}


def steps_of(source: Sequence[str], row: Mapping[str, Any], told: Described) -> list[str]:
    """The source's steps without talk; nothing where they do not come to the answer.

    A guess is said plainly where the description bears it out, where it computes, or where the last one states the
    answer. The others go, but for those with a number of a later step or a word of the answer, unless the steps come to
    the answer only with all of them, or more than half of the source would go.
    """
    facts = Facts([*told.sentences, *told.labels, (row["formal_code"] or "")[:READ]])
    said = list(dict.fromkeys(each for each in map(without_talk, source) if each is not None))
    answers = [row["answer"], *(option.text for option in row["options"] if option.letter == row["answer"].strip())]
    steps: list[tuple[str, bool]] = []
    for number, sentence in enumerate(said, 1):
        step = _plainly(sentence, facts, answers if number == len(said) else ())
        steps.append((step or sentence, step is not None))
        facts.add(step or "")
    if all(map(is_vague, said)):
        choices = [[step for step, sure in steps if sure]]
    else:
        needed, every = _needed(steps, answers), [step for step, _ in steps]
        choices = [needed, every] if 2 * len(needed) >= len(every) else [every]
    return next((each for each in choices if _reaches(each, row)), [])


def holds(sentence: str, text: str) -> bool:
    """Whether a text stands in a sentence, not within a longer word or number.

    >>> holds("So it is 3.", "3"), holds("So it is 3.5.", "3")
    (True, False)
    """
    bare, where = text.strip().casefold(), sentence.casefold()
    at = where.find(bare) if bare else -1
    while at >= 0:
        end = at + len(bare)
        goes_on = where[end : end + 1] in _WITHIN or (
            where[end : end + 1] == "." and where[end + 1 : end + 2].isdigit()
        )
        if not goes_on and (at == 0 or where[at - 1] not in _BEFORE):
            return True
        at = where.find(bare, at + 1)
    return False


def _plainly(sentence: str, facts: Facts, answers: Sequence[str]) -> str | None:
    """A sentence that states a fact, or a guess as a fact if something bears it out; None for other guesses."""
    if not is_vague(sentence):
        return sentence
    said = plain(sentence)
    guessed = [clause for clause in _CLAUSES.split(sentence) if is_vague(clause)]
    claim = plain(guessed[0]) if len(guessed) == 1 else said
    if said is not None and claim is not None:
        known = facts.bear_out(claim) or COMPUTES.search(sentence) is not None
        if known or any(holds(claim, each) for each in answers):
            return said
    bare = without_asides(sentence)
    return None if is_vague(bare) else bare


def _needed(steps: Sequence[tuple[str, bool]], answers: Sequence[str]) -> list[str]:
    """The sure steps, and the guesses that tell a word of the answer or a number of a step behind them."""
    aim, kept = words_of(" ".join(answers)), []
    for step, sure in reversed(steps):
        words = words_of(step)
        if sure or words & aim:
            kept.append(step)
            aim |= {word for word in words if word[0].isdigit()}
    return kept[::-1]


def _reaches(steps: Sequence[str], row: Mapping[str, Any]) -> bool:
    found = conclusion_of(joined(steps), row["answer"], row["question"], row["options"])
    return bool(steps) and found.verdict == "reached"
