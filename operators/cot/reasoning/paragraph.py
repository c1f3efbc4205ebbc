"""A paragraph in the making: phrases of the table whose marks are proven, none that tells too much."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from dataflow_ext.claims import holds, parse
from dataflow_ext.claims.marks import read_marks, stripped
from dataflow_ext.claims.phrases import Phrase, read_phrases
from operators.cot.claims.world import PlanWorld
from operators.cot.pieces import Pieces
from operators.cot.reasoning.paths import Slots
from operators.cot.reasoning.speaking import bare, state_of

T = TypeVar("T")

_PHRASES = read_phrases(Path(__file__).with_name("phrases.tsv"))
_SLOT = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"\b[a-z]\b")


class Draw:
    """Choices that depend on a key alone."""

    def __init__(self, key: str) -> None:
        self._left = int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=24).digest())

    def number(self, count: int) -> int:
        """A number below ``count``."""
        self._left, drawn = divmod(self._left, count)
        return drawn

    def of(self, texts: Sequence[T]) -> T:
        """One of the texts."""
        return texts[self.number(len(texts))]


class Paragraph:
    """Sentences with marks about a world. ``hidden`` are texts, in small letters, that none of them may name."""

    def __init__(self, world: PlanWorld, pieces: Pieces, draw: Draw, hidden: Sequence[str] = ()) -> None:
        self.world, self.pieces, self.draw = world, pieces, draw
        self.hidden = [each for each in hidden if each]
        self.sentences: list[str] = []
        self._used: Counter[str] = Counter()

    def add(self, sentence: str) -> None:
        """A sentence as it is."""
        if sentence:
            self.sentences.append(sentence)

    def say(self, topic: str, options: Sequence[Slots] = ({},), **texts: str) -> bool:
        """One phrase of a topic about the first of the options of which it can be said; whether there is one.

        Options that were not used yet come first; ``texts`` fill slots as they stand.
        """
        if not options:
            return False
        phrases = _PHRASES[topic]
        turn, first = self.draw.number(len(options)), self.draw.number(len(phrases))
        turned = [*options[turn:], *options[:turn]]
        for slots in sorted(turned, key=lambda each: sum(self._used[name] for name in each.values())):
            for n in range(min(len(phrases), 3)):
                said = self._said(phrases[(first + n) % len(phrases)], slots, texts)
                if said:
                    self.sentences.append(said)
                    self._used.update(slots.values())
                    return True
        return False

    def _said(self, phrase: Phrase, slots: Slots, texts: Mapping[str, str]) -> str:
        """The phrase if all of its claims hold and it names nothing hidden; else nothing."""
        key: tuple[int | str, ...] = (self.world.cut, phrase.text, *slots.values(), *texts.values())
        said = self.pieces.said.get(key)
        if said is None:
            said = self.pieces.said[key] = self._filled(phrase, slots, texts)
        if said and self.hidden:
            lower = stripped_sentence(said).casefold()
            if any(each in lower for each in self.hidden):
                return ""
        return said

    def _filled(self, phrase: Phrase, slots: Slots, texts: Mapping[str, str]) -> str:
        """The phrase with its slots filled, if all of its claims hold; else nothing."""
        if any(not self._true(_named(claim, slots)) for claim in _claims(phrase.text)):
            return ""
        words = {slot: self._words(name) for slot, name in slots.items()} | dict(texts)
        if not all(words[slot] for slot in _SLOT.findall(phrase.text)):
            return ""
        text = _SLOT.sub(lambda found: words[found[1]], phrase.text)
        for claim in _claims(phrase.text):
            text = text.replace(f"[{claim}]", f"[{_named(claim, slots)}]", 1)
        return text[0].upper() + text[1:]

    def _true(self, claim: str) -> bool:
        known = self.world.proven
        if claim not in known:
            known[claim] = holds(parse(claim), self.world)
        return known[claim]

    def _words(self, name: str) -> str:
        fact = self.world.fact(name)
        if fact is not None:
            return self.pieces.plain(state_of(fact))
        step = self.world.plan.steps[self.world.plan.position(int(name)) or 0]
        return self.pieces.quoted(bare(step.step_goal))


@lru_cache(maxsize=1 << 14)
def stripped_sentence(sentence: str) -> str:
    """A sentence without its marks, remembered: samples of one plan share most of theirs."""
    return stripped(sentence)


@lru_cache(maxsize=1 << 10)
def _claims(text: str) -> Sequence[str]:
    return [mark.source for mark in read_marks(_SLOT.sub("x", text))[1]]


def _named(claim: str, slots: Slots) -> str:
    return _NAME.sub(lambda found: slots.get(found[0], found[0]), claim)
