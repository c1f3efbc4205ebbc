"""The rooms in files and folders: which are found, what they are called, what is refused."""

import logging
from pathlib import Path

import pytest

from dataflow_ext import InputError, OptionError
from operators.scene.reading.room_file import rooms
from tests.scene.rooms_on_disk import wrote


def found(*inputs: Path) -> dict[str, str]:
    table = rooms(inputs)
    return dict(zip(table["scene_id"].to_pylist(), table["scene_file"].to_pylist(), strict=True))


def test_folders_are_walked_and_files_named_by_their_place_below_them(tmp_path):
    for name in ("b/c/two.json", "one.JSON", "many.jsonl", "notes.txt", ".hidden/x.json", ".y.json", "old/z.json"):
        wrote(tmp_path / name, b"")
    (tmp_path / "old" / ".run").mkdir()
    assert found(tmp_path) == {
        "b/c/two": str(tmp_path / "b/c/two.json"),
        "many": str(tmp_path / "many.jsonl"),
        "one": str(tmp_path / "one.JSON"),
    }


def test_a_file_given_by_itself_is_called_by_its_name(tmp_path):
    assert found(wrote(tmp_path / "a/room.json", b"")) == {"room": str(tmp_path / "a/room.json")}


def test_the_order_of_the_inputs_makes_no_difference(tmp_path):
    one, two = wrote(tmp_path / "a/x.json", b"").parent, wrote(tmp_path / "b/y.json", b"").parent
    assert rooms([one, two]).equals(rooms([two, one]))
    assert rooms([one, tmp_path]).equals(rooms([tmp_path, one]))


def test_a_file_that_is_found_twice_counts_once(tmp_path):
    file = wrote(tmp_path / "a/x.json", b"")
    assert found(tmp_path, file, tmp_path / "a") == {"a/x": str(file)}


def test_two_rooms_with_one_id_are_refused_and_both_named(tmp_path):
    one, two = wrote(tmp_path / "a/x.json", b""), wrote(tmp_path / "b/x.json", b"")
    with pytest.raises(OptionError) as caught:
        rooms([one.parent, two.parent])
    assert str(caught.value) == (
        f"Two rooms would both be called 'x': {one} and {two}; rename one, or give the folder above both."
    )


def test_a_file_that_is_called_like_a_line_of_another_is_refused(tmp_path):
    wrote(tmp_path / "x.jsonl", b"")
    wrote(tmp_path / "x#2.json", b"")
    with pytest.raises(OptionError, match="Two rooms would both be called 'x#2'"):
        rooms([tmp_path])


@pytest.mark.parametrize(
    ("name", "why"),
    [("empty", "there is no room in it"), ("gone", "no such file or folder"), ("a.txt", "a room is a file .json")],
)
def test_nothing_to_be_found_is_one_clear_error(tmp_path, name, why):
    (tmp_path / "empty").mkdir()
    wrote(tmp_path / "a.txt", b"")
    with pytest.raises(InputError, match=why):
        rooms([tmp_path / name])


def test_no_input_is_an_error():
    with pytest.raises(InputError, match="no file and no folder was given"):
        rooms([])


def test_links_that_leave_the_folder_are_refused_and_told_of(tmp_path, caplog):
    outside = wrote(tmp_path / "outside/secret.json", b"")
    inside = wrote(tmp_path / "in/x.json", b"")
    (tmp_path / "in/leaving.json").symlink_to(outside)
    (tmp_path / "in/folder").symlink_to(outside.parent)
    (tmp_path / "in/nowhere.json").symlink_to(tmp_path / "gone")
    with caplog.at_level(logging.WARNING):
        assert found(tmp_path / "in") == {"x": str(inside)}
    assert [record.getMessage().partition(";")[0] for record in caplog.records] == [
        "2 file(s) or folder(s) are links to folders, or lead out of the folder, and are not followed",
        "1 file(s) or folder(s) cannot be read or have names that are not UTF-8",
    ]


def test_a_link_within_the_folder_counts_once(tmp_path):
    file = wrote(tmp_path / "b.json", b"")
    (tmp_path / "c.json").symlink_to(file)
    assert found(tmp_path) == {"b": str(file)}
