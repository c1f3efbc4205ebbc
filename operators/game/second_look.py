"""A second look at a round: its numbers in the result picture, and what is unsure where other rounds have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from dataflow_ext.ocr import OCREngine
from operators.game.cards import look_at_card
from operators.game.cards.episode import CardPlace, Likeness, Marked, elsewhere, same_cards
from operators.game.numbers.digits import numbers_by_ink, numbers_in_cells
from operators.game.rounds import Box, CardChange, Found, Light, Look, screen, told
from operators.game.settling import Round, round_of, with_found

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: How sure the text is that an engine finds in a card's part of the row.
_CLEAR = 0.9
#: How sure a colour is at most that nothing in the other rounds differs from.
_CONSTANT = 0.6
#: From this likeness of its edges on, a card shows the same number in the result, whatever is read there.
_SAME_NUMBER = 0.75

#: How sure a card is that is marked as the right ones of other rounds are; one that is not; and one where the player
#: had picked all that are marked so.
_LIKE_OTHERS, _UNLIKE, _PICKED = 0.92, 0.5, 0.7
_WHY = "of {} rounds it is marked as the right cards are"
#: How sure a word is that other rounds have words, too.
_BORNE_OUT = 0.9

_Scored = Sequence[tuple[int | None, float]]

#: How sure a number is that two ways agree on in both pictures; that they do though one reading differs; that is seen
#: but once, in one picture or in one way; and that is disputed.
_BOTH, _MOST, _ONCE, _DISPUTED = 0.96, 0.9, 0.85, 0.4
#: From which score on a reading speaks against others, and stands by itself.
_SPEAKS, _STANDS = 0.5, 0.85


@dataclass(frozen=True, slots=True)
class Remembered:
    """What other rounds tell of a round's screen: where cards stand, and its light at the place that all share.

    ``constant`` says that no place changes its colour as a light does; ``words`` are the lights that words named, and
    ``witnesses`` is what tells this round's light beside its colour, if that was asked.
    """

    cards: CardPlace | None
    light: Found | None = None
    constant: bool = False
    words: Collection[Light] = ()
    witnesses: Found | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """A round after the second look: its cards' places, what became of them, and which one the player picked.

    ``wrong`` says why it is no round at all.
    """

    made: Round
    cards: Sequence[Box] | None
    marks: Sequence[CardChange] | None
    picked: int | None
    wrong: str = ""

    def marked(self) -> Marked:
        """Its marks, with the card that a look at the round alone gave."""
        reading = self.made.readings["card"]
        return Marked(self.marks or (), self.picked, self.made.values["card"], reading.confidence)

    def compared(self, like: Likeness, rounds: int, sure: float) -> Seen:
        """The round after its marks were compared with those of others."""
        card, reading = self.made.values["card"], self.made.readings["card"]
        if like.clear and like.card == card:
            look = Look("episode", told(card), max(_LIKE_OTHERS, reading.confidence), _WHY.format(rounds))
        elif like.clear:
            surely = _PICKED if like.picked else _LIKE_OTHERS
            look = Look("episode", told(like.card), surely, _WHY.format(rounds))
        elif like.card != card and reading.confidence >= sure:
            why = f"in {rounds} rounds card {like.card} rather changed as right cards do: {reading.reason}"
            return replace(self, made=self.made.seen("card", card, Look("episode", told(card), _UNLIKE, why)))
        elif reading.confidence > _PICKED:
            # What the other rounds do not bear out is for the rule to settle.
            look = Look("episode", told(card), _PICKED, f"other cards of {rounds} rounds may be marked alike")
        else:
            return self
        return replace(self, made=self.made.seen("card", like.card, look))

    def value(self, column: str) -> Any:
        """What stands in an output column."""
        if column == "cards":
            return self.cards
        field = column.removesuffix("_read")
        return self.made.values[field] if field == column else self.made.readings[field]


def look_again(row: Mapping[str, Any], known: Remembered, engine: OCREngine, sure: float) -> Seen:
    """The round with what its result picture, and the places that other rounds have in common, tell of it."""
    question, result = screen(row["question"]), screen(row["result"])

    def checked(made: Round, cards: Sequence[Box], marks: Sequence[CardChange] | None, agreed: bool) -> Seen:
        """The round with its numbers as both pictures have them on these cards."""
        read, wrong = _numbers(made, question, result, cards, marks, engine, agreed)
        return Seen(read, cards, marks, row["selected"], wrong)

    made = _light(round_of(row), known)
    cards, marks = row["cards"], row["marks"]
    if known.cards is not None and cards is not None and elsewhere(cards, known.cards.boxes):
        there = known.cards.boxes
        blank = made.forgotten("numbers", "other rounds have their cards elsewhere")
        blank = blank.forgotten("card", "other rounds have their cards elsewhere")
        found = look_at_card(question, result, there, row["selected"])
        seen = checked(with_found(blank, "card", found), there, found.columns["marks"], True)
        if not seen.wrong and seen.made.readings["numbers"].confidence >= sure:
            return seen
    elif known.cards is not None and (cards is None or not same_cards(cards, known.cards.boxes)):
        cards, marks = known.cards.boxes, None
    if cards is None:
        return Seen(made, None, None, row["selected"])
    if marks is None or made.readings["card"].confidence < sure:
        found = look_at_card(question, result, cards, row["selected"], closer=True)
        made, marks = with_found(made, "card", found), marks or found.columns["marks"]
    here = known.cards is not None and not elsewhere(cards, known.cards.boxes)
    agreed = here or made.readings["card"].confidence >= sure
    return checked(made, cards, marks, agreed)


def _light(made: Round, known: Remembered) -> Round:
    """The round's light at the place that its episode's rounds share, and what they tell of one read elsewhere."""
    if known.witnesses is not None and known.witnesses.value is not None:
        for look in known.witnesses.earlier:
            made = made if look.by == "colour" else made.noted("light", look)  # the colour is on record
        made = made.forgotten("light", "colour does not tell it").seen(
            "light", known.witnesses.value, known.witnesses.look
        )
    reading, found = made.readings["light"], known.light
    if reading.by == "words" and len(known.words) > 1:
        light, surely = made.values["light"], max(reading.confidence, _BORNE_OUT)
        return made.seen("light", light, Look("episode", told(light), surely, "the word is another in other rounds"))
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
    """The round's numbers after both pictures were read card by card, and why they are of different rounds, if so."""
    there = scaled(cards, question, result)
    row = made.values["numbers"] or [None] * len(cards)
    surely = made.readings["numbers"].confidence
    readings = [[] if number is None else [Reading(number, "row", False, surely)] for number in row]
    inked = numbers_by_ink([(question, cards), (result, there)], engine)
    for in_result, pieces in zip((False, True), inked, strict=True):
        _add(readings, "ink", in_result, [(None, 0.0) if p is None else (p.number, p.score) for p in pieces])
    if any(len({each.number for each in card}) != 1 or len(card) < 3 for card in readings):
        _add(readings, "cell", False, _in_cells(question, cards, engine))
        _add(readings, "cell", True, _in_cells(result, there, engine))
    same = [marks is not None and marks[card].alike >= _SAME_NUMBER for card in range(len(cards))]
    verdicts = [verdict(card, alike) for card, alike in zip(readings, same, strict=True)]
    if sum(each.another for each in verdicts) > 1:
        return made, "the result picture shows other numbers than the question"
    if sum(not alike and not any(each.shown for each in card) for card, alike in zip(readings, same, strict=True)) > 1:
        return made, "the result picture does not show the cards' numbers"
    numbers = [each.number for each in verdicts]
    confidence = min(each.confidence for each in verdicts)
    if not agreed:
        confidence = min(confidence, surely)
    reason = f"on each card by itself, in both pictures: {', '.join(map(_read, readings))}"
    shown = " ".join("?" if n is None else str(n) for n in numbers)
    if made.readings["numbers"].by == "vlm" and all(each.way == "row" for card in readings for each in card):
        # What a model saw is no look of OCR's, if OCR saw nothing.
        shown = ""
    return made.seen("numbers", None if None in numbers else numbers, Look("ocr crop", shown, confidence, reason)), ""


