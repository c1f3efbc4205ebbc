"""In which language and script a reasoning is written, beside the plan's own words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

from dataflow_ext.text.general_words import general_words
from operators.cot.problems import Problem
from operators.cot.rules.vocabulary import Vocabulary, folded, words_of
from operators.cot.tables import lists_of

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
#: One Greek letter by itself is a symbol, not a word.
_SYMBOL = re.compile("(?<![\u0370-\u03ff\u1f00-\u1fff])[\u0370-\u03ff](?![\u0370-\u03ff\u1f00-\u1fff])")
_FEWEST = 2

#: Words that hardly a sentence of a language goes without and that English does not have.
_OF_LANGUAGE = {
    language: words - general_words()
    for language, words in lists_of(Path(__file__).with_name("function_words.tsv")).items()
}


def language_problems(outside: str, known: Vocabulary) -> list[Problem]:
    """``language.mixed`` for a reasoning with letters of a script, or words of a language, that the plan lacks."""
    if not outside.isascii():
        letters = filter(str.isalpha, _NOT_ASCII.findall(_SYMBOL.sub(" ", outside)))
        foreign = [script for script in map(_script, letters) if script not in _scripts(known)]
        if len(foreign) >= _FEWEST:
            return [Problem("language.mixed", f"the reasoning has {len(foreign)} letters of {foreign[0]} script")]
    said = set(words_of(folded(outside)))
    for language, words in _OF_LANGUAGE.items():
        told = (words & said) - known.words
        if len(told) >= _FEWEST:
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
