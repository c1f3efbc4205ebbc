"""Data sets in folders whose bytes are damaged: the check tells the line and the code."""

import json
import shutil
from pathlib import Path

import pytest

from operators.scene.replaying import check
from tests.scene.laws.damages_of_folders import (
    DATA,
    OF_FOLDERS,
    bytes_of,
    encoded_again,
    picture,
    raw,
    second,
    with_a_remark,
)
from tests.scene.laws.lines import lines, made

DAMAGES = [
    pytest.param(code, change, id=f"{code}: {name}")
    for code, named in OF_FOLDERS.items()
    for name, change in named.items()
]


@pytest.fixture
def folder(tmp_path):
    """A data set of two lines of one turn, with their pictures."""
    out = tmp_path / "set"
    found = [line for name, line in sorted(lines().items()) if name.startswith("single_turn")]
    for line in found:
        for name in line["images"]:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made(True).folder / name, out / name)
    (out / DATA).write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in found))
    return out


def alone(folder: Path) -> None:
    """Leave the second line alone in the data file; drawing pictures again is slow."""
    raw(lambda data: data.splitlines(keepends=True)[-1])(folder)


def told(folder: Path, redraw: bool) -> list[tuple[int, str]]:
    return [(found.line, found.problem.code) for found in check(folder, redraw=redraw).problems]


def test_a_data_set_that_is_whole_has_no_problems(folder):
    done = check(folder)
    assert (done.problems, done.lines, done.pictures) == ([], 2, 4)


@pytest.mark.parametrize(("codes", "damage"), DAMAGES)
def test_a_damage_of_the_second_line_is_told_by_its_code(folder, codes, damage):
    damage(folder)
    redraw = "image.other" in codes
    if redraw:
        alone(folder)
    found = told(folder, redraw)
    assert {code for _, code in found} & set(codes.split("|"))
    assert {line for line, _ in found} <= ({1} if redraw else {2, 3})


def test_a_mark_of_bytes_at_the_beginning_is_told(folder):
    raw(lambda data: b"\xef\xbb\xbf" + data)(folder)
    assert told(folder, redraw=False) == [(1, "row.shape")]


def test_a_picture_that_was_encoded_again_shows_the_same(folder):
    bytes_of(lambda data: with_a_remark(encoded_again(data)))(folder)
    alone(folder)
    assert told(folder, redraw=True) == []


HONEST = {
    "line ends of another system": raw(lambda data: data.replace(b"\n", b"\r\n")),
    "no line end at the end of the file": raw(lambda data: data[:-1]),
    "lines in another order": raw(lambda data: b"".join(reversed(data.splitlines(keepends=True)))),
    "signs beyond ASCII as they are": second(
        lambda line: json.dumps(json.loads(line), ensure_ascii=False).encode() + b"\n"),
    "a file beside the pictures": lambda folder: (folder / "images" / "notes.txt").write_text("mine"),
    "a picture more than the line names": lambda folder: shutil.copyfile(
        picture(folder), picture(folder).with_name("step_9.png")),
    "another data set beside it": lambda folder: (folder / "swift.jsonl").write_text("{}\n"),
}  # fmt: skip


@pytest.mark.parametrize("change", HONEST.values(), ids=HONEST)
def test_what_changes_nothing_is_not_told(folder, change):
    change(folder)
    assert told(folder, redraw=False) == []
