"""Tables of answers: a row of question numbers over a row of answers."""

from __future__ import annotations

import re

_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_WORD = re.compile(r"答案|选项|Answers?|Key", re.IGNORECASE)


def table_answers(html: str) -> list[tuple[int, str]]:
    """Numbers and answers of a table that holds nothing else; an empty list for any other table.

    >>> rows = "<tr><td>题号</td><td>1</td><td>2</td></tr>", "<tr><td>答案</td><td>A</td><td>C</td></tr>"
    >>> table_answers(f"<table>{''.join(rows)}</table>")
    [(1, 'A'), (2, 'C')]
    """
    if "<tr" not in html.lower():
        return []
    rows = [[_TAG.sub("", cell).strip() for cell in _CELL.findall(row)] for row in _ROW.findall(html)]
    found: list[tuple[int, str]] = []
    for numbers, answers in zip(rows[::2], rows[1::2], strict=False):
        if len(numbers) != len(answers) or not numbers:
            return []
        headed = not numbers[0].isdecimal()
        if headed and not _WORD.search(answers[0]):
            return []
        pairs = [(n, a) for n, a in zip(numbers[headed:], answers[headed:], strict=True) if n or a]
        if not pairs or not all(n.isdecimal() and len(n) <= 3 for n, _ in pairs):
            return []
        found += [(int(n), a) for n, a in pairs if a]
    return found if len(rows) % 2 == 0 else []
