"""Words of a text."""

from __future__ import annotations

import re

_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W\d_\u3400-\u9fff]+(?:['’][^\W\d_\u3400-\u9fff]+)*")


def words_in(text: str) -> set[str]:
    """The words of a text in lower case, a Chinese run as one; numbers and signs are none.

    >>> sorted(words_in("Block_A: 6kg, 木块 isn't"))
    ['a', 'block', "isn't", 'kg', '木块']
    """
    return {word.lower() for word in _WORD.findall(text)}
