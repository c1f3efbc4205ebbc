"""ConversationReader: the rows of a data set again, and lines that are none."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import InputError
from dataflow_ext.testing import check_operator
from operators.scene.conversation_reader import ConversationReader, conversation_files
from tests.scene.output.sets import SCHEMA, files, finished, several, table, written


def rejects(out: Path) -> list[tuple[str, str]]:
    found = ConversationReader().apply(conversation_files(out)).rejects.to_pylist()
    return [(each["error"], each["message"].removeprefix(f"{out}/conversations.jsonl, ")) for each in found]


def change(out: Path, number: int, edit: Any) -> None:
    """Change a line of the data file: its text, or what ``edit`` does to its entry."""
    path = out / "conversations.jsonl"
    lines = path.read_bytes().split(b"\n")
    if isinstance(edit, bytes):
        lines[number - 1] = edit
    else:
        entry = json.loads(lines[number - 1])
        edit(entry)
        lines[number - 1] = json.dumps(entry).encode()
    path.write_bytes(b"\n".join(lines))


def test_rows_come_back_as_they_were_written_with_the_pictures_of_the_data_set(tmp_path):
    out = written(tmp_path / "out", several(tmp_path))
    done = ConversationReader().apply(conversation_files(out))
    assert done.rejects.num_rows == 0
    assert done.table.drop_columns(["row_id"]).schema == SCHEMA
    wanted = sorted(several(tmp_path), key=lambda each: (each["scene_id"], each["chain_id"]))
    for row, was in zip(done.table.to_pylist(), wanted, strict=True):
        assert row["images"] == [f"{out}/images/{was['id']}/step_{number}.png" for number in range(4)]
        kept = {key: value for key, value in row.items() if key not in ("row_id", "images", "camera")}
        assert kept == {key: was[key] for key in kept}
        assert json.loads(row["camera"]) == json.loads(was["camera"])


def test_what_is_read_is_written_with_the_same_bytes(tmp_path):
    out = written(tmp_path / "out", several(tmp_path))
    before = files(out)
    read = ConversationReader()(conversation_files(out)).drop_columns(["row_id"])
    rows = [{**row, "images": [Path(path) for path in row["images"]]} for row in read.to_pylist()]
    assert files(written(tmp_path / "other", rows)) == before
    assert files(written(out, rows)) == before


@pytest.mark.parametrize(
    ("edit", "error", "message"),
    [
        (b"{", "row.shape", "line 2: row.shape: the line is no JSON, or tells a key twice"),
        (b"", "row.shape", "line 2: row.shape: the line is no JSON, or tells a key twice"),
        (b"[" * 100_000, "row.shape", "line 2: row.shape: the line is no JSON, or tells a key twice"),
        (b'{"id": "a\xff"}', "row.shape", "line 2: row.shape: the line is not UTF-8 (byte 10)"),
        (b"[]", "row.shape", "line 2: row.shape: the line is no JSON object"),
        (lambda e: e["messages"].pop(0), "message.roles", "line 2: message.roles: the roles are "),
        (lambda e: e["images"].__setitem__(1, "../../etc/passwd"), "images.names",
         "line 2: images.names: '../../etc/passwd' is no path below the data set"),
        (lambda e: e["images"].__setitem__(1, "/etc/passwd"), "images.names", "line 2: images.names: '/etc/passwd' is"),
        (lambda e: e["metadata"].update(chain_seed="x"), "row.shape", "line 2: row.shape: its values cannot be a row"),
        (lambda e: e["metadata"].update(scores={"beauty": 1}), "row.shape", "line 2: row.shape: metadata.scores are no points"),
        (lambda e: e["metadata"].update(chain_seed=1 << 70), "row.shape", "line 2: row.shape: its values cannot be a row"),
        (lambda e: e["metadata"].update(global_user_instruction="Another."), "row.shape",
         "line 2: row.shape: turn 0 does not repeat the instruction that the metadata tells"),
        (lambda e: e["metadata"]["final_scene"].update(room_type="hall"), "replay.final",
         "line 2: replay.final: the final scene: room_type differs"),
        (lambda e: e["messages"][5].update(content=e["messages"][5]["content"].replace("[1.4,", "[1.3,")),
         "replay.state", "line 2: replay.state: turn 2: 'own-chair' is told with pos [1.3, 0.0, -1.7]"),
        (lambda e: e["metadata"]["retrievals"].pop("tool_4"), "call.no_retrieval", "line 2: call.no_retrieval: "),
    ],
)  # fmt: skip
def test_a_broken_line_is_a_reject_with_its_number_and_costs_no_other_its_row(tmp_path, edit, error, message):
    out = written(tmp_path / "out", several(tmp_path))
    change(out, 2, edit)
    [(found, told)] = rejects(out)
    assert (found, told[: len(message)]) == (error, message)
    assert ConversationReader().apply(conversation_files(out)).table["chain_id"].to_pylist() == [1, 1, 2]


def test_a_reject_keeps_file_number_and_beginning_of_its_line(tmp_path):
    out = written(tmp_path / "out", several(tmp_path))
    change(out, 3, b"x" * 5000)
    [reject] = ConversationReader().apply(conversation_files(out)).rejects.to_pylist()
    told = json.loads(reject["inputs"])
    assert told == {"file": f"{out}/conversations.jsonl", "line": 3, "text": "x" * 2000}


def test_the_other_spelling_of_a_missing_id_is_read_too(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    path = out / "conversations.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("<NEED_RETRIVEAL>", "<NEED_RETRIEVAL>"), encoding="utf-8")
    assert rejects(out) == []


def test_a_folder_without_a_data_set_is_told(tmp_path):
    with pytest.raises(InputError, match="There is no folder"):
        conversation_files(tmp_path / "none")
    with pytest.raises(InputError, match=r"has no data set: there is no conversations\.jsonl in it"):
        conversation_files(tmp_path)


def test_a_file_that_is_not_there_is_a_reject(tmp_path):
    done = ConversationReader().apply(pa.table({"file": [str(tmp_path / "none.jsonl")]}))
    assert done.rejects["message"].to_pylist() == [f"Cannot read {tmp_path}/none.jsonl: No such file or directory."]


def test_the_laws_of_operators_hold(tmp_path):
    one, other = (written(tmp_path / name, several(tmp_path)) for name in ("one", "other"))
    change(other, 1, b"{")
    both = pa.concat_tables([conversation_files(one), conversation_files(other)])
    assert check_operator(ConversationReader(), both).num_rows == 7
    assert table([]).schema == SCHEMA
