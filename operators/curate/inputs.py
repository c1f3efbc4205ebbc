"""Question rows from files, as pdf_vqa and DataFlow write them, and the files of their pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa

from dataflow_ext.datasets.folder import is_inside
from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER, atomic
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.identity import ROW_ID, short_hash
from dataflow_ext.rejects import UnreadLine
from dataflow_ext.tables import from_rows, json_records, read_table
from operators.curate.rules.cues import PICTURE, links_in

#: What a row has, whatever its file has; columns of these names hold nothing else.
_OWN = (
    *(ROW_ID, "parent_id", "place", "name", "label", "question", "answer", "solution", "question_chapter_title"),
    *("question_images", "solution_images", "lost_pictures", "picture_files"),
)
#: Columns of a file that are not passed on: its pictures, places on its disk, and what this pipeline writes anew.
_LEFT = frozenset(
    (
        *("images", "evidence", "image_basedir", "parents", "id", "cut", "review", "curated_by", "review_tokens"),
        *("part", "depends_on", "split_from", "asked", "question_type", "options", "answer_from", "answer_place"),
        *("review_reasons", "blanks"),
    )
)
_TEXTS = ("question", "answer", "solution", "question_chapter_title")
_SIDES = ("question", "solution")


@dataclass(slots=True)
class Questions:
    """The rows, the file behind each link in them, and the lines that could not be read."""

    table: pa.Table
    pictures: dict[str, Path] = field(default_factory=dict)
    unread: Sequence[UnreadLine] = ()


def question_rows(paths: Sequence[Path], unpacked: Path) -> Questions:
    """The rows of JSONL, JSON, Parquet or CSV files, or of folders with ``vqa.jsonl`` or ``.jsonl`` files.

    They have ``question``, ``answer``, ``solution``, ``label``, ``name``, ``question_chapter_title`` as text,
    ``question_images`` and ``solution_images`` as links, the links that lead nowhere as ``lost_pictures``, and the
    files of the question's pictures. Links are relative to the file's folder, or to ``image_basedir`` in it. If two
    files have different pictures of one name, the later ones are renamed, in the texts too. Pictures that are only in
    a Parquet file are written to ``unpacked``. Other columns are passed on. Lines that are no JSON, and rows without a
    question, are told beside the rows; InputError for a file without questions.
    """
    files = [file for path in paths for file in _files(Path(path))]
    names = _Pictures(unpacked)
    rows: list[dict[str, Any]] = []
    unread: list[UnreadLine] = []
    for file in files:
        found = [_row(record, file, names) for record in _records(file, unread)]
        if not found:
            raise InputError(f"The file {file} has no rows in it.")
        rows += found
    ids = Counter(row["parent_id"] for row in rows)
    for place, row in enumerate(rows):
        row["place"] = place
        own = {name: row[name] for name in (*_TEXTS, "label", "name")}
        if not row["parent_id"] or ids[row["parent_id"]] > 1:
            row["parent_id"] = short_hash(json.dumps(own, sort_keys=True), str(row["parent_id"]))
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row["parent_id"]] += 1
        again = seen[row["parent_id"]] - 1
        row["parent_id"] = row[ROW_ID] = f"{row['parent_id']}#{again}" if again else row["parent_id"]
    return Questions(_table(rows), names.files, unread)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        if not path.is_file():
            raise InputError(f"There is no file {path}.")
        return [path]
    if (path / "vqa.jsonl").is_file():
        return [path / "vqa.jsonl"]
    found = sorted(each for each in path.glob("*.jsonl") if each.name != "rejects.jsonl")
    if not found:
        raise InputError(f"The folder {path} has no .jsonl file; name the file with the rows.")
    return found


def _records(file: Path, unread: list[UnreadLine]) -> Iterator[dict[str, Any]]:
    lines = file.suffix.lower() == ".jsonl"
    asking = False
    for number, record in enumerate(json_records(file, unread) if lines else read_table(file).to_pylist(), 1):
        if "question" in record:
            asking = True
            yield record
        else:
            told = f"{file}, row {number}, has no field 'question', but {', '.join(record) or 'none'}."
            unread.append(UnreadLine(told, json.dumps(record, ensure_ascii=False, default=str)))
    if unread and not asking:
        raise InputError(unread[-1].message)


def _row(record: Mapping[str, Any], file: Path, names: _Pictures) -> dict[str, Any]:
    row: dict[str, Any] = {name: value for name, value in record.items() if name not in _LEFT}
    row |= {name: _text(record.get(name)) for name in (*_TEXTS, "label", "name")}
    row["name"] = row["name"] or file.stem
    row["parent_id"] = _text(record.get(ROW_ID)) or _text(record.get("id"))
    base = file.parent / _text(record.get("image_basedir"))
    inside = {each["path"]: each.get("bytes") for each in record.get("images") or () if isinstance(each, dict)}
    lost: list[str] = []
    files: list[Path] = []
    for side in _SIDES:
        given = record.get(f"{side}_images")
        listed = [link for link in given if isinstance(link, str)] if isinstance(given, list) else []
        links = dict.fromkeys([*listed, *(link for link in links_in(row[side]) if "://" not in link)])
        named = {link: names.take(link, base, inside.get(link)) for link in links}
        row[side] = _renamed(row[side], named)
        row[f"{side}_images"] = list(named.values())
        lost += [link for link in named.values() if link not in names.files]
        files += [names.files[link] for link in named.values() if side == "question" and link in names.files]
    return row | {"lost_pictures": lost, "picture_files": [str(path) for path in files]}


def _text(value: object) -> str:
    """A field as text; what is not there, or what other programs write for it, is empty."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _renamed(text: str, named: Mapping[str, str]) -> str:
    """The text with its links under their new names."""
    changed = {old: new for old, new in named.items() if old != new}
    if not changed:
        return text
    return PICTURE.sub(lambda m: m[0].replace(f"({m['link']})", f"({changed.get(m['link'], m['link'])})"), text)


