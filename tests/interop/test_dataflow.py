"""Operators of DataFlow's and ours in each other's pipelines; skipped where the package open-dataflow is missing."""

import json
import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pytest

pytest.importorskip("dataflow.core")

import pandas as pd
from dataflow.core import OperatorABC
from dataflow.operators.core_text import GeneralFilter, PromptedEvaluator, PromptedGenerator
from dataflow.operators.general_text import LowercaseRefiner
from dataflow.pipeline import BatchedPipelineABC, PipelineABC, StreamBatchedPipelineABC
from dataflow.utils.registry import OPERATOR_REGISTRY
from dataflow.utils.storage import BatchedFileStorage, FileStorage, LazyFileStorage, StreamBatchedFileStorage

from dataflow_ext import GroupOperator, Image, Merged, RowOperator, check, run
from dataflow_ext.errors import ColumnError, OptionError
from dataflow_ext.fingerprint import fingerprint
from dataflow_ext.interop.dataflow import DataFlowOperator, Serving, exact, in_dataflow
from dataflow_ext.models import Budget, OpenAIModel, RejectedRequestError, ScriptedModel, Session
from dataflow_ext.testing import check_operator

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = [
    {"question": "What is RAIN?", "code": "001", "marks": [1, None], "points": 3},
    {"question": "Why is the SKY blue?", "code": "002", "marks": [], "points": None},
    {"question": "WHO?", "code": "010", "marks": None, "points": 7},
]


@pytest.fixture(autouse=True)
def quiet():
    logging.getLogger("DataFlow").setLevel(logging.CRITICAL)


class Words(RowOperator):
    """The words of a text."""

    inputs, outputs = {"text": str}, {"words": list[str]}

    def row(self, text: str) -> dict[str, list[str]]:
        return {"words": text.split()}


class Short(RowOperator):
    """The rows of few words."""

    rows = "filter"
    inputs, outputs = {"words": list[str]}, {}
    most: int = 6

    def row(self, words: list[str]) -> bool | str:
        return len(words) <= self.most or f"{len(words)} words"


class EachWord(RowOperator):
    """A row for each word."""

    rows = "explode"
    inputs, outputs = {"words": list[str]}, {"word": str}

    def row(self, words: list[str]) -> Iterator[dict[str, str]]:
        yield from ({"word": word} for word in words)


class PerCode(GroupOperator):
    """The words of a code."""

    key, order = ("code",), ("word",)
    inputs, outputs = {"code": str, "word": str}, {"words": list[str]}

    def group(self, code: list[str], word: list[str]) -> Iterator[Merged]:
        yield Merged(range(len(word)), {"words": word})


class Passed(RowOperator):
    """Numbers, lists and pictures as they come."""

    inputs: ClassVar = {"code": str, "points": int | None, "marks": list[int | None] | None, "picture": Image}
    outputs: ClassVar = {"seen": str}

    def row(self, code: str, points: int | None, marks: list[int | None] | None, picture: Image) -> dict[str, str]:
        return {"seen": repr((code, points, marks, picture.path, picture.bytes))}


def answers(**script) -> ScriptedModel:
    return ScriptedModel(lambda request: script.get(request.prompt.split()[0], f"Answer: {request.prompt}"))


def asks(model) -> PromptedGenerator:
    return PromptedGenerator(Serving(model), system_prompt="Answer.")


def mixed_list(model) -> list:
    return [
        DataFlowOperator(
            operator=asks(model),
            takes={"question": str},
            gives={"answer": str},
            run={"input_key": "question", "output_key": "answer"},
        ),
        Words(reads={"text": "answer"}),
        DataFlowOperator(
            operator=LowercaseRefiner(), takes={"answer": str}, gives={"answer": str}, run={"input_key": "answer"}
        ),
        Short(most=5),
    ]


