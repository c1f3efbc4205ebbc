"""Files with rooms: which there are, and the room in each."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext import InputError, OptionError
from dataflow_ext.well_formed import is_well_formed
from operators.scene.model.floor import floor_of
from operators.scene.model.json_values import RoomProblems, SceneError, shown, strict_json
from operators.scene.model.scene import (
    LAYOUT,
    FormError,
    default_layout,
    object_lists,
    objects_of,
    to_groups,
    to_ssr,
    with_objects,
)
from operators.scene.reading.objects import corners_of, junk_of, object_of, told_apart, unusable, with_instance_ids

logger = logging.getLogger(__name__)

#: A file of one room, and a file with a room on each line.
SUFFIXES = (".json", ".jsonl")
#: What a line of a file of many rooms is called.
_LINE_ID = re.compile(r"(.+)#\d+", re.DOTALL)


def rooms(inputs: Sequence[Path]) -> pa.Table:
    """A row a file of rooms, sorted: ``scene_id`` and ``scene_file``.

    ``scene_id`` is the path below the folder that was given, without its suffix, or the name of a file that was
    given by itself. Folders are searched at any depth; hidden ones, those of earlier runs and links that leave the
    folder are passed by. A file that is found twice counts once. Raises OptionError if two files would have one id,
    InputError if there is nothing to be found.

    >>> rooms([Path("no_such_folder")])
    Traceback (most recent call last):
    ...
    dataflow_ext.errors.InputError: no_such_folder: there is no such file or folder.
    """
    found = _Found()
    for path in inputs:
        found.look(Path(path))
    found.warn()
    by_id = _by_id(found.files)
    if not by_id:
        where = ", ".join(map(str, inputs)) or "no file and no folder was given"
        raise InputError(f"{where}: there is no room in it; a room is a file .json, or a line of a file .jsonl.")
    ids = sorted(by_id)
    try:
        files = pa.array([str(by_id[scene_id]) for scene_id in ids], pa.string())
        return pa.table({"scene_id": pa.array(ids, pa.string()), "scene_file": files})
    except UnicodeEncodeError:
        bad = next(str(path) for path in by_id.values() if not is_well_formed(str(path)))
        raise InputError(f"{bad!r}: a name in it is not UTF-8; rename it.") from None


@dataclass(slots=True)
class _Found:
    """The files of rooms by what they really are, each with the ids that it could have; and what was passed by."""

    files: dict[str, list[tuple[str, Path]]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def look(self, path: Path) -> None:
        """Take what lies at a path that the user gave."""
        if path.is_dir():
            for file, scene_id in self._below(path):
                self._take(file, scene_id)
        elif not path.exists():
            raise InputError(f"{path}: there is no such file or folder.")
        elif path.suffix.lower() not in SUFFIXES:
            raise InputError(f"{path}: a room is a file .json, or a line of a file .jsonl.")
        else:
            self._take(path, path.stem)

    def warn(self) -> None:
        """Tell of what was passed by, in one sentence a kind."""
        for paths, what in (
            (self.outside, "are links to folders, or lead out of the folder, and are not followed"),
            (self.unread, "cannot be read or have names that are not UTF-8"),
        ):
            if paths:
                logger.warning("%d file(s) or folder(s) %s; the first: %s", len(paths), what, min(paths))

    def _take(self, file: Path, scene_id: str) -> None:
        if not is_well_formed(scene_id):
            self.unread.append(repr(str(file)))
            return
        self.files.setdefault(os.path.realpath(file), []).append((scene_id, file))

    def _below(self, root: Path) -> Iterator[tuple[Path, str]]:
        """The files of rooms below a folder, with their ids."""
        real = Path(os.path.realpath(root))
        for folder, folders, names in os.walk(root, onerror=lambda error: self.unread.append(repr(error.filename))):
            folders[:] = sorted(name for name in folders if self._is_entered(Path(folder, name)))
            for name in sorted(names):
                path = Path(folder, name)
                if name.startswith(".") or path.suffix.lower() not in SUFFIXES:
                    continue
                if not os.path.isfile(path):  # noqa: PTH113 - unlike Path's, it never raises
                    self.unread.append(repr(str(path)))
                elif not Path(os.path.realpath(path)).is_relative_to(real):
                    self.outside.append(repr(str(path)))
                else:
                    yield path, path.relative_to(root).with_suffix("").as_posix()

    def _is_entered(self, folder: Path) -> bool:
        """Whether a folder may hold rooms: not if it is hidden, holds what an earlier run made, or is a link."""
        if folder.name.startswith(".") or (folder / ".run").is_dir():
            return False
        if folder.is_symlink():
            self.outside.append(repr(str(folder)))
            return False
        return True


def _by_id(files: dict[str, list[tuple[str, Path]]]) -> dict[str, Path]:
    """Each file under one id: of those that it could have, the first by the alphabet, whatever was given first."""
    by_id: dict[str, Path] = {}
    for scene_id, path in sorted(min(names) for names in files.values()):
        if scene_id in by_id:
            raise _clash(scene_id, by_id[scene_id], path)
        by_id[scene_id] = path
    for scene_id, path in by_id.items():
        line = _LINE_ID.fullmatch(scene_id)
        many = by_id.get(line[1]) if line else None
        if many is not None and many.suffix.lower() == ".jsonl":
            raise _clash(scene_id, many, path)
    return by_id


def _clash(scene_id: str, one: Path, other: Path) -> OptionError:
    return OptionError(
        f"Two rooms would both be called {scene_id!r}: {one} and {other}; rename one, or give the folder above both."
    )


#: A room with more objects is none.
MOST_OBJECTS = 1_000

_BOUNDS = ("bounds_top", "bounds_bottom")


@dataclass(frozen=True, slots=True)
class ReadRoom:
    """A room as it was read, its junk objects by name and reason, and what was put right in it."""

    scene: dict[str, Any]
    junk: list[str]
    told: list[str]


def read_room(data: bytes, *, keep_junk: bool = False, far: float = 1.0) -> ReadRoom:
    """The room that JSON text holds, in the form that it has; :class:`SceneError` if it holds none.

    Numbers get the digits of their kind, ids become unique (:mod:`~operators.scene.reading.objects`), keys are put
    in the format's order and others kept behind them. Put right and told: rotations that are no unit quaternions (of
    length 0: no rotation), missing descriptions and ids, bounds the wrong way up, repeated names of groups. Empty
    groups go.
    An SSR room with ``groups_layout`` becomes the Groups room that it tells of.

    Junk objects are out of the room, farther than ``far`` metres, or too large for it; they stay if ``keep_junk``
    says so. An object without usable size or position never stays, as nothing can be done with it.
    """
    problems = RoomProblems()
    whole = strict_json(data, problems)
    if not isinstance(whole, dict):
        raise SceneError(f"$: a room is a JSON object, this is {shown(whole)}.")
    try:
        draft = _drafted(_by_form(whole), problems)
        problems.close()
        # What is read can be written in either form.
        to_groups(to_ssr(draft))
    except FormError as error:
        raise SceneError(f"$: {error}") from None
    scene, junk = _sorted_out(draft, keep_junk, far)
    if not objects_of(scene):
        why = f"all its objects are junk: {'; '.join(junk[:3])}" if junk else "it has no objects"
        raise SceneError(f"The room is empty: {why}.")
    return ReadRoom(_named(scene, problems), junk, problems.told)


def _by_form(whole: dict[str, Any]) -> dict[str, Any]:
    """The room in the form that counts: as Groups if it tells of any, in whatever form."""
    if LAYOUT not in whole or not isinstance(objects := whole.get("objects"), list):
        return whole
    if whole[LAYOUT] == default_layout(len(objects)):
        return {key: value for key, value in whole.items() if key != LAYOUT}
    return to_groups(whole)


def _sorted_out(draft: dict[str, Any], keep_junk: bool, far: float) -> tuple[dict[str, Any], list[str]]:
    """The room without what cannot stay in it, and all its junk by path and reason, in the order of the room."""
    floor = floor_of(draft)
    junk, gone = [], set()
    for each, path in zip(objects_of(draft), _paths(draft), strict=True):
        useless = unusable(each)
        if why := useless or junk_of(each, floor, far):
            junk.append(f"{path} {why}")
            if useless or not keep_junk:
                gone.add(id(each))
    return with_objects(draft, lambda objects: [each for each in objects if id(each) not in gone]), junk


def _drafted(whole: Mapping[str, Any], problems: RoomProblems) -> dict[str, Any]:
    """The room with all its parts checked, those in wrong shape left out; keys in the format's order."""
    in_groups = "groups" in whole
    if in_groups == ("objects" in whole):
        what = "both objects and groups" if in_groups else "neither objects nor groups"
        raise SceneError(f"$: it has {what}; a room is an object that has the one or the other.")
    envelope, path = whole, "$"
    if in_groups:
        envelope, path = whole.get("room_envelope", {}), "$.room_envelope"
    bounds = {}
    if isinstance(envelope, dict):
        bounds = {key: corners_of(envelope, key, path, problems) for key in _BOUNDS}
    else:
        problems.wrong(path, f"an object with the bounds is wanted, this is {shown(envelope)}")
    if bounds and all(bounds.values()):
        bounds = _upright(bounds, path, problems)
    names = {key: _text(whole, key, "$", problems) for key in ("room_type", "room_id")}
    draft: dict[str, Any]
    if in_groups:
        rest = {key: value for key, value in envelope.items() if key not in _BOUNDS} if bounds else {}
        draft = {"room_envelope": {**bounds, **rest}, **names, "groups": _groups(whole, problems)}
    else:
        draft = {**bounds, **names, "objects": _objects(whole, "$", problems)}
    if (number := len(objects_of(draft))) > MOST_OBJECTS:
        problems.wrong("$", f"{number:,} objects are no room; the most is {MOST_OBJECTS:,}")
    return {**draft, **{key: value for key, value in whole.items() if key not in draft}}


