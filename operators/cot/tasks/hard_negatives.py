"""Hard negatives: options that are wrong for sure, and that neither words, nor length, nor likeness tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Literal

from operators.cot.plan import Step
from operators.cot.support.facts import conditions_of, effects_of
from operators.cot.tasks.options import distinct
from operators.cot.tasks.recovery import LISTS, is_order, stem, words_of

# From this share of the shorter text's words on, a text may say what the other one says.
_MUCH = 0.4
# Stems that name nothing, though a question may have them.
_GENERAL = LISTS["general"]


@dataclass(frozen=True, slots=True)
class Speech:
    """What a step is about: ``things`` by the stem of their names' last words, ``words`` by the stems of all."""

    things: frozenset[str]
    words: frozenset[str]


def speech_of(step: Step) -> Speech:
    """The step's things, but not who acts, and all words that it uses."""
    chain, failure = step.causal_chain, step.failure_reflecting
    facts = (*conditions_of(step), *effects_of(step))
    names = tuple(dict.fromkeys([chain.patient, *(name for fact in facts for name in fact.objects)]))
    texts = (
        step.step_goal,
        step.counterfactual_challenge_question,
        step.expected_challenge_outcome,
        failure.reason,
        failure.recovery_strategy,
        chain.action,
        *names,
    )
    return Speech(_things(names) - _things((chain.agent, "hand", "hands")), frozenset().union(*map(_stems, texts)))


def fits_only(text: str, own: Speech, other: Speech, about: str = "") -> bool:
    """Whether a text names one of its own step's things, or of what ``about`` names, of which the other is silent.

    What names none may fit the other step too: "stop and try again", "wipe it with a cloth".
    """
    named = (own.things | (_stems(about) - _GENERAL) if about else own.things) - other.words
    if not named.isdisjoint(_stems(text)):
        return True
    return not text.isascii() and any(thing in text for thing in named if not thing.isascii())


def says_much_of(text: str, gold: str) -> bool:
    """Whether a text says so much of what another one says that both may be right: "too little air gets in"."""
    ours, theirs = content_of(text), content_of(gold)
    return len(ours & theirs) >= _MUCH * min(len(ours), len(theirs))


@lru_cache(maxsize=1 << 12)
def content_of(text: str) -> frozenset[str]:
    """The stems of the words of a text that name or tell something.

    >>> sorted(content_of("The lids would slip off the jar"))
    ['jar', 'lid', 'slip']
    """
    return _stems(text) - _GENERAL


@lru_cache(maxsize=1 << 12)
def _things(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(words[-1]) for name in names if (words := words_of(name)))


@lru_cache(maxsize=1 << 12)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words_of(text)))


#: What texts consist of: orders ("lift the lid, and wipe it"), or statements ("the lid would slip, leaving a gap").
Clauses = Literal["orders", "statements"]

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_JOINT = re.compile(r"[,;.] (?:and |but )?(?:then )?|(?<=\w) and (?:then )?", re.IGNORECASE)
# What begins a clause that hangs on the one before, beside words in -ing: "as the lid is loose", "leaving a gap".
_REASONS = frozenset("as because since so which while".split())  # noqa: SIM905 - as a text it can be read
_LOOKED_AT = 60
_VERB = re.compile(r"\b(?:would|could|will|can|cannot|may|might|must|is|are|was|were)\b")
# What begins an order's object.
_OBJECT = frozenset("the a an it its them this that these those his her their your one two".split())  # noqa: SIM905 - as a text it can be read
# A statement that begins so is no whole one before its first comma.
_OPEN = frozenset("if when while without with no yes as since because instead after before although though".split())  # noqa: SIM905 - as a text it can be read


@dataclass(frozen=True, slots=True)
class _Joint:
    """A place where one clause ends and another begins; whether each of the two hangs on the one before it."""

    place: int
    after_tied: bool
    tied: bool


def crossed(gold: str, other: str, clauses: Clauses) -> Iterator[str]:
    """The first clauses of one text with the last ones of the other, both ways; none of a text of one clause.

    >>> list(crossed("Lift the lid, then wipe the rim.", "Press the valve and pull the tube again.", "orders"))
    ['Lift the lid and pull the tube again.', 'Press the valve, then wipe the rim.']
    """
    for one, their in product(_joints(gold, clauses), _joints(other, clauses)):
        if not (one.after_tied and their.tied):
            yield gold[: one.place] + other[their.place :]
        if not (their.after_tied and one.tied):
            yield other[: their.place] + gold[one.place :]


