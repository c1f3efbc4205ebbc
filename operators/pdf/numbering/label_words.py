"""The words of textbooks in many languages, by what they number or head; the table is `label_words.tsv`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from dataflow_ext.text import rows

#: Letters that stand for another one where case does not count, beside its small and its capital form.
_ALSO = {
    "s": "ſ", "k": "\u212a", "i": "İı", "å": "\u212b", "β": "ϐ", "ε": "ϵ", "θ": "ϑϴ", "ι": "\u0345\u1fbe", "κ": "ϰ",
    "μ": "µ", "π": "ϖ", "σ": "ς", "в": "\u1c80", "д": "\u1c81", "о": "\u1c82", "с": "\u1c83", "т": "\u1c84\u1c85",
}  # fmt: skip
#: What words before numbers number; of those that stand before them in several roles, the first one.
_NUMBERING = ("example", "task", "question", "answer", "told", "heading")
#: The words that number chapters and the like, and those that number pictures and tables.
CHAPTERS = ("chapter", "section", "lesson", "unit", "part", "appendix", "topic", "test")
_AS = {**dict.fromkeys(CHAPTERS, "heading"), **dict.fromkeys(("stated", "figure", "table"), "told"), "hint": "answer"}


@cache
def _table() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return tuple((role, of, tuple(some.split(", "))) for role, of, some in rows(__package__, "label_words.tsv"))


@cache
def roles() -> dict[str, str]:
    """What each word numbers: ``example``, ``task`` (Chinese), ``question``, ``answer``, ``told`` or ``heading``.

    The words are in small letters.

    >>> roles()["exercise"], roles()["定理"], roles()["kapitel"]
    ('question', 'told', 'heading')
    """
    found = [(_AS.get(role, role), some) for role, _, some in _table()]
    ranked = sorted((r for r in found if r[0] in _NUMBERING), key=lambda r: -_NUMBERING.index(r[0]))
    return {word.casefold(): role for role, some in ranked for word in some}


@cache
def words(*wanted: str, language: str = "") -> list[str]:
    """The words of these roles, longer ones first, as an alternation of a pattern needs them.

    >>> words("example")[:2], words("contents", language="de")
    (['Exemplo resolvido', 'Ejemplo resuelto'], ['Inhaltsverzeichnis', 'Inhaltsübersicht', 'Inhalt'])
    """
    found = {word for role, of, some in _table() if role in wanted and language in ("", of) for word in some}
    return sorted(found, key=_by_length)


def _by_length(word: str) -> tuple[int, str]:
    return -len(word), word


@cache
def numbering() -> frozenset[str]:
    """The words, in small letters, that number all questions of books in other languages than English: no label's part.

    >>> "aufgabe" in numbering(), "exercise" in numbering()
    (True, False)
    """
    return frozenset(map(str.casefold, words("question"))) - set(map(str.casefold, words("question", language="en")))


def languages() -> list[str]:
    """The codes of the languages whose words are known.

    >>> languages()[:3]
    ['en', 'de', 'fr']
    """
    return list(dict.fromkeys(of for _, of, _ in _table()))


def with_capitals(some: Iterable[str]) -> list[str]:
    """Words and the forms in capitals of those that have more than two letters, longer ones first.

    >>> with_capitals(["Exercise", "Ex"])
    ['EXERCISE', 'Exercise', 'Ex']
    """
    return sorted({form for word in some for form in (word, word.upper() if len(word) > 2 else word)}, key=_by_length)


def in_any_case(some: Iterable[str]) -> str:
    """An alternation of words in any case, a branch for each initial: the engine passes those of others at once.

    >>> in_any_case(["Example", "EXAMPLE", "Answer", "Ex", "例"])
    '[Ee](?i:xample|x)|[Aa](?i:nswer)|[例](?i:)'
    """
    branches: dict[str, list[str]] = {}
    for word in dict.fromkeys(word.lower().replace("i\u0307", "i") for word in some):
        branches.setdefault(word[0], []).append(word[1:])
    forms = {
        initial: "".join(dict.fromkeys(initial.upper() + initial)) + _ALSO.get(initial, "") for initial in branches
    }
    return "|".join(f"[{forms[initial]}](?i:{'|'.join(rests)})" for initial, rests in branches.items())


def as_written(some: Iterable[str]) -> str:
    """An alternation of words in their own case, longer ones first, a branch for each two first letters.

    >>> as_written(["Bestimme", "Beweise", "Berechne", "Was"])
    'Be(?:rechne|stimme|weise)|Wa(?:s)'
    """
    branches: dict[str, list[str]] = {}
    for word in sorted(set(some), key=_by_length):
        branches.setdefault(word[:2], []).append(word[2:])
    return "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in sorted(branches.items()))