def _upright(bounds: dict[str, list[list[float]]], path: str, problems: RoomProblems) -> dict[str, list[list[float]]]:
    """The bounds with the ceiling above the floor."""
    heights = {key: [y for _, y, _ in corners] for key, corners in bounds.items()}
    if max(heights["bounds_top"]) < min(heights["bounds_bottom"]):
        problems.told.append(f"{path}: bounds_top lies below bounds_bottom; they are exchanged")
        bounds = {key: bounds[other] for key, other in zip(_BOUNDS, reversed(_BOUNDS), strict=True)}
    elif max(heights["bounds_top"]) <= min(heights["bounds_bottom"]):
        problems.wrong(f"{path}.bounds_top", "it is as low as bounds_bottom; a room has a height")
    if floor_of(bounds).area < 0.01:
        problems.wrong(f"{path}.bounds_bottom", "its corners enclose no floor; give them in the order of the walls")
    return bounds


def _text(holder: Mapping[str, Any], key: str, path: str, problems: RoomProblems) -> str:
    value = holder.get(key)
    if value is None:
        problems.wrong(f"{path}.{key}", "it is missing; give it a text")
    elif not isinstance(value, str):
        problems.wrong(f"{path}.{key}", f"a text is wanted, this is {shown(value)}")
    elif not value.strip():
        problems.wrong(f"{path}.{key}", "it is empty; give it a text")
    else:
        return value
    return ""


