"""A finished row made by hand: a room, a chain of three editing turns, and what is said in it."""

import json
from typing import Any

from operators.scene.model.chain import Chain

FLAT = [0.0, 0.0, 0.0, 1.0]
EMPTY: dict[str, Any] = {
    "bounds_top": [[-2.0, 2.6, 2.0], [2.0, 2.6, 2.0], [2.0, 2.6, -2.0], [-2.0, 2.6, -2.0]],
    "bounds_bottom": [[-2.0, 0.0, 2.0], [2.0, 0.0, 2.0], [2.0, 0.0, -2.0], [-2.0, 0.0, -2.0]],
    "room_type": "bedroom",
    "room_id": "Bedroom-1",
    "objects": [],
}
BED = {"jid": "bed-1", "desc": "A wide oak bed with a gray cover", "size": [1.6, 0.9, 2.1]}
STAND = {"jid": "stand-1", "desc": "A small oak nightstand", "size": [0.45, 0.5, 0.4]}
TWIN = {**STAND, "jid": "stand-1__2", "asset_jid": "stand-1"}
CHAIR = {"jid": "own-chair", "desc": "A black metal chair", "size": [0.5, 0.8, 0.5]}


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": f"tool_{number}", "name": name, "arguments": arguments}


def add(number: int, put: dict[str, Any], position: list[float]) -> dict[str, Any]:
    return call(number, "add_object", object_description=put["desc"], position=position, rotation=FLAT,
                size=put["size"])  # fmt: skip


#: A bed, then its nightstands, one of them first as a chair and too far away.
TURNS = [
    [add(1, BED, [0.0, 0.0, -0.9])],
    [add(2, STAND, [-1.1, 0.0, -1.75]), add(3, CHAIR, [1.4, 0.0, -1.7])],
    [call(4, "replace_object", jid_to_replace="own-chair", new_object_description=TWIN["desc"]),
     call(5, "move_object", jid="stand-1", new_position=[-1.05, 0.0, -1.7])],
    [call(6, "terminate", reason="The bedroom is furnished.")],
]  # fmt: skip
RETRIEVALS = {"tool_1": BED, "tool_2": STAND, "tool_3": CHAIR, "tool_4": TWIN}
CHAIN = Chain(EMPTY, TURNS, RETRIEVALS)

TEXTS = [
    ("The bedroom is empty, so the bed comes first.", "Add the bed."),
    ("The bed has no nightstand yet, and a chair is missing.", "Add a nightstand and a chair."),
    ("A nightstand serves better than the chair, and the other nightstand moves to the bed.",
     "Replace the chair with a nightstand and move the other nightstand."),
    ("The bed and both nightstands are in place.", "The room is finished."),
]  # fmt: skip


def row(**changes: Any) -> dict[str, Any]:
    """The finished row, without pictures, with some values changed."""
    made = {
        "id": "multi_turn_edit_1_0a1b2c3d",
        "scene_id": "home/bedroom",
        "room_type": "bedroom",
        "chain_id": 1,
        "conversation_type": "multi_turn",
        "chain": CHAIN.text(),
        "chain_seed": 7,
        "repairs": [],
        "instruction": "I want a bedroom with a bed and two nightstands.",
        "instruction_style": "brief/B",
        "instruction_by": "rules",
        "images": [],
        "camera": json.dumps({"renderer": "painter", "version": "1", "azimuth": 45}),
        "scores": {"coherence": 35.0, "naturalness": 30.0, "instruction": 15.0, "visual": 8.0},
        "score": 88.0,
        "judged_by": "geometry",
        "judge_note": "",
        "texts": [{"think": think, "conclusion": said, "template": "A"} for think, said in TEXTS],
        "claims": [],
        "text_by": "rules",
        "wording": "by table",
    }
    return {**made, **changes}
