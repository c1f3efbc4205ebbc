"""What a PDF's letters mean where pdfium cannot tell: nameless fonts, accents set apart, letters on their heads."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import pypdfium2.raw as raw

from operators.pdf.formulas import Family, drawn_family
from operators.pdf.parser.letters import Letter, char_box
from operators.pdf.parser.runs import Style

#: A font of mathematics without a name, and where the letters of mathematical alphabets begin.
NAMELESS, _ALPHABETS = Family("UNICODE", font="browser"), "\U0001d400"
#: The codes of TeX's encoding of European words (Cork) that are no letters of Latin-1.
_CORK = dict(zip("\x10\x11\x12\x13\x14\x15\x16\xff", "“”„«»–—ß", strict=True)) | dict(
    zip("\x1b\x1c\x1d\x1e\x1f", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)
)
#: Words make more than this share of the letters of their font: in MathJax's there are names of functions.
_LETTERS, _WORDED = re.compile(r"[^\W\d_]+"), 0.3
#: So many small letters in a row are a word.
_WORD = 4
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
#: So many letters has a ligature with the letter behind it at most, and so wide it is, in ems.
_LIGATURE, _WIDEST = 5, 1.5


def with_names(page: Any, letters: list[Letter]) -> list[Letter]:
    """The letters, those of TeX's fonts of words that are embedded as drawings (Type 3), without names, by their codes.

    Their other codes are those of Latin-1, as pdfium takes them.
    """
    nameless = [letter for letter in letters if letter.style is not None and not letter.style.named]
    if not any(letter.char in _CORK or letter.char == "\ufffd" for letter in nameless):
        return letters
    worded = worded_fonts(nameless)
    found: list[Letter] = []
    for letter in letters:
        known = letter.style is not None and not letter.style.named and letter.style.font in worded
        char = chr(raw.FPDFText_GetUnicode(page, letter.index)) if known and letter.char == "\ufffd" else letter.char
        found += [replace(letter, char=one) for one in _CORK[char]] if known and char in _CORK else [letter]
    return found


def forget_codes(page: Any, letters: Sequence[Letter]) -> None:
    """Leave unknown the letters of fonts without Unicode values: pdfium gives the numbers of their glyphs."""
    own: defaultdict[int, list[Letter]] = defaultdict(list)
    for letter in letters:
        style = letter.style
        if style is not None and style.named and not style.family.encoding and not style.family.maths:
            own[style.font].append(letter)
    for font in own.values():
        codes = [at for at in font if at.char > "\x7f" and raw.FPDFText_HasUnicodeMapError(page, at.index) == 1]
        if 2 * len(codes) > len(font):
            for letter in font:
                letter.char = "\ufffd"


def with_accents(letters: list[Letter]) -> list[Letter]:
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


def upright(letters: list[Letter]) -> list[Letter]:
    """The letters, those that stand on their heads, as answers below puzzles do, turned round in their place.

    pdfium sees no blanks between their words.
    """
    turned = [(letter, letter.style) for letter in letters if letter.style is not None and letter.style.upside_down]
    if not turned:
        return letters
    turned = _in_their_line(turned)
    across = min(letter.x0 for letter, _ in turned) + max(letter.x1 for letter, _ in turned)
    down = min(style.base for _, style in turned) + max(style.base for _, style in turned)
    styles = {id(style): replace(style, base=down - style.base, turned=False, upside_down=False) for _, style in turned}
    found = [letter for letter in letters if letter.style is None or not letter.style.upside_down]
    lines: defaultdict[int, list[Letter]] = defaultdict(list)
    for letter, old in turned:
        style = styles[id(old)]
        own = replace(letter, style=style, x0=across - letter.x1, x1=across - letter.x0)
        lines[round(style.base)].append(own)
    for _, line in sorted(lines.items()):
        right = -math.inf
        for letter in sorted(line, key=lambda letter: letter.x0):  # those of one ligature stay as they are
            size = letter.style.size if letter.style is not None else 0.0
            if letter.x0 - right > _NO_ROOM * size:
                found.append(Letter(letter.index, " ", None))
            found.append(letter)
            right = letter.x1
    return found


def _in_their_line(letters: Sequence[tuple[Letter, Style]]) -> list[tuple[Letter, Style]]:
    """The letters, those of ligatures, whose places pdfium cannot tell on their heads, between their neighbours."""
    found = list(letters)
    for at in range(1, len(found) - 1):
        before, style = found[at - 1]
        end = next((n for n in range(at, min(at + _LIGATURE, len(found))) if found[n][1].base == style.base), at)
        behind = found[end][0]
        room = (min(before.x1, behind.x1), max(before.x0, behind.x0))
        if end > at and 0 < room[1] - room[0] < _WIDEST * style.size:
            found[at:end] = [(replace(own, x0=room[0], x1=room[1]), style) for own, _ in found[at:end]]
    return found


def _is_made_up(blank: Letter, before: Letter, behind: Letter) -> bool:
    """Whether a blank is pdfium's own, before an accent, and there is no room for one between the letters."""
    size = behind.style.size if behind.style is not None else 0.0
    return blank.style is None and not blank.typed and abs(behind.x0 - before.x1) < _NO_ROOM * size


