"""Decontaminate: the rows that are no items of the benchmarks that a model will be measured on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.errors import InputError
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.tables import json_records, read_table
from operators.curate.rules.likeness import differs_in_words, folded, numbers_of, signs_of, tokens_of
from operators.verify.equivalence import equivalent

_QUESTIONS = ("question", "problem", "prompt", "input", "query", "instruction", "text")
_ANSWERS = ("answer", "final_answer", "target", "label", "gold", "output", "solution", "completion", "response")
#: Tokens of a benchmark item that is too short to tell anything unless it is the whole question.
_FEW = 6
#: The share of an item's runs that is the item itself, whatever single words differ: so many only long texts share.
_NEARLY = 0.8
#: The longest answer that is compared.
_SHORT = 200


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a benchmark: file and number, its words, its numbers and signs, its short answer if it has one."""

    file: str
    number: int
    tokens: tuple[str, ...]
    marks: Counter[str]
    answer: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A benchmark's item in a question: how much of it stands there."""

    item: Item
    share: float
    same_answer: bool


class Benchmarks:
    """The items of some files, found by runs of ``size`` words."""

    def __init__(self, files: Sequence[Path], size: int) -> None:
        self.size = size
        self.items = [item for file in files for item in _items(file)]
        self._holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, item in enumerate(self.items):
            for gram in set(self._grams(item.tokens)):
                self._holders[gram].append(number)

    def _grams(self, tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
        size = min(self.size, len(tokens))
        return (tuple(tokens[n : n + size]) for n in range(len(tokens) - size + 1 if tokens else 0))

    def hit(self, question: str, answer: str, least: float, with_answer: float) -> Hit | None:
        """The item of which most is in the question: ``least`` of its runs, or ``with_answer`` and the same answer.

        An item with a number or a sign that the question does not have is another exercise of the same pattern.
        """
        text = folded(question)
        tokens, marks = tokens_of(text), _marks(text)
        counts: Counter[int] = Counter()
        for size in {self.size, *range(_FEW, self.size)}:
            for gram in {tuple(tokens[n : n + size]) for n in range(len(tokens) - size + 1)}:
                counts.update(self._holders.get(gram, ()))
        exact = self._holders.get(tuple(tokens), []) if len(tokens) < _FEW else []
        best: Hit | None = None
        for number in sorted({*counts, *exact}):
            item = self.items[number]
            total = len(set(self._grams(item.tokens)))
            share = min(1.0, counts[number] / total) if number in counts else 1.0
            if share < with_answer or (best is not None and share <= best.share) or item.marks - marks:
                continue
            stands = share >= _NEARLY or not differs_in_words(item.tokens, _around(item.tokens, tokens), within=True)
            if (share >= least and stands) or _same(answer, item.answer, question):
                best = Hit(item, share, share < least or not stands)
        return best


def _marks(text: str) -> Counter[str]:
    return Counter([*numbers_of(text), *signs_of(text)])


def _around(item: Sequence[str], tokens: Sequence[str]) -> Sequence[str]:
    """The piece of a text from the first to the last of what it has in common with an item."""
    found = [b for b in SequenceMatcher(None, item, tokens, autojunk=False).get_matching_blocks() if b.size > 1]
    return tokens[max(0, found[0].b - found[0].a) : found[-1].b + len(item) - found[-1].a] if found else tokens


def _same(answer: str, other: str, question: str) -> bool:
    if not answer.strip() or not other.strip() or max(len(answer), len(other)) > _SHORT:
        return False
    return equivalent(answer, other, question=question).verdict == "yes"


def benchmarks(files: Sequence[Path], size: int) -> Benchmarks:
    """The benchmarks of files, read once a process for each content."""
    return _kept(tuple((str(file), file_hash(file)) for file in files), size)


@lru_cache(maxsize=4)
def _kept(files: tuple[tuple[str, str], ...], size: int) -> Benchmarks:
    return Benchmarks([Path(file) for file, _ in files], size)


def _items(file: Path) -> Iterator[Item]:
    """The items of a file: a record a question, or in a text file a line or a paragraph each."""
    if file.suffix.lower() in (".txt", ".md", ".text"):
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"The benchmark {file} cannot be read: {error}") from None
        parts = text.split("\n\n") if "\n\n" in text.strip() else text.splitlines()
        records: Iterator[Mapping[str, Any]] = ({"question": part} for part in parts)
    else:
        records = json_records(file) if file.suffix.lower() == ".jsonl" else iter(read_table(file).to_pylist())
    seen = 0
    for number, record in enumerate(records, 1):
        asked = _first(record, _QUESTIONS)
        text = folded(asked)
        if tokens := tuple(tokens_of(text)):
            seen += 1
            yield Item(file.name, number, tokens, _marks(text), _first(record, _ANSWERS))
    if not seen:
        raise InputError(
            f"The benchmark {file} has no questions; its records need one of the fields {', '.join(_QUESTIONS)}."
        )


def _first(record: Mapping[str, Any], names: Sequence[str]) -> str:
    folded_names = {name.lower(): value for name, value in record.items()}
    return next(
        (str(v) for n in names if isinstance(v := folded_names.get(n), str | int | float) and str(v).strip()), ""
    )


class Decontaminate(Operator):
    """The rows that hold no item of a benchmark.

    A row holds an item if at least ``least`` of the item's runs of ``size`` words (Chinese characters count as words)
    stand in its question, or at least ``with_answer`` of them, and its answer is the item's.

    Reads:
        question, answer: the texts.

    Options:
        benchmarks: files with the items: JSONL, JSON, Parquet or CSV with a field question, problem, prompt, input or
            text, and if known answer or solution; or text, an item a line or a paragraph. Without any, all rows pass.
        size: words of a run; an item of fewer words counts as a whole.
        least: the share of an item's runs that suffices by itself.
        with_answer: the share that suffices together with the same answer.

    Rejects:
        BenchmarkItem: a row that holds an item, which is named by file and number.

    Example:
        >>> Decontaminate()([{"question": "What is 2 + 2?", "answer": "4"}]).num_rows
        1
    """

    rows: ClassVar[Any] = "filter"
    inputs: ClassVar[Columns] = {"question": str, "answer": str}

    benchmarks: tuple[Path, ...] = ()
    size: int = Field(default=8, ge=2)
    least: float = Field(default=0.5, gt=0.0, le=1.0)
    with_answer: float = Field(default=0.2, gt=0.0, le=1.0)

    def preflight(self) -> None:
        """InputError for a benchmark that cannot be read."""
        benchmarks(self.benchmarks, self.size)

    def batch(self, table: pa.Table) -> Made:
        """Look each row up among the benchmarks' items."""
        if not self.benchmarks:
            return Made({})
        known = benchmarks(self.benchmarks, self.size)
        failures = []
        for n, row in enumerate(table.select(["question", "answer"]).to_pylist()):
            hit = known.hit(row["question"], row["answer"], self.least, self.with_answer)
            if hit is not None:
                also = " and its answer" if hit.same_answer else ""
                message = f"{hit.share:.0%} of item {hit.item.number} of {hit.item.file}{also} stand in the question"
                failures.append(Failure(n, message, "BenchmarkItem", kind="dropped"))
        gone = {failure.row for failure in failures}
        return Made({}, [n for n in range(table.num_rows) if n not in gone], failures)
