"""Formulas are drawn as MathML of known elements, or left as they are; none takes long, none brings anything along."""

import random
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dataflow_ext.report import mathml as module
from dataflow_ext.report.mathml import MAX_LENGTH, mathml

ROOT = Path(__file__).parents[3]


class Reader(HTMLParser):
    """Elements and attributes of what was drawn, and its words."""

    def __init__(self, drawn: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(drawn)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data


def inside(latex: str, *, block: bool = False) -> str:
    """What is drawn, without the element around it."""
    drawn = str(mathml(latex, block=block)).removeprefix('<span class="long">').removesuffix("</span>")
    return drawn.partition(">")[2].removesuffix("</math>")


@pytest.mark.parametrize(
    ("latex", "drawn"),
    [
        (r"\frac{1}{4}", "<mfrac><mn>1</mn><mn>4</mn></mfrac>"),
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        ("x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
        (r"60^{\circ}", "<msup><mn>60</mn><mo>∘</mo></msup>"),
        ("a<b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"),
        (r"\text{设 <b>}", "<mtext>设\u00a0&lt;b&gt;</mtext>"),
        ("50%", "<mrow><mn>50</mn><mi>%</mi></mrow>"),
        (r"\mathbf{AB}", "<mrow><mi>𝐀</mi><mi>𝐁</mi></mrow>"),
        (r"\mathbb{RQ}", "<mrow><mi>ℝ</mi><mi>ℚ</mi></mrow>"),
        (r"\mathrm{cm}", '<mrow><mi mathvariant="normal">c</mi><mi mathvariant="normal">m</mi></mrow>'),
        (r"\boxed{x}", '<menclose notation="box"><mi>x</mi></menclose>'),
        (r"\angle A", "<mrow><mo>∠</mo><mi>A</mi></mrow>"),
        (r"a\hspace{1em}b", '<mrow><mi>a</mi><mspace width="1em"></mspace><mi>b</mi></mrow>'),
    ],
)
def test_what_books_write_is_drawn(latex: str, drawn: str) -> None:
    assert inside(latex) == drawn


def test_aligned_lines_are_a_table_and_no_numbers_are_added() -> None:
    drawn = mathml(r"\begin{align}a&=1\\b&=2\end{align}", block=True)
    seen = Reader(str(drawn))
    assert seen.words == "a=1b=2"
    assert (seen.elements.count("mtr"), seen.attributes[0]) == (2, ("display", "block"))


def test_the_title_is_the_latex() -> None:
    assert Reader(str(mathml(' "a"<b '))).attributes == [("title", '"a"<b')]


def test_what_may_be_wider_than_a_phone_can_be_scrolled() -> None:
    assert str(mathml("a+b=c")).startswith("<math ")
    assert str(mathml("+".join("abcdefghijkl"))).startswith('<span class="long"><math ')


@pytest.mark.parametrize(
    "latex",
    [
        "",
        r"\frac",
        r"\frac{1}{2",
        "1}{2",
        "x^",
        r"\left(x",
        r"\begin{cases}x",
        r"\begin{tikzpicture}x\end{tikzpicture}",
        r"\nosuchcommand{x}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{color:red}{x}",
        r"\class{x}{y}",
        r"\color{red}x",
        r"\verb|x|",
        r"\unicode{x202e}",
        r"\rule{9em}{9em}",
        r"\def\a{x}\a",
        r"\newcommand{\a}{x}",
        r"\input{/etc/passwd}",
        r"\text{a \frac12}",
        r"\text{a {b} c}",
        "a\x00b",
        "a\u202eb",
        "a\ud800b",
        "\\",
        r"\。",
        "x" * (MAX_LENGTH + 1),
        "{" * 21 + "x" + "}" * 21,
        r"\sqrt" * 300 + "{x}",
    ],
)
def test_what_is_no_formula_or_may_be_a_trap_is_not_drawn(latex: str) -> None:
    assert mathml(latex) is None


def test_a_formula_that_would_lose_a_digit_or_a_letter_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PERCENT", module.re.compile("(?!)"))  # a comment for the converter, then
    mathml.cache_clear()
    assert mathml("50%x+1") is None
    mathml.cache_clear()


def test_spaces_of_hundreds_of_letters_are_left_out() -> None:
    assert inside(r"a\hspace{900em}b") == "<mrow><mi>a</mi><mspace></mspace><mi>b</mi></mrow>"


@pytest.mark.parametrize(
    "bomb",
    [
        r"\def\a{xx}\def\b{\a\a}\def\c{\b\b}\c",
        r"\sideset{_1}{_1}{" * 30 + "x" + "}" * 30,
        r"\mathchoice{x}{x}{x}{x}" * 40,
        r"\arccos" * 285,
        "\\frac{1}{" * 19 + "x" + "}" * 19,
        r"\displaystyle" * 150,
        r"\hat" * 490,
        "_{x" * 400 + "}" * 400,
        "(" * MAX_LENGTH,
        "\\begin{array}{c}" * 19 + "x" + "\\end{array}" * 19,
        "&" * MAX_LENGTH,
        "\\\\" * 1000,
        "%" * MAX_LENGTH,
        "1" * MAX_LENGTH,
    ],
)
def test_no_formula_takes_long(bomb: str) -> None:
    start = time.process_time()
    mathml(bomb)
    assert time.process_time() - start < 2  # 0.1 s on a quiet core


def test_whatever_is_put_together_is_drawn_of_known_parts_or_not_at_all() -> None:
    commands = [f"\\{name}" for name in module._known("command")] + [f"\\{sign}" for sign in module._known("sign")]
    ends = [f"\\{end}{{{name}}}" for name in module._known("environment") for end in ("begin", "end")]
    signs = [
        *"{}{}{}[]()^_&'\"<>%$#~ab12 设，",
        "\\alpha",
        "\\sum",
        "\\not",
        "<script>",
        "&#x3c;",
        "&lt;",
        "1em",
        "\x01",
    ]
    draw, drawn = random.Random(7), 0
    for _ in range(3000):
        latex = "".join(draw.choice(commands + ends + signs) for _ in range(draw.randint(1, 7)))
        made = mathml(latex, block=draw.random() < 0.5)
        if made is None:
            continue
        drawn += 1
        seen = Reader(str(made))
        assert set(seen.elements) <= module._ELEMENTS | {"span"}
        for name, value in seen.attributes:
            known = {"title": latex.strip(), "class": "long", "display": "block", "mathvariant": "normal"}.get(name)
            assert value == known or module._VALUES[name].fullmatch(value or "")
    assert drawn > 200


def test_the_converter_is_loaded_when_there_is_a_formula() -> None:
    script = (
        "import sys; from dataflow_ext.report.texts import rich\n"
        "rich('no formula, $5', ()); print('latex2mathml' in sys.modules)\n"
        "rich('a formula, $x$', ()); print('latex2mathml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["False", "True"]
