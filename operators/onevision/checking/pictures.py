"""Whether the source speaks of the picture it came with: by the words that can be read in it."""

from __future__ import annotations

from itertools import pairwise

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import folded, is_chinese
from operators.onevision.records import NOT_RUN, Check

#: So many different words have to be read, and below this share of them a source knows the picture is another one.
#: Of a prototype's 47 own pictures none was below it, of 153 pictures of others 121.
_LEAST, _KNOWN = 3, 0.1


def picture_check(row: Material) -> Check:
    """Compare what OCR read with caption, question, options and reasoning of the source."""
    code = "source.picture"
    if row.read_by in ("", NOT_RUN):
        return Check(code, "not run", "nothing was read in the picture")
    texts = (row.question, *(option.text for option in row.options), row.own_caption, row.reasoning, row.conclusion)
    known = _words("\n".join(texts))
    # Words of a script that the source does not use are none that it could know.
    chinese = any(is_chinese(word[0]) for word in known)
    read = {word for word in _words("\n".join(row.read)) if chinese or not is_chinese(word[0])}
    if len(read) < _LEAST:
        return Check(code, "not run", "too few words were read in the picture")
    shared = len(read & known)
    if shared < _KNOWN * len(read):
        return Check(code, "failed", f"of {len(read)} words that were read in the picture the source knows {shared}")
    return Check(code, "passed")


def _words(text: str) -> frozenset[str]:
    """The words and numbers of two signs and more, and pairs of Chinese characters.

    >>> sorted(_words("M=14kg, 滑轮组 7"))
    ['14', 'kg', '滑轮', '轮组']
    """
    every = folded(text)
    pairs = (one + other for one, other in pairwise(every) if is_chinese(one) and is_chinese(other))
    return frozenset([*pairs, *(word for word in every if len(word) > 1)])
