"""Whole texts about a turn, honest ones and such with one lie, in five styles."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.scene.lies import talk
from tests.scene.lies.deeds import conclusion, deed
from tests.scene.lies.truths import ROOMS, Said, observations, problems, sound
from tests.scene.lies.turns import Case
from tests.scene.lies.world import World, cap

STYLES = "ABCDE"
#: The words of a text: at least, at most.
LEAST, MOST = 80, 240


@dataclass
class Text:
    """What a writer says of a turn; ``kind`` is the letter of its lie, ``phrasing`` and ``lie`` tell which it is."""

    think: str
    conclusion: str
    kind: str = ""
    phrasing: str = ""
    lie: str = ""
    #: The conclusion without the lie.
    told: str = ""

    @property
    def without(self) -> tuple[str, str]:
        """The same text without its lie."""
        return self.think.replace(self.lie, "") if self.lie in self.think else self.think, self.told or self.conclusion


@dataclass
class Draft:
    """The parts of a text, before they are put in order."""

    world: World
    style: str
    seen: list[Said]
    deeds: list[str]
    outcome: list[str]
    conclusion: str

    def text(self) -> Text:
        """The text; what is seen is told more briefly where much is done."""
        while len(" ".join([*(each.text for each in self.seen), *self.deeds, *self.outcome]).split()) > MOST - 60:
            spare = [each for each in self.seen if each.topic != "lie"]
            if not spare:
                break
            self.seen.remove(spare[-1])
        return Text(_ORDERS[self.style](self), self.conclusion)


def honest(case: Case, rng: random.Random, style: str = "") -> Text:
    """A text all of which is true."""
    return drafted(case, rng, style).text()


def drafted(case: Case, rng: random.Random, style: str = "") -> Draft:
    """The parts of a true text about a turn, in a style that is drawn if none is given."""
    world = World(case, rng)
    wrong = list(problems(world, world.before))
    rng.shuffle(wrong)
    plain = observations(world)
    seen = _diverse(wrong[:2] + plain, rng.choice((3, 4, 5)))
    if (fine := sound(world, world.before, rng)) and rng.random() < 0.4:
        seen.append(Said(fine, "overlap"))
    calls = [deed(world, call) for call in world.calls]
    return Draft(world, style or rng.choice(STYLES), seen, calls, _outcome(world), conclusion(world))


def _diverse(said: list[Said], count: int) -> list[Said]:
    """So many sentences, no two of one topic about one thing."""
    found: list[Said] = []
    for each in said:
        if not any(each.topic == other.topic for other in found) or len(found) > 9:
            found.append(each)
    return found[:count]


def _outcome(world: World) -> list[str]:
    rng, total = world.rng, len(world.after.room.things)
    found = []
    if not world.calls:
        found.append(rng.choice(("The room does what was asked of it, so I leave it as it is.",
                                 "I see no step that would still be worth its trouble.",
                                 "Everything that was planned is in place, and I stop here.")))  # fmt: skip
    elif rng.random() < 0.5:
        n = f"{total} {'object' if total == 1 else 'objects'}"
        forms = (f"With that the room has {n}.", f"The room then comes to {n}.", f"Afterwards the room is furnished with {n}.",
                 f"Counting everything, {n} will be there.", f"After this step I count {n}.")  # fmt: skip
        found.append(rng.choice(forms))
    if fine := sound(world, world.after, rng, later=True):
        found.append(fine)
    else:
        left = list(problems(world, world.after, later=True))
        known = {thing.jid for thing in world.still}
        pairs = {frozenset((o.one.jid, o.other.jid)) for o in world.after.overlaps}
        if left and all(pair <= known for pair in pairs):
            found.append(left[0].text)
    return found


def _talk(world: World, lines: tuple[str, ...]) -> str:
    name = ROOMS.get(world.before.room.room_type, world.before.room.room_type)
    return world.rng.choice(lines).format(room="room" if name == "other" else name)


def flowing(world: World, seen: list[Said]) -> list[str]:
    """Sentences in a row; where two of one thing follow each other, the second says "it"."""
    out: list[str] = []
    last = None
    for each in seen:
        text = each.text
        begin = cap(world.the(each.thing)) if each.thing else ""
        if each.thing and each.thing is last and text.startswith(begin + " ") and world.rng.random() < 0.8:
            text = "It" + text[len(begin) :]
        elif out and world.rng.random() < 0.2 and not text.startswith(("I ", "It ")):
            text = world.rng.choice(("Besides, ", "At the same time, ", "Then again, ")) + _small(text)
        out.append(text)
        last = None if text.startswith(begin + " and ") else each.thing
    return out


def _small(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text if first.isupper() and len(first) > 1 else text[:1].lower() + text[1:]


def _grouped(seen: list[Said]) -> list[Said]:
    """Sentences about one thing next to each other."""
    order: dict[str, int] = {}
    for i, each in enumerate(seen):
        order.setdefault(each.thing.jid if each.thing else f"-{i}", i)
    keyed = [(order[each.thing.jid if each.thing else f"-{i}"], i, each) for i, each in enumerate(seen)]
    return [each for _, _, each in sorted(keyed, key=lambda k: k[:2])]


def _filled(draft: Draft, parts: list[str]) -> str:
    """The parts as a text, with asides where it would be too short."""
    world, rng = draft.world, draft.world.rng
    asides = list(talk.ASIDES)
    rng.shuffle(asides)
    parts = [part for part in parts if part]
    while sum(len(part.split()) for part in parts) < LEAST and asides:
        parts.insert(rng.randrange(1, len(parts) + 1), asides.pop())
    return " ".join(" ".join(parts).split()) if world else ""


def _steps(draft: Draft) -> str:
    world, rng = draft.world, draft.world.rng
    problem, lead = (
        "The first thing to settle is what is wrong or lacking.",
        "My approach is to act on what matters most.",
    )
    return _filled(draft, [rng.choice((problem, _talk(world, talk.OPENINGS))), *flowing(world, _grouped(draft.seen)),
                           rng.choice((lead, "The strategy follows from that.")), *draft.deeds,
                           *draft.outcome, rng.choice(talk.CLOSINGS)])  # fmt: skip


def _strategy(draft: Draft) -> str:
    world, rng = draft.world, draft.world.rng
    first = rng.choice(("The priority at this stage is order, then use, then looks.",
                        "What counts now is the overall structure; the rest can wait.",
                        "I set the strategy before the details."))  # fmt: skip
    return _filled(draft, [first, *draft.deeds, rng.choice(("As to the details:", "The facts behind it are these.", "")),
                           *flowing(world, _grouped(draft.seen)), *draft.outcome,
                           rng.choice(talk.PLANS) if world.calls else ""])  # fmt: skip


def _questions(draft: Draft) -> str:
    world, rng = draft.world, draft.world.rng
    return _filled(draft, [rng.choice(talk.QUESTIONS), *flowing(world, _grouped(draft.seen)), rng.choice(talk.DOING),
                           *(draft.deeds or ["I do nothing more."]),
                           *([rng.choice(talk.CHECKING), *draft.outcome] if draft.outcome else [])])  # fmt: skip


def _chain(draft: Draft) -> str:
    world, rng = draft.world, draft.world.rng
    half = len(draft.seen) // 2
    parts = [_talk(world, talk.OPENINGS), *flowing(world, draft.seen[:half])]
    parts += [draft.deeds[0] if draft.deeds else "", rng.choice(talk.ASIDES), *flowing(world, draft.seen[half:])]
    return _filled(draft, [*parts, *draft.deeds[1:], *draft.outcome, rng.choice(talk.PLANS) if world.calls else ""])


def _free(draft: Draft) -> str:
    world = draft.world
    parts = [*flowing(world, _grouped(draft.seen)[:3]), *draft.deeds, *draft.outcome]
    return _filled(draft, [*parts, world.rng.choice(talk.CLOSINGS)])


_ORDERS = {"A": _steps, "B": _strategy, "C": _questions, "D": _chain, "E": _free}
