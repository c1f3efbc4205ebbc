"""A row's life: what each step read and wrote of it, and what models were asked on the way."""

import asyncio
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataflow_ext import InputError, RowOperator, run
from dataflow_ext.commands import main
from dataflow_ext.models import Model, Request, ScriptedModel, complete
from dataflow_ext.report.rejects import life
from dataflow_ext.trace import Asked
from tests.core.samples import Join, LongOnly, Words


class Echo(RowOperator):
    """What a model makes of a word."""

    inputs, outputs = {"word": str}, {"text": str}
    model: Model

    async def row(self, word: str) -> dict[str, str]:
        await asyncio.sleep(0)
        return {"text": (await complete(self.model, Request(prompt=f"Say {word}", system="Be brief."))).text}


DOCS = pa.table({"row_id": ["a", "b"], "doc": ["P", "Q"], "text": ["one three x", "seven"]})


def steps(model: Model) -> list:
    echo = Echo(model=model, keep=())
    return [Words(), LongOnly(reads={"text": "word"}, least=2), echo, Join(writes={"text": "joined"})]


def test_a_merged_row_is_followed_back_to_what_came_in(tmp_path: Path) -> None:
    calls: list[str] = []

    def said(request: Request) -> str:
        calls.append(request.prompt)
        return request.prompt.removeprefix("Say ").upper()

    result = run(steps(ScriptedModel(said)), DOCS, cache_dir=tmp_path)
    row_id = result.table.filter(pa.compute.equal(result.table["doc"], "P"))["row_id"].to_pylist()[0]
    before = len(calls)
    trace = result.trace(row_id)
    assert len(calls) == before
    assert [(step.step, step.operator) for step in trace.steps] == [
        *((1, "Words"), (2, "LongOnly"), (3, "Echo"), (4, "Join"))
    ]
    assert trace.steps[0].inputs == [{"row_id": "a", "text": "one three x"}]
    assert [each["row_id"] for each in trace.steps[0].outputs] == ["a.0", "a.1"]
    assert trace.steps[2].asked == [
        *(Asked("scripted", f"Be brief.\n\nSay {word}", word.upper()) for word in ("one", "three"))
    ]
    assert trace.steps[3].outputs[0]["joined"] == "one three"


def test_a_row_that_came_in_is_followed_to_its_ends_and_a_reject_to_its_cause(tmp_path: Path) -> None:
    result = run(steps(ScriptedModel(lambda request: "y")), DOCS, cache_dir=tmp_path)
    trace = result.trace("a")
    assert [each["row_id"] for each in trace.steps[0].outputs] == ["a.0", "a.1", "a.2"]
    assert [each["row_id"] for each in trace.steps[1].rejects] == ["a.2"]
    rejected = result.trace("a.2")
    assert [(step.operator, len(step.outputs), len(step.rejects)) for step in rejected.steps] == [
        *(("Words", 1, 0), ("LongOnly", 0, 1))
    ]
    assert rejected.source == [{"row_id": "a", "doc": "P"}]
    assert str(rejected).startswith(
        "row a.2\n\n0. what else came in\n  in  a\n        doc: P\n\n"
        "1. Words\n  in  a\n        text: one three x\n  out  a.2\n"
    )


@pytest.mark.parametrize("parts", [False, True])
def test_a_reject_is_told_with_the_columns_of_its_row_that_no_step_read(tmp_path: Path, parts: bool) -> None:
    table = pa.table({"number": [7, 8], "picture": [b"1234", None], "text": [None, "one"]})
    options = {"out": tmp_path, "keep_steps": (0, 1)} if parts else {}
    result = run([LongOnly(least=1)], table, **options)
    row_id = result.rejects["row_id"][0].as_py()
    assert result.trace(row_id).source == [{"row_id": row_id, "number": 7, "picture": b"1234"}]
    assert '        number: 7\n        picture: "<4 bytes>"\n\n1. LongOnly\n' in str(result.trace(row_id))
    [came, *_] = life(result.trace(row_id))
    assert "what else came in" in str(came)
    assert "number" in str(came)


def test_of_a_row_all_of_whose_columns_were_read_nothing_else_came_in() -> None:
    trace = run([LongOnly(least=1)], pa.table({"row_id": ["a"], "text": ["one"]})).trace("a")
    assert str(trace).startswith("row a\n\n1. LongOnly\n")
    assert len(life(trace)) == 1


def test_a_line_that_could_not_be_read_is_told(tmp_path: Path) -> None:
    (path := tmp_path / "rows.jsonl").write_text('{"text": "one"}\n[1]\n')
    result = run([LongOnly(least=1)], path)
    assert str(result.trace(result.rejects["row_id"][0].as_py())).endswith(
        f"\n\n0. input\n  failed: {path}, line 2: not a JSON object but list."
    )


def test_a_row_is_also_found_by_its_own_id_at_the_end() -> None:
    table = pa.table({"row_id": ["a"], "id": ["plan-7"], "text": ["one"]})
    trace = run([LongOnly(least=1)], table).trace("plan-7")
    assert [step.outputs for step in trace.steps] == [[{"row_id": "a"}]]


def test_a_row_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="There is no row 'z' in this run"):
        run([LongOnly(least=1)], DOCS).trace("z")


def test_what_is_printed_steers_no_terminal() -> None:
    table = pa.table({"row_id": ["a"], "text": ["red \x1b[31m\nline"]})
    assert "text: red �[31m\n          line" in str(run([LongOnly(least=1)], table).trace("a"))


def test_a_run_of_a_command_is_traced_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Path(__file__).parents[2] / "examples/booklets/algebra_en.pdf"
    monkeypatch.chdir(tmp_path)
    assert main(["pdf-vqa", str(book), "--out", "out", "--pages", "1-3"]) == 0
    before = {
        path: path.read_bytes() for path in Path("out").rglob("*") if path.suffix in (".jsonl", ".html", ".parquet")
    }
    [row_id, *_] = pq.read_table("out/vqa.parquet")["row_id"].to_pylist()
    capsys.readouterr()
    assert main(["trace", "out", row_id]) == 0
    printed = capsys.readouterr().out
    assert [line for line in printed.splitlines() if line[:1].isdigit()] == [
        *(
            "1. DocumentReader",
            "2. MinerU2LLMInput",
            "3. ChunkedPromptedGenerator",
            "4. LLMOutputParser",
            "5. QA_Merger",
        )
    ]
    assert f"  out  {row_id}\n" in printed
    assert {path: path.read_bytes() for path in before} == before
    assert main(["trace", "out", "nobody"]) == 2
    assert main(["trace", "elsewhere", row_id]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("name the folder of a run of a pipeline.")
