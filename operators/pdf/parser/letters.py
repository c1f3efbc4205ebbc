"""The characters of a PDF page with their places, fonts and colours, read through pdfium's raw interface."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dataflow_ext.well_formed import well_formed
from operators.pdf.formulas import Family, family
from operators.pdf.parser.files import Frame
from operators.pdf.parser.runs import SOFT_HYPHEN, Style

_INVISIBLE = 3
_FORCE_BOLD, _BOLD_WEIGHT = 1 << 18, 600
#: A letter that is higher than this for its width has been stretched.
_STRETCHED = 2.5
#: What is read as a blank.
_BLANKS = "\x00\u200b\u00ad"
#: Chinese books set headings in a sans serif face where others set them bold.
_BOLD_NAMES = ("bold", "black", "heavy", "cmbx", "黑体", "simhei", "heiti", "fandolhei", "sanscjk", "hansans")
#: Fonts of programs.
_CODE_NAMES = ("mono", "courier", "cmtt", "lmtt", "sftt", "typewriter", "consol", "inconsolata", "menlo", "txtt", "zi4")
#: Whether a font is heavy, its family, whether it has a name, its address, and where its private letters are.
_Font = tuple[bool, Family, bool, int, int]
#: Fonts with other forms of ASCII's letters at private values, and how far these are from those of ASCII.
_PRIVATE = {"ArevSans": 0xEB80}
#: What these fonts call by the names of others.
_RENAMED = str.maketrans("ƒεϵ", "fϵε")


@dataclass(slots=True)
class Letter:
    """A character at an index of pdfium's; a blank has no style, and is ``typed`` if it stands in the file itself.

    ``drawn`` is the address of its text object, ``ink`` where it is drawn (left, right, bottom, top) if pdfium says
    nothing of it.
    """

    index: int
    char: str
    style: Style | None
    x0: float = 0.0
    x1: float = 0.0
    typed: bool = False
    drawn: int = 0
    ink: tuple[float, float, float, float] | None = None


def read_letters(textpage: pdfium.PdfTextPage, frame: Frame) -> Iterator[Letter]:
    """Each character with its style and its left and right edge."""
    page = textpage.raw
    rect = raw.FS_RECTF()
    rect_ref = ctypes.byref(rect)
    fonts: dict[int, _Font] = {}
    last, style = 0, None
    plain, shift = frame.a == 1, frame.e
    get_object, get_box = raw.FPDFText_GetTextObject, raw.FPDFText_GetLooseCharBox
    for index, char in enumerate(_letters(textpage)):
        if not char:
            continue
        blank = char.isspace() or char in _BLANKS
        pointer = get_object(page, index)
        key = ctypes.addressof(pointer.contents) if pointer else 0
        if blank and (raw.FPDFText_IsGenerated(page, index) or not pointer):
            ink = _ink_behind(page, index, key) if style is not None and key == last and style.family.maths else None
            x0, x1 = (ink[0] + shift, ink[1] + shift) if ink else (0.0, 0.0)
            yield Letter(index, char, style if ink else None, x0, x1, drawn=key, ink=ink)
            continue
        if style is None or key != last:
            last, style = key, _style(page, index, pointer, frame, fonts)
        # The codes of mathematical fonts are no characters: some look like blanks.
        if blank and not style.family.maths and _has_ink(page, index):
            char = "\ufffd"
        elif blank and not style.family.maths:
            yield Letter(index, char, None, typed=char != "\r")
            continue
        if style.private and style.private < ord(char) < style.private + 0x80:
            char = chr(ord(char) - style.private)
        elif style.private:
            char = char.translate(_RENAMED)
        if not get_box(page, index, rect_ref):
            continue
        if plain:
            x0, x1 = rect.left + shift, rect.right + shift
        else:
            x0, _, x1, _ = frame.box(rect.left, rect.bottom, rect.right, rect.top)
        # pdfium gives control characters for codes it cannot name; \x02 is its older mark of a hyphen.
        yield Letter(index, SOFT_HYPHEN if char == "\x02" else char, style, x0, x1, drawn=key)


def _ink_behind(page: Any, index: int, drawn: int) -> tuple[float, float, float, float] | None:
    """The ink of a sign that pdfium has left out for a blank, as its code is that of one: the last of its text object.

    pdfium makes a blank of the gap before it, and takes the second one for nothing.
    """
    pointer, following = (raw.FPDFText_GetTextObject(page, at) for at in (index, index + 1))
    if following and ctypes.addressof(following.contents) == drawn:
        return None
    left, right, bottom, top = char_box(page, index - 1)
    raw.FPDFPageObj_GetBounds(pointer, *map(ctypes.byref, BOUNDS))
    x0, y0, x1, y1 = (side.value for side in BOUNDS)
    within = x0 - 0.5 < left and y0 - 0.5 < bottom and top < y1 + 0.5
    raw.FPDFText_GetCharOrigin(page, index, *_ORIGIN_REFS)
    start = _ORIGIN[0].value
    return (start, x1, y0, y1) if within and x1 > max(start, right) + SEEN else None


def _has_ink(page: Any, index: int) -> bool:
    """Whether a blank is one only because its font's code has no Unicode value: something is drawn there."""
    if raw.FPDFText_HasUnicodeMapError(page, index) != 1:
        return False
    left, right, bottom, top = char_box(page, index)
    return right > left and top > bottom


