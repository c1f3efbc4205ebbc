"""The lists of a page: rows as they look, what search looks through, and what they are filtered by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from urllib.parse import urlencode

from dataflow_ext.report.parts import Part

#: A value that rows are filtered by, from the general to the particular: ``("3 Circles", "3.2 Tangents")``.
Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One row of a list: how it looks, what search looks through, and what it is filtered by.

    ``key`` is what links name it by. ``texts`` are looked through, each under the name that search can be narrowed to.
    Rows that follow each other under one ``heading`` have it above them once. ``look`` is ``good``, ``open``,
    ``check``, ``bad`` or nothing; ``values`` has the values of each :class:`Facet` by its name. ``labels`` are the
    cells of the row's line in the file that :class:`Labels` saves: what names the row, and what was read of it.
    """

    key: str
    body: Sequence[Part]
    texts: Mapping[str, str]
    heading: str = ""
    look: str = ""
    values: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facet:
    """What rows can be filtered by: a name for links, a title, and whether its values are also a list to jump to."""

    name: str
    title: str
    contents: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """What a person can tell of a row: one of ``options`` (value and words), a tick, or some words.

    ``pattern`` is what words have to look like, a regular expression of the browser's, and ``hint`` says it. A tick
    ``implies`` the value of a choice, by the choice's name: setting one sets or takes away the other.
    """

    name: str
    title: str
    kind: Literal["choice", "tick", "words"] = "tick"
    options: Sequence[tuple[str, str]] = ()
    pattern: str = ""
    hint: str = ""
    implies: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Labels:
    """What people tell of the rows of a list, and the CSV file that the page saves it as.

    A line has the cells ``given`` of its row and then the fields'. Rows that nobody touched are not saved.
    """

    file: str
    given: Sequence[str]
    fields: Sequence[Field]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows under a name of lower-case letters, which links tell them by, and a title.

    ``intro`` stands above the rows, ``nothing`` instead of them where there is none.
    """

    name: str
    title: str
    rows: Iterable[ShownRow]
    facets: Sequence[Facet] = ()
    intro: Sequence[Part] = ()
    nothing: str = "Nothing."
    labels: Labels | None = None


@dataclass(slots=True)
class Choice:
    """A value of a facet in a page's menu: its path, how many rows have it or one below it, and the first one's key.

    ``first`` and ``last`` are the numbers of the value and of the last one below it, in the order of the menu.
    """

    path: Path
    rows: int
    row: str
    first: int = 0
    last: int = 0

    @property
    def name(self) -> str:
        """Its whole path as a link names it."""
        return " › ".join(self.path)


class FacetValues:
    """The values of one facet over all rows of a list, taken up row by row."""

    def __init__(self) -> None:
        self._choices: dict[Path, Choice] = {}
        self._below: dict[Path, list[Path]] = defaultdict(list)
        self._rows: list[Sequence[Path]] = []
        #: Rows are many, and what they have is mostly the same.
        self._same: dict[tuple[Path, ...], tuple[Path, ...]] = {}

    def add(self, key: str, values: Sequence[Path]) -> None:
        """Take up the values of the next row."""
        found = tuple(values)
        self._rows.append(self._same.setdefault(found, found))
        for path in dict.fromkeys(value[:depth] for value in values for depth in range(1, len(value) + 1)):
            if path in self._choices:
                self._choices[path].rows += 1
            else:
                self._choices[path] = Choice(path, 1, key)
                self._below[path[:-1]].append(path)

    def choices(self) -> list[Choice]:
        """The values in the order in which rows have them, each followed by those below it."""
        found: list[Choice] = []
        left = self._below[()][::-1]
        while left:
            choice = self._choices[left.pop()]
            choice.first = len(found)
            found.append(choice)
            left += self._below.get(choice.path, [])[::-1]
        for choice in reversed(found):
            below = self._below.get(choice.path)
            choice.last = self._choices[below[-1]].last if below else choice.first
        return found

    def numbers(self) -> list[Any]:
        """For each row the number of its value in :meth:`choices`, -1 for none, or a list of several."""
        number = {choice.path: choice.first for choice in self.choices()}
        rows = ([number[path] for path in values] or [-1] for values in self._rows)
        return [row[0] if len(row) == 1 else row for row in rows]


def row_link(key: str) -> str:
    """A link to a row, wherever it stands.

    >>> row_link("a b.0")
    '#row=a+b.0'
    """
    return "#" + urlencode({"row": key})


def filter_link(listing: str, **values: str) -> str:
    """A link to the rows of these values, of facets by name; ``q`` is what is searched for.

    >>> filter_link("rows", status="to check")
    '#list=rows&status=to+check'
    """
    return "#" + urlencode({"list": listing, **values})
