"""Runs of ``onevision`` on the example set and on parts of it, what they leave behind, and what should come of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pipelines.onevision import main
from tests.onevision import sets

Row = dict[str, Any]

#: The files of rows by their verdicts, and those of kept rows in other forms.
BY_VERDICT = {"kept": "onevision.jsonl", "review": "review.jsonl", "dropped": "dropped.jsonl"}
FORMS = ("messages.jsonl", "sharegpt.jsonl", "grpo.jsonl", "onevision.parquet", "dataset_info.json")
#: What a run leaves behind.
LEFT = {
    *BY_VERDICT.values(), *FORMS, "rows.parquet", "images", ".run", "rejects.jsonl", "report.html", "stats.json", "README.md"
}  # fmt: skip

#: Records without dirt, two of which share a picture in two languages, and two in one.
CLEAN = (
    *("chartqa_1042", "chartqa_1042_b", "geoqa_3307", "geoqa_3307_zh", "coco_123456", "clevr_17", "phys_412_1"),
    *("mathverse_45", "tabmwp_3120"),
)


def see(records: Path, out: Path, *flags: object, images: Path = sets.IMAGES, ocr: str = "never") -> int:
    """Run the command on records; its exit code."""
    return main([str(records), "--images", str(images), "--out", str(out), "--ocr", ocr, *map(str, flags)])


def part(path: Path, ids: Sequence[str] = CLEAN) -> Path:
    """A file of some records of the example set, in the order of their ids here."""
    found = {record["id"]: line for line, record in sets.records().items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{sets.lines()[found[id] - 1]}\n" for id in ids), encoding="utf-8")
    return path


def turns_of(ids: Sequence[str] = CLEAN) -> dict[str, sets.Truth]:
    """The truth about the turns of records."""
    return {name: turn for name, turn in sets.turns().items() if name.partition("#")[0] in ids}


def pictures_of(ids: Sequence[str] = CLEAN) -> set[str]:
    return {turn["image"] for turn in turns_of(ids).values()}


def rows_of(out: Path) -> dict[str, Row]:
    """All rows of a data set by their ids."""
    return {row["id"]: row for name in BY_VERDICT.values() for row in lines_of(out / name)}


def kept_in(out: Path) -> list[Row]:
    return lines_of(out / BY_VERDICT["kept"])


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def rejects_of(out: Path) -> list[Row]:
    return lines_of(out / "rejects.jsonl")


def stats_of(out: Path) -> Any:
    return json.loads((out / "stats.json").read_text(encoding="utf-8"))


def steps_of(out: Path) -> dict[str, Row]:
    """What the last run tells of its steps, by operator."""
    report = json.loads((out / ".run" / "report.json").read_text(encoding="utf-8"))
    return {step["operator"]: step for step in report["steps"]}


def data_of(out: Path) -> dict[str, bytes]:
    """The bytes of a data set: its files and pictures."""
    paths = [out / name for name in (*BY_VERDICT.values(), *FORMS) if (out / name).is_file()]
    paths += sorted(path for path in (out / "images").rglob("*") if path.is_file())
    found = {path.relative_to(out).as_posix(): path.read_bytes() for path in paths}
    if (out / "rows.parquet").is_file():
        rows = pq.read_table(out / "rows.parquet").to_pylist()
        found["rows.parquet"] = json.dumps(rows, ensure_ascii=False).encode()
    return found


def files_of(out: Path) -> dict[str, bytes]:
    """The bytes of all that a run leaves for people, but of its page, which tells how long it took."""
    paths = (path for path in out.rglob("*") if path.is_file() and ".run" not in path.parts)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(paths) if path.suffix != ".html"}


def known_to_err() -> dict[str, str]:
    """What can be no row of the set, and why: turns by their names, lines without a record as "train.jsonl:LINE"."""
    turns = {name: str(turn["why"]) for name, turn in sets.turns(fate="reject").items()}
    lines = {f"{sets.ROWS.name}:{line}": "no record" for line in range(1, len(sets.lines()) + 1) if _no_record(line)}
    # Ids are unique in a data set: of two rows with one id the second has no place in it.
    repeated = {name: "repeated id" for name in sets.turns(fate="row") if "@" in name}
    return turns | lines | repeated


def _no_record(line: int) -> bool:
    return line not in sets.records()


def expected() -> set[str]:
    """The ids of the rows that the set has to give."""
    return {name.partition("@")[0] for name in sets.turns()} - set(known_to_err())


def all_told() -> int:
    """How many turns come in; a line without a record counts as one."""
    return len(sets.turns()) + sum(_no_record(line) for line in range(1, len(sets.lines()) + 1))
