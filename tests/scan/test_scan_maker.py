"""The maker of scans: pictures of pages as asked for, hidden text layers, gold that fits; scoring that bears OCR."""

import copy
import difflib
import importlib.util
import json
import re
from pathlib import Path

import pypdfium2
import pytest

from tests.support.fonts import needs_fonts

np = pytest.importorskip("numpy")
canvas = pytest.importorskip("reportlab.pdfgen.canvas")

BOOKLETS = Path(__file__).parents[2] / "examples" / "booklets"
GEOMETRY = BOOKLETS / "geometry_zh.pdf"


def script(name):
    spec = importlib.util.spec_from_file_location(f"booklets_{name}", BOOKLETS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


maker, scoring = script("scan"), script("score")


def gold_of(name):
    return json.loads((BOOKLETS / "gold" / f"{name}.json").read_text(encoding="utf-8"))


def text_of(path, number=0):
    with pypdfium2.PdfDocument(path) as pdf:
        return re.sub(r"\s", "", pdf[number].get_textpage().get_text_range())


def pixels_of(path):
    with pypdfium2.PdfDocument(path) as pdf:
        return np.asarray(pdf[0].render().to_pil().convert("L"))


def ink_box(path):
    """The box around all dark pixels of a page of 400 by 500 points, in thousandths."""
    ys, xs = np.nonzero(pixels_of(path) < 128)
    box = xs.min() / 400, ys.min() / 500, (xs.max() + 1) / 400, (ys.max() + 1) / 500
    return [1000 * edge for edge in box]


@pytest.fixture
def page(tmp_path):
    """A PDF of one page, 400 by 500 points: a black bar in its upper right quarter."""
    sheet = canvas.Canvas(str(tmp_path / "page.pdf"), (400, 500))
    sheet.rect(260, 400, 100, 20, fill=1)
    sheet.save()
    return tmp_path / "page.pdf"


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    made = []
    for number, seed in enumerate((1, 1, 2)):
        target = tmp_path / f"{number}.pdf"
        maker.scan(GEOMETRY, target, dpi=40, noise=9, jpeg=50, shade=0.3, text_layer="wrong", pages=[2], seed=seed)
        made.append(target.read_bytes())
    assert made[0] == made[1] != made[2]


def test_a_scan_is_one_picture_a_page_of_the_same_size_without_text(tmp_path):
    maker.scan(GEOMETRY, tmp_path / "scan.pdf", dpi=40, pages=[2, 4])
    with pypdfium2.PdfDocument(tmp_path / "scan.pdf") as pdf, pypdfium2.PdfDocument(GEOMETRY) as source:
        objects = [[(o.type, o.get_bounds()) for o in page.get_objects()] for page in pdf]
        width, height = source[2].get_size()
        assert objects == [[(pypdfium2.raw.FPDF_PAGEOBJ_IMAGE, (0.0, 0.0, width, height))]] * 2
        assert [page.get_textpage().count_chars() for page in pdf] == [0, 0]


@pytest.mark.parametrize("angle", [0, 12, -3])
def test_boxes_of_the_gold_turn_as_the_page_does(tmp_path, page, angle):
    maker.scan(page, tmp_path / "scan.pdf", dpi=144, angle=angle)
    wanted = maker.turned_box(ink_box(page), (400, 500), angle)
    assert ink_box(tmp_path / "scan.pdf") == pytest.approx(wanted, abs=6)


def test_hidden_text_turns_as_the_page_does(tmp_path):
    sheet = canvas.Canvas(str(tmp_path / "letter.pdf"), (400, 500))
    sheet.setFont("Helvetica", 40)
    sheet.drawString(330, 420, "H")
    sheet.save()
    maker.scan(tmp_path / "letter.pdf", tmp_path / "scan.pdf", angle=10, text_layer="right")
    with pypdfium2.PdfDocument(tmp_path / "scan.pdf") as pdf:
        left, bottom, right, top = pdf[0].get_textpage().get_charbox(0, loose=True)
    middle = [(left + right) / 2 / 400 * 1000, 1000 - (bottom + top) / 2 / 500 * 1000]
    x0, y0, x1, y1 = ink_box(tmp_path / "scan.pdf")
    assert middle == pytest.approx([(x0 + x1) / 2, (y0 + y1) / 2], abs=20)


def test_noise_has_the_deviation_asked_for_and_shade_darkens_unevenly(tmp_path, page):
    maker.scan(page, tmp_path / "shade.pdf", dpi=72, shade=0.5)
    maker.scan(page, tmp_path / "noise.pdf", dpi=72, shade=0.5, noise=10)
    shade, noise = (pixels_of(tmp_path / f"{name}.pdf").astype(float) for name in ("shade", "noise"))
    blank = np.s_[200:450, 40:360]
    assert (noise - shade)[blank].std() == pytest.approx(10, abs=0.5)
    assert np.ptp(shade[blank]) > 12
    assert shade[blank].max() < 245


def test_lossy_compression_makes_the_file_smaller(tmp_path):
    for quality in (None, 80, 40):
        maker.scan(GEOMETRY, tmp_path / f"{quality}.pdf", dpi=100, noise=5, jpeg=quality, pages=[2])
    sizes = [(tmp_path / f"{quality}.pdf").stat().st_size for quality in (None, 80, 40)]
    assert sizes[0] > sizes[1] > 1.5 * sizes[2]


@needs_fonts
@pytest.mark.parametrize("name", ["geometry_zh", "algebra_en", "physics_zh_questions"])
def test_a_right_layer_says_what_the_page_says(tmp_path, name):
    maker.scan(BOOKLETS / f"{name}.pdf", tmp_path / "scan.pdf", dpi=30, text_layer="right", pages=[2])
    assert sorted(text_of(tmp_path / "scan.pdf")) == sorted(text_of(BOOKLETS / f"{name}.pdf", 2))


@pytest.mark.parametrize("name", ["geometry_zh", "algebra_en"])
def test_a_wrong_layer_has_lost_a_third_of_the_labels_and_about_a_twelfth_of_the_characters(name):
    runs = [run for number in range(1, 6) for run in runs_of(BOOKLETS / f"{name}.pdf", number)]
    damaged = maker.damaged(runs, maker.random.Random(1))
    labelled = [(a, b) for a, b in zip(runs, damaged, strict=True) if re.match(r"\d{1,2}[.．]", a.text)]
    kept = sum(bool(re.match(r"[\dO|SlgB ]{1,3}[.．,:]", b.text)) for _, b in labelled)
    assert len(labelled) > 15
    assert 0.5 < kept / len(labelled) < 0.85
    bodies = [(a.text, b.text) for a, b in zip(runs, damaged, strict=True) if not maker.LABEL.match(a.text)]
    pairs = [(difflib.SequenceMatcher(None, a, b, autojunk=False).ratio(), len(a)) for a, b in bodies]
    assert 0.89 < sum(share * size for share, size in pairs) / sum(size for _, size in pairs) < 0.95


def runs_of(path, number):
    with pypdfium2.PdfDocument(path) as pdf:
        return maker.read_text(pdf[number], maker.page_frame(pdf[number])).runs


def test_the_gold_of_some_pages_holds_their_items_with_pages_counted_anew():
    cut = maker.scanned_gold(gold_of("algebra_en"), BOOKLETS, pages=[4, 6])
    assert [(item["label"], item["chapter"]) for item in cut["items"]] == [
        (str(n), "Chapter 2 Exercises") for n in range(1, 8)
    ]
    figures = [figure for item in cut["items"] for figure in item["figures"]]
    assert [figure["page"] for figure in figures] == [0, 0, 0]
    assert maker.scanned_gold(gold_of("algebra_en"), BOOKLETS)["items"] == gold_of("algebra_en")["items"]


# -- scoring


def row_of(item, **changes):
    row = {key: item[key] for key in ("label", "question", "answer", "solution", "status")}
    parts = [{"role": "question", "id": 1, "image": "cut.png", **figure} for figure in item["figures"]]
    return {**row, "question_chapter_title": item["chapter"], "evidence": parts, **changes}


def test_a_wrong_letter_in_twenty_is_borne_only_if_asked_for():
    gold = gold_of("geometry_zh")
    rows = [row_of(item, question=re.sub(r"(?s)(.{19}).", r"\1囗", item["question"])) for item in gold["items"]]
    assert scoring.score(gold, rows)["question"]["f1"] < 0.5
    assert scoring.score(gold, rows, similar=0.9)["question"]["f1"] == 1.0
    worse = [row_of(item, question=re.sub(r"(?s)(.{5}).", r"\1囗", item["question"])) for item in gold["items"]]
    assert scoring.score(gold, worse, similar=0.9)["question"]["f1"] < 0.2


@pytest.mark.parametrize("change", [{"label": "I"}, {"question_chapter_title": "Chapter 1 Exercises"}])
def test_another_label_or_another_number_in_the_title_is_never_borne(change):
    items = [item for item in gold_of("algebra_en")["items"] if item["chapter"] == "Chapter 2 Exercises"]
    assert all(scoring.same(item, row_of(item), 0.9) for item in items)
    assert not any(scoring.same(item, row_of(item, **change), 0.9) for item in items)


def test_a_wrong_answer_is_wrong_however_much_is_borne():
    item = copy.deepcopy(gold_of("geometry_zh")["items"][4])
    assert item["answer"] == "B"
    assert scoring.answer_is_right(item, row_of(item), 0.9)
    assert not scoring.answer_is_right(item, row_of(item, answer="C"), 0.9)


def test_a_figure_of_several_questions_counts_once_and_one_too_many_is_held_against_the_rows():
    items = [item for item in gold_of("geometry_zh")["items"] if item["chapter"] == "习题1.1"]
    rows = [row_of(item) for item in items]
    assert scoring.figure_rates(items, rows) == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    known = {(f["page"], *f["box"]) for item in items for f in item["figures"]}
    odd = {"role": "question", "id": 1, "image": "odd.png", "file": 0, "page": 2, "box": [0, 0, 90, 90]}
    rows[0]["evidence"].append(odd)
    assert scoring.figure_rates(items, rows)["precision"] == len(known) / (len(known) + 1)
