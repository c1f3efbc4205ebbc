"""Which objects a sentence names, and whether it claims that they are there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from operators.scene.facts.checking import predicates
from operators.scene.facts.checking.reader import Sentence, Token
from operators.scene.facts.checking.words import (
    DIRECTIONS,
    NUMBER_WORDS,
    ORDINALS,
    PLAN_SIDES,
    UMBRELLAS,
    WISH,
    WISH_AFTER,
)
from operators.scene.facts.checking.world import World
from operators.scene.facts.things import Thing
from operators.scene.furniture.kinds import Kind, nouns

_DETERMINERS = frozenset(["the", "a", "an", "this", "that", "these", "those", "its", "their", "his", "her", "our", "my", "your", "each", "every", "another", "other", "no", "some", "all", "both", "new", "existing", "old", "only", "and", "or", "of", "with"])  # fmt: skip
#: Nouns that are verbs as well, or parts of other words: they name a thing only after a determiner or a quality.
_ALSO_VERBS = frozenset(["mirror", "mirrors", "plant", "plants", "shelf", "console", "fan", "mat", "mats", "tree", "screen", "curtain", "safe", "trunk", "bench", "tub", "cot", "runner", "stool", "hob", "globe", "clock"])  # fmt: skip
#: Second halves of nouns that are verbs as well: "the plant stands in the corner".
_VERB_ENDS = frozenset(["stands", "stand", "lights", "mirrors", "screens", "racks", "fans"])
_SIDE = re.compile(
    rf"^\s*(?:on|at|in|by|near|along|against|to) (?:the )?(?P<way>{'|'.join(sorted((*DIRECTIONS, 'left', 'right'), key=len, reverse=True))})"
    r"(?:-hand)? (?P<part>side|wall|half|corner|end)\b(?! of the (?!room))"
)
#: Loose words that mean the picture of the room itself, or anything.
_PICTURES = frozenset(["picture", "pictures", "image", "photo", "photograph", "figure", "drawing", "case", "model", "frame", "print", "art", "range"])
_NO_QUALITIES = frozenset(["more", "further", "additional", "extra", "next", "remaining", "same", "whole", "entire", "matching", "first", "last"])
_UNITS = frozenset(
    [
        "m",
        "metre",
        "metres",
        "meter",
        "meters",
        "cm",
        "degrees",
        "degree",
        "percent",
        "%",
        "mm",
        "x",
        "m2",
        "by",
        "square",
    ]
)
#: What follows a noun that only tells which kind of place or thing is meant.
_PARTS_OF_BED = frozenset(["headboard", "mattress", "pillow", "blanket"])


@dataclass
class Mention:
    """A named thing: from which token to which, what is called, and which objects of the room it may be.

    ``ids`` is empty if nothing in either room can be meant. ``count`` is the stated number; ``plural`` whether many
    are named. ``denied`` for "no bed", ``wished`` where no existence is claimed.
    """

    start: int
    end: int
    words: str
    kind: Kind | None
    ids: frozenset[str]
    plural: bool = False
    count: int | None = None
    count_word: str = ""
    denied: bool = False
    wished: bool = False
    exact: bool = False
    definite: bool = False
    families: tuple[str, ...] | None = None


def mentions(sentence: Sentence, world: World) -> list[Mention]:
    """The mentions of a sentence in their order."""
    tokens, found, i = sentence.tokens, [], 0
    while i < len(tokens):
        length, words, kind = _phrase(tokens, i, world)
        if length:
            mention = _mention(sentence, i, i + length, words, kind, world)
            if mention:
                found.append(mention)
                i = mention.end
                continue
        if tokens[i].text in UMBRELLAS:
            found.append(_umbrella(sentence, i, world))
        i += max(1, length)
    return found


def fits(thing: Thing, kind: Kind, words: str = "") -> bool:
    """Whether a thing may be called by a kind, or by words that its own description uses."""
    if thing.kind.is_a(kind.noun) or kind.noun.endswith(" " + thing.kind.noun):
        return True
    if kind.noun in _PARTS_OF_BED and thing.kind.family in ("bed", "sofa"):
        return True
    return bool(words) and _says(str(thing.obj.get("desc", "")).lower(), words)


@cache
def _vocabulary() -> tuple[Mapping[str, Kind], Mapping[str, Kind]]:
    """The firm words and all words, with phrases told by their first word's longest length."""
    return nouns(), nouns(loose=True)


@cache
def _starts() -> frozenset[str]:
    return frozenset(re.split(r"[ -]", word)[0] for word in nouns(loose=True) if word.isascii())


