"""A second look at a round: its numbers in the result picture, and what is unsure where other rounds have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from operators.game.cards import look_at_card
from operators.game.light import look_at_light
from operators.game.memory.places import CardPlace, LampPlace, elsewhere, same_lamp, usual_light
from operators.game.numbers.digits import number_of
from operators.game.numbers.ink import Ink, ink_on, read_inks
from operators.game.numbers.rows import middle
from operators.game.rounds import Box, CardChange, Light, Look
from operators.game.screen import screen
from operators.game.settling import Round, round_of, with_found, with_witness

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: How sure a number is that both pictures show, that most looks give, and that is disputed.
_BOTH, _MOST, _DISPUTED = 0.96, 0.85, 0.4
#: From this likeness of its edges on, a card shows the same number in the result, whatever is read there.
_SAME_NUMBER = 0.75
#: How far around a card its part of the row reaches at most, as a share of its width; width and height of a tile that
#: is read, and the border in it, in pixels.
_AROUND, _TILE, _BORDER = 0.3, (300, 190), 16
#: Text in a tile that is as high as this share of the highest is a part of the number.
_LARGE = 0.6

_Numbers = list[int | None]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What other rounds tell of a round's screen: where cards and lamps stand, and the lights that words named."""

    cards: CardPlace | None
    lamps: Sequence[LampPlace]
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
    made = _light(round_of(row), row, question, known, sure)
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


def _light(made: Round, row: Mapping[str, Any], question: Pixels, known: Remembered, sure: float) -> Round:
    """The round's light by what other rounds have where it was seen, or where they have lamps."""
    reading, lamps = made.readings["light"], known.lamps
    here = next((place for place in lamps if row["lamp"] is not None and same_lamp(place.box, row["lamp"])), None)
    if here is not None and (usual := usual_light(here, lamps)):
        return with_witness(made, "light", usual, f"the lamp there is {usual} in other rounds")
    if reading.by == "words" and len(known.words) > 1:
        return with_witness(made, "light", made.values["light"], "the word is another in other rounds")
    if here is not None and reading.confidence >= sure:
        return made
    best = None
    for place in (here,) if here is not None else lamps:
        if place.rounds < 2 and here is None:
            continue
        found = look_at_light(question, _grown(place.box))
        if found.value is not None and (best is None or found.look.confidence > best.look.confidence):
            best = found
    return made if best is None else with_found(made, "light", best)


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
    boxes = _scaled(cards, question, result)
    inks = [ink_on(question, box) for box in cards], [ink_on(result, box) for box in boxes]
    first: _Numbers = list(made.values["numbers"] or [None] * 3)
    asked, answered = [_counted(first, inks[0])], [_counted(read_inks(inks[1], engine), inks[1])]
    if asked != answered or None in asked[0]:
        asked += [_counted(read_inks(inks[0], engine), inks[0]), _counted(_in_cells(question, cards, engine), inks[0])]
        answered.append(_counted(_in_cells(result, boxes, engine), inks[1]))
    counted = [_whole(first[card], [looked[card] for looked in inks]) for card in range(3)]
    like = [marks is not None and marks[card].alike >= _SAME_NUMBER for card in range(3)]
    numbers: _Numbers = []
    confidence, strange = 1.0, 0
    for card in range(3):
        before, after = _votes(asked, card), _votes(answered, card)
        number, share = _voted(before + after, len(asked) + len(answered))
        if not before:
            share = min(share, _DISPUTED)
        elif before.most_common(1)[0][0] not in after and not like[card]:
            # A mark may hide one number of the result, where the question's is beyond doubt.
            strange += 1
            number, share = _voted(before, len(asked))
            share = min(share, _MOST)
        unopposed = number is not None and first[card] == number and len(before + after) == 1
        if unopposed and counted[card] and made.readings["numbers"].confidence >= _MOST and like[card]:
            # Nobody else could read it, but it has as many digits, and the result shows the same.
            share = _MOST
        together = len(asked) > 1 and asked[0][card] == asked[2][card] == answered[1][card]
        if not together and not _whole(number, [looked[card] for looked in inks]):
            share = min(share, _DISPUTED)
        numbers.append(number)
        confidence = min(confidence, share)
    if strange > 1:
        return made, "the result picture shows other numbers than the question"
    if not agreed:
        confidence = min(confidence, made.readings["numbers"].confidence)
    read = "; ".join(" ".join("?" if n is None else str(n) for n in look) for look in (*asked, *answered))
    value = None if None in numbers else numbers
    shown = " ".join("?" if n is None else str(n) for n in numbers)
    look = Look("ocr crop", shown, confidence if value else 0.0, f"cards by themselves, in both pictures: {read}")
    return made.seen("numbers", value, look), ""


