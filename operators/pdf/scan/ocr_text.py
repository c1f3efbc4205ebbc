"""Cleaning what OCR read: words read twice, brackets of unlike widths, strokes taken for letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.runs import Box, is_cjk

#: A line that the engine is less sure of is noise, part of a drawing, or a watermark.
MIN_SCORE = 0.5

_CHINESE_ONE = re.compile(r"^[-—–―－_](?=[、])")
_PAIRS = (("(", ")", "（", "）"), ("[", "]", "［", "］"))
# A colon may be that of a ratio or a time.
_HAN = "\u4e00-\u9fff"
_BEFORE_HAN = re.compile(rf"[,;?!](?=[{_HAN}“‘《（【])|(?<=[{_HAN}])[,;?!:](?=[{_HAN}“‘《（【]|$)")
_WIDE = str.maketrans(",;?!:", "，；？！：")
_CLOSING = "。，、,.°"
_GLUED = re.compile(r"^(Example|Problem|Exercise|Question|Chapter|Section|Unit) ?(\d{1,3})(?=[A-Z][a-z]|A [a-z]{3})")
_GLUED_LEAD = re.compile(r"^(Solution|Answer|Proof|Hint|Note)(?=[A-Z]|\d)")
_DASHES = "-—–―－_一"
# A sum or a product of numbers and single letters; l and I stand for bars here.
_TERM = r"(?:\d+(?:\.\d+)?[a-km-zA-HJ-Z]?|[a-km-zA-HJ-Z])[²³]?"
_BARS = re.compile(rf"(?<![A-Za-z])[lI|](-?{_TERM}(?: ?[-+×·÷] ?{_TERM})+)[lI|](?![A-Za-z0-9])")

_CELSIUS = re.compile(r"° ?℃(?:C(?! ?[.．、]))?|℃C(?! ?[.．、])")
# The prime of a point, D′; an apostrophe opens no word here.
_PRIME = re.compile(r"(?<=[A-Z])['’](?![a-z])")
_QUOTE = re.compile(r"(?<![A-Z])['‘]")


def clean_text(text: str) -> str:
    """The text as a book prints it: OCR mixes widths, takes 一 for a dash and bars for letters, swallows spaces.

    >>> clean_text("真卷（一)"), clean_text("-、1. C"), clean_text("甲,乙两地"), clean_text("(1,2)")
    ('真卷（一）', '一、1. C', '甲，乙两地', '(1,2)')
    >>> clean_text("Example1Find all x"), clean_text("化简la+b-cl-Ib-2l")
    ('Example 1 Find all x', '化简|a+b-c|-|b-2|')
    """
    text = _CHINESE_ONE.sub("一", " ".join(text.split()))
    text = _GLUED_LEAD.sub(r"\1 ", _GLUED.sub(r"\1 \2 ", text))
    text = _CELSIUS.sub("℃", text)
    text = _BARS.sub(lambda found: f"|{found[1]}|", text)
    if not _QUOTE.search(text) and any(is_cjk(char) for char in text):
        text = _PRIME.sub("′", text)
    text = _BEFORE_HAN.sub(lambda found: found[0].translate(_WIDE), text)
    for narrow_open, narrow_close, wide_open, wide_close in _PAIRS:
        text = _paired(text, narrow_open + wide_open, narrow_close + wide_close)
    return text


def _paired(text: str, opening: str, closing: str) -> str:
    """The text with brackets of one width in each pair: wide if there are ideographs at the pair."""
    chars = list(text)
    open_at: list[int] = []
    for at, char in enumerate(chars):
        if char in opening:
            open_at.append(at)
        elif char in closing and open_at:
            start = open_at.pop()
            if opening.index(chars[start]) != closing.index(char):
                inner = text[start + 1 : at]
                wide = int(any(is_cjk(one) for one in inner) or not inner.strip())
                chars[start], chars[at] = opening[wide], closing[wide]
    return "".join(chars)


def clean_lines(lines: Sequence[OCRLine]) -> list[OCRLine]:
    """The lines that can be trusted, from top to bottom, each word once."""
    kept: list[OCRLine] = []
    sure = [line for line in lines if line.score >= MIN_SCORE and line.text.strip()]
    # Long ones first: what is read twice is mostly a piece of a longer line.
    for line in sorted(sure, key=lambda line: (-len(line.text), line.box, line.text, -line.score)):
        for other in kept:
            rest = _without(line, other)
            if rest is None:
                break
            line = rest
        else:
            kept.append(line)
    return sorted(kept, key=lambda line: (line.box[1], line.box[0], line.text))


def _without(line: OCRLine, other: OCRLine) -> OCRLine | None:
    """A line without the words that another, longer one has at the same place; None if nothing is left."""
    (x0, y0, x1, y1), (left, top, right, bottom) = line.box, other.box
    wide, high = min(x1, right) - max(x0, left), min(y1, bottom) - max(y0, top)
    if wide <= 0 or high < 0.5 * min(y1 - y0, bottom - top):
        return line
    if wide > 0.8 * (x1 - x0) and high > 0.6 * (y1 - y0) and y1 - y0 > 0.5 * (bottom - top):
        return None if _squeezed(line.text) in _squeezed(other.text) or wide > 0.9 * (x1 - x0) else line
    if abs((y0 + y1) - (top + bottom)) > 0.5 * min(y1 - y0, bottom - top):
        return line
    share = round(wide / (x1 - x0) * len(line.text))
    for length in range(min(share + 2, len(line.text) - 1), max(share - 3, 0), -1):
        if x0 > left and other.text.endswith(line.text[:length]):
            return OCRLine(line.text[length:], line.score, (right, y0, x1, y1))
        if x0 < left and other.text.startswith(line.text[-length:]):
            return OCRLine(line.text[:-length], line.score, (x0, y0, left, y1))
    return line


def _squeezed(text: str) -> str:
    return "".join(text.split())


def without_bars(line: OCRLine, bars: Sequence[Box]) -> OCRLine | None:
    """A line without the bar of a fraction beside it that was read as a dash, at its start or its end.

    ``bars`` are in pixels as the line is. None if the line is nothing but the bar.
    """
    text = line.text.strip()
    x0, y0, x1, y1 = line.box
    for left, top, right, bottom in bars:
        middle, high = (top + bottom) / 2, y1 - y0
        if not y0 + 0.25 * high < middle < y1 - 0.25 * high:
            continue
        if text and text[-1] in _DASHES and x0 < left < x1 + 0.3 * high and right > x1 - 0.4 * high:
            text, x1 = text[:-1].rstrip(), min(x1, left)
        elif text and text[0] in _DASHES and left < x0 + 0.4 * high and x0 - 0.3 * high < right < x1:
            text, x0 = text[1:].lstrip(), max(x0, right)
        elif len(text) == 1 and text in _DASHES and left < x1 and right > x0:
            return None
    return OCRLine(text, line.score, (x0, y0, x1, y1)) if text and x1 > x0 else None


def find_bars(rules: Sequence[Box], lines: Sequence[OCRLine]) -> list[Box]:
    """The rules with a short piece of text right above or below them, as the bars of fractions have it."""
    return [rule for rule in rules if any(_is_part(line, rule) for line in lines)]


def within_bar(line: OCRLine, bars: Sequence[Box]) -> list[OCRLine]:
    """The upper or lower part of a fraction, no wider than its bar, and a sign behind the bar that was read with it.

    Any other line comes as it is.
    """
    for bar in bars:
        if not _is_part(line, bar):
            continue
        x0, y0, x1, y1 = line.box
        free, text, rest = 0.2 * (y1 - y0), line.text.strip(), []
        if len(text) > 1 and text[-1] in _CLOSING and x1 > bar[2] + free:
            rest = [OCRLine(text[-1], line.score, (bar[2] + 1, y0, x1, y1))]
            text, x1 = text[:-1].rstrip(), bar[2]
        return [OCRLine(text, line.score, (max(x0, bar[0] - free), y0, min(x1, bar[2] + free), y1)), *rest]
    return [line]


def _is_part(line: OCRLine, rule: Box) -> bool:
    x0, y0, x1, y1 = line.box
    wide, high, middle = rule[2] - rule[0], y1 - y0, (rule[1] + rule[3]) / 2
    centred = abs((x0 + x1) / 2 - (rule[0] + rule[2]) / 2) < 0.25 * wide + 0.15 * high
    near = min(abs(y0 - middle), abs(y1 - middle)) < 0.4 * high and not y0 + 0.3 * high < middle < y1 - 0.3 * high
    return centred and near and x1 - x0 < wide + 0.8 * high
