"""Code of plain forms: CSV, text, and the fence around either."""

from __future__ import annotations

import csv
import io
import re

from dataflow_ext.text import rows

_FENCES = ("```", "~~~")


class Wrong(ValueError):
    """The code is not of its language; the text says why."""


def bare(code: str) -> str:
    """The code without blanks around it and without the fence, if one encloses all of it.

    >>> bare("```csv\\na,b\\n1,2\\n```\\n")
    'a,b\\n1,2'
    """
    text = code.removeprefix("\ufeff").strip()
    for fence in _FENCES:
        if text.startswith(fence) and text.endswith(fence) and len(text) >= 2 * len(fence):
            mark = fence[0]
            head, _, rest = text.partition("\n")
            if mark in head.lstrip(mark) or not rest:
                return text.strip(mark).strip()
            return rest.rstrip().rstrip(mark).strip()
    return text


def csv_problem(code: str) -> str | None:
    """What keeps the code from being a CSV table: a header of two columns or more, and rows as wide.

    >>> csv_problem("year;sales\\n2019;4")
    'the header has one column; cells are parted by commas'
    """
    try:
        rows = list(csv.reader(io.StringIO(code, newline=""), strict=True, skipinitialspace=True))
    except csv.Error as error:
        return f"it is no CSV: {error}"
    header = [cell.strip() for cell in rows[0]] if rows else []
    if len(header) < 2:
        return "the header has one column; cells are parted by commas"
    if not all(header):
        return f"column {header.index('') + 1} has no name"
    if len(set(header)) < len(header):
        return "two columns have the same name"
    if len(rows) < 2:
        return "there is a header and no row"
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            return f"row {number} has {len(row)} cells, the header has {len(header)}"
        if not any(cell.strip() for cell in row):
            return f"row {number} is empty"
    return None


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def text_problem(code: str) -> str | None:
    """What keeps the code from being text that can be read.

    >>> text_problem("Exit\\x07")
    'there is a control character at place 5'
    """
    found = _CONTROL.search(code)
    if found:
        return f"there is a control character at place {found.start() + 1}"
    if not any(each.isalnum() for each in code):
        return "there is no word and no number in it"
    return None


def listed(language: str, name: str) -> frozenset[str]:
    """A list of a language's words.

    >>> sorted(listed("html", "void"))
    ['br', 'col', 'hr', 'img', 'input']
    """
    lists = {(of, called): words for of, called, words in rows(__package__, "words.tsv")}
    return frozenset(lists[language, name].split())
