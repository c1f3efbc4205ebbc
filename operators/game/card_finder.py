"""Which card is the correct one, as the result picture marks it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from dataflow_ext import Prompt
from operators.game.picture_reader import LONGEST_SHOWN, PictureReader, Row, bare
from operators.game.rounds import Box, CardChange, CardUnsure, Found, Reading, UnsureError, screen
from prompts import GameCardPrompt


class CorrectCardFinder(PictureReader):
    """The correct card, 0, 1 or 2 in reading order, by what differs between result and question picture.

    What changed counts with its colour: a card that turned green is right, one that turned red is a wrong pick;
    a mark in another colour, a card that grew, or the only one that is not dimmed will do where no card is red.

    Reads:
        question, result: the files of the two pictures.
        cards: boxes x0, y0, x1, y1 of the cards or their digits, in pixels of the question; null: they are looked for.
        selected: the card that the player tapped, or null; weak evidence, never the answer by itself.

    Writes:
        card: 0, 1 or 2.
        marks: what the result picture did to each card: change, colours gained, size.
        card_read: by whom, how surely (0 to 1) and why, with all looks.

    Options:
        prompt: the question that goes to it with the picture.

    Rejects:
        CardUnsure: the correct card is not sure.
        PictureMissing, PictureDamaged: the picture is not there, or cannot be decoded.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> CorrectCardFinder().read_reply(" **2**. ")
        2
    """

    inputs: ClassVar[Any] = {"question": Path, "result": Path, "cards": list[Box] | None, "selected": int | None}
    outputs: ClassVar[Any] = {"card": int | None, "marks": list[CardChange] | None, "card_read": Reading}
    value: ClassVar[str] = "card"
    shown: ClassVar[str] = "result"
    error: ClassVar[type[UnsureError]] = CardUnsure

    prompt: Prompt = GameCardPrompt()

    def look(self, row: Row) -> Found:
        """The correct card of a round by its two pictures."""
        from operators.game.cards import look_at_card

        return look_at_card(screen(row["question"]), screen(row["result"]), row["cards"], row["selected"])

    def read_reply(self, text: str) -> int:
        """The index that a reply holds; ValueError unless it is 0, 1 or 2 alone.

        >>> CorrectCardFinder().read_reply(" **2**. ")
        2
        """
        match = re.search("[012]", text) if self.parser == "seed" else re.fullmatch("[012]", bare(text))
        if match is None:
            shown = text.strip()[:LONGEST_SHOWN]
            raise ValueError(f"{shown!r} is not the position of one card; answer 0, 1 or 2 alone")
        return int(match[0])
