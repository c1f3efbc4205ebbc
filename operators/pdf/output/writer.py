"""What a run of pdf_vqa leaves behind as data: Parquet, JSONL, Markdown, pictures of final rows, and the rejects."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.datasets.files import ParquetRows, line_of
from dataflow_ext.datasets.folder import REJECTS, DataFolder, folded
from dataflow_ext.datasets.rejects_and_stats import write_rejects
from dataflow_ext.datasets.source import Source, question_source
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.images import IMAGE, with_image_features
from dataflow_ext.pictures import CheckedPicture, UnfitPicture, checked_file
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.report.texts import markdown_line, markdown_text
from dataflow_ext.tables import records
from dataflow_ext.well_formed import well_formed
from operators.pdf.pairs import PICTURE_FOLDER, picture_name

logger = logging.getLogger(__name__)

_SIDES = ("question", "solution")


def is_file_name(name: str) -> bool:
    """Whether this is the name of a file and nothing else: no path, no way up, no control sign.

    >>> [is_file_name(n) for n in ("fig1.png", "图 3(a).jpg", "..", "a/b.png", "a\\\\b.png", "")]
    [True, True, False, False, False, False]
    """
    return name not in ("", ".", "..") and not any(c in "/\\" or ord(c) < 32 or ord(c) == 127 for c in name)


def name_pictures(table: pa.Table) -> tuple[pa.Table, dict[str, Path]]:
    """The rows with every picture under a name of its own, and the file behind each name.

    A picture whose name another file has already got is called ``NAME-HASH``, in the row's text and lists
    too; which one keeps the name depends on the order of rows alone. Pictures that are not there or that the
    check refuses, and names that are no file names, have no file in the map.
    """
    names = _Names()
    renamed: dict[str, dict[int, dict[str, str]]] = {side: {} for side in _SIDES}
    linked = {side: table[f"{side}_images"].to_pylist() for side in _SIDES}
    for row, behind in enumerate(_behind(table["evidence"])):
        for side in _SIDES:
            for link in linked[side][row] or ():
                old = link.removeprefix(f"{PICTURE_FOLDER}/")
                new = names.take(old, behind[side].get(old))
                if new != old:
                    renamed[side].setdefault(row, {})[old] = new
    for side, changes in renamed.items():
        table = _rename(table, side, changes) if changes else table
    return table, names.files


class _Names:
    """Names given so far. Upper and lower case count as one, as some file systems cannot tell them apart."""

    def __init__(self) -> None:
        self.files: dict[str, Path] = {}
        self._given: dict[tuple[str, str | None], str] = {}
        self._holders: dict[str, tuple[str, str]] = {}

    def take(self, name: str, path: str | None) -> str:
        given = self._given.get((name, path))
        if given is None:
            given = self._given[name, path] = self._take(name, path)
        return given

    def _take(self, name: str, path: str | None) -> str:
        if path is None or not is_file_name(name) or (picture := _fit(path)) is None:
            return name
        name = picture.name(name)
        holder = self._holders.get(folded(name))
        if holder is not None and holder != (name, path):
            content = file_hash(path)
            if holder[0] != name or file_hash(holder[1]) != content:
                stem, dot, ending = name.rpartition(".")
                stem, ending = (stem, dot + ending) if stem else (name, "")
                name = f"{stem[:60]}-{content[:16]}{ending[:12]}"
            # Equal content needs no second file, and the longer name holds a hash of the content.
        self._holders.setdefault(folded(name), (name, path))
        self.files.setdefault(name, Path(path))
        return name


def _fit(path: str) -> CheckedPicture | None:
    """The picture in a file, None if there is none, or none to pass on."""
    try:
        file = Path(path).stat()
    except (OSError, ValueError):  # not there, or a name that no file can have
        return None
    return _checked(path, file.st_size, file.st_mtime_ns)


@lru_cache(maxsize=65536)
def _checked(path: str, size: int, changed: int) -> CheckedPicture | None:
    try:
        # Without its bytes: they are read again when they are written.
        return replace(checked_file(Path(path)), data=b"")
    except UnfitPicture as error:
        logger.warning("The picture %s %s; it is left out.", path, error)
        return None


def _behind(evidence: pa.ChunkedArray) -> Iterable[dict[str, dict[str, str]]]:
    """For each row the paths behind its pictures' names, those of its question and those of its solution."""
    for parts in _parts(evidence, "role", "image"):
        behind: dict[str, dict[str, str]] = {side: {} for side in _SIDES}
        for role, image in parts:
            if image is not None:
                behind["question" if role == "question" else "solution"].setdefault(picture_name(image), image)
        yield behind


def _parts(evidence: pa.ChunkedArray, *names: str) -> Iterator[list[tuple[Any, ...]]]:
    """These fields of each part of each row's evidence."""
    flat = pc.list_flatten(evidence)
    parts = zip(*(pc.struct_field(flat, name).to_pylist() for name in names), strict=True)
    for length in pc.list_value_length(evidence).to_pylist():
        yield list(islice(parts, length or 0))


