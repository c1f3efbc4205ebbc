"""Whether a text with marks is true: its claims proven, its numbers beside them, and what it says without a mark."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dataflow_ext.claims.expressions import ClaimError, parse
from dataflow_ext.claims.marks import Mark, filled, marked, nouns_in, read_marks
from dataflow_ext.claims.numbers import Proof, Said, agrees, differs, paired, said_in
from dataflow_ext.claims.proof import Absent, Argument, Quantity, Value, answers, readings
from dataflow_ext.claims.vocabulary import World
from dataflow_ext.text.sentences import places as places_of

#: What a sentence or a claim turned out to be; only "false" blames.
Verdict = Literal["proven", "false", "unclaimed", "unproven"]

#: Counts up to this need no mark.
FEW = 3
#: Words that speak of a thing without naming it.
_PRONOUNS = re.compile(
    r"\b(?:it|its|itself|they|them|their|themselves|this|that|these|those|both|each|one|ones|everything|nothing|"
    r"another|other|others|pieces?|things?|objects?|here|there)\b|它|其|这|那|该|此|两者|彼此",
    re.IGNORECASE,
)
#: Words that may stand between a count and its noun.
_BETWEEN = re.compile(r"(?:\s?[A-Za-z-]+){0,2}?\s*[把张个只盏件台扇块组]?\s*$")


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a text: where it stands in the text without marks, its value, and what it turned out to be.

    ``said`` is the number that the text has for it, as it is written there.
    """

    expression: str
    value: str
    verdict: Verdict
    at: int
    said: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its marks, with its claims; ``start`` is its place in the text."""

    text: str
    start: int
    verdict: Verdict
    claims: Sequence[Claim]
    reasons: Sequence[str]

    @property
    def marked(self) -> str:
        """The sentence with its marks."""
        marks = [Mark(each.expression, min(max(each.at - self.start, 0), len(self.text))) for each in self.claims]
        return marked(self.text, marks)


@dataclass(frozen=True, slots=True)
class Checked:
    """A text without its marks, by sentences."""

    text: str
    sentences: Sequence[Sentence]

    @property
    def claims(self) -> list[Claim]:
        """All claims, in their order."""
        return [claim for sentence in self.sentences for claim in sentence.claims]

    @property
    def false(self) -> list[str]:
        """What is false, each in a sentence that names the mark."""
        return [reason for each in self.sentences if each.verdict == "false" for reason in each.reasons]

    @property
    def open(self) -> list[str]:
        """What is neither proven nor disproved and needs a claim, each in a sentence that says what to do."""
        return [reason for each in self.sentences if each.verdict == "unclaimed" for reason in each.reasons]

    @property
    def unmet(self) -> list[str]:
        """What claims with a value do not prove and do not disprove, each in a sentence that names the mark."""
        return [claim.reason for claim in self.claims if claim.verdict == "unclaimed" and claim.value]

    @property
    def proven_share(self) -> float:
        """The share of sentences that are proven."""
        return sum(each.verdict == "proven" for each in self.sentences) / max(len(self.sentences), 1)


def check(text: str, world: World) -> Checked:
    """The verdict on each sentence of a text with marks; what stands in braces is filled in first.

    *False* is a claim that is disproved, or a number in digits that is not the value of its claim. *Unclaimed* is what
    needs a claim and has none that proves it, and every quantity in words. *Unproven* needs none. The rest is *proven*.
    """
    plain, marks = read_marks(fill(text, world))
    places = list(places_of(plain))
    found = []
    for i, (start, end) in enumerate(places):
        until = places[i + 1][0] if i + 1 < len(places) else len(plain) + 1
        own = [mark for mark in marks if (start < mark.at <= until or (i == 0 and mark.at <= start))
               and not (mark.at == until and i + 1 < len(places))]  # fmt: skip
        found.append(_Reader(plain[start:end], start, own, world).sentence())
    return Checked(plain, found)


def fill(text: str, world: World) -> str:
    """The text with the value of each claim in braces; one that has none stays a mark without a number."""

    def value(source: str) -> str:
        try:
            found = answers(parse(source), world)
        except ClaimError:
            return ""
        return str(found[0]) if isinstance(found[0], Quantity) else ""

    return filled(text, value)


class _Reader:
    """Judges one sentence."""

    def __init__(self, text: str, start: int, marks: Sequence[Mark], world: World) -> None:
        self.text, self.start, self.world = text, start, world
        self.masked = _masked(text, frozenset(name for name in world.names() if re.search(r"\d", name)))
        self.proofs = [Proof.of(mark, min(max(mark.at - start, 0), len(text)), world) for mark in marks]
        self.said = list(said_in(_bare(text, world), {proof.at for proof in self.proofs}))
        self.used: set[Said] = set()
        self.unclaimed: list[str] = []

    def sentence(self) -> Sentence:
        """The sentence with its verdict."""
        claims = []
        for proof, said, sure, covered in paired(self.proofs, self.said):
            claims.append(self._claim(proof, said, sure))
            self.used.update(covered)
        self._spoken()
        self._unmarked()
        false = [claim.reason for claim in claims if claim.verdict == "false"]
        unclaimed = [claim.reason for claim in claims if claim.verdict == "unclaimed"] + self.unclaimed
        verdict: Verdict = "unproven"
        if false:
            verdict = "false"
        elif unclaimed:
            verdict = "unclaimed"
        elif any(claim.verdict == "proven" for claim in claims):
            verdict = "proven"
        return Sentence(self.text, self.start, verdict, claims, false or unclaimed)

    def _claim(self, proof: Proof, said: Said | None, sure: bool) -> Claim:
        source, at = proof.mark.source, proof.mark.at
        words = self.text[said.start : said.end] if said else ""
        value = " or ".join(dict.fromkeys(_written(each) for each in proof.values))
        verdict, reason = _verdict(proof, said, sure, words, value)
        return Claim(source, value, verdict, at, words, reason)

    def _spoken(self) -> None:
        """A claim has to be about something that the sentence speaks of, and its direction the sentence's."""
        lower = self.text.casefold()
        for proof in self.proofs:
            if proof.expression is None or not proof.values:
                continue
            reading = next(readings(proof.expression, self.world))
            arguments = [argument for _, _, each in reading.values() for argument in each]
            things = [argument for argument in arguments if argument.sort.thing]
            if things and not _PRONOUNS.search(self.text) and not any(self._speaks(each, lower) for each in things):
                self.unclaimed.append(f"[{proof.mark.source}] is about nothing that the sentence speaks of")
            for argument in arguments:
                if _contradicts(argument, lower):
                    self.unclaimed.append(f"[{proof.mark.source}] claims '{argument.found}', the sentence another one")

    def _speaks(self, argument: Argument, lower: str) -> bool:
        words = {argument.name.casefold().replace("_", " ")}
        words |= set(self.world.spoken(argument.sort.name, argument.found))
        return any(word in lower for word in words)

    def _unmarked(self) -> None:
        """What needs a mark: measured numbers, counts of things, kinds that the world has none of."""
        nouns = self.world.nouns()
        for said in self.said:
            if said in self.used:
                continue
            words = self.text[said.start : said.end]
            if said.by == "unread":
                self.unclaimed.append(f"'{words}' is not read; write it in digits, with a mark")
            elif said.is_measured:
                self.unclaimed.append(f"'{words}' has no mark")
            elif said.value > FEW and said.value == int(said.value) and self._counts(said, nouns):
                self.unclaimed.append(f"the count '{words}' has no mark")
        named = " ".join(proof.mark.source for proof in self.proofs).casefold().replace("_", " ")
        for _, _, noun in nouns_in(self.masked.casefold(), nouns.keys()):
            if not nouns[noun] and noun not in named and not self._named(noun, named):
                self.unclaimed.append(f"there is no '{noun}', and no mark says so")
        general = [proof for proof in self.proofs if proof.is_general]
        if general and any(_definite(name, self.text) for name in self.world.names()):
            self.unclaimed.append(f"[{general[0].mark.source}] names a thing of this world")

    def _named(self, noun: str, named: str) -> bool:
        """Whether a mark names the kind by another of its words."""
        return any(word in named for found in self._kinds(noun) for word in found)

    def _kinds(self, noun: str) -> Iterable[Collection[str]]:
        for sort in self.world.vocabulary.sorts:
            if not sort.thing and not sort.words:
                for found in self.world.find(sort.name, noun, self.world.vocabulary.states[0]):
                    yield self.world.spoken(sort.name, found)

    def _counts(self, said: Said, nouns: Mapping[str, bool]) -> bool:
        """Whether a number counts a known kind of thing."""
        rest = self.masked[said.end : said.end + 40].casefold()
        start = next((start for start, _, _ in nouns_in(rest, nouns.keys())), None)
        return start is not None and _BETWEEN.fullmatch(rest[:start]) is not None


