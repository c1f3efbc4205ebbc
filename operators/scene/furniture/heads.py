"""Which noun of a description is the one that is described."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: What begins a part of the sentence that tells about the thing, and no longer names it.
_CUTS = _words("""
    with without featuring features feature offers offering has have having in on at by from made crafted combining
    combines blending blends designed that which whose where perfect ideal suitable for to showcasing showcases
    boasts boasting is are comes includes including contains containing holding holds adorned topped set displays
    displaying provides providing brings exudes constructed finished supported decorated using under against beside
    near as covered upholstered evokes evoking embodies adds adding incorporates incorporating resting sits standing
    stands serves serving characterized inspired built mounted accented paired
""")
#: Past these, what follows a named thing can be no more than part of it.
_PARTS = _words("""
    with without featuring has have having in on at by under against beside near
""")
#: Words that name no thing of their own, so that its name comes later: "a set of books", "this piece is a bench".
_GENERIC = _words("""
    set pair collection group stack trio duo row bunch series assortment design piece this it pieces sets
""")
#: The second half of compounds in which the first half names no thing: "cube-shaped", "cottage-style".
_LIKE = _words("""
    shaped shape style styled inspired like type themed height size sized top topped
""")
_MARKS = tuple(",;:.&")
_STOPS = tuple(".;:")
_POINTERS = _words("""
    this these the our its
""")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[-,;:.&]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[，。；：、！,.;:!\n（）()]+")
_CARRIES = re.compile(r"搭配|配有|配以|配备|带有|附带|具有|设有|采用|包含|带|配|附|有")


class HeadFinder:
    """Finds the noun that a description is about, among the known words and phrases (in lower case).

    Those of them that are ``loose`` have other meanings ("light") and count only where a name ends.

    >>> HeadFinder(["books", "vase"]).find("A set of modern books beside a vase.")
    'books'
    >>> HeadFinder(["书桌", "椅子"]).find("白色木质书桌配椅子")
    '书桌'
    """

    def __init__(self, known: Iterable[str], loose: Iterable[str] = ()) -> None:
        self.known = frozenset(known)
        self.loose = frozenset(loose)
        self.firsts = frozenset(first[0] for word in self.known if (first := _WORD.findall(word)))
        chinese = sorted((word for word in self.known if not word.isascii()), key=lambda word: (-len(word), word))
        self._chinese = re.compile("|".join(map(re.escape, chinese)) or "(?!)")

    def find(self, desc: str) -> str | None:
        """The known word; None if no known one can be it."""
        text = unicodedata.normalize("NFKC", desc).casefold().replace("\u2019", "'").replace("\u2018", "'")
        found = _chinese(text, self._chinese) if _CHINESE.search(text) else None
        return found or _english(text, self)


def _english(text: str, finder: HeadFinder) -> str | None:
    tokens = _WORD.findall(text)
    named: list[tuple[str, int, int]] = []
    words = 0
    place = 0
    while place < len(tokens):
        phrase, length = _phrase(tokens, place, finder)
        if phrase:
            last = place + length - 1
            if length > 1 and _phrase(tokens, last, finder)[1] > 1:
                place = last  # "side table lamp": a table lamp, no side table
                continue
            ends = phrase not in finder.loose or _ends(tokens[place + length : place + length + 1])
            if ends and not _is_likened(tokens, place + length):
                named.append((phrase, place, place + length))
            place += length
            words += 1
            continue
        token = tokens[place]
        place += 1
        if "-" in (tokens[place - 2 : place - 1] + tokens[place : place + 1]):
            words += 1  # half of a compound: "slip-on", "built-in"
        elif token in _CUTS or token == "of" or token in _STOPS:  # noqa: S105 - a word
            if token == "set" and tokens[place : place + 1] != ["in"]:  # noqa: S105 - "a set of", "cup set"
                continue
            if named:
                break
            if token in _PARTS and words:
                return None
        elif token not in _GENERIC and token not in ("a", "an", "-", ",", "&"):
            words += 1
    return _chosen(tokens, named)


def _phrase(tokens: list[str], place: int, finder: HeadFinder) -> tuple[str, int]:
    """The longest known phrase that begins here, and how many tokens it takes; hyphens count as blanks or stay."""
    longest = ("", 0)
    if tokens[place] not in finder.firsts:
        return longest
    plain, hyphened = "", ""
    for end in range(place, min(place + 7, len(tokens))):
        token = tokens[end]
        if token in _MARKS:
            break
        if token == "-":  # noqa: S105 - a hyphen
            hyphened += "-"
            continue
        join = "" if not plain or tokens[end - 1] == "-" else " "
        hyphened += join + token
        plain += (" " if plain else "") + token
        for phrase in (hyphened, plain):
            if phrase in finder.known:
                longest = (phrase, end + 1 - place)
    return longest


def _ends(following: list[str]) -> bool:
    """Whether a name ends before this word, if there is one."""
    return (
        not following
        or following[0] in _CUTS
        or following[0] in _GENERIC
        or following[0] in _MARKS
        or following[0] in ("and", "or")
    )


def _is_likened(tokens: list[str], end: int) -> bool:
    """Whether the phrase is the first half of such a word as "cube-shaped"."""
    rest = tokens[end : end + 2]
    return len(rest) == 2 and rest[0] == "-" and (rest[1] in _LIKE or rest[1].endswith("ed"))


def _chosen(tokens: list[str], named: list[tuple[str, int, int]]) -> str | None:
    """Of the nouns of a name the last one; the first of those that are listed: "vase and cup set"."""
    for phrase, _, end in named:
        follows = tokens[end : end + 2]
        if follows[:1] in (["and"], ["&"], ["or"]) or (follows[:1] == [","] and follows[1:] != []):
            if follows[1:] and follows[1] in _POINTERS:
                continue
            return phrase
    return named[-1][0] if named else None


def _chinese(text: str, known: re.Pattern[str]) -> str | None:
    """The last noun of the first clause that has one; before a verb of having, if one stands there."""
    for clause in _CLAUSE.split(text):
        found = [(match.group(), match.start()) for match in known.finditer(clause)]
        if not found:
            continue
        if verb := _CARRIES.search(clause):
            before = [word for word, start in found if start < verb.start()]
            if before:
                return before[-1]
        return found[-1][0]
    return None
