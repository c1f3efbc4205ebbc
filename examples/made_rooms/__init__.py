"""Rooms of our own making: finished, believable, free to use."""

from examples.made_rooms.room import FORMS, ROOMS, synthetic_room
from examples.made_rooms.writing import write_rooms

__all__ = ["FORMS", "ROOMS", "synthetic_room", "write_rooms"]
