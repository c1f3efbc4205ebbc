"""What a font's letter means in a formula: its LaTeX and its kind, by the font's encoding."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from string import ascii_letters

#: Encodings whose every letter belongs to a formula.
MATHS = frozenset({"OML", "OMS", "OMX", "MSA", "MSB", "LETTERS", "UNICODE", "ALPHABET", "SYMBOL", "STRANGE"})

#: The ink of one letter of a font differs by less, in ems; what is higher or wider than this was stretched.
_ALIKE, _STRETCHED = 0.005, 4.0
#: So many readings of letters are remembered.
_KEPT = 10_000
#: Accents of variables; the others are those of words.
_ACCENTS = {"\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0307": r"\dot", "\u030c": r"\check"}
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_STYLES = (
    ("BOLD ITALIC", "boldsymbol"),
    ("BOLD SCRIPT", "mathcal"),
    ("BOLD FRAKTUR", "mathfrak"),
    ("SANS-SERIF", "mathsf"),
    ("BOLD", "mathbf"),
    ("DOUBLE-STRUCK", "mathbb"),
    ("SCRIPT", "mathcal"),
    ("FRAKTUR", "mathfrak"),
    ("MONOSPACE", "mathtt"),
    ("BLACK-LETTER", "mathfrak"),
)


@dataclass(slots=True, frozen=True)
class Sign:
    """A sign as LaTeX writes it, and its kind: ``letter, digit, ord, bin, rel, op, open, close, …``."""

    latex: str
    kind: str


@dataclass(slots=True, frozen=True)
class Family:
    """The encoding of a font (empty for one that is none of TeX's or of mathematics) and the style of its letters."""

    encoding: str = ""
    style: str = ""
    #: Its font, if that has signs of its own beside those of the encoding, ``browser`` or ``mathjax``.
    font: str = ""
    #: Whether browsers paint its letters in another order than they are read in.
    painted: bool = False

    @property
    def maths(self) -> bool:
        """Whether its letters stand in formulas only."""
        return self.encoding in MATHS or self.encoding in _charted()

    @property
    def web(self) -> bool:
        """Whether a browser embedded its font without a name."""
        return self.font in ("browser", "mathjax")

    @property
    def extension(self) -> bool:
        """Whether its font has the large signs, which hang from their tops."""
        return self.encoding == "OMX" or self.encoding in _extensions()


def _rows(name: str) -> list[list[str]]:
    text = (files(__package__) / "tables" / name).read_text(encoding="utf-8")
    return list(csv.reader(text.splitlines()[1:], delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def _families() -> list[tuple[re.Pattern[str], Family]]:
    return [
        (re.compile(pattern), Family(encoding, style, painted=painted == "painted"))
        for pattern, encoding, style, painted in _rows("families.tsv")
    ]


@cache
def family(font: str) -> Family:
    """The family of a font by its name; one that has a table of its own is its own family.

    >>> family("CMSY7").encoding, family("ABCDEF+LatinModernMath-Regular").encoding, family("Times-Roman").maths
    ('OMS', 'UNICODE', False)
    """
    bare = bare_name(font)
    if bare in _partly_charted():
        return replace(base_family(font), font=bare)
    return Family(bare) if bare in _charted() else base_family(font)


@cache
def base_family(font: str) -> Family:
    """The family of a font by the pattern of its name alone."""
    bare = _SUBSET.sub("", font)
    for pattern, found in _families():
        if pattern.search(bare):
            return found
    return Family()


def bare_name(font: str) -> str:
    """A font's name without the mark of a subset and without the size it was drawn for.

    >>> bare_name("ABCDEF+NewTXMI7")
    'NewTXMI'
    """
    return _SUBSET.sub("", font).rstrip("0123456789")


@cache
def _drawn() -> dict[str, dict[str, tuple[float, float]]]:
    """How wide and high, in ems, the ink of the letters of MathJax's fonts is, which browsers embed without names."""
    fonts: dict[str, dict[str, tuple[float, float]]] = {}
    for font, code, width, height in _rows("drawn_fonts.tsv"):
        fonts.setdefault(font, {})[chr(int(code, 16))] = int(width) / 1000, int(height) / 1000
    return fonts


def drawn_family(letters: Mapping[str, tuple[float, float]]) -> Family | None:
    """The family of a font by the ink of its letters (width and height in ems), None if not just one has them all.

    >>> drawn_family({"x": (0.487, 0.453)}).encoding, drawn_family({"x": (0.4, 0.453)})
    ('LETTERS', None)
    """
    drawn = _drawn().items()
    found = {base_family(font) for font, own in drawn if all(_is_drawn(own, *one) for one in letters.items())}
    if len(found) > 1 and not any(map(str.isalnum, letters)):
        found = {Family("UNICODE")}  # other signs mean the same in all of them
    return replace(found.pop(), font="mathjax", painted=False) if len(found) == 1 else None


def _is_drawn(font: Mapping[str, tuple[float, float]], char: str, ink: tuple[float, float]) -> bool:
    known = font.get(char)
    return known is not None and all(
        abs(one - two) < _ALIKE or one > _STRETCHED for one, two in zip(ink, known, strict=True)
    )


@cache
def _charted() -> dict[str, dict[tuple[bool, int], Sign]]:
    """The signs of fonts that follow no common encoding, by what pdfium gives for their letters."""
    fonts: dict[str, dict[tuple[bool, int], Sign]] = {}
    for font, unnamed, code, latex, kind in _rows("font_signs.tsv"):
        fonts.setdefault(font, {})[unnamed == "1", int(code, 16)] = Sign(latex, kind)
    return fonts


@cache
def _partly_charted() -> frozenset[str]:
    """The charted fonts that follow Unicode but for a few signs: their letters have places of their own."""
    return frozenset(
        font
        for font, signs in _charted().items()
        if base_family(font).encoding == "UNICODE" and not any(chr(code) in ascii_letters for _, code in signs)
    )


@cache
def _extensions() -> frozenset[str]:
    return frozenset(font for font, signs in _charted().items() if any(s.kind == "piece" for s in signs.values()))


@cache
def _tex() -> tuple[dict[tuple[str, int], Sign], dict[tuple[str, int], Sign]]:
    """The signs of TeX's fonts by code, and by the Unicode values that pdfium gives for them."""
    codes: dict[tuple[str, int], Sign] = {}
    values: dict[tuple[str, int], Sign] = {}
    for encoding, code, unicodes, latex, kind in _rows("tex_signs.tsv"):
        sign = Sign(latex, kind)
        codes[encoding, int(code, 16)] = sign
        for value in unicodes.split():
            values[encoding, int(value, 16)] = sign
    return codes, values


@cache
def _unicode() -> dict[int, Sign]:
    return {int(value, 16): Sign(latex, kind) for value, latex, kind in _rows("unicode_signs.tsv")}


@cache
def names() -> dict[str, tuple[str, bool]]:
    """Names of functions, how LaTeX writes them, and whether words may stand below them."""
    return {name: (latex, bool(limits)) for name, latex, limits in _rows("names.tsv")}


@cache
def short_words() -> frozenset[str]:
    """Words of two or three letters, which stand in texts and are no products of variables."""
    return frozenset(row[0] for row in _rows("short_words.tsv"))


@cache
def lone_signs() -> frozenset[str]:
    """Signs that stand alone in texts: they open lists, end proofs, mark notes and tick answers."""
    return frozenset(row[0] for row in _rows("lone_signs.tsv"))


@lru_cache(maxsize=_KEPT)
def sign_of(char: str, raw: bool, found: Family, tall: bool) -> Sign | None:
    """The sign of a letter, None if it is not known.

    ``raw`` says that the letter is the font's code and no Unicode value, ``tall`` that its ink rises above small
    letters, which tells the two forms of phi apart.

    >>> sign_of("Z", True, Family("OMX"), True), sign_of("\\u03c6", False, Family("OML"), True)
    (Sign(latex='\\\\int', kind='op'), Sign(latex='\\\\phi', kind='letter'))
    """
    code = ord(char[0]) if char else 0
    if found.encoding in _charted():
        chart = _charted()[found.encoding]
        # No Unicode value is below the blank: these are codes whatever the font says.
        charted = chart.get((raw, code)) or (chart.get((not raw, code)) if code < 0x20 else None)
        base = base_family(found.encoding)
        return _in_form(charted, code, tall) if charted or not base.maths else sign_of(char, raw, base, tall)
    if found.font and (own := _charted().get(found.font, {}).get((raw, code))) is not None:
        return _in_form(own, code, tall)
    if raw and found.encoding in ("UNICODE", "ALPHABET", "SYMBOL", "LETTERS", "STRANGE", "TEX", "ITALIC", ""):
        return None
    if found.encoding == "STRANGE":
        return None
    if found.encoding == "LETTERS" and char.isascii() and char.isalnum():
        return _styled(Sign(char, "letter"), found.style)
    codes, values = _tex()
    sign: Sign | None
    if found.encoding in ("OML", "OMS", "OMX", "MSA", "MSB"):
        if raw or (found.encoding in ("OMX", "MSA", "MSB") and code < 0x20):
            sign = codes.get((found.encoding, code))
        else:
            sign = values.get((found.encoding, code)) or _by_unicode(char)
        if sign is not None and sign.latex in (r"\phi", r"\varphi") and found.encoding == "OML":
            sign = Sign(r"\phi" if tall else r"\varphi", "letter")
    else:
        sign = _by_unicode(char)
        if sign is not None and sign.latex in (r"\phi", r"\varphi") and found.encoding == "ITALIC":
            sign = Sign(r"\phi" if tall else r"\varphi", "letter")
        if sign is None and not found.maths and char.isalpha():
            sign = Sign(dressed(char) if found.encoding == "ITALIC" else char, "letter")  # a word's, of any language
    return _styled(sign, found.style) if sign is not None else None


@cache
def dressed(char: str) -> str:
    """A letter as LaTeX writes it in a formula: with a command for an accent that variables have.

    >>> dressed("\u0177"), dressed("\u00e9")
    ('\\\\hat{y}', '\u00e9')
    """
    plain = unicodedata.normalize("NFD", char)
    accent = _ACCENTS.get(plain[1:])
    return f"{accent}{{{plain[0]}}}" if accent else char


def _in_form(sign: Sign | None, code: int, tall: bool) -> Sign | None:
    """A font's own sign; pdfium gives one value for both forms of phi, of which one is taller."""
    if sign is not None and sign.latex in (r"\phi", r"\varphi") and code < 0x1D400:
        return Sign(r"\phi" if tall else r"\varphi", "letter")
    return sign


def _by_unicode(char: str) -> Sign | None:
    sign = _unicode().get(ord(char[0])) if char else None
    if sign is not None or not char:
        return sign
    plain, style, heavy = _plain(char)
    sign = _unicode().get(ord(plain)) if plain else None
    if sign is None:
        return None
    # Some fonts have the \ell of formulas as the small l of the script alphabet, which TeX's own script has not.
    sign = _styled(sign, style) if (plain, style) != ("l", "mathcal") else Sign(r"\ell", "letter")
    return _styled(sign, "boldsymbol") if heavy else sign


@cache
def _plain(char: str) -> tuple[str, str, bool]:
    """A letter of the mathematical alphabets without its style, the style, and whether it is heavy besides."""
    kind, _, code = unicodedata.decomposition(char).partition(" ")
    if kind != "<font>":
        return "", "", False
    name = unicodedata.name(char, "")
    style = next((style for word, style in _STYLES if word in name), "")
    return chr(int(code, 16)), style, "BOLD" in name and style in ("mathcal", "mathfrak")


def _styled(sign: Sign, style: str) -> Sign:
    if not style or sign.kind not in ("letter", "digit", "varcap", "ord"):
        return sign
    if style == "bold":
        style = "boldsymbol"
    if sign.latex.startswith("\\") and style in ("mathbf", "mathit", "mathsf", "mathtt"):
        style = "boldsymbol" if style == "mathbf" else ""
    if sign.latex.startswith((r"\mathcal", r"\mathbb")) and style != "boldsymbol":
        return sign
    return Sign(f"\\{style}{{{sign.latex}}}", sign.kind) if style else sign
