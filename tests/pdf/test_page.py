"""The page shows every row, runs nothing that a text holds, and sets each pair beside where it was printed."""

import hashlib
import io
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from dataflow_ext import parallel
from dataflow_ext.models import Usage
from dataflow_ext.report import Report, StepReport, Stop
from dataflow_ext.report.parts import MAX_TEXT
from dataflow_ext.report.texts import rich
from operators.pdf.output.checks import Gap, numbering_gaps
from operators.pdf.output.crops import Crop, Crops, page_crops
from operators.pdf.output.run_page import write_page
from operators.pdf.output.writer import write_outputs
from tests.pdf.final_rows import at, figure, picture, rejects, row, table
from tests.support.report_page import ReportPage, elements, words

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    '![x" onerror="alert(1)](javascript:alert(1))',
    "<a href='javascript:alert(1)'>go</a>",
    "<table onclick=alert(1)><tr><td onmouseover='alert(1)'><iframe src=//x></iframe></td></tr></table>",
    "<table><tr><td><script>alert(1)</script></table></section></main>",
    "$</code><script>alert(1)</script>$",
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "</style></title><base href=//x><meta http-equiv=refresh content=0>",
)


def page(out: Path, *rows: dict[str, object], crops: Crops | None = None, **more: object) -> ReportPage:
    bad = more.pop("bad", rejects())
    report = more.pop("report", Report())
    return ReportPage(write_page(table(*rows), bad, report, crops or Crops(), out, **more))  # type: ignore[arg-type]


def crop(out: Path, name: str = "p0002-0.jpg", **more: object) -> Crop:
    picture(out / ".run/crops" / name)
    return Crop(0, 1, f".run/crops/{name}", 30, 20, **more)  # type: ignore[arg-type]


