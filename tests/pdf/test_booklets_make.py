"""The booklets: drawn again they are the committed files and say what their gold says; the scorer is fair."""

import copy
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

BOOKLETS = Path(__file__).parents[2] / "examples" / "booklets"
NAMES = ["algebra_en", "geometry_zh", "physics_zh", "workbook_list"]
PDF_NAMES = NAMES[:3]


def load_score():
    spec = importlib.util.spec_from_file_location("booklets_score", BOOKLETS / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


scoring = load_score()


def gold_of(name):
    return json.loads((BOOKLETS / "gold" / f"{name}.json").read_text(encoding="utf-8"))


def evidence(role, figure):
    image = figure.get("image", "cut.png")
    return {"role": role, "id": 1, "image": image, **{k: figure.get(k) for k in ("file", "page", "box")}}


def perfect_rows(gold):
    rows = []
    for item in gold["items"]:
        row = {key: item[key] for key in ("label", "question", "answer", "solution", "status")}
        row["question_chapter_title"] = item["chapter"]
        row["evidence"] = [evidence("question", f) for f in item["figures"]]
        row["evidence"] += [evidence("solution", f) for f in item["solution_figures"]]
        rows.append(row)
    return rows


def page_texts(name):
    """The text of all pages of all files of a set, without spaces."""
    texts = []
    for file in gold_of(name)["inputs"]:
        with pypdfium2.PdfDocument(str(BOOKLETS / file)) as pdf:
            texts += [page.get_textpage().get_text_range() for page in pdf]
    return scoring.plain("\n".join(texts))


# -- making


@pytest.fixture(scope="module")
def drawn_again(tmp_path_factory):
    out = tmp_path_factory.mktemp("booklets")
    done = subprocess.run(
        [sys.executable, str(BOOKLETS / "make.py"), "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and done.stderr.startswith("The booklets "):
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return out


def same_tools(out, *tools):
    then, now = (json.loads((folder / "made_with.json").read_text()) for folder in (BOOKLETS, out))
    return all(then[tool] == now[tool] for tool in tools)


def test_gold_and_content_list_drawn_again_are_the_committed_ones(drawn_again):
    if not same_tools(drawn_again, "fonts"):
        pytest.skip("the fonts here are not the ones the committed booklets were drawn with")
    files = [f"gold/{name}.json" for name in NAMES] + ["workbook_list/workbook_content_list.json"]
    assert [f for f in files if (drawn_again / f).read_bytes() != (BOOKLETS / f).read_bytes()] == []


def test_pdfs_and_pictures_drawn_again_are_the_committed_bytes(drawn_again):
    if not same_tools(drawn_again, "reportlab", "pillow", "zlib", "fonts"):
        pytest.skip("reportlab, pillow, zlib or the fonts differ from those in made_with.json")
    again = sorted(p.relative_to(drawn_again) for p in drawn_again.rglob("*.p[dn][fg]"))
    committed = sorted(p.relative_to(BOOKLETS) for p in BOOKLETS.rglob("*.p[dn][fg]"))
    assert again == committed
    assert [p for p in again if (drawn_again / p).read_bytes() != (BOOKLETS / p).read_bytes()] == []


def test_a_missing_font_is_named_with_the_way_to_get_it(monkeypatch):
    pytest.importorskip("reportlab")
    monkeypatch.syspath_prepend(str(BOOKLETS))
    fonts = importlib.import_module("drawn.fonts")
    monkeypatch.setattr(fonts, "FILES", {"Kai": Path("/nowhere/Kai.ttf")})
    assert fonts.missing() == (
        "The booklets need the fonts /nowhere/Kai.ttf; on Debian: "
        "apt-get install -y fonts-lxgw-wenkai fonts-dejavu-core"
    )


def test_every_committed_pdf_is_below_300_kilobytes():
    assert {p.name: p.stat().st_size < 300_000 for p in BOOKLETS.glob("*.pdf")} == {
        "algebra_en.pdf": True,
        "geometry_zh.pdf": True,
        "physics_zh_answers.pdf": True,
        "physics_zh_questions.pdf": True,
    }


# -- gold and drawing agree


@pytest.mark.parametrize("name", PDF_NAMES)
def test_every_question_and_summary_line_of_the_gold_is_printed(name):
    gold, printed = gold_of(name), page_texts(name)
    parts = [part for item in gold["items"] for part in item["question"].split("\n")] + gold["not_items"]
    assert [part for part in parts if scoring.plain(part) not in printed] == []


@pytest.mark.parametrize("name", PDF_NAMES)
def test_every_answer_solution_and_orphan_of_the_gold_is_printed(name):
    gold, printed = gold_of(name), page_texts(name)
    solutions = [part for item in gold["items"] for part in item["solution"].split("\n")]
    answers = [thing["answer"] for thing in gold["items"] + gold["orphans"]]
    unprinted = [part for part in solutions + answers if scoring.plain(part) not in printed]
    cut_by_a_page = [part for part in unprinted if part.startswith("解  下滑前")]
    assert unprinted == cut_by_a_page
    assert len(cut_by_a_page) == (name == "geometry_zh")


@pytest.mark.parametrize("name", PDF_NAMES)
def test_every_figure_box_is_filled_by_its_drawing(name):
    gold = gold_of(name)
    loose = []
    for number, file in enumerate(gold["inputs"]):
        with pypdfium2.PdfDocument(str(BOOKLETS / file)) as pdf:
            pages = [page.render(scale=2).to_pil().convert("L") for page in pdf]
        figures = [f for item in gold["items"] for f in item["figures"] + item["solution_figures"]]
        for figure in (f for f in figures if f["file"] == number):
            page = pages[figure["page"]]
            box = [round(v * s / 1000) for v, s in zip(figure["box"], page.size * 2, strict=True)]
            ink = page.crop(box).point(lambda v: 255 * (v < 200)).getbbox() or (0, 0, 0, 0)
            filled = [a + b for a, b in zip(ink, box[:2] * 2, strict=True)]
            if scoring.overlap(box, filled) < 0.85:
                loose.append(figure)
    assert loose == []


def test_every_picture_of_the_list_is_there_and_every_question_stands_in_a_block():
    gold, folder = gold_of("workbook_list"), BOOKLETS / "workbook_list"
    blocks = json.loads((folder / "workbook_content_list.json").read_text(encoding="utf-8"))
    said = "\n".join(scoring.plain(str(v)) for b in blocks for v in [b.get("text", ""), *b.get("list_items", [])])
    parts = [part for i in gold["items"] for part in (i["question"] + "\n" + i["solution"]).split("\n")]
    assert [part for part in parts if scoring.plain(part) not in said] == []
    named = {f["image"] for item in gold["items"] for f in item["figures"]} | {"images/star.png"}
    assert named == {str(p.relative_to(folder)) for p in folder.glob("images/*.png")}
    assert named == {b["img_path"] for b in blocks if "img_path" in b}


def test_the_gold_counts_are_those_of_the_books():
    counts = {}
    for name in NAMES:
        gold = gold_of(name)
        figures = sum(len(i["figures"]) for i in gold["items"])
        unanswered = [i["label"] for i in gold["items"] if i["status"] == "unanswered"]
        counts[name] = (len(gold["items"]), figures, unanswered, [o["label"] for o in gold["orphans"]])
    assert counts == {
        "algebra_en": (29, 8, ["10"], ["11"]),
        "geometry_zh": (46, 15, ["5", "变式2"], ["4"]),
        "physics_zh": (27, 6, ["9", "3"], ["10", "4"]),
        "workbook_list": (50, 13, ["2", "2"], ["3"]),
    }


def test_the_readme_places_each_of_the_sixteen_traps():
    lines = (BOOKLETS / "README.md").read_text(encoding="utf-8").split("\n")
    numbers = [int(line[2:].split()[0]) for line in lines if line[:2] == "| " and line[2:3].isdigit()]
    assert numbers == list(range(1, 17))


# -- scorer


def figures_of(result):
    return {
        "question": result["question"]["f1"],
        "answer": result["answer"],
        "solution": result["solution"],
        "status": result["status"],
        "picture": result["picture"]["f1"],
        "solution_picture": result["solution_picture"]["f1"],
        "orphans": result["orphans"]["f1"],
        "not_items_violated": result["not_items_violated"],
    }


PERFECT = dict.fromkeys(["question", "answer", "solution", "status", "picture", "solution_picture", "orphans"], 1.0)
PERFECT |= {"not_items_violated": 0}


@pytest.mark.parametrize("name", NAMES)
def test_perfect_rows_score_one_everywhere(name):
    gold = gold_of(name)
    result = scoring.score(gold, perfect_rows(gold), gold["orphans"])
    assert figures_of(result) == PERFECT
    assert result["misses"] == []


@pytest.mark.parametrize("name", NAMES)
def test_rows_with_links_captions_wide_signs_and_other_spaces_are_still_perfect(name):
    gold = gold_of(name)
    rows = perfect_rows(gold)
    for item, row in zip(gold["items"], rows, strict=True):
        captions = [f["caption"] for f in item["figures"]]
        text = row["question"].replace("(", "（").replace(",", "，").replace("  ", "\n")
        row["question"] = "\n".join([text, *captions, *(f"![{c}](vqa_images/x.png)" for c in captions)])
    assert figures_of(scoring.score(gold, rows, gold["orphans"])) == PERFECT


def lose_row(rows, orphans):
    del rows[0]


def wrong_chapter(rows, orphans):
    rows[0]["question_chapter_title"] = "1.2 Equations from Words"


def wrong_label(rows, orphans):
    rows[0]["label"] = "1"


def cut_question(rows, orphans):
    rows[4]["question"] = rows[4]["question"].split("\n")[0]


def wrong_answer(rows, orphans):
    rows[4]["answer"] = "C"


def cut_solution(rows, orphans):
    rows[0]["solution"] = "Solution  Add 5 to both sides: 2x = 16."


def wrong_status(rows, orphans):
    rows[4]["status"] = "unanswered"


def lose_picture(rows, orphans):
    rows[2]["evidence"] = []


def move_picture(rows, orphans):
    x0, y0, x1, y1 = rows[2]["evidence"][0]["box"]
    rows[2]["evidence"][0]["box"] = [x0, y0, x1, y1 + 2 * (y1 - y0)]


def picture_on_another_page(rows, orphans):
    rows[2]["evidence"][0]["page"] += 1


def picture_too_many(rows, orphans):
    rows[0]["evidence"] = rows[2]["evidence"]


def lose_solution_picture(rows, orphans):
    rows[3]["evidence"] = []


def lose_orphan(rows, orphans):
    orphans.clear()


def orphan_too_many(rows, orphans):
    orphans.append({"label": "9", "answer": "10 minutes"})


def summary_line_as_item(rows, orphans):
    line = "1. A linear equation contains the unknown only in its first power."
    chapter = "1.2 Equations from Words"
    rows.append(rows[4] | {"label": "1", "question": line, "question_chapter_title": chapter, "evidence": []})


@pytest.mark.parametrize(
    ("damage", "lowered"),
    [
        (lose_row, {"question"}),
        (wrong_chapter, {"question"}),
        (wrong_label, {"question"}),
        (cut_question, {"question"}),
        (wrong_answer, {"answer"}),
        (cut_solution, {"solution"}),
        (wrong_status, {"status"}),
        (lose_picture, {"picture"}),
        (move_picture, {"picture"}),
        (picture_on_another_page, {"picture"}),
        (picture_too_many, {"picture"}),
        (lose_solution_picture, {"solution_picture"}),
        (lose_orphan, {"orphans"}),
        (orphan_too_many, {"orphans"}),
        (summary_line_as_item, {"question", "not_items_violated"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_each_kind_of_damage_lowers_its_own_figure_and_no_other(damage, lowered):
    gold = gold_of("algebra_en")
    rows, orphans = copy.deepcopy(perfect_rows(gold)), copy.deepcopy(gold["orphans"])
    damage(rows, orphans)
    result = scoring.score(gold, rows, orphans)
    assert {key for key, value in figures_of(result).items() if value != PERFECT[key]} == lowered
    assert result["misses"]


def test_one_row_cannot_match_two_items_nor_two_rows_one_item():
    gold = gold_of("geometry_zh")
    rows = perfect_rows(gold)
    result = scoring.score(gold, rows + rows[:1])
    assert (result["question"]["recall"], result["question"]["precision"]) == (1.0, 46 / 47)


def test_a_list_picture_is_matched_by_its_file_name():
    gold = gold_of("workbook_list")
    rows = perfect_rows(gold)
    shown = next(row for row in rows if row["evidence"])
    shown["evidence"][0]["image"] = "out/vqa_images/axis_a.png"
    assert scoring.score(gold, rows)["picture"]["f1"] == 1.0
    shown["evidence"][0]["image"] = "images/star.png"
    assert scoring.score(gold, rows)["picture"] == {"precision": 12 / 13, "recall": 12 / 13, "f1": 12 / 13}


def test_words_lifted_from_the_solution_count_as_its_answer_and_others_do_not():
    gold = gold_of("algebra_en")
    rows = perfect_rows(gold)
    rows[0]["answer"] = "x = 8"
    assert scoring.score(gold, rows)["answer"] == 1.0
    rows[0]["answer"] = "x = 9"
    assert scoring.score(gold, rows)["answer"] == 28 / 29


def test_no_rows_at_all_score_zero_without_an_error():
    gold = gold_of("physics_zh")
    result = scoring.score(gold, [], [])
    assert figures_of(result) == dict.fromkeys(PERFECT, 0.0) | {"solution_picture": 1.0}
    assert len(result["misses"]) == 27 + 2


def test_the_command_prints_figures_and_with_verbose_the_misses(tmp_path):
    gold = gold_of("algebra_en")
    rows = tmp_path / "rows.jsonl"
    lines = [json.dumps(row) for row in perfect_rows(gold)[1:]]
    rows.write_text("\n".join(lines), encoding="utf-8")
    command = [
        sys.executable,
        str(BOOKLETS / "score.py"),
        str(BOOKLETS / "gold" / "algebra_en.json"),
        str(rows),
    ]
    printed = subprocess.run([*command, "--verbose"], capture_output=True, text=True, check=True).stdout
    assert json.loads(printed[: printed.rindex("}") + 1])["rows"] == 28
    assert printed.endswith("no row for 1.1 Equations in One Unknown / Example 1\n")
