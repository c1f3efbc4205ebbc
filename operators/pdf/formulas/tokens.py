"""The words, numbers and signs of a line, each with its scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import AXIS, GREEK, Box, Glyph
from operators.pdf.formulas.page_lines import SMALL, TextLine, Unit
from operators.pdf.formulas.signs import dressed, names, short_words


@dataclass(slots=True)
class Token:
    """A word, a number or a sign of a line, with its scripts: letters ``first`` to ``last``.

    ``kind`` is ``maths, number, open, close, relation, operator, mark, name, letter, word, dots`` or ``other``.
    """

    kind: str
    first: int
    last: int
    x0: float
    x1: float
    text: str
    sign: str = ""
    ink: list[Box] = field(default_factory=list)
    italic: bool = False
    bold: bool = False
    sans: bool = False
    strange: bool = False
    code: bool = False
    #: Whether a browser embedded its font: pdfium gives its ink for its advance, and italics lean out.
    web: bool = False
    #: Whether it leans out of its advance, of which only its ink is known: words may be further from it than they seem.
    leans: tuple[bool, bool] = (False, False)


def tokens_of(line: TextLine, italics: bool = True, proven: bool = True, sans: bool = False) -> list[Token]:
    """The words and signs of a line, each with its scripts.

    ``italics`` says that the variables of formulas may be in the italics of the text, ``proven`` that other signs of
    formulas stand on the page, so that an italic letter by itself is one, ``sans`` that one without serifs is, too.
    """
    tokens: list[Token] = []
    waiting: list[Unit] = []
    for at, unit in enumerate(line.units):
        raised = _is_script(unit, line) or (bool(tokens) and _is_prime(unit, tokens[-1]))
        accent = unit.anchor is not None and raised and _is_script(unit.anchor, line)
        if (unit.anchor is not None and not accent) or (
            raised and (not tokens or _is_before(line, at + accent, tokens[-1], waiting))
        ):
            waiting.append(unit)
        elif raised:
            last = tokens[-1]
            last.last, last.x1 = unit.last, max(last.x1, unit.x1)
            last.ink.append(unit.ink)
            last.leans = last.leans[0], unit.x1 >= last.x1 and unit.leans()[1]
            variable = italics and last.italic and len(last.text) <= 2
            powered = italics and proven and len(last.text) == 1 and _is_italic(unit)
            mark = last.kind == "word" and len(last.text) > 2 and unit.glyph is not None and _is_mark(unit.glyph)
            own = unit.maths or variable or powered or _is_lowered(line, at)
            if (own or last.kind in ("number", "close", "letter", "name")) and not mark:
                last.kind = "maths" if last.kind != "name" or unit.maths else "name"
        else:
            token = _token(unit)
            if waiting and _is_label(line, at, waiting):
                tokens += [_token(one) for one in waiting]
            elif waiting:
                token.first, token.kind = waiting[0].first, "maths"
                token.x0 = min([token.x0, *(one.x0 for one in waiting if one.anchor is None)])
                token.ink += [one.ink for one in waiting]
            waiting = []
            if tokens and tokens[-1].sign == "accent" and _stands_on(tokens[-1], token, italics):
                _merge(tokens[-1], token)
                tokens[-1].kind, tokens[-1].sign, tokens[-1].text = "maths", "", "x"
            elif tokens and _overlaps(tokens[-1], token, line.size):
                _merge(tokens[-1], token)
                tokens[-1].kind, tokens[-1].sign, tokens[-1].text = "maths", "rel", ""
            elif tokens and _goes_on(tokens[-1], token, line.size):
                _merge(tokens[-1], token)
            else:
                tokens.append(token)
    if waiting and tokens:
        tokens[-1].last = waiting[-1].last
    tokens = _with_dots(_with_decimals(tokens, line.size), line.size)
    _promote(tokens, italics, proven, sans)
    for token in tokens:
        if token.kind == "word" and len(token.text) > 1 and token.text in names():
            token.kind = "name" if len(token.ink) == 1 else "maths"
        elif token.kind == "word" and len(token.text) == 1 and not _is_wide(token.text):
            token.kind = "letter"
    return tokens


def _is_before(line: TextLine, at: int, last: Token, waiting: Sequence[Unit]) -> bool:
    """Whether a script behind a word's space touches the sign of a formula that follows it: it stands to its left."""
    unit = line.units[min(at, len(line.units) - 1)]
    if waiting and waiting[-1].last == unit.first - 1:
        return True
    before = line.units[at - 1]
    if _is_script(before, line) and before.glyph is not None and before.glyph.kind in ("rel", "bin", "open"):
        return False  # no script ends so
    if unit.x0 - last.x1 < _SPACE * line.size:
        return False
    end = next((k for k, one in enumerate(line.units[at + 1 : at + 6], at + 1) if not _is_script(one, line)), None)
    if end is None:
        return False
    base = line.units[end]
    if last.kind not in ("word", "other") or not unit.maths:  # nothing but a left script is so far from what is before
        right = max(one.x1 for one in line.units[at:end])
        return (base.maths or _is_isotope(line, at, end)) and _near(right, base, 0.1 * line.size)
    if _is_isotope(line, at, end):
        return _near(max(one.x1 for one in line.units[at:end]), base, 0.1 * line.size)
    return (base.maths or _is_italic(base)) and _near(unit.x1, base, 0.5 * line.size)


