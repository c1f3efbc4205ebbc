"""The words that stand before numbers in books, by what they number; the table is `label_words.tsv`."""

from __future__ import annotations

from functools import lru_cache

from dataflow_ext.text import rows


@lru_cache(maxsize=1)
def roles() -> dict[str, str]:
    """The role of every word: ``example``, ``task`` (Chinese), ``question``, ``answer``, ``told`` or ``heading``.

    >>> roles()["Exercise"], roles()["定理"]
    ('question', 'told')
    """
    return dict(rows(__package__, "label_words.tsv"))


def words(*wanted: str) -> list[str]:
    """The words of these roles, longer ones first, as an alternation of a pattern needs them.

    >>> words("example")[:2]
    ['WORKED EXAMPLE', 'Worked Example']
    """
    return sorted((word for word, role in roles().items() if role in wanted), key=lambda word: (-len(word), word))