def _is_word(letter: Letter) -> bool:
    """Whether a character is set in a font of words."""
    return letter.style is not None and not letter.style.family.maths and not letter.style.turned


def _stands_over(accent: Letter, letter: Letter) -> bool:
    """Whether the middle of an accent lies over a letter of its size, on its line or, over a capital, raised."""
    one, two = accent.style, letter.style
    if one is None or two is None or abs(one.size - two.size) > 0.1 * two.size:
        return False
    raised = two.base - one.base
    return letter.x0 < _middle(accent) < letter.x1 and -0.05 * two.size < raised < 0.4 * two.size


def _middle(letter: Letter) -> float:
    return (letter.x0 + letter.x1) / 2


def worded_fonts(letters: Sequence[Letter]) -> set[int]:
    """The fonts that these letters are words of."""
    whole: Counter[int] = Counter()
    words: Counter[int] = Counter()
    for font, run in groupby(letters, key=lambda letter: letter.style.font if letter.style is not None else 0):
        chars = "".join(letter.char for letter in run)
        whole[font] += len(chars)
        words[font] += sum(len(word) for word in _LETTERS.findall(chars) if len(word) >= _WORD)
    return {font for font, count in words.items() if count > _WORDED * whole[font]}


def know_nameless(page: Any, letters: Sequence[Letter], styles: Collection[Style]) -> None:
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
            left, right, bottom, top = char_box(page, letter.index)
            inks[own.font][letter.char] = (right - left) / own.size, (top - bottom) / own.size
    drawn = {font: drawn_family(ink) for font, ink in inks.items()}
    if any(found is not None and found.encoding == "LETTERS" for found in drawn.values()):  # its variables
        for one in nameless:
            one.family = drawn[one.font] or one.family


_GAP = "\ufffd\x01\x03-\x1f"
#: A letter without a name beside a letter, or two of them.
GAP_IN_WORD = re.compile(rf"[^\W\d_][{_GAP}]|[{_GAP}][^\W\d_]|[{_GAP}]{{2}}")
_GAPS = re.compile(f"([{_GAP}])")
#: Signs of full width as those of ASCII, between which OCR does not tell.
_NARROW = {at + 0xFEE0: at for at in range(0x21, 0x7F)} | {ord("。"): ord(".")}
#: A ligature stands for so many letters.
_LIGATURE_READ = r"([^\W\d_]{2,3})"


def name_letters(text: str, read: str) -> str:
    """A text whose letters without names are those that OCR read there, as far as its other letters bear this out.

    Either as many were read as there are, and the known ones as what they are, or the rest of a word was: then one
    letter without a name may be a ligature.

    >>> name_letters("\ufffdestions of di\ufffderent \x1brms", "Questions of different firms")
    'Questions of different firms'
    >>> name_letters("\ufffd\ufffd 8 小\ufffd", "一、8小题"), name_letters("\ufffd\ufffd", "一、选择题")
    ('一、 8 小题', '\ufffd\ufffd')
    >>> name_letters("di\ufffderent", "indifferent")
    'di\ufffderent'
    """
    letters = "".join(read.split())
    bare = "".join(text.split())
    if len(bare) == len(letters) and all(
        _GAPS.match(one) or one.translate(_NARROW) == other.translate(_NARROW)
        for one, other in zip(bare, letters, strict=True)
    ):
        rest = iter(letters)
        return "".join(char if char.isspace() else _either(char, next(rest)) for char in text)
    return "".join(_named(word, read) if _GAPS.search(word) else word for word in re.split(r"(\s+)", text))


def _either(known: str, read: str) -> str:
    return read if _GAPS.match(known) else known


def _named(word: str, read: str) -> str:
    parts = _GAPS.split(word)
    known = [re.escape(part) for part in parts[::2]]
    found = {match.groups() for match in re.finditer(rf"(?<!\w){_LIGATURE_READ.join(known)}(?!\w)", read)}
    if len(found) != 1 or not any(known):
        return word
    [letters] = found
    return "".join(part for pair in zip(parts[::2], (*letters, ""), strict=True) for part in pair)