def _is_isotope(line: TextLine, at: int, end: int) -> bool:
    """Whether numbers over each other stand before an upright capital, as the two of an isotope do."""
    levels = [one.level - line.level for one in line.units[at:end]]
    glyph = line.units[end].glyph
    return glyph is not None and glyph.char.isupper() and min(levels) < 0 < max(levels)


def _is_label(line: TextLine, at: int, waiting: Sequence[Unit]) -> bool:
    """Whether small letters before a word are the number of an item or of a note, and not those of an isotope."""
    own = [*waiting, line.units[at]]
    worded = all(one.glyph is not None and not one.maths and one.anchor is None for one in own)
    return worded and not _is_italic(own[-1]) and not _is_isotope(line, at - len(waiting), at)


def _near(end: float, base: Unit, reach: float) -> bool:
    return -reach < base.x0 - end < reach


def _overlaps(last: Token, token: Token, size: float) -> bool:
    """Whether two signs are set over each other to be one."""
    if len(last.ink) > 1 or last.last != token.first - 1:
        return False
    if last.sign == "not":
        return token.kind in ("maths", "relation")
    if (last.kind != "maths" and last.text != "/") or token.kind != "maths":
        return False
    return token.x0 - last.x1 < -0.35 * size and "rel" in (last.sign, token.sign)


def _is_code(unit: Unit) -> bool:
    return unit.glyph is not None and unit.glyph.family.style == "mathtt" and not unit.maths


def _is_script(unit: Unit, line: TextLine) -> bool:
    if _is_code(unit):
        return False
    if unit.floating:
        return abs(unit.axis - (line.level - AXIS * line.size)) > 0.2 * line.size
    off = abs(unit.level - line.level)
    return off > _ON_LINE * line.size and (unit.size < SMALL * line.size or off > 0.2 * line.size)


def _is_lowered(line: TextLine, at: int) -> bool:
    """Whether a unit is the first of a few small letters below the line, which texts do not have."""
    unit, following = line.units[at], line.units[at : at + _FEW]
    run = next((k for k, one in enumerate(following) if not _is_script(one, line)), len(following))
    low = unit.size < SMALL * line.size and unit.level > line.level + 0.05 * line.size
    return low and run < _FEW and unit.glyph is not None and unit.glyph.char.isalpha()


def _is_prime(unit: Unit, last: Token) -> bool:
    """Whether a unit is the prime of a variable, which office programs write in full size."""
    near = unit.x0 - last.x1 < 0.3 * unit.size and (last.italic or last.kind == "maths")
    return near and unit.glyph is not None and unit.glyph.kind == "prime" and unit.glyph.char != "'"


