"""Texts as they are compared when somebody may have hidden something in their spelling."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ODD = re.compile(r"[^\x20-\x7e]+")

#: Letters and signs that look like others, where compatibility folding does not make them one.
_LOOKALIKES = {
    look: plain
    for plain, looks in {
        "a": "аαɑᴀ", "b": "вЬ", "c": "сϲᴄ", "d": "ԁ", "e": "еεᴇє", "f": "ƒ", "g": "ɡ", "h": "һн", "i": "іιıɩ",
        "j": "јϳ", "k": "кκ", "l": "ӏ", "m": "мᴍ", "n": "ոη", "o": "оοօᴏ", "p": "рρᴘ", "q": "ԛ", "s": "ѕꜱ", "t": "тτ",
        "u": "υս", "v": "ѵν", "w": "ԝ", "x": "хχ", "y": "у", "z": "ᴢ",
        "/": "∕⧸⁄╱", "\\": "∖⧹╲", ":": "∶꞉։˸", ".": "․。", ",": "‚，、", "-": "‐‑‒–—―−⁃﹣¯", "_": "‗",
        "'": "′’‘`´ʼ", '"': "″“”", "#": "♯", "~": "≈≃≅∼〜～",
    }.items()
    for look in looks
}  # fmt: skip
_TABLE = str.maketrans(_LOOKALIKES)


def folded(text: str) -> str:
    """The text in small letters, odd spellings of letters, digits, signs and spaces made plain, hidden ones left out.

    Texts of the same look fold to the same; lengths and positions change.

    >>> folded("Ｆｒ\\u200bаme ①② at t＝３․２ s")
    'frame 12 at t=3.2 s'
    """
    if text.isascii() and text.isprintable():
        return text.lower()
    return _ODD.sub(lambda found: _plain(found.group()), text).lower()


@lru_cache(maxsize=8192)
def _plain(run: str) -> str:
    alike = run.casefold().translate(_TABLE)  # before decomposing: some look-alikes decompose into others
    decomposed = unicodedata.normalize("NFKD", alike).casefold().translate(_TABLE)
    return unicodedata.normalize("NFC", "".join(map(_plain_character, decomposed)))


def _plain_character(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Zs", "Zl", "Zp") or character in "\t\n\r\v\f\x85\x1c\x1d\x1e":
        return " "
    if category in ("Mn", "Me", "Cf", "Cc", "Cs"):
        return ""
    digit = unicodedata.digit(character, None)
    return character if digit is None else str(digit)
