"""The episodes below a folder: every layout, what is passed by, and what is said when there is none."""

import json
import logging
import os
from pathlib import Path

import pytest

from dataflow_ext import InputError, run
from operators.game.episode_reader import EpisodeReader
from operators.game.inputs import episodes


def wrote(root: Path, name: str, *pictures: str) -> None:
    """Metadata that names these questions and results."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pairs = zip(pictures[::2], pictures[1::2], strict=True)
    path.write_text(json.dumps({"rounds": [{"question": q, "result": r} for q, r in pairs]}))


def drawn(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def found(root: Path) -> list[list[str]]:
    """The files of each row, relative to the root."""
    table = episodes(root)
    assert set(table["root"].to_pylist()) == {str(root)}
    return [[str(Path(path).relative_to(root)) for path in row] for row in table["files"].to_pylist()]


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_each_layout_gives_a_row_an_episode_sorted(tmp_path, caplog):
    drawn(tmp_path, "b/2_question.png", "b/2_result.png", "c/7/question_1.jpg", "c/7/result_1.WEBP", "c/7/logo.jpeg")
    wrote(tmp_path, "b/episode_002_metadata.json", "b/2_question.png", "b/2_result.png")
    wrote(tmp_path, "b/episode_001_metadata.json")
    wrote(tmp_path, "a/7/metadata.json")
    drawn(tmp_path, "d/episode_1_question.png", "d/episode_1_result.png", "d/episode_2_question.png", "d/notes.txt")
    wrote(tmp_path, "lab/phone/8/metadata.json")
    assert found(tmp_path) == [
        ["a/7/metadata.json"],
        ["b/episode_001_metadata.json"],
        ["b/episode_002_metadata.json"],
        ["c/7/logo.jpeg", "c/7/question_1.jpg", "c/7/result_1.WEBP"],
        ["d/episode_1_question.png", "d/episode_1_result.png"],
        ["d/episode_2_question.png"],
        ["lab/phone/8/metadata.json"],
    ]
    assert told(caplog) == []


def test_a_root_may_be_one_devices_or_one_episodes_folder(tmp_path):
    wrote(tmp_path, "phone/7/metadata.json")
    wrote(tmp_path, "phone/8_metadata.json")
    drawn(tmp_path, "tablet/1_question.png", "tablet/1_result.png")
    assert found(tmp_path / "phone") == [["7/metadata.json"], ["8_metadata.json"]]
    assert found(tmp_path / "phone" / "7") == [["metadata.json"]]
    assert found(tmp_path / "tablet") == [["1_question.png", "1_result.png"]]


def test_hidden_folders_earlier_runs_and_links_out_of_the_root_are_passed_by(tmp_path, caplog):
    root = tmp_path / "root"
    wrote(root, "phone/e_metadata.json")
    for away in (".git", ".run/steps", "phone/.hidden", "out/.run", "out/images"):
        wrote(root, f"{away}/metadata.json")
    drawn(root, "phone/.question.png", "out/images/question_1.png", "out/images/result_1.png")
    wrote(tmp_path, "elsewhere/metadata.json")
    (root / "away").symlink_to(tmp_path / "elsewhere")
    (root / "away_metadata.json").symlink_to(tmp_path / "elsewhere" / "metadata.json")
    (root / "gone_metadata.json").symlink_to(tmp_path / "nothing")
    (root / "folder_metadata.json").mkdir()
    os.mkfifo(root / "pipe_metadata.json")
    assert found(root) == [["phone/e_metadata.json"]]
    assert told(caplog) == []


def test_what_links_within_the_root_lead_to_is_there_once(tmp_path):
    wrote(tmp_path, "phone/e_metadata.json")
    wrote(tmp_path, ".store/object")
    (tmp_path / "a_metadata.json").symlink_to("phone/e_metadata.json")
    (tmp_path / "latest").symlink_to("phone")
    (tmp_path / "phone" / "self").symlink_to(".")
    for name in ("f_metadata.json", "g_metadata.json"):
        (tmp_path / "phone" / name).symlink_to("../.store/object")
    assert found(tmp_path) == [["phone/e_metadata.json"], ["phone/f_metadata.json"]]


def test_pictures_that_no_metadata_names_are_counted_in_one_warning_and_are_no_rows(tmp_path, caplog):
    wrote(
        tmp_path,
        "phone/e_metadata.json",
        "phone/1_question.png",
        "1_result.png",
        "phone/shots/2_question.png",
        "../no",
        "\0",
        "/etc/x",
    )
    drawn(tmp_path, *(f"phone/{n}_{what}.png" for n in (1, 5) for what in ("question", "result")))
    drawn(tmp_path, "phone/shots/2_question.png", "phone/shots/3_question.png", "thumbs/1.png")
    assert found(tmp_path) == [["phone/e_metadata.json"]]
    assert told(caplog) == [
        f"{tmp_path}: 4 pictures are not used, as no metadata names them and no episode is made of them; the first: "
        "phone/5_question.png"
    ]


def test_a_folder_of_pictures_that_metadata_names_is_no_episode_of_its_own(tmp_path, caplog):
    drawn(tmp_path, "phone/shots/1_question.png", "phone/shots/1_result.png")
    wrote(tmp_path, "phone/e_metadata.json", "phone/shots/1_question.png", "shots\\1_result.png")
    assert found(tmp_path) == [["phone/e_metadata.json"]]
    assert told(caplog) == []


def test_metadata_that_cannot_be_read_is_a_row_for_its_reader_to_refuse(tmp_path, caplog):
    (tmp_path / "phone").mkdir()
    (tmp_path / "phone" / "e_metadata.json").write_bytes(b"\xff{")
    drawn(tmp_path, "phone/1_question.png")
    assert found(tmp_path) == [["phone/e_metadata.json"]]
    assert told(caplog) == [
        f"{tmp_path}: 1 picture is not used, as no metadata names them and no episode is made of them; the first: "
        "phone/1_question.png"
    ]


def test_what_cannot_be_read_or_has_no_name_that_a_table_can_hold_is_told(tmp_path, caplog):
    wrote(tmp_path, "phone/e_metadata.json")
    (tmp_path / "\udcff").mkdir()  # a byte that is no UTF-8, as Python writes it
    (tmp_path / "phone" / "\udcfe.png").touch()
    first = f"{tmp_path}/\udcff"
    assert found(tmp_path) == [["phone/e_metadata.json"]]
    assert told(caplog) == [
        f"{tmp_path}: 2 folder(s) or file(s) cannot be read or have names that are not UTF-8; the first: {first!r}"
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda root: None,
        lambda root: root.touch(),
        lambda root: root.mkdir(),
        lambda root: drawn(root, "phone/logo.png"),
    ],
)
def test_where_there_is_no_episode_one_sentence_says_what_a_root_looks_like(make, tmp_path):
    root = tmp_path / "root"
    make(root)
    what = "there is no episode in it" if root.is_dir() else "there is no such folder"
    what = "is a file, no folder" if root.is_file() else what
    with pytest.raises(InputError) as caught:
        episodes(root)
    assert str(caught.value) == (
        f"{root}: {what}; a root looks like this: ROOT/DEVICE/episode_001_metadata.json with its screenshots beside it, "
        "or ROOT/DEVICE/EPISODE/ with a metadata.json or with pictures that have 'question' and 'result' in their names."
    )


def test_a_root_without_a_name_that_a_table_can_hold_is_refused(tmp_path):
    root = tmp_path / "\udcff"
    wrote(root, "phone/e_metadata.json")
    with pytest.raises(InputError, match="the folder's name is not UTF-8; rename it"):
        episodes(root)


def test_a_root_given_relative_to_the_working_folder_is_read_as_any_other(tmp_path, monkeypatch):
    wrote(tmp_path, "data/phone/e_metadata.json", "phone/1_question.png", "phone/1_result.png")
    drawn(tmp_path, "data/tablet/1_question.png", "data/tablet/1_result.png")
    monkeypatch.chdir(tmp_path)
    rows = (
        run([EpisodeReader()], episodes(Path("data")))
        .table.select(["device", "episode", "question", "image"])
        .to_pylist()
    )
    assert rows == [
        {"device": "phone", "episode": "e", "question": "data/phone/1_question.png", "image": "phone/1_question.png"},
        {
            "device": "tablet",
            "episode": "tablet",
            "question": "data/tablet/1_question.png",
            "image": "tablet/1_question.png",
        },
    ]
    monkeypatch.chdir(tmp_path / "data")
    assert run([EpisodeReader()], episodes(Path())).table["image"].to_pylist() == [row["image"] for row in rows]


def test_what_is_found_and_what_was_changed_since_is_read_anew_in_a_remembered_run(tmp_path):
    root, steps = tmp_path / "root", [EpisodeReader()]
    wrote(root, "phone/e_metadata.json", "1_question.png", "1_result.png")
    assert run(steps, episodes(root), cache_dir=tmp_path / "cache").table.num_rows == 1
    wrote(root, "phone/e_metadata.json", "1_question.png", "1_result.png", "2_question.png", "2_result.png")
    assert run(steps, episodes(root), cache_dir=tmp_path / "cache").table.num_rows == 2
