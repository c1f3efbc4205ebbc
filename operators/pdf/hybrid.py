"""HybridGenerator: rules read the whole document, a model only the stretches that the rules are unsure of."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import arrow_type
from dataflow_ext.models import Model, Reply
from dataflow_ext.rows import rows_in_flight
from operators.pdf.asking import in_parts
from operators.pdf.blocks import Block
from operators.pdf.chunks import count_tokens
from operators.pdf.document_text import DocumentText
from operators.pdf.doubts import Book, judge
from operators.pdf.doubts.reconcile import Placed, Segment, chapters_of, headings_told, place, reconcile
from operators.pdf.doubts.stretches import Core, halves, pack, unsure, visible
from operators.pdf.reply import ReplyChapter, render
from operators.pdf.reply_reader import read_reply
from operators.pdf.rules import read_book
from prompts import QAExtractPrompt

#: What rows say that hold what the rules found.
RULES = "rules"


@dataclass(slots=True)
class Doubt:
    """What speaks against the rules' reading of the items at a block; ``confidence`` goes from 0 to 1."""

    label: str
    at: int
    confidence: float
    reasons: list[str] = field(default_factory=list)


class HybridGenerator(Operator):
    """A row for each stretch of a document with its pairs: the rules' where they are sure, else a model's.

    Stands where ``ChunkedPromptedGenerator`` stands, with the same columns and options. The rules read the
    whole document and judge each item by the book itself; items whose confidence is below ``sure_from`` go
    to the model, with the headings in force and the openings of their neighbours. Several stretches travel
    in one request of up to ``max_chunk_tokens``. Headings that the model tells let the rules read the rest
    anew. A stretch that gets no reply, or one that names blocks that were not shown, keeps the rules' pairs and
    is a reject beside them.

    Besides the columns of the generator it writes what both sides said: ``rules_reply`` and ``model_reply``
    (empty where nothing else than ``reply`` was said), ``doubts``, ``tokens`` of the stretch, and ``sent``,
    the tokens of the request that began with it. ``extracted_by`` is ``rules``, the model's name, or
    ``rules+`` that name where both say the same or the rules only followed the model's headings.
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Any] = {"blocks": list[Block]}
    outputs: ClassVar[Any] = {
        "chunk": int,
        "core": tuple[int, int],
        "blocks": list[Block],
        "reply": str,
        "extracted_by": str,
        "rules_reply": str,
        "model_reply": str,
        "doubts": list[Doubt],
        "tokens": int,
        "sent": int,
    }

    model: Model
    prompt: Prompt = QAExtractPrompt()
    max_chunk_tokens: int = Field(default=8_000, ge=200)
    tokenizer: str | None = None
    sure_from: float = Field(default=0.7, ge=0, le=1)

    def batch(self, table: pa.Table) -> Made:
        """Read all documents by rules, ask for all doubtful stretches at once, and join both answers."""
        documents = [_Document(row, blocks.values, self) for row, blocks in enumerate(table["blocks"])]
        todo = [part for document in documents for part in document.parts(self.max_chunk_tokens)]
        progress.expect(len(todo))
        for answers in run_async(map_async(self._answers, todo, rows_in_flight(self))):
            if isinstance(answers, Exception):
                raise answers  # no part's own, so one of the code
            for part, reply in answers:
                part.document.take(part, reply)
        prompt = count_tokens([self.prompt.text], self.tokenizer)[0] if todo else 0
        rows = [row for document in documents for row in document.rows(prompt, self.model.name)]
        return self._columns(rows, [failure for document in documents for failure in document.failures])

    async def _answers(self, part: _Part) -> list[tuple[_Part, Reply | Exception]]:
        answers = await in_parts(part, self.model, self.prompt.text)
        progress.advance()
        return answers

    def _columns(self, rows: Sequence[_Row], failures: list[Failure]) -> Made:
        own = [row.document.own(row) for row in rows]
        sizes = list(accumulate(map(len, own), initial=0))
        values = pa.concat_arrays(own) if own else pa.array([], arrow_type(Block))
        columns: dict[str, Any] = {
            name: encode([getattr(row, name) for row in rows], self.outputs[name])
            for name in self.outputs
            if name != "blocks"
        }
        columns["blocks"] = pa.ListArray.from_arrays(pa.array(sizes, pa.int32()), values)
        return Made({name: columns[name] for name in self.outputs}, [row.document.row for row in rows], failures)


@dataclass(frozen=True, slots=True)
class _Part:
    """Stretches of one document that are asked for together."""

    document: _Document
    cores: tuple[Core, ...]

    @property
    def divisible(self) -> bool:
        """Whether it can be asked for in less at once."""
        return bool(halves(self.cores, self.document.text))

    @property
    def tokens(self) -> int:
        """The tokens of what the model sees."""
        return self.document.text.cost(self.ids())

    def words(self) -> str:
        """The lines of what the model sees, with a mark where lines are left out."""
        return self.document.text.excerpt(self.ids())

    def own(self) -> pa.StructArray:
        """The blocks that the model sees."""
        return self.document.text.blocks.take(pa.array(self.ids(), pa.int64()))

    def ids(self) -> list[int]:
        """The ids of these blocks, in order."""
        return visible(self.cores, self.document.text)

    def smaller(self) -> list[_Part]:
        """Its stretches in two lots."""
        return [_Part(self.document, tuple(cores)) for cores in halves(self.cores, self.document.text)]


@dataclass(slots=True)
class _Row:
    """One row of the output, blocks excepted."""

    document: _Document
    chunk: int
    core: tuple[int, int]
    reply: str
    extracted_by: str
    named: set[int]
    rules_reply: str = ""
    model_reply: str = ""
    doubts: list[Doubt] = field(default_factory=list)
    tokens: int = 0
    sent: int = 0


class _Document:
    """One document while it is read by the rules, asked about, and put together."""

    def __init__(self, row: int, blocks: pa.StructArray, options: HybridGenerator) -> None:
        self.row = row
        self.text = DocumentText(blocks, options.tokenizer)
        self.failures: list[Failure] = []
        self._sure_from = options.sure_from
        self._blocks = decode(blocks, Block)
        self._book, self._told = judge(self._blocks, options.sure_from)
        self._first = place(self._book.reading.reply())
        self._said: dict[Core, list[Placed]] = {}
        self._failed: list[Core] = []
        self._asked: list[_Part] = []
        self._names: dict[Core, str] = {}

    def parts(self, max_tokens: int) -> Iterator[_Part]:
        """The requests about this document."""
        cores = unsure(self._book, self.text, self._sure_from, max_tokens)
        cores = [core for core in cores if self.text.shown(core.first, core.end)]
        yield from (_Part(self, tuple(some)) for some in pack(cores, self.text, max_tokens))

    def take(self, part: _Part, reply: Reply | Exception) -> None:
        """Note what came of a request: the pairs of its stretches, or why there are none."""
        self._asked.append(part)
        try:
            if isinstance(reply, Exception):
                raise reply
            chapters = read_reply(reply.text, frozenset(part.ids()))
        except Exception as error:
            self._failed += part.cores
            self.failures.append(self._failure(part, Failure.of(self.row, error)))
            return
        pairs = place(chapters)
        for core in part.cores:
            mine = [p for p in pairs if core.first <= p.at < core.end]
            odd = next((note for p in mine for note in p.pair.notes if "exist" in note), None)
            if odd is not None:
                self._failed.append(core)
                why = f"the reply contradicts what was shown ({odd})"
                failure = Failure(self.row, why, "Contradiction", kind="dropped", reply=reply.text)
                self.failures.append(self._failure(_Part(self, (core,)), failure))
                continue
            self._said[core] = mine
            self._names[core] = reply.model

    def _failure(self, part: _Part, failure: Failure) -> Failure:
        where = ", ".join(f"{core.first} to {core.end - 1}" for core in part.cores)
        failure.message = f"blocks {where}, of which the rules' reading is kept: {failure.message}"
        what: dict[str, object] = {"cores": [(c.first, c.end - 1) for c in part.cores], "text": part.words()}
        if failure.reply is not None:
            what["reply"] = failure.reply
        failure.inputs = json.dumps(what, ensure_ascii=False)
        return failure

    def rows(self, prompt_tokens: int, model: str) -> list[_Row]:
        """The rows of this document; none if it shows nothing."""
        size = len(self._blocks)
        if not self.text.shown(0, size):
            return []
        said = [placed for pairs in self._said.values() for placed in pairs]
        told = headings_told(said, self._first, [block.text for block in self._blocks])
        rules = place(read_book(self._blocks, {**self._told, **told}).reply()) if told else self._first
        segments = reconcile(size, self._first, rules, self._said, self._failed)
        sent = {min(c.first for c in p.cores): prompt_tokens + p.tokens for p in self._asked}
        names = {core.first: name for core, name in self._names.items()}
        made: list[_Row] = []
        for segment in segments:
            for row in self._of_segment(segment, names.get(segment.first) or model):
                row.chunk = len(made)
                made.append(row)
            if made and made[-1].core[0] == segment.first:
                self._record(next(r for r in made if r.core[0] == segment.first), segment, sent.get(segment.first, 0))
        return made or [self._row(Segment(0, size), [], RULES)]

    def _of_segment(self, segment: Segment, model: str) -> Iterable[_Row]:
        """Rows of neighbouring pairs with one origin; pairs that share a block stay together."""
        if not segment.pairs:
            # Left out if nobody was asked: a stretch without items is no news.
            return [self._row(segment, [], model if segment.settled else RULES)] if segment.asked else []
        names = [_origin(placed, model) for placed in segment.pairs]
        owner: dict[int, int] = {}
        for n, placed in enumerate(segment.pairs):
            for block in (placed.at, *placed.pair.question, *placed.pair.solution):
                earlier = owner.setdefault(block, n)
                names[earlier : n + 1] = [names[n]] * (n + 1 - earlier) if earlier < n else [names[n]]
        numbered = groupby(zip(names, segment.pairs, strict=True), key=lambda both: both[0])
        return [self._row(segment, [placed for _, placed in some], name) for name, some in numbered]

    def _row(self, segment: Segment, pairs: Sequence[Placed], name: str) -> _Row:
        chapters = chapters_of(pairs)
        return _Row(self, 0, (segment.first, segment.end - 1), render(chapters), name, _named(chapters))

    def _record(self, row: _Row, segment: Segment, sent: int) -> None:
        row.sent = sent
        row.tokens = self.text.cost(self.text.shown(segment.first, segment.end))
        changed = segment.asked or any(p.by_model for p in segment.pairs)
        row.rules_reply = render(chapters_of(segment.rules)) if changed else ""
        row.model_reply = render(chapters_of(segment.model)) if segment.settled else ""
        row.doubts = _doubts(self._book, segment)

    def own(self, row: _Row) -> pa.StructArray:
        """The blocks of a row: those of its stretch, and others that its pairs name."""
        ids = sorted({*range(row.core[0], row.core[1] + 1), *row.named})
        return self.text.blocks.take(pa.array(ids, pa.int64()))


def _origin(placed: Placed, model: str) -> str:
    if not placed.by_model:
        return RULES
    return f"{RULES}+{model}" if placed.by_rules else model


def _named(chapters: Sequence[ReplyChapter]) -> set[int]:
    named = {i for chapter in chapters for i in chapter.title}
    for pair in (pair for chapter in chapters for pair in chapter.pairs):
        named.update((*pair.question, *pair.solution))
    return named


def _doubts(book: Book, segment: Segment) -> list[Doubt]:
    doubts = []
    for unit in book.units[book.place(segment.first) : book.place(segment.end - 1) + 1]:
        if unit.reasons:
            labels = ", ".join(book.items[n].label.label for n in unit.items)
            reasons = sorted(unit.reasons, key=lambda reason: -unit.reasons[reason])
            doubts.append(Doubt(labels, unit.first, round(unit.confidence, 3), reasons))
    return doubts


def hybrid_summary(result):
    return ""
