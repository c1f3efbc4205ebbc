"""Each profile against a server that answers in its real form: what is sent, what comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from operators import ObjectDetector
from operators.onevision.detecting.detector import Detector
from tests.onevision.detecting.pictures import SIZE, picture, rows
from tests.onevision.detecting.servers import DetectorServer

HF = "/models/IDEA-Research/grounding-dino-base"
SEEN = [
    ("pulley", 0.81234, (140.0, 10.0, 180.0, 50.0)),
    ("Block.", 0.92, (20.5, 120.0, 80.0, 180.0)),
    ("block", 0.12, (0.0, 0.0, 5.0, 5.0)),
]
OUT = [
    {"label": "block", "score": 0.92, "box": [20.5, 120.0, 80.0, 180.0]},
    {"label": "pulley", "score": 0.8123, "box": [140.0, 10.0, 180.0, 50.0]},
]


def found(server: DetectorServer, tmp_path: Path, profile: str, path: str = "", **options: Any) -> list[dict[str, Any]]:
    """What an operator makes of one picture."""
    detector = Detector(url=server.url + path, profile=profile, max_retries=0, first_poll=0.01, **options)
    table = ObjectDetector(detector=detector)(rows(picture(tmp_path)))
    assert table["detector"].to_pylist() == ["grounding-dino"]
    assert server.pictures == [SIZE]
    return table["detections"].to_pylist()[0]


@pytest.mark.parametrize(("profile", "path"), [("hf", HF), ("roboflow", ""), ("deepdataspace", ""), ("simple", "")])
def test_every_profile_gives_the_same_boxes_for_what_its_server_sees(profile: str, path: str, tmp_path: Path) -> None:
    with DetectorServer(SEEN, states=["waiting", "running"]) as server:
        assert found(server, tmp_path, profile, path) == OUT


def test_hugging_face_is_sent_the_picture_in_base64_with_the_labels_and_the_key_as_bearer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DETECTOR_KEY", "hf_SECRET")
    with DetectorServer(SEEN, key="hf_SECRET") as server:
        assert found(server, tmp_path, "hf", HF, api_key_env="DETECTOR_KEY") == OUT
    [(method, path, headers, body)] = server.asked
    assert (method, path, headers["authorization"]) == ("POST", HF, "Bearer hf_SECRET")
    assert body["parameters"] == {"candidate_labels": ["block", "pulley"]}


def test_roboflow_is_sent_labels_thresholds_and_the_key_in_the_body(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DETECTOR_KEY", "rf_SECRET")
    with DetectorServer(SEEN, key="rf_SECRET") as server:
        assert found(server, tmp_path, "roboflow", api_key_env="DETECTOR_KEY", threshold=0.25) == OUT
    [(_, path, headers, body)] = server.asked
    assert (path, "authorization" in headers) == ("/grounding_dino/infer", False)
    assert {name: value for name, value in body.items() if name != "image"} == {
        "api_key": "rf_SECRET",
        "text": ["block", "pulley"],
        "box_threshold": 0.25,
        "text_threshold": 0.25,
    }


def test_deepdataspace_gets_a_task_and_is_asked_for_its_state_until_it_is_a_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DETECTOR_KEY", "dds_SECRET")
    with DetectorServer(SEEN, key="dds_SECRET", states=["waiting", "waiting", "running"]) as server:
        assert found(server, tmp_path, "deepdataspace", api_key_env="DETECTOR_KEY") == OUT
    assert server.paths == ["POST /v2/task/grounding_dino/detection", *["GET /v2/task_status/092ccde4-1"] * 4]
    assert {headers["token"] for _, _, headers, _ in server.asked} == {"dds_SECRET"}
    body = server.asked[0][3]
    assert {name: value for name, value in body.items() if name != "image"} == {
        "model": "GroundingDino-1.6-Pro",
        "prompt": {"type": "text", "text": "block . pulley ."},
        "targets": ["bbox"],
        "bbox_threshold": 0.3,
        "iou_threshold": 0.8,
    }


def test_the_simple_server_is_sent_picture_labels_and_threshold(tmp_path: Path) -> None:
    with DetectorServer(SEEN) as server:
        assert found(server, tmp_path, "simple", threshold=0.5) == OUT
    assert {name: value for name, value in server.asked[0][3].items() if name != "image"} == {
        "labels": ["block", "pulley"],
        "threshold": 0.5,
    }


def test_an_address_may_end_in_the_path_already(tmp_path: Path) -> None:
    with DetectorServer(SEEN) as server:
        assert found(server, tmp_path, "simple", "/detect/") == OUT
    with DetectorServer(SEEN) as server:
        assert found(server, tmp_path, "deepdataspace", "/v2/task/grounding_dino/detection") == OUT


def test_nothing_found_is_an_empty_list_under_the_detectors_name(tmp_path: Path) -> None:
    for profile, path in (("hf", HF), ("roboflow", ""), ("deepdataspace", ""), ("simple", "")):
        with DetectorServer() as server:
            assert found(server, tmp_path, profile, path) == []


def test_boxes_of_a_picture_that_the_server_made_smaller_are_scaled(tmp_path: Path) -> None:
    small = [("block", 0.9, (10.0, 20.0, 40.0, 50.0))]
    wanted = [{"label": "block", "score": 0.9, "box": [20.0, 40.0, 80.0, 100.0]}]
    with DetectorServer(small, roboflow_image={"width": 160, "height": 100}) as server:
        assert found(server, tmp_path, "roboflow") == wanted
    with DetectorServer(small, simple_extra={"size": [160, 100]}) as server:
        assert found(server, tmp_path, "simple") == wanted


def test_relative_boxes_are_those_that_the_server_calls_so(tmp_path: Path) -> None:
    relative = [("block", 0.9, (0.25, 0.5, 0.5, 1.0))]
    with DetectorServer(relative, simple_extra={"relative": True}) as server:
        assert found(server, tmp_path, "simple") == [
            {"label": "block", "score": 0.9, "box": [80.0, 100.0, 160.0, 200.0]}
        ]
    with DetectorServer(relative) as server:
        assert found(server, tmp_path, "simple") == [{"label": "block", "score": 0.9, "box": [0.25, 0.5, 0.5, 1.0]}]
