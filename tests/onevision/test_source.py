"""The records of LLaVA-CoT files."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataflow_ext import InputError
from operators.onevision.sources.source import UNREADABLE, records

CONVERSATIONS = [{"from": "human", "value": "多少？"}, {"from": "gpt", "value": "2"}]


def test_each_line_is_a_record_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "train.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"id":  1}\r\n\n  \n{"id": "\xe5\x9b\xbe"}\nno json')
    assert records([file]).to_pylist() == [
        {"source": "train.jsonl:1", "record": '{"id":  1}'},
        {"source": "train.jsonl:4", "record": '{"id": "图"}'},
        {"source": "train.jsonl:5", "record": "no json"},
    ]


def test_a_line_that_cannot_be_read_costs_itself_alone(tmp_path: Path) -> None:
    file = tmp_path / "train.jsonl"
    file.write_bytes(b"{}\n" + b'"\xff"\n' + b"x" * 10_000_001 + b"\n" + b"y" * 30_000_000 + b"\n{}")
    assert records([file]).to_pylist() == [
        {"source": "train.jsonl:1", "record": "{}"},
        {"source": "train.jsonl:2", "record": f"{UNREADABLE}it is not UTF-8 (byte 2 is 0xff)"},
        {"source": "train.jsonl:3", "record": f"{UNREADABLE}the line has more than 10,000,000 bytes"},
        {"source": "train.jsonl:4", "record": f"{UNREADABLE}the line has more than 10,000,000 bytes"},
        {"source": "train.jsonl:5", "record": "{}"},
    ]


def test_a_list_gives_its_members_as_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "train.json"
    file.write_text(' [ {"id": 1.50} ,\n"odd", [2]]\n', encoding="utf-8")
    assert records([file])["record"].to_pylist() == ['{"id": 1.50}', '"odd"', "[2]"]


@pytest.mark.parametrize("ending", [".parquet", ".arrow", "stream"])
def test_tables_give_the_columns_that_make_a_record(tmp_path: Path, ending: str) -> None:
    table = pa.table(
        {
            "image": [{"bytes": b"\x00", "path": "a/1.png"}, {"bytes": None, "path": None}],
            "id": ["x", "y"],
            "conversations": [CONVERSATIONS, CONVERSATIONS],
            "more": [1, 2],
            "gold": ["B", None],
        }
    )
    file = tmp_path / f"train{ending.replace('stream', '.arrow')}"
    if ending == ".parquet":
        pq.write_table(table, file)
    else:
        new = pa.ipc.new_stream if ending == "stream" else pa.ipc.new_file
        with pa.OSFile(str(file), "wb") as sink, new(sink, table.schema) as writer:
            writer.write_table(table)
    read = records([file])
    assert read["source"].to_pylist() == [f"{file.name}:1", f"{file.name}:2"]
    assert [json.loads(text) for text in read["record"].to_pylist()] == [
        {"id": "x", "image": "a/1.png", "conversations": CONVERSATIONS, "gold": "B"},
        {"id": "y", "image": None, "conversations": CONVERSATIONS},
    ]


def test_a_folder_gives_its_lines_files_and_equal_names_are_told_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "train.jsonl").write_text("{}\n")
        (tmp_path / folder / "notes.txt").write_text("none of ours")
    read = records([tmp_path / "a", tmp_path / "b" / "train.jsonl"])
    assert read["source"].to_pylist() == ["a/train.jsonl:1", "b/train.jsonl:1"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("gone.jsonl", None, "There is no file"),
        ("empty.jsonl", b"\n \n", "has no records in it"),
        ("empty.json", b"[]", "has no records in it"),
        ("blank.json", b"", "has no records in it"),
        ("train.csv", b"id,image", "records are in files that end in .jsonl, .json, .parquet, .arrow"),
        ("object.json", b'{"a": []}', "it is no list of objects"),
        ("broken.json", b'[{"a": 1}, {"b"]', "Expecting ':' delimiter"),
        ("cut.json", b'[{"a": 1}', "behind object 1 there is neither a comma nor the list's end"),
        ("deep.json", b"[" * 200_000, "recursion"),
        ("utf16.jsonl", '{"a": 1}'.encode("utf-16"), "it is in UTF-16; save it as UTF-8"),
        ("broken.parquet", b"PAR1 nothing", "Cannot read"),
        ("broken.arrow", b"nothing", "Cannot read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(
    tmp_path: Path, name: str, content: bytes | None, told: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=told) as caught:
        records([tmp_path / name])
    assert name in str(caught.value)


def test_a_table_without_conversations_and_a_folder_without_records_are_named(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="no column 'conversations', but id"):
        records([tmp_path / "a.parquet"])
    with pytest.raises(InputError, match=r"has no \.jsonl file"):
        records([tmp_path])
    with pytest.raises(InputError, match="no files to read"):
        records([])
