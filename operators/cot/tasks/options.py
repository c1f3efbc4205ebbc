"""Options to choose from: one of them is right, under any letter as often, and neither words nor length tell which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, product
from random import Random
from string import ascii_uppercase
from typing import Literal

from dataflow_ext.text import lists, stem
from operators.cot.plan import Step
from operators.cot.problems import Problem
from operators.cot.support.facts import conditions_of, effects_of
from operators.cot.tasks.task import shown
from operators.cot.texts import normalised, root, roots_of, words_of

#: The letters of options, in the order of the options.
LETTERS = ascii_uppercase

#: From this similarity on, a text is not to stand as a wrong option beside a right one.
TOO_SIMILAR = 0.7

# What makes no difference to what is said; on, off, in, out, not and the like do make one.
_ARTICLES = ("a", "an", "the", "this", "that", "these", "those", "it", "its", "your", "his", "her", "their")
_STOP = frozenset([*_ARTICLES, "and", "then", "to", "of", "for", "with", "by", "is", "are", "be", *"的了把将并"])
_LONGEST_WORD = 40
# Of longer texts the words are told apart anew each time, so that no file can fill the memory.
_REMEMBERED = 1000
_ALIKE = {"into": "in", "onto": "on"}
_CJK = "\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


def drawn(gold: str, distractors: Sequence[str], count: int, random: Random) -> tuple[list[str], str]:
    """``count`` options, ``gold`` at an evenly drawn place among drawn distractors, and the letter of that place.

    ValueError if there are too few distractors. Whoever has a preference among the distractors gives only the best.

    >>> options, letter = drawn("yes", ["no", "perhaps", "never"], 4, Random(1))
    >>> sorted(options), options[LETTERS.index(letter)]
    (['never', 'no', 'perhaps', 'yes'], 'yes')
    """
    if len(distractors) < count - 1:
        raise ValueError(f"{count} options need {count - 1} distractors, but there are {len(distractors)}.")
    place = random.randrange(count)
    options = random.sample(distractors, count - 1)
    options.insert(place, gold)
    return options, LETTERS[place]


def right_place(options: object, label: object) -> int | None:
    """The place of the option that a letter names; None if it names none, or there are no options.

    >>> right_place(["Pour.", "Stir."], "B"), right_place(["Pour.", "Stir."], "C")
    (1, None)
    """
    if not isinstance(options, list) or not isinstance(label, str) or len(label) != 1:
        return None
    return place if 0 <= (place := LETTERS.find(label)) < len(options) else None


def distinct(texts: Iterable[str]) -> list[str]:
    """The texts without those that are, normalised, the same as one before them."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(normalised(text), text)
    return list(first.values())


def similarity(a: str, b: str) -> float:
    """How much of what two texts say is the same: 0 nothing, 1 all of it, in the same order.

    Counted are the stems of English words, the letters of Chinese, Japanese and Korean, and which of them follow
    each other; articles and the like do not count.

    >>> similarity("Pour the milk into a mug.", "Pour milk in the mugs")
    1.0
    >>> similarity("Turn the light on.", "Turn the light off.") < TOO_SIMILAR
    True
    """
    ours, theirs = (_remembered(text) if len(text) <= _REMEMBERED else _said(text) for text in (a, b))
    if not ours or not theirs:
        return float(normalised(a) == normalised(b))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def label_problems(options: Sequence[str], label: str, gold: str, count: int = 4) -> Iterator[Problem]:
    """What is wrong with options of which one is to be right: their number, repeats, other right ones, the letter."""
    if len(options) != count:
        yield Problem("fields.options", f"there are {len(options)} options, but there should be {count}")
    yield from repeat_problems(options)
    right = [i for i, option in enumerate(options) if normalised(option) == normalised(gold)]
    if not right:
        yield Problem("fields.options", f"no option is the right answer {shown(gold)}")
    yield from rival_problems([option for i, option in enumerate(options) if i not in right], [gold])
    letters = [LETTERS[i] for i in right if i < len(LETTERS)]
    # Without a right option there is no right letter either; one that stands for no option is wrong in any case.
    if label not in (letters or list(LETTERS[: len(options)])):
        wanted = f"the right option is {letters[0]}" if letters else "there is no such option"
        yield Problem("fields.label", f"label is {shown(label)}, but {wanted}")


def repeat_problems(options: Sequence[str]) -> Iterator[Problem]:
    """``fields.options`` for each option that is, normalised, the same as one before it."""
    seen: dict[str, int] = {}
    for i, option in enumerate(options):
        first = seen.setdefault(normalised(option), i)
        if first != i:
            yield Problem("fields.options", f"options {_named(first)} and {_named(i)} are the same: {shown(option)}")


def rival_problems(wrong: Iterable[str], right: Sequence[str]) -> Iterator[Problem]:
    """``fields.options`` for each option given as wrong that says the same as a right one in nearly the same words."""
    for option in wrong:
        rival = next((gold for gold in right if similarity(option, gold) == 1.0), None)
        if rival is not None:
            yield Problem("fields.options", f"{shown(option)} is as right as {shown(rival)}")


def is_rival(text: str, right: Iterable[str]) -> bool:
    """Whether a text is too similar to a right answer to stand as a wrong one beside it."""
    return any(similarity(text, gold) >= TOO_SIMILAR for gold in right)


def _named(i: int) -> str:
    return LETTERS[i] if i < len(LETTERS) else str(i + 1)


def _said(text: str) -> frozenset[str | tuple[str, str]]:
    words = [word for word in _TOKEN.findall(normalised(text)) if word not in _STOP]
    stems = [stem(_ALIKE.get(word, word)) if len(word) <= _LONGEST_WORD else word for word in words]
    return frozenset(stems) | frozenset(pairwise(stems))


_remembered = lru_cache(maxsize=1 << 12)(_said)


_LISTS = lists(__package__, "options.tsv")
# From this share of the shorter text's words on, a text may say what the other one says.
_MUCH = 0.4
# Stems that name nothing, though a question may have them.
_GENERAL = _LISTS["general"]


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
    return Speech(_things(names) - _things((chain.agent, "hand", "hands")), frozenset().union(*map(roots_of, texts)))


def fits_only(text: str, own: Speech, other: Speech, about: str = "") -> bool:
    """Whether a text names one of its own step's things, or of what ``about`` names, of which the other is silent.

    What names none may fit the other step too: "stop and try again", "wipe it with a cloth".
    """
    named = (own.things | (roots_of(about) - _GENERAL) if about else own.things) - other.words
    if not named.isdisjoint(roots_of(text)):
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
    return roots_of(text) - _GENERAL


@lru_cache(maxsize=1 << 12)
def _things(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(root(words[-1]) for name in names if (words := words_of(name)))


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


@lru_cache(maxsize=1 << 14)
def is_order(word: str) -> bool:
    """Whether a clause that begins with the word may be an order: a verb in its plain form."""
    bare = word.removeprefix("re").removeprefix("-") if word.startswith("re") else word
    return not _LISTS["orders"].isdisjoint((word, word.replace("-", ""), bare))


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
