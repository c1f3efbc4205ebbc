"""The numbers on the three cards, from the question picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from dataflow_ext import Prompt
from dataflow_ext.ocr import OCREngine, OCRLine, RapidOCREngine, must_be_usable, read_pictures
from operators.game.picture_reader import LONGEST_SHOWN, PictureReader, Row, bare
from operators.game.rounds import MOST_DIGITS, Box, Found, Look, NumbersUnsure, Reading, UnsureError, screen, told
from prompts import GameNumbersPrompt

#: Pixels of the longer side at which text is looked for first; each card is enlarged where that is not enough.
DETECT_SIDE = 640
#: Text that is lower than this share of the highest is not read: no score was seen thrice as high as the cards'
#: numbers, and what is overlooked on cards is looked for there.
LEAST = 0.35

_SEED = re.compile(r"\[(\d+),\s*(\d+),\s*(\d+)\]")
_LIST = re.compile(r"\[\s*([0-9]+)\s*,\s*([0-9]+)\s*,\s*([0-9]+)\s*\]")


def default_engine() -> OCREngine:
    """RapidOCR with the detail that cards need."""
    return RapidOCREngine(detect_side=DETECT_SIDE, least=LEAST)


class OCRNumberExtractor(PictureReader):
    """The numbers on the three cards, in reading order, with the cards' boxes.

    By ``layout`` "relative" the cards are the row of three look-alike boxes or numbers of equal height and
    spacing with the tallest digits, wherever it is, or a column or a triangle of them; cards whose number is
    missing or not sure are cut out and read again enlarged. "absolute" takes the three surest lines of digits with a
    score above ``min_score`` and a middle below ``below``, and finds no cards.

    Reads:
        question: the file of the question picture.

    Writes:
        numbers: the three, in reading order.
        cards: their boxes x0, y0, x1, y1 in pixels: the outlines that were found; without outlines, squares around the
            numbers, 0.9 of their distance wide.
        numbers_read: by whom, how surely (0 to 1) and why, with all looks.

    Options:
        prompt: the question that goes to it with the picture.
        engine: what reads text in pictures.
        layout: "relative" or "absolute", see above.
        min_score: the OCR score, 0 to 1, that a line of digits needs.
        below: pixels from the top, which "absolute" alone heeds.

    Rejects:
        NumbersUnsure: the numbers are not sure.
        PictureMissing, PictureDamaged: the picture is not there, or cannot be decoded.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> OCRNumberExtractor().read_reply("[5, 8, 3]")
        [5, 8, 3]
    """

    inputs: ClassVar[Any] = {"question": Path}
    outputs: ClassVar[Any] = {"numbers": list[int] | None, "cards": list[Box] | None, "numbers_read": Reading}
    value: ClassVar[str] = "numbers"
    error: ClassVar[type[UnsureError]] = NumbersUnsure

    prompt: Prompt = GameNumbersPrompt()
    engine: OCREngine = Field(default_factory=default_engine)
    layout: Literal["relative", "absolute"] = "relative"
    min_score: float = Field(default=0.5, ge=0.0, le=1.0)
    below: float = Field(default=600.0, ge=0.0)

    def preflight(self) -> None:
        """OptionError without the packages that look at pictures, and that of the engine."""
        super().preflight()
        must_be_usable(self.engine)

    def look(self, row: Row) -> Found:
        """What OCR finds in a row's question picture."""
        question: Path = row["question"]
        if self.layout == "relative":
            from operators.game.numbers.looking import look_at_numbers

            return look_at_numbers(question, self.engine, self.min_score)
        screen(question)
        [lines] = read_pictures(self.engine, [question])
        return replace(absolute_numbers(lines, self.min_score, self.below), columns={"cards": None})

    def read_reply(self, text: str) -> Any:
        """The three numbers of a reply: of a list that is all of it, or for "seed" of the first list anywhere in it.

        >>> OCRNumberExtractor(parser="seed").read_reply("I see [5,8, 3] on the cards.")
        [5, 8, 3]
        """
        seed = self.parser == "seed"
        found = _SEED.search(text) if seed else _LIST.fullmatch(bare(text))
        if found is None or max(map(len, found.groups())) > MOST_DIGITS:
            shown = " ".join(text.split())[:LONGEST_SHOWN] or "nothing"
            alone = "" if seed else "nothing else than "
            raise ValueError(f"the reply must hold {alone}a list of three numbers, such as [5, 8, 3], not {shown!r}")
        return [int(group) for group in found.groups()]

    def contradicts(self, found: Found, answer: Any) -> bool:
        """Whether a card that is sure by itself shows another number than the model's."""
        return any(part is not None and part != told for part, told in zip(found.parts, answer, strict=False))


def absolute_numbers(lines: Sequence[OCRLine], min_score: float, below: float) -> Found:
    """The three surest lines of digits whose middle is below ``below`` pixels; nothing if there are fewer."""
    digits = [line for line in lines if line.text.isdecimal() and len(line.text) <= MOST_DIGITS]
    sure = [line for line in digits if line.score > min_score]
    low = [line for line in sure if line.middle > below]
    if len(low) < 3:
        reason = f"{len(low)} of three numbers read below y {below:g} with a score above {min_score:g}"
        return Found(None, Look("ocr", told([int(line.text) for line in low]), 0.0, reason))
    three = sorted(sorted(low, key=lambda line: -line.score)[:3], key=lambda line: line.box[0] + line.box[2])
    numbers = [int(line.text) for line in three]
    scores = [round(line.score, 2) for line in three]
    reason = f"the surest three of {len(low)} numbers below y {below:g}; scores {told(scores)}"
    # The rule trusts what it takes; a score may be below the bar of a sure look.
    return Found(numbers, Look("ocr", told(numbers), max(0.8, min(scores)), reason), parts=tuple(numbers))
