"""Models asked part by part: a budget stops a streamed run, and the next one pays for the rest alone."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext import RowOperator, run
from dataflow_ext.models import BatchModel, Model, OpenAIModel, Request, complete
from tests.core.streaming.steps import Sums
from tests.loopback import prompt_of
from tests.support.batch_api import BatchApi, Loopback


class Doubled(RowOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}
    model: Model

    async def row(self, n: int) -> dict[str, int]:
        reply = await complete(self.model, Request(prompt=f"twice {n} " + "please " * 50, expect=1))
        return {"n": int(reply.text)}


def test_a_budget_stops_a_run_and_a_larger_one_asks_only_for_the_rest(tmp_path):
    rows = [{"n": n} for n in range(12)]
    with Loopback(lambda body: str(2 * int(prompt_of(body).split()[1]))) as server:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url)), Sums()]
        first = run(steps, rows, out=tmp_path, rows_per_part=4, budget="400tok")
        asked = len(server.calls)
        assert 0 < asked < 12
        assert [(stop.error, stop.rows) for stop in first.report.stopped] == [("BudgetError", 12 - asked)]
        again = run(steps, rows, out=tmp_path, rows_per_part=4)
        assert len(server.calls) == 12
        assert again.report.stopped == []
        assert again.table["n"].to_pylist() == [2 * n for n in range(12)]
        remembered = run(steps, rows, out=tmp_path, rows_per_part=4)
        assert [step.remembered for step in remembered.report.steps] == [True, True]
        assert len(server.calls) == 12


def test_a_model_that_gathers_calls_sends_one_batch_for_all_parts(tmp_path):
    rows = [{"n": n} for n in range(12)]
    with Loopback(lambda body: str(2 * int(prompt_of(body).split()[1])), batch=BatchApi(seconds=0.1)) as server:
        inner = OpenAIModel(name="m", base_url=server.url)
        model = BatchModel(model=inner, folder=tmp_path / "batches", quiet=0.2, poll=0.05)
        made = run([Doubled(model=model), Sums()], rows, out=tmp_path / "out", rows_per_part=4)
        assert [call.route for call in server.batch_calls].count("POST /batches") == 1
        assert made.table["n"].to_pylist() == [2 * n for n in range(12)]
