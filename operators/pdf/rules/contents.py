"""The contents pages of a book: where they stand, and the headings that they list, with page numbers and ranks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from operators.pdf.numbering.title_ranks import is_contents_line, printed_page, title_rank
from operators.pdf.numbering.titles import heading_key, read_title
from operators.pdf.rules.lines import HEADINGS, LISTED, Kind, Line, Zone, contents_like
from operators.pdf.rules.words import ANSWERS

#: Other lines in a row, or the length of one, with which a table of contents is over.
_MISSES, _LONGEST = 3, 60
#: Letters of the shortest heading that is looked for inside a text.
_SHORTEST = 4
_TITLES = frozenset({Kind.TITLE, Kind.HEADING})
#: Entries below this are set in, for boxes in thousandths of the page.
_INDENT = 8.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading as the contents page lists it; ``page`` is the printed number, ``rank`` 0 for the highest."""

    text: str
    page: int | None
    rank: int


def mark_contents(lines: Sequence[Line], turns: Sequence[int]) -> list[Entry]:
    """Take the lines of contents pages, with or without their heading, out of the book; what they list.

    Pages begin at ``turns``.

    >>> from operators.pdf.blocks import Block
    >>> from operators.pdf.rules.lines import read_lines
    >>> texts = ["目录", "第一章 圆", "1.1 弧 …… 2", "1.2 弦 …… 5", "综合", "综合(1) …… 9"]
    >>> for entry in mark_contents(read_lines([Block(i, "text", t) for i, t in enumerate(texts)]), [0, 6]):
    ...     print(entry.text, entry.page, entry.rank)
    第一章 圆 None 1
    1.1 弧 2 2
    1.2 弦 5 2
    综合 None 1
    综合(1) 9 2
    """
    listed: list[Line] = []
    for start, end in chain(_stretches(lines), _pages_of_names(lines, turns)):
        for line in lines[start:end]:
            line.zone = Zone.CONTENTS
            line.kind = Kind.HIDDEN if line.kind is Kind.HIDDEN else Kind.TEXT
            line.label = None
        listed += lines[start:end]
    return _entries([line for line in listed if line.kind is Kind.TEXT and line.text])


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The first and the end line of each table of contents, its heading left out."""
    behind = 0
    tried: set[int] = set()
    may_begin = [n for n, line in enumerate(lines) if line.text[-1:].isdecimal() or line.kind is Kind.CONTENTS]
    for index in may_begin:
        line = lines[index]
        headed = line.kind is Kind.CONTENTS
        if index < behind or not (headed or contents_like(line)):
            continue
        start = index + headed
        end = _end(lines, start)
        if headed and end == start and line.block.file not in tried:
            tried.add(line.block.file)  # a book has one
            end = _unpaged_end(lines, start)
        if headed or sum(map(contents_like, lines[start:end])) >= LISTED:
            behind = _to_page_end(lines, end) if end > start else end
            yield start, behind


def _pages_of_names(lines: Sequence[Line], turns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the end line of pages that, below one line at most, only name headings of later pages in order."""
    heads = [(_name(line), _place(line)) for line in lines if line.kind in _TITLES]
    last: dict[str, tuple[int, int]] = {}
    for name, at in heads:
        last[name] = max(at, last.get(name, at))
    for start, end in pairwise(turns if last else ()):
        here = _place(lines[start])
        shown = (index for index in range(start, end) if lines[index].kind is not Kind.HIDDEN)
        names: dict[int, str] = {}
        for index in islice(shown, 1, None):
            name = _name(lines[index])
            if not name or last.get(name, here) <= here:
                break  # of most pages no heading has the words of the first line
            names[index] = name
        else:
            later = (name for name, at in heads if at > here)
            if len(names) > 1 and lines[min(names)].zone is Zone.BODY and all(n in later for n in names.values()):
                yield min(names), max(names) + 1


