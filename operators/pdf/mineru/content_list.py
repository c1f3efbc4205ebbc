"""The loader of what MinerU writes, versions 1 to 4: a file of entries becomes a list of content items."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from dataflow_ext import InputError
from dataflow_ext.garbage_collection import seldom_collecting
from dataflow_ext.well_formed import well_formed
from operators.pdf.blocks import FURNITURE, ContentItem
from operators.pdf.mineru.entry import EntryReader, joined
from operators.pdf.mineru.fields import MAX_PAGE, THOUSANDTHS, level_of, page_of, shown
from operators.pdf.other_parsers import entries_of

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
#: The spans that an entry has at most, on average, if boxes tell how many entries there are.
_MOST_SPANS = 20
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
    entries, boxes = max(map(text.count, _ENTRY_KEYS)), text.count('"bbox"')
    if _MOST_SPANS * boxes > entries:
        entries = min(entries, boxes)  # spans of an entry have types, too, but no boxes
    if entries > MAX_ENTRIES:
        told = f"holds {entries:,} entries, and a document may have {MAX_ENTRIES:,}"
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


#: Types whose entries are words and nothing else.
_PLAIN = frozenset({"text"}) | FURNITURE

_INNER = (
    "Blocks hold lists of blocks, as in a middle_json.json, so pictures and captions may be missing; "
    "give the structured_content.json beside it."
)


@dataclass(slots=True)
class LoadedList:
    """The items of one list in reading order, and what was odd about it.

    ``version`` is ``content_list``, ``content_list_v2``, ``structured_content``, ``docling`` or ``marker``.
    ``problems`` holds a sentence for each odd entry, up to 100, then the count of the rest.
    """

    items: list[ContentItem] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    version: str = "content_list"


def load_content_list(path: Path, *, file: int = 0, pictures: Path | None = None) -> LoadedList:
    """The items of a list on disk, MinerU's, Docling's or Marker's; pictures are looked for in the list's own folder.

    Pictures inside the list become files in the folder ``pictures``, else they are left out.
    Of a key that stands twice in an entry the last value holds. Raises :class:`ContentListError` if the
    file cannot be used as a whole.

    >>> from tempfile import TemporaryDirectory
    >>> entry = {"type": "text", "text": "19.1 平方根", "text_level": 1, "bbox": [5, 6, 50, 9], "page_idx": 3}
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "book_content_list.json")
    ...     _ = path.write_text(json.dumps([entry]), encoding="utf-8")
    ...     loaded = load_content_list(path)
    >>> item = loaded.items[0]
    >>> item.text, item.level, item.page, item.box, item.ref
    ('19.1 平方根', 1, 3, (5.0, 6.0, 50.0, 9.0), '0')
    >>> loaded.version, loaded.problems
    ('content_list', [])
    """
    with seldom_collecting():
        text = read_text(path)
        # Decoded text holds no half of a surrogate pair unless an escape brings it in.
        halves = "\\ud" in text or "\\uD" in text
        data = parse(text, path)
        del text
        return _read(data, path, file=file, halves=halves, pictures=pictures)


def _read(data: object, path: Path, *, file: int, halves: bool, pictures: Path | None) -> LoadedList:
    """Reads all forms; ``data`` is taken apart on the way, which halves the memory.

    ``halves`` says that texts may hold halves of surrogate pairs.
    """
    try:
        other = entries_of(data) if isinstance(data, dict) else None
    except (ValueError, TypeError, AttributeError, OverflowError, AssertionError, RecursionError) as error:
        why = f"{type(error).__name__}: {error}"
        raise ContentListError(f"{path} is no sound list of another parser's ({why}).") from None
    brought: dict[int, str] = {}
    pages: Iterator[tuple[int, object]] = iter(())
    if other is not None:
        version, entries = other
        data = entries.listed
        brought = {} if pictures is None else entries.kept_in(pictures)
    elif isinstance(data, dict):
        version = "structured_content"
        pages = _structured_pages(data, path)
    elif isinstance(data, list):
        first = next((entry for entry in data if isinstance(entry, list | dict)), None)
        version = "content_list_v2" if isinstance(first, list) else "content_list"
        pages = enumerate(data)
    else:
        raise ContentListError(f"{path} is {shown(data)}, not a list of entries; {EXPECTED}.")
    inner = isinstance(data, dict) and _has_inner_blocks(data)
    reader = EntryReader(path.parent, file, structured=version == "structured_content")
    if (version == "content_list" or other is not None) and isinstance(data, list):
        items = _read_flat(data, reader, file)
    else:
        items = _read_pages(pages, reader)
    for item in items if brought else ():
        item.image = brought.get(int(item.ref), item.image)
    if halves:
        _mend(items, reader)
    items = joined(items)
    problems = reader.notes.sentences()
    if inner:
        problems.insert(0, _INNER)
    if missing := reader.pictures.sentence():
        problems.append(missing)
    return LoadedList(items, problems, version)


def _structured_pages(data: dict[str, object], path: Path) -> Iterator[tuple[int, object]]:
    if "pdf_info" in data:
        raise ContentListError(f"{path} is a middle.json, the parser's inner state; {EXPECTED}.")
    pages = data.get("pages")
    if not isinstance(pages, list):
        raise ContentListError(f"{path} is an object without a list of 'pages'; {EXPECTED}.")
    return _pages_of_blocks(pages)


def _has_inner_blocks(data: dict[str, Any]) -> bool:
    """Whether the blocks hold blocks, as they do in the middle_json.json that lies beside."""
    lists = (entries for _, entries in _pages_of_blocks(data["pages"]) if isinstance(entries, list))
    blocks = islice((block for entries in lists for block in entries), 200)
    return any(isinstance(block, dict) and isinstance(block.get("content"), list) for block in blocks)


def _pages_of_blocks(pages: list[object]) -> Iterator[tuple[int, object]]:
    for position, page in enumerate(pages):
        if isinstance(page, dict):
            number = page_of(page.get("page_idx"))
            # A page without blocks goes on as an entry, so that whatever it holds is read or noted.
            yield position if number is None else number, page.get("blocks", page)
        else:
            yield position, page


def _read_pages(pages: Iterator[tuple[int, object]], reader: EntryReader) -> list[ContentItem]:
    items: list[ContentItem] = []
    index = 0
    for page, entries in pages:
        if entries is None:
            continue
        # An entry that stands where a page should is read as the only one of its page.
        for entry in entries if isinstance(entries, list) else [entries]:
            item = reader.read(entry, index, page)
            if item is not None:
                items.append(item)
            index += 1
        if isinstance(entries, list):
            entries.clear()
    return items


def _read_flat(data: list[object], reader: EntryReader, file: int) -> list[ContentItem]:
    """Reads the flat form. Entries of words alone, nearly all there are, take the short way."""
    items: list[ContentItem] = []
    page = 0
    for index, entry in enumerate(data):
        data[index] = None
        item = None
        if type(entry) is dict:
            item = _plain(entry, index, file)
            if item is not None:
                page = item.page
            elif (number := entry.get("page_idx")) is not None:
                known = page_of(number)
                if known is None:
                    said = f"field 'page_idx' is {shown(number)}, not a page; taken to be on page {page}"
                    reader.notes.add(index, said)
                else:
                    page = known
        if item is None:
            item = reader.read(entry, index, page)
        if item is not None:
            items.append(item)
    return items


def _plain(entry: dict[str, Any], index: int, file: int) -> ContentItem | None:
    """The item of an entry that has words, a page, a box and perhaps a level, all sound, and nothing else.

    What :class:`EntryReader` would make of it too, in a tenth of the time; None sends the entry there.
    """
    try:
        kind = entry["type"]
        text = entry["text"]
        page = entry["page_idx"]
        x0, y0, x1, y1 = entry["bbox"]
    except (KeyError, TypeError, ValueError):
        return None
    if type(text) is not str or type(kind) is not str or kind not in _PLAIN:
        return None
    if type(page) is not int or not 0 <= page < MAX_PAGE:
        return None
    if not (type(x0) is type(y0) is type(x1) is type(y1) is int):
        return None
    if not (0 <= x0 <= x1 <= 1000 and 0 <= y0 <= y1 <= 1000):
        return None
    level = None
    if len(entry) != 4:
        level = level_of(entry.get("text_level"))
        if level is None or len(entry) != 5:
            return None
    box = THOUSANDTHS[x0], THOUSANDTHS[y0], THOUSANDTHS[x1], THOUSANDTHS[y1]
    return ContentItem(kind, text, level, [], [], [], None, page, box, file, str(index))


def _mend(items: list[ContentItem], reader: EntryReader) -> None:
    """Puts U+FFFD for halves of surrogate pairs, which JSON can hold but no Arrow string."""
    for start in range(0, len(items), 4096):
        batch = items[start : start + 4096]
        texts = [item.text for item in batch]
        for item in batch:
            if item.items or item.captions or item.footnotes:
                texts += item.items + item.captions + item.footnotes
        try:
            "".join(texts).encode()
        except UnicodeEncodeError:
            for item in batch:
                _mend_one(item, reader)


def _mend_one(item: ContentItem, reader: EntryReader) -> None:
    before = [item.text, item.items, item.captions, item.footnotes]
    item.text = well_formed(item.text)
    item.items = [well_formed(text) for text in item.items]
    item.captions = [well_formed(text) for text in item.captions]
    item.footnotes = [well_formed(text) for text in item.footnotes]
    if before != [item.text, item.items, item.captions, item.footnotes]:
        reader.notes.add(int(item.ref), "its text has broken characters (half of a pair); replaced by U+FFFD")
