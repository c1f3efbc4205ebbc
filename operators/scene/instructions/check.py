"""Whether an instruction is true: the furniture it asks for is there, in number and look, and nothing odd is left."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from dataflow_ext.claims.marks import nouns_in
from dataflow_ext.text import lists, rows
from dataflow_ext.text.nouns import plural
from operators.scene.instructions.contents import looks_by_form, said_of
from operators.scene.model.kinds import Kind, kind_of, nouns
from operators.scene.model.records import Problem, pattern, placeholder_in
from operators.scene.model.scene import Object, Scene, objects_of

NUMBERS: Mapping[str, int] = {
    word: int(number) for number, words in rows("operators.scene", "data/numbers.tsv") for word in words.split()
}
#: Words for "many", and "stops" past which nothing belongs to the noun any more; words before a noun that then names a
#: time or an activity, no thing.
_WORDS = lists("operators.scene", "data/words.tsv")
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[-]|[^\w\s]")
_MEASURES = "把张个盏盆台件只组块幅条座对套扇"
#: Tokens that are looked at before a noun.
_REACH = 7
_LETTERS = 4000
#: Marks that may stand between the words before a noun.
_JOINTS = (",", "-", "'")


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun in a text: its kind, the words themselves, and what is said of it.

    ``count`` is a number that stands before it, ``many`` tells that it is more than one without a number (a plural,
    "several"), ``looks`` are the colours and materials before it, as (table, word).
    """

    kind: Kind
    words: str
    count: int | None = None
    many: bool = False
    looks: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=1 << 14)
def mentions(text: str) -> tuple[Mention, ...]:
    """The furniture that a text names, in its order; of nouns within each other the longest counts.

    >>> [(m.kind.noun, m.count, m.many, m.looks) for m in mentions("Two grey armchairs, a table lamp and plants.")]
    [('armchair', 2, False, (('colours', 'gray'),)), ('table lamp', None, False, ()), ('plant', None, True, ())]
    >>> [(m.kind.noun, m.count) for m in mentions("我想要两个床头柜和一张床")]
    [('nightstand', 2), ('bed', 1)]
    """
    text = unicodedata.normalize("NFKC", text[:_LETTERS]).casefold().replace("\u2019", "'")
    known, found, last = _known(), list[Mention](), 0
    for start, end, word in nouns_in(text.replace("-", " "), known.keys()):
        kind, plural = known[word]
        before = _TOKEN.findall(text[last:start])
        a_measure = kind.family == "decor" and text[end:].startswith(" of ")  # a cup of tea
        if not word.isascii():
            found.append(Mention(kind, word, _counted(text[:start])))
        elif not a_measure and _WORDS.get(f"before {word}", frozenset()).isdisjoint(before[-1:]):
            found.append(_mention(kind, word, plural, before))
        last = end
    return tuple(found)


def _counted(before: str) -> int | None:
    """The number of a Chinese noun: "两个"."""
    return NUMBERS.get(before[-2]) if len(before) > 1 and before[-1] in _MEASURES else None


@cache
def _known() -> Mapping[str, tuple[Kind, bool]]:
    """Words and phrases with their kind and whether they are plural; a hyphen is a blank."""
    words = nouns()
    plurals = {plural(word) for word in words if plural(word) != word}
    plurals |= {kind.plural for kind in words.values() if kind.plural != kind.noun}
    known: dict[str, tuple[Kind, bool]] = {}
    for word, kind in words.items():
        known.setdefault(" ".join(word.casefold().replace("-", " ").split()), (kind, word in plurals))
    return known


def _mention(kind: Kind, words: str, plural: bool, before: list[str]) -> Mention:
    """A noun, with what is said of it in the words between the last noun and this one."""
    looks: list[tuple[str, str]] = []
    forms = looks_by_form()
    for i in range(len(before) - 1, max(-1, len(before) - 1 - _REACH), -1):
        word, earlier, later = before[i], before[i - 1] if i else "", before[i + 1] if i + 1 < len(before) else ""
        between_looks = word == "and" and earlier in forms and bool(looks)
        if (word in _WORDS["stops"] and not between_looks) or not (word.isalnum() or word in _JOINTS):
            break
        if word in forms:
            looks.insert(0, forms[word])
        number = int(word[:4]) if word.isdecimal() else NUMBERS.get(word)
        if number is not None and "-" not in (earlier, later) and (plural or number == 1 or word.isdecimal()):
            return Mention(kind, words, number, False, tuple(looks))
        if word in _WORDS["many"] or word in ("a", "an"):
            break
    return Mention(kind, words, None, plural, tuple(looks))


#: Groups of furniture that are asked for without a noun: the word, and the families of which one has to be there.
_GROUPS = (
    (re.compile(r"\bseating\b|\bplaces? to sit\b"), frozenset(("seat", "sofa", "bed")), "seating"),
    (re.compile(r"(?<!natural )\blighting\b"), frozenset(("lamp",)), "lighting"),
    (re.compile(r"\bgreenery\b|\bhouseplants?\b"), frozenset(("plant",)), "greenery"),
)
#: Ids with fewer letters may be words.
_ID_LETTERS = 6


