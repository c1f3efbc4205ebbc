"""The one who writes a conversation: sentences drawn from the phrases whose claims hold, none of them twice."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files

from dataflow_ext.claims import stripped
from dataflow_ext.claims.phrases import Phrase, claimed, read_phrases
from dataflow_ext.claims.sentences import sentences
from operators.scene.claims.world import RoomWorld
from operators.scene.reasoning.bindings import Options, bindings, words

#: Lengths that say nothing, or that are inside of a wall.
_NOTHING = re.compile(r"(?<![\d.])(?:0\.00 m|-[\d.]+ m(?! \[[xz]\())")
#: Claims about the front of a slot.
_FRONTS = re.compile(r"\b(?:ahead|bearing|angle|faces|faces_away|back_to_wall|blocked)\((\w)\b")


class Voice:
    """Draws phrases by their topic, of those used least in the conversation first."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self._said: set[str] = set()
        self._used: Counter[str] = Counter()
        self._claimed: set[str] = set()

    def begin(self) -> None:
        """A new turn: what was claimed in the last one may be claimed again."""
        self._claimed = set()

    def say(self, topic: str, world: RoomWorld, known: Options) -> list[str]:
        """A sentence of the topic with its marks, as a list of one; nothing if no phrase of it is true and new."""
        found = list(_phrases().get(topic, ()))
        self.draw.shuffle(found)
        found.sort(key=lambda phrase: self._used[phrase.first])
        shuffled = {slot: self.draw.sample(list(values), len(values)) if slot == "w" else values
                    for slot, values in known.items()}  # fmt: skip
        failed = set[str]()
        for phrase in found:
            if phrase.first in failed:
                continue
            for names in bindings(phrase.slots, shuffled):
                if _suits(phrase, names, known) and (said := self._new(phrase, names, world)):
                    return [said]
            failed.add(phrase.first)
        return []

    def _new(self, phrase: Phrase, names: Mapping[str, str], world: RoomWorld) -> str | None:
        about = {claimed(source, names) for source in phrase.claims}
        if about and about <= self._claimed:
            return None
        text = phrase.proven(names, world, words(names))
        if text is None or _NOTHING.search(text):
            return None
        plain = stripped(text)
        said = {plain[start:end] for start, end in sentences(plain)}
        if said & self._said:
            return None
        self._said |= said
        self._used[phrase.first] += 1
        self._claimed |= about
        return text


def _suits(phrase: Phrase, names: Mapping[str, str], known: Options) -> bool:
    """Whether things whose front a phrase speaks of have one."""
    slots = {found[1] for source in phrase.claims for found in _FRONTS.finditer(source)}
    return all(names.get(slot) in known.get("front", ()) for slot in slots)


@cache
def _phrases() -> Mapping[str, Sequence[Phrase]]:
    with as_file(files("operators.scene.data") / "phrases.tsv") as file:
        return read_phrases(file)
