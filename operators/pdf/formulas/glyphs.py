"""The ground types of formulas: a letter of the page with its ink, and what went wrong with a formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from operators.pdf.formulas.signs import Family, Sign

#: x0, y0, x1, y1 in points, y downwards.
Box = tuple[float, float, float, float]

#: The axis of formulas, on which bars, large operators and large brackets are centred, in ems above the baseline.
AXIS = 0.25

#: Brackets higher than this, in ems, are set for what stands between them; OpenType's grow in small steps.
TALL = 1.15
TALL_UNICODE = 1.05


#: Letters of formulas in fonts of texts: Greek ones (TeX's capitals), those of sets of numbers.
GREEK = frozenset("ΓΔΘΛΞΠΣΥΦΨΩ\u2206\u2126αβγδεζηθικλμνξπρςστυφχψω\u00b5ϑϕϖϱϵℂℍℕℙℚℝℤ")


#: Greek letters of words alone, and how many show that a page's words are Greek.
_ACCENTED, _WORDS = frozenset("άέήίόύώΐΰΆΈΉΊΌΎΏςἀἁἄἐἑἔἡἰἱὀὁὅὐὑὴὶὸὰὲῆῖῶῦᾶ"), 5
#: Signs that grow with what they hold, by how much more than the letters around, and how many of these are looked at.
_ENLARGED = frozenset({"radical", "open", "close", "fence", "op", "slash"})
_LARGER, _AROUND = 1.05, 12
_SANS = r"\mathsf{"


#: Signs that are always centred on the axis.
_HANGING = frozenset({"radical", "radpiece", "piece", "fencepiece"})


def is_alphabet(char: str) -> bool:
    """Whether a letter is one of the mathematical alphabets, which stand in formulas only, whatever their font.

    >>> is_alphabet("\U0001d44e"), is_alphabet("a")
    (True, False)
    """
    return "\U0001d400" <= char < "\U0001d800" or char in "\u210e\u210f\u2113"


class Doubt(Exception):
    """Why a formula cannot be read: its picture is kept instead."""


@dataclass(slots=True, eq=False)
class Glyph:
    """A letter of the page.

    ``x0`` and ``x1`` are its advance, ``ink`` what is seen of it, ``base`` its baseline. ``ids`` are its indices
    in the page's text: the pieces of a large bracket are one glyph.
    """

    ids: list[int]
    char: str
    sign: Sign | None
    family: Family
    x0: float
    x1: float
    ink: Box
    base: float
    size: float
    #: Whether its font is used in formulas only.
    maths: bool = field(init=False)
    #: The kind of its sign, empty for a sign without a name.
    kind: str = field(init=False)
    #: Whether it is centred on the axis, so that its origin says nothing about the baseline, once that was asked.
    _floating: bool | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.maths = self.char in GREEK or self.family.maths or is_alphabet(self.char)
        self.kind = self.sign.kind if self.sign is not None else ""

    @property
    def height(self) -> float:
        """The height of its ink in ems."""
        return (self.ink[3] - self.ink[1]) / self.size

    @property
    def floating(self) -> bool:
        """Whether it is centred on the axis, so that its origin says nothing about the baseline."""
        if self._floating is None:
            self._floating = self._is_floating()
        return self._floating

    def _is_floating(self) -> bool:
        kind = self.kind
        if kind in _HANGING or self.family.extension:
            return kind != "accent"
        if kind == "op" and self.maths:
            return True
        least = TALL if self.family.encoding != "UNICODE" else TALL_UNICODE
        return kind in ("open", "close", "fence", "slash") and self.height > least

    @property
    def level(self) -> float:
        """The baseline that it stands for."""
        if self.floating:
            return (self.ink[1] + self.ink[3]) / 2 + AXIS * self.size
        return self.base


def in_text_style(glyphs: Sequence[Glyph]) -> Sequence[Glyph]:
    """The letters of a page; where most of its words have no serifs, neither have its plain digits and names."""
    upright = [glyph for glyph in glyphs if not glyph.maths and glyph.family.encoding != "ITALIC"]
    words = [glyph.family.style for glyph in upright if glyph.char.isalpha()]
    if 2 * words.count("mathsf") <= len(words):
        return glyphs
    return [_plain(glyph) if glyph.family.style == "mathsf" else glyph for glyph in glyphs]


def know_greek(glyphs: Sequence[Glyph]) -> None:
    """Take Greek letters in fonts of words for words where a page's words are Greek, as their accents show."""
    if sum(glyph.char in _ACCENTED for glyph in glyphs) >= _WORDS:
        for glyph in glyphs:
            glyph.maths = glyph.maths and (glyph.char not in GREEK or glyph.family.maths)


