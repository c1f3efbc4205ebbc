"""Whether what a sample shows is there, is what its task may show, and shows nothing that is still to come."""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from dataflow_ext.well_formed import quoted
from operators.cot.evidence import (
    EVIDENCE_TYPES,
    MOST_SCENES,
    HeadTail,
    Index,
    KeyFrames,
    Prefix,
    Shown,
    Wanted,
    asked_step,
    in_step_alone,
    index_of,
    prefix_end,
)
from operators.cot.media import Media, StepMedia
from operators.cot.plan import Plan
from operators.cot.problems import Problem

#: Tells whether there is a file at an absolute path.
Exists = Callable[[str], bool]

_OF_VIDEO: dict[str, tuple[str, ...]] = {"clip": ("video_clip",), "prefix_video": ("video_prefix",)}
#: What is wrong with a path that begins elsewhere.
ELSEWHERE = "is absolute and not below the input root; was the data set moved?"
_DRIVE = re.compile("[A-Za-z]:")


class _Picture(NamedTuple):
    """A picture or video of a sample: its place in image, None for the video; its path, and what it shows."""

    place: int | None
    path: str
    shown: Shown

    def problem(self, code: str, what: str) -> Problem:
        where = "video" if self.place is None else f"image[{self.place}]"
        return Problem(code, f"{where} {quoted(self.path, 200)} {what}")


def evidence_problems(
    entry_type: str,
    image: Sequence[str],
    video: str | None,
    evidence_files: Sequence[str] | None,
    wanted: Wanted,
    plan: Plan,
    media: Media,
    root: Path | str,
    *,
    exists: Exists,
) -> Iterator[Problem]:
    """What is wrong with a sample's evidence, whoever chose it: nothing, for all that its task may show.

    Paths are relative to the root, or all absolute below it. ``exists`` is asked about absolute paths.
    ``evidence_files`` may be missing: None. Of steps that the plan does not have nothing can be told.
    """
    paths = [*image, *([] if video is None else [video])]
    if evidence_files is not None and evidence_files != paths and Counter(evidence_files) != Counter(paths):
        yield Problem("evidence.files", f"evidence_files are {len(evidence_files)} paths, not those of image and video")
    if not image:
        yield Problem("evidence.empty", "there is no picture in image")
    index = index_of(media)
    pictured = len(image)
    problems, pictures, film = _looked_up(paths, pictured, index, os.fspath(root), exists)
    yield from problems
    if any(plan.position(step_id) is None for step_id in _steps_of(wanted)):
        return
    wrong = _JUDGES[type(wanted)](wanted, pictures, index)
    if film is not None and (problem := _video_problem(wanted, film, index)):
        wrong.append(problem)
    yield from wrong
    complete = len(pictures) == pictured
    if complete and pictures and not wrong:
        yield from _lacking(wanted, pictures, index)
    if len(paths) == pictured or film is not None:
        yield from _type_problems(entry_type, pictures, film, complete=complete)


def _looked_up(
    paths: Sequence[str], pictured: int, index: Index, root: str, exists: Exists
) -> tuple[list[Problem], list[_Picture], _Picture | None]:
    """What is wrong with paths and files, and the pictures, the first so many, and the video that are there."""
    problems: list[Problem] = []
    found: list[_Picture] = []
    film = None
    bases, real = _bases(root)
    if len({path[:1] == "/" for path in paths}) > 1:
        problems.append(Problem("evidence.path", "some paths are absolute, others relative"))
    for i, given in enumerate(paths):
        path = given if given in index.shown else _relative(given, bases)
        picture = _Picture(i if i < pictured else None, path or given, index.of(path or ""))
        # What the item's folder was found to hold does not leave the root; of the rest nobody knows yet.
        if path is None:
            problems.append(picture.problem("evidence.path", ELSEWHERE if given[:1] == "/" else "is no plain path"))
        elif not picture.shown.listed and _leaves(bases[0] + path, real):
            problems.append(picture.problem("evidence.path", "lies behind a link that leaves the root"))
        elif not exists(bases[0] + path):
            empty = os.path.isfile(bases[0] + path)  # noqa: PTH113 - unlike Path's, it never raises
            problems.append(picture.problem("evidence.gone", "is empty" if empty else "does not exist"))
        elif i < pictured:
            found.append(picture)
        else:
            film = picture
    plain = [each.path for each in found]
    if len(set(plain)) < len(plain):
        again = [path for path, times in Counter(plain).items() if times > 1]
        problems += [Problem("evidence.duplicate", f"{quoted(path, 200)} is shown more than once") for path in again]
    return problems, found, film


def _steps_of(wanted: Wanted) -> list[int]:
    if isinstance(wanted, KeyFrames):
        return [step_id for step_id, _ in wanted.frames]
    return [wanted.step_id] if isinstance(wanted, Prefix) else [wanted.head, wanted.tail]


def _judged_key_frames(wanted: KeyFrames, pictures: Sequence[_Picture], index: Index) -> list[Problem]:
    return [
        each.problem("evidence.wrong", "is no key frame that is asked for")
        for each in pictures
        if each.shown.frames.isdisjoint(wanted.frames)
    ]


