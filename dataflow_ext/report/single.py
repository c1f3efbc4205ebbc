"""A page, its data and its pictures in one file, to be mailed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from dataflow_ext.errors import InputError
from dataflow_ext.files import write_text
from dataflow_ext.report.shards import held, packed, unpacked
from dataflow_ext.report.thumbnails import thumbnail

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
