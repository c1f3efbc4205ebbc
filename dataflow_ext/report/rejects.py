"""Rejects as a page lists them, and a row's life: what each step read, asked and wrote, and why it was rejected."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report.listing import Facet, Listing, ShownRow
from dataflow_ext.report.parts import Part, badge, el, facts, fields, folded, title, words
from dataflow_ext.tables import records
from dataflow_ext.well_formed import short

if TYPE_CHECKING:
    from dataflow_ext.trace import Trace, TraceStep

#: Mends a text for people.
Told: TypeAlias = Callable[[str], str]

#: Inputs of a reject that a page shows, and the letters of each.
_LINES, _LONG = 30, 2_000

#: Gives the lives of rows by their keys, so many of them with their calls, and so many items of each list.
Traces: TypeAlias = "Callable[[Iterable[str], int, int], Mapping[str, Trace]]"

#: Rows of a list that have their lives in the page: those with a doubt first, those that are shown first, some of all.
DOUBTFUL, FIRST, ELSEWHERE = 20, 10, 10
#: Rows that have their calls: to find these, steps are done again.
_CALLED = 4
#: Letters of all lives of a list, of a prompt or a reply, of a text, of another value, and of one that is short enough
#: to be repeated; rows that a step has before and behind it.
_LETTERS, _ASKED, _TEXT, _VALUE, _BRIEF, _ROWS = 3_000_000, 20_000, 2_000, 600, 80, 8


#: The code of a rule at a message's beginning, which may stand behind a file and its line.
_CODE = re.compile(r"(?:.{0,400}, line \d+: )?([a-z]+\.[a-z_]+): ", re.DOTALL)


def code_of(reject: Mapping[str, Any], codes: Collection[str]) -> str:
    """The code of the first rule that a reject broke, one of these; "" without one.

    >>> code_of({"message": "a.jsonl, line 3: row.shape: no object"}, {"row.shape"})
    'row.shape'
    """
    found = _CODE.match(reject["message"])
    return found[1] if found is not None and found[1] in codes else ""


def by_reason(rejects: Iterable[Mapping[str, Any]], codes: Collection[str] = ()) -> list[dict[str, Any]]:
    """The rejects counted by operator, error, code and kind, the most frequent first, each with an example."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    examples: dict[tuple[str, str, str, str], str] = {}
    for reject in rejects:
        reason = reject["operator"], reject["error"], code_of(reject, codes), reject["kind"]
        counts[reason] += 1
        examples[reason] = min(examples.get(reason, reject["message"]), reject["message"])
    names = ("operator", "error", "code", "kind")
    return [
        {**dict(zip(names, reason, strict=True)), "count": count, "example": examples[reason]}
        for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def rejects_listing(
    rejects: pa.Table | Iterable[Mapping[str, Any]],
    shown: Callable[[Mapping[str, Any]], Sequence[Part]] | None = None,
    told: Told = str,
    reason: Callable[[Mapping[str, Any]], str] = lambda reject: reject["error"] or "",
) -> Listing:
    """The rejects as a list of a page, each with its inputs in words.

    ``shown`` gives what a pipeline puts above these, such as pictures; ``told`` mends messages and inputs, such as
    paths in them; ``reason`` is what they are filtered by, the error's name if nothing else.
    """

    def rows() -> Iterator[ShownRow]:
        for place, reject in enumerate(records(rejects) if isinstance(rejects, pa.Table) else rejects):
            inputs = inputs_of(reject, told)
            message = told(reject["message"] or "")
            words = "\n".join([message, *(f"{name}: {value}" for name, value in inputs)])
            yield ShownRow(
                reject.get("id") or reject.get(ROW_ID) or str(place),
                _body(reject, message, inputs, shown(reject) if shown else ()),
                {"reject": words},
                look="bad" if reject["kind"] == "failed" else "",
                values={
                    name: [(value,)] if value else []
                    for name, value in (
                        ("kind", reject["kind"]),
                        ("reason", reason(reject)),
                        ("operator", reject["operator"]),
                    )
                },
            )

    facets = (Facet("kind", "Kind"), Facet("reason", "Reason"), Facet("operator", "Step"))
    return Listing("rejects", "Rejects", rows(), facets)


def _body(
    reject: Mapping[str, Any], message: str, inputs: Sequence[tuple[str, str]], more: Sequence[Part]
) -> list[Part]:
    attempts = f"{reject['attempts']} attempts" if (reject["attempts"] or 1) > 1 else None
    where = f"step {reject['step']}, {reject['operator']}"
    parts: list[Part] = [
        *more,
        title(message, badge(reject["kind"] or "", "bad" if reject["kind"] == "failed" else "")),
        facts(where, reject["error"], attempts),
    ]
    if inputs:
        parts.append(folded("Its inputs", fields((name, words(value)) for name, value in inputs)))
    return parts


def inputs_of(reject: Mapping[str, Any], told: Told = str) -> list[tuple[str, str]]:
    """A reject's inputs by name, each as words, without empty ones; what is no JSON object, as it can be read.

    >>> inputs_of({"inputs": '{"text": "abc", "n": [1, "b"], "model": null}'})
    [('text', 'abc'), ('n', '1, b')]
    """
    text = told(reject["inputs"] or "")
    try:
        made = json.loads(text or "{}")
    except (ValueError, RecursionError):
        made = None
    if not isinstance(made, dict):
        return [("inputs", short(text, _LONG))]
    given = [(str(name), value) for name, value in made.items() if value not in (None, "", [], {})]
    return [(name, short(spelled(value), _LONG)) for name, value in given[:_LINES]]


def spelled(value: Any) -> str:
    """A value as a person reads it: texts as they are, lists of such by commas, all else as JSON.

    >>> spelled({"a": 1}), spelled(["x", 2]), spelled(True)
    ('{"a": 1}', 'x, 2', 'yes')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)) and not any(isinstance(each, (list, tuple, dict)) for each in value):
        return ", ".join(map(spelled, value))
    return json.dumps(value, ensure_ascii=False, default=bare)


def bare(value: Any) -> str:
    """A value that JSON has no form for, as a text."""
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value)


#: The texts of lists and dicts, by their place in memory, which is theirs as long as they are kept beside it.
_Spelt = dict[int, tuple[str, Any]]


def lives(traces: Traces, keys: Sequence[str], doubtful: Sequence[str]) -> dict[str, list[Part]]:
    """The lives of some of a list's rows, by key, as many as a page has room for."""
    some = dict.fromkeys([*doubtful[:DOUBTFUL], *keys[:FIRST], *keys[:: max(1, len(keys) // ELSEWHERE)]])
    made: dict[str, list[Part]] = {}
    left = _LETTERS
    spelt: _Spelt = {}
    for key, trace in traces(some, _CALLED, _VALUE).items():  # an item takes a letter at least
        parts = life(trace, spelt)
        if (letters := len(repr(parts))) <= left:
            left -= letters
            made[key] = parts
    return made


def life(trace: Trace, spelt: _Spelt | None = None) -> list[Part]:
    """The steps of a life, each folded up; a value that an earlier step has shown is not shown again.

    ``spelt`` takes the texts of the values for other lives, in which many of them are the same.
    """
    seen: dict[tuple[str, str], int] = {}
    spelt = {} if spelt is None else spelt
    return [*_source(trace.source), *(_step(step, seen, spelt) for step in trace.steps)]


def _source(rows: Sequence[Mapping[str, Any]]) -> list[Part]:
    """What came in beside that which the steps read."""
    parts: list[Part] = []
    for row in rows[:_ROWS] if any(len(row) > 1 for row in rows) else ():
        parts += [facts(f"came in {row.get(ROW_ID, '')}"), fields(_values(row, 0, {}, {}))]
    return [folded("0. what else came in", *parts, note=f"{len(rows)} in")] if parts else []


def _step(step: TraceStep, seen: dict[tuple[str, str], int], spelt: _Spelt) -> Part:
    counts = [f"{len(step.inputs)} in", f"{len(step.outputs)} out"]
    counts += [f"{len(step.asked)} asked"] if step.asked else []
    counts += [f"{len(step.rejects)} rejected"] if step.rejects else []
    parts: list[Part] = []
    for what, rows in (("read", step.inputs), ("wrote", step.outputs)):
        for row in rows[:_ROWS]:
            parts += [facts(f"{what} {row.get(ROW_ID, '')}"), fields(_values(row, step.step, seen, spelt))]
        parts += [facts(f"… and {len(rows) - _ROWS:,} more rows")] if len(rows) > _ROWS else []
    parts += [facts("asked a model: rowsmith trace tells what, and the reply")] if step.asked is None else []
    for call in step.asked or ():
        parts += [facts(f"asked {call.model}"), words(call.prompt, "pre text", _ASKED)]
        parts += [facts("replied"), words(call.reply, "pre text", _ASKED)]
    parts += [el("p", badge(each["kind"], "bad"), f" {each['message']}") for each in step.rejects[:_ROWS]]
    parts += [facts(f"… and {len(step.rejects) - _ROWS:,} more rejects")] if len(step.rejects) > _ROWS else []
    return folded(f"{step.step}. {step.operator}", *parts, note=", ".join(counts))


def _values(
    row: Mapping[str, Any], step: int, seen: dict[tuple[str, str], int], spelt: _Spelt
) -> Iterator[tuple[Part, Part]]:
    for name, value in row.items():
        known = spelt.get(id(value))
        text = known[0] if known is not None else spelled(value) or spelled(None)
        if known is None and isinstance(value, (list, dict)):
            spelt[id(value)] = text, value
        shown = seen.setdefault((name, text), step)
        most = _TEXT if isinstance(value, str) else _VALUE
        told = (
            words(short(text, most)) if shown == step or len(text) < _BRIEF else words(f"as in step {shown}", "quiet")
        )
        if name != ROW_ID:
            yield name, told
