"""Results of parsers, kept: made in a folder of their own, moved to their place when whole, found again after that.

Zip archives from outside are unpacked without trust: only below one folder, only so much, no links.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import stat
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import pypdfium2

from dataflow_ext import InputError, parallel
from dataflow_ext.errors import PieceError
from dataflow_ext.files import make_folder, write_text
from operators.pdf.mineru.content_list import ContentListError, find_content_lists, load_content_list
from operators.pdf.mineru.parsers import ParserError
from operators.pdf.parser.files import PDFError, digest_of, open_pdf
from operators.pdf.parser.pages import pdf_limits

#: The file that says what a result is of.
_RECORD = "parsed.json"


@dataclass(frozen=True, slots=True)
class Work:
    """Where a parser works: the PDF under a plain name, the folder for its result, its log.

    ``failed_log`` is where the log will lie if the work fails.
    """

    pdf: Path
    result: Path
    log: Path
    failed_log: Path


def kept(
    pdf: Path,
    into: Path,
    *,
    pages: Sequence[int] | None,
    identity: str,
    timeout: float,
    make: Callable[[Work], None],
) -> Path:
    """The content list of a PDF: the kept one, or one that ``make`` makes.

    The key is the PDF's SHA-256 with the pages and the parser's identity. A run that is killed leaves a
    hidden folder, which the next one for this key clears away once its time is over. After a failure the
    log is kept as ``KEY.log``.
    """
    into = into.absolute()  # the tool runs in a folder of its own
    if found := find_kept(pdf, into, pages=pages, identity=identity):
        return found
    key = _key(pdf, pages, identity)
    place = into / key
    make_folder(into)
    _clear(into, key, timeout)
    folder = Path(tempfile.mkdtemp(prefix=f".{key}.", dir=into))
    work = Work(folder / "document.pdf", folder / "result", folder / "parser.log", into / f"{key}.log")
    try:
        work.result.mkdir()
        _bring(pdf, pages, work.pdf)
        began = time.monotonic()
        make(work)
        _tidy(work, pdf)
        seconds = round(time.monotonic() - began, 1)
        record = {"pdf": pdf.name, "parser": identity, "pages": pages, "seconds": seconds}
        write_text(folder / _RECORD, json.dumps(record, ensure_ascii=False, indent=1) + "\n")
        _move(folder, place)
        work.failed_log.unlink(missing_ok=True)
    except InputError:
        if work.log.is_file():
            work.log.replace(work.failed_log)
        raise
    except OSError as error:
        raise ParserError(f"{pdf}: the parser's result cannot be kept in {into} ({error}).") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _the_list(place / "result", pdf)


def find_kept(pdf: Path, into: Path, *, pages: Sequence[int] | None, identity: str) -> Path | None:
    """The content list of a PDF that is kept of a parser, if one is."""
    place = into / _key(pdf, pages, identity)
    return _the_list(place / "result", pdf) if (place / _RECORD).is_file() else None


def _key(pdf: Path, pages: Sequence[int] | None, identity: str) -> str:
    try:
        content = digest_of(pdf)
    except OSError as error:
        raise InputError(f"{pdf}: cannot be read ({error.strerror or error}).") from None
    whole = json.dumps([content, None if pages is None else list(pages), identity])
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def _clear(into: Path, key: str, timeout: float) -> None:
    """Remove what killed runs left for this key: nobody is at work on it once the time-out is over."""
    for left in into.glob(f".{key}.*"):
        if time.time() - left.stat().st_mtime > timeout + 3600:
            shutil.rmtree(left, ignore_errors=True)


def _bring(pdf: Path, pages: Sequence[int] | None, target: Path) -> None:
    """The PDF, or these pages of it, under a name that every tool takes."""
    if pages is None:
        shutil.copyfile(pdf, target)
        return
    [made] = parallel.guarded(_cut, [(pdf, pages, target)], pdf_limits(len(pages)))
    if isinstance(made, PieceError):
        raise InputError(str(made.about(pdf)))


def _cut(wanted: tuple[Path, Sequence[int], Path]) -> None:
    """Put pages of a PDF into one of their own."""
    pdf, pages, target = wanted
    with open_pdf(pdf) as whole, pypdfium2.PdfDocument.new() as part:
        for page in pages:
            if not 0 <= page < len(whole):
                raise PDFError(pdf, f"there is no page {page + 1}", f"give pages from 1 to {len(whole)}")
        try:
            part.import_pages(whole, list(pages))
            part.save(target)
        except pypdfium2.PdfiumError as error:
            raise InputError(f"{pdf}: its pages cannot be put into a PDF of their own ({error}).") from None


def _tidy(work: Work, pdf: Path) -> None:
    """Make sure that the result can be used, and leave only what is of use."""
    found = _the_list(work.result, pdf)
    try:
        load_content_list(found)
    except ContentListError as error:
        said = str(error).replace(str(found), found.name)  # the folder will be gone
        raise ParserError(f"{pdf}: the list that the parser wrote cannot be used: {said}") from None
    work.pdf.unlink()
    for copy in work.result.rglob("*.pdf"):
        copy.unlink()  # MinerU's own copies of the book, as large as the book


def _the_list(result: Path, pdf: Path) -> Path:
    lists = find_content_lists(result)
    if len(lists) == 1:
        return lists[0]
    names = sorted(str(path.relative_to(result)) for path in result.rglob("*") if path.is_file())
    wrote = f"only {', '.join(names[:5])}" if names else "nothing"
    if lists:
        wrote = f"{len(lists)} of them: {', '.join(str(path.relative_to(result)) for path in lists[:5])}"
    raise ParserError(f"{pdf}: one content list was expected of the parser, and it wrote {wrote}.")


def _move(folder: Path, place: Path) -> None:
    try:
        folder.rename(place)
    except OSError:
        # Another process has finished the same file in the meantime; its result is as good.
        if not (place / _RECORD).is_file():
            raise


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