def _phrase(tokens: list[Token], i: int, world: World) -> tuple[int, str, Kind | None]:
    """The longest known noun phrase that begins at a token: its tokens, its words and kind."""
    firm, loose = _vocabulary()
    best: tuple[int, str, Kind | None] = (0, "", None)
    first = tokens[i].text
    if not first[0].isalpha():
        return best
    if re.split("-", first)[0] not in _starts() and not any(name.startswith(first) for name in world.names):
        return best
    words = ""
    for j in range(i, min(i + 6, len(tokens))):
        text = tokens[j].text
        if not (text[0].isalnum() or text == "-"):
            break
        words = f"{words} {text}".strip()
        plain = words.replace("-", " ")
        for each in (words, plain):
            if each in world.names or each in world.stems:
                best = (j + 1 - i, each, _kind_of_name(each, world))
            elif each in firm and not (best[0] and text in _VERB_ENDS and not _is_there(firm[each], world)):
                best = (j + 1 - i, each, firm[each])
            elif j > i and text in _VERB_ENDS and best[0]:
                continue
            elif (
                each in loose
                and each not in _PICTURES
                and any(thing.kind.is_a(loose[each].noun) for thing in world.things.values())
            ):
                best = (j + 1 - i, each, loose[each])
    return best


def _is_there(kind: Kind, world: World) -> bool:
    return any(thing.kind.is_a(kind.noun) for thing in world.things.values())


def _kind_of_name(name: str, world: World) -> Kind | None:
    for known, ids in world.names.items():
        if known == name or known.rstrip("0123456789 ") == name:
            return world.things[min(ids)].kind
    return None


def _mention(sentence: Sentence, start: int, end: int, words: str, kind: Kind | None, world: World) -> Mention | None:
    tokens = sentence.tokens
    before = [token.text for token in tokens[max(0, start - 6) : start]]
    plural = bool(kind) and words not in world.names and words.rstrip("0123456789 ") != (kind.noun if kind else "") and (
        (words.split()[-1].endswith("s") and not words.endswith("ss")) or words.endswith("shelves")
    )  # fmt: skip
    if words in _ALSO_VERBS and not (before and (before[-1] in _DETERMINERS or before[-1].isalpha())):
        return None
    if words in _ALSO_VERBS and before and before[-1] in ("to", "that", "which", "they", "it", "will", "would"):
        return None
    ids, end, exact = _resolved(sentence, start, end, words, kind, world)
    if len(ids) > 1:
        ids = _by_place(sentence, start, end, ids, world)
    mention = Mention(start, end, words, kind, ids, plural, exact=exact)
    _read_left(mention, before)
    place = tokens[start].start
    clause = sentence.clause_at(place)
    head, tail = sentence.text[clause.start : place], sentence.text[tokens[end - 1].end : clause.end]
    mention.wished = mention.wished or bool(WISH.search(head)) or bool(WISH_AFTER.search(tail))
    if (
        not mention.wished
        and mention.denied is False
        and re.search(r"\b(?:user|instruction|request|brief)\b", sentence.text)
    ):
        mention.wished = True
    return mention


def _resolved(sentence: Sentence, start: int, end: int, words: str, kind: Kind | None,
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
            word in _DETERMINERS
            or word in _NO_QUALITIES
            or word in NUMBER_WORDS
            or word in ORDINALS
            or not word[0].isalpha()
        ):
            break
        narrowed = {jid for jid in found if _says(str(world.things[jid].obj.get("desc", "")).lower(), word)}
        found = narrowed or found
    return found


def _by_place(sentence: Sentence, start: int, end: int, ids: frozenset[str], world: World) -> frozenset[str]:
    """Those of several that stand where the words beside the noun say: "the left lamp", "the chair on the west side"."""
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


def _read_left(mention: Mention, before: list[str]) -> None:
    """What stands before the noun: "no", a number, "another"."""
    for back in range(1, min(6, len(before)) + 1):
        word = before[-back]
        follows = before[len(before) - back + 1] if back > 1 else ""
        if word == "no" or (word == "not" and follows in ("a", "any")):
            mention.denied = True
            return
        if word in ("without", "lacks", "lacking", "lack"):
            mention.denied = True
            return
        if word in ("another", "other", "second", "additional", "further", "extra", "one", "next"):
            mention.definite = False
        if word == "of" and back + 1 <= len(before) and before[-back - 1] in ("pair", "couple", "trio", "set"):
            mention.count, mention.count_word = NUMBER_WORDS.get(before[-back - 1]), before[-back - 1]
            return
        if word.isdigit() or word in NUMBER_WORDS:
            mention.count = int(word) if word.isdigit() else NUMBER_WORDS[word]
            mention.count_word = word
            return
        if word in ("the", "its", "this", "that"):
            mention.definite = True
            if back < len(before) and before[-back - 1] in ("both",):
                mention.count, mention.count_word = 2, "both"
            if back < len(before) and before[-back - 1] in ("no", "without", "lacks"):
                mention.denied = before[-back - 1] == "no"
            return
        if word in ("a", "an", "and", "or", "with", "of", "to", "by") or not word[0].isalpha():
            return


def _umbrella(sentence: Sentence, i: int, world: World) -> Mention:
    word = sentence.tokens[i].text
    families = UMBRELLAS[word]
    ids = frozenset(j for j, thing in world.things.items() if not families or thing.kind.family in families)
    mention = Mention(i, i + 1, word, None, ids, word.endswith("s"), families=families)
    _read_left(mention, [token.text for token in sentence.tokens[max(0, i - 6) : i]])
    return mention


def _says(desc: str, words: str) -> bool:
    return re.search(rf"\b{re.escape(words)}\b", desc) is not None
