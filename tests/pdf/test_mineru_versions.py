"""One small document as every version of MinerU writes it: the same words, pictures and places come out of each."""

from pathlib import Path

import pytest

from operators.pdf.blocks import FURNITURE
from operators.pdf.mineru.content_list import find_content_lists, load_content_list

FIXTURES = Path(__file__).parent / "fixtures_mineru"
VERSIONS = ["v1_3", "v2_0", "v2_1", "v2_2", "v2_5", "v3_0", "v3_0_pages", "v4_0"]

#: What a reader of the document sees, in order; a formula and a table are written in more than one way.
WORDS = [
    "1 Squares",
    "1. What is the area of the square in Figure 1?",
    "A. 6 cm²",
    "B. 9 cm²",
    "Figure 1",
    "Side 3 cm",
    "FORMULA",
    "2. What does this line print?",
    "print(3 ** 2)",
    "TABLE",
    "Table 1",
    "in cm",
    "Figure 2",
    "Answers: 1. B 2. 9",
]


def loaded(version):
    (path,) = find_content_lists(FIXTURES / version)
    return load_content_list(path)


def words(item):
    text = item.text.strip()
    if item.type == "equation":
        assert text.strip("$\n") == "A = s ^ { 2 }"
        text = "FORMULA"
    if item.type == "table":
        cells = text.replace("<html><body>", "").replace("</body></html>", "")
        assert cells in ("<table><tr><td>s</td><td>3</td></tr></table>", "| s | 3 |\n| --- | --- |")
        text = "TABLE"
    return [part for part in [text, *item.items, *item.captions, *item.footnotes] if part]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_words_of_every_version_are_the_same_and_nothing_is_odd(version):
    shown = [item for item in loaded(version).items if item.type not in FURNITURE]
    assert [part for item in shown for part in words(item)] == WORDS
    assert loaded(version).problems == []


@pytest.mark.parametrize("version", VERSIONS)
def test_the_pictures_of_every_version_are_found(version):
    items = [item for item in loaded(version).items if item.image]
    kinds = [item.type.replace("chart", "image") for item in items]
    assert kinds == ["image", "equation", "table", "image"]
    assert all(Path(item.image).is_file() for item in items)


@pytest.mark.parametrize("version", VERSIONS)
def test_headings_and_pages_of_every_version_are_the_same(version):
    items = loaded(version).items
    assert [(item.text, item.level) for item in items if item.level is not None] == [("1 Squares", 1)]
    assert {item.page for item in items} == {0, 1}
    assert [item.page for item in items if item.text.startswith("Answers")] == [1]


@pytest.mark.parametrize("version", VERSIONS)
def test_boxes_are_there_from_version_2_2_on_and_the_same(version):
    boxes = {item.text: item.box for item in loaded(version).items}
    known = version not in ("v1_3", "v2_0", "v2_1")
    assert boxes["1 Squares"] == ((100.0, 80.0, 420.0, 110.0) if known else None)
    assert boxes["Answers: 1. B 2. 9"] == ((100.0, 520.0, 880.0, 545.0) if known else None)


@pytest.mark.parametrize("version", ["v2_5", "v3_0", "v3_0_pages", "v4_0"])
def test_page_furniture_is_told_from_text_where_the_version_does(version):
    items = [(item.type, item.text) for item in loaded(version).items if item.type in FURNITURE]
    assert items == [("header", "Squares and roots"), ("page_number", "7")]
