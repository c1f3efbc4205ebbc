"""Words for the look of furniture: colours, materials, styles of design, and where descriptions have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from operators.scene.data import rows

_WORD = re.compile(r"[a-z]+")


@cache
def _forms(table: str) -> Mapping[str, tuple[str, ...]]:
    """Each word of a table with the forms in which descriptions and users have it; a hyphen is a blank."""
    return {word: (word.casefold().replace("-", " "), *forms.replace("-", " ").split())
            for name, word, forms in rows("looks.tsv") if name == table}  # fmt: skip


@lru_cache(maxsize=1 << 14)
def said_of(desc: str, table: str) -> tuple[str, ...]:
    """The words of a table ("colours", "materials" or "styles") that a description has, in the order of the table.

    >>> said_of("A dark grey fabric sofa with oak legs", "colours"), said_of("白色木质书桌", "materials")
    (('gray',), ('wooden',))
    """
    text = " ".join(_WORD.findall(desc.casefold()))
    padded = f" {text} "
    return tuple(
        word
        for word, forms in _forms(table).items()
        if any(f" {form} " in padded if form.isascii() else form in desc for form in forms)
    )


@cache
def looks_by_form() -> Mapping[str, tuple[str, str]]:
    """Each English form of one word of a colour or material, with its table and the word itself.

    >>> looks_by_form()["grey"]
    ('colours', 'gray')
    """
    found: dict[str, tuple[str, str]] = {}
    for table in ("colours", "materials"):
        for word, forms in _forms(table).items():
            for form in forms:
                if form.isascii() and " " not in form:
                    found.setdefault(form, (table, word))
    # A material that is a word of its own is that first: oak is oak, and only then wood.
    found.update({word: ("materials", word) for word in _forms("materials")})
    return found


@cache
def wordings() -> Mapping[str, tuple[str, ...]]:
    """The sentences of the table by topic; words in braces are filled from the room."""
    found: dict[str, list[str]] = {}
    for topic, text in rows("instructions.tsv"):
        found.setdefault(topic, []).append(text)
    return {topic: tuple(texts) for topic, texts in found.items()}
