"""Which pictures and videos a sample may show, and which of them it does show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class KeyFrames:
    """Wants key frames, all of them: pairs of a step's id and which of its two frames."""

    frames: tuple[tuple[int, Literal["start", "end"]], ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    """Wants what is to be seen up to the end of a step, and nothing that comes later."""

    step_id: int


@dataclass(frozen=True, slots=True)
class HeadTail:
    """Wants glimpses of two steps, and nothing of what lies between them."""

    head: int
    tail: int


Wanted = KeyFrames | Prefix | HeadTail


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a sample shows: paths relative to the input root."""

    evidence_type: Literal["keyframe_single", "images_uniform_scene", "video_prefix", "video_clip"]
    image: list[str]
    video: str | None = None
