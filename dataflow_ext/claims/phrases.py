"""Phrases with marks as data: tables of ways to say what claims prove."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from dataflow_ext.claims.checking import check, fill
from dataflow_ext.claims.expressions import ClaimError, Name, parse, parts_of, replaced
from dataflow_ext.claims.marks import blanks, read_marks
from dataflow_ext.claims.proof import answers
from dataflow_ext.claims.vocabulary import World
from dataflow_ext.errors import DataflowError

_START = re.compile(r"^[a-z]|(?<=[.?!] )[a-z]")
_CHOICE = re.compile(r"<([^<>]*\|[^<>]*)>")
_SLOT = re.compile(r"\{([a-z]\w*)\}")
_CLAIM = re.compile(r"(\[|\{)((?:not )?[^\[\]{}\n]*?[^\W\d]\w*\([^\[\]{}\n]*)(\]|\})")


@dataclass(frozen=True)
class Phrase:
    """A way to say something: a text with slots ``{a}``, marks about them, and claims in braces to be filled in.

    ``first`` is the text of the table's row that it is a wording of.
    """

    topic: str
    language: str
    text: str
    first: str = ""

    @cached_property
    def claims(self) -> Sequence[str]:
        """Its marks and what it fills in, statements first."""
        plain, marks = read_marks(_SLOT.sub("x", self.text))
        return [*(mark.source for mark in marks), *blanks(plain)]

    @cached_property
    def slots(self) -> frozenset[str]:
        """The slots that its words have, and those, of one letter, that only its claims have."""
        inner = {name.text for source in self.claims for name in parts_of(parse(source)) if isinstance(name, Name)}
        return frozenset({*_SLOT.findall(self.text), *(name for name in inner if len(name) == 1)})

    def said(self, names: Mapping[str, str], words: Mapping[str, str] | None = None) -> str:
        """The phrase about the things of its slots, with its marks; ``words`` are how the text calls them.

        >>> Phrase("gap", "en", "{a} is {gap(a, b)} off {b}.").said({"a": "sofa", "b": "bed"}, {"a": "the sofa"})
        'The sofa is {gap(sofa, bed)} off bed.'
        """
        called = {**names, **(words or {})}
        text = _CLAIM.sub(lambda found: found[1] + claimed(found[2], names) + found[3], self.text)
        text = _SLOT.sub(lambda found: called[found[1]], text)
        return _START.sub(lambda found: found[0].upper(), text)

    def proven(self, names: Mapping[str, str], world: World, words: Mapping[str, str] | None = None) -> str | None:
        """The phrase with its marks, its numbers filled in; None unless every sentence of it is so."""
        if not all(_may_hold(claimed(source, names), world) for source in self.claims):
            return None
        text = fill(self.said(names, words), world)
        checked = check(text, world)
        if any(each.verdict in ("false", "unclaimed") for each in checked.sentences) or "{" in checked.text:
            return None
        return text


def _may_hold(source: str, world: World) -> bool:
    """Whether a claim has a value, and is not false: a quick look before the whole text is judged."""
    try:
        return all(each is not False for each in answers(parse(source), world))
    except ClaimError:
        return False


@lru_cache(maxsize=1 << 14)
def _renamed(source: str, values: tuple[tuple[str, str], ...]) -> str:
    expression = parse(source)
    for slot, _ in values:
        expression = replaced(expression, Name(slot), Name(f"\0{slot}"))
    for slot, name in values:
        expression = replaced(expression, Name(f"\0{slot}"), Name(name))
    return str(expression)


def claimed(source: str, values: Mapping[str, str]) -> str:
    """A claim about the things that its slots stand for.

    >>> claimed("gap(a, b)", {"a": "sofa", "b": "tv stand"})
    'gap(sofa, tv stand)'
    """
    return _renamed(source, tuple(sorted(values.items())))


def read_phrases(file: Path) -> Mapping[str, Sequence[Phrase]]:
    """The phrases of a table by their topics: TSV with the columns topic, language and text.

    ``<stands|is>`` in a text makes a phrase of each choice.

    DataflowError if a row is none, or if a mark of it cannot be read.
    """
    phrases: dict[str, list[Phrase]] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 3:
            raise DataflowError(f"{file}, line {number}: a phrase has topic, language and text, with tabs between.")
        for text in _wordings(cells[2]):
            phrase = Phrase(cells[0], cells[1], text, cells[2])
            _must_read(phrase, f"{file}, line {number}")
            phrases.setdefault(phrase.topic, []).append(phrase)
    return phrases


def _wordings(text: str) -> list[str]:
    """The texts that ``<a|b>`` makes of one, in every combination.

    >>> _wordings("it <is|stays> there")
    ['it is there', 'it stays there']
    """
    found = _CHOICE.search(text)
    if not found:
        return [text]
    rest = _wordings(text[found.end() :])
    return [text[: found.start()] + word + after for word in found[1].split("|") for after in rest]


def _must_read(phrase: Phrase, where: str) -> None:
    for source in phrase.claims:
        try:
            parse(source)
        except ClaimError as error:
            raise DataflowError(f"{where}: [{source}] cannot be read: {error}.") from None
