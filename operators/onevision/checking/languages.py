"""Whether the reasoning is in the question's language."""

from __future__ import annotations

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import quoted, sentences, size, without_math
from operators.onevision.model.language import language_of
from operators.onevision.model.records import Check

_CODE = "rewrite.language"
_NAMES = {"en": "English", "zh": "Chinese", "other": "another language"}
#: From such a share on, sentences in another language are a failure.
_SHARE = 0.4
#: Shorter sentences tell no language.
_TELLS = 20


def language_check(row: Material) -> Check:
    """The check of the language, of the whole and of its sentences."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    asked = language_of(row.question)
    if asked is None:
        return Check(_CODE, "not run", "the question's language cannot be told")
    whole = language_of(row.thinking)
    if whole is not None and whole != asked:
        return Check(_CODE, "failed", f"the question is in {_NAMES[asked]}, the reasoning in {_NAMES[whole]}")
    strange, told, first = 0.0, 0.0, ""
    for sentence in sentences(without_math(row.thinking)):
        if size(sentence) < _TELLS or (language := language_of(sentence)) is None:
            continue
        told += size(sentence)
        if language != asked:
            strange += size(sentence)
            first = first or sentence
    if told and strange >= _SHARE * told:
        return Check(_CODE, "failed", f"{strange / told:.0%} of it is not in {_NAMES[asked]}: {quoted(first)}")
    return Check(_CODE, "passed")
