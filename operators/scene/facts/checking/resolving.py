"""Which objects of the rooms a noun may mean, by its words, its number, its qualities and its place."""

from __future__ import annotations

import re

from operators.scene.facts.checking import predicates
from operators.scene.facts.checking.reader import Sentence, Token
from operators.scene.facts.checking.words import DIRECTIONS, NUMBER_WORDS, ORDINALS, PLAN_SIDES, word_set
from operators.scene.facts.checking.world import World
from operators.scene.facts.things import Thing
from operators.scene.furniture.kinds import Kind

DETERMINERS = word_set(
    "the a an this that these those its their his her our my your each every another other no some all both new "
    "existing old only and or of with"
)
_SIDE = re.compile(
    rf"^\s*(?:on|at|in|by|near|along|against|to) (?:the "
    rf")?(?P<way>{'|'.join(sorted((*DIRECTIONS, 'left', 'right'), key=len, reverse=True))})"
    r"(?:-hand)? (?P<part>side|wall|half|corner|end)\b(?! of the (?!room))"
)
_NO_QUALITIES = word_set("more further additional extra next remaining same whole entire matching first last")
_UNITS = word_set("m metre metres meter meters cm degrees degree percent % mm x m2 by square")
#: What comes with beds and sofas without being told.
_PARTS_OF_BED = word_set("headboard mattress pillow blanket")


def fits(thing: Thing, kind: Kind, words: str = "") -> bool:
    """Whether a thing may be called by a kind, or by words that its own description uses."""
    if thing.kind.is_a(kind.noun) or kind.noun.endswith(" " + thing.kind.noun):
        return True
    if kind.noun in _PARTS_OF_BED and thing.kind.family in ("bed", "sofa"):
        return True
    return bool(words) and _says(str(thing.obj.get("desc", "")).lower(), words)


def resolved(sentence: Sentence, start: int, end: int, words: str, kind: Kind | None,
              world: World) -> tuple[frozenset[str], int, bool]:  # fmt: skip
    """The objects that may be meant, where the mention ends with its number, and whether it is a full name."""
    tokens = sentence.tokens
    if words in world.names:
        after = tokens[end].text if end < len(tokens) else ""
        if not (after.isdigit() and f"{words} {after}" in world.names):
            return frozenset(world.names[words]), end, True
    stem_ids = {jid for name, ids in world.names.items() if name.rstrip("0123456789 ") == words for jid in ids}
    number, place = _number_after(tokens, end)
    if number is not None:
        named = world.names.get(f"{words} {number}")
        if named is None and kind is not None:
            named = {jid for name, ids in world.names.items() for jid in ids
                     if name.endswith(f" {number}") and fits(world.things[jid], kind, words)}  # fmt: skip
        return frozenset(named or ()), place, True
    if words in world.stems and stem_ids and not (kind and words in (kind.noun, kind.plural)):
        return frozenset(stem_ids), end, False
    if kind is None:
        return frozenset(), end, False
    found = {jid for jid, thing in world.things.items() if thing.kind.is_a(kind.noun) or fits(thing, kind)}
    if not found:
        found = {jid for jid, thing in world.things.items() if fits(thing, kind, words)}
    return frozenset(_by_qualities(sentence, start, found, world)), end, False


def _number_after(tokens: list[Token], end: int) -> tuple[int | None, int]:
    """A number that belongs to a name: "nightstand 2", "nightstand #2"."""
    place = end
    if place < len(tokens) and tokens[place].text in ("#", "no", "number"):
        place += 1
    if place < len(tokens) and tokens[place].text.isdigit() and len(tokens[place].text) <= 2:
        follows = tokens[place + 1].text if place + 1 < len(tokens) else ""
        if follows not in _UNITS and not (follows and follows[0].isdigit()):
            return int(tokens[place].text), place + 1
    return None, end


def _by_qualities(sentence: Sentence, start: int, found: set[str], world: World) -> set[str]:
    """Those whose descriptions have the qualities named before the noun, if any has."""
    for token in reversed(sentence.tokens[max(0, start - 4) : start]):
        word = token.text
        if (
            word in DETERMINERS
            or word in _NO_QUALITIES
            or word in NUMBER_WORDS
            or word in ORDINALS
            or not word[0].isalpha()
        ):
            break
        narrowed = {jid for jid in found if _says(str(world.things[jid].obj.get("desc", "")).lower(), word)}
        found = narrowed or found
    return found


def by_place(sentence: Sentence, start: int, end: int, ids: frozenset[str], world: World) -> frozenset[str]:
    """Those that stand where the words beside the noun say: "the left lamp", "the chair on the west side"."""
    tokens = sentence.tokens
    match = _SIDE.match(sentence.text[tokens[end - 1].end :])
    if match:
        way, what = (
            DIRECTIONS.get(match["way"]) or PLAN_SIDES[match["way"]],
            "near_wall" if match["part"] == "wall" else "side",
        )
        kept = {jid for jid in ids for room, thing in world.states(jid)
                if predicates.alone(what, room, thing, way, match["part"])}  # fmt: skip
        return frozenset(kept) or ids
    way_word = tokens[start - 1].text if start else ""
    found = DIRECTIONS.get(way_word) or (PLAN_SIDES.get(way_word) if way_word not in ("top", "bottom") else None)
    if not found:
        return ids
    things = [
        (thing.box.x * found[0] + thing.box.z * found[1], jid)
        for jid in sorted(ids)
        for _, thing in world.states(jid)[:1]
    ]
    furthest = max(far for far, _ in things)
    return frozenset(jid for far, jid in things if far > furthest - 0.05)


def _says(desc: str, words: str) -> bool:
    return re.search(rf"\b{re.escape(words)}\b", desc) is not None
