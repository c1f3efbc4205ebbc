"""What of a step its recovery is compared with: its own work, its effects, its things, and what the next step does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from operators.cot.recovery.effects import Effect, destination, holds, telling, things_of
from operators.cot.recovery.verbs import LISTS, base, kinds, stem, words_of
from operators.cot.support.facts import Fact

_PARTS = re.compile(r"[,;()]|\band\b|\bthen\b|\bwhile\b|\bor\b|\bto\b(?= \w+$)")
_COMMON = LISTS["common"]


@dataclass(frozen=True, slots=True)
class Work:
    """A step in words.

    ``verbs`` are its own work, ``effects`` the main ones, ``aims`` those and where its goal puts something. The rest
    are stems: ``patient`` of its name, ``held`` of what is in hand after the step, ``things`` of the patient and of
    what the effects speak of, ``main`` of the patient and of what the main effects speak of, ``tools`` of what the
    conditions alone speak of, ``told`` of its goal and action, ``flaw`` of why it failed, ``words`` of all of it but
    that. ``next_verbs``, ``next_goal`` and ``next_words`` are the next step's; ``next_words`` are those that this step
    has not.
    """

    verbs: frozenset[str]
    effects: tuple[Effect, ...]
    aims: tuple[Effect, ...]
    held: frozenset[str]
    things: frozenset[str]
    patient: frozenset[str]
    main: frozenset[str]
    subjects: frozenset[str]
    required: frozenset[str]
    tools: frozenset[str]
    words: frozenset[str]
    told: frozenset[str]
    goal: frozenset[str]
    flaw: frozenset[str]
    next_verbs: frozenset[str]
    next_goal: frozenset[str]
    next_words: frozenset[str]

    @property
    def cleans(self) -> bool:
        """Whether the step is to free something of what does not belong there."""
        moved = (each.place and each.things[0] & self.patient for each in self.effects)
        gone = any(not each.holds and not out for each, out in zip(self.effects, moved, strict=True))
        return gone or any(each.state & {"clean", "free", "clear", "open"} for each in self.effects)

    @property
    def changes(self) -> bool:
        """Whether the step is to change what something is like, and not just where it is."""
        return any(each.holds and not each.place and each.verbs for each in self.effects)

    def is_own(self, verb: str) -> bool:
        """Whether a verb is one of the step's own, or of a kind with one: "invert" where the step is to swirl."""
        return verb in self.verbs or any(kinds(verb) & kinds(each) for each in self.verbs)

    def speaks_of(self, stems: frozenset[str]) -> bool:
        """Whether one of the stems is a verb of the step: "aspiration" where the step is to aspirate."""
        return not stems.isdisjoint(map(stem, self.verbs))


def work_of(
    said: tuple[str, str, str, str],
    reason: str,
    conditions: Sequence[Fact],
    effects: Sequence[Fact],
    following: tuple[str, str],
    later: Sequence[Fact],
) -> Work:
    """The step in words; ``said`` are its goal, action, patient and agent, ``following`` the next's goal, action."""
    goal, action, name, agent = said
    patient = things_of(name)
    things = patient.union(*(things_of(name) for fact in effects for name in fact.objects))
    needed: frozenset[str] = frozenset().union(*(things_of(name) for fact in conditions for name in fact.objects))
    main = tuple(telling(effects, conditions, agent, stems_of(goal) | patient))
    goes = destination(goal, patient)
    current = things | needed | stems_of(goal, action)
    ahead = stems_of(*following, *(fact.name for fact in later))
    return Work(
        verbs=_verbs(goal) | _verbs(action),
        effects=main,
        aims=(*main, goes) if goes else main,
        held=frozenset().union(
            *(things_of(name) for fact in holds(effects, conditions, agent) for name in fact.objects)
        ),
        things=things,
        patient=patient,
        main=patient.union(*(thing for effect in main for thing in effect.things)),
        subjects=patient.union(*(things_of(fact.objects[0]) for fact in effects)),
        required=stems_of(*(fact.name for fact in conditions)),
        tools=needed - things,
        words=current,
        told=stems_of(goal, action),
        goal=stems_of(goal),
        flaw=stems_of(reason),
        next_verbs=_verbs(following[0]) | _verbs(following[1]),
        next_goal=stems_of(following[0]),
        next_words=ahead - current,
    )


@lru_cache(maxsize=1 << 12)
def stems_of(*texts: str) -> frozenset[str]:
    """The stems of the words that tell what a text is about."""
    return frozenset().union(*map(_stems, texts))


@lru_cache(maxsize=1 << 14)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(text) if word not in _COMMON)


@lru_cache(maxsize=1 << 12)
def _verbs(text: str) -> frozenset[str]:
    """The verbs at the heads of what a goal or an action says; its first word is one in any case."""
    parts = [words for part in _PARTS.split(text.replace("_", " ").lower()) if (words := words_of(part))]
    heads = [_head(words) for words in parts]
    return frozenset(heads[:1]) | frozenset(found for word in heads if (found := base(word)))


def _head(words: list[str]) -> str:
    return next((word for word in words if not word.endswith("ly")), words[0])
