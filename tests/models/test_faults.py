"""Every fault of the catalogue, by both ways to a server: known by its meaning, mended by another try if that can be."""

import gc
import tracemalloc

import pytest

from dataflow_ext.background import run_async
from dataflow_ext.models import GarbledReplyError, ModelError, OpenAIModel, Request, Session
from tests.support.fault_server import FaultServer
from tests.support.faults import FAULTS

#: Seconds for a call; a silent or dripping server takes all of them.
USUAL, SHORT = 5.0, 0.3


@pytest.fixture(scope="module")
def server():
    faults = {f"{fault.name}, {way}": fault for fault in FAULTS for way in ("direct", "proxy")}
    with FaultServer(lambda prompt, attempt: faults[prompt] if attempt == 1 else None) as server:
        yield server


def check_fault(server, fault, way, cache, url):
    """Ask a question whose first answer is the fault and every further one good, and look what came of it."""
    prompt, before = f"{fault.name}, {way}", len(server.calls)
    # Within a short time a good answer may come too late, too, on a busy machine.
    retries, timeout = (5, SHORT) if fault.slow else (1, USUAL)
    model = OpenAIModel(name="m", base_url=url, max_retries=retries, timeout=timeout)
    with Session(cache) as session:
        try:
            got = run_async(session.complete(model, Request(prompt)))
        except ModelError as error:
            got = error
    calls = len(server.calls) - before
    if fault.means == "answered":
        assert (type(got).__name__, calls) == ("Reply", 1)
        assert 0 <= got.tokens < 20_000_000
    elif fault.means == "again":
        assert (getattr(got, "text", got), min(calls, 2), calls <= retries + 1) == (prompt, 2, True)
    else:
        assert (isinstance(got, ModelError), got.transient, calls) == (True, fault.means == "no access", 1)
    assert server.others == 0


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_what_it_means(server, fault, tmp_path):
    check_fault(server, fault, "direct", tmp_path / "r.sqlite", server.url)


@pytest.mark.parametrize("fault", [each for each in FAULTS if each.group == "wire"], ids=lambda fault: fault.name)
def test_each_fault_of_http_means_the_same_by_way_of_a_proxy(server, fault, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
    check_fault(server, fault, "proxy", tmp_path / "r.sqlite", "http://proxied.invalid/v1")


def test_there_are_enough_faults_and_each_has_a_name_of_its_own():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 60


@pytest.mark.parametrize("way", ["direct", "proxy"])
@pytest.mark.parametrize("name", ["endless chunks", "content '[],[],[],[],[],[],[]'"])
def test_an_error_that_is_kept_holds_nothing_of_the_reply(name, way, monkeypatch):
    (fault,) = [each for each in FAULTS if each.name == name]
    with FaultServer(lambda prompt, attempt: fault if prompt == "a" else None) as server:
        url = server.url if way == "direct" else f"http://proxied-{server.port}.invalid/v1"
        if way == "proxy":
            monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
        model = OpenAIModel(name="m", base_url=url)
        run_async(model.attempt(Request("first, so that all is imported")))
        tracemalloc.start()
        try:
            with pytest.raises(GarbledReplyError) as caught:
                run_async(model.attempt(Request("a")))
            gc.collect()
            held, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert (caught.value.__context__, held < 5_000_000, peak < 300_000_000) == (None, True, True)
