"""Every sign of the tables is LaTeX that pages can show, and every reading of a font's letter has one sign."""

from __future__ import annotations

import csv
from collections import Counter
from importlib.resources import files

import pytest

from dataflow_ext.report.mathml import mathml
from operators.pdf.formulas import family, sign_of
from operators.pdf.formulas.signs import names
from tests.pdf.known_signs import known_signs

TABLE = files("operators.pdf.formulas") / "tables" / "font_signs.tsv"
#: Pieces that are put together before they are written; one that is left over makes a formula a picture.
PIECES = {"piece", "radpiece", "fencepiece", "overbrace", "radical"}
HALVES = {r"\mapstochar", r"\lhook", r"\rhook"}
#: KaTeX and MathJax know these, the converter of the report's page does not: there they stay as they are written.
UNSHOWN = {r"\P", r"\nleqq", r"\nsupseteqq", r"\shortparallel"}


def rows() -> list[list[str]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()[1:]
    return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_sign_is_latex_that_a_page_can_show():
    signs = dict(known_signs()) | {latex: kind for *_, latex, kind in rows()}
    shown = {
        latex: {"accent": f"{latex}{{x}}", "not": f"{latex}="}.get(kind, latex)
        for latex, kind in signs.items()
        if kind not in PIECES and latex not in HALVES | UNSHOWN
    }
    assert [latex for latex, formula in shown.items() if mathml(formula) is None] == []


def test_every_reading_of_a_letter_has_one_sign():
    readings = Counter((font, unnamed, code) for font, unnamed, code, *_ in rows())
    assert [reading for reading, times in readings.items() if times > 1] == []


@pytest.mark.parametrize("font", sorted({row[0] for row in rows()}))
def test_each_letter_of_a_charted_font_is_the_sign_of_its_row(font):
    wrong = []
    for name, unnamed, code, latex, kind in rows():
        if name == font and latex not in (r"\phi", r"\varphi"):
            sign = sign_of(chr(int(code, 16)), unnamed == "1", family(f"ABCDEF+{font}7"), True)
            if sign is None or (sign.latex, sign.kind) != (latex, kind):
                wrong.append((code, latex, sign))
    assert wrong == []


def test_every_name_of_a_function_is_latex_that_a_page_can_show():
    assert [name for name, (latex, _) in names().items() if mathml(f"{latex} x") is None] == []


@pytest.mark.parametrize(
    ("font", "char", "latex"),
    [
        ("STIXTwoMath", "\U0001d4c1", r"\ell"),
        ("STIXMathScript-Bold", "\U0001d4f5", r"\boldsymbol{\ell}"),
        ("STIXTwoMath", "\U0001d4d0", r"\boldsymbol{\mathcal{A}}"),
        ("dsrom10", "1", r"\mathbb{1}"),
        ("ABCDEF+XCharter-Math", "\ue143", r"\int"),
        ("ABCDEF+KpMath-Regular", "\ue143", r"\prod"),
        ("ABCDEF+KpMath-Regular", "\U0001d44e", "a"),
        ("stickstooMath-Italic", "\U0001d700", r"\epsilon"),
        ("LibertineMathMI", "\U0001d700", r"\varepsilon"),
        ("TeX-matha10", "`", "+"),
        ("rtxb", "Γ", r"\boldsymbol{\Gamma}"),
    ],
)
def test_a_value_is_the_sign_that_its_font_has_there(font, char, latex):
    found = sign_of(char, False, family(font), True)
    assert found is not None
    assert found.latex == latex
