"""Sections of a document: each occurrence of a heading with the entries that stand under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from operators.pdf.merging.entries import Entry, counted
from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.numbering.titles import Title, read_title


@dataclass(slots=True)
class Section:
    """One occurrence of a heading and what stands under it; ``start`` is its first block, -1 for none."""

    file: int
    start: int
    title: Title
    text: str
    path: tuple[str, ...] = ()
    entries: list[Entry] = field(default_factory=list)


def place(kept: Sequence[Entry], said: Iterable[Entry], headings: Mapping[int, str] | None = None) -> list[Section]:
    """The sections of a document in order, each with its entries.

    A heading that any chunk named holds from its block on to the next heading of its file. Where most
    entries of such a span name an earlier heading, the later one is none. Items that name an earlier heading
    and count on from its last one are its own: a heading may be read before the column that it stands beside.
    A heading that follows its first items, as on a page that it heads, holds for them too.
    """
    texts = _titles(said, headings)
    spans = sorted(texts.keys() | {(f, -1) for f in {e.file for e in kept}})
    index = {span: i for i, span in enumerate(spans)}
    homes: list[int] = []
    given: list[int | None] = []
    ends = [*spans[1:], (1 << 62, 0)]
    home = 0
    for entry in kept:
        here = (entry.file, entry.position)
        while ends[home] <= here:
            home += 1
        homes.append(home)
        # A title may come of a folded copy in another file, where its heading stands.
        given.append(index.get((entry.file, entry.chapter)) if entry.title else None)
    _count_on(kept, homes, given)
    target = _vote(homes, given, spans)
    sections: dict[int, Section] = {}
    for entry, home in zip(kept, _ahead(homes, given, spans), strict=True):
        at = target.get(home, home)
        section = sections.get(at)
        if section is None:
            text, path = texts.get(spans[at], ("", ()))
            section = sections[at] = Section(*spans[at], read_title(text), text, path)
        section.entries.append(entry)
    return [sections[at] for at in sorted(sections)]


def _titles(
    said: Iterable[Entry], headings: Mapping[int, str] | None
) -> dict[tuple[int, int], tuple[str, tuple[str, ...]]]:
    """The headings that any chunk named, by file and block, with their paths; of several readings the last in order."""
    texts: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}
    for entry in said:
        if entry.title:
            key = (entry.file, entry.chapter)
            text = entry.title_text if headings is None else _title_text(entry, headings)
            if key not in texts or (text, entry.path) > texts[key]:
                texts[key] = text, entry.path
    return texts


def _title_text(entry: Entry, headings: Mapping[int, str]) -> str:
    if len(entry.title) < 2:
        return entry.title_text or headings.get(entry.title[0], "")
    # A chapter's and a lesson's heading one after the other: the lesson's tells the section.
    lines = [headings.get(i, "") for i in entry.title]
    ranks = [(rank, line) for line in lines if (rank := title_rank(line)) is not None]
    if len(ranks) < 2 or len({rank for rank, _ in ranks}) < 2:
        return entry.title_text or " ".join(lines)
    return max(ranks, key=lambda pair: pair[0])[1]


def _count_on(kept: Sequence[Entry], homes: list[int], given: Sequence[int | None]) -> None:
    """Leave to an earlier heading the entries that name it and whose numbers go on from its last one."""
    last: dict[int, tuple[str, int]] = {}
    for n, entry in enumerate(kept):
        _, word, number = counted(entry.label)
        said = given[n]
        if said is not None and said < homes[n] and last.get(said) == (word, number - 1):
            homes[n] = said
        last[homes[n]] = word, number


def _vote(homes: Sequence[int], given: Sequence[int | None], spans: Sequence[tuple[int, int]]) -> dict[int, int]:
    """For each span that is none, the earlier span to which most of its entries say they belong."""
    votes: dict[int, Counter[int]] = {}
    for home, said in zip(homes, given, strict=True):
        if said is not None and said != home:
            votes.setdefault(home, Counter())[said] += 1
    if not votes:
        return {}
    own = Counter(home for home, said in zip(homes, given, strict=True) if said == home)
    size = Counter(homes)
    target: dict[int, int] = {}
    for home, counts in sorted(votes.items()):
        said, count = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
        if said < home and count > own[home] and count * 2 >= size[home] and spans[said][0] == spans[home][0]:
            target[home] = target.get(said, said)
    return target


def _ahead(homes: Sequence[int], given: Sequence[int | None], spans: Sequence[tuple[int, int]]) -> list[int]:
    """The spans of the entries, with those that name the very next heading moved under it."""
    moved = list(homes)
    for i in range(len(moved) - 1, -1, -1):
        following = moved[i] + 1
        if given[i] != following or spans[following][0] != spans[homes[i]][0]:
            continue
        if i + 1 < len(moved) and moved[i + 1] == homes[i]:
            continue
        moved[i] = following
    return moved
