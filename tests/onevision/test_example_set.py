"""The example set: what is in it, what is dirty in it, and that its files, texts and truth belong together."""

import json
import re
import sys
from collections import Counter
from difflib import SequenceMatcher
from io import BytesIO
from itertools import combinations
from typing import get_args

import pytest

from dataflow_ext import RowError
from operators.onevision.describing.leaks import leaks_in
from operators.onevision.model.records import FORMAL_LANGUAGE, ImageType
from operators.onevision.sources.normalising import Limits, found, normalised
from operators.onevision.sources.tags import tagged
from operators.verify.options import options_in
from tests.onevision import sets
from tests.onevision.wording import wrong_sums

DIRTY = {
    *(
        "no tags",
        "unclosed",
        "doubled",
        "lower case",
        "text outside",
        "empty conclusion",
        "empty answer",
        "no reasoning",
    ),
    *("missing picture", "cut picture", "empty file", "no picture", "huge picture", "leaves the root", "absolute path"),
    *("image marker", "no answer", "two questions in a row", "no JSON", "no object", "repeated id"),
    *("EXIF turn", "CMYK", "16 bits", "transparent palette", "animated GIF", "blank picture"),
    *("wrong letter", "letter of no option", "other end", "wrong sum", "other than gold"),
}


def test_turns_and_pictures_are_many_and_of_all_types_and_both_languages():
    turns, pictures = sets.turns(good=True), sets.pictures()
    types = Counter(each["type"] for each in pictures.values())
    languages = Counter(each["language"] for each in turns.values())
    assert (len(turns) >= 72, len(pictures) >= 36, languages["zh"] >= 20) == (True, True, True)
    assert set(types) == set(get_args(ImageType))
    assert min(types.values()) >= 4


def test_pictures_are_shared_by_turns_of_a_record_and_by_records():
    several = [each for each in sets.records().values() if len(each["conversations"]) >= 4]
    good = [each for each in sets.records().values() if not each["id"].startswith("dirty_")]
    shared = [path for path, count in Counter(each["image"] for each in good).items() if count > 1]
    assert (len(several) >= 20, len(shared) >= 4) == (True, True)


def test_every_dirty_case_is_there_and_files_and_lines_belong_together():
    assert set(sets.truth()["dirty"]) == DIRTY
    assert len(sets.lines()) == len(sets.records()) + 2
    shown = {each["image"] for each in sets.turns(fate="row").values()}
    assert shown == set(sets.pictures())


def test_only_the_repeated_id_is_there_twice():
    twice = [name for name, count in Counter(each["id"] for each in sets.records().values()).items() if count > 1]
    assert twice == ["dirty_repeated"]


def test_pictures_are_of_the_sizes_that_the_truth_says():
    from PIL import Image, ImageOps

    for path, truth in sets.pictures().items():
        with Image.open(sets.IMAGES / path) as image:
            assert (path, *ImageOps.exif_transpose(image).size) == (path, truth["width"], truth["height"])


@pytest.mark.parametrize(
    "case", ["EXIF turn", "CMYK", "16 bits", "transparent palette", "animated GIF", "blank picture"]
)
def test_pictures_in_odd_forms_are_known_again_when_they_are_normalised(case, tmp_path):
    path = sets.records()[sets.dirty(case)[0]]["image"]
    made = normalised(found(path, [sets.IMAGES]), Limits(tmp_path, 2000, 10_000_000))
    truth = sets.pictures()[path]
    assert (made.width, made.height) == (truth["width"], truth["height"])
    assert sets.shown(made.picture.read_bytes()) == path


def test_pictures_that_cannot_be_used_cannot(tmp_path):
    cases = (
        "missing picture",
        "cut picture",
        "empty file",
        "no picture",
        "huge picture",
        "leaves the root",
        "absolute path",
    )
    for case in cases:
        image = sets.records()[sets.dirty(case)[0]]["image"]
        with pytest.raises(RowError):
            normalised(found(image, [sets.IMAGES]), Limits(tmp_path, 2000, 100_000_000))


