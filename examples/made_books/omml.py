"""Formulas of a small part of LaTeX as Word keeps them (OMML)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

SIGNS = {
    r"\cdot": "·",
    r"\times": "×",
    r"\circ": "°",
    r"\le": "≤",
    r"\ge": "≥",
    r"\pi": "π",
    r"\alpha": "α",
    "-": "−",
    r"\,": " ",
}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_]|[^\\{}^_]")


def omml(latex: str) -> str:
    """The formula as ``m:oMath``: fractions, roots, scripts and signs.

    >>> omml("x^2")
    '<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>'
    """
    return f"<m:oMath>{''.join(_row(iter(TOKEN.findall(latex))))}</m:oMath>"


def _row(tokens: Iterator[str]) -> list[str]:
    done: list[str] = []
    for token in tokens:
        if token == "}":
            break
        if token in "^_":
            name, part = ("sSup", "sup") if token == "^" else ("sSub", "sub")
            done.append(f"<m:{name}><m:e>{done.pop()}</m:e><m:{part}>{_next(tokens)}</m:{part}></m:{name}>")
        elif token == r"\frac":
            done.append(f"<m:f><m:num>{_next(tokens)}</m:num><m:den>{_next(tokens)}</m:den></m:f>")
        elif token == r"\sqrt":
            done.append(f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>{_next(tokens)}</m:e></m:rad>')
        else:
            done.append(f"<m:r><m:t>{escape(SIGNS.get(token, token))}</m:t></m:r>")
    return done


def _next(tokens: Iterator[str]) -> str:
    token = next(tokens)
    return "".join(_row(tokens)) if token == "{" else "".join(_row(iter([token])))
