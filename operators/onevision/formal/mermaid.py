"""Mermaid: flow charts in full, and the plain forms of sequences, states, mind maps and pies."""

from __future__ import annotations

import re

from operators.onevision.formal import mermaid_flow
from operators.onevision.formal.mermaid_flow import Wrong

_FRONT = re.compile(r"---[ \t]*\n(?:(?!---)[^\n]*\n){0,40}---[ \t]*\n")
_FLOW = re.compile(r"(?:graph|flowchart)(?:[ \t]+(?:TB|TD|BT|RL|LR))?[ \t]*$")
_NAME = r"[\w.]+(?:[ \t-][\w.]+){0,6}"
_SEQUENCE = (
    re.compile(rf"(?:participant|actor)[ \t]+{_NAME}(?:[ \t]+as[ \t]+\S[^\n]*)?$"),
    re.compile(rf"{_NAME}[ \t]*(?:-->>|->>|-->|->|--x|-x|--\)|-\))[+-]?[ \t]*{_NAME}[ \t]*:[ \t]*\S[^\n]*$"),
    re.compile(rf"note[ \t]+(?:left of|right of|over)[ \t]+{_NAME}(?:,[ \t]*{_NAME})?[ \t]*:[^\n]*$", re.IGNORECASE),
    re.compile(rf"(?:de)?activate[ \t]+{_NAME}$"),
    re.compile(r"(?:autonumber|else|and|title)(?:[ \t:][^\n]*)?$"),
)
_STATE = (
    re.compile(r"(?:\[\*\]|[\w.]+)[ \t]*-->[ \t]*(?:\[\*\]|[\w.]+)(?:[ \t]*:[ \t]*\S[^\n]*)?$"),
    re.compile(r"state[ \t]+(?:\"[^\"\n]+\"[ \t]+as[ \t]+[\w.]+|[\w.]+(?:[ \t]+<<(?:choice|fork|join)>>)?)$"),
    re.compile(r"[\w.]+(?:[ \t]*:[ \t]*\S[^\n]*)?$"),
    re.compile(r"direction[ \t]+(?:TB|TD|BT|RL|LR)$"),
    re.compile(r"note[ \t]+(?:left|right) of[ \t]+[\w.]+[ \t]*:[^\n]*$"),
)
_PIE = (re.compile(r"\"[^\"\n]+\"[ \t]*:[ \t]*\d{1,12}(?:\.\d{1,12})?$"), re.compile(r"title[ \t]+\S[^\n]*$"))
_LABEL = re.compile(r"\"[^\"\n]*\"|\|[^|\n]*\||[^\W_][\w '’.,/%-]*")
_SYNTAX = frozenset(
    [
        "graph",
        "flowchart",
        "subgraph",
        "end",
        "direction",
        "classdef",
        "class",
        "style",
        "linkstyle",
        "sequencediagram",
        "statediagram",
        "mindmap",
        "pie",
        "participant",
        "actor",
        "note",
        "as",
        "over",
        "left",
        "right",
        "of",
        "title",
        "root",
        "state",
        "td",
        "tb",
        "bt",
        "rl",
        "lr",
    ]
)


def problem(code: str) -> str | None:
    """What keeps the code from being a Mermaid diagram.

    >>> problem('flowchart TD\\n  A["Start"] --> B{"x > 0?"}\\n  B -->|yes| C[End]') is None
    True
    >>> problem("graph LR\\n  A -->")
    'line 2: an arrow leads to no node'
    """
    front = _FRONT.match(code)
    text = code[front.end() :] if front else code
    lines = [
        (number, line.strip(), len(line) - len(line.lstrip()))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not line.lstrip().startswith("%%")
    ]
    if not lines:
        return "there is no line of a diagram"
    (_, head, _), body = lines[0], lines[1:]
    # A flow chart may begin on the line that names it.
    first, _, more = head.partition(";")
    try:
        if _FLOW.match(first):
            return mermaid_flow.problem([(1, more)] * bool(more.strip()) + [(n, line) for n, line, _ in body])
        return _others(head, body)
    except Wrong as error:
        return str(error)


def said(code: str) -> str:
    """Labels and names, without arrows and the words of the language."""
    words = (found[0].strip('"|') for found in _LABEL.finditer(code))
    return " ".join(each for words_ in words for each in words_.split() if each.lower() not in _SYNTAX)


def _others(head: str, body: list[tuple[int, str, int]]) -> str | None:
    kind = head.split()[0]
    lines = [(number, line) for number, line, _ in body]
    if kind == "mindmap" and head == kind:
        return _mindmap(body)
    if kind == "pie":
        rest = head.removeprefix("pie").strip().removeprefix("showData").strip()
        return _plain(([(1, rest)] if rest else []) + lines, _PIE, ())
    if head == "sequenceDiagram":
        return _plain(lines, _SEQUENCE, ("loop", "alt", "opt", "par", "rect", "critical", "break", "box"))
    if head in ("stateDiagram", "stateDiagram-v2"):
        return _plain(lines, _STATE, ())
    return f"the first line, {head[:40]!r}, names no diagram such as 'flowchart TD'"


def _plain(lines: list[tuple[int, str]], forms: tuple[re.Pattern[str], ...], blocks: tuple[str, ...]) -> str | None:
    """Each line of one of the forms; blocks are closed by ``end``, states by a brace."""
    if not any(not line.startswith("title") for _, line in lines):
        return "there is no statement in it"
    open_blocks = 0
    for number, line in lines:
        words = line.split()
        if line in ("end", "}"):
            open_blocks -= 1
            if open_blocks < 0:
                return f"line {number}: {line!r} closes nothing"
        elif words[0] in blocks or (words[0] == "state" and line.endswith("{")):
            open_blocks += 1
        elif not any(form.match(line) for form in forms):
            return f"line {number}: {line[:60]!r} is no statement of this diagram"
    return "a block is not closed" if open_blocks else None


def _mindmap(body: list[tuple[int, str, int]]) -> str | None:
    if not body:
        return "the mind map has no root"
    root = body[0][2]
    for number, line, indent in body:
        if indent <= root and (number, line, indent) != body[0]:
            return f"line {number}: a mind map has one root, the others stand further in"
        if not line.startswith(("::icon", ":::")):
            _, place = mermaid_flow.node(line, 0, number, spaces=True)
            if line[place:].strip():
                return f"line {number}: {line[:60]!r} is no node"
    return None
