"""What readings of one card tell together."""

from __future__ import annotations

import pytest

from operators.game.second_look import Reading, Verdict, verdict


def readings(row: int | None, ink: str, cell: str = "") -> list[Reading]:
    """Readings by row, and by ink and cells in the question and the result, as ``"5 5"``; ``?`` is none."""
    found = [] if row is None else [Reading(row, "row", False, 0.95)]
    for way, text in (("ink", ink), ("cell", cell)):
        for shown, number in zip((False, True), text.split(), strict=False):
            if number != "?":
                found.append(Reading(int(number), way, shown, 0.95))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("row", "ink", "cell", "sure"),
    [
        (5, "5 5", "", Verdict(5, 0.96)),
        (None, "5 5", "5 5", Verdict(5, 0.96)),
        (5, "? ?", "5 5", Verdict(5, 0.96)),
        (9603, "960 960", "960 960", Verdict(960, 0.9)),
        (5, "5 ?", "5 ?", Verdict(5, 0.85)),
        (None, "5 5", "? ?", Verdict(5, 0.85)),
        (5, "5 3", "5 3", Verdict(5, 0.85, another=True)),
    ],
)
def test_a_number_is_sure_that_two_ways_or_both_pictures_agree_on(
    row: int | None, ink: str, cell: str, sure: Verdict
) -> None:
    assert verdict(readings(row, ink, cell), unchanged=False) == sure


@pytest.mark.parametrize(
    ("row", "ink", "cell", "number"),
    [
        (291, "29193 29193", "? ?", 29193),
        (12, "1 1", "12 1", 1),
        (None, "5 ?", "? ?", 5),
        (None, "5 5", "8 8", 8),
        (7, "1 ?", "7 1", 7),
    ],
)
def test_a_number_that_readings_dispute_is_unsure(row: int | None, ink: str, cell: str, number: int) -> None:
    found = verdict(readings(row, ink, cell), unchanged=False)
    assert (found.number, found.confidence < 0.8) == (number, True)


def test_what_the_row_alone_shows_is_sure_where_the_result_has_the_same_ink() -> None:
    assert verdict(readings(5, "? ?"), unchanged=True) == Verdict(5, 0.85)
    assert verdict(readings(5, "? ?"), unchanged=False).confidence < 0.8
    assert verdict(readings(None, "? 5"), unchanged=True) == Verdict(None, 0.0)
