"""The single fields of a MinerU entry, each made safe: words, boxes, levels, pages, pictures."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

Box = tuple[float, float, float, float]

#: How far a box may stick out of the page, in thousandths; it is cut to the page then.
_SLACK = 50

#: The numbers of nearly all boxes. Sharing them saves a hundred bytes an item and the making of four floats.
THOUSANDTHS = tuple(float(number) for number in range(1001))

#: Page numbers from here on are taken for errors.
MAX_PAGE = 1_000_000

#: Nesting of spans and lists that is still read; no real list comes near it.
_MAX_DEPTH = 40

#: Odd entries that are told of.
_MOST_NOTES = 100

_EQUATIONS = frozenset({"equation_inline", "inline_equation", "equation_interline", "interline_equation"})
_SPANS = _EQUATIONS | {"text", "hyperlink", "code_inline", "phonetic", "md"}

# Also takes a Windows drive, which has the shape of a one-letter scheme.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Notes:
    """Sentences about odd entries: the first hundred of them, and the count of the rest."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._left_off = 0

    def add(self, index: int, sentence: str) -> None:
        """Records what was odd about entry ``index`` and what was done."""
        if len(self._sentences) < _MOST_NOTES:
            self._sentences.append(f"Entry {index}: {sentence}.")
        else:
            self._left_off += 1

    def sentences(self) -> list[str]:
        """The sentences in the order of the entries, the last one for those left off."""
        if not self._left_off:
            return list(self._sentences)
        return [*self._sentences, f"{self._left_off} more problems are not listed."]


def shown(value: object) -> str:
    """A short text for any JSON value, for messages.

    >>> shown("abc"), shown([1, 2]), shown(10**5000)
    ("'abc'", 'a list of 2', 'a huge number')
    """
    if isinstance(value, str):
        # repr escapes lone surrogates and line breaks, so a message is always one printable line.
        return repr(value if len(value) <= 60 else value[:60] + "…")
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) > 10**15:
        return "a huge number"
    return str(value)


def box_of(value: object, *, fraction: bool = False) -> Box | None:
    """The box in thousandths of the page, or None if the value is no box.

    Thousandths are what lists hold; ``fraction`` says that the source counts from 0 to 1, as do
    boxes of fractional numbers up to 1.

    >>> box_of([72, 419, 882, 920]), box_of([0.25, 0.5, 1.0, 1.0]), box_of([5, 5, 1])
    ((72.0, 419.0, 882.0, 920.0), (250.0, 500.0, 1000.0, 1000.0), None)
    """
    if type(value) is not list or len(value) != 4:
        return None
    x0, y0, x1, y1 = value
    if type(x0) is type(y0) is type(x1) is type(y1) is int and not fraction:
        if 0 <= x0 <= x1 <= 1000 and 0 <= y0 <= y1 <= 1000:
            return THOUSANDTHS[x0], THOUSANDTHS[y0], THOUSANDTHS[x1], THOUSANDTHS[y1]
    elif not all(type(number) is int or type(number) is float for number in value):
        return None
    elif max(value) <= 1:
        x0, y0, x1, y1 = x0 * 1000, y0 * 1000, x1 * 1000, y1 * 1000
    # NaN fails every comparison, so it ends here as well.
    if not (-_SLACK <= x0 <= x1 <= 1000 + _SLACK and -_SLACK <= y0 <= y1 <= 1000 + _SLACK):
        return None
    return _cut(x0), _cut(y0), _cut(x1), _cut(y1)


def _cut(number: float) -> float:
    return round(min(max(float(number), 0.0), 1000.0), 3)


def level_of(value: object) -> int | None:
    """The heading level 1 to 9, else None.

    >>> level_of(2), level_of(0), level_of(True), level_of(1.0)
    (2, None, None, None)
    """
    return value if type(value) is int and 1 <= value <= 9 else None


def page_of(value: object) -> int | None:
    """The page number counted from 0, or None if the value is none."""
    return value if type(value) is int and 0 <= value < MAX_PAGE else None


