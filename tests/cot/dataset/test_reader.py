"""CoTReader: a written data set comes back as it was, and a damaged line costs no other its row."""

import json

import pyarrow as pa
import pytest

from dataflow_ext import InputError
from dataflow_ext.testing import check_operator
from operators.cot.reader import CoTReader, data_files
from operators.cot.writer import CoTWriter
from tests.cot.dataset.samples import NEXT_ACTION, NEXT_GOAL, PLAN, SERVED, entry, files, row, table, uuid_of, written


def several(root):
    return [
        row(root, 1),
        row(root, 2, video="bike/a.mp4", evidence_type="video_prefix", assistant_generator=SERVED),
        row(
            root,
            3,
            task_name=NEXT_GOAL,
            fields=json.dumps({"b": [1, {"x": None}], "a": "茶\u2028"}, ensure_ascii=False),
        ),
    ]


@pytest.mark.parametrize("abs_paths", [False, True])
def test_what_was_written_is_read_back_with_relative_paths(tmp_path, abs_paths):
    made = several(tmp_path)
    CoTWriter(out=tmp_path / "out", abs_paths=abs_paths)(table(made))
    back = CoTReader().apply(data_files(tmp_path / "out", tmp_path))
    assert back.rejects.num_rows == 0
    expected = [{**each, "plan_file": str(tmp_path / PLAN)} for each in made]
    assert back.table.drop_columns(["row_id"]).to_pylist() == expected
    CoTWriter(out=tmp_path / "again", abs_paths=abs_paths)(back.table)
    assert files(tmp_path / "again") == files(tmp_path / "out")


def changed(**changes):
    made = entry(5)
    return {
        **made,
        **{k: v for k, v in changes.items() if k != "meta"},
        "meta": {**made["meta"], **changes.get("meta", {})},
    }


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "json.blank"),
        (b"\xff", "file.encoding"),
        (b"{", "json.syntax"),
        (b'{"a": 1, "a": 2}', "json.duplicate_key"),
        ({}, "schema.missing"),
        (changed(id="5"), "id.form"),
        (changed(image=[]), "evidence.empty"),
        (changed(image=["../a.jpg"], meta={"evidence_files": ["../a.jpg"]}), "evidence.path"),
        (changed(image=["/elsewhere/a.jpg"], meta={"evidence_files": ["/elsewhere/a.jpg"]}), "evidence.path"),
        (changed(video="a.mp4"), "evidence.files"),
        (changed(meta={"source_path": "/etc/causal_plan_with_keyframes.json"}), "source.path"),
        (changed(meta={"source_path": "a/../../causal_plan_with_keyframes.json"}), "source.path"),
        (changed(meta={"step_index": 10**30}), "schema.value"),
        (changed(meta={"step_index": "1"}), "schema.type"),
        (changed(meta={"assistant_generator": {}}), "generator.form"),
        (changed(meta={"task_name": "Task_29"}), "task.unknown"),
    ],
)
def test_a_line_that_is_no_sample_is_a_reject_with_its_number_and_its_beginning(tmp_path, line, code):
    path = written(tmp_path / "cot", entry(1), line, entry(2))
    done = CoTReader().apply(data_files(tmp_path / "cot", tmp_path))
    assert done.table["id"].to_pylist() == [uuid_of(1), uuid_of(2)]
    [reject] = done.rejects.to_pylist()
    assert (reject["error"], reject["kind"]) == (code, "failed")
    assert reject["message"].startswith(f"{path}, line 2: {code}: ")
    text = line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()
    assert json.loads(reject["inputs"]) == {
        "file": str(path),
        "line": 2,
        "text": text[:2000].decode("utf-8", "replace"),
    }


def test_files_made_elsewhere_without_evidence_files_are_read(tmp_path):
    made = entry(1, video="bike/a.mp4")
    del made["meta"]["evidence_files"]
    written(tmp_path / "cot", made)
    back = CoTReader()(data_files(tmp_path / "cot", tmp_path))
    assert back.select(["image", "video"]).to_pylist() == [{"image": made["image"], "video": "bike/a.mp4"}]


def test_the_reader_keeps_the_laws_of_operators(tmp_path):
    written(tmp_path / "cot", entry(1), "{", entry(2))
    written(tmp_path / "cot", entry(3, task_name=NEXT_GOAL), task=NEXT_GOAL)
    sources = pa.concat_tables(
        [data_files(tmp_path / "cot", tmp_path), pa.table({"file": [str(tmp_path / "none")], "root": [str(tmp_path)]})]
    )
    assert check_operator(CoTReader(), sources)["id"].to_pylist() == [uuid_of(1), uuid_of(2), uuid_of(3)]


def test_a_file_that_is_not_there_is_a_reject_and_costs_no_other_its_rows(tmp_path):
    path = written(tmp_path / "cot", entry(1))
    done = CoTReader().apply(pa.table({"file": ["none", str(path)], "root": [str(tmp_path)] * 2}))
    assert done.table["id"].to_pylist() == [uuid_of(1)]
    assert done.rejects["message"].to_pylist() == ["Cannot read none: No such file or directory."]


def test_data_files_are_listed_by_name_and_hidden_ones_passed_by(tmp_path):
    cot = tmp_path / "cot"
    for name in (NEXT_GOAL, NEXT_ACTION, ".run"):
        written(cot, entry(1), task=name)
    assert data_files(cot, tmp_path).to_pylist() == [
        {"file": f"{cot}/{name}/data.jsonl", "root": str(tmp_path)} for name in (NEXT_ACTION, NEXT_GOAL)
    ]
    with pytest.raises(InputError, match=r"There is no folder .*none\."):
        data_files(cot, tmp_path / "none")
    with pytest.raises(InputError, match="has no data set"):
        data_files(tmp_path, tmp_path)