class _Pictures:
    """The file behind each link; the same link to another content gets another name."""

    def __init__(self, unpacked: Path) -> None:
        self.files: dict[str, Path] = {}
        self._unpacked = unpacked

    def take(self, link: str, base: Path, data: bytes | None) -> str:
        """The link under which a picture goes on; it has a file if there is one."""
        path = PurePosixPath(link)
        if not is_inside(link) or path.parts[0] == RUN_FOLDER:
            return link
        file = base / path
        if not _is_inside(file, base):
            if not data:
                return link
            file = self._unpacked / f"{short_hash(data)}{path.suffix[:8]}"
            if not file.is_file():
                file.parent.mkdir(parents=True, exist_ok=True)
                with atomic(file) as partial:
                    partial.write_bytes(data)
        known = self.files.get(link)
        if known is not None and known != file and (content := file_hash(file)) != file_hash(known):
            link = str(path.with_name(f"{path.stem[:60]}-{content[:16]}{path.suffix[:12]}"))
        self.files.setdefault(link, file)
        return link


def _is_inside(file: Path, base: Path) -> bool:
    """Whether a file is there, in the folder, and not by a link that leads out of it."""
    try:
        return file.is_file() and file.resolve().is_relative_to(base.resolve())
    except (OSError, ValueError):
        return False


def _table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """The rows with our columns in their types, and the others as far as a column can hold them, else as JSON."""
    lists = pa.list_(pa.string())
    types = {name: pa.string() for name in _OWN} | {"place": pa.int64()}
    types |= dict.fromkeys(("question_images", "solution_images", "lost_pictures", "picture_files"), lists)
    columns = {name: pa.array([row[name] for row in rows], types[name]) for name in _OWN}
    for name in dict.fromkeys(name for row in rows for name in row if name not in _OWN):
        values = [row.get(name) for row in rows]
        try:
            columns[name] = from_rows([{name: value} for value in values], name)[name]
        except InputError:
            columns[name] = pa.array([None if v is None else json.dumps(v, ensure_ascii=False) for v in values])
    return pa.table(columns)
