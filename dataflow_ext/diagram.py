"""A pipeline's wiring to look at: which step hands which columns to which, as a Mermaid diagram and as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataflow_ext.wiring import Names

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


def mermaid(steps: Sequence[Names]) -> str:
    """The wiring as Mermaid, which GitHub, GitLab and notebooks draw."""
    lines = ["flowchart TD", "  s0([input])"]
    lines += [f'  s{number}["{number}. {step.operator}"]' for number, step in enumerate(steps, 1)]
    for (start, end), names in arrows(steps).items():
        more = f", {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        lines.append(f'  s{start} -- "{", ".join(names[:_NAMED])}{more}" --> s{end}')
    return "\n".join(lines)


def html(steps: Sequence[Names], warnings: Sequence[str]) -> str:
    """A table of the steps: what each reads, from where, and what it writes; then what nobody reads."""
    by_end: dict[int, list[str]] = {}
    for (start, end), names in arrows(steps).items():
        by_end.setdefault(end, []).append(f"{start or 'input'} → {', '.join(names)}")
    rows = [
        (
            f"{number}. {step.operator}",
            "\n".join(by_end.get(number, [])),
            ", ".join(n for n, _ in step.outputs.values()),
        )
        for number, step in enumerate(steps, 1)
    ]
    cells = "".join(f"<tr>{''.join(f'<td {_CELL}>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    told = "".join(f"<p>{escape(warning)}</p>" for warning in warnings)
    return f"<table><tr><th>step</th><th>reads</th><th>writes</th></tr>{cells}</table>{told}"


_CELL = 'style="text-align:left;vertical-align:top;white-space:pre-wrap"'
