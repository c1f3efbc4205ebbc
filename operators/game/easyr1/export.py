"""What a data set of rounds has for trainers, EasyR1 apart, which reads it as it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from dataflow_ext.datasets.source import Row, Source
from dataflow_ext.tables import json_records, read_table
from operators.game.easyr1.form import DATA_FOLDER, IMAGE_FOLDER, PARQUET_FOLDER, SPLITS


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The rounds in a folder; None if there are none."""
    splits = [split for split in SPLITS if (out / DATA_FOLDER / f"{split}.jsonl").is_file()]
    if not splits or not (out / PARQUET_FOLDER).is_dir():
        return None
    nothing = "a round has one right card and no reasoning"
    return Source(
        "game_annotate",
        out / IMAGE_FOLDER,
        lambda: {split: read_table(out / PARQUET_FOLDER / f"{split}.parquet") for split in splits},
        conversations=lambda: map(_conversation, _problems(out, splits)),
        problems=partial(_problems, out, splits),
        missing={"pairs": nothing, "steps": nothing},
    )


def _problems(out: Path, splits: list[str]) -> Iterator[Row]:
    for split in splits:
        for number, row in enumerate(json_records(out / DATA_FOLDER / f"{split}.jsonl"), 1):
            yield {"id": f"{split}-{number}", "split": split, **row}


def _conversation(row: Row) -> Row:
    asked, said = {"role": "user", "content": row["problem"]}, {"role": "assistant", "content": row["answer"]}
    return {"id": row["id"], "split": row["split"], "messages": [asked, said], "images": row["images"]}
