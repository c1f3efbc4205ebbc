"""What a bad night does to a run: full disks, two loops, several threads, pictures that change, mended mistakes."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from dataflow_ext import RowOperator, run
from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import (
    Budget,
    BudgetError,
    CacheError,
    Model,
    OpenAIModel,
    PictureError,
    Prices,
    Reply,
    Request,
    RequestCache,
    ScriptedModel,
    Session,
    complete,
)
from dataflow_ext.models.budget import Cost, Purse
from tests.loopback import Fault, Loopback


class Ask(RowOperator):
    """A model's word on a text."""

    inputs = {"text": str}  # noqa: RUF012
    outputs = {"said": str}  # noqa: RUF012

    model: Model

    async def row(self, text: str) -> dict[str, str]:
        return {"said": (await complete(self.model, Request(text))).text}


ROWS = [{"text": f"{n} " + "x" * 4_000} for n in range(30)]


class Full(RequestCache):
    """A cache whose disk is full after some replies."""

    room = 3

    def put(self, key: str, reply: Reply) -> None:
        if not self.room:
            raise CacheError("The request cache cannot be used: database or disk is full.")
        self.room -= 1
        super().put(key, reply)


def test_on_a_full_disk_paid_replies_are_used_and_counted_and_no_more_is_paid() -> None:
    model = ScriptedModel(lambda request: Reply("ok", prompt_tokens=9, completion_tokens=1), delay=0.01)
    with Session(Full(), max_in_flight=2) as session:
        result = run([Ask(model=model)], ROWS, session=session)
    used = session.usage["scripted"]
    assert result.table.num_rows == used.made == len(model.calls) <= 6
    assert used.tokens == 10 * used.made
    (stop,) = result.report.stopped
    assert (stop.error, stop.rows) == ("CacheError", 30 - used.made)
    assert stop.message.startswith("No further call was made: The request cache cannot be used")


def test_a_cache_that_was_locked_once_works_when_the_lock_is_gone(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("dataflow_ext.models.request_cache._BUSY", 0.05)
    path = tmp_path / "r.sqlite"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA journal_mode = WAL")
    holder.execute("BEGIN EXCLUSIVE")
    cache = RequestCache(path)
    with pytest.raises(CacheError, match="locked"):
        cache.put("00" * 32, Reply("ok"))
    holder.execute("ROLLBACK")
    holder.close()
    cache.put("00" * 32, Reply("ok"))
    assert cache.get("00" * 32) == Reply("ok", from_cache=True)


@pytest.mark.parametrize("status", [302, 401, 402, 404])
def test_a_mistake_of_key_account_or_address_is_not_remembered_once_it_is_mended(tmp_path: Path, status: int) -> None:
    with Loopback(lambda body: "ok", fault=lambda number, body: Fault("status", status)) as server:
        model = OpenAIModel(name="m", base_url=server.url)
        first = run([Ask(model=model)], ROWS, cache_dir=tmp_path)
        server.fault = lambda number, body: None
        second = run([Ask(model=model)], ROWS, cache_dir=tmp_path)
    assert (first.table.num_rows, sum(stop.rows for stop in first.report.stopped)) == (0, 30)
    assert (second.table.num_rows, second.report.steps[0].remembered) == (30, False)


def test_a_model_without_a_price_is_not_asked_for_dollars() -> None:
    priced = Prices({"dear": {"input": 1_000_000, "output": 1_000_000}})
    cheap, dear = (ScriptedModel(lambda r: Reply("ok", prompt_tokens=1), name=n) for n in ("unknown", "dear"))
    with Session(budget=Budget(usd=5.0), prices=priced) as session:
        with pytest.raises(BudgetError, match="No price is known for unknown"):
            run_async(session.complete(cheap, Request("a")))
        requests = [Request(f"{n}", expect=0) for n in range(20)]
        answers = run_async(map_async(lambda each: session.complete(dear, each), requests, 20))
    assert (len(cheap.calls), sum(isinstance(answer, Reply) for answer in answers)) == (0, 5)


def test_a_purse_wakes_who_waits_on_another_event_loop() -> None:
    purse, done = Purse(Budget(tokens=10)), []
    run_async(purse.take(Cost(10)))

    async def wait() -> None:
        await asyncio.wait_for(purse.take(Cost(5)), 5)
        done.append("in")

    thread = threading.Thread(target=lambda: asyncio.run(wait()))
    thread.start()
    while not purse._waiting:
        pass
    purse.pay(Cost(10), Cost(3))
    thread.join(timeout=6)
    assert done == ["in"]


def test_threads_may_share_a_folder_and_a_session(tmp_path: Path) -> None:
    model = ScriptedModel(lambda request: "ok", delay=0.01)
    session, counts = Session(RequestCache(tmp_path / "r.sqlite")), []

    def work(shared: bool) -> None:
        more = {"session": session} if shared else {"cache_dir": tmp_path}
        counts.append(run([Ask(model=model)], ROWS, **more).table.num_rows)

    threads = [threading.Thread(target=work, args=(n % 2 == 0,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert counts == [30] * 4


def test_a_picture_that_changes_while_it_is_asked_about_is_not_stored_under_the_old_one(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\nred")

    def brain(request: Request) -> Reply:
        picture.write_bytes(b"\x89PNG\r\n\x1a\nblue")
        return Reply("blue")

    cache = RequestCache()
    with Session(cache) as session, pytest.raises(PictureError, match="was changed while"):
        run_async(session.complete(ScriptedModel(brain), Request("colour?", images=(str(picture),))))
    assert cache.count() == 0
