"""Goals of steps retold with another tool."""

from __future__ import annotations

import re

from dataflow_ext.text.tokens import stem
from operators.cot.flaws.tools import Tools
from operators.cot.flaws.vocabulary import bare, like, tokens_key

_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset(("a", "an", "the", "one", "two", "three", "both", "some", "his", "her", "their", "its", "your"))
_BY_MEANS_OF = frozenset(("with", "using", "by", "via"))

# No more words than these stand between an article and the word for a tool.
_MODIFIERS = 3


def with_tool(goal: str, tool: str, other: str, tools: Tools) -> str | None:
    """The goal with another tool in place of the one that it names, or added where it names none.

    None where that would not read well: the tool is named as something else than what the step is done with, or
    it is done with something else that is not the tool.
    """
    words = list(_WORD.finditer(goal))
    spoken = [word[0].casefold() for word in words]
    found = tools.mention(tool, [stem(word) for word in spoken])
    if found is None:
        named = _BY_MEANS_OF.isdisjoint(spoken)
        return like(goal, f"{bare(goal)} using the {tokens_key(other)}") if named else None
    first, last = found
    while first and found[0] - first < _MODIFIERS and spoken[first - 1] not in _BY_MEANS_OF | _ARTICLES:
        first -= 1
    if first and spoken[first - 1] in _ARTICLES:
        first -= 1
    if not first or spoken[first - 1] not in _BY_MEANS_OF:
        return None
    start, end = words[first].start(), words[last - 1].end()
    if re.search(r"[^\w\s-]", goal[start:end]):
        return None
    return f"{goal[:start]}the {tokens_key(other)}{goal[end:]}"
