"""The pictures of a data set: copied byte for byte, and taken away when no row names them any more."""

from __future__ import annotations

import errno
import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from dataflow_ext.errors import InputError, RowError
from dataflow_ext.files import RUN_FOLDER, own_list, put, write_text
from operators.game.easyr1.form import IMAGE_FOLDER, plain_path_fault

#: Where a run keeps its list of the pictures it wrote, and what is not finished yet.
STAGE = Path(RUN_FOLDER, "easyr1")

#: What is wrong with one path, not with the disk.
_ONE_PATH = {errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ENOTDIR, errno.EISDIR, errno.EEXIST}


class PictureTaken(RowError):
    """The place of a picture in the data set is taken by another file."""


def cannot_write(path: Path, error: OSError) -> InputError:
    """The sentence for a file that cannot be written."""
    return InputError(
        f"Cannot write {path}: {error.strerror or error}; make room or give another output folder, then run again."
    )


class PictureFolder:
    """The folder ``OUT/images``, and which of its files a run of this library wrote.

    Only files in the run's own list are ever replaced or removed. The list is written before the first
    picture, so that after a kill the next run still knows which files are its own.
    """

    def __init__(self, out: Path) -> None:
        self.folder = out / IMAGE_FOLDER
        if self.folder.is_symlink():
            raise InputError(f"{self.folder} is a link to another place; remove it, or give another output folder.")
        self._stage = out / STAGE
        listed = _listed(self._stage / "pictures.json")
        self._own, self._damaged = listed or set(), listed is None
        self._real = self.folder.resolve()

    def expect(self, images: Iterable[str]) -> None:
        """Note the pictures that will be written, of those that are not there yet; all if the list is damaged."""
        coming = {image for image in images if self._damaged or not (self.folder / image).exists()}
        if not coming <= self._own:
            self._own |= coming
            self._note()

    def put(self, image: str, data: bytes) -> None:
        """Write a picture whole or not at all; PictureTaken if its place is not ours to write to."""
        target = self.folder / image
        try:
            if not target.parent.resolve().is_relative_to(self._real):
                raise PictureTaken(f"The picture {image} would leave {self.folder} by a link; remove the link.")
            if target.is_file() and not target.is_symlink() and target.read_bytes() == data:
                return
            if image not in self._own:
                raise PictureTaken(f"{target} is another file that no run has written; move it away.")
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = self._stage / "picture.part"
            partial.write_bytes(data)
            put(partial, target)
        except OSError as error:
            if error.errno in _ONE_PATH:
                raise PictureTaken(f"The picture cannot be written as {image}: {error.strerror}.") from None
            raise cannot_write(target, error) from None

    def keep_only(self, images: set[str], sources: Iterable[Path]) -> None:
        """Remove the pictures that earlier runs wrote and no row names, and folders that this leaves empty.

        Nothing is removed if a row's own picture lies in this folder: it may be somebody's only copy.
        """
        old = self._own - images
        if any(source.resolve().is_relative_to(self._real) for source in sources):
            return
        for image in sorted(old):
            path = self.folder / image
            if path.parent.resolve().is_relative_to(self._real):
                path.unlink(missing_ok=True)
                self._tidy(path.parent)
        self._own &= images
        self._note()

    def _tidy(self, folder: Path) -> None:
        while folder != self.folder:
            try:
                folder.rmdir()
            except OSError:  # not empty
                return
            folder = folder.parent

    def _note(self) -> None:
        text = json.dumps({"pictures": sorted(self._own)}, ensure_ascii=False, indent=0)
        write_text(self._stage / "pictures.json", text + "\n")


def _listed(path: Path) -> set[str] | None:
    """The pictures in a run's list: none without one, and None if it is damaged."""
    known = own_list(path)
    if known is None:
        return set()
    try:
        return {image for image in known["pictures"] if isinstance(image, str) and plain_path_fault(image) is None}
    except (KeyError, TypeError):
        return None


def folded(image: str) -> str:
    """A path as file systems see it that cannot tell upper from lower case."""
    return unicodedata.normalize("NFC", image).casefold()