def instruction_problems(text: str, final: Scene, start: Scene | None = None) -> list[Problem]:
    """What an instruction says that is not so in the finished room, and what no user would write.

    Each noun of furniture must be that of an object there, or stand in an object's description ("with drawers").
    A number must be that of the objects so named, or of one sort or look of them; a colour or material before a noun
    must stand in the description of one of them. For a chain that begins in a furnished room, ``start``, its objects
    are there as well, and a number may be smaller. Empty texts and what a template left behind are
    ``text.placeholder``.

    >>> room = {"objects": [{"desc": "A grey fabric sofa", "jid": "a"}]}
    >>> instruction_problems("I want a cozy room with a gray sofa.", room)
    []
    >>> [str(problem) for problem in instruction_problems("I want two sofas and a desk.", room)]
    ["instruction.object: 'sofas' is asked for 2 times, the finished room has 1", \
"instruction.object: 'desk' is asked for, the finished room has none"]
    """
    found = list(_odd(text, final))
    objects = list(objects_of(final))
    found += [Problem("instruction.object", wrong) for _, wrong in _judged(text, objects, start) if wrong]
    return found


def asked_and_missing(text: str, final: Scene, start: Scene | None = None) -> tuple[int, int]:
    """How many pieces and groups of furniture an instruction asks for, and how many of them are not so.

    >>> asked_and_missing("A sofa and a desk, please.", {"objects": [{"desc": "A grey sofa", "jid": "a"}]})
    (2, 1)
    """
    judged = list(_judged(text, list(objects_of(final)), start))
    return len(judged), sum(bool(wrong) for _, wrong in judged)


def _odd(text: str, final: Scene) -> Iterator[Problem]:
    """What no user would write."""
    if not text.strip():
        yield Problem("text.placeholder", "the instruction is empty")
    marks = pattern("left over").search(text)
    if left := placeholder_in(text) or (marks and marks[0]):
        yield Problem("text.placeholder", f"{left!r} is left in the instruction")
    for each in objects_of(final):
        jid = str(each["jid"])
        if len(jid) >= _ID_LETTERS and any(map(str.isdigit, jid)) and jid in text:
            yield Problem("text.placeholder", f"the id {jid!r} stands in the instruction")
            return


def _judged(text: str, objects: Sequence[Object], start: Scene | None) -> Iterator[tuple[str, str]]:
    """Each thing that is asked for, with what is wrong about it or nothing."""
    before = [] if start is None else list(objects_of(start))
    for mention in mentions(text):
        yield mention.words, _wrong(mention, objects, before)
    lowered = text.casefold()
    for words, wanted, name in _GROUPS:
        if words.search(lowered):
            there = any(_is_of(wanted, str(each["desc"])) for each in (*objects, *before))
            yield name, "" if there else f"{name} is asked for, the finished room has none"


def _wrong(mention: Mention, objects: Sequence[Object], before: Sequence[Object]) -> str:
    """What is wrong with asking for this; empty if nothing is."""
    named = _named(mention.kind, objects)
    earlier = _named(mention.kind, before)
    if not named and not earlier:
        if any(_stands_in(mention.kind, str(each["desc"])) for each in (*objects, *before)):
            return ""
        return f"{mention.words!r} is asked for, the finished room has none"
    looking = [each for each in (*named, *earlier) if _looks_so(mention, each)]
    if not looking:
        words = " ".join(word for _, word in mention.looks)
        return f"'{words} {mention.words}' is asked for, no such object is described so"
    most = max(len(named), len(earlier))
    # Books, flowers and shoes are one object and many words.
    if mention.many and most < 2 and mention.kind.noun != mention.kind.plural:
        return f"{mention.words!r} is asked for, the finished room has 1"
    if mention.count is None or (before and mention.count <= most):
        return ""
    sorts = Counter(kind_of(str(each["desc"])).noun for each in named)
    if mention.count in (len(named), *sorts.values(), sum(_looks_so(mention, each) for each in named)):
        return ""
    if any(_numbered_so(mention.count, str(each["desc"])) for each in named):
        return ""
    return f"{mention.words!r} is asked for {mention.count} times, the finished room has {len(named)}"


def _is_of(families: frozenset[str], desc: str) -> bool:
    """Whether an object, or something that it is described with, is of one of the families."""
    return kind_of(desc).family in families or any(each.kind.family in families for each in mentions(desc))


def _named(kind: Kind, objects: Sequence[Object]) -> list[Object]:
    """The objects that may be called so."""
    return [each for each in objects if kind_of(str(each["desc"])).is_a(kind.noun)]


def _stands_in(kind: Kind, desc: str) -> bool:
    """Whether an object is described with such a thing: an armchair with its ottoman."""
    return any(each.kind.noun == kind.noun for each in mentions(desc))


def _numbered_so(count: int, desc: str) -> bool:
    """Whether one object is described as several: "a trio of lamps", "set of three"."""
    return any(NUMBERS.get(word) == count for word in desc.casefold().replace("-", " ").split())


def _looks_so(mention: Mention, obj: Object) -> bool:
    """Whether an object's description has the colours and materials that are asked for."""
    desc = str(obj["desc"])
    return all(word in said_of(desc, table) for table, word in mention.looks)
