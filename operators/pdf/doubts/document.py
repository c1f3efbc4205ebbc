"""One document on its way: read by the rules, asked about in part, and put together again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import pyarrow as pa

from dataflow_ext import Failure
from dataflow_ext.codec import decode
from dataflow_ext.models import Reply
from operators.pdf.blocks import Block
from operators.pdf.document_text import DocumentText
from operators.pdf.doubts.judge import judge
from operators.pdf.doubts.reconcile import (
    RULES,
    Placed,
    Segment,
    chapters_of,
    differs,
    headings_told,
    is_misread,
    is_same,
    place,
    probes,
    reconcile,
)
from operators.pdf.doubts.stretches import SURE, Book, Core, halves, pack, stretches, visible
from operators.pdf.reply import ReplyChapter, read_reply, render


@dataclass(slots=True)
class Doubt:
    """What speaks against the rules' reading of the items at a block; ``confidence`` goes from 0 to 1."""

    label: str
    at: int
    confidence: float
    reasons: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Part:
    """Stretches of one document that are asked for together."""

    document: Document
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

    def smaller(self) -> list[Part]:
        """Its stretches in two lots."""
        return [Part(self.document, tuple(cores)) for cores in halves(self.cores, self.document.text)]


@dataclass(slots=True)
class Row:
    """One row of the output, blocks excepted."""

    document: Document
    chunk: int
    core: tuple[int, int]
    reply: str
    extracted_by: str
    named: set[int]
    stretch: str = "sure"
    rules_reply: str = ""
    model_reply: str = ""
    stretch_doubts: list[Doubt] = field(default_factory=list)
    tokens: int = 0
    sent: int = 0


