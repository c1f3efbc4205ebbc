"""ObjectDetector: asked once a picture, remembered, and never "nothing found" where nobody looked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import check, run
from dataflow_ext.models import Session
from dataflow_ext.testing import check_operator
from operators import ObjectDetector
from operators.onevision.detecting.detector import Detector
from operators.onevision.model.records import DETECTED
from tests.onevision.detecting.pictures import picture, rows
from tests.onevision.detecting.servers import DetectorServer

SEEN = [("block", 0.9, (1.0, 2.0, 30.0, 40.0))]
BLOCK = [{"label": "block", "score": 0.9, "box": [1.0, 2.0, 30.0, 40.0]}]


def detector(server: DetectorServer, **options: Any) -> Detector:
    return Detector(url=server.url, profile="simple", max_retries=0, **options)


def test_without_a_detector_rows_say_not_run() -> None:
    table = check_operator(ObjectDetector(), pa.table({"picture_key": ["a", "b", None]}))
    assert table.select(["detections", "detector"]).to_pylist() == [{"detections": [], "detector": "not run"}] * 2


@pytest.mark.parametrize("image_type", ["chart", "table", "formula", "circuit", "document_ui", "flow_or_diagram"])
def test_types_that_have_no_use_for_boxes_are_not_asked_about(image_type: str, tmp_path: Path) -> None:
    assert image_type not in DETECTED
    with DetectorServer(SEEN) as server:
        made = ObjectDetector(detector=detector(server))(rows(picture(tmp_path), image_type=image_type))
        assert made.select(["detections", "detector"]).to_pylist() == [
            {"detections": [], "detector": "not for this type"}
        ]
        assert server.asked == []


def test_rows_of_one_picture_share_one_call_and_rows_of_another_do_not(tmp_path: Path) -> None:
    one, other = picture(tmp_path, "one.png", "red"), picture(tmp_path, "other.png", "blue")
    again = picture(tmp_path, "again.png", "red")
    with DetectorServer(SEEN) as server:
        made = ObjectDetector(detector=detector(server))(rows(one, other, one, again, one))
        assert made["detections"].to_pylist() == [BLOCK] * 5
        assert len(server.asked) == 2


def test_a_second_session_asks_nothing(tmp_path: Path) -> None:
    table = rows(picture(tmp_path, "one.png", "red"), picture(tmp_path, "other.png", "blue"))
    with DetectorServer(SEEN) as server:
        operator = ObjectDetector(detector=detector(server))
        made = []
        for _ in range(2):
            with Session(tmp_path / "cache.sqlite") as session:
                made.append(operator(table))
        assert made[0] == made[1] and len(server.asked) == 2
        assert session.usage["grounding-dino"].cached == 2
        with Session(tmp_path / "cache.sqlite"):
            ObjectDetector(detector=detector(server, threshold=0.5))(table)
        assert len(server.asked) == 4


def test_a_failed_picture_is_a_reject_of_its_rows_alone(tmp_path: Path) -> None:
    good, broken = picture(tmp_path, "good.png", "red"), tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    with DetectorServer(SEEN) as server:
        applied = ObjectDetector(detector=detector(server)).apply(rows(good, broken, broken))
    assert applied.table["detections"].to_pylist() == [BLOCK]
    [message] = set(applied.rejects["message"].to_pylist())
    assert message == f"The request's picture {str(broken)!r} is no picture of a known format."


def test_the_laws_of_operators_hold(tmp_path: Path) -> None:
    paths = [picture(tmp_path, f"{colour}.png", colour) for colour in ("red", "blue", "green")]
    table = rows(*paths, paths[0], tmp_path / "red.png")
    sizes = pa.array([320, 320, 0, 320, 320])
    table = table.set_column(table.column_names.index("width"), "width", sizes)
    with DetectorServer(SEEN) as server:
        made = check_operator(ObjectDetector(detector=detector(server), most=1), table)
    assert made["detections"].to_pylist() == [BLOCK] * 4


def test_a_run_remembers_what_was_found(tmp_path: Path) -> None:
    table = rows(picture(tmp_path))
    with DetectorServer(SEEN) as server:
        steps = [ObjectDetector(detector=detector(server))]
        check(steps, table)
        result = run(steps, table, cache_dir=tmp_path / "cache")
        again = run(steps, table, cache_dir=tmp_path / "cache")
        assert result.table["detections"].to_pylist() == again.table["detections"].to_pylist() == [BLOCK]
        assert len(server.asked) == 1


@pytest.mark.parametrize("budget", ["0.01usd", "1tok"])
def test_a_budget_does_not_stop_a_detector_whose_price_nobody_knows(budget: str, tmp_path: Path) -> None:
    with DetectorServer(SEEN) as server, Session(budget=budget) as session:
        made = ObjectDetector(detector=detector(server))(rows(picture(tmp_path)))
    assert made["detections"].to_pylist() == [BLOCK]
    usage = session.usage["grounding-dino"]
    assert (usage.made, usage.tokens, usage.usd) == (1, 0, 0.0)


def test_importing_the_operator_loads_neither_http_nor_pictures() -> None:
    code = (
        "import sys; import operators.onevision.object_detector, operators.onevision.image_text_reader\n"
        "print(sorted({'httpx', 'httpx2', 'openai', 'PIL', 'cv2', 'rapidocr', 'easyocr'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
