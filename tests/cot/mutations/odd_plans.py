"""Items whose plans have odd names and texts: accents, symbols, Chinese, words that look like leaks, ids in no order."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cot.mutations.good import EXAMPLES

PICTURE = next(EXAMPLES.glob("*/0*/*.jpg"))


def _relations(listed: Sequence[tuple[Any, ...]]) -> list[Any]:
    return [{"relation": name, "objects": list(objects), "truth": truth} for name, objects, truth in listed]


def _affordances(listed: Sequence[tuple[str, str]]) -> list[Any]:
    return [{"object_name": name, "affordance_types": [kind], "reasons": ""} for name, kind in listed]


def _step(at: int, step_id: int, thing: str, place: str, before: str, words: dict[str, str]) -> dict[str, Any]:
    """A step that takes a thing from its shelf and puts it in its place; the next one needs it there."""
    told = {name: text.format(thing=_spoken(thing), place=_spoken(place), n=at) for name, text in words.items()}
    chain = {
        "agent": "hands",
        "action": told["goal"],
        "patient": thing,
        "causal_precondition_on_spatial": _relations([("inside", (before, place), True)] if before else [("beside", (thing, place), True)]),
        "causal_precondition_on_affordance": _affordances([(thing, "movable")]),
        "causal_effect_on_spatial": _relations([("inside", (thing, place), True)]),
        "causal_effect_on_affordance": _affordances([(thing, "fixed")]),
    }  # fmt: skip
    frames = [
        {"frame_index": index, "action_state_change_description": told["goal"], "causal_chain": chain,
         "interaction": {"tools": ["hands"], "materials": [thing], "hotspot": {"description": "", "affordance_type": "", "mechanism": ""}}}
        for index in (2, 9)
    ]  # fmt: skip
    return {
        "step_id": step_id,
        "step_goal": told["goal"],
        "rationale": told["rationale"],
        "causal_chain": chain,
        "counterfactual_challenge_question": told["question"],
        "expected_challenge_outcome": told["outcome"],
        "failure_reflecting": {"reason": told["reason"], "recovery_strategy": told["recovery"]},
        "critical_frames": frames,
    }


def _spoken(name: str) -> str:
    return name.replace("_", " ")


ENGLISH = {
    "goal": "Put the {thing} into the {place}.",
    "rationale": "The {place} has to hold the {thing} before anything else can follow.",
    "question": "What if the {thing} is too wide for the {place}?",
    "outcome": "The {thing} would stay outside and the {place} would remain open.",
    "reason": "The {thing} slides out of the {place}",
    "recovery": "Lift the {thing} and set it into the {place} more slowly",
}
CHINESE = {
    "goal": "把{thing}放进{place}。",
    "rationale": "先放好{thing}，后面的步骤才能进行。",
    "question": "如果{thing}放不进{place}怎么办？",
    "outcome": "{thing}会留在外面，{place}仍然是空的。",
    "reason": "{thing}从{place}里滑出来",
    "recovery": "拿起{thing}，慢慢地重新放进{place}",
}


def _plan(aim: str, place: str, things: Sequence[str], ids: Sequence[int] = (), **words: str) -> dict[str, Any]:
    ids = ids or range(1, len(things) + 1)
    told = {**(CHINESE if ord(aim[0]) > 0x2E80 else ENGLISH), **words}
    befores = ["", *things]
    steps = [_step(n, ids[n], thing, place, befores[n], told) for n, thing in enumerate(things)]
    return {"high_level_goal": aim, "steps": steps}


POTS = ["cup", "bowl", "pot", "spoon"]
PLANS: dict[str, dict[str, Any]] = {
    "accents": _plan("Fill the crème brûlée tray.", "crème_brûlée_tray", ["jalapeño", "açaí_bowl", "smørrebrød", "pate\u0301_cup"]),
    "marks": _plan("Fill the baker’s tray.", "baker’s_tray", ["chef’s_knife", "“good”_cup", "mother's_bowl", "rock–paper—set"]),
    "symbols": _plan("Fill the 2×4 box.", "2×4_box", ["M5_bolt", "Ø8_drill", "25_°C_probe", "10_µL_tip", "½_cup"]),
    "scripts": _plan("Fill the 箱子 box.", "箱子_box", ["🍎_apple", "红杯_cup", "α_probe", "Ω_lead"]),
    "chinese": _plan("把箱子装满。", "箱子", ["红杯", "蓝碗", "铁锅", "木勺", "玻璃瓶"]),
    "no_order": _plan("Fill the bag", "bag", POTS, (40, 7, 300, 12), goal="put the {thing} into the {place}"),
    "loud": _plan("FILL THE BAG!", "BAG", ["CUP", "BOWL", "POT", "SPOON"], goal='PUT THE "{thing}" INTO THE {place}; THEN REST!'),
    "frames": _plan("Fill the video box.", "video_box", ["picture_frame", "image_sensor", "paper_clip", "photo_album"]),
    "slashes": _plan("Fill the on/off box.", "on/off_box", ["salt/pepper_mix", "AC/DC_plug", "24/7_sign", "v1.2_board"]),
    "pauses": _plan("Fill the bag.", "bag", POTS, recovery="Lift the {thing}, wait for 30 seconds, and set it into the {place} again"),
    "long": _plan("Fill the bag.", "bag", [f"{'very_' * 12}long_{name}" for name in POTS]),
}  # fmt: skip


def write_items(root: Path, names: Sequence[str]) -> None:
    """Write items with two key frames a step, and with no scene pictures or videos."""
    for name in names:
        for at, step in enumerate(PLANS[name]["steps"]):
            folder = root / name / f"{at + 1:02d}_step"
            folder.mkdir(parents=True)
            meta = {
                "step_id": step["step_id"],
                "step_goal": step["step_goal"],
                "clip_start_sec": at * 10.0,
                "clip_end_sec": at * 10.0 + 10,
            }
            (folder / "step_meta.json").write_text(json.dumps(meta), "utf-8")
            for index, second in ((2, 1.0), (9, 9.0)):
                shutil.copy(PICTURE, folder / f"frame_{index:03d}_ts_{at * 10 + second:05.2f}s.jpg")
        path = root / name / "causal_plan_with_keyframes.json"
        path.write_text(json.dumps(PLANS[name], ensure_ascii=False), "utf-8")
