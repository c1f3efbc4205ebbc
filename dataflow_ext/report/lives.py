"""A row's life as a page shows it: what each step read and wrote, prompts and replies, and why it was rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report.parts import Part, badge, el, facts, fields, folded, short, words
from dataflow_ext.report.rejects import spelled

if TYPE_CHECKING:
    from dataflow_ext.trace import Trace, TraceStep

#: Gives the lives of rows by their keys, so many of them with their calls.
Traces: TypeAlias = "Callable[[Iterable[str], int], Mapping[str, Trace]]"

#: Rows of a list that have their lives in the page: those with a doubt first, those that are shown first, some of all.
DOUBTFUL, FIRST, ELSEWHERE = 20, 10, 10
#: Rows that have their calls: to find these, steps are done again.
_CALLED = 4
#: Letters of all lives of a list, of a prompt or a reply, of a text, of another value, and of one that is short enough
#: to be repeated; rows that a step has before and behind it.
_LETTERS, _ASKED, _TEXT, _VALUE, _BRIEF, _ROWS = 3_000_000, 20_000, 2_000, 600, 80, 8


def lives(traces: Traces, keys: Sequence[str], doubtful: Sequence[str]) -> dict[str, list[Part]]:
    """The lives of some of a list's rows, by key, as many as a page has room for."""
    some = dict.fromkeys([*doubtful[:DOUBTFUL], *keys[:FIRST], *keys[:: max(1, len(keys) // ELSEWHERE)]])
    made: dict[str, list[Part]] = {}
    left = _LETTERS
    for key, trace in traces(some, _CALLED).items():
        parts = life(trace)
        if (letters := len(repr(parts))) <= left:
            left -= letters
            made[key] = parts
    return made


def life(trace: Trace) -> list[Part]:
    """The steps of a life, each folded up; a value that an earlier step has shown is not shown again."""
    seen: dict[tuple[str, str], int] = {}
    return [*_source(trace.source), *(_step(step, seen) for step in trace.steps)]


def _source(rows: Sequence[Mapping[str, Any]]) -> list[Part]:
    """What came in beside that which the steps read."""
    parts: list[Part] = []
    for row in rows[:_ROWS] if any(len(row) > 1 for row in rows) else ():
        parts += [facts(f"came in {row.get(ROW_ID, '')}"), fields(_values(row, 0, {}))]
    return [folded("0. what else came in", *parts, note=f"{len(rows)} in")] if parts else []


def _step(step: TraceStep, seen: dict[tuple[str, str], int]) -> Part:
    counts = [f"{len(step.inputs)} in", f"{len(step.outputs)} out"]
    counts += [f"{len(step.asked)} asked"] if step.asked else []
    counts += [f"{len(step.rejects)} rejected"] if step.rejects else []
    parts: list[Part] = []
    for what, rows in (("read", step.inputs), ("wrote", step.outputs)):
        for row in rows[:_ROWS]:
            parts += [facts(f"{what} {row.get(ROW_ID, '')}"), fields(_values(row, step.step, seen))]
        parts += [facts(f"… and {len(rows) - _ROWS:,} more rows")] if len(rows) > _ROWS else []
    parts += [facts("asked a model: rowsmith trace tells what, and the reply")] if step.asked is None else []
    for call in step.asked or ():
        parts += [facts(f"asked {call.model}"), words(call.prompt, "pre text", _ASKED)]
        parts += [facts("replied"), words(call.reply, "pre text", _ASKED)]
    parts += [el("p", badge(each["kind"], "bad"), f" {each['message']}") for each in step.rejects[:_ROWS]]
    parts += [facts(f"… and {len(step.rejects) - _ROWS:,} more rejects")] if len(step.rejects) > _ROWS else []
    return folded(f"{step.step}. {step.operator}", *parts, note=", ".join(counts))


def _values(row: Mapping[str, Any], step: int, seen: dict[tuple[str, str], int]) -> Iterator[tuple[Part, Part]]:
    for name, value in row.items():
        text = spelled(value) or spelled(None)
        shown = seen.setdefault((name, text), step)
        most = _TEXT if isinstance(value, str) else _VALUE
        told = (
            words(short(text, most)) if shown == step or len(text) < _BRIEF else words(f"as in step {shown}", "quiet")
        )
        if name != ROW_ID:
            yield name, told
