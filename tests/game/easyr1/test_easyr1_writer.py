"""EasyR1Writer: what stands in the folder afterwards, and what becomes of rows that cannot go into it."""

import json
import os
import resource
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dataflow_ext import InputError
from dataflow_ext.pictures import without_metadata
from dataflow_ext.testing import check_operator
from operators.game.easyr1.checker import has_errors, validate
from operators.game.easyr1.form import NAMES, image_tokens
from operators.game.easyr1_writer import EasyR1Writer
from tests.game.easyr1.data_sets import PROBLEM, picture, row, rows, table


def _files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _messages(done: object) -> list[str]:
    return done.rejects["message"].to_pylist()


def test_the_folder_holds_the_data_files_the_pictures_and_a_readme_and_nothing_else(tmp_path):
    out = tmp_path / "out"
    done = EasyR1Writer(out=out).apply(table(rows(tmp_path / "raw")))
    assert (done.table.num_rows, done.rejects.num_rows) == (8, 0)
    images = {f"images/{path}" for path in _files(tmp_path / "raw")}
    data = {"data/train.jsonl", "data/test.jsonl", "parquet/train.parquet", "parquet/test.parquet"}
    assert set(_files(out)) == images | data | {"README.md", ".run/dataset/files.json"}
    assert _lines(out / "data/test.jsonl") == [
        {"images": ["phone/episode_003_round_01_question.jpg"], "problem": PROBLEM, "answer": "0"},
        {"images": ["设备 1/episode_003_round_02_question.png"], "problem": PROBLEM, "answer": "1"},
    ]
    assert all((out / "images" / path).read_bytes() == data for path, data in _files(tmp_path / "raw").items())


def test_pictures_come_without_what_they_tell_and_with_the_same_pixels(tmp_path):
    made, out = rows(tmp_path / "raw")[:1], tmp_path / "out"
    source = tmp_path / "raw" / str(made[0]["image"])
    with Image.open(source) as opened:
        pixels, told = opened.convert("RGB"), Image.Exif()
    told[0x010F] = "52.5163N 13.3777E"
    pixels.save(source, exif=told)
    EasyR1Writer(out=out)(table(made))
    written = (out / "images" / str(made[0]["image"])).read_bytes()
    assert b"52.5163N" in source.read_bytes() and b"52.5163N" not in b"".join(_files(out).values())
    assert written == without_metadata(source.read_bytes())


def test_parquet_holds_the_same_rows_with_the_pictures_bytes_for_datasets_to_open(tmp_path):
    out = tmp_path / "out"
    EasyR1Writer(out=out)(table(rows(tmp_path / "raw")))
    stored = pq.read_table(out / "parquet/train.parquet")
    features = json.loads(stored.schema.metadata[b"huggingface"])["info"]["features"]
    assert features == {"images": [{"_type": "Image"}]}
    expected = [
        {**line, "images": [{"bytes": (tmp_path / "raw" / path).read_bytes(), "path": path} for path in line["images"]]}
        for line in _lines(out / "data/train.jsonl")
    ]
    assert stored.to_pylist() == expected


def test_rows_stand_in_the_order_of_their_places_however_they_come(tmp_path):
    made = rows(tmp_path / "raw")
    EasyR1Writer(out=tmp_path / "a")(table(made))
    EasyR1Writer(out=tmp_path / "b")(table(made[::-1]))
    assert [line["answer"] for line in _lines(tmp_path / "b/data/train.jsonl")] == ["0", "1", "2", "0", "1", "2"]
    assert _files(tmp_path / "a") == _files(tmp_path / "b")


def test_the_writer_keeps_the_laws_of_operators(tmp_path):
    made = rows(tmp_path / "raw")[:3]
    lost = {**made[0], "image": "lost.png", "question": str(tmp_path / "lost.png")}
    out = check_operator(EasyR1Writer(out=tmp_path / "out"), table([*made, lost]))
    assert out["image"].to_pylist() == [each["image"] for each in made]


def _damaged(path: Path) -> str:
    data = picture(path, 1).read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return str(path)


def _turned(path: Path) -> str:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (40, 30)).save(path, exif=exif)
    return str(path)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"image": "../out.png"}, "The path '../out.png' of the picture leaves the folder of pictures."),
        ({"image": "a/../../b.png"}, "The path 'a/../../b.png' of the picture leaves the folder of pictures."),
        ({"image": "/tmp/b.png"}, "The path '/tmp/b.png' of the picture is absolute; give it relative to data.image_dir."),
        ({"image": "C:b.png"}, "The path 'C:b.png' of the picture is absolute; give it relative to data.image_dir."),
        ({"image": "a\\b.png"}, "The path 'a\\\\b.png' of the picture is not a plain path such as device/picture.png."),
        ({"image": "."}, "The path '.' of the picture is not a plain path such as device/picture.png."),
        ({"image": ""}, "The path '' of the picture is empty or has control characters."),
        ({"problem": "Which?"}, "EasyR1 cannot use the row: `problem` has 0 <image> for 1 pictures: "
         "EasyR1 trains without showing them all."),
        ({"answer": "3"}, "EasyR1 cannot use the row: `answer` is '3', not one of 0, 1, 2."),
    ],
)  # fmt: skip
def test_a_row_that_easyr1_cannot_use_is_rejected_with_the_reason(tmp_path, changes, reason):
    made = rows(tmp_path / "raw")
    done = EasyR1Writer(out=tmp_path / "out").apply(table([*made, {**made[0], **changes}]))
    assert (done.table.num_rows, _messages(done)) == (8, [reason])
    assert set(_files(tmp_path)) & {"b.png", "out.png"} == set()
    assert [p for p in validate(tmp_path / "out") if p.severity == "error"] == []


