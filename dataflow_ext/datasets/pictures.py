"""The pictures of a data set, each there once, under a name that its content gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dataflow_ext.datasets.folder import IMAGES, DataFolder
from dataflow_ext.errors import InputError

_ENDINGS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg"}


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
