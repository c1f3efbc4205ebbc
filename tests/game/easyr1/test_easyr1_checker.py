"""The checker of EasyR1 data sets: every rule broken once and caught by its code, and no alarm on good sets."""

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from operators.game.easyr1.checker import CODES, Problem, has_errors, told, validate
from operators.game.easyr1_writer import EasyR1Writer
from tests.game.easyr1.data_sets import PROBLEM, picture, row, rows, table

Rows = list[dict[str, object]]


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Path:
    """A data set as the writer leaves it; tests break a copy of it."""
    base = tmp_path_factory.mktemp("good")
    EasyR1Writer(out=base / "set")(table(rows(base / "raw")))
    return base / "set"


@pytest.fixture
def copy(good, tmp_path) -> Path:
    return shutil.copytree(good, tmp_path / "数据 set")


def _codes(folder: Path, **options: object) -> set[str]:
    return {problem.code for problem in validate(folder, rollout_batch_size=1, **options)}


def _edit(path: Path, change: Callable[[Rows], object]) -> None:
    """Change the rows of a JSONL file in place."""
    made = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(made)
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in made), encoding="utf-8")


def test_what_the_writer_leaves_has_no_problem(good):
    assert validate(good, rollout_batch_size=6) == []


def test_the_data_folder_and_each_file_alone_have_no_problem(good):
    images = good / "images"
    assert validate(good / "data", images, rollout_batch_size=6) == []
    assert validate(good / "parquet", rollout_batch_size=6) == []
    for name in ("data/train.jsonl", "data/test.jsonl", "parquet/train.parquet", "parquet/test.parquet"):
        assert validate(good / name, images, rollout_batch_size=6) == []


def test_one_row_of_each_split_is_a_good_data_set(tmp_path):
    made = [row(tmp_path / "raw", "手机/第 一.png", 1), row(tmp_path / "raw", "手机/第 二.JPG", 2, "test")]
    EasyR1Writer(out=tmp_path / "out")(table(made))
    assert validate(tmp_path / "out", rollout_batch_size=1) == []


def test_windows_line_ends_and_a_last_line_without_its_end_are_fine(copy):
    path = copy / "data/train.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").removesuffix(b"\r\n"))
    assert _codes(copy) == set()


def test_a_list_of_bytes_in_parquet_is_fine(copy, tmp_path):
    stored = pq.read_table(copy / "parquet/train.parquet").to_pylist()
    lists = [[picture["bytes"] for picture in each["images"]] for each in stored]
    made = pa.table({"images": lists, **{name: [each[name] for each in stored] for name in ("problem", "answer")}})
    pq.write_table(made, tmp_path / "bytes.parquet")
    assert _codes(tmp_path / "bytes.parquet") == set()


_VALUES: list[tuple[str, dict[str, object]]] = [
    ("answer-integer", {"answer": 1}),
    ("answer-type", {"answer": None}),
    ("answer-type", {"answer": True}),
    ("answer-type", {"answer": 1.0}),
    ("answer-value", {"answer": "3"}),
    ("answer-value", {"answer": " 1"}),
    ("answer-value", {"answer": "１"}),
    ("problem-type", {"problem": None}),
    ("problem-type", {"problem": ["<image>Which?"]}),
    ("problem-empty", {"problem": ""}),
    ("problem-empty", {"problem": "<image> "}),
    ("problem-token", {"problem": PROBLEM + "<|image_pad|>"}),
    ("image-marks-few", {"problem": "Which?"}),
    ("image-marks-many", {"problem": "<image><image>Which?"}),
    ("images-type", {"images": "phone/a.png"}),
    ("images-type", {"images": None}),
    ("images-empty", {"images": [], "problem": "Which?"}),
    ("image-type", {"images": [7]}),
    ("image-type", {"images": [None]}),
    ("image-name", {"images": [""]}),
    ("image-name", {"images": ["a\0.png"]}),
    ("image-absolute", {"images": ["/etc/passwd"]}),
    ("image-absolute", {"images": ["C:\\a.png"]}),
    ("image-absolute", {"images": ["\\\\server\\a.png"]}),
    ("image-outside", {"images": ["../data/train.jsonl"]}),
    ("image-outside", {"images": ["..\\a.png"]}),
    ("image-missing", {"images": ["phone/nothing.png"]}),
    ("image-missing", {"images": ["phone"]}),
    ("image-missing", {"images": ["https://example.org/a.png"]}),
    ("image-missing", {"images": ["a" * 5000]}),
    ("column-extra", {"level": 1}),
]


