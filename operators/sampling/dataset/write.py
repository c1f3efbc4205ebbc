"""Attempts as a data set in a folder: the same bytes for the same attempts, whatever their order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from dataflow_ext.datasets.folder import IMAGES, DataFolder
from dataflow_ext.datasets.lines import line_of
from dataflow_ext.pictures import checked_file
from operators.sampling.dataset.forms import Entry, Row, dpo, grpo, has_rate, paired, sft, solved, steps

SFT, DPO, GRPO, STEPS = "sft.jsonl", "dpo.jsonl", "grpo.jsonl", "steps.jsonl"
#: All attempts with all that is known of them, but for what differs from run to run.
ATTEMPTS = "attempts.parquet"
HOLDS = {
    SFT: "right attempts: messages, images, the answer that they were compared with, and who decided",
    DPO: "prompt, chosen, rejected: a right and a wrong attempt that saw the same, by what their answers mean",
    GRPO: "a question each: prompt, answer, its rate of success with bounds and the estimator's name, its difficulty",
    STEPS: "attempts step by step: each step ends where something is computed, labelled with whether it is so",
    ATTEMPTS: "all attempts, with all that is known of them",
}
NAMES = tuple(HOLDS)

#: Seconds of the calls: they are no part of the data, which are the same in each run.
SECONDS = "seconds"

_ORDER = [("question_id", "ascending"), ("attempt", "ascending")]
#: Questions that are Python objects at one time.
_TOGETHER = 1024


@dataclass(frozen=True, slots=True)
class Selection:
    """How many rows a question gives at most."""

    sft: int = 2
    pairs: int = 1


@dataclass(slots=True)
class Files:
    """The data files of a folder while they are written."""

    folder: DataFolder
    texts: Mapping[str, TextIO]
    pictures: dict[str, str] = field(default_factory=dict)

    def write(self, attempts: Sequence[Row], chosen: Selection) -> None:
        """The lines of a question."""
        for row in solved(attempts, chosen.sft):
            self._line(SFT, sft(row, self._placed(row)))
        for right, wrong in paired(attempts, chosen.pairs):
            self._line(DPO, dpo(right, wrong, self._placed(right)))
        if has_rate(attempts):
            self._line(GRPO, grpo(attempts[0], self._placed(attempts[0])))
        for row in attempts:
            if entry := steps(row, self._placed(row)):
                self._line(STEPS, entry)

    def _line(self, name: str, entry: Entry) -> None:
        self.texts[name].write(line_of(entry))

    def _placed(self, row: Row) -> list[str]:
        """The paths of a row's pictures in the folder, which they are put into."""
        return [self._path(picture) for picture in row["pictures"]]

    def _path(self, picture: str) -> str:
        if picture not in self.pictures:
            path, data = placed(picture)
            self.pictures[picture] = path
            self.folder.expect([path])
            self.folder.put(path, data)
        return self.pictures[picture]


def placed(picture: str) -> tuple[str, bytes]:
    """Where a picture's file stands in a data set, by a name that its content gives, and what stands there."""
    checked = checked_file(Path(picture))
    name = checked.name(f"{hashlib.sha256(checked.data).hexdigest()[:16]}{Path(picture).suffix}")
    return f"{IMAGES}/{name}", checked.data


def write_data_set(table: pa.Table, out: Path, chosen: Selection) -> None:
    """Write the attempts, which have all columns of the sampler, and what they are good for."""
    import pyarrow.parquet as pq

    table = table.sort_by(_ORDER)
    with DataFolder(out, NAMES) as folder:
        with ExitStack() as stack:
            texts = {name: stack.enter_context(folder.text(name)) for name in NAMES if name != ATTEMPTS}
            files = Files(folder, texts)
            for attempts in by_question(table):
                files.write(attempts, chosen)
        pq.write_table(_portable(table, files.pictures), folder.staged(ATTEMPTS), compression="zstd")
        folder.place()
        folder.keep_only(files.pictures.values(), map(Path, files.pictures))


def by_question(table: pa.Table) -> Iterator[list[dict[str, Any]]]:
    """The attempts at each question, which follow each other in the table."""
    rows = (row for batch in table.to_batches(max_chunksize=_TOGETHER) for row in batch.to_pylist())
    for _, attempts in groupby(rows, key=lambda row: row["question_id"]):
        yield list(attempts)


def _portable(table: pa.Table, pictures: Mapping[str, str]) -> pa.Table:
    """The table with pictures as ``images``, paths from the folder, and without seconds."""
    lists = [[pictures.get(each, Path(each).name) for each in row] for row in table["pictures"].to_pylist()]
    place = table.column_names.index("pictures")
    table = table.set_column(place, "images", pa.array(lists, pa.list_(pa.string())))
    return table.drop_columns([SECONDS]).combine_chunks()
