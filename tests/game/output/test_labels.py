"""Labels come from spreadsheets and editors: they are read as they were meant, or refused with the line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext import InputError
from operators.game.output.labels import HEADER, Label, read_labels

ROUND = ("phone", "episode_001", 1)


def read(folder: Path, text: str | bytes) -> dict:
    path = folder / "labels.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_labels(path)


@pytest.mark.parametrize(
    "text",
    [
        "device,episode,round,numbers,light,answer\nphone,episode_001,1,5 8 3,GREEN,1\n",
        'device,episode,round,numbers,light,answer\r\nphone,episode_001,1,"5,8,3",green,1\r\n',
        "\ufeffdevice;episode;round;numbers;light;answer\r\nphone;episode_001;1;5,8,3;Green;1\r\n",
        "answer\tlight\tnumbers\tround\tepisode\tdevice\n1\tGREEN\t5-8-3\t1\tepisode_001\tphone\n",
        "Device, Episode, Round, Numbers, Light, Answer, note\n\n phone , episode_001 , 01 , [5 8 3] ,GREEN, 1,\n,,,,,,\n",
        "device,episode,round,numbers,light,answer\nphone,episode_001,１,５、８、３,GREEN,1",
        "device,episode,round,numbers,light,answer\nphone,episode_001,1,5 8 3,GREEN,1\n".encode("utf-16"),
    ],
)
def test_a_label_is_read_however_it_was_saved(tmp_path: Path, text: str | bytes) -> None:
    assert read(tmp_path, text) == {ROUND: Label((5, 8, 3), "GREEN", "1")}


def test_empty_cells_are_not_labelled_and_a_row_of_them_is_no_label(tmp_path: Path) -> None:
    text = "device,episode,round,numbers,light,answer\np,e,1,,RED,\np,e,2,1 2 3\np,e,3,,,\n"
    assert read(tmp_path, text) == {("p", "e", 1): Label(None, "RED", None), ("p", "e", 2): Label((1, 2, 3))}


def test_columns_that_are_not_labelled_may_be_missing(tmp_path: Path) -> None:
    assert read(tmp_path, "round,device,episode,answer\n1,p,e,2\n") == {("p", "e", 1): Label(answer="2")}


def test_what_the_page_marks_so_that_no_sheet_runs_it_is_read_as_it_was(tmp_path: Path) -> None:
    text = "device,episode,round,answer\n'=HYPERLINK(A1),'-1,1,2\n'phone,''=x,1,2\n"
    assert set(read(tmp_path, text)) == {("=HYPERLINK(A1)", "-1", 1), ("'phone", "'=x", 1)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "have no column device"),
        ("device,episode,round\np,e,1\n", "have no column numbers, light or answer"),
        ("device,episode,numbers\np,e,1\n", "have no column round"),
        ("device,episode,round,light,light\n", "have two columns light"),
        ("device,episode,round,numbers\n\np,e,1,5 8\n", "line 3: numbers '5 8' should be three whole numbers"),
        ("device,episode,round,numbers\np,e,1,5 8 x\n", "line 2: numbers '5 8 x' should be"),
        ("device,episode,round,numbers\np,e,1,5 8 -\n", "line 2: numbers '5 8 -' should be"),
        ("device,episode,round,numbers\np,e,1,2003/5/8\n", "line 2: numbers '2003/5/8' should be"),
        (f"device,episode,round,numbers\np,e,1,1 2 {'9' * 5000}\n", "line 2: numbers"),
        ("device,episode,round,numbers\np,e,1,5,8,3\n", "line 2: 6 cells under 4 columns"),
        ("device,episode,round,light\np,e,1,blue\n", "line 2: light 'blue' should be GREEN, RED or YELLOW, or empty"),
        ("device,episode,round,answer\np,e,1,3\n", "line 2: answer '3' should be 0, 1 or 2, or empty"),
        ("device,episode,round,answer\np,e,1.5,1\n", "line 2: device 'p', episode 'e', round '1.5' name no round"),
        ("device,episode,round,answer\n,e,1,1\n", "line 2: device '', episode 'e', round '1' name no round"),
        ("device,episode,round,answer\np,e,1,1\np,e,1,2\n", "line 3: device p, episode e, round 1 was labelled otherwise"),
        ('device,episode,round,answer\np,e,1,"1\n', "not CSV"),
        ("device,episode,round,answer\n设备,e,1,1\n".encode("gbk"), "are not UTF-8"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_told_with_its_line(tmp_path: Path, text: str | bytes, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert told in str(caught.value)
    assert "labels.csv" in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"labels.csv cannot be read: No such file"):
        read_labels(tmp_path / "labels.csv")


def test_the_same_label_twice_is_one(tmp_path: Path) -> None:
    assert len(read(tmp_path, "device,episode,round,answer\np,e,1,1\np,e,01,1\n")) == 1


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: (",".join(HEADER) + "\n" + text).encode()))
def test_any_bytes_are_labels_or_an_input_error(tmp_path_factory, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    try:
        labels = read(folder, data)
    except InputError as error:
        assert str(error)
    else:
        assert all(labels.values())
