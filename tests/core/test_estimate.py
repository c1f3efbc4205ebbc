"""The estimate before a run: it asks nothing, and counts what the run then asks."""

from pathlib import Path
from typing import Any

import pytest

from dataflow_ext import RowOperator, run
from dataflow_ext.errors import OptionError
from dataflow_ext.estimates import Calls, Estimate, estimate
from dataflow_ext.models import ModelError, OpenAIModel, Prices, Reply, Request, ScriptedModel, complete
from tests.loopback import Loopback

ENGLISH = "The train leaves at noon, and a second one, twice as fast, leaves the same station an hour later. "
CHINESE = "已知函数在区间上单调递增，求实数的取值范围，并说明理由；若不存在，请给出反例。"
PRICES = Prices({"m": {"input": 1.0, "output": 2.0}})


class Ask(RowOperator):
    """Asks a model about each text."""

    inputs, outputs = {"text": str}, {"answer": str}
    model: Any
    expect: int | None = 40

    async def row(self, text: str) -> dict[str, str]:
        reply = await complete(self.model, Request(text, system="Answer briefly.", expect=self.expect))
        return {"answer": reply.text}


class Judge(RowOperator):
    """Asks a model about each answer."""

    inputs, outputs = {"answer": str}, {"verdict": str}
    models: list[Any]

    async def row(self, answer: str) -> dict[str, str]:
        return {"verdict": (await complete(self.models[0], Request(f"True? {answer}"))).text}


class Forgiving(Ask):
    """Goes on without a reply."""

    async def row(self, text: str) -> dict[str, str]:
        try:
            return await super().row(text)
        except ModelError:
            return {"answer": "none"}


class Heavy(RowOperator):
    """Local work that leaves a mark each time it is done."""

    inputs, outputs = {"text": str}, {"text": str}
    marks: str

    def row(self, text: str) -> dict[str, str]:
        with Path(self.marks).open("a") as file:
            file.write("x")
        return {"text": text.strip()}


def rows(*texts):
    return [{"text": text} for text in texts]


def served(server, name="m", **options):
    return OpenAIModel(name=name, base_url=server.url, **options)


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_an_estimate_asks_nothing_and_counts_what_the_run_asks(text, tmp_path):
    # The server counts the bytes of what it receives as a real one's tokens: a quarter of them, or so.
    data = rows(*(text * n for n in range(20, 40)))
    with Loopback(lambda body: "An answer of forty tokens, which is wha" * 4) as server:
        pipeline = [Ask(model=served(server))]
        expected = estimate(pipeline, data, cache_dir=tmp_path, prices=PRICES)
        assert server.received == 0
        run(pipeline, data, cache_dir=tmp_path)
        sent = sum(len(prompt.encode()) for prompt in server.prompts) / 4
        assert server.received == expected.total.to_ask == expected.total.requests == 20
    assert expected.total.prompt_tokens == pytest.approx(sent, rel=0.15)
    assert expected.total.completion_tokens == 20 * 40
    assert expected.total.usd == pytest.approx((expected.total.prompt_tokens + 2 * 20 * 40) / 1e6)


def test_remembered_replies_and_identical_requests_are_not_asked_for(tmp_path):
    with Loopback(lambda body: "yes") as server:
        pipeline = [Ask(model=served(server))]
        run(pipeline, rows("a", "b"), cache_dir=tmp_path)
        found = estimate(pipeline, rows("a", "b", "c", "c", "d", "d"), cache_dir=tmp_path, prices=PRICES)
        assert server.received == 2
        run(pipeline, rows("a", "b", "c", "c", "d", "d"), cache_dir=tmp_path)
        assert server.received == 2 + found.total.to_ask
    assert found.calls == [Calls("1. Ask", "m", 6, 2, 2, 2 * (4 + 1), 80, pytest.approx((10 + 160) / 1e6))]


def test_after_the_run_nothing_is_left_to_ask_and_fresh_asks_for_all_of_it(tmp_path):
    model = ScriptedModel({"": "yes"}, name="m")
    run([Ask(model=model)], rows("a", "b"), cache_dir=tmp_path)
    assert estimate([Ask(model=model)], rows("a", "b"), cache_dir=tmp_path).calls == []
    fresh = estimate([Ask(model=model)], rows("a", "b"), cache_dir=tmp_path, fresh=True)
    assert (fresh.total.requests, fresh.total.remembered, fresh.total.to_ask) == (2, 0, 2)
    assert len(model.calls) == 2


