"""hallucinated_object: a step is made to need an everyday object that the plan does not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dataflow_ext.text import lists, rows, stem, tokens
from operators.cot.plan import Plan, Step
from operators.cot.support.facts import conditions_of, effects_of, things_of
from operators.cot.support.names import is_hand, is_stuff, is_wide, sameness
from operators.cot.texts import WORD, PlanWords, bare, like, one_line, tokens_key

#: What a step can do with an object: put things into it, put them onto it, do something with it.
Role = Literal["into", "onto", "tool"]


@dataclass(frozen=True, slots=True)
class Object:
    """An everyday object: its name, what a step can do with it, and the stems of its name's words."""

    name: str
    role: Role
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Domain:
    """A place, the stems of the words that tell of it or of places like it, and the objects that are found there."""

    cues: frozenset[str]
    objects: tuple[Object, ...]


#: All roles, in the order of the columns of ``objects.tsv``.
ROLES: tuple[Role, ...] = ("into", "onto", "tool")


@lru_cache(maxsize=1)
def domains() -> tuple[Domain, ...]:
    """All places with their objects."""
    return tuple(
        Domain(
            frozenset(map(stem, cues.split())),
            tuple(_object(name, role) for role, line in zip(ROLES, named, strict=True) for name in line.split(", ")),
        )
        for cues, *named in rows(__package__, "objects.tsv")
    )


@lru_cache(maxsize=1)
def objects_by_name() -> dict[str, Object]:
    """All objects by their names."""
    return {each.name: each for domain in domains() for each in domain.objects}


def _object(name: str, role: Role) -> Object:
    return Object(name, role, frozenset(map(stem, name.split())))


#: Words before a thing that tell what the step does with it.
_ROLES: Mapping[str, Role] = {
    **dict.fromkeys(("into", "in", "inside", "from", "within"), "into"),
    **dict.fromkeys(("onto", "on", "upon", "against", "over"), "onto"),
    **dict.fromkeys(("with", "using"), "tool"),
}
#: After "to" it depends on what is done whether a thing is a place or what something is fastened to.
_LISTS = lists(__package__, "words.tsv")
_FASTENED = _LISTS["fastened"]
_ARTICLES = _LISTS["articles"]

# Words after which a goal tells by what means a step is done; and those before which a step's own means stand.
MEANS = frozenset(("with", "using", "by", "via"))
_CLAUSE = re.compile(r",?\s(?:until|before|after|while|so|because|when|to(?=\s\w+\s(?:the|a|an|it)\b))\s")

#: How a step says that it needs an object, where it names none beside the one that it works on.
APPENDED = ("using the {}", "with the help of the {}")

# No more words than these stand between an article and the word for a thing.
MODIFIERS = 3

