"""What stands on each side of a relation in running text: its expression, its units, and the values it may have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .evaluation import Mode, has_sign, value_of
from .parser import parse
from .pieces import Item, Stretch
from .reading import Program, Reading
from .units import SCALES, plain_unit
from .values import Value

_BARE = re.compile(
    r"[-+]?\s*(?P<number>[\d,. ]+?)(?:[eE](?P<e>[+-]?\d+)"
    r"|\s\*\s10\s\^\s(?:\{\s)?(?P<sign>-\s)?(?P<power>\d+)(?:\s\})?|\s\*\s10\s(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]+))?(?:\s[%°])?"
)
#: Decimals that are not shares of one half or quarter, which are hardly ever rounded.
_DECIMAL = re.compile(r"(?<![\d.])(?!0\.(?:5|25|75|125)(?!\d))\d[\d,]*\.(\d+)(?!\d)")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
#: Powers of ten that floats hold, whatever is done with two of them; larger values count as not known.
_LARGEST = 150
#: Relations of one chain that are looked at.
MOST_CHAINED = 100
_SCALED = re.compile(r"[*/^√(\\]")
_TRIGONOMETRIC = re.compile(r"sin|cos|tan|cot|sec|csc")


@dataclass(frozen=True, slots=True)
class Side:
    """One side: its text as written, the expression without units, the units, and what is left out of account."""

    written: str
    expression: str
    units: tuple[str, ...]
    tight_unit: bool
    scaled: bool
    labels: tuple[str, ...]
    whole: bool
    start: int
    end: int

    @property
    def bare(self) -> bool:
        """Whether the side is one number and no more."""
        return _BARE.fullmatch(self.expression) is not None

    @property
    def added(self) -> bool:
        """Whether something is added or taken away in it."""
        return " + " in self.expression or " - " in self.expression

    @property
    def step(self) -> float | None:
        """The worth of one in the last digit of a bare number: 0.01 for 3.14, 100 for 2.5e3."""
        match = _BARE.fullmatch(self.expression)
        if match is None:
            return None
        _, _, part = match.group("number").strip().partition(".")
        power = match.group("e") or match.group("power") or (match.group("raised") or "0").translate(_RAISED)
        power_of = int(power) * (-1 if match.group("sign") else 1) if len(power) < 5 else 0
        return float(10.0 ** max(-_LARGEST, min(_LARGEST, power_of - len(part))))

    def significant_step(self) -> float:
        """The worth of one in the last digit that is not a trailing zero: 10 for 60, 1 for 61; 0 if not bare."""
        step = self.step
        if step is None:
            return 0.0
        digits = re.sub(r"[^\d.]", "", self.expression)
        if "." in digits or " * " in self.expression or not digits.strip("0"):
            return step
        return step * 10.0 ** min(_LARGEST, len(digits) - len(digits.rstrip("0")))

    def blur(self, value: float) -> float:
        """How far the side's value may be off because the decimals in it have been rounded, all told."""
        written = list(_DECIMAL.finditer(self.expression))
        if not _SCALED.search(self.expression):
            return sum(0.5 * 10.0 ** -len(match.group(1)) for match in written)
        return abs(value) * sum(_share(match) for match in written)


def _share(match: re.Match[str]) -> float:
    value = float(match.group().replace(",", ""))
    return min(0.05, 0.5 * 10.0 ** -len(match.group(1)) / value) if value else 0.05


def sides_of(stretch: Stretch, text: str) -> tuple[list[Side | None], list[str]]:
    """The sides of a stretch and the relations between them; None for a side that is no whole expression."""
    groups: list[list[Item]] = [[]]
    signs: list[str] = []
    for item in stretch.items:
        if item.kind == "relation":
            signs.append(item.text)
            groups.append([])
        else:
            groups[-1].append(item)
    groups, signs = groups[: MOST_CHAINED + 1], signs[:MOST_CHAINED]
    groups[0] = _undashed(_opened(groups[0]))
    groups[-1] = _closed(groups[-1])
    return [_side(group, text) for group in groups], signs


def _undashed(items: list[Item]) -> list[Item]:
    # "- 5 + 8": a dash before a line or after a word, no sign.
    dashed = len(items) > 1 and items[0].text == "-" and items[1].start > items[0].end
    return items[1:] if dashed else items


