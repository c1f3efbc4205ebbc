"""Whatever a MinerU server sends: the book is read after all or its reader fails in one sentence, and memory is bounded."""

import pytest

from operators.pdf.mineru import server_calls
from operators.pdf.mineru.parsers import ParserError
from operators.pdf.mineru.server import MinerUServer
from tests.pdf.mineru_servers import Server
from tests.pdf.test_mineru_server import BOOK
from tests.support.fault_server import played
from tests.support.http_faults import HTTP_FAULTS

KEY = "sk-canary-0123456789"
#: A conflict is MinerU's word on the file.
PASSING = [each for each in HTTP_FAULTS if each.means == "again" and not each.slow and each.name != "status 409"]


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    monkeypatch.setattr(server_calls, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(server_calls, "TIMES", 3)
    monkeypatch.setenv("MINERU_KEY", KEY)


def parse(server, tmp_path, **options):
    return MinerUServer(url=server.url, key_env="MINERU_KEY", timeout=5, **options).parse(BOOK, tmp_path / "kept")


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: fault.name)
def test_no_fault_of_a_server_is_the_last_word_on_a_file(fault, tmp_path):
    with Server(
        4, instead={"POST /v1/tasks": [played(fault, KEY)], "GET /v1/tasks/{id}/result": [played(fault)]}
    ) as server:
        try:
            assert parse(server, tmp_path).is_file()
        except ParserError as error:
            assert (error.transient, "\n" in str(error), KEY in str(error)) == (True, False, False)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK"])
def test_an_answer_that_drips_is_left_when_the_time_is_over(tmp_path, head):
    def drip(handler):
        handler.wfile.write(head)
        for _ in range(100):
            handler.wfile.write(b" ")
            server_calls.time.sleep(0.1)

    with (
        Server(4, instead={"POST /v1/tasks": [drip]}) as server,
        pytest.raises(ParserError, match="was not done after"),
    ):
        MinerUServer(url=server.url, timeout=0.5).parse(BOOK, tmp_path / "kept")


@pytest.mark.parametrize("status", [202, 307, 401, 413, 422, 500])
def test_a_key_that_is_repeated_is_masked(status, tmp_path):
    answer = (status, {"location": f"http://127.0.0.1:9/?key={KEY}"}, {"error": {"message": f"odd {KEY}"}})
    with Server(4, instead={"POST /v1/tasks": [answer]}) as server, pytest.raises(ParserError) as caught:
        parse(server, tmp_path)
    assert (KEY in str(caught.value), "…" in str(caught.value)) == (False, True)
