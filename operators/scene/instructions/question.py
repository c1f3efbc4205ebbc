"""What a model is told about a room, so that it can ask for it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dataflow_ext import Prompt
from operators.scene.instructions.changes import VERBS, Change
from operators.scene.instructions.contents import Piece, contents_of, written_noun
from operators.scene.instructions.layout import layout_wishes
from operators.scene.instructions.styles import WANTED
from operators.scene.scene import Scene

#: Letters of a description that are told, and how many of the layout's notes.
_DESCRIPTION, _NOTES = 140, 8
#: Of so many main pieces, so many are what the user cares about.
_MAIN, _FOCUS = 6, 2


def question_of(prompt: Prompt, final: Scene, style: str, changes: Sequence[Change], rng: random.Random) -> str:
    """The question for one instruction: rules first, then the style, and the room's furniture or its changes.

    What the user cares most about is drawn, so that chains of one room are not all asked for in the same words.
    """
    contents = contents_of(final)
    words = [*contents.styles[:3], *contents.colours[:3], *contents.materials[:3]]
    layout = layout_wishes(final, contents)[:_NOTES] if style == "detailed/layout" else []
    main = [] if changes else [written_noun(piece.kind.noun) for piece in contents.main[:_MAIN]]
    focus = rng.sample(main, min(_FOCUS, len(main)))
    return prompt.fill(
        wanted=WANTED[style],
        room=contents.room,
        changes="\n".join(f"- {_told(change)}" for change in changes),
        pieces="\n".join(f"- {_listed(piece)}" for piece in contents.pieces) or "- nothing that has a name",
        focus=" and ".join(focus),
        words=", ".join(words) if not changes else "",
        layout="; ".join(layout),
    )


def _listed(piece: Piece) -> str:
    """A piece with its number, its looks and one description."""
    desc = " ".join(str(piece.objects[0]["desc"]).split())
    more = "…" if len(desc) > _DESCRIPTION else ""
    looks = f" ({', '.join(piece.look())})" if piece.look() else ""
    noun = written_noun(piece.kind.noun if piece.count == 1 else piece.kind.plural)
    first = "" if piece.count == 1 else "the first: "
    return f"{piece.count} {noun}{looks}; {first}{desc[:_DESCRIPTION]}{more}"


def _told(change: Change) -> str:
    """A change in plain words."""
    return VERBS[change.tool][0].format(**change.words)
