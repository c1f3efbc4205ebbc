"""The data set of rows with verdicts: what lies where, files written whole or not at all, what trainers read of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext import Failure, RowError, progress
from dataflow_ext.datasets.export import DATASET_INFO, dataset_info, write_dataset_info
from dataflow_ext.datasets.files import PICTURE, ParquetRows, Pictures, UnwritableLine, line_of
from dataflow_ext.datasets.folder import DataFolder
from dataflow_ext.datasets.source import Source, source_by_columns
from dataflow_ext.errors import DataflowError, InputError
from dataflow_ext.images import IMAGE, image_schema
from dataflow_ext.tables import read_table

#: All rows with all columns, for going on from: calibrating, sampling, one's own work.
ROWS = "rows.parquet"
#: The rows of each verdict, a line each.
BY_VERDICT = {"kept": "onevision.jsonl", "review": "review.jsonl", "dropped": "dropped.jsonl"}
#: Kept rows in the forms that trainers read.
MESSAGES, SHAREGPT, GRPO, PARQUET = "messages.jsonl", "sharegpt.jsonl", "grpo.jsonl", "onevision.parquet"
#: Rows that are read at one time.
_TOGETHER = 2048
NAMES = (ROWS, *BY_VERDICT.values(), MESSAGES, DATASET_INFO, SHAREGPT, GRPO, PARQUET)


def rows_in(out: Path) -> pa.Table:
    """All rows of a run's folder with all their columns, ``picture`` as a path from here."""
    return pa.concat_tables(row_parts(out))


def row_parts(out: Path) -> Iterator[pa.Table]:
    """The same, some thousands at a time: one table at least.

    In the file a picture is a path from the folder, so that the folder can be moved. Raises InputError if there is no
    such file, or it cannot be read.
    """
    import pyarrow.parquet as pq

    path = out / ROWS
    if not path.is_file():
        raise InputError(f"There is no file {path}; name the folder of a run of this pipeline.")
    try:
        with pq.ParquetFile(path) as file:
            yield file.schema_arrow.empty_table()
            for batch in file.iter_batches(_TOGETHER):
                yield _with_places(pa.Table.from_batches([batch]), out)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"Cannot read {path}: {error}") from None


def _with_places(rows: pa.Table, out: Path) -> pa.Table:
    if "picture" not in rows.column_names:
        return rows
    place = rows.column_names.index("picture")
    pictures = pa.array([None if p is None else str(out / p) for p in rows["picture"].to_pylist()], pa.string())
    return rows.set_column(place, "picture", pictures)


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The kept rows in a folder; None if there is no such data set."""
    if not (out / BY_VERDICT["kept"]).is_file() or not (out / PARQUET).is_file():
        return None
    nothing = "a row that the gate turned away may be right, and rewritten reasoning has no labels"
    return replace(
        source_by_columns(out, (MESSAGES, GRPO)),
        name="onevision",
        tables=lambda: {"train": read_table(out / PARQUET)},
        missing={"pairs": nothing, "steps": nothing, "problems": "no row was kept", "conversations": "no row was kept"},
    )


Row = Mapping[str, Any]
Entry = dict[str, Any]

#: Provenance as it stands, after the seed's fields.
_AS_IT_IS = (
    "original_reasoning",
    "original_conclusion",
    "image_type",
    "formal_code",
    "detections",
    "ocr",
    "checks",
    "judge",
    "verdict",
    "reasons",
)
_MORE = (
    *("record_id", "turn", "language", "options", "answer", "answer_type", "gold", "score", "width", "height"),
    *("dense_caption", "formal_language", "formal_state", "description_leaks", "rewrite_state", "tag_notes"),
)
#: Who did what.
_MODELS = {
    "type": "type_by",
    "caption": "caption_by",
    "detections": "detector",
    "ocr": "ocr_by",
    "description": "description_by",
    "rewrite": "rewrite_by",
}


def line(row: Row, picture: str) -> Entry:
    """The row as a line of its verdict's file: the seed's fields first, then where each came from.

    ``image`` is the path of the picture in the data set, ``source_image`` that in the source.
    """
    made: Entry = {
        "id": row["id"],
        "image": picture,
        "question": row["question"],
        "image_formal_description": row["image_formal_description"],
        "cot_thinking": row["cot_thinking"],
        "final_answer": row["final_answer"],
    }
    made.update((name, row[name]) for name in _AS_IT_IS)
    made["models"] = {what: row[by] for what, by in _MODELS.items()} | {"judge": row["judge"]["by"] or "not run"}
    made["source_image"] = row["image"]
    made.update((name, row[name]) for name in _MORE)
    return made


def reply(row: Row) -> str:
    """What the assistant says: reasoning and answer in their tags."""
    return f"{row['cot_thinking']}\n{row['final_answer']}"


def asked(row: Row) -> str:
    """What the user says: the picture's place, and the question."""
    return f"{PICTURE}\n{row['question'].replace(PICTURE, '').strip()}"


