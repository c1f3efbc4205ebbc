"""Small operators of every kind, importable by name so that other processes find them too."""

import asyncio
import enum
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from dataflow_ext import Failure, GroupOperator, Merged, RowOperator


class Length(RowOperator):
    """Kind ``same``: the number of characters; an empty text is a mistake."""

    inputs, outputs = {"text": str}, {"length": int}
    extra: int = 0

    def row(self, text: str) -> dict[str, int]:
        if not text:
            raise ValueError("the text is empty")
        return {"length": len(text) + self.extra}


class AsyncLength(Length):
    """The same, asynchronous; the first row is the last to be done."""

    async def row(self, text: str) -> dict[str, int]:
        if not text:
            raise ValueError("the text is empty")
        await asyncio.sleep(0.001 if text == "a b" else 0)
        return {"length": len(text) + self.extra}


class SpreadLength(Length):
    """The same, worth a process."""

    spread = True


class Picky(RowOperator):
    """Fails in two places of the code."""

    inputs, outputs = {"text": str}, {"n": int}

    def row(self, text: str) -> dict[str, int]:
        if text.startswith("x"):
            raise KeyError(text)
        return {"n": 12 // len(text.strip("-"))}


class SpreadPicky(Picky):
    """The same, worth a process."""

    spread = True


class Upper(RowOperator):
    """Kind ``same``, in place."""

    inputs, outputs = {"text": str}, {"text": str}

    def row(self, text: str) -> dict[str, str]:
        return {"text": text.upper()}


class LongOnly(RowOperator):
    """Kind ``filter``: keeps texts of at least ``least`` characters."""

    inputs, rows = {"text": str}, "filter"
    least: int = 2

    def row(self, text: str) -> bool | str:
        return True if len(text) >= self.least else f"{len(text)} characters, {self.least} wanted"


class AsyncLongOnly(LongOnly):
    """The same, asynchronous."""

    async def row(self, text: str) -> bool | str:
        return True if len(text) >= self.least else f"{len(text)} characters, {self.least} wanted"


class Words(RowOperator):
    """Kind ``explode``: a row for each word; "!" is a mistake in the midst of the work."""

    inputs, outputs, rows = {"text": str}, {"word": str, "place": int}, "explode"

    def row(self, text: str) -> Iterator[dict[str, Any]]:
        for place, word in enumerate(text.split()):
            if word == "!":
                raise ValueError("no word: !")
            yield {"word": word, "place": place}


class AsyncWords(Words):
    """The same, asynchronous."""

    async def row(self, text: str) -> Any:
        for place, word in enumerate(text.split()):
            if word == "!":
                raise ValueError("no word: !")
            await asyncio.sleep(0)
            yield {"word": word, "place": place}


class Join(GroupOperator):
    """Kind ``whole``: the words of each document in their order; "?" goes into no text."""

    inputs, outputs = {"doc": str, "word": str, "place": int}, {"text": str}
    key, order = ("doc",), ("place",)

    def group(self, doc: list[str], word: list[str], place: list[int]) -> Iterator[Merged | Failure]:
        if "crash" in word:
            raise ValueError("the group crashed")
        rows = [i for i, w in enumerate(word) if w != "?"]
        if rows:
            yield Merged(rows, {"text": " ".join(word[i] for i in rows)})
        for i, w in enumerate(word):
            if w == "?":
                yield Failure(i, "a question mark is no word")


class Flaky(RowOperator):
    """Fails on texts that hold a word of ``down`` as long as the file ``switch`` is there."""

    inputs, outputs = {"text": str}, {"echo": str}
    switch: str
    down: str = "down"
    transient: bool = False

    def row(self, text: str) -> dict[str, str]:
        if self.down in text and Path(self.switch).exists():
            error = RuntimeError("the server is down")
            error.transient = self.transient
            raise error
        return {"echo": text}


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


def half(x: float, by: float = 2) -> float:
    return x / by


def third(x: float, by: float = 3) -> float:
    return x / by


class Options(Length):
    """Options of many types, one of which is no part of what the operator does."""

    labels: frozenset[str] = frozenset()
    mode: Mode = Mode.FAST
    path: Path = Path("a")
    work: Any = None
    noise: int = Field(0, json_schema_extra={"fingerprint": False})
