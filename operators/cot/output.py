"""What a run tells of its samples: the figures, and the page with pictures and required sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, filter_link, rejects_listing, write_report
from dataflow_ext.report.figures import counts_of, spread, values_of
from dataflow_ext.report.parts import (
    Part,
    Pictures,
    badge,
    cut,
    el,
    facts,
    fields,
    figure,
    folded,
    grid,
    spoken,
    tally,
    words,
)
from dataflow_ext.report.rejects import by_reason, code_of
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


_FACETS = (
    Facet("task", "Tasks", contents=True),
    Facet("evidence", "Evidence"),
    Facet("by", "Written by"),
    Facet("mended", "Mended"),
    Facet("plan", "Plans"),
)
_TALLIES = {
    "evidence": "Evidence",
    "generators": "Written by",
    "recovery_labels": "Retry or continue",
    "flaw_types": "Flaws",
    "mended": "Mended in replies",
}


def write_page(
    table: pa.Table, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path, *, root: Path
) -> Path:
    """The path of ``out/report.html``; see ``dataflow_ext.report.page``.

    ``table`` has the finished samples, with ``anchors`` and ``mended`` if the run made them; ``rejects`` and
    ``report`` are those of its result, ``figures`` those of :func:`~operators.cot.output.stats`, and
    ``root`` the folder below which pictures lie.
    """
    root = Path(root).absolute()
    pictures = Pictures(out, root)
    some = figures["skipped"] or figures["rejects"]
    nothing = f"There is no sample{'; what was skipped and rejected says why' if some else ''}."
    listings = [Listing("rows", "Samples", _rows(table, root, pictures), _FACETS, nothing=nothing)]
    if rejects.num_rows:
        listings.append(rejects_listing(rejects, reason=_reason))
    page = Page(
        title=root.name or "Causal plans",
        kind="Chain-of-thought samples",
        listings=listings,
        figures=_figures(figures),
        head=_head(figures),
        foot=[el("p", "Figures: ", el("a", "stats.json", href="stats.json"), ".")],
    )
    return write_report(page, out, report)


def _reason(reject: Mapping[str, Any]) -> str:
    """The first broken rule, or else the error."""
    return "skipped" if is_skip(reject) else code_of(reject, CODES) or reject["error"]


def _figures(figures: Mapping[str, Any]) -> list[Part]:
    rejected = sum(reason["count"] for reason in figures["rejects"])
    made, plans = figures["samples"], figures["items"]
    shown = [
        figure(made, f"sample{'' if made == 1 else 's'}", "good", "#list=rows"),
        figure(plans, f"plan{'' if plans == 1 else 's'}"),
        figure(f"{sum(map(bool, figures['tasks'].values()))} of {len(figures['tasks'])}", "tasks"),
        figure(sum(skip["count"] for skip in figures["skipped"]), "skipped", "", "#list=rejects"),
        figure(rejected, "rejected", "bad" if rejected else "", "#list=rejects"),
    ]
    if told := figures["words"]:
        shown.append(figure(f"{told['median']:g}", f"words of reasoning ({told['min']} to {told['max']})"))
    return shown


def _head(figures: Mapping[str, Any]) -> list[Part]:
    skipped: Counter[str] = Counter()
    for skip in figures["skipped"]:
        skipped[skip["task"]] += skip["count"]
    rows = []
    for task, count in figures["tasks"].items():
        letters = ", ".join(f"{letter} {n:,}" for letter, n in figures["letters"].get(task, {}).items())
        name = el("a", spoken(task), href=filter_link("rows", task=spoken(task))) if count else spoken(task)
        rows.append((name, count, skipped[task], letters))
    tallies = [tally(name, figures[key]) for key, name in _TALLIES.items() if figures[key]]
    parts = [
        folded("Tasks", grid(("Task", "Samples", "Skipped", "Right answers"), rows), note=str(len(rows))),
        folded("Figures", el("div", *tallies, look="tallies"), note="evidence, flaws, who wrote"),
    ]
    if figures["skipped"]:
        told = [(spoken(skip["task"]), skip["reason"], skip["count"]) for skip in figures["skipped"]]
        note = el("p", "Samples that the plans, or their pictures, do not support.", look="quiet")
        parts.append(
            folded("Skipped", note, grid(("Task", "Reason", "Count"), told, left=2), note=f"{skipped.total():,}")
        )
    return parts


def _rows(table: pa.Table, root: Path, pictures: Pictures) -> Iterator[ShownRow]:
    """The samples of each task, by their ids, which are as good as random."""
    order = pc.sort_indices(table, sort_keys=[("task_name", "ascending"), ("id", "ascending")])
    return (_row(row, root, pictures) for row in records(table.take(order)))


def _row(row: Mapping[str, Any], root: Path, pictures: Pictures) -> ShownRow:
    reasoning, answer = reasoning_of(row["response"])
    by = " ".join(filter(None, (row["assistant_generator"][key] for key in ("type", "model_name"))))
    mended, task = row.get("mended") or (), spoken(row["task_name"])
    badges = [badge(spoken(row["evidence_type"])), badge(by), *(badge(note, "check") for note in mended)]
    shots = [pictures.of(root / path, path.rpartition("/")[2]) for path in row["image"]]
    told = _told_fields(row["fields"])
    body = [
        el(
            "p",
            f"{row['source_path']} · step {row['step_index']} ",
            *(p for each in badges for p in (each, " ")),
            look="facts",
        ),
        *([el("div", *shots, look="strip small")] if shots else []),
        facts(f"Video: {row['video']}") if row["video"] else "",
        words(row["question"], "text strong"),
        el("div", *_reasoning(reasoning, row.get("anchors") or ()), look="text"),
        words(answer, "part answer text"),
        folded(
            "Fields",
            fields((name, words(value)) for name, value in told.items()),
            facts(row["id"]),
            is_open="options" in told,
        ),
    ]
    return ShownRow(
        row["id"],
        [part for part in body if part],
        {"question": row["question"], "reasoning": reasoning, "answer": answer, "fields": "\n".join(told.values()),
         "source": f"{row['source_path']} {row['id']}"},
        heading=task,
        values={
            "task": [(task,)],
            "evidence": [(spoken(row["evidence_type"]),)],
            "by": [(by,)],
            "mended": [(note,) for note in mended],
            "plan": [(row["source_path"],)],
        },
    )  # fmt: skip


def _reasoning(text: str, anchors: Any) -> Iterator[Part]:
    """The reasoning with its required sentences marked."""
    for piece, required in pieces_of(text, anchors):
        if required:
            yield el("mark", *cut(piece))
        else:
            yield from cut(piece)


def pieces_of(reasoning: str, anchors: Sequence[str]) -> list[tuple[str, bool]]:
    """The reasoning cut at its required sentences: texts in their order, and whether each is such a sentence.

    >>> pieces_of("First. The cup must be clean. So B.", ["The cup must be clean.", "Missing."])
    [('First. ', False), ('The cup must be clean.', True), (' So B.', False)]
    """
    pieces: list[tuple[str, bool]] = []
    place = 0
    for anchor in anchors:
        start = reasoning.find(anchor, place) if anchor else -1
        if start >= 0:
            pieces += [(reasoning[place:start], False), (anchor, True)]
            place = start + len(anchor)
    pieces.append((reasoning[place:], False))
    return [(text, required) for text, required in pieces if text]


def _told_fields(text: str) -> dict[str, str]:
    """Each field as text, lists and objects as JSON."""
    told = json.loads(text)
    return {key: value if isinstance(value, str) else _json(value) for key, value in told.items()}


def _json(value: object) -> str:
    if isinstance(value, list) and len(value) > 1 and all(isinstance(each, str) for each in value):
        return "\n".join(f"{place}. {each}" for place, each in enumerate(value, 1))
    return json.dumps(value, ensure_ascii=False, indent=None if not isinstance(value, dict) else 1)
