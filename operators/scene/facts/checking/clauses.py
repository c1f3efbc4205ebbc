"""A clause while its relations are read: what is named in it, and who each relation is told of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.scene.facts.checking import predicates
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Clause, Sentence
from operators.scene.facts.checking.topics import AWAY_WORDS, PRONOUN
from operators.scene.facts.checking.words import VERBS
from operators.scene.facts.checking.world import World
from operators.scene.facts.things import Room

Vector = tuple[int, int]


@dataclass
class ClauseReader:
    """A clause while it is read: what is named in it, which directions are used up, and what turned out false."""

    sentence: Sentence
    clause: Clause
    text: str
    found: Sequence[Mention]
    carried: Sequence[Mention]
    rooms: list[Room]
    world: World
    used: list[tuple[int, int]]
    wrong: list[str]

    def start(self, mention: Mention) -> int:
        """Where a mention begins in the clause."""
        return self.sentence.tokens[mention.start].start - self.clause.start

    def end(self, mention: Mention) -> int:
        """Where it ends."""
        return self.sentence.tokens[mention.end - 1].end - self.clause.start

    @property
    def named(self) -> list[Mention]:
        """The things that the clause names."""
        return [m for m in self.found if 0 <= self.start(m) < len(self.text) and m.families is None]

    def is_used(self, start: int, end: int) -> bool:
        """Whether a place is part of something read before."""
        return any(a < end and start < b for a, b in self.used)

    def claim(self, what: str, subjects: Sequence[Mention], target: Mention | None, way: Vector | None, part: str,
              words: str, *, denied: bool = False) -> None:  # fmt: skip
        """Note a claim if it holds for no object and in no room that may be meant."""
        for subject in subjects:
            known = all(jid in self.world.before.by_id for jid in subject.ids)
            rooms = self.rooms if known else [self.world.before, self.world.after]
            results = tried(what, subject, target, way, part, rooms)
            if results and not any(result != denied for result in results):
                self.wrong.append(words.strip())
                return


def tried(
    what: str, subject: Mention, target: Mention | None, way: Vector | None, part: str, rooms: Sequence[Room]
) -> list[bool]:
    """Whether a relation holds, for each object that may be meant, in each room."""
    results: list[bool] = []
    for room in rooms:
        for jid in sorted(subject.ids):
            thing = room.by_id.get(jid)
            if thing is None:
                continue
            if target is None:
                results.append(predicates.alone(what, room, thing, way, part))
                continue
            others = [room.by_id[j] for j in sorted(target.ids) if j in room.by_id and j != jid]
            results += [predicates.both(what, room, thing, other, way) for other in others]
    return results


def subjects_at(r: ClauseReader, place: int, other: int | None) -> list[Mention]:
    """The things that something at a place of a clause is told of.

    The last named before it with those joined to it by "and"; else the first after it (but not the one at ``other``);
    else, of a clause that names none, what the sentence or the one before names first.
    """
    before = [m for m in r.named if r.start(m) < place]
    if before:
        # A participle after a comma goes on about what the clause began with: "the lamp by the bed, hugging the wall".
        if len(before) > 1 and re.search(r",\s*(?:\w+ly )?\w+ing\b[^,]*$", r.text[r.end(before[-1]) : place + 8]):
            return before[:1] if before[0].ids and not before[0].denied else []
        head = head_of(r, before, place)
        chain, i = [head], r.named.index(head)
        while i > 0 and is_joint(r, r.named[i - 1], r.named[i]):
            i -= 1
            chain.append(r.named[i])
        chain = [head] if i > 0 else chain
        return [m for m in chain if not m.denied] if all(m.ids for m in chain) else []
    after = [m for m in r.named if r.start(m) >= place and r.start(m) != other]
    if after:
        return (
            after[:1]
            if after[0].ids and not after[0].wished and not after[0].denied and not PRONOUN.match(r.text)
            else []
        )
    plain = [m for m in r.found if m.families is None]
    earlier = [m for m in plain if r.start(m) < 0]
    later = [m for m in plain if r.start(m) >= len(r.text)]
    source = earlier[:1] or later[:1] or (list(r.carried)[:1] if PRONOUN.search(r.text) else [])
    return [m for m in source if m.ids and not m.wished and not m.denied]


def head_of(r: ClauseReader, named: list[Mention], place: int) -> Mention:
    """What a phrase is about: of "the lamp on the nightstand" the lamp."""
    head = named[-1]
    for earlier, later in zip(reversed(named[:-1]), reversed(named[1:]), strict=True):
        between = r.text[r.end(earlier) : r.start(later)]
        if not re.fullmatch(AWAY_WORDS, between):
            break
        head = earlier
    return head


def is_joint(r: ClauseReader, one: Mention, other: Mention) -> bool:
    """Whether two things are joined by "and" or a comma."""
    between = r.text[r.end(one) : r.start(other)]
    if any(word in VERBS for word in between.split()):
        return False
    return (
        re.fullmatch(
            r"\s*(?:,|and|nor|or|, and|, nor|&|as well as|with|from|to)\s+(?:the|a|an|its|"
            r"both)?\s*(?:[a-z0-9-]+\s+){0,3}",
            between,
        )
        is not None
    )
