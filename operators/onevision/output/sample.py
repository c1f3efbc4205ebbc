"""A sheet to review rows by eye."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa

from dataflow_ext import InputError, OptionError
from dataflow_ext.report import Field, Labels, Listing, Page, write_report
from dataflow_ext.report.parts import Pictures
from operators.onevision.output.page import shown_row

NAME = "sample.html"

#: What can be ticked of a row, by the column of the CSV.
FAULTS = {
    "description_wrong": "the description does not fit the picture",
    "reasoning_wrong": "a step is wrong or made up",
    "answer_wrong": "the answer is wrong",
    "language_bad": "it reads badly",
}
_LABELS = Labels(
    "review.csv",
    ("id", "verdict"),
    (
        Field("reviewed", "Reviewed", "choice", (("good", "good as it stands"), ("bad", "bad"))),
        *(Field(name, words, implies=("reviewed", "bad")) for name, words in FAULTS.items()),
        Field("note", "note", "words"),
    ),
    "Look at the picture first, then read. Tell what is wrong, or that it is good. Rows of which nothing was told are "
    "not saved.",
)
HEADER = (*_LABELS.given, *(field.name for field in _LABELS.fields))


def write_sample(rows: pa.Table, out: Path, n: int, seed: int) -> Path:
    """The path of ``out/sample.html``, a page with ``n`` rows that saves ``review.csv`` from a browser.

    Each verdict has a share of the rows, at least a fifth of ``n`` where it has so many; which ones rests on ``seed``.
    The page shows the pictures of the folder and needs no network. Raises InputError if there is no row, OptionError
    for ``n`` below 1.
    """
    if n < 1:
        raise OptionError(f"A sample of {n} rows shows nothing; ask for at least one.")
    if not rows.num_rows:
        raise InputError("There is no row to review.")
    chosen = rows.take(pa.array(sampled(rows["id"].to_pylist(), rows["verdict"].to_pylist(), n, seed), pa.int64()))
    pictures = Pictures(out)
    shown = (shown_row(row, pictures) for row in chosen.to_pylist())
    page = Page(
        title=f"{chosen.num_rows} of {rows.num_rows:,} rows",
        kind="Review by eye",
        listings=[Listing("rows", "Rows", shown, labels=_LABELS)],
    )
    return write_report(page, out, name=NAME)


def sampled(ids: list[str], verdicts: list[str], n: int, seed: int) -> list[int]:
    """The places of so many rows in a random order: a fifth of each verdict first, the rest from all.

    >>> sampled(["a", "b", "c"], ["kept", "kept", "dropped"], 2, 1) in ([0, 2], [2, 0], [1, 2], [2, 1], [0, 1], [1, 0])
    True
    """
    order = random.Random(seed)  # noqa: S311 - the same each time
    shuffled = sorted(range(len(ids)), key=lambda place: ids[place])
    order.shuffle(shuffled)
    fifth = max(1, n // 5)
    first: list[int] = []
    for verdict in sorted(set(verdicts)):
        first += [place for place in shuffled if verdicts[place] == verdict][:fifth]
    taken = set(first)
    chosen = [*first, *(place for place in shuffled if place not in taken)][:n]
    order.shuffle(chosen)
    return chosen
