"""Keys come from the environment and get no further than the server."""

from __future__ import annotations

import logging
import pickle
import traceback
from pathlib import Path

import pytest

from dataflow_ext.background import run_async
from dataflow_ext.errors import DataflowError, OptionError
from dataflow_ext.models import Session
from operators import ObjectDetector
from operators.onevision.detecting.detector import Detector, detector_of, request_for
from tests.onevision.detecting.pictures import picture, rows
from tests.onevision.detecting.servers import DetectorServer, drop, said

KEY = "sk-S3CRET-0123456789"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DETECTOR_KEY", KEY)


@pytest.mark.parametrize("profile", ["roboflow", "deepdataspace", "simple"])
def test_the_key_reaches_no_cache_log_error_or_pickle(
    profile: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = said(500, {"error": f"who is {KEY}?", KEY: 1})
    odd = said(200, {"detections": KEY, "predictions": KEY, "code": KEY, "msg": KEY})
    garbage = (200, {}, f"<{KEY}>".encode())
    told = [repr(Detector(url="http://host", profile=profile, api_key_env="DETECTOR_KEY").identity())]
    with DetectorServer(key=KEY, instead=[echo, odd, garbage, drop]) as server:
        detector = Detector(url=server.url, profile=profile, api_key_env="DETECTOR_KEY", max_retries=0, first_poll=0.01)
        operator = ObjectDetector(detector=detector)
        for colour in ("red", "green", "blue", "black"):
            with Session(tmp_path / "cache.sqlite"):
                applied = operator.apply(rows(picture(tmp_path, f"{colour}.png", colour)))
                told.append(str(applied.rejects.to_pylist()))
                assert applied.rejects.num_rows == 1
        with Session(tmp_path / "cache.sqlite"):
            assert operator(rows(picture(tmp_path, "good.png")))["detections"].to_pylist() == [[]]
    assert KEY in str(server.asked)
    told += [caplog.text, str(pickle.dumps(operator)), repr(operator)]
    files = [path.read_bytes() for path in tmp_path.glob("cache.sqlite*")]
    assert [text for text in told if KEY in text] == []
    assert files and all(KEY.encode() not in data for data in files)


def test_no_traceback_of_a_failed_call_holds_the_key_in_the_chain_of_its_errors(tmp_path: Path) -> None:
    elsewhere = said(302, {}, Location=f"http://elsewhere/?key={KEY}")
    with DetectorServer(instead=[drop, elsewhere, said(500, KEY)]) as server:
        detector = Detector(url=server.url, profile="simple", api_key_env="DETECTOR_KEY")
        for _ in range(3):
            with pytest.raises(DataflowError) as caught:
                run_async(detector.attempt(request_for(str(picture(tmp_path)), ["block"])))
            assert KEY not in "".join(traceback.format_exception(caught.value))
            error: BaseException | None = caught.value
            while error is not None:
                assert not hasattr(error, "request")
                error = error.__cause__ or error.__context__


def test_a_key_that_is_missing_or_none_is_told_without_its_name_or_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = rows(picture(tmp_path))
    with DetectorServer() as server:
        for env, value, words in (
            ("sk-S3CRET-AS-NAME", None, "the variable named for it is not set"),
            ("DETECTOR_KEY", "S3CRET\r\nX: y", "characters that no key has"),
            ("DETECTOR_KEY", "S3CRÉT", "characters that no key has"),
        ):
            if value is not None:
                monkeypatch.setenv(env, value)
            detector = Detector(url=server.url, profile="simple", api_key_env=env, max_retries=0)
            [reject] = ObjectDetector(detector=detector).apply(table).rejects.to_pylist()
            assert reject["error"] == "AccessError" and words in reject["message"] and "S3CR" not in reject["message"]
        assert server.asked == []


@pytest.mark.parametrize(
    ("url", "profile", "env", "words"),
    [
        ("http://user:S3CRET@host", "hf", None, "no user name, password or query"),
        ("http://host/detect?key=S3CRET", "simple", None, "no user name, password or query"),
        ("http://host/#S3CRET", "simple", None, "starts with http"),
        ("host:8000", "simple", None, "starts with http:// or https://"),
        ("", "simple", None, "A detector's address starts with http"),
        ("http://host", "yolo", None, "There is no detector profile 'yolo'; there are hf, roboflow, deepdataspace, si"),
        ("http://host", "hf", "sk-S3CRET", "give the name of the variable that holds the key, not the key"),
    ],
)
def test_what_a_command_line_cannot_use_is_refused_without_repeating_a_secret(
    url: str, profile: str, env: str | None, words: str
) -> None:
    with pytest.raises(OptionError) as caught:
        detector_of(url, profile, env)
    assert words in str(caught.value) and "S3CRET" not in str(caught.value)


def test_a_command_line_gets_a_detector_with_its_options() -> None:
    made = detector_of("https://host/v1/models/google/owlv2/", "hf", "DETECTOR_KEY", threshold=0.4, timeout=9.0)
    assert made == Detector(
        url="https://host/v1/models/google/owlv2",
        profile="hf",
        name="google/owlv2",
        api_key_env="DETECTOR_KEY",
        threshold=0.4,
        timeout=9.0,
    )
    with pytest.raises(OptionError, match=r"Detector: option 'threshold': Input should be less than or equal to 1"):
        detector_of("http://host", "simple", threshold=2.0)
