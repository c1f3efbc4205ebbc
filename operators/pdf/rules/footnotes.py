"""Footnotes: each belongs to the item in whose text its raised mark stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.rules.items import Item
from operators.pdf.rules.lines import Line

_MARK = r"\^?\{?\s*(\d{1,2}|[*∗†‡§¶]{1,3}|[①-⑳])\}?"
_OPENS = re.compile(rf"\$?{_MARK}")
#: A mark stands behind a stop or a word: behind a letter it is an exponent.
_MARKED = re.compile(
    r"(?:(?<=[.?!,;:。，；？！”’\")）])|(?<=[A-Za-z]{3})|(?<=[\u4e00-\u9fff]))\s?\$?" rf"(?=[\^①-⑳∗†‡§¶]){_MARK}"
)


def add_footnotes(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Put each footnote behind the question or solution that its page marks with its sign."""
    notes = [index for index, line in enumerate(lines) if line.block.type == "page_footnote"]
    if not notes:
        return
    marked: dict[tuple[int, int, str], list[int]] = {}
    parts = [part for item in items for part in (item.question, item.solution)]
    for part in parts:
        for index in part:
            block = lines[index].block
            for found in _MARKED.finditer(lines[index].text):
                marked.setdefault((block.file, block.page, found[1]), part)
    for index in notes:
        block, mark = lines[index].block, _OPENS.match(lines[index].text)
        owner = marked.get((block.file, block.page, mark[1])) if mark else None
        if owner is not None and index not in owner:
            owner.append(index)
