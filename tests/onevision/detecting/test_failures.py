"""What becomes of a server's failures: which are tried again, and what a person reads of the others."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from dataflow_ext.background import run_async
from dataflow_ext.errors import ModelError
from dataflow_ext.models import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    RateLimitedError,
    RejectedRequestError,
    ServerFailedError,
    Session,
    TimedOutError,
    complete,
)
from dataflow_ext.models.gate import retry
from operators.onevision.detecting.detector import Detector, read_reply, request_for
from tests.onevision.detecting.pictures import picture
from tests.onevision.detecting.servers import Answer, DetectorServer, drop, hang, said

SEEN = [("block", 0.9, (1.0, 2.0, 30.0, 40.0))]
PROFILES = {"hf": "/models/IDEA-Research/grounding-dino-base", "roboflow": "", "deepdataspace": "", "simple": ""}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)


def asked(server: DetectorServer, tmp_path: Path, profile: str = "simple", **options: Any) -> list[str]:
    """The labels that a session's call finds."""
    settings = {"max_retries": 0, "first_poll": 0.01, "longest_poll": 0.02, **options}
    detector = Detector(url=server.url + PROFILES[profile], profile=profile, **settings)
    with Session():
        reply = run_async(complete(detector, request_for(str(picture(tmp_path)), ["block"])))
    return [each.label for each in read_reply(reply).objects]


