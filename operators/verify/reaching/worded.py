"""Whether steps come to something in words: what they speak of last, and whether they deny it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.verify.reaching.steps import FORMULA, Steps, tokens
from operators.verify.vocabulary import ARTICLES, CHINESE_NEGATIONS, FILLER, NEGATIONS, singular, term_of

_CLAUSE = re.compile(
    r"[,，;；:：。.!?！？\n]|\b(?:but|while|whereas|though|although|because|since)\b|但|而", re.IGNORECASE
)
#: What takes out the things of its clause: verbs of a proof by exclusion.
_EXCLUDED = re.compile(
    r"\b(?:exclud\w*|ruled?\s+out|rule[sd]?\s+out|eliminat\w*|incorrect|wrong|impossible|unlike|instead|rather\s+than)\b"
    r"|排除|错误|不可能",
    re.IGNORECASE,
)
#: Words that speak of what was said before in the sentence.
_PRONOUN = re.compile(r"\b(?:they|them|these|those|both|others?|it|this|that)\b|它|这|其他", re.IGNORECASE)
#: "Answer yes or no." is no part of what is asked.
_INSTRUCTION = re.compile(
    r"[^.?!。？！]*\b(?:yes\W+(?:or\W+)?no|true\W+(?:or\W+)?false)\b[^.?!。？！]*[.?!]?|请?回答?是[或还]?否。?",
    re.IGNORECASE,
)
_ANY = re.compile(r"(?:any|some|every|no)(body|one|thing|where)")
_LEADS = frozenset({"because", "since", "due", "因", "为"})
_NOT = re.compile(r"n['’]t\b|\bcannot\b", re.IGNORECASE)


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
    known = {word for other in others or () for word in words_of(other)}
    least = 1.0 if others is None else 0.5
    wanted, found = [each for each in words_of(text) if each not in known] or words_of(text), -1
    place = 0
    for sentence in steps.sentences:
        clauses = _clauses(sentence)
        excluded = any(_EXCLUDED.search(each) and _PRONOUN.search(each) for each in clauses)
        for clause in clauses:
            place += 1
            said = [singular(each) for each in tokens(clause)]
            if excluded or not _stands(wanted, said, least) or _denied(clause, said, wanted):
                continue
            # A clause that lists several of them chooses none.
            rivals = [words for other in others or () if _stands(words := words_of(other), said, 1.0)]
            if all(_denied(clause, said, words) for words in rivals):
                found = place
    return found


def all_spoken(steps: Steps, texts: Sequence[str]) -> bool:
    """Whether each of some things is spoken of somewhere in the steps; numbers and Chinese as they stand in it."""
    said = [singular(each) for each in tokens(steps.text)]
    return all(_spoken(text, said) for text in texts)


def rivals_of(text: str, steps: Steps) -> tuple[str, list[str]]:
    """The word of a closed family in an answer, and what the steps name besides of it: other colours for a colour."""
    own = {each: term for each in words_of(text) if (term := term_of(each)) is not None}
    if len(own) != 1:
        return "", []
    [(word, mine)] = own.items()
    found = []
    for each in dict.fromkeys(singular(token) for token in tokens(steps.text)):
        term = term_of(each)
        if term is not None and term.family == mine.family and term.value != mine.value:
            found.append(each)
    return word, found


def polarity_of(steps: Steps, question: str) -> bool | None:
    """Whether the steps affirm what is asked (True) or deny it (False), by the last of them that speaks of it.

    It speaks of it if it says yes or no itself, or holds two of the question's words and half of them.
    """
    asked = set(map(_anybody, words_of(_INSTRUCTION.sub(" ", question)))) - NEGATIONS
    denies = _negations(question, tokens(_INSTRUCTION.sub(" ", question))) % 2
    for clause in reversed([each for sentence in steps.sentences for each in _clauses(sentence)]):
        said = [singular(each) for each in tokens(clause)]
        terms = [term for each in said if (term := term_of(each)) is not None and term.family == "polarity"]
        if terms and sum(each not in FORMULA for each in said if term_of(each) is None) <= 1:
            return terms[-1].value in ("yes", "true")
        shared = asked.intersection(map(_anybody, said))
        if len(shared) >= 2 and 2 * len(shared) >= len(asked):
            return _negations(clause, said) % 2 == denies
    return None


def _anybody(word: str) -> str:
    """ "Nobody" denies what "anybody" asks: the same word for both."""
    found = _ANY.fullmatch(word)
    return found[1] if found else word


def _clauses(sentence: str) -> list[str]:
    return [part for part in _CLAUSE.split(sentence) if part and part.strip()]


def _stands(wanted: Sequence[str], said: Sequence[str], least: float) -> bool:
    if all(_is_chinese(each) for each in wanted):
        return "".join(wanted) in "".join(said)
    found = sum(any(_alike(each, other) for other in said) for each in wanted)
    return found >= least * len(wanted) > 0


def _spoken(text: str, said: Sequence[str]) -> bool:
    if _exact(text):
        wanted = [singular(each) for each in tokens(text)]
        size = len(wanted)
        return any(list(said[at : at + size]) == wanted for at in range(len(said) - size + 1))
    wanted = words_of(text)
    return 3 * sum(any(_alike(each, other) for other in said) for each in wanted) >= 2 * len(wanted) > 0


def _exact(text: str) -> bool:
    """Whether a text has to stand word for word: numbers, and Chinese, whose words are not set apart."""
    return any(each.isdigit() or _is_chinese(each) for each in text)


def _alike(word: str, other: str) -> bool:
    """Whether two words are one, or forms of one: boil, boils, boiling."""
    least = min(len(word), len(other))
    return word == other or (least >= 4 and word[:4] == other[:4] and word[: least - 1] == other[: least - 1])


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word <= "\u9fff"


def _denied(clause: str, said: Sequence[str], wanted: Sequence[str]) -> bool:
    if _EXCLUDED.search(clause):
        return True
    at = next((place for place, each in enumerate(said) if each in wanted), len(said))
    return any(each in NEGATIONS or each in CHINESE_NEGATIONS for each in said[:at]) or _NOT.search(clause) is not None


def _negations(clause: str, said: Sequence[str]) -> int:
    return sum(each in NEGATIONS or each in CHINESE_NEGATIONS for each in said) + len(_NOT.findall(clause))
