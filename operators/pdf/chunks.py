"""Where a document may be cut: chunks of whole blocks, each with its heading in force and a look-ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dataflow_ext.errors import OptionError
from operators.pdf.blocks import Block
from operators.pdf.labels import item_label
from operators.pdf.titles import title_rank

#: The share of a chunk in which a cut is looked for, counted from its end.
_WINDOW = 0.4
#: The share of a chunk that the look-ahead may take.
_LOOK_AHEAD = 0.2


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document's shown blocks, by place: the core, what follows it, the headings before it.

    An item belongs to the chunk whose core holds its first block; the look-ahead is there so that the
    last item of the core is seen whole.
    """

    headings: tuple[int, ...]
    start: int
    end: int
    seen: int


def plan(blocks: Sequence[Block], tokens: Sequence[int], max_tokens: int) -> list[Chunk]:
    """Chunks of at most ``max_tokens`` that cover the blocks; cuts fall on headings and on items' starts.

    One block larger than a chunk is a chunk of its own. ``tokens`` is each block's cost as a line.
    """
    starts, ranks = _marks(blocks)
    reserve = int(max_tokens * _LOOK_AHEAD)
    chunks: list[Chunk] = []
    start = 0
    while start < len(blocks):
        headings = _in_force(ranks, start)
        budget = max_tokens - sum(tokens[h] for h in headings)
        end, used, opening = start, 0, start
        while end < len(blocks) and (used + tokens[end] <= budget or end == start):
            used += tokens[end]
            end += 1
            if used <= (budget - reserve) * (1 - _WINDOW):
                opening = end
        if end == len(blocks):
            chunks.append(Chunk(headings, start, end, end))
            break
        while end > start + 1 and used > budget - reserve:
            end -= 1
            used -= tokens[end]
        end = _cut(starts, ranks, max(opening, start + 1), end)
        seen = _seen(starts, tokens, end, len(blocks), reserve)
        chunks.append(Chunk(headings, start, end, seen))
        start = end
    return chunks


def _marks(blocks: Sequence[Block]) -> tuple[list[bool], list[int | None]]:
    """For each block whether an item or heading starts there, and its rank if it is a heading."""
    starts, ranks = [], []
    for block in blocks:
        rank = None
        if block.level is not None or (block.type == "text" and len(block.text) <= 60):
            rank = title_rank(block.text)
            if rank is None and block.level is not None:
                rank = block.level + 1
        ranks.append(rank)
        starts.append(rank is not None or item_label(block.text) is not None)
    return starts, ranks


def _in_force(ranks: Sequence[int | None], start: int) -> tuple[int, ...]:
    """Places of the headings that a block at ``start`` stands under, outermost first."""
    if start < len(ranks) and ranks[start] is not None:
        limit = ranks[start]
    else:
        limit = None
    found: list[int] = []
    lowest: int | None = limit
    for place in range(start - 1, -1, -1):
        rank = ranks[place]
        if rank is None or (lowest is not None and rank >= lowest):
            continue
        found.append(place)
        lowest = rank
        if rank <= 1 or len(found) == 3:
            break
    return tuple(reversed(found))


def _cut(starts: Sequence[bool], ranks: Sequence[int | None], opening: int, end: int) -> int:
    """The best place to cut at or before ``end``: the last heading in the window, else the last item's start."""
    for place in range(end, opening - 1, -1):
        if ranks[place] is not None and ranks[place - 1] is None:
            return place
    return next((p for p in range(end, opening - 1, -1) if starts[p]), end)


def _seen(starts: Sequence[bool], tokens: Sequence[int], end: int, total: int, reserve: int) -> int:
    """Where the look-ahead ends: past one whole item after the cut, or where its share is used up."""
    passed, used, place = 0, 0, end
    while place < total and used + tokens[place] <= reserve:
        if starts[place] and place > end:
            passed += 1
            if passed == (1 if starts[end] else 2):
                break
        used += tokens[place]
        place += 1
    return place


def count_tokens(texts: Sequence[str], tokenizer: str | None = None) -> list[int]:
    """Tokens of each text: UTF-8 bytes / 4, or exactly, with an encoding that ``toktok-rs`` carries.

    >>> count_tokens(["已知函数"])
    [4]
    """
    if tokenizer is None:
        return [len(text.encode("utf-8", "surrogatepass")) // 4 + 1 for text in texts]
    try:
        import toktok
    except ImportError:
        raise OptionError("Exact token counts need a tokenizer: pip install 'dataflow-ext[tokenizer]'.") from None
    try:
        return list(toktok.batch_count(texts, tokenizer))
    except KeyError:
        raise OptionError(f"Unknown tokenizer '{tokenizer}'; known: o200k_base, cl100k_base.") from None
