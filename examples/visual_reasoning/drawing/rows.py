"""What the example set is made of: pictures with the truth about them, records, and their turns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

from drawing.fonts import is_chinese

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that is drawn: a short noun, its looks, and its box x0, y0, x1, y1 in pixels."""

    label: str
    box: Box
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and the truth about it; ``image`` is as the file shows it, upright; ``form`` names an odd form."""

    path: str
    type: str
    image: Image.Image
    things: tuple[Thing, ...]
    texts: tuple[str, ...]
    caption: str
    description: str
    code: str
    form: str = ""

    def truth(self) -> dict[str, Any]:
        """What ``truth.json`` says of it."""
        objects = [
            {"label": each.label, "box": list(each.box), "attributes": list(each.attributes)} for each in self.things
        ]
        return {
            "type": self.type,
            "width": self.image.width,
            "height": self.image.height,
            "objects": objects,
            "texts": list(self.texts),
            "caption": self.caption,
            "description": self.description,
            "code": self.code,
        }


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer as the set has them, and the truth: the bare answer and a good reasoning.

    ``raw`` is the gpt turn in another form than the usual one. ``bad`` says why the turn is no good row; ``fate`` is
    "row", or "reject" if nothing can be made of it. ``answer`` is what the source concludes, ``right`` the right
    answer where that is another one. A ``silent`` turn has no gpt turn.
    """

    ask: str
    summary: str
    caption: str
    reasoning: str
    conclusion: str
    answer: str
    think: str
    raw: str | None = None
    bad: str = ""
    fate: str = "row"
    right: str = ""
    silent: bool = False

    @property
    def reply(self) -> str:
        """The gpt turn."""
        if self.raw is not None:
            return self.raw
        return tagged(self.summary, self.caption, self.reasoning, self.conclusion)

    def truth(self) -> dict[str, Any]:
        """What ``truth.json`` says of it."""
        return {
            "good": not self.bad and self.fate == "row",
            "why": self.bad,
            "fate": self.fate,
            "language": "zh" if is_chinese(self.ask) else "en",
            "answer": self.answer,
            "right": self.right or self.answer,
            "think": ended(self) if self.think else "",
        }


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its turns are about one picture, if there is one; ``more`` are other keys that it has.

    ``dirty`` names its case. ``instead`` is the line in the file, where it is not the usual one.
    """

    id: str
    image: str
    turns: tuple[Turn, ...]
    picture: Picture | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    dirty: str = ""
    instead: str | None = None

    def line(self) -> str:
        """The record as it stands in the file."""
        if self.instead is not None:
            return self.instead
        said = []
        for turn in self.turns:
            said.append({"from": "human", "value": turn.ask})
            if not turn.silent:
                said.append({"from": "gpt", "value": turn.reply})
        whole = {"id": self.id, "image": self.image, "conversations": said, **self.more}
        return json.dumps(whole, ensure_ascii=False)


ENDINGS = ("So the answer is {}.", "Therefore the answer is {}.", "The answer is {}.", "Hence the answer is {}.")
ENDINGS_ZH = ("因此答案是 {}。", "所以答案是 {}。", "答案是 {}。", "由此得到答案是 {}。")


def ended(turn: Turn) -> str:
    """The good reasoning with a last sentence that states the answer as it is given."""
    if f"answer is {turn.answer}." in turn.think or "答案是" in turn.think:
        return turn.think
    endings = ENDINGS_ZH if is_chinese(turn.ask) else ENDINGS
    ending = endings[len(turn.think) % len(endings)].format(turn.answer)
    return f"{turn.think}{'' if is_chinese(turn.ask) else ' '}{ending}"


def tagged(summary: str, caption: str, reasoning: str, conclusion: str) -> str:
    """A gpt turn in the set's four tags."""
    parts = {"SUMMARY": summary, "CAPTION": caption, "REASONING": reasoning, "CONCLUSION": conclusion}
    return "\n\n".join(f"<{tag}>{text}</{tag}>" for tag, text in parts.items())


def record(name: str, picture: Picture, *turns: Turn, **more: Any) -> Record:
    """A record about a picture."""
    return Record(name, picture.path, turns, picture, more)
