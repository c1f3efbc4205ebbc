"""A text as sentences and clauses of tokens with their places."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import NamedTuple

_TOKEN = re.compile(r"\d+(?:\.\d+)?|\.\d+|[a-z_]+(?:_\d+)?(?:-[a-z]+)*|'s\b|'[a-z]+|[^\s\w]|\w+")
_END = re.compile(
    r"(?<=[.!?])(?<!approx\.)(?<!e\.g\.)(?<!i\.e\.)(?<!\bca\.)(?<!\bno\.)(?<!\bvs\.)[\"')\]]*\s+(?=\S)|\s*;\s+|\n+"
)
_LABEL = re.compile(
    r"^\s*(?:[-*•>#]+\s+|\(?\d{1,2}[.)]\s+|(?:step|phase|problem|issue|question|answer|point|turn|template|part|q|a)"
    r"\s?\d*\s*[:.)]\s+)+"
)
#: Where a sentence turns to something else: after it, what is named before no longer belongs to what is told.
_BREAK = re.compile(
    r",\s+(?=(?:while|whereas|but|so|and (?:the|a|an|its?|there|both|two|three|that|this|then|i)|with (?:the|a|its)|"
    r"though|although|because|since|as|which|leaving|making|giving|where|yet|then|the|it|they|whose|we|i)\b)"
    r"|\s+(?=(?:while|whereas|but|because|although|though)\b)|\s+-\s+|\s*[:—–]\s+"
)
_SIGNS = str.maketrans({"×": " x ", "−": "-", "–": "-", "—": " — ", "’": "'", "‘": "'", "“": '"', "”": '"', "*": " ",
                        "`": " ", "²": "2", "³": "3", "°": " degrees ", "≈": "~", "‑": "-"})  # fmt: skip


class Token(NamedTuple):
    """A word, number or sign in lower case, and where it stands in its sentence."""

    text: str
    start: int
    end: int


@dataclass
class Clause:
    """A part of a sentence that tells one thing: its text, and where it stands in the sentence."""

    text: str
    start: int
    end: int


@dataclass
class Sentence:
    """A sentence in lower case with its tokens and clauses; ``asks`` if it is a question.

    ``plain`` is its text with the letters and digits of what it names blotted out: "the trash can" has no "can".
    """

    text: str
    tokens: list[Token]
    clauses: list[Clause] = field(default_factory=list)
    asks: bool = False
    plain: str = ""

    def blot(self, start: int, end: int) -> None:
        """Blot out tokens of ``plain``."""
        a, b = self.tokens[start].start, self.tokens[end - 1].end
        self.plain = self.plain[:a] + "_" * (b - a) + self.plain[b:]

    def clause_at(self, place: int) -> Clause:
        """The clause in which a place lies."""
        return next((each for each in self.clauses if each.start <= place < each.end), self.clauses[-1])


def sentences(text: str, ids: dict[str, str] | None = None) -> list[Sentence]:
    """The sentences of a text; object ids in it are read as the names that ``ids`` gives them.

    >>> [[token.text for token in each.tokens] for each in sentences("1. The bed's 0.30 m off. Why?")]
    [['the', 'bed', "'s", '0.30', 'm', 'off', '.'], ['why', '?']]
    """
    for jid in sorted(ids or {}, key=len, reverse=True):
        if len(jid) > 5 and jid in text:
            text = text.replace(jid, (ids or {})[jid])
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS).lower()
    found = []
    for line in plain.splitlines():
        for piece in _END.split(_LABEL.sub("", line)):
            piece = _LABEL.sub("", piece).strip()
            if piece:
                found.append(_sentence(piece))
    return found


def _sentence(text: str) -> Sentence:
    tokens = [Token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    clauses, start = [], 0
    for match in _BREAK.finditer(text):
        if match.start() > start:
            clauses.append(Clause(text[start : match.start()], start, match.end()))
        start = match.end()
    clauses.append(Clause(text[start:], start, len(text) + 1))
    return Sentence(text, tokens, clauses, text.rstrip("\"') ").endswith("?"), text)
