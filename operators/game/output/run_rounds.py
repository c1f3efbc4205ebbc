"""The rounds of a run as its outputs see them: read, looked at, kept and rejected; and all of it as lines of a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from dataflow_ext import InputError
from dataflow_ext.files import write_text
from dataflow_ext.identity import ROW_ID, parent_of
from dataflow_ext.tables import read_table
from operators.game.settling import FIELDS

#: Which round it is: device, episode and number of the round.
Key: TypeAlias = tuple[str, str, int]

#: The inputs of a reject that is a whole file.
_FILES = {"root", "files"}
_KEY = ("device", "episode", "round")
_PICTURES = ("question", "result", "image")

NAME = "annotations.jsonl"

_FIRST = ("device", "episode", "round", "image")
_VALUES = ("numbers", "light", "card", "answer", "problem", "split", "place", "selected", "cards", "rule_read")
_NEEDED = (*_FIRST, "result", "numbers", "light", "answer", *FIELDS.values())


@dataclass(frozen=True, slots=True)
class Rejected:
    """A round, or a file of rounds (``key`` None), that is not in the data, and why.

    ``record`` is the reject as the run has it, with paths relative to the root; ``inputs`` are those it names, and
    ``row`` is what was read before it was rejected, with its pictures; empty if nothing was.
    """

    record: Mapping[str, Any]
    key: Key | None
    is_round: bool
    inputs: Mapping[str, Any]
    row: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The tables of a run: after EpisodeReader, after CorrectCardFinder, at the end, the rejects; and the root.

    ``root`` is the folder of the collected rounds: paths are told relative to it.
    """

    read: pa.Table
    looked: pa.Table
    kept: pa.Table
    rejects: pa.Table
    root: Path

    def kept_rows(self) -> list[dict[str, Any]]:
        """The rounds of the data set, in the order of their keys, whatever the order of the table."""
        return sorted(self.kept.to_pylist(), key=lambda row: (*key_of(row), row["image"]))

    def rejected(self) -> list[Rejected]:
        """The rejects, each with its round as far as that is known, in an order that does not change."""
        known = _by_id(self.read, (*_KEY, *_PICTURES)) | _by_id(self.looked, self.looked.column_names)
        # Rounds that came of the same file: what the reader could not use of it is of the same episode.
        episodes = {parent_of(name): (row["device"], row["episode"]) for name, row in known.items()}
        records = [self._rejected(record, known, episodes) for record in self.rejects.to_pylist()]
        return sorted(records, key=lambda r: (r.record["step"], r.key is None, r.key or ("", "", 0),
                                              r.record["error"], r.record["message"]))  # fmt: skip

    def _rejected(
        self,
        record: Mapping[str, Any],
        known: Mapping[str, Mapping[str, Any]],
        episodes: Mapping[str, tuple[str, str]],
    ) -> Rejected:
        inputs, row = _object(record["inputs"]), known.get(record[ROW_ID], {})
        number, episode = inputs.get("round"), episodes.get(record[ROW_ID])
        numbered = type(number) is int and episode is not None
        key = key_of(row) if row else (*episode, number) if numbered else None  # type: ignore[misc]
        texts = {name: record[name] or "" for name in ("operator", "error", "kind", "message")}
        whole = {**record, **texts, "message": self.told(texts["message"]), "step": record["step"] or 0}
        return Rejected(whole, key, bool(row) or not inputs.keys() >= _FILES, inputs, row)

    def placed_rejects(self) -> pa.Table:
        """The rejects with device, episode and round of each, null for what is no round."""
        known = _by_id(self.read, _KEY)
        rows = [known.get(name, {}) for name in self.rejects[ROW_ID].to_pylist()]
        table = self.rejects
        for at, (name, kind) in enumerate(zip(_KEY, (pa.string(), pa.string(), pa.int64()), strict=True), 1):
            table = table.add_column(at, name, pa.array([row.get(name) for row in rows], kind))
        return table

    def seen(self) -> set[Key]:
        """The keys of all rounds that the run met, rejected ones too."""
        read = {key_of(row) for row in self.read.select(list(_KEY)).to_pylist()}
        return read | {r.key for r in self.rejected() if r.key is not None}

    def told(self, message: str) -> str:
        """A message with paths relative to the root."""
        for folder in sorted({f"{self.root}/", f"{self.root.absolute()}/", f"{self.root.resolve()}/"}, key=len):
            message = message.replace(folder, "") if len(folder) > 2 else message
        return message

    def relative(self, path: str | Path) -> str:
        """A path relative to the root, with slashes; only the file's name if it is elsewhere."""
        for folder in (self.root, self.root.absolute(), self.root.resolve()):
            if PurePath(path).is_relative_to(folder):
                return PurePath(path).relative_to(folder).as_posix()
        return PurePath(path).name