@lru_cache(maxsize=1 << 10)
def _joints(text: str, clauses: Clauses) -> tuple[_Joint, ...]:
    """Where a whole clause ends, and another one begins."""
    found: list[_Joint] = []
    tied = False
    for joint in _JOINT.finditer(text):
        head, rest = text[: joint.start()], text[joint.end() :]
        words = [word.lower() for word in _WORD.findall(rest[:_LOOKED_AT])]
        if words and words[0].endswith("ly"):
            del words[0]
        begins = words[0] if words else ""
        hangs = begins in _REASONS or begins.endswith("ing")
        if _is_clause(words, rest, joint.group(), clauses) and _is_whole(head, clauses):
            found.append(_Joint(joint.start(), tied, hangs))
        tied = hangs if joint.group()[0] != " " else tied
    return tuple(found)


def _is_clause(words: Sequence[str], rest: str, joint: str, clauses: Clauses) -> bool:
    """Whether what follows a joint is a clause of its own: behind a bare *and*, an order with its object."""
    if not words:
        return False
    if joint[0] == " ":
        return clauses == "orders" and is_order(words[0]) and words[1:2] != [] and words[1] in _OBJECT
    if words[0] in _REASONS or words[0].endswith("ing"):
        return True
    if clauses == "statements":
        return _has_verb(rest)
    return is_order(words[0]) and (joint.endswith("then ") or words[1:2] not in (["and"], ["or"]))  # not "oil and salt"


def _is_whole(head: str, clauses: Clauses) -> bool:
    """Whether what stands before a joint can stand alone."""
    words = _WORD.findall(head[:_LOOKED_AT])
    first = words[0].lower() if words else ""
    if clauses == "orders":
        return is_order(first) or first.endswith("ly")
    return first not in _OPEN and _has_verb(head)


def _has_verb(text: str) -> bool:
    return _VERB.search(re.split(r"[,;.]", text, maxsplit=1)[0]) is not None


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
    words, lengths = [_beside(each) for each in guesses], [_beside(length), _beside([-each for each in length])]
    first, second, third = words
    best: tuple[float, tuple[int, int, int]] | None = None
    for a, b, c in combinations(range(1, len(texts)), 3):
        if alike[a][b] > MOST_ALIKE or alike[a][c] > MOST_ALIKE or alike[b][c] > MOST_ALIKE:
            continue
        one = _CHANCES[first[a] + first[b] + first[c]]
        two = _CHANCES[second[a] + second[b] + second[c]]
        three = _CHANCES[third[a] + third[b] + third[c]]
        if one > _GIVEN_AWAY or two > _GIVEN_AWAY or three > _GIVEN_AWAY or one + two + three > _TOGETHER:
            continue
        cost = 2 * (abs(one - _CHANCE) + abs(two - _CHANCE) + abs(three - _CHANCE))
        if best is not None and cost >= best[0]:
            continue
        likeness = _beside([row[0] + row[a] + row[b] + row[c] for row in (alike[0], alike[a], alike[b], alike[c])])
        by_style = [_CHANCES[sum(likeness)], *(_CHANCES[each[a] + each[b] + each[c]] for each in lengths)]
        cost += sum([abs(each - _CHANCE) for each in by_style])
        if best is None or cost < best[0]:
            best = cost, (a, b, c)
    return None if best is None else [texts[i] for i in best[1]]


def _tried(asked: frozenset[str], gold: str, wrong: Sequence[str], random: Random) -> list[str]:
    """As many candidates as can be tried together: first those that share most with the question, of like length."""
    length = len(gold.split())
    shuffled = random.sample(wrong, len(wrong))
    far = {text: abs(len(text.split()) - length) for text in shuffled}
    near = sorted(shuffled, key=lambda text: (-len(asked & content_of(text)), far[text]))[: 2 * _TRIED // 3]
    rest = sorted((text for text in shuffled if text not in near), key=lambda text: far[text])
    return [*near, *rest[: _TRIED - len(near)]]


#: How likely whoever picks the highest of four values picks the first: by what the other three have beside it.
_MORE, _CHANCES = 4, (1.0, 1 / 2, 1 / 3, 1 / 4, *[0.0] * 9)


def _beside(values: Sequence[float]) -> list[int]:
    """For each value whether it is more than the first, as much or less; what three of them come to is looked up."""
    own = values[0]
    return [0, *(_MORE if each > own else int(each == own) for each in values[1:])]
