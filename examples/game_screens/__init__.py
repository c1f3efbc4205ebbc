"""Screens of made-up games: rounds with ground truth, for demos and tests."""

from examples.game_screens.making import KINDS, SIZES, Damaged, MadeRound, damage, make_rounds
from examples.game_screens.themes import THEMES

__all__ = ["KINDS", "SIZES", "THEMES", "Damaged", "MadeRound", "damage", "make_rounds"]
