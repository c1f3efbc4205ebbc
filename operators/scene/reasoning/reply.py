"""What a model's reply holds: the reasoning of a turn, with marks."""

from __future__ import annotations

import re

from dataflow_ext.errors import RowError

#: What servers and models put around a text: their own thoughts, and fences.
_THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*</think(?:ing)?>(?=\s*\S)", re.DOTALL)
_FENCE = re.compile(r"^\s*```\w*\n(.*)\n```\s*$", re.DOTALL)


def read_reply(text: str) -> str:
    """The reasoning in a reply, without a fence around it or thoughts before it; RowError if there is none.

    >>> read_reply("```text\\nThe room is empty [count() = 0].\\n```")
    'The room is empty [count() = 0].'
    """
    text = _THOUGHTS.sub("", text)
    fenced = _FENCE.match(text)
    said = (fenced[1] if fenced else text).strip()
    if not said:
        raise RowError("the reply is empty")
    return said
