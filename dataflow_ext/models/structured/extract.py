"""JSON out of a model's reply, with a note on everything that had to be mended."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dataflow_ext.errors import RowError
from dataflow_ext.models.structured.lenient import (
    MAX_DEPTH,
    Mended,
    NotJSON,
    has_latex,
    mend_escapes,
    read_value,
    unique_keys,
)
from dataflow_ext.well_formed import short

#: Characters of a reply that are looked at, and of one that is not exact JSON.
MAX_LENGTH, MAX_MENDED_LENGTH = 32_000_000, 400_000
#: Characters of a broken value that are given to json_repair, whose time may grow with their cube.
MAX_REPAIRED_LENGTH = 2_000
#: Brackets in the text around the JSON at which one tries to read.
_MAX_STARTS = 1_000

_FENCED = re.compile(r"\s*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<inside>.*?)\n?[ \t]*(?P=fence)\s*", re.DOTALL)
_FENCE = re.compile(r"`{3,}|~{3,}")
_THINKING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_GOES_ON = re.compile(r"""\s*(?:[]}］｝]|[,，]\s*["'“[{]|(?:"[^"\n]*"|'[^'\n]*'|“[^”\n]*”)\s*[:：])""")
_BRACKET = re.compile(r'[\[\]{}]|\\.|"(?:[^"\\\n]++|\\.)*+"', re.DOTALL)
_UNSAFE_AFTER = re.compile(r"[\[\]{}\"]")
_LONG_NAME = re.compile(r'(?<!\\)\\(?:["n])[^"]*": ')  # one that has a quote or a line break in it
_SINGLE_QUOTED = re.compile(r"[\[{,:]\s*['‘“]")

_MARK, _REASONING, _CODE_FENCE, _AROUND = "byte order mark", "reasoning left out", "code fence", "text around it"


@dataclass(frozen=True, slots=True)
class Extracted:
    """A value and what had to be mended to read it; ``cut`` tells that its end is missing.

    ``fenced`` tells that it stood in a code fence, ``length`` is that of its text.
    """

    value: Any
    notes: tuple[str, ...] = ()
    cut: bool = False
    fenced: bool = False
    length: int = 0


def extract_json(text: str) -> Extracted:
    """The JSON value in a reply; of several the longest in a code fence, else the longest.

    Exact JSON may be any value, else it is an object or a list. :class:`RowError` if there is none, if it is
    damaged so that one would have to guess, nested more than 100 deep, or has more than 400,000 characters
    and is not exact. A value whose end is missing is given back as ``cut``, with the note "cut off".

    >>> extract_json("Sure:\\n```json\\n{'a': 1,}\\n```")
    Extracted(value={'a': 1}, notes=('code fence', 'quotes', 'trailing comma'), cut=False, fenced=True, length=9)
    """
    found = extract_all(text)
    return max((f for f in found if f.fenced or not any(g.fenced for g in found)), key=lambda f: f.length)


def extract_all(text: str) -> list[Extracted]:
    """All JSON values in a reply in their order, those within others left out; :class:`RowError` if none.

    A value that is cut off is the only one: what stands before it is no answer.
    """
    if len(text) > MAX_LENGTH:
        raise RowError(f"the reply has {len(text):,} characters, more than {MAX_LENGTH:,}")
    notes: tuple[str, ...] = ()
    if text.startswith("\ufeff"):
        text, notes = text[1:], (_MARK,)
    text, thought = _without_reasoning(text)
    notes += thought
    if not text.strip():
        raise RowError("the reply is empty" if not thought else "there is nothing behind the reasoning")
    try:
        fence = _FENCED.fullmatch(text)
        if fence is not None and "\n" + fence["fence"] not in fence["inside"]:
            exact, fenced = _exact(fence["inside"]), True
        else:
            exact, fenced = _exact(text), False
        if exact is not None:
            return [replace(exact, notes=notes + (_CODE_FENCE,) * fenced, fenced=fenced)]
        return [replace(f, notes=notes + f.notes) for f in _search(text)]
    except RecursionError:
        raise RowError(f"lists and objects are nested more than {MAX_DEPTH} deep") from None


def _exact(text: str) -> Extracted | None:
    """The value if the text is nothing but exact JSON whose strings hold no LaTeX that JSON would eat."""
    if has_latex(text):
        return None
    try:
        value = json.loads(text, object_pairs_hook=unique_keys, parse_constant=_no_constant)
    except RowError:
        raise
    except ValueError:
        return None
    return Extracted(value, length=len(text))


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _without_reasoning(text: str) -> tuple[str, tuple[str, ...]]:
    """The text behind a reasoning model's thoughts, whose opening tag some servers swallow."""
    if text.lstrip()[:1] in ("{", "["):
        return text, ()
    end = _THOUGHT.search(text)
    if end is None:
        if _THINKING.match(text):
            raise RowError("the reply is cut off within its reasoning")
        return text, ()
    return text[end.end() :], (_REASONING,)


def _search(text: str) -> list[Extracted]:
    if len(text) > MAX_MENDED_LENGTH:
        raise RowError(
            f"the reply has {len(text):,} characters and is not exact JSON; more than {MAX_MENDED_LENGTH:,} "
            "are not mended"
        )
    found: list[Extracted] = []
    fences, place = 0, 0
    for start, value in _values(text):
        fences, place = fences + len(_FENCE.findall(text, place, start)), value.end
        fenced = fences % 2 == 1
        around = () if fenced or not _outside(text, start, value.end) else (_AROUND,)
        notes = (*((_CODE_FENCE,) * fenced), *around, *value.notes)
        here = Extracted(value.value, notes, value.cut, fenced, value.end - start)
        if value.cut:
            return [here]
        found.append(here)
    return found


def _outside(text: str, start: int, end: int) -> bool:
    return bool(text[:start].strip() or text[end:].strip())


def _start_of(text: str) -> str:
    return short(text.strip(), 80)


def _values(text: str) -> Iterator[tuple[int, Mended]]:
    """The values in a text with their places. What is broken in the midst of JSON is an error, not skipped:
    a part of it, taken for the whole, would be a wrong answer."""
    place, tries, longest, doubtful = 0, 0, 0, 0
    closing: dict[int, int] | None = None
    first: NotJSON | None = None
    while True:
        start = _next_open(text, place)
        if (stray := text.find("}", place, start)) >= 0:
            raise RowError(f"a bracket is closed that was not opened, before {_start_of(text[stray:])!r}")
        if start is None:
            break
        tries += 1
        if tries > _MAX_STARTS:
            raise RowError(f"the reply has more than {_MAX_STARTS:,} brackets that are no single JSON value")
        try:
            value = read_value(text, start)
        except NotJSON as error:
            closing = _pairs(text) if closing is None else closing
            end = closing.get(start)
            if not error.serious:
                # Brackets of prose, like [0, 1) or {x}; what is inside them is no answer either.
                place = end or max(error.position, start + 1)
                if first is None or (end is not None and text[start + 1 : error.position].strip()):
                    first, doubtful = error, max(doubtful, place - start)
                continue
            value = _repaired(text, start, end, error)
        if not value.cut and _GOES_ON.match(text, value.end):
            raise RowError(f"the JSON is closed too early, before {_start_of(text[value.end :])!r}")
        yield start, value
        place, longest = value.end, max(longest, value.end - start)
    if longest <= doubtful:  # it was no prose, but an answer that cannot be read
        raise first or RowError(f"there is no JSON object or list in the reply {_start_of(text)!r}")


def _next_open(text: str, place: int) -> int | None:
    found = [at for at in (text.find("{", place), text.find("[", place), text.find("｛", place)) if at >= 0]
    return min(found, default=None)


def _pairs(text: str) -> dict[int, int]:
    """Where the brackets outside of strings are closed: opening place to the place behind the closing one."""
    ends: dict[int, int] = {}
    open_: dict[str, list[int]] = {"[": [], "{": []}
    for match in _BRACKET.finditer(text):
        if match[0] in "[{":
            open_[match[0]].append(match.start())
        elif match[0] in "]}" and (stack := open_["[" if match[0] == "]" else "{"]):
            ends[stack.pop()] = match.end()
    return ends


def _repaired(text: str, start: int, end: int | None, error: NotJSON) -> Mended:
    """What json_repair makes of quotes within strings that were not escaped; else the error.

    It makes something of everything: it closes what is cut off, drops what it does not understand, and makes
    up quotes and names. So it gets values only whose brackets are even, and of its result every character
    must stand where it stood before.
    """
    if end is None or end - start > MAX_REPAIRED_LENGTH or _UNSAFE_AFTER.search(text, end):
        raise error
    if _SINGLE_QUOTED.search(text, start, end):
        raise error  # it takes apostrophes for quotes and quotes for apostrophes
    import json_repair

    notes: set[str] = set()

    def mended(match: re.Match[str]) -> str:
        inside, found = mend_escapes(match[0])
        notes.update(found)
        return inside

    piece = re.sub(r"[^\x00-\x1f]+", mended, text[start:end])
    try:
        value = json_repair.loads(piece, skip_json_loads=True)
    except (ValueError, RecursionError):
        raise error from None
    made = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or _content(made) != _content(piece) or _LONG_NAME.search(made):
        raise error
    return Mended(value, end, (*sorted(notes), "damaged JSON"))


_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([bfnrt])|(.))", re.DOTALL)
_PADDING = re.compile(r"(?<=\d)(\.\d+?)0+(?!\d)")


def _content(text: str) -> str:
    """All that stands in a JSON text but white space, and with quotes in strings like those around them."""
    text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[3] or "", text)
    return "".join(_PADDING.sub(r"\1", text).split())
