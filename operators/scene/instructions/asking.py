"""What a model is told about a room so that it can ask for it, and what its reply holds."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from dataflow_ext import Prompt, RowError
from operators.scene.furniture.kinds import OBJECT
from operators.scene.instructions.changes import Change
from operators.scene.instructions.check import instruction_problems, mentions
from operators.scene.instructions.contents import Piece, contents_of
from operators.scene.instructions.room_text import layout_wishes
from operators.scene.instructions.styles import WANTED, WORDS
from operators.scene.instructions.words import wordings
from operators.scene.model.problems import Problem
from operators.scene.model.scene import Scene
from operators.scene.reasoning.words import capitals

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
    main = [] if changes else [capitals(piece.kind.noun) for piece in contents.main[:_MAIN]]
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
    noun = capitals(piece.kind.noun if piece.count == 1 else piece.kind.plural)
    first = "" if piece.count == 1 else "the first: "
    return f"{piece.count} {noun}{looks}; {first}{desc[:_DESCRIPTION]}{more}"


def _told(change: Change) -> str:
    """A change in plain words."""
    return wordings()[f"verbs.{change.tool}"][0].format(**change.words)


#: Problems that the model is told at once.
_TOLD = 5
#: Words of the question, and of an assistant, that no user says.
_FOREIGN = re.compile(
    r"\b(?:final (?:room|scene)|json|scene data|catalogue|inventory|the user|as an ai|instruction|style [a-c]\b|"
    r"listed (?:pieces|furniture)|according to the (?:list|notes)|here is|here's|word limit|dataset)\b",
    re.IGNORECASE,
)
#: Measures: lengths, angles, decimals. A user who furnishes a room by words gives none.
_MEASURE = re.compile(
    r"\d+[.,]\d+|\d+\s?(?:cm|mm|m|meters?|metres?|feet|ft|inch(?:es)?|degrees?|°|%)(?![a-z])", re.IGNORECASE
)
_LABEL = re.compile(r"^\s*(?:instruction|request|user|prompt|answer)\s*:\s*", re.IGNORECASE)
_FENCE = re.compile(r"^```\w*\n(.*)\n```$", re.DOTALL)
_QUOTES = ('""', "“”", "''", "「」", "«»")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
#: Chinese letters that say about as much as a word.
_LETTERS_A_WORD = 1.6

#: What tells of each tool in a user's words; "add" and "want" can mean anything.
_VERBS: Mapping[str, re.Pattern[str]] = {
    "remove_object": re.compile(
        r"\bremov\w+|\b(?:take|clear|throw|carry|haul)\b[^.;]*?\b(?:out|away)\b|\bget rid\b|\bdiscard\w*|\bditch\w*"
        r"|\bdon't (?:need|want)\b|\bno longer (?:need|want)\b|移除|去掉|拿走|搬走|撤掉|不要"
    ),
    "move_object": re.compile(
        r"\bmov(?:e|ed|ing)\b|\bshift\w*|\bpush\w*|\bpull\w*|\bslid\w+|\breposition\w*|\brelocat\w+|\bnudg\w+"
        r"|\b(?:closer|nearer|further|farther)\b|移动|挪|移到|靠近"
    ),
    "rotate_object": re.compile(
        r"\brotat\w+|\bturn(?:ed|ing)?\b(?! (?:this|it|the room|my room|that) into)|\bspin\w*"
        r"|\bswivel (?!chair)|\bfac(?:e|es|ing)\b|旋转|转"
    ),
    "scale_object": re.compile(
        r"\b(?:bigger|larger|smaller|taller|wider|shorter|narrower|enlarge\w*|shrink\w*|resiz\w+|scal(?:e|ed|ing)"
        r"|sizes?)\b|放大|缩小|大一点|小一点"
    ),
    "replace_object": re.compile(r"\breplac\w+|\bswap\w*|\bexchang\w+|\bsubstitut\w+|\binstead of\b|换|替换"),
}  # fmt: skip


def read_instruction(text: str) -> str:
    """The instruction in a reply: without quotes, label or fence around it, in one paragraph.

    >>> read_instruction('Instruction: "I want a bed."')
    'I want a bed.'
    """
    said = text.strip()
    if fenced := _FENCE.match(said):
        said = fenced[1].strip()
    said = _LABEL.sub("", said)
    while len(said) > 1 and said[0] + said[-1] in _QUOTES:
        said = said[1:-1].strip()
    return " ".join(said.split())


def checked(text: str, style: str, final: Scene, start: Scene | None, changes: Sequence[Change]) -> str:
    """The instruction of a reply; RowError with all that is wrong with it.

    ``start`` and ``changes`` are of a chain that begins in a furnished room.
    """
    said = read_instruction(text)
    found = [*_form_problems(said, style), *instruction_problems(said, final, start), *_change_problems(said, changes)]
    if found:
        more = f"\nand {len(found) - _TOLD} more" if len(found) > _TOLD else ""
        raise RowError("\n".join(map(str, found[:_TOLD])) + more)
    return said


def _form_problems(said: str, style: str) -> Iterator[Problem]:
    """Length, and what does not belong into a user's words."""
    least, most = WORDS[style.partition("/")[0]]
    letters = len(_CHINESE.findall(said))
    count = len(said.split()) + round(letters / _LETTERS_A_WORD)
    if not least <= count <= most:
        yield Problem("text.empty", f"the instruction has about {count} words, it is to have {least} to {most}")
    if foreign := _FOREIGN.search(said):
        yield Problem("text.placeholder", f"{foreign[0]!r} is no word of a user who wants a room")
    if measure := _MEASURE.search(said):
        yield Problem("instruction.object", f"{measure[0]!r} is a measure; the only numbers are those of the pieces")


def _change_problems(said: str, changes: Sequence[Change]) -> Iterator[Problem]:
    """What the instruction leaves out of the changes, and what it asks for beyond them."""
    if not changes:
        return
    named = [mention.kind for mention in mentions(said)]
    lowered = said.casefold().replace("\u2019", "'")
    tools = [change.tool for change in changes]
    for change in changes:
        for kind in (change.kind, change.new_kind):
            if kind is None or kind is OBJECT or not kind.firm:
                continue
            if not any(kind.is_a(each.noun) or each.is_a(kind.noun) for each in named):
                yield Problem("instruction.object", f"the {kind.noun} of a change ({change.tool}) is not named")
    for tool, verbs in _VERBS.items():
        verb = verbs.search(lowered)
        if verb is None and tool in tools:
            yield Problem("instruction.object", f"nothing asks for {tool}, which is one of the changes")
        if verb is not None and tool not in tools and not (tool == "remove_object" and "replace_object" in tools):
            yield Problem("instruction.object", f"{verb[0]!r} asks for a change that is not listed")
