"""Rooms of our own making: finished, believable, free to use."""

from operators.scene.synthetic.room import FORMS, ROOMS, synthetic_room
from operators.scene.synthetic.writing import write_rooms

__all__ = ["FORMS", "ROOMS", "synthetic_room", "write_rooms"]