def _judged_prefix(wanted: Prefix, pictures: Sequence[_Picture], index: Index) -> list[Problem]:
    at, end = index.order[wanted.step_id], prefix_end(index.steps[wanted.step_id], index.media)
    found = []
    scenes = 0
    for each in pictures:
        kind, step, time = each.shown.kind, each.shown.step, each.shown.time
        scenes += kind == "scene"
        if step is not None and index.order[step] > at:
            found.append(each.problem("evidence.future", f"is of step {step}, which comes after step {wanted.step_id}"))
        elif kind == "scene":
            if time is None or end is None:
                found.append(each.problem("evidence.future", "may come after the prefix: there are no times to tell"))
            elif time >= end:
                told = f"shows {time} s, but step {wanted.step_id} is over, or a later one begins, at {end} s"
                found.append(each.problem("evidence.future", told))
        elif kind != "frame":
            found.append(each.problem("evidence.wrong", "is neither a key frame nor a scene picture of the item"))
    if scenes > MOST_SCENES:
        found.append(Problem("evidence.wrong", f"{scenes} scene pictures are shown, the most is {MOST_SCENES}"))
    return found


def _judged_head_tail(wanted: HeadTail, pictures: Sequence[_Picture], index: Index) -> list[Problem]:
    ends = (index.steps[wanted.head], index.steps[wanted.tail])
    found = []
    for each in pictures:
        kind, step, time = each.shown.kind, each.shown.step, each.shown.time
        if kind == "frame":
            if step not in (wanted.head, wanted.tail):
                found.append(each.problem("evidence.wrong", f"is of step {step}, which is not at either end"))
        elif kind != "scene":
            found.append(each.problem("evidence.wrong", "is neither a key frame nor a scene picture of the item"))
        elif time is None or not any(in_step_alone(time, side, index.media) for side in ends):
            found.append(each.problem("evidence.wrong", "is not known to show the step at either end, and no other"))
    return found


_JUDGES: dict[type, Callable[[Any, Sequence[_Picture], Index], list[Problem]]] = {
    KeyFrames: _judged_key_frames,
    Prefix: _judged_prefix,
    HeadTail: _judged_head_tail,
}


def _video_problem(wanted: Wanted, film: _Picture, index: Index) -> Problem | None:
    kind, step, asked = film.shown.kind, film.shown.step, asked_step(wanted)
    if step == asked and (kind == "clip" or (kind == "prefix_video" and isinstance(wanted, Prefix))):
        return None
    if kind not in ("clip", "prefix_video") or step is None or not isinstance(wanted, Prefix):
        return film.problem("evidence.wrong", "is no video that the task may show")
    if index.order[step] > index.order[asked]:
        return film.problem("evidence.future", f"goes on to step {step}, which comes after step {asked}")
    return film.problem("evidence.wrong", f"ends with step {step}, not with step {asked}")


def _lacking(wanted: Wanted, pictures: Sequence[_Picture], index: Index) -> Iterator[Problem]:
    """What has to be shown, is there, and is not shown."""
    if isinstance(wanted, HeadTail):
        for step_id in (wanted.head, wanted.tail):
            if not _is_seen(index.steps[step_id], pictures, index.media):
                yield Problem("evidence.wrong", f"nothing is shown of step {step_id}")
        return
    needed = wanted.frames if isinstance(wanted, KeyFrames) else ((wanted.step_id, "end"),)
    for step_id, which in needed:
        step = index.steps[step_id]
        path = step.start_frame if which == "start" else step.end_frame
        if path is not None and all(each.path != path for each in pictures):
            yield Problem("evidence.wrong", f"the key frame at the {which} of step {step_id} is not shown")
    if isinstance(wanted, KeyFrames):
        asked = [each.path for pair in wanted.frames for each in pictures if pair in each.shown.frames]
        if list(dict.fromkeys(asked)) != [each.path for each in pictures]:
            yield Problem("evidence.wrong", "the key frames are not shown in the order in which they are asked for")


def _is_seen(step: StepMedia, pictures: Sequence[_Picture], media: Media) -> bool:
    for _, _, shown in pictures:
        if shown.step == step.step_id or (shown.time is not None and in_step_alone(shown.time, step, media)):
            return True
    return False


def _type_problems(
    entry_type: str, pictures: Sequence[_Picture], video: _Picture | None, *, complete: bool
) -> Iterator[Problem]:
    """A type that does not fit; of files that are gone or unknown nobody can say whether it does."""
    kinds = {each.shown.kind for each in pictures}
    if video is not None:
        fits = _OF_VIDEO.get(video.shown.kind, EVIDENCE_TYPES)
    elif "scene" in kinds:
        fits = ("images_uniform_scene",)
    else:
        fits = ("keyframe_single",) if complete and kinds == {"frame"} else ("keyframe_single", "images_uniform_scene")
    if entry_type not in fits:
        yield Problem("evidence.type", f"{quoted(entry_type, 200)} does not fit what is shown: {' or '.join(fits)}")


@lru_cache(64)
def _bases(root: str) -> tuple[tuple[str, ...], str]:
    """How absolute paths below the root begin, and the root with all links followed."""
    whole, real = os.path.abspath(root), os.path.realpath(root)  # noqa: PTH100 - texts are compared
    return tuple(dict.fromkeys(f"{base.rstrip('/')}/" for base in (whole, real))), real


def _relative(path: str, bases: Sequence[str]) -> str | None:
    """A path relative to the root; None for one that is not plain, or not below it."""
    if path.startswith("/"):
        base = next((base for base in bases if path.startswith(base)), None)
        if base is None:
            return None
        path = path[len(base) :]
    inner = f"/{path}/"
    if "//" in inner or "/./" in inner or "/../" in inner or "\\" in path or "\0" in path or _DRIVE.match(path):
        return None
    return path


@lru_cache(16_384)
def _leaves(path: str, real: str) -> bool:
    try:
        return posixpath.commonpath([os.path.realpath(path), real]) != real
    except (OSError, ValueError):
        return True
