"""Where pictures stand in a text: links in Markdown, and the places that trainers read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dataflow_ext.errors import InputError

#: Stands in a text for a picture, or a film, in their order.
PICTURE, FILM = "<image>", "<video>"

#: A picture's link in Markdown; its name may hold pairs of brackets.
_LINK = re.compile(r"!\[(?P<caption>[^\]\n]{0,500})\]\((?P<path>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")


def with_places(text: str, images: Sequence[Any]) -> tuple[str, list[Any]]:
    """A text with an ``<image>`` for each of its pictures, where it links to it, and the pictures in that order.

    Pictures that it links to nowhere come first. A text that has their places already stays as it is.

    >>> with_places("See ![Fig. 1](a.png).", ["b.png", "a.png"])
    ('<image>\\nSee <image>.', ['b.png', 'a.png'])
    """
    known = {path_of(each): each for each in images}
    linked = [found["path"] for found in _LINK.finditer(text) if found["path"] in known]
    if not linked and text.count(PICTURE) == len(images):
        return text, list(images)
    placed = _LINK.sub(lambda found: PICTURE if found["path"] in known else found[0], text.replace(PICTURE, ""))
    others = [path for path in known if path not in linked]
    return f"{PICTURE}\n" * len(others) + placed, [known[path] for path in (*others, *linked)]


def captioned(text: str) -> str:
    """A text that a model says, which cannot show pictures: of each its caption stays.

    >>> captioned("As in ![Fig. 1](a.png).")
    'As in Fig. 1.'
    """
    return _LINK.sub(r"\g<caption>", text.replace(PICTURE, "")).strip()


def has_link(text: str) -> bool:
    """Whether a text links to a picture."""
    return _LINK.search(text) is not None


def path_of(image: Any) -> str:
    """The path of a picture, given as such or as a record that has it; InputError for anything else."""
    if isinstance(image, dict):
        image = image.get("path") or image.get("image")
    if not isinstance(image, str):
        raise InputError(f"A picture is a path, or bytes with a path, not {type(image).__name__}.")
    return image
