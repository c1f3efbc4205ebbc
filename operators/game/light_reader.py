"""The colour of the light, from the lit lamp of the question picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, get_args

from pydantic import Field

from dataflow_ext import Prompt
from dataflow_ext.ocr import OCREngine, RapidOCREngine, must_be_usable
from dataflow_ext.well_formed import quoted
from operators.game.picture_reader import LONGEST_SHOWN, PictureReader, Row, bare
from operators.game.rounds import Found, Light, LightUnsure, Reading, UnsureError, screen
from prompts import GameLightPrompt

_NAMES: tuple[Light, ...] = get_args(Light)
#: Pixels of the longer side at which words are looked for.
_WORDS_SIDE = 960


def _words_engine() -> OCREngine:
    return RapidOCREngine(detect_side=_WORDS_SIDE)


class LightColorReader(PictureReader):
    """The colour of the lit lamp: GREEN, RED or YELLOW.

    By rules it is the colour of what glows most in a light's colours, of whatever shape, over the cards rather than
    in a corner; where another colour glows nearly as much it is unsure. One picture tells no light from a button:
    EpisodeMemory does, by the place whose colour changes between rounds. Where colour does not tell it, as on grey
    screens, further witnesses are asked: which of three equal lamps is lit, with its label or by the order of traffic
    lights, and words that name one colour, read by ``engine``. Witnesses that agree are surer together; if they
    differ, the light is unsure. With ``unsure="keep"`` and no model EpisodeMemory asks them, where no place tells.

    Reads:
        question: the file of the question picture.

    Writes:
        light: GREEN, RED or YELLOW.
        light_read: by whom, how surely (0 to 1) and why, with all looks.

    Options:
        prompt: the question that goes to it with the picture.
        engine: what reads words in pictures.

    Rejects:
        LightUnsure: the colour is not sure.
        PictureMissing, PictureDamaged: the picture is not there, or cannot be decoded.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> LightColorReader().read_reply("**green**.")
        'GREEN'
    """

    inputs: ClassVar[Mapping[str, Any]] = {"question": Path}
    outputs: ClassVar[Mapping[str, Any]] = {"light": Light | None, "light_read": Reading}
    value: ClassVar[str] = "light"
    error: ClassVar[type[UnsureError]] = LightUnsure

    prompt: Prompt = GameLightPrompt()
    engine: OCREngine = Field(default_factory=_words_engine)

    def preflight(self) -> None:
        """OptionError without the packages that look at pictures, and that of the engine."""
        super().preflight()
        must_be_usable(self.engine)

    def look(self, row: Row) -> Found:
        """What the pixels of a row's question picture say."""
        from operators.game.light.glow import look_at_light
        from operators.game.light.uncoloured import look_without_colour

        pixels = screen(row["question"])
        coloured = look_at_light(pixels)
        later = self.unsure == "keep" and self.model is None
        if coloured.look.confidence >= self.sure or later:
            return coloured
        return look_without_colour(pixels, coloured, self.engine)

    def read_reply(self, text: str) -> Any:
        """The colour that a reply is, or for "seed" the first of GREEN, RED and YELLOW that is anywhere in it."""
        seed = self.parser == "seed"
        said = text.upper() if seed else bare(text).upper()
        for name in _NAMES:
            if name == said or (seed and name in said):
                return name
        wanted = "a word" if seed else "one word"
        raise ValueError(f"wanted {wanted}, GREEN, RED or YELLOW; the reply is {quoted(text, LONGEST_SHOWN)}")