def mixed_pipeline(base, storage, model):
    class Mixed(base):
        def __init__(self):
            super().__init__()
            self.storage = storage
            self.generate = asks(model)
            self.words = in_dataflow(Words)()
            self.lower = LowercaseRefiner()
            self.short = in_dataflow(Short)(most=5)

        def forward(self):
            self.generate.run(self.storage.step(), input_key="question", output_key="answer")
            self.words.run(self.storage.step(), input_text_key="answer")
            self.lower.run(self.storage.step(), input_key="answer")
            self.short.run(self.storage.step())

    return Mixed()


def written(folder: Path) -> list[dict]:
    """The rows of the last step, without their ids, which DataFlow's rows have not at first."""
    steps = [path for path in folder.glob("*_step*.jsonl") if "rejects" not in path.name]
    lines = max(steps, key=lambda path: int(path.stem.rpartition("step")[2])).read_text().splitlines()
    return [{name: v for name, v in json.loads(line).items() if name != "row_id"} for line in lines if line]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    return str(path)


def expected() -> list[dict]:
    result = run(mixed_list(answers()), QUESTIONS)
    assert result.rejects["message"].to_pylist() == ["6 words"]
    return result.table.drop_columns(["row_id"]).to_pylist()


def test_two_of_theirs_and_two_of_ours_give_the_same_rows_in_a_list_and_in_a_pipeline_plain_and_compiled(
    tmp_path, source
):
    wanted = expected()
    assert [row["code"] for row in wanted] == ["001", "010"]
    assert wanted[0]["answer"] == "answer: what is rain?"
    for name in ("plain", "compiled"):
        storage = exact(FileStorage(source, cache_path=str(tmp_path / name)))
        pipeline = mixed_pipeline(PipelineABC, storage, answers())
        if name == "compiled":
            pipeline.compile()
        pipeline.forward()
        assert written(tmp_path / name) == wanted
        (rejects,) = (tmp_path / name).glob("*step4.rejects.jsonl")
        assert json.loads(rejects.read_text())["message"] == "6 words"


@pytest.mark.parametrize(
    ("base", "storage"),
    [(BatchedPipelineABC, BatchedFileStorage), (StreamBatchedPipelineABC, StreamBatchedFileStorage)],
)
def test_batches_of_a_pipeline_give_the_same_rows_and_all_rejects(tmp_path, source, base, storage):
    pipeline = mixed_pipeline(base, exact(storage(source, cache_path=str(tmp_path / "batches"))), answers())
    pipeline.compile()
    pipeline.forward(batch_size=1)
    assert written(tmp_path / "batches") == expected()
    assert pipeline.op_nodes_list[4].op_obj.rejects["message"].to_pylist() == ["6 words"]


def test_a_storage_in_memory_serves_as_well(tmp_path, source):
    storage = exact(LazyFileStorage(source, cache_path=str(tmp_path / "lazy"), save_on_exit=False))
    mixed_pipeline(PipelineABC, storage, answers()).forward()
    storage.flush_all()
    assert written(tmp_path / "lazy") == expected()


def test_a_list_with_their_operators_runs_by_parts(tmp_path):
    result = run(mixed_list(answers()), pa.Table.from_pylist(QUESTIONS), out=tmp_path, rows_per_part=1)
    assert [row["answer"] for row in result.table.to_pylist()] == [row["answer"] for row in expected()]


def test_compile_proves_our_columns_under_the_names_that_they_have_there(tmp_path, source):
    class Wrong(PipelineABC):
        def __init__(self):
            super().__init__()
            self.storage = FileStorage(source, cache_path=str(tmp_path))
            self.words = in_dataflow(Words)()

        def forward(self):
            self.words.run(self.storage.step(), input_text_key="questoin", output_words_key="parts")

    with pytest.raises(KeyError, match="Input key 'questoin' in `words`"):
        Wrong().compile()


def test_our_operators_are_in_their_registry():
    made = in_dataflow(Words)
    assert OPERATOR_REGISTRY.get("RowsmithWords") is made
    assert made.__doc__ == "The words of a text."


