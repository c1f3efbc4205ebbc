"""What a run of pdf_vqa leaves behind as data: Parquet, JSONL, Markdown, the pictures, and the rejects."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.images import IMAGE, with_image_features
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.tables import atomic, json_lines, write_text
from operators.pdf.output.markdown_text import markdown_line, markdown_text
from operators.pdf.output.saved_pictures import name_pictures, place_pictures
from operators.pdf.pairs import PICTURE_FOLDER, picture_name

logger = logging.getLogger(__name__)

#: Limits of one row group of the Parquet file: its rows, and the bytes of its pictures.
_GROUP_ROWS = 1024
_GROUP_BYTES = 32 << 20

#: A picture's path in the inputs of a reject, as JSON; within a text its quotation marks would be escaped.
_PICTURE_PATH = r'"image": "(?:[^"]*/)?([^"/]+)"'
#: Columns of the JSONL that come as they are, DataFlow's names first.
_FIRST = ("question", "answer", "solution", "label", "question_chapter_title", "answer_chapter_title")
_THEN = ("chapter_path", "name", "status", "question_images", "solution_images")
_LAST = ("match", "confidence", "doubts", "extracted_by")


def write_outputs(table: pa.Table, rejects: pa.Table, out: Path) -> dict[str, Path]:
    """The paths of what was written to ``out``: rows in three forms, their pictures, and the rejects.

    ``vqa.parquet`` has every column and ``images`` (list of ``struct<bytes, path>``); ``vqa.jsonl`` has
    DataFlow's field names, page numbers from 1 and links relative to its folder; ``vqa.md`` is for
    reading. Each file appears whole or not at all, and the same rows give the same bytes. Pictures that
    are not there are left out and counted in one log warning.
    """
    out = Path(out)
    table, files = name_pictures(table)
    _warn_of_missing(table, files)
    paths = {"pictures": place_pictures(files, out)}
    # As they lie there, without metadata.
    placed = {name: paths["pictures"] / name for name in files}
    paths["parquet"] = _write_parquet(_relative(table, files), placed, out / "vqa.parquet")
    paths["jsonl"] = _write_lines(_records(table), out / "vqa.jsonl")
    paths["markdown"] = write_text(out / "vqa.md", "".join(_markdown(table)))
    paths["rejects"] = _write_lines(json_lines(_portable(rejects)), out / "rejects.jsonl")
    return paths


def _portable(rejects: pa.Table) -> pa.Table:
    """The rejects with the names of pictures in place of their paths, which tell readers elsewhere nothing."""
    place = rejects.schema.get_field_index("inputs")
    inputs = pc.replace_substring_regex(rejects["inputs"], _PICTURE_PATH, r'"image": "\1"')
    return rejects.set_column(place, "inputs", inputs).select(REJECTS_SCHEMA.names)


def _warn_of_missing(table: pa.Table, files: Mapping[str, Path]) -> None:
    lists = (table[f"{side}_images"].to_pylist() for side in ("question", "solution"))
    links = dict.fromkeys(link for rows in lists for row in rows for link in row or ())
    missing = [link for link in links if link.removeprefix(f"{PICTURE_FOLDER}/") not in files]
    if missing:
        logger.warning("%d pictures that texts link to are not there, the first is %r.", len(missing), missing[0])


def pages_of(table: pa.Table) -> list[dict[str, list[int]]]:
    """For each row the pages of its ``question`` and of its ``solution``, counted from 1, in reading order.

    A page stands once for each file it is in: files of a document are counted apart.
    """
    flat = pc.list_flatten(table["evidence"])
    names = ("role", "file", "page")
    places = zip(*(pc.struct_field(flat, name).to_pylist() for name in names), strict=True)
    found = []
    for length in pc.list_value_length(table["evidence"]).to_pylist():
        seen: dict[str, dict[tuple[int, int], None]] = {"question": {}, "solution": {}}
        for _ in range(length or 0):
            role, file, page = next(places)
            seen["question" if role == "question" else "solution"][file, page] = None
        found.append({side: [page + 1 for _, page in pages] for side, pages in seen.items()})
    return found


def _write_lines(lines: Iterator[str], path: Path) -> Path:
    with atomic(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
    return path


def _relative(table: pa.Table, files: Mapping[str, Path]) -> pa.Table:
    """The table with the pictures of its evidence as links, as its texts have them, not as this disk's paths."""
    names = {str(path): name for name, path in files.items()}
    lists = table["evidence"].combine_chunks()
    flat = lists.flatten()
    links = [
        None if path is None else f"{PICTURE_FOLDER}/{names.get(path) or picture_name(path)}"
        for path in flat.field("image").to_pylist()
    ]
    parts = [pa.array(links, pa.string()) if f.name == "image" else flat.field(f.name) for f in flat.type]
    values = pa.StructArray.from_arrays(parts, fields=list(flat.type))
    sizes = accumulate((n or 0 for n in lists.value_lengths().to_pylist()), initial=0)
    linked = pa.ListArray.from_arrays(pa.array(sizes, pa.int32()), values, type=lists.type)
    return table.set_column(table.column_names.index("evidence"), "evidence", linked)


