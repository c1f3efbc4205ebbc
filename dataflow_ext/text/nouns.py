"""English nouns in the plural and in the singular, as far as their endings tell."""

from __future__ import annotations

from functools import lru_cache

from dataflow_ext.text import rows

#: The singular of nouns that no ending tells.
_SINGULAR: dict[str, str] = dict(rows(__package__, "plurals.tsv"))


def plural(word: str) -> str:
    """The plural of a noun or of a phrase that ends in one; what is in the plural stays, and Chinese has none.

    >>> [plural(word) for word in ("shelf", "chest of drawers", "bench", "baby", "toy", "books", "rhombus")]
    ['shelves', 'chests of drawers', 'benches', 'babies', 'toys', 'books', 'rhombuses']
    """
    head, of, rest = word.partition(" of ")
    if not head.isascii() or (head.endswith("s") and not head.endswith(("ss", "us"))):
        return word
    if head.endswith(("shelf", "knife")):
        head = head.rstrip("ef").removesuffix("f") + "ves"
    elif head.endswith(("s", "x", "ch", "sh")):
        head += "es"
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        head = head[:-1] + "ies"
    else:
        head += "s"
    return head + of + rest


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """A noun in the singular.

    >>> singular("boxes"), singular("cities"), singular("glass"), singular("people")
    ('box', 'city', 'glass', 'person')
    """
    if word in _SINGULAR:
        return _SINGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes", "oes")):
        return word[:-2]
    return word[:-1]