def _opened(items: list[Item]) -> list[Item]:
    depth = 0
    for place in range(len(items) - 1, -1, -1):
        if items[place].text in (")", "]", "}"):
            depth += 1
        elif items[place].text in ("(", "[", "{"):
            depth -= 1
            if depth < 0:
                return items[place + 1 :]
    return items


def _closed(items: list[Item]) -> list[Item]:
    depth = 0
    for place, item in enumerate(items):
        if item.text in ("(", "[", "{"):
            depth += 1
        elif item.text in (")", "]", "}"):
            depth -= 1
            if depth < 0:
                return items[:place]
    return items


def _side(items: list[Item], text: str) -> Side | None:
    if not items or items[0].kind in ("unit", "postfix", "close") or items[0].text in ("*", "/", "^", "+"):
        return None
    if items[-1].kind in ("operator", "function", "open") and items[-1].text != "|":
        return None
    kept = [item.text for item in items if item.kind not in ("unit", "label")]
    units = [item.text for item in items if item.kind == "unit"]
    labels = {item.text.lower() for item in items if item.kind == "label"}
    expression = " ".join(kept)
    return Side(
        written=text[items[0].start : items[-1].end].strip(),
        expression=expression,
        units=tuple(plain_unit(unit.lstrip("'")) for unit in units),
        tight_unit=any(unit.startswith("'") for unit in units),
        labels=tuple(_last_labels(items)),
        scaled=not labels.isdisjoint(SCALES),
        whole=all(item.isdecimal() or item in "+-*()" or item == "^" for item in kept),
        start=items[0].start,
        end=items[-1].end,
    )


def _last_labels(items: list[Item]) -> Iterator[str]:
    """What is counted: the last of the words that follow a number, without the plural's s."""
    for place, item in enumerate(items):
        if item.kind == "label" and (place + 1 == len(items) or items[place + 1].kind != "label"):
            yield item.text.lower().rstrip("s")


def name_only(side: Side) -> str | None:
    """The name that a side is, if it is a name and nothing else."""
    program = _program(side.expression)
    if program is None or len(program.steps) != 1 or program.steps[0][0] not in ("name", "constant"):
        return None
    return str(program.steps[0][1])


def names_in(side: Side) -> tuple[str, ...] | None:
    """The names in a side, with e and i, which are more often names than numbers; None if it is no expression."""
    program = _program(side.expression)
    if program is None:
        return None
    constants = [str(step[1]) for step in program.steps if step[0] == "constant" and step[1] != "pi"]
    return (*program.names, *constants)


def values_of(side: Side, names: Mapping[str, Value] | None = None) -> Sequence[float]:
    """The values that the side may have: with its percent signs and without, angles in degrees and in radians."""
    if not names:
        return _values(side.expression, ())
    return _values(side.expression, tuple(sorted(names.items())))


@lru_cache(maxsize=2048)
def _values(expression: str, names: tuple[tuple[str, Value], ...]) -> tuple[float, ...]:
    texts = [expression]
    if "%" in expression:
        texts.append(expression.replace("%", ""))
    if expression.endswith("!"):
        texts.append(expression.rstrip("! "))
    modes = [Mode(degrees=True)]
    if _TRIGONOMETRIC.search(expression):
        modes.append(Mode())
    if "log" in expression:
        modes.append(Mode(natural=True))
    found: list[float] = []
    for text in texts:
        for program in _programs(text):
            for mode in modes:
                value = value_of(program, dict(names), mode)
                if value is None or isinstance(value, complex) or abs(value) > 10**_LARGEST:
                    continue
                if value not in found:
                    # Exact numbers are kept: they compare with floats as they are.
                    found.append(value)  # type: ignore[arg-type]
    return tuple(found)


def _programs(text: str) -> list[Program]:
    program = parse(text)
    if program is None or has_sign(program):
        return []
    made = [program]
    if program.tight_matters:
        made += [other for other in [parse(text, Reading(tight=True))] if other is not None]
    if program.mixed_matters:
        made += [other for other in [parse(text, Reading(mixed=False))] if other is not None]
    return made


def _program(text: str) -> Program | None:
    return parse(text)
