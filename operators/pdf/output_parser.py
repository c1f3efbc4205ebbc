"""LLMOutputParser: a chunk's reply becomes a row for each pair, filled from the chunk's own blocks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain, compress, pairwise
from operator import not_
from typing import Any, ClassVar, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import arrow_type
from operators.pdf.blocks import KEPT, Block
from operators.pdf.pairs import PAIR_COLUMNS, Evidence, Role, part_of, picture_link, split_solution, text_of
from operators.pdf.reply import ReplyChapter, ReplyPair, UnreadableReply, read_reply

#: What blocks are to a pair.
_ROLES: tuple[Role, ...] = ("question", "solution", "answer")
_ASKED, _SOLVED, _TOLD = range(3)


class LLMOutputParser(Operator):
    """A row for each pair that a reply names: label, ids, texts and pictures, pages and boxes.

    Replies are read leniently and safely; ids may be lists or ranges, ids that do not exist, run backwards or leave
    gaps are told in ``notes``. A block that several items share is split where their labels stand in it, one that
    a question and its solution share at a sure marker; if there is none, each gets it whole.

    Reads:
        reply: the model's words, in the tags of the prompt.
        blocks: the blocks that it was shown; texts and pictures are taken from these alone.
        core: the chunk's first and last block.

    Rejects:
        UnreadableReply: the reply holds no tag of the contract, or too much.
        Empty: the reply names no question, example or answer.

    Example:
        >>> import pyarrow as pa
        >>> from dataflow_ext.codec import encode
        >>> from operators.pdf.blocks import Block
        >>> blocks = [Block(0, "text", "1. What is 2 + 2?"), Block(1, "text", "It is 4.")]
        >>> reply = "<qa_pair><label>1</label><question>0</question><solution>1</solution></qa_pair>"
        >>> table = pa.table({
        ...     "reply": [reply],
        ...     "blocks": encode([blocks], list[Block]),
        ...     "core": encode([(0, 1)], tuple[int, int]),
        ... })
        >>> LLMOutputParser()(table).select(["label", "question", "solution"]).to_pylist()
        [{'label': '1', 'question': '1. What is 2 + 2?', 'solution': 'It is 4.'}]
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Any] = {"reply": str, "blocks": list[Block], "core": tuple[int, int]}
    outputs: ClassVar[Any] = PAIR_COLUMNS

    def batch(self, table: pa.Table) -> Made:
        """The pairs of all chunks; the blocks stay in Arrow, only what pairs name is looked at."""
        blocks = table["blocks"].combine_chunks()
        values = blocks.flatten()
        starts = accumulate(blocks.value_lengths().to_pylist(), initial=0)
        columns = _columns(values)
        cores = decode(table["core"], tuple[int, int])
        rows: list[int] = []
        records: list[_Record] = []
        failures: list[Failure] = []
        for row, (reply, core, start, size) in enumerate(
            zip(table["reply"].to_pylist(), cores, starts, blocks.value_lengths().to_pylist(), strict=False)
        ):
            try:
                found = _Chunk(columns, start, size).records(reply, core)
            except UnreadableReply as error:
                failures.append(Failure.of(row, error))
                continue
            if not found:
                what = f"blocks {core[0]} to {core[1]}: no question, example or answer among them"
                failures.append(Failure(row, what, "Empty", kind="empty"))
            records += found
            rows += [row] * len(found)
        return Made(_arrays(records, values), rows, failures)


class _Columns(NamedTuple):
    """What is looked at of all blocks of all chunks, by place: ``links`` of pictures, ``kept`` reasons of formulas'."""

    id: list[int]
    text: list[str]
    shown: list[bool]
    file: list[int]
    markdown: list[str]
    headed: list[int]
    paths: Mapping[int, list[str]]
    links: Mapping[int, str]
    kept: Mapping[int, str]


def _columns(values: pa.StructArray) -> _Columns:
    """The columns of all blocks; pictures, captions and paths, which few have, only of those."""
    ids, texts, shown, files = (values.field(name).to_pylist() for name in ("id", "text", "shown", "file"))
    markdown, links, kept = texts.copy(), {}, {}
    told = pc.not_equal(values.field("caption").fill_null(""), "")
    some = pc.indices_nonzero(pc.or_(values.field("image").is_valid(), told))
    looks = (values.field(name).take(some).to_pylist() for name in ("type", "image", "caption"))
    for place, kind, image, caption in zip(some.to_pylist(), *looks, strict=True):
        markdown[place] = text_of(kind, texts[place], image, caption)
        if image is not None and (link := picture_link(kind, texts[place], image)) is not None:
            links[place] = link
        if kind == "equation" and caption and caption.startswith(KEPT):
            kept[place] = caption[len(KEPT) :].rstrip(".")
    headings = pc.indices_nonzero(values.field("path").is_valid())
    headed = headings.to_pylist()
    paths = dict(zip(headed, values.field("path").take(headings).to_pylist(), strict=True))
    return _Columns(ids, texts, shown, files, markdown, headed, paths, links, kept)


