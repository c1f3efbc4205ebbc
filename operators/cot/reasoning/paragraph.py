"""A paragraph in the making: phrases of the table whose marks are proven, none that tells too much."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dataflow_ext.claims.marks import read_marks
from dataflow_ext.claims.phrases import Phrase, read_phrases
from operators.cot.claims.world import PlanWorld
from operators.cot.pieces import Pieces
from operators.cot.reasoning.paths import Slots
from operators.cot.reasoning.speaking import bare, state_of

T = TypeVar("T")

_SLOT = re.compile(r"\{(\w+)\}")
_NAME = re.compile(r"\b([a-z])\b")


@dataclass(frozen=True, eq=False)
class _Form:
    """A phrase to be filled: ``{a}`` is what a text calls a thing, ``{_a}`` its name in a claim."""

    text: str
    plain: str
    claims: Sequence[str]
    slots: Sequence[str]

    @classmethod
    def of(cls, phrase: Phrase) -> _Form:
        """The phrase with the names in its marks as slots."""
        claims = {claim: _NAME.sub(r"{_\1}", claim) for claim in phrase.claims}
        text = phrase.text
        for claim, form in claims.items():
            text = text.replace(f"[{claim}]", f"[{form}]")
        return cls(text, read_marks(phrase.text)[0], list(claims.values()), _SLOT.findall(phrase.text))


_PHRASES = {
    topic: [_Form.of(phrase) for phrase in phrases]
    for topic, phrases in read_phrases(Path(__file__).with_name("phrases.tsv")).items()
}


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

    def _said(self, phrase: _Form, slots: Slots, texts: Mapping[str, str]) -> str:
        """The phrase if all of its claims hold and it names nothing hidden; else nothing."""
        key = (self.world.cut, phrase, *slots.values(), *texts.values())
        said = self.pieces.said.get(key)
        if said is None:
            said = self.pieces.said[key] = self._filled(phrase, slots, texts)
        marked, lower = said
        return "" if any(each in lower for each in self.hidden) else marked

    def _filled(self, phrase: _Form, slots: Slots, texts: Mapping[str, str]) -> tuple[str, str]:
        """The phrase with its slots filled, and in small letters without marks; nothing unless all its claims hold."""
        names = {f"_{slot}": name for slot, name in slots.items()}
        if not all(self.world.proves(claim.format_map(names)) for claim in phrase.claims):
            return "", ""
        words = {slot: self._words(name) for slot, name in slots.items()} | dict(texts)
        if not all(words[slot] for slot in phrase.slots):
            return "", ""
        text, plain = phrase.text.format_map(words | names), phrase.plain.format_map(words)
        return text[0].upper() + text[1:], plain.casefold()

    def _words(self, name: str) -> str:
        words = self.pieces.called.get(name)
        if words is None:
            words = self.pieces.called[name] = self._called(name)
        return words

    def _called(self, name: str) -> str:
        fact = self.world.fact(name)
        if fact is not None:
            return self.pieces.plain(state_of(fact))
        step = self.world.plan.steps[self.world.plan.position(int(name)) or 0]
        return self.pieces.quoted(bare(step.step_goal))
