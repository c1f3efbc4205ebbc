"""The texts of a conversation by rules: each turn in one of five templates, every sentence proven in its room."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dataflow_ext import RowError
from dataflow_ext.claims import check
from operators.scene.claims.world import RoomWorld
from operators.scene.reasoning.claimed import taken_apart
from operators.scene.reasoning.conclusion import conclusion
from operators.scene.reasoning.form import form_problems
from operators.scene.reasoning.templates import TEMPLATES, Matter, Paragraphs, ending
from operators.scene.reasoning.turn import Turn
from operators.scene.reasoning.voice import Voice
from operators.scene.records import TurnClaims, TurnText

#: Words, marks among them, above which a reasoning loses sentences.
_LONG = 640


def written_texts(
    turns: Sequence[Turn], templates: Sequence[str], draw: random.Random
) -> list[tuple[TurnText, TurnClaims]]:
    """Reasoning and conclusion of each turn of a conversation, with their claims; the same draws give the same texts.

    No sentence comes twice. RowError if a turn has no text in form.
    """
    voice = Voice(draw)
    return [_written(turn, template, voice) for turn, template in zip(turns, templates, strict=True)]


def _written(turn: Turn, template: str, voice: Voice) -> tuple[TurnText, TurnClaims]:
    if turn.ends:
        world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
        paragraphs = ending(turn, template, voice)
    else:
        matter = Matter.of(turn, voice)
        world, paragraphs = matter.world, TEMPLATES[template](matter)
    think, said = check(_text(_bounded(paragraphs)), world), check(conclusion(turn, world, voice), world)
    wrong = [*think.false, *said.false, *form_problems(think.text, said.text)]
    if wrong:
        raise RowError(f"No true text could be written about turn {turn.number}: {wrong[0]}.")
    return taken_apart(think, said, template)


def _bounded(paragraphs: Paragraphs) -> Paragraphs:
    """The paragraphs, of which the longest lose their last sentences as long as the text has too many words."""
    kept = [list(each) for each in paragraphs if each]
    while len(_text(kept).split()) > _LONG:
        max(kept, key=lambda each: sum(map(len, each))).pop()
    return kept


def _text(paragraphs: Paragraphs) -> str:
    return "\n".join(" ".join(each) for each in paragraphs if each)
