"""Samples and data sets for tests: small, plain, and of the format's shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import arrow_type
from operators.cot.sample import SAMPLE, AssistantGenerator

PLAN = "bike/causal_plan_with_keyframes.json"
OFFLINE = {
    "type": "offline_rules_v1",
    "api_base_url": "",
    "model_provider_id": "offline",
    "model_name": "offline",
}
SERVED = {
    "type": "api_generate_v1",
    "api_base_url": "https://models.example:8443/v1",
    "model_provider_id": "example",
    "model_name": "m-1",
}
NEXT_ACTION = "Task_29_Next_Action_Prediction"
NEXT_GOAL = "Task_30_Next_Step_Goal_Prediction_From_Prefix"


def uuid_of(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


def entry(number: int = 1, *, step: int = 1, video: str | None = None, **meta: Any) -> dict[str, Any]:
    """A sample as it is written, in the format's order of keys."""
    image = [f"bike/0{step}_step/frame_001_ts_0.00s.jpg"]
    made: dict[str, Any] = {"id": uuid_of(number), "image": image}
    if video is not None:
        made["video"] = video
    made["conversations"] = [
        {"from": "human", "value": "What is the next planned action?"},
        {"from": "gpt", "value": "<think>The tire must be flat. So the lever comes next.</think>\nUse the lever.\n"},
    ]
    made["meta"] = {
        "task_name": NEXT_ACTION,
        "item_type": "three_stage",
        "evidence_type": "keyframe_single" if video is None else "video_prefix",
        "source_path": PLAN,
        "step_index": step,
        "fields": {"high_level_goal": "Change the tube.", "next_step_goal": "Use the lever."},
        "evidence_files": [*image] if video is None else [*image, video],
        "assistant_generator": dict(OFFLINE),
        **meta,
    }
    return made


def written(folder: Path, *lines: Any, task: str = NEXT_ACTION) -> Path:
    """A data file below ``folder``: objects as JSON, texts and bytes as they are."""
    path = folder / task / "data.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(_bytes(line) + b"\n" for line in lines))
    return path


def _bytes(line: Any) -> bytes:
    if isinstance(line, bytes):
        return line
    return (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)).encode("utf-8", "surrogatepass")


def row(root: Path, number: int = 1, **changes: Any) -> dict[str, Any]:
    """A finished sample as a row."""
    made = entry(number)
    return {
        "root": str(root),
        "id": made["id"],
        "image": made["image"],
        "video": None,
        "question": made["conversations"][0]["value"],
        "response": made["conversations"][1]["value"],
        "task_name": NEXT_ACTION,
        "evidence_type": "keyframe_single",
        "source_path": PLAN,
        "step_index": 1,
        "fields": json.dumps(made["meta"]["fields"]),
        "assistant_generator": dict(OFFLINE),
        **changes,
    }


def table(rows: list[dict[str, Any]]) -> pa.Table:
    """Finished samples as CoTWriter takes them."""
    declared = {"root": str, **SAMPLE, "assistant_generator": AssistantGenerator}
    return pa.table({name: pa.array([each[name] for each in rows], arrow_type(t)) for name, t in declared.items()})


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
