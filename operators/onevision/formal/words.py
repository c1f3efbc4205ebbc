"""The words of formal languages that are allowed, or forbidden, in a picture's code."""

from __future__ import annotations

from pathlib import Path


def listed(language: str, name: str) -> frozenset[str]:
    """A list of a language's words.

    >>> sorted(listed("html", "void"))
    ['br', 'col', 'hr', 'img', 'input']
    """
    lines = Path(__file__).with_name("words.tsv").read_text(encoding="utf-8").splitlines()[1:]
    lists = {tuple(line.split("\t")[:2]): line.split("\t")[2] for line in lines}
    return frozenset(lists[language, name].split())