def test_a_call_that_fails_costs_its_row_and_no_call_is_made_twice():
    model = answers(Why=RejectedRequestError("not allowed"))
    result = run(mixed_list(model), QUESTIONS)
    assert result.table["code"].to_pylist() == ["001", "010"]
    assert result.rejects.select(["step", "error", "message", "inputs"]).to_pylist() == [
        {
            "step": 1,
            "error": "RejectedRequestError",
            "message": "not allowed",
            "inputs": '{"question": "Why is the SKY blue?"}',
        }
    ]
    assert sorted(request.prompt for request in model.calls) == sorted(row["question"] for row in QUESTIONS)


def test_an_operator_that_makes_a_value_of_a_failure_is_not_believed():
    model = ScriptedModel(
        lambda request: RejectedRequestError("not allowed") if "Why" in request.prompt else "Score: 4"
    )
    evaluator = DataFlowOperator(
        operator=PromptedEvaluator(Serving(model)),
        takes={"question": str},
        gives={"eval": int},
        run={"input_key": "question"},
    )
    result = run([evaluator], QUESTIONS)
    assert result.table["eval"].to_pylist() == [4, 4]
    assert result.rejects["message"].to_pylist() == ["not allowed"]


def test_calls_use_the_budget_and_the_cache_of_the_run(tmp_path):
    model = ScriptedModel(lambda request: "yes", count_tokens=True)
    result = run(mixed_list(model)[:1], QUESTIONS, budget=Budget(tokens=1), cache_dir=tmp_path)
    assert result.table.num_rows == 0
    assert set(result.rejects["error"].to_pylist()) == {"BudgetError"}
    assert run(mixed_list(model)[:1], QUESTIONS, cache_dir=tmp_path).table.num_rows == 3
    paid = len(model.calls)
    result = run(mixed_list(model)[:1], QUESTIONS, cache_dir=tmp_path, fresh=False)
    assert (len(model.calls), result.report.steps[0].remembered) == (paid, True)


def test_in_their_pipeline_calls_use_the_session_around_it_and_what_failed_is_a_reject_of_ours(tmp_path, source):
    model = answers(Why=RejectedRequestError("not allowed"))
    pipeline = mixed_pipeline(PipelineABC, exact(FileStorage(source, cache_path=str(tmp_path / "cache"))), model)
    pipeline.lower = in_dataflow(Words)()
    pipeline.forward = lambda: [
        pipeline.generate.run(pipeline.storage.step(), input_key="question", output_key="answer"),
        pipeline.words.run(pipeline.storage.step(), input_text_key="answer"),
    ]
    with Session(tmp_path / "replies.sqlite") as session:
        pipeline.forward()
        assert session.usage["scripted"].failures == 1
    assert [row["code"] for row in written(tmp_path / "cache")] == ["001", "010"]
    assert pipeline.words.rejects["message"].to_pylist() == ["column 'answer' is null"]
    assert '"answer": null' in pipeline.words.rejects["inputs"][0].as_py()


def test_the_model_of_a_serving_is_seen_by_fingerprints_and_running_changes_none():
    first, again, other = (mixed_list(ScriptedModel({"": text}))[0] for text in ("a", "a", "b"))
    before = fingerprint(first)
    assert before == fingerprint(again) != fingerprint(other)
    first(QUESTIONS)
    assert fingerprint(first) == before
    assert [model.name for model in first.models] == ["scripted"]
    assert Serving("gpt-4o").model == OpenAIModel(name="gpt-4o")


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "parquet"])
def test_texts_nulls_lists_and_pictures_stay_what_they_are(tmp_path, kind):
    rows = [dict(row, picture=f"p{n}.png") for n, row in enumerate(QUESTIONS)]
    path = tmp_path / f"rows.{kind}"
    if kind == "parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif kind == "csv":
        pd.DataFrame([{**row, "marks": None} for row in rows]).to_csv(path, index=False)
    else:
        path.write_text(json.dumps(rows) if kind == "json" else "".join(json.dumps(row) + "\n" for row in rows))
    storage = exact(FileStorage(str(path), cache_path=str(tmp_path / "cache")), code=str)
    operator = in_dataflow(Passed)()
    operator.run(storage.step())
    assert operator.rejects.num_rows == 0
    marks = [None, None, None] if kind == "csv" else [[1, None], [], None]
    assert [row["seen"] for row in written(tmp_path / "cache")] == [
        repr((row["code"], row["points"], mark, f"p{n}.png", None))
        for n, (row, mark) in enumerate(zip(QUESTIONS, marks, strict=True))
    ]