def _add(readings: Sequence[list[Reading]], way: Literal["ink", "cell"], shown: bool, seen: _Scored) -> None:
    for card, (number, score) in zip(readings, seen, strict=True):
        if number is not None:
            card.append(Reading(number, way, shown, score))


def _in_cells(picture: Pixels, cards: Sequence[Box], engine: OCREngine) -> _Scored:
    return [(number, _CLEAR) for number in numbers_in_cells(picture, cards, engine)]


def _read(readings: Sequence[Reading]) -> str:
    """What was read on a card, the most frequent first."""
    counts = Counter(reading.number for reading in readings)
    return " or ".join(f"{number} ({count} times)" for number, count in counts.most_common()) or "?"


def scaled(cards: Sequence[Box], source: Pixels, target: Pixels) -> list[Box]:
    """The cards' boxes in a picture of another size."""
    x, y = target.shape[1] / source.shape[1], target.shape[0] / source.shape[0]
    return [(x0 * x, y0 * y, x1 * x, y1 * y) for x0, y0, x1, y1 in cards]


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that was read on a card: in which way, in the question's or the result's picture, and how surely."""

    number: int
    way: Literal["row", "ink", "cell"]
    shown: bool
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The number of a card, None if none was read, how sure it is, and whether the result shows another."""

    number: int | None
    confidence: float
    another: bool = False


def verdict(readings: Sequence[Reading], unchanged: bool) -> Verdict:
    """What the readings of a card tell; ``unchanged`` says that the result shows the same ink.

    Ways err differently: one overlooks digits that stand apart, another takes an outline for one. A longer number
    that holds the one most readings give is worth more than another reading, as a digit is lost more easily than won.
    """
    asked = {reading.number for reading in readings if not reading.shown}
    if not asked:
        return Verdict(None, 0.0)
    number = max(asked, key=lambda each: (_support(readings, each), each))
    own = [reading for reading in readings if reading.number == number]
    others = [reading for reading in readings if reading.number != number and reading.score >= _SPEAKS]
    hidden = bool(others) and all(reading.shown for reading in others)
    in_both = any(reading.shown for reading in own)
    ways = {reading.way for reading in own if not reading.shown}
    another = len(ways) > 1 and hidden and not in_both and not unchanged
    if len({reading.way for reading in own}) > 1 and in_both:
        return Verdict(number, _BOTH if not others else _MOST if _most(own, others) else _DISPUTED)
    if len(ways) > 1 and (not others or hidden):
        return Verdict(number, _ONCE, another)
    clear = len(own) == len(readings) and all(reading.score >= _STANDS for reading in own)
    once = clear and (in_both or (unchanged and "row" in ways))
    return Verdict(number, _ONCE if once else _DISPUTED)


def _most(own: Sequence[Reading], others: Sequence[Reading]) -> bool:
    """Whether readings of one number outvote those of others, which were read in one way."""
    longer = any(str(own[0].number) in str(reading.number) for reading in others)
    return len(own) > len(others) + 1 + longer and len({reading.way for reading in others}) == 1


def _support(readings: Sequence[Reading], number: int) -> tuple[int, float]:
    scores = [reading.score for reading in readings if reading.number == number]
    return len(scores), max(scores)
