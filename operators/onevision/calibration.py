"""How many rows with a damaged source the whole pipeline keeps, and how many good ones it does not."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import InputError, Operator, RowOperator, run
from dataflow_ext.columns import Columns
from dataflow_ext.models import Session
from dataflow_ext.report.figures import wilson
from dataflow_ext.rows import decoded
from dataflow_ext.tables import as_meant, read_table
from operators.onevision.cot_rewriter import REWRITTEN, CoTRewriter
from operators.onevision.damages import COPIES, DAMAGES, OPENINGS
from operators.onevision.export import ROWS, rows_in
from operators.onevision.image_normalizer import ImageNormalizer
from operators.onevision.image_text_reader import ImageTextReader
from operators.onevision.judging import NOT_JUDGED, verdict_of
from operators.onevision.model.records import EFFECT, FINISHED, Check, Judgement, Language, Verdict
from operators.onevision.object_detector import ObjectDetector

_SEEN = ("picture", "picture_key", "width", "height", "detections", "detector", "ocr", "ocr_by")


class SeenPictures(RowOperator):
    """What the run saw in each picture: its file, text and boxes; a picture is named by its key."""

    inputs: ClassVar[Columns] = {"image": str}
    outputs: ClassVar[Columns] = {name: FINISHED[name] for name in _SEEN}
    remembered = False

    seen: Mapping[str, Any]

    def row(self, image: str) -> dict[str, Any]:
        """One row's picture."""
        return {name: self.seen[image][name] for name in _SEEN}


class Copier(RowOperator):
    """A writer that copies the source's reasoning, perhaps behind a sentence of its own."""

    inputs: ClassVar[Columns] = {"original_reasoning": str, "language": Language}
    outputs: ClassVar[Columns] = {"cot_thinking": str | None, "rewrite_state": str, "rewrite_by": str}

    opening: bool = False

    def row(self, original_reasoning: str, language: Language) -> dict[str, Any]:
        """One row's copy."""
        begin = OPENINGS[language == "zh"] + ("" if language == "zh" else " ") if self.opening else ""
        return {
            "cot_thinking": f"<think>{begin}{original_reasoning}</think>",
            "rewrite_state": REWRITTEN,
            "rewrite_by": "a copier",
        }


def again(steps: Sequence[Operator], rows: Sequence[Mapping[str, Any]]) -> list[Operator]:
    """The steps of a pipeline over rows whose pictures it has seen already."""
    seen = SeenPictures(seen={row["picture_key"]: {name: row[name] for name in _SEEN} for row in rows})
    kept = [each for each in steps if not isinstance(each, (ObjectDetector, ImageTextReader))]
    return [seen if isinstance(each, ImageNormalizer) else each for each in kept]


def copying(steps: Sequence[Operator], *, opening: bool) -> list[Operator]:
    """The same steps with a copier as the writer."""
    return [Copier(opening=opening) if isinstance(each, CoTRewriter) else each for each in steps]


def source_of(rows: Mapping[str, Mapping[str, Any]]) -> pa.Table:
    """Rows as LLaVA-CoT's records, by their ids; without a gold answer, which would be a second copy."""
    records = [json.dumps(_record(name, row), ensure_ascii=False) for name, row in rows.items()]
    return pa.table({"source": [f"{name}:1" for name in rows], "record": pa.array(records, pa.string())})


