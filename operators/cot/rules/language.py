"""In which language and script a reasoning is written, beside the plan's own words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from operators.cot.problems import Problem
from operators.cot.rules.vocabulary import Vocabulary

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
#: One Greek letter by itself is a symbol, not a word.
_SYMBOL = re.compile("(?<![\u0370-\u03ff\u1f00-\u1fff])[\u0370-\u03ff](?![\u0370-\u03ff\u1f00-\u1fff])")
_FEWEST = 2

#: Words that hardly a sentence of a language goes without and that English does not have.
_FUNCTION_WORDS = {
    "French": (
        "le la les des une du au aux est dans pour avec sur qui que pas sont cette ces donc parce doit être "
        "après puis il elle faut"
    ),
    "German": (
        "der die das und ist nicht ein eine einen mit auf für den dem des wird werden wurde sich muss nach "
        "damit weil dann deshalb zu"
    ),
    "Spanish": (
        "el los las una un es en por para con del que se está debe porque entonces después antes como pero "
        "más eso siguiente"
    ),
    "Italian": "il lo gli una un è di che per con sono della dalla nel perché deve quindi dopo prima poi anche questo",
    "Portuguese": "os as uma um é em por para com não que do da dos das deve porque então depois antes mas também",
    "Dutch": "het de een van niet met voor zijn is wordt worden moet omdat daarom nu eerst uit naar dan deze ook en",
    "Indonesian": "yang dan di untuk dengan tidak ini itu dari pada adalah karena harus akan",
    "Turkish": "ve bir bu için ile olarak sonra çünkü gerekir olan",
    "Vietnamese": "và là của không được trong phải khi để vì",
    "Polish": "jest nie się na że do aby ponieważ dlatego musi przed oraz jako tym który",
}
_OF_LANGUAGE = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}


def language_problems(outside: str, unknown: list[str], known: Vocabulary) -> list[Problem]:
    """``language.mixed`` for a reasoning with letters of a script, or words of a language that the plan lacks.

    ``unknown`` are the words of ``outside`` that the vocabulary lacks: a plan in French makes French words known.
    """
    if not outside.isascii():
        letters = filter(str.isalpha, _NOT_ASCII.findall(_SYMBOL.sub(" ", outside)))
        foreign = [script for script in map(_script, letters) if script not in _scripts(known)]
        if len(foreign) >= _FEWEST:
            return [Problem("language.mixed", f"the reasoning has {len(foreign)} letters of {foreign[0]} script")]
    if len(unknown) < _FEWEST:
        return []
    for language, words in _OF_LANGUAGE.items():
        told = words.intersection(unknown)
        # A word with letters that English lacks counts as well, if there is one of the language beside it.
        if told and len(told) + sum(not word.isascii() for word in set(unknown) - told) >= _FEWEST:
            return [Problem("language.mixed", f"the reasoning is partly {language}: {', '.join(sorted(told))}")]
    return []


def _scripts(known: Vocabulary) -> frozenset[str]:
    return frozenset({"LATIN", *map(_script, filter(str.isalpha, known.characters))})


@lru_cache(maxsize=1 << 12)
def _script(letter: str) -> str:
    """The script of a letter, by the first word of its name; Chinese and Japanese letters count as one script."""
    name = unicodedata.name(letter, "UNKNOWN").split()[0]
    if name in ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HALFWIDTH"):
        return "EASTERN"
    return "LATIN" if name in ("FULLWIDTH", "FEMININE", "MASCULINE", "MICRO", "MODIFIER") else name
