"""FormalDescriber: one description a picture, its code parsed at once, leaks taken out, and rules without a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext.columns import arrow_type
from dataflow_ext.models import ScriptedModel
from dataflow_ext.testing import check_operator
from operators.onevision.formal import parse_problem
from operators.onevision.formal_describer import FormalDescriber
from prompts import OneVisionDescribePrompt

GOOD = {"description": "Mass m (6kg) hangs from a pulley.", "code": "mass(m) = 6kg\nhangs_from(m, pulley)"}
LEAK = "Therefore the tension is 58.8 N."
MADE = (
    "image_formal_description", "formal_code", "formal_language", "formal_state", "description_by", "description_leaks",
)  # fmt: skip


PNG = bytes.fromhex("89504e470d0a1a0a")


@pytest.fixture(autouse=True)
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures that the rows show, in the working directory."""
    monkeypatch.chdir(tmp_path)
    for key in ("k1", "k2", "k3"):
        Path(f"{key}.png").write_bytes(PNG + key.encode())


def line(text: str, *box: float) -> dict[str, Any]:
    return {"text": text, "score": 0.9, "box": list(box)}


def row(key: str = "k1", **more: Any) -> dict[str, Any]:
    return {
        "picture": f"{key}.png", "picture_key": key, "width": 300, "height": 300, "image_type": "physics_setup",
        "dense_caption": "A pulley with a mass.", "caption_by": "vlm",
        "detections": [{"label": "pulley", "score": 0.83, "box": [100.0, 10.0, 140.4, 50.0]}], "detector": "dino",
        "ocr": [line('m="6kg"', 10, 20, 60, 40)], "ocr_by": "rapidocr", "question": "SECRET?", **more,
    }  # fmt: skip


def table(*rows: dict[str, Any]) -> pa.Table:
    kinds = {name: arrow_type(kind) for name, kind in FormalDescriber.inputs.items()}
    return pa.table({name: pa.array([each.get(name) for each in rows], kinds.get(name)) for name in rows[0]})


def described(model: ScriptedModel | None, *rows: dict[str, Any], **options: Any) -> list[list[Any]]:
    made = FormalDescriber(model=model, **options)(table(*rows)).select(MADE).to_pylist()
    return [list(each.values()) for each in made]


def test_two_rows_on_one_picture_are_one_call_with_the_facts_and_nothing_of_the_question() -> None:
    model = ScriptedModel([json.dumps(GOOD)])
    assert described(model, row(), row(question="SECRET too")) == 2 * [
        [GOOD["description"], GOOD["code"], "predicates", "parsed", "scripted", []]
    ]
    (call,) = model.calls
    assert (call.system, call.images) == (OneVisionDescribePrompt().text, ("k1.png",))
    assert "SECRET" not in call.prompt
    for fact in (
        "physics_setup",
        "predicates",
        "A pulley with a mass.",
        "pulley (100, 10, 140, 50), score 0.83",
        "'6kg'",
    ):
        assert fact in call.prompt


def test_tools_that_were_not_run_are_told_as_such() -> None:
    model = ScriptedModel([json.dumps(GOOD)])
    described(model, row(detections=[], detector="not run", ocr=[], ocr_by="not run"))
    assert "nobody looked for them" in model.calls[0].prompt
    assert "nobody read it" in model.calls[0].prompt


def test_code_that_does_not_parse_and_leaks_are_asked_for_again_with_what_is_wrong() -> None:
    bad = {"description": f"{GOOD['description']} {LEAK}", "code": "m = 6kg"}
    model = ScriptedModel([json.dumps(bad), json.dumps(GOOD)])
    assert described(model, row())[0][3] == "parsed"
    told = model.calls[1].follow_up[1]
    assert LEAK in told
    assert "the code is no predicates: line 1: there is no predicate such as name(A, B) at 'm = 6kg'" in told


def test_after_the_last_try_the_best_reply_is_kept_with_what_is_wrong_with_it() -> None:
    leaking = {"description": f"{GOOD['description']} {LEAK}", "code": GOOD["code"]}
    worse = {"description": f"{GOOD['description']} {LEAK}", "code": "m = 6kg"}
    replies = [json.dumps(leaking), json.dumps(worse), "no JSON"]
    assert described(ScriptedModel(replies), row()) == [
        [GOOD["description"], GOOD["code"], "predicates", "parsed", "scripted", [LEAK]]
    ]
    unparsed = json.dumps({**GOOD, "code": "m = 6kg"})
    assert described(ScriptedModel([unparsed] * 2), row(), max_attempts=2) == [
        [GOOD["description"], "m = 6kg", "predicates",
         "does not parse: line 1: there is no predicate such as name(A, B) at 'm = 6kg'", "scripted", []],
    ]  # fmt: skip


