"""The text layer of one PDF page as runs of characters, read through pdfium's raw interface.

All places are in points of the page as it is shown: rotation and crop box applied, x to the right,
y downwards from the top left corner.
"""

from __future__ import annotations

import ctypes
import math
import re
import threading
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import groupby
from string import ascii_letters, digits
from types import MappingProxyType
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dataflow_ext.well_formed import well_formed
from operators.pdf.formulas import Family, Formula, Glyph, Rule, Stroke, drawn_family, family, find_formulas, sign_of
from operators.pdf.parser.boxes import union
from operators.pdf.parser.counted import STRANGE, with_counted
from operators.pdf.parser.runs import DOLLAR, SOFT_HYPHEN, Box, Run, RunBuilder, Style, formula_run

#: pdfium keeps global state and is not safe for threads: whoever calls it holds this lock.
PDFIUM_LOCK = threading.RLock()

_INVISIBLE = 3
_FORCE_BOLD = 1 << 18
_BOLD_WEIGHT = 600
#: The dashes that a browser stretches to a line over or under letters.
_LINE = Family("STRANGE", font="line")
#: A font of mathematics without a name, and where the letters of mathematical alphabets begin.
NAMELESS, _ALPHABETS = Family("UNICODE", font="browser"), "\U0001d400"
#: A page with more objects than this has no formulas that are looked for.
_MAX_OBJECTS = 20_000
#: A letter that is higher than this for its width has been stretched; none that is seen is larger, in ems.
_STRETCHED, _LARGEST = 2.5, 30.0
#: Signs set from pieces, which are at most so far apart, in ems.
_BRACKETS, _JOINT = frozenset({"open", "close", "fence"}), 0.15
#: What is read as a blank.
_BLANKS = "\x00\u200b\u00ad"
#: Chinese books set headings in a sans serif face where others set them bold.
_BOLD_NAMES = ("bold", "black", "heavy", "cmbx", "黑体", "simhei", "heiti", "fandolhei", "sanscjk", "hansans")
#: Fonts of programs.
_CODE_NAMES = ("mono", "courier", "cmtt", "lmtt", "sftt", "typewriter", "consol", "inconsolata", "menlo", "txtt", "zi4")
#: Encodings of upright fonts of words; how far, in ems, the ink of their letters leans out of these at most.
_WORDS, _OVERHANG = ("", "TEX"), 0.25
#: What stands for other characters of pdfium's.
_CHANGED = (SOFT_HYPHEN, "\ufffd")
#: From this many letters on, what most of a page is set in is not heavy.
_PAGEFUL = 200


#: Whether a font is heavy, its family, whether it has a name, its address, and where its private letters are.
_Font = tuple[bool, Family, bool, int, int]
#: Fonts with other forms of ASCII's letters at private values, and how far these are from those of ASCII.
_PRIVATE = {"ArevSans": 0xEB80}
#: What these fonts call by the names of others.
_RENAMED = str.maketrans("ƒεϵ", "fϵε")
#: In the fonts of words TeX's codes for these are those of ASCII; so many small letters in a row are a word.
_CODES, _WORD = frozenset(ascii_letters + digits + "!%'()*+,-./:;=?[]"), 4
#: The codes of TeX's encoding of European words (Cork) that are no letters of Latin-1.
_CORK = dict(zip("\x10\x11\x12\x13\x14\x15\x16\xff", "“”„«»–—ß", strict=True)) | dict(
    zip("\x1b\x1c\x1d\x1e\x1f", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)
)
#: Words make more than this share of the letters of their font: in MathJax's there are names of functions.
_LETTERS, _WORDED = re.compile(r"[^\W\d_]+"), 0.3
#: The ink of one letter of a font differs by less, in ems; of this one both forms are known by their height.
_ALIKE, _TWO_FORMS = 0.04, "φϕ"
#: Accents that stand apart, by what they are on a letter; letters that are printed without their dot for them.
_APART = dict(
    zip(
        "`´^ˆ~˜¨¯˘˙˚ˇ˝¸˛",
        "\u0300\u0301\u0302\u0302\u0303\u0303\u0308\u0304\u0306\u0307\u030a\u030c\u030b\u0327\u0328",
        strict=True,
    )
)
_DOTTED = {"ı": "i", "ȷ": "j", "\uf6be": "j"}
#: An accent stands so many characters from its letter at most, in the order in which pdfium gives a line.
_REACH = 200
#: Between the letters of a word there is less room than this, in ems.
_NO_ROOM = 0.12
#: These are accents in most of TeX's fonts of words.
_ACCENTS = frozenset("\x12\x13\x14\x15\x16\x17\x7f^_~")


