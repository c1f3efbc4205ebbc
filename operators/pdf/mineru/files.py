"""Content lists as files: finding them, reading their text, parsing their JSON, each with one clear error."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

from dataflow_ext import InputError

#: Endings of file names, the most telling form first.
_ENDINGS = ("content_list.json", "content_list_v2.json", "structured_content.json")

#: What to give, for messages.
EXPECTED = (
    "give a *_content_list.json, *_content_list_v2.json or structured_content.json of MinerU, or the JSON of Docling "
    "or Marker"
)


#: The entries of a document at most: some 10,000 pages. Each takes up to 7 KB until its rows are written, and a list of
#: millions, which no book has, would take all the memory of the machine. The bytes are those of so many long entries.
MAX_ENTRIES, _MAX_BYTES = 200_000, 1 << 29
#: The key that each entry of a list has, MinerU's, Docling's or Marker's.
_ENTRY_KEYS = ('"type"', '"label"', '"block_type"')


class ContentListError(InputError):
    """A file or value that cannot be used as a content list at all; says where, what is wrong, what to do."""


def find_content_lists(folder: Path) -> list[Path]:
    """The lists in a folder and below it, one for each document, sorted by path.

    Where a document's folder has it in several forms, ``content_list`` is taken before
    ``content_list_v2`` before ``structured_content``. Hidden folders are passed by.
    """
    if not folder.is_dir():
        raise ContentListError(f"{folder} is not a folder; give the folder that MinerU wrote to.")
    best: dict[tuple[str, str], tuple[int, Path]] = {}
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            rank = next((i for i, ending in enumerate(_ENDINGS) if _has_ending(name, ending)), None)
            if rank is None:
                continue
            stem = name.removesuffix(_ENDINGS[rank]).rstrip("_-. ")
            known = best.get((where, stem))
            if known is None or rank < known[0]:
                best[where, stem] = rank, Path(where, name)
    return sorted(path for _, path in best.values())


def _has_ending(name: str, ending: str) -> bool:
    return name.endswith(ending) and (ending != _ENDINGS[0] or name == ending or name.endswith("_" + ending))


def read_text(path: Path) -> str:
    """The file's text, of any encoding that JSON may have, with or without a byte order mark."""
    text = _decode(_bytes(path), path)
    entries = max(map(text.count, _ENTRY_KEYS))
    if entries > MAX_ENTRIES:
        told = f"holds {entries:,} entries and parts of entries, and a document may have {MAX_ENTRIES:,}"
        raise ContentListError(f"{path} {told}; give each book as a list of its own.")
    return text


def _bytes(path: Path) -> bytes:
    # A pipe or a device would be waited for without end.
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - these two never raise
        raise ContentListError(f"{path} is not a file; {EXPECTED}.")
    try:
        if (size := path.stat().st_size) > _MAX_BYTES:
            told = f"has {size:,} bytes, and a list may have {_MAX_BYTES:,}"
            raise ContentListError(f"{path} {told}; give each book as a list of its own.")
        return path.read_bytes()
    except ContentListError:
        raise
    except OSError as error:
        why = error.strerror or str(error)
    except ValueError as error:
        why = str(error)
    except MemoryError:
        why = "it does not fit into memory"
    raise ContentListError(f"{path} cannot be read ({why}); {EXPECTED}.")


def _decode(raw: bytes, path: Path) -> str:
    if not raw.strip():
        raise ContentListError(f"{path} is empty; run MinerU again for this document.")
    try:
        return raw.decode(json.detect_encoding(raw))
    except UnicodeDecodeError as error:
        at = f"byte {error.start} is not {error.encoding.upper()}"
        raise ContentListError(f"{path} is not readable text ({at}); save it as UTF-8 or run MinerU again.") from None


def parse(text: str, path: Path) -> object:
    """The JSON value that the text holds; ``path`` is for messages."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}"
        wrong = f"is not complete JSON ({where})"
    except ValueError:
        # A number of thousands of digits, which Python refuses to convert: only this file pays for a hook.
        try:
            return json.loads(text, parse_int=_whole_number)
        except (ValueError, RecursionError):
            wrong = "is not complete JSON"
    except RecursionError:
        wrong = "is nested too deeply for a content list"
    except MemoryError:
        wrong = "does not fit into memory"
    raise ContentListError(f"{path} {wrong}; it may be cut off or not from MinerU: {EXPECTED}.")


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) < 400 else math.inf
