"""Every exported operator of the family keeps the laws; one that is exported without a case fails the first test."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import operators
from dataflow_ext import InputError, Operator
from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.ocr import OCRLine, Picture
from dataflow_ext.testing import check_operator
from operators import (
    AnswerExtractor,
    BlindSolver,
    CoTRewriter,
    FormalDescriber,
    GroundingChecks,
    ImageNormalizer,
    ImageTextReader,
    ImageTypeClassifier,
    LLaVACoTReader,
    ObjectDetector,
    OneVisionWriter,
    QualityJudge,
    VerdictGate,
)
from operators.onevision.detecting import detector_of
from operators.onevision.sources.source import records
from tests.onevision.detecting.servers import DetectorServer
from tests.onevision.finished import picture, row, table

#: An operator, its table, how many rows live, and how many are rejected.
Case = tuple[Operator, pa.Table, int, int]

TURN = (
    "<SUMMARY>I look.</SUMMARY> <CAPTION>A pulley with two blocks.</CAPTION> "
    "<REASONING>The mass m seems to be 6 kg, so T = 6 × 9.8 = 58.8 N.</REASONING> <CONCLUSION>58.8 N</CONCLUSION>"
)
RUBRIC = {
    "seen": "A pulley.",
    "description": 9,
    "grounding": 9,
    "logic": 9,
    "answer": 9,
    "faults": [],
    "comment": "Good.",
}
PREDICATES = "mass(m, 6 kg)\nmass(M, 14 kg)\nhangs(m)"
#: The words of rows about which the models of these tests say nothing of use.
HOPELESS = "What is hopeless?"


def rows(operator: type[Operator], *changes: dict[str, Any], base: Path, **more: pa.Array) -> pa.Table:
    """Rows on a white picture, with the operator's columns and an id."""
    made = [row(base, id=f"pulley_{n}#1", record_id=f"pulley_{n}", **each) for n, each in enumerate(changes)]
    source = table(made)
    for name, column in more.items():
        source = source.append_column(name, column)
    return source.select(["id", *(name for name in operator.inputs if name != "id")])


def pictures(folder: Path) -> dict[str, dict[str, Any]]:
    """What a row says of its picture, for three pictures by their colours."""
    found = {}
    for color in ("white", "red", "black"):
        path = picture(folder, color, f"{color}.png")
        found[color] = {"picture": path, "picture_key": hashlib.sha256(path.read_bytes()).hexdigest()}
    return found


def reader(folder: Path) -> Case:
    def turns(*said: str) -> list[dict[str, str]]:
        return [{"from": "gpt" if n % 2 else "human", "value": text} for n, text in enumerate(said)]

    several = {"id": "a", "image": "a.png", "conversations": turns("What is T?", TURN, "And M?", TURN, "Why?", "None.")}
    lines = [json.dumps(several), "{", json.dumps({"id": "b", "image": "", "conversations": turns("What?", TURN)})]
    (folder / "train.jsonl").write_text("\n".join(lines))
    return LLaVACoTReader(), records([folder / "train.jsonl"]), 2, 3


def normalizer(folder: Path) -> Case:
    pictures(folder / "images")
    (folder / "images" / "cut.png").write_bytes((folder / "images" / "red.png").read_bytes()[:50])
    images = ["white.png", "red.png", "red.png", "cut.png", "gone.png", "../../etc/passwd"]
    return ImageNormalizer(roots=folder / "images", folder=folder / "made"), pa.table({"image": images}), 3, 3


def extractor(folder: Path) -> Case:
    changes = (
        {},
        {"original_conclusion": "因此张力为 60 N。", "options": []},
        {"original_conclusion": "<answer></answer>"},
    )
    return AnswerExtractor(), rows(AnswerExtractor, *changes, base=picture(folder)), 2, 1


def shown(folder: Path, operator: type[Operator], **changes: Any) -> pa.Table:
    """Four rows on two pictures, and one of them on a third picture."""
    of = pictures(folder)
    given = [of["white"], of["red"], of["white"], of["black"]]
    captions = pa.array(["A pulley with two blocks.", None, "The answer is B.", "A car."])
    objects = pa.array([["pulley", "block"]] * 4)
    more = {"first_caption": captions, "objects": objects}
    wanted = {name: column for name, column in more.items() if name in operator.inputs}
    return rows(operator, *({**each, **changes} for each in given), base=of["white"]["picture"], **wanted)