#: What pdfium writes to, whose callers hold the lock: a letter's ink (left, right, bottom, top), its matrix and origin.
_SIDES = tuple(ctypes.c_double() for _ in range(4))
_SIDE_REFS = tuple(map(ctypes.byref, _SIDES))
_MATRIX, _ORIGIN = raw.FS_MATRIX(), (ctypes.c_double(), ctypes.c_double())
_MATRIX_REF, _ORIGIN_REFS = ctypes.byref(_MATRIX), tuple(map(ctypes.byref, _ORIGIN))
_COLOUR = tuple(ctypes.c_uint() for _ in range(4))
_COLOUR_REFS = tuple(map(ctypes.byref, _COLOUR))
#: The bounds of a text object; ink of so many points is seen.
BOUNDS, SEEN = tuple(ctypes.c_float() for _ in range(4)), 0.5


def char_box(page: Any, index: int) -> tuple[float, float, float, float]:
    """The ink of the character at an index of pdfium's: left, right, bottom, top; the caller holds the lock."""
    raw.FPDFText_GetCharBox(page, index, *_SIDE_REFS)
    left, right, bottom, top = _SIDES
    return left.value, right.value, bottom.value, top.value


def _letters(textpage: pdfium.PdfTextPage) -> list[str]:
    """The characters at pdfium's indices; nothing at the second index of a letter that has two."""
    count = textpage.count_chars()
    buffer = (ctypes.c_ushort * (count + 1))()
    written = raw.FPDFText_GetText(textpage.raw, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(written - 1, 0)].decode("utf-16-le", "surrogatepass")
    if len(text) == count:
        return list(well_formed(text))
    # Characters without a name or beyond the basic plane shift the bulk text against the indices.
    codes = (raw.FPDFText_GetUnicode(textpage.raw, index) for index in range(count))
    return _paired([chr(code) if 0 < code <= 0x10FFFF else "\ufffd" for code in codes])


def _paired(units: list[str]) -> list[str]:
    """The UTF-16 units that pdfium gives for letters beyond the basic plane, as the letters they mean."""
    for index, unit in enumerate(units):
        if "\ud800" <= unit <= "\udfff":
            letter = well_formed("".join(units[index : index + 2]))
            if len(letter) == 1 and letter != "\ufffd":
                units[index : index + 2] = letter, ""
            else:
                units[index] = "\ufffd"
    return units


def _style(page: Any, index: int, pointer: Any, frame: Frame, fonts: dict[int, _Font]) -> Style:
    raw.FPDFText_GetMatrix(page, index, _MATRIX_REF)
    raw.FPDFText_GetCharOrigin(page, index, *_ORIGIN_REFS)
    matrix, (x, y) = _MATRIX, _ORIGIN
    wide, high = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    # Browsers stretch the pieces of a tall bracket.
    size = raw.FPDFText_GetFontSize(page, index) * (wide if high > _STRETCHED * wide > 0 else high)
    across = frame.a * matrix.a + frame.c * matrix.b
    down = frame.b * matrix.a + frame.d * matrix.b
    hidden = bool(pointer) and raw.FPDFTextObj_GetTextRenderMode(pointer) == _INVISIBLE
    bold, font, named, address, private = _font(page, index, pointer, fonts)
    turned = across <= 0 or abs(down) > 0.2 * across
    return Style(
        size=max(abs(size), 0.5),
        base=frame.point(x.value, y.value)[1],
        bold=bold,
        turned=turned,
        upside_down=across < 0 and abs(down) < 0.2 * -across and frame.b * matrix.c + frame.d * matrix.d > 0,
        hidden=hidden,
        family=font,
        named=named,
        font=address,
        private=private,
        colour=_colour(pointer),
    )


def _colour(drawn: Any) -> int:
    """The colour that a text object is filled with, as one number; 0, black, where it has none."""
    if not drawn or not raw.FPDFPageObj_GetFillColor(drawn, *_COLOUR_REFS):
        return 0
    red, green, blue, _ = _COLOUR
    return red.value << 16 | green.value << 8 | blue.value


def font_name(page: Any, index: int) -> tuple[str, int]:
    """The name and the flags of a letter's font, as the file gives them."""
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(page, index, name, 128, ctypes.byref(flags))
    return name.value.decode("utf-8", "ignore"), flags.value


def _font(page: Any, index: int, pointer: Any, fonts: dict[int, _Font]) -> _Font:
    """What is to be known of a letter's font."""
    font = raw.FPDFTextObj_GetFont(pointer) if pointer else None
    key = ctypes.addressof(font.contents) if font else 0
    if key not in fonts or not key:
        named, flags = font_name(page, index)
        spelled = named.lower()
        # Words of a program are set heavy to tell what they are, and head nothing.
        bold = not any(part in spelled for part in _CODE_NAMES) and (
            any(part in spelled for part in _BOLD_NAMES)
            or bool(flags & _FORCE_BOLD)
            or raw.FPDFText_GetFontWeight(page, index) >= _BOLD_WEIGHT
        )
        private = next((value for name, value in _PRIVATE.items() if name in named), 0)
        fonts[key] = bold, family(named), bool(named), key, private
    return fonts[key]
