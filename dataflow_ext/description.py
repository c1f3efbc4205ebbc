"""What an operator says of itself: the sections of its docstring, beside the columns and options that it declares."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from textwrap import indent, wrap
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin

from dataflow_ext.columns import arrow_type, show_type
from dataflow_ext.operator import Operator
from dataflow_ext.packages import DISTRIBUTION
from dataflow_ext.rows import RowOperator

#: The sections of an operator's docstring whose entries are "name, name: what it is".
LISTS = ("Reads", "Writes", "Options", "Rejects")
#: Those that are plain text.
TEXTS = ("Source", "Example")
_HEADING = re.compile(rf"^({'|'.join((*LISTS, *TEXTS))}):(?: (.*))?$")
#: A line that looks like a heading and is none.
_UNKNOWN = re.compile(rf"^(?!(?:{'|'.join((*LISTS, *TEXTS))}):)([A-Z][a-z]+):$", re.MULTILINE)
_ENTRY = re.compile(r"^    ([\w.]+(?:, [\w.]+)*): (.*)$")
_HEAD = """# Operators

What `rowsmith show` tells: all operators by family, each with the columns that it reads and writes, its options with
their defaults, and its rejects. All have `reads` and `writes` (other names for columns), `keep` and `depends` too; see
[Concepts](concepts.md).
"""
#: What each kind of operator does to rows, in words.
_KINDS = {
    "same": "a row for each row",
    "filter": "some of the rows",
    "explode": "any number of rows for a row",
    "whole": "one row for many",
}
#: The letters of a line of a manual, and the entries of a section from which on they share lines.
_WIDTH, _MANY = 116, 5
#: Columns that are read, and told of beside their types: more of them than this are only named.
_WALL = 19
_INDENTS: dict[str, Any] = {"initial_indent": "    ", "subsequent_indent": "        ", "break_on_hyphens": False}
#: What is told of a column that is passed on, changed or not, under the name by which it was read.
_ABOVE = "as above"


@dataclass(frozen=True, slots=True)
class Description:
    """An operator's docstring in parts: what comes out, then entries by section and name, then plain sections."""

    summary: str
    text: str
    entries: Mapping[str, Mapping[str, str]]
    plain: Mapping[str, str]


def described(operator: type[Operator]) -> Description:
    """The docstring of an operator in its parts.

    >>> from dataflow_ext import RowOperator
    >>> class Length(RowOperator):
    ...     '''The length of a text.
    ...
    ...     Reads:
    ...         text: any text.
    ...     Writes:
    ...         length: its letters.
    ...     '''
    ...     inputs, outputs = {"text": str}, {"length": int}
    ...     def row(self, text: str) -> int:
    ...         return {"length": len(text)}
    >>> dict(described(Length).entries["Writes"])
    {'length': 'its letters'}
    """
    parts: dict[str, list[str]] = {"": []}
    at = ""
    for line in _doc(operator).split("\n"):
        if heading := _HEADING.match(line):
            at, line = heading[1], heading[2] or ""
        parts.setdefault(at, []).append(line)
    summary, _, text = "\n".join(parts.pop("")).partition("\n\n")
    entries = {name: dict(_entries(parts[name])) for name in LISTS if name in parts}
    plain = {name: inspect.cleandoc("\n" + "\n".join(parts[name])) for name in parts if not entries.get(name)}
    return Description(
        " ".join(summary.split()),
        text.strip(),
        MappingProxyType(entries),
        MappingProxyType(plain),
    )


def undescribed(operator: type[Operator]) -> list[str]:
    """What the docstring leaves out, or tells of though it is not declared: one line each, none if all is told.

    An example is a part of it: without one there is the line ``no Example``.
    """
    declared, told = _declared(operator), described(operator)
    found = [] if "Example" in told.plain else ["no Example"]
    found += [
        f"{name} is no section; there are {', '.join((*LISTS, *TEXTS))}" for name in _UNKNOWN.findall(_doc(operator))
    ]
    for section, names in declared.items():
        found += [f"{section} does not tell of {name}" for name, (_, said) in names.items() if not said]
        wrong = [name for name in told.entries.get(section, {}) if name not in names]
        found += [f"{section} tells of {name}, which is not declared" for name in wrong]
    return found


def manual(operator: type[Operator]) -> str:
    """The docstring as ``help`` shows it: all columns and options, with what is said of them wherever it is written.

    Names of which the same is said stand together; sections of many entries are run on, and what many columns hold that
    are read is left to the catalogue, so that a screen holds them.
    Where nothing is said of any name it is the docstring as it stands.

    >>> from dataflow_ext import RowOperator
    >>> class Length(RowOperator):
    ...     '''The length of a text.'''
    ...     inputs, outputs = {"text": Annotated[str, "any text"]}, {"length": Annotated[int, "its letters"]}
    ...     def row(self, text: str) -> int:
    ...         return {"length": len(text)}
    >>> print(Length.__doc__)
    The length of a text.
    <BLANKLINE>
    Reads:
        text: any text.
    Writes:
        length: its letters.
    Options: none of its own.
    """
    told, declared = described(operator), _declared(operator)
    if not any(said for names in declared.values() for _, said in names.values()):
        return _doc(operator)
    lines = {section: {name: said for name, (_, said) in names.items()} for section, names in declared.items()}
    beside = [name for name, said in lines["Reads"].items() if said and name not in told.entries.get("Reads", {})]
    if len(beside) > _WALL:
        lines["Reads"] |= dict.fromkeys(beside, f"told by `{DISTRIBUTION} show {operator.__name__}`")
    read = lines["Reads"]
    lines["Writes"] = {n: _ABOVE if said and read.get(n) == said else said for n, said in lines["Writes"].items()}
    if "Rejects" in told.entries:
        lines["Rejects"] = dict(told.entries["Rejects"])
    parts = ["\n".join(wrap(told.summary, _WIDTH)), *([told.text] if told.text else [])]
    nothing = {"Reads": "none.", "Writes": "none.", "Options": "none of its own.", **told.plain}
    sections = [_listed(name, said) if said else _plain(name, nothing[name]) for name, said in lines.items()]
    sections += [_plain(name, told.plain[name]) for name in TEXTS if name in told.plain]
    return "\n\n".join([*parts, "\n".join(sections)])


