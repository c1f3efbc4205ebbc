"""A turn's texts and their claims: taken apart from texts with marks, put together again, and proven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dataflow_ext.claims import Checked, check
from dataflow_ext.claims.marks import Mark, marked
from operators.scene.claims.world import RoomWorld
from operators.scene.model.records import Claimed, TurnClaims, TurnText

#: The parts of a turn's text.
PARTS = ("think", "conclusion")


def taken_apart(think: Checked, conclusion: Checked, template: str) -> tuple[TurnText, TurnClaims]:
    """The texts without marks, and their claims with the places where they stood."""
    found = [
        Claimed(part, each.expression, each.value, each.verdict, each.said, each.at)
        for part, checked in zip(PARTS, (think, conclusion), strict=True)
        for each in checked.claims
    ]
    return TurnText(think.text, conclusion.text, template), TurnClaims(found, round(think.proven_share, 3))


def proven_again(text: TurnText, claims: Sequence[Claimed], world: RoomWorld) -> Iterator[tuple[str, Checked]]:
    """Each part of a text, checked with its claims as marks where they are said to stand."""
    for part in PARTS:
        plain = str(getattr(text, part))
        marks = [Mark(each.expression, each.place) for each in claims if each.part == part]
        yield part, check(marked(plain, marks), world)


def accepted(checked: Checked) -> str:
    """The text with its marks, without the sentences that are false or need a claim."""
    kept = list(checked.text)
    out = [each for each in checked.sentences if each.verdict in ("false", "unclaimed")]
    marks = [Mark(each.expression, each.at) for s in checked.sentences if s not in out for each in s.claims]
    for sentence in reversed(out):
        start, end = sentence.start, sentence.start + len(sentence.text)
        while end < len(kept) and kept[end] == " ":
            end += 1
        del kept[start:end]
        marks = [Mark(m.source, m.at - (end - start) if m.at > start else m.at) for m in marks]
    return marked("".join(kept), marks)
