"""The wiring of a pipeline: which columns flow from step to step, proved before anything runs, and drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from html import escape
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import arrow_type, compatible, show_type
from dataflow_ext.identity import PARENTS, ROW_ID
from dataflow_ext.lazy import offered
from dataflow_ext.rejects import REJECT, split
from dataflow_ext.tables import input_table

#: So many columns stand on an arrow by name.
_NAMED = 4


def arrows(steps: Sequence[Names]) -> Mapping[tuple[int, int], list[str]]:
    """The columns that go from a step to one that reads them, steps counted from 1; 0 is the table that comes in."""
    made: dict[str, int] = {}
    found: dict[tuple[int, int], list[str]] = {}
    for number, step in enumerate(steps, 1):
        for name, _ in step.inputs.values():
            found.setdefault((made.get(name, 0), number), []).append(name)
        made |= dict.fromkeys((name for name, _ in step.outputs.values()), number)
    return found


_CELL = 'style="text-align:left;vertical-align:top;white-space:pre-wrap"'


@dataclass(frozen=True, slots=True)
class Names:
    """One step's columns under their real names: declared name → (name in the table, type)."""

    number: int
    operator: str
    inputs: Mapping[str, tuple[str, pa.DataType | None]]
    outputs: Mapping[str, tuple[str, pa.DataType]]
    rows: str
    keep: tuple[str, ...]
    key: tuple[str, ...]
    #: Declared outputs that are for the record, not for later steps.
    record: tuple[str, ...] = ()
    #: The module of the operator's class.
    home: str = ""

    def __str__(self) -> str:
        return f"Step {self.number} ({self.operator})" if self.number else self.operator


