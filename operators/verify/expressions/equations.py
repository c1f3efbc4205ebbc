"""The numeric equations that a running text claims, and whether they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .holding import holds
from .phrases import phrases_in
from .scanning import Stretch, stretches
from .sides import Side, name_only, names_in, sides_of, values_of
from .signs import narrow
from .units import conversion
from .values import Value

#: No more of a text than this is read.
LONGEST_TEXT = 20_000
_MOST_EQUATIONS = 300

_ANY = re.compile(
    r"[=≈<>≤≥≠]|\\(?:approx|leq?|geq?|neq?|lt|gt|simeq)(?![A-Za-z])|\b(?:is|are|equals?|gives|makes|approximately)\b"
    r"|等于|约为|约是|[是为得]"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z一-鿿])|\n(?!\s*&?\s*(?:[=≈]|\\approx))|(?<=[。!?])(?!\s*[=≈])")
#: Sentences with such words may state what is not so, or what would be.
_DOUBTFUL = re.compile(
    r"\b(?:not|n't|wrong|incorrect\w*|false|error|mistake\w*|suppose|assum\w+|if|unless|would|instead|rather|cannot|never|"
    r"impossible|contradict\w*|mod|base|modulo|binary|hex\w*|incorrectly|mistakenly|claims?|claimed|guess\w*|try|trying|isn|doesn|"
    r"whether|check|should|need|must|want|require\w*)\b|\?|错|不对|不是|不等|假设|如果|假如|倘若|是否|若|误|矛盾|进制|应该|需要|要求",
    re.IGNORECASE,
)
#: Words after which a number or sum is only a part of what is meant.
_BEFORE_DOUBT = frozenset(
    "of than or to from over per times twice thrice double triple half third quarter square cube root squared cubed plus "
    "minus divided multiplied into log ln negative point nearly hundred thousand million billion dozen sum difference "
    "product average mean remainder percent percentage between by within under above below beyond option choice "
    "version page step no number figure base power ratio".split()
)
_BEFORE_SIGNS = frozenset(". , : ; ( [ = ? ! \" ' “ ” ) - → ∴ ∵ 。 ： （ ， … > *".split())
_CHINESE_DOUBT = re.compile(r"(?:的|比|和|与|跟|每|约|第|乘以?|除以?|加上?|减去?|倍|分之|根号|负|到|至|从|在|个|方|根|超过|不足)$")
_AFTER_DOUBT = frozenset("hundred thousand million billion dozen times percent half thirds k less more fewer short or remainder".split())


@dataclass(frozen=True, slots=True)
class Equation:
    """A claim that two sides are equal, about equal or ordered, as written, and whether it holds (None: not sure)."""

    text: str
    left: str
    right: str
    relation: str
    holds: bool | None


def equations_in(text: str) -> list[Equation]:
    """The numeric equations and comparisons that a text claims, in its order; a chain a = b = c gives its pairs.

    Units are left out of account, results may be rounded as written, names are replaced where the text gives them
    one value each ("m = 6 kg, g = 9.8"). What has an unknown name, or is a name alone ("T = 58.8"), is not listed.
    ``holds`` is False only where nothing else explains the gap; sentences with "if", "not" or a question give
    None instead.

    >>> [(e.left, e.right, e.holds) for e in equations_in("So T = 6kg * 9.8 m/s² = 58.8 N, and 3 + 4 = 8.")]
    [('6kg * 9.8 m/s²', '58.8 N', True), ('3 + 4', '8', False)]
    """
    text = text[:LONGEST_TEXT]
    plain = narrow(text)
    if not _ANY.search(plain):
        return []
    found: list[tuple[int, Equation]] = []
    known: dict[str, list[Value]] = {}
    for start, end in _sentences(plain):
        sentence = plain[start:end]
        if not _ANY.search(sentence):
            continue
        doubtful = _DOUBTFUL.search(sentence) is not None
        for stretch in stretches(sentence):
            found += [(start + place, made) for place, made in _claims(stretch, text[start:end], doubtful, known)]
        found += [
            (start + place, Equation(text[start + place : start + stop], left, right, "=", None if doubtful and not held else held))
            for place, stop, left, right, held in phrases_in(sentence)
        ]
        if len(found) > _MOST_EQUATIONS:
            break
    return [made for _, made in sorted(found, key=lambda pair: pair[0])]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _claims(
    stretch: Stretch, written: str, doubtful: bool, known: dict[str, list[Value]]
) -> Iterator[tuple[int, Equation]]:
    sides, signs = sides_of(stretch, written)
    safe = not doubtful and _safe_after(stretch.after)
    single = {name: values[0] for name, values in known.items() if len(values) == 1}
    for place, sign in enumerate(signs):
        left, right = sides[place], sides[place + 1]
        if left is None or right is None or name_only(left) or name_only(right):
            continue
        names, others = names_in(left), names_in(right)
        if names is None or others is None:
            continue
        used = {*names, *others}
        if not used <= single.keys() or (sign == "is" and left.bare):
            continue
        relation = "=" if sign == "is" else sign
        held = holds(left, relation, right, {name: single[name] for name in sorted(used)} if used else None)
        sure = safe and (place > 0 or _safe_before(stretch.before, left, written))
        if used:
            sure = sure and place > 0 and _signs_between_names(left) and not _converted(left, right, single)
        if left.bare and right.bare:
            sure = sure and relation in ("<", ">", "≤", "≥")
        if held is False and not sure:
            held = None
        yield left.start, Equation(written[left.start : right.end], left.written, right.written, relation, held)
    _assign(sides, signs, known)


def _assign(sides: list[Side | None], signs: list[str], known: dict[str, list[Value]]) -> None:
    """Keep the value that the text gives a name: one number right after its sign."""
    for place, sign in enumerate(signs):
        left, right = sides[place], sides[place + 1]
        name = name_only(left) if left is not None else None
        if name is None or right is None or sign != "=":
            continue
        given = known.setdefault(name, [])
        values = values_of(right) if right.bare else ()
        value: Value = values[0] if values else float("nan")
        if value not in given:
            given.append(value)


def _converted(left: Side, right: Side, names: dict[str, Value]) -> bool:
    pairs = [(a, b) for a in values_of(left, names) for b in values_of(right, names)]
    return any(conversion(float(a), float(b)) for a, b in pairs)


def _signs_between_names(side: Side) -> bool:
    # "AB" is the name of a line as often as A times B.
    pieces = side.expression.split()
    return not any(a.isalpha() and b.isalpha() for a, b in zip(pieces, pieces[1:], strict=False)) and all(
        len(piece) == 1 for piece in pieces if piece.isalpha()
    )


def _safe_after(after: str) -> bool:
    word = after.split()[0].lower() if after.split() else ""
    return word not in _AFTER_DOUBT and not word.startswith(("万", "亿", "千", "百", "倍", "分之", "余", "多", "\0"))


def _safe_before(before: str, left: Side, sentence: str) -> bool:
    """Whether the left side surely begins where it was found to begin."""
    words = before.split()
    if not words:
        return True
    word = words[-1].lower()
    if left.expression.startswith("-") and word.isalpha():
        return False
    if word == "and":
        return _JOINS.search(sentence) is None
    if word.isascii() and word.isalpha():
        return len(word) > 2 and word not in _BEFORE_DOUBT or word in _SHORT
    return word in _BEFORE_SIGNS or (not word.isascii() and word.isalpha() and _CHINESE_DOUBT.search(word) is None)


_JOINS = re.compile(r"\b(?:between|both|of)\b")
_SHORT = frozenset("is so as we be it do".split())
