"""What there is to see of an annotated video, matched with its plan by the files beside it."""

from __future__ import annotations

import json
import logging
import math
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from operators.cot.plan import Kept, Plan, Step
from operators.cot.plan_files import MOST_BYTES


@dataclass(frozen=True, slots=True)
class StepMedia:
    """What there is of a step: paths relative to the input root (posix), times in seconds of the whole video.

    ``start_frame`` and ``end_frame`` are its two key frames, ``prefix_video`` shows the video from its beginning
    to the step's last key frame. None where there is no such file, or no time is told.
    """

    step_id: int
    start_frame: str | None = None
    end_frame: str | None = None
    clip_start: float | None = None
    clip_end: float | None = None
    prefix_video: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of the whole scene: its path relative to the input root, and its time in seconds of the video."""

    path: str
    time: float


@dataclass(frozen=True, slots=True)
class Media(Kept):
    """All pictures and videos of an item that are there; ``steps`` in the plan's order, ``scenes`` by time."""

    steps: list[StepMedia]
    scenes: list[Scene]

    def of(self, step_id: int) -> StepMedia:
        """What there is of a step: nothing, for one that is not known."""
        return next((each for each in self.steps if each.step_id == step_id), StepMedia(step_id))


logger = logging.getLogger(__name__)

#: What an item is made of, by its layout: endings of pictures and videos, and names of files and folders.
PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
VIDEOS = frozenset({".mp4", ".webm", ".mkv", ".mov", ".avi"})
STEP_META = "step_meta.json"
FRAME_MANIFEST = "stage1/frame_manifest.json"
SCENES = "stage1/sampled_frames"
PREFIX_VIDEOS = "cumulative_last_frame_segments"
STEP_CLIPS = "stage2/step_clips"

_NUMBERED = re.compile(r"([0-9]{1,18})_")
_KEY_FRAME = re.compile(r"frame_([0-9]{1,18})_ts_[0-9]+(?:\.[0-9]+)?s\.[a-z]+", re.IGNORECASE)
_PREFIX_VIDEO = re.compile(r"segment_start_to_step([0-9]{1,18})_last\.[a-z0-9]+", re.IGNORECASE)


def media_of(plan: Plan, source_path: str, files: Sequence[str], manifests: Sequence[Path]) -> Media:
    """What an item's files show: key frames, clips' times, scene pictures with times, videos of prefixes.

    ``files`` are relative to the root, as :func:`operators.cot.items.items` finds them. What cannot be told for
    sure is left out: a time that is no time, a picture that two times are told of, a frame or a folder that two
    files or folders claim to be. A manifest that cannot be read costs what it tells; the log says so once an item.
    """
    here = posixpath.dirname(source_path)
    notes = _Notes()
    folders = _folders(plan, here, files, [path for path in manifests if path.name == STEP_META], notes)
    places = _by_folder(files)
    videos = _by_number(places.get(posixpath.join(here, PREFIX_VIDEOS), []), _PREFIX_VIDEO)
    steps = []
    for step in plan.steps:
        folder = folders.get(step.step_id)
        start, end = folder.times if folder else (None, None)
        frames = _by_number(places.get(folder.path, []), _KEY_FRAME) if folder else {}
        shown = [notes.only(frames.get(each.frame_index, [])) for each in step.critical_frames]
        first, last = shown or (None, None)
        video = notes.only(videos.get(step.step_id, []))
        steps.append(StepMedia(step.step_id, first, last, start, end, video))
    scenes = _scenes(here, files, [path for path in manifests if path.name != STEP_META], notes)
    if notes.lines:
        logger.warning("%s: %s", source_path, "; ".join(notes.lines[:3]) + ("; …" if notes.lines[3:] else ""))
    return Media(steps, scenes)


