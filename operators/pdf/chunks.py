"""Where a document may be cut: chunks of whole blocks, each with its heading in force and a look-ahead."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol, Self, TypeVar

import pyarrow as pa

from dataflow_ext.codec import decode
from dataflow_ext.columns import arrow_type
from dataflow_ext.errors import OptionError
from dataflow_ext.models import Model, Reply, Request, TruncatedReplyError, ask, complete
from dataflow_ext.packages import install_hint
from operators.pdf.blocks import Block
from operators.pdf.numbering.labels import item_label
from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.reply import check_reply

#: The share of a chunk in which a cut is looked for, counted from its end.
_WINDOW = 0.4
#: The share of a chunk that the look-ahead may take.
_LOOK_AHEAD = 0.2
#: The share of a chunk that the headings in force may take.
_HEADINGS = 0.25
#: The share of a chunk that is filled in any case, even if an item is cut for it.
_FLOOR = 0.25


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


def plan(marks: Marks, tokens: Sequence[int], max_tokens: int) -> list[Chunk]:
    """Chunks of at most ``max_tokens`` that cover all blocks; cuts fall on headings and on items' starts.

    One block larger than a chunk is a chunk of its own. ``tokens`` is each block's cost as a line.
    """
    total = len(tokens)
    sums = list(accumulate(tokens, initial=0))
    reserve = int(max_tokens * _LOOK_AHEAD)
    chunks: list[Chunk] = []
    start = 0
    while start < total:
        headings = _fitting(marks.in_force(start), tokens, max_tokens * _HEADINGS)
        budget = max_tokens - sum(tokens[h] for h in headings)
        if sums[total] - sums[start] <= budget or start == total - 1:
            chunks.append(Chunk(headings, start, total, total))
            break
        room = budget - reserve
        end = max(start + 1, bisect_right(sums, sums[start] + room) - 1)
        floor = max(start + 1, bisect_right(sums, sums[start] + room * _FLOOR))
        opening = max(start + 1, bisect_right(sums, sums[start] + room * (1 - _WINDOW)))
        end = marks.cut(floor, opening, end)
        left = max(0, budget - (sums[end] - sums[start]))
        chunks.append(Chunk(headings, start, end, _seen(marks, sums, end, min(reserve, left))))
        start = end
    return chunks


def smaller(marks: Marks, tokens: Sequence[int], chunk: Chunk) -> list[Chunk]:
    """A chunk's core in two, cut near its middle, best before an item or a heading.

    A core of a single block goes without its look-ahead; if it has none, there is nothing smaller. ``marks``
    must be new, as its headings are asked for from the document's start.
    """
    if chunk.end - chunk.start < 2:
        return [Chunk(chunk.headings, chunk.start, chunk.end, chunk.end)] if chunk.seen > chunk.end else []
    sums = list(accumulate(tokens[chunk.start : chunk.end], initial=0))
    middle = min(max(1, bisect_right(sums, sums[-1] / 2)), chunk.end - chunk.start - 1)
    middle = marks.cut(chunk.start + max(1, middle // 2), chunk.start + max(1, middle // 2), chunk.start + middle)
    headings = _fitting(marks.in_force(middle), tokens, sum(tokens[chunk.start : chunk.seen]) * _HEADINGS)
    ahead = min(next((p for p in range(middle + 1, chunk.end) if marks.starts(p)), chunk.end), chunk.seen - 1)
    return [Chunk(chunk.headings, chunk.start, middle, ahead), Chunk(headings, middle, chunk.end, chunk.seen)]


def _fitting(headings: Sequence[int], tokens: Sequence[int], share: float) -> tuple[int, ...]:
    """The headings that their share has room for, the innermost first; a parser may take a page for one."""
    kept: list[int] = []
    for place in reversed(headings):
        if tokens[place] <= share:
            share -= tokens[place]
            kept.append(place)
    return tuple(reversed(kept))


class Marks:
    """Where items and headings start, found out where a cut needs to know it.

    ``headed`` are the places of headings in the book's tree; ``ranks`` are those of the first blocks, as far as they
    were found out before, which this one adds to.
    """

    def __init__(
        self,
        texts: Sequence[str],
        kinds: Sequence[str],
        levels: Sequence[int | None],
        ranks: list[int | None] | None = None,
        headed: Sequence[int] = (),
    ) -> None:
        self._texts, self._kinds, self._levels, self._headed = texts, kinds, levels, headed
        self._ranks = [] if ranks is None else ranks
        self._above: list[tuple[int, int]] = []
        self._passed = 0

    def rank(self, place: int) -> int | None:
        """A heading's rank, 0 the highest; None for other blocks."""
        if place >= len(self._ranks):
            self._read_on(slice(len(self._ranks), place + 1))
        return self._ranks[place]

    def _read_on(self, some: slice) -> None:
        """Rank these blocks: headings are set as such, or lines of their own that are no paragraphs."""
        for text, kind, level in zip(self._texts[some], self._kinds[some], self._levels[some], strict=True):
            rank = title_rank(text) if level is not None or (kind == "text" and len(text) <= 60) else None
            self._ranks.append(level + 1 if rank is None and level is not None else rank)

    def starts(self, place: int) -> bool:
        """Whether an item or a heading starts here."""
        return self.rank(place) is not None or item_label(self._texts[place]) is not None

    def in_force(self, start: int) -> tuple[int, ...]:
        """Places of the headings that a block at ``start`` stands under, outermost first.

        To be asked for growing places: what lies before the last one is not looked at again.
        """
        own = self.rank(start)
        for place, rank in enumerate(self._ranks[self._passed : start], self._passed):
            if rank is not None:
                while self._above and self._above[-1][0] >= rank:
                    self._above.pop()
                self._above.append((rank, place))
        self._passed = start
        over = {place for rank, place in self._above if own is None or rank < own}
        last = bisect_right(self._headed, start) - 1
        if last >= 0 and self._headed[last] < start:
            over.add(self._headed[last])  # the innermost tells where it stands
        return tuple(sorted(over))[-3:]

    def cut(self, floor: int, opening: int, end: int) -> int:
        """The best cut up to ``end``: before the last heading from ``opening`` on, else before the last
        item from ``floor`` on."""
        for place in range(end, opening - 1, -1):
            if self.rank(place) is not None and self.rank(place - 1) is None:
                return place
        return next((p for p in range(end, floor - 1, -1) if self.starts(p)), end)


