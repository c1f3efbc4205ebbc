"""CoTWriter: what stands in the folder afterwards, byte for byte, and what is never touched."""

import json
import os
import random
import subprocess
import sys

import pytest

from dataflow_ext import InputError
from dataflow_ext.datasets.folder import must_be_ours
from dataflow_ext.testing import check_operator
from operators.cot.dataset.data_files import NAMES
from operators.cot.writer import CoTWriter
from tests.cot.dataset.samples import NEXT_ACTION, NEXT_GOAL, OFFLINE, PLAN, entry, files, row, table, uuid_of, written

FILE, OTHER = f"{NEXT_ACTION}/data.jsonl", f"{NEXT_GOAL}/data.jsonl"
LIST = ".run/dataset/files.json"


def lines(data: bytes) -> list[dict]:
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def several(root) -> list[dict]:
    """Samples of two tasks, two items and several steps, in no order."""
    made = [
        row(root, 100 * task + 20 * item + step, task_name=name, source_path=f"{video}/causal_plan_with_keyframes.json", step_index=step)
        for task, name in enumerate((NEXT_ACTION, NEXT_GOAL))
        for item, video in enumerate(("bike", "lab"))
        for step in (2, 10, 1)
    ]  # fmt: skip
    random.Random(1).shuffle(made)
    return made


def test_a_line_is_the_formats_object_with_its_keys_in_order(tmp_path):
    out = tmp_path / "out"
    video = row(tmp_path, 2, video="bike/prefix.mp4", evidence_type="video_prefix", step_index=2)
    done = CoTWriter(out=out).apply(table([row(tmp_path), video]))
    assert (done.table.num_rows, done.rejects.num_rows) == (2, 0)
    assert set(files(out)) == {FILE, LIST}
    plain, with_video = lines(files(out)[FILE])
    assert json.dumps(plain) == json.dumps(entry(1))
    assert json.dumps(with_video) == json.dumps(entry(2, video="bike/prefix.mp4", step_index=2))


def test_lines_are_sorted_by_item_step_and_id_however_the_rows_come(tmp_path):
    made = several(tmp_path)
    CoTWriter(out=tmp_path / "a")(table(made))
    CoTWriter(out=tmp_path / "b")(table(sorted(made, key=lambda each: each["id"])))
    assert files(tmp_path / "a") == files(tmp_path / "b")
    order = [
        (each["meta"]["source_path"][:3], each["meta"]["step_index"]) for each in lines(files(tmp_path / "a")[OTHER])
    ]
    assert order == [("bik", 1), ("bik", 2), ("bik", 10), ("lab", 1), ("lab", 2), ("lab", 10)]


def test_texts_stay_as_they_are_but_no_reader_finds_a_line_break_in_them(tmp_path):
    text = "茶 😀\u2028a\u2029b\u0085c\x0bd\re"
    CoTWriter(out=tmp_path / "out")(table([row(tmp_path, response=text, fields=json.dumps({"high_level_goal": text}))]))
    data = files(tmp_path / "out")[FILE].decode()
    assert len(data.splitlines()) == 1
    assert "茶 😀\\u2028a\\u2029b\\u0085c\\u000bd\\re" in data
    [made] = lines(data.encode())
    assert (made["conversations"][1]["value"], made["meta"]["fields"]["high_level_goal"]) == (text, text)


def test_paths_are_absolute_if_asked_for(tmp_path):
    CoTWriter(out=tmp_path / "out", abs_paths=True)(table([row(tmp_path, video="bike/a.mp4")]))
    [made] = lines(files(tmp_path / "out")[FILE])
    image, video = f"{tmp_path}/bike/01_step/frame_001_ts_0.00s.jpg", f"{tmp_path}/bike/a.mp4"
    assert (made["image"], made["video"]) == ([image], video)
    assert made["meta"]["evidence_files"] == [image, video]
    assert made["meta"]["source_path"] == f"{tmp_path}/{PLAN}"


