"""The data of a page: in files beside it, loaded when it needs them, or with its pictures in one file to be mailed."""

from __future__ import annotations

import base64
import gzip
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from dataflow_ext.errors import InputError
from dataflow_ext.files import write_text
from dataflow_ext.report.listing import Choice, FacetValues, Listing, ShownRow
from dataflow_ext.report.parts import thumbnail
from dataflow_ext.report.rejects import Traces, lives

#: Rows of a file, and the letters of their JSON from which on it has fewer.
SHARD_ROWS, SHARD_LETTERS = 200, 1_000_000
#: Letters of a row's text that search looks through.
MAX_SEARCHED = 20_000
#: Letters of the first file that search loads, so that its first rows are soon there, and of the largest ones.
FIRST_LETTERS, FIND_LETTERS = 500_000, 4_000_000
#: What divides the texts of a row, and rows, in what search looks through; texts have neither.
FIELD_END, ROW_END = "\x1f", "\n"

_OURS = re.compile(r"[a-z]+-(?:index|lives|rows-\d+|find-\d+)\.js")
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def packed(data: Any) -> str:
    """Data as letters and digits alone, so that nothing in them is ever read as a script or as HTML."""
    raw = _json(data).encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode()


def unpacked(text: str) -> Any:
    """What :func:`packed` was given."""
    return json.loads(gzip.decompress(base64.b64decode(text)))


class Held:
    """Keeps the files of a page to be written into the page itself."""

    def __init__(self) -> None:
        self._made: list[str] = []

    def write(self, name: str, data: Any) -> None:
        """Keep these data under this name."""
        self._made.append(held(name, packed(data)))

    def clear(self) -> None:
        """Nothing: there is no file."""

    def __str__(self) -> str:
        return "".join(self._made)


def held(name: str, text: str) -> str:
    """Packed data as an element of a page, which is never run."""
    return f'<script type="text/plain" data-name="{name}">{text}</script>\n'


class Folder:
    """Writes the files of a page, and in the end takes away those of an earlier one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names: set[str] = set()

    def write(self, name: str, data: Any) -> None:
        """Write a file that gives the page these data under this name."""
        write_text(self.path / f"{name}.js", f'rowsmith("{name}","{packed(data)}");\n')
        self._names.add(f"{name}.js")

    def __str__(self) -> str:
        return ""

    def clear(self) -> None:
        """Remove what an earlier page left, and nothing that is not a page's."""
        if self.path.is_dir() and not self.path.is_symlink():
            for path in self.path.iterdir():
                if _OURS.fullmatch(path.name) and path.name not in self._names:
                    path.unlink(missing_ok=True)


@dataclass(slots=True)
class Written:
    """A list as the page needs it: how many rows, where its files begin, what its menus offer, whose lives it has."""

    listing: Listing
    total: int = 0
    starts: list[int] = field(default_factory=list)
    finds: int = 0
    columns: list[str] = field(default_factory=list)
    menus: dict[str, list[Choice]] = field(default_factory=dict)
    lives: list[str] = field(default_factory=list)


def write_listing(listing: Listing, folder: Folder | Held, traces: Traces | None = None) -> Written:
    """Write a list's rows, what search looks through, what they are filtered by, and lives of some rows.

    Rows are asked for one after the other and not kept, so that a list may be long.
    """
    written = Written(listing)
    facets = {facet.name: FacetValues() for facet in listing.facets}
    keys: list[str] = []
    doubtful: list[str] = []
    finds = _Finds(folder, listing.name, written.columns)
    for rows in _shards(listing.rows):
        written.starts.append(len(keys))
        folder.write(f"{listing.name}-rows-{len(written.starts):04}", [shown for _, shown in rows])
        for row, _ in rows:
            keys.append(row.key)
            if row.look in ("bad", "check"):
                doubtful.append(row.key)
            finds.add(row)
            for name, taken in facets.items():
                taken.add(row.key, row.values.get(name, ()))
    written.total, written.finds = len(keys), finds.end()
    numbers = {name: taken.numbers() for name, taken in facets.items()}
    folder.write(f"{listing.name}-index", {"keys": keys, "facets": numbers})
    written.menus = {name: taken.choices() for name, taken in facets.items()}
    if traces is not None and (made := lives(traces, keys, doubtful)):
        folder.write(f"{listing.name}-lives", made)
        written.lives = list(made)
    return written


def _shards(rows: Iterable[ShownRow]) -> Iterator[list[tuple[ShownRow, list[Any]]]]:
    some: list[tuple[ShownRow, list[Any]]] = []
    letters = 0
    for row in rows:
        shown = [row.key, row.look, row.heading, list(row.body), dict(row.labels)]
        some.append((row, shown))
        letters += sum(map(len, row.texts.values()))
        if len(some) >= SHARD_ROWS or letters >= SHARD_LETTERS:
            yield some
            some, letters = [], 0
    if some:
        yield some


