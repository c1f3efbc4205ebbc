"""A check of a whole data set: every line is judged and named, all is counted, and memory stays bounded."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import InputError
from operators.cot.dataset.check import Ids, check
from operators.cot.dataset.summary import Found, as_json, told
from operators.cot.items import is_there
from operators.cot.problems import Problem
from operators.cot.rules.entry import form_of
from tests.cot.dataset.samples import NEXT_ACTION, NEXT_GOAL, entry, written

FILE, OTHER = f"{NEXT_ACTION}/data.jsonl", f"{NEXT_GOAL}/data.jsonl"


def form_only(made, root, *, exists):
    """The rules for the shape alone, and one that asks for the pictures."""
    found = form_of(made)
    if found:
        return found
    return [Problem("evidence.gone", f"{p} is not there") for p in made["image"] if not exists(str(root / p))]


@pytest.fixture
def root(tmp_path):
    for step in (1, 2):
        folder = tmp_path / "root" / "bike" / f"0{step}_step"
        folder.mkdir(parents=True)
        (folder / "frame_001_ts_0.00s.jpg").write_bytes(b"\xff")
    return tmp_path / "root"


@pytest.fixture
def cot(tmp_path):
    return tmp_path / "cot"


def checked(root: Path, cot: Path, **options: object):
    return check(root, cot, rules=form_only, whole=False, **options)


def places(summary) -> list[tuple[str, int | None, str, str]]:
    return [(f.file, f.line, f.code, f.level) for f in summary.problems]


def test_a_sound_data_set_has_no_problem_and_its_samples_are_counted(root, cot):
    written(cot, entry(1), entry(2, step=2))
    written(cot, entry(3, task_name=NEXT_GOAL), task=NEXT_GOAL)
    (cot / ".run").mkdir()
    (cot / "report.html").write_text("")
    summary = checked(root, cot, strict=True)
    assert not summary.failed
    assert told(summary) == "3 samples, 0 errors, 0 warnings"
    assert as_json(summary) == {
        "ok": True,
        "strict": True,
        "lines": 3,
        "samples": 3,
        "errors": 0,
        "warnings": 0,
        "by_code": {},
        "by_task": {
            NEXT_ACTION: {"samples": 2, "errors": 0, "warnings": 0},
            NEXT_GOAL: {"samples": 1, "errors": 0, "warnings": 0},
        },
        "problems": [],
        "truncated": False,
    }


def test_every_problem_is_named_by_file_line_and_id(root, cot):
    bad = entry(2, step=3)
    written(cot, entry(1), "{", bad, b"\xff", "", {**entry(4), "note": 1})
    summary = checked(root, cot)
    assert (summary.lines, summary.samples, summary.errors, summary.warnings) == (6, 3, 4, 1)
    assert summary.problems == [
        Found(FILE, 2, "", "json.syntax", "error", "expecting property name enclosed in double quotes at column 2"),
        Found(FILE, 3, bad["id"], "evidence.gone", "error", "bike/03_step/frame_001_ts_0.00s.jpg is not there"),
        Found(FILE, 4, "", "file.encoding", "error", "the line is not UTF-8 (byte 1)"),
        Found(FILE, 5, "", "json.blank", "error", "the line is blank"),
        Found(FILE, 6, entry(4)["id"], "schema.unknown", "warning", "'note' is no key of the format"),
    ]
    assert told(summary).splitlines() == [
        f"{FILE}:2: json.syntax: expecting property name enclosed in double quotes at column 2",
        f"{FILE}:3: evidence.gone: bike/03_step/frame_001_ts_0.00s.jpg is not there",
        f"{FILE}:4: file.encoding: the line is not UTF-8 (byte 1)",
        f"{FILE}:5: json.blank: the line is blank",
        f"{FILE}:6: schema.unknown (warning): 'note' is no key of the format",
        "1 × evidence.gone",
        "1 × file.encoding",
        "1 × json.blank",
        "1 × json.syntax",
        "1 × schema.unknown",
        "3 samples, 4 errors, 1 warning",
    ]
    assert as_json(summary)["problems"][1] == {
        "file": FILE,
        "line": 3,
        "id": bad["id"],
        "code": "evidence.gone",
        "level": "error",
        "message": "bike/03_step/frame_001_ts_0.00s.jpg is not there",
    }


def test_a_warning_fails_a_strict_check_alone(root, cot):
    written(cot, {**entry(4), "note": 1})
    assert (checked(root, cot).failed, checked(root, cot, strict=True).failed) == (False, True)
    assert told(checked(root, cot, strict=True)).endswith("1 sample, 0 errors, 1 warning, which count as errors")


def test_a_sample_in_another_tasks_folder_is_told(root, cot):
    written(cot, entry(1, task_name=NEXT_GOAL))
    assert checked(root, cot).problems == [
        Found(FILE, 1, entry(1)["id"], "task.folder", "error", f"the sample is one of {NEXT_GOAL}")
    ]


def test_folders_that_are_no_tasks_and_files_that_do_not_belong_there_are_told(root, cot):
    written(cot, entry(1))
    written(cot, entry(2), "{", task="Task_29")
    (cot / "data.jsonl").write_text("")
    (cot / NEXT_ACTION / "old.jsonl").write_text("")
    (cot / NEXT_ACTION / ".data.jsonl.part").write_text("")
    (cot / NEXT_GOAL / "data.jsonl").mkdir(parents=True)
    assert places(checked(root, cot)) == [
        ("Task_29", None, "file.name", "error"),
        ("Task_29/data.jsonl", 2, "json.syntax", "error"),
        (f"{NEXT_ACTION}/old.jsonl", None, "file.name", "warning"),
        (NEXT_GOAL, None, "file.name", "error"),
        (OTHER, None, "file.name", "warning"),
        ("data.jsonl", None, "file.name", "error"),
    ]


def test_an_empty_file_is_told(root, cot):
    written(cot, entry(1))
    written(cot, task=NEXT_GOAL)
    assert places(checked(root, cot)) == [(OTHER, None, "json.blank", "warning")]


def test_folders_that_are_not_there_or_have_no_data_set_are_a_sentence(root, cot):
    with pytest.raises(InputError, match=r"There is no folder .*cot\."):
        checked(root, cot)
    cot.mkdir()
    with pytest.raises(InputError, match=r"has no data set: there is no TASK/data\.jsonl in it\."):
        checked(root, cot)
    with pytest.raises(InputError, match=r"There is no folder .*none\."):
        checked(root / "none", cot)


def test_every_line_with_an_id_that_an_earlier_one_has_is_named_over_all_files(root, cot):
    written(cot, entry(1), entry(2), "{", entry(1), {**entry(5), "id": None}, {**entry(6), "id": None})
    written(
        cot, entry(2, task_name=NEXT_GOAL), entry(7, task_name=NEXT_GOAL), entry(1, task_name=NEXT_GOAL), task=NEXT_GOAL
    )
    found = [f for f in checked(root, cot).problems if f.code == "id.duplicate"]
    one, two = entry(1)["id"], entry(2)["id"]
    assert found == [
        Found(FILE, 4, one, "id.duplicate", "error", f"the id {one} is that of {FILE}:1 too"),
        Found(OTHER, 1, two, "id.duplicate", "error", f"the id {two} is that of {FILE}:2 too"),
        Found(OTHER, 3, one, "id.duplicate", "error", f"the id {one} is that of {FILE}:1 too"),
    ]


def test_all_problems_are_counted_though_the_first_of_each_code_alone_are_kept(root, cot):
    written(cot, *["{"] * 30, *[entry(1)] * 25)
    summary = checked(root, cot)
    assert (summary.errors, summary.by_code) == (54, {"json.syntax": 30, "id.duplicate": 24})
    assert [f.line for f in summary.problems] == [*range(1, 21), *range(32, 52)]
    assert as_json(summary)["truncated"] is True
    assert as_json(summary)["by_task"] == {NEXT_ACTION: {"samples": 25, "errors": 54, "warnings": 0}}
    assert "… and 14 more" in told(summary).splitlines()


def test_a_line_that_the_rules_cannot_cope_with_costs_no_other_its_check(root, cot, monkeypatch):
    def problems(made, *_):
        return [] if made["meta"]["step_index"] == 1 else [][7]

    monkeypatch.setattr("operators.cot.rules.entry._problems", problems)
    written(cot, entry(1, step=2), entry(2))
    summary = check(root, cot)
    assert [(f.line, f.code, f.message) for f in summary.problems] == [
        (1, "schema.value", "the rules cannot be applied to the sample (IndexError: list index out of range)")
    ]


def test_what_is_told_steers_no_terminal_and_is_valid_json(root, cot):
    written(cot, entry(1), task="Task\x1b[2J")
    written(cot, {**entry(2), "\x1b]0;x\x07\u202e": 1})
    summary = checked(root, cot)
    assert "\x1b" not in told(summary)
    assert "\u202e" not in told(summary)
    assert json.loads(json.dumps(as_json(summary))) == as_json(summary)


def test_names_that_are_no_utf_8_are_told_with_their_bytes(root, cot):
    written(cot, entry(1))
    (cot / os.fsdecode(b"Task\xff")).mkdir()
    (cot / NEXT_ACTION / os.fsdecode(b"b\xff")).write_text("")
    summary = checked(root, cot)
    assert [f.file for f in summary.problems] == ["Task%FF", "Task%FF", f"{NEXT_ACTION}/b%FF"]
    assert json.dumps(as_json(summary), ensure_ascii=False).encode("utf-8")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", None, 3]), max_size=6), max_size=4))
def test_repeated_ids_are_found_as_by_comparing_all_of_them(files):
    ids = Ids()
    first: dict[str, tuple[int, int]] = {}
    expected = []
    for file, values in enumerate(files):
        ids.begin()
        for number, value in enumerate(values, 1):
            ids.add(value)
            if isinstance(value, str) and first.setdefault(value, (file, number)) != (file, number):
                expected.append(((file, number), first[value]))
    assert list(ids.repeated()) == expected


def test_a_file_is_there_if_it_holds_something_and_is_no_folder_and_no_impossible_path(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"\xff")
    (tmp_path / "b.jpg").mkdir()
    (tmp_path / "link.jpg").symlink_to(tmp_path / "a.jpg")
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "dead.jpg").symlink_to(tmp_path / "none.jpg")
    paths = [
        "a.jpg",
        "A.jpg",
        "empty.jpg",
        "b.jpg",
        "link.jpg",
        "dead.jpg",
        "none/a.jpg",
        "a.jpg/",
        "",
        "b.jpg/../a.jpg",
        "\0/a",
        "x" * 5000 + "/a",
    ]
    assert [is_there(f"{tmp_path}/{path}") for path in paths] == [
        True, False, False, False, True, False, False, False, False, True, False, False,
    ]  # fmt: skip
