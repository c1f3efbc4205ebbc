"""The page to look at after a run: figures, mistakes, doubts, rejects by reason, and a sample of rounds."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment

from dataflow_ext.report import Report
from dataflow_ext.report.pages import page_templates, short
from dataflow_ext.report.thumbnails import Mark, Thumbnail, Thumbnails
from dataflow_ext.tables import write_text
from operators.game.output.accuracy import Accuracy, Share
from operators.game.output.labels import Label
from operators.game.output.run_rounds import FIELDS, Key, Rejected, Rounds, disputed, key_of, verdict
from operators.game.rounds import told

NAME = "report.html"

#: Rounds of each kind that are shown with pictures.
SAMPLE, MISTAKES, DISPUTED, REJECTS_A_REASON, REJECTS = 18, 60, 24, 6, 60
#: Rejects of one reason that are told by their message alone.
MESSAGES = 200


def write_page(
    rounds: Rounds, figures: Mapping[str, Any], report: Report, out: Path, *, accuracy: Accuracy | None = None
) -> Path:
    """The path of ``out/report.html``, one file without scripts that holds its pictures and opens anywhere.

    ``figures`` are those of :func:`~operators.game.output.stats.stats`. With ``accuracy`` it has a contact
    sheet of the mistakes. Whatever names and texts hold is shown, never run; a picture that cannot be shown
    leaves an empty frame that says why.
    """
    pictures, rows = Thumbnails(root=rounds.root), rounds.kept_rows()
    mistakes = _mistakes(rows, accuracy, pictures)
    doubts = [row for row in rows if disputed(row)]
    text = (
        environment()
        .get_template("report.html")
        .render(
            name=rounds.root.absolute().name,
            figures=figures,
            report=report,
            calls=[(step, model, used) for (step, model), used in report.calls.items()],
            accuracy=accuracy,
            mistakes=mistakes,
            doubts=[shown(row, pictures) for row in doubts[:DISPUTED]],
            doubts_total=len(doubts),
            reasons=_reasons(rounds, figures, pictures),
            sample=_sample(rows, figures["split"]["seed"], pictures),
        )
    )
    # Names may hold half a character, which no file can.
    return write_text(Path(out) / NAME, text)


@cache
def environment() -> Environment:
    """The pages' templates: every value is escaped, and an unknown name is an error."""
    return page_templates(Path(__file__).parent / "templates", percent=_percent, bounds=_bounds, readable=_readable)


def _mistakes(rows: list[dict[str, Any]], measured: Accuracy | None, pictures: Thumbnails) -> list[Shown]:
    if measured is None:
        return []
    by_id = {row["row_id"]: row for row in rows}
    return [shown(by_id[m.row_id], pictures, m.label) for m in measured.mistakes[:MISTAKES] if m.row_id in by_id]


def _reasons(rounds: Rounds, figures: Mapping[str, Any], pictures: Thumbnails) -> list[dict[str, Any]]:
    """The reasons of rejects, each with some rounds in pictures, and the messages of others."""
    groups: dict[tuple[str, str, str], list[Rejected]] = {}
    for reject in rounds.rejected():
        groups.setdefault((reject.operator, reject.error, reject.kind), []).append(reject)
    reasons, left = [], REJECTS
    for reason in figures["rejects"]:
        group = groups[reason["operator"], reason["error"], reason["kind"]]
        few = group[: min(REJECTS_A_REASON, left)]
        left -= len(few)
        told = group[len(few) : len(few) + MESSAGES]
        reasons.append(
            {
                **reason,
                "shown": [(shown_reject(reject, pictures, rounds), reject) for reject in few],
                "told": told,
                "left_out": len(group) - len(few) - len(told),
            }
        )
    return reasons


def _sample(rows: list[dict[str, Any]], seed: int, pictures: Thumbnails) -> list[Shown]:
    chosen = random.Random(seed).sample(range(len(rows)), min(SAMPLE, len(rows)))  # noqa: S311 - the same each time
    return [shown(rows[place], pictures) for place in sorted(chosen)]


def _percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def _bounds(share: Share) -> str:
    low, high = share.bounds
    return "–" if share.share is None else f"{100 * low:.1f} to {100 * high:.1f} %"


def _readable(inputs: Mapping[str, Any]) -> str:
    """A reject's inputs, one a line, long ones cut."""
    lines = (f"{k}: {v if isinstance(v, str) else json.dumps(v, ensure_ascii=False)}" for k, v in inputs.items())
    return "\n".join(short(line, 300) for line in list(lines)[:40])


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