@dataclass(frozen=True, slots=True)
class Wiring:
    """What :func:`dataflow_ext.check` proved: the schema after each step, and outputs nobody uses.

    A notebook shows it as a table of the steps with what each reads, from where, and writes.
    """

    schemas: list[pa.Schema]
    warnings: list[str]
    steps: Sequence[Names] = ()

    @property
    def schema(self) -> pa.Schema:
        """The schema of the last step's table."""
        return self.schemas[-1]

    def mermaid(self) -> str:
        """The columns' way from step to step as a Mermaid diagram, which GitHub, GitLab and notebooks draw."""
        lines = ["flowchart TD", "  s0([input])"]
        lines += [f'  s{number}["{number}. {step.operator}"]' for number, step in enumerate(self.steps, 1)]
        for (start, end), names in arrows(self.steps).items():
            more = f", {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            lines.append(f'  s{start} -- "{", ".join(names[:_NAMED])}{more}" --> s{end}')
        return "\n".join(lines)

    def __repr__(self) -> str:
        steps = " → ".join(["input", *(f"{number}. {step.operator}" for number, step in enumerate(self.steps, 1))])
        return "\n".join([f"{steps}: {', '.join(self.schema.names)}", *self.warnings])

    def _repr_html_(self) -> str:
        """A table of the steps: what each reads, from where, and what it writes; then what nobody reads."""
        by_end: dict[int, list[str]] = {}
        for (start, end), names in arrows(self.steps).items():
            by_end.setdefault(end, []).append(f"{start or 'input'} → {', '.join(names)}")
        rows = [
            (
                f"{number}. {step.operator}",
                "\n".join(by_end.get(number, [])),
                ", ".join(n for n, _ in step.outputs.values()),
            )
            for number, step in enumerate(self.steps, 1)
        ]
        cells = "".join(f"<tr>{''.join(f'<td {_CELL}>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        told = "".join(f"<p>{escape(warning)}</p>" for warning in self.warnings)
        return f"<table><tr><th>step</th><th>reads</th><th>writes</th></tr>{cells}</table>{told}"


def flow(step: Names, schema: pa.Schema) -> tuple[pa.Schema, list[str]]:
    """The schema that a step makes of ``schema``, and its errors: missing, wrong type, overwritten."""
    errors: list[str] = []
    have = {f.name: f.type for f in schema}
    missing = {declared: column for declared, column in step.inputs.items() if column[0] not in have}
    if missing:
        errors.append(_missing(step, missing, have))
    for declared, (name, wanted) in step.inputs.items():
        if name in have and wanted is not None and not compatible(have[name], wanted):
            errors.append(
                f"{step} needs column '{name}' as {show_type(wanted)}, but the table has it as "
                f"{show_type(have[name])}; cast it before this step or read another column with "
                f"reads={{'{declared}': '…'}}."
            )
    return _after(step, have), [*errors, *_overwritten(step, have)]


def prove(steps: Sequence[Names], schema: pa.Schema) -> tuple[Wiring, list[str]]:
    """The flow of columns through all steps, with every error of every step."""
    errors: list[str] = []
    if ROW_ID not in schema.names:  # every table that runs gets one
        schema = schema.insert(0, pa.field(ROW_ID, pa.string()))
    schemas = [schema]
    for step in steps:
        after, wrong = flow(step, schemas[-1])
        errors += wrong
        schemas.append(after)
    return Wiring(schemas, list(_unused(steps, schemas)), tuple(steps)), errors


def as_schema(source: Any) -> pa.Schema:
    """A schema from a schema, a map of names to declared types, or anything that is or makes a table."""
    if isinstance(source, pa.Schema):
        return source
    if isinstance(source, Mapping):
        return pa.schema([(name, arrow_type(t)) for name, t in source.items()])
    return split(input_table(source))[0].schema


def _missing(step: Names, missing: Mapping[str, tuple[str, pa.DataType | None]], have: Mapping[str, Any]) -> str:
    """The sentence on all columns that a step misses, with who writes most of them or what they may be called."""
    named = [f"'{n}'" if wanted is None else f"'{n}' ({show_type(wanted)})" for n, wanted in missing.values()]
    rest = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    there = [n for n in have if n not in (ROW_ID, REJECT, PARENTS)]
    one, declared = len(named) == 1, next(iter(missing))
    writer, written = _writer(step, missing)
    if writer:
        some = f"'{written[0]}'" if len(written) == 1 else f"{len(written)} of them"
        which = "it" if one else "them" if len(written) == len(named) else some
        remedy = f"put {writer}, which writes {which}, before this step"
    else:
        remedy = f"add an operator that writes {'it' if one else 'them'} before this step"
    # Where a whole step is missing, what is called nearly alike is something else.
    misspelt = [] if writer and not one else [n for n, _ in missing.values()]
    near = dict.fromkeys(close for n in misspelt for close in get_close_matches(n, there, n=1))
    meant = f" (did you mean {', '.join(map(repr, [*near][:_NAMED]))}?)" if near else ""
    return (
        f"{step} needs column{'' if one else 's'} {', '.join(named[:_NAMED])}{rest}, but the table has "
        f"{', '.join(there) or 'no columns'}{meant}; {remedy}, or read "
        f"{'another column' if one else 'other columns'} with reads={{'{declared}': '…'{'' if one else ', …'}}}."
    )


def _writer(step: Names, missing: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
    """The operator of a step's family that writes most of the columns that it misses, by its name, and which."""
    package = sys.modules.get(step.home.partition(".")[0])
    family = step.home.rpartition(".")[0]
    found: dict[str, list[str]] = {}
    for name, home in offered(getattr(package, "__spec__", None)).items():
        if home.rpartition(".")[0] == family and name != step.operator:
            with suppress(ImportError):  # of what is not installed
                other = getattr(package, name)
                reads, writes = (getattr(other, side, {}) for side in ("inputs", "outputs"))
                found[name] = [column for column, _ in missing.values() if column in writes and column not in reads]
    best = max(found, key=lambda name: len(found[name]), default="")
    return (best, found[best]) if found.get(best) else ("", ())


def _overwritten(step: Names, have: Mapping[str, pa.DataType]) -> Iterable[str]:
    read = dict(step.inputs.values())
    gone = set(have) - {ROW_ID, *step.key} if step.rows == "whole" else set()
    if step.rows == "explode":
        gone = set(read) - set(step.keep)
    for declared, (name, dtype) in step.outputs.items():
        if [n for n, _ in step.outputs.values()].count(name) > 1:
            yield f"{step} writes column '{name}' more than once; use writes={{'{declared}': '…'}}."
        elif name in (ROW_ID, REJECT, PARENTS):
            yield f"{step} writes column '{name}', which is reserved; use writes={{'{declared}': '…'}}."
        elif name in have and name not in gone and not (name in read and compatible(have[name], dtype)):
            yield (
                f"{step} would overwrite column '{name}' ({show_type(have[name])}) with "
                f"{show_type(dtype)}; give its output another name with writes={{'{declared}': '…'}}."
            )


def _after(step: Names, have: Mapping[str, pa.DataType]) -> pa.Schema:
    consumed = {name for name, _ in step.inputs.values()} - set(step.keep)
    if step.rows == "whole":
        left = {n: t for n, t in have.items() if n in (ROW_ID, *step.key)}
        left[PARENTS] = pa.list_(pa.string())
    elif step.rows == "explode":
        left = {n: t for n, t in have.items() if n not in consumed}
    else:
        left = dict(have)
    left.setdefault(ROW_ID, pa.string())
    left.update(dict(step.outputs.values()))
    return pa.schema(list(left.items()))


def _unused(steps: Sequence[Names], schemas: Sequence[pa.Schema]) -> Iterable[str]:
    """Outputs that a later step drops without any step having read them."""
    for i, step in enumerate(steps):
        for name, dtype in (column for declared, column in step.outputs.items() if declared not in step.record):
            for j in range(i + 1, len(steps)):
                if name in {n for n, _ in steps[j].inputs.values()}:
                    break
                if name not in schemas[j + 1].names:
                    yield (
                        f"{step} writes column '{name}' ({show_type(dtype)}), but no step reads it before "
                        f"{steps[j]} drops it; leave the step out, or keep the column there."
                    )
                    break
