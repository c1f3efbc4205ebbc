"""Short answers: what an answer section prints behind a label, and what a solution ends with."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

from operators.pdf.numbering import find_solution_start, option_letter, option_place, solution_marker
from operators.pdf.numbering.numerals import narrow
from operators.pdf.rules.items import Item
from operators.pdf.rules.lines import Kind, Line, Zone
from operators.pdf.rules.words import PROVES, SENT_ON

#: Answers wider than this, in columns, are told as solutions.
_WIDEST = 64
_CONCLUDING = 42
_SO = re.compile(r"所以|因此|∴|从而|\b(?:so|hence|thus|therefore)\b", re.IGNORECASE)
_REASONED = re.compile(
    r"\s*(?:因为|因|∵|由|在|设|连[接结]|作|过|证|Let\b|Since\b|Because\b|By\b|From\b|As\b|We\b|Suppose\b)"
)
_STATED = re.compile(
    r"(?:故|所以|因此)?(?:答案[为是]|应?选(?!择)[：:]?|答案)\s*[：:】\]]?\s*(?P<a>[^。．；;【]{1,40}?)\s*[。．.；;]?\s*$"
)
_BRACKETED = re.compile(r"[【\[]\s*(?:参考|正确)?(?:答案|Answer)\s*[】\]]\s*[:：]?\s*(?P<a>[^【]+)")
_ANSWER_LINE = re.compile(
    r"\s*[【\[(（]?\s*(?:(?:参考|正确)?(?:答案|答|Answers?|Ans\.?)|(?i:(?:correct|right)\s+answers?)|Solution(?=\s*[:.]\s*[(（]?[A-H][)）]?[.]?$))"
    r"\s*(?:[】\])）]\s*[:：]?|[:：.]|\s)\s*(?P<a>\S.*?)\s*$",
    re.DOTALL,
)
_EXPLAINED = re.compile(r"[【\[(（]?\s*(?:解析|分析|详解|点拨|解答|解|Explanation|Solution)\s*[】\])）:：]")
#: Results in brackets: questions that have one at least, and their share; the share of them that tells something else.
_FEWEST, _SHARE = 4, 0.6
_RESULT = re.compile(r"(?:^|\s)[\[［]([^\[\]［］]+)[\]］]\s*$")
#: An option's letter in brackets, and the share of a chapter's items in which a form's lines stand.
_LETTERED, _FORM = re.compile(r"\s*[(\[（]([A-H])[)\]）]"), 0.6
#: Up to four words and what they introduce, and how many answers they introduce at least.
_LED, _FEWEST_LED = re.compile(r"\s*(?P<lead>[^\W\d_]+(?: [^\W\d_]+){0,3})\s?[:：]\s*(?P<a>\S.*)"), 3
_WORD = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"\d+")
_PARTS = re.compile(r"[,，;；。．]")
#: What an answer is worth, which stands before how it is found: (12分) 解.
_WORTH = re.compile(r"^\s*[(（\[【]\s*\d{1,3}\s*(?:分|marks?|points?|pts?\.?)\s*[)）\]】]", re.IGNORECASE)
_WIDE_LETTERS = re.compile(r"[Ａ-ＨＴ]+")
_ENDS = " \t\n\u3000。．.；;，,、"


def read_answers(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Set each item's short answer, and leave in its solution only what explains."""
    for item in items:
        if item.answer:
            item.answer = tidy(item.answer)
            item.solution = [i for i in item.solution if i != item.start]
        elif item.chapter.zone is Zone.ANSWERS:
            _from_section(lines, item)
        elif item.solution:
            _from_solution(lines, item)
    _leave_form_out(lines, items)
    _from_brackets(lines, items)
    _from_letters(lines, items)
    _from_marks(lines, items)
    _from_leads(lines, items)