#: Small letters that are no further from the baseline, in ems, stand on it.
_ON_LINE = 0.01
#: Words of so many small letters are words of a text.
_FEW = 8
#: Raised behind a word, these point to a note.
_MARKS = ",*∗†‡§¶"
_KINDS = {"/": "mark", "!": "mark", "'": "mark", "•": "other", "\\": "operator"}
#: Some fonts of formulas leave these to the font of the text.
_SIGNS = {"rel": "relation", "bin": "operator", "open": "open", "close": "close"}


def _token(unit: Unit) -> Token:
    glyph = unit.glyph
    char = glyph.char if glyph is not None else ""
    sign = glyph.kind if glyph is not None else ""
    if unit.maths or glyph is None:
        kind = "maths" if unit.maths else "other"
    elif _is_code(unit):  # its signs are none of formulas
        kind = "word" if char.isalnum() else "other"
    elif (char.isdigit() and char.isascii()) or char == "∞":
        kind = "number"
    elif char in _KINDS:
        kind = _KINDS[char]
    elif sign in _SIGNS and char not in ":?*":
        kind = _SIGNS[sign]
    elif char.isalpha():
        kind = "word"
    else:
        kind = "other"
    if unit.maths and glyph is not None and glyph.sign is not None and sign in ("open", "close"):
        char = glyph.sign.latex.removeprefix("\\")  # some fonts have brackets at the places of other signs
    bold = glyph is not None and glyph.family.style == "mathbf"
    sans = glyph is not None and glyph.family.style == "mathsf" and glyph.family.encoding != "ITALIC"
    strange = glyph is not None and glyph.family.encoding == "STRANGE"
    own, italic, code = [unit.ink], _is_italic(unit), _is_code(unit)
    web = glyph is not None and glyph.family.web
    places = unit.first, unit.last, unit.x0, unit.x1
    return Token(kind, *places, char, sign, own, italic, bold, sans, strange, code, web, unit.leans())


def _is_mark(glyph: Glyph) -> bool:
    """Whether a raised letter behind a word points to a note: a sign for that, or one of an unknown font."""
    return glyph.char in _MARKS or glyph.family.encoding == "STRANGE"


def _is_italic(unit: Unit) -> bool:
    return unit.glyph is not None and unit.glyph.family.encoding == "ITALIC"


def _with_decimals(tokens: Sequence[Token], size: float) -> list[Token]:
    """The tokens with numbers as one that have a point or a comma inside."""
    found: list[Token] = []
    for token in tokens:
        if (
            len(found) > 1
            and found[-1].text in (".", ",")
            and found[-1].kind == "other"
            and found[-2].kind == "number"
            and (token.kind == "number" or (token.kind == "maths" and token.text[:1].isdigit()))
            and len(found[-2].ink) == 1
            and found[-1].x0 - found[-2].x1 < 0.1 * size
            and token.x0 - found[-1].x1 < 0.1 * size
        ):
            point, whole = found.pop(), found.pop()
            token.first, token.x0, token.text = whole.first, whole.x0, f"{whole.text}{point.text}{token.text}"
            token.ink = [union([whole.ink[0], token.ink[0]]), *token.ink[1:]]
        found.append(token)
    return found


def _with_dots(tokens: Sequence[Token], size: float) -> list[Token]:
    """The tokens with three points of the text's font, thin spaces apart, as one."""
    found: list[Token] = []
    for token in tokens:
        found.append(token)
        dots = found[-3:]
        if len(dots) == 3 and all(dot.text == "." and dot.kind == "other" for dot in dots):
            gaps = [dots[1].x0 - dots[0].x1, dots[2].x0 - dots[1].x1]
            if max(gaps) < 0.3 * size and abs(gaps[0] - gaps[1]) < 0.05 * size:
                box = union(ink for dot in dots for ink in dot.ink)
                found[-3:] = [Token("dots", dots[0].first, token.last, dots[0].x0, token.x1, "...", "", [box])]
    return found


