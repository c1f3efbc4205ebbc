"""ConversationReader: the conversations of a data set as finished rows again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, InputError, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.datasets.files import bounded_lines
from dataflow_ext.outcomes import Record, made_by_reading
from dataflow_ext.rows import encoded
from operators.scene.model.conversation import Conversation, ConversationError
from operators.scene.model.json_values import json_value
from operators.scene.model.records import CONVERSATIONS, FINISHED, Problem, Scores
from operators.scene.rules import replay_problems

#: The most bytes of a line that are kept with its reject, and the most that a line has.
_KEPT, _MOST_BYTES = 2000, 64 << 20


class ConversationReader(Operator):
    """The conversations in a data file, one row a line, with all that SceneWriter reads.

    Whether a conversation is a good one is for ChainValidator to tell, and whether its pictures are there; but a
    row tells rooms only by calls, so that the calls of a line have to give the rooms that it states.

    Reads:
        file: a file ``conversations.jsonl``.

    Rejects:
        ConversationError: the line is no conversation; its code is the error, beside file and number.
        InputError: the file cannot be read.

    Example:
        >>> ConversationReader.rows
        'explode'
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {"file": Path}
    outputs: ClassVar[Columns] = FINISHED

    def batch(self, table: pa.Table) -> Made:
        """Read one file after the other; a damaged line costs no other its row."""
        return made_by_reading(self, table, _rows)


def data_file(folder: Path) -> Path:
    """The data file of a data set; InputError if there is no such folder, or no data set in it."""
    path = Path(folder) / CONVERSATIONS
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {folder}.")
    if not path.is_file():
        raise InputError(f"{folder} has no data set: there is no {CONVERSATIONS} in it.")
    return path


def conversation_files(folder: Path) -> pa.Table:
    """The data file of a data set, as one row: ``file``; InputError as by :func:`data_file`."""
    path = data_file(folder)
    try:
        return pa.table({"file": [str(path)]})
    except UnicodeEncodeError:
        raise InputError(f"{str(folder)!r}: a folder's name in or above it is not UTF-8; rename it.") from None


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a data file with their numbers from 1, without line breaks; only a line feed ends a line."""
    return ((number, raw.rstrip(b"\r")) for number, raw in bounded_lines(path, _MOST_BYTES))


def conversation_in(raw: bytes) -> Conversation:
    """The conversation in a line; ConversationError with what keeps it from being one.

    >>> conversation_in(b"{")
    Traceback (most recent call last):
    ...
    operators.scene.model.conversation.ConversationError: row.shape: the line is no JSON, or tells a key twice
    """
    return Conversation.read(entry_in(raw))


def entry_in(raw: bytes) -> Any:
    """The value in a line, whatever it is; ConversationError if there is none."""
    if len(raw) > _MOST_BYTES:
        raise _shapeless(f"the line has more than {_MOST_BYTES >> 20} MiB")
    try:
        entry = json_value(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _shapeless(f"the line is not UTF-8 (byte {error.start + 1})") from None
    if entry is None:
        raise _shapeless("the line is no JSON, or tells a key twice")
    return entry


def _rows(told: Record) -> Iterator[Record | Failure]:
    """The rows of a file, and a failure for each line that is no conversation."""
    file = told["file"]
    root = Path(os.path.abspath(file.parent))  # noqa: PTH100 - a link's own name, not its target's
    try:
        for number, raw in lines_of(file):
            yield _row(file, root, number, raw)
    except OSError as error:
        raise InputError(f"Cannot read {file}: {error.strerror or error}.") from None


def _row(file: Path, root: Path, number: int, raw: bytes) -> Record | Failure:
    try:
        conversation = conversation_in(raw)
        if problems := _untold(conversation):
            raise ConversationError(problems)
        record = {**conversation.row(), "images": _pictures(root, conversation.images)}
        record["scores"] = Scores(**{name: float(value) for name, value in record["scores"].items()})
        record["score"] = float(record["score"])
        encoded([record], FINISHED)
    except ConversationError as error:
        return _failure(file, number, raw, error.problems[0])
    except Exception as error:  # a value of a type that no column holds
        why = f"its values cannot be a row ({type(error).__name__}: {error})"
        return _failure(file, number, raw, Problem("row.shape", why[:500]))
    return record


def _untold(conversation: Conversation) -> list[Problem]:
    """What a row would lose: rooms that the calls do not give, and instructions of single turns."""
    known = conversation.metadata["global_user_instruction"]
    for number, instruction in enumerate(conversation.instructions):
        if instruction != known:
            return [Problem("row.shape", f"turn {number} does not repeat the instruction that the metadata tells")]
    replayed = [each for each in replay_problems(conversation) if each.code != "call.no_effect"]
    return replayed[:1]


def _pictures(root: Path, names: Sequence[str]) -> list[Path]:
    for name in names:
        if not name or "\0" in name or "\\" in name or name.startswith("/") or ".." in name.split("/"):
            raise ConversationError([Problem("images.names", f"{name[:200]!r} is no path below the data set")])
    return [root / name for name in names]


def _shapeless(message: str) -> ConversationError:
    return ConversationError([Problem("row.shape", message)])


def _failure(file: Path, number: int, raw: bytes, problem: Problem) -> Failure:
    inputs = {"file": str(file), "line": number, "text": raw[:_KEPT].decode("utf-8", "replace")}
    message = f"{file}, line {number}: {problem.code}: {problem.message}"
    return Failure(0, message, problem.code, inputs=json.dumps(inputs, ensure_ascii=False))
