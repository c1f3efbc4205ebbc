"""The language of a text, by its letters and its small words, and its sentences."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from dataflow_ext.text import lists
from dataflow_ext.text import sentences as any_text
from operators.onevision.model.records import Language

#: As much of a text tells its language.
_MOST = 8_000
#: Chinese characters in a word, on average.
_PER_WORD = 1.6

_NO_WORDS = re.compile(
    r"\\(?:text|textbf|textit|mathrm|mbox)(?![A-Za-z])|\\[A-Za-z]{1,40}|</?[A-Za-z][^<>]{0,80}>|https?://\S{1,200}"
)
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HANGUL = re.compile(r"[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]+")
#: Words of scripts other than those of Europe's west and of East Asia; short ones are variables, such as α and Δ.
_STRANGE = re.compile(r"[\u0370-\u0dff\u0f00-\u10ff\u1200-\u1dff]{3,}|[\u0e00-\u0eff]{2,}")
#: ASCII with blanks for all but letters, each by its number.
_APART = "".join(chr(each) if chr(each).isalpha() else " " for each in range(128))
_LATIN = re.compile(r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]+")


_LISTS = lists(__package__, "words.tsv")
#: Latin letters that stand for a unit, a function or points whatever the language; small words of English; those of
#: other languages in Latin letters that are no English ones.
_SIGNS, _ENGLISH, _FOREIGN = _LISTS["signs"], _LISTS["English"], _LISTS["foreign"]


@lru_cache(maxsize=8192)
def language_of(text: str) -> Language | None:
    """The language of a text's words, without its formulas and numbers; None if it has no words to tell by.

    >>> language_of("How many apples are on the table?"), language_of("如图，小球 A 质量为 6kg，绳子的张力是多少？")
    ('en', 'zh')
    >>> language_of("Combien de pommes sont sur la table ?"), language_of("リンゴは何個ありますか")
    ('other', 'other')
    >>> language_of("T = 6 kg * 9.8 = 58.8 N") is None
    True
    """
    text = text[:_MOST]
    if "\\" in text or "<" in text or "://" in text:
        text = _NO_WORDS.sub(" ", text)
    if text.isascii():
        letters = text.translate(_APART).split()
        if _FOREIGN.isdisjoint(map(str.lower, letters)):
            return "en" if any(map(_word, letters)) else None
        return _of_words([low for low in map(_word, letters) if low])
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    strange = sum(1 for _ in _HANGUL.finditer(text)) + sum(1 for _ in _STRANGE.finditer(text))
    words = [low for low in map(_word, _LATIN.findall(text)) if low]
    chinese = han / _PER_WORD
    if kana and kana * 8 >= han + kana and (han + kana) / _PER_WORD >= len(words):
        return "other"
    if strange > max(chinese, len(words)):
        return "other"
    if han and chinese >= len(words):
        return "zh"
    return _of_words(words)


@lru_cache(maxsize=4096)
def _word(letters: str) -> str:
    """Letters in a row as a word in small letters; "" for a variable, a sign, or a name of points."""
    if len(letters) == 1 or (len(letters) < 4 and letters.isupper()):
        return ""
    low = letters.lower()
    return "" if low in _SIGNS else low


def _of_words(words: list[str]) -> Language | None:
    if not words:
        return None
    english = sum(map(_ENGLISH.__contains__, words))
    foreign = sum(map(_FOREIGN.__contains__, words))
    accented = len(words) - sum(map(str.isascii, words))
    if foreign > english and (foreign > 1 or accented or len(words) < 4):
        return "other"
    return "other" if not english and accented > 1 and accented * 4 >= len(words) else "en"


pieces = partial(any_text.pieces, also="；")
sentences = partial(any_text.sentences, also="；")