def flat(value: object, depth: int = 0) -> str:
    """The words of a span, of a list of spans or of anything nested from them; inline equations in ``$``.

    >>> flat([{"type": "text", "content": "if "}, {"type": "equation_inline", "content": "x<3"}])
    'if $x<3$'
    """
    if isinstance(value, str):
        return value
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(value, list):
        if len(value) == 1:
            return flat(value[0], depth + 1)
        return _joined([flat(part, depth + 1) for part in value], value)
    if isinstance(value, dict):
        return _span(value, depth)
    return "" if value is None or isinstance(value, bool) else shown(value)


def _joined(texts: list[str], parts: list[object]) -> str:
    out: list[str] = []
    after_equation = False
    for text, part in zip(texts, parts, strict=True):
        # Version 3 writes no blank after an inline equation: "$x$ is", not "$x$is".
        if after_equation and text[:1].isascii() and text[:1].isalnum():
            out.append(" ")
        out.append(text)
        after_equation = isinstance(part, dict) and _is_one_of(part, _EQUATIONS)
    return "".join(out)


def _span(span: dict[str, object], depth: int) -> str:
    if span.get("type") == "text" and len(span) == 2 and isinstance(plain := span.get("content"), str):
        return plain
    for key in ("children", "content", "text", "item_content"):
        text = flat(span.get(key), depth + 1)
        if text:
            break
    else:
        rest = (flat(value, depth + 1) for key, value in span.items() if key.endswith("_content"))
        text = next(filter(None, rest), "")
    if _is_one_of(span, _EQUATIONS):
        text = text.strip()
        return text if not text or text.startswith("$") else f"${text}$"
    return text


def _is_one_of(span: dict[str, object], names: frozenset[str]) -> bool:
    kind = span.get("type")
    return isinstance(kind, str) and kind in names


def captions_of(value: object) -> list[str]:
    """Captions as separate texts, from a string, a list of strings, or spans; blank ones are dropped.

    Spans of one caption stand side by side with those of the next; two plain text spans never follow
    each other inside one caption, so that is where the next begins.

    >>> captions_of("图1"), captions_of(["图1", ""]), captions_of([{"type": "text", "content": "图1"}])
    (['图1'], ['图1'], ['图1'])
    """
    groups: list[list[object]] = []
    plain_before = False
    for part in value if isinstance(value, list) else [value]:
        is_span = isinstance(part, dict) and _is_one_of(part, _SPANS)
        plain = is_span and isinstance(part, dict) and part.get("type") == "text" and not part.get("style")
        joins = is_span and groups and _ends_in_span(groups[-1]) and not (plain and plain_before)
        if joins:
            groups[-1].append(part)
        else:
            groups.append([part])
        plain_before = plain
    return [text for group in groups if (text := flat(group)).strip()]


def _ends_in_span(group: list[object]) -> bool:
    last = group[-1]
    return isinstance(last, dict) and _is_one_of(last, _SPANS)


def list_items_of(value: object, depth: int = 0) -> list[str]:
    """The entries of a list as strings, nested lists spread out where they stand.

    An entry without words stays as "", so that positions hold.

    >>> list_items_of(["A. 3", ["B. 4", "C. 5"], {"item_content": [{"type": "text", "content": "D. 6"}]}])
    ['A. 3', 'B. 4', 'C. 5', 'D. 6']
    """
    if isinstance(value, list) and depth <= _MAX_DEPTH:
        if depth and value and all(isinstance(part, dict) and _is_one_of(part, _SPANS) for part in value):
            return [flat(value)]
        items: list[str] = []
        for part in value:
            if isinstance(part, str):
                items.append(part)
            else:
                items += list_items_of(part, depth + 1)
        return items
    if isinstance(value, dict) and isinstance(value.get("list_items"), list):
        own = flat({key: part for key, part in value.items() if key != "list_items"})
        return ([own] if own else []) + list_items_of(value["list_items"], depth + 1)
    return [flat(value)]