def page(operator: type[Operator]) -> str:
    """A section of Markdown: what comes out, tables of columns, options and rejects, and an example."""
    told = described(operator)
    lines = [f"### {operator.__name__}", "", told.summary, "", *([told.text, ""] if told.text else [])]
    kind = "" if operator.rows not in _KINDS else f" Gives {_KINDS[operator.rows]}."
    home = operator.__module__
    package = "operators" if home.startswith("operators.") else home
    lines += [f"`from {package} import {operator.__name__}`.{kind}{_grouped(operator)}", ""]
    for section, names in _declared(operator).items():
        lines += _table(section, [(name, *said) for name, said in names.items()])
    lines += _table("Rejects", list(told.entries.get("Rejects", {}).items()))
    for section, text in told.plain.items():
        lines += [f"{section}: {text}", ""] if section != "Example" else []
    if example := told.plain.get("Example"):
        lines += ["```pycon", example, "```", ""]
    return "\n".join(lines)


def catalogue(operators: Iterable[type[Operator]]) -> str:
    """A page of Markdown: for each family a line an operator, then a section each."""
    families: dict[str, list[type[Operator]]] = {}
    for operator in operators:
        package, *rest = operator.__module__.split(".")
        families.setdefault(rest[0] if package == "operators" else package, []).append(operator)
    lines = [_HEAD]
    for family, members in families.items():
        lines += [f"## {family}", "", "| operator | what comes out |", "|---|---|"]
        lines += [f"| [{each.__name__}](#{each.__name__.lower()}) | {described(each).summary} |" for each in members]
        lines += ["", *map(page, members)]
    return "\n".join(lines)


def _grouped(operator: type[Operator]) -> str:
    """What the rows that are merged have in common, and how they are sorted."""
    if not operator.key:
        return ""
    order = ", ".join(getattr(operator, "order", ()))
    return f" Merges rows of equal {', '.join(operator.key)}{f', sorted by {order}' if order else ''}."


def own_options(operator: type[Operator]) -> list[str]:
    """The options of an operator beside those that all have."""
    return [name for name in operator.model_fields if name not in RowOperator.model_fields]


def _doc(operator: type[Operator]) -> str:
    return inspect.cleandoc(operator.__dict__.get("__doc__") or "")


def _declared(operator: type[Operator]) -> dict[str, dict[str, tuple[str, str]]]:
    """By section and name what a reader wants to know: a column's type or an option's default, and what it is.

    What is told of a column that is read holds for the one of its name that is written, too.
    """
    entries, fields = described(operator).entries, operator.model_fields
    reads, writes, options = (entries.get(section, {}) for section in ("Reads", "Writes", "Options"))
    return {
        "Reads": {name: (_shown(column), reads.get(name) or _said(column)) for name, column in operator.inputs.items()},
        "Writes": {
            name: (
                _shown(column),
                writes.get(name) or reads.get(name) or _said(column) or _said(operator.inputs.get(name)),
            )
            for name, column in operator.outputs.items()
        },
        "Options": {
            name: (_default(fields[name]), options.get(name) or fields[name].description or "")
            for name in own_options(operator)
        },
    }


def _shown(column: Any) -> str:
    return f"`{show_type(arrow_type(column))}`"


def _said(column: Any) -> str:
    """What a column that several operators share is, told once beside its type: ``Annotated[str, "a title"]``."""
    told = get_args(column)[1:] if get_origin(column) is Annotated else ()
    return next((each for each in told if isinstance(each, str)), "")


def _default(field: Any) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    return f"`{value.as_posix() if isinstance(value, Path) else value!r}`"


def _entries(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names with their text; names that are told of together have the same."""
    names: list[str] = []
    text = ""
    for line in [*lines, "    end: "]:
        if entry := _ENTRY.match(line):
            yield from ((name, text.removesuffix(".")) for name in names)
            names, text = entry[1].split(", "), entry[2].strip()
        else:
            text = f"{text} {line.strip()}".strip()


def _listed(section: str, told: Mapping[str, str]) -> str:
    """A section with a line for each text, or run on if these are many."""
    names: dict[str, list[str]] = {}
    for name, text in told.items():
        names.setdefault(text, []).append(name)
    entries = [f"{', '.join(each)}{': ' if text else ''}{text}" for text, each in names.items()]
    if len(entries) > _MANY:
        return "\n".join([f"{section}:", *wrap(f"{'. '.join(entries)}.", _WIDTH, **_INDENTS)])
    return "\n".join([f"{section}:", *chain.from_iterable(wrap(f"{each}.", _WIDTH, **_INDENTS) for each in entries)])


def _plain(section: str, text: str) -> str:
    if section == "Example":
        return f"{section}:\n{indent(text, '    ')}"
    return "\n".join(wrap(f"{section}: {text}", _WIDTH, subsequent_indent="    "))


def _table(title: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows under their title, names as code; nothing if there are none."""
    if not rows:
        return []
    lines = [f"| {' | '.join([title, *[''] * (len(rows[0]) - 1)])} |", f"|{'---|' * len(rows[0])}"]
    for name, *others in rows:
        lines.append(f"| {' | '.join([f'`{name}`', *(cell.replace('|', chr(92) + '|') for cell in others)])} |")
    return [*lines, ""]
