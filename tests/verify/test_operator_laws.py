"""Every exported operator of the family keeps the laws; one that is exported without a case fails the first test."""

from collections.abc import Callable, Mapping

import pyarrow as pa
import pytest

import operators
from dataflow_ext import Operator
from dataflow_ext.testing import check_operator
from operators import AnswerEquivalence

#: An operator, its table, how many rows live, and how many are rejected.
Case = tuple[Operator, pa.Table, int, int]

TEXT = pa.string()
OPTIONS = pa.list_(pa.struct([("letter", TEXT), ("text", TEXT)]))
SCHEMA = pa.schema([("answer", TEXT), ("reference", TEXT), ("question", TEXT), ("options", OPTIONS)])


def answers() -> pa.Table:
    options = [{"letter": "A", "text": "6 N"}, {"letter": "B", "text": "60 N"}]
    rows = [
        ("B", "60 N", "What is the tension?", options),
        ("60 kg", "60 N", "What is the tension?", []),
        (None, "60 N", "What is the tension?", []),
        ("60", "60 N", "What is the tension?", []),
        ("60", "60 N", None, []),
    ]
    return pa.Table.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in rows], SCHEMA)


def equivalence() -> Case:
    return AnswerEquivalence(), answers(), 4, 1


CASES: Mapping[str, Callable[[], Case]] = {"AnswerEquivalence": equivalence}


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.verify.")}
    found = {name for name in homes if issubclass(getattr(operators, name), Operator)}
    assert found == {name.partition(",")[0] for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_the_operator_keeps_the_laws(name: str) -> None:
    operator, source, rows, rejected = CASES[name]()
    assert type(operator).__name__ == name.partition(",")[0]
    assert check_operator(operator, source).num_rows == rows
    rejects = operator.apply(source).rejects
    assert rejects.num_rows == rejected, rejects["message"].to_pylist()
    told = rejects["message"].to_pylist()
    assert all(message and "Traceback" not in message for message in told), told


def test_each_row_gets_its_verdict_and_the_reason() -> None:
    made = AnswerEquivalence().apply(answers()).table.select(["equivalence", "equivalence_reason"]).to_pylist()
    assert [tuple(row.values()) for row in made] == [
        ("yes", "Both name B."),
        ("no", "The units measure different things."),
        ("unsure", "There is no answer to compare."),
        ("unsure", "One of them has no unit, and the question does not name it."),
    ]


def test_other_columns_can_be_compared() -> None:
    operator = AnswerEquivalence(reads={"answer": "blind_answer", "reference": "answer"})
    source = answers().rename_columns(["blind_answer", "answer", "question", "options"])
    assert operator.apply(source).table["equivalence"].to_pylist() == ["yes", "no", "unsure", "unsure"]
