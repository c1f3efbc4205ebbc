"""Hard negatives: wrong options chosen so that neither words, nor length, nor likeness tell the right one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from operators.cot.recovery.own_things import Speech, content_of, fits_only
from operators.cot.recovery.words import words_of
from operators.cot.tasks.crossing import Clauses, crossed
from operators.cot.tasks.options import distinct

#: Why there is no sample about a step.
GIVEN_AWAY = "the right option shares more words with the question than wrong ones can"

#: A wrong option has less than this share of the right one's words: with more, it would be right as well.
MOST_SHARED = 0.8
#: Two wrong options with more than this share of their words in common are one.
MOST_ALIKE = 0.6
#: Of many candidates, as many as this are tried together: 84 threes of them.
_TRIED = 9
#: Above this chance the right option is given away: it is more than one of two that share the most words.
_GIVEN_AWAY = 0.5
#: How often the three guesses by words may be right together: each of them a little more than once in three times.
_TOGETHER = 1.1
_CHANCE = 0.25


def with_crossed(
    gold: str, others: Sequence[tuple[str, Speech]], asked: Speech, clauses: Clauses, about: str = ""
) -> list[str]:
    """The other texts, each with the speech of its step, and what comes of crossing them with the right one.

    What is crossed leaves out a fifth of the right one's words at least, and names a thing of the other step that the
    one asked about is silent of: without it, half an answer could pass for a whole one.
    """
    right, found = content_of(gold), [text for text, _ in others]
    for other, speech in others:
        for text in crossed(gold, other, clauses):
            kept = len(content_of(text) & right)
            if kept < MOST_SHARED * len(right) and fits_only(text, speech, asked, about):
                found.append(text)
    return distinct(found)


def hardest(question: str, gold: str, wrong: Sequence[str], random: Random) -> list[str] | None:
    """The three wrong options beside which the right one is hardest to guess; None if it is given away.

    A guess goes by the words that an option shares with the question, by what they are of all words, by the words
    that it shares with the other options, or by its length. With these three, each guess is about as good as chance.

    >>> wrong = ["Hold a jar.", "Wipe the lid.", "Cool the lid.", "Stop the pump."]
    >>> sorted(hardest("What helps if the lid slips?", "Hold the lid.", wrong, Random(1)) or [])
    ['Cool the lid.', 'Stop the pump.', 'Wipe the lid.']
    >>> hardest("What if the lid slips?", "Hold the lid.", ["Hold a jar.", "Cut wood.", "Stop the pump."], Random(1))
    """
    asked, spoken = content_of(question), set(words_of(question))
    tried = _tried(asked, gold, wrong, random)
    texts = (gold, *tried)
    said = [content_of(text) for text in texts]
    alike = [[len(one & other) / (len(one | other) or 1) for other in said] for one in said]
    length = [len(text.split()) for text in texts]
    guesses = (
        [len(asked & each) for each in said],
        [len(asked & each) / (len(asked | each) or 1) for each in said],
        [len(spoken.intersection(words_of(text))) for text in texts],
    )
    best: tuple[float, tuple[int, ...]] | None = None
    for three in combinations(range(1, len(texts)), 3):
        if any(alike[one][other] > MOST_ALIKE for one, other in combinations(three, 2)):
            continue
        places = (0, *three)
        by_words = [_chance(values, places) for values in guesses]
        if max(by_words) > _GIVEN_AWAY or sum(by_words) > _TOGETHER:
            continue
        by_likeness = _chance([sum(alike[i][j] for j in places) for i in places], range(4))
        by_style = (by_likeness, _chance(length, places), _chance([-each for each in length], places))
        cost = 2 * sum(abs(each - _CHANCE) for each in by_words) + sum(abs(each - _CHANCE) for each in by_style)
        if best is None or cost < best[0]:
            best = cost, three
    return None if best is None else [texts[i] for i in best[1]]


def _tried(asked: frozenset[str], gold: str, wrong: Sequence[str], random: Random) -> list[str]:
    """As many candidates as can be tried together: first those that share most with the question, of like length."""
    length = len(gold.split())
    shuffled = random.sample(wrong, len(wrong))
    far = {text: abs(len(text.split()) - length) for text in shuffled}
    near = sorted(shuffled, key=lambda text: (-len(asked & content_of(text)), far[text]))[: 2 * _TRIED // 3]
    rest = sorted((text for text in shuffled if text not in near), key=lambda text: far[text])
    return [*near, *rest[: _TRIED - len(near)]]


def _chance(values: Sequence[float], places: Sequence[int]) -> float:
    """How likely whoever picks the highest value picks the first place: one of all that have it."""
    own = values[places[0]]
    others = [values[place] for place in places[1:]]
    return 0.0 if max(others) > own else 1 / (1 + others.count(own))
