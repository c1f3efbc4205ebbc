"""Whether steps come to something in words: what they speak of last, and whether they deny it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dataflow_ext.text.nouns import singular
from operators.verify.reaching.steps import FORMULA, Clause, Steps, tokens
from operators.verify.vocabulary import ARTICLES, CHINESE_NEGATIONS, FILLER, NEGATIONS, term_of

#: "Answer yes or no." is no part of what is asked.
_INSTRUCTION = re.compile(
    r"[^.?!。？！]*\b(?:yes\W+(?:or\W+)?no|true\W+(?:or\W+)?false)\b[^.?!。？！]*[.?!]?|请?回答?是[或还]?否。?",
    re.IGNORECASE,
)
#: What every such request holds, and few questions do.
_INSTRUCTS = re.compile(r"yes|true|否", re.IGNORECASE)
_ANY = re.compile(r"(?:any|some|every|no)(body|one|thing|where)")
_LEADS = frozenset({"because", "since", "due", "因", "为"})


def words_of(text: str) -> list[str]:
    """The words of an answer that tell it from others, in the singular.

    >>> words_of("the red sphere"), words_of("Bags")
    (['red', 'sphere'], ['bag'])
    """
    every = [singular(each) for each in tokens(text)]
    return [each for each in every if each not in ARTICLES and each not in FILLER and each not in _LEADS] or every


def last_named(steps: Steps, text: str, others: Sequence[str] | None = None) -> int:
    """How far into the steps a thing is spoken of for the last time without being denied; -1 if never.

    A thing is spoken of where a clause holds all of its words; with ``others`` to tell it from, half of those that they
    do not have. Places count clauses.
    """
    rivals = [words_of(other) for other in others or ()]
    known = {word for words in rivals for word in words}
    least = 1.0 if others is None else 0.5
    wanted, found = [each for each in words_of(text) if each not in known] or words_of(text), -1
    place = 0
    stems, chinese = {each[:4] for each in wanted}, all(map(_is_chinese, wanted))
    for sentence in steps.analysed:
        for clause in sentence.clauses:
            place += 1
            if stems.isdisjoint(clause.stems) and not chinese:
                continue
            if sentence.excluded or not _stands(wanted, clause, least) or _denied(clause, wanted):
                continue
            # A clause that lists several of them chooses none.
            if all(_denied(clause, words) for words in rivals if _stands(words, clause, 1.0)):
                found = place
    return found


def all_spoken(steps: Steps, texts: Sequence[str]) -> bool:
    """Whether each of some things is spoken of somewhere in the steps; numbers and Chinese as they stand in it."""
    return all(_spoken(text, steps.said) for text in texts)


def speaks(sentence: str, text: str) -> bool:
    """Whether a sentence holds half of a text's words, or of its pairs of Chinese characters."""
    said = [singular(each) for each in tokens(sentence)]
    words = words_of(text) if text.isascii() else [one + two for one, two in pairwise(tokens(text))]
    known = {*said, *(one + two for one, two in pairwise(said))}
    return 2 * sum(each in known for each in words) >= len(words)


def rivals_of(text: str, steps: Steps) -> tuple[str, list[str]]:
    """The word of a closed family in an answer, and what the steps name besides of it: other colours for a colour."""
    own = {each: term for each in words_of(text) if (term := term_of(each)) is not None}
    if len(own) != 1:
        return "", []
    [(word, mine)] = own.items()
    found = []
    for each in dict.fromkeys(steps.said):
        term = term_of(each)
        if term is not None and term.family == mine.family and term.value != mine.value:
            found.append(each)
    return word, found


def polarity_of(steps: Steps, question: str) -> bool | None:
    """Whether the steps affirm what is asked (True) or deny it (False), by the last of them that speaks of it.

    It speaks of it if it says yes or no itself, or holds two of the question's words and half of them.
    """
    question = _INSTRUCTION.sub(" ", question) if _INSTRUCTS.search(question) else question
    asked = set(map(_anybody, words_of(question))) - NEGATIONS
    denies = Clause(question).negations % 2
    for clause in reversed([each for sentence in steps.analysed for each in sentence.clauses]):
        terms = [term for each in clause.said if (term := term_of(each)) is not None and term.family == "polarity"]
        if terms and sum(each not in FORMULA for each in clause.said if term_of(each) is None) <= 1:
            return terms[-1].value in ("yes", "true")
        shared = asked.intersection(map(_anybody, clause.said))
        if len(shared) >= 2 and 2 * len(shared) >= len(asked):
            return clause.negations % 2 == denies
    return None


def _anybody(word: str) -> str:
    """ "Nobody" denies what "anybody" asks: the same word for both."""
    found = _ANY.fullmatch(word)
    return found[1] if found else word


def _stands(wanted: Sequence[str], clause: Clause, least: float) -> bool:
    if all(_is_chinese(each) for each in wanted):
        return "".join(wanted) in "".join(clause.said)
    found = sum(each[:4] in clause.stems and any(_alike(each, other) for other in clause.said) for each in wanted)
    return found >= least * len(wanted) > 0


def _spoken(text: str, said: Sequence[str]) -> bool:
    # Numbers have to stand word for word, and Chinese, whose words are not set apart.
    if any(each.isdigit() or _is_chinese(each) for each in text):
        wanted = [singular(each) for each in tokens(text)]
        size = len(wanted)
        return any(list(said[at : at + size]) == wanted for at in range(len(said) - size + 1))
    wanted = words_of(text)
    return 3 * sum(any(_alike(each, other) for other in said) for each in wanted) >= 2 * len(wanted) > 0


def _alike(word: str, other: str) -> bool:
    """Whether two words are one, or forms of one: boil, boils, boiling."""
    least = min(len(word), len(other))
    return word == other or (least >= 4 and word[:4] == other[:4] and word[: least - 1] == other[: least - 1])


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word <= "\u9fff"


def _denied(clause: Clause, wanted: Sequence[str]) -> bool:
    if clause.excludes or clause.negated:
        return True
    at = next((place for place, each in enumerate(clause.said) if each in wanted), len(clause.said))
    return any(each in NEGATIONS or each in CHINESE_NEGATIONS for each in clause.said[:at])
