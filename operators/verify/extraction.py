"""The bare answer that a conclusion, or the end of a reasoning, states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text import patterns
from dataflow_ext.text.sentences import sentences
from operators.verify.answer import AnswerType, Option
from operators.verify.equations import assigned, is_formula
from operators.verify.equivalence import MOST_OPTIONS, type_of
from operators.verify.normalising import as_written, bare, plain
from operators.verify.options import letter_and_text, letters_of
from operators.verify.questions import asked
from operators.verify.statements import amount_in, converted_in, parts_in, quoted_in, solutions_in
from operators.verify.words import core_of, polarity, said_term

#: Letters from the end of a text, and sentences, that are looked at.
_LONGEST = 4000
_MOST_SENTENCES = 40
_MOST_BOXED = 1000

_TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.IGNORECASE | re.DOTALL)
#: The number of an item; the letter before an option's text, as in "B. 60 N", stays.
_ITEM = re.compile(r"\A\d{1,3}\.\s+(?=\S)")
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{")
_PATTERNS = patterns(__package__, "data/extraction.tsv")
_CUE = re.compile(_PATTERNS["cue"], re.IGNORECASE)
#: What each of them holds, in small letters.
_CUES = (
    *("answer", "solution", "choice", "result", "so", "thus", "hence", "therefore", "choose", "select", "pick"),
    *("correct", "答案", "选"),
)
_OPTION = re.compile(r"(?:\b(?i:option|choice|answer)|选项|选)\s*[(\[]?([A-Z])[)\]]?(?![A-Za-z'])")
_REST = re.compile(_PATTERNS["rest"], re.DOTALL | re.IGNORECASE)
_COPULA = re.compile(_PATTERNS["copula"], re.IGNORECASE)
_ASKS_YES_OR_NO = re.compile(_PATTERNS["asks yes or no"], re.IGNORECASE | re.DOTALL)
_LETTER_FIRST = re.compile(r"[(\[]?([A-Z])[)\]]?(?=\s*(?:$|[.,:;)])|\s+(?:because|since|as|is|which|-)\b)")
#: What tells, where no options are known, that a capital is the letter of one.
_OF_OPTIONS = re.compile(_PATTERNS["of options"])
_RATHER = re.compile(r"(?:not|不是) ?[^,，]{1,80}?[,，]? ?(?:\bbut(?: rather)?\b|而是) ?", re.IGNORECASE)
_NOT = re.compile(r"(?:not|n't|never|neither|不是|不为|不)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A bare answer and its type."""

    text: str
    type: AnswerType


#: Signs that break a line to some readers, and none in an answer.
_SPACES = re.compile(r"[\r\t\x0b\x0c\x85\u2028\u2029](?:(?<!\r)|(?!\n))")
#: A lone capital, bracketed or called an option.
_LONE = re.compile(r"(?i:option\s+|choice\s+|选项?)?[(（]?([A-H])[)）]?[.。]?")


def answer_in(text: str, *, question: str = "", options: Sequence[Option] = ()) -> Found | None:
    """The bare answer that a text states; a sentence that states none as such is itself the answer; None if empty.

    >>> answer_in("The block is at rest. So the answer is B.")
    Found(text='B', type='letter')
    >>> answer_in("因此张力为 60 N。"), answer_in("The cat sleeps on the mat.")
    (Found(text='60 N', type='quantity'), Found(text='The cat sleeps on the mat', type='words'))
    """
    text = _SPACES.sub(" ", text)
    if not text.strip():
        return None
    return _remembered(text[-_LONGEST * 2 :], question, tuple(options[:MOST_OPTIONS]))


@lru_cache(maxsize=4096)
def _remembered(text: str, question: str, options: Sequence[Option]) -> Found | None:
    """What a text states, read once however many checks ask for it."""
    marked = _marked(text)
    said = _sentences(marked if marked else text[-_LONGEST:])
    if not said:
        return None
    if marked and len(said) == 1:
        return _found(said[0], text, question, options)
    told = _cued(said, options) or _optioned(said, options) or _stated(said, question, options)
    return _found(told or said[-1], text, question, options)


def _found(text: str, source: str, question: str, options: Sequence[Option]) -> Found | None:
    text = bare(text)
    if not text:
        return None
    letters, both = letters_of(text, options), letter_and_text(text)
    known = {option.letter for option in options}
    if letters and (letters <= known if known else _OF_OPTIONS.search(source)):
        return Found(", ".join(sorted(letters)), "letter")
    if both and both[0] in known:
        return Found(both[0], "letter")
    # A letter that is none of the options is one all the same, and a wrong one.
    if known and (lone := _LONE.fullmatch(text)) and all(option.text.strip() != lone[1] for option in options):
        return Found(lone[1], "letter")
    kind = type_of(text, question=question, options=options)
    return Found(as_written(text, source[-_LONGEST * 2 :]), "words" if kind == "letter" else kind)


