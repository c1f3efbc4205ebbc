"""The command calibrate: from a run's folder to a table and a file."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dataflow_ext import InputError, OptionError
from operators.onevision.calibration import FILE, UNDAMAGED
from operators.onevision.damages import COPIES, DAMAGES
from operators.onevision.model.records import FINISHED, Check, Judgement
from pipelines.commands.onevision import calibrate
from pipelines.onevision import PROMPTS, pipeline
from tests.onevision.checking.example_rows import example_rows
from tests.onevision.finished import table


def main(argv):
    return calibrate(argv, pipeline, PROMPTS)


def finished(row, verdict):
    given = {name: row[name] for name in FINISHED if name in row}
    given |= {"checks": [Check("answer.gold", "passed")], "judge": Judgement("not run")}
    return given | {"verdict": verdict, "reasons": ["not judged"], "score": None}


@pytest.fixture
def out(tmp_path):
    rows = example_rows()[:6]
    made = table([finished(row, "kept" if n else "dropped") for n, row in enumerate(rows)])
    pq.write_table(made, tmp_path / "rows.parquet")
    return tmp_path


def test_it_measures_kept_rows_and_writes_what_it_found(out, capsys):
    assert main([str(out), "--rows", "3", "--seed", "4"]) == 0
    told = json.loads((out / FILE).read_text("utf-8"))
    assert (told["kept"], told["seed"], told["judge"]) == (5, 4, None)
    assert [each["kind"] for each in told["kinds"]] == [UNDAMAGED, *DAMAGES, *COPIES]
    assert all(each["made"] + each["left_out"] == 3 for each in told["kinds"])
    said = capsys.readouterr()
    assert all(kind in said.out + said.err for kind in (UNDAMAGED, *DAMAGES, *COPIES))


def test_a_second_run_keeps_the_file_of_the_first_and_the_same_seed_finds_the_same(out):
    main([str(out), "--rows", "2"])
    first = (out / FILE).read_bytes()
    main([str(out), "--rows", "2"])
    main([str(out), "--rows", "2", "--seed", "5"])
    assert (out / FILE).read_bytes() == (out / "calibration-2.json").read_bytes() == first
    assert json.loads((out / "calibration-3.json").read_text("utf-8"))["seed"] == 5


def test_it_leaves_nothing_where_it_is_called(out, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    main([str(out), "--rows", "2"])
    assert list(elsewhere.iterdir()) == []
    assert not (out / ".run" / "steps").exists()


def test_a_folder_without_rows_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no file .*rows\.parquet"):
        main([str(tmp_path)])
    (tmp_path / "rows.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError, match=r"Cannot read .*rows\.parquet"):
        main([str(tmp_path)])


def test_flags_of_a_run_are_refused(out):
    with pytest.raises(OptionError, match="--estimate"):
        main([str(out), "--estimate", "--model", "m"])


def test_rows_that_a_person_found_good_give_an_honest_rate(out, tmp_path, capsys):
    ids = [row["id"] for row in example_rows()[:6]]
    # The first row was dropped by the run; a person found it good, and the last one bad.
    lines = ["id,verdict,reviewed,note", f"{ids[0]},dropped,good,", f"{ids[1]},kept,good,", f"{ids[5]},kept,bad,wrong"]
    files = [str(tmp_path / name) for name in ("review.csv", "review-2.csv")]
    for file, some in zip(files, (lines[:2], [lines[0], *lines[2:]]), strict=True):
        Path(file).write_text("\ufeff" + "\r\n".join(some) + "\r\n", "utf-8")
    assert main([str(out), "--reviewed", *files]) == 0
    told = json.loads((out / FILE).read_text("utf-8"))
    assert (told["kept"], told["bad_rows"]) == (2, {"reviewed": 1, "kept": 1})
    assert "a person found them good" in capsys.readouterr().err


def test_a_review_of_other_rows_is_refused(out, tmp_path):
    review = tmp_path / "review.csv"
    review.write_text("id,reviewed\nelsewhere#1,good\n")
    with pytest.raises(InputError, match="rows that the run does not have, such as 'elsewhere#1'"):
        main([str(out), "--reviewed", str(review)])
    review.write_text("name\na\n")
    with pytest.raises(InputError, match="is no review"):
        main([str(out), "--reviewed", str(review)])
