"""Readable names for the objects of a room."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from dataflow_ext.text import rows
from operators.scene.furniture.kinds import kind_of
from operators.scene.model.scene import Scene, objects_of

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
#: Where a description passes from the thing to its parts.
_PARTS = re.compile(
    r"\b(?:with|featuring|features?|has|offers|in an?|in the|on an?|boasts|combining|including|showcasing)\b"
    r"|带|配|附|具有|设有"
)


@cache
def _lists() -> Mapping[str, Mapping[str, str]]:
    """By tables, words of descriptions and what they are called in a name; the first table with one gives it."""
    found: dict[str, dict[str, str]] = {}
    for table, word, forms in rows("operators.scene", "data/qualities.tsv"):
        found.setdefault(table, {}).update(dict.fromkeys(forms.split(), word))
    return found


@lru_cache(maxsize=1 << 14)
def qualities(desc: str) -> tuple[str, ...]:
    """What the description calls the whole piece, most telling first, each once.

    >>> qualities("A modern dark grey fabric and light wood chair with a black base.")
    ('dark gray', 'fabric', 'wooden', 'modern')
    >>> qualities("灰色布艺沙发，带红色抱枕")
    ('gray', 'fabric')
    """
    text = _PARTS.split(unicodedata.normalize("NFKC", desc[:400]).casefold(), maxsplit=1)[0]
    words = _WORD.findall(text)
    found = []
    lists = _lists()
    for table in ("colours", "materials", "shapes", "styles"):
        known = lists[table]
        for i, word in enumerate(words):
            if word in known:
                shade = words[i - 1] + " " if table == "colours" and i and words[i - 1] in ("dark", "light") else ""
                found.append(shade + known[word])
    if not text.isascii():
        found.extend(name for word, name in lists["chinese"].items() if word in text)
    return tuple(dict.fromkeys(found))


#: Nouns as they are written in a name.
_WRITTEN = {"tv": "TV", "tv stand": "TV stand", "christmas tree": "Christmas tree"}

#: Objects as far as names rest on them: id and description.
_Told = tuple[str, str]


def short_names(scene: Scene) -> dict[str, str]:
    """A name for each object by its id: its noun, a colour or material if that tells it apart, else a number.

    No two are equal; the same objects in the same order have the same names. Names are English, whatever the
    descriptions are.

    >>> chairs = [{"jid": "a", "desc": "A red chair."}, {"jid": "b", "desc": "A blue chair."}]
    >>> short_names({"objects": [*chairs, {"jid": "c", "desc": "A bed."}]})
    {'a': 'red chair', 'b': 'blue chair', 'c': 'bed'}
    >>> short_names({"objects": [chairs[0], {"jid": "a__2", "desc": "A red chair."}]})
    {'a': 'chair 1', 'a__2': 'chair 2'}
    """
    told = tuple((str(each["jid"]), str(each.get("desc") or "")) for each in objects_of(scene))
    return dict(_named(told))


@lru_cache(maxsize=1 << 13)
def _named(told: tuple[_Told, ...]) -> Mapping[str, str]:
    by_noun: dict[str, list[_Told]] = {}
    for each in dict(told).items():
        noun = kind_of(each[1]).noun
        by_noun.setdefault(_WRITTEN.get(noun, noun), []).append(each)
    names: dict[str, str] = {}
    for noun, objects in by_noun.items():
        names.update(_apart(noun, objects))
    taken = Counter[str]()
    for jid, name in names.items():
        taken[name] += 1
        while taken[name] > 1:
            name = f"{name} {taken[name]}"
            taken[name] += 1
        names[jid] = name
    return {jid: names[jid] for jid, _ in told}


def _apart(noun: str, objects: Sequence[_Told]) -> dict[str, str]:
    """Names for objects of one kind: those of one description share a quality, and are numbered."""
    if len(objects) == 1:
        return {objects[0][0]: noun}
    telling = _telling(tuple(dict.fromkeys(desc for _, desc in objects)))
    stems = {jid: f"{telling[desc]} {noun}" if telling[desc] else noun for jid, desc in objects}
    names: dict[str, str] = {}
    counts, shared = Counter[str](), Counter(stems.values())
    for jid, stem in stems.items():
        counts[stem] += 1
        names[jid] = f"{stem} {counts[stem]}" if shared[stem] > 1 else stem
    return names


def _telling(descs: Sequence[str]) -> dict[str, str]:
    """For each description a quality, or two, that no other of them has; for none of them if one has no such."""
    all_of = {desc: _alone_and_paired(qualities(desc)) for desc in descs}
    counts = Counter(quality for found in all_of.values() for quality in found)
    telling = {desc: next((each for each in found if counts[each] == 1), "") for desc, found in all_of.items()}
    return telling if len(descs) > 1 and all(telling.values()) else dict.fromkeys(descs, "")


def _alone_and_paired(found: Sequence[str]) -> list[str]:
    return [*found, *(f"{one} {other}" for i, one in enumerate(found) for other in found[i + 1 :])]