def _seen(marks: Marks, sums: Sequence[int], end: int, reserve: int) -> int:
    """Where the look-ahead ends: past one whole item after the cut, or where its share is used up."""
    wanted = 1 if marks.starts(end) else 2
    last = bisect_right(sums, sums[end] + reserve) - 1
    for place in range(end + 1, last):
        if marks.starts(place):
            wanted -= 1
            if not wanted:
                return place
    return last


def count_tokens(texts: Sequence[str], tokenizer: str | None = None) -> list[int]:
    """Tokens of each text: UTF-8 bytes / 4, or exactly, with an encoding that ``toktok-rs`` carries.

    >>> count_tokens(["已知函数"])
    [4]
    """
    if tokenizer is None:
        return [(len(t) if t.isascii() else len(t.encode("utf-8", "surrogatepass"))) // 4 + 1 for t in texts]
    try:
        import toktok
    except ImportError:
        raise OptionError(f"Exact token counts need a tokenizer: {install_hint('tokenizer')}.") from None
    try:
        return list(toktok.batch_count(texts, tokenizer))
    except KeyError:
        raise OptionError(f"Unknown tokenizer '{tokenizer}'; known: o200k_base, cl100k_base.") from None


#: Tokens of a reply for each token of a part, as measured on books full of exercises.
_REPLY_SHARE = 0.9
#: How often the token limit of a reply is doubled for a part that cannot be made smaller.
_RAISES = 2


class Part(Protocol):
    """What is asked for at once."""

    @property
    def divisible(self) -> bool:
        """Whether it can be asked for in less at once."""

    @property
    def tokens(self) -> int:
        """The tokens of what the model sees of it."""

    def words(self) -> str:
        """What the model sees of it."""

    def own(self) -> pa.StructArray:
        """The blocks that its reply may name."""

    def smaller(self) -> list[Self]:
        """The part in smaller ones, none if it cannot be made smaller."""


P = TypeVar("P", bound=Part)


def own_column(own: Sequence[pa.StructArray]) -> pa.ListArray:
    """The blocks of each part as a column."""
    sizes = pa.array(accumulate(map(len, own), initial=0), pa.int32())
    return pa.ListArray.from_arrays(sizes, pa.concat_arrays(own) if own else pa.array([], arrow_type(Block)))


async def in_parts(part: P, model: Model, system: str, *, pairs: bool = True) -> list[tuple[P, Reply | Exception]]:
    """The part with its reply or error, or, if the model had no room for the reply, smaller parts with theirs.

    With ``pairs`` a reply that holds nothing of the contract is asked for once more.
    """
    try:
        return [(part, await _reply(part, model, system, pairs))]
    except TruncatedReplyError as error:
        if not part.divisible:
            return [(part, error)]
    except Exception as error:
        return [(part, error)]
    # Together: by the Batch API one after the other might take days.
    answers = await asyncio.gather(*(in_parts(p, model, system, pairs=pairs) for p in part.smaller()))
    return [answer for smaller in answers for answer in smaller]


async def _reply(part: Part, model: Model, system: str, pairs: bool) -> Reply:
    local = getattr(model, "local", False)
    request = Request(
        prompt=part.words(),
        system=system,
        context=decode(part.own(), Block) if local else None,
        expect=int(part.tokens * _REPLY_SHARE),
    )
    if local:
        return await complete(model, request)

    def read(text: str) -> str:
        if pairs:
            check_reply(text)
        return text

    return (await ask(model, request, read, max_raises=0 if part.divisible else _RAISES)).reply
