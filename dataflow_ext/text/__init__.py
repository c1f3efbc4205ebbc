"""Words of any text: their tables, tokens and stems, what is general English, and units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from threading import local
from typing import Any


def rows(package: str, table: str) -> list[list[str]]:
    """The cells of each row of a table of words in a package's folder, without its head and its remarks.

    A remark is a line that begins with ``# ``; lines may be left blank.

    >>> rows("dataflow_ext.text", "units.tsv")[0]
    ['m', 'm', '1']
    """
    lines = files(package).joinpath(table).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("# ")][1:]


def patterns(package: str, table: str) -> dict[str, str]:
    """The regular expressions of a table with the columns name and pattern, of one name an alternative a row.

    A name in capitals and angle brackets stands for what is told of it above.
    """
    found: dict[str, list[str]] = {}
    for name, pattern in rows(package, table):
        told = _PART.sub(lambda part: f"(?:{'|'.join(found[part[1]])})", pattern)
        found.setdefault(name, []).append(told)
    return {name: "|".join(each) for name, each in found.items()}


def lists(package: str, table: str) -> dict[str, frozenset[str]]:
    """The words of each list of a table with the columns list and words, parted by spaces."""
    return {name: frozenset(words.split()) for name, words in rows(package, table)}


class Pattern:
    """A regular expression that is compiled when it is first used: one of many words takes as long as an import.

    >>> short = Pattern("ab?")
    >>> short.pattern, short.match("abc")
    ('ab?', <re.Match object; span=(0, 2), match='ab'>)
    """

    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """What a compiled one has; its methods are found here from now on."""
        made = re.compile(self.pattern, self._flags)
        self.match, self.fullmatch, self.search, self.finditer = made.match, made.fullmatch, made.search, made.finditer
        return getattr(made, name)


#: A part of a pattern, which stands for another one.
_PART = re.compile("<([A-Z_]+)>")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Words, and runs of signs that part no words: vowel signs of Indian scripts, emoji.
_WORD = re.compile(r"""[^\W_]+|[^\w\s\-‐-―/.,:;"()]+""")
_ABILITY = re.compile(r"(?P<root>[a-z]{2,}?)e?[ai](?:ble|bility)")
_own = local()

#: Full-width letters, digits and signs of ASCII, for ``str.translate``.
FULL_WIDTH = {0xFF01 + i: 0x21 + i for i in range(94)}
#: The words of the numbers from zero to nineteen.
NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)


@lru_cache(maxsize=65536)
def tokens(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, wherever its author put underscores, hyphens or capitals.

    >>> tokens("Tire_Bead"), tokens("tire-bead"), tokens("tireBead")
    (('tire', 'bead'), ('tire', 'bead'), ('tire', 'bead'))
    """
    humps = _HUMP.sub("_", unicodedata.normalize("NFKC", name))
    folded = humps.casefold().replace("'", "").replace("’", "")
    return tuple(_WORD.findall(folded)) or (name,)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The English stem of a word; words in other letters stay as they are."""
    if not word.isascii():
        return word
    stemmer = getattr(_own, "stemmer", None)
    if stemmer is None:
        import snowballstemmer

        stemmer = _own.stemmer = snowballstemmer.stemmer("english")  # it keeps state, so each thread has its own
    return str(stemmer.stemWord(word))


@lru_cache(maxsize=65536)
def inflected(word: str, *, verb: bool) -> str:
    """The stem of a word, marked with what its ending says: an ability and what was done are not the same word.

    Of a ``verb`` -s and -ing say the same; otherwise -ing is kept apart, as what a thing is for.

    >>> inflected("sealed", verb=False), inflected("sealable", verb=False), inflected("sealing", verb=True)
    ('seal+ed', 'seal+able', 'seal')
    """
    if ability := _ABILITY.fullmatch(word):
        return f"{stem(ability['root'])}+able"
    if word.endswith("ing") and len(word) > 4 and not verb:
        return f"{stem(word)}+ing"
    if word.endswith("ed") and not word.endswith("eed") and len(word) > 3:
        return f"{stem(word)}+ed"
    return stem(word)


_COMPARED = "adjectives with their comparatives and superlatives"


@lru_cache(maxsize=1)
def _listed() -> dict[str, list[str]]:
    """The words of ``general_words.tsv`` by their kind.

    No tools, materials, foods, places, people, animals, colours, numbers, and no verbs of the hand are among them.
    """
    kinds: dict[str, list[str]] = {}
    for kind, words in rows(__package__, "general_words.tsv"):
        kinds.setdefault(kind, []).extend(words.split())
    return kinds


@lru_cache(maxsize=1)
def general_words() -> frozenset[str]:
    """English words that say nothing of their own about a scene, whatever a plan is about, in small letters.

    Of adjectives what is more or most so is among them.
    """
    plain = (word for kind, words in _listed().items() if kind != _COMPARED for word in words)
    return frozenset(plain).union(*map(_compared, _listed()[_COMPARED]))


def _compared(adjective: str) -> tuple[str, ...]:
    """An adjective of one or two syllables, its comparative and its superlative.

    >>> _compared("safe"), _compared("easy"), _compared("strong")
    (('safe', 'safer', 'safest'), ('easy', 'easier', 'easiest'), ('strong', 'stronger', 'strongest'))
    """
    root = re.sub("(?<=[^aeiou])y$", "i", adjective.removesuffix("e"))
    return adjective, f"{root}er", f"{root}est"


#: What a unit measures: base units with their exponents; nothing for counts, shares and ratios.
Dimension = tuple[tuple[str, int], ...]

_BASE = re.compile(r"([A-Za-z]+)(\d?)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its dimension, and how many base units one of it is."""

    dimension: Dimension
    factor: float


def dimension(base: str) -> Dimension:
    """The dimension of a base unit: a symbol, squared or cubed by a digit; ``1`` or nothing has none.

    >>> dimension("m2"), dimension("")
    ((('m', 2),), ())
    """
    found = _BASE.fullmatch(base)
    return ((found[1], int(found[2] or 1)),) if found else ()


def symbol(dimension: Dimension) -> str:
    """A dimension as it is written.

    >>> symbol((("m", 2),)), symbol((("deg", 1),)), symbol(())
    ('m²', '°', '')
    """
    powers = {1: "", 2: "²", 3: "³"}
    return "·".join(f"{'°' if base == 'deg' else base}{powers.get(n, f'^{n}')}" for base, n in dimension)


def _read() -> Mapping[str, Unit]:
    table = rows(__package__, "units.tsv")
    return {word: Unit(dimension(base), float(factor)) for word, base, factor in table}


#: Every word and symbol for a unit, English and Chinese.
UNITS: Mapping[str, Unit] = _read()