def _rename(table: pa.Table, side: str, changes: Mapping[int, Mapping[str, str]]) -> pa.Table:
    texts, lists = table[side].to_pylist(), table[f"{side}_images"].to_pylist()
    for row, names in changes.items():
        links = {f"{PICTURE_FOLDER}/{old}": f"{PICTURE_FOLDER}/{new}" for old, new in names.items()}
        for old, new in links.items():
            texts[row] = texts[row].replace(f"]({old})", f"]({new})")
        lists[row] = [links.get(link, link) for link in lists[row]]
    for name, values in ((side, texts), (f"{side}_images", lists)):
        place = table.column_names.index(name)
        table = table.set_column(place, name, pa.array(values, table.schema.field(name).type))
    return table


def place_pictures(files: Mapping[str, Path], folder: DataFolder) -> None:
    """Put these files in the data set's folder of pictures.

    As copies, not links: whoever edits a picture of the results must not edit what the run remembers.
    """
    folder.expect(f"{PICTURE_FOLDER}/{name}" for name in files)
    for name, source in files.items():
        folder.put(f"{PICTURE_FOLDER}/{name}", checked_file(source, decode=False).data)


#: All data files that there can be.
PARQUET, LINES, MARKDOWN = "vqa.parquet", "vqa.jsonl", "vqa.md"
NAMES = (PARQUET, LINES, MARKDOWN)

#: A picture's path in the inputs of a reject, as JSON; within a text its quotation marks would be escaped.
_PICTURE_PATH = r'"image": "(?:[^"]*/)?([^"/]+)"'
#: Columns of the JSONL that come as they are, DataFlow's names first.
_FIRST = ("question", "answer", "solution", "label", "question_chapter_title", "answer_chapter_title")
_THEN = ("chapter_path", "name", "status", "question_images", "solution_images")
_LAST = ("match", "confidence", "doubts", "extracted_by")

_IMAGES = pa.field("images", pa.list_(IMAGE))


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
    with DataFolder(out, (*NAMES, REJECTS), PICTURE_FOLDER) as folder:
        place_pictures(files, folder)
        _write_parquet(_relative(table, files), files.keys(), folder)
        with folder.text(LINES) as file:
            file.writelines(map(line_of, _records(table)))
        with folder.text(MARKDOWN) as file:
            file.writelines(map(well_formed, _markdown(table)))
        write_rejects(_portable(rejects), folder)
        folder.place()
        folder.keep_only(f"{PICTURE_FOLDER}/{name}" for name in files)
    return {"pictures": out / PICTURE_FOLDER, "parquet": out / PARQUET, "jsonl": out / LINES,
            "markdown": out / MARKDOWN, "rejects": out / REJECTS}  # fmt: skip


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
    found = []
    for parts in _parts(table["evidence"], "role", "file", "page"):
        seen: dict[str, dict[tuple[int, int], None]] = {"question": {}, "solution": {}}
        for role, file, page in parts:
            seen["question" if role == "question" else "solution"][file, page] = None
        found.append({side: [page + 1 for _, page in pages] for side, pages in seen.items()})
    return found


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


def _write_parquet(table: pa.Table, known: Collection[str], folder: DataFolder) -> None:
    schema = with_image_features(table.schema.append(_IMAGES).empty_table(), ["images"]).schema
    with ParquetRows(folder.staged(PARQUET), schema, dictionary=True) as stored:
        for row in records(table):
            links = dict.fromkeys([*(row["question_images"] or ()), *(row["solution_images"] or ())])
            # As they lie in the folder, without metadata.
            there = [link for link in links if link.removeprefix(f"{PICTURE_FOLDER}/") in known]
            images = [{"bytes": (folder.out / link).read_bytes(), "path": link} for link in there]
            stored.write({**row, "images": images}, sum(len(image["bytes"]) for image in images))


def _records(table: pa.Table) -> Iterator[dict[str, Any]]:
    rows = table.select([*_FIRST, *_THEN, *_LAST]).to_pylist()
    for row, pages in zip(rows, pages_of(table), strict=True):
        record = {name: row[name] for name in _FIRST}
        record["image_basedir"] = "."
        record.update({name: row[name] for name in _THEN})
        record["question_pages"], record["solution_pages"] = pages["question"], pages["solution"]
        record.update({name: row[name] for name in _LAST})
        yield record


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
    yield f"\n{markdown_text(row['question'], pictures, PICTURE_FOLDER)}\n"
    if row["answer"]:
        yield f"\n**Answer:** {markdown_text(row['answer'], pictures, PICTURE_FOLDER)}\n"
    if row["solution"]:
        yield f"\n**Solution:** {markdown_text(row['solution'], pictures, PICTURE_FOLDER)}\n"


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The questions in a folder; None if there are none. What has no answer is in its tables alone."""
    nothing = "nobody wrote a worse answer, or steps with labels, for a book's questions"
    return question_source("pdf_vqa", out / LINES, out / PARQUET, {"pairs": nothing, "steps": nothing})
