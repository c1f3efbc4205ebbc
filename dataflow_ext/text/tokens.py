"""Names and words as tokens and stems: what is left of them when spelling and inflection are set aside."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from threading import local

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Words, and runs of signs that part no words: vowel signs of Indian scripts, emoji.
_WORD = re.compile(r"""[^\W_]+|[^\w\s\-‐-―/.,:;"()]+""")
_ABILITY = re.compile(r"(?P<root>[a-z]{2,}?)e?[ai](?:ble|bility)")
_own = local()


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
