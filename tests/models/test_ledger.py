"""Who asked what of which model, and what it took."""

from pathlib import Path

from dataflow_ext import RowOperator, run
from dataflow_ext.models import Model, OpenAIModel, Reply, Request, ScriptedModel, Usage, complete
from tests.loopback import Loopback


class Ask(RowOperator):
    """A model's word on a text."""

    inputs = {"text": str}  # noqa: RUF012
    outputs = {"said": str}  # noqa: RUF012

    model: Model

    async def row(self, text: str) -> dict[str, str]:
        return {"said": (await complete(self.model, Request(text))).text}


ROWS = [{"text": "one"}, {"text": "two"}, {"text": "two"}]


def test_figures_are_kept_by_step_and_model_and_summed_by_model() -> None:
    model = ScriptedModel(lambda request: Reply("ok", prompt_tokens=10, completion_tokens=5), delay=0.01)
    pipeline = [Ask(model=model), Ask(model=model, reads={"text": "said"}, writes={"said": "again"})]
    report = run(pipeline, ROWS).report
    first = Usage(3, shared=1, made=2, prompt_tokens=20, completion_tokens=10, usd=None)
    second = Usage(3, shared=2, made=1, prompt_tokens=10, completion_tokens=5, usd=None)
    assert report.calls == {("1. Ask", "scripted"): first, ("2. Ask", "scripted"): second}
    assert report.models == {"scripted": Usage(6, shared=3, made=3, prompt_tokens=30, completion_tokens=15, usd=None)}
    assert str(report).splitlines()[2] == (
        "scripted: 6 requests, 3 shared, 3 made, 30 tokens in, 15 out, price not known"
    )
    assert report.to_dict()["calls"][1]["step"] == "2. Ask"


def test_models_of_one_name_on_two_servers_are_told_apart() -> None:
    with Loopback() as one, Loopback() as other:
        generator, judge = (OpenAIModel(name="m", base_url=server.url) for server in (one, other))
        pipeline = [Ask(model=generator), Ask(model=judge, writes={"said": "verdict"})]
        report = run(pipeline, ROWS[:1]).report
    assert list(report.models) == ["m", f"m at {other.url}"]


def test_a_remembered_run_tells_what_it_did_not_pay_again(tmp_path: Path) -> None:
    def brain(request: Request) -> Reply:
        return Reply("ok", prompt_tokens=10, cached_tokens=4, completion_tokens=5)

    run([Ask(model=ScriptedModel(brain))], ROWS[:2], cache_dir=tmp_path)
    for file in (tmp_path / "steps").iterdir():
        file.unlink()
    again = run([Ask(model=ScriptedModel(brain))], ROWS[:2], cache_dir=tmp_path).report
    assert again.models == {"scripted": Usage(2, cached=2, spared_tokens=30, spared_usd=None)}
    assert str(again.models["scripted"]) == "2 requests, 2 remembered, 30 tokens not paid again"


def test_a_server_that_counts_no_tokens_is_counted_for() -> None:
    class Uncounted:
        name = "m"

        def identity(self) -> dict[str, object]:
            return {}

        async def complete(self, request: Request) -> Reply:
            return Reply("x" * 40)

    report = run([Ask(model=Uncounted())], [{"text": "y" * 80}]).report
    assert (report.models["m"].prompt_tokens, report.models["m"].completion_tokens) == (20, 10)


def test_a_run_that_was_stopped_says_so_and_the_next_one_goes_on(tmp_path: Path) -> None:
    model = ScriptedModel(lambda request: Reply("ok", prompt_tokens=60, completion_tokens=40), delay=0.01)
    rows = [{"text": f"{n}"} for n in range(10)]
    first = run([Ask(model=model)], rows, cache_dir=tmp_path, budget="600tok")
    (stop,) = first.report.stopped
    assert (first.table.num_rows + stop.rows, stop.error) == (10, "BudgetError")
    assert 0 < first.table.num_rows <= 6
    assert f"not done: {stop.rows} rows: The budget of 600 tokens is used up" in str(first.report)
    second = run([Ask(model=model)], rows, cache_dir=tmp_path, budget="1Mtok")
    assert (second.table.num_rows, second.report.stopped) == (10, [])
    assert len(model.calls) == 10
