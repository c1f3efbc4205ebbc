"""Turns that make a room worse: faults that neither the room before nor the finished one has."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from operators.scene.facts.physical import badness, faults_of, without
from operators.scene.facts.things import Room
from operators.scene.limits import EXACT
from operators.scene.scene import Scene


def first_slip(states: Sequence[Scene]) -> int | None:
    """The number, from 1, of the first turn after which more overlaps, is outside or floats than before it.

    ``states`` are the rooms before each turn, the finished one last, whose own faults do not count. None if no turn
    does so.
    """
    faults = [faults_of(Room.of(state)) for state in states]
    worst = [badness(without(each, faults[-1])) for each in faults]
    return next((n for n, (a, b) in enumerate(itertools.pairwise(worst), 1) if b > a + EXACT), None)
