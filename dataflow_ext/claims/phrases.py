"""Phrases with marks as data: tables of ways to say what claims prove."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from dataflow_ext.claims.checking import check, fill
from dataflow_ext.claims.expressions import ClaimError, Name, parse, replaced
from dataflow_ext.claims.marks import blanks, read_marks
from dataflow_ext.claims.vocabulary import World
from dataflow_ext.errors import DataflowError

_SLOT = re.compile(r"\{([a-z]\w*)\}")
_CLAIM = re.compile(r"(\[|\{)((?:not )?[^\[\]{}\n]*?[^\W\d]\w*\([^\[\]{}\n]*)(\]|\})")


@dataclass(frozen=True)
class Phrase:
    """A way to say something: a text with slots ``{a}``, marks about them, and claims in braces to be filled in."""

    topic: str
    language: str
    text: str

    @cached_property
    def slots(self) -> frozenset[str]:
        """The slots that its words have, and those that only its claims have."""
        found = set(_SLOT.findall(self.text))
        plain, marks = read_marks(_SLOT.sub("", self.text))
        for source in (*(mark.source for mark in marks), *blanks(plain)):
            for word in re.findall(r"\b[a-z]\b", source):
                found.add(word)
        return frozenset(found)

    def said(self, values: Mapping[str, str], speak: Callable[[str], str] = str) -> str:
        """The phrase about the things of its slots, with its marks; ``speak`` makes words of a name.

        >>> Phrase("gap", "en", "{a} is {gap(a, b)} off {b}.").said({"a": "sofa", "b": "bed"}, lambda n: f"the {n}")
        'The sofa is {gap(sofa, bed)} off the bed.'
        """
        text = _CLAIM.sub(lambda found: found[1] + _claimed(found[2], values) + found[3], self.text)
        text = _SLOT.sub(lambda found: speak(values[found[1]]), text)
        return text[:1].upper() + text[1:]

    def proven(self, values: Mapping[str, str], world: World, speak: Callable[[str], str] = str) -> str | None:
        """The phrase with its marks, its numbers filled in; None unless every sentence of it is so."""
        text = fill(self.said(values, speak), world)
        checked = check(text, world)
        if any(each.verdict in ("false", "unclaimed") for each in checked.sentences) or "{" in checked.text:
            return None
        return text


@lru_cache(maxsize=1 << 14)
def _renamed(source: str, values: tuple[tuple[str, str], ...]) -> str:
    expression = parse(source)
    for slot, _ in values:
        expression = replaced(expression, Name(slot), Name(f"\0{slot}"))
    for slot, name in values:
        expression = replaced(expression, Name(f"\0{slot}"), Name(name))
    return str(expression)


def _claimed(source: str, values: Mapping[str, str]) -> str:
    return _renamed(source, tuple(sorted(values.items())))


def read_phrases(file: Path) -> Mapping[str, Sequence[Phrase]]:
    """The phrases of a table by their topics: TSV with the columns topic, language and text.

    DataflowError if a row is none, or if a mark of it cannot be read.
    """
    phrases: dict[str, list[Phrase]] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 3:
            raise DataflowError(f"{file}, line {number}: a phrase has topic, language and text, with tabs between.")
        phrase = Phrase(*cells)
        plain, marks = read_marks(_SLOT.sub("x", phrase.text))
        for source in (*(mark.source for mark in marks), *blanks(plain)):
            try:
                parse(source)
            except ClaimError as error:
                raise DataflowError(f"{file}, line {number}: [{source}] cannot be read: {error}.") from None
        phrases.setdefault(phrase.topic, []).append(phrase)
    return phrases
