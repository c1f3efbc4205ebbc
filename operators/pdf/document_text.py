"""A document as a model sees it: a line for each block that is shown, in chunks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from operators.pdf.chunks import Chunk, Marks, count_tokens, plan, smaller
from operators.pdf.mineru_input import line, ticked

_COLUMNS = ("id", "type", "text", "level", "image", "caption")
#: Stands where lines are left out; no line of a block begins so.
_LEFT_OUT = "…"
_LEFT_OUT_TOKENS = 2


class DocumentText:
    """The shown blocks of one document and the chunks that they make; no chunks if none is shown.

    Hidden blocks between a chunk's blocks go with it, so that local models see page furniture.
    """

    def __init__(self, blocks: pa.StructArray, tokenizer: str | None = None) -> None:
        self.blocks = blocks
        self._tokenizer = tokenizer
        flat = dict(zip((f.name for f in blocks.type), blocks.flatten(), strict=True))
        self._places: list[int] = pc.indices_nonzero(flat["shown"]).to_pylist()
        whole = len(self._places) == len(blocks)
        self._columns = [(flat[n] if whole else flat[n].filter(flat["shown"])).to_pylist() for n in _COLUMNS]
        self._lines = list(map(line, *self._columns))
        for place in pc.indices_nonzero(flat["marked"] if whole else flat["marked"].filter(flat["shown"])).to_pylist():
            self._lines[place] = ticked(self._lines[place])
        self._ranks: list[int | None] = []
        headed = flat["path"].is_valid()
        self._headed: list[int] = pc.indices_nonzero(headed if whole else headed.filter(flat["shown"])).to_pylist()

    def chunks(self, max_tokens: int) -> list[Chunk]:
        """Chunks of at most ``max_tokens`` that cover the document."""
        return plan(self._marks(), self._tokens, max_tokens) if self._places else []

    def smaller(self, chunk: Chunk) -> list[Chunk]:
        """The chunk in smaller ones, none if it cannot be made smaller."""
        return smaller(self._marks(), self._tokens, chunk)

    def text(self, chunk: Chunk) -> str:
        """What a model sees: the headings in force, the core, and the look-ahead."""
        return "\n".join([self._lines[h] for h in chunk.headings] + self._lines[chunk.start : chunk.seen])

    def tokens(self, chunk: Chunk) -> int:
        """The tokens of the text."""
        return sum(self._tokens[chunk.start : chunk.seen]) + sum(self._tokens[h] for h in chunk.headings)

    def core(self, chunk: Chunk) -> tuple[int, int]:
        """The first and the last block id of the core, hidden blocks included."""
        last = len(self.blocks) if chunk.end == len(self._places) else self._places[chunk.end]
        return self._start(chunk), last - 1

    def own(self, chunk: Chunk) -> pa.StructArray:
        """The chunk's blocks, headings first."""
        end = len(self.blocks) if chunk.end == len(self._places) else self._places[chunk.seen - 1] + 1
        above = self.blocks.take(pa.array([self._places[h] for h in chunk.headings], pa.int64()))
        return pa.concat_arrays([above, self.blocks.slice(self._start(chunk), end - self._start(chunk))])

    def shown(self, first: int, end: int) -> list[int]:
        """The ids from ``first`` to ``end`` - 1 of blocks that are shown."""
        return self._places[bisect_left(self._places, first) : bisect_left(self._places, end)]

    def is_shown(self, block: int) -> bool:
        """Whether a block is shown."""
        place = self._place(block)
        return place < len(self._places) and self._places[place] == block

    def cost(self, ids: Sequence[int]) -> int:
        """The tokens of these shown blocks' lines, and of the marks where lines are left out between them."""
        places = [self._place(i) for i in ids]
        jumps = sum(b - a > 1 for a, b in pairwise(places))
        return sum(self._tokens[p] for p in places) + _LEFT_OUT_TOKENS * jumps

    def excerpt(self, ids: Sequence[int]) -> str:
        """The lines of these shown blocks, with a mark where lines are left out between them."""
        lines: list[str] = []
        before = None
        for place in map(self._place, ids):
            if before is not None and place > before + 1:
                lines.append(_LEFT_OUT)
            lines.append(self._lines[place])
            before = place
        return "\n".join(lines)

    def above(self, block: int) -> list[int]:
        """The ids of the headings that a block stands under by their wording, outermost first."""
        place = self._place(block)
        return [self._places[p] for p in self._marks().in_force(place)] if place < len(self._places) else []

    def cut(self, low: int, high: int) -> int:
        """The best block to cut before, of the shown ones from ``low`` to ``high``."""
        floor, end = self._place(low), self._place(high)
        return self._places[self._marks().cut(floor, floor, end)]

    def _place(self, block: int) -> int:
        return bisect_left(self._places, block)

    def _start(self, chunk: Chunk) -> int:
        return self._places[chunk.start] if chunk.start else 0

    @cached_property
    def _tokens(self) -> list[int]:
        return [n + 1 for n in count_tokens(self._lines, self._tokenizer)]

    def _marks(self) -> Marks:
        return Marks(self._columns[2], self._columns[1], self._columns[3], self._ranks, self._headed)
