"""Which tools a plan knows, what its steps need them for, and how a goal is told with another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dataflow_ext.text import lists, stem, tokens
from operators.cot.flaws.objects import MEANS, MODIFIERS
from operators.cot.plan import Kept, Step, chains_of, once
from operators.cot.support.facts import Fact, affordance_facts, conditions_of, effects_of, things_of
from operators.cot.support.matching import contradicts, support_of
from operators.cot.support.names import is_hand, is_stuff, sameness
from operators.cot.texts import WORD, PlanWords, bare, in_latin, like, tokens_key

_LISTS = lists(__package__, "tools.tsv")
#: What every thing lends itself to that somebody handles: no other tool can be said to lack it; what lends itself to
#: something of the second list is a material.
_ANY_TOOL_HAS, _WORKED_ON = (frozenset(map(tokens_key, _LISTS[name])) for name in ("any tool has", "worked on"))
#: Words that name no tool: who acts, and what stays where it is.
_NO_TOOL = frozenset(map(stem, _LISTS["no tool"]))
#: Tools that can stand in for each other, whatever a plan says of them.
_STAND_INS = [frozenset(map(stem, words)) for name, words in _LISTS.items() if name.startswith("stand-ins ")]

# Of a long plan, as many tools as this are looked at.
_CANDIDATES = 24


@dataclass(frozen=True, slots=True)
class Need:
    """A tool of a step, and what the step needs of it."""

    tool: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """A tool that a step needs, another one, and the one thing that the step needs and that this one lacks."""

    need: Need
    other: str
    lacked: Fact


class Tools(Kept):
    """The tools of a plan: what conditions give an affordance, and what is used as a tool in a key frame."""

    def __init__(self, words: PlanWords) -> None:
        self._words = words
        self._swaps: dict[int, list[Swap]] = {}  # by the identity of the plan's steps, which it keeps alive
        steps = words.plan.steps
        self.things = things_of(words.plan) | frozenset(name for step in steps for name in _used(step))
        self._effects = list(dict.fromkeys(fact for step in steps for fact in effects_of(step)))
        self._heads = [_head(name) for name in self.things]
        self._given = dict.fromkeys((name, affordance) for step in steps for name, affordance in _affordances(step))
        named = (fact.objects[0] for step in steps for fact in conditions_of(step) if fact.kind == "affordance")
        used = (name for step in steps for name in _used(step))
        #: Tools that are held in some step, and all tools.
        self.held = [name for name in dict.fromkeys(used) if self._is_tool(name)]
        self.names = [name for name in dict.fromkeys([*self.held, *named]) if self._is_tool(name)]

    def swaps(self, step: Step) -> list[Swap]:
        """The ways in which a tool of the step can be taken for another one that will not do."""
        found = self._swaps.get(id(step))
        if found is None:
            found = [Swap(need, *other) for need in self.needs(step) for other in self._others(step, need)]
            self._swaps[id(step)] = found
        return found

    def needs(self, step: Step) -> list[Need]:
        """The tools held in a step for something that not every tool lends itself to."""
        found: dict[str, list[Fact]] = {}
        for fact in conditions_of(step):
            name = fact.objects[0]
            if fact.kind != "affordance" or tokens_key(fact.name) in _ANY_TOOL_HAS or not self._is_tool(name):
                continue
            held = any(sameness(each, name, self.things) for each in _used(step))
            if held and not sameness(name, step.causal_chain.patient, self.things):
                found.setdefault(name, []).append(fact)
        return [Need(tool, tuple(facts)) for tool, facts in found.items()]

    def lacking(self, name: str, need: Need) -> Fact | None:
        """The one thing that the step needs and that no annotation gives this tool; None if there is not just one.

        It is none that passes: that is a state of the tool ("pipette: loaded"), nothing that it lends itself to, and
        no tool is the wrong one for want of it.
        """
        lacked = [fact for fact in need.facts if not self._gives(name, fact)]
        return lacked[0] if len(lacked) == 1 and not self._passes(lacked[0]) else None

    def mention(self, name: str, words: Sequence[str]) -> tuple[int, int] | None:
        """Where stems of a text name the thing: by its whole name, or by the word for what kind of thing it is."""
        whole, head = stems(name), _head(name)
        if (at := _within(whole, words)) is not None:
            return at, at + len(whole)
        if self._heads.count(head) == 1 and (at := _within([head], words)) is not None:
            return at, at + 1
        return None

    def _others(self, step: Step, need: Need) -> list[tuple[str, Fact]]:
        """Tools that have no part in the step, and the one thing that it needs and that each of them lacks.

        Those that are held in other steps, or where there are none, others that are no material.
        """
        own = list(dict.fromkeys([*_objects(step), *_used(step)]))
        goal = stems(step.step_goal)
        found = [
            (name, lacked)
            for name in self.names[:_CANDIDATES]
            if not any(sameness(name, each, self.things) for each in own)
            and not _stand_in(name, need.tool)
            and self.mention(name, goal) is None
            and (lacked := self.lacking(name, need)) is not None
        ]
        held = [each for each in found if each[0] in self.held]
        return held or [each for each in found if not self._is_material(each[0])]

    def _gives(self, name: str, fact: Fact) -> bool:
        given = (each for owner, each in self._given if sameness(owner, name, self.things))
        return any(support_of(Fact("affordance", each, fact.objects), fact) is not None for each in given)

    @once
    def _passes(self, fact: Fact) -> bool:
        """Whether a step of the plan brings it about or undoes it."""
        return any(support_of(e, fact, self.things) or contradicts(e, fact, self.things) for e in self._effects)

    def _is_material(self, name: str) -> bool:
        """Whether a step may work on it or use it up: what is cut or poured is no tool."""
        given = (each for owner, each in self._given if sameness(owner, name, self.things))
        return is_stuff(name) or any(tokens_key(each) in _WORKED_ON for each in given)

    def _is_tool(self, name: str) -> bool:
        words = tokens(name)
        if not words or "and" in words or not in_latin(name) or is_hand(name):
            return False
        return tokens_key(name) not in self._words.agents and _head(name) not in _NO_TOOL


def stems(text: str) -> list[str]:
    """The stems of a text's words in their order."""
    return [stem(word) for word in tokens(text)]


