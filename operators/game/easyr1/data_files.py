"""The data files of a data set: JSONL that names pictures, and Parquet that holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from dataflow_ext import Failure
from dataflow_ext.datasets.folder import DataFolder
from dataflow_ext.datasets.lines import line_of
from dataflow_ext.datasets.parquet import ParquetRows
from dataflow_ext.images import IMAGE, with_image_features
from operators.game.easyr1.form import DATA_FOLDER, IMAGE_FOLDER, NAMES, PARQUET_FOLDER, SPLITS
from operators.game.easyr1.pictures import Facts

_SCHEMA = with_image_features(
    pa.schema([("images", pa.list_(IMAGE)), ("problem", pa.string()), ("answer", pa.string())]).empty_table()
).schema


@dataclass(frozen=True, slots=True)
class Example:
    """One row to be: its place in its split, its picture's file and path in the data set, and its texts.

    ``row`` is the input row that it comes from.
    """

    split: str
    place: int
    image: str
    problem: str
    answer: str
    question: Path
    row: int = 0

    def order(self) -> tuple[int, int, str, str, str, str]:
        """What the order of a data set's rows, and of claims to a path, rests on: never the order of the input."""
        return (SPLITS.index(self.split), self.place, self.image, self.problem, self.answer, str(self.question))


@dataclass(slots=True)
class DataSet:
    """What was written: the rows in their order, their pictures' sizes, and why others could not be (by ``row``)."""

    examples: list[Example]
    facts: dict[str, Facts]
    failed: dict[int, Failure] = field(default_factory=dict)

    def of(self, split: str) -> list[Example]:
        """The rows of one split."""
        return [example for example in self.examples if example.split == split]


def write_data_files(folder: DataFolder, rows: Mapping[str, Sequence[Example]]) -> None:
    """Write the JSONL and Parquet files of each split, and put them all in place.

    A split without rows has no files, as ``datasets`` fails on an empty one.
    """
    for split, examples in rows.items():
        if not examples:
            continue
        with folder.text(f"{DATA_FOLDER}/{split}.jsonl") as file:
            for each in examples:
                file.write(line_of({"images": [each.image], "problem": each.problem, "answer": each.answer}))
        with ParquetRows(folder.staged(f"{PARQUET_FOLDER}/{split}.parquet"), _SCHEMA) as stored:
            for each in examples:
                data = (folder.out / IMAGE_FOLDER / each.image).read_bytes()
                picture = {"bytes": data, "path": each.image}
                stored.write({"images": [picture], "problem": each.problem, "answer": each.answer}, len(data))
    folder.place()
    folder.remove(name for name in NAMES if not rows.get(name.rpartition("/")[2].partition(".")[0]))
