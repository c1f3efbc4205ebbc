"""Whether an instruction is true: the furniture it asks for is there, in number and look, and nothing odd is left."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from operators.scene.furniture.kinds import Kind, kind_of
from operators.scene.instructions.mentions import NUMBERS, Mention, mentions
from operators.scene.instructions.words import said_of
from operators.scene.model.placeholders import placeholder_in
from operators.scene.model.problems import Problem
from operators.scene.model.scene import Object, Scene, objects_of

#: Marks that are no words of a user.
_LEFT_OVER = re.compile(
    r"<[^<>\s][^<>\n]{0,40}>|\[(?:room|style|furniture)[^\]]*\]|\btool_\d+|\bjid\b|__\d+|\bN/A\b|```",
    re.IGNORECASE,
)
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
    marks = _LEFT_OVER.search(text)
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
    for pattern, wanted, name in _GROUPS:
        if pattern.search(lowered):
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
