"""Whether the step is tried again after its recovery, or the plan goes on: told where the texts leave no choice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dataflow_ext import text
from dataflow_ext.text import lists
from operators.cot.plan import Step, once
from operators.cot.support.facts import Fact, conditions_of, effects_of

LISTS = lists(__package__, "recovery.tsv")
_WORDS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 14)
def is_order(word: str) -> bool:
    """Whether a clause that begins with the word may be an order: a verb in its plain form."""
    bare = word.removeprefix("re").removeprefix("-") if word.startswith("re") else word
    return not LISTS["orders"].isdisjoint((word, word.replace("-", ""), bare))


def words_of(text: str) -> list[str]:
    """The words of a text or of a name in lower case; underscores part words."""
    return _WORDS.findall(text.lower())


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """What is common to a word's forms; "readable" and "reading" have one stem."""
    bare = word.lower()
    for ending in ("able", "ible"):
        if bare.endswith(ending) and len(bare) > 6:
            bare = bare.removesuffix(ending)
    return text.stem(bare)


@lru_cache(maxsize=1 << 14)
def stems_of(*texts: str) -> frozenset[str]:
    """The stems of the words that tell what texts are about."""
    return frozenset(map(stem, (word for text in texts for word in words_of(text)))) - _SMALL


_SMALL = frozenset(map(stem, LISTS["small"]))


Label = Literal["retry_current_step", "continue_next_step"]
RETRY: Label = "retry_current_step"
CONTINUE: Label = "continue_next_step"

ONWARD = "the recovery goes on with what the next step does"
DONE = "the recovery brings about the step's effects"
ANEW = "the recovery orders the step's work anew"
READY = "the recovery works on what the step needs, and on nothing that the step changes"
UNSURE = "the recovery does not tell what comes of it"
EITHER = "the recovery goes one way or another"

# Recoveries are a sentence or two; what is longer than this many characters is none.
_LONGEST = 4000
_CLAUSES = re.compile(r"[,;:.!?()。，；！？]|\b(?:and|then|but|so)\b")
_LIMIT = re.compile(r"\b(?:un)?till?\b")
# An aim is what is hoped for, not what comes of an order.
_AIM = re.compile(r"\bto (?:ensure|avoid|prevent|help|make)\b.*")
_PLACE = re.compile(r"\b(?:in|into|inside|on|onto|to|under|through|around|over|against)((?: \w+){1,4})")
_ON = re.compile(r"\b(?:continue|proceed|move on|go on|carry on)\b")
_AGAIN = re.compile(r"\bonce more\b|\bbefore\b")
_REDONE = re.compile(r"\bre[\w-]+")
_ANEW = frozenset(map(stem, LISTS["again"]))
_IT = LISTS["it"] | LISTS["rest"]


@dataclass(frozen=True, slots=True)
class _Work:
    """A step in stems: its verbs, main effects, what it changes, what it only needs, what the next step is about."""

    verbs: frozenset[str]
    effects: tuple[Fact, ...]
    changed: frozenset[str]
    needed: frozenset[str]
    ahead: frozenset[str]


def label_of(step: Step, next_step: Step) -> tuple[Label | None, str]:
    """The label and why; None where the recovery does not tell.

    >>> from operators.cot.plan import CausalChain, Failure, Spatial
    >>> after = [Spatial("inside", ["pieces", "pan"])]
    >>> chain = CausalChain("hand", "tilt and scrape", "pieces", causal_effect_on_spatial=after)
    >>> failure = Failure("Pieces stick to the board.", "Scrape the remaining pieces into the pan.")
    >>> step = Step(1, "Move the pieces to the pan.", causal_chain=chain, failure_reflecting=failure)
    >>> label_of(step, Step(2, "Fry the pieces."))
    ('continue_next_step', "the recovery brings about the step's effects")
    """
    labels = _labels(step)
    for following, label in labels:
        if following is next_step:
            return label
    labels.append((next_step, _label(step, next_step)))
    return labels[-1][1]


