"""ImageTypeClassifier: one call a picture that holds nothing of a row, and rules where there is no model."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext.models import OpenAIModel, ScriptedModel
from dataflow_ext.testing import check_operator
from operators.onevision.image_type_classifier import ImageTypeClassifier
from prompts import OneVisionImagePrompt
from tests.loopback import Body, Loopback

REPLY = {"image_type": "Physics", "caption": "Mass m hangs from a pulley.", "objects": ["Pulley", "pulley", "block"]}
COLUMNS = ("image_type", "type_by", "dense_caption", "caption_by", "objects")


PNG = bytes.fromhex("89504e470d0a1a0a")


@pytest.fixture(autouse=True)
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures that the rows show, in the working directory."""
    monkeypatch.chdir(tmp_path)
    for key in ("k1", "k2", "k3"):
        Path(f"{key}.png").write_bytes(PNG + key.encode())


def row(id: str, key: str = "k1", image: str = "a/1.png", caption: str | None = "A secret caption.") -> dict[str, Any]:
    return {"id": id, "image": image, "picture": f"{key}.png", "picture_key": key, "first_caption": caption}


def table(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(rows))


def test_two_rows_on_one_picture_are_one_call_and_nothing_of_them_is_in_it() -> None:
    model = ScriptedModel([json.dumps(REPLY)])
    made = ImageTypeClassifier(model=model)(table(row("secret#1"), row("secret#2"))).select(COLUMNS).to_pylist()
    assert made == 2 * [
        {
            "image_type": "physics_setup",
            "type_by": "scripted",
            "dense_caption": "Mass m hangs from a pulley.",
            "caption_by": "scripted",
            "objects": ["pulley", "block"],
        }
    ]
    (call,) = model.calls
    assert (call.prompt, call.system, call.images) == (OneVisionImagePrompt().text, "", ("k1.png",))


def test_a_reply_of_no_use_is_asked_for_once_more_and_then_its_rows_are_rejects() -> None:
    bad = json.dumps({**REPLY, "image_type": "collage"})
    model = ScriptedModel([bad, json.dumps(REPLY)])
    assert ImageTypeClassifier(model=model)(table(row("a#1")))["image_type"].to_pylist() == ["physics_setup"]
    assert "natural_scene" in model.calls[1].follow_up[1]
    done = ImageTypeClassifier(model=ScriptedModel([bad, bad])).apply(table(row("a#1"), row("a#2")))
    assert (done.table.num_rows, done.rejects.num_rows) == (0, 2)


def test_a_server_is_sent_the_picture_and_the_schema() -> None:
    seen: list[Body] = []

    def brain(body: Body) -> str:
        seen.append(body)
        return json.dumps(REPLY)

    with Loopback(brain) as server:
        model = OpenAIModel(name="vlm", base_url=server.url)
        made = ImageTypeClassifier(model=model)(table(row("secret#1")))
    assert made["type_by"].to_pylist() == ["vlm"]
    assert base64.b64encode(PNG + b"k1").decode() in json.dumps(seen[0])
    assert "secret" not in json.dumps(seen[0])
    assert "natural_scene" in json.dumps(seen[0]["response_format"])


def test_by_rules_the_caption_that_others_bear_out_counts_without_its_leaks() -> None:
    rows = (
        row("a#1", caption="A cat."),
        row("b#2", caption="A pulley with a block."),
        row("b#1", caption="The image shows a pulley and a block. The question asks for the tension."),
        row("c#1", "k2", "chartqa/1.png", ""),
        row("d#1", "k3", "x.png", None),
    )
    made = ImageTypeClassifier()(table(*rows).drop_columns(["picture"])).select(COLUMNS).to_pylist()
    pulley = ["physics_setup", "rules", "The image shows a pulley and a block.", "rules", ["pulley", "block"]]
    assert [list(each.values()) for each in made] == [
        pulley,
        pulley,
        pulley,
        ["chart", "rules", "", "not run", []],
        ["map_or_other", "rules", "", "not run", []],
    ]


def test_the_laws_hold_by_rules_and_by_a_model() -> None:
    rows = table(row("a#1"), row("a#2"), row("b#1", "k2", "coco/1.jpg", "A dog in a park."), {**row("c#1"), "id": None})
    assert check_operator(ImageTypeClassifier(), rows).num_rows == 3
    assert check_operator(ImageTypeClassifier(model=ScriptedModel(answered)), rows).num_rows == 3


def answered(request: Any) -> str:
    return json.dumps({**REPLY, "caption": f"Picture {request.images[0]}."})
