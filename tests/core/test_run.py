"""A run: what goes in, what comes out, what is remembered, and how long work shows its progress."""

import io
import re
import subprocess
import sys
import time
from pathlib import Path

import pandas
import pyarrow as pa
import pytest

from dataflow_ext import RowOperator, check, progress, run, write_table
from dataflow_ext.errors import InputError, OptionError, WiringError
from dataflow_ext.fingerprint.content import table_hash
from dataflow_ext.models import Model, Reply, Request, ScriptedModel, complete
from tests.core.samples import Flaky, Join, Length, LongOnly, SpreadLength, Upper, Words

DOCS = [
    {"row_id": "p", "doc": "P", "text": "one two"},
    {"row_id": "q", "doc": "Q", "text": ""},
    {"row_id": "r", "doc": "P", "text": "three ? crash?"},
    {"row_id": "s", "doc": "R", "text": None},
]
PIPELINE = [Upper(), LongOnly(least=1), Words(), Join(writes={"text": "joined"})]


def test_the_rows_after_a_step_are_asked_for_by_its_name_or_number():
    result = run(PIPELINE, DOCS)
    assert result.after("Words").equals(result.after(3))
    assert result.after(0)["row_id"].to_pylist() == ["p", "q", "r", "s"]
    with pytest.raises(InputError, match="no step 'Nobody'; the steps are Upper, LongOnly, Words, Join"):
        result.after("Nobody")
    with pytest.raises(InputError, match="no step 5"):
        result.after(5)


def test_every_row_comes_out_as_a_row_or_as_a_reject_with_its_step():
    result = run(PIPELINE, DOCS)
    merged = result.table["row_id"].to_pylist()
    assert result.table.to_pylist() == [
        {
            "row_id": merged[0],
            "doc": "P",
            "parents": ["p.0", "r.0", "p.1", "r.2"],
            "joined": "ONE THREE TWO CRASH?",
        }
    ]
    columns = ["row_id", "operator", "step", "kind", "error", "message", "inputs"]
    assert [list(r.values()) for r in result.rejects.select(columns).to_pylist()] == [
        ["s", "Upper", 1, "failed", "RowError", "column 'text' is null", '{"text": null}'],
        ["q", "LongOnly", 2, "dropped", "Dropped", "0 characters, 1 wanted", '{"text": ""}'],
        ["r.1", "Join", 4, "failed", "RowError", "a question mark is no word",
         '{"doc": "P", "word": "?", "place": 1}'],
    ]  # fmt: skip
    assert repr(result) == "Result(1 rows, 3 rejects, 2 of them failed)"
    assert result.after(0)["row_id"].to_pylist() == ["p", "q", "r", "s"]
    assert result.after(3)["word"].to_pylist() == ["ONE", "TWO", "THREE", "?", "CRASH?"]


def test_the_report_counts_rows_in_and_out_and_rejects_of_every_step():
    report = run(PIPELINE, DOCS).report
    figures = [(s.step, s.operator, s.rows_in, s.rows_out, s.failed, s.dropped, s.empty) for s in report.steps]
    assert figures == [
        (1, "Upper", 4, 3, 1, 0, 0),
        (2, "LongOnly", 3, 2, 0, 1, 0),
        (3, "Words", 2, 5, 0, 0, 0),
        (4, "Join", 5, 1, 1, 0, 0),
    ]
    assert str(report).splitlines()[0].startswith("1. Upper: 4 → 3 rows, 1 failed, 0.0 s")
    assert report.to_dict()["steps"][1]["dropped"] == 1


@pytest.mark.parametrize("step", range(1, 5))
def test_what_check_promises_is_what_comes(step):
    result = run(PIPELINE, pa.Table.from_pylist(DOCS))
    promised = check(PIPELINE, pa.Table.from_pylist(DOCS).schema).schemas[step]
    came = result.after(step).schema
    assert {f.name: f.type for f in came} == {f.name: f.type for f in promised}


def test_an_empty_table_passes_through_a_whole_pipeline():
    empty = pa.table({"doc": pa.array([], pa.string()), "text": pa.array([], pa.string())})
    result = run(PIPELINE, empty)
    assert (result.table.num_rows, result.rejects.num_rows) == (0, 0)
    assert result.table.schema.names == ["row_id", "doc", "parents", "joined"]


