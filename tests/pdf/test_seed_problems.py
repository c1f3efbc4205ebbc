"""The three problems that this pipeline was built for, each from a content list to rows.

P1: labels that restart in each chapter are not one label. P2: 例① is 例1, never 1. P3: a question and the
solutions that stand between its parts are one row.
"""

import json
import re
from pathlib import Path

import pytest

from dataflow_ext import run
from dataflow_ext.models import Model, Request, ScriptedModel
from operators.pdf.reply import ReplyChapter, ReplyPair, render
from pipelines.pdf_vqa import pipeline

LINE = re.compile(r"\[(\d+)\] (# )?(.*)")
LABEL = re.compile(r"(例[①-⑳一二三四五\d]+|习题\d+|\d+)[.．、 ]")
ANSWER = re.compile(r"答案：(\w+)")


def reader(request: Request) -> str:
    """A model that reads the lines it is shown, and nothing else, as a careful person would."""
    chapters = [ReplyChapter()]
    pair: ReplyPair | None = None
    solving = False
    for line in request.prompt.split("\n"):
        found = LINE.fullmatch(line)
        assert found is not None, line
        number, text = int(found[1]), found[3]
        if found[2]:
            chapters.append(ReplyChapter([number]))
            pair, solving = None, False
            continue
        label = LABEL.match(text)
        if label or pair is None:
            pair = ReplyPair(label[1] if label else "", at=number)
            chapters[-1].pairs.append(pair)
            solving = False
        said = ANSWER.search(text)
        if said:
            pair.answer = said[1]
        solving = text.startswith("解") or (solving and not text.startswith("("))
        if solving:
            pair.solution.append(number)
        elif not said:
            pair.question.append(number)
    return render(chapters)


