"""The laws that all operators keep, on the family's operators; one that is exported without a case fails."""

from pathlib import Path

import pytest

import operators
from dataflow_ext import Operator
from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.models.errors import RejectedRequestError
from dataflow_ext.testing import check_operator
from operators import AdaptiveSampler, CoTSampler, QuestionReader, SampleWriter
from tests.sampling.question_sets import CHOICE, PLAIN, WORDED, read

ROWS = [PLAIN, CHOICE, WORDED, {"question": "What is bad?", "answer": "7"}]


def solver(request: Request) -> str:
    if "bad" in request.prompt:
        raise RejectedRequestError("never")
    return "\\boxed{4}" if request.seed else "\\boxed{B}"


def judge(request: Request) -> str:
    return '{"reason": "as it reads", "same": true}' if "4" in request.prompt else "Hm."


def sampled(folder: Path, **options):
    return {"model": ScriptedModel(solver), "judge": ScriptedModel(judge, name="judge"), **options}


CASES = {
    "QuestionReader": lambda folder: (QuestionReader(), read(*ROWS).select(["question", "answer"]), 4),
    "CoTSampler": lambda folder: (CoTSampler(**sampled(folder)), read(*ROWS), 10),
    "AdaptiveSampler": lambda folder: (AdaptiveSampler(**sampled(folder, mean=4)), read(*ROWS), 16),
    "SampleWriter": lambda folder: (SampleWriter(out=folder / "out"), CoTSampler(**sampled(folder))(read(*ROWS)), 10),
}


@pytest.mark.parametrize("name", CASES)
def test_an_operator_of_the_family_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, table, rows = CASES[name](tmp_path)
    table = table if name != "QuestionReader" else table.append_column("note", [[None, "a", "b", "c"]])
    assert check_operator(operator, table).num_rows == rows


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.sampling.")}
    assert {name for name in homes if issubclass(getattr(operators, name), Operator)} == set(CASES)