def test_a_second_sample_of_an_id_is_rejected_whatever_the_order(tmp_path):
    twins = [row(tmp_path, 1, step_index=3), row(tmp_path, 1, task_name=NEXT_GOAL), row(tmp_path, 1, step_index=2)]
    for name, made in (("a", twins), ("b", twins[::-1])):
        done = CoTWriter(out=tmp_path / name).apply(table(made))
        assert done.table["step_index"].to_pylist() == [2]
        assert set(done.rejects["error"].to_pylist()) == {"id.duplicate"}
        assert done.rejects["message"].to_pylist() == [f"id.duplicate: another sample has the id {uuid_of(1)}"] * 2
    assert files(tmp_path / "a") == files(tmp_path / "b")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"task_name": "../../etc"}, "task.unknown"),
        ({"task_name": "Task_29"}, "task.unknown"),
        ({"image": ["../secret.jpg"]}, "evidence.path"),
        ({"image": ["/secret.jpg"]}, "evidence.path"),
        ({"video": "a/../../b.mp4"}, "evidence.path"),
        ({"source_path": "../causal_plan_with_keyframes.json"}, "source.path"),
        ({"fields": "["}, "schema.type"),
        ({"fields": "[]"}, "schema.type"),
        ({"fields": '{"a": NaN}'}, "json.syntax"),
        ({"fields": "[" * 100_000}, "schema.type"),
    ],
)
def test_a_sample_that_cannot_be_written_costs_no_other_its_line(tmp_path, changes, code):
    done = CoTWriter(out=tmp_path / "out").apply(table([row(tmp_path, 1, **changes), row(tmp_path, 2)]))
    assert done.table["id"].to_pylist() == [uuid_of(2)]
    assert done.rejects["error"].to_pylist() == [code]
    assert [each["id"] for each in lines(files(tmp_path / "out")[FILE])] == [uuid_of(2)]
    assert set(files(tmp_path)) == {f"out/{FILE}", f"out/{LIST}"}


def test_the_writer_keeps_the_laws_of_operators(tmp_path):
    made = [*several(tmp_path)[:3], row(tmp_path, 40, fields="")]
    out = check_operator(CoTWriter(out=tmp_path / "out"), table(made))
    assert out["id"].to_pylist() == [each["id"] for each in made[:3]]


def test_no_rows_and_no_good_rows_leave_what_is_there(tmp_path):
    out = tmp_path / "out"
    CoTWriter(out=out)(table([]))
    assert not out.exists()
    CoTWriter(out=out)(table([row(tmp_path)]))
    before = files(out)
    CoTWriter(out=out, tasks=(NEXT_ACTION, NEXT_GOAL)).apply(table([row(tmp_path, task_name="x")]))
    assert files(out) == before


def test_a_task_without_samples_now_loses_the_file_of_an_earlier_run_if_this_run_was_asked_for_it(tmp_path):
    out = tmp_path / "out"
    CoTWriter(out=out)(table(several(tmp_path)))
    few = table([row(tmp_path)])
    CoTWriter(out=out, tasks=(NEXT_ACTION,))(few)
    assert set(files(out)) == {FILE, OTHER, LIST}
    assert len(lines(files(out)[FILE])) == 1
    CoTWriter(out=out, tasks=(NEXT_ACTION, NEXT_GOAL))(few)
    assert set(files(out)) == {FILE, LIST}
    assert not (out / NEXT_GOAL).exists()
    assert json.loads(files(out)[LIST]) == {"files": [FILE]}


def test_what_stands_beside_a_removed_file_stays(tmp_path):
    out = tmp_path / "out"
    CoTWriter(out=out)(table(several(tmp_path)))
    (out / NEXT_GOAL / "notes.txt").write_text("mine")
    (out / "other").mkdir()
    CoTWriter(out=out, tasks=(NEXT_ACTION, NEXT_GOAL))(table([row(tmp_path)]))
    assert set(files(out)) == {FILE, LIST, f"{NEXT_GOAL}/notes.txt"}
    assert (out / "other").is_dir()


