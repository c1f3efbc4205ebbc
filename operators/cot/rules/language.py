"""In which language and script a reasoning is written, beside the plan's own words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from operators.cot.problems import Problem
from operators.cot.rules.vocabulary import Vocabulary

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_FEWEST = 2

#: Words that hardly a sentence of a language goes without and that English does not have.
_FUNCTION_WORDS = {
    "French": "le la les des une est dans pour avec sur qui que pas sont cette ces donc parce doit être après puis",
    "German": "der die das und ist nicht ein eine mit auf für den dem des wird werden sich muss nach damit weil dann",
    "Spanish": "el los las una es en por para con del que se está debe porque entonces después antes como pero más",
    "Italian": "il lo gli una è di che per con sono della nel perché deve quindi dopo prima poi anche",
    "Portuguese": "os as uma é em por para com não que dos das deve porque então depois antes mas também",
    "Dutch": "het een van niet met voor zijn wordt moet omdat naar dan deze ook",
    "Indonesian": "yang dan di untuk dengan tidak ini itu dari pada adalah karena harus akan",
    "Turkish": "ve bir bu için ile olarak sonra çünkü gerekir olan",
    "Vietnamese": "và là của không được trong phải khi để vì",
    "Polish": "jest nie się na że aby ponieważ musi przed oraz",
}  # fmt: skip
_OF_LANGUAGE = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}


def language_problems(outside: str, unknown: list[str], known: Vocabulary) -> list[Problem]:
    """``language.mixed`` for a reasoning with letters of a script, or words of a language that the plan lacks.

    ``unknown`` are the words of ``outside`` that the vocabulary lacks: a plan in French makes French words known.
    """
    if not outside.isascii():
        foreign = [
            script
            for script in map(_script, filter(str.isalpha, _NOT_ASCII.findall(outside)))
            if script not in _scripts(known)
        ]
        if len(foreign) >= _FEWEST:
            return [Problem("language.mixed", f"the reasoning has {len(foreign)} letters of {foreign[0]} script")]
    if len(unknown) < _FEWEST:
        return []
    for language, words in _OF_LANGUAGE.items():
        told = words.intersection(unknown)
        if len(told) >= _FEWEST:
            return [Problem("language.mixed", f"the reasoning is partly {language}: {', '.join(sorted(told))}")]
    return []


def _scripts(known: Vocabulary) -> frozenset[str]:
    return frozenset({"LATIN", "GREEK", *map(_script, filter(str.isalpha, known.characters))})


@lru_cache(maxsize=1 << 12)
def _script(letter: str) -> str:
    """The script of a letter, by the first word of its name; Chinese and Japanese letters count as one script."""
    name = unicodedata.name(letter, "UNKNOWN").split()[0]
    if name in ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HALFWIDTH"):
        return "EASTERN"
    return "LATIN" if name in ("FULLWIDTH", "FEMININE", "MASCULINE", "MICRO", "MODIFIER") else name
