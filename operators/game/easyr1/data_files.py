"""The data files of a data set: JSONL that names pictures, and Parquet that holds them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from dataflow_ext import Failure
from dataflow_ext.files import put
from dataflow_ext.images import IMAGE, with_image_features
from operators.game.easyr1.form import DATA_FOLDER, ENDINGS, IMAGE_FOLDER, SPLITS
from operators.game.easyr1.pictures import Facts
from operators.game.easyr1.placing import STAGE, cannot_write

#: Limits of one row group of Parquet: its rows, and the bytes of its pictures.
_GROUP_ROWS = 128
_GROUP_BYTES = 16 << 20

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


def write_data_files(out: Path, rows: Mapping[str, Sequence[Example]]) -> None:
    """Write the JSONL and Parquet files of each split under other names, then put them all in place.

    A split without rows has no files, as ``datasets`` fails on an empty one, and one that is there is removed.
    """
    staged: dict[Path, Path] = {}
    gone: list[Path] = []
    for split, examples in rows.items():
        for folder, ending in ENDINGS.items():
            target = out / folder / f"{split}{ending}"
            if not examples:
                gone.append(target)
                continue
            staged[target] = out / STAGE / target.name
            _guarded(staged[target], examples, out / IMAGE_FOLDER)
    for target in gone:
        target.unlink(missing_ok=True)
    for target, source in staged.items():
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            put(source, target)
        except OSError as error:
            raise cannot_write(target, error) from None


def _guarded(path: Path, examples: Sequence[Example], images: Path) -> None:
    try:
        if path.suffix == ENDINGS[DATA_FOLDER]:
            _write_lines(path, examples)
        else:
            _write_parquet(path, examples, images)
    except OSError as error:
        raise cannot_write(path, error) from None


def _write_lines(path: Path, examples: Sequence[Example]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for example in examples:
            row = {"images": [example.image], "problem": example.problem, "answer": example.answer}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_parquet(path: Path, examples: Sequence[Example], images: Path) -> None:
    import pyarrow.parquet as pq

    # Pictures are compressed already, and no two are alike: a dictionary would only hold them in memory.
    with pq.ParquetWriter(path, _SCHEMA, compression="zstd", use_dictionary=False) as writer:
        for group in _groups(examples, images):
            pictures = [[{"bytes": data, "path": example.image}] for example, data in group]
            texts = ([example.problem for example, _ in group], [example.answer for example, _ in group])
            columns = [pa.array(pictures, _SCHEMA.field("images").type), *(pa.array(t, pa.string()) for t in texts)]
            writer.write_table(pa.table(columns, schema=_SCHEMA))


def _groups(examples: Sequence[Example], images: Path) -> Iterator[list[tuple[Example, bytes]]]:
    """Stretches of rows with their pictures that are small enough to hold in memory."""
    group: list[tuple[Example, bytes]] = []
    used = 0
    for example in examples:
        data = (images / example.image).read_bytes()
        if group and (len(group) >= _GROUP_ROWS or used + len(data) > _GROUP_BYTES):
            yield group
            group, used = [], 0
        group.append((example, data))
        used += len(data)
    if group:
        yield group
