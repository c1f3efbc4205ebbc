"""The booklets, offline, by the command: rows and pictures against their gold."""

import importlib.util
import json
from functools import cache
from pathlib import Path

import pytest

from dataflow_ext import run
from pipelines.pdf_vqa import documents, main, pipeline

BOOKLETS = Path(__file__).parents[2] / "examples" / "booklets"
NAMES = ["algebra_en", "geometry_zh", "physics_zh", "workbook_list"]
WANTED = 0.98


@cache
def scorer():
    spec = importlib.util.spec_from_file_location("booklets_score", BOOKLETS / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gold_of(name):
    return json.loads((BOOKLETS / "gold" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """The figures of each booklet, made when first asked for."""
    folder = tmp_path_factory.mktemp("booklets")

    @cache
    def made(name):
        gold = gold_of(name)
        first, *answers = [BOOKLETS / file for file in gold["inputs"]]
        result = run(pipeline(image_dir=folder / name), documents([first], *answers))
        orphans = [json.loads(r["inputs"]) for r in result.rejects.to_pylist() if r["error"] == "AnswerWithoutQuestion"]
        return scorer().score(gold, result.table.to_pylist(), orphans)

    return made


def told(figures):
    return (
        "\n".join(f"{key}: {value}" for key, value in figures.items() if key != "misses")
        + "\n"
        + "\n".join(figures["misses"])
    )


@pytest.mark.parametrize("name", NAMES)
def test_questions_with_label_and_chapter_are_those_of_the_gold(scores, name):
    assert scores(name)["question"]["f1"] >= WANTED, told(scores(name))


@pytest.mark.parametrize("name", NAMES)
def test_pictures_stand_with_their_questions(scores, name):
    assert scores(name)["picture"]["f1"] >= WANTED, told(scores(name))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_is_no_item_stands_in_a_question(scores, name):
    assert scores(name)["not_items_violated"] == 0, told(scores(name))


@pytest.mark.parametrize("name", NAMES)
def test_answers_solutions_and_their_absence_are_those_of_the_gold(scores, name):
    figures = scores(name)
    parts = {part: figures[part] for part in ("answer", "solution", "status")}
    parts |= {"orphans": figures["orphans"]["f1"], "solution_picture": figures["solution_picture"]["f1"]}
    assert {part: value for part, value in parts.items() if value < WANTED} == {}, told(figures)


def test_the_command_gives_the_rows_that_the_gold_is_compared_with(tmp_path):
    out = tmp_path / "out"
    assert main([str(BOOKLETS / "geometry_zh.pdf"), str(BOOKLETS / "algebra_en.pdf"), "--out", str(out)]) == 0
    rows = [json.loads(line) for line in (out / "vqa.jsonl").read_text(encoding="utf-8").splitlines()]
    for name in ("geometry_zh", "algebra_en"):
        gold = gold_of(name)
        _, lost, extra = scorer().match(gold["items"], [row for row in rows if row["name"] == name])
        assert len(lost) + len(extra) <= (1 - WANTED) * 2 * len(gold["items"])
