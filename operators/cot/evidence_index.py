"""What a path of an item shows, looked up by the path."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from operators.cot.evidence import HeadTail, KeyFrames, Wanted
from operators.cot.items import SCENES, STEP_CLIPS, VIDEOS
from operators.cot.media import Media, StepMedia
from operators.cot.plan import Plan, Same

_CLIP = re.compile(r"step([0-9]{1,18})_[^/]*")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a path shows: of which step, at what time, and for key frames which of the step's two it is.

    ``listed`` are those that an item's folder was found to hold. ``other`` is everything else, of a step all the
    same if it lies in the step's folder.
    """

    kind: Literal["frame", "scene", "prefix_video", "clip", "other"]
    step: int | None = None
    time: float | None = None
    frames: frozenset[tuple[int, str]] = frozenset()
    listed: bool = True


_UNKNOWN = Shown("other", listed=False)


@dataclass(frozen=True, slots=True)
class Index:
    """What an item's files show, by path; its steps by their ids, and where they stand; its folder, and theirs."""

    media: Media
    shown: dict[str, Shown]
    steps: dict[int, StepMedia]
    order: dict[int, int]
    folders: dict[str, int]
    here: str | None
    #: What was shown and nothing was wrong with, by the plan that it was judged with.
    sound: dict[tuple[object, ...], Plan] = field(default_factory=dict)

    def of(self, path: str) -> Shown:
        """What a path relative to the root shows of the item."""
        return self.shown.get(path) or _beside(path, self)


def index_of(media: Media) -> Index:
    """The index of an item, made once."""
    return _index_of(Same(media))


def asked_step(wanted: Wanted) -> int:
    """The step that a sample asks about."""
    if isinstance(wanted, KeyFrames):
        return wanted.frames[0][0]
    return wanted.head if isinstance(wanted, HeadTail) else wanted.step_id


def _beside(path: str, index: Index) -> Shown:
    """What a file shows that is not of the item's evidence: a scene without its time, a step's clip, or nothing."""
    folder, name = posixpath.split(path)
    if folder in index.folders:
        return Shown("other", index.folders[folder], listed=False)
    if index.here is None:
        return _UNKNOWN
    if folder == posixpath.join(index.here, SCENES):
        return Shown("scene", listed=False)
    if folder == posixpath.join(index.here, STEP_CLIPS) and posixpath.splitext(name)[1].lower() in VIDEOS:
        number = _CLIP.fullmatch(name)
        if number and int(number[1]) in index.steps:
            return Shown("clip", int(number[1]), listed=False)
    return _UNKNOWN


@lru_cache(maxsize=1024)
def _index_of(of: Same) -> Index:
    media: Media = of.it
    shown = {scene.path: Shown("scene", time=scene.time) for scene in media.scenes}
    folders: dict[str, int] = {}
    homes = [posixpath.dirname(posixpath.dirname(posixpath.dirname(scene.path))) for scene in media.scenes[:1]]
    for step in media.steps:
        frames: dict[str, set[tuple[int, str]]] = {}
        for which, path in (("start", step.start_frame), ("end", step.end_frame)):
            if path is not None:
                frames.setdefault(path, set()).add((step.step_id, which))
                folders[posixpath.dirname(path)] = step.step_id
                homes.append(posixpath.dirname(posixpath.dirname(path)))
        shown |= {path: Shown("frame", step.step_id, frames=frozenset(which)) for path, which in frames.items()}
        if step.prefix_video is not None:
            shown[step.prefix_video] = Shown("prefix_video", step.step_id)
            homes.append(posixpath.dirname(posixpath.dirname(step.prefix_video)))
    steps = {step.step_id: step for step in media.steps}
    order = {step_id: i for i, step_id in enumerate(steps)}
    return Index(media, shown, steps, order, folders, homes[0] if homes else None)
