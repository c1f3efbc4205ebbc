"""The colour of a game's lamp, from pixels alone: round blobs, the rows they stand in, and which one is lit."""

from operators.game.light.looking import look_at_light

__all__ = ["look_at_light"]