def _marked(text: str) -> str:
    """What stands in the last answer tags, or in the last box."""
    tagged = [found[1] for found in _TAGGED.finditer(text) if found[1].strip()]
    if tagged:
        return tagged[-1]
    boxed = list(_BOXED.finditer(text))
    if not boxed:
        return ""
    depth, start = 1, boxed[-1].end()
    for place, letter in enumerate(text[start : start + _MOST_BOXED], start):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0:
            return text[start:place]
    return ""


def _sentences(text: str) -> list[str]:
    """The last sentences, without the stops of all but the last; the letter of an option stays with its text."""
    bare_ones = (_ITEM.sub("", plain(said.rstrip("。！？"))) for said in sentences(text))
    told = [said for said in bare_ones if any(map(str.isalnum, said))][-_MOST_SENTENCES:]
    return [*(said.rstrip(".") for said in told[:-1]), *told[-1:]]


def _cued(sentences: list[str], options: Sequence[Option]) -> str:
    """What stands behind "the answer is", in the last sentence that says so."""
    for number in range(len(sentences) - 1, -1, -1):
        if not any(map(sentences[number].lower().__contains__, _CUES)):
            continue
        cues = list(_CUE.finditer(sentences[number]))
        if not cues:
            continue
        tail = sentences[number][cues[-1].end() :].strip()
        if not tail and number + 1 < len(sentences):
            tail = sentences[number + 1]
        rather = _RATHER.match(tail)
        tail = tail[rather.end() :] if rather else tail
        if not tail or _NOT.match(tail):
            continue
        first = _LETTER_FIRST.match(tail)
        if (
            first
            and (not options or first[1] in {option.letter for option in options})
            and not letters_of(bare(tail), options)
        ):
            return first[1]
        return _REST.sub("", tail) or tail
    return ""


def _optioned(sentences: list[str], options: Sequence[Option]) -> str:
    """The one option that the last sentence which names options names."""
    letters = {option.letter for option in options}
    for sentence in reversed(sentences if letters else []):
        named = {found[1] for found in _OPTION.finditer(sentence)} & letters
        if named:
            return (
                named.pop() if len(named) == 1 and not re.search(r"\bnot\b|n't|incorrect|wrong|不|错", sentence) else ""
            )
    return ""


def _stated(sentences: list[str], question: str, options: Sequence[Option]) -> str:
    """What the last sentence says is the answer: yes or no, a value, or what is not in the question's words."""
    last = bare(sentences[-1])
    quoted = quoted_in(sentences[-1], question)
    if quoted:
        return quoted
    polar = polarity(bare(sentences[0])) or polarity(last)
    if polar and (not question or _ASKS_YES_OR_NO.match(question)):
        return polar[0].capitalize() if last.isascii() else last.partition("，")[0].partition(",")[0]
    if (
        letters_of(last, options)
        or said_term(last)
        or type_of(last, options=options) not in ("words", "expression", "list")
    ):
        return last
    several = solutions_in(last) or parts_in(last) or converted_in(last, question)
    if several:
        return several
    given = assigned(last)
    if given and type_of(given[1]) != "expression":
        return given[1]
    end = last.rpartition("=")[2].strip()
    if last.count("=") > 1 and type_of(end) in ("number", "quantity"):
        return end
    if is_formula(last):
        return last
    core = core_of(last, asked(question).words)
    said = core if core != last else next(_values(last, options), "")
    if said and re.search(rf"\b(?:is|are) (?:the )?{re.escape(said)}\b", question, re.IGNORECASE):
        # "1/2 is larger" answers "which is larger" by what comes first.
        return last
    return said or amount_in(last, question) or last


def _values(sentence: str, options: Sequence[Option]) -> Iterator[str]:
    """What a sentence says that something is, where that is a value; from its last clause back."""
    shorter = _REST.sub("", sentence)
    for clause in reversed(re.split(r",\s+|，", shorter if len(shorter) > 3 else sentence)):
        for found in reversed(list(_COPULA.finditer(clause))):
            said = bare(clause[found.end() :])
            if not said or _NOT.match(said):
                return
            kind = type_of(said, options=options)
            if kind == "expression":
                yield _whole_formula(clause) or said
            elif kind in ("number", "quantity", "letter") or said_term(said):
                yield said


def _whole_formula(clause: str) -> str:
    """The equation that a clause says something is: y = 2x + 1, and not its right side."""
    sides = (bare(clause[found.end() :]) for found in _COPULA.finditer(clause))
    return next((side for side in sides if "=" in side and is_formula(side)), "")
