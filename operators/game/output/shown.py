"""Rounds as pages show them: two thumbnails, and each value with its reading and its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from dataflow_ext.report.thumbnails import Mark, Thumbnail, Thumbnails
from operators.game.output.labels import Label
from operators.game.output.readings import verdict
from operators.game.output.run_rounds import FIELDS, Key, Rejected, Rounds, key_of
from operators.game.rounds import told

#: How collectors name a round's question picture.
_QUESTION = ("question_screenshot", "question", "question_image", "question_path", "picture")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a round: what was read by whom, and what a person saw (``label``; "" if not labelled).

    ``others`` are the looks beside the one that counts.
    """

    name: str
    value: str
    by: str
    confidence: float
    reason: str
    others: Sequence[Mapping[str, Any]]
    verdict: str
    label: str = ""

    @property
    def wrong(self) -> bool:
        """Whether it is not what a person saw."""
        return self.label not in ("", self.value)


@dataclass(frozen=True, slots=True)
class Shown:
    """A round on a page: ``card`` is the place of the correct card; ``notes`` are short facts about it."""

    key: Key | None
    question: Thumbnail | None = None
    result: Thumbnail | None = None
    values: Sequence[Value] = ()
    numbers: Sequence[int] = ()
    light: str = ""
    card: int | None = None
    message: str = ""
    notes: Sequence[str] = ()


def shown(row: Mapping[str, Any], pictures: Thumbnails, label: Label | None = None) -> Shown:
    """A round of which all values are read: a kept one, or one that was rejected at its end."""
    boxes = _marks(row)
    return Shown(
        key=key_of(row),
        question=pictures.of(Path(row["question"]), boxes),
        result=pictures.of(Path(row["result"])),
        values=[_value(name, row, label or Label()) for name in FIELDS],
        numbers=row["numbers"],
        light=row["light"],
        card=row["card"],
        notes=list(_notes(row)),
    )


def shown_reject(reject: Rejected, pictures: Thumbnails, rounds: Rounds) -> Shown:
    """A rejected round with as much of it as is known."""
    if reject.row and all(reject.row.get(name) is not None for name in (*FIELDS, *FIELDS.values())):
        return replace(shown(reject.row, pictures), message=reject.message)
    row = reject.row
    question = Path(row["question"]) if row else _named(reject, rounds)
    result = pictures.of(Path(row["result"])) if row and row.get("result") else None
    return Shown(reject.key, pictures.of(question) if question else None, result, message=reject.message)


def _named(reject: Rejected, rounds: Rounds) -> Path | None:
    """The question picture that a round names which was never read: from the root, or from its episode's folder."""
    given = [str(reject.inputs[name]) for name in _QUESTION if isinstance(reject.inputs.get(name), str)]
    if not given or "\0" in given[0]:
        return None
    folders = [rounds.root]
    if reject.key:
        folders += [rounds.root / reject.key[0], rounds.root.joinpath(*reject.key[:2])]
    places = [folder / PurePosixPath(given[0]) for folder in folders]
    return next((place for place in places if _there(place)), places[0])


def _there(place: Path) -> bool:
    try:
        return place.is_file()
    except OSError:  # a name that is too long for any file
        return False


def _marks(row: Mapping[str, Any]) -> list[Mark]:
    boxes = row["cards"] or []
    return [([float(side) for side in box], place == row["card"]) for place, box in enumerate(boxes)]


def _value(name: str, row: Mapping[str, Any], label: Label) -> Value:
    reading = row[FIELDS[name]]
    labelled = {"numbers": told(label.numbers), "light": label.light or "", "card": label.answer or ""}
    return Value(
        name=name,
        value=told(row[name]),
        by=reading["by"],
        confidence=reading["confidence"],
        reason=reading["reason"],
        others=[look for look in reading["looks"] or () if look["reason"] != reading["reason"]],
        verdict=verdict(reading) or "",
        label=labelled[name],
    )


def _notes(row: Mapping[str, Any]) -> list[str]:
    told_rule = row.get("rule_read")
    picked = row.get("selected")
    notes = [f"answer {row['answer']}" if row.get("answer") is not None else "", row.get("split") or ""]
    notes += [f"the player picked {picked}" if picked is not None else "", f"rule: {told_rule}" if told_rule else ""]
    return [note for note in notes if note]
