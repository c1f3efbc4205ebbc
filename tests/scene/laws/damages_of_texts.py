"""Damages to texts: placeholders, emptiness, and one plain untruth of each kind."""

from typing import Any

from operators.scene.model.scene import NEED_RETRIEVAL
from tests.scene.laws.chain_edits import end, in_start, put_as
from tests.scene.laws.edits import Change, Line, asked, calls, chain, said

KINDS = (
    "TODO", "TBD", "[insert reasoning here]", "{instruction}", "{{object_name}}", "<your reasoning here>",
    "[PLACEHOLDER]", "Lorem ipsum dolor sit amet.", "<object>", "XXX", "[To be generated]", "To be filled in.",
    "<NEED_RETRIVEAL>", "<NEED_RETRIEVAL>", "[object description]", "{reason}", "FIXME", "$instruction",
    "[...]", "待补充",
)  # fmt: skip


def start_with(**values: Any) -> Change:
    """A chain whose rooms have more keys."""
    return chain(lambda parts: parts["start"].update(values))


PLACEHOLDERS = {
    **{f"{kind} for a reasoning": said(0, think=kind) for kind in KINDS},
    **{f"{kind} within a reasoning": said(0, think=f"This comes next. {kind} It serves.") for kind in KINDS[:14]},
    "a placeholder in the last conclusion": said(-1, conclusion="TODO"),
    "a placeholder for an instruction": asked("{instruction}"),
    "a placeholder in an instruction": asked("I want a room with [furniture]."),
    "something to do in an instruction": asked("TODO: write the instruction"),
    "a placeholder for a description": in_start(desc="<description>"),
    "something to do in a description": in_start(desc="TODO"),
    "a placeholder of an id in a description": in_start(desc=NEED_RETRIEVAL),
    "a placeholder for an id": in_start(jid=NEED_RETRIEVAL),
    "a placeholder for an id, spelled right": in_start(jid="<NEED_RETRIEVAL>"),
    "a placeholder for what was put": put_as(jid=NEED_RETRIEVAL),
    "a placeholder for a reason": calls(lambda _: [{**end(), "arguments": {"reason": "{reason}"}}], -1),
    "a placeholder for a type of room": start_with(room_type="<room_type>"),
    "a description of an add with a placeholder": put_as(desc="[object description]"),
}

#: Either is true of a conclusion that names nothing.
NO_CONCLUSIONS = {"a placeholder for a conclusion": said(0, conclusion="[conclusion]")}

#: Either is true of a reasoning that is just the word for nothing.
NOTHING = {f"{kind} for a reasoning": said(0, think=kind) for kind in ("null", "None", "undefined", "N/A", "%s", "-")}

EMPTY = {
    "no reasoning": said(0, think=""),
    "a reasoning of spaces": said(0, think="   "),
    "a reasoning of line ends": said(-1, think="\n\n"),
    "a reasoning of signs that nobody sees": said(0, think="\u200b\u00a0\ufeff"),
    "a reasoning of points": said(0, think="..."),
    "no conclusion": said(0, conclusion=""),
    "a conclusion of spaces": said(0, conclusion=" \t "),
    "no last conclusion": said(-1, conclusion=""),
}


def _claims(change: Any) -> Change:
    """The first turn's claims in a line, changed."""

    def changed(line: Line) -> None:
        change(line["metadata"]["claims"][0]["claims"])

    return changed


#: One plain case of each; others test the claims at length.
TEXTS = {
    "claim.false": {
        "a claim of a thing that is not there": _claims(lambda claims: claims[0].update(expression="large(grand piano)")),
        "a claim that is disproved": _claims(lambda claims: claims[-1].update(expression="count() = 77")),
    },
    "claim.other": {
        "another value": _claims(lambda claims: claims[0].update(value="77 m")),
        "another verdict": _claims(lambda claims: claims[0].update(verdict="unproven")),
    },
    "text.conclusion": {"a conclusion of another act": said(0, conclusion="I remove what stands here.")},
    "instruction.object": {"a piano that is asked for": asked("I want a room with a grand piano and a bathtub.")},
}  # fmt: skip

#: By their codes; where two codes are named, either is true.
OF_TEXTS: dict[str, dict[str, Change]] = {
    "text.placeholder": PLACEHOLDERS,
    "text.placeholder|text.conclusion": NO_CONCLUSIONS,
    "text.placeholder|text.empty": NOTHING,
    "text.empty": EMPTY,
    **TEXTS,
}
