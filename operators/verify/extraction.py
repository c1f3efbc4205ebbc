"""The bare answer that a conclusion, or the end of a reasoning, states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text import patterns
from dataflow_ext.text.sentences import sentences
from operators.verify.answer import AnswerType, Option
from operators.verify.equivalence import MOST_OPTIONS, type_of
from operators.verify.lists import collection_of
from operators.verify.normalising import as_written, bare, plain
from operators.verify.numbers_in_text import numbers_in
from operators.verify.options import letter_and_text, letters_of
from operators.verify.quantities import quantity_of
from operators.verify.questions import asked
from operators.verify.relations import assigned, intervals_of, is_formula
from operators.verify.worded_answers import core_of, polarity, said_term

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
#: Signs that break a line to some readers, and none in an answer.
_SPACES = re.compile(r"[\r\t\x0b\x0c\x85\u2028\u2029](?:(?<!\r)|(?!\n))")
#: A lone capital, bracketed or called an option.
_LONE = re.compile(r"(?i:option\s+|choice\s+|选项?)?[(（]?([A-H])[)）]?[.。]?")

#: Letters of a sentence in which is looked for what it states without saying that it is the answer.
_LONGEST_SENTENCE = 300
_JOINT = re.compile(r"\s*[,、;]\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*(?:或者|或|和|与)\s*")
_GIVEN = re.compile(r"[A-Za-zα-ω](?:_?\{?\d{1,2}\}?)?\s*=\s*[^=]{1,40}$")
_OPENED = re.compile(r"(?:\b(?:is|are|so|then|thus|therefore|get|gives?|has|have)|[是为得有即:]|所以|因此|故)?[\s,]*")
_REASON = re.compile(r"\b(?:since|because|when|if|where|given|with)\b|因为|由于|如果|当|若", re.IGNORECASE)
_AMOUNT = re.compile(r"\bhow (?:much|many)\b|多少|几", re.IGNORECASE)
_MONEY = re.compile(r"(?:US\$|[$€£¥￥])\s*$")
_PART = re.compile(
    r"[,.;:!?()]| (?:on|in|at|for|from|to|of|with|by|and|or|is|are|was|were|per day|each|left|altogether)\b"
)
_MOST_WORDS = 3
_QUOTED = re.compile(r'"([^"]{1,200})"')
_WRITING = re.compile(patterns(__package__, "data/patterns.tsv")["writing"], re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|are|was|were|be|equals?|gives?|get|has|have)\b|[是为有得:：]")
_BRACKETED = re.compile(r"[A-Z]?'?[(\[{]")


@dataclass(frozen=True, slots=True)
class Found:
    """A bare answer and its type."""

    text: str
    type: AnswerType


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
        return _found(said[0], text, options)
    told = _cued(said, options) or _optioned(said, options) or _stated(said, question, options)
    return _found(told or said[-1], text, options)


def _found(text: str, source: str, options: Sequence[Option]) -> Found | None:
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
    kind = type_of(text, options=options)
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
    quoted = _quoted_in(sentences[-1], question)
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
    several = _solutions_in(last) or _parts_in(last) or _converted_in(last, question)
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
    return said or _amount_in(last, question) or last


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


def _solutions_in(sentence: str) -> str:
    """The solutions that end a sentence, one name's or after "are"; "" unless there are several.

    >>> _solutions_in("The roots are x = 2 or x = 3"), _solutions_in("m = 2 kg and so T = 3 N")
    ('x = 2 or x = 3', '')
    """
    if len(sentence) > _LONGEST_SENTENCE or sentence.count("=") < 2:
        return ""
    joints = list(_JOINT.finditer(sentence))
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(sentence)]
    names: list[str] = []
    begin = len(sentence)
    for start, end in zip(reversed(starts), reversed(ends), strict=True):
        given = _GIVEN.search(sentence[start:end])
        pair = assigned(given[0]) if given else None
        if given is None or pair is None or quantity_of(pair[1]) is None:
            break
        begin = start + given.start()
        names.append(pair[0][0])
        if given.start():
            break
    before = sentence[:begin]
    one = len(set(names)) == 1
    if len(names) < 2 or _REASON.search(before) or not (one or _OPENED.fullmatch(before)):
        return ""
    return sentence[begin:]


def _parts_in(sentence: str) -> str:
    """The tuples, set, interval or numbers that end a sentence, whole; "" if it ends otherwise.

    >>> _parts_in("The vertices are (1, 2) and (3, 4)"), _parts_in("The roots are 2, -3"), _parts_in("It is red, not 2")
    ('(1, 2) and (3, 4)', '2, -3', '')
    """
    if len(sentence) > _LONGEST_SENTENCE or not any(letter in sentence for letter in ",，([{"):
        return ""
    for found in _VERB.finditer(sentence):
        said = sentence[found.end() :].strip()
        if said and (intervals_of(said) is not None or _of_values(said)):
            return said
    return ""


def _of_values(text: str) -> bool:
    """Whether a text is a tuple, a set, or several numbers or tuples."""
    whole = collection_of(text)
    if whole is None:
        return False
    if whole.form in ("set", "tuple", "square"):
        return True
    return all(quantity_of(part) is not None or _is_tuple(part) for part in whole.parts)


def _is_tuple(text: str) -> bool:
    whole = collection_of(text) if _BRACKETED.match(text) else None
    return whole is not None and whole.form in ("set", "tuple", "square")


def _converted_in(sentence: str, question: str) -> str:
    """Of one quantity in several units, 18 km/h = 5 m/s, that in the unit which the question asks for; else ""."""
    if len(sentence) > _LONGEST_SENTENCE or "=" not in sentence:
        return ""
    unit = asked(question).unit
    first, *sides = (side.strip() for side in sentence.split("="))
    words = first.split(" ")
    starts = [" ".join(words[start:]) for start in range(max(0, len(words) - _MOST_WORDS), len(words))]
    sides = [next((start for start in starts if quantity_of(start) is not None), ""), *sides]
    read = [quantity_of(side) for side in sides]
    if unit is None or len(sides) < 2 or any(each is None or each.unit is None for each in read):
        return ""
    return next((side for side, each in zip(sides, read, strict=True) if each is not None and each.unit == unit), "")


def _quoted_in(sentence: str, question: str) -> str:
    """What a sentence quotes, where the question asks what something says; "" unless it quotes one thing.

    >>> _quoted_in('The sign says "No Parking"', "What does the sign say?")
    'No Parking'
    """
    if not _WRITING.search(asked(question).text):
        return ""
    quoted = _QUOTED.findall(sentence[:_LONGEST_SENTENCE])
    return quoted[0].strip() if len(quoted) == 1 else ""


def _amount_in(sentence: str, question: str) -> str:
    """The one quantity or number in a sentence, where the question asks how much or how many; else "".

    >>> _amount_in("Three notebooks cost $15", "How much do three notebooks cost?")
    '$15'
    """
    if len(sentence) > _LONGEST_SENTENCE or not _AMOUNT.search(question):
        return ""
    told = asked(question).text
    found = [each for each in numbers_in(sentence) if not _repeated(each.text, told)]
    if len(found) != 1:
        return ""
    start, end = found[0].start, found[0].start + len(found[0].text)
    sign = _MONEY.search(sentence[:start])
    if sign:
        money = sentence[sign.start() : end]
        return money if quantity_of(money) else ""
    return _with_unit(sentence[start:], end - start)


def _repeated(text: str, question: str) -> bool:
    """Whether a number in words is one of the question's own."""
    return text.isalpha() and re.search(rf"\b{re.escape(text.lower())}\b", question) is not None


def _with_unit(text: str, size: int) -> str:
    """A number and the unit right behind it; else the thing that it counts, up to the end of the phrase."""
    rest = text[size:]
    tokens = [found.end() for found in re.finditer(r"\s*[^\s,;:!?()]+", rest[:60])][:_MOST_WORDS]
    for end in reversed(tokens):
        quantity = quantity_of(text[: size + end])
        if quantity is not None and quantity.unit is not None:
            return text[: size + end]
    stop = _PART.search(rest)
    thing = text[: size + stop.start()] if stop else text
    counted = quantity_of(thing.strip())
    return thing.strip() if counted is not None and len(thing[size:].split()) <= _MOST_WORDS else ""
