"""Models that are asked by the tasks of a cluster: one gate, one budget, one cache and one batch for all of them."""

import logging

from dataflow_ext import run
from dataflow_ext.models import BatchModel, OpenAIModel, Session
from tests.core.streaming.steps import Copies, Sums
from tests.loopback import prompt_of
from tests.on_ray.steps import Doubled
from tests.support.batch_api import BatchApi, Loopback

ROWS = [{"n": n} for n in range(24)]


def twice(body):
    return str(2 * int(prompt_of(body).split()[1]))


def usage(result):
    return {place: (u.requests, u.made, u.cached, u.shared, u.tokens) for place, u in result.report.calls.items()}


def test_replies_and_figures_are_those_of_a_run_on_this_machine(tmp_path):
    with Loopback(twice) as server:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url)), Sums()]
        here = run(steps, ROWS, out=tmp_path / "here", rows_per_part=4)
        there = run(steps, ROWS, out=tmp_path / "there", rows_per_part=4, engine="ray")
        assert len(server.calls) == 2 * len(ROWS)
        assert usage(there) == usage(here)
        assert there.table.equals(here.table)
        run(steps, ROWS, out=tmp_path / "there", rows_per_part=4, engine="ray", fresh=False)
        again = run(steps, ROWS, out=tmp_path / "other", cache_dir=tmp_path / "there" / ".run", engine="ray")
        assert len(server.calls) == 2 * len(ROWS)
        assert usage(again)["1. Doubled", "m"] == (24, 0, 24, 0, 0)


def test_a_question_of_several_tasks_is_asked_once(tmp_path):
    with Loopback(twice) as server:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url))]
        there = run(steps, [{"n": n % 3} for n in range(24)], out=tmp_path, rows_per_part=2, engine="ray")
        assert there.table["n"].to_pylist() == [0, 2, 4] * 8
        assert len(server.calls) == 3


def test_a_budget_holds_over_all_tasks_and_a_larger_one_asks_only_for_the_rest(tmp_path):
    with Loopback(twice) as server:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url))]
        first = run(steps, ROWS, out=tmp_path, rows_per_part=2, budget="500tok", engine="ray")
        asked = len(server.calls)
        assert 0 < asked < len(ROWS)
        assert [(stop.error, stop.rows) for stop in first.report.stopped] == [("BudgetError", len(ROWS) - asked)]
        assert sum(u.tokens for u in first.report.models.values()) <= 500
        again = run(steps, ROWS, out=tmp_path, rows_per_part=2, engine="ray")
        assert len(server.calls) == len(ROWS)
        assert again.table["n"].to_pylist() == [2 * row["n"] for row in ROWS]


def test_the_session_that_was_given_has_the_figures_and_what_was_spent(tmp_path):
    with Loopback(twice) as server, Session(budget="1Mtok") as session:
        steps = [Doubled(model=OpenAIModel(name="m", base_url=server.url))]
        run(steps, ROWS, out=tmp_path, rows_per_part=8, session=session, engine="ray")
        assert session.usage["m"].made == len(ROWS)
        assert session.purse.spent.tokens == session.usage["m"].tokens > 0


def test_models_that_gather_calls_send_one_batch_for_all_parts(tmp_path, caplog):
    for engine in ("local", "ray"):
        with Loopback(twice, batch=BatchApi(seconds=0.2)) as server:
            inner = OpenAIModel(name="m", base_url=server.url)
            model = BatchModel(model=inner, folder=tmp_path / f"batches-{engine}", quiet=0.5, poll=0.05)
            with caplog.at_level(logging.WARNING):
                made = run(
                    [Copies(), Doubled(model=model), Copies()], ROWS, out=tmp_path / engine, rows_per_part=2,
                    engine=engine,
                )  # fmt: skip
            sent = [call for call in server.batch_calls if call.route == "POST /batches"]
            assert len(sent) == 1
            assert made.table.num_rows > 0