class Document:
    """One document while it is read by the rules, asked about, and put together."""

    def __init__(self, row: int, text: DocumentText, sure_from: float) -> None:
        self.row, self.text = row, text
        self.failures: list[Failure] = []
        self._sure_from = sure_from
        self._blocks = decode(text.blocks, Block)
        self._book = judge(self._blocks)
        self._first = place(self._book.reply(sure_from))
        self._said: dict[Core, list[Placed]] = {}
        self._failed: list[Core] = []
        self._asked: list[Part] = []
        self._names: dict[Core, str] = {}
        self._wanted: set[int] = set()
        self._probes: list[int] = []
        self._misread = False

    def parts(self, max_tokens: int, most_probes: int = 0) -> Iterator[Part]:
        """The requests about this document: what the rules are unsure of, and up to so many probes of the rest."""
        units = self._book.units
        nothing = not any(unit.items for unit in units)  # is no reading to be sure of
        self._wanted = {place for place, unit in enumerate(units) if nothing or unit.confidence < self._sure_from}
        sure = [place for place in range(len(units)) if place not in self._wanted]
        self._probes = probes(self._book, sure, most_probes)
        doubtful = stretches(self._book, self.text, self._wanted, max_tokens)
        probed = [core for place in self._probes for core in stretches(self._book, self.text, {place}, max_tokens)]
        cores = sorted([*doubtful, *probed], key=lambda core: core.first)
        yield from (Part(self, tuple(some)) for some in pack(cores, self.text, max_tokens))

    def rest(self, max_tokens: int) -> Iterator[Part]:
        """The requests about all that was not asked for, if the probes tell that the rules misread the document."""
        said = [placed for pairs in self._said.values() for placed in pairs]
        failed = {core.first for core in self._failed}
        probed = [self._book.units[place] for place in self._probes]
        told = [unit for unit in probed if failed.isdisjoint(range(unit.first, unit.end))]
        found = any(unit.first <= placed.at < unit.end for unit in told for placed in said)
        different = sum(differs(unit, self._first, said) for unit in told)
        if not found or not is_misread(different, len(told)):
            return  # a model that finds nothing anywhere proves nothing
        self._misread = True
        left = set(range(len(self._book.units))) - self._wanted - set(self._probes)
        for at in left:
            why = f"its book was probably misread: a model read {different} of {len(told)} probes otherwise"
            self._book.units[at].doubt(why, SURE)
        cores = stretches(self._book, self.text, left, max_tokens)
        yield from (Part(self, tuple(some)) for some in pack(cores, self.text, max_tokens))

    def take(self, part: Part, reply: Reply | Exception) -> None:
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
        named = [pair for chapter in chapters for pair in chapter.pairs]
        if named and not any(pair.question or pair.solution or pair.answer for pair in named):
            self._failed += part.cores
            why = "the reply contradicts what was shown (it names no block that was)"
            failure = Failure(self.row, why, "Contradiction", kind="dropped", reply=reply.text)
            self.failures.append(self._failure(part, failure))
            return
        for core in part.cores:
            mine = [p for p in pairs if core.first <= p.at < core.end]
            odd = next((note for p in mine for note in p.pair.notes if "exist" in note), None)
            if odd is not None:
                self._failed.append(core)
                why = f"the reply contradicts what was shown ({odd})"
                failure = Failure(self.row, why, "Contradiction", kind="dropped", reply=reply.text)
                self.failures.append(self._failure(Part(self, (core,)), failure))
                continue
            self._said[core] = mine
            self._names[core] = reply.model

    def _heard(self) -> dict[Core, list[Placed]]:
        """What the model said; a probe in which it reads as the rules do has their pairs, titles and all."""
        said = [placed for pairs in self._said.values() for placed in pairs]
        probed = [self._book.units[place] for place in self._probes if not self._misread]
        sure = [(unit.first, unit.end) for unit in probed if not differs(unit, self._first, said)]
        heard = dict(self._said)
        for core in self._said:
            if any(first <= core.first and core.end <= end for first, end in sure):
                heard[core] = [placed for placed in self._first if core.first <= placed.at < core.end]
        return heard

    def _failure(self, part: Part, failure: Failure) -> Failure:
        where = ", ".join(f"{core.first} to {core.end - 1}" for core in part.cores)
        failure.message = f"blocks {where}, of which the rules' reading is kept: {failure.message}"
        what: dict[str, object] = {"cores": [(c.first, c.end - 1) for c in part.cores], "text": part.words()}
        if failure.reply is not None:
            what["reply"] = failure.reply
        failure.inputs = json.dumps(what, ensure_ascii=False)
        return failure

    def rows(self, prompt_tokens: int, model: str) -> list[Row]:
        """The rows of this document; none if it shows nothing."""
        size = len(self._blocks)
        if not self.text.shown(0, size):
            return []
        heard = self._heard()
        said = [placed for pairs in heard.values() for placed in pairs]
        told = headings_told(said, self._first, [block.text for block in self._blocks])
        rules = self._first
        unsure = self._book.unsure_titles
        if told:
            book = judge(self._blocks, told)
            rules, unsure = place(book.reply(self._sure_from)), book.unsure_titles
        segments = reconcile(size, self._first, rules, heard, self._failed, unsure)
        sent = {min(c.first for c in p.cores): prompt_tokens + p.tokens for p in self._asked}
        names = {core.first: name for core, name in self._names.items()}
        made: list[Row] = []
        passed = 0
        for segment in segments:
            some = self._of_segment(segment, names.get(segment.first) or model)
            passed += self.text.cost(self.text.shown(segment.first, segment.end))
            if some:
                self._record(some[0], segment, sent.get(segment.first, 0))
                some[0].tokens, passed = passed, 0
                made += some
        made = made or [self._row(Segment(0, size), [], RULES)]
        made[-1].tokens += passed
        for chunk, row in enumerate(made):
            row.chunk = chunk
        return made

    def _of_segment(self, segment: Segment, model: str) -> list[Row]:
        """Rows of neighbouring pairs with one origin; a sure stretch without pairs is no news and gives none."""
        if not segment.pairs:
            name = model if segment.kind == "settled" else RULES
            return [] if segment.kind == "sure" else [self._row(segment, [], name)]
        named = [(_origin(some, model), some) for some in _together(segment.pairs)]
        alike = groupby(named, key=lambda both: both[0])
        return [self._row(segment, [placed for _, some in both for placed in some], name) for name, both in alike]

    def _row(self, segment: Segment, pairs: Sequence[Placed], name: str) -> Row:
        chapters = chapters_of(pairs)
        core = (segment.first, segment.end - 1)
        return Row(self, 0, core, render(chapters), name, _named(chapters), segment.kind)

    def _record(self, row: Row, segment: Segment, sent: int) -> None:
        """What both sides said, with the first row of a stretch."""
        row.sent = sent
        if segment.kind == "settled":
            row.rules_reply = render(chapters_of(segment.rules))
        elif any(p.by_model for p in segment.pairs):
            # Only what is otherwise now: later steps carry the text along with every pair of a long stretch.
            gone = [p for p in segment.rules if not any(is_same(p, q) for q in segment.pairs)]
            row.rules_reply = render(chapters_of(gone))
        row.model_reply = render(chapters_of(segment.model)) if segment.kind == "settled" else ""
        row.stretch_doubts = _doubts(self._book, segment)

    def own(self, row: Row) -> pa.StructArray:
        """The blocks of a row: those of its stretch, and others that its pairs name."""
        ids = sorted({*range(row.core[0], row.core[1] + 1), *row.named})
        return self.text.blocks.take(pa.array(ids, pa.int64()))


def _together(pairs: Sequence[Placed]) -> list[list[Placed]]:
    """Neighbouring pairs in lists, those that share a block in one: what splits a block must see them all."""
    last: dict[int, int] = {}
    for n, placed in enumerate(pairs):
        last.update(dict.fromkeys((placed.at, *placed.pair.question, *placed.pair.solution), n))
    lists: list[list[Placed]] = []
    reach = -1
    for n, placed in enumerate(pairs):
        if n > reach:
            lists.append([])
        lists[-1].append(placed)
        reach = max(reach, *(last[i] for i in (placed.at, *placed.pair.question, *placed.pair.solution)))
    return lists


def _origin(pairs: Sequence[Placed], model: str) -> str:
    if not any(placed.by_model for placed in pairs):
        return RULES
    return f"{RULES}+{model}" if all(placed.by_rules for placed in pairs) else model


def _named(chapters: Sequence[ReplyChapter]) -> set[int]:
    named = {i for chapter in chapters for i in chapter.title}
    for pair in (pair for chapter in chapters for pair in chapter.pairs):
        named.update((*pair.question, *pair.solution))
    return named


def _doubts(book: Book, segment: Segment) -> list[Doubt]:
    doubts = []
    for unit in book.units[book.place(segment.first) : book.place(segment.end - 1) + 1]:
        if unit.doubts():
            labels = ", ".join(map(book.label, unit.items))
            doubts.append(Doubt(labels, unit.first, round(unit.confidence, 3), unit.doubts()))
    return doubts
