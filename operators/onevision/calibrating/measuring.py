"""How many damaged rows the gate catches, and how many good ones it suspects."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import arrow_type
from dataflow_ext.models import Model
from dataflow_ext.rejects import split
from dataflow_ext.rows import decoded, encoded
from dataflow_ext.wilson import wilson
from operators.onevision.calibrating.damages import DAMAGES
from operators.onevision.checking import checks_of
from operators.onevision.codes import EFFECT
from operators.onevision.gate import NOT_JUDGED, Limits, verdict_of
from operators.onevision.quality_judge import QualityJudge
from operators.onevision.records import Judgement
from prompts import OneVisionJudgedPrompt, OneVisionJudgePrompt

#: The kind of the rows that nothing was done to.
UNDAMAGED = "undamaged"
#: Which of its row a damage is drawn for, at the end: the column that says it.
_PLACE = "place"


@dataclass(frozen=True, slots=True)
class Measure:
    """What the gate made of one kind of rows.

    ``made`` rows of it were judged and ``caught`` of them not kept; ``low`` and ``high`` are Wilson's 95 % bounds of
    the rate. ``left`` rows could not be damaged so, of ``errors`` the judge's reply was none. ``by`` are the codes
    that caught them, most first, with their counts.
    """

    kind: str
    made: int
    caught: int
    left: int
    errors: int
    by: tuple[tuple[str, int], ...]

    @property
    def rate(self) -> float:
        """The share of rows that were not kept."""
        return self.caught / self.made if self.made else 0.0

    @property
    def low(self) -> float:
        """The lower bound of the rate."""
        return wilson(self.caught, self.made)[0]

    @property
    def high(self) -> float:
        """The upper bound of the rate."""
        return wilson(self.caught, self.made)[1]


def measure(
    rows: Sequence[Mapping[str, Any]],
    *,
    judge: Model | None = None,
    seed: int = 0,
    per_kind: int | None = None,
    kinds: Sequence[str] = tuple(DAMAGES),
    limits: Limits | None = None,
    prompts: Path | None = None,
) -> list[Measure]:
    """The gate's measures on good rows (columns as in FINISHED): undamaged, then the kinds of damage.

    At most ``per_kind`` rows are drawn for each kind, all if it is None. The same rows and seed make the same damages.
    ``judge`` is asked by the prompts in the folder ``prompts``, where it has some.
    A row is caught if it is not kept.
    """
    chosen = _chosen(rows, per_kind, random.Random(f"{seed}/rows"))  # noqa: S311 - a draw, not a secret
    asked = (
        None
        if judge is None
        else QualityJudge(
            model=judge, prompt=OneVisionJudgePrompt(folder=prompts), row_prompt=OneVisionJudgedPrompt(folder=prompts)
        )
    )
    measures = [_measured(UNDAMAGED, chosen, 0, asked, limits)]
    for kind in kinds:
        damaged = list(_damaged(kind, chosen, rows, seed))
        measures.append(_measured(kind, damaged, len(chosen) - len(damaged), asked, limits))
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


def _measured(
    kind: str, rows: Sequence[Mapping[str, Any]], left: int, judge: QualityJudge | None, limits: Limits | None
) -> Measure:
    checked = [{**row, "checks": checks_of(row)} for row in rows]
    judged = _judged(checked, judge) if judge is not None else [Judgement("not run")] * len(checked)
    caught = 0
    by: Counter[str] = Counter()
    for row, judgement in zip(checked, judged, strict=True):
        if judgement is None:
            continue
        verdict, reasons, _ = verdict_of(row["checks"], judgement, limits=limits)
        if verdict != "kept":
            caught += 1
            codes = {reason.partition(":")[0] for reason in reasons if reason != NOT_JUDGED}
            by.update({code: 1 for code in codes if EFFECT.get(code) != "note"})
    errors = sum(judgement is None for judgement in judged)
    told = tuple(sorted(by.items(), key=lambda each: (-each[1], each[0])))
    return Measure(kind, len(rows) - errors, caught, left, errors, told)


def _judged(rows: Sequence[Mapping[str, Any]], operator: QualityJudge) -> list[Judgement | None]:
    """What the judge says of each row, None where its reply was none."""
    columns = {**operator.inputs, _PLACE: int}
    fields = [(name, arrow_type(kind)) for name, kind in columns.items()]
    records = [{name: row[name] for name in operator.inputs} | {_PLACE: place} for place, row in enumerate(rows)]
    table = pa.table(encoded(records, columns), pa.schema(fields))
    alive, _ = split(operator.apply(table).table)
    made, _ = decoded(alive, {"judge": Judgement, _PLACE: int})
    by_place = dict(zip(made[_PLACE], made["judge"], strict=True))
    return [by_place.get(place) for place in range(len(rows))]
