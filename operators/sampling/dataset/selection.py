"""Which attempts at a question become rows, and what keeps the others out."""

from __future__ import annotations

from collections.abc import Sequence

from operators.sampling.dataset.forms import Row
from operators.sampling.model.attempt import BY_RULES


def solved(attempts: Sequence[Row], most: int) -> list[Row]:
    """The first right attempts at a question, ``most`` and no two of the same words; none of one that is guessed."""
    if attempts[0]["outcome"]["band"] == "guessed":
        return []
    right: dict[tuple[str, str], Row] = {}
    for row in attempts:
        if row["verdict"] == "yes":
            right.setdefault((row["shown"], row["reply"]), row)
    return list(right.values())[:most]


def paired(attempts: Sequence[Row], most: int) -> list[tuple[Row, Row]]:
    """Right and wrong attempts that saw the same, each in one pair at most.

    Both are decided by their answers' meaning, which can be told again from the pair alone: no judge, no reply that
    was cut off, none without an answer.
    """
    known = [row for row in attempts if row["verdict_by"] == BY_RULES and row["found"] is not None]
    wrong = [row for row in known if row["verdict"] == "no"]
    pairs: list[tuple[Row, Row]] = []
    for row in solved(known, len(known)) if known else ():
        partner = next((other for other in wrong if other["shown"] == row["shown"]), None)
        if partner is not None and len(pairs) < most:
            wrong.remove(partner)
            pairs.append((row, partner))
    return pairs


def has_rate(attempts: Sequence[Row]) -> bool:
    """Whether somebody could tell right from wrong at this question."""
    outcome = attempts[0]["outcome"]
    return bool(outcome["undecided"] < outcome["attempts"])
