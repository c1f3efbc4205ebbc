"""The border for text: what enters an Arrow table is well-formed Unicode, whoever made it.

A Python string may hold halves of surrogate pairs: JSON escapes, PDFs and file names that are no UTF-8 bring
them in. Arrow and UTF-8 cannot hold them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

#: Bytes that a message may have in a table; some libraries put a whole reply or page into theirs.
MESSAGE_BYTES = 10_000

#: A byte of a file name that is no UTF-8, as ``os.fsdecode`` gives it.
_RAW_BYTE = re.compile("(?<![\ud800-\udbff])[\udc80-\udcff]")
_ESCAPED_BYTE = re.compile(rb"%([89A-F][0-9A-F])")


def well_formed(text: str) -> str:
    r"""The text with each surrogate pair as the letter that it means, and U+FFFD for each lone half.

    A text that is well-formed already comes back as it is.

    >>> well_formed("\ud835\udc65 = \ud835")
    '𝑥 = �'
    """
    return text if is_well_formed(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_well_formed(text: str) -> bool:
    """Whether a text can stand in a table and in a file: there is no half of a surrogate pair in it."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def well_formed_value(value: Any) -> Any:
    """A value with all texts in it well-formed: itself, the members of lists and tuples, keys and values of maps."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, Mapping):
        return {well_formed_value(key): well_formed_value(each) for key, each in value.items()}
    return [well_formed_value(each) for each in value] if isinstance(value, list | tuple) else value


def arrow_array(values: Iterable[Any], dtype: pa.DataType | None = None) -> pa.Array | pa.ChunkedArray:
    """The values as ``pyarrow.array`` makes them, their texts well-formed; only texts that are not cost anything."""
    import pyarrow as pa  # here, as who only mends texts need not wait for it

    try:
        return pa.array(values, dtype)
    except UnicodeEncodeError:
        return pa.array([well_formed_value(value) for value in values], dtype)


def message_of(error: BaseException) -> str:
    """What an exception says, fit for a table; its type's name if it says nothing, or fails to say it.

    >>> message_of(ValueError("no such page")), message_of(ValueError())
    ('no such page', 'ValueError')
    """
    try:
        said = str(error)
    except Exception:
        said = ""
    # Most halves in messages are bytes of a file's name, which shall be found again.
    return shortened(path_text(said[: MESSAGE_BYTES + 1])) or type(error).__name__


def shortened(text: str, size: int = MESSAGE_BYTES) -> str:
    """The text, well-formed, in at most ``size`` bytes of UTF-8; what was cut off ends in ``…``.

    >>> shortened("x" * 20, 10)
    'xxxxxxx…'
    """
    whole = well_formed(text[: size + 1])
    data = whole.encode()
    return whole if len(data) <= size else data[: size - 3].decode(errors="ignore") + "…"


def short(text: str, length: int) -> str:
    """A text cut to so many characters, of which the last then tells that there was more.

    >>> short("abcdef", 4), short("abcd", 4)
    ('abc…', 'abcd')
    """
    return text if len(text) <= length else text[: length - 1] + "…"


def quoted(text: str, length: int = 80) -> str:
    """A text from outside as messages show it: in quotes, cut to so many characters, nothing that a terminal obeys.

    >>> quoted("a\\nb")
    "'a\\\\nb'"
    """
    return repr(short(text, length))


def path_text(path: PurePath | str) -> str:
    r"""A path as a text that a table can hold: bytes of it that are no UTF-8 are written ``%FF``.

    >>> path_text("b\udcff.pdf")
    'b%FF.pdf'
    """
    text = str(path)
    return text if text.isascii() else well_formed(_RAW_BYTE.sub(_escaped, text))


def path_of(text: str) -> Path:
    """The path that :func:`path_text` wrote: as it stands there, unless only the file with the raw bytes exists."""
    if "%" in text and not os.path.lexists(text):
        name = _ESCAPED_BYTE.sub(lambda byte: bytes.fromhex(byte[1].decode()), text.encode())
        raw = name.decode("utf-8", "surrogateescape")
        # What is UTF-8 after all was never escaped: it is a name with percent signs, of a file that is missing.
        if path_text(raw) == text and os.path.lexists(raw):
            return Path(raw)
    return Path(text)


def _escaped(byte: re.Match[str]) -> str:
    return f"%{ord(byte[0]) - 0xDC00:02X}"