@pytest.mark.parametrize(("code", "change"), _VALUES)
def test_a_wrong_value_is_caught_by_its_code_and_line(copy, code, change):
    _edit(copy / "data/train.jsonl", lambda made: made[1].update(change))
    found = [p for p in validate(copy, rollout_batch_size=1) if p.code not in ("forms-differ", "row-repeated")]
    assert [(p.file, p.row, p.code, p.severity) for p in found] == [("data/train.jsonl", 2, code, CODES[code])]


@pytest.mark.parametrize("column", ["images", "problem", "answer"])
def test_a_missing_column_is_caught_in_jsonl_and_in_parquet(copy, column):
    _edit(copy / "data/test.jsonl", lambda made: made[0].pop(column))
    path = copy / "parquet/train.parquet"
    pq.write_table(pq.read_table(path).drop_columns([column]), path)
    found = [(p.file, p.row) for p in validate(copy) if p.code == "column-missing"]
    assert found == [("data/test.jsonl", 1), *(("parquet/train.parquet", number) for number in range(1, 7))]


_LINE = '{"images": ["phone/episode_000_round_01_question.jpg"], "problem": "<image>Which?", "answer": "0"}'


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("json-invalid", b"{"),
        ("json-invalid", _LINE.replace('"0"', "NaN").encode()),
        ("json-invalid", _LINE.replace('"0"', "9" * 5000).encode()),
        ("json-invalid", b"[" * 100_000),
        ("json-no-object", b"[1, 2]"),
        ("json-key-repeated", _LINE.replace('"problem"', '"answer": "1", "problem"').encode()),
        ("text-invalid", _LINE.replace("Which", "\\ud800").encode()),
        ("utf8-invalid", _LINE.replace("Which", "Où").encode("latin-1")),
        ("line-blank", b"  "),
        ("line-long", b'{"images": "' + b"a" * (9 << 20) + b'"}'),
    ],
)
def test_a_line_that_is_no_row_is_caught_by_its_code(copy, code, line):
    path = copy / "data/test.jsonl"
    path.write_bytes(path.read_bytes() + line + b"\n" + _LINE.encode() + b"\n")
    found = [p for p in validate(copy / "data", copy / "images", rollout_batch_size=1) if p.code == code]
    assert [(p.file, p.row, p.severity) for p in found] == [("test.jsonl", 3, CODES[code])]


def test_a_byte_order_mark_is_a_warning(copy):
    path = copy / "data/train.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert [(p.code, p.severity) for p in validate(copy, rollout_batch_size=1)] == [("utf8-bom", "warning")]


def _first_picture(folder: Path) -> Path:
    return folder / "images/phone/episode_000_round_01_question.jpg"


