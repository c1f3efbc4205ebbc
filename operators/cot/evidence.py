"""Which pictures and videos a sample may show, which of them it does, and what a path of an item shows."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from operators.cot.media import SCENES, STEP_CLIPS, VIDEOS, Media, Scene, StepMedia
from operators.cot.plan import once

#: Why a sample is skipped; without names in them, so that they can be counted.
NO_START = "no key frame at the start of the step"
NO_END = "no key frame at the end of the step"
NO_PREFIX = "no key frame at the end of the step, and no scene picture with a time before it"
NO_HEAD_TAIL = "no scene pictures or key frames of the steps at both ends"

#: The most scene pictures of a prefix, and how many of each end are shown without their middle.
MOST_SCENES = 3
_A_SIDE = 2


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


EvidenceType = Literal["keyframe_single", "images_uniform_scene", "video_prefix", "video_clip"]
EVIDENCE_TYPES: tuple[str, ...] = get_args(EvidenceType)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a sample shows: paths relative to the input root."""

    evidence_type: EvidenceType
    image: list[str]
    video: str | None = None


def choose(wanted: Wanted, media: Media) -> Evidence | str:
    """What a sample shows of what there is, or why it has to be skipped.

    >>> media = Media([StepMedia(1, end_frame="v/01_cut/frame_009_ts_1.80s.jpg")], [])
    >>> choose(KeyFrames(((1, "end"),)), media)
    Evidence(evidence_type='keyframe_single', image=['v/01_cut/frame_009_ts_1.80s.jpg'], video=None)
    >>> choose(KeyFrames(((1, "start"),)), media)
    'no key frame at the start of the step'
    """
    if isinstance(wanted, KeyFrames):
        return _key_frames(wanted, media)
    if isinstance(wanted, Prefix):
        return _prefix(media.of(wanted.step_id), media)
    return _head_tail(wanted, media)


def prefix_end(step: StepMedia, media: Media) -> float | None:
    """When a step is over, in seconds: at its end, or as soon as a later step begins; None if its end is not told.

    >>> media = Media([StepMedia(1, clip_start=0, clip_end=58), StepMedia(2, clip_start=20.4, clip_end=30)], [])
    >>> prefix_end(media.steps[0], media)
    20.4
    """
    if step.clip_end is None:
        return None
    starts = [each.clip_start for each in _after(step, media) if each.clip_start is not None]
    return min([step.clip_end, *starts])


def in_step(time: float, step: StepMedia) -> bool:
    """Whether a time lies in a step: never, if the step's times are not told."""
    return step.clip_start is not None and step.clip_end is not None and step.clip_start <= time < step.clip_end


def in_step_alone(time: float, step: StepMedia, media: Media) -> bool:
    """Whether a time lies in a step and in no other: clips may overlap, and then show more than their step."""
    return in_step(time, step) and not any(in_step(time, each) for each in media.steps if each.step_id != step.step_id)


def _key_frames(wanted: KeyFrames, media: Media) -> Evidence | str:
    image: dict[str, None] = {}
    for step_id, which in wanted.frames:
        step = media.of(step_id)
        path = step.start_frame if which == "start" else step.end_frame
        if path is None:
            return NO_START if which == "start" else NO_END
        image[path] = None
    return Evidence("keyframe_single", list(image))


def _prefix(step: StepMedia, media: Media) -> Evidence | str:
    end = prefix_end(step, media) or 0.0
    shown = _spread([scene for scene in media.scenes if scene.time < end], 0.0, end, MOST_SCENES)
    image = [*([step.end_frame] if step.end_frame else []), *shown]
    if not image:
        return NO_PREFIX
    if step.prefix_video:
        return Evidence("video_prefix", image, step.prefix_video)
    return Evidence("images_uniform_scene" if shown else "keyframe_single", image)


def _head_tail(wanted: HeadTail, media: Media) -> Evidence | str:
    head, tail = media.of(wanted.head), media.of(wanted.tail)
    first, last = _of_step(head, media), _of_step(tail, media)
    if first and last:
        return Evidence("images_uniform_scene", [*first, *last])
    if head.end_frame is None or tail.start_frame is None:
        return NO_HEAD_TAIL
    frames = (head.start_frame, head.end_frame, tail.start_frame, tail.end_frame)
    return Evidence("keyframe_single", list(dict.fromkeys(frame for frame in frames if frame)))


def _after(step: StepMedia, media: Media) -> list[StepMedia]:
    """The steps that come later in the plan; none of a step that is not known."""
    places = [i for i, each in enumerate(media.steps) if each.step_id == step.step_id]
    return media.steps[places[0] + 1 :] if places else []


def _of_step(step: StepMedia, media: Media) -> list[str]:
    """Glimpses of a step, none of them of another one."""
    inside = [scene for scene in media.scenes if in_step_alone(scene.time, step, media)]
    return _spread(inside, step.clip_start or 0.0, step.clip_end or 0.0, _A_SIDE)


def _spread(scenes: Sequence[Scene], start: float, end: float, most: int) -> list[str]:
    """Pictures near the middles of equal parts of a span, in the order of their times, each once."""
    left = list(scenes)
    chosen: list[Scene] = []
    for part in range(min(most, len(left))):
        middle = start + (end - start) * (2 * part + 1) / (2 * most)
        nearest = min(left, key=lambda scene: abs(scene.time - middle))
        left.remove(nearest)
        chosen.append(nearest)
    return [scene.path for scene in sorted(chosen, key=lambda scene: (scene.time, scene.path))]


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

    def of(self, path: str) -> Shown:
        """What a path relative to the root shows of the item."""
        return self.shown.get(path) or _beside(path, self)


@once
def index_of(media: Media) -> Index:
    """The index of an item, made once."""
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
