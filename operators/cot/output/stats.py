"""The figures of a run: ``stats.json``, the same bytes for the same samples and rejects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from operators.cot.problems import CODES
from operators.cot.sample import reasoning_of
from operators.cot.tasks import TASKS

#: Tasks whose answer is the letter of an option, or several, by number.
_LETTERS = frozenset((33, 38, 40, 42))
#: Tasks whose samples are counted by a field: the field, and the figure's name.
_COUNTED = {41: ("label", "recovery_labels"), 35: ("flaw_type", "flaw_types")}

#: What spaces part is a word, and so is a Chinese character.
_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\s\u3400-\u4dbf\u4e00-\u9fff]+")
_CODE = re.compile(r"(?:.{0,400}, line \d+: )?([a-z]+\.[a-z_]+): ")


def stats(table: pa.Table, rejects: pa.Table, *, seed: int, tasks: Sequence[str] = tuple(TASKS)) -> dict[str, Any]:
    """The figures as plain values. Nothing in them is a time or an absolute path.

    ``table`` has the finished samples, ``rejects`` is that of the run's result, ``tasks`` are those that were
    asked for. ``samples`` is their number, ``items`` that of the plans they are of. ``tasks``, ``evidence``,
    ``generators`` count samples; ``skipped`` tells task, reason and count of what plans do not support,
    ``rejects`` operator, error, code (of the first broken rule), kind, count and an example of all else.
    ``letters`` are the right answers' letters by task, ``recovery_labels`` those of Task_41, ``flaw_types``
    those of Task_35, ``mended`` counts what was mended in replies, ``words`` are those of the reasoning.
    """
    by_task = Counter(_values(table, "task_name"))
    skipped, others = _split(rejects)
    return {
        "seed": seed,
        "samples": table.num_rows,
        "items": len(set(_values(table, "source_path"))),
        "tasks": {task: by_task[task] for task in TASKS if task in tasks or by_task[task]},
        "evidence": _tally(_values(table, "evidence_type")),
        "generators": _tally(each["type"] for each in _values(table, "assistant_generator")),
        "letters": _letters(table),
        **{name: _counted(table, number, field) for number, (field, name) in _COUNTED.items()},
        "mended": _tally(note for notes in _values(table, "mended") for note in notes or ()),
        "words": _words(table),
        "skipped": [{"task": task, "reason": reason, "count": n} for (task, reason), n in _ordered(skipped)],
        "rejects": others,
    }


def reason_of(reject: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Operator, error, code of the first broken rule ("" without one) and kind: what rejects are counted by."""
    told = _CODE.match(reject["message"])
    code = told[1] if told is not None and told[1] in CODES else ""
    return reject["operator"], reject["error"], code, reject["kind"]


def is_skip(reject: Mapping[str, Any]) -> bool:
    """Whether a reject only tells that a plan does not support a task at a step."""
    return bool(reject["operator"] == "CoTSampleBuilder" and reject["error"] == "Skipped")


def rows_of(table: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows of a table, some of them in memory at a time."""
    for batch in table.to_batches(max_chunksize=4096):
        yield from batch.to_pylist()


def _tally(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _values(table: pa.Table, name: str) -> Iterator[Any]:
    """A column's values, none of a column that is not there."""
    for chunk in table[name].chunks if name in table.column_names else ():
        for start in range(0, len(chunk), 4096):
            yield from chunk.slice(start, 4096).to_pylist()


def _fields(table: pa.Table, task: str) -> Iterator[Mapping[str, Any]]:
    """The fields of all samples of a task."""
    for text in _values(table.filter(pc.equal(table["task_name"], task)).select(["fields"]), "fields"):
        yield json.loads(text)


def _letters(table: pa.Table) -> dict[str, dict[str, int]]:
    found = {}
    for name, task in TASKS.items():
        if task.number in _LETTERS:
            said = (fields.get("label_set", fields.get("label")) for fields in _fields(table, name))
            if counts := _tally(str(letter) for letters in said for letter in letters or () if letter != ","):
                found[name] = counts
    return found


def _counted(table: pa.Table, number: int, field: str) -> dict[str, int]:
    names = [name for name, task in TASKS.items() if task.number == number]
    return _tally(str(fields.get(field)) for name in names for fields in _fields(table, name))


def _words(table: pa.Table) -> dict[str, float] | None:
    counts = [_number_of_words(reasoning_of(response)[0]) for response in _values(table, "response")]
    return {"min": min(counts), "median": median(counts), "max": max(counts)} if counts else None


def _number_of_words(text: str) -> int:
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))


def _split(rejects: pa.Table) -> tuple[Counter[tuple[str, str]], list[dict[str, Any]]]:
    """What was skipped by task and reason, and all other rejects by reason, the most frequent first."""
    skipped: Counter[tuple[str, str]] = Counter()
    others: Counter[tuple[str, str, str, str]] = Counter()
    examples: dict[tuple[str, str, str, str], str] = {}
    for reject in rows_of(rejects):
        if is_skip(reject):
            skipped[_task_of(reject["inputs"]), reject["message"]] += 1
            continue
        reason = reason_of(reject)
        others[reason] += 1
        examples[reason] = min(examples.get(reason, reject["message"]), reject["message"])
    names = ("operator", "error", "code", "kind")
    return skipped, [
        {**dict(zip(names, reason, strict=True)), "count": n, "example": examples[reason]}
        for reason, n in _ordered(others)
    ]


def _task_of(inputs: str | None) -> str:
    try:
        return str(json.loads(inputs or "{}").get("task_name", ""))
    except (ValueError, RecursionError, AttributeError):
        return ""


def _ordered(counts: Counter[Any]) -> Iterable[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