def test_a_pipeline_of_no_steps_gives_its_rows_names():
    assert run([], [{"row_id": "a", "x": 1}]).table.to_pylist() == [{"row_id": "a", "x": 1}]


@pytest.mark.parametrize("kind", ["table", "batch", "frame", "dicts", "parquet", "jsonl", "csv", "arrow"])
def test_a_run_takes_tables_frames_dicts_and_files_and_leaves_strings_as_they_are(kind, tmp_path):
    rows = [{"text": "001", "label": "1.0"}, {"text": "例①", "label": "NA"}]
    table = pa.Table.from_pylist(rows)
    data = {
        "table": lambda: table,
        "batch": lambda: table.to_batches()[0],
        "frame": lambda: pandas.DataFrame(rows),
        "dicts": lambda: rows,
    }.get(kind, lambda: str(write_table(table, tmp_path / f"rows.{kind}")))()
    result = run([Length()], data)
    made = result.table.select(["text", "label", "length"]).to_pylist()
    assert made == [
        {"text": "001", "label": "1.0", "length": 3},
        {"text": "例①", "label": "NA", "length": 2},
    ]


def test_limit_takes_the_first_rows():
    assert run([Length()], DOCS, limit=1).table["row_id"].to_pylist() == ["p"]
    assert run([Length()], DOCS, limit=0).table.num_rows == 0


def test_two_workers_make_what_one_makes():
    table = pa.table({"text": ["a", "", "ccc", "dd", None], "kind": pa.array(list("xyxyx")).dictionary_encode()})
    one = run([SpreadLength(), LongOnly()], table)
    two = run([SpreadLength(), LongOnly()], table, workers=2)
    assert two.table.equals(one.table)
    assert two.rejects.equals(one.rejects)


def test_an_operator_typed_at_a_prompt_runs_with_any_number_of_workers():
    script = (
        "from dataflow_ext import RowOperator, run\n"
        "class Typed(RowOperator):\n"
        "    inputs, outputs, spread = {'text': str}, {'n': int}, True\n"
        "    def row(self, text: str): return {'n': len(text)}\n"
        "print(run([Typed()], [{'text': 'a'}, {'text': 'bb'}], workers=2).table['n'].to_pylist())"
    )
    done = subprocess.run([sys.executable, "-"], input=script, capture_output=True, text=True, check=True)
    assert done.stdout == "[1, 2]\n"


def test_wiring_is_checked_before_anything_runs(tmp_path):
    touched = tmp_path / "touched"

    class Touch(RowOperator):
        inputs, outputs = {"text": str}, {}

        def row(self, text: str) -> dict[str, str]:
            touched.touch()
            return {}

    with pytest.raises(WiringError):
        run([Touch(), Length(reads={"text": "missing"})], DOCS)
    assert not touched.exists()


def test_a_run_s_warnings_are_in_its_report():
    report = run([Words(), Length(reads={"text": "word"}), Join()], [{"doc": "a", "text": "b"}]).report
    assert str(report).splitlines()[-1].startswith("warning: Step 2 (Length) writes column 'length' (int64), but no ")


def remembered(result):
    return [s.remembered for s in result.report.steps]


def same(one, two):
    assert two.table.equals(one.table)
    assert two.rejects.equals(one.rejects)


class Counted(Length):
    """Leaves a mark in a file at every call."""

    log: str

    def row(self, text: str) -> dict[str, int]:
        with Path(self.log).open("a") as file:
            file.write(f"{text};")
        return super().row(text)


def test_a_second_run_calls_nothing_and_gives_the_same(tmp_path):
    log = tmp_path / "log"
    pipeline = [Counted(log=str(log)), Words(), Join()]
    first = run(pipeline, DOCS, cache_dir=tmp_path / "cache")
    calls = log.read_text()
    second = run(pipeline, DOCS, cache_dir=tmp_path / "cache")
    assert (remembered(first), remembered(second)) == ([False] * 3, [True] * 3)
    assert calls == log.read_text() == "one two;;three ? crash?;"
    same(first, second)
    assert str(second.report).splitlines()[0] == "1. Counted: 4 → 2 rows, 2 failed, remembered"


