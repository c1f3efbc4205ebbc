"""The colour of a game's light: what glows in one picture, the place that all rounds share, and words that name it."""

from operators.game.light.glow import look_at_light
from operators.game.light.uncoloured import look_without_colour

__all__ = ["look_at_light", "look_without_colour"]
