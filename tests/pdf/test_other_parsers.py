"""Docling's and Marker's JSON as books.

The two files are of the programs' own document classes: docling-core 2.104 wrote one, the JSON renderer of marker-pdf
2.0 the other. What stands in them was made for these tests, as the programs' models were not at hand.
"""

import json
import random
from copy import deepcopy
from pathlib import Path

import pytest

from dataflow_ext import run
from operators.pdf.inputs import documents
from operators.pdf.mineru.content_list import ContentListError, LoadedList, load_content_list
from pipelines.pdf_vqa import pipeline
from tests.pdf.lists import read_list

FILES = Path(__file__).parent / "fixtures_other_parsers"
TABLE = "<tr><{0}>x</{0}><{0}>y</{0}></tr><tr><td>1</td><td>&lt;2</td></tr>"
#: Type, text, level, page and box of what both have.
COMMON = [
    ("text", "Chapter 1 Equations", 1, 0, (100, 50, 500, 75)),
    ("text", "2. What does the picture show?", None, 0, (100, 138, 667, 162)),
    ("equation", "x^2 = 4", None, 0, (100, 375, 333, 400)),
    ("text", "Answers", 1, 1, (100, 50, 500, 75)),
    ("text", "2. A flag.", None, 1, (100, 138, 500, 162)),
    ("code", "print(1)", None, 1, (100, 175, 500, 200)),
]
OWN = {
    "docling": [
        ("header", "Algebra", None, 0, (100, 12, 200, 25)),
        ("text", "1. Solve the first equation.", None, 0, (100, 100, 667, 125)),
        ("image", "", None, 0, (100, 175, 500, 312)),
        ("table", f"<table>{TABLE.format('td')}</table>", None, 0, (100, 412, 500, 500)),
        ("text", "1. x = 2", None, 1, (100, 100, 500, 125)),
    ],
    "marker": [
        ("header", "", None, 0, (100, 12, 200, 25)),
        ("text", "1. Solve $x^2 = 4$.", None, 0, (100, 100, 667, 125)),
        ("image", "", None, 0, (100, 175, 140, 195)),
        ("table", f"<table><tbody>{TABLE.format('th')}</tbody></table>", None, 0, (100, 412, 500, 500)),
        ("text", "1. $x = 2$ & no other", None, 1, (100, 100, 500, 125)),
    ],
}


@pytest.mark.parametrize("name", OWN)
def test_every_block_is_an_entry_with_its_place(name, tmp_path):
    loaded = load_content_list(FILES / f"{name}.json", pictures=tmp_path)
    assert (loaded.version, loaded.problems) == (name, [])
    found = [(item.type, item.text, item.level, item.page, item.box) for item in loaded.items]
    assert sorted(found, key=repr) == sorted(COMMON + OWN[name], key=repr)
    assert [item.text for item in loaded.items if item.level] == ["Chapter 1 Equations", "Answers"]
    [picture] = [item for item in loaded.items if item.image]
    assert (picture.type, picture.captions, Path(picture.image).parent) == ("image", ["Figure 1: a flag"], tmp_path)


@pytest.mark.parametrize(("name", "first"), [("docling", "x = 2"), ("marker", "$x = 2$ & no other")])
def test_a_book_of_theirs_becomes_questions_with_answers_and_pictures(name, first, tmp_path):
    result = run(pipeline(image_dir=tmp_path / "pictures"), documents([FILES / f"{name}.json"]))
    rows = result.table.select(["label", "answer", "solution"]).to_pylist()
    assert rows == [
        {"label": "1", "answer": first, "solution": ""},
        {"label": "2", "answer": "", "solution": "2. A flag.\nprint(1)"},
    ]
    assert len(list((tmp_path / "pictures").iterdir())) == 1


def test_parts_of_a_line_are_one_text_and_a_cycle_ends():
    parts = [{"self_ref": "#/texts/0", "label": "text", "text": "If"}, {"label": "formula", "text": "x = 1"}]
    data = {
        "schema_name": "DoclingDocument",
        "body": {"children": [{"$ref": "#/groups/0"}, {"$ref": "#/groups/1"}, {"$ref": "#/texts/9"}]},
        "groups": [
            {"label": "inline", "children": [{"$ref": "#/texts/0"}, {"$ref": "#/texts/1"}]},
            {"label": "list", "children": [{"$ref": "#/groups/1"}, {"$ref": "#/groups/0"}]},
        ],
        "texts": parts,
    }
    assert [item.text for item in read_list(data).items] == ["If $x = 1$"]


@pytest.mark.parametrize("name", OWN)
def test_what_is_not_sound_is_read_or_refused_in_a_sentence(name):
    data = json.loads((FILES / f"{name}.json").read_text())
    odd = [None, -1, 1e400, "x", [], {}, [1], {"$ref": "#/body"}, "<![x[<math>", "data:;base64,?"]
    for seed in range(400):
        chance = random.Random(seed)
        copy = json.loads(json.dumps(data))
        for _ in range(3):
            place = copy
            while True:
                key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
                if not (isinstance(place[key], (dict, list)) and place[key]) or chance.random() < 0.05:
                    break
                place = place[key]
            place[key] = deepcopy(chance.choice(odd))
        try:
            assert isinstance(read_list(copy), LoadedList)
        except ContentListError as error:
            assert "\n" not in str(error)