def _write_parquet(table: pa.Table, files: Mapping[str, Path], path: Path) -> Path:
    import pyarrow.parquet as pq

    images = pa.field("images", pa.list_(IMAGE))
    schema = with_image_features(table.schema.append(images).empty_table(), ["images"]).schema
    with atomic(path) as partial, pq.ParquetWriter(partial, schema, compression="zstd") as writer:
        for group, names in _groups(table, files):
            pictures = [[_picture(name, files[name]) for name in row] for row in names]
            # One chunk a group, so that the bytes do not depend on how the rows were chunked.
            part = group.append_column(images, pa.array(pictures, images.type)).combine_chunks()
            writer.write_table(part.replace_schema_metadata(schema.metadata))
    return path


def _groups(table: pa.Table, files: Mapping[str, Path]) -> Iterator[tuple[pa.Table, list[list[str]]]]:
    """Stretches of rows, each with its rows' pictures, that are small enough to hold with their bytes."""
    sizes = {name: file.stat().st_size for name, file in files.items()}
    lists = zip(table["question_images"].to_pylist(), table["solution_images"].to_pylist(), strict=True)
    start, used, names = 0, 0, list[list[str]]()
    for question, solution in lists:
        links = dict.fromkeys([*(question or ()), *(solution or ())])
        row = [name for link in links if (name := link.removeprefix(f"{PICTURE_FOLDER}/")) in files]
        size = sum(sizes[name] for name in row)
        if names and (len(names) >= _GROUP_ROWS or used + size > _GROUP_BYTES):
            yield table.slice(start, len(names)), names
            start, used, names = start + len(names), 0, []
        names.append(row)
        used += size
    if names:
        yield table.slice(start), names


def _picture(name: str, file: Path) -> dict[str, Any]:
    return {"bytes": file.read_bytes(), "path": f"{PICTURE_FOLDER}/{name}"}


def _records(table: pa.Table) -> Iterator[str]:
    rows = table.select([*_FIRST, *_THEN, *_LAST]).to_pylist()
    for row, pages in zip(rows, pages_of(table), strict=True):
        record = {name: row[name] for name in _FIRST}
        record["image_basedir"] = "."
        record.update({name: row[name] for name in _THEN})
        record["question_pages"], record["solution_pages"] = pages["question"], pages["solution"]
        record.update({name: row[name] for name in _LAST})
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _markdown(table: pa.Table) -> Iterator[str]:
    names = ("document", "name", "question_chapter_title", "status", "label", "question", "answer", "solution")
    rows = table.select([*names, "question_images", "solution_images"]).to_pylist()
    answered = sum(row["status"] == "answered" for row in rows)
    yield f"# Questions and answers\n\n{len(rows)} questions, {answered} answered.\n"
    document: str | None = None
    chapter: str | None = None
    for row, pages in zip(rows, pages_of(table), strict=True):
        if row["document"] != document:
            document, chapter = row["document"], None
            yield f"\n## {markdown_line(row['name'] or document or 'Document')}\n"
        if row["question_chapter_title"] != chapter:
            chapter = row["question_chapter_title"]
            yield f"\n### {markdown_line(chapter or '(no chapter)')}\n"
        yield from _item(row, pages)


def _item(row: Mapping[str, Any], pages: Mapping[str, Sequence[int]]) -> Iterator[str]:
    where = ", ".join(
        f"{side} p. {', '.join(map(str, pages[side]))}" for side in ("question", "solution") if pages[side]
    )
    mark = "" if row["status"] == "answered" else " *(unanswered)*"
    yield f"\n**{markdown_line(row['label'] or '–')}**{mark}{f' <sub>{where}</sub>' if where else ''}\n"
    links = [*(row["question_images"] or ()), *(row["solution_images"] or ())]
    pictures = [link.removeprefix(f"{PICTURE_FOLDER}/") for link in links]
    yield f"\n{markdown_text(row['question'], pictures)}\n"
    if row["answer"]:
        yield f"\n**Answer:** {markdown_text(row['answer'], pictures)}\n"
    if row["solution"]:
        yield f"\n**Solution:** {markdown_text(row['solution'], pictures)}\n"