def _objects(holder: Mapping[str, Any], path: str, problems: RoomProblems) -> list[dict[str, Any]]:
    value = holder.get("objects")
    if not isinstance(value, list):
        problems.wrong(f"{path}.objects", f"a list of objects is wanted, this is {shown(value)}")
        return []
    return [object_of(each, f"{path}.objects[{i}]", problems) for i, each in enumerate(value[: MOST_OBJECTS + 1])]


def _groups(whole: Mapping[str, Any], problems: RoomProblems) -> list[dict[str, Any]]:
    value, groups = whole["groups"], []
    if not isinstance(value, list) or len(value) > MOST_OBJECTS:
        problems.wrong("$.groups", f"a list of groups is wanted, {MOST_OBJECTS:,} at most; this is {shown(value)}")
        return []
    for i, group in enumerate(value):
        path = f"$.groups[{i}]"
        if not isinstance(group, dict):
            problems.wrong(path, f"an object is wanted, this is {shown(group)}")
            continue
        kind = group.get("group_type")
        if not isinstance(kind, str | None):
            problems.wrong(f"{path}.group_type", f"a text is wanted, this is {shown(kind)}")
        known = {"group_name": _text(group, "group_name", path, problems), "group_type": kind or "",
                 "objects": _objects(group, path, problems)}  # fmt: skip
        groups.append({**known, **{key: each for key, each in group.items() if key not in known}})
    return groups


def _paths(scene: Mapping[str, Any]) -> list[str]:
    """The JSON path of each object of a room."""
    holders = [f"$.groups[{i}]" for i in range(len(scene["groups"]))] if "groups" in scene else ["$"]
    lists = zip(holders, object_lists(scene), strict=True)
    return [f"{holder}.objects[{i}]" for holder, objects in lists for i in range(len(objects))]


def _named(scene: dict[str, Any], problems: RoomProblems) -> dict[str, Any]:
    """The room with an id of its own for each object, a name of its own for each group, and no empty group."""
    unique = iter(with_instance_ids([dict(each) for each in objects_of(scene)]))
    if "groups" not in scene:
        return {**scene, "objects": list(unique)}
    groups = [group for group in scene["groups"] if group["objects"]]
    names = told_apart([group["group_name"] for group in groups])
    if renamed := [name for name, group in zip(names, groups, strict=True) if name != group["group_name"]]:
        problems.told.append(f"$.groups: names are repeated; their groups are now called {', '.join(renamed)}")
    return {
        **scene,
        "groups": [
            {**group, "group_name": name, "objects": [next(unique) for _ in group["objects"]]}
            for name, group in zip(names, groups, strict=True)
        ],
    }
