"""The items of benchmark files, and which of them a question holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from dataflow_ext.content import file_hash
from dataflow_ext.errors import InputError
from dataflow_ext.tables import json_records, read_table
from operators.curate.rules.likeness import folded, tokens_of
from operators.verify.equivalence import equivalent

_QUESTIONS = ("question", "problem", "prompt", "input", "query", "instruction", "text")
_ANSWERS = ("answer", "final_answer", "target", "label", "gold", "output", "solution", "completion", "response")
#: Tokens of a benchmark item that is too short to tell anything unless it is the whole question.
_FEW = 6
#: The share of an item's runs that is the item itself, whatever its numbers.
_NEARLY = 0.8
#: The longest answer that is compared.
_SHORT = 200


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a benchmark: its file and number, its words, and its short answer if it has one."""

    file: str
    number: int
    tokens: tuple[str, ...]
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
        """The item of which most is in the question: ``least`` of its runs, or ``with_answer`` and the same answer."""
        tokens = tokens_of(folded(question))
        counts: Counter[int] = Counter()
        for size in {self.size, *range(_FEW, self.size)}:
            for gram in {tuple(tokens[n : n + size]) for n in range(len(tokens) - size + 1)}:
                counts.update(self._holders.get(gram, ()))
        exact = self._holders.get(tuple(tokens), []) if len(tokens) < _FEW else []
        best: Hit | None = None
        for number in {*counts, *exact}:
            item = self.items[number]
            total = len(set(self._grams(item.tokens)))
            share = min(1.0, counts[number] / total) if number in counts else 1.0
            if share < with_answer or (best is not None and share <= best.share):
                continue
            # Of an item with other numbers the words alone are a pattern of exercises, unless nearly all is the same.
            numbers = {token for token in item.tokens if token[0].isdigit()} <= {t for t in tokens if t[0].isdigit()}
            if share >= (least if numbers else max(least, _NEARLY)) or (
                numbers and _same(answer, item.answer, question)
            ):
                best = Hit(item, share, share < least)
        return best


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
    elif file.suffix.lower() == ".jsonl":
        records = iter(json_records(file))
    else:
        records = iter(read_table(file).to_pylist())
    seen = 0
    for number, record in enumerate(records, 1):
        asked = _first(record, _QUESTIONS)
        tokens = tuple(tokens_of(folded(asked)))
        if tokens:
            seen += 1
            yield Item(file.name, number, tokens, _first(record, _ANSWERS))
    if not seen:
        raise InputError(
            f"The benchmark {file} has no questions; its records need one of the fields {', '.join(_QUESTIONS)}."
        )


def _first(record: Mapping[str, Any], names: Sequence[str]) -> str:
    folded_names = {name.lower(): value for name, value in record.items()}
    return next(
        (str(v) for n in names if isinstance(v := folded_names.get(n), str | int | float) and str(v).strip()), ""
    )