def test_what_is_no_value_of_the_declared_type_is_a_reject_in_their_pipeline(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text": "a b"}\n{"text": 7}\n{"text": null}\n')
    operator = in_dataflow(Words)()
    operator.run(FileStorage(str(path), cache_path=str(tmp_path / "cache")).step())
    assert [row["words"] for row in written(tmp_path / "cache")] == [["a", "b"]]
    assert operator.rejects.select(["operator", "message", "inputs"]).to_pylist() == [
        {"operator": "Words", "message": "column 'text': expected str, got int 7", "inputs": '{"text": 7}'},
        {"operator": "Words", "message": "column 'text' is null", "inputs": '{"text": null}'},
    ]


def test_rows_that_are_exploded_and_merged_keep_what_belongs_to_them(tmp_path, source):
    storage = exact(FileStorage(source, cache_path=str(tmp_path / "cache")))
    in_dataflow(Words)().run(storage.step(), input_text_key="question")
    in_dataflow(EachWord)().run(storage.step())
    assert [(row["code"], row["points"], row["word"]) for row in written(tmp_path / "cache")][:4] == [
        ("001", 3, "What"),
        ("001", 3, "is"),
        ("001", 3, "RAIN?"),
        ("002", None, "Why"),
    ]
    in_dataflow(PerCode)().run(storage.step())
    merged = {row["code"]: row["words"] for row in written(tmp_path / "cache")}
    assert merged == {"001": ["RAIN?", "What", "is"], "002": ["SKY", "Why", "blue?", "is", "the"], "010": ["WHO?"]}


class Looks(OperatorABC):
    """An operator of theirs that reads pictures' files."""

    def run(self, storage, input_key, output_key):
        frame = storage.read("dataframe")
        frame[output_key] = [Path(path).suffix + str(len(Path(path).read_bytes())) for path in frame[input_key]]
        storage.write(frame)


def test_pictures_go_to_their_operators_as_paths(tmp_path):
    png = b"\x89PNG\r\n\x1a\n123"
    (tmp_path / "a.jpeg").write_bytes(b"1234")
    look = DataFlowOperator(
        operator=Looks(), takes={"p": Image}, gives={"seen": str}, run={"input_key": "p", "output_key": "seen"}
    )
    rows = [{"p": {"bytes": None, "path": str(tmp_path / "a.jpeg")}}, {"p": {"bytes": png, "path": None}}]
    assert look(rows)["seen"].to_pylist() == [".jpeg4", ".png11"]


class Backwards(OperatorABC):
    """An operator of theirs that changes order and number of rows: each as often as ``n`` says."""

    def run(self, storage):
        frame = storage.read("dataframe")
        storage.write([row for row in frame.to_dict("records")[::-1] for _ in range(row["n"])])


def test_rows_are_known_by_their_id_whatever_their_operator_does():
    twice = DataFlowOperator(operator=Backwards(), takes={"n": int}, gives={"n": int}, kind="explode")
    made = twice.apply(pa.table({"row_id": ["a", "b", "c"], "n": [1, 0, 2], "of": ["x", "y", "z"]}))
    assert made.table.select(["row_id", "of"]).to_pylist() == [
        {"row_id": "a.0", "of": "x"},
        {"row_id": "c.0", "of": "z"},
        {"row_id": "c.1", "of": "z"},
    ]
    assert made.rejects.select(["row_id", "kind"]).to_pylist() == [{"row_id": "b", "kind": "empty"}]


def test_a_filter_of_theirs_drops_rows_with_a_reason():
    long = DataFlowOperator(
        operator=GeneralFilter([lambda frame: frame["n"] > 1]), takes={"n": int}, kind="filter", all_rows=True
    )
    check([long], {"n": int})
    made = long.apply([{"n": 1}, {"n": 2}])
    assert made.table["n"].to_pylist() == [2]
    assert made.rejects.select(["kind", "message"]).to_pylist() == [
        {"kind": "dropped", "message": "GeneralFilter left it out"}
    ]


class Anonymous(OperatorABC):
    """An operator of theirs whose rows have lost their ids."""

    def run(self, storage):
        storage.write(storage.read("dataframe")[["n"]][:1])


def test_rows_that_nobody_can_be_told_of_and_missing_columns_end_the_run_with_a_sentence():
    with pytest.raises(ColumnError, match="Anonymous made 1 rows of 2 without row_id"):
        run([DataFlowOperator(operator=Anonymous(), takes={"n": int}, gives={"n": int})], [{"n": 1}, {"n": 2}])
    with pytest.raises(ColumnError, match="Anonymous wrote no column m, which `gives` names, but n"):
        run([DataFlowOperator(operator=Anonymous(), takes={"n": int}, gives={"m": int})], [{"n": 1}])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"operator": "x"}, "operator is 'x'; give an operator of DataFlow's as its class makes it"),
        ({"operator": LowercaseRefiner}, "operator is the class LowercaseRefiner; give"),
        (
            {"run": {"input_kye": "question"}},
            "LowercaseRefiner.run: missing a required argument: 'input_key'; beside the storage",
        ),
        (
            {"run": {"input_key": "qestion"}},
            r"input_key names the column 'qestion', but `takes` has question \(did you mean 'question'\?\)",
        ),
    ],
    ids=["text", "class", "keyword", "column"],
)
def test_what_their_operator_would_fail_for_on_every_row_is_told_when_the_step_is_made(change, message):
    good = {
        "operator": LowercaseRefiner(), "takes": {"question": str}, "gives": {"question": str},
        "run": {"input_key": "question"},
    }  # fmt: skip
    DataFlowOperator(**good)
    with pytest.raises(OptionError, match=message):
        DataFlowOperator(**good | change)