def _record(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    blocks = {
        "CAPTION": row["original_caption"],
        "REASONING": row["original_reasoning"],
        "CONCLUSION": row["original_conclusion"],
    }
    said = "\n\n".join(f"<{tag}>{text}</{tag}>" for tag, text in blocks.items() if text)
    talk = [{"from": "human", "value": row["question"]}, {"from": "gpt", "value": said}]
    return {"id": name, "image": row["picture_key"], "conversations": talk}


#: The kind of the rows that nothing was done to.
UNDAMAGED = "undamaged"
#: The reason of a row that is a reject.
REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Caught:
    """How many of ``made`` rows were not kept, and by which codes, most first, with their counts."""

    made: int
    count: int
    by: tuple[tuple[str, int], ...]

    @property
    def rate(self) -> float:
        """The share of rows that were not kept."""
        return self.count / self.made if self.made else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Wilson's 95 % bounds of the rate."""
        return wilson(self.count, self.made)


@dataclass(frozen=True, slots=True)
class Measure:
    """What the pipeline made of one kind of rows: by code alone, and with the judge (None without one).

    ``left`` rows could not be damaged so; of ``errors`` a model's reply was none, and they are not counted.
    """

    kind: str
    left: int
    errors: int
    code: Caught
    judge: Caught | None


def measure(
    rows: Sequence[Mapping[str, Any]],
    steps: Sequence[Operator],
    *,
    seed: int = 0,
    per_kind: int | None = None,
    kinds: Sequence[str] = (*DAMAGES, *COPIES),
    judged: bool = False,
    session: Session | None = None,
) -> list[Measure]:
    """The measures of good rows (columns as in FINISHED) by the steps of a pipeline: undamaged, then each kind.

    At most ``per_kind`` rows are drawn, all if it is None. Each source is damaged, and all steps are run on it, but
    for pictures, whose text and boxes are known. ``judged`` tells that the steps have a judge; ``session`` is what
    its calls are made in. The same rows and seed make the same damages.
    """
    chosen = _chosen(rows, per_kind, random.Random(f"{seed}/rows"))  # noqa: S311 - a draw, not a secret
    whole = again(steps, rows)
    measures = []
    # Each kind is a run of its own: rows share what is said of their picture.
    for kind in (UNDAMAGED, *kinds):
        made = list(_damaged(kind, chosen, rows, seed)) if kind in DAMAGES else list(chosen)
        told = _told(made, copying(whole, opening=COPIES[kind]) if kind in COPIES else whole, session)
        measures.append(_measured(kind, len(made), len(chosen), told, judged=judged))
    return measures


def _chosen(rows: Sequence[Mapping[str, Any]], most: int | None, rng: random.Random) -> Sequence[Mapping[str, Any]]:
    if most is None or most >= len(rows):
        return rows
    return [rows[n] for n in sorted(rng.sample(range(len(rows)), most))]


def _damaged(
    kind: str, chosen: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], seed: int
) -> Iterator[dict[str, Any]]:
    """The rows that can be damaged so; each has a stream of its own, so that it stands for itself."""
    for row in chosen:
        rng = random.Random(f"{seed}/{kind}/{row['id']}")  # noqa: S311
        damaged = DAMAGES[kind](row, rows, rng)
        if damaged is not None:
            yield damaged


#: A row's checks and what its judge said.
_Told = tuple[list[Check], Judgement]


def _told(rows: Sequence[Mapping[str, Any]], steps: Sequence[Operator], session: Session | None) -> list[_Told]:
    """What the steps tell of rows that are no rejects."""
    if not rows:
        return []
    source = source_of({f"row {n}": row for n, row in enumerate(rows)})
    table = run(list(steps), source, session=session).table
    found, _ = decoded(table, {"checks": list[Check], "judge": Judgement})
    return list(zip(found["checks"], found["judge"], strict=True))


def _measured(kind: str, made: int, chosen: int, told: Sequence[_Told], *, judged: bool) -> Measure:
    lost = made - len(told)
    # With models a reject is mostly a reply that could not be read; without, a source that cannot be used.
    errors = lost if judged else 0
    unjudged = Judgement("not run")
    alone = _caught([verdict_of(checks, unjudged)[:2] for checks, _ in told], lost - errors)
    both = _caught([verdict_of(checks, judge)[:2] for checks, judge in told], lost - errors) if judged else None
    return Measure(kind, chosen - made, errors, alone, both)


def _caught(verdicts: Sequence[tuple[Verdict, list[str]]], rejected: int) -> Caught:
    by: Counter[str] = Counter({REJECTED: rejected} if rejected else {})
    count = rejected
    for verdict, reasons in verdicts:
        if verdict != "kept":
            count += 1
            codes = {reason.partition(":")[0] for reason in reasons if reason != NOT_JUDGED}
            by.update({code: 1 for code in codes if EFFECT.get(code) != "note"})
    most = tuple(sorted(by.items(), key=lambda each: (-each[1], each[0])))
    return Caught(len(verdicts) + rejected, count, most)


#: The file that is written into the run's folder; a later one gets a number and leaves the first as it is.
FILE = "calibration.json"


def free_path(folder: Path) -> Path:
    """The first name that no file has: calibration.json, calibration-2.json, …"""
    stem, _, ending = FILE.partition(".")
    names = (FILE if number == 1 else f"{stem}-{number}.{ending}" for number in count(1))
    return next(path for name in names if not (path := folder / name).exists())


