"""Letters of a text layer that have no Unicode values, named by what OCR reads in their place."""

from __future__ import annotations

import re

_GAP = "\ufffd\x01\x03-\x1f"
#: A letter without a name beside a letter, or two of them.
GAP_IN_WORD = re.compile(rf"[^\W\d_][{_GAP}]|[{_GAP}][^\W\d_]|[{_GAP}]{{2}}")
_GAPS = re.compile(f"([{_GAP}])")
#: Signs of full width as those of ASCII, between which OCR does not tell.
_NARROW = {at + 0xFEE0: at for at in range(0x21, 0x7F)} | {ord("。"): ord(".")}
#: A ligature stands for so many letters.
_LIGATURE = r"([^\W\d_]{2,3})"


def name_letters(text: str, read: str) -> str:
    """A text whose letters without names are those that OCR read there, as far as its other letters bear this out.

    Either as many were read as there are, and the known ones as what they are, or the rest of a word was: then one
    letter without a name may be a ligature.

    >>> name_letters("\ufffdestions of di\ufffderent \x1brms", "Questions of different firms")
    'Questions of different firms'
    >>> name_letters("\ufffd\ufffd 8 小\ufffd", "一、8小题"), name_letters("\ufffd\ufffd", "一、选择题")
    ('一、 8 小题', '\ufffd\ufffd')
    >>> name_letters("di\ufffderent", "indifferent")
    'di\ufffderent'
    """
    letters = "".join(read.split())
    bare = "".join(text.split())
    if len(bare) == len(letters) and all(
        _GAPS.match(one) or one.translate(_NARROW) == other.translate(_NARROW)
        for one, other in zip(bare, letters, strict=True)
    ):
        rest = iter(letters)
        return "".join(char if char.isspace() else _either(char, next(rest)) for char in text)
    return "".join(_named(word, read) if _GAPS.search(word) else word for word in re.split(r"(\s+)", text))


def _either(known: str, read: str) -> str:
    return read if _GAPS.match(known) else known


def _named(word: str, read: str) -> str:
    parts = _GAPS.split(word)
    known = [re.escape(part) for part in parts[::2]]
    found = {match.groups() for match in re.finditer(rf"(?<!\w){_LIGATURE.join(known)}(?!\w)", read)}
    if len(found) != 1 or not any(known):
        return word
    [letters] = found
    return "".join(part for pair in zip(parts[::2], (*letters, ""), strict=True) for part in pair)
