"""The lists that a run's page shows: rows with their HTML, what search looks through, and what they are filtered by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from markupsafe import Markup

from dataflow_ext.files import RUN_FOLDER

#: Rows on a page.
PAGE_ROWS = 100

#: Where the pages after the first lie below a run's folder, what leads back from there, and the first page's name.
FOLDER = f"{RUN_FOLDER}/report"
BACK = "../../"
FIRST = "report.html"

#: A value that rows are filtered by, from the general to the particular: ``("3 Circles", "3.2 Tangents")``.
Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One row of a list.

    ``body`` is its HTML, given what leads from the page's folder to the run's: ``""``, or ``"../../"`` for pages after
    the first. ``text`` is what search looks through. Rows that follow each other under one ``heading`` have it above
    them once. ``state`` is a class for its look, ``values`` has the values of each :class:`Facet` by its name.
    """

    body: Callable[[str], Markup]
    text: str
    heading: str = ""
    state: str = ""
    values: Mapping[str, Sequence[Path]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facet:
    """What rows can be filtered by: a name for links, a title, and whether its values are also a list to jump to."""

    name: str
    title: str
    contents: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows under a name of lower-case letters, which links tell them by, and a title.

    ``intro`` stands above the rows, ``nothing`` instead of them where there is none.
    """

    name: str
    title: str
    rows: Iterable[ShownRow]
    facets: Sequence[Facet] = ()
    intro: Markup = field(default_factory=Markup)
    nothing: str = "Nothing."


@dataclass(slots=True)
class Choice:
    """A value of a facet in a page's menu: its path, how many rows have it or one below it, and the first of them.

    ``first`` and ``last`` are the numbers of the value and of the last one below it, in the order of the menu.
    """

    path: Path
    rows: int
    row: int
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

    def add(self, values: Sequence[Path]) -> None:
        """Take up the values of the next row."""
        self._rows.append(values)
        for path in dict.fromkeys(value[:depth] for value in values for depth in range(1, len(value) + 1)):
            if path in self._choices:
                self._choices[path].rows += 1
            else:
                self._choices[path] = Choice(path, 1, len(self._rows))
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


def page_name(listing: str, page: int) -> str:
    """The file of a list's page, counted from 1, below the run's folder.

    >>> page_name("rows", 1), page_name("rows", 12)
    ('report.html', '.run/report/rows-0012.html')
    """
    return FIRST if page == 1 else f"{FOLDER}/{listing}-{page:04}.html"


def row_link(listing: str, row: int, root: str = "") -> str:
    """A link to a row, counted from 1, that works without a script too.

    >>> row_link("rows", 7), row_link("rows", 107, root="../../")
    ('#rows-7', '../../.run/report/rows-0002.html#rows-107')
    """
    page = page_name(listing, (row - 1) // PAGE_ROWS + 1)
    return f"{root}{'' if page == FIRST and not root else page}#{listing}-{row}"


def filter_link(listing: str, root: str = "", **values: str) -> str:
    """A link to the rows of these values, of facets by name; ``q`` is what is searched for. It needs the script.

    >>> filter_link("rows", status="to check")
    '#rows?status=to+check'
    """
    return f"{root}{FIRST if root else ''}#{quote(listing)}?{urlencode(values)}"
