"""The clauses of a recovery: which of them are orders, and which say a result, a purpose, a limit or a condition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from operators.cot.recovery.verbs import base, is_order, listed

#: ``order``: what to do. ``until`` and ``result``: what holds then. ``purpose``: what it is for. ``before`` and
#: ``after``: what is done then or was done. ``manner``: how. ``while``: what goes on meanwhile. ``if``: whether.
#: ``or``: what to do instead.
Role = Literal["order", "until", "result", "purpose", "before", "after", "manner", "while", "if", "or"]


@dataclass(frozen=True, slots=True)
class Clause:
    """Words in lower case that belong together, and what they are for the order before them.

    ``verb`` is the plain form of the verb at their head, "" where none is known; ``rest`` are the words after it.
    """

    role: Role
    words: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]


_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[,;:.!?()—–]|(?<=\s)-(?=\s)")
_ENDS = frozenset(".;:!?—–-")
_STOPS = _ENDS | frozenset(",()")
_DETERMINERS = listed("a an the its their his her this that these those any all both each some no one my your")
_ADVERBS = listed("then also first again now next either once just only simply instead finally still quickly")
# Before a word: it is a verb that is not known.
_SOME = "?"
_OBJECTS = _DETERMINERS | listed("it them")
_PARTED = _ENDS | frozenset([",", "and"])
_MARKS: dict[str, Role] = {
    "until": "until",
    "till": "until",
    "before": "before",
    "after": "after",
    "once": "after",
    "when": "after",
    "while": "while",
    "by": "manner",
    "if": "if",
    "unless": "if",
    "otherwise": "if",
    "alternatively": "if",
    "failing": "if",
    "ensuring": "result",
    "ensure": "result",
    "ensures": "result",
    "so": "result",
    "thereby": "result",
    "or": "or",
}
_GOING = listed("go move carry continue proceed")
# What makes a clause a statement: "the part pops off by itself".
_FINITE = listed("is are was were will gets get goes go comes come has have does becomes becomes stays turns lies sits")
_SUBJECTS = _DETERMINERS | listed("it they nothing everything")
_LINKS = listed("of in on into onto to at by from with for under over through between and or")
_MODALS = listed("should must can could shall may might will would")
_ENSURE = listed("ensure ensuring ensures")
# "a clean, dry cloth": words that are verbs elsewhere.
_QUALITIES = listed("clean dry cool warm empty open level smooth wet clear even flat steady free slow secure")


def clauses_of(recovery: str, verbs: frozenset[str] = frozenset()) -> list[Clause]:
    """The clauses in their order; ``verbs`` are words that are verbs too.

    >>> for clause in clauses_of("Wipe the rim, then press the lid until it clicks."):
    ...     print(clause.role, "|", clause.verb, "|", *clause.rest)
    order | wipe | the rim
    order | press | the lid
    until | click | it clicks
    """
    return _Splitter(verbs).split(recovery)


@dataclass(frozen=True, slots=True)
class _Splitter:
    verbs: frozenset[str]

    def split(self, text: str) -> list[Clause]:
        made: list[tuple[Role, list[str]]] = [("order", [])]
        marks = [each.lower().replace("’", "'") for each in _WORD.findall(text)]
        for i, mark in enumerate(marks):
            role, words = made[-1]
            first = _head(marks[i + 1 : i + 4])
            if mark in _PARTED or mark == "then":
                first = self._unheard(marks[i + 1 : i + 5], first)
            if mark in _PARTED and _is_statement(marks[i + 1 : i + 8]):
                made.append(("result", []))
                continue
            turned = (
                self._and(words, first, role, marks[i - 1]) if mark == "and" else self._turn(mark, words, first, role)
            )
            if mark in _ENSURE and not _is_stated(marks[i + 1 :]):
                turned = "purpose"
            if turned is not None:
                made.append((turned, []))
            elif mark not in _STOPS:
                words.append(mark)
        return [self._clause(role, words) for role, words in made if words]

    def _turn(self, mark: str, words: list[str], first: str, role: Role) -> Role | None:
        """The role of the clause that begins after the mark; None if the clause goes on."""
        if mark in _ENDS or mark == "then":
            return "order"
        if mark == ",":
            return self._comma(words, first)
        if mark in _MARKS:
            return self._marked(mark, words, first)
        if mark == "to":
            return self._to(words, first, role)
        return "result" if mark == "making" and first == "sure" else None

    def _and(self, words: list[str], first: str, role: Role, before: str) -> Role | None:
        if not self._orders(first) or (before != "," and _within_name(words, first)):
            return None
        if before == "," or role in ("order", "or"):
            return "order" if before == "," else role
        if role == "purpose":
            return role
        return "order" if role in ("until", "result", "while") and first not in _QUALITIES else None

    def _comma(self, words: list[str], first: str) -> Role | None:
        if first in _MARKS or first in ("and", "then") or _within_name(words, first):
            return None
        if self._orders(first):
            return "order"
        return "manner" if first.endswith("ing") and base(first) else None

    def _marked(self, mark: str, words: list[str], first: str) -> Role | None:
        goes_on = {
            "by": not words or not first.endswith("ing"),
            "so": not words,
            "once": first in ("more", "again", ""),
            "or": not self._orders(first),
        }
        return None if goes_on.get(mark, False) else _MARKS[mark]

    def _to(self, words: list[str], first: str, role: Role) -> Role | None:
        if first in _ENSURE:
            return "result"
        # "before using it to stir", "go on to cut the cake" are one clause.
        if role == "before" or (words and words[0] in _GOING) or not self._orders(first):
            return None
        # "use the knife to scrape": the second verb is what is done.
        return "order" if words and base(words[0]) == "use" else "purpose"

    def _orders(self, word: str) -> bool:
        return word not in _MARKS and (is_order(word) or word in self.verbs or word.startswith(_SOME))

    def _unheard(self, words: list[str], first: str) -> str:
        """The first word, marked as a verb if what follows shows that it is one: "and zumble the flap"."""
        known = first not in _QUALITIES and self._orders(first)
        if not first or known or first in _MARKS or first in _SUBJECTS | _LINKS | _STOPS | _FINITE:
            return first
        at = words.index(first) + 1
        return f"{_SOME}{first}" if at < len(words) and words[at] in _OBJECTS and not first.endswith("ing") else first

    def _clause(self, role: Role, words: list[str]) -> Clause:
        # "The agent should press …": what is to be done begins after the modal verb.
        modal = next((i for i, word in enumerate(words[:5]) if word in _MODALS), -1)
        if role in ("order", "or") and -1 < modal < len(words) - 1:
            words = words[modal + 1 :]
        if role in ("until", "result", "if"):
            return Clause(
                role, tuple(words), next((found for word in words if (found := base(word))), ""), tuple(words)
            )
        at = next((i for i, word in enumerate(words) if not _is_adverb(word)), 0)
        verb = base(words[at]) or (words[at] if words[at] in self.verbs else "")
        return Clause(role, tuple(words), verb, tuple(words[:at] + words[at + 1 :]) if verb else tuple(words))


def _head(words: list[str]) -> str:
    return next((word for word in words if not _is_adverb(word)), "")


def _is_statement(words: list[str]) -> bool:
    """Whether the words begin a statement: "all strands turn silver", "the lid is shut"."""
    if not words or words[0] not in _SUBJECTS:
        return False
    pronoun = words[0] in ("it", "they", "nothing", "everything", "this", "that")
    for word in words[1 if pronoun else 2 :]:
        if word in _LINKS or word in _STOPS:
            return False
        if word in _FINITE or (word.endswith("s") and base(word)):
            return True
    return False


def _is_stated(words: list[str]) -> bool:
    """Whether what is ensured is said in a sentence: "that the lid is shut", and not "an even heat"."""
    end = next((i for i, word in enumerate(words) if word in _STOPS), len(words))
    return words[:1] == ["that"] or _is_statement(words) or bool(_FINITE & set(words[:end]))


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and not is_order(word))


def _within_name(words: list[str], first: str) -> bool:
    """Whether the word goes on with a name: "a clean, dry cloth"."""
    return first in _QUALITIES and any(word in _DETERMINERS for word in words[-2:])
