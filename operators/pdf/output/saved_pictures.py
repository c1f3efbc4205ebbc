"""The pictures of final rows: one name each, put into the output folder, taken away when no row uses them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.datasets.folder import DataFolder, folded
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.pictures import CheckedPicture, UnfitPicture, checked_file
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
    flat = pc.list_flatten(evidence)
    pairs = zip(pc.struct_field(flat, "role").to_pylist(), pc.struct_field(flat, "image").to_pylist(), strict=True)
    for length in pc.list_value_length(evidence).to_pylist():
        behind: dict[str, dict[str, str]] = {side: {} for side in _SIDES}
        for _ in range(length or 0):
            role, image = next(pairs)
            if image is not None:
                behind["question" if role == "question" else "solution"].setdefault(picture_name(image), image)
        yield behind


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