def without(source: pa.Table, name: str) -> pa.Table:
    """The rows, of which the last one lacks a value."""
    values = [*source[name].to_pylist()[:-1], None]
    place = source.column_names.index(name)
    return source.set_column(place, name, pa.array(values, source.schema.field(name).type))


def classifier(folder: Path) -> Case:
    return ImageTypeClassifier(), without(shown(folder, ImageTypeClassifier), "image"), 3, 1


def told(request: Request) -> str:
    if any("black" in str(image) for image in request.images):
        return "I would rather not look."
    return json.dumps({"image_type": "physics_setup", "caption": "A pulley with blocks.", "objects": ["pulley"]})


def asked_classifier(folder: Path) -> Case:
    return ImageTypeClassifier(model=ScriptedModel(told)), shown(folder, ImageTypeClassifier), 3, 1


def no_detector(folder: Path) -> Case:
    return ObjectDetector(), without(shown(folder, ObjectDetector), "picture_key"), 3, 1


def reading(folder: Path) -> Case:
    return ImageTextReader(engine=Shades()), shown(folder, ImageTextReader), 3, 1


def no_reading(folder: Path) -> Case:
    return ImageTextReader(engine=None), without(shown(folder, ImageTextReader), "picture_key"), 3, 1


@dataclass(frozen=True)
class Shades:
    """An engine that reads the colour of each picture's corner, and cannot read in the dark."""

    name: str = "shades"

    def identity(self) -> Mapping[str, object]:
        return {"engine": self.name}

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        return [[self._line(each)] for each in pictures]

    def _line(self, picture: Any) -> OCRLine:
        shade = int(picture[0, 0].sum())
        if not shade:
            raise InputError("It is dark.")
        return OCRLine(str(shade), 0.9, (0.0, 0.0, 9.0, 9.0))


def describer(folder: Path) -> Case:
    return FormalDescriber(), without(shown(folder, FormalDescriber), "dense_caption"), 3, 1


def description(request: Request) -> str:
    if any("black" in str(image) for image in request.images):
        return json.dumps({"description": "", "code": PREDICATES})
    code = PREDICATES if any("white" in str(image) for image in request.images) else "mass(m"
    return json.dumps({"description": "A pulley with two blocks; m (6 kg) hangs.", "code": code})


def asked_describer(folder: Path) -> Case:
    return FormalDescriber(model=ScriptedModel(description), max_attempts=2), shown(folder, FormalDescriber), 3, 1


def rewriter(folder: Path) -> Case:
    source = rows(CoTRewriter, {}, {"image_formal_description": "A red car."}, {}, base=picture(folder))
    return CoTRewriter(seed=1), without(source, "original_reasoning"), 2, 1


def rewritten(request: Request) -> str:
    if HOPELESS in request.prompt:
        return " "
    return "In the image, mass m of 6 kg hangs at rest, so T = 6 × 9.8 = 58.8 N, about 60 N. So the answer is A."


def asked_rewriter(folder: Path) -> Case:
    source = rows(CoTRewriter, {}, {"language": "zh"}, {"question": HOPELESS}, base=picture(folder))
    return CoTRewriter(model=ScriptedModel(rewritten)), source, 2, 1


def checks(folder: Path) -> Case:
    source = rows(GroundingChecks, {}, {"cot_thinking": None}, {}, base=picture(folder))
    return GroundingChecks(), without(source, "answer"), 2, 1


def solver(folder: Path) -> Case:
    return BlindSolver(), without(rows(BlindSolver, {}, {}, {}, base=picture(folder)), "question"), 2, 1


def solved(request: Request) -> str:
    if HOPELESS in request.prompt:
        raise RuntimeError("the server is on fire")
    return "T = 58.8 N.\nAnswer: A"


def asked_solver(folder: Path) -> Case:
    source = rows(BlindSolver, {}, {"question": "你好？"}, {"question": HOPELESS}, base=picture(folder))
    return BlindSolver(model=ScriptedModel(solved)), source, 2, 1