def test_a_changed_option_runs_again_from_its_step_on(tmp_path):
    run([Upper(), Length(), Words()], DOCS, cache_dir=tmp_path)
    assert remembered(run([Upper(), Length(extra=1), Words()], DOCS, cache_dir=tmp_path)) == [True, False, False]
    assert remembered(run([Upper(), Length(extra=1), Words()], DOCS, cache_dir=tmp_path)) == [True] * 3


def test_a_step_whose_output_did_not_change_saves_those_behind_it(tmp_path):
    run([LongOnly(least=1), Length()], DOCS, cache_dir=tmp_path)
    second = run([LongOnly(least=2), Length()], [r for r in DOCS if r["text"]], cache_dir=tmp_path)
    third = run([LongOnly(least=3), Length()], [r for r in DOCS if r["text"]], cache_dir=tmp_path)
    assert [remembered(r) for r in (second, third)] == [[False, False], [False, True]]


def test_changed_rows_are_other_work(tmp_path):
    run([Length()], DOCS, cache_dir=tmp_path)
    assert remembered(run([Length()], DOCS[:2], cache_dir=tmp_path)) == [False]
    assert remembered(run([Length()], DOCS, cache_dir=tmp_path)) == [True]


def test_fresh_makes_everything_anew_and_is_remembered(tmp_path):
    log = tmp_path / "log"
    first = run([Counted(log=str(log))], DOCS, cache_dir=tmp_path / "cache")
    fresh = run([Counted(log=str(log))], DOCS, cache_dir=tmp_path / "cache", fresh=True)
    again = run([Counted(log=str(log))], DOCS, cache_dir=tmp_path / "cache")
    assert [remembered(r) for r in (first, fresh, again)] == [[False], [False], [True]]
    assert log.read_text() == "one two;;three ? crash?;" * 2


@pytest.mark.parametrize("damage", ["empty", "cut", "other", "flipped"])
def test_a_damaged_step_file_is_made_again(tmp_path, damage, caplog):
    many = [{"doc": str(i), "text": f"text {i * 7919 % 1000}"} for i in range(5000)]
    first = run([Length()], many, cache_dir=tmp_path)
    (file,) = (tmp_path / "steps").iterdir()
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0x10
    file.write_bytes({"empty": b"", "cut": whole[:-100], "other": b"no arrow", "flipped": bytes(flipped)}[damage])
    second = run([Length()], many, cache_dir=tmp_path)
    assert remembered(second) == [False]
    assert (
        caplog.records[0].getMessage().startswith(f"The remembered step {file.name} cannot be read and is made again (")
    )
    same(first, second)
    assert remembered(run([Length()], many, cache_dir=tmp_path)) == [True]


def test_failures_that_may_pass_are_not_remembered_and_others_are(tmp_path):
    switch = tmp_path / "down"
    switch.touch()
    rows = [{"text": "up"}, {"text": "down"}]
    for transient in (True, False):
        op = Flaky(switch=str(switch), transient=transient)
        runs = [run([op, Upper()], rows, cache_dir=tmp_path / "cache") for _ in range(2)]
        assert [r.table["echo"].to_pylist() for r in runs] == [["up"], ["up"]]
        # What failed is part of what went into the second step.
        assert remembered(runs[1]) == [not transient, True]


