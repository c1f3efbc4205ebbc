"""Formal code of pictures: whether it is of its language; nothing is run or loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from operators.onevision.formal import html_page, latex, mermaid, predicates, scene_graph, spice
from operators.onevision.formal.plain import bare, csv_problem, text_problem
from operators.onevision.model.records import FormalLanguage

__all__ = ["LONGEST", "bare", "parse_problem"]

#: Characters of code that are parsed; a picture's code is far shorter.
LONGEST = 100_000

_PROBLEM: Mapping[FormalLanguage, Callable[[str], str | None]] = {
    "scene_graph": scene_graph.problem,
    "csv": csv_problem,
    "html": html_page.problem,
    "mermaid": mermaid.problem,
    "spice": spice.problem,
    "predicates": predicates.problem,
    "latex": latex.problem,
    "text": text_problem,
}


def parse_problem(code: str, language: FormalLanguage, size: tuple[int, int] | None = None) -> str | None:
    """What keeps the code from being of its language, in one sentence without a stop; None if it parses.

    A code fence around it is left out. ``size`` is the picture's width and height in pixels, in which the boxes of
    a scene graph have to lie.

    >>> parse_problem("year,sales\\n2019,4", "csv") is None
    True
    >>> parse_problem("year,sales\\n2019,4,5", "csv")
    'row 2 has 3 cells, the header has 2'
    """
    code = bare(code)
    if not code:
        return "there is no code"
    if len(code) > LONGEST:
        return f"the code has {len(code):,} characters, more than {LONGEST:,}"
    if language == "scene_graph":
        return scene_graph.problem(code, size)
    return _PROBLEM[language](code)
