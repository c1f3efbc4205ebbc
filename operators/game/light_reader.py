"""The colour of the light, from the lit lamp of the question picture."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, get_args

from dataflow_ext import Prompt
from operators.game.picture_reader import PictureReader, Row
from operators.game.rounds import Box, Found, Light, LightUnsure, Reading, UnsureError
from prompts import GameLightPrompt

_NAMES: tuple[Light, ...] = get_args(Light)
#: What may stand around the one word of a reply.
_AROUND = re.compile(r"^[\s\"'`*]+|[\s\"'`*]+$")
_LONGEST_SHOWN = 60


class LightColorReader(PictureReader):
    """The colour of the lit lamp: GREEN, RED or YELLOW.

    By rules it is the one round, full, bright blob in a lamp's colour, wherever it is; two equal circles beside it
    that are off speak for it, equally bright ones against it. Two good candidates of different colour are unsure.
    """

    inputs: ClassVar[Mapping[str, Any]] = {"question": Path}
    outputs: ClassVar[Mapping[str, Any]] = {"light": Light | None, "lamp": Box | None, "light_read": Reading}
    value: ClassVar[str] = "light"
    error: ClassVar[type[UnsureError]] = LightUnsure

    prompt: Prompt = GameLightPrompt()

    def look(self, rows: Sequence[Row]) -> list[Found | Exception]:
        """What the pixels of each row's question picture say."""
        from operators.game.light.looking import look_at_light

        found: list[Found | Exception] = []
        for row in rows:
            try:
                found.append(look_at_light(row["question"]))
            except Exception as error:
                found.append(error)
        return found

    def read_reply(self, text: str) -> Any:
        """The colour that a reply names."""
        return _seeds_light(text) if self.parser == "seed" else _strict_light(text)


def _strict_light(text: str) -> Light:
    """The one colour word that a reply is, in any case, quoted, bold or with a full stop."""
    word = _bare(_bare(text).removesuffix(".")).upper()
    if word not in _NAMES:
        raise ValueError(_wanted("one word", text))
    return word


def _bare(text: str) -> str:
    return _AROUND.sub("", text)


def _seeds_light(text: str) -> Light:
    """The first of GREEN, RED and YELLOW that a reply has anywhere, even inside another word."""
    for name in _NAMES:
        if name in text.upper():
            return name
    raise ValueError(_wanted("a word", text))


def _wanted(what: str, text: str) -> str:
    shown = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
    return f"wanted {what}, GREEN, RED or YELLOW; the reply is {shown!r}"