def sheet(path: Path, pages: int = 2, *, rotate: int = 0) -> Path:
    """A PDF of 200 by 400 points, red above and blue below, each page a little darker."""
    canvas = Canvas(str(path), pagesize=(200, 400), invariant=1)
    for number in range(pages):
        canvas.setPageRotation(rotate)
        shade = 1 - number / 10
        canvas.setFillColorRGB(shade, 0, 0)
        canvas.rect(0, 200, 200, 200, stroke=0, fill=1)
        canvas.setFillColorRGB(0, 0, shade)
        canvas.rect(0, 0, 200, 200, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return path


def colour(path: Path) -> tuple[int, int, int]:
    with Image.open(path) as image:
        r, g, b = image.getpixel((image.width // 2, image.height // 2))  # type: ignore[misc]
    return round(r / 25.5), round(g / 25.5), round(b / 25.5)


# The page


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_inert_wherever_they_stand(tmp_path: Path, text: str) -> None:
    link = f"vqa_images/{text.replace('/', '')}.png"
    fig = picture(tmp_path / "made" / (text.replace("/", "") + ".png"))
    hostile = row(
        text, f"{text}\n![{text.replace(']', ')')}]({link})", row_id=text, answer=text, solution=text, name=text,
        question_chapter_title=text, answer_chapter_title=text + "2", match=text, notes=[text], extracted_by=text,
        question_images=[link], evidence=[figure(fig)], doubts=[text], chapter_path=[text, text],
    )  # fmt: skip
    used, stop = Usage(1, prompt_tokens=1), Stop(text, 1, text)
    report = Report([StepReport(1, text, 1, 1)], {text: used}, [text], {(text, text): used}, [stop])
    crops = Crops({text: [Crop(0, 0, f".run/crops/{text}.jpg", 5, 5)]}, problems=[text])
    outside = [{"kind": text, "page": 0, "box": None, "text": text, "source_ref": text, "name": text}]
    write_outputs(table(hostile), rejects(), tmp_path / "o")
    made = page(
        tmp_path / "o", hostile, hostile, crops=crops, report=report, bad=rejects(text, inputs=text), outside=outside,
        reading=text,
    )  # fmt: skip
    made.must_be_inert(text)
    assert f"vqa_images/{quote(Path(fig).name)}" in made.places()


def test_a_row_stands_in_full_beside_its_crop(tmp_path: Path) -> None:
    fig = picture(tmp_path / "made" / "a (1).png")
    picture(tmp_path / "o/vqa_images/a (1).png")
    one = row(
        "例1", "Look ![Fig. 1](vqa_images/a (1).png) now", answer="π", solution="As so.",
        question_images=["vqa_images/a (1).png"], evidence=[figure(fig), figure(fig, "solution")],
        confidence=0.65, match="order", answer_chapter_title="Answers", notes=["a note"],
    )  # fmt: skip
    made = page(tmp_path / "o", one, crops=Crops({"r例1": [crop(tmp_path / "o")]}))
    assert made.places() == [".run/crops/p0002-0.jpg", "vqa_images/a%20%281%29.png"]
    assert made.row("r例1") == (
        "p. 2 例1 answered to check Look Fig. 1 now Answer π Solution As so. "
        "question p. 2 · solution p. 2 · order, 65 % · answer from “Answers” · by rules "
        "joined with less than 80 % confidence a note"
    )


def test_the_blocks_of_a_row_are_boxes_on_its_crop_coloured_by_role(tmp_path: Path) -> None:
    one = row("1", evidence=[at(1, 200, 200, 600, 300), at(1, 200, 400, 600, 500, role="answer"), at(0, 0, 0, 9, 9)])
    crops = Crops({"r1": [crop(tmp_path, box=(100.0, 100.0, 700.0, 500.0))]})
    [img] = [
        each for part in page(tmp_path, one, crops=crops).rows()[0][3] for each in elements(part) if each[0] == "img"
    ]
    assert [(each[2], [float(side) for side in each[3:]]) for each in img[2:]] == [
        ("blue", [5.0, 5.0, 25.0, 10.0]),
        ("green", [5.0, 15.0, 25.0, 20.0]),
    ]


def test_head_counts_rows_rejects_steps_models_and_warnings(tmp_path: Path) -> None:
    used = Usage(1200, cached=200, prompt_tokens=90_000, completion_tokens=5_000, usd=0.75, spared_tokens=7)
    report = Report(
        [StepReport(1, "QA_Merger", 80, 46, dropped=1, seconds=1.5)],
        {"m": used},
        ["slow"],
        {("3. Ask", "m"): used},
        [Stop("BudgetError", 2, "The budget is used up.")],
    )
    made = page(tmp_path, row("1", answer="x"), row("2"), bad=rejects("no question", "none"), report=report)
    assert made.head == (
        "book 2 questions 1 answered 1 unanswered 2 dropped 2 rows not done: The budget is used up. slow "
        "The numbering has no gaps. Steps 1.5 s, 0.7500 USD "
        "Step Rows in Rows out Failed Dropped Empty Seconds 1. QA_Merger 80 46 – 1 – 1.50 "
        "Model calls Model Requests Remembered Shared Retries Repairs Failed Tokens in cached Tokens out Tokens spared USD "
        "3. Ask m 1,200 200 – – – – 90,000 – 5,000 7 0.7500"
    )
    assert "no question dropped step 5, QA_Merger · AnswerWithoutQuestion" in made.words("rejects")


def test_thousands_of_rows_are_all_there_soon(tmp_path: Path) -> None:
    start = time.process_time()
    made = page(tmp_path, *(row(str(n), "why " * 100, answer="B") for n in range(1, 2001)))
    assert time.process_time() - start < 20
    assert [each[0] for each in made.rows()] == [f"r{n}" for n in range(1, 2001)]
    assert made.row("r2000").endswith("question p. 1 · chapter+label, 100 % · by rules")


def test_rows_are_found_by_status_chapter_and_doubt(tmp_path: Path) -> None:
    made = page(
        tmp_path,
        row("1", answer="A", chapter_path=["I", "1 Circles"]),
        row("2", answer="A", chapter_path=["I", "2 Lines"], confidence=0.5, doubts=["3 follows 1"]),
        row("3", chapter_path=[], doubts=["5 follows 3"]),
    )  # fmt: skip
    assert made.menus() == [
        [("answered", 2), ("to check", 2), ("unanswered", 1)],
        [("I", 2), ("I › 1 Circles", 1), ("I › 2 Lines", 1), ("1 Circles", 1)],
        [("… follows …", 2), ("joined with less than 80 % confidence", 1)],
        [("chapter+label", 2), ("unanswered", 1)],
    ]


def test_search_looks_through_a_row_by_its_parts(tmp_path: Path) -> None:
    one = row("例1", "Why?", answer="AB", solution="So", chapter_path=["I", "II"], notes=["n"], doubts=["d"])
    made = page(tmp_path, one)
    assert made.lists["rows"]["columns"] == ["label", "question", "answer", "solution", "chapter", "notes"]
    assert made.searched() == [["例1", "why?", "ab", "so", "ii", "n d"]]


def test_doubts_and_gaps_lead_to_their_rows(tmp_path: Path) -> None:
    labels = [str(n) for n in range(1, 150) if n != 120]
    made = page(
        tmp_path,
        *(row(n, doubts=["label 131 stands alone"] if n == "131" else []) for n in labels),
        row("149", row_id="twice"),
    )
    assert "To check 1 label … stands alone: 1 row – 131" in made.head
    assert "Numbering gaps 1" in made.head
    assert "1 Circles: no 120 ; twice: 149 , 149" in made.head
    links = [place for place in made.places("href") if place.startswith("#")]
    doubt = "#list=rows&doubt=label+%E2%80%A6+stands+alone"
    assert links[4:] == [doubt, "#row=r131", "#row=r119", "#row=r149", "#row=twice", doubt]


def test_text_in_no_row_is_shown_by_kind_with_its_crop_and_share(tmp_path: Path) -> None:
    blocks = [
        {"kind": "unread", "page": 1, "box": (100, 100, 900, 200), "text": "证明 $x^2$", "source_ref": "7"},
        {"kind": "contents", "page": 0, "box": None, "text": "1 Circles … 3", "source_ref": "2"},
    ]
    crops = page_crops(table(row("1")), {"d1": [sheet(tmp_path / "a.pdf")]}, tmp_path / "o", outside=blocks)
    made = page(tmp_path / "o", row("1"), crops=crops, outside=blocks, unread=0.025)
    assert "2.5 % of the text unread" in made.head
    assert made.words("outside") == ("p. 2 p. 2 unread block 7 证明 x 2 p. 1 contents block 2 1 Circles … 3")
    [shot] = [place for place in made.places() if place.startswith(".run/crops/p0002")]
    assert colour(tmp_path / "o" / shot) == (9, 0, 0)


def test_every_reject_is_there(tmp_path: Path) -> None:
    made = page(tmp_path, bad=rejects(*(f"no question {n}" for n in range(250))))
    assert len(made.rows("rejects")) == 250
    assert "no question 249" in made.words("rejects")


def test_rows_without_crops_for_the_limits_sake_are_counted(tmp_path: Path) -> None:
    def note(made: ReportPage) -> str:
        return words(made.lists["rows"]["intro"])

    limited = page(tmp_path, row("1"), crops=Crops(limit=300, left_out=1200))
    assert note(limited) == "Page crops were made for 300 rows, those to check first; 1,200 more have none."
    assert note(page(tmp_path, row("1"))) == "No page crops: no PDF with the places of these rows was found."


def test_a_picture_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    lost = row("1", "![f](vqa_images/f.png)", question_images=["vqa_images/f.png"], evidence=[figure("/nowhere/f.png")])
    made = page(tmp_path, lost)
    assert "![f](vqa_images/f.png) not there f.png" in made.row("r1")
    assert made.places() == []


def test_page_and_data_agree_on_the_names_of_pictures(tmp_path: Path) -> None:
    rows = []
    for n, shade in enumerate(("red", "blue")):
        fig = picture(tmp_path / shade / "f.png", shade)
        rows.append(row(str(n), "![](vqa_images/f.png)", question_images=["vqa_images/f.png"], evidence=[figure(fig)]))
    write_outputs(table(*rows), rejects(), tmp_path / "o")
    shown = page(tmp_path / "o", *rows).places()
    assert [colour(tmp_path / "o" / p) for p in shown] == [(10, 0, 0), (0, 0, 10)]


def test_a_run_without_rows_says_so(tmp_path: Path) -> None:
    made = page(tmp_path, bad=rejects("book.pdf: scanned"))
    assert made.lists["rows"]["nothing"] == "This run has no rows; the rejects say why."
    assert "book.pdf: scanned" in made.words("rejects")


# Texts


def parts(text: str, *pictures: str) -> list[Any]:
    return rich(text, pictures, "vqa_images")[2:]


def test_tables_keep_cells_and_spans_and_lose_everything_else() -> None:
    source = (
        '<html><table border=1><thead><tr><th colspan="2" style="x">a</th></tr></thead>'
        "<tr><td rowspan='3'>1 &lt; 2<br>$x$</td><td colspan=9999>![f](vqa_images/f.png)<b>c</b></table>"
    )
    img = ["img", {"src": "vqa_images/f.png", "alt": "f"}]
    assert parts(source, "f.png") == [
        "<html>",
        ["span", {}, "", [
            "table", {"class": "data"},
            ["tr", {}, ["th", {"colspan": 2}, "a"]],
            ["tr", {},
             ["td", {"rowspan": 3}, "1 < 2\n", ["math", {"title": "x"}, ["mi", {}, "x"]]],
             ["td", {}, ["span", {"class": "pic"}, img, ["span", {}, "f"]], "<b>c</b>"]],
        ]],
    ]  # fmt: skip


def test_a_table_without_an_end_and_an_unknown_picture_stay_text() -> None:
    text = "<table><tr><td>1 ![f](vqa_images/other.png) ![f](http://x/y.png)"
    assert "".join(parts(text, "f.png")) == text


def test_money_is_no_formula() -> None:
    for text in ("It costs $5 and then $6.", "5 $ and 6 $ more", "$ 5 and 6 $"):
        assert "".join(parts(text)) == text


@pytest.mark.parametrize("text", ["$x^2$", "$ x^2 $", "\\(x^2\\)", "\\[x^2\\]", "$$x^2$$", "$$\nx^2\n$$"])
def test_formulas_are_drawn_whatever_signs_they_stand_between(text: str) -> None:
    kind = {"display": "block"} if text[:2] in ("$$", "\\[") else {}
    drawn = ["math", {**kind, "title": "x^2"}, ["msup", {}, ["mi", {}, "x"], ["mn", {}, "2"]]]
    assert parts(f"a {text} b") == ["a ", drawn, " b"]


def test_a_formula_that_cannot_be_drawn_stays_as_it_is() -> None:
    assert parts("a $\\frac{<b>}{$ b") == ["a ", ["code", {"class": "tex"}, "$\\frac{<b>}{$"], " b"]


def test_lines_around_a_formula_of_its_own_lines_are_closed_up() -> None:
    assert words(parts("So\n\n$$\nx\n$$\n\nthen\n$y$\n")) == "So x then y"
    assert [part for part in parts("So\n\n$$\nx\n$$\n\nthen\n$y$\n") if isinstance(part, str)] == ["So", "then\n", "\n"]


def test_a_text_too_long_for_the_page_is_cut_and_says_so() -> None:
    assert words(parts("x" * (MAX_TEXT + 7))).endswith("… 7 more characters in the data files")


@pytest.mark.parametrize("part", ["![", "<table>", "$", "$$", "\\(", "\\[", "<table", "<td ", "![]("])
def test_no_text_takes_long(part: str) -> None:
    start = time.process_time()
    parts(part * MAX_TEXT, "f.png")
    assert time.process_time() - start < 5


# Numbering


def test_gaps_are_told_by_chapter_and_a_part_may_go_on_from_the_one_before() -> None:
    def chapter(title: str, *labels: str) -> list[dict[str, object]]:
        return [row(label, question_chapter_title=title) for label in labels]

    rows = table(
        *chapter("A", "例1", "1", "2", "5", "9"),
        *chapter("B", "10", "11"),
        *chapter("C", "1", "2", "2", "3"),
        *chapter("D", "2", "3"),
        *chapter("E", "例1", "99999999999"),
    )
    assert numbering_gaps(rows) == [
        Gap("A", "d1", missing=[(3, 4), (6, 8)]),
        Gap("C", "d1", repeated=[2]),
        Gap("D", "d1", start=2),
    ]


# Crops


def test_a_crop_is_the_union_of_the_questions_boxes_on_each_page(tmp_path: Path) -> None:
    pdf = sheet(tmp_path / "a.pdf")
    rows = table(
        row(
            "1",
            evidence=[at(0, 100, 100, 300, 200), at(0, 200, 150, 500, 400), at(0, 0, 600, 1000, 900, role="solution")],
        ),
        row("2", evidence=[at(0, 100, 600, 900, 900), at(1, 100, 600, 900, 900)]),
        row("3", evidence=[at(0)]),
    )
    crops = page_crops(rows, {"d1": [pdf]}, tmp_path / "out")
    seen = {r: [(c.page, colour(tmp_path / "out" / c.path)) for c in found] for r, found in crops.by_row.items()}
    assert seen == {"r1": [(0, (10, 0, 0))], "r2": [(0, (0, 0, 10)), (1, (0, 0, 9))]}
    (one,) = crops.by_row["r1"]
    with Image.open(tmp_path / "out" / one.path) as image:
        assert image.size == (one.width, one.height)
    # 444 thousandths of 200 points and 320 of 400, margins counted, at 110 dots an inch
    assert (abs(one.width - 136) <= 2, abs(one.height - 196) <= 2) == (True, True)
    assert (crops.left_out, crops.problems) == (0, [])


def test_crops_of_a_turned_page_are_cut_as_it_is_shown(tmp_path: Path) -> None:
    # Turned clockwise, the left half of a sheet twice as wide as high is its upper half; the rest is bare.
    pdf = sheet(tmp_path / "a.pdf", 1, rotate=90)
    rows = table(row("1", evidence=[at(0, 100, 100, 900, 400)]), row("2", evidence=[at(0, 100, 600, 900, 900)]))
    crops = page_crops(rows, {"d1": [pdf]}, tmp_path)
    assert [colour(tmp_path / c.path) for r in ("r1", "r2") for c in crops.by_row[r]] == [(0, 0, 10), (10, 10, 10)]


def test_the_file_of_the_evidence_says_which_pdf_is_shown(tmp_path: Path) -> None:
    files = [sheet(tmp_path / "q.pdf", 1), sheet(tmp_path / "a.pdf", 3)]
    rows = table(row("1", evidence=[at(2, 100, 100, 900, 400, file=1)]), row("2", evidence=[at(0, 1, 1, 9, 9, file=7)]))
    crops = page_crops(rows, {"d1": files}, tmp_path)
    assert {r: [(c.file, c.page, colour(tmp_path / c.path)) for c in f] for r, f in crops.by_row.items()} == {
        "r1": [(1, 2, (8, 0, 0))]
    }


def test_a_second_run_makes_the_same_files_without_rendering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pdf = sheet(tmp_path / "a.pdf")
    rows = table(row("1"), row("2", evidence=[at(1, 100, 100, 200, 200)]))

    def digests() -> dict[str, str]:
        folder = tmp_path / "out/.run/crops"
        return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}

    first = page_crops(rows, {"d1": [pdf]}, tmp_path / "out")
    made = digests()
    monkeypatch.setattr("operators.pdf.output.crops._render", lambda *_: pytest.fail("rendered again"))
    monkeypatch.setattr(parallel, "guarded", lambda function, pieces, limits: map(function, pieces))
    assert page_crops(rows, {"d1": [pdf]}, tmp_path / "out") == first
    assert digests() == made
    page_crops(rows.slice(0, 1), {"d1": [pdf]}, tmp_path / "out")
    assert list(digests()) == [n for n in made if n.startswith("p0001-")]


def test_each_page_is_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from operators.pdf.output import crops as module

    asked: list[int] = []
    render = module._render
    monkeypatch.setattr(module, "_render", lambda doc, n: (asked.append(n), render(doc, n))[1])
    # In this process, where it is seen what is asked for.
    monkeypatch.setattr(parallel, "guarded", lambda function, pieces, limits: map(function, pieces))
    rows = table(*(row(str(n), evidence=[at(n % 2, 100, 10 * n, 300, 10 * n + 50)]) for n in range(20)))
    assert len(page_crops(rows, {"d1": [sheet(tmp_path / "a.pdf")]}, tmp_path).by_row) == 20
    assert asked == [0, 1]


def test_rows_past_the_limit_are_counted_not_cut(tmp_path: Path) -> None:
    crops = page_crops(table(*(row(str(n)) for n in range(5))), {"d1": [sheet(tmp_path / "a.pdf")]}, tmp_path, limit=2)
    assert (list(crops.by_row), crops.left_out) == (["r0", "r1"], 3)


def test_rows_to_check_are_cut_before_others(tmp_path: Path) -> None:
    rows = table(*(row(str(n), answer="A", confidence=0.5 if n == 3 else 1.0) for n in range(5)))
    crops = page_crops(rows, {"d1": [sheet(tmp_path / "a.pdf")]}, tmp_path, limit=2)
    assert (sorted(crops.by_row), crops.left_out) == (["r0", "r3"], 3)


def test_a_content_list_is_shown_by_the_pdf_beside_it_and_only_by_that(tmp_path: Path) -> None:
    books = {}
    for name, beside in (("a", "a_origin.pdf"), ("b", "b.pdf"), ("c", None), ("d", "../d.pdf"), ("e", "../../e.pdf")):
        books[name] = [tmp_path / name / "x" / "y" / f"{name}_content_list.json"]
        books[name][0].parent.mkdir(parents=True)
        if beside:
            sheet(books[name][0].parent / beside)
    books["f"] = [tmp_path / "f" / "content_list.json"]
    sheet(tmp_path / "f.pdf")
    rows = table(*(row(name, document=name) for name in (*books, "f")))
    assert sorted(page_crops(rows, books, tmp_path / "out").by_row) == ["ra", "rb", "rd", "re", "rf"]


def test_a_broken_pdf_and_a_page_that_is_not_there_are_problems_not_errors(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing")
    inputs = {"d1": [sheet(tmp_path / "a.pdf"), broken, tmp_path / "gone.pdf"]}
    nan = float("nan")
    rows = table(
        row("1", evidence=[at(9, 1, 1, 9, 9)]),
        row("2", evidence=[at(0, 1, 1, 9, 9, file=1)]),
        row("3", evidence=[at(0, 1, 1, 9, 9, file=2)]),
        row("4", evidence=[at(0, nan, 1, 9, 9)]),
        row("5", evidence=[at(0, 5000, 5000, 9000, 9000)]),
        row("6", evidence=[at(0, -1e9, -1e9, 1e9, 1e9)]),
    )
    crops = page_crops(rows, inputs, tmp_path / "out")
    assert list(crops.by_row) == ["r6"]
    assert [p.split(":")[0] for p in crops.problems] == ["a.pdf has 2 pages, not a page 10", "broken.pdf", "gone.pdf"]


def test_a_crop_that_is_damaged_is_made_again(tmp_path: Path) -> None:
    pdf = sheet(tmp_path / "a.pdf")
    (crop,) = page_crops(table(row("1")), {"d1": [pdf]}, tmp_path).by_row["r1"]
    whole = (tmp_path / crop.path).read_bytes()
    (tmp_path / crop.path).write_bytes(b"")
    page_crops(table(row("1")), {"d1": [pdf]}, tmp_path)
    assert (tmp_path / crop.path).read_bytes() == whole
    assert Image.open(io.BytesIO(whole)).format == "JPEG"