def _from_leads(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Take for the answer what stands below a label alone and behind words that recur there: Model answer: B."""
    alone = [item for item in items if item.chapter.zone is Zone.ANSWERS and not item.answer and len(item.solution) > 1]
    found: list[tuple[Item, str, str]] = []
    for item in alone:
        first, second = (lines[i].text for i in item.solution[:2])
        led = _LED.fullmatch(second)
        if led and item.solution[0] == item.start and not _WORD.search(first, item.label.end):
            found.append((item, led["lead"].casefold(), led["a"]))
    counts = Counter(lead for _, lead, _ in found)
    for item, lead, told in found:
        if counts[lead] >= _FEWEST_LED and not _told(told):
            item.stated, item.answer, item.solution = item.solution[1], tidy(told), item.solution[2:]


def _from_marks(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Take the one option of a question that is printed otherwise than the others for its answer.

    The text behind the last option explains it.
    """
    for item in items:
        marked = [i for i in item.question if lines[i].block.marked]
        if len(marked) == 1 and not (item.answer or item.solution):
            item.answer = tidy(lines[marked[0]].text)
            last = max([*marked, *(i for i in item.question if option_place(lines[i].text))])
            item.solution = [i for i in item.question if i > last and lines[i].kind is Kind.TEXT]
            item.question = [i for i in item.question if i not in item.solution]


def _leave_form_out(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Take out of solutions what stands alike in most of a chapter, "Section: Networks", but not what opens them."""
    chapters: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        if item.solution and item.chapter.zone is Zone.BODY:
            chapters[id(item.chapter)].append(item)
    for among in (some for some in chapters.values() if len(some) >= _FEWEST):
        counts = Counter(text for item in among for text in {lines[i].text for i in item.solution if i != item.start})
        often = [text for text, count in counts.items() if text and count > _FORM * len(among)]
        form = {text for text in often if not (solution_marker(text) and re.search(r"[:：.]\s*\S", text))}
        for item in among if form else ():
            printed = [i for i in item.solution[item.stated is None :] if i != item.start and lines[i].text in form]
            for index in printed if item.answer or len(printed) < len(item.solution) else ():
                item.solution.remove(index)
                lines[index].kind = Kind.HIDDEN


def _from_letters(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Take the letters in brackets right behind most labels, T1A01 (C), for the answers of questions with options."""
    asked = [item for item in items if item.chapter.zone is Zone.BODY and not item.answer]
    opened = [_LETTERED.match(lines[item.start].text[item.label.end : item.end]) for item in asked]
    optioned = [item for item in asked if any(option_letter(lines[i].text) for i in item.question)]
    told = [(item, found[1]) for item, found in zip(asked, opened, strict=True) if found]
    if len(told) < _FEWEST or len(told) < _FORM * len(asked) or len(optioned) < _SHARE * len(told):
        return
    if len({letter for _, letter in told}) > 1:
        for item, letter in told:
            item.answer = letter


def _from_brackets(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Take what stands in square brackets at the end of most of some questions for their results, if it differs.

    What a question is worth, [4 marks], is alike in all but its number.
    """
    asked = [item for item in items if item.chapter.zone is Zone.BODY and not (item.answer or item.solution)]
    found = {n: told for n, item in enumerate(asked) if (told := _in_brackets(lines, item)) is not None}
    among = max(found) - min(found) + 1 if found else 0  # a test, whose answers stand elsewhere, may be before them
    kinds = {_DIGITS.sub("", text) for _, text in found.values()}
    if len(found) < max(_FEWEST, _SHARE * among) or len(kinds) < _SHARE * len(found):
        return
    for n, (line, text) in found.items():
        asked[n].answer = tidy(text)
        if line != asked[n].start and lines[line].text.startswith(("[", "［")):
            asked[n].question.remove(line)
            asked[n].stated = line


def _in_brackets(lines: Sequence[Line], item: Item) -> tuple[int, str] | None:
    """The last line of a question that ends with square brackets, and what these hold."""
    ends = [(i, _RESULT.search(lines[i].text)) for i in item.question if i >= item.start]
    return next(((i, end[1]) for i, end in reversed(ends) if end is not None), None)


def stated_answer(text: str) -> str | None:
    """The short answer that a line of its own states, "答案 3" or "Answer: 3"; None for other lines."""
    found = _ANSWER_LINE.match(text)
    return tidy(found["a"]) if found else None


def _from_section(lines: Sequence[Line], item: Item) -> None:
    body = SENT_ON.split(lines[item.start].text[item.label.end : item.end], maxsplit=1)[0].strip()
    rest = [i for i in item.solution if i != item.start]
    stated = _ANSWER_LINE.match(body)
    if stated and not stated["a"][:1].isspace():
        body = stated["a"]
        explained = _EXPLAINED.search(body)
    else:
        explained = None
    if not explained and PROVES.match(body):
        return
    at = explained.start() if explained else find_solution_start(body)
    if at is not None:
        item.answer = tidy(_WORTH.sub("", body[:at]))
        if _width(item.answer) > _WIDEST:
            item.answer = ""
        item.answer = item.answer or _closing(lines, item.solution)
        return
    if rest and not solution_marker(lines[rest[0]].text) and lines[rest[0]].text:
        # An answer in several lines is kept as blocks; only a letter stands by itself.
        letter = re.fullmatch(r"([A-H]{1,5})[.．。]?", body)
        if letter:
            item.answer, item.solution = letter[1], rest
        return
    if not body or _told(body):
        return
    item.answer = tidy(body)
    item.solution = rest


def _told(body: str) -> bool:
    """Whether the words behind a label are reasoning rather than a short answer."""
    width = _width(body)
    if any(part.count("=") + part.count("＝") > 2 for part in _PARTS.split(body)):
        return True
    if width > _WIDEST or (width > _WIDEST // 2 and _REASONED.match(body)):
        return True
    return width > _CONCLUDING and bool(_SO.search(body))


def _from_solution(lines: Sequence[Line], item: Item) -> None:
    """The answer of a worked item: on a line of its own, which explains nothing, or stated at the end."""
    for index in item.solution:
        text = lines[index].text
        if index == item.start:
            inside = _BRACKETED.search(text, item.label.end, item.end)
            if inside and _width(tidy(inside["a"])) <= _WIDEST:
                item.answer = tidy(inside["a"])
                return
            continue
        found = _ANSWER_LINE.match(text)
        if found is None:
            continue
        explained = _EXPLAINED.search(found["a"])
        answer = tidy(found["a"][: explained.start()] if explained else found["a"])
        if not answer or _width(answer) > _WIDEST or text.lstrip().startswith("答："):
            continue
        item.answer = answer
        if explained is None:
            item.solution.remove(index)
            item.stated = index
        return
    item.answer = _closing(lines, item.solution)


def _closing(lines: Sequence[Line], solution: Sequence[int]) -> str:
    for index in reversed(solution[-3:]):
        found = _STATED.search(lines[index].text)
        if found:
            return tidy(found["a"])
    return ""


def tidy(answer: str) -> str:
    """An answer without the spaces and stops around it, letters of options in ASCII.

    >>> tidy(" Ｂ．"), tidy("(1) 3; (2) 5.")
    ('B', '(1) 3; (2) 5')
    """
    answer = answer.strip(_ENDS)
    return narrow(answer) if _WIDE_LETTERS.fullmatch(answer) else answer


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