def _half(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def _turn(path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 3
    Image.new("RGB", (90, 160), "red").save(path, exif=exif)


@pytest.mark.parametrize(
    ("code", "spoil"),
    [
        ("image-missing", Path.unlink),
        ("picture-damaged", _half),
        ("picture-damaged", lambda path: path.write_text("no picture")),
        ("picture-damaged", lambda path: path.write_bytes(b"")),
        ("picture-turned", _turn),
        ("picture-shape", lambda path: Image.new("L", (900, 4)).save(path)),
        ("picture-huge", lambda path: Image.new("1", (13_400, 13_400)).save(path, "PNG")),
        ("image-outside", lambda path: (path.unlink(), path.symlink_to(__file__))),
        ("image-missing", lambda path: (path.unlink(), path.symlink_to(path))),
    ],
)
def test_a_picture_that_easyr1_cannot_show_is_caught_by_its_code(copy, code, spoil):
    spoil(_first_picture(copy))
    found = validate(copy, rollout_batch_size=1)
    assert [(p.file, p.row, p.code) for p in found] == [("data/train.jsonl", 1, code)]


def test_a_damaged_picture_inside_parquet_is_caught(copy):
    path = copy / "parquet/train.parquet"
    stored = pq.read_table(path)
    made = stored.to_pylist()
    made[2]["images"][0]["bytes"] = made[2]["images"][0]["bytes"][:100]
    made[4]["images"][0]["bytes"] = None
    pq.write_table(pa.Table.from_pylist(made, stored.schema), path)
    found = [(p.file, p.row, p.code) for p in validate(copy, rollout_batch_size=1)]
    assert found == [("parquet/train.parquet", 3, "picture-damaged"), ("parquet/train.parquet", 5, "image-type")]


def test_files_that_do_not_belong_into_the_data_folder_are_caught(copy):
    (copy / "data/annotation_stats.json").write_text("{}")
    (copy / "data/.hidden").write_text("")
    (copy / "parquet/more").mkdir()
    found = [(p.file, p.code) for p in validate(copy, rollout_batch_size=1)]
    names = ("data/.hidden", "data/annotation_stats.json", "parquet/more")
    assert found == [(name, "file-foreign") for name in names]


def test_two_types_of_data_files_in_one_folder_are_caught(copy):
    shutil.copy(copy / "parquet/test.parquet", copy / "data/test.parquet")
    assert [(p.file, p.code) for p in validate(copy, rollout_batch_size=1)] == [
        ("data/test.parquet", "file-types-mixed")
    ]


def test_a_picture_in_both_splits_is_caught_by_its_content_whatever_its_name_and_format(copy):
    training = copy / "images/phone/episode_001_round_01_question.png"
    Image.open(training).save(copy / "images/other.webp", lossless=True)
    _edit(copy / "data/test.jsonl", lambda made: made[1].update(images=["other.webp"]))
    found = validate(copy / "data", copy / "images", rollout_batch_size=1)
    assert [(p.file, p.row, p.code) for p in found] == [("test.jsonl", 2, "picture-in-both")]
    assert "row 3 of train.jsonl" in found[0].message


def test_repeated_rows_are_a_warning_and_contradicting_ones_an_error(copy):
    _edit(copy / "data/train.jsonl", lambda made: made.extend([made[0], {**made[1], "answer": "2"}]))
    found = [(p.row, p.code, p.severity) for p in validate(copy / "data", copy / "images", rollout_batch_size=1)]
    assert found == [(7, "row-repeated", "warning"), (8, "picture-contradicts", "error")]


def test_an_episode_on_both_sides_is_one_warning(tmp_path):
    made = [
        row(tmp_path / "raw", f"a/episode_001_round_0{i}_question.png", i, "test" if i > 2 else "train")
        for i in range(5)
    ]
    made.append(row(tmp_path / "raw", "b/episode_001_round_01_question.png", 7))
    EasyR1Writer(out=tmp_path / "out")(table(made))
    found = [(p.file, p.row, p.code, p.severity) for p in validate(tmp_path / "out", rollout_batch_size=1)]
    assert found == [("data/test.jsonl", 1, "episode-in-both", "warning")]


def test_jsonl_and_parquet_must_hold_the_same_rows_in_the_same_order(copy):
    _edit(copy / "data/train.jsonl", lambda made: made.insert(0, made.pop(1)))
    found = [(p.file, p.row, p.code) for p in validate(copy, rollout_batch_size=1)]
    assert found == [("parquet/train.parquet", 1, "forms-differ"), ("parquet/train.parquet", 2, "forms-differ")]


def test_a_row_or_a_file_that_one_form_lacks_is_caught(copy):
    _edit(copy / "data/train.jsonl", lambda made: made.pop())
    (copy / "parquet/test.parquet").unlink()
    found = [(p.file, p.code) for p in validate(copy, rollout_batch_size=1) if p.code == "forms-differ"]
    assert found == [("parquet/test.parquet", "forms-differ"), ("parquet/train.parquet", "forms-differ")]


def test_files_without_rows_and_files_that_are_not_there_are_caught(copy):
    shutil.rmtree(copy / "parquet")
    (copy / "data/test.jsonl").unlink()
    assert [(p.code, p.severity) for p in validate(copy, rollout_batch_size=1)] == [("test-missing", "warning")]
    (copy / "data/train.jsonl").write_text("")
    (copy / "data/test.jsonl").write_text("\n")
    assert _codes(copy) == {"train-empty", "test-empty", "line-blank"}
    (copy / "data/train.jsonl").unlink()
    assert _codes(copy) == {"train-missing", "test-empty", "line-blank"}
    (copy / "data/test.jsonl").unlink()
    assert _codes(copy) == {"data-missing"}
    assert _codes(copy / "nowhere") == {"data-missing"}


def test_fewer_training_rows_than_a_rollout_batch_are_a_warning(good):
    assert [(p.file, p.code, p.severity) for p in validate(good)] == [("data/train.jsonl", "rows-few", "warning")]


def test_pictures_that_need_max_pixels_are_one_note(tmp_path):
    made = [row(tmp_path / "raw", f"{i}.png", i, "test" if i > 2 else "train") for i in range(4)]
    for each in made[:2]:
        picture(Path(str(each["question"])), int(str(each["place"])), (1080, 2340))
    EasyR1Writer(out=tmp_path / "out")(table(made))
    found = validate(tmp_path / "out", rollout_batch_size=1)
    assert [(p.code, p.severity) for p in found] == [("prompt-long", "note")]
    assert found[0].message.startswith("2 rows cost up to 3,276 image tokens")
    assert _codes(tmp_path / "out", max_prompt_length=4096) == set()


def test_an_at_sign_in_the_path_and_an_unknown_ending_are_caught(good, tmp_path):
    shutil.copytree(good, tmp_path / "me@work")
    assert _codes(tmp_path / "me@work") == {"path-at"}
    shutil.copy(good / "data/train.jsonl", tmp_path / "train.txt")
    assert _codes(tmp_path / "train.txt") == {"file-type"}


def test_paths_without_a_folder_of_pictures_are_caught(good):
    assert _codes(good / "data/train.jsonl") == {"image-dir-missing"}


def test_a_damaged_parquet_file_is_caught(copy):
    path = copy / "parquet/train.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    assert "file-unreadable" in _codes(copy)


def test_every_code_is_broken_by_a_test_of_this_file():
    text = Path(__file__).read_text(encoding="utf-8")
    assert [code for code in CODES if f'"{code}"' not in text] == []


def test_many_problems_of_a_kind_are_counted_not_listed(tmp_path):
    (tmp_path / "train.jsonl").write_text('{"problem": "<image>?", "answer": 1}\n' * 2500)
    found = validate(tmp_path / "train.jsonl", rollout_batch_size=1)
    assert sum(p.count for p in found if p.code == "answer-integer") == 2500
    assert len(found) == 2002
    assert told(found).startswith(
        "5,000 errors, 0 warnings, 0 notes\nerror answer-integer: 2,500\n  train.jsonl, row 1:"
    )


@settings(max_examples=40)
@given(st.lists(st.binary(max_size=60) | st.text(max_size=60).map(str.encode) | st.just(_LINE.encode()), max_size=5))
def test_whatever_bytes_a_file_has_the_checker_ends_with_problems(lines):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.jsonl"
        path.write_bytes(b"\n".join(lines))
        assert has_errors(validate(path))
        path = path.rename(Path(folder) / "train.parquet")
        assert has_errors(validate(path))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda v: st.lists(v) | st.dictionaries(st.text(), v),
    max_leaves=5,
)


@settings(max_examples=40)
@given(
    st.lists(st.dictionaries(st.sampled_from(["images", "problem", "answer", "more"]), _JSON), min_size=1, max_size=5)
)
def test_whatever_values_a_row_has_the_checker_ends_with_problems(made):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in made))
        found = validate(path, Path(folder))
        assert has_errors(found)
        assert "\x1b" not in told(found)


def test_a_terminal_is_told_what_is_wrong_and_cannot_be_steered():
    found = [Problem("data/\x1b[2J.jsonl", 4, "image-missing", "error", "the picture '\x1b[31m' is not there")]
    assert "\x1b" not in told(found)
    assert has_errors(found)
    assert not has_errors([Problem("a", None, "rows-few", "warning", "few")])
