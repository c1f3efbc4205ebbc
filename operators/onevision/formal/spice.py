"""Circuits as a SPICE netlist, of elements only: nothing is simulated, included or loaded."""

from __future__ import annotations

import re
from collections import Counter

_NODE = re.compile(r"[\w.+-]{1,30}$")
_NAME = re.compile(r"[\w.]{1,30}$")
_VALUE = re.compile(
    r"[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,3})?"
    r"(?:meg|mil|[tgkmunpfµμ])?(?:ohms?|Ω|Ω|v(?:olts?)?|a(?:mps?)?|f(?:arads?)?|h(?:enr(?:y|ies))?|hz|w|s)?$",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"\{?[^\W\d]\w{0,30}\}?$")
_WAVE = re.compile(r"(?:sin|pulse|exp|pwl|sffm)[ \t]*\([^()\n]{1,300}\)$", re.IGNORECASE)
#: Nodes of an element that has a fixed number of them, by its letter.
_NODES = {"R": 2, "C": 2, "L": 2, "V": 2, "I": 2, "D": 2}
#: Numbers of nodes, of which the last word, a model's or state's name, is none.
_WITH_MODEL = {"Q": (3, 4), "M": (3, 4), "S": (2, 4), "X": (2, 3, 4, 5, 6, 7, 8, 9, 10)}
_DIRECTIVES = (".end", ".ends", ".model", ".title", ".op", ".tran", ".dc", ".ac", ".param")
_GROUND = ("0", "GND")
_SOURCE_WORDS = ("DC", "AC")


def problem(code: str) -> str | None:
    """What keeps the code from being a netlist: elements with their nodes and values, ground, no loose ends.

    A node with one connection is a loose end unless a comment names it.

    >>> problem("V1 1 0 9V\\nR1 1 2 10k\\nL1 2 0 5mH\\n.end") is None
    True
    >>> problem("V1 1 0 9V\\nR1 1 2 10k\\nR2 1 0 5k")
    "node '2' has one connection; connect it, or tell of it in a comment"
    """
    names: set[str] = set()
    nodes: Counter[str] = Counter()
    comments = []
    ended = False
    for number, line in enumerate(_joined(code), 1):
        text, comment = _parted(line)
        comments.append(comment)
        if not text:
            continue
        if ended:
            return f"line {number}: there is something behind .end"
        if text.startswith("."):
            if text.split()[0].lower() not in _DIRECTIVES:
                return f"line {number}: {text.split()[0][:20]!r} is not allowed"
            ended = text.lower() == ".end"
            continue
        words = _words(text)
        if words[0].upper() in names:
            return f"line {number}: there are two elements {words[0][:30]!r}"
        names.add(words[0].upper())
        wrong = _element(words, nodes)
        if wrong:
            return f"line {number}: {wrong}"
    if not names:
        return "there is no element in it"
    if not any(ground in nodes for ground in _GROUND):
        return "there is no ground, node 0 or GND"
    told = set(re.findall(r"[\w.+-]+", " ".join(comments).upper()))
    loose = next((node for node, count in nodes.items() if count < 2 and node not in told), None)
    return f"node {loose!r} has one connection; connect it, or tell of it in a comment" if loose else None


def _element(words: list[str], nodes: Counter[str]) -> str | None:
    """What is wrong with an element; its nodes are counted."""
    name, rest = words[0], words[1:]
    letter = name[0].upper()
    if not _NAME.match(name) or (letter not in _NODES and letter not in _WITH_MODEL):
        return f"{name[:30]!r} is no element R, C, L, V, I, D, Q, S, M or X"
    if letter in _NODES:
        count = _NODES[letter]
        if len(rest) < count:
            return f"{name} has {len(rest)} of its {count} nodes"
        wrong = _values(letter, rest[count:])
        if wrong:
            return f"{name}: {wrong}"
    else:
        values = [each for each in rest if "=" in each]
        rest = [each for each in rest if "=" not in each]
        count = len(rest) - 1
        if count not in _WITH_MODEL[letter]:
            numbers = " or ".join(map(str, _WITH_MODEL[letter][:2]))
            return f"{name} needs {numbers}{' or more' * (letter == 'X')} nodes and a name behind them"
        if not _SYMBOL.match(rest[-1]):
            return f"{name}: {rest[-1][:30]!r} is no name of a model or state"
        if not all(_parameter(each) for each in values):
            return f"{name}: a parameter cannot be read"
    for node in rest[:count]:
        if not _NODE.match(node):
            return f"{name}: {node[:30]!r} is no node"
    nodes.update(node.upper() for node in rest[:count])
    return None


def _values(letter: str, words: list[str]) -> str | None:
    """What is wrong with what stands behind the nodes of an element of two."""
    if letter in "VI":
        words = [word for word in words if word.upper() not in _SOURCE_WORDS]
        most = 3
    elif letter == "D":
        return None if len(words) <= 1 and all(map(_SYMBOL.match, words)) else "a diode has one model and no value"
    else:
        most = 1
    words = [word for word in words if not _parameter(word)]
    if len(words) > most:
        return f"{' '.join(words)[:40]!r} is more than a value; write it without blanks"
    for word in words:
        if not (_VALUE.match(word) or _SYMBOL.match(word) or (letter in "VI" and _WAVE.match(word))):
            return f"{word[:30]!r} is no value"
    return None


def _parameter(word: str) -> bool:
    name, sign, value = word.partition("=")
    return bool(sign and _NAME.match(name) and (_VALUE.match(value) or _SYMBOL.match(value)))


def _joined(code: str) -> list[str]:
    """The lines; one that begins with ``+`` goes on with the last one."""
    lines: list[list[str]] = []
    for line in code.split("\n"):
        if line.lstrip().startswith("+") and lines:
            lines[-1].append(line.lstrip()[1:])
        else:
            lines.append([line])
    return [" ".join(parts) for parts in lines]


def _parted(line: str) -> tuple[str, str]:
    text = line.strip()
    if text.startswith("*"):
        return "", text
    head, sign, comment = text.partition(";")
    return head.strip(), comment if sign else ""


def _words(text: str) -> list[str]:
    """The words of a line; a wave's brackets hold theirs together."""
    return re.findall(r"[^\s()]+[ \t]?\([^()\n]{0,300}\)|[^\s]+", text)