# Endings of words that hardly ever name a thing.
_NO_NOUN = ("ing", "ed", "ly")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an object can be named in a goal: what stands before it and behind it, and which role it has there."""

    before: str
    behind: str
    role: Role

    def filled(self, name: str) -> str:
        """The goal of the step that needs the object of this name."""
        return f"{self.before}the {name}{self.behind}"


def unknown_objects(plan: PlanWords) -> dict[Role, list[Object]]:
    """By role the objects of which the plan has no word, from places none of whose words the plan has either."""
    far = [domain for domain in domains() if domain.cues.isdisjoint(plan.stems)]
    known = [each for domain in far for each in domain.objects if each.stems.isdisjoint(plan.stems)]
    return {role: [each for each in known if each.role == role] for role in ROLES}


def slots_of(step: Step, plan: Plan) -> list[Slot]:
    """Where the step's goal can name an object that it cannot do without.

    In place of things that it names, other than the one that it works on: what it is put into, onto or taken from,
    or what it is done with. Where it names none, behind the goal, as what the step is done with.

    >>> from operators.cot.plan import CausalChain, Spatial
    >>> chain = CausalChain(patient="tube", causal_effect_on_spatial=[Spatial("inside", ["tube", "tire"])])
    >>> step = Step(1, "Insert the tube into the tire.", causal_chain=chain)
    >>> [slot.filled("suitcase") for slot in slots_of(step, Plan("", [step]))]
    ['Insert the tube into the suitcase.']
    >>> step = Step(1, "Stir the soup until it boils.")
    >>> [slot.filled("sword") for slot in slots_of(step, Plan("", [step]))]
    ['Stir the soup using the sword until it boils.', 'Stir the soup with the help of the sword until it boils.']
    """
    goal = one_line(step.step_goal)
    return list(_replaced(goal, step, plan)) or list(_appended(goal))


def object_in(
    text: str, slots: Sequence[Slot], known: Mapping[Role, Sequence[Object]], spelled: Callable[[str], str] = one_line
) -> str | None:
    """The name of the known object that ``text`` needs if it is a goal made to need one; None otherwise.

    ``spelled`` tells what spelling makes no difference.
    """
    said = spelled(text)
    for slot in slots:
        before, behind = spelled(f"{slot.before}the"), spelled(slot.behind)
        if said.startswith(before) and said.endswith(behind):
            object_ = objects_by_name().get(said[len(before) : len(said) - len(behind)].strip())
            if object_ is not None and object_ in known[slot.role] and spelled(slot.filled(object_.name)) == said:
                return object_.name
    return None


def unknown_words(text: str, plan: PlanWords) -> list[str]:
    """The words of a text that the plan has nowhere and that may name a thing: no numbers, no little words."""
    words = (word for word in tokens(text) if len(word) > 2 and word.isalpha() and not word.endswith(_NO_NOUN))
    return [word for word in words if stem(word) not in plan.stems | _little_words()]


def _replaced(goal: str, step: Step, plan: Plan) -> Iterator[Slot]:
    words = list(WORD.finditer(goal))
    spoken = [word[0].casefold() for word in words]
    stems = [stem(word) for word in spoken]
    seen: set[int] = set()
    for name in _things(step, plan):
        last = _end_of(name, stems)
        if last is None or last in seen:
            continue
        first = _start_of(spoken, last)
        if first is None or re.search(r"[^\w\s-]", goal[words[first].start() : words[last].end()]):
            continue
        role = _role(spoken, first)
        if role is not None:
            seen.add(last)
            yield Slot(goal[: words[first].start()], goal[words[last].end() :], role)


def _things(step: Step, plan: Plan) -> list[str]:
    """What the step deals with beside its patient: no hands, no stuff, no rooms."""
    facts = (name for fact in (*conditions_of(step), *effects_of(step)) for name in fact.objects)
    used = (name for frame in step.critical_frames for name in (*frame.interaction.tools, *frame.interaction.materials))
    patient, things = step.causal_chain.patient, things_of(plan)
    return [
        name
        for name in dict.fromkeys([*facts, *used])
        if name.strip() and not is_hand(name) and not is_stuff(name) and not is_wide(name)
        if not sameness(name, patient, things)
    ]


def _end_of(name: str, stems: Sequence[str]) -> int | None:
    """Where the last word of a thing's name stands in a goal: the name as a whole, or the word for what it is.

    No other name may go on behind it: "valve" is not what "the valve core" is, nor "flask" what "the flask of dye" is.
    """
    whole = [stem(word) for word in tokens_key(name).split()]
    for part in (whole, whole[-1:]):
        for at in range(len(stems) - len(part), 0, -1):
            last = at + len(part) - 1
            if list(stems[at : last + 1]) == part and _ends(stems, last):
                return last
    return None


def _ends(stems: Sequence[str], last: int) -> bool:
    following = stems[last + 1] if last + 1 < len(stems) else "and"
    return following in _little_words() and following != "of"


def _start_of(spoken: Sequence[str], last: int) -> int | None:
    """Where the words for a thing begin: behind a word that tells what is done with it, its article first."""
    for first in range(last, max(last - MODIFIERS - 2, 0), -1):
        before = spoken[first - 1]
        if before in _ROLES or before == "to":
            return first
        if spoken[first] in _ARTICLES:
            return None
    return None


def _role(spoken: Sequence[str], first: int) -> Role | None:
    before = spoken[first - 1]
    if before == "to":
        return "tool" if not _FASTENED.isdisjoint(spoken) else "onto"
    return _ROLES.get(before)


def _appended(goal: str) -> Iterator[Slot]:
    if not MEANS.isdisjoint(tokens(goal)):
        return
    text = bare(goal)
    clause = _CLAUSE.search(text)
    start, end = (text, "") if clause is None else (text[: clause.start()], text[clause.start() :])
    for form in APPENDED:
        before = form.removesuffix("the {}")
        yield Slot(f"{start} {before}", like(goal, end), "tool")


@lru_cache(maxsize=1)
def _little_words() -> frozenset[str]:
    return frozenset(map(stem, _LISTS["little words"]))
