"""Small items as annotators leave them: a plan, a folder a step, key frames, scenes, videos, and their manifests."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from operators.cot.sample import PLAN_FILE

#: A grey picture of 8 by 8, whole and readable.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP" + "/" * 86 + "wAALCAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
    "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1"
    "dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oA"
    "CAEBAAA/ACv/2Q=="
)  # fmt: skip
MP4 = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"

#: Seconds that a step's clip takes, and between two scene pictures.
LENGTH, EVERY = 10.0, 2.5


def a_step(step_id: int, goal: str, **more: Any) -> dict[str, Any]:
    """A step as JSON has it, with two key frames."""
    frames = [{"frame_index": 3}, {"frame_index": 9}]
    return {"step_id": step_id, "step_goal": goal, "critical_frames": frames, **more}


def a_plan(*steps: Mapping[str, Any], goal: str = "Have tea.") -> dict[str, Any]:
    return {"high_level_goal": goal, "steps": list(steps)}


def tea() -> dict[str, Any]:
    """Three steps whose ids are neither in a row nor in order."""
    return a_plan(a_step(10, "Boil water."), a_step(20, "Pour the water."), a_step(5, "Drink the tea."))


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def write_bytes(path: Path, data: bytes = JPEG) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def folder_of(step: Mapping[str, Any]) -> str:
    """The folder of a step: ``10_boil_water``."""
    return f"{step['step_id']:02d}_{step['step_goal'].lower().rstrip('.').replace(' ', '_')}"


def frame_of(step: Mapping[str, Any], at: int, which: int) -> str:
    """The path of a step's first (0) or second (1) key frame, for the ``at``-th step, relative to the item."""
    index = step["critical_frames"][which]["frame_index"]
    return f"{folder_of(step)}/frame_{index:03d}_ts_{at * LENGTH + (0.5, 9.5)[which]:.2f}s.jpg"


def write_item(
    root: Path,
    name: str,
    plan: Mapping[str, Any],
    *,
    parts: Iterable[str] = ("metas", "frames", "scenes", "videos", "clips"),
) -> str:
    """Write an item below a root, with these parts of what belongs to one; its plan's path relative to the root.

    The ``n``-th step's clip, from 0, takes the seconds from ``10 n`` to ``10 n + 10``; a scene picture comes every
    2.5 seconds, the first at 0.
    """
    item, parts = root / name, frozenset(parts)
    write_json(item / PLAN_FILE, plan)
    steps = plan["steps"]
    for at, step in enumerate(steps):
        times = {"clip_start_sec": at * LENGTH, "clip_end_sec": (at + 1) * LENGTH}
        if "metas" in parts:
            meta = {"step_id": step["step_id"], "step_goal": step["step_goal"], **times}
            write_json(item / folder_of(step) / "step_meta.json", meta)
        for which in (0, 1) if "frames" in parts and step.get("critical_frames") else ():
            write_bytes(item / frame_of(step, at, which))
        if "videos" in parts:
            video = f"segment_start_to_step{step['step_id']:02d}_last.mp4"
            write_bytes(item / "cumulative_last_frame_segments" / video, MP4)
        if "clips" in parts:
            clip = f"step{step['step_id']:02d}_{folder_of(step).partition('_')[2]}.mp4"
            write_bytes(item / "stage2" / "step_clips" / clip, MP4)
    if "scenes" in parts:
        _write_scenes(item, len(steps))
    return (Path(name) / PLAN_FILE).as_posix()


def _write_scenes(item: Path, steps: int) -> None:
    frames = []
    for n in range(int(steps * LENGTH / EVERY)):
        name = f"sampled_frames/sample_{n + 1:03d}_ts_{n * EVERY:.2f}s.jpg"
        write_bytes(item / "stage1" / name)
        frames.append({"frame_index_1based": n + 1, "timestamp_sec": n * EVERY, "image_relpath": name})
    write_json(item / "stage1" / "frame_manifest.json", {"num_frames": len(frames), "frames": frames})