def _bare(line: Line) -> str:
    """The words of a heading without what it is counted by."""
    return read_title(line.text).name


def _name(line: Line) -> str:
    """The words of a heading without its number."""
    return heading_key(line.text).lstrip("0123456789.")


def _end(lines: Sequence[Line], start: int) -> int:
    """Behind the last entry: headings without a page number belong to it only if an entry follows soon."""
    end = start
    misses = 0
    for index in range(start, len(lines)):
        line = lines[index]
        if line.kind is Kind.HIDDEN or line.kind is Kind.PICTURE:
            continue
        if contents_like(line):
            end, misses = index + 1, 0
        else:
            misses += 1
            if misses > _MISSES or len(line.text) > _LONGEST:
                break
    return end


def _unpaged_end(lines: Sequence[Line], start: int) -> int:
    """The end of a list of contents whose page numbers are not sure, as slides have it: texts that name headings.

    It ends with its page, before an item, and before the first of the headings that it names. Behind what lists nothing
    but names stands neither prose nor what is set as a heading.
    """
    end, text = start, ""
    for line in lines[start:]:
        key = heading_key(line.text)
        heads = line.kind in _TITLES and len(key) >= _SHORTEST and key in text
        other = end > start and (line.block.level is not None or len(line.text) > _LONGEST)
        if _place(line) != _place(lines[start - 1]) or line.label is not None or heads or other:
            break
        end, text = end + 1, text + key
    # "2 The passive" lists "Unit 2 The passive".
    later = {name for line in lines[end:] if line.kind in _TITLES for name in (heading_key(line.text), _bare(line))}
    named = [key for key in later if len(key) >= _SHORTEST and key in text]
    return end if len(named) > 1 else start


def _place(line: Line) -> tuple[int, int]:
    return line.block.file, line.block.page


def _to_page_end(lines: Sequence[Line], end: int) -> int:
    """Further on, if all that is left of the last entry's page are headings: entries that lost their numbers."""
    here = (lines[end - 1].block.file, lines[end - 1].block.page)
    at = end
    while at < len(lines) and (lines[at].block.file, lines[at].block.page) == here:
        if lines[at].kind is not Kind.HIDDEN and lines[at].kind not in HEADINGS:
            return end
        at += 1
    # The next page must be there: what ends with its contents is no book.
    return at if at < len(lines) else end


def _entries(lines: Sequence[Line]) -> list[Entry]:
    read = [(line, *_parted(line.text)) for line in lines]
    paged = sum(page is not None for _, _, page in read)
    ranks = [_rank(text) for _, text, _ in read]
    bare = [rank for rank, (_, _, page) in zip(ranks, read, strict=True) if page is None and rank is not None]
    indents = _indents([(line, rank) for (line, _, _), rank in zip(read, ranks, strict=True)])
    entries: list[Entry] = []
    for (line, text, page), own in zip(read, ranks, strict=True):
        if page is None and paged * 2 > len(read):
            # Among entries with pages, one without heads those that follow, whatever its words are.
            rank = min(bare, default=1)
        else:
            before = entries[-1] if entries else None
            # Where no entry has a page, none of them heads those that follow.
            below = 1 if before is None else before.rank + (paged > 0 and before.page is None)
            told = own if own is not None else _set_in(_indent(line), indents)
            rank = below if told is None else told
        if text:
            entries.append(Entry(text, page, rank))
    return entries


def _parted(text: str) -> tuple[str, int | None]:
    """An entry's words and its page number, if it has one."""
    if not is_contents_line(text):
        return text.strip(), None
    return printed_page(text)


def _rank(text: str) -> int | None:
    rank, title = title_rank(text), read_title(text)
    if title.kind == "exercise":
        return None  # as high as it is set in: that of a section, or below it
    if rank is not None and rank < 4:
        return rank
    # "1 Sets" and "1.2 Maps", which only a list of headings makes headings.
    return min(len(title.numbers), 3) if title.numbers and title.part is None and not title.kind else None


