"""Sentences of any text, English and Chinese, and what stands in quotation marks in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

#: What quotation marks enclose on one line; a straight single one counts only at a word's edge.
_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|“[^”\n]{1,400}”|「[^」\n]{1,400}」|『[^』\n]{1,400}』|《[^》\n]{1,400}》|‘[^’\n]{1,400}’'
    r"|`[^`\n]{1,400}`|(?<![\w'])'(?=[^\s'])[^'\n]{1,200}(?:(?<=\w)'(?=\w)[^'\n]{1,200}){0,3}'(?!\w)"
)
#: What opens a quotation.
_OPENS = re.compile(r"[\"“「『《‘`']")
_LAST = ".!?。！？"
#: Words whose point ends no sentence, and those of which that is so only before a number.
_ANYWHERE = ("e.g.", "i.e.", "etc.", "approx.", "ca.", "cf.", "vs.", "resp.", "fig.", "eq.", "mr.", "mrs.", "dr.",
             "prof.", "st.")  # fmt: skip
_BEFORE_NUMBER = ("no.", "nos.", "vol.", "p.", "pp.", "ch.", "sec.")
_ABBREVIATION, _NUMBERED = (
    re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})$", re.IGNORECASE) for words in (_ANYWHERE, _BEFORE_NUMBER)
)
#: Most sentences end otherwise, and are not looked at twice.
_SHORTENED = _ANYWHERE + _BEFORE_NUMBER
#: The mark of an item at the beginning of a sentence.
_ITEM = re.compile(r"\s*[(（\[*•·-]{0,3}(?:\d{1,3}|[A-Z])[.．]")
#: Letters before a point that tell what it is.
_LONGEST = 12


@cache
def _end(also: str) -> re.Pattern[str]:
    """Where a sentence ends: at a line's end, behind a Chinese stop, or behind another one before a space.

    One sign comes first, by which places are found fast; then what may follow each.
    """
    wide = f"。！？{re.escape(also)}"
    return re.compile(
        rf"""[\n．{wide}.!?](?:(?<=\n)\n*|(?<=．)(?!\d)|(?<=[{wide}])[{wide}]*[”’」』"'）)]*(?![”’」』"'）)]*[，、；：])"""
        r"""|(?<=[.!?])(?<![.!?]{2})[.!?]*["'”’)\]]*(?=\s)(?!\s+[=+×÷≤≥≈])|(?<=[!?])(?=[\u3400-\u9fff]))"""
    )


def masked(text: str) -> str:
    """The text, as long as before, with ``_`` for all that quotation marks enclose but the last stop.

    >>> masked('A sign reads "Stop." It is red.')
    'A sign reads "____." It is red.'
    """
    return _QUOTED.sub(_mask, text) if _OPENS.search(text) else text


def pieces(text: str, also: str = "") -> list[str]:
    """The text in pieces of one sentence each, which other signs ``also`` end; joined they are the text again.

    >>> pieces("The mass is 2.5 kg, cf. Fig. 3. It hangs.\\n绳子很轻。滑轮光滑。")
    ['The mass is 2.5 kg, cf. Fig. 3. ', 'It hangs.\\n', '绳子很轻。', '滑轮光滑。']
    """
    hidden = masked(text)
    found = []
    start = 0
    for stop in _end(also).finditer(hidden):
        end = stop.end()
        if stop[0] in ".．" and _goes_on(hidden, start, end):
            continue
        while end < len(text) and text[end].isspace():
            end += 1
        if end > start:
            found.append(text[start:end])
            start = end
    if start < len(text):
        found.append(text[start:])
    return found


@lru_cache(maxsize=512)
def sentences(text: str, also: str = "") -> tuple[str, ...]:
    """The sentences of a text without the blanks around them.

    >>> sentences("It is 9.8 here. Is it? 是的。好")
    ('It is 9.8 here.', 'Is it?', '是的。', '好')
    """
    return tuple(said for piece in pieces(text, also) if (said := piece.strip()))


def places(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends, without the blanks around it.

    >>> text = "It leaves 0.41 m, e.g. for a chair. 床靠墙。好"
    >>> [text[start:end] for start, end in places(text)]
    ['It leaves 0.41 m, e.g. for a chair.', '床靠墙。', '好']
    """
    start = 0
    for piece in pieces(text):
        if said := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            yield first, first + len(said)
        start += len(piece)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether the point before ``end`` is that of an abbreviation, or of an item's mark."""
    if _ITEM.fullmatch(text, start, end):
        return True
    first = max(start, end - _LONGEST)
    if not text[first:end].lower().endswith(_SHORTENED):
        return False
    if _ABBREVIATION.search(text, first, end):
        return True
    return _NUMBERED.search(text, first, end) is not None and text[end : end + _LONGEST].lstrip()[:1].isdigit()


def _mask(found: re.Match[str]) -> str:
    whole = found[0]
    last = whole[-2] if whole[-2] in _LAST else "_"
    return whole[0] + "_" * (len(whole) - 3) + last + whole[-1]