def test_their_operator_keeps_our_laws():
    lower = DataFlowOperator(
        operator=LowercaseRefiner(), takes={"text": str}, gives={"text": str}, run={"input_key": "text"}
    )
    table = pa.table({"text": ["A b", None, "C"]})
    assert check_operator(lower, table)["text"].to_pylist() == ["a b", "c"]


def test_conversations_and_pictures_are_asked_as_they_are(tmp_path):
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n123")
    model = ScriptedModel(lambda request: repr((request.system, request.prompt, request.follow_up, request.images)))
    talk = [
        {"role": "system", "content": "Be brief."},
        *({"role": role, "content": text} for role, text in (("user", "Hi"), ("assistant", "Yes?"), ("user", "Bye"))),
    ]
    assert Serving(model).generate_from_conversations([talk]) == [repr(("Be brief.", "Hi", ("Yes?", "Bye"), ()))]
    assert Serving(model).generate_from_input_one_image([picture], ["What?"], "Look.") == [
        repr(("Look.", "What?", (), (str(picture),)))
    ]


def test_the_page_about_dataflow_says_what_is_true(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(ROOT / "examples" / "booklets" / "geometry_zh.pdf", "book.pdf")
    code = re.findall(r"^```py\n(.*?)^```$", (ROOT / "docs" / "from_dataflow.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(code) == 3
    exec(compile("\n".join(code), "from_dataflow.md", "exec"), {"__name__": "page"})
    assert written(tmp_path / "books")[0]["question"]


def test_a_step_is_called_by_the_class_that_it_wraps():
    result = run(mixed_list(answers(Why=RejectedRequestError("not allowed"))), QUESTIONS)
    assert [step.operator for step in result.report.steps] == [
        "PromptedGenerator",
        "Words",
        "LowercaseRefiner",
        "Short",
    ]
    assert result.rejects["operator"].to_pylist() == ["PromptedGenerator"]
    assert result.after("PromptedGenerator").num_rows == 2