@dataclass(slots=True, frozen=True)
class Frame:
    """How a page's own coordinates become shown ones: ``X = a·x + c·y + e``, ``Y = b·x + d·y + f``."""

    width: float
    height: float
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point as shown."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle as shown, corners in order."""
        if self.a == 1:  # as most pages are: not turned
            x0, y0, x1, y1 = left + self.e, self.f - top, right + self.e, self.f - bottom
            return (x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        x0, y0 = self.point(left, bottom)
        x1, y1 = self.point(right, top)
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def page_frame(page: pdfium.PdfPage) -> Frame:
    """The frame of a page, from its crop box and its rotation."""
    left, bottom, right, top = page.get_bbox()
    wide, high = right - left, top - bottom
    turn = page.get_rotation() % 360
    if turn == 90:
        return Frame(high, wide, 0, 1, 1, 0, -bottom, -left)
    if turn == 180:
        return Frame(wide, high, -1, 0, 0, 1, right, -bottom)
    if turn == 270:
        return Frame(high, wide, 0, -1, -1, 0, top, right)
    return Frame(wide, high, 1, 0, 0, -1, -left, top)


@dataclass(slots=True)
class TextLayer:
    """The runs of a page in the order of its content stream, with what they say about its worth.

    ``hidden`` counts characters drawn invisibly (as OCR software does), ``unknown`` those without a
    Unicode value, ``chars`` all that are not blank. ``formulas`` were found among the characters, each is
    a run of its own; they hold the rules whose indices are ``used``.
    """

    runs: list[Run]
    chars: int
    hidden: int
    unknown: int
    formulas: list[Formula] = field(default_factory=list)
    used: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Letter:
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


def read_text(
    page: pdfium.PdfPage,
    frame: Frame,
    walls: Sequence[Box] = (),
    rules: Sequence[Box] = (),
    strokes: Sequence[Stroke] = (),
) -> TextLayer:
    """The text layer of one open page; the caller holds :data:`PDFIUM_LOCK`.

    ``walls`` are upright rules, which part the characters on their two sides (cells of a table), ``rules``
    level ones, which may be bars of formulas, ``strokes`` other drawings, which may be roots and arrows of formulas.
    """
    textpage = page.get_textpage()
    try:
        layer = TextLayer([], 0, 0, 0)
        letters = _with_names(textpage.raw, list(_chars(textpage, frame)))
        _forget_codes(textpage.raw, letters)
        apart = letters
        letters = _upright(_with_accents(letters))
        styles = {id(letter.style): letter.style for letter in letters if letter.style is not None}.values()
        _know_nameless(textpage.raw, letters, styles)
        fonts = {style.family for style in styles}
        taken: dict[int, Run] = {}
        proven = any(font.encoding not in ("", "ITALIC") for font in fonts) or not all(one.named for one in styles)
        if frame.a == 1 and proven:
            order, holders, texts = _drawing_order(page)
            read = {letter.drawn for letter in apart}
            unread = _unread((text for address, text in texts.items() if address not in read), frame)
            taken = _formulas(textpage, frame, letters, (rules, walls, strokes), layer, (order, holders, unread))
        builder = RunBuilder(layer.runs, walls)
        for at, letter in enumerate(letters):
            if letter.style is None:
                builder.blank(typed=letter.typed)
                continue
            layer.chars += 1
            layer.hidden += letter.style.hidden
            if at in taken:
                builder.place(taken[at])
                continue
            if not " " < letter.char < "\ue000":
                layer.unknown += _is_unknown(letter.char)
            char = DOLLAR if taken and letter.char == "$" else letter.char
            builder.add(char, letter.style, letter.x0, letter.x1)
        builder.close()
        _weigh(layer.runs)
        return layer
    finally:
        textpage.close()


def _with_names(page: Any, letters: list[_Letter]) -> list[_Letter]:
    """The letters, those of TeX's fonts of words that are embedded as drawings (Type 3), without names, by their codes.

    Their other codes are those of Latin-1, as pdfium takes them.
    """
    nameless = [letter for letter in letters if letter.style is not None and not letter.style.named]
    if not any(letter.char in _CORK or letter.char == "\ufffd" for letter in nameless):
        return letters
    worded = _worded(nameless)
    found: list[_Letter] = []
    for letter in letters:
        known = letter.style is not None and not letter.style.named and letter.style.font in worded
        char = chr(raw.FPDFText_GetUnicode(page, letter.index)) if known and letter.char == "\ufffd" else letter.char
        found += [replace(letter, char=one) for one in _CORK[char]] if known and char in _CORK else [letter]
    return found


def _forget_codes(page: Any, letters: Sequence[_Letter]) -> None:
    """Leave unknown the letters of fonts without Unicode values: pdfium gives the numbers of their glyphs."""
    own: defaultdict[int, list[_Letter]] = defaultdict(list)
    for letter in letters:
        style = letter.style
        if style is not None and style.named and not style.family.encoding and not style.family.maths:
            own[style.font].append(letter)
    for font in own.values():
        codes = [at for at in font if at.char > "\x7f" and raw.FPDFText_HasUnicodeMapError(page, at.index) == 1]
        if 2 * len(codes) > len(font):
            for letter in font:
                letter.char = "\ufffd"


def _with_accents(letters: list[_Letter]) -> list[_Letter]:
    """The letters with the accents that stand right over or under them, which TeX draws apart in its older fonts."""
    apart = [at for at, letter in enumerate(letters) if letter.char in _APART and _is_word(letter)]
    gone: set[int] = set()
    for at in apart:
        accent = letters[at]
        near = (
            n
            for n in range(max(0, at - _REACH), min(len(letters), at + _REACH))
            if letters[n].char.isalpha() and letters[n].char not in _APART
        )
        under = min(near, key=lambda n: abs(_middle(letters[n]) - _middle(accent)), default=at)
        letter = letters[under]
        both = unicodedata.normalize("NFC", _DOTTED.get(letter.char, letter.char) + _APART[accent.char])
        if len(both) == 1 and _is_word(letter) and _stands_over(accent, letter):
            letters[under] = replace(letter, char=both)
            gone.add(at)
            first = min(at, under)
            if first > 1 and _is_made_up(letters[first - 1], letters[first - 2], letter):
                gone.add(first - 1)
    return [letter for at, letter in enumerate(letters) if at not in gone] if gone else letters


def _upright(letters: list[_Letter]) -> list[_Letter]:
    """The letters, those that stand on their heads, as answers below puzzles do, turned round in their place.

    pdfium sees no blanks between their words.
    """
    turned = [(letter, letter.style) for letter in letters if letter.style is not None and letter.style.upside_down]
    if not turned:
        return letters
    across = min(letter.x0 for letter, _ in turned) + max(letter.x1 for letter, _ in turned)
    down = min(style.base for _, style in turned) + max(style.base for _, style in turned)
    styles = {id(style): replace(style, base=down - style.base, turned=False, upside_down=False) for _, style in turned}
    found = [letter for letter in letters if letter.style is None or not letter.style.upside_down]
    right, base = -math.inf, -math.inf
    for letter, old in turned:
        style, x0, x1 = styles[id(old)], across - letter.x1, across - letter.x0
        if abs(style.base - base) > _NO_ROOM * style.size or x0 - right > _NO_ROOM * style.size:
            found.append(_Letter(letter.index, " ", None))
        found.append(replace(letter, style=style, x0=x0, x1=x1))
        right, base = x1, style.base
    return found


def _is_made_up(blank: _Letter, before: _Letter, behind: _Letter) -> bool:
    """Whether a blank is pdfium's own, before an accent, and there is no room for one between the letters."""
    size = behind.style.size if behind.style is not None else 0.0
    return blank.style is None and not blank.typed and abs(behind.x0 - before.x1) < _NO_ROOM * size


def _is_word(letter: _Letter) -> bool:
    """Whether a character is set in a font of words."""
    return letter.style is not None and not letter.style.family.maths and not letter.style.turned


def _stands_over(accent: _Letter, letter: _Letter) -> bool:
    """Whether the middle of an accent lies over a letter of its size, on its line or, over a capital, raised."""
    one, two = accent.style, letter.style
    if one is None or two is None or abs(one.size - two.size) > 0.1 * two.size:
        return False
    raised = two.base - one.base
    return letter.x0 < _middle(accent) < letter.x1 and -0.05 * two.size < raised < 0.4 * two.size


def _middle(letter: _Letter) -> float:
    return (letter.x0 + letter.x1) / 2


def _worded(letters: Sequence[_Letter]) -> set[int]:
    """The fonts that these letters are words of."""
    whole: Counter[int] = Counter()
    words: Counter[int] = Counter()
    for font, run in groupby(letters, key=lambda letter: letter.style.font if letter.style is not None else 0):
        chars = "".join(letter.char for letter in run)
        whole[font] += len(chars)
        words[font] += sum(len(word) for word in _LETTERS.findall(chars) if len(word) >= _WORD)
    return {font for font, count in words.items() if count > _WORDED * whole[font]}


def _know_nameless(page: Any, letters: Sequence[_Letter], styles: Collection[Style]) -> None:
    """Find the families of a page's fonts without names, as browsers embed fonts of formulas: as drawings (Type 3).

    They are those of mathematics if one of them has letters of mathematical alphabets, and MathJax's by their ink.
    """
    nameless = [style for style in styles if not style.named]
    if nameless and any(letter.char >= _ALPHABETS and letter.style and not letter.style.named for letter in letters):
        for style in nameless:
            style.family = NAMELESS
        return
    inks: defaultdict[int, dict[str, tuple[float, float]]] = defaultdict(dict)
    for letter in letters if nameless else ():
        own = letter.style
        if own is not None and not own.named and letter.char not in inks[own.font]:
            left, right, bottom, top = _char_box(page, letter.index)
            inks[own.font][letter.char] = (right - left) / own.size, (top - bottom) / own.size
    drawn = {font: drawn_family(ink) for font, ink in inks.items()}
    if any(found is not None and found.encoding == "LETTERS" for found in drawn.values()):  # its variables
        for one in nameless:
            one.family = drawn[one.font] or one.family


def _weigh(runs: Sequence[Run]) -> None:
    """Heavy is what stands out: on a page of heavy letters nothing does."""
    letters = sum(len(run.text) for run in runs)
    if letters >= _PAGEFUL and 2 * sum(len(run.text) for run in runs if run.bold) > letters:
        for run in runs:
            run.bold, run.lead = False, 0


def _is_unknown(char: str) -> bool:
    return char == "\ufffd" or "\ue000" <= char <= "\uf8ff" or char < " "


def _chars(textpage: pdfium.PdfTextPage, frame: Frame) -> Iterator[_Letter]:
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
            yield _Letter(index, char, style if ink else None, x0, x1, drawn=key, ink=ink)
            continue
        if style is None or key != last:
            last, style = key, _style(page, index, pointer, frame, fonts)
        # The codes of mathematical fonts are no characters: some look like blanks.
        if blank and not style.family.maths and _has_ink(page, index):
            char = "\ufffd"
        elif blank and not style.family.maths:
            yield _Letter(index, char, None, typed=char != "\r")
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
        yield _Letter(index, SOFT_HYPHEN if char == "\x02" else char, style, x0, x1, drawn=key)


def _ink_behind(page: Any, index: int, drawn: int) -> tuple[float, float, float, float] | None:
    """The ink of a sign that pdfium has left out for a blank, as its code is that of one: the last of its text object.

    pdfium makes a blank of the gap before it, and takes the second one for nothing.
    """
    pointer, following = (raw.FPDFText_GetTextObject(page, at) for at in (index, index + 1))
    if following and ctypes.addressof(following.contents) == drawn:
        return None
    left, right, bottom, top = _char_box(page, index - 1)
    raw.FPDFPageObj_GetBounds(pointer, *map(ctypes.byref, _BOUNDS))
    x0, y0, x1, y1 = (side.value for side in _BOUNDS)
    within = x0 - 0.5 < left and y0 - 0.5 < bottom and top < y1 + 0.5
    raw.FPDFText_GetCharOrigin(page, index, *_ORIGIN_REFS)
    start = _ORIGIN[0].value
    return (start, x1, y0, y1) if within and x1 > max(start, right) + _SEEN else None


def _has_ink(page: Any, index: int) -> bool:
    """Whether a blank is one only because its font's code has no Unicode value: something is drawn there."""
    if raw.FPDFText_HasUnicodeMapError(page, index) != 1:
        return False
    left, right, bottom, top = _char_box(page, index)
    return right > left and top > bottom


#: What pdfium writes to, whose callers hold the lock: a letter's ink (left, right, bottom, top), its matrix and origin.
_SIDES = tuple(ctypes.c_double() for _ in range(4))
_SIDE_REFS = tuple(map(ctypes.byref, _SIDES))
_MATRIX, _ORIGIN = raw.FS_MATRIX(), (ctypes.c_double(), ctypes.c_double())
_MATRIX_REF, _ORIGIN_REFS = ctypes.byref(_MATRIX), tuple(map(ctypes.byref, _ORIGIN))


_COLOUR = tuple(ctypes.c_uint() for _ in range(4))
_COLOUR_REFS = tuple(map(ctypes.byref, _COLOUR))
#: The bounds of a text object; ink of so many points is seen.
_BOUNDS, _SEEN = tuple(ctypes.c_float() for _ in range(4)), 0.5


def _char_box(page: Any, index: int) -> tuple[float, float, float, float]:
    raw.FPDFText_GetCharBox(page, index, *_SIDE_REFS)
    left, right, bottom, top = _SIDES
    return left.value, right.value, bottom.value, top.value


def _drawing_order(page: pdfium.PdfPage) -> tuple[dict[int, int], dict[int, Any], dict[int, Any]]:
    """The places of a page's objects in its stream, by their addresses, what holds those within others, its texts."""
    order: dict[int, int] = {}
    holders: dict[int, Any] = {}
    texts: dict[int, Any] = {}
    left = _parts(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
    while left and len(order) < _MAX_OBJECTS:
        one = left.pop()
        address, kind = ctypes.addressof(one.contents), raw.FPDFPageObj_GetType(one)
        order[address] = len(order)
        if kind == raw.FPDF_PAGEOBJ_TEXT and address not in holders:
            texts[address] = one
        elif kind == raw.FPDF_PAGEOBJ_FORM:
            inner = _parts(one, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)
            holders.update((ctypes.addressof(part.contents), one) for part in inner)
            left += inner
    return order, holders, texts


def _unread(texts: Iterable[Any], frame: Frame) -> list[Box]:
    """The ink of texts that pdfium gives no character for: signs and pieces of signs without any name."""
    found = []
    for text in texts:
        raw.FPDFPageObj_GetBounds(text, *map(ctypes.byref, _BOUNDS))
        x0, y0, x1, y1 = (side.value for side in _BOUNDS)
        if min(x1 - x0, y1 - y0) > _SEEN:
            found.append(frame.box(x0, y0, x1, y1))
    return found


def with_pieces(glyphs: Sequence[Glyph], unread: Sequence[Box]) -> list[Stroke]:
    """Lengthen brackets by the pieces without a name that they are set from; what is left of the ink is drawings."""
    left = list(unread)
    for glyph in (glyph for glyph in glyphs if left and glyph.kind in _BRACKETS):
        while (piece := next((one for one in left if _goes_on(glyph, one)), None)) is not None:
            left.remove(piece)
            glyph.ink = union([glyph.ink, piece])
    return [Stroke(-1 - _MAX_OBJECTS - at, *box) for at, box in enumerate(left)]


def _goes_on(glyph: Glyph, piece: Box) -> bool:
    """Whether a piece stands right over or below a bracket."""
    beside = piece[0] < glyph.ink[2] and glyph.ink[0] < piece[2]
    return beside and max(piece[1] - glyph.ink[3], glyph.ink[1] - piece[3]) < _JOINT * glyph.size


def _parts(whole: Any, count: Any, part: Any) -> list[Any]:
    """The objects of a page or of a form, the last one first."""
    return [one for at in reversed(range(min(count(whole), _MAX_OBJECTS))) if (one := part(whole, at))]


def _formulas(
    textpage: pdfium.PdfTextPage,
    frame: Frame,
    letters: Sequence[_Letter],
    drawn: tuple[Sequence[Box], Sequence[Box], Sequence[Stroke]],
    layer: TextLayer,
    placed: tuple[dict[int, int], dict[int, Any], Sequence[Box]],
) -> dict[int, Run]:
    """The run of the formula that a letter belongs to, by the letter's place.

    ``drawn`` are level and upright rules, and strokes, ``placed`` the places of the page's objects, their
    holders and the ink that has no letters.
    """
    order, holders, unread = placed
    glyphs = [
        (order.get(letter.drawn, -1), _glyph(textpage.raw, frame, at, letter, letter.style, holders))
        for at, letter in enumerate(letters)
        if letter.style is not None and not letter.style.turned and not letter.style.hidden
    ]
    glyphs = _without_selectors(glyphs)
    if any(glyph.family is STRANGE for _, glyph in glyphs):
        fonts = [style.font if (style := letters[glyph.ids[0]].style) is not None else 0 for _, glyph in glyphs]
        known = with_counted([glyph for _, glyph in glyphs], fonts, _worded(letters))
        glyphs = [(place, glyph) for (place, _), glyph in zip(glyphs, known, strict=True)]
    if sum(glyph.family is STRANGE for _, glyph in glyphs) > 0.2 * len(glyphs):
        own = (at for _, glyph in glyphs for at in glyph.ids if glyph.family is STRANGE)
        coded = {at for at in own if raw.FPDFText_HasUnicodeMapError(textpage.raw, letters[at].index) == 1}
        glyphs = _with_words(glyphs, letters, coded)
    glyphs = _without_twins(textpage.raw, glyphs, letters)
    # pdfium sorts the letters of a line from left to right; TeX writes the parts of a formula one after the other.
    if all(place >= 0 for place, _ in glyphs):
        glyphs.sort(key=lambda pair: pair[0])
    lines = [glyph for _, glyph in glyphs if glyph.family is _LINE]
    rules = [Rule(at, *box) for at, box in enumerate([*drawn[0], *(line.ink for line in lines)])]
    count = len(drawn[0])
    strokes = [*drawn[2], *with_pieces([glyph for _, glyph in glyphs], unread)]
    layer.formulas = find_formulas(
        [glyph for _, glyph in glyphs if glyph.family is not _LINE], rules, drawn[1], strokes
    )
    taken: dict[int, Run] = {}
    for number, formula in enumerate(layer.formulas):
        layer.used.update(at for at in formula.rules if at < count)
        run = formula_run(formula, number)
        taken.update((at, run) for at in formula.glyphs)
        taken.update((at, run) for rule in formula.rules if rule >= count for at in lines[rule - count].ids)
    return taken


def _with_words(
    glyphs: Sequence[tuple[int, Glyph]], letters: Sequence[_Letter], coded: Set[int]
) -> list[tuple[int, Glyph]]:
    """The glyphs of a page whose words are set in fonts without names: these fonts are known by their words.

    Those without words may be fonts of formulas, as MathJax has them, whose letters may be of any alphabet.
    Of the letters ``coded`` only the codes are known, which in a font of formulas mean other signs.
    """
    worded = _worded(letters)
    found = []
    for place, glyph in glyphs:
        letter = letters[glyph.ids[0]]
        if glyph.family is STRANGE and letter.style is not None:
            if coded.isdisjoint(glyph.ids) and (letter.style.font in worded or not _is_in_formulas(glyph.char)):
                glyph = replace(glyph, family=Family())
            elif letter.style.font in worded and glyph.char not in _ACCENTS:
                sign = sign_of(glyph.char, False, Family(), False) if glyph.char in _CODES else None
                glyph = replace(glyph, sign=sign, family=Family())
        found.append((place, glyph))
    return found


def _is_in_formulas(char: str) -> bool:
    """Whether a formula may hold a character: a letter, a digit or a sign, and no mark of a sentence."""
    sign = sign_of(char, False, Family(), False)
    return char.isalnum() or (sign is not None and sign.kind in ("rel", "bin", "op"))


def _without_selectors(glyphs: Sequence[tuple[int, Glyph]]) -> list[tuple[int, Glyph]]:
    """The glyphs without the variation selectors that a font's own values bring: they go with the sign before them."""
    found: list[tuple[int, Glyph]] = []
    for place, glyph in glyphs:
        if found and "\ufe00" <= glyph.char <= "\ufe0f" and found[-1][1].ink == glyph.ink:
            found[-1][1].ids.extend(glyph.ids)
        else:
            found.append((place, glyph))
    return found


def _without_twins(
    page: Any, glyphs: Sequence[tuple[int, Glyph]], letters: Sequence[_Letter]
) -> list[tuple[int, Glyph]]:
    """The glyphs; a letter that a font shows in two forms has no name: the values of its forms are one.

    Some fonts of formulas give script letters the values of plain ones, or both forms of epsilon that of one.
    """
    names: dict[int, str] = {}
    shapes: dict[tuple[str, str, float], tuple[float, float]] = {}
    keys: list[tuple[str, str, float] | None] = []
    twins = set()
    for _, glyph in glyphs:
        letter = letters[glyph.ids[0]]
        plain = glyph.char.islower() and glyph.char.isascii()  # in words there are ligatures and small capitals
        if letter.style is None or plain or glyph.kind != "letter" or glyph.char in _TWO_FORMS:
            keys.append(None)
            continue
        if (name := names.get(letter.style.font)) is None:
            name = names[letter.style.font] = font_name(page, letter.index)[0]
        x0, y0, x1, _ = glyph.ink
        key, shape = (name, glyph.char, round(glyph.size, 1)), ((x1 - x0) / glyph.size, (glyph.base - y0) / glyph.size)
        first = shapes.setdefault(key, shape)
        if name and max(abs(first[0] - shape[0]), abs(first[1] - shape[1])) > _ALIKE:
            twins.add(key)
        keys.append(key)
    if not twins:
        return list(glyphs)
    return [
        (place, replace(glyph, sign=None) if key in twins else glyph)
        for (place, glyph), key in zip(glyphs, keys, strict=True)
    ]


def _glyph(
    page: Any, frame: Frame, at: int, letter: _Letter, style: Style, holders: Mapping[int, Any] = MappingProxyType({})
) -> Glyph:
    left, right, bottom, top = letter.ink or _char_box(page, letter.index)
    char, font = letter.char, style.family
    ink = frame.box(left, bottom, right, top)
    if max(ink[2] - ink[0], ink[3] - ink[1]) > _LARGEST * style.size and not style.named:
        drawn = holders.get(letter.drawn) or raw.FPDFText_GetTextObject(page, letter.index)
        font = _LINE if ink[2] - ink[0] > ink[3] - ink[1] else font
        ink = _seen(drawn, frame, ink)
    unnamed = letter.ink is not None or raw.FPDFText_HasUnicodeMapError(page, letter.index) == 1
    if (unnamed or not style.named) and not font.encoding:
        font = STRANGE
    if font.encoding:
        if char in _CHANGED:
            code = raw.FPDFText_GetUnicode(page, letter.index)
            char = char if 0xD800 <= code <= 0xDFFF else chr(code)
        if font is NAMELESS and char == "-":
            char = "\u2212"  # browsers set a hyphen as the minus sign it means
    if font.encoding in _WORDS and char.isalpha() and ink[2] > letter.x1 - 0.01:
        letter.x1 = _advance(page, frame, letter, style)
    sign = sign_of(char, unnamed, font, style.base - ink[1] > 0.56 * style.size)
    return Glyph([at], char, sign, font, letter.x0, letter.x1, ink, style.base, style.size)


def _seen(drawn: Any, frame: Frame, ink: Box) -> Box:
    """What is seen of a letter that a browser stretched far beyond where it is cut off, ``drawn`` in this object."""
    clip = raw.FPDFPageObj_GetClipPath(drawn)
    x, y = ctypes.c_float(), ctypes.c_float()
    points = []
    for at in range(max(0, raw.FPDFClipPath_CountPathSegments(clip, 0))):
        raw.FPDFPathSegment_GetPoint(raw.FPDFClipPath_GetPathSegment(clip, 0, at), ctypes.byref(x), ctypes.byref(y))
        points.append(frame.point(x.value, y.value))
    if not points:
        return ink
    across, down = zip(*points, strict=True)
    return max(ink[0], min(across)), max(ink[1], min(down)), min(ink[2], max(across)), min(ink[3], max(down))


def _advance(page: Any, frame: Frame, letter: _Letter, style: Style) -> float:
    """Where the advance of a letter ends; pdfium's boxes reach to the end of its ink, which leans out of an f."""
    pointer = raw.FPDFText_GetTextObject(page, letter.index)
    font = raw.FPDFTextObj_GetFont(pointer) if pointer else None
    x, y, width, matrix = ctypes.c_double(), ctypes.c_double(), ctypes.c_float(), raw.FS_MATRIX()
    raw.FPDFText_GetCharOrigin(page, letter.index, ctypes.byref(x), ctypes.byref(y))
    raw.FPDFText_GetMatrix(page, letter.index, ctypes.byref(matrix))
    size = raw.FPDFText_GetFontSize(page, letter.index)
    if not font or not raw.FPDFFont_GetGlyphWidth(font, ord(letter.char), size, ctypes.byref(width)):
        return letter.x1
    end = frame.point(x.value + width.value * matrix.a, y.value)[0]
    return end if letter.x1 - _OVERHANG * style.size < end < letter.x1 else letter.x1


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
