"""Pictures of a data set: where they stand in a text, and how their files lie in its folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dataflow_ext.datasets.folder import IMAGES, DataFolder
from dataflow_ext.errors import InputError

#: Stands in a text for a picture, or a film, in their order.
PICTURE, FILM = "<image>", "<video>"

#: A picture's link in Markdown; its name may hold pairs of brackets.
_LINK = re.compile(r"!\[(?P<caption>[^\]\n]{0,500})\]\((?P<path>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")

_ENDINGS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg"}


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


class Pictures:
    """Pictures by the hashes of their content: all are noted at once, each is put in its place when a row has it.

    ``sources`` are their files. ``there`` are the paths of those in their places.
    """

    def __init__(self, folder: DataFolder, sources: Mapping[str, str]) -> None:
        self._folder, self._sources = folder, sources
        self._paths: dict[str, str | OSError | InputError] = {}
        for key, source in sources.items():
            try:
                self._paths[key] = f"{IMAGES}/{content_name(key, Path(source))}"
            except (OSError, InputError) as error:
                self._paths[key] = error
        folder.expect(path for path in self._paths.values() if isinstance(path, str))
        self.there: set[str] = set()

    def put(self, key: str) -> str:
        """The path of a picture, which is in its place then; raises why it cannot be."""
        path = self._paths[key]
        if not isinstance(path, str):
            raise path
        if path not in self.there:
            self._folder.put(path, Path(self._sources[key]))
            self.there.add(path)
        return path


def content_name(key: str, source: Path) -> str:
    """The name of a picture: the beginning of its content's hash, and its format; InputError if not PNG or JPEG."""
    with source.open("rb") as file:
        head = file.read(4)
    for start, ending in _ENDINGS.items():
        if head.startswith(start):
            return f"{key[:16]}.{ending}"
    raise InputError(f"The picture {source} is neither PNG nor JPEG; ImageNormalizer makes it one.")
