"""Which objects a sentence names, and whether it claims that they are there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from operators.scene.facts.checking.reader import Sentence, Token
from operators.scene.facts.checking.resolving import DETERMINERS, by_place, resolved
from operators.scene.facts.checking.words import NUMBER_WORDS, ORDINALS, UMBRELLAS, WISH, WISH_AFTER, word_set
from operators.scene.facts.checking.world import World
from operators.scene.furniture.kinds import Kind, nouns

#: Nouns that are verbs as well, or parts of other words: they name a thing only after a determiner or a quality.
_ALSO_VERBS = word_set(
    "mirror mirrors plant plants shelf console fan mat mats tree screen curtain safe trunk bench tub cot runner "
    "stool hob globe clock sinks tables benches stools"
)
#: Parts of furniture that stand for the whole, and its family.
_PARTS = {"mattress": "bed", "headboard": "bed", "footboard": "bed", "bedding": "bed", "tabletop": "table"}
#: Second halves of nouns that are verbs as well: "the plant stands in the corner".
_VERB_ENDS = word_set("stands stand lights mirrors screens racks fans")
#: Loose words that mean the picture of the room itself, or anything.
_PICTURES = word_set("picture pictures image photo photograph figure drawing case model frame print art range")


#: Before a name: it means any thing of the kind.
_OPEN = re.compile(
    r"\b(?:an?|another|other|second|third|one|extra|additional|further|different|new|more|some)(?: [a-z-]+)?$"
)


#: What one would not do with a thing that is there.
_KEPT = re.compile(
    r"\b(?:would|should|could|might|may|need|do|does|will) (?:not|never|rather not) (?:\w+ )?(?:touch|move|"
    r"change|alter|disturb|remove|"
    r"block|rotate|replace|resize|shift|turn|crowd|hide|cover|mind)\b"
)


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
                sentence.blot(i, mention.end)
                i = mention.end
                continue
        if tokens[i].text in UMBRELLAS:
            found.append(_umbrella(sentence, i, world))
        i += max(1, length)
    return found


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
    if first.partition("-")[0] not in _starts() and first not in _PARTS and first not in world.starts:
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
            elif part := _whole(each, world):
                best = (j + 1 - i, each, part)
            elif j > i and text in _VERB_ENDS and best[0]:
                continue
            elif (
                each in loose
                and each not in _PICTURES
                and any(thing.kind.is_a(loose[each].noun) for thing in world.things.values())
            ):
                best = (j + 1 - i, each, loose[each])
    return best


def _whole(words: str, world: World) -> Kind | None:
    """The kind of the thing of which a word names a part, if there is one: of "mattress" the bed's."""
    family = _PARTS.get(words)
    return (
        next((thing.kind for thing in world.things.values() if thing.kind.family == family), None) if family else None
    )


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
    plural = kind is not None and _is_plural(words, kind, world)
    if words in _ALSO_VERBS and not (before and (before[-1] in DETERMINERS or before[-1].isalpha())):
        return None
    follows = tokens[end].text if end < len(tokens) else ""
    if words in _ALSO_VERBS and words.endswith("s") and (follows == "into" or follows[:1].isdigit()):
        return None
    if words in _ALSO_VERBS and before and before[-1] in ("to", "that", "which", "they", "it", "will", "would"):
        return None
    ids, end, exact = resolved(sentence, start, end, words, kind, world)
    if (
        exact
        and kind
        and not _ordinal(before)
        and not tokens[end - 1].text.isdigit()
        and _OPEN.search(" ".join(before))
    ):
        ids, exact = _of_kind(ids, kind, world), False
    if kind and (number := _ordinal(before)):
        ids = _of_kind(ids, kind, world) & _numbered(number, world) or ids
    if len(ids) > 1:
        ids = by_place(sentence, start, end, ids, world)
    mention = Mention(start, end, words, kind, ids, plural, exact=exact)
    _read_left(mention, before)
    place = tokens[start].start
    clause = sentence.clause_at(place)
    head, tail = sentence.text[clause.start : place], sentence.text[tokens[end - 1].end : clause.end]
    mention.wished = mention.wished or bool(WISH.search(_KEPT.sub(" ", head))) or bool(WISH_AFTER.search(tail))
    if (
        not mention.wished
        and mention.denied is False
        and re.search(r"\b(?:user|instruction|request|brief)\b", sentence.text)
    ):
        mention.wished = True
    return mention


def _ordinal(before: list[str]) -> int | None:
    """Two of "the second" and "the second white", which name what is numbered so."""
    for back in (1, 2):
        if len(before) > back and before[-back] in ORDINALS and before[-back - 1] == "the":
            return ORDINALS[before[-back]]
    return None


def _numbered(number: int, world: World) -> set[str]:
    return {jid for name, ids in world.names.items() if name.endswith(f" {number}") for jid in ids}


def _of_kind(ids: frozenset[str], kind: Kind, world: World) -> frozenset[str]:
    """All that "another chair" may mean where one of the chairs has "chair" as its whole name."""
    return ids | {jid for jid, thing in world.things.items() if thing.kind.is_a(kind.noun)}


def _is_plural(words: str, kind: Kind, world: World) -> bool:
    if words in world.names or words.rstrip("0123456789 ") == kind.noun:
        return False
    return (words.endswith("s") and not words.endswith("ss")) or words == kind.plural


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
        if word in ("only", "sole", "lone") and back == 1:
            mention.count, mention.count_word = 1, word
            return
        if word.isdigit() or word in NUMBER_WORDS:
            if back < len(before) and before[-back - 1] == "no" and follows == "more":
                return
            if back < len(before) and before[-back - 1] in ("no", "any", "neither", "every", "not"):
                return
            mention.count = int(word) if word.isdigit() else NUMBER_WORDS[word]
            mention.count_word = word
            return
        if word in ("the", "its", "this", "that"):
            mention.definite = True
            if back < len(before) and before[-back - 1] in ("both",):
                mention.count, mention.count_word = 2, "both"
            if back < len(before) and before[-back - 1] == "no" and follows == "more":
                return
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