@once
def _labels(step: Step) -> list[tuple[Step, tuple[Label | None, str]]]:
    """The step's labels by the steps that were taken to follow it: in a plan it is one."""
    return []


def _label(step: Step, following: Step) -> tuple[Label | None, str]:
    failure = step.failure_reflecting
    told = failure.recovery_strategy.lower()
    spoken = set(words_of(told))
    if spoken & LISTS["either"] or len(told) > _LONGEST:
        return None, EITHER
    work = _work_of(step, following)
    signs = {sign for clause in _CLAUSES.split(told) for sign in _signs(_AIM.sub("", clause), work)}
    if signs > {ANEW}:
        return None, EITHER
    if ONWARD in signs or DONE in signs:
        return CONTINUE, ONWARD if ONWARD in signs else DONE
    if spoken & LISTS["limits"] or LISTS["rest"] & (spoken | set(words_of(failure.reason))):
        return None, UNSURE
    if signs:
        return RETRY, ANEW
    named = stems_of(told)
    aloof = not named & (work.changed - work.needed | work.verbs) and not spoken & LISTS["it"]
    return (RETRY, READY) if aloof and named & work.needed - work.changed else (None, UNSURE)


def _signs(clause: str, work: _Work) -> Iterator[str]:
    """What a clause tells of the step's effects, of its work and of the next step."""
    order, *limits = _LIMIT.split(clause)
    limit, spoken, stems = "".join(limits), words_of(order), frozenset(map(stem, words_of(order)))
    own, done = stems & work.verbs, False
    if any(_tells(effect, order, False) or _tells(effect, limit, True) for effect in work.effects):
        done = True
    elif own & {stem(word) for word in spoken[:2]} and (limit or LISTS["rest"] & set(spoken)):
        done = not LISTS["vague"] & set(words_of(limit))
    if done:
        yield DONE
    # Work that is done again up to its end is done then.
    told = limit if done and limit else clause
    anew = {stem(word[2:].lstrip("-")) for word in _REDONE.findall(told)}
    again = _ANEW.intersection(map(stem, words_of(told))) or anew & work.verbs or (own and _AGAIN.search(told))
    onward = _ON.search(order)
    if again or (onward and own):
        yield ANEW
    elif onward and (stems & work.ahead or {"step", "plan"} & set(spoken)):
        yield ONWARD


def _tells(effect: Fact, clause: str, limit: bool) -> bool:
    """Whether a clause puts the effect's thing where it is to be, or, as a limit, says that it is as it is to be."""
    *movers, goal = (stems_of(name) for name in effect.objects)
    spoken = set(words_of(clause))
    denied = bool(LISTS["denials"] & spoken)
    if not effect.truth:
        return limit and denied and bool((goal | stems_of(effect.name)) & stems_of(clause))
    if denied:
        return False
    if not movers:
        return (
            limit and bool(stems_of(effect.name) & stems_of(clause)) and bool(goal & stems_of(clause) or _IT & spoken)
        )
    for found in _PLACE.finditer(clause):
        before = clause[: found.start()]
        moved = any(mover & stems_of(before) for mover in movers) or _IT & set(words_of(before))
        if moved and goal & stems_of(found[1]):
            return True
    return False


def _work_of(step: Step, following: Step) -> _Work:
    chain, conditions = step.causal_chain, conditions_of(step)
    effects = [fact for fact in effects_of(step) if fact not in conditions]
    patient, goal = stems_of(chain.patient), stems_of(step.step_goal)
    main = [fact for fact in effects if any(stems_of(name) & (patient | goal) for name in fact.objects)]
    changed = patient.union(*(stems_of(name) for fact in effects for name in fact.objects[: None if fact.truth else 1]))
    ahead = following.step_goal, following.causal_chain.action
    return _Work(
        verbs=frozenset(stem(word) for text in (step.step_goal, chain.action) for word in words_of(text)[:1]),
        effects=tuple(main or effects),
        changed=changed,
        needed=frozenset().union(*(stems_of(name) for fact in conditions for name in fact.objects)),
        ahead=stems_of(*ahead, *(fact.name for fact in effects_of(following))) - goal - changed,
    )
