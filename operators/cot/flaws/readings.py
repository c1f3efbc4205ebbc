"""What is wrong with a step that gold does not have, as its text tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from operators.cot.flaws.conditions import Act, How
from operators.cot.flaws.ground import Ground
from operators.cot.flaws.idle import idle_in
from operators.cot.flaws.objects import object_in, unknown_words
from operators.cot.flaws.tools import Need, Tools, stems, with_tool
from operators.cot.flaws.vocabulary import bare, like, stems_of, tokens_key
from operators.cot.plan import Step
from operators.cot.support.facts import Fact
from operators.cot.tasks.fields import normalised, one_line

# How much of a gold step's words another wording of it shares with it.
_ALIKE = 0.5

#: The condition that a step breaks which serves nothing.
SERVES = "The step contributes to a later step or to the goal"


@dataclass(frozen=True, slots=True)
class Altered:
    """An altered step: the condition that it breaks, how that is known, and the reason in one sentence."""

    flaw_type: Literal["tool_mismatch", "hallucinated_object", "goal_mismatch"]
    how: How
    condition: str
    match: str
    reason: str


def read_alteration(ground: Ground, text: str, gold: Act, replaced: bool, stated: str | None) -> Altered | None:
    """What is wrong with the step, None if nothing tells.

    ``replaced``: it stands in the place of the gold step rather than before it. Wordings other than those made
    here are believed as far as they go: another tool of the plan, a thing of which the plan has no word.
    """
    if (idle := idle_in(text, ground.words)) is not None:
        match = "pointless" if one_line(text) == like(gold.text, idle.text) else "pointless_reworded"
        return Altered("goal_mismatch", "purpose", SERVES, match, idle.reason)
    if not replaced or gold.step is None:
        return None
    if (read := _unknown_object(ground, text, gold)) is not None:
        return read
    step = ground.plan.steps[gold.step]
    if (read := _other_tool(ground, text, gold.text, step)) is not None:
        return read
    if stated == "hallucinated_object" and _retells(text, gold.text):
        strange = unknown_words(text, ground.words)
        return _hallucinated(" ".join(strange), "unknown_words") if strange else None
    return None


def _unknown_object(ground: Ground, text: str, gold: Act) -> Altered | None:
    """The gold step made to need an object that the plan does not know, as made here."""
    slots = ground.slots(gold.step) if gold.step is not None else []
    if (name := object_in(text, slots, ground.unknown)) is not None:
        return _hallucinated(name, "unknown")
    name = object_in(text, slots, ground.unknown, normalised)
    return None if name is None else _hallucinated(name, "unknown_reworded")


def _hallucinated(name: str, match: str) -> Altered:
    condition = f"The plan knows the {name}"
    reason = f"It needs the {name}, an object that this scene does not have, for nothing else in the plan names one."
    return Altered("hallucinated_object", "object", condition, match, reason)


def _other_tool(ground: Ground, text: str, goal: str, step: Step) -> Altered | None:
    """The gold step with another tool, as made here, or in other words that still name the tool."""
    tools = ground.tools
    said = normalised(text)
    for swap in tools.swaps(step):
        retold = with_tool(goal, swap.need.tool, swap.other, tools)
        if retold is not None and normalised(retold) == said:
            exact = retold == one_line(text)
            return _mismatch(swap.other, swap.lacked, "no_affordance" if exact else "no_affordance_reworded")
    return _reworded(tools, tools.needs(step), text, goal)


def _reworded(tools: Tools, needs: Sequence[Need], text: str, goal: str) -> Altered | None:
    spoken, before = stems(text), stems(goal)
    for name in tools.names:
        if tools.mention(name, spoken) is None or tools.mention(name, before) is not None or not _retells(text, goal):
            continue
        for need in needs:
            gone = tools.mention(need.tool, before) is None or tools.mention(need.tool, spoken) is None
            lacked = tools.lacking(name, need)
            if gone and lacked is not None:
                return _mismatch(name, lacked, "no_affordance_reworded")
    return None


def _mismatch(name: str, lacked: Fact, match: str) -> Altered:
    tool = tokens_key(name)
    reason = f'It uses the {tool}, but it requires "{lacked.text}", and the plan gives the {tool} no such affordance.'
    return Altered("tool_mismatch", "tool", lacked.text, match, reason)


def _retells(text: str, goal: str) -> bool:
    """Whether a text shares enough words with a goal to be a wording of it."""
    ours, theirs = stems_of([text]), stems_of([bare(goal)])
    return len(ours & theirs) >= _ALIKE * len(theirs) > 0
