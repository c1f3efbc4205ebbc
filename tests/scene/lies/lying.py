"""Texts with exactly one lie."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tests.scene.lies.deeds import VERBS, conclusion_parts, joined
from tests.scene.lies.falsehoods import SHAPES, Blanks, idle
from tests.scene.lies.phrasings import PHRASINGS, Phrasing
from tests.scene.lies.texts import Draft, Text, drafted
from tests.scene.lies.truths import Said, _place, _wall
from tests.scene.lies.turns import Case
from tests.scene.lies.world import World, cap


def lying(
    case: Case, kind: str, rng: random.Random, phrasings: Mapping[str, Sequence[Phrasing]] = PHRASINGS
) -> Text | None:
    """A text about a turn with one lie of a kind, in a phrasing that is drawn; None if no phrasing fits the turn."""
    for number in rng.sample(range(len(phrasings[kind])), len(phrasings[kind])):
        if text := told(case, kind, number, rng, phrasings):
            return text
    return None


def told(
    case: Case, kind: str, number: int, rng: random.Random, phrasings: Mapping[str, Sequence[Phrasing]] = PHRASINGS
) -> Text | None:
    """A text about a turn with the lie of a kind and number; None if the turn gives nothing for it."""
    phrasing = phrasings[kind][number]
    # Cheaper than a whole draft, and most turns give nothing for some lies.
    if phrasing.where != "end" and SHAPES[phrasing.shape](World(case, random.Random(number))) is None:
        return None
    draft = drafted(case, rng)
    true = draft.conclusion
    lie = _ends[phrasing.shape](draft) if phrasing.where == "end" else _placed(draft, phrasing)
    if not lie:
        return None
    text = draft.text()
    if lie not in text.think + "\n" + text.conclusion:
        return None
    text.told = true
    text.kind, text.phrasing, text.lie = kind, f"{kind}{number + 1} {phrasing.shape}: {phrasing.text}", lie
    return text


def _placed(draft: Draft, phrasing: Phrasing) -> str | None:
    """Put the lie into the text, in place of a true sentence where there is one."""
    blanks = SHAPES[phrasing.shape](draft.world)
    if blanks is None:
        return None
    lie = phrasing.text.format(**blanks, **{key.upper(): cap(blanks[key]) for key in ("a", "ax") if key in blanks})
    rng = draft.world.rng
    if phrasing.where == "seen":
        return _seen(draft, lie, blanks)
    if phrasing.where == "outcome":
        draft.outcome[:] = [lie]
    elif "call" in blanks:
        index = [call["id"] for call in draft.world.calls].index(blanks["call"])
        draft.deeds[index] = lie
    else:
        draft.deeds.insert(rng.randrange(len(draft.deeds) + 1), lie)
    return lie


def _seen(draft: Draft, lie: str, blanks: Blanks) -> str:
    """Among what is seen; at times behind a true sentence about the same thing, as "it"."""
    rng, seen = draft.world.rng, draft.seen
    begin = cap(blanks.get("a", ""))
    alone = begin and lie.startswith(begin + " ") and not lie.startswith(begin + " and ")
    before = _introduced(draft.world, blanks) if alone and rng.random() < 0.2 else None
    if before:
        lie = "It" + lie[len(begin) :]
        draft.seen = [*seen[: max(0, len(seen) - 2)]]
        # As one sentence, so that nothing comes between.
        draft.seen.insert(rng.randrange(len(draft.seen) + 1), Said(f"{before.text} {lie}", "lie"))
        return lie
    if seen and rng.random() < 0.6:
        seen[rng.randrange(len(seen))] = Said(lie, "lie")
    else:
        seen.insert(rng.randrange(len(seen) + 1), Said(lie, "lie"))
    # A shorter style tells the first things alone.
    seen.sort(key=lambda each: each.topic != "lie" if draft.style == "E" else False)
    return lie


def _introduced(world: World, blanks: Blanks) -> Said | None:
    """A true sentence that begins with the thing of a lie."""
    for thing in world.still:
        if world.the(thing) == blanks["a"]:
            for make in (_place, _wall):
                said = make(world, thing)
                if said and said.text.startswith(cap(blanks["a"]) + " "):
                    return said
    return None


def _swapped_verb(draft: Draft) -> str | None:
    """One call is told as another action."""
    world = draft.world
    if not world.calls:
        return None
    parts = conclusion_parts(world)
    index = world.rng.randrange(len(parts))
    tool, what = parts[index]
    others = [each for each in VERBS if each not in [t for t, _ in parts] and each != "replace_object"]
    if tool == "replace_object" or not others:
        return None
    parts[index] = (world.rng.choice(others), what.split(" to look ")[0])
    return _concluded(draft, parts)


def _other_object(draft: Draft) -> str | None:
    """One call is told of another thing of the room."""
    world = draft.world
    tools = [i for i, call in enumerate(world.calls) if call["name"] not in ("add_object", "replace_object")]
    blanks = idle(world)
    if not tools or blanks is None:
        return None
    tool = world.calls[world.rng.choice(tools)]["name"]
    return _concluded(draft, [(t, blanks["a"] if t == tool else what) for t, what in conclusion_parts(world)])


def _one_more(draft: Draft) -> str | None:
    """One action more than there are calls."""
    world = draft.world
    blanks = idle(world)
    others = [each for each in VERBS if each not in ("add_object", "replace_object")]
    if not world.calls or blanks is None:
        return None
    have = [(t, what) for t, what in conclusion_parts(world)]
    tool = world.rng.choice([each for each in others if each not in [t for t, _ in have]] or others)
    have.insert(world.rng.randrange(len(have) + 1), (tool, blanks["a"]))
    return _concluded(draft, have)


def _concluded(draft: Draft, parts: list[tuple[str, str]]) -> str:
    draft.conclusion = joined(draft.world, parts)
    return draft.conclusion


_ends = {"swapped verb": _swapped_verb, "other object": _other_object, "one more": _one_more}