#: A thin space behind the name of a function is wider, in ems, than what is between the letters of a word.
_NAMED = 0.06
#: A space between words is at least so wide, in ems.
_SPACE = 0.18
#: Words of one letter.
_ARTICLES = "aAIOyeo"


def _is_variable(text: str) -> bool:
    """Whether italic letters can be variables: one, or the capitals that name points. Short words are none."""
    single = len(text) == 1 and (text.isascii() or text in GREEK or dressed(text) != text)
    return single or (len(text) <= 3 and text.isupper())


def _promote(tokens: Sequence[Token], italics: bool, proven: bool, sans: bool) -> None:
    """Take single italic or bold letters between other words for variables."""
    for at, token in enumerate(tokens):
        beside = [tokens[k] for k in (at - 1, at + 1) if 0 <= k < len(tokens)]
        if token.kind != "word":
            continue
        if token.italic and _is_variable(token.text):
            prose = any(other.kind == "word" and other.italic and len(other.text) > 1 for other in beside)
            worded = prose and (len(token.text) > 1 or token.text in _ARTICLES)
            if italics and proven and len(tokens) > 1 and not worded:
                token.kind = "maths"
        elif token.bold and len(token.text) == 1 and at > 0 and not any(b.bold for b in beside):
            token.kind = "maths" if not _is_ticked(tokens, at) else "word"
        elif (
            sans
            and token.sans
            and len(token.text) == 1
            and at > 0
            and not any(b.sans and b.text.isalpha() for b in beside)
        ):
            token.kind = "maths"  # the words of a page without serifs are not known as such
        small = token.text[:1].lower() + token.text[1:]
        token.italic = token.italic and italics and (small not in short_words() or _is_added(beside))


def _is_added(beside: Sequence[Token]) -> bool:
    """Whether a relation or an operator stands on both sides."""
    signs = ("relation", "operator")
    return len(beside) == 2 and all(one.kind in signs or one.sign in ("rel", "bin") for one in beside)


def _is_ticked(tokens: Sequence[Token], at: int) -> bool:
    """Whether a letter stands behind a sign that is no relation, a word's space off, as answers behind a box do."""
    return tokens[at - 1].sign == "ord" and tokens[at].x0 - tokens[at - 1].x1 > _SPACE * _height(tokens[at])


def _height(token: Token) -> float:
    """About the size of a capital's font."""
    return (token.ink[0][3] - token.ink[0][1]) / 0.7


def _stands_on(accent: Token, token: Token, italics: bool) -> bool:
    """Whether an accent of the text's font belongs to a variable: it stands over an italic letter by itself."""
    middle = (token.ink[0][0] + token.ink[0][2]) / 2
    slack = 0.6 * (accent.ink[0][2] - accent.ink[0][0])
    over = accent.ink[0][0] - slack < middle < accent.ink[0][2] + slack and accent.ink[0][3] < token.ink[0][3]
    dressed = (italics and token.italic) or (accent.kind == "maths" and token.kind == "number")
    return over and (token.kind == "maths" or (dressed and len(token.text) == 1))


def _goes_on(last: Token, token: Token, size: float) -> bool:
    gap = (token.x0 - last.x1) / size
    if last.last != token.first - 1 or len(last.ink) > 1:
        return False
    # Letters of a ligature share their place.
    gap = 0.0 if last.kind == token.kind == "word" and abs(last.x1 - token.x1) < 0.05 * size else gap
    if last.kind == token.kind == "word":
        if last.text in names() and gap > _NAMED:
            return False  # the name of another function follows
        return (
            last.italic == token.italic
            and -0.2 < gap < 0.14
            and not _is_wide(last.text[-1])
            and not _is_wide(token.text[0])
        )
    return last.kind == token.kind == "number" and -0.2 < gap < 0.1


def _is_wide(char: str) -> bool:
    return char >= "\u2e80"


def _merge(last: Token, token: Token) -> None:
    last.last, last.x1, last.text = token.last, token.x1, last.text + token.text
    last.ink[0] = union([last.ink[0], token.ink[0]])