def _head(name: str) -> str:
    """The stem of the word that says what kind of thing it is."""
    words = tokens(name)
    return stem(words[words.index("of") - 1] if "of" in words[1:] else words[-1]) if words else ""


def _used(step: Step) -> Iterator[str]:
    """What is used as a tool in the step's key frames, hands included."""
    names = (name for frame in step.critical_frames for name in frame.interaction.tools)
    return (line for name in names if (line := " ".join(name.split())))


def _objects(step: Step) -> Iterator[str]:
    """What the step is about or rests on."""
    yield step.causal_chain.patient
    yield from (name for frame in step.critical_frames for name in frame.interaction.materials)
    yield from (name for fact in (*conditions_of(step), *effects_of(step)) for name in fact.objects)


def _affordances(step: Step) -> Iterator[tuple[str, str]]:
    """Objects and what the step's annotations say that they lend themselves to."""
    for chain in chains_of(step):
        for entry in (*chain.causal_precondition_on_affordance, *chain.causal_effect_on_affordance):
            yield from ((fact.objects[0], fact.name) for fact in affordance_facts(entry))
    for frame in step.critical_frames:
        if kind := frame.interaction.hotspot.affordance_type:
            yield from ((name, kind) for name in frame.interaction.tools)


def _within(part: Sequence[str], whole: Sequence[str]) -> int | None:
    """Where one sequence begins within another, the last time that it is there: a goal's first word is a verb."""
    length = len(part)
    places = (i for i in range(len(whole) - length, -1, -1) if list(whole[i : i + length]) == list(part))
    return next(places, None) if length else None


def _stand_in(name: str, other: str) -> bool:
    one, two = _head(name), _head(other)
    return one == two or any({one, two} <= family for family in _STAND_INS)


_ARTICLES = frozenset(("a", "an", "the", "one", "two", "three", "both", "some", "his", "her", "their", "its", "your"))


def with_tool(goal: str, tool: str, other: str, tools: Tools) -> str | None:
    """The goal with another tool in place of the one that it names, or added where it names none.

    None where that would not read well: the tool is named as something else than what the step is done with, or
    it is done with something else that is not the tool.
    """
    words = list(WORD.finditer(goal))
    spoken = [word[0].casefold() for word in words]
    found = tools.mention(tool, [stem(word) for word in spoken])
    if found is None:
        named = MEANS.isdisjoint(spoken)
        return like(goal, f"{bare(goal)} using the {tokens_key(other)}") if named else None
    first, last = found
    while first and found[0] - first < MODIFIERS and spoken[first - 1] not in MEANS | _ARTICLES:
        first -= 1
    if first and spoken[first - 1] in _ARTICLES:
        first -= 1
    if not first or spoken[first - 1] not in MEANS:
        return None
    start, end = words[first].start(), words[last - 1].end()
    if re.search(r"[^\w\s-]", goal[start:end]):
        return None
    return f"{goal[:start]}the {tokens_key(other)}{goal[end:]}"
