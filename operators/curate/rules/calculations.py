"""Calculations: where what they come to begins."""

from __future__ import annotations

import re

#: Brackets with none in them, signs of equality, and what makes of a text with these more than one chain of them.
_INNERMOST = re.compile(r"[(（\[{][^()（）\[\]{}]*[)）\]}]")
_EQUALS = re.compile(r"(?<![<>!:=])[=＝](?![=＝])")
_RELATED = re.compile(r"[,，、;；<>≤≥≠\n&]|\\(?:[lg]eq?|neq?)\b|\b(?:and|or)\b|[和或与]")
#: The left side of an equation that says what a variable or a function is, and what may stand before it.
_NAME = re.compile(r"(?:[∠△]?\\?(?![dt]?frac|sqrt)[A-Za-zΑ-ω][\w'′~^]*)(?:\s+[∠△]?\\?[A-Za-zΑ-ω][\w'′~^]*)*")
_CALLED = re.compile(r"\b(?:is|are)\b|[为是:：$]|\\[(\[]")
#: A question that asks for an equation; one to be solved has been there before.
_EQUATION = re.compile(
    r"(?<!解)(?<!解下列)方程|解析式|关系式|函数式|公式|(?<!solve )(?<!solve the )\b(?:equation|formula)", re.IGNORECASE
)


def result_in(said: str, question: str) -> int:
    """Where the value of a calculation begins, behind its last sign of equality; 0 for an equation that is asked for.

    >>> [said[result_in(said, "") :] for said in ("2x + 3x + 1 = 5x + 1", "S＝ah＝6a", "y = 2x + 6", "x = 1, y = 2")]
    [' 5x + 1', '6a', 'y = 2x + 6', 'x = 1, y = 2']
    """
    flat = said
    while flat != (flat := _INNERMOST.sub(lambda found: "~" * len(found[0]), flat)):
        pass  # what is in brackets is no side of this equation
    signs = list(_EQUALS.finditer(flat))
    if not signs or _RELATED.search(flat) or _EQUATION.search(question):
        return 0
    left = _CALLED.split(flat[: signs[0].start()])[-1].strip()
    return signs[-1].end() if len(signs) > 1 or not _NAME.fullmatch(left) else 0
