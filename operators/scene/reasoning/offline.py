"""The texts of a turn by rules: written in one of five styles from what is measured, and checked."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dataflow_ext import RowError
from operators.scene.reasoning.changes import changes_of
from operators.scene.reasoning.deeds import conclusion, plainest, wish
from operators.scene.reasoning.ending import ending, finish
from operators.scene.reasoning.form import LENGTH
from operators.scene.reasoning.room import State
from operators.scene.reasoning.styles import STYLES, Matter
from operators.scene.reasoning.truth import problems_of
from operators.scene.reasoning.turn import Turn
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import joined
from operators.scene.records import TurnText

#: Words below which a text is given another sentence or two, and above which it loses some.
_SHORT, _LONG = 80, 320

#: A reasoning that tells nothing, beside which a conclusion is checked.
_NOTHING = " ".join(["So it goes on."] * 8)

#: A text as paragraphs of sentences.
Paragraphs = list[list[str]]


def written_text(turn: Turn, template: str, draw: random.Random) -> TurnText:
    """Reasoning and conclusion of a turn in a style, by rules; the same draws give the same text.

    What is written is checked like a model's reply; a sentence that does not pass is left out. RowError if nothing
    that passes is left.
    """
    voice = Voice(draw)
    before = State(turn.before, turn.names)
    if turn.ends:
        paragraphs, said = ending(turn, before, template, voice), [finish(before, voice)]
    else:
        after = State(turn.after, turn.names)
        changes = changes_of(turn, before, after)
        matter = Matter(turn, before, after, changes, voice)
        paragraphs = STYLES[template](matter)
        if len(text_of(paragraphs).split()) < _SHORT:
            paragraphs[-1] += matter.more(text_of(paragraphs))
        if turn.alone:
            paragraphs[0] = [wish(changes, voice), *paragraphs[0]]
        said = [conclusion(changes, voice, empty=not before.things), plainest(changes)]
    return TurnText(*_true(turn, bounded(paragraphs), said), template)


def bounded(paragraphs: Paragraphs) -> Paragraphs:
    """The paragraphs, of which the longest lose their last sentences as long as the text has too many words."""
    kept = [list(filter(None, each)) for each in paragraphs]
    while len(text_of(kept).split()) > _LONG:
        max(kept, key=lambda each: sum(map(len, each))).pop()
    return kept


def text_of(paragraphs: Sequence[Sequence[str]]) -> str:
    """Paragraphs as a text, those that are empty left out."""
    return "\n".join(joined(each) for each in paragraphs if any(each))


def _true(turn: Turn, paragraphs: Paragraphs, conclusions: Sequence[str]) -> tuple[str, str]:
    """Reasoning and conclusion, without the sentences that do not pass; RowError if too little is left.

    Of the conclusions the first that passes is taken.
    """
    text = text_of(paragraphs)
    if not problems_of(turn, text, conclusions[0]):
        return text, conclusions[0]
    for said in conclusions:
        left = problems_of(turn, _NOTHING, said)
        if not left:
            text = text_of(_passing(turn, paragraphs, said))
            left = problems_of(turn, text, said)
            break
    if left:
        raise RowError(f"No true text could be written about turn {turn.number}: {left[0]}")
    return text, said


def _passing(turn: Turn, paragraphs: Paragraphs, said: str) -> Paragraphs:
    """The sentences that pass where they stand, as what "it" is rests on the ones before."""
    kept: Paragraphs = []
    for sentences in paragraphs:
        kept.append([])
        for each in sentences:
            kept[-1].append(each)
            if any(not problem.startswith(LENGTH) for problem in problems_of(turn, text_of(kept), said)):
                kept[-1].pop()
    return kept
