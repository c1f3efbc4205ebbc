"""What a model says of a chunk: chapters and pairs that name block ids, and the XML they travel in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape


@dataclass(slots=True)
class ReplyPair:
    """One question, worked example or answer. ``at`` is the block it starts at; ids are block ids in
    reading order as the model gave them; ``answer`` is short text, never ids. ``doubts`` are sentences that
    say why the pair may be wrong. ``notes`` tells what was odd when the pair was read; it is no part of the XML."""

    label: str
    question: list[int] = field(default_factory=list)
    answer: str = ""
    solution: list[int] = field(default_factory=list)
    at: int | None = None
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ReplyChapter:
    """Pairs under one heading; ``title`` holds the ids of the heading's blocks, none if it is not in sight."""

    title: list[int] = field(default_factory=list)
    pairs: list[ReplyPair] = field(default_factory=list)


def render(chapters: Sequence[ReplyChapter]) -> str:
    """The reply text for these chapters, ``<empty></empty>`` if there are none.

    >>> text = render([ReplyChapter([4], [ReplyPair("1", [5, 6], "x < 3", at=5)])])
    >>> print(text.splitlines()[1])
    <qa_pair><at>5</at><label>1</label><question>5,6</question><answer>x &lt; 3</answer><solution></solution></qa_pair>
    """
    if not any(c.pairs for c in chapters):
        return "<empty></empty>"
    return "\n".join(_chapter(c) for c in chapters if c.pairs)


def _chapter(chapter: ReplyChapter) -> str:
    pairs = "\n".join(_pair(p) for p in chapter.pairs)
    return f"<chapter><title>{_ids(chapter.title)}</title>\n{pairs}\n</chapter>"


def _pair(pair: ReplyPair) -> str:
    at = "" if pair.at is None else f"<at>{pair.at}</at>"
    label, answer, *doubts = (escape(text, quote=False) for text in (pair.label, pair.answer, *pair.doubts))
    told = "".join(f"<doubt>{doubt}</doubt>" for doubt in doubts)
    return (
        f"<qa_pair>{at}<label>{label}</label><question>{_ids(pair.question)}</question>"
        f"<answer>{answer}</answer><solution>{_ids(pair.solution)}</solution>{told}</qa_pair>"
    )


def _ids(ids: Sequence[int]) -> str:
    return ",".join(map(str, ids))