def _verdict(proof: Proof, said: Said | None, sure: bool, words: str, value: str) -> tuple[Verdict, str]:
    """What a claim is: only a mark or a number in digits that is disproved is false."""
    source = proof.mark.source
    if isinstance(proof.error, Absent):
        return "false", f"[{source}] is false: {proof.error}"
    if proof.error:
        return "unclaimed", f"[{source}] proves nothing: {proof.error}"
    if proof.is_general:
        return "unproven", ""
    if not proof.is_number:
        fits = [bool(each) for each in proof.values]
        false = not any(fits)
    elif said is None:
        return "unclaimed", f"no number in digits stands before [{source}], which is {value}"
    else:
        quantities = [each for each in proof.values if isinstance(each, Quantity)]
        fits = [agrees(said, each) for each in quantities]
        false = sure and all(differs(said, each) for each in quantities)
    if all(fits):
        return "proven", ""
    if false:
        return "false", f"[{source}] is {value}{f', and not {words}' if proof.is_number else ''}"
    if any(fits):
        return "unclaimed", f"[{source}] leaves open which is meant"
    return "unclaimed", f"[{source}] is {value}, and not {words}; write its value in digits"


def _bare(text: str, world: World) -> str:
    """The text with its names and kinds blank, so that no number is read from a double bed."""
    text = _masked(text, frozenset(world.names()))
    lower = text.casefold()
    for start, end, _ in nouns_in(lower, world.nouns().keys()) if len(lower) == len(text) else ():
        text = text[:start] + "·" * (end - start) + text[end:]
    return text


