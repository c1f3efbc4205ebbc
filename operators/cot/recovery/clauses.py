"""The clauses of a recovery: which of them are orders, and which say a result, a purpose, a limit or a condition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from operators.cot.recovery.verbs import base, is_order

#: ``order``: what to do. ``until`` and ``result``: what holds then. ``purpose``: what it is for. ``before`` and
#: ``after``: what is done then or was done. ``manner``: how. ``if``: whether. ``or``: what to do instead.
Role = Literal["order", "until", "result", "purpose", "before", "after", "manner", "if", "or"]


@dataclass(frozen=True, slots=True)
class Clause:
    """Words in lower case that belong together, and what they are for the order before them.

    ``verb`` is the plain form of the verb at their head, "" where none is known; ``rest`` are the words after it.
    """

    role: Role
    words: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]


_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[,;:.!?()—–]")
_STOPS = frozenset(",;:.!?()—–")
_DETERMINERS = frozenset(
    "a an the its their his her this that these those any all both each some no one my your".split()
)
_ADVERBS = frozenset(
    "then also first again now next either once just only simply instead finally still quickly".split()
)
_MARKS: dict[str, Role] = {
    "until": "until",
    "till": "until",
    "before": "before",
    "after": "after",
    "once": "after",
    "when": "after",
    "while": "manner",
    "by": "manner",
    "if": "if",
    "unless": "if",
    "ensuring": "result",
    "ensure": "result",
    "ensures": "result",
    "so": "result",
    "thereby": "result",
    "or": "or",
}
_MODALS = frozenset("should must can could shall may might will would".split())
_ENSURE = frozenset("ensure ensuring ensures".split())
# "a clean, dry cloth": words that are verbs elsewhere.
_QUALITIES = frozenset(
    "clean dry cool warm empty open level smooth wet clear even flat steady free slow secure".split()
)


def clauses_of(recovery: str, verbs: frozenset[str] = frozenset()) -> list[Clause]:
    """The clauses in their order; ``verbs`` are words that are verbs too.

    >>> for clause in clauses_of("Wipe the rim, then press the lid until it clicks."):
    ...     print(clause.role, "|", clause.verb, "|", *clause.rest)
    order | wipe | the rim
    order | press | the lid
    until | click | it clicks
    """
    made: list[tuple[Role, list[str]]] = []
    role: Role = "order"
    words: list[str] = []
    tokens = [each.lower().replace("’", "'") for each in _WORD.findall(recovery)]
    for i, token in enumerate(tokens):
        following = tokens[i + 1 : i + 4]
        turned = (
            _joined(words, following, role, tokens[i - 1] == ",", verbs)
            if token == "and"
            else _turn(token, words, following, role, verbs)
        )
        if turned is None:
            if token not in _STOPS:
                words.append(token)
            continue
        made.append((role, words))
        role, words = turned, []
    made.append((role, words))
    return [_clause(role, words, verbs) for role, words in made if words]


def _turn(token: str, words: list[str], following: list[str], role: Role, verbs: frozenset[str]) -> Role | None:
    """The role of the clause that begins after this token; None if it goes on."""
    first = _head(following)
    if token in ".;!?—–:":
        return "order"
    if token == "then":
        return "order"
    if token == ",":
        if first in _MARKS or first in ("and", "then"):
            return None
        return _after_comma(words, first, verbs)
    if token in _MARKS:
        return _marked(token, words, first, verbs)
    if token == "to":
        return _purpose(words, first, verbs) if role != "before" else None
    if token == "making" and following[:1] == ["sure"]:
        return "result"
    return None


def _joined(words: list[str], following: list[str], role: Role, comma: bool, verbs: frozenset[str]) -> Role | None:
    first = _head(following)
    if first in _MARKS or first == "making":
        return None
    if not _orders(first, verbs) or (not comma and _within_name(words, first)):
        return None
    if comma or role in ("order", "or"):
        return "order" if comma else role
    return "order" if role in ("until", "result") and first not in _QUALITIES else None


def _after_comma(words: list[str], first: str, verbs: frozenset[str]) -> Role | None:
    if _within_name(words, first):
        return None
    if _orders(first, verbs):
        return "order"
    if first.endswith("ing") and base(first):
        return "manner"
    return None


def _marked(token: str, words: list[str], first: str, verbs: frozenset[str]) -> Role | None:
    if token in ("by", "so") and not words:
        return None
    if token == "by" and not first.endswith("ing"):
        return None
    if token == "once" and first in ("more", "again", ""):
        return None
    if token == "ensure" and not words:
        return "result"
    if token == "or" and not _orders(first, verbs):
        return None
    return _MARKS[token]


def _purpose(words: list[str], first: str, verbs: frozenset[str]) -> Role | None:
    if first in _ENSURE:
        return "result"
    if not _orders(first, verbs) or first in _DETERMINERS:
        return None
    # "use the knife to scrape": the second verb is what is done.
    return "order" if words and base(words[0]) == "use" else "purpose"


def _head(words: list[str]) -> str:
    return next((word for word in words if word not in _ADVERBS and not word.endswith("ly")), "")


def _within_name(words: list[str], first: str) -> bool:
    return first in _QUALITIES and len(words) > 1 and any(word in _DETERMINERS for word in words[-2:])


def _clause(role: Role, words: list[str], verbs: frozenset[str]) -> Clause:
    # "The agent should press …": what is to be done begins after the modal verb.
    modal = next((i for i, word in enumerate(words[:5]) if word in _MODALS), -1)
    if role in ("order", "or") and -1 < modal < len(words) - 1:
        words = words[modal + 1 :]
    if role in ("order", "or", "purpose", "before", "after", "manner"):
        at = next((i for i, word in enumerate(words) if word not in _ADVERBS and not word.endswith("ly")), 0)
        verb = base(words[at]) or (words[at] if words[at] in verbs else "")
        return Clause(role, tuple(words), verb, tuple(words[:at] + words[at + 1 :]) if verb else tuple(words))
    verb = next((found for word in words if (found := base(word))), "")
    return Clause(role, tuple(words), verb, tuple(words))


def _orders(word: str, verbs: frozenset[str]) -> bool:
    return is_order(word) or word in verbs