def _indent(line: Line) -> int | None:
    return None if line.block.box is None or line.block.type == "list_item" else round(line.block.box[0] / _INDENT)


def _indents(ranked: Sequence[tuple[Line, int | None]]) -> dict[int, int]:
    """The commonest rank of the entries that are set in alike; those set in further stand lower, whatever they say."""
    counts: dict[int, Counter[int]] = {}
    for line, rank in ranked:
        indent = _indent(line)
        if rank is not None and indent is not None:
            counts.setdefault(indent, Counter())[rank] += 1
    ranks: dict[int, int] = {}
    for indent in sorted(counts):
        above = max((rank for other, rank in ranks.items() if other < indent), default=-1)
        ranks[indent] = max(counts[indent].most_common(1)[0][0], above + 1)
    return ranks


def _set_in(indent: int | None, ranks: Mapping[int, int]) -> int | None:
    """The rank of entries that are set in like this, or of those below the ones that are set in less, if it is told."""
    if indent is None or indent in ranks:
        return None if indent is None else ranks[indent]
    less = [other for other in ranks if other < indent]
    return ranks[max(less)] + 1 if less else None


class Listing:
    """The headings of the contents pages, looked up by their words."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._by_words: dict[str, Entry] = {}
        for entry in entries:
            self._by_words.setdefault(heading_key(entry.text), entry)
        #: Entries of slides, several to a text: "1 Sums 2 Products".
        self._run_together = "" if any(e.page is not None for e in entries) else " ".join(self._by_words)

    def names(self, text: str) -> bool:
        """Whether a text is an entry, and nothing else."""
        return heading_key(text) in self._by_words

    def find(self, text: str) -> Entry | None:
        """The first entry of these words."""
        if not self._by_words:
            return None
        key = heading_key(text)
        return self._by_words.get(key) or (Entry(text, None, 1) if self._is_inside(key) else None)

    def _is_inside(self, key: str) -> bool:
        """Whether words are one of several entries of a text: no other letters touch them, but numbers or nothing."""
        if len(key) < _SHORTEST or key not in self._run_together:
            return False
        before = "" if key[0].isdecimal() else r"(?<![^\W\d_])"
        return re.search(rf"{before}{re.escape(key)}(?![^\W\d_])", self._run_together) is not None


def follow_contents(lines: Sequence[Line], listing: Listing) -> None:
    """Make titles of lines that are listed, whatever their words and look, and of running heads on a listed page.

    A running head stands for a title that is printed nowhere else: one whose words are on no title, on the
    page that the contents give, counted as most of the other titles are.
    """
    if not listing.entries:
        return
    votes: Counter[tuple[int, int]] = Counter()
    seen: set[str] = set()
    for line in lines:
        if line.zone is Zone.CONTENTS:
            continue
        if line.kind is Kind.TEXT and line.label is None and listing.names(line.text):
            line.kind = Kind.ANSWERS if ANSWERS.match(line.text) else Kind.TITLE
        if line.kind not in (Kind.TITLE, Kind.HEADING, Kind.PART):
            continue
        entry = listing.find(line.text)
        if entry is None:
            continue
        line.kind, line.label = Kind.TITLE, None
        seen.add(heading_key(line.text))
        if entry.page is not None:
            votes[line.block.file, line.block.page - entry.page] += 1
    if not votes:
        return
    (file, offset), count = votes.most_common(1)[0]
    if count * 2 <= sum(votes.values()):
        return
    for line in lines:
        entry = listing.find(line.text) if line.kind is Kind.HIDDEN and line.block.file == file else None
        if entry is None or entry.page is None or line.zone is Zone.CONTENTS:
            continue
        key = heading_key(line.text)
        if key not in seen and line.block.page == entry.page + offset:
            line.kind, line.running_head = Kind.TITLE, False
            seen.add(key)