@pytest.mark.parametrize("listed", [None, '{"files": ["Task_28/data.jsonl"]}', '{"files": [[]]}'])
def test_a_data_set_that_no_run_wrote_is_never_touched(tmp_path, listed):
    out = tmp_path / "out"
    written(out, entry(9), task=NEXT_GOAL)
    if listed is not None:
        (out / LIST).parent.mkdir(parents=True)
        (out / LIST).write_text(listed)
    before = files(out)
    message = rf"{OTHER} was not written by a run of this pipeline; name another output folder\."
    with pytest.raises(InputError, match=message):
        must_be_ours(out, NAMES)
    with pytest.raises(InputError, match=message):
        CoTWriter(out=out, tasks=(NEXT_ACTION, NEXT_GOAL))(table([row(tmp_path)]))
    assert files(out) == before


@pytest.mark.parametrize("damage", ["", "{", "null", "\0\0", "3"])
def test_one_s_own_folder_is_not_refused_because_its_list_is_damaged(tmp_path, damage):
    out, rows = tmp_path / "out", table(several(tmp_path))
    CoTWriter(out=out)(rows)
    whole = files(out)
    (out / LIST).write_text(damage)
    must_be_ours(out, NAMES)
    CoTWriter(out=out)(rows)
    assert files(out) == whole
    (out / LIST).write_text(damage)
    CoTWriter(out=out, tasks=(NEXT_ACTION, NEXT_GOAL))(table([row(tmp_path)]))
    assert set(files(out)) == {FILE, LIST}


def test_a_link_is_not_followed_out_of_the_folder(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / NEXT_ACTION).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is a link to another place"):
        CoTWriter(out=tmp_path / "out")(table([row(tmp_path)]))
    assert files(tmp_path) == {}


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match=r"Cannot write .*; make room or name another output folder, then run again\."):
        CoTWriter(out=tmp_path / "out")(table([row(tmp_path)]))


_KILLED = """
import json, os, signal, sys
from pathlib import Path
from operators.cot.dataset.data_files import write_data_set
from operators.cot.sample import AssistantGenerator

rows = json.loads(sys.stdin.read())
out, where = Path(sys.argv[1]), sys.argv[2]

def samples():
    for number, row in enumerate(rows):
        if where == "within" and number == len(rows) - 2:
            os.kill(os.getpid(), signal.SIGKILL)
        yield number, {**row, "assistant_generator": AssistantGenerator(**row["assistant_generator"])}

replace, seen = Path.replace, []
def counted(path, target):
    seen.append(target) if Path(target).name == "data.jsonl" else None
    if where == "between" and len(seen) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(path, target)
Path.replace = counted
write_data_set(samples(), out)
"""


def test_a_kill_within_a_file_or_between_files_leaves_every_file_whole_and_the_next_run_completes(tmp_path):
    made = sorted(several(tmp_path), key=lambda r: (r["task_name"], r["source_path"], r["step_index"]))
    CoTWriter(out=tmp_path / "whole")(table(made))
    whole = files(tmp_path / "whole")
    old = [{**each, "response": "<think>old</think>\nold\n"} for each in made]
    runs = {}
    for where in ("within", "between"):
        out = tmp_path / where
        CoTWriter(out=out)(table(old))
        runs[where] = subprocess.Popen(
            [sys.executable, "-c", _KILLED, str(out), where], stdin=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        )  # fmt: skip
    CoTWriter(out=tmp_path / "old")(table(old))
    before = files(tmp_path / "old")
    for where, process in runs.items():
        process.communicate(json.dumps(made).encode(), timeout=60)
        assert process.returncode == -9
        left = files(tmp_path / where)
        first = {"within": before, "between": whole}[where]
        assert (left[FILE], left[OTHER], left[LIST]) == (first[FILE], before[OTHER], whole[LIST])
        must_be_ours(tmp_path / where, NAMES)
        CoTWriter(out=tmp_path / where)(table(made))
        assert {name: data for name, data in files(tmp_path / where).items() if not name.endswith(".part")} == whole


def test_records_of_the_generator_are_written_as_they_are(tmp_path):
    served = {**OFFLINE, "type": "api_generate_v1", "api_base_url": "http://h/v1", "model_name": "m"}
    CoTWriter(out=tmp_path / "out")(table([row(tmp_path, assistant_generator=served)]))
    assert lines(files(tmp_path / "out")[FILE])[0]["meta"]["assistant_generator"] == served