def judge(folder: Path) -> Case:
    return QualityJudge(), without(rows(QualityJudge, {}, {}, {}, base=picture(folder)), "checks"), 2, 1


def judged(request: Request) -> str:
    return "It is fine." if HOPELESS in request.prompt else json.dumps(RUBRIC)


def asked_judge(folder: Path) -> Case:
    changes = ({}, {"cot_thinking": None}, {"question": HOPELESS})
    return QualityJudge(model=ScriptedModel(judged)), rows(QualityJudge, *changes, base=picture(folder)), 2, 1


def gate(folder: Path, blind: bool = False) -> Case:
    same = {
        "equivalence": pa.array(["yes", "no", None]),
        "equivalence_reason": pa.array(["", "B, not A", None]),
        "blind_answer": pa.array(["A", "B", None]),
    }
    source = rows(VerdictGate, {}, {}, {}, base=picture(folder), **same)
    return VerdictGate(blind=blind), without(source, "judge"), 2, 1


def blind_gate(folder: Path) -> Case:
    return gate(folder, blind=True)


def writer(folder: Path) -> Case:
    of = pictures(folder)
    gone = {"picture": folder / "gone.png", "picture_key": "0" * 64}
    given = [of["white"], {**of["red"], "verdict": "review"}, gone]
    made = [row(of["white"]["picture"], id=f"{n}#1", record_id=str(n), **each) for n, each in enumerate(given)]
    twice = {**made[0], "question": "Z, told twice?"}
    return OneVisionWriter(out=folder / "out"), table([*made, twice]), 2, 2


CASES: Mapping[str, Callable[[Path], Case]] = {
    "LLaVACoTReader": reader,
    "ImageNormalizer": normalizer,
    "AnswerExtractor": extractor,
    "ImageTypeClassifier": classifier,
    "ImageTypeClassifier, with a model": asked_classifier,
    "ObjectDetector, without a detector": no_detector,
    "ImageTextReader": reading,
    "ImageTextReader, without an engine": no_reading,
    "FormalDescriber": describer,
    "FormalDescriber, with a model": asked_describer,
    "CoTRewriter": rewriter,
    "CoTRewriter, with a model": asked_rewriter,
    "GroundingChecks": checks,
    "BlindSolver, without a model": solver,
    "BlindSolver": asked_solver,
    "QualityJudge, without a model": judge,
    "QualityJudge": asked_judge,
    "VerdictGate": gate,
    "VerdictGate, with a blind solver": blind_gate,
    "OneVisionWriter": writer,
}


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.onevision.")}
    found = {name for name in homes if issubclass(getattr(operators, name), Operator)}
    assert found == {name.partition(",")[0] for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_the_operator_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, source, alive, rejected = CASES[name](tmp_path)
    assert type(operator).__name__ == name.partition(",")[0]
    keeps_the_laws(operator, source, alive, rejected)


def test_the_detector_with_a_server_keeps_the_laws(tmp_path: Path) -> None:
    source = shown(tmp_path, ObjectDetector)
    (tmp_path / "black.png").write_bytes(b"no picture")
    with DetectorServer([("pulley", 0.9, (1.0, 2.0, 30.0, 20.0))]) as server:
        operator = ObjectDetector(detector=detector_of(server.url, "simple"))
        keeps_the_laws(operator, source, 3, 1)
        charts = shown(tmp_path, ObjectDetector, image_type="chart")
        asked = len(server.asked)
        keeps_the_laws(operator, charts, 4, 0)
        assert len(server.asked) == asked, "pictures of types that have no use for boxes are not sent"


def keeps_the_laws(operator: Operator, source: pa.Table, alive: int, rejected: int) -> None:
    """Check the laws, and how many rows live and are rejected, each with a sentence."""
    assert check_operator(operator, source).num_rows == alive
    rejects = operator.apply(source).rejects
    assert rejects.num_rows == rejected, rejects["message"].to_pylist()
    told = rejects["message"].to_pylist()
    assert all(message and "Traceback" not in message for message in told), told
