"""A report as its script sees it: the shell in the page, and the data beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from dataflow_ext.report.page import page_script
from dataflow_ext.report.shards import unpacked

_SHELL = re.compile(r'<script type="application/json" id="shell">(.*?)</script>', re.DOTALL)
_DATA = re.compile(r'rowsmith\("([a-z]+-[a-z]+(?:-\d+)?)","([A-Za-z0-9+/=]+)"\);\n')

_SCRIPT = page_script()


def script_names(what: str) -> set[str]:
    """The tags, or the attributes, that the page's script makes of parts."""
    return set(re.search(rf"const {what} = words\(`([^`]*)`\)", _SCRIPT)[1].split())  # type: ignore[index]


class ReportPage:
    """What a page shows of a run: ``shell``, and the rows of its lists."""

    def __init__(self, path: Path) -> None:
        self.html = path.read_text(encoding="utf-8")
        self.shell: dict[str, Any] = json.loads(_SHELL.search(self.html)[1])  # type: ignore[index]
        self.lists = {told["name"]: told for told in self.shell["lists"]}
        self.folder = path.parent / self.shell["folder"]

    def data(self, name: str) -> Any:
        """What a file of data holds, or the page itself: letters and digits, and nothing else."""
        if held := re.search(rf'<script type="text/plain" data-name="{name}">([A-Za-z0-9+/=]+)</script>', self.html):
            return unpacked(held[1])
        told = _DATA.fullmatch((self.folder / f"{name}.js").read_text(encoding="utf-8"))
        assert told is not None
        assert told[1] == name
        return unpacked(told[2])

    def rows(self, name: str = "rows") -> list[list[Any]]:
        """Key, look, heading, parts and labels of each row."""
        files = range(1, len(self.lists[name]["starts"]) + 1)
        return [row for n in files for row in self.data(f"{name}-rows-{n:04}")]

    def row(self, key: str, name: str = "rows") -> str:
        """The words of a row."""
        return words(next(row[3] for row in self.rows(name) if row[0] == key))

    def words(self, name: str = "rows") -> str:
        """The words of all rows of a list with their headings."""
        return " ".join(f"{row[2]} {words(row[3])}" for row in self.rows(name))

    @property
    def head(self) -> str:
        """The words above the lists."""
        return words([self.shell["title"], *self.shell["figures"], *self.shell["head"]])

    def searched(self, name: str = "rows") -> list[list[str]]:
        """What search looks through: the texts of each row by column."""
        files = range(1, self.lists[name]["finds"] + 1)
        lines = [line for n in files for line in self.data(f"{name}-find-{n:04}").split("\n")]
        return [line.split("\x1f") for line in lines]

    def menus(self, name: str = "rows") -> list[list[tuple[str, int]]]:
        """The values of each menu with their rows."""
        return [[(" › ".join(c[0]), c[1]) for c in menu["choices"]] for menu in self.lists[name]["menus"]]

    def parts(self) -> list[Any]:
        """All parts of the page."""
        rows = [part for name in self.lists for row in self.rows(name) for part in row[3]]
        intros = [part for told in self.lists.values() for part in told["intro"]]
        lives = [
            life for name, told in self.lists.items() if told["lives"] for life in self.data(f"{name}-lives").values()
        ]
        steps = [part for life in lives for part in life]
        return [*self.shell["figures"], *self.shell["head"], *self.shell["foot"], *intros, *rows, *steps]

    def elements(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The tag and attributes of every element."""
        for part in self.parts():
            yield from ((each[0], each[1]) for each in elements(part))

    def places(self, name: str = "src") -> list[str]:
        """All places that elements name, in order."""
        return [attributes[name] for _, attributes in self.elements() if name in attributes]

    def must_be_inert(self, *texts: str) -> None:
        """The page is ours but for data, of which no text is more than a text."""
        assert {tag for tag, _ in self.elements()} <= script_names("TAGS")
        assert {name for _, attributes in self.elements() for name in attributes} <= script_names("ATTRIBUTES")
        for place in (*self.places(), *self.places("href")):
            assert re.fullmatch(r"#.*|[\w.~%()'!,+/-]+|data:image/png;base64,[\w+/=]+", place), place
        assert not set("<>&") & set(_SHELL.search(self.html)[1])  # type: ignore[index]
        seen = _Tags(self.html)
        held = self.html.count('<script type="text/plain"')
        before = ["html", "head", *["meta"] * 5, "title", "style", "body", "noscript", "p", "script"]
        assert seen.tags == [*before, *["script"] * held, "script"]
        known = {"lang", "charset", "name", "content", "http-equiv", "type", "id"}
        assert seen.attributes == known | ({"data-name"} if held else set())
        assert [text for text in texts if "<" in text and text in self.html] == []


class _Tags(HTMLParser):
    """The tags of a page, and the names of their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def elements(part: Any) -> Iterator[list[Any]]:
    """The elements of a part, itself first."""
    if isinstance(part, list):
        yield part
        for child in part[2:]:
            yield from elements(child)


def words(parts: Any) -> str:
    """The words of parts, each element's set off from the others."""

    def texts(part: Any) -> Iterator[str]:
        if isinstance(part, str):
            yield part
        else:
            yield " "
            for child in part[2:] if part[0] != "img" else ():
                yield from texts(child)
            yield " "

    return " ".join("".join(text for part in parts for text in texts(part)).split())