#: One pair: its columns and, one a block behind it, the roles as places in :data:`_ROLES`, and the blocks as places.
_Record = tuple[tuple[Any, ...], list[int], list[int]]


class _Chunk:
    """One chunk's blocks: a stretch of the columns."""

    def __init__(self, columns: _Columns, start: int, size: int) -> None:
        self._columns = columns
        own = slice(start, start + size)
        self._place = dict(zip(columns.id[own], range(start, start + size), strict=True))
        self._hidden = frozenset(compress(columns.id[own], map(not_, columns.shown[own])))
        self._heads = self._in_force(start, start + size)

    def records(self, reply: str, core: tuple[int, int]) -> list[_Record]:
        """The pairs that a reply names."""
        chapters = read_reply(reply, self._place.keys(), self._hidden)
        shared = _shared(chapters)
        found: list[_Record] = []
        at = core[0]
        for chapter in chapters:
            title = " ".join(self._columns.text[self._place[i]].strip() for i in chapter.title)
            heading, path = self._heading(chapter.title, title)
            for pair in chapter.pairs:
                asked, solved = pair.question, pair.solution
                named = asked + solved or ([] if pair.at is None else [pair.at])
                at = pair.at if pair.at is not None else named[0] if named else at
                roles = [_ASKED] * len(asked) + [_SOLVED] * len(solved) or [_TOLD] * len(named)
                places = list(map(self._place.__getitem__, named))
                where = (len(found), at, core[0] <= at <= core[1], pair.label, self._file(at))
                over = self._path(at, heading, path)
                values = (*where, chapter.title, title, heading, path, over, *self._fill(pair, places, shared))
                found.append((values, roles, places))
        return found

    def _heading(self, title: Sequence[int], words: str) -> tuple[int, list[str]]:
        """Where the innermost heading of a title begins, and its path; a heading may be two blocks with one path."""
        if not title:
            return -1, []
        paths = {i: path for i in title if (path := self._columns.paths.get(self._place[i])) is not None}
        if not paths:
            return title[0], [words]
        inner = max(paths, key=lambda i: len(paths[i]))
        before = self._place.get(inner - 1)
        two = before is not None and self._columns.paths.get(before) == paths[inner]
        return inner - two, paths[inner]

    def _in_force(self, start: int, end: int) -> list[int]:
        """The headings with a place in the book's tree, in order; one that a page repeats changes nothing."""
        heads: list[int] = []
        before: list[str] = []
        headed = self._columns.headed
        for place in headed[bisect_left(headed, start) : bisect_left(headed, end)]:
            path, i = self._columns.paths[place], self._columns.id[place]
            repeats = path == before[: len(path)] and path[-1:] == [self._columns.text[place].strip()]
            if not repeats and i not in self._hidden:
                heads.append(i)
                before = path
        return heads

    def _path(self, at: int, heading: int, path: list[str]) -> list[str]:
        """The headings over a block: those in force there, or those of its title, whichever begins later."""
        last = bisect_right(self._heads, at) - 1
        if last < 0 or self._heads[last] <= heading:
            return path
        return self._columns.paths[self._place[self._heads[last]]]

    def _file(self, i: int) -> int:
        return self._columns.file[self._place[i]] if i in self._place else 0

    def _fill(self, pair: ReplyPair, places: Sequence[int], shared: Mapping[int, Sequence[str]]) -> tuple[Any, ...]:
        """Ids, texts, pictures and notes, in the order of the columns."""
        asked, solved, notes, doubts = pair.question, pair.solution, list(pair.notes), pair.doubts
        if len(asked) > 1:
            notes += self._order(asked, "question")
        if len(solved) > 1:
            notes += self._order(solved, "solution")
        if shared or (asked and solved):
            question, solution = self._parted(pair, shared, notes)
        else:
            words = _joined(map(self._columns.markdown.__getitem__, places)) if asked or solved else ""
            question, solution = (words, "") if asked else ("", words)
        if self._columns.kept:
            doubts = [*doubts, *self._formulas([*asked, *solved])]
        links = (self._links(asked), self._links(solved)) if self._columns.links else ([], [])
        return asked, solved, question, pair.answer, solution, *links, notes, doubts

    def _parted(self, pair: ReplyPair, shared: Mapping[int, Sequence[str]], notes: list[str]) -> tuple[str, str]:
        """The texts of question and solution; a note is added for each block that several items or both share."""
        markdown, place = self._columns.markdown, self._place
        question = {i: markdown[place[i]] for i in pair.question}
        solution = {i: markdown[place[i]] for i in pair.solution}
        for texts in (question, solution):
            for i in texts.keys() & shared.keys():
                if self._place[i] not in self._columns.links:
                    part = part_of(texts[i], pair.label, [x for x in shared[i] if x != pair.label])
                    if part is not None and part != texts[i]:
                        texts[i] = part
                        notes.append(f"block {i} is shared with other items and was split at their labels")
        for i in question.keys() & solution.keys():
            halves = split_solution(question[i])
            if halves is not None:
                question[i], solution[i] = halves
                notes.append(f"block {i} holds question and solution and was split at the solution's marker")
        return _joined(question.values()), _joined(solution.values())

    def _formulas(self, ids: Sequence[int]) -> list[str]:
        """A doubt for each kind of formula that is there as a picture only."""
        kept, place = self._columns.kept, self._place
        reasons = dict.fromkeys(kept[place[i]] for i in ids if place[i] in kept)
        return [f"a formula of it is a picture: {reason}" for reason in reasons]

    def _links(self, ids: Sequence[int]) -> list[str]:
        links, place = self._columns.links, self._place
        return [links[place[i]] for i in ids if place[i] in links]

    def _order(self, ids: Sequence[int], tag: str) -> Sequence[str]:
        """What is odd about the ids' order; none of it is mended, as a book's order can be odd itself."""
        if ids[-1] - ids[0] == len(ids) - 1 and list(ids) == sorted(ids):
            return ()
        odd: list[str] = []
        for before, after in pairwise(ids):
            if after < before:
                odd.append(f"{tag} ids run backwards: {before}, {after}")
            left = [i for i in range(before + 1, after) if i in self._place and self._columns.shown[self._place[i]]]
            if left:
                odd.append(f"{tag} ids leave out {left[0]}{f' to {left[-1]}' if len(left) > 1 else ''}")
        return odd


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(filter(None, texts))


