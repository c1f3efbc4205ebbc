"""The correct card, told from the evidence at all three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import atan2, degrees, hypot
from typing import Literal, TypeAlias

from operators.game.rounds import CardChange

Mark: TypeAlias = Literal["green", "red", "coloured", "enlarged", "changed", "dimmed", "same"]
Twins: TypeAlias = frozenset[tuple[int, int]]

_WORDS: dict[Mark, str] = {
    "green": "turned green",
    "red": "turned red",
    "coloured": "took another colour",
    "enlarged": "grew",
    "changed": "changed",
    "dimmed": "was dimmed",
    "same": "is as before",
}
_LEFTMOST = "they looked alike in the question, so the leftmost counts"


#: What became of a card that was marked, for whatever reason.
_MARKED: tuple[Mark, ...] = ("coloured", "enlarged", "changed")
#: How sure a mark is that may be one of a picked card; and how many times the colour beside other cards is beside the
#: one that has a mark there.
_PICKED, _BESIDE = 0.7, 3.0
#: The share of a picked card's change that another's is at least, if that is marked, too, without colour.
_AS_MUCH = 0.5
#: So many times the green of one card in another colour on another is its mark rather.
_FAR_MORE = 2.0

#: Angles of a step in colour, in degrees of Lab, that lead to red, and to green; and how long a step has to be.
_RED, _GREEN, _STEP = (-60.0, 80.0), (120.0, 215.0), 3.0


@dataclass(slots=True, frozen=True)
class Bars:
    """From where on a measure counts, in the units of the evidence.

    ``green``, ``red`` and ``other`` are colours gained, ``change`` is the mean change, and ``share`` how much less
    than on the card that has most of it still counts; ``dim`` contrast in relation to the clearest card's,
    ``explained`` the share of a change that fading explains, ``size`` how much larger.
    """

    green: float = 0.25
    red: float = 0.25
    other: float = 0.25
    share: float = 0.15
    change: float = 0.35
    dim: float = 0.8
    explained: float = 0.8
    size: float = 1.04


@dataclass(slots=True, frozen=True)
class Decision:
    """A card or None, how surely, and why in one sentence."""

    card: int | None
    confidence: float
    reason: str


def marks_of(evidence: Sequence[CardChange], bars: Bars) -> list[Mark]:
    """What became of each card, in one word."""
    clearest = min(1.0, max(e.contrast for e in evidence))
    dimmed = [_dimmed(e, clearest, bars) for e in evidence]
    if all(dimmed):  # What all cards went through is no mark; what two did more of may be.
        least_faded = min(e.faded for e in evidence)
        dimmed = [e.faded > least_faded + 0.3 and e.contrast < 0.6 * clearest for e in evidence]
    lit = [e for e, d in zip(evidence, dimmed, strict=True) if not d]
    least = Bars(
        green=max(bars.green, bars.share * max((e.green for e in lit), default=0.0)),
        red=max(bars.red, bars.share * max((e.red for e in lit), default=0.0)),
        other=max(bars.other, bars.share * max((e.other for e in lit), default=0.0)),
        change=max(bars.change, bars.share * max((e.changed for e in lit), default=0.0)),
    )
    marks: list[Mark] = ["dimmed" if d else _mark(e, least) for e, d in zip(evidence, dimmed, strict=True)]
    if "green" in marks:
        return marks
    # A green glow on a red ground is grey: what counts there is the step.
    return [
        "green" if mark in ("enlarged", "changed") and _to_green(e, least) else mark
        for e, mark in zip(evidence, marks, strict=True)
    ]


def _dimmed(e: CardChange, clearest: float, bars: Bars) -> bool:
    """Whether a card went over into the ground, or lost contrast and got no colour."""
    colour = max(e.green, e.red, e.other)
    if 0.15 < e.faded <= 1.0 and e.explained > bars.explained:
        return True
    return _weaker(e) and e.contrast < bars.dim * clearest and colour < max(bars.other, 0.15 * e.changed)


def _mark(e: CardChange, least: Bars) -> Mark:
    if e.green >= least.green and e.green >= max(e.red, 0.5 * e.other):
        return "green"
    if e.red >= least.red and e.red >= 0.5 * e.other:
        # What turns orange on a red ground looks red, but the step there is one to yellow.
        return "red" if _RED[0] <= degrees(atan2(e.toward[1], e.toward[0])) <= _RED[1] else "coloured"
    if e.other >= least.other:
        return "coloured"
    if e.size >= least.size and e.alike > 0.4:
        return "enlarged"
    return "changed" if e.changed >= least.change else "same"


def _to_green(e: CardChange, least: Bars) -> bool:
    way = degrees(atan2(e.toward[1], e.toward[0])) % 360
    return e.changed >= least.change and hypot(*e.toward) >= _STEP and _GREEN[0] <= way <= _GREEN[1]


def decide(evidence: Sequence[CardChange], twins: Twins, selected: int | None, bars: Bars) -> Decision:
    """The correct card; ``twins`` are the pairs of cards that looked alike in the question."""
    marks = marks_of(evidence, bars)
    told = told_marks(marks)
    greens = [i for i, mark in enumerate(marks) if mark == "green"]
    if greens:
        return _by_green(evidence, marks, greens, twins, told)
    reds = [i for i, mark in enumerate(marks) if mark == "red"]
    rest = [i for i in range(3) if i not in reds]
    beside = _with_mark_beside(evidence, rest, bars)
    if all(mark in ("same", "red") for mark in marks) and beside is not None:
        return _by_beside(evidence, beside, selected, told)
    if all(mark == "same" for mark in marks):
        return Decision(None, 0.0, "the cards look the same in both pictures; the result picture marks none")
    unpicked = [i for i in rest if i != selected and marks[i] in _MARKED]
    if selected is not None and len(unpicked) == 1 and marks[selected] in (*_MARKED, "red"):
        # Two cards are marked, and one of them is the player's: the other one is marked for being right, if it is
        # marked as much, as a mark that is no colour may be a shadow of the other.
        as_much = evidence[unpicked[0]].changed >= _AS_MUCH * evidence[selected].changed
        if as_much or marks[unpicked[0]] in ("coloured", "enlarged"):
            return Decision(unpicked[0], 0.85, f"{told}; the player picked card {selected}")
    on_cards = _beside_red(marks, rest, twins, selected, told) if reds else _by_any(evidence, marks, twins, told)
    plain = on_cards.card is not None and marks[on_cards.card] in ("changed", "same")
    if plain and on_cards.card == selected:
        # A picked card may have changed for being picked: green beside another outweighs it, and else other rounds.
        card = beside if beside is not None and evidence[beside].near[0] >= bars.green else on_cards.card
        return Decision(card, min(_PICKED, on_cards.confidence), f"{told}; the player picked card {selected}")
    return on_cards


def _with_mark_beside(evidence: Sequence[CardChange], cards: Sequence[int], bars: Bars) -> int | None:
    """The only one of these cards that has a mark above or below it which is not red."""
    gains = {i: max(evidence[i].near[0], evidence[i].near[2]) for i in cards}
    if not gains:
        return None
    most = max(gains, key=gains.__getitem__)
    others = max((gain for i, gain in gains.items() if i != most), default=0.0)
    plain = evidence[most].near[1] < 0.5 * gains[most]
    return most if gains[most] >= bars.other and gains[most] > _BESIDE * others and plain else None


def _by_beside(evidence: Sequence[CardChange], card: int, selected: int | None, told: str) -> Decision:
    near = evidence[card].near
    what = "green" if near[0] >= near[2] else "coloured"
    sure = what == "green" or card != selected
    return Decision(card, 0.82 if sure else _PICKED, f"{told}; a {what} mark stands above or below card {card}")


def told_marks(marks: Sequence[Mark]) -> str:
    """What became of the cards, in words.

    >>> told_marks(["same", "green", "red"])
    'card 1 turned green, card 2 turned red, card 0 is as before'
    """
    order = sorted(range(len(marks)), key=lambda i: (marks[i] == "same", marks[i] == "red", i))
    return ", ".join(f"card {i} {_WORDS[marks[i]]}" for i in order)


def _by_green(
    evidence: Sequence[CardChange], marks: Sequence[Mark], greens: list[int], twins: Twins, told: str
) -> Decision:
    if len(greens) == 1:
        green = evidence[greens[0]]
        lit = [e.green for e, mark in zip(evidence, marks, strict=True) if mark not in ("green", "red", "dimmed")]
        clear = green.green > 2.0 * max(lit, default=0.0) and green.green > 2.0 * green.red
        coloured = [e.other for e, mark in zip(evidence, marks, strict=True) if mark == "coloured"]
        if max(coloured, default=0.0) > _FAR_MORE * green.green:
            return Decision(greens[0], 0.5, f"{told}, much more than that")
        return Decision(greens[0], 0.97 if clear else 0.75, told)
    if _all_twins(greens, twins):
        return Decision(greens[0], 0.93, f"{told}; {_LEFTMOST}")
    # A glow spreads over its neighbours, but there is most of it where it belongs.
    strongest = max(greens, key=lambda i: evidence[i].green)
    most = evidence[strongest]
    if "coloured" not in marks and all(_spread_from(most, evidence[i]) for i in greens if i != strongest):
        return Decision(strongest, 0.85, f"{told}; card {strongest} by far the most")
    return Decision(None, 0.3, f"more than one card is green: {told}")


def _spread_from(most: CardChange, other: CardChange) -> bool:
    """Whether what another card has of a colour may have come over from the card that has most of it."""
    return most.green > 1.3 * other.green and most.changed > 2.0 * other.changed


def _beside_red(marks: Sequence[Mark], rest: Sequence[int], twins: Twins, selected: int | None, told: str) -> Decision:
    """No card is green, at least one is red: the right one must be marked in some other way."""
    marked = [i for i in rest if marks[i] in ("coloured", "enlarged", "changed")]
    if len(rest) == 2 and len(marked) == 1:
        return Decision(marked[0], 0.85 if selected not in (marked[0],) else 0.7, told)
    coloured = [i for i in marked if marks[i] == "coloured"]
    if len(marked) == 2 and len(coloured) == 1:  # the other changed with the whole screen
        return Decision(coloured[0], 0.82, told)
    plain = [i for i in rest if marks[i] != "dimmed"]
    if len(rest) == 2 and not marked and len(plain) == 1:
        return Decision(plain[0], 0.9, told)
    if len(plain) == 2 and _all_twins(plain, twins) and len({marks[i] for i in plain}) == 1:
        return Decision(plain[0], 0.9, f"{told}; {_LEFTMOST}")
    if len(rest) == 1 and marked:
        return Decision(rest[0], 0.85, told)
    if len(rest) == 2 and not marked:
        return Decision(None, 0.2, f"the right card is not marked: {told}")
    return Decision(None, 0.3, f"no card is marked as the right one: {told}")


def _by_any(evidence: Sequence[CardChange], marks: Sequence[Mark], twins: Twins, told: str) -> Decision:
    """No card is green or red."""
    bright = [i for i in range(3) if marks[i] != "dimmed"]
    if len(bright) == 1:
        return Decision(bright[0], 0.9, told)
    if len(bright) == 2 and _all_twins(bright, twins) and len({marks[i] for i in bright}) == 1:
        return Decision(bright[0], 0.9, f"{told}; {_LEFTMOST}")
    strong = [i for i in bright if marks[i] not in ("changed", "coloured") or not _weaker(evidence[i])]
    if len(strong) == 1:
        return Decision(strong[0], 0.82, f"{told}; the others became weaker")
    left = _left_out(evidence, marks, twins)
    if left is not None:
        return Decision(left, 0.82, f"{told}; the others changed alike and are not equal")
    for kind in ("coloured", "enlarged", "changed"):
        marked = [i for i in range(3) if marks[i] == kind]
        if not marked or any(marks[i] not in ("same", "dimmed") for i in range(3) if i not in marked):
            continue
        if len(marked) == 1:
            return Decision(marked[0], 0.85, told)
        if kind == "coloured" and _all_twins(marked, twins):
            return Decision(marked[0], 0.85, f"{told}; {_LEFTMOST}")
    return Decision(None, 0.3, f"it is not clear which card is marked: {told}")


def _left_out(evidence: Sequence[CardChange], marks: Sequence[Mark], twins: Twins) -> int | None:
    """The card that is as before, if the other two, which are not equal, changed alike and without colour."""
    same = [i for i in range(3) if marks[i] == "same"]
    pair = [i for i in range(3) if marks[i] == "changed"]
    if len(same) != 1 or len(pair) != 2 or _all_twins(pair, twins):
        return None
    one, other = evidence[pair[0]], evidence[pair[1]]
    as_much = max(one.changed, other.changed) < 1.25 * min(one.changed, other.changed)
    as_clear = abs(one.contrast - other.contrast) < 0.1 and abs(one.faded - other.faded) < 0.1
    plain = all(hypot(*e.toward) < _STEP and e.faded > 0.15 for e in (one, other))
    return same[0] if as_much and as_clear and plain else None


def _all_twins(cards: Sequence[int], twins: Twins) -> bool:
    return all(pair in twins for pair in combinations(cards, 2))


def _weaker(e: CardChange) -> bool:
    """Whether a card went over into the ground in part."""
    return 0.25 < e.faded <= 1.0 and e.contrast < 1.0
