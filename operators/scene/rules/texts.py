"""What a conversation says, against the rooms and calls that it says it of: its claims, its conclusions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from operators.scene.claims.world import RoomWorld
from operators.scene.conversation import Conversation
from operators.scene.instructions.check import instruction_problems
from operators.scene.problems import Problem
from operators.scene.reasoning.claimed import proven_again
from operators.scene.records import TurnClaims, TurnText
from operators.scene.simulator import Call

_BRACKETS = re.compile(r"\[[^\[\]]*\]")


def text_problems(conversation: Conversation) -> Iterator[Problem]:
    """What is untrue in reasonings, conclusions and the instruction, as far as it can be known.

    Claims are proven again. A text without claims is not read for what it tells: only its conclusion, which must not
    name an act that no call does.
    """
    chain = conversation.chain
    claims: Sequence[TurnClaims] = conversation.claims or [TurnClaims([], 0.0)] * len(conversation.texts)
    states = [*conversation.stated, conversation.stated[-1]]
    for number, (text, calls) in enumerate(zip(conversation.texts, chain.turns, strict=True)):
        if not re.search(r"\w", text.think) or not re.search(r"\w", text.conclusion):
            what = "conclusion" if re.search(r"\w", text.think) else "reasoning"
            yield Problem("text.empty", f"turn {number} has no {what}")
            continue
        if not re.search(r"\w", _BRACKETS.sub("", text.conclusion)):
            yield Problem("text.placeholder", f"turn {number}: the conclusion is {text.conclusion[:40]!r}")
        yield from _rivals(number, text.conclusion, calls)
        if claims[number].claims:
            world = RoomWorld.of(states[number], calls, chain.retrievals)
            yield from _claims(number, text, claims[number], world)
    start = states[0] if conversation.metadata["conversation_type"] == "single_turn" else None
    yield from instruction_problems(conversation.metadata["global_user_instruction"], states[-1], start)


def _claims(number: int, text: TurnText, stated: TurnClaims, world: RoomWorld) -> Iterator[Problem]:
    """Claims that are false, or that are not what the row states of them."""
    for part, checked in proven_again(text, stated.claims, world):
        for reason in checked.false:
            yield Problem("claim.false", f"turn {number}: {reason}")
        own = [each for each in stated.claims if each.part == part]
        found = [(each.expression, each.value, each.verdict, each.said, each.at) for each in checked.claims]
        told = [(each.expression, each.value, each.verdict, each.said, each.place) for each in own]
        for one, other in zip(told, found, strict=False):
            if one != other:
                yield Problem("claim.other", f"turn {number}: [{one[0]}] is stated as {one[1:]}, and is {other[1:]}")
        if len(told) != len(found):
            yield Problem("claim.other", f"turn {number}: {len(told)} claims are stated, {len(found)} are there")


def _rivals(number: int, conclusion: str, calls: Sequence[Call]) -> Iterator[Problem]:
    """Acts that a conclusion names and no call does."""
    tools = {call["name"] for call in calls}
    for tool, pattern in _acts().items():
        if tool not in tools and (found := pattern.search(conclusion)):
            yield Problem("text.conclusion", f"turn {number}: the conclusion tells '{found[0]}', which no call does")


@cache
def _acts() -> Mapping[str, re.Pattern[str]]:
    """What the one who speaks says to do, by the tool."""
    lines = (files("operators.scene.data") / "acts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return {
        tool: re.compile(rf"\bI (?:now |then |also |will )?(?:{words.replace(', ', '|')})\b") for tool, words in rows
    }
