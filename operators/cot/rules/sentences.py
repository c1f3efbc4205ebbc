"""Sentences of which no rule for prose has anything to say, wherever they stand: most reasonings are made of such.

Most sentences of a plan's reasonings come again and again, so each is judged once and its judgement remembered with
the plan's vocabulary. A text is plain if all its sentences are and nothing comes of them together; the rules then
need not be asked about it. Of all other texts they judge the whole text, so that nothing is lost that goes beyond the
end of a sentence. What is left to the rules: all that is not ASCII, and all that may be layout, a list, an announced
answer, a word that the plan does not know, or a sign without which there is no leak.
"""

from __future__ import annotations

from collections.abc import Sequence

from operators.cot.rules.leak_patterns import is_silent
from operators.cot.rules.leak_words import CALLING_WITH_NUMERAL, NUMERALS
from operators.cot.rules.paragraph import may_be_marked
from operators.cot.rules.vocabulary import Vocabulary, words_of

#: What a judgement says: the sentence is for the rules; it has a word that the plan does not know, one that leaks
#: beside a numeral, a numeral.
_ODD, _STRANGE, _COUNTED, _NUMERAL = 8, 4, 2, 1
_BOTH = _COUNTED | _NUMERAL

#: How many sentences are remembered with a plan.
_REMEMBERED = 1024


def is_plain(texts: Sequence[str], known: Vocabulary, besides: str = "") -> bool:
    """Whether no rule for prose can find anything in some texts that follow each other; False if that is not sure.

    ``besides`` is the answer, whose words are known as well.

    >>> known = Vocabulary(["Place the mug on the table."])
    >>> is_plain([" The mug is placed there. So the table holds the mug."], known)
    True
    >>> is_plain(["The mug is shown in the third frame."], known), is_plain(["The hammer is there."], known)
    (False, False)
    """
    judged = known.judged
    together = 0
    for text in texts:
        text = text.strip()
        if not text:
            continue
        if text[-1] != ".":
            return False
        for sentence in text[:-1].split(". "):
            judgement = judged.get(sentence)
            if judgement is None:
                judgement = _judgement(sentence, known)
                if len(judged) < _REMEMBERED:
                    judged[sentence] = judgement
            together |= judgement
            if together & _ODD:
                return False
    if together & _STRANGE and known.unknown("\n".join(texts), besides):
        return False
    return together & _BOTH != _BOTH


def _judgement(sentence: str, known: Vocabulary) -> int:
    """What a sentence is, given without its stop; numbers are odd, as is all that a leak may begin with."""
    text = f" {sentence}. "  # what is around it in a longer text
    if not text.isascii() or not text.isprintable():
        return _ODD
    lower = text.lower()
    words = words_of(lower)
    if not is_silent(lower, words) or may_be_marked(lower):
        return _ODD
    strange = 0 if known.has(words) else _STRANGE
    counted = 0 if CALLING_WITH_NUMERAL.isdisjoint(words) else _COUNTED
    return strange | counted | (0 if NUMERALS.isdisjoint(words) else _NUMERAL)
