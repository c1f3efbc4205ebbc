"""A second look at a round: its numbers in the result picture, and what is unsure where other rounds have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataflow_ext.ocr import OCREngine
from operators.game.cards import look_at_card
from operators.game.memory.places import CardPlace, elsewhere
from operators.game.numbers.closer import look_closer, numbers_in_cells
from operators.game.rounds import Box, CardChange, Found, Light, Look, told
from operators.game.screen import screen
from operators.game.settling import Round, round_of, with_found, with_witness

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: How sure a number is that both pictures show, that two looks at the question give, and that one alone does.
_BOTH, _ONCE, _DISPUTED = 0.96, 0.85, 0.4
#: What was read this surely, be it by a model, needs no other look where others read nothing.
_CLEAR = 0.85
#: How sure a colour is at most that nothing in the other rounds differs from.
_CONSTANT = 0.6
#: From this likeness of its edges on, a card shows the same number in the result, whatever is read there.
_SAME_NUMBER = 0.75

_Numbers = list[int | None]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What other rounds tell of a round's screen: where cards stand, and its light at the place that all share.

    ``constant`` says that no place changes its colour as a light does; ``words`` are the lights that words named.
    """

    cards: CardPlace | None
    light: Found | None = None
    constant: bool = False
    words: frozenset[Light] = frozenset()


@dataclass(frozen=True, slots=True)
class Seen:
    """A round after the second look, with its cards' places, what became of them, and why it is no round at all."""

    made: Round
    cards: Sequence[Box] | None
    marks: Sequence[CardChange] | None
    wrong: str = ""


def look_again(row: Mapping[str, Any], known: Remembered, engine: OCREngine, sure: float) -> Seen:
    """The round with what its result picture, and the places that other rounds have in common, tell of it."""
    question, result = screen(row["question"]), screen(row["result"])
    made = _light(round_of(row), known)
    cards, marks = row["cards"], row["marks"]
    if known.cards is not None and cards is None and made.values["numbers"] is None:
        cards, marks = known.cards.boxes, None
    elif known.cards is not None and cards is not None and elsewhere(cards, known.cards.boxes):
        there = known.cards.boxes
        blank = made.forgotten("numbers", "other rounds have their cards elsewhere")
        blank = blank.forgotten("card", "other rounds have their cards elsewhere")
        found = look_at_card(question, result, there, row["selected"])
        seen = _checked(with_found(blank, "card", found), question, result, there, found.columns["marks"], engine, True)
        if not seen.wrong and seen.made.readings["numbers"].confidence >= sure:
            return seen
    if cards is None:
        return Seen(made, None, None)
    if marks is None or made.readings["card"].confidence < sure:
        found = look_at_card(question, result, cards, row["selected"], closer=True)
        made = with_found(made, "card", found)
    here = known.cards is not None and not elsewhere(cards, known.cards.boxes)
    agreed = here or made.readings["card"].confidence >= sure
    return _checked(made, question, result, cards, marks, engine, agreed)


def _checked(
    made: Round,
    question: Pixels,
    result: Pixels,
    cards: Sequence[Box],
    marks: Sequence[CardChange] | None,
    engine: OCREngine,
    agreed: bool,
) -> Seen:
    """The round with its numbers as both pictures have them on these cards."""
    made, wrong = _numbers(made, question, result, cards, marks, engine, agreed)
    return Seen(made, cards, marks, wrong)


def _light(made: Round, known: Remembered) -> Round:
    """The round's light at the place that its episode's rounds share, and what they tell of one read elsewhere."""
    reading, found = made.readings["light"], known.light
    if reading.by == "words" and len(known.words) > 1:
        return with_witness(made, "light", made.values["light"], "the word is another in other rounds")
    if found is None:
        if reading.by == "colour" and known.constant:
            # It may be the light in all rounds, or a button.
            why = f"{reading.reason}; but no colour changes between the rounds"
            light = made.values["light"]
            return made.seen("light", light, Look("colour", told(light), min(_CONSTANT, reading.confidence), why))
        return made
    if found.value is None:
        # What a model saw is left to the rule; what glows elsewhere is no light.
        return made.noted("light", found.look) if reading.by == "vlm" else made.forgotten("light", found.look.reason)
    return made.seen("light", found.value, found.look) if reading.by == "colour" else with_found(made, "light", found)


def _numbers(
    made: Round,
    question: Pixels,
    result: Pixels,
    cards: Sequence[Box],
    marks: Sequence[CardChange] | None,
    engine: OCREngine,
    agreed: bool,
) -> tuple[Round, str]:
    """The round's numbers after both pictures were read card by card, and why they are of different rounds, if so.

    A number is sure that was read in two ways, such as in its row and in its card's whole part of the row, as these
    miss different digits.
    """
    first: _Numbers = list(made.values["numbers"] or _closer(question, cards, engine))
    after = numbers_in_cells(result, _scaled(cards, question, result), engine)
    before = first if first == after else numbers_in_cells(question, cards, engine)
    confidence, strange = _BOTH, 0
    surely = made.readings["numbers"].confidence
    for card, (number, here, there) in enumerate(zip(first, before, after, strict=True)):
        same = marks is not None and marks[card].alike >= _SAME_NUMBER
        if here is None and there is None and same and surely >= _CLEAR:
            # Nobody else could read it, but it was read surely, and the result shows the same.
            confidence = min(confidence, _ONCE)
        elif number is None or number not in (here, there):
            confidence = 0.0 if number is None else min(confidence, _DISPUTED)
        elif number != there:
            # A mark may hide one number of the result, where the question's is beyond doubt.
            strange += not same
            confidence = min(confidence, _ONCE)
    if strange > 1 and before == first:
        return made, "the result picture shows other numbers than the question"
    if not agreed:
        confidence = min(confidence, made.readings["numbers"].confidence)
    read = "; ".join(" ".join("?" if n is None else str(n) for n in look) for look in (first, before, after))
    reason = f"in their row, and on each card by itself in both pictures: {read}"
    shown = " ".join("?" if n is None else str(n) for n in first)
    value = None if None in first else first
    return made.seen("numbers", value, Look("ocr crop", shown, confidence, reason)), ""


def _closer(question: Pixels, cards: Sequence[Box], engine: OCREngine) -> _Numbers:
    """The numbers on cards whose row was not read."""
    return [None if piece is None else piece.number for piece in look_closer(question, cards, engine)]


def _scaled(cards: Sequence[Box], source: Pixels, target: Pixels) -> list[Box]:
    """The cards' boxes in a picture of another size."""
    x, y = target.shape[1] / source.shape[1], target.shape[0] / source.shape[0]
    return [(x0 * x, y0 * y, x1 * x, y1 * y) for x0, y0, x1, y1 in cards]
