"""The words of formal languages that are allowed, or forbidden, in a picture's code."""

from __future__ import annotations

from dataflow_ext.text import rows


def listed(language: str, name: str) -> frozenset[str]:
    """A list of a language's words.

    >>> sorted(listed("html", "void"))
    ['br', 'col', 'hr', 'img', 'input']
    """
    lists = {(of, called): words for of, called, words in rows(__package__, "words.tsv")}
    return frozenset(lists[language, name].split())
