"""Whatever a detector's server sends: failures pass, a reply is bounded, and the key is kept nowhere."""

import json
from pathlib import Path

import pytest

from dataflow_ext.background import run_async
from dataflow_ext.models import GarbledReplyError, ModelError, Reply, RetryableError, Session, complete
from dataflow_ext.models.gate import retry
from operators.onevision.detecting.detector import Detector, read_reply, request_for
from tests.onevision.detecting.pictures import picture
from tests.onevision.detecting.servers import DetectorServer
from tests.support.fault_server import Fault, played
from tests.support.http_faults import HTTP_FAULTS

KEY = "hf-canary/0123456789"
SEEN = [("block", 0.9, (1.0, 2.0, 30.0, 40.0))]
PASSING = [fault for fault in HTTP_FAULTS if fault.means == "again" and not fault.slow]


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)
    monkeypatch.setenv("DETECTOR_KEY", KEY)


def asked(server: DetectorServer, tmp_path: Path, retries: int = 0, **options: float) -> Reply:
    detector = Detector(url=server.url, profile="simple", api_key_env="DETECTOR_KEY", max_retries=retries, **options)
    with Session(tmp_path / "r.sqlite"):
        return run_async(complete(detector, request_for(str(picture(tmp_path)), ["block"])))


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: fault.name)
def test_every_fault_that_may_pass_is_tried_again(fault: Fault, tmp_path: Path) -> None:
    with DetectorServer(SEEN, instead=[played(fault)]) as server:
        reply = asked(server, tmp_path, retries=1, timeout=5.0)
        assert ([each.label for each in read_reply(reply).objects], len(server.asked)) == (["block"], 2)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"detections": [{"label": KEY, "score": 0.9, "box": [1, 2, 3, 4]}]}).replace("/", "\\/"),
        json.dumps({"detections": [{"label": KEY, "score": 0.9, "box": [1, 2, 3, 4]}]}).replace("h", "\\u0068"),
    ],
)
def test_a_key_that_is_repeated_in_escapes_is_masked(content: str, tmp_path: Path) -> None:
    with DetectorServer(instead=[(200, {}, content.encode())]) as server:
        reply = asked(server, tmp_path)
    assert [each.label for each in read_reply(reply).objects] == ["…"]
    assert KEY.encode() not in (tmp_path / "r.sqlite").read_bytes()


@pytest.mark.parametrize("status", [200, 302, 401, 422, 500])
def test_a_key_that_is_repeated_in_an_error_is_masked(status: int, tmp_path: Path) -> None:
    said = (status, {"Location": f"http://127.0.0.1:9/?key={KEY}"}, json.dumps({"error": KEY}).encode())
    with DetectorServer(instead=[said]) as server, pytest.raises(ModelError) as caught:
        asked(server, tmp_path)
    assert KEY not in repr(caught.value) + repr(vars(caught.value)) + repr(caught.value.__context__)


def test_a_text_of_millions_of_values_is_not_read(tmp_path: Path) -> None:
    content = b'{"detections": [' + b"[]," * 3_000_000 + b"0]}"
    with (
        DetectorServer(instead=[(200, {}, content)]) as server,
        pytest.raises(GarbledReplyError, match="is no JSON, it begins"),
    ):
        asked(server, tmp_path)


def test_a_server_that_asks_for_ages_while_it_loads_is_not_believed(tmp_path: Path) -> None:
    said = (503, {}, json.dumps({"error": "loading", "estimated_time": 1e30}).encode())
    with DetectorServer(SEEN, instead=[said, said]) as server:
        with pytest.raises(RetryableError) as caught:
            asked(server, tmp_path)
        assert caught.value.retry_after is None
        assert asked(server, tmp_path, retries=1).text
