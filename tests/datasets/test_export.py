"""Each form of an export is what its trainer reads; what a data set lacks is a sentence."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from dataflow_ext import InputError
from dataflow_ext.commands import main
from dataflow_ext.datasets.export import FORMS, export
from dataflow_ext.datasets.source import source_by_columns
from dataflow_ext.images import IMAGE

TALK = [{"role": "user", "content": "<image>\nWhat is it?"}, {"role": "assistant", "content": "A | <b>cat</b>."}]
PAIR = {"prompt": "Which?", "chosen": "This.", "rejected": "That."}
STEPS = {"prompt": "Why?", "completions": ["So.", "No."], "labels": [True, False]}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path):
    """A data set with every kind of row, and a picture."""
    out = tmp_path / "out"
    (out / "images").mkdir(parents=True)
    Image.new("RGB", (4, 3), "red").save(out / "images/a.png")
    shown = {"id": "a", "images": ["images/a.png"]}
    rows = {
        "talk": {**shown, "messages": TALK},
        "problems": {**shown, "problem": "<image>\nWhich letter?", "answer": "B", "options": ["x", "y"]},
        "pairs": {"id": "p", **PAIR},
        "steps": {"id": "s", **STEPS, "images": ["images/a.png"]},
    }
    for name, row in rows.items():
        (out / f"{name}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return out


def written(folder, to, **options):
    out = folder / "exports" / to
    export(source_by_columns(folder), to, out, **options)
    return out


def test_each_form_has_the_fields_that_its_trainer_reads(folder):
    wanted = {
        "sharegpt": [{"id": "a", "conversations": [
            {"from": "human", "value": TALK[0]["content"]}, {"from": "gpt", "value": TALK[1]["content"]}],
            "images": ["images/a.png"]}],
        "messages": [{"id": "a", "messages": TALK, "images": ["images/a.png"]}],
        "swift": [{"messages": TALK, "images": ["images/a.png"]}],
        "easyr1": [{"images": ["a.png"], "problem": "<image>\nWhich letter?", "answer": "B"}],
        "grpo": [{"id": "a", "prompt": [{"role": "user", "content": "Which letter?"}], "solution": "B",
                  "images": ["images/a.png"], "options": ["x", "y"]}],
        "dpo": [{"id": "p", "prompt": [{"role": "user", "content": "Which?"}],
                 "chosen": [{"role": "assistant", "content": "This."}],
                 "rejected": [{"role": "assistant", "content": "That."}]}],
        "prm": [{"id": "s", **STEPS, "images": ["images/a.png"]}],
    }  # fmt: skip
    assert {to: lines(written(folder, to) / FORMS[to].files["train"]) for to in wanted} == wanted


def test_llamafactory_is_told_where_everything_stands(folder):
    out = written(folder, "llamafactory")
    [told] = json.loads((out / "dataset_info.json").read_text()).values()
    [row] = lines(out / told["file_name"])
    assert row[told["columns"]["messages"]] == TALK
    assert all((out / path).is_file() for path in row[told["columns"]["images"]])
    assert told["tags"]["system_tag"] == "system"


def test_pictures_go_into_parquet_as_datasets_opens_them(folder):
    made = pq.read_table(written(folder, "hf") / "data/train-00000-of-00001.parquet")
    assert made.schema.field("images").type == pa.list_(IMAGE)
    assert json.loads(made.schema.metadata[b"huggingface"])["info"]["features"] == {"images": [{"_type": "Image"}]}
    assert made["images"].to_pylist() == [[{"bytes": (folder / "images/a.png").read_bytes(), "path": "a.png"}]]


@pytest.mark.parametrize("nested", [pa.list_, lambda kind: kind])
def test_pictures_that_other_programs_gave_another_type_are_pictures_still(tmp_path, nested):
    kind = nested(pa.struct([("path", pa.large_string()), ("bytes", pa.large_binary())]))
    one = {"bytes": b"picture", "path": "a.png"}
    value = [one] if pa.types.is_list(kind) else one
    pq.write_table(pa.table({"seen": pa.array([value, None], kind), "n": [1, 2]}), tmp_path / "rows.parquet")
    made = pq.read_table(written(tmp_path, "hf") / "data/train-00000-of-00001.parquet")
    assert json.loads(made.schema.metadata[b"huggingface"])["info"]["features"].keys() == {"seen"}
    assert made["seen"].to_pylist() == [value, None]


def test_markdown_shows_pictures_and_no_tags(folder):
    text = (written(folder, "markdown") / "rows.md").read_text()
    assert "![](images/a.png)" in text
    assert "A | &lt;b>cat&lt;/b>." in text


def test_rows_stand_beside_their_pictures_and_go_when_they_do(folder):
    assert lines(written(folder, "jsonl") / "rows.jsonl")[0]["images"] == ["images/a.png"]
    out = written(folder, "messages")
    (folder / "talk.jsonl").write_text(json.dumps({"id": "b", "messages": TALK[1:]}) + "\n")
    written(folder, "messages")
    assert not (out / "images").exists()


def test_a_card_tells_counts_licence_and_the_files_of_each_split(folder):
    (folder / "stats.json").write_text(json.dumps({"kept": 3, "by": {"reason": 2, "list": [1]}}))
    (folder / "rejects.jsonl").write_text(json.dumps({"operator": "Gate", "error": "Weak"}) + "\n")
    assert main(["export", str(folder), "--to", "hf", "--license", "cc-by-4.0"]) == 0
    text = (folder / "exports/hf/README.md").read_text()
    assert text.startswith('---\nlicense: "cc-by-4.0"\n')
    assert 'path: "data/train-00000-of-00001.parquet"' in text
    for told in (
        "1 rows (train)",
        "| kept | 3 |",
        "| by, reason | 2 |",
        "| Gate: Weak | 1 |",
        "**Licence**: cc-by-4.0",
    ):
        assert told in text


def test_the_rows_that_a_form_has_no_place_for_are_counted_with_their_reason(tmp_path, capsys):
    rows = [{"question": "Why?", "answer": answer} for answer in ("yes", "", "![](images/a.png)", "no")]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for to, told in (
        ("grpo", "2 rows as grpo in {}; left out: 2 without a short answer that is a text"),
        ("messages", "2 rows as messages in {}; left out: 2 without an answer or a solution"),
        ("jsonl", "4 rows as jsonl in {}"),
    ):
        assert main(["export", str(tmp_path), "--to", to, "--out", str(tmp_path / to)]) == 0
        assert capsys.readouterr().err == told.format(tmp_path / to) + "\n"


@pytest.mark.parametrize("to", [to for to in FORMS if to not in ("hf", "jsonl", "messages", "markdown")])
def test_what_a_data_set_lacks_is_a_sentence(tmp_path, capsys, to):
    (tmp_path / "rows.jsonl").write_text('{"colour": "red"}\n')
    assert main(["export", str(tmp_path), "--to", to]) == 2
    kind = FORMS[to].kind
    assert f"error: {tmp_path.name} has no {kind} for {to}: no file has columns such as" in capsys.readouterr().err


def test_mistakes_are_sentences(folder, tmp_path, capsys):
    (folder / "images/a.png").unlink()
    for arguments, told in {
        (str(tmp_path / "none"), "--to", "hf"): "There is no folder",
        (str(folder / "images"), "--to", "hf"): "there is no .jsonl or .parquet file in it",
        (str(folder), "--to", "swift"): "There is no picture",
        (str(folder), "--to", "swift", "--out", str(folder)): "is the data set itself",
    }.items():
        assert main(["export", *arguments]) == 2
        assert told in capsys.readouterr().err


def test_a_file_of_somebody_else_is_not_replaced(folder):
    (folder / "exports/dpo").mkdir(parents=True)
    (folder / "exports/dpo/dpo.jsonl").write_text("mine")
    with pytest.raises(InputError, match="was not written by a run"):
        written(folder, "dpo")