def test_two_processes_in_one_folder_agree(tmp_path):
    script = "\n".join(
        [
            "import sys, time",
            "from dataflow_ext import run",
            "from dataflow_ext.fingerprint.content import table_hash",
            "from tests.core.samples import *",
            "rows = [{'doc': str(i % 50), 'text': f'word {i} x'} for i in range(2000)]",
            "pipeline = [Upper(), Words(), Join(writes={'text': 'joined'})]",
            "print(table_hash(run(pipeline, rows, cache_dir=sys.argv[1]).table))",
        ]
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", script, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) for _ in range(2)]
    hashes = {process.communicate(timeout=60)[0].strip() for process in both}
    assert [process.returncode for process in both] == [0, 0]
    rows = [{"doc": str(i % 50), "text": f"word {i} x"} for i in range(2000)]
    again = run([Upper(), Words(), Join(writes={"text": "joined"})], rows, cache_dir=tmp_path)
    assert hashes == {table_hash(again.table)}
    assert remembered(again) == [True] * 3
    assert [p.name for p in (tmp_path / "steps").iterdir() if p.name.startswith(".")] == []


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(PIPELINE, DOCS)
    assert list(tmp_path.iterdir()) == []


class Heard:
    """A listener that writes down what it hears."""

    def __init__(self):
        self.heard = []

    def watch(self, detail):
        self.detail = detail

    def start(self, name, total):
        self.heard.append((name, total))

    def expect(self, total, unit):
        self.heard.append(f"of {total} {unit}".strip())

    def advance(self, rows):
        self.heard.append(rows)

    def finish(self, note):
        self.heard.append(note.rpartition(",")[0])


def test_a_listener_hears_of_every_step_and_row():
    heard = Heard()
    run([Length(), LongOnly()], [{"text": "a"}, {"text": "bb"}, {"text": ""}], listener=heard)
    assert heard.heard == [
        ("1. Length", 3), 3, "3 → 2 rows, 1 failed",
        ("2. LongOnly", 2), 2, "2 → 1 rows, 1 dropped",
    ]  # fmt: skip


def test_a_listener_hears_of_slow_rows_one_by_one_and_of_quick_ones_together():
    class Slow(RowOperator):
        inputs, outputs = {"text": str}, {}

        def row(self, text: str) -> dict[str, str]:
            time.sleep(0.06 if text == "slow" else 0)
            return {}

    heard = Heard()
    run([Slow()], [{"text": text} for text in ("slow", "slow", "quick", "quick", "quick")], listener=heard)
    assert heard.heard[1:3] == [1, 1]
    assert sum(heard.heard[1:-1]) == 5


def test_a_line_of_progress_tells_what_models_were_asked():
    class Asked(RowOperator):
        inputs, outputs = {"text": str}, {}
        model: Model

        async def row(self, text: str) -> dict[str, str]:
            await complete(self.model, Request(text))
            return {}

    def brain(request: Request) -> Reply:
        return Reply("ok", prompt_tokens=900, completion_tokens=100)

    stream = io.StringIO()
    lines = progress.Lines(stream, every=0.0)
    run([Asked(model=ScriptedModel(brain, delay=0.01))], [{"text": "a"}, {"text": "b"}], listener=lines)
    assert re.fullmatch(
        r"1\. Asked: 1/2, about \d s left; (1|2),000 tokens, 0 replies remembered\n"
        r"1\. Asked: 2/2, about 0 s left; 2,000 tokens, 0 replies remembered\n"
        r"1\. Asked: 2 → 2 rows, \d\.\d s\n",
        stream.getvalue(),
    )


def test_a_listener_is_told_of_a_step_that_broke_off():
    class Broken(RowOperator):
        inputs, outputs = {"text": str}, {}

        def row(self, text: str) -> dict[str, str]:
            raise KeyboardInterrupt

    stream = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        run([Broken()], DOCS, listener=progress.for_stream(stream))
    assert stream.getvalue() == "1. Broken: stopped\n"


def test_plain_lines_say_what_is_done_and_how_long_the_rest_will_take(monkeypatch):
    stream, now = io.StringIO(), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    lines = progress.Lines(stream, every=5.0)
    lines.start("1. Read", 100)
    for second in (2, 4, 6, 8, 12):
        now[0] = second
        lines.advance(10)
    lines.finish("100 → 99 rows, 1 failed, 12.0 s")
    assert stream.getvalue() == (
        "1. Read: 30/100, about 14 s left\n1. Read: 50/100, about 12 s left\n1. Read: 100 → 99 rows, 1 failed, 12.0 s\n"
    )


def test_nobody_hears_of_progress_outside_of_a_run():
    heard = Heard()
    with progress.listening(heard):
        progress.advance(2)
    progress.advance(3)
    assert heard.heard == [2]


def test_a_file_for_the_memory_and_a_folder_for_the_rows_are_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match=r"cache_dir is a folder for what is remembered, but .*file is a file"):
        run([], DOCS, cache_dir=tmp_path / "file")
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        run([], tmp_path)


@pytest.mark.parametrize("options", [{"workers": 0}, {"limit": -1}], ids=str)
def test_workers_and_limit_that_make_no_sense_are_refused(options):
    with pytest.raises(OptionError) as caught:
        run([], DOCS, **options)
    given = {"workers": 1, "limit": None, **options}
    assert str(caught.value) == (
        f"run needs workers ≥ 1 and limit ≥ 0, got workers={given['workers']}, limit={given['limit']}."
    )
