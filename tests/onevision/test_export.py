import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dataflow_ext import InputError
from dataflow_ext.datasets.folder import must_be_ours
from dataflow_ext.testing import check_operator
from operators import OneVisionWriter
from operators.onevision.export import NAMES
from tests.onevision.finished import picture, row, table

#: What a reply has to look like, for rewards.
REWARD = re.compile(r"<think>.*?</think>\s*<answer>.*?</answer>", re.DOTALL)


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def files(out: Path) -> dict[str, bytes]:
    return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def three(folder: Path) -> list[dict]:
    white, red = picture(folder, "white", "a.png"), picture(folder, "red", "b.png")
    return [
        row(white),
        row(white, id="pulley_1#2", turn=2, verdict="review", reasons=["code.parses: line 2"], cot_thinking=None),
        row(red, id="红#1", record_id="红", question="<image>\n图中是什么颜色？", language="zh", verdict="kept"),
        row(red, id="z#1", record_id="z", verdict="dropped", reasons=["rewrite.answer: B"]),
    ]


def test_rows_go_to_the_file_of_their_verdict_and_kept_ones_into_every_form(tmp_path: Path) -> None:
    out = tmp_path / "out"
    OneVisionWriter(out=out)(table(three(tmp_path)))
    ids = {
        name: [line["id"] for line in lines(out / name)]
        for name in (
            "onevision.jsonl",
            "review.jsonl",
            "dropped.jsonl",
            "messages.jsonl",
            "sharegpt.jsonl",
            "grpo.jsonl",
        )
    }
    assert ids == {
        "onevision.jsonl": ["pulley_1#1", "红#1"],
        "review.jsonl": ["pulley_1#2"],
        "dropped.jsonl": ["z#1"],
        "messages.jsonl": ["pulley_1#1", "红#1"],
        "sharegpt.jsonl": ["pulley_1#1", "红#1"],
        "grpo.jsonl": ["pulley_1#1", "红#1"],
    }
    assert pq.read_table(out / "rows.parquet")["id"].to_pylist() == ["pulley_1#1", "pulley_1#2", "z#1", "红#1"]
    assert len(list((out / "images").iterdir())) == 2


def test_a_line_begins_with_the_seeds_fields_and_tells_who_did_what(tmp_path: Path) -> None:
    OneVisionWriter(out=tmp_path / "out")(table(three(tmp_path)))
    first = lines(tmp_path / "out" / "onevision.jsonl")[0]
    assert list(first)[:6] == ["id", "image", "question", "image_formal_description", "cot_thinking", "final_answer"]
    assert first["models"] == {
        "type": "qwen3-vl",
        "caption": "qwen3-vl",
        "detections": "not run",
        "ocr": "rapidocr",
        "description": "qwen3-vl",
        "rewrite": "qwen3-vl",
        "judge": "gpt",
    }
    assert (first["source_image"], first["detections"]) == (
        "physics/a.png",
        [{"label": "pulley", "score": 0.9, "box": [1.0, 2.0, 10.0, 12.0]}],
    )
    assert re.fullmatch(r"images/[0-9a-f]{16}\.png", first["image"]) and (tmp_path / "out" / first["image"]).is_file()


def test_messages_alternate_with_one_place_a_picture_and_replies_fit_the_reward_pattern(tmp_path: Path) -> None:
    out = tmp_path / "out"
    OneVisionWriter(out=out)(table(three(tmp_path)))
    info = json.loads((out / "dataset_info.json").read_text())["onevision"]
    for entry in lines(out / info["file_name"]):
        talk = entry[info["columns"]["messages"]]
        assert [each["role"] for each in talk] == ["user", "assistant"]
        assert "".join(each["content"] for each in talk).count("<image>") == len(entry["images"]) == 1
        assert REWARD.fullmatch(talk[1]["content"])
        assert all((out / name).is_file() for name in entry["images"])
    for entry in lines(out / "sharegpt.jsonl"):
        assert [each["from"] for each in entry["conversations"]] == ["human", "gpt"]
        assert entry["conversations"][0]["value"].count("<image>") == 1
    chinese = lines(out / "grpo.jsonl")[1]
    assert (chinese["problem"], chinese["answer"]) == ("<image>\n图中是什么颜色？", "A")


def test_the_parquet_file_holds_pictures_as_datasets_opens_them(tmp_path: Path) -> None:
    out = tmp_path / "out"
    OneVisionWriter(out=out)(table(three(tmp_path)))
    made = pq.read_table(out / "onevision.parquet")
    assert json.loads(made.schema.metadata[b"huggingface"])["info"]["features"] == {"image": {"_type": "Image"}}
    first = made["image"][0].as_py()
    assert first["bytes"] == (out / first["path"]).read_bytes()
    OneVisionWriter(out=tmp_path / "lean", embed_pictures=False)(table(three(tmp_path)))
    assert pq.read_table(tmp_path / "lean" / "onevision.parquet")["image"][0].as_py()["bytes"] is None


def test_a_rerun_writes_the_same_bytes_and_removes_what_no_row_has_any_more(tmp_path: Path) -> None:
    out, rows = tmp_path / "out", three(tmp_path)
    OneVisionWriter(out=out)(table(rows))
    before = files(out)
    OneVisionWriter(out=out)(table(rows[::-1]))
    assert files(out) == before
    (out / "images" / "mine.png").write_bytes(b"mine")
    OneVisionWriter(out=out)(table(rows[:2]))
    assert sorted(p.name for p in (out / "images").iterdir()) == [
        Path(lines(out / "onevision.jsonl")[0]["image"]).name,
        "mine.png",
    ]


def test_a_repeated_id_and_a_picture_that_is_gone_are_rejects(tmp_path: Path) -> None:
    rows = three(tmp_path)
    gone = picture(tmp_path, "blue", "gone.png")
    rows += [row(Path(rows[0]["picture"]), question="Another?"), row(gone, id="gone#1", record_id="gone")]
    gone.unlink()
    done = OneVisionWriter(out=tmp_path / "out").apply(table(rows))
    assert done.table.num_rows == 4
    assert sorted(done.rejects["message"].to_pylist()) == [
        "gone#1: the row cannot be written: No such file or directory.",
        "pulley_1#1: another row has this id; the first in order is written.",
    ]


def test_files_of_somebody_else_are_never_touched(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "onevision.jsonl").write_text("mine")
    with pytest.raises(InputError, match="was not written by a run of this pipeline"):
        OneVisionWriter(out=tmp_path / "out")(table(three(tmp_path)))
    with pytest.raises(InputError, match="was not written by a run of this pipeline"):
        must_be_ours(tmp_path / "out", NAMES)
    assert (tmp_path / "out" / "onevision.jsonl").read_text() == "mine"


@pytest.mark.parametrize("damage", ["", "{", "null", "\0\0", "3", '{"files": 3}'])
def test_one_s_own_folder_is_not_refused_because_its_list_is_damaged(tmp_path: Path, damage: str) -> None:
    out, rows = tmp_path / "out", table(three(tmp_path))
    listed = out / ".run" / "dataset" / "files.json"
    OneVisionWriter(out=out)(rows)
    whole = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    listed.write_text(damage)
    must_be_ours(out, NAMES)
    OneVisionWriter(out=out)(rows)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == whole


def test_the_writer_keeps_the_laws(tmp_path: Path) -> None:
    check_operator(OneVisionWriter(out=tmp_path / "out"), table(three(tmp_path)))