def test_completions_are_guessed_from_remembered_replies_and_else_taken_for_256(tmp_path):
    line = Reply("yes", prompt_tokens=9, completion_tokens=30)
    pipeline = [Ask(model=ScriptedModel({"": line}, name="m"), expect=None)]
    assert estimate(pipeline, rows("a", "b", "c"), cache_dir=tmp_path).total.completion_tokens == 3 * 256
    run(pipeline, rows("a"), cache_dir=tmp_path)
    assert estimate(pipeline, rows("a", "b", "c"), cache_dir=tmp_path).total.completion_tokens == 2 * 30


def test_batch_calls_are_counted_at_their_price():
    model = ScriptedModel({"": "yes"}, name="m")
    usual = estimate([Ask(model=model)], rows("a", "b"), prices=PRICES).total.usd
    model.queued = True
    assert estimate([Ask(model=model)], rows("a", "b"), prices=PRICES).total.usd == pytest.approx(usual / 2)


def test_what_waits_for_replies_is_told(tmp_path):
    model, judge = ScriptedModel({"": "yes"}, name="m"), ScriptedModel({"": "true"}, name="judge")
    pipeline = [Ask(model=model), Judge(models=[judge])]
    run(pipeline, rows("a", "b"), cache_dir=tmp_path)
    found = estimate(pipeline, rows("a", "b", "c"), cache_dir=tmp_path, prices=PRICES)
    assert [(each.step, each.to_ask) for each in found.calls] == [("1. Ask", 1), ("2. Judge", 0)]
    assert found.notes == [
        "1 row waits for replies at step 1 (Ask); what step 2 (Judge) would then ask is not counted."
    ]  # fmt: skip
    last = estimate(pipeline[:1], rows("c", "d"), prices=PRICES)
    assert last.notes == ["2 rows wait for replies at step 1 (Ask); no later step asks a model."]


def test_a_step_that_goes_on_without_its_reply_is_not_remembered_as_done(tmp_path):
    model = ScriptedModel({"": "yes"}, name="m")
    found = estimate([Forgiving(model=model)], rows("a"), cache_dir=tmp_path)
    assert (found.total.to_ask, found.notes[0][:40]) == (1, "At step 1 (Forgiving) no row waits for t")
    assert run([Forgiving(model=model)], rows("a"), cache_dir=tmp_path).table["answer"].to_pylist() == ["yes"]


def test_local_work_is_remembered_for_the_run_and_local_models_cost_nothing(tmp_path):
    model = ScriptedModel({"": "yes"}, name="rules")
    model.local = True
    pipeline = [Heavy(marks=str(tmp_path / "marks")), Ask(model=model)]
    found = estimate(pipeline, rows(" a", "b "), cache_dir=tmp_path / "cache")
    assert (found.calls, str(found)) == ([], "No model would be asked anything that costs.")
    run(pipeline, rows(" a", "b "), cache_dir=tmp_path / "cache")
    assert (tmp_path / "marks").read_text() == "xx"


def test_the_estimate_is_a_small_table_with_a_word_on_how_exact_it_is():
    found = Estimate([Calls("2. Ask", "m", 1200, 200, 1000, 81250, 256000, 2.5), Calls("3. Judge", "longer", 1)])
    assert str(found).splitlines()[:4] == [
        "step      model   requests  remembered  to ask  prompt tokens  completion tokens     usd",
        "2. Ask    m          1,200         200   1,000         81,250            256,000    2.50",
        "3. Judge  longer         1           0       0              0                  0  0.0000",
        "total                1,201         200   1,000         81,250            256,000    2.50",
    ]
    assert "within about a tenth" in str(found).splitlines()[4]
    assert found.to_dict()["total"]["usd"] == 2.5
    assert len(found.to_dict()["calls"]) == 2


def test_a_model_without_a_price_is_named():
    found = estimate([Ask(model=ScriptedModel({"": "yes"}, name="own"))], rows("a"))
    assert (found.calls[0].usd, found.total.usd) == (None, None)
    assert found.notes[-1] == "No price is known for own; prices can be given by model name."


def test_limit_and_workers_are_those_of_a_run(tmp_path):
    model = ScriptedModel({"": "yes"}, name="m")
    assert estimate([Ask(model=model)], rows("a", "b", "c"), limit=2, workers=2).total.to_ask == 2
    with pytest.raises(OptionError, match="workers=0"):
        estimate([Ask(model=model)], rows("a"), workers=0)