def test_a_picture_is_known_again_when_it_is_smaller_and_a_jpeg():
    from PIL import Image

    for path in list(sets.pictures())[::5]:
        with Image.open(sets.IMAGES / path) as image:
            small = image.convert("RGB").resize((image.width // 2, image.height // 2))
        data = BytesIO()
        small.save(data, "JPEG", quality=80)
        assert sets.shown(data.getvalue()) == path


def test_good_answers_have_reasonings_of_usual_length_and_hedges():
    hedges = re.compile(
        r"seem|appar|appear|likely|probabl|infer|look|suggest|would|should|can be|assum|around|some|似乎|好像|看|可能|大概|大约|约为|应该|推断"
    )
    for name in sets.turns(good=True):
        reasoning = tagged(sets.said(name)[1]).blocks["REASONING"]
        assert 60 <= len(reasoning) <= 900, name
        assert hedges.search(reasoning), name


def test_no_two_good_reasonings_are_alike():
    texts = {tagged(sets.said(name)[1]).blocks["REASONING"] for name in sets.turns(good=True)}
    plain = sorted(re.sub(r"[\d.]+", "0", text) for text in texts)
    assert len(set(plain)) == len(texts)
    near = [pair for pair in combinations([text.split() for text in plain], 2) if _alike(*pair)]
    assert near == []


def _alike(one, other):
    """Whether most words of two texts are the same ones in the same places."""
    return len(one) > 5 and sum(a == b for a, b in zip(one, other, strict=False)) > 0.8 * len(one)


def test_good_reasonings_of_the_truth_are_rewritten_and_right():
    for name, turn in sets.turns(good=True).items():
        source = tagged(sets.said(name)[1]).blocks["REASONING"]
        same = SequenceMatcher(None, source, turn["think"], autojunk=False).find_longest_match().size
        assert same < 0.35 * len(turn["think"]), name
        assert wrong_sums(turn["think"]) == [], name
        assert (
            re.search(r"\bseem|appear|likely|probab|似乎|好像|可能|大概|描述|[Dd]escription|caption", turn["think"])
            is None
        ), name


def test_options_of_multiple_choice_hold_their_letters():
    for name, turn in sets.turns(good=True).items():
        if re.fullmatch("[A-H]", turn["answer"]):
            assert turn["answer"] in [each.letter for each in options_in(sets.question(name))], name


def test_descriptions_tell_of_all_numbers_that_are_needed_and_of_no_question():
    for name, turn in sets.turns(good=True).items():
        picture = sets.pictures()[turn["image"]]
        assert leaks_in(picture["description"]) == [], name
    for path, picture in sets.pictures().items():
        x1, y1 = picture["width"], picture["height"]
        boxes = [each["box"] for each in picture["objects"]]
        assert all(0 <= a < c <= x1 and 0 <= b < d <= y1 for a, b, c, d in boxes), path
        written = set(re.findall(r"\d+(?:\.\d+)?", " ".join(picture["texts"])))
        told = set(re.findall(r"\d+(?:\.\d+)?", picture["description"]))
        axis = {str(n) for n in range(101)} if picture["type"] == "chart" else set()
        assert written - axis <= told, path


def test_formal_code_of_the_truth_parses():
    from operators.onevision.formal import parse_problem

    for path, picture in sets.pictures().items():
        assert (
            parse_problem(picture["code"], FORMAL_LANGUAGE[picture["type"]]) is None or picture["type"] == "document_ui"
        ), path


def test_the_folder_is_small():
    size = sum(
        path.stat().st_size for path in sets.FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    assert size < 1_500_000


def test_make_gives_the_same_lines_and_truth(monkeypatch):
    monkeypatch.syspath_prepend(str(sets.FOLDER))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    from drawing import everything, fonts

    if sentence := fonts.missing():
        pytest.skip(sentence)
    whole = everything.build()
    assert whole.lines == list(sets.lines())
    assert json.loads(json.dumps(whole.truth)) == sets.truth()
    assert {each.path for each in whole.pictures} == set(sets.pictures())
