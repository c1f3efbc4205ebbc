"""Formal code of pictures: whether it is of its language, and the words in it; nothing is run or loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from operators.onevision.formal import csv_table, html_page, latex, mermaid, plain_text, predicates, scene_graph, spice
from operators.onevision.formal.fences import bare
from operators.onevision.formal.wording import words_in
from operators.onevision.records import FormalLanguage

__all__ = ["LONGEST", "bare", "parse_problem", "words_of"]

#: Characters of code that are parsed; a picture's code is far shorter.
LONGEST = 100_000

_PROBLEM: Mapping[FormalLanguage, Callable[[str], str | None]] = {
    "scene_graph": scene_graph.problem,
    "csv": csv_table.problem,
    "html": html_page.problem,
    "mermaid": mermaid.problem,
    "spice": spice.problem,
    "predicates": predicates.problem,
    "latex": latex.problem,
    "text": plain_text.problem,
}
_SAID: Mapping[FormalLanguage, Callable[[str], str]] = {
    "scene_graph": scene_graph.said,
    "html": html_page.said,
    "mermaid": mermaid.said,
    "latex": latex.said,
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


def words_of(code: str, language: FormalLanguage) -> set[str]:
    """The words, in lower case, that the code says of the picture: labels, cells, names, texts; no syntax.

    Chinese comes in the runs in which it stands. Of code that does not parse, what can be read.

    >>> sorted(words_of("mass(block_a) = 6kg\\nhangs_from(block_a, pulley)", "predicates"))
    ['a', 'block', 'from', 'hangs', 'kg', 'mass', 'pulley']
    """
    code = bare(code)[:LONGEST]
    said = _SAID.get(language)
    return words_in(said(code) if said is not None else code)