def test_pictures_that_vanished_or_are_damaged_or_turned_cost_their_rows_alone(tmp_path):
    made = rows(tmp_path / "raw")
    made[0]["question"] = str(tmp_path / "gone.png")
    made[1]["question"] = _damaged(tmp_path / "half.png")
    made[2]["question"] = _turned(tmp_path / "turned.jpg")
    made[3]["question"] = str(tmp_path)
    done = EasyR1Writer(out=tmp_path / "out").apply(table(made))
    assert done.table.num_rows == 4
    messages = [message.replace(str(tmp_path), "") for message in _messages(done)]
    assert messages[0] == "The picture /gone.png is not there."
    assert messages[1].startswith("The picture /half.png is damaged (")
    assert messages[2].startswith("The picture /turned.jpg is turned by its EXIF data (orientation 6)")
    assert messages[3] == "The picture  is not there."
    assert [p for p in validate(tmp_path / "out") if p.severity == "error"] == []


def test_a_picture_that_is_trained_on_is_in_no_test_row(tmp_path):
    made = [
        row(tmp_path / "in", "a/1.png", 1),
        row(tmp_path / "in", "b/copy.png", 1, "test"),
        row(tmp_path / "in", "b/2.png", 2, "test"),
    ]
    done = EasyR1Writer(out=tmp_path / "out").apply(table(made))
    assert done.table["image"].to_pylist() == ["a/1.png", "b/2.png"]
    assert done.rejects["message"].to_pylist() == [
        "The picture b/copy.png shows the same as a/1.png, which is trained on."
    ]
    assert not has_errors(validate(tmp_path / "out"))


def test_one_path_goes_to_one_picture_even_where_case_does_not_count(tmp_path):
    first = row(tmp_path / "raw", "phone/a.png", 1)
    twin = row(tmp_path / "raw", "Phone/A.png", 2)
    other = {**row(tmp_path / "raw", "b.png", 3), "image": "phone/a.png"}
    same = {**first, "place": 9}
    done = EasyR1Writer(out=tmp_path / "out").apply(table([first, twin, other, same]))
    assert done.table["place"].to_pylist() == [1, 9]
    assert [message.split(";")[0] for message in _messages(done)] == [
        "The path Phone/A.png differs from phone/a.png only in letters' case or form, "
        "which some file systems cannot tell apart",
        "The path phone/a.png is that of another round's picture.",
    ]


def test_a_smaller_run_removes_the_pictures_and_folders_that_it_does_not_need(tmp_path):
    made, out = rows(tmp_path / "raw"), tmp_path / "out"
    EasyR1Writer(out=out)(table(made))
    mine = picture(out / "images/mine/own.png", 99)
    EasyR1Writer(out=out)(table([made[0], made[6]]))
    kept = {made[0]["image"], made[6]["image"], "mine/own.png"}
    assert set(_files(out / "images")) == kept
    assert mine.is_file()
    assert not (out / "images/设备 1").exists()
    EasyR1Writer(out=tmp_path / "fresh")(table([made[0], made[6]]))
    shutil.rmtree(out / "images/mine")
    assert _files(out) == _files(tmp_path / "fresh")


def test_without_its_list_a_run_removes_and_replaces_nothing(tmp_path):
    made, out = rows(tmp_path / "raw"), tmp_path / "out"
    EasyR1Writer(out=out)(table(made))
    (out / ".run/dataset/files.json").write_text(json.dumps({"files": [*NAMES, "README.md", "../README.md", 3]}))
    before = _files(out / "images")
    picture(tmp_path / "raw" / str(made[0]["image"]), 200)
    done = EasyR1Writer(out=out).apply(table(made[:2]))
    assert "is another file that no run has written" in _messages(done)[0]
    assert _files(out / "images") == before
    assert (out / "README.md").is_file()


@pytest.mark.parametrize("damage", ["", "{", "null", "\0\0", "3", '{"files": 3}'])
def test_one_s_own_folder_is_not_refused_because_its_list_is_damaged(tmp_path, damage):
    made, out = rows(tmp_path / "raw"), tmp_path / "out"
    EasyR1Writer(out=out)(table(made))
    picture(tmp_path / "raw" / str(made[0]["image"]), 200)
    (out / ".run/dataset/files.json").write_text(damage)
    done = EasyR1Writer(out=out).apply(table(made))
    assert _messages(done) == []
    EasyR1Writer(out=tmp_path / "fresh")(table(made))
    assert _files(out) == _files(tmp_path / "fresh")