@dataclass(slots=True)
class _Notes:
    """What could not be told for sure, for one line in the log."""

    lines: list[str] = field(default_factory=list)

    def only(self, paths: Sequence[str]) -> str | None:
        """The one of them; None if there is none, or more."""
        if len(paths) > 1:
            self.lines.append(f"not used, as there are two of it: {', '.join(map(repr, paths))}")
        return paths[0] if len(paths) == 1 else None

    def read(self, manifest: Path) -> dict[str, Any]:
        """A manifest's object; empty if it cannot be read."""
        try:
            if manifest.stat().st_size > MOST_BYTES:
                raise ValueError("too large")
            value = json.loads(manifest.read_bytes().decode("utf-8-sig"))
            if isinstance(value, dict):
                return value
            raise ValueError("not an object")
        except (OSError, ValueError, RecursionError) as error:
            name = posixpath.join(manifest.parent.name, manifest.name)
            self.lines.append(f"{name!r} cannot be used ({getattr(error, 'strerror', None) or error})")
            return {}


@dataclass(frozen=True, slots=True)
class _Folder:
    """A step's folder relative to the root, and when its clip starts and ends."""

    path: str
    goal: object = None
    times: tuple[float, float] | tuple[None, None] = (None, None)


def _folders(
    plan: Plan, here: str, files: Iterable[str], metas: Iterable[Path], notes: _Notes
) -> Mapping[int, _Folder]:
    """The folder of each step: by its step_meta.json, or without one by the number that its name begins with."""
    told: dict[int, list[_Folder]] = defaultdict(list)
    named: dict[int, list[_Folder]] = defaultdict(list)
    known = set()
    for meta in metas:
        value = notes.read(meta)
        if type(step_id := value.get("step_id")) is int:
            folder = posixpath.join(here, meta.parent.name)
            known.add(folder)
            told[step_id].append(_Folder(folder, value.get("step_goal"), _span(value)))
    for path in sorted({posixpath.dirname(file) for file in files} - known):
        number = _NUMBERED.match(posixpath.basename(path))
        if number and posixpath.dirname(path) == here:
            named[int(number[1])].append(_Folder(path))
    found = {}
    for step in plan.steps:
        choice = _best(step, told[step.step_id] if step.step_id in told else named.get(step.step_id, []))
        if len(choice) > 1:
            notes.only([folder.path for folder in choice])
        elif choice:
            found[step.step_id] = choice[0]
    return found


def _best(step: Step, folders: list[_Folder]) -> list[_Folder]:
    """Of several folders of a step, as other plans of the video may leave behind, those that tell its goal."""
    if len(folders) < 2:
        return folders
    return [f for f in folders if isinstance(f.goal, str) and f.goal.split() == step.step_goal.split()] or folders


def _span(meta: Mapping[str, Any]) -> tuple[float, float] | tuple[None, None]:
    start, end = _time(meta.get("clip_start_sec")), _time(meta.get("clip_end_sec"))
    return (start, end) if start is not None and end is not None and start < end else (None, None)


def _time(value: object) -> float | None:
    """Seconds from 0; None if it is no such time."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        seconds = float(value)
    except OverflowError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _by_folder(files: Iterable[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for file in files:
        found[posixpath.dirname(file)].append(file)
    return found


def _by_number(files: Iterable[str], name: re.Pattern[str]) -> Mapping[int, list[str]]:
    """Files by the number in their names."""
    found: dict[int, list[str]] = defaultdict(list)
    for file in files:
        if match := name.fullmatch(file, file.rfind("/") + 1):
            found[int(match[1])].append(file)
    return found


def _scenes(here: str, files: Iterable[str], manifests: Iterable[Path], notes: _Notes) -> list[Scene]:
    """The scene pictures that are there and whose time is told, by time."""
    times: dict[str, set[float | None]] = defaultdict(set)
    inside = posixpath.join(here, SCENES) + "/"
    there = {file for file in files if file.startswith(inside)}
    for manifest in manifests:
        frames = notes.read(manifest).get("frames")
        for frame in frames if isinstance(frames, list) else []:
            name = frame.get("image_relpath") if isinstance(frame, dict) else None
            if not isinstance(name, str):
                continue
            path = posixpath.normpath(posixpath.join(here, manifest.parent.name, name.replace("\\", "/")))
            if path in there:
                times[path].add(_time(frame.get("timestamp_sec")))
    scenes = [Scene(path, time) for path, told in times.items() if len(told) == 1 for time in told if time is not None]
    return sorted(scenes, key=lambda scene: (scene.time, scene.path))
