"""Scanned pages of the booklets, offline: questions, figures, and which hidden text layers are believed."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from dataflow_ext import run
from pipelines.pdf_vqa import documents, pipeline
from tests.support.fonts import needs_fonts

for module in ("rapidocr", "onnxruntime", "numpy", "reportlab"):
    pytest.importorskip(module)

BOOKLETS = Path(__file__).parents[2] / "examples" / "booklets"
#: Look of the scan, PDF, its page from 0, gold: pages that hold whole questions with their chapter's title.
PAGES = [
    ("noisy", "geometry_zh", 2, "geometry_zh"),
    ("turned", "algebra_en", 4, "algebra_en"),
    ("wrong_layer", "physics_zh_questions", 2, "physics_zh"),
    ("right_layer", "physics_zh_questions", 0, "physics_zh"),
]
LOOKS = [look for look, *_ in PAGES]


def script(name):
    spec = importlib.util.spec_from_file_location(f"booklets_{name}", BOOKLETS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


maker, scoring = script("scan"), script("score")


@pytest.fixture(scope="module")
def scans(tmp_path_factory):
    """For each look: its gold items, its rows, the ways in which its pages were read."""
    folder = tmp_path_factory.mktemp("scans")
    paths = [folder / f"{look}.pdf" for look in LOOKS]
    for path, (look, pdf, page, _) in zip(paths, PAGES, strict=True):
        maker.scan(BOOKLETS / f"{pdf}.pdf", path, pages=[page], **maker.PRESETS[look])
    result = run(pipeline(image_dir=folder / "pictures"), documents(paths))
    rows, read = result.table.to_pylist(), result.after(1).select(["name", "pages_read"]).to_pylist()
    found = {}
    for look, _, page, name in PAGES:
        gold = json.loads((BOOKLETS / "gold" / f"{name}.json").read_text(encoding="utf-8"))
        angle = maker.PRESETS[look].get("angle", 0.0)
        items = maker.scanned_gold(gold, BOOKLETS, angle=angle, pages=[page])["items"]
        ways = [way["source"] for r in read if r["name"] == look for way in r["pages_read"]]
        found[look] = items, [row for row in rows if row["name"] == look], ways
    return found


@pytest.mark.parametrize("look", LOOKS)
def test_questions_with_label_and_chapter_are_those_of_the_page(scans, look):
    items, rows, _ = scans[look]
    pairs, lost, extra = scoring.match(items, rows, 0.9)
    told = [item["question"] for item in lost], [row["question"] for row in extra]
    assert scoring.rates(len(pairs), len(rows), len(items))["f1"] >= 0.93, told


def test_figures_are_found_at_their_places(scans):
    rates = {look: scoring.figure_rates(items, rows) for look, (items, rows, _) in scans.items()}
    assert {look: rate for look, rate in rates.items() if rate["f1"] < 0.9} == {}


@pytest.mark.parametrize("look", LOOKS)
def test_figures_stand_with_their_questions(scans, look):
    items, rows, _ = scans[look]
    misses = []
    rates = scoring.pictures(*scoring.match(items, rows, 0.9), "question", "figures", misses)
    assert rates["f1"] >= 0.9, misses


def test_a_wrong_text_layer_is_not_believed_and_a_right_one_is(scans):
    assert {look: ways for look, (_, _, ways) in scans.items()} == {
        "noisy": ["ocr"],
        "turned": ["ocr"],
        "wrong_layer": ["ocr"],
        "right_layer": ["text_layer"],
    }


@needs_fonts
def test_the_words_of_a_believed_layer_are_taken_as_they_are(scans):
    items, rows, _ = scans["right_layer"]
    signs = [{char for char in text if not char.isalnum()} for text in (all_of(items), all_of(rows))]
    assert signs[1] - {" ", "\n"} <= signs[0]  # OCR would write some of the full-width signs in another way
    assert sorted(re.sub(r"\s", "", all_of(items))) == sorted(re.sub(r"\s", "", all_of(rows)))


def all_of(rows):
    """The questions' words without links to pictures and captions."""
    return "\n".join(re.sub(r"!\[[^\]]*\]\([^)]*\)", "", row["question"]) for row in rows)
