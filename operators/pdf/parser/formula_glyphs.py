"""The letters of a PDF page as the glyphs among which formulas are looked for, and the places of what is found."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from string import ascii_letters, digits
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from operators.pdf.formulas import Family, Formula, Glyph, Rule, Stroke, find_formulas, sign_of
from operators.pdf.parser.boxes import union
from operators.pdf.parser.files import Frame
from operators.pdf.parser.ink import clip_box, overlap
from operators.pdf.parser.letter_repairs import NAMELESS, worded_fonts
from operators.pdf.parser.letters import BOUNDS, SEEN, Letter, char_box, font_name
from operators.pdf.parser.runs import SOFT_HYPHEN, Box, Run, Style, formula_run

#: A font without a name.
STRANGE = Family("STRANGE")
#: Digits of one number are nearer to each other, in ems; a note's mark is no further from the word before it.
_NEAR = 0.3
#: How far, in ems of the words, the mark of a note is raised, and how large it is at most against them.
_RAISED, _SMALL = (0.2, 0.6), 0.86
#: The text of a note begins so near to its number, in ems.
_NOTE = 1.0
#: So many numbers of lines at least show that they count.
_COUNTING = 3


@dataclass(slots=True)
class _Number:
    value: int
    first: int
    last: int


def with_counted(glyphs: Sequence[Glyph], fonts: Sequence[int], worded: Collection[int]) -> list[Glyph]:
    """The letters of a page, digits of fonts without names as digits where these can be nothing else.

    A font of digits alone numbers notes if each of its numbers is raised behind a word and another font of digits
    alone has the same ones in the same order, each below its mark and before the words of a note; it numbers lines if
    all its numbers open lines and count one by one. ``fonts`` are the fonts of the letters, ``worded`` those of words:
    one that such notes are set in has words alone.
    """
    own: defaultdict[int, list[int]] = defaultdict(list)
    for at, (glyph, font) in enumerate(zip(glyphs, fonts, strict=True)):
        if glyph.family is STRANGE:
            own[font].append(at)
    numbers = {
        font: _numbers(glyphs, places)
        for font, places in own.items()
        if all(glyphs[at].char in "0123456789" for at in places)
    }
    known: set[int] = set()
    for font, marks in numbers.items():
        if len(marks) >= _COUNTING and _counts(marks) and all(_opens_line(glyphs, one, _NEAR) for one in marks):
            known.add(font)
        elif marks and _counts(marks) and all(_is_raised(glyphs, one) for one in marks):
            for other, notes in numbers.items():
                if other != font and _are_notes(glyphs, marks, notes):
                    known |= {font, other, *(fonts[one.last + 1] for one in notes if fonts[one.last + 1] in worded)}
    found = list(glyphs)
    for at in (at for font in known for at in own[font]):
        char = glyphs[at].char
        sign = sign_of(char, False, Family(), False) if char.isalnum() and char.isascii() else None
        found[at] = replace(glyphs[at], sign=sign, family=Family())
    return found


def _numbers(glyphs: Sequence[Glyph], places: Sequence[int]) -> list[_Number]:
    found: list[_Number] = []
    for at in places:
        one = glyphs[at]
        if found and found[-1].last == at - 1 and _is_next_digit(glyphs[at - 1], one):
            found[-1].value, found[-1].last = 10 * found[-1].value + int(one.char), at
        else:
            found.append(_Number(int(one.char), at, at))
    return found


def _is_next_digit(one: Glyph, two: Glyph) -> bool:
    return abs(one.base - two.base) < 0.1 and abs(two.x0 - one.x1) < _NEAR * two.size


def _counts(numbers: Sequence[_Number]) -> bool:
    """Whether each number is one more than the one before it, or the first of another count."""
    return all(two.value in (one.value + 1, 1) for one, two in pairwise(numbers))


def _is_raised(glyphs: Sequence[Glyph], number: _Number) -> bool:
    """Whether a number is the mark of a note: small and raised right behind a word or its mark."""
    if not number.first:
        return False
    word, digit = glyphs[number.first - 1], glyphs[number.first]
    raised = _RAISED[0] * word.size < word.base - digit.base < _RAISED[1] * word.size
    near = abs(digit.x0 - word.x1) < _NEAR * word.size
    return raised and near and not word.maths and digit.size < _SMALL * word.size


def _are_notes(glyphs: Sequence[Glyph], marks: Sequence[_Number], notes: Sequence[_Number]) -> bool:
    """Whether numbers are those of marks, and each opens a line of words below its own, in columns too."""
    if [one.value for one in marks] != [one.value for one in notes]:
        return False
    below = all(glyphs[mark.first].base < glyphs[note.first].base for mark, note in zip(marks, notes, strict=True))
    return below and all(_opens_line(glyphs, one) for one in notes)


def _opens_line(glyphs: Sequence[Glyph], number: _Number, apart: float | None = None) -> bool:
    """Whether a number opens a line whose words begin right behind it, or at least so far ``apart``."""
    digit = glyphs[number.first]
    before = glyphs[number.first - 1] if number.first else None
    if before is not None and abs(before.base - digit.base) < digit.size and before.x1 < digit.x0 + digit.size:
        return False
    after = glyphs[number.last + 1] if number.last + 1 < len(glyphs) else None
    if apart is not None:
        level = after is not None and abs(after.base - digit.base) < digit.size
        return after is None or not level or after.x0 - glyphs[number.last].x1 > apart * digit.size
    return (
        after is not None
        and 0 < after.base - digit.base < after.size
        and -_NEAR * after.size < after.x0 - glyphs[number.last].x1 < _NOTE * after.size
    )


#: The dashes that a browser stretches to a line over or under letters.
_LINE = Family("STRANGE", font="line")
#: A page with more objects than this has no formulas that are looked for.
_MAX_OBJECTS = 20_000
#: Signs set from pieces, which are at most so far apart, in ems.
_BRACKETS, _JOINT = frozenset({"open", "close", "fence"}), 0.15
#: Encodings of upright fonts of words; how far, in ems, the ink of their letters leans out of these at most.
_WORDS, _OVERHANG = ("", "TEX"), 0.25
#: From this share of letters of fonts without names on, all words of a page are in such fonts.
_STRANGE = 0.2
#: No letter that is seen is larger than this, in ems.
_LARGEST = 30.0
#: What stands for other characters of pdfium's.
_CHANGED = (SOFT_HYPHEN, "\ufffd")
#: In the fonts of words TeX's codes for these are those of ASCII.
_CODES = frozenset(ascii_letters + digits + "!%'()*+,-./:;=?[]")
#: The ink of one letter of a font differs by less, in ems; of this one both forms are known by their height.
_ALIKE, _TWO_FORMS = 0.04, "φϕ"
#: These are accents in most of TeX's fonts of words.
_ACCENTS = frozenset("\x12\x13\x14\x15\x16\x17\x7f^_~")


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


def _unread_ink(texts: Iterable[Any], frame: Frame) -> list[Box]:
    """The ink of texts that pdfium gives no character for: signs and pieces of signs without any name."""
    found = []
    for text in texts:
        raw.FPDFPageObj_GetBounds(text, *map(ctypes.byref, BOUNDS))
        x0, y0, x1, y1 = (side.value for side in BOUNDS)
        if min(x1 - x0, y1 - y0) > SEEN:
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


def place_formulas(
    page: pdfium.PdfPage,
    textpage: pdfium.PdfTextPage,
    frame: Frame,
    letters: Sequence[Letter],
    drawn: tuple[Sequence[Box], Sequence[Box], Sequence[Stroke]],
    read: Set[int],
) -> tuple[list[Formula], set[int], dict[int, Run]]:
    """The formulas, the level rules that they hold, and the run of the formula at each letter's place that has one.

    ``drawn`` are level and upright rules, and strokes, ``read`` the addresses of the text objects that have letters.
    """
    order, holders, texts = _drawing_order(page)
    unread = _unread_ink((text for address, text in texts.items() if address not in read), frame)
    glyphs = [
        (order.get(letter.drawn, -1), _glyph(textpage.raw, frame, at, letter, letter.style, holders))
        for at, letter in enumerate(letters)
        if letter.style is not None and not letter.style.turned and not letter.style.hidden
    ]
    glyphs = _without_selectors(glyphs)
    if any(glyph.family is STRANGE for _, glyph in glyphs):
        fonts = [style.font if (style := letters[glyph.ids[0]].style) is not None else 0 for _, glyph in glyphs]
        known = with_counted([glyph for _, glyph in glyphs], fonts, worded_fonts(letters))
        glyphs = [(place, glyph) for (place, _), glyph in zip(glyphs, known, strict=True)]
    if any(glyph.family is STRANGE for _, glyph in glyphs):
        own = (at for _, glyph in glyphs for at in glyph.ids if glyph.family is STRANGE)
        coded = {at for at in own if raw.FPDFText_HasUnicodeMapError(textpage.raw, letters[at].index) == 1}
        most = sum(glyph.family is STRANGE for _, glyph in glyphs) > _STRANGE * len(glyphs)
        glyphs = _with_words(glyphs, letters, coded, most)
    glyphs = _without_twins(textpage.raw, glyphs, letters)
    # pdfium sorts the letters of a line from left to right; TeX writes the parts of a formula one after the other.
    if all(place >= 0 for place, _ in glyphs):
        glyphs.sort(key=lambda pair: pair[0])
    lines = [glyph for _, glyph in glyphs if glyph.family is _LINE]
    rules = [Rule(at, *box) for at, box in enumerate([*drawn[0], *(line.ink for line in lines)])]
    count = len(drawn[0])
    strokes = [*drawn[2], *with_pieces([glyph for _, glyph in glyphs], unread)]
    formulas = find_formulas([glyph for _, glyph in glyphs if glyph.family is not _LINE], rules, drawn[1], strokes)
    taken: dict[int, Run] = {}
    used: set[int] = set()
    for number, formula in enumerate(formulas):
        used.update(at for at in formula.rules if at < count)
        run = formula_run(formula, number)
        taken.update((at, run) for at in formula.glyphs)
        taken.update((at, run) for rule in formula.rules if rule >= count for at in lines[rule - count].ids)
    return formulas, used, taken


def _with_words(
    glyphs: Sequence[tuple[int, Glyph]], letters: Sequence[Letter], coded: Set[int], most: bool
) -> list[tuple[int, Glyph]]:
    """The glyphs of a page that has words in fonts without names, perhaps ``most``: these are known by their words.

    Those without words may be fonts of formulas, as MathJax has them, whose letters may be of any alphabet.
    Of the letters ``coded`` only the codes are known, which in a font of formulas mean other signs.
    """
    worded = worded_fonts(letters)
    found = []
    for place, glyph in glyphs:
        letter = letters[glyph.ids[0]]
        if glyph.family is STRANGE and letter.style is not None:
            if coded.isdisjoint(glyph.ids) and (
                letter.style.font in worded or (most and not _is_in_formulas(glyph.char))
            ):
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
    page: Any, glyphs: Sequence[tuple[int, Glyph]], letters: Sequence[Letter]
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


def _glyph(page: Any, frame: Frame, at: int, letter: Letter, style: Style, holders: Mapping[int, Any]) -> Glyph:
    left, right, bottom, top = letter.ink or char_box(page, letter.index)
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
    clip = clip_box(drawn, frame)
    return ink if clip is None else overlap(ink, clip)


def _advance(page: Any, frame: Frame, letter: Letter, style: Style) -> float:
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
