"""Whether the steps of a text come to the row's answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from operators.verify.answer import Option
from operators.verify.reaching import Reach, reach
from operators.verify.reaching.steps import steps_of, tokens
from operators.verify.reaching.worded import words_of
from operators.verify.vocabulary import singular, term_of


def conclusion_of(text: str, answer: str, question: str, options: Sequence[Option]) -> Reach:
    """As :func:`reach`; but an answer in words is only reached where the last step speaks of it.

    >>> arrows = "From steam an arrow leads to rain, from rain one to ice. So ice is what comes behind rain."
    >>> [conclusion_of(arrows, answer, "What comes behind rain?", []).verdict for answer in ("ice", "steam")]
    ['reached', 'cannot tell']
    """
    found = reach(text, answer, question=question, options=options)
    if found.verdict != "reached" or options or any(map(str.isdigit, answer)):
        return found
    first = term_of((tokens(answer) or [""])[0])
    if first is not None and first.family == "polarity":
        return found
    last = " ".join(steps_of(text, [answer]).sentences[-1:])
    if last and not _speaks(last, answer):
        return Reach("cannot tell", found.value)
    return found


def _speaks(sentence: str, answer: str) -> bool:
    """Whether a sentence holds half of an answer's words, or of its pairs of Chinese characters."""
    said = [singular(each) for each in tokens(sentence)]
    words = [*words_of(answer)] if answer.isascii() else [one + two for one, two in pairwise(tokens(answer))]
    known = {*said, *(one + two for one, two in pairwise(said))}
    return 2 * sum(each in known for each in words) >= len(words)
