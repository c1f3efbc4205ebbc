"""The example set of visual reasoning as tests look at it: its lines, its truth, its pictures by what they show."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "examples" / "visual_reasoning"
ROWS, IMAGES, TRUTH = FOLDER / "train.jsonl", FOLDER / "images", FOLDER / "truth.json"

Truth = dict[str, Any]
#: The shape of a picture, and what it looks like when it is made small.
Small = tuple[float, Any]

#: The sides of the small pictures by which pictures are told apart, and how far apart two of one picture may be.
_SIDE, _SAME = 24, 6.0


@cache
def truth() -> Truth:
    """All of ``truth.json``."""
    whole: Truth = json.loads(TRUTH.read_text(encoding="utf-8"))
    return whole


def pictures() -> dict[str, Truth]:
    """The truth about each picture, by its path."""
    found: dict[str, Truth] = truth()["pictures"]
    return found


@cache
def turns(fate: str | None = None, good: bool | None = None) -> dict[str, Truth]:
    """The truth about each turn, by "ID#turn" (of a repeated id "ID#turn@LINE"), of one fate or quality if told."""
    found = truth()["turns"].items()
    return {name: turn for name, turn in found if fate in (None, turn["fate"]) and good in (None, turn["good"])}


@cache
def lines() -> tuple[str, ...]:
    """The lines of the file; the first one is at 0, though the truth counts from 1 on."""
    return tuple(ROWS.read_text(encoding="utf-8").split("\n")[:-1])


@cache
def records() -> dict[int, dict[str, Any]]:
    """The records by their lines, counted from 1 on, without what is no record."""
    found = {}
    for number, line in enumerate(lines(), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            found[number] = record
    return found


@cache
def said(turn: str) -> tuple[str, str]:
    """Question and answer of a turn as they stand in the file; an answer that is not there is empty."""
    number = int(turn.partition("#")[2].partition("@")[0])
    talk = records()[turns()[turn]["line"]]["conversations"]
    asked = 0
    for place, entry in enumerate(talk):
        if entry["from"] == "human":
            asked += 1
            if asked == number:
                after = talk[place + 1] if place + 1 < len(talk) else {"from": "human"}
                return entry["value"], after["value"] if after["from"] == "gpt" else ""
    raise KeyError(turn)


def question(turn: str) -> str:
    """A turn's question as a reader gives it: without the picture's mark."""
    return said(turn)[0].replace("<image>", "").strip()


def dirty(case: str) -> list[int]:
    """The lines of a dirty case."""
    found: list[int] = truth()["dirty"][case]
    return found


def shown(data: bytes) -> str | None:
    """The path of the picture that bytes show, whatever size or format they are in; None for another picture."""
    return _shown(hashlib.sha256(data).hexdigest(), data)


_KNOWN: dict[str, str | None] = {}


def _shown(key: str, data: bytes) -> str | None:
    if key not in _KNOWN:
        small = _small(data)
        nearest = min((_far(small, each), path) for path, each in _smalls().items())
        _KNOWN[key] = nearest[1] if nearest[0] < _SAME else None
    return _KNOWN[key]


@cache
def _smalls() -> dict[str, Small]:
    return {path: _small((IMAGES / path).read_bytes()) for path in pictures()}


def _small(data: bytes) -> Small:
    """The small picture of a picture's bytes."""
    from PIL import Image, ImageOps

    with Image.open(BytesIO(data)) as image:
        upright = ImageOps.exif_transpose(image)
        if upright.mode.startswith("I"):
            upright = upright.convert("I").point(lambda value: value * (1 / 256)).convert("L")
        elif "transparency" in upright.info:
            upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright.convert("RGBA"))
        plain = upright.convert("RGB")
    # No dots of a fine drawing are lost on the way.
    return plain.width / plain.height, plain.resize((_SIDE, _SIDE), Image.Resampling.BOX)


def _far(one: Small, other: Small) -> float:
    """How far apart two small pictures are: the mean difference of a pixel, more for other shapes."""
    from PIL import ImageChops, ImageStat

    if abs(one[0] / other[0] - 1) > 0.05:
        return 255.0
    return float(sum(ImageStat.Stat(ImageChops.difference(one[1], other[1])).mean) / 3)