def test_a_description_of_leaks_alone_and_one_that_cannot_be_read_are_rejects() -> None:
    alone = json.dumps({**GOOD, "description": LEAK})
    done = FormalDescriber(model=ScriptedModel([alone] * 3)).apply(table(row()))
    assert done.rejects["message"].to_pylist() == [
        "The description by scripted speaks of nothing but a question or an answer ('Therefore the tension is 58.8 N.'); "
        "look at the prompt, or take another model."
    ]
    empty = json.dumps({**GOOD, "description": " "})
    assert FormalDescriber(model=ScriptedModel([empty] * 3)).apply(table(row())).rejects.num_rows == 1


def test_code_may_come_fenced_as_an_object_or_as_text_of_a_page() -> None:
    graph = {"objects": [{"id": "a", "label": "cat", "box": [0, 0, 10, 10]}]}
    reply = json.dumps({"description": "A cat.", "code": graph})
    assert described(ScriptedModel([reply]), row(image_type="natural_scene"))[0][1:4] == [
        json.dumps(graph), "scene_graph", "parsed",
    ]  # fmt: skip
    fenced = json.dumps({"description": "A page.", "code": "```html\n<p>Hi</p>\n```"})
    assert described(ScriptedModel([fenced]), row(image_type="document_ui"))[0][1:4] == ["<p>Hi</p>", "html", "parsed"]
    text = json.dumps({"description": "A page.", "code": "Hi\nthere"})
    assert described(ScriptedModel([text]), row(image_type="document_ui"))[0][1:4] == ["Hi\nthere", "text", "parsed"]


def test_by_rules_caption_objects_and_text_are_put_together() -> None:
    caption = f"A pulley with a mass. It might be old. {LEAK}"
    assert described(None, row(dense_caption=caption)) == [
        [
            "A pulley with a mass.\n"
            "Objects with boxes (x0, y0, x1, y1 in pixels): pulley at the top (100, 10, 140, 50).\n"
            "Text in the picture, from top to bottom: \"m='6kg'\".",
            None, "predicates", "not run", "rules", [LEAK],
        ]
    ]  # fmt: skip
    chinese = described(None, row(dense_caption="滑轮下挂着一个物体。", detector="not run", detections=[]))
    assert chinese[0][0] == "滑轮下挂着一个物体。\n图中文字，自上而下：“m='6kg'”。"
    assert described(None, row(dense_caption="A mass.", detector="not run", ocr_by="not run"))[0][0] == "A mass."


def test_rules_give_code_of_boxes_and_of_text_where_they_can() -> None:
    boxes = [
        {"label": "cup", "score": 0.9, "box": [200.0, 100.0, 220.0, 120.0]},
        {"label": "cup", "score": 0.8, "box": [10.0, 90.0, 50.0, 130.0]},
    ]
    (made,) = described(None, row(image_type="natural_scene", detections=boxes))
    assert (made[2], made[3], parse_problem(made[1], "scene_graph", (300, 300))) == ("scene_graph", "parsed", None)
    assert json.loads(made[1])["relations"] == [{"subject": "cup_1", "relation": "left of", "object": "cup_2"}]
    cells = [line(text, 10 + 100 * n, 10 + 30 * m, 60 + 100 * n, 30 + 30 * m)
             for m, texts in enumerate((("Name", "Price"), ("Tea", "<3"), ("Milk", "4"))) for n, text in enumerate(texts)]  # fmt: skip
    assert described(None, row(image_type="table", ocr=cells))[0][1:4] == [
        "<table>\n<tr><th>Name</th><th>Price</th></tr>\n<tr><td>Tea</td><td>&lt;3</td></tr>\n"
        "<tr><td>Milk</td><td>4</td></tr>\n</table>", "html", "parsed",
    ]  # fmt: skip
    assert described(None, row(image_type="document_ui", ocr=cells))[0][1:4] == [
        "Name  Price\nTea  <3\nMilk  4", "text", "parsed",
    ]  # fmt: skip
    assert described(None, row(image_type="table", ocr=cells[:3]))[0][1:4] == [None, "html", "not run"]
    assert described(None, row(image_type="natural_scene", detector="not run"))[0][1:4] == [
        None,
        "scene_graph",
        "not run",
    ]


def test_the_laws_hold_by_rules_and_by_a_model() -> None:
    rows = table(row(), row(), row("k2", dense_caption="另一幅图。"), row("k3", image_type=None))
    assert check_operator(FormalDescriber(), rows).num_rows == 3
    assert check_operator(FormalDescriber(model=ScriptedModel(answered)), rows).num_rows == 3


def answered(request: Any) -> str:
    return json.dumps({**GOOD, "description": f"The picture {request.images[0]} has a pulley."})
