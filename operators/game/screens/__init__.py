"""Screens of made-up games: rounds with ground truth, for demos and tests."""

from operators.game.screens.damage import KINDS, Damaged, damage
from operators.game.screens.making import MadeRound, make_rounds
from operators.game.screens.recipe import SIZES
from operators.game.screens.themes import THEMES

__all__ = ["KINDS", "SIZES", "THEMES", "Damaged", "MadeRound", "damage", "make_rounds"]
