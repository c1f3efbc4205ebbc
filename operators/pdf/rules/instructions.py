"""The instructions of a test paper: what stands before its first question and speaks of the paper itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from operators.pdf.rules.lines import HEADINGS, OPTIONS, Kind, Line, Zone

_HEAD = re.compile(
    r"[【\[(（]?(?:注意事项|考生须知|考生注意|答[题卷]须知|答[题卷]说明|考试说明)[】\])）]?\s*[:：]?$"
    r"|(?:General\s+|Important\s+)?(?:Instructions?|Information|Directions|Advice|Rubric)"
    r"(?:\s+(?:to|for)\s+(?:all\s+)?(?:the\s+)?(?:candidates?|students?|examinees?))?\s*[:.]?$",
    re.IGNORECASE,
)
#: Such a heading that runs on into the first of its numbered instructions.
_RUN_IN = re.compile(r"[【\[(（]?(?:注意事项|考生须知|考生注意|答[题卷]须知)[】\])）]?\s*[:：]?\s*1\s*[.．、]")
#: What it begins with behind its brackets, in either case, and the two signs that are an i in some language.
_HEAD_STARTS = frozenset("注考答GgIiDdAaRrİı")
#: What speaks of the paper itself; each begins with a sign of its own, which the engine looks for at once.
_OF_THE_PAPER = re.compile(
    r"试[卷题]|答[题卷][前时卡纸]|考[生试场]|准考证|作答|满分|铅笔|钢笔|签字笔|草稿纸|监考|计算器|装订线"
)
#: The same in English.
_OF_A_PAPER = re.compile(
    r"(?=[qmceibwyafp])\b(?:questions?|marks?|candidates?|calculators?|examination|exam|booklet|invigilator|minutes|working"
    r"|answer (?:sheets?|books?)|your answers?|(?:black|blue) (?:ink|pen)|pencil|formula sheet)\b",
    re.IGNORECASE,
)
#: Letters in a row that are in all of these, those that are one in another case among them: formulas have fewer. The
#: first one stands by itself, as the engine looks for it at once.
_FOUR_LETTERS = re.compile("[A-Za-zıİſ\u212a][A-Za-zıİſ\u212a]{3}")
#: What a question is worth, "[4 marks]" or （本题满分8分）, stands in brackets, and alike in all but its number.
_BRACKETED = re.compile(r"[\[(（][^\[\]()（）]{0,30}?\d[^\[\]()（）]{0,30}[\])）]")
#: The share of a count's lines that speak of the paper; the others go into detail.
_SHARE = 0.5
_DIGITS = re.compile(r"\d+")


def find_instructions(lines: Sequence[Line]) -> dict[int, Zone]:
    """Where instructions begin, and where the questions behind them do.

    Numbered instructions are a count that speaks of the paper, and behind which numbers begin anew. A heading
    such as 注意事项 is no chapter's: its zone ends with them, or before the first label.
    """
    found = [
        (index, label)
        for index, line in enumerate(lines)
        if (label := line.label) is not None and line.kind is Kind.TEXT and line.zone is not Zone.CONTENTS
    ]
    labelled, numbers = [i for i, _ in found], [label.number for _, label in found]
    plain = [None if label.prefix else label.number for _, label in found]
    zones: dict[int, Zone] = {}
    for place in [place for place, number in enumerate(plain) if number == 1]:
        index, count = labelled[place], _count(labelled, plain, place)
        following = place + len(count)
        if following == len(labelled) or numbers[following] != 1:
            continue
        if any(lines[i].kind is Kind.ANSWERS for i in range(count[-1], labelled[following])):
            continue  # what is answered was asked
        if _speaks_of_the_paper([lines[i].text for i in count]):
            zones[index] = Zone.FRONT
            zones[_end(lines, count[-1], labelled[following])] = Zone.BODY
    untold = [n for n, line in enumerate(lines) if line.label is None and line.text[:3] not in OPTIONS]
    for index in [n for n in untold if lines[n].text.lstrip("【[(（")[:1] in _HEAD_STARTS]:
        line = lines[index]
        if line.kind is Kind.TEXT and _RUN_IN.match(line.text):
            anew = next(
                (i for i, number in zip(labelled, numbers, strict=True) if i > index and number == 1), len(lines)
            )
            zones[index] = Zone.FRONT
            if anew < len(lines):
                zones[_end(lines, index, anew)] = Zone.BODY
        if line.kind in (Kind.HEADING, Kind.TEXT) and _HEAD.match(line.text):
            first = next((i for i in labelled if i > index), len(lines))
            line.kind = Kind.FRONT
            if first < len(lines):
                zones.setdefault(_end(lines, index, first), Zone.BODY)
    return zones


def _speaks_of_the_paper(texts: Sequence[str]) -> bool:
    """Whether enough of some texts speak of the paper, also without stamps, which only take words away."""
    return _most_speak(texts) and _most_speak(_unstamped(texts))


def _most_speak(texts: Sequence[str]) -> bool:
    """Whether enough of some texts speak of the paper; once too many do not, the others are not looked at."""
    silent = 0
    for text in texts:
        silent += not _speaks(text)
        if silent > (1 - _SHARE) * len(texts):
            return False
    return True


def _speaks(text: str) -> bool:
    if _OF_THE_PAPER.search(text):
        return True
    return _FOUR_LETTERS.search(text) is not None and _OF_A_PAPER.search(text) is not None


def _unstamped(texts: Sequence[str]) -> list[str]:
    """Some texts without what stands in brackets, with one number or another, in most of them."""
    kinds = Counter(kind for text in texts for kind in {_DIGITS.sub("", found) for found in _BRACKETED.findall(text)})
    stamps = {kind for kind, count in kinds.items() if 2 * count > len(texts)}
    return [
        _BRACKETED.sub(lambda found: "\n" if _DIGITS.sub("", found[0]) in stamps else found[0], text) for text in texts
    ]


def _count(labelled: Sequence[int], plain: Sequence[int | None], place: int) -> Sequence[int]:
    """The lines with plain numbers that count on from 1, up to the first that does not."""
    end = place + 1
    while end < len(plain) and plain[end] == end - place + 1:
        end += 1
    return labelled[place:end]


def _end(lines: Sequence[Line], last: int, first: int) -> int:
    """Where the questions begin: at the first heading behind the last instruction, or at the first label."""
    return next((i for i in range(last + 1, first) if lines[i].kind in HEADINGS and not lines[i].running_head), first)