def lines_of(text: str) -> list[str]:
    """The entries of a list written as lines; a line set in by two more blanks goes on with its entry.

    >>> lines_of("- one" + chr(10) + "  and more" + chr(10) + "    - two")
    ['- one and more', '- two']
    """
    items: list[str] = []
    for line in text.splitlines():
        words = line.strip()
        if not words:
            continue
        # Nesting is by fours; an odd pair of blanks marks the later lines of one entry.
        if items and (len(line) - len(line.lstrip(" "))) % 4 == 2:
            items[-1] += " " + words
        else:
            items.append(words)
    return items


class Pictures:
    """Finds the picture files of a list: only such as lie inside its folder."""

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self._folders: dict[str, str] = {}
        self.named = 0
        self.missing = 0

    def find(self, value: str) -> tuple[str | None, str]:
        """The absolute path, or None and the reason in words; a path to no file yet is given and counted."""
        path = value.replace("\\", "/")
        if "\0" in path:
            return None, "holds a NUL character"
        if path.startswith("/") or _SCHEME.match(path):
            return None, "is not a path relative to the list's folder"
        self.named += 1
        try:
            real, there = self._real(self._root, path)
        except (OSError, ValueError):
            self.named -= 1
            return None, "is not a path that this system can open"
        if not real.startswith(self._root.rstrip(os.sep) + os.sep):
            self.named -= 1
            return None, "leads out of the list's folder"
        self.missing += not there
        return real, ""

    def _real(self, root: str, path: str) -> tuple[str, bool]:
        """Where the path leads, and whether a file is there; a folder's links are followed once for all its files."""
        folder, _, name = path.rpartition("/")
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(os.path.join(root, folder))  # noqa: PTH118 - Path is slower
        real = os.path.join(self._folders[folder], name)  # noqa: PTH118
        if os.name == "posix" and name not in ("", ".", ".."):  # elsewhere a file has several names
            try:
                mode = os.lstat(real).st_mode
            except FileNotFoundError:
                return real, False
            except OSError:
                mode = 0
            if stat.S_ISREG(mode):
                return real, True
        real = os.path.realpath(real)
        return real, os.path.isfile(real)  # noqa: PTH113

    def sentence(self) -> str:
        """What is to be said about missing pictures; empty if nothing is."""
        if not self.missing:
            return ""
        return f"{self.missing} of {self.named} pictures are not beside the list."


_PIECE = re.compile(
    r"(?P<math>(?<!\\)\$(?:\\.|[^$\\])+\$|\\\(.*?\\\))"
    r"|(?P<fence>`+)(?P<code>.+?)(?P=fence)(?!`)"
    r"|\\(?P<escaped>[*_`~$#+-])"
    r"|\[(?P<label>[^\][]*)\]\((?:https?:|mailto:|#)[^)\s]*\)"
    r"|(?P<entity>&(?:lt|gt|amp|quot|#39);)"
    r"|(?P<style>\*+|~~|</?(?:u|b|i|em|strong|s|del)>)",
    re.DOTALL,
)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'"}
_FENCED = re.compile(r"(`{3,})[^\n`]*\n(.*?)\n?\1\s*", re.DOTALL)


def plain(text: str) -> str:
    r"""The text without escapes and styles; formulas and HTML's super- and subscripts stay.

    >>> plain(r"**Example 1** 3 \* 4 &lt; x with $a\_1*b$, so R<sup>2</sup> = ____")
    'Example 1 3 * 4 < x with $a\\_1*b$, so R<sup>2</sup> = ____'
    """
    return _PIECE.sub(_meant, text)


def _meant(piece: re.Match[str]) -> str:
    if piece["math"] is not None:
        return piece["math"]
    if piece["entity"] is not None:
        return _ENTITIES[piece["entity"]]
    code = piece["code"]
    if code is not None:
        # Blanks set off code that itself begins or ends with a backtick.
        return code[1:-1] if len(code) > 2 and code[0] == code[-1] == " " else code
    return piece["escaped"] or piece["label"] or ""


def unfenced(text: str) -> str:
    """Code without the fence around it.

    >>> unfenced("```python" + chr(10) + "print(1)" + chr(10) + "```")
    'print(1)'
    """
    found = _FENCED.fullmatch(text)
    return found[2] if found else text
