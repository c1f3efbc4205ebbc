"""Mermaid: flow charts in full, and the plain forms of sequences, states, mind maps and pies."""

from __future__ import annotations

import re

from operators.onevision.formal.plain import Wrong

_ID = re.compile(r"\w+(?:[.-](?![-.>])\w+)*")
_WORDS = re.compile(r"\w[^\[\](){}\n\"<>|;]*")
#: Brackets of a node's shape; longer ones first.
_SHAPES = (
    ("(((", ")))"), ("([", "])"), ("((", "))"), ("[[", "]]"), ("[(", ")]"), ("{{", "}}"), ("[/", "/]"), ("[/", "\\]"),
    ("[\\", "\\]"), ("[\\", "/]"), ("[", "]"), ("(", ")"), ("{", "}"), (">", "]"),
)  # fmt: skip
#: An arrow: with its label inside, such as ``-- yes -->``, or without one.
_ARROW = re.compile(
    r"[ \t]*(?:(?:<|[ox](?=[-=]))?(?:-{2,12}[>ox]|-{3,12}|-\.{1,12}-[>ox]?|={2,12}>|={3,12}|~{3,12})"
    r"|<?(?:--[ \t]*(?P<a>[^\s\->|][^\n|]{0,200}?)[ \t]*-{2,12}>?|-\.[ \t]*(?P<b>[^\n|]{1,200}?)[ \t]*\.-{1,12}>?"
    r"|==[ \t]*(?P<c>[^\s=>|][^\n|]{0,200}?)[ \t]*={2,12}>?))"
    r"(?:[ \t]*\|(?P<d>[^|\n]{0,400})\|)?[ \t]*"
)
_CLASS = re.compile(r":::[\w-]+")
_STYLE = re.compile(
    r"(?:classDef[ \t]+[\w,-]+|class[ \t]+[\w, -]+?|style[ \t]+[\w.-]+|linkStyle[ \t]+[\w, ]+?)[ \t]+[^\n]*$"
)
_DIRECTION = re.compile(r"direction[ \t]+(?:TB|TD|BT|RL|LR)$")
_RESERVED = ("end", "subgraph", "graph", "flowchart", "click", "direction")


def flow_problem(lines: list[tuple[int, str]]) -> str | None:
    """What is wrong with the numbered lines behind ``flowchart TD``; :class:`Wrong` or its text."""
    depth = nodes = 0
    for number, line in lines:
        for statement in _statements(line):
            if statement.startswith("subgraph"):
                depth += 1
                _title(statement.removeprefix("subgraph").strip(), number)
            elif statement == "end":
                depth -= 1
                if depth < 0:
                    raise Wrong(f"line {number}: 'end' closes nothing")
            elif _DIRECTION.match(statement) or _STYLE.match(statement):
                continue
            else:
                nodes += _chain(statement, number)
    if depth:
        raise Wrong("a subgraph has no 'end'")
    if not nodes:
        raise Wrong("there is no node in it")
    return None


def node(text: str, place: int, number: int, *, spaces: bool = False) -> tuple[str, int]:
    """A node's name, and the place behind it and its shape; with ``spaces`` its name may be several words."""
    found = (_WORDS if spaces else _ID).match(text, place)
    name = found[0] if found else ""
    if name in _RESERVED:
        raise Wrong(f"line {number}: {name!r} is no name for a node")
    if found:
        place = found.end()
    if not found and not (spaces and text[place : place + 1] in ("(", "[", "{")):
        raise Wrong(f"line {number}: there is no node at {text[place : place + 30]!r}")
    for opening, _ in _SHAPES:
        if text.startswith(opening, place):
            return name, _shape(text, place, opening, number)
    return name, place


def _statements(line: str) -> list[str]:
    """The statements of a line, parted by semicolons that stand in no quotation marks and no entity."""
    if ";" not in line:
        return [line.strip()]
    parts = re.findall(r'(?:"[^"\n]*"|#\w{1,8};|[^;"]|")+', line)
    return [part.strip() for part in parts if part.strip()]


def _title(title: str, number: int) -> None:
    if not title:
        raise Wrong(f"line {number}: a subgraph has no name")
    if title[0] == '"':
        if not re.fullmatch(r'"[^"\n]+"', title):
            raise Wrong(f"line {number}: a title's quotation mark is not closed")
        return
    if any(each in title for each in "[](){}"):
        name, place = node(title, 0, number, spaces=True)
        if title[place:].strip() or not name:
            raise Wrong(f"line {number}: {title[:40]!r} is no name of a subgraph")


def _chain(text: str, number: int) -> int:
    """The nodes of a statement, which arrows connect; how many."""
    place = nodes = 0
    while True:
        place, count = _several(text, place, number)
        nodes += count
        if place == len(text):
            return nodes
        arrow = _ARROW.match(text, place)
        if not arrow or arrow.end() == place:
            raise Wrong(f"line {number}: {text[place : place + 30]!r} is neither an arrow nor the end")
        for label in arrow.groups():
            _label(label, number)
        place = arrow.end()
        if place == len(text):
            raise Wrong(f"line {number}: an arrow leads to no node")


def _several(text: str, place: int, number: int) -> tuple[int, int]:
    """One node or several with ``&`` between them."""
    count = 0
    while True:
        _, place = node(text, place, number)
        style = _CLASS.match(text, place)
        place = style.end() if style else place
        count += 1
        more = re.compile(r"[ \t]*&[ \t]*").match(text, place)
        if not more:
            return place, count
        place = more.end()


def _shape(text: str, place: int, opening: str, number: int) -> int:
    """The place behind a node's shape."""
    start = place + len(opening)
    closings = [closing for begin, closing in _SHAPES if begin == opening]
    if text.startswith('"', start):
        end = text.find('"', start + 1)
        if end < 0:
            raise Wrong(f"line {number}: a label's quotation mark is not closed")
        for closing in closings:
            if text.startswith(closing, end + 1):
                return end + 1 + len(closing)
        raise Wrong(f"line {number}: the bracket {opening!r} is not closed behind the label")
    places = [(text.find(closing, start), closing) for closing in closings]
    found = [(end, closing) for end, closing in places if end >= 0]
    if not found:
        raise Wrong(f"line {number}: the bracket {opening!r} is not closed")
    end, closing = min(found)
    label = text[start:end]
    if not label.strip():
        raise Wrong(f"line {number}: a node has an empty label")
    if any(each in label for each in '[](){}"'):
        raise Wrong(f'line {number}: the label {label[:40]!r} has brackets or quotation marks; enclose it in "…"')
    return end + len(closing)


def _label(label: str | None, number: int) -> None:
    """An arrow's label: anything but half a quotation or, outside of quotation marks, brackets."""
    if label is None:
        return
    text = label.strip()
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    inside = text[1:-1] if quoted else text
    if '"' in inside or (not quoted and any(each in inside for each in "[](){}")):
        raise Wrong(f'line {number}: the label {text[:40]!r} has brackets or quotation marks; enclose it in "…"')


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
            return flow_problem([(1, more)] * bool(more.strip()) + [(n, line) for n, line, _ in body])
        return _others(head, body)
    except Wrong as error:
        return str(error)


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
            _, place = node(line, 0, number, spaces=True)
            if line[place:].strip():
                return f"line {number}: {line[:60]!r} is no node"
    return None
