"""Zip archives from outside, unpacked without trust: only below one folder, only so much, no links."""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from operators.pdf.mineru.parsers import ParserError

#: What one result may hold; the longest books stay far below.
MAX_FILES = 100_000
MAX_BYTES = 4 << 30

#: What is of use in a result: lists, Markdown and pictures.
_WANTED = frozenset({".json", ".md", ".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".svg"})

_PIECE = 1 << 20
_DRIVE = re.compile(r"[A-Za-z]:")


def unpack(archive: Path, folder: Path, what: str) -> None:
    """Unpack lists, Markdown and pictures of an archive into ``folder``; ``what`` leads the error's sentence.

    Raises :class:`ParserError` for what is no zip archive, is damaged or too large, or has a member that
    is a link or would land outside of the folder.
    """
    try:
        with zipfile.ZipFile(archive) as file:
            members = file.infolist()
            if len(members) > MAX_FILES:
                raise ParserError(f"{what} is an archive of {len(members)} files; at most {MAX_FILES} are taken.")
            for member in members:
                _refuse_odd(member, what)
            left = MAX_BYTES
            for member in members:
                if not member.is_dir() and Path(member.filename).suffix.lower() in _WANTED:
                    left -= _write(file, member, folder, left, what)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ParserError(f"{what} is not a sound zip archive ({error}).") from None


def _refuse_odd(member: zipfile.ZipInfo, what: str) -> None:
    name = member.filename
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or _DRIVE.match(name) or "\0" in name:
        raise ParserError(f"{what} holds {name!r}, which leads out of its folder; nothing of it was unpacked.")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ParserError(f"{what} holds {name!r}, which is a link or a device; nothing of it was unpacked.")


def _write(file: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, left: int, what: str) -> int:
    """Write one member; the number of its bytes, counted, not as the archive's directory has it."""
    target = folder / member.filename
    size = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with file.open(member) as source, target.open("wb") as sink:
            while piece := source.read(_PIECE):
                size += len(piece)
                if size > left:
                    raise ParserError(f"{what} holds more than {MAX_BYTES >> 30} GiB; it is not unpacked.")
                sink.write(piece)
    except (OSError, ValueError) as error:
        if isinstance(error, ParserError):
            raise
        raise ParserError(f"{what} holds {member.filename[:80]!r}, which cannot be written ({error}).") from None
    return size