def test_pictures_that_lie_in_the_folder_already_are_never_removed(tmp_path):
    out = tmp_path / "out"
    made = rows(out / "images")
    EasyR1Writer(out=out)(table(made))
    EasyR1Writer(out=out)(table(made[:1]))
    assert len(_files(out / "images")) == 8


def test_links_in_the_folder_of_pictures_lead_nowhere_else(tmp_path):
    made, out, elsewhere = rows(tmp_path / "raw"), tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (out / "images").mkdir(parents=True)
    (out / "images/phone").symlink_to(elsewhere, target_is_directory=True)
    done = EasyR1Writer(out=out).apply(table(made))
    assert done.table["image"].to_pylist() == [each["image"] for each in made if "设备" in str(each["image"])]
    assert list(elsewhere.iterdir()) == []


def test_a_split_without_rows_has_no_files_and_the_readme_says_so(tmp_path):
    made, out = rows(tmp_path / "raw"), tmp_path / "out"
    EasyR1Writer(out=out)(table(made))
    EasyR1Writer(out=out)(table(made[:6]))
    assert sorted(_files(out / "data")) == ["train.jsonl"]
    assert sorted(_files(out / "parquet")) == ["train.parquet"]
    readme = (out / "README.md").read_text()
    assert "**There are no test rows.**" in readme
    assert 'data.val_files="$DATA/data/train.jsonl"' in readme
    assert {p.code for p in validate(out)} == {"rows-few", "test-missing"}


def test_an_output_that_cannot_be_written_is_one_clear_sentence(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match=r"Cannot write .*out.*; make room or name another output folder"):
        EasyR1Writer(out=tmp_path / "out").apply(table(rows(tmp_path / "raw")))


@pytest.mark.parametrize("most", [100, 700])
def test_a_full_disk_is_one_clear_sentence_and_leaves_whole_files(tmp_path, most):
    made, out = rows(tmp_path / "raw"), tmp_path / "out"
    EasyR1Writer(out=out)(table(made[:1]))
    before = _files(out)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        with pytest.raises(InputError, match=r"Cannot write .*; make room or name another output folder"):
            EasyR1Writer(out=out).apply(table(made))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    after = {path: data for path, data in _files(out).items() if not path.startswith(".run/")}
    assert all(after[path] == data for path, data in before.items() if path in after)
    EasyR1Writer(out=out)(table(made))
    assert [p for p in validate(out) if p.severity == "error"] == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_one_clear_sentence(tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    with pytest.raises(InputError, match="Permission denied; make room or name another output folder"):
        EasyR1Writer(out=tmp_path / "out").apply(table(rows(tmp_path / "raw")))


def test_row_groups_stay_small(tmp_path, monkeypatch):
    monkeypatch.setattr("dataflow_ext.datasets.files.GROUP_BYTES", 1000)
    EasyR1Writer(out=tmp_path / "out")(table(rows(tmp_path / "raw")))
    with pq.ParquetFile(tmp_path / "out/parquet/train.parquet") as file:
        assert file.metadata.num_row_groups > 1
        assert file.read().num_rows == 6


def test_the_readme_gives_settings_that_fit_these_very_rows(tmp_path):
    made = rows(tmp_path / "raw")
    picture(tmp_path / "raw" / str(made[0]["image"]), 0, size=(1080, 2340))
    EasyR1Writer(out=tmp_path / "out")(table(made))
    text = (tmp_path / "out/README.md").read_text()
    assert "6 training rows (answers: 2 x 0, 2 x 1, 2 x 2), 2 test rows (answers: 1 x 0, 1 x 1, 0 x 2)" in text
    settings = [line.strip(" \\") for line in text.splitlines() if line.startswith(("    data.", "    worker."))]
    assert settings[:11] == [
        'data.train_files="$DATA/data/train.jsonl"',
        'data.val_files="$DATA/data/test.jsonl"',
        "data.prompt_key=problem",
        "data.answer_key=answer",
        "data.image_key=images",
        'data.image_dir="$DATA/images"',
        "data.max_pixels=1048576",
        "data.max_prompt_length=2048",
        "data.rollout_batch_size=4",
        "worker.actor.global_batch_size=4",
        "worker.actor.model.model_path=Qwen/Qwen2.5-VL-7B-Instruct",
    ]
    assert "the largest picture (1080 x 2340) costs 3,276 image tokens" in text
    assert "and 1,350 with this setting" in text
    assert str(tmp_path) not in text


@given(st.integers(1, 9000), st.integers(1, 9000))
def test_no_screenshot_overruns_the_prompt_with_the_setting_of_the_readme(width, height):
    if max(width, height) <= 10 * min(width, height):
        assert image_tokens(width, height, max_pixels=1_048_576) < 1_600
        assert image_tokens(width, height) == image_tokens(height, width)
