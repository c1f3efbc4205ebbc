"""The figures of a run: ``stats.json``, the same bytes for the same samples and rejects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.report.figures import counts_of, spread, values_of
from dataflow_ext.report.rejects import by_reason
from dataflow_ext.tables import records
from operators.cot.problems import CODES
from operators.cot.sample import reasoning_of
from operators.cot.tasks import TASKS

#: Tasks whose samples are counted by a field: the field, and the figure's name.
_COUNTED = {41: ("label", "recovery_labels"), 35: ("flaw_type", "flaw_types")}

#: What spaces part is a word, and so is a Chinese character.
_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\s\u3400-\u4dbf\u4e00-\u9fff]+")


def stats(table: pa.Table, rejects: pa.Table, *, seed: int, tasks: Sequence[str] = tuple(TASKS)) -> dict[str, Any]:
    """The figures as plain values. Nothing in them is a time or an absolute path.

    ``table`` has the finished samples, ``rejects`` is that of the run's result, ``tasks`` are those that were
    asked for. ``samples`` is their number, ``items`` that of the plans they are of. ``tasks``, ``evidence``,
    ``generators`` count samples; ``skipped`` tells task, reason and count of what plans do not support,
    ``rejects`` operator, error, code (of the first broken rule), kind, count and an example of all else.
    ``letters`` are the right answers' letters by task, ``recovery_labels`` those of Task_41, ``flaw_types``
    those of Task_35, ``mended`` counts what was mended in replies, ``words`` are those of the reasoning.
    """
    by_task = Counter(values_of(table, "task_name"))
    skipped: Counter[tuple[str, str]] = Counter()
    others = by_reason(_others(rejects, skipped), CODES)
    by_count = sorted(skipped.items(), key=lambda item: (-item[1], item[0]))
    return {
        "seed": seed,
        "samples": table.num_rows,
        "items": len(set(values_of(table, "source_path"))),
        "tasks": {task: by_task[task] for task in TASKS if task in tasks or by_task[task]},
        "evidence": counts_of(values_of(table, "evidence_type")),
        "generators": counts_of(each["type"] for each in values_of(table, "assistant_generator")),
        "letters": _letters(table),
        **{name: _counted(table, number, field) for number, (field, name) in _COUNTED.items()},
        "mended": counts_of(note for notes in values_of(table, "mended") for note in notes or ()),
        "words": spread(_number_of_words(reasoning_of(response)[0]) for response in values_of(table, "response")),
        "skipped": [{"task": task, "reason": reason, "count": n} for (task, reason), n in by_count],
        "rejects": others,
    }


def is_skip(reject: Mapping[str, Any]) -> bool:
    """Whether a reject only tells that a plan does not support a task at a step."""
    return bool(reject["operator"] == "CoTSampleBuilder" and reject["error"] == "Skipped")


def _fields(table: pa.Table, task: str) -> Iterator[Mapping[str, Any]]:
    """The fields of all samples of a task."""
    for text in values_of(table.filter(pc.equal(table["task_name"], task)).select(["fields"]), "fields"):
        yield json.loads(text)


def _letters(table: pa.Table) -> dict[str, dict[str, int]]:
    found = {}
    for name, task in TASKS.items():
        if "options" in task.types:
            said = (fields.get("label_set", fields.get("label")) for fields in _fields(table, name))
            if counts := counts_of(str(letter) for letters in said for letter in letters or () if letter != ","):
                found[name] = counts
    return found


def _counted(table: pa.Table, number: int, field: str) -> dict[str, int]:
    names = [name for name, task in TASKS.items() if task.number == number]
    return counts_of(str(fields.get(field)) for name in names for fields in _fields(table, name))


def _number_of_words(text: str) -> int:
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))


def _others(rejects: pa.Table, skipped: Counter[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """The rejects that are no skips; these are counted by task and reason."""
    for reject in records(rejects):
        if is_skip(reject):
            skipped[_task_of(reject["inputs"]), reject["message"]] += 1
        else:
            yield reject


def _task_of(inputs: str | None) -> str:
    try:
        return str(json.loads(inputs or "{}").get("task_name", ""))
    except (ValueError, RecursionError, AttributeError):
        return ""
