"""Pictures read by an engine: what it once read is not read again, and pieces of digits alone are read as such."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import sqlite3
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from weakref import WeakKeyDictionary, WeakSet

from dataflow_ext.errors import OCRError
from dataflow_ext.models.errors import CacheError
from dataflow_ext.models.request import Reply
from dataflow_ext.models.request_cache import RequestCache
from dataflow_ext.models.session import Session, current_session
from dataflow_ext.ocr.engine import OCREngine, OCRLine, Picture, called_of, content_of, pixels_of
from dataflow_ext.well_formed import well_formed

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

_log = logging.getLogger(__name__)

#: Pictures that are given to the engine, and then stored, together.
_AT_ONCE = 8

#: Part of every key: what is stored in another form is read anew.
_FORM = "ocr lines 1"


def read_pictures(engine: OCREngine, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
    """The lines of each picture, from memory where the engine has read the same picture before.

    The memory is the current session's cache, if it has one; in a session that is ``fresh`` only what was stored since
    it began counts. Lines are stored every few pictures, so little is lost if a run stops.
    The engine gets pixels. Raises InputError for what is no picture.
    """
    memory = _Memory(engine)
    lines: dict[str, list[OCRLine]] = {}
    order: list[str] = []
    waiting: dict[str, Pixels] = {}
    for picture in pictures:
        digest, content = content_of(picture)
        order.append(digest)
        if digest in lines or digest in waiting:
            continue
        stored = memory.get(digest)
        if stored is not None:
            lines[digest] = stored
            continue
        waiting[digest] = pixels_of(content, called_of(picture))
        if len(waiting) == _AT_ONCE:
            lines |= memory.read(waiting)
            waiting = {}
    if waiting:
        lines |= memory.read(waiting)
    return [list(lines[digest]) for digest in order]


class _Memory:
    """An engine, and where its lines are kept during one call."""

    def __init__(self, engine: OCREngine) -> None:
        session = current_session()
        self._engine, self._cache = engine, session.cache
        self._own = _stored_in(session) if session.fresh else None
        self._identity = json.dumps([_FORM, engine.identity()], sort_keys=True, default=dict)

    def get(self, digest: str) -> list[OCRLine] | None:
        """The lines that are stored for a picture; what is damaged counts as not there."""
        key = self._key(digest)
        if self._cache is None or (self._own is not None and key not in self._own):
            return None
        try:
            reply = self._cache.get(key)
        except (CacheError, sqlite3.Error, OSError) as error:
            self._give_up(error)
            return None
        return None if reply is None else _lines_of(reply.text)

    def read(self, waiting: dict[str, Pixels]) -> dict[str, list[OCRLine]]:
        """What the engine reads in pictures, by digest, stored before it is given back."""
        found = dict(zip(waiting, read_checked(self._engine, list(waiting.values())), strict=True))
        for digest, lines in found.items():
            self._put(self._key(digest), lines)
        return found

    def _put(self, key: str, lines: list[OCRLine]) -> None:
        if self._cache is None:
            return
        try:
            self._cache.put(key, Reply(_text_of(lines), model=self._engine.name, origin="local"))
        except (CacheError, sqlite3.Error, OSError) as error:
            self._give_up(error)
        else:
            if self._own is not None:
                self._own.add(key)

    def _give_up(self, error: Exception) -> None:
        """Do without the memory for the rest of the call: a locked file would take a minute for each picture."""
        cache, self._cache = self._cache, None
        if cache is not None and cache not in _warned:
            _warned.add(cache)
            _log.warning("Lines read by OCR cannot be stored, so they may have to be read again. %s", error)

    def _key(self, digest: str) -> str:
        return hashlib.sha256(f"{self._identity}\n{digest}".encode()).hexdigest()


_warned: WeakSet[RequestCache] = WeakSet()
_fresh: WeakKeyDictionary[Session, set[str]] = WeakKeyDictionary()
_fresh_lock = threading.Lock()


def _stored_in(session: Session) -> set[str]:
    """The keys stored since a fresh session began."""
    with _fresh_lock:
        return _fresh.setdefault(session, set())


def _text_of(lines: Sequence[OCRLine]) -> str:
    rows = [[line.text, line.score, *line.box] for line in lines]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _lines_of(text: str) -> list[OCRLine] | None:
    """The lines that a text holds, None if it holds anything else."""
    try:
        lines = []
        for words, *numbers in json.loads(text):
            score, x0, y0, x1, y1 = map(float, numbers)
            if not isinstance(words, str):
                return None
            lines.append(OCRLine(words, score, (x0, y0, x1, y1)))
    except (TypeError, ValueError):
        return None
    return lines


def read_checked(engine: OCREngine, pictures: Sequence[object]) -> list[list[OCRLine]]:
    """The engine's lines for each picture, with plain numbers, boxes of a size, and text that a file can hold.

    Raises :class:`OCRError` if it fails, gives lines for more or fewer pictures, or things that are no lines.
    """
    found = engine.read(pictures)  # type: ignore[arg-type]
    if len(found) != len(pictures):
        raise OCRError(f"The OCR engine {engine.name} gave lines for {len(found)} of {len(pictures)} pictures.")
    return [[_checked(line, engine.name) for line in lines] for lines in found]


def _checked(line: object, name: str) -> OCRLine:
    if not isinstance(line, OCRLine):
        raise OCRError(f"The OCR engine {name} gave {str(line)[:60]!r}, which is no OCRLine.")
    try:
        score, *sides = (float(number) for number in (line.score, *line.box))
        x0, y0, x1, y1 = sides
    except (TypeError, ValueError):
        raise OCRError(f"The OCR engine {name} gave a line with score {line.score!r} and box {line.box!r}.") from None
    if not all(map(math.isfinite, (score, *sides))) or not isinstance(line.text, str):
        raise OCRError(f"The OCR engine {name} gave a line with score {line.score!r} and box {line.box!r}.")
    x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    text = well_formed(line.text)
    return OCRLine(text, score, (x0, y0, max(x1, x0 + 1.0), max(y1, y0 + 1.0)))


#: The border that a piece gets for an engine that looks for text, as a share of its height.
_BORDER = 0.5


@runtime_checkable
class DigitReader(Protocol):
    """An engine that reads pieces as digits, without looking for text first."""

    def read_digits(self, pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
        """The digits of each piece, none is "", and how sure they are."""


def read_digits(engine: OCREngine, pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
    """The digits that fill each piece, "" where there are none, and how sure they are (0 to 1).

    Pieces that are the same to the pixel are read once.
    """
    names = [(piece.shape, piece.tobytes()) for piece in pieces]
    once = dict(zip(names, pieces, strict=True))
    readings = dict(zip(once, _digits(engine, list(once.values())), strict=True))
    return [readings[name] for name in names]


def _digits(engine: OCREngine, pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
    if isinstance(engine, DigitReader):
        return engine.read_digits(pieces)
    found = []
    for lines in read_checked(engine, [_bordered(piece) for piece in pieces]):
        text = "".join(line.text for line in sorted(lines, key=lambda line: line.box[0]))
        plain = text.isascii() and text.isdecimal()
        found.append((text, min(line.score for line in lines)) if plain else ("", 0.0))
    return found


def _bordered(piece: Pixels) -> Pixels:
    """A piece with a border in the colour of its edge."""
    import numpy as np

    more = max(8, round(_BORDER * piece.shape[0]))
    ground = np.median(np.concatenate([piece[:, 0], piece[:, -1]]), axis=0)
    bordered = np.empty((piece.shape[0] + 2 * more, piece.shape[1] + 2 * more, 3), np.uint8)
    bordered[:] = ground
    bordered[more:-more, more:-more] = piece
    return bordered
