"""SceneReader: rooms of files and of lines, what is told of them, and what is rejected."""

import json
import logging
from pathlib import Path

import pytest

from dataflow_ext import OptionError
from dataflow_ext.testing import check_operator
from operators.scene.scene_reader import SceneReader
from tests.scene.rooms_on_disk import a_room, files, in_groups, thing, wrote


def lines(*rooms: object) -> bytes:
    return b"\n".join(room if isinstance(room, bytes) else json.dumps(room).encode() for room in rooms)


def test_a_file_is_a_room(tmp_path):
    file = wrote(tmp_path / "r.json", a_room(thing("a"), thing("a"), thing("far", x=99)))
    [row] = SceneReader()(files(file)).to_pylist()
    scene = json.loads(row.pop("scene"))
    del row["row_id"]
    assert row == {
        "scene_id": "r",
        "room_type": "bedroom",
        "objects": 2,
        "junk": ['$.objects[2] (far, "A chair"): its middle is 95.00 m outside the room'],
    }
    assert scene == a_room(thing("a", asset_jid="a"), thing("a__2", asset_jid="a"))


def test_each_line_is_a_room_and_a_broken_one_costs_itself_alone(tmp_path):
    bad = b'{"room_id": "\xc3\xa4'
    file = wrote(tmp_path / "m.jsonl", lines(a_room(thing("a")), b"", bad, b" ", in_groups(("bed", [thing("b")]))))
    done = SceneReader().apply(files(file))
    assert done.table["scene_id"].to_pylist() == ["m#1", "m#5"]
    [reject] = done.rejects.to_pylist()
    assert reject["error"] == "SceneError"
    assert reject["message"].startswith(f"{file}, line 3: It is no JSON (Unterminated string")
    assert json.loads(reject["inputs"]) == {"scene_file": str(file), "line": 3, "text": bad.decode()}


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("x.json", b"{", "{file}: It is no JSON ("),
        ("x.json", a_room(), "{file}: The room is empty: it has no objects."),
        ("x.jsonl", b"\n \n", "{file}: the file is empty; each of its lines is to be a room."),
        ("x.json", None, "{file}: it cannot be read (No such file or directory)."),
        ("x.jsonl", None, "{file}: it cannot be read (No such file or directory)."),
    ],
)
def test_a_broken_file_is_one_reject(tmp_path, name, data, why):
    file = tmp_path / name
    if data is not None:
        wrote(file, data)
    good = wrote(tmp_path / "good.json", a_room(thing("a")))
    done = SceneReader().apply(files(file, good))
    assert done.table["scene_id"].to_pylist() == ["good"]
    [message] = done.rejects["message"].to_pylist()
    assert message.startswith(why.format(file=file))


def test_a_folder_in_place_of_a_file_is_one_reject(tmp_path):
    (tmp_path / "x.json").mkdir()
    [message] = SceneReader().apply(files(tmp_path / "x.json")).rejects["message"].to_pylist()
    assert message == f"{tmp_path / 'x.json'}: it cannot be read (Is a directory)."


def test_junk_is_kept_if_it_is_wanted(tmp_path):
    file = wrote(tmp_path / "r.json", a_room(thing("a"), thing("far", x=99), thing("flat", size=[1, 0, 1])))
    [row] = SceneReader(junk="keep")(files(file)).to_pylist()
    assert (row["objects"], len(row["junk"])) == (2, 2)
    [row] = SceneReader(far=100)(files(file)).to_pylist()
    assert (row["objects"], len(row["junk"])) == (2, 1)


def test_what_is_put_right_is_told_in_the_log(tmp_path, caplog):
    file = wrote(tmp_path / "r.json", a_room(*(thing(f"a{i}", rot=[0, 0, 0, 0]) for i in range(7))))
    with caplog.at_level(logging.WARNING):
        SceneReader()(files(file))
    told = "; ".join(
        f"$.objects[{i}].rot: a quaternion of length 0 is no rotation; it is now [0, 0, 0, 1]" for i in range(5)
    )
    assert [record.getMessage() for record in caplog.records] == [f"{file}: {told}; and 2 more"]


def test_a_line_that_is_too_long_is_passed_by_to_its_end(tmp_path, monkeypatch):
    for module in ("scene_reader", "model.json_values"):
        monkeypatch.setattr(f"operators.scene.{module}.MOST_BYTES", 2_000)
    long = a_room(thing("a", desc="x" * 9_000))
    file = wrote(tmp_path / "m.jsonl", lines(long, a_room(thing("b"))))
    done = SceneReader().apply(files(file))
    assert done.table["scene_id"].to_pylist() == ["m#2"]
    assert done.rejects["message"].to_pylist() == [f"{file}, line 1: 2,001 bytes are no room; the most is 2,000."]


def test_options_are_checked():
    with pytest.raises(OptionError, match="junk"):
        SceneReader(junk="burn")
    with pytest.raises(OptionError, match="far"):
        SceneReader(far=-1)


def test_it_keeps_the_laws_of_operators(tmp_path: Path):
    rooms = [
        wrote(tmp_path / "a.json", a_room(thing("a"))),
        wrote(tmp_path / "b.json", b"{"),
        wrote(tmp_path / "c.jsonl", lines(a_room(thing("a")), b"{", in_groups(("bed", [thing("b")])))),
    ]
    assert check_operator(SceneReader(), files(*rooms))["scene_id"].to_pylist() == ["a", "c#1", "c#3"]
