"""Pictures of questions: where texts link to them, and the files behind the links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dataflow_ext import RowError

#: A picture's link in Markdown; names of pictures may hold blanks and brackets.
_LINK = re.compile(r"!\[[^\]\n]{0,500}\]\((?P<link>[^\n]{1,300}?\.(?:png|jpe?g|gif|webp|bmp|tiff?))\)", re.IGNORECASE)


def numbered(texts: Sequence[str], more: Iterable[str] = ()) -> tuple[list[str], list[str]]:
    """The texts with "[picture 1]" and so on in the places of links, and the links in that order, ``more`` at the end.

    >>> numbered(["See ![Fig. 1](a/x.png) and ![](a/y.png).", "Again ![](a/x.png)"])
    (['See [picture 1] and [picture 2].', 'Again [picture 1]'], ['a/x.png', 'a/y.png'])
    """
    links: dict[str, int] = {}

    def mark(found: re.Match[str]) -> str:
        return f"[picture {links.setdefault(found['link'], len(links) + 1)}]"

    marked = [_LINK.sub(mark, text) for text in texts]
    for link in more:
        links.setdefault(link, len(links) + 1)
    return marked, list(links)


def picture_files(links: Sequence[str], root: Path | None, base: str, files: Sequence[str]) -> list[str]:
    """The files behind links: from ``base`` in ``root``, or, of rows that no file held, those of the same name.

    RowError for one that is not there: nobody can solve a question without its picture.
    """
    known = {_name(path): path for path in files}
    return [str(_file(link, root, base, known)) for link in links]


def _file(link: str, root: Path | None, base: str, known: Mapping[str, str]) -> Path:
    if root is None:
        path = Path(known.get(_name(link)) or Path(base, link))
    else:
        path = (root / base / link).resolve()
        if not path.is_relative_to(root.resolve()):
            raise RowError(f"its picture {link} lies outside of the folder of the rows")
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise RowError(f"its picture {link} is not there")
    return path


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
