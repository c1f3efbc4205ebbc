"""The words that stand before numbers in books, by what they number; the table is `label_words.tsv`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dataflow_ext.text import rows

#: Letters that stand for another one where case does not count, beside its small and its capital form.
_ALSO = {"s": "ſ", "k": "\u212a", "i": "İı"}


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


def in_any_case(some: Iterable[str]) -> str:
    """An alternation of words in any case, a branch for each initial: the engine passes those of others at once.

    >>> in_any_case(["Example", "EXAMPLE", "Answer", "Ex", "例"])
    '[Ee](?i:xample|x)|[Aa](?i:nswer)|[例](?i:)'
    """
    branches: dict[str, list[str]] = {}
    for word in dict.fromkeys(word.lower() for word in some):
        branches.setdefault(word[0], []).append(word[1:])
    forms = {
        initial: "".join(dict.fromkeys(initial.upper() + initial)) + _ALSO.get(initial, "") for initial in branches
    }
    return "|".join(f"[{forms[initial]}](?i:{'|'.join(rests)})" for initial, rests in branches.items())
