"""The numeric equations that a running text claims, and whether they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from .holding import holds
from .phrases import phrases_in
from .pieces import Stretch
from .scanning import stretches
from .sides import Side, name_only, names_in, sides_of, values_of
from .signs import narrow
from .units import conversion
from .values import Value
from .word_lists import words

#: No more of a text than this is read.
LONGEST_TEXT = 8_000
_MOST_EQUATIONS = 300

_SIGN = re.compile(r"[=≈<>≤≥≠]|\\(?:approx|leq?|geq?|neq?|lt|gt|simeq)(?![A-Za-z])|等于|约为")
_WORD = re.compile(r"\b(?:is|are|equals?|gives|makes)\b|[是为得]")
_COMPUTED = re.compile(
    r"[+*/√%]|\d\s*-|\b(?:plus|minus|times|divided|multiplied|percent|squared|cubed|of|than|between|twice|double|triple)\b|[加减乘除的]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z一-鿿])|\n(?!\s{0,12}(?:&\s{0,6})?(?:[=≈]|\\approx))|(?<=[。!?])(?!\s*[=≈])"
)
#: Sentences with such words may state what is not so, or what would be.
_DOUBTFUL = re.compile(
    r"\b(?:not|n't|wrong|incorrect\w*|false|error|mistake\w*|suppose|assum\w+|if|unless|would|instead|rather|cannot"
    r"|never|impossible|contradict\w*|mod|in base|modulo|binary|hex\w*|mistakenly|claims?|claimed|guess\w*|try|trying"
    r"|isn|doesn|whether|check|should|need|must|want|require\w*)\b"
    r"|\?|错|不对|不是|不等|假设|如果|假如|倘若|是否|若|误|矛盾|进制|应该|需要|要求",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?<!\\)\b(?:about|approximately|approx|around|roughly|nearly|almost|rounded?|rounding)\b|大约|约为|约等于|约是|大概|近似|四舍五入"
)
_SCALE = re.compile(r"\b(?:scale|map|represents?|drawing|model|plan)\b|比例|地图|图上|代表|表示", re.IGNORECASE)
#: Words after which a number or sum is only a part of what is meant.
_BEFORE_DOUBT = frozenset(
    words(
        "of than or to from over per times twice thrice double triple half third quarter square cube root "
        "squared cubed plus minus divided multiplied into log ln negative point nearly hundred thousand "
        "million billion dozen sum difference product average mean remainder percent percentage between by "
        "within under above below beyond option choice version page step no number figure base power ratio"
    )
)
_BEFORE_SIGNS = frozenset(words(". , : ; ( [ = ? ! \" ' “ ” ) - → ∴ ∵ 。 ： （ ， … > *"))
_CHINESE_DOUBT = re.compile(
    r"(?:的|比|和|与|跟|每|约|第|乘以?|除以?|加上?|减去?|倍|分之|根号|负|到|至|从|在|个|方|根|超过|不足)$"
)
_AFTER_DOUBT = frozenset(
    words("hundred thousand million billion dozen times percent half thirds k less more fewer short or remainder")
)


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
    found: list[tuple[int, Equation]] = []
    known: dict[str, list[Value]] = {}
    for start, end in _sentences(plain):
        sentence = plain[start:end]
        if not _SIGN.search(sentence) and not (_WORD.search(sentence) and _COMPUTED.search(sentence)):
            continue
        around = _Around(text[start:end])
        for stretch in stretches(sentence):
            made = islice(_claims(stretch, around, known), _MOST_EQUATIONS - len(found))
            found += [(start + place, claim) for place, claim in made]
            if len(found) >= _MOST_EQUATIONS:
                break
        for place, stop, left, right, held in phrases_in(sentence):
            sure = held is not False or _DOUBTFUL.search(sentence) is None
            claim = Equation(text[start + place : start + stop], left, right, "=", held if sure else None)
            found.append((start + place, claim))
        if len(found) >= _MOST_EQUATIONS:
            break
    return [made for _, made in sorted(found, key=lambda pair: pair[0])]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


class _Around:
    """A sentence as written, and what its words make doubtful; each is looked for once."""

    def __init__(self, written: str) -> None:
        self.written = written

    @cached_property
    def doubtful(self) -> bool:
        return _DOUBTFUL.search(narrow(self.written)) is not None

    @cached_property
    def about(self) -> bool:
        return _ABOUT.search(self.written) is not None

    @cached_property
    def scaled(self) -> bool:
        return _SCALE.search(self.written) is not None

    @cached_property
    def joins(self) -> bool:
        return _JOINS.search(self.written) is not None


def _claims(stretch: Stretch, around: _Around, known: dict[str, list[Value]]) -> Iterator[tuple[int, Equation]]:
    written = around.written
    sides, signs = sides_of(stretch, written)
    for place, sign in enumerate(signs):
        left, right = sides[place], sides[place + 1]
        if left is None or right is None or name_only(left) or name_only(right):
            continue
        names, others = names_in(left), names_in(right)
        if names is None or others is None:
            continue
        used = {*names, *others}
        single = {name: known[name][0] for name in used if len(known.get(name, ())) == 1}
        if len(single) < len(used) or (sign == "is" and left.bare):
            continue
        relation = "=" if sign == "is" else sign
        held = holds(left, relation, right, {name: single[name] for name in sorted(used)} if used else None)
        if held is False and (
            around.doubtful
            or (relation == "=" and around.about and not (left.whole and right.whole))
            or not _sure(stretch, around, place, relation, left, right)
        ):
            held = None
        if held is False and used and (place == 0 or not _signs_between_names(left) or _converted(left, right, single)):
            held = None
        yield left.start, Equation(written[left.start : right.end], left.written, right.written, relation, held)
    _assign(sides, signs, known)


def _sure(stretch: Stretch, around: _Around, place: int, relation: str, left: Side, right: Side) -> bool:
    """Whether the text surely states the relation between these sides and no others."""
    if left.bare and right.bare and relation not in ("<", ">", "≤", "≥"):
        # Two units of one thing, both with more than one: 3 cm = 3.03 m is no scale of a map.
        apart = bool(left.units) and left.units != right.units and not around.scaled
        return apart and not {1.0, -1.0} & {float(value) for side in (left, right) for value in values_of(side)}
    begun = place > 0 or _safe_before(stretch.before, left, around)
    return begun and _safe_after(stretch.after)


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
    return not any(a.isalpha() and b.isalpha() for a, b in pairwise(pieces)) and all(
        len(piece) == 1 for piece in pieces if piece.isalpha()
    )


def _safe_after(after: str) -> bool:
    word = after.split()[0].lower() if after.split() else ""
    return word not in _AFTER_DOUBT and not word.startswith(("万", "亿", "千", "百", "倍", "分之", "余", "多", "\0"))


def _safe_before(before: str, left: Side, around: _Around) -> bool:
    """Whether the left side surely begins where it was found to begin."""
    words = before.split()
    if not words:
        return True
    word = words[-1].lower()
    if left.expression.startswith("-") and word.isalpha():
        return False
    if left.bare and word.isalnum() and word not in _BEFORE and len(left.expression) < 3:
        # "angle 2 = 57°": the number tells which.
        return False
    if word.isalpha() and word.isascii() and word not in _BEFORE and _COUNTER.match(left.expression):
        return False
    if word == "and":
        return not around.joins
    if word.isascii() and word.isalpha():
        return (len(word) > 2 and word not in _BEFORE_DOUBT) or word in _SHORT
    return word in _BEFORE_SIGNS or (not word.isascii() and word.isalpha() and _CHINESE_DOUBT.search(word) is None)


#: A small number that is added to may belong to the word before it: "angle 2 + 30°".
_COUNTER = re.compile(r"\d [-+] ")
#: Words that no number belongs to.
_BEFORE = frozenset(
    words(
        "is are was were be so then thus hence therefore have has had get gets got give gives gave that means "
        "compute calculate computed calculated since because as we obtain obtained obtains find found yields "
        "yield yielded where equals total makes make becomes become namely write note know see with for and "
        "but finally now also simply here which this using adding computing calculating calculation evaluate "
        "evaluates result leaves leaving left needs shows show mean add leave remain only there"
    )
)
_JOINS = re.compile(r"\b(?:between|both|of)\b")
_SHORT = frozenset(["is", "so", "as", "we", "be", "it", "do"])
