import json

import pytest

from dataflow_ext import RowOperator, check, cli, estimate, read_table, run
from dataflow_ext.errors import InputError, RowFailed


class Length(RowOperator):
    inputs, outputs = {"text": str}, {"length": int}

    def row(self, text: str) -> dict[str, int]:
        return {"length": len(text)}


LINES = ['{"n": 1, "text": "a"}', '{"n": 2, "text": "b', '{"n": 3, "text": "abc"}', "[4]", '{"n": 5, "text": "ab"}']


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(LINES))
    return path


def unread(path):
    return [
        ("input", 0, f"{path}, line 2: not JSON (Unterminated string starting at: line 1 column 18 (char 17)).",
         json.dumps({"line": LINES[1]})),
        ("input", 0, f"{path}, line 4: not a JSON object but list.", '{"line": "[4]"}'),
    ]  # fmt: skip


def told(result):
    return [(r["operator"], r["step"], r["message"], r["inputs"]) for r in result.rejects.to_pylist()]


def test_a_line_that_is_no_object_is_a_reject_of_the_input_and_the_report_counts_it(rows):
    result = run([Length()], str(rows))
    assert result.table["length"].to_pylist() == [1, 3, 2]
    assert told(result) == unread(rows)
    assert str(result.report).startswith("0. input: 2 lines could not be read\n1. Length: 3 → 3 rows")
    assert result.report.to_dict()["unread"] == 2
    assert result.retry().report.unread == 2


@pytest.mark.parametrize("rows_per_part", [1, 2, 100])
def test_by_parts_the_same_rows_and_rejects_come_out_also_when_they_are_remembered(rows, tmp_path, rows_per_part):
    whole = run([Length()], rows)
    for _ in range(2):
        parts = run([Length()], rows, out=tmp_path / "out", rows_per_part=rows_per_part)
        assert parts.table.equals(whole.table)
        assert parts.rejects.equals(whole.rejects)
        assert parts.report.unread == 2
    assert parts.report.steps[0].remembered


def test_of_a_folder_each_file_has_its_own(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(f'{{"text": "{name}"}}\n{{\n')
    result = run([Length()], tmp_path, out=tmp_path / "_out")
    assert result.table["text"].to_pylist() == ["a", "b"]
    assert [message.partition(":")[0] for message in result.rejects["message"].to_pylist()] == [
        f"{tmp_path}/a.jsonl, line 2",
        f"{tmp_path}/b.jsonl, line 2",
    ]


@pytest.mark.parametrize("ids", [["x", "y"], [7, 8]])
def test_rows_keep_ids_of_their_own(tmp_path, ids):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join([*(json.dumps({"row_id": i, "text": "a"}) for i in ids), "{"]))
    for result in (run([Length()], path), run([Length()], path, out=tmp_path / "out", rows_per_part=1)):
        assert result.table["row_id"].to_pylist() == [str(i) for i in ids]
        assert result.rejects.num_rows == 1


def test_the_ids_of_rows_are_those_of_a_file_without_such_lines(rows, tmp_path):
    (good := tmp_path / "good.jsonl").write_text("\n".join(LINES[::2]))
    assert run([Length()], rows).table.equals(run([Length()], good).table)


def test_a_limit_counts_rows(rows, tmp_path):
    for options in ({}, {"out": tmp_path / "out"}):
        result = run([Length()], rows, limit=1, **options)
        assert (result.num_rows, result.rejects.num_rows) == (1, 2)


def test_wiring_and_estimate_take_the_file_too(rows):
    assert check([Length()], rows).schemas[0].names == ["row_id", "n", "text"]
    assert str(estimate([Length()], rows)) == "No model would be asked anything that costs."


def test_a_run_that_raises_raises_the_first_of_them(rows, tmp_path):
    for options in ({}, {"out": tmp_path / "out"}):
        with pytest.raises(RowFailed, match=r"^Step 0 \(input\), row [0-9a-f]{20}: .*rows.jsonl, line 2: not JSON"):
            run([Length()], rows, on_error="raise", **options)


def test_a_table_alone_has_no_rejects_so_that_the_error_says_what_to_do(rows):
    with pytest.raises(InputError) as error:
        read_table(rows)
    assert str(error.value) == (
        f"{rows}, line 2: not JSON (Unterminated string starting at: line 1 column 18 (char 17)); mend the line or take "
        "it out."
    )


def test_a_command_of_ones_own_has_them_too(rows, tmp_path):
    made = []
    args = cli.parser("lengths", "Lengths.", "").parse_args(["--out", str(tmp_path / "out")])
    assert cli.run_steps(args, [Length()], rows, lambda result: made.append(result) or 0, [rows]) == 0
    assert told(made[0]) == unread(rows)