def in_known_fonts(glyphs: Sequence[Glyph]) -> Sequence[Glyph]:
    """The letters of a page; plain ones of a font of mathematics without any letter of its alphabets are not known.

    A font of OpenType has its variables in these, one of TeX's that has only its name of mathematics has any sign at
    the place of any letter.
    """
    plain = [at for at, one in enumerate(glyphs) if one.family.encoding == "UNICODE" and _is_plain_letter(one)]
    if not plain or any(one.family.encoding == "UNICODE" and is_alphabet(one.char) for one in glyphs):
        return glyphs
    found = list(glyphs)
    for at in plain:
        found[at] = replace(glyphs[at], sign=None)
    return found


def _is_plain_letter(glyph: Glyph) -> bool:
    return not (glyph.family.painted or glyph.family.web) and glyph.char.isascii() and glyph.char.isalpha()


def in_letters_size(glyphs: Sequence[Glyph]) -> Sequence[Glyph]:
    """The letters of a page; signs that were enlarged for what they hold, in the size of the letters around them.

    TeX has large signs of its own, office programs enlarge the font.
    """
    sizes = Counter(round(glyph.size, 1) for glyph in glyphs)
    usual = max(sizes, key=sizes.__getitem__, default=0.0)
    found = list(glyphs)
    for at, glyph in enumerate(glyphs):
        if glyph.kind in _ENLARGED and glyph.size > _LARGER * usual:
            beside = [one for one in glyphs[max(0, at - _AROUND) : at + _AROUND] if one.kind not in _ENLARGED]
            near = [one.size for one in beside if one.ink[1] < glyph.ink[3] and glyph.ink[1] < one.ink[3]]
            largest = max(near, default=glyph.size)
            if glyph.size > _LARGER * largest:
                found[at] = replace(glyph, size=largest)
    return found


def _plain(glyph: Glyph) -> Glyph:
    sign = glyph.sign
    if sign is not None and sign.latex.startswith(_SANS):
        sign = replace(sign, latex=sign.latex.removeprefix(_SANS).removesuffix("}"))
    return replace(glyph, sign=sign, family=replace(glyph.family, style=""))


@dataclass(slots=True)
class Rule:
    """A level rule of the page; ``at`` is its index."""

    at: int
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def y(self) -> float:
        """Its middle."""
        return (self.y0 + self.y1) / 2


@dataclass(slots=True)
class Stroke:
    """A drawing of the page that is no rule; ``at`` is its index, below 0, ``bar`` where the bar of a root begins."""

    at: int
    x0: float
    y0: float
    x1: float
    y1: float
    bar: float | None = None


@dataclass(slots=True)
class Formula:
    """A formula of the page: its LaTeX, or the reason why there is only its picture.

    ``glyphs`` and ``rules`` are the indices of what it was made of; ``goes_on`` says that its rest stands on the
    next line.
    """

    latex: str
    box: Box
    base: float
    size: float
    display: bool
    reason: str = ""
    glyphs: list[int] = field(default_factory=list)
    rules: list[int] = field(default_factory=list)
    goes_on: bool = False
