"""Turns that make a room worse: faults that the finished room has not, and the room before had not."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from operators.scene.facts.things import Room
from operators.scene.limits import EXACT
from operators.scene.repairing import Fault, badness, faults_of, things_of
from operators.scene.scene import Scene


def first_slip(states: Sequence[Scene]) -> int | None:
    """The number, from 1, of the first turn after which more overlaps, is outside or floats than before it.

    ``states`` are the rooms before each turn, the finished one last, whose own faults do not count. None if no turn
    does so.
    """
    rooms = [Room.of(state) for state in states]
    kept = {_key(each) for each in faults_of(rooms[-1])}
    worst = [badness([each for each in faults_of(room) if _key(each) not in kept]) for room in rooms]
    return next((n for n, (a, b) in enumerate(itertools.pairwise(worst), 1) if b > a + EXACT), None)


def _key(fault: Fault) -> tuple[str, frozenset[str]]:
    return type(fault).__name__, frozenset(thing.jid for thing in things_of(fault))