def table_of(measures: Sequence[Measure]) -> list[str]:
    """The measures as lines of a table: caught by code alone, and with the judge if there was one."""
    judged = any(each.judge is not None for each in measures)
    head = f"{'kind':26}{'made':>6}{'left out':>10}{'by code':>9}{'rate':>8}  {'95 % bounds':16}"
    lines = [head + (f"{'judged':>9}{'rate':>8}  {'95 % bounds':16}" if judged else "") + "  most by"]
    for each in measures:
        line = f"{each.kind:26}{each.code.made:6}{each.left:10}{_cells(each.code)}"
        by = each.code.by if each.judge is None else each.judge.by
        line += _cells(each.judge) if each.judge is not None else ""
        lines.append(f"{line}  {', '.join(f'{code} {number}' for code, number in by[:3])}".rstrip())
    if errors := sum(each.errors for each in measures):
        lines.append(f"{errors} rows had replies of models that could not be read; they are not counted.")
    return lines


def _cells(caught: Caught) -> str:
    low, high = caught.bounds
    return f"{caught.count:9}{caught.rate:8.1%}  {f'{low:.1%} to {high:.1%}':16}"


def kept_rows(rows: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The kept ones; InputError if there are none."""
    kept = [row for row in rows if row["verdict"] == "kept"]
    if not kept:
        raise InputError(f"{folder / ROWS} has no kept row, so there is nothing to damage.")
    return kept


def reviewed_rows(rows: list[dict[str, Any]], files: Sequence[Path]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The rows that a person found good, and how many of those found bad the run had kept.

    Raises InputError if a file is no review of these rows, or none names a good one.
    """
    found = {row["id"]: row for row in rows}
    said = reviews(files, found)
    good = [found[id] for id, verdict in said.items() if verdict == "good"]
    bad = [found[id] for id, verdict in said.items() if verdict == "bad"]
    if not good:
        raise InputError(f"{', '.join(map(str, files))}: no row was found good, so there is nothing to damage.")
    return good, {"reviewed": len(bad), "kept": sum(row["verdict"] == "kept" for row in bad)}


def reviews(files: Sequence[Path], known: Collection[str]) -> dict[str, str]:
    """What a person said of rows, by their ids, in the files that the page of sample saves; the last file counts."""
    said: dict[str, str] = {}
    for file in files:
        told = read_table(file)
        if not {"id", "reviewed"} <= set(told.column_names):
            raise InputError(
                f"{file} is no review: it needs the columns id and reviewed, as the page of sample has them."
            )
        columns = (told[name].to_pylist() for name in ("id", "reviewed"))
        here = {as_meant(id): verdict for id, verdict in zip(*columns, strict=True)}
        if unknown := sorted(set(here) - set(known)):
            raise InputError(
                f"{file} speaks of {len(unknown)} rows that the run does not have, such as {unknown[0]!r}."
            )
        said |= here
    return said


def rows_with_reasoning(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run that have a reasoning; InputError if there is no run."""
    table = rows_in(folder)
    try:
        columns, wrong = decoded(table, FINISHED)
    except Exception as error:  # columns that are not there, or of another kind
        raise InputError(f"{folder / ROWS} cannot be read as finished rows: {error}") from None
    return [
        {name: values[n] for name, values in columns.items()}
        for n in range(table.num_rows)
        if n not in wrong and columns["cot_thinking"][n]
    ]


def told(measures: Sequence[Measure], seed: int, kept: int, judge: Any, model: Any) -> dict[str, Any]:
    """The measures for the file."""
    return {
        "kept": kept,
        "seed": seed,
        "model": model.name if model is not None else None,
        "judge": judge.name if judge is not None else None,
        "kinds": [
            {
                "kind": each.kind,
                "made": each.code.made,
                "left_out": each.left,
                "errors": each.errors,
                "code": _figures(each.code),
                "judge": _figures(each.judge) if each.judge is not None else None,
            }
            for each in measures
        ],
    }


def _figures(caught: Caught) -> dict[str, Any]:
    low, high = caught.bounds
    rates = {"rate": round(caught.rate, 4), "low": round(low, 4), "high": round(high, 4)}
    return {"caught": caught.count, **rates, "by": dict(caught.by)}
