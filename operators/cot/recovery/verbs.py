"""What the verbs of a recovery do: the work that steps consist of, by kinds, and what only makes ready for it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from dataflow_ext.text import tokens
from operators.cot.tables import lists_of


def listed(words: str) -> frozenset[str]:
    """The words of a list in a string."""
    return frozenset(words.split())


LISTS = lists_of(Path(__file__).with_name("words.tsv"))

#: Work by kinds: two verbs of one kind may stand for each other ("swirl the flask", "invert it").
WORK = {name.removeprefix("work "): words for name, words in LISTS.items() if name.startswith("work ")}

#: What restores or improves the conditions of work, or looks at it: grip, place, tools, heat, cleanness, time.
CONDITION = LISTS["condition"]

#: Of those, what moves or shapes what it is done to: done to a tool it may just as well be the work itself.
HANDLING = LISTS["handling"]

#: What brings the hand back to a thing, and nothing about the thing itself.
TAKE = LISTS["take"]

#: What puts a thing right where it is: on the step's own things it may be all that was left to do.
PLACE = LISTS["place"]

#: What only looks, hopes or prevents: an effect named after it is not brought about.
LOOK = LISTS["look"]

#: What keeps a thing in its place while it is worked on; kinds of work that bring a thing back to what it was.
HELPS = listed("hold support steady secure brace stabilize")
RESTORING = listed("clean dry")

#: Settings of a tool or a place: to change them is to improve a condition, whatever the verb.
SETTINGS = LISTS["settings"]

#: Work on what has been begun, to its end; what makes up one's mind to go on as things are.
FINISH = listed("finish complete")
SKIP = listed("skip accept ignore tolerate")

#: What passes time or asks others: it may be all that a step needs, or nothing that helps it.
WAIT = listed("wait pause stop let allow leave ask call have keep see watch")

#: Work that says by its verb that it is done anew.
ANEW = LISTS["anew"]
TRY = frozenset(["try", "attempt"])

_WORDS = re.compile(r"[^\W_]+")
_OTHER = LISTS["other"]
_KINDS = {
    verb: frozenset(kind for kind, others in WORK.items() if verb in others)
    for verbs in WORK.values()
    for verb in verbs
}
_KNOWN = frozenset(_KINDS) | CONDITION | LOOK | SKIP | FINISH | ANEW | _OTHER


@lru_cache(maxsize=1 << 14)
def base(word: str) -> str | None:
    """The verb that a word is a form of, or None: "stirring", "re-stir" and "stirs" are "stir"."""
    if (joined := word.replace("-", "")) in _KNOWN:
        return joined
    if word.startswith("re") and (inner := base(word.removeprefix("re").removeprefix("-"))):
        return inner
    for ending in ("ing", "ed", "es", "s"):
        bare = word.removesuffix(ending)
        if bare != word:
            doubled = bare[:-1] if len(bare) > 2 and bare[-1] == bare[-2] else bare
            found = next((each for each in (bare, f"{bare}e", doubled) if each in _KNOWN), None)
            if found:
                return found
    return None


@lru_cache(maxsize=1 << 14)
def is_order(word: str) -> bool:
    """Whether a clause that begins with the word may be an order: a verb in its plain form."""
    bare = word.removeprefix("re").removeprefix("-") if word.startswith("re") else word
    return bool({word, word.replace("-", ""), bare} & _KNOWN)


def is_anew(word: str) -> bool:
    """Whether a verb says by itself that something is done once more: "re-scrub", "repeat"."""
    bare = word.removeprefix("re").removeprefix("-")
    return word in ANEW or (word not in CONDITION and word.startswith("re") and bare in _KINDS)


def kinds(verb: str) -> frozenset[str]:
    """The kinds of work that a verb in its plain form may stand for."""
    return _KINDS.get(verb, frozenset())


def words_of(text: str) -> list[str]:
    """The words of a text or of a name in lower case; underscores part words."""
    return _WORDS.findall(text.lower())


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """What is common to a word's forms; "readable" and "reading" have one stem."""
    bare = word.lower()
    for ending in ("able", "ible"):
        if bare.endswith(ending) and len(bare) > 6:
            bare = bare.removesuffix(ending)
    return tokens.stem(bare)


@lru_cache(maxsize=64)
def stemmed(words: str) -> frozenset[str]:
    """The stems of the words of a list in a string."""
    return frozenset(map(stem, words.split()))
