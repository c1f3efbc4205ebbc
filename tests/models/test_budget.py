"""A budget: what it says, and that it is kept by calls under way together."""

import asyncio

import pytest

from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import OptionError
from dataflow_ext.models import Budget, BudgetError, ModelError, Reply, Request, RequestCache, ScriptedModel, Session
from dataflow_ext.models.budget import Cost, Purse


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("5usd", Budget(usd=5.0)),
        ("$0.5", Budget(usd=0.5)),
        (" 2 Mtok ", Budget(tokens=2_000_000)),
        ("300ktokens", Budget(tokens=300_000)),
        ("1tok,.25USD", Budget(tokens=1, usd=0.25)),
        ("0usd", Budget(usd=0.0)),
    ],
)
def test_a_budget_is_an_amount_with_its_unit(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["", "5", "5eur", "-1usd", "Mtok", "$5tok", "5usd,", "1e3tok", "nanusd"])
def test_anything_else_is_no_budget(text: str) -> None:
    with pytest.raises(OptionError, match="such as 5usd, 2Mtok or 5usd,2Mtok"):
        Budget.parse(text)


def test_calls_that_might_not_fit_together_wait_for_each_other() -> None:
    async def story() -> list[str]:
        purse = Purse(Budget(tokens=100))
        seen = []

        async def call(name: str, expected: int, real: int) -> None:
            try:
                await purse.take(Cost(expected))
            except BudgetError:
                seen.append(f"{name} refused")
                return
            seen.append(f"{name} begins")
            await asyncio.sleep(0)
            purse.pay(Cost(expected), Cost(real))

        await asyncio.gather(call("a", 60, 30), call("b", 60, 60), call("c", 20, 20), call("d", 1, 1))
        return [*seen, str(purse.spent.tokens)]

    assert run_async(story()) == ["a begins", "b begins", "c refused", "d refused", "90"]


def test_a_call_that_took_nothing_gives_its_share_back() -> None:
    async def story() -> tuple[int, int]:
        purse = Purse(Budget(tokens=10))
        for _ in range(5):
            await purse.take(Cost(10))
            purse.pay(Cost(10), None)
        return purse.spent.tokens, purse.aside.tokens

    assert run_async(story()) == (0, 0)


def test_a_waiter_that_is_cancelled_holds_nobody_up() -> None:
    async def story() -> int:
        purse = Purse(Budget(tokens=10))
        await purse.take(Cost(10))
        waiter = asyncio.create_task(purse.take(Cost(10)))
        last = asyncio.create_task(purse.take(Cost(4)))
        await asyncio.sleep(0)
        waiter.cancel()
        purse.pay(Cost(10), Cost(5))
        await last
        return purse.aside.tokens

    assert run_async(story()) == 4


def replies_of(tokens: int) -> ScriptedModel:
    return ScriptedModel(lambda request: Reply("ok", prompt_tokens=tokens - 10, completion_tokens=10), delay=0.005)


def ask(session: Session, model: ScriptedModel, count: int) -> list[Reply | Exception]:
    requests = [Request(f"{n} " + "x" * 400, expect=10) for n in range(count)]
    with session:
        return run_async(map_async(lambda request: session.complete(model, request), requests, 16))


def test_a_run_stops_at_its_budget_and_a_larger_one_pays_only_the_rest() -> None:
    cache, model = RequestCache(), replies_of(110)
    first = Session(cache, budget=Budget(tokens=2_000))
    done = ask(first, model, 50)
    made = [reply for reply in done if isinstance(reply, Reply)]
    stopped = [error for error in done if isinstance(error, ModelError)]
    assert len(made) + len(stopped) == 50
    assert 1_700 <= first.usage["scripted"].tokens <= 2_000
    assert {type(error) for error in stopped} == {BudgetError}
    assert str(stopped[-1]) == (
        f"The budget of 2,000 tokens is used up: {len(made) * 110:,} tokens spent, and the next call would take about "
        "111 tokens. Run again with a larger budget: what was paid for is kept."
    )
    second = Session(cache, budget="1Mtok")
    assert all(isinstance(reply, Reply) for reply in ask(second, model, 50))
    usage = second.usage["scripted"]
    assert (usage.cached, usage.tokens) == (len(made), (50 - len(made)) * 110)
    assert len(model.calls) == 50


def test_replies_that_are_longer_than_expected_overrun_a_budget_by_no_more_than_what_was_under_way() -> None:
    session = Session(budget=Budget(tokens=5_000))
    ask(session, replies_of(400), 60)
    assert 5_000 - 400 <= session.usage["scripted"].tokens <= 5_000 + 16 * 400


def test_remembered_replies_cost_nothing() -> None:
    cache, model = RequestCache(), replies_of(110)
    ask(Session(cache), model, 5)
    again = Session(cache, budget="0tok")
    assert all(isinstance(reply, Reply) for reply in ask(again, model, 5))
