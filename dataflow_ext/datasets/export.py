"""A data set in the forms of trainers, with its pictures and a card, in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from dataflow_ext.datasets.files import FILM, PICTURE, ParquetRows, line_of, path_of
from dataflow_ext.datasets.folder import CARD, IMAGES, DataFolder, is_inside
from dataflow_ext.datasets.rejects_and_stats import card
from dataflow_ext.datasets.source import Row, Source
from dataflow_ext.errors import InputError
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.images import IMAGE, as_images, with_image_features
from dataflow_ext.report.texts import markdown_line, markdown_text
from dataflow_ext.tables import records
from dataflow_ext.well_formed import well_formed

#: The files of Parquet that ``datasets`` and the hub find by themselves.
_PARQUET = {split: f"data/{split}-00000-of-00001.parquet" for split in ("train", "test")}
DATASET_INFO = "dataset_info.json"
_FROM = {"user": "human", "assistant": "gpt"}


@dataclass(frozen=True)
class Form:
    """A form: the kind of rows it is made of, its files by split, and what a row becomes."""

    kind: str
    files: Mapping[str, str]
    line: Callable[[Row], Row]


def export(
    source: Source, to: str, out: Path, *, licence: str = "unknown", about: Mapping[str, Any] | None = None
) -> int:
    """Write a data set in a form (one of :data:`FORMS`) to ``out``; how many rows it has.

    Pictures are linked into ``out``, or copied where that cannot be. InputError says what a data set lacks that the
    form needs. ``about`` is what the card tells of the run.
    """
    form = FORMS[to]
    if out.resolve() == source.base.resolve():
        raise InputError(f"{out} is the data set itself; name another folder.")
    names = {CARD, *form.files.values(), *([DATASET_INFO] if to == "llamafactory" else [])}
    with DataFolder(out, sorted(names)) as folder:
        if form.kind == "tables":
            counts, media = _write_tables(source, to, folder)
        else:
            counts, media = _write_rows(source, to, folder)
        if not sum(counts.values()):
            raise InputError(f"{source.name} has no rows for {to}: {source.missing.get(form.kind, 'none fits')}.")
        told = {"rows": counts, "pictures": len(media.there), "form": to, **(about or {})}
        with folder.text(CARD) as file:
            file.write(well_formed(card(source.name, told, licence, {split: form.files[split] for split in counts})))
        folder.place()
        folder.keep_only(media.there)
    return sum(counts.values())


def _write_rows(source: Source, to: str, folder: DataFolder) -> tuple[dict[str, int], Media]:
    form = FORMS[to]
    rows: Callable[[], Iterable[Row]] | None = getattr(source, form.kind)
    if rows is None:
        raise InputError(f"{source.name} has no {form.kind} for {to}: {source.missing.get(form.kind, 'none fits')}.")
    media = Media(source.base, folder)
    found = media.expect(rows())
    counts: dict[str, int] = {}
    with ExitStack() as stack:
        files: dict[str, Any] = {}
        for row in rows():
            if to == "easyr1" and row.get("system"):
                raise InputError(f"{source.name} has problems with a system message, which easyr1 has no place for.")
            split = row.get("split", "train")
            if split not in files:
                files[split] = stack.enter_context(folder.text(form.files[split]))
            shown = {name: media.put_all(row.get(name) or ()) for name in found}
            made = {name: value for name, value in row.items() if name not in ("images", "videos")} | shown
            files[split].write(_markdown(made) if to == "markdown" else line_of(form.line(made)))
            counts[split] = counts.get(split, 0) + 1
    if to == "llamafactory":
        info: dict[str, Any] = {}
        for split in counts:
            name = source.name if split == "train" else f"{source.name}_{split}"
            info |= dataset_info(name, form.files[split], found, system=True)
        write_dataset_info(info, folder)
    return counts, media


def _write_tables(source: Source, to: str, folder: DataFolder) -> tuple[dict[str, int], Media]:
    tables = {split: as_images(table) for split, table in source.tables().items() if table.num_rows}
    media = Media(source.base, folder)
    for split, table in tables.items():
        columns = [name for name in table.column_names if _shows(table.schema.field(name))]
        if to == "jsonl":
            media.expect(table.select(columns).to_pylist(), columns)
            with folder.text(FORMS[to].files[split]) as file:
                for row in records(table):
                    file.write(line_of({**row, **{name: media.put_all(_listed(row[name])) for name in columns}}))
            continue
        schema = _with_pictures(table.schema, columns)
        with ParquetRows(folder.staged(FORMS[to].files[split]), schema, dictionary=not columns) as stored:
            for row in records(table):
                held = {name: media.held(row[name]) for name in columns}
                size = sum(len(each["bytes"] or b"") for value in held.values() for each in _listed(value))
                stored.write({**row, **held}, size)
    return {split: table.num_rows for split, table in tables.items()}, media


class Media:
    """The pictures and films of an export: below ``images``, as in the data set, or by their content."""

    def __init__(self, base: Path, folder: DataFolder) -> None:
        self._base, self._folder = base, folder
        self._places: dict[str, str] = {}
        self.there: set[str] = set()

    def expect(self, rows: Iterable[Row], columns: Iterable[str] = ("images", "videos")) -> list[str]:
        """Note all that is coming; the columns that have any."""
        coming: dict[str, set[str]] = {name: set() for name in columns}
        for row in rows:
            for name, places in coming.items():
                places.update(self._place(each) for each in _listed(row.get(name)))
        self._folder.expect(path for places in coming.values() for path in places)
        return [name for name, places in coming.items() if places]

    def put_all(self, values: Iterable[Any]) -> list[str]:
        """The paths of pictures, which are in their places then."""
        return [self._put(value) for value in values]

    def held(self, value: Any) -> Any:
        """A picture, or a list of them, with its bytes."""
        if isinstance(value, list):
            return [self.held(each) for each in value]
        if value is None:
            return None
        told = value if isinstance(value, dict) else {"bytes": None, "path": value}
        data = told.get("bytes") or self._file(told["path"]).read_bytes()
        return {"bytes": data, "path": told.get("path") and PurePosixPath(told["path"]).name}

    def _put(self, value: Any) -> str:
        place = self._place(value)
        if place not in self.there:
            data = value.get("bytes") if isinstance(value, dict) else None
            self._folder.put(place, data or self._file(path_of(value)))
            self.there.add(place)
        return place

    def _place(self, value: Any) -> str:
        path = path_of(value)
        if path and is_inside(path):
            return f"{IMAGES}/{path.removeprefix(f'{IMAGES}/')}"
        if path not in self._places:
            self._places[path] = f"{IMAGES}/{file_hash(str(self._file(path)))[:16]}{Path(path).suffix}"
        return self._places[path]

    def _file(self, path: str) -> Path:
        file = self._base / path
        if not file.is_file():
            raise InputError(f"There is no picture {file}; name the folder that pictures lie in with --inputs.")
        return file


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _shows(field: pa.Field) -> bool:
    """Whether a column holds pictures: by its type, or as paths by its name."""
    kind = field.type.value_type if pa.types.is_list(field.type) else field.type
    return kind == IMAGE or (field.name in ("images", "image") and pa.types.is_string(kind))


def _with_pictures(schema: pa.Schema, columns: Iterable[str]) -> pa.Schema:
    for name in columns:
        at = schema.get_field_index(name)
        kind = pa.list_(IMAGE) if pa.types.is_list(schema.field(name).type) else IMAGE
        schema = schema.set(at, pa.field(name, kind))
    return with_image_features(schema.remove_metadata().empty_table()).schema


def dataset_info(name: str, file: str, media: Iterable[str] = ("images",), *, system: bool = False) -> dict[str, Any]:
    """What LLaMA-Factory has to be told of a file of messages; its folder is the ``dataset_dir`` and ``media_dir``.

    Without ``system`` it passes rows by that begin with a system message.
    """
    tags = {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
    if system:
        tags["system_tag"] = "system"
    columns = {"messages": "messages", **{each: each for each in media}}
    return {name: {"file_name": file, "formatting": "sharegpt", "columns": columns, "tags": tags}}


def write_dataset_info(info: Mapping[str, Any], folder: DataFolder) -> None:
    """Write what LLaMA-Factory has to be told of all files of a folder."""
    with folder.text(DATASET_INFO) as file:
        file.write(json.dumps(info, indent=2) + "\n")


def _shown(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("images", "videos") if name in row}


def _without_places(text: str) -> str:
    """A text without the places of pictures, which TRL puts before it by itself."""
    return text.replace(PICTURE, "").replace(FILM, "").strip()


def _sharegpt(row: Row) -> Row:
    turns = [{"from": _FROM.get(each["role"], each["role"]), "value": each["content"]} for each in row["messages"]]
    return {"id": row["id"], "conversations": turns, **_shown(row)}


def _messages(row: Row) -> Row:
    return {"id": row["id"], "messages": row["messages"], **_shown(row)}


def _swift(row: Row) -> Row:
    return {"messages": row["messages"], **_shown(row)}


def _easyr1(row: Row) -> Row:
    missing = len(row.get("images", ())) - row["problem"].count(PICTURE)
    problem = PICTURE * max(missing, 0) + row["problem"]
    images = [path.removeprefix(f"{IMAGES}/") for path in row.get("images", ())]
    return {"images": images, "problem": problem, "answer": row["answer"]}


def _grpo(row: Row) -> Row:
    system = [{"role": "system", "content": row["system"]}] if row.get("system") else []
    prompt = [*system, {"role": "user", "content": _without_places(row["problem"])}]
    more = {name: row[name] for name in ("answer_type", "options") if name in row}
    return {"id": row["id"], "prompt": prompt, "solution": row["answer"], **_shown(row), **more}


def _dpo(row: Row) -> Row:
    told = {"chosen": "assistant", "rejected": "assistant"}
    sides = {name: [{"role": role, "content": row[name]}] for name, role in told.items()}
    prompt = [{"role": "user", "content": _without_places(row["prompt"])}]
    return {"id": row["id"], "prompt": prompt, **sides, **_shown(row)}


def _prm(row: Row) -> Row:
    names = ("id", "turn", "prompt", "completions", "labels", "marked")
    return {**{name: row[name] for name in names if name in row}, **_shown(row)}


def _markdown(row: Row) -> str:
    pictures = iter([f"![]({quote(path)})" for path in row.get("images", ())])
    told = [f"## {markdown_line(row['id'])}\n"]
    for each in row["messages"]:
        parts = [markdown_text(part) for part in each["content"].split(PICTURE)]
        shown = [part for text in parts[1:] for part in (next(pictures, ""), text)]
        told.append(f"**{markdown_line(each['role'])}**\n\n" + "\n\n".join([parts[0], *shown]).strip() + "\n")
    return "\n".join([*told, *pictures, "\n"])


def _lines(kind: str, name: str, line: Callable[[Row], Row], ending: str = "jsonl") -> Form:
    return Form(kind, {"train": f"{name}.{ending}", "test": f"{name}_test.{ending}"}, line)


#: All forms by their names.
FORMS: Mapping[str, Form] = {
    "hf": Form("tables", _PARQUET, dict),
    "sharegpt": _lines("conversations", "sharegpt", _sharegpt),
    "llamafactory": _lines("conversations", "messages", _messages),
    "swift": _lines("conversations", "swift", _swift),
    "easyr1": Form("problems", {"train": "data/train.jsonl", "test": "data/test.jsonl"}, _easyr1),
    "grpo": _lines("problems", "grpo", _grpo),
    "dpo": _lines("pairs", "dpo", _dpo),
    "prm": _lines("steps", "prm", _prm),
    "messages": _lines("conversations", "messages", _messages),
    "jsonl": _lines("tables", "rows", dict),
    "markdown": _lines("conversations", "rows", dict, "md"),
}