def messages(row: Row, picture: str) -> Entry:
    """The row for LLaMA-Factory: user and assistant in turn, one ``<image>`` for the one picture."""
    talk = [{"role": "user", "content": asked(row)}, {"role": "assistant", "content": reply(row)}]
    return {"id": row["id"], "messages": talk, "images": [picture]}


def sharegpt(row: Row, picture: str) -> Entry:
    """The row in ShareGPT's form."""
    talk = [{"from": "human", "value": asked(row)}, {"from": "gpt", "value": reply(row)}]
    return {"id": row["id"], "image": picture, "conversations": talk}


def grpo(row: Row, picture: str) -> Entry:
    """The row for reinforcement learning: problem, bare answer, pictures."""
    return {
        "id": row["id"],
        "problem": asked(row),
        "answer": row["answer"],
        "answer_type": row["answer_type"],
        "options": row["options"],
        "images": [picture],
    }


_FORMS: Mapping[str, Callable[[Row, str], Entry]] = {MESSAGES: messages, SHAREGPT: sharegpt, GRPO: grpo}
#: The columns of the Parquet file: the seed's fields, the picture as ``datasets`` opens it, and what to filter by.
_TEXTS = (
    *("id", "question", "image_formal_description", "cot_thinking", "final_answer", "answer", "answer_type"),
    *("image_type", "language"),
)
_PARQUET = image_schema(
    pa.schema([("image", IMAGE), *((name, pa.string()) for name in _TEXTS), ("score", pa.float64())])
)


def write_data_set(
    slices: Iterator[tuple[list[int], pa.Table]], sources: Mapping[str, str], out: Path, *, embed: bool
) -> list[Failure]:
    """Write the rows of slices, each with its rows' numbers, in order; InputError if the folder is not to be written.

    ``sources`` are the files of the pictures, by their keys. A row whose id an earlier row has, or whose picture
    is not there any more, is a failure.
    """
    failures: list[Failure] = []
    seen = set[str]()
    with DataFolder(out, NAMES) as folder:
        pictures = Pictures(folder, sources)
        with Files(folder, embed) as files:
            for numbers, table in slices:
                good: list[int] = []
                names: list[str] = []
                for place, (number, row) in enumerate(zip(numbers, table.to_pylist(), strict=True)):
                    try:
                        if row["id"] in seen:
                            raise RowError(f"{row['id']}: another row has this id; the first in order is written.")
                        path = pictures.put(row["picture_key"])
                        files.write(row, path)
                    except (DataflowError, OSError) as error:
                        failures.append(Failure.of(number, _told(row, error)))
                        continue
                    seen.add(row["id"])
                    good.append(place)
                    names.append(path)
                whole = table if len(good) == len(numbers) else table.take(pa.array(good, pa.int64()))
                at = whole.column_names.index("picture")
                files.rows(whole.set_column(at, "picture", pa.array(names, whole.schema.field(at).type)))
                progress.advance(len(numbers))
        folder.place()
        folder.keep_only(pictures.there)
    return failures


class Files:
    """The files of a data set while they are written, beside each other in the run's own folder; a context."""

    def __init__(self, folder: DataFolder, embed: bool) -> None:
        self._folder, self._embed = folder, embed
        self._rows: Any = None
        self._stack = ExitStack()

    def __enter__(self) -> Files:
        with self._stack as stack:
            names = (*BY_VERDICT.values(), *_FORMS)
            self._texts = {name: stack.enter_context(self._folder.text(name)) for name in names}
            write_dataset_info(dataset_info("onevision", MESSAGES), self._folder)
            self._parquet = stack.enter_context(ParquetRows(self._folder.staged(PARQUET), _PARQUET))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def write(self, row: Row, path: str) -> None:
        """The lines of a row; no line at all if a text of it cannot stand in a file."""
        lines = {BY_VERDICT[row["verdict"]]: line_of(line(row, path))}
        if row["verdict"] == "kept":
            lines |= {name: line_of(form(row, path)) for name, form in _FORMS.items()}
            data = (self._folder.out / path).read_bytes() if self._embed else None
            kept = {"image": {"bytes": data, "path": path}, **{n: row[n] for n in (*_TEXTS, "score")}}
            self._parquet.write(kept, len(data or b""))
        for name, text in lines.items():
            self._texts[name].write(text)

    def rows(self, table: pa.Table) -> None:
        """Rows with all their columns, ``picture`` as a path from the folder."""
        import pyarrow.parquet as pq

        if self._rows is None:
            path = self._folder.staged(ROWS)
            self._rows = self._stack.enter_context(pq.ParquetWriter(path, table.schema, compression="zstd"))
        self._rows.write_table(table)


def _told(row: Row, error: Exception) -> Exception:
    if isinstance(error, DataflowError) and not isinstance(error, UnwritableLine):
        return error
    return RowError(f"{row['id']}: the row cannot be written: {getattr(error, 'strerror', None) or error}.")