def rows(folder: Path, model: Model | None, *texts: str, size: int = 8_000) -> list[dict[str, object]]:
    """The rows of a book; a text with ``# `` is a heading."""
    entries = [
        {"type": "text", "text": t.removeprefix("# "), "page_idx": n // 20, "bbox": [100, 40 * (n % 20) + 60, 900, 40 * (n % 20) + 90]}
        | ({"text_level": 1} if t.startswith("# ") else {})
        for n, t in enumerate(texts)
    ]  # fmt: skip
    path = folder / "book_content_list.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    steps = pipeline(model, image_dir=folder / "pictures", max_chunk_tokens=size)
    result = run(steps, [{"name": "book", "input_pdf_paths": [str(path)]}])
    assert result.rejects.to_pylist() == []
    return result.table.to_pylist()


def scripted() -> Model:
    return ScriptedModel(reader)


@pytest.fixture(params=["model", "model in small chunks", "rules"])
def way(request: pytest.FixtureRequest) -> tuple[Model | None, int]:
    """The three ways to a row: a model that sees the book whole, one that sees it in pieces, and the rules."""
    return (None if request.param == "rules" else scripted(), 200 if "small" in request.param else 100_000)


NAMES = [
    "集合",
    "函数",
    "数列",
    "向量",
    "圆",
    "角",
    "线",
    "面",
    "体",
    "数",
    "式",
    "方程",
    "根",
    "幂",
    "对数",
    "概率",
    "统计",
    "导数",
    "积分",
    "极限",
    "复数",
]


def test_p1_labels_that_restart_in_each_chapter_are_rows_of_their_own(
    tmp_path: Path, way: tuple[Model | None, int]
) -> None:
    model, size = way
    asked = [t for n, name in enumerate(NAMES, 1) for t in (
        f"# 第{n}章 {name}", f"1. 已知{name}甲，求 $x_{{{n}}}$ 的值。", f"2. 已知{name}乙，求 $y_{{{n}}}$ 的值。")]  # fmt: skip
    said = [t for n, name in enumerate(NAMES, 1) for t in (
        f"# 第{n}章 {name} 参考答案", f"1. 答案：A{n}" if model else f"1. A{n}", f"2. 答案：B{n}" if model else f"2. B{n}")]  # fmt: skip
    found = rows(tmp_path, model, *asked, *said, size=size)
    assert [r["label"] for r in found] == ["1", "2"] * 21
    assert [r["question_chapter_title"] for r in found if r["label"] == "1"] == [
        f"第{n}章 {name}" for n, name in enumerate(NAMES, 1)
    ]
    assert [r["question"] for r in found if r["label"] == "1"] == asked[1::3]
    if model:
        assert [r["answer"] for r in found] == [f"{x}{n}" for n in range(1, 22) for x in "AB"]


def test_p1_titles_that_share_their_first_number_are_chapters_of_their_own(
    tmp_path: Path, way: tuple[Model | None, int]
) -> None:
    model, size = way
    found = rows(
        tmp_path,
        model,
        *("# 19.1 平方根(2)", "1. 求 4 的平方根。", "2. 求 9 的平方根。"),
        *("# 19.1 立方根(3)", "1. 求 8 的立方根。", "2. 求 27 的立方根。"),
        size=size,
    )
    assert [(r["question_chapter_title"], r["label"], r["question"]) for r in found] == [
        ("19.1 平方根(2)", "1", "1. 求 4 的平方根。"),
        ("19.1 平方根(2)", "2", "2. 求 9 的平方根。"),
        ("19.1 立方根(3)", "1", "1. 求 8 的立方根。"),
        ("19.1 立方根(3)", "2", "2. 求 27 的立方根。"),
    ]


@pytest.mark.parametrize("printed", ["例①", "例一", "例1"])
def test_p2_a_worked_example_keeps_its_word_and_its_number(
    tmp_path: Path, way: tuple[Model | None, int], printed: str
) -> None:
    model, size = way
    second = {"例①": "例②", "例一": "例二", "例1": "例2"}[printed]
    book = [
        "# 第1章 集合",
        *(f"{printed} 已知 $x$ 满足方程甲，求 $x$ 的值。", "解：由题意得 $x = 1$。"),
        *(f"{second} 已知 $y$ 满足方程乙，求 $y$ 的值。", "解：由题意得 $y = 2$。"),
        *("1. 已知 $z$ 满足方程丙，求 $z$ 的值。", "2. 已知 $w$ 满足方程丁，求 $w$ 的值。"),
    ]
    found = rows(tmp_path, model, *book, size=size)
    assert [(r["label"], r["question"], r["solution"], r["status"]) for r in found] == [
        ("例1", book[1], book[2], "answered"),
        ("例2", book[3], book[4], "answered"),
        ("1", book[5], "", "unanswered"),
        ("2", book[6], "", "unanswered"),
    ]


INTERLEAVED = [
    "# 第1章 集合",
    "例1 已知函数 $f(x)$ 的图象经过原点。",
    "(1) 求 $f(x)$ 的解析式；",
    "解：(1) 由题意得 $f(x) = x$。",
    "(2) 求 $f(x)$ 在区间上的最大值。",
    "解：(2) 由 (1) 得最大值为 $1$。",
    "例2 已知数列的首项为 $1$，求通项。",
    "解：由题意得通项为 $n$。",
]


def test_p3_a_question_and_the_solutions_between_its_parts_are_one_row(
    tmp_path: Path, way: tuple[Model | None, int]
) -> None:
    model, size = way
    found = rows(tmp_path, model, *INTERLEAVED, size=size)
    assert [r["label"] for r in found] == ["例1", "例2"]
    assert {r["status"] for r in found} == {"answered"}
    if model:
        assert [(r["question_ids"], r["solution_ids"]) for r in found] == [([1, 2, 4], [3, 5]), ([6], [7])]
    else:
        assert sorted([*found[0]["question_ids"], *found[0]["solution_ids"]]) == [1, 2, 3, 4, 5]  # type: ignore[misc]


def test_p3_holds_across_the_border_of_two_chunks(tmp_path: Path) -> None:
    model = ScriptedModel(reader)
    long = [f"{line[:-1]}，{'其中甲乙丙丁' * 12}。" if n else line for n, line in enumerate(INTERLEAVED)]
    found = rows(tmp_path, model, *long, size=200)
    assert len(model.calls) > 2
    starts = [r.prompt.split("\n")[1] for r in model.calls[1:]]
    assert any(not LABEL.match(LINE.fullmatch(line)[3]) for line in starts), "a chunk begins inside an item"  # type: ignore[index]
    assert [(r["label"], r["question_ids"], r["solution_ids"]) for r in found] == [
        ("例1", [1, 2, 4], [3, 5]),
        ("例2", [6], [7]),
    ]
    assert found[0]["question"] == "\n".join(long[i] for i in (1, 2, 4))
    assert found[0]["solution"] == "\n".join(long[i] for i in (3, 5))


def test_p3_what_the_look_ahead_saw_of_a_long_item_is_in_it_once(tmp_path: Path) -> None:
    model = ScriptedModel(reader)
    steps = [f"由第{n}步得 $x = {n}$，{'其中甲乙丙丁' * 3}。" for n in range(1, 40)]
    book = ["# 第1章 集合", "1. 已知函数，求 $x$ 的值。", "解：设 $x$ 为所求。", *steps, "2. 求 $y$ 的值。"]
    found = rows(tmp_path, model, *book, size=300)
    assert len(model.calls) > 3
    assert [(r["label"], r["solution_ids"]) for r in found] == [("1", list(range(2, 42))), ("2", [])]
    assert found[0]["solution"] == "\n".join(book[2:42])