def _contradicts(argument: Argument, lower: str) -> bool:
    """Whether the text has words of a closed sort, and none for the claimed value."""
    words = argument.sort.words
    if not words or any(_has(word, lower) for word in words[argument.found]):
        return False
    return any(_has(word, lower) for value, spoken in words.items() if value != argument.found for word in spoken)


def _has(word: str, lower: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word), lower) is not None


def _written(value: Value) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _masked(text: str, names: frozenset[str]) -> str:
    """The text in which names are blank."""
    pattern = _any_of(names)
    return pattern.sub(lambda found: "·" * len(found[0]), text) if pattern else text


@lru_cache(maxsize=256)
def _any_of(names: frozenset[str]) -> re.Pattern[str] | None:
    """What finds names, the longest first; None if there are none."""
    forms = {form for name in names for form in (name, name.replace(" ", "_"), name.replace(" ", " #"))}
    listed = "|".join(map(re.escape, sorted(forms, key=lambda form: (-len(form), form))))
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{listed})(?![A-Za-z0-9_])", re.IGNORECASE) if forms else None


def _definite(name: str, text: str) -> bool:
    """Whether a text means this very thing: "the sofa", "chair 2"; not "a sofa"."""
    the = "" if re.search(r"\d$", name) else r"(?:the|this|that|our|my|your)\s+|[这那该]"
    return re.search(rf"(?<![A-Za-z])(?:{the}){re.escape(name)}(?![A-Za-z])", text, re.IGNORECASE) is not None