def _shared(chapters: Sequence[ReplyChapter]) -> dict[int, list[str]]:
    """For each block that several pairs name, or begin at with an answer alone, the labels of these pairs."""
    every = [i for c in chapters for p in c.pairs for i in _own(p)]
    if len(set(every)) == len(every):
        return {}
    named: dict[int, list[str]] = {}
    shared: dict[int, list[str]] = {}
    for chapter in chapters:
        for pair in chapter.pairs:
            for i in set(_own(pair)):
                if i in named:
                    shared[i] = named[i]
                named.setdefault(i, []).append(pair.label)
    return shared


def _own(pair: ReplyPair) -> Sequence[int]:
    """The blocks that a pair stands in."""
    return [*pair.question, *pair.solution] or ([] if pair.at is None else [pair.at])


def _arrays(records: Sequence[_Record], values: pa.StructArray) -> dict[str, pa.Array]:
    """The output columns; evidence is taken from the blocks without a look at them."""
    names = [name for name in LLMOutputParser.outputs if name != "evidence"]
    told, roles_of, places_of = zip(*records, strict=True) if records else ((), (), ())
    columns = zip(*told, strict=True) if records else ([] for _ in names)
    arrays = {n: encode(list(c), LLMOutputParser.outputs[n]) for n, c in zip(names, columns, strict=True)}
    places = pa.array(list(chain.from_iterable(places_of)), pa.int64())
    roles = pa.array(list(chain.from_iterable(roles_of)), pa.int8())
    fields = list(arrow_type(Evidence))
    named = pa.array(_ROLES, pa.string()).take(roles)
    parts = [named if f.name == "role" else values.field(f.name).take(places) for f in fields]
    sizes = accumulate(map(len, places_of), initial=0)
    listed = pa.StructArray.from_arrays(parts, fields=fields)
    arrays["evidence"] = pa.ListArray.from_arrays(pa.array(sizes, pa.int32()), listed)
    return arrays