class _Finds:
    """Gathers what search looks through, a line a row, in files of some megabytes."""

    def __init__(self, folder: Folder | Held, name: str, columns: list[str]) -> None:
        self._folder, self._name, self._columns = folder, name, columns
        self._lines: list[str] = []
        self._letters = self._files = 0
        self._most = FIRST_LETTERS

    def add(self, row: ShownRow) -> None:
        """Take up a row's texts, each in the place of its column."""
        self._columns += [name for name in row.texts if name not in self._columns]
        line = FIELD_END.join(searched(row.texts.get(name, "")) for name in self._columns)
        self._lines.append(line)
        self._letters += len(line)
        if self._letters > self._most:
            self._write()
            self._most = min(2 * self._most, FIND_LETTERS)

    def end(self) -> int:
        """How many files there are."""
        if self._lines:
            self._write()
        return self._files

    def _write(self) -> None:
        self._files += 1
        self._folder.write(f"{self._name}-find-{self._files:04}", ROW_END.join(self._lines))
        self._lines, self._letters = [], 0


def searched(text: str) -> str:
    """A text in the form in which the page's script puts what it looks for.

    >>> searched("Ｘ²  Is\\nLarge\\x1f")
    'x2 is large'
    """
    text = unicodedata.normalize("NFKC", text[:MAX_SEARCHED]).lower()
    return " ".join(text.replace(FIELD_END, " ").split())


def fewest(choices: Sequence[Choice], most: int) -> list[Choice]:
    """The choices that a menu has room for: those that are least deep and have the most rows, in their order."""
    if len(choices) <= most:
        return list(choices)
    chosen = sorted(choices, key=lambda choice: (len(choice.path), -choice.rows))[:most]
    return sorted(chosen, key=lambda choice: choice.first)


#: Letters of pictures that a file holds: mails of more are refused in many places.
MOST_PICTURES = 15_000_000

_SHELL = re.compile(r'<script type="application/json" id="shell">(.*?)</script>', re.DOTALL)
_PLACE = "<!--files-->"
#: Data that a page of a table holds already.
_HELD = re.compile(r'<script type="text/plain" data-name="([^"]+)">([A-Za-z0-9+/=]+)</script>')


def single_file(page: Path, path: Path, most: int = MOST_PICTURES, base: Path | None = None) -> tuple[Path, int]:
    """The path of a file that holds ``page`` with all rows, and how many of its pictures are left out to keep it small.

    Pictures, looked for from ``base`` or the page's folder, are held as thumbnails, those of the first rows first.
    """
    base = base or page.parent
    try:
        html = page.read_text(encoding="utf-8")
        found = _SHELL.search(html)
        if found is None or html.count(_PLACE) != 1:
            raise InputError(f"{page} is not the page of a run; run the pipeline again.")
        shell = json.loads(found[1])
        there = dict(_HELD.findall(html))
        folder = page.parent / shell["folder"]
        files = {name: there.get(name) or _data(folder / f"{name}.js", name) for name in _names(shell)}
    except (OSError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise InputError(f"The page {page} cannot be read ({error}); run the pipeline again.") from None
    parts = [*shell["head"], *(unpacked(text) for name, text in files.items() if "-rows-" in name)]
    pictures: dict[str, tuple[str, int, int]] = {}
    left_out, letters = 0, 0
    for place in dict.fromkeys(_pictures(parts)):
        made = thumbnail(base / unquote(place)) if letters < most else None
        if made is None or letters + len(made.uri) > most:
            left_out += 1
        elif made.uri:
            letters += len(made.uri)
            pictures[place] = (made.uri, made.width, made.height)
    files["pictures"] = packed(list(pictures.items()))
    text = "".join(held(name, data) for name, data in files.items() if name not in there)
    return write_text(path, html.replace(_PLACE, text)), left_out


def is_page(path: Path) -> bool:
    """Whether a file is a page as runs and ``view`` write it."""
    return path.is_file() and _SHELL.search(path.read_text(encoding="utf-8", errors="replace")) is not None


def _names(shell: dict[str, Any]) -> Iterator[str]:
    """The files of a page's lists."""
    for told in shell["lists"]:
        name = re.fullmatch(r"[a-z]+", told["name"])[0]  # type: ignore[index]
        yield from (f"{name}-index", *([f"{name}-lives"] if told["lives"] else []))
        yield from (f"{name}-rows-{n:04}" for n in range(1, len(told["starts"]) + 1))
        yield from (f"{name}-find-{n:04}" for n in range(1, told["finds"] + 1))


def _data(path: Path, name: str) -> str:
    found = re.fullmatch(rf'rowsmith\("{name}","([A-Za-z0-9+/=]+)"\);\n', path.read_text(encoding="ascii"))
    if found is None:
        raise InputError(f"{path} is not what a run has written; run the pipeline again.")
    return found[1]


def _pictures(parts: Any) -> Iterator[str]:
    """The places of all pictures in parts that are files."""
    left = [parts]
    while left:
        part = left.pop()
        if isinstance(part, list):
            if part[:1] == ["img"] and not str(part[1].get("src", "")).startswith("data:"):
                yield str(part[1].get("src", ""))
            left += part[::-1]