def key_of(row: Mapping[str, Any]) -> Key:
    """Which round a row is."""
    return row["device"], row["episode"], row["round"]


def round_name(key: Key) -> str:
    """A round as a page calls it."""
    return f"{key[0]} · {key[1]} · round {key[2]}"


def _by_id(table: pa.Table, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    return dict(zip(table[ROW_ID].to_pylist(), table.select(list(names)).to_pylist(), strict=True))


def _object(inputs: str | None) -> dict[str, Any]:
    try:
        value = json.loads(inputs or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


#: A reading as it comes from a table: ``by``, ``confidence``, ``reason``, ``looks``.
ReadingRecord: TypeAlias = Mapping[str, Any]

#: What became of asking the model: it said what the rules saw, something else, what they had not seen, or nothing.
Verdict: TypeAlias = Literal["agreed", "disagreed", "alone", "unreadable"]


def verdict(reading: ReadingRecord) -> Verdict | None:
    """How the model's last answer compares to the last other look at the picture that saw something.

    None if the model was not asked. A ``?`` among seen numbers stands for any number.

    >>> ocr, vlm = {"by": "ocr", "value": "5 8 3"}, {"by": "vlm", "value": "5 6 3"}
    >>> verdict({"looks": [ocr, vlm]}), verdict({"looks": [vlm]}), verdict({"looks": [ocr]})
    ('disagreed', 'alone', None)
    """
    looks: Sequence[Mapping[str, Any]] = reading["looks"] or ()
    answers = [look["value"] for look in looks if look["by"] == "vlm"]
    if not answers:
        return None
    if not answers[-1]:
        return "unreadable"
    # What the rule of the game makes of other looks is no look at the picture.
    seen = [look["value"] for look in looks if look["by"] not in ("vlm", "rule") and look["value"]]
    if not seen:
        return "alone"
    return "agreed" if _same(seen[-1], answers[-1]) else "disagreed"


def _same(seen: str, answer: str) -> bool:
    left, right = seen.split(), answer.split()
    return len(left) == len(right) and all(a in ("?", b) for a, b in zip(left, right, strict=True))


def least_sure(row: Mapping[str, Any]) -> float:
    """The confidence of the least sure of a round's three readings."""
    return float(min(row[column]["confidence"] for column in FIELDS.values()))


def disputed(row: Mapping[str, Any]) -> bool:
    """Whether model and rules saw different values in any of the three."""
    return any(row.get(column) and verdict(row[column]) == "disagreed" for column in FIELDS.values())


def write_annotations(rounds: Rounds, out: Path) -> Path:
    """The path of ``out/annotations.jsonl``, rounds in the order of their keys, paths relative to the root."""
    lines = [json.dumps(_record(row, rounds), ensure_ascii=False) + "\n" for row in rounds.kept_rows()]
    return write_text(Path(out) / NAME, "".join(lines))


def read_annotations(out: Path) -> list[dict[str, Any]]:
    """The rounds in ``out/annotations.jsonl``; InputError if the file is not there or is another one."""
    path = Path(out) / NAME
    if not path.is_file():
        raise InputError(f"There is no {path}; run the pipeline with --out {out} first.")
    table = read_table(path)
    if missing := [name for name in _NEEDED if table.num_rows and name not in table.column_names]:
        raise InputError(f"{path} has no {missing[0]}; it is not what a run of the pipeline writes.")
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def _record(row: Mapping[str, Any], rounds: Rounds) -> dict[str, Any]:
    return {
        ROW_ID: row[ROW_ID],
        **{name: row[name] for name in _FIRST},
        "result": rounds.relative(row["result"]),
        **{name: row.get(name) for name in _VALUES},
        **{column: row[column] for column in FIELDS.values()},
    }