def failure(server: DetectorServer, tmp_path: Path, profile: str = "simple", **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        asked(server, tmp_path, profile, **options)
    assert "\n" not in str(caught.value)
    return caught.value


REFUSED: list[tuple[Answer, type[ModelError], str]] = [
    (said(401, {"error": "Invalid credentials"}), AccessError, "answered 401: Invalid credentials. Check the det"),
    (said(403, {"error": "no permission"}), AccessError, "answered 403: no permission. Check the detector's key"),
    (said(404, {"error": "Model nobody/none does not exist"}), AccessError, "answered 404: Model nobody/none does"),
    (said(413, {"detail": "Payload Too Large"}), RejectedRequestError, "The picture is too large for the detector"),
    (said(422, {"detail": [{"msg": "field required"}]}), RejectedRequestError, "answered 422: "),
    (said(307, {}, Location="https://elsewhere.example/detect"), AccessError, "sends us on to https://elsewhere"),
]


@pytest.mark.parametrize(("answer", "kind", "words"), REFUSED)
@pytest.mark.parametrize("profile", ["hf", "deepdataspace"])
def test_what_the_server_will_never_accept_is_told_and_not_tried_again(
    profile: str, answer: Answer, kind: type[ModelError], words: str, tmp_path: Path
) -> None:
    with DetectorServer(SEEN, instead=[answer]) as server:
        error = failure(server, tmp_path, profile, max_retries=3)
        assert (type(error), len(server.asked)) == (kind, 1)
        assert words in str(error) and server.url in str(error)


PASSING: list[tuple[Answer, type[ModelError]]] = [
    (said(429, {"error": "Rate limit reached"}, Retry_After="0.05"), RateLimitedError),
    (said(500, {"error": "CUDA out of memory"}), ServerFailedError),
    (said(502, "<html>Bad Gateway</html>"), ServerFailedError),
    (said(503, {"error": "Model is currently loading", "estimated_time": 0.05}), ServerFailedError),
    ((200, {}, b"<html>sign in</html>"), GarbledReplyError),
    ((200, {}, b""), GarbledReplyError),
    (drop, ConnectionFailedError),
]


@pytest.mark.parametrize(("answer", "kind"), PASSING)
@pytest.mark.parametrize("profile", ["hf", "deepdataspace"])
def test_what_may_pass_is_tried_again_and_then_good(
    profile: str, answer: Answer, kind: type[ModelError], tmp_path: Path
) -> None:
    with DetectorServer(SEEN, instead=[answer, answer]) as server:
        error = failure(server, tmp_path, profile)
        assert type(error) is kind
        assert asked(server, tmp_path, profile, max_retries=1) == ["block"]


def test_a_wait_that_the_server_asks_for_is_kept_to(tmp_path: Path) -> None:
    loading = said(503, {"error": "Model X is currently loading", "estimated_time": 0.3})
    limited = said(429, {"error": "slow down"}, Retry_After="0.3")
    for answer in (loading, limited):
        with DetectorServer(SEEN, instead=[answer]) as server:
            start = time.monotonic()
            assert asked(server, tmp_path, "hf", max_retries=1) == ["block"]
            assert time.monotonic() - start >= 0.3


SHAPES: list[tuple[str, Any, str]] = [
    ("hf", {"error": "unknown task"}, 'the reply is {"error": "unknown task"}, not a list'),
    ("hf", [{"label": "cat", "score": 0.9}], "[0] has no 'box'"),
    ("hf", [{"label": "cat", "score": "high", "box": {"xmin": 1, "ymin": 1, "xmax": 2, "ymax": 2}}], '"high" where a'),
    ("roboflow", {"outputs": []}, "the reply has no 'predictions'"),
    ("roboflow", {"predictions": [], "image": {"width": 0, "height": 3}}, "the size is [0, 3], which no picture has"),
    ("deepdataspace", {"task": 1}, "the reply has no 'code'"),
    ("deepdataspace", {"code": 0, "data": {"task_uuid": "../../admin"}}, 'the task is called "../../admin"'),
    ("simple", {"detections": {}}, "detections is {}, not a list"),
    ("simple", {"detections": [{"label": "a", "score": 1, "box": [1, 2, 3]}]}, "is [1, 2, 3], not a list of 4"),
    ("simple", {"detections": [{"label": 7, "score": 1, "box": [1, 2, 3, 4]}]}, "holds 7 where a text should stand"),
    ("simple", {"detections": [], "relative": "yes"}, "'relative' is 'yes', not true or false"),
    ("simple", [], "the reply has no 'detections', it is []"),
]


@pytest.mark.parametrize(("profile", "reply", "words"), SHAPES)
def test_a_reply_of_another_form_is_an_error_and_no_empty_list(
    profile: str, reply: Any, words: str, tmp_path: Path
) -> None:
    with DetectorServer(SEEN, instead=[said(200, reply)]) as server:
        error = failure(server, tmp_path, profile)
    assert type(error) is GarbledReplyError
    assert f"does not answer in the form of the profile {profile}: " in str(error) and words in str(error)


def test_a_task_that_fails_is_told_and_a_new_one_is_made_for_another_try(tmp_path: Path) -> None:
    with DetectorServer(SEEN, states=["running", "failed", "failed"]) as server:
        error = failure(server, tmp_path, "deepdataspace")
        assert type(error) is ServerFailedError
        assert str(error) == f'{server.url} failed at the picture: "image can not be decoded".'
        assert asked(server, tmp_path, "deepdataspace", max_retries=1) == ["block"]
        assert server.paths.count("POST /v2/task/grounding_dino/detection") == 3


def test_a_code_that_is_not_0_is_a_failure_whatever_the_status(tmp_path: Path) -> None:
    with DetectorServer(SEEN, instead=[said(200, {"code": 1004, "msg": "token expired"})]) as server:
        error = failure(server, tmp_path, "deepdataspace")
    assert type(error) is ServerFailedError and 'refuses with code 1004: "token expired"' in str(error)


def test_a_look_at_a_task_that_fails_is_repeated_and_no_new_task_made(tmp_path: Path) -> None:
    looks = [drop, said(500, {"error": "oops"}), said(429, {"error": "slow"}, Retry_After="0.02"), (200, {}, b"{")]
    with DetectorServer(SEEN, looks=looks) as server:
        assert asked(server, tmp_path, "deepdataspace") == ["block"]
        assert server.paths.count("POST /v2/task/grounding_dino/detection") == 1


def test_a_state_that_nobody_knows_and_a_task_that_is_gone_are_errors(tmp_path: Path) -> None:
    with DetectorServer(SEEN, states=["dreaming"]) as server:
        assert 'the task\'s status is "dreaming"' in str(failure(server, tmp_path, "deepdataspace"))
    with DetectorServer(SEEN, looks=[said(404, {"error": "no such task"})]) as server:
        assert type(failure(server, tmp_path, "deepdataspace")) is AccessError


def test_a_slow_server_and_a_task_that_never_ends_are_given_up_after_the_timeout(tmp_path: Path) -> None:
    with DetectorServer(SEEN, instead=[hang]) as server:
        error = failure(server, tmp_path, timeout=0.1)
        assert type(error) is TimedOutError
    with DetectorServer(SEEN, states=["waiting"] * 1000) as server:
        error = failure(server, tmp_path, "deepdataspace", timeout=0.15)
        assert type(error) is TimedOutError
        assert str(error) == (
            f"{server.url} was not done with the picture after 0.15 s (timeout); another try asks it anew."
        )


def test_nobody_listening_is_a_failed_connection(tmp_path: Path) -> None:
    with DetectorServer() as server:
        pass
    assert type(failure(server, tmp_path)) is ConnectionFailedError


def test_no_call_is_made_with_a_picture_that_is_not_there_or_on_the_web(tmp_path: Path) -> None:
    with DetectorServer(SEEN) as server:
        detector = Detector(url=server.url, profile="simple")
        for name, words in ((str(tmp_path / "no.png"), "cannot be read"), ("https://host/a.png", "not a web address")):
            with pytest.raises(ModelError, match=words):
                run_async(detector.complete(request_for(name, ["block"])))
        assert server.asked == []
