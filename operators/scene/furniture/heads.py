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
    boasts boasting is are comes includes including contains containing holding holds adorned topped displays
    displaying provides providing brings exudes constructed finished supported decorated using under against beside
    near as covered upholstered evokes evoking embodies adds adding incorporates incorporating resting sits standing
    stands serves serving characterized inspired built mounted accented paired of . ; :
""")
#: Past these, what follows a thing without a known name can be no more than part of it.
_PARTS = _words("with without featuring has have having in on at by under against beside near")
#: Words before them that are no name: "a set with", "this in".
_NO_NAMES = _words("a an the this these it set pair - , &")
_POINTERS = _words("this these the our its")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[-,;:.&]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[，。；：、！,.;:!\n（）()]+")
_CARRIES = re.compile(r"搭配|配有|配以|配备|带有|附带|具有|设有|采用|包含|带|配|附|有")


class HeadFinder:
    """Finds the noun that a description is about, among the known words and phrases (in lower case).

    >>> HeadFinder(["books", "vase"]).find("A set of modern books beside a vase.")
    'books'
    >>> HeadFinder(["书桌", "椅子"]).find("白色木质书桌配椅子")
    '书桌'
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self.firsts = frozenset(first[0] for word in self.known if (first := _WORD.findall(word)))
        chinese = sorted((word for word in self.known if not word.isascii()), key=lambda word: (-len(word), word))
        self._chinese = re.compile("|".join(map(re.escape, chinese)) or "(?!)")

    def find(self, desc: str) -> str | None:
        """The known word; None if no known one can be it."""
        text = unicodedata.normalize("NFKC", desc).casefold().replace("\u2019", "'").replace("\u2018", "'")
        found = _chinese(text, self._chinese) if _CHINESE.search(text) else None
        return found or self._english(_WORD.findall(text))

    def _english(self, tokens: list[str]) -> str | None:
        """The last noun of the first name that has one; the first of those that are listed: "vase and cup set"."""
        named: list[str] = []
        place = 0
        while place < len(tokens):
            phrase, length = self._phrase(tokens, place)
            if phrase and length > 1 and self._phrase(tokens, place + length - 1)[1] > 1:
                place += length - 1  # "side table lamp": a table lamp, no side table
            elif phrase:
                named.append(phrase)
                place += length
                listed = tokens[place : place + 1] in (["and"], ["&"], [","], ["or"])
                if listed and not _POINTERS.issuperset(tokens[place + 1 : place + 2] or ("this",)):
                    break
            else:
                whole = tokens[place - 1 : place] != ["-"]  # not "slip-on", "art-inspired"
                if named and whole and tokens[place] in _CUTS:
                    break
                if whole and tokens[place] in _PARTS and not _NO_NAMES.issuperset(tokens[:place]):
                    return None
                place += 1
        return named[-1] if named else None

    def _phrase(self, tokens: list[str], place: int) -> tuple[str, int]:
        """The longest known phrase that begins here, and how many tokens it takes; hyphens count as blanks or stay."""
        longest = ("", 0)
        if tokens[place] not in self.firsts:
            return longest
        for end in range(place + 1, min(place + 7, len(tokens)) + 1):
            part = tokens[place:end]
            hyphened = " ".join(part).replace(" - ", "-")
            for phrase in (hyphened, " ".join(word for word in part if word != "-")):
                if phrase in self.known and part[-1] != "-":
                    longest = (phrase, end - place)
        return longest


def _chinese(text: str, known: re.Pattern[str]) -> str | None:
    """The last noun of the first clause that has one; before a verb of having, if one stands there."""
    for clause in _CLAUSE.split(text):
        found = [(match.group(), match.start()) for match in known.finditer(clause)]
        if not found:
            continue
        verb = _CARRIES.search(clause)
        before = [word for word, start in found if verb and start < verb.start()]
        return before[-1] if before else found[-1][0]
    return None