def _counted(numbers: Sequence[int | None], inks: Sequence[Ink | None]) -> _Numbers:
    """The numbers without those that have not as many digits as there are on the card, as far as that is seen."""
    return [number if number is None or ink is None or ink.cut or ink.may_be(number) else None
            for number, ink in zip(numbers, inks, strict=True)]  # fmt: skip


def _in_cells(picture: Pixels, cards: Sequence[Box], engine: OCREngine) -> _Numbers:
    """The number in each card's part of the row, which ends midway to the next card, so that no digit is cut off."""
    gap = (cards[2][0] - cards[0][0]) / 2 - (cards[1][2] - cards[1][0])
    more = min(_AROUND * (cards[1][2] - cards[1][0]), max(0.0, gap / 2))
    cells = [_cell(picture, (x0 - more, y0, x1 + more, y1)) for x0, y0, x1, y1 in cards]
    [lines] = read_pictures(engine, [np.ascontiguousarray(np.concatenate(cells))])
    return [_only_number([line for line in lines if place * _TILE[1] <= middle(line.box)[1] < (place + 1) * _TILE[1]])
            for place in range(len(cells))]  # fmt: skip


def _only_number(lines: Sequence[OCRLine]) -> int | None:
    """The number that all large text in a cell makes together; None if it makes none."""
    tallest = max((line.box[3] - line.box[1] for line in lines), default=0.0)
    large = [line for line in lines if line.box[3] - line.box[1] >= _LARGE * tallest]
    return number_of(" ".join(line.text.strip() for line in sorted(large, key=lambda line: line.box[0])))


def _cell(picture: Pixels, box: Box) -> Pixels:
    """A part of a picture in a tile, with a border in the colour of its edge."""
    x0, y0, x1, y1 = (max(0, round(side)) for side in box)
    part = picture[y0:y1, x0:x1]
    wide, high = _TILE[0] - 2 * _BORDER, _TILE[1] - 2 * _BORDER
    if min(part.shape[:2]) < 4:
        return np.full((_TILE[1], _TILE[0], 3), 255, np.uint8)
    scale = min(wide / part.shape[1], high / part.shape[0])
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    tile = np.empty((_TILE[1], _TILE[0], 3), np.uint8)
    tile[:] = np.median(np.concatenate([small[:, 0], small[:, -1]]), axis=0)
    left, top = (_TILE[0] - size[0]) // 2, (_TILE[1] - size[1]) // 2
    tile[top : top + size[1], left : left + size[0]] = small
    return tile


def _votes(looks: Sequence[_Numbers], card: int) -> Counter[int]:
    return Counter(number for look in looks if (number := look[card]) is not None)


def _voted(votes: Counter[int], looks: int) -> tuple[int | None, float]:
    """The number that most looks give, and how sure it is: two have to agree on it."""
    if not votes:
        return None, 0.0
    [(number, most), *others] = votes.most_common()
    against = others[0][1] if others else 0
    if most == looks:
        return number, _BOTH
    if most > 1 and most - against > 1:
        return number, _MOST
    return number, _DISPUTED


def _whole(number: int | None, inks: Sequence[Ink | None]) -> bool:
    """Whether a number was counted on a card in one of the pictures, if its digits were found in any."""
    found = [ink for ink in inks if ink is not None]
    return number is None or not found or any(not ink.cut and ink.may_be(number) for ink in found)


def _scaled(cards: Sequence[Box], source: Pixels, target: Pixels) -> list[Box]:
    """The cards' boxes in a picture of another size."""
    x, y = target.shape[1] / source.shape[1], target.shape[0] / source.shape[0]
    return [(x0 * x, y0 * y, x1 * x, y1 * y) for x0, y0, x1, y1 in cards]


def _grown(box: Box) -> Box:
    """The box with half its size more on each side."""
    x, y = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    return box[0] - x, box[1] - y, box[2] + x, box[3] + y
