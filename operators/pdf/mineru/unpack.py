"""Zip archives from outside, unpacked without trust: only below one folder, only so much, no links."""

from __future__ import annotations

import re
import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from operators.pdf.mineru.parsers import ParserError

#: What one result may hold; the longest books stay far below.
MAX_FILES = 100_000
MAX_BYTES = 4 << 30

#: What is of use in a result: lists, Markdown and pictures.
_WANTED = frozenset({".json", ".md", ".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".svg"})

#: How members may be packed: what every zip library writes unless it is told otherwise.
_PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})

_PIECE = 1 << 20
_DRIVE = re.compile(r"[A-Za-z]:")


def unpack(archive: Path, folder: Path, what: str) -> None:
    """Unpack lists, Markdown and pictures of an archive into ``folder``; ``what`` leads the error's sentence.

    Raises :class:`ParserError` for what is no zip archive, is damaged or too large, or has a member that
    is a link, is packed in an unusual way or would land outside of the folder.
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
    except ParserError:
        raise
    except Exception as error:  # damage makes the zip library raise a dozen kinds, OSError and struct.error among them
        why = str(error) or type(error).__name__
        raise ParserError(f"{what} is not a sound zip archive ({why}).") from None


def _refuse_odd(member: zipfile.ZipInfo, what: str) -> None:
    name = member.filename
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or _DRIVE.match(name) or "\0" in name:
        raise ParserError(f"{what} holds {name!r}, which leads out of its folder; nothing of it was unpacked.")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ParserError(f"{what} holds {name!r}, which is a link or a device; nothing of it was unpacked.")
    if member.compress_type not in _PACKED:
        raise ParserError(
            f"{what} holds {name!r}, which is packed by method {member.compress_type}; only deflated and stored "
            "files are taken, and nothing of it was unpacked."
        )


def _write(file: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, left: int, what: str) -> int:
    """Write one member; the number of its bytes, counted, not as the archive's directory has it."""
    size = 0
    with file.open(member) as source, _target(folder, member, what) as sink:
        while piece := source.read(_PIECE):
            size += len(piece)
            if size > left:
                raise ParserError(f"{what} holds more than {MAX_BYTES >> 30} GiB; it is not unpacked.")
            try:
                sink.write(piece)
            except OSError as error:
                raise _unwritten(member, what, error) from None
    return size


def _target(folder: Path, member: zipfile.ZipInfo, what: str) -> BinaryIO:
    target = folder / member.filename
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("wb")
    except (OSError, ValueError) as error:
        raise _unwritten(member, what, error) from None


def _unwritten(member: zipfile.ZipInfo, what: str, error: Exception) -> ParserError:
    return ParserError(f"{what} holds {member.filename[:80]!r}, which cannot be written ({error}).")
