"""A session in a process of its own: what it notes of money, and what sessions that ask it are told."""

import asyncio
import pickle
from pathlib import Path

import pytest

from dataflow_ext.background import run_async
from dataflow_ext.errors import DataflowError, ModelError
from dataflow_ext.models import Budget, Prices, Reply, Request, RequestCache, ScriptedModel, Session, in_step
from dataflow_ext.models.budget import Cost, Ledger
from dataflow_ext.models.session_process import Desk, DeskSession, write_state


class Server:
    """A model that answers when it is told to, and keeps what it was asked."""

    name = "m"
    asked: "list[Request]" = []  # noqa: RUF012 - one for all copies

    def identity(self):
        return {"name": "m"}

    async def complete(self, request):
        Server.asked.append(request)
        if "never" in request.prompt:
            await asyncio.sleep(60)
        if "fail" in request.prompt:
            raise ModelError("It cannot.")
        return Reply("yes", prompt_tokens=10, completion_tokens=1)


class Direct:
    """A line to a desk in this process, over which only bytes and plain values go."""

    def __init__(self, desk):
        self.desk = desk

    async def later(self, method, *values):
        return await getattr(self.desk, method)(*pickle.loads(pickle.dumps(values)))

    def now(self, method, *values):
        return run_async(self.later(method, *values))


@pytest.fixture
def desk(tmp_path):
    Server.asked.clear()
    write_state(tmp_path / "state", Cost(), Cost(), Ledger())
    session = Session(tmp_path / "requests.sqlite", budget="1000tok")
    return Desk(session, tmp_path / "state", str(Path.cwd()))


def test_a_session_that_is_pickled_has_its_settings_and_no_figures(tmp_path):
    session = Session(
        tmp_path / "requests.sqlite", max_in_flight=3, requests_per_minute=60, fresh=True, budget="5usd",
        prices=Prices(),
    )  # fmt: skip
    session.ledger.of("1. Ask", "m").requests += 1
    copy = pickle.loads(pickle.dumps(session))
    assert (copy.cache.path, copy.max_in_flight, copy.requests_per_minute, copy.tokens_per_minute, copy.fresh) == (
        session.cache.path, 3, 60, None, True,
    )  # fmt: skip
    assert copy.purse.budget == Budget(usd=5.0)
    assert copy.usage == {}


def test_what_costs_is_asked_of_the_desk_and_counted_there_by_step(desk):
    session = DeskSession(Direct(desk), cached=True, fresh=False)
    asked = Request("Well?", expect=7, context=lambda: "cannot be pickled")

    async def twice():
        with in_step("2. Ask"):
            return await asyncio.gather(session.complete(Server(), asked), session.complete(Server(), asked))

    assert [reply.text for reply in run_async(twice())] == ["yes", "yes"]
    assert [(request.expect, request.context) for request in Server.asked] == [(7, None)]
    _, entries = run_async(desk.figures())
    assert [(place, usage.made, usage.shared) for place, usage in entries.items()] == [(("2. Ask", "m"), 1, 1)]
    assert session.usage == {}


def test_local_models_are_asked_where_the_rows_are(desk):
    session = DeskSession(Direct(desk), cached=True, fresh=False)
    local = ScriptedModel(["Hello."])
    local.local = True
    assert run_async(session.complete(local, Request("Hi.", context=lambda: None))).text == "Hello."
    session.repaired(local)
    assert (session.usage["scripted"].requests, session.usage["scripted"].repairs) == (1, 1)


def test_an_error_at_the_desk_is_raised_where_it_was_asked(desk):
    session = DeskSession(Direct(desk), cached=True, fresh=False)
    with pytest.raises(ModelError, match="It cannot"):
        run_async(session.complete(Server(), Request("fail")))
    session.repaired(Server())
    _, entries = run_async(desk.figures())
    assert [(usage.failures, usage.repairs) for usage in entries.values()] == [(1, 1)]


def test_what_ocr_has_read_is_kept_in_the_desks_cache(desk, tmp_path):
    session = DeskSession(Direct(desk), cached=True, fresh=False)
    assert session.cache.get("00") is None
    session.cache.put("00", Reply("lines", origin="local"))
    assert session.cache.get("00").text == "lines"
    assert RequestCache(tmp_path / "requests.sqlite").get("00").text == "lines"
    assert DeskSession(Direct(desk), cached=False, fresh=False).cache is None


def test_a_desk_in_a_lost_ones_place_counts_what_was_set_aside_as_spent(desk, tmp_path):
    session = DeskSession(Direct(desk), cached=True, fresh=False)
    run_async(session.complete(Server(), Request("Well?")))

    async def is_lost():
        call = asyncio.create_task(session.complete(Server(), Request("never", max_tokens=50, expect=50)))
        while len(Server.asked) < 2:
            await asyncio.sleep(0.01)
        state = (tmp_path / "state").read_bytes()
        call.cancel()
        return state

    (tmp_path / "state").write_bytes(run_async(is_lost()))
    again = Desk(Session(tmp_path / "requests.sqlite", budget="1000tok"), tmp_path / "state", str(Path.cwd()))
    spent, entries = run_async(again.figures())
    assert 11 + 50 <= spent.tokens <= 11 + 60
    assert entries["", "m"].made == 1
    # The reply that was stored is not asked for again.
    run_async(DeskSession(Direct(again), cached=True, fresh=False).complete(Server(), Request("Well?")))
    assert [request.prompt for request in Server.asked] == ["Well?", "never"]


def test_what_cannot_be_pickled_on_its_way_is_an_error_that_says_so():
    from dataflow_ext.parallel.wire import called, heard

    assert heard(called(len, "abc")) == 3
    with pytest.raises(DataflowError, match="what became of it cannot pass between processes"):
        heard(called(lambda: lambda: None))
