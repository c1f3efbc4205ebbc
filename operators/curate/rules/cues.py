"""What stands in a text by the patterns of ``data/*.tsv``: cues, sentences, pictures, blanks, and missing ones.

A blank is missing where a sentence breaks off, begins with its verb, or is whole in the solution alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise

from dataflow_ext.text import UNITS, rows
from dataflow_ext.text.sentences import pieces
from operators.curate.model import Span

#: A blank, as it may be printed: a line, a frame, or brackets with nothing in them.
BLANK = re.compile(r"_{2,}|＿+|(?:\\_){2,}|\\underline\s*\{[\s\\;,~]*(?:\\q{1,2}uad|\\hspace\*?\{[^{}]*\})*[\s\\;,~]*\}"
                   r"|[(（][ \t\u3000_]*[)）](?!\s*[=a-z])|□|\[\s+\]|﹍{2,}|\.{6,}|…{3,}")  # fmt: skip
#: A link to a picture.
PICTURE = re.compile(r"!\[[^\]\n]*\]\((?P<link>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
#: What is set where a blank is missing.
BLANK_SIGN = "____"
_STOPS = r"[。．.，,；;、！!）)]"
_PIECES = re.compile(r"\s*(?:[;；\n]|(?<!\d)[,，、]|[,，、](?!\d{3}(?!\d)))\s*|\s{2,}")
#: Characters on each side of an answer that a question and its solution share.
_CONTEXT = 3
_FLAGS = re.IGNORECASE | re.MULTILINE


def rows_of(name: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    return rows("operators.curate", f"data/{name}")


@cache
def cue(kind: str) -> re.Pattern[str]:
    """What tells a kind of ``cues.tsv``, as one pattern; of a named group only the first pattern's counts.

    >>> bool(cue("proof").search("求证：AB = CD")), bool(cue("proof").search("求 AB 的长"))
    (True, False)
    """
    return re.compile("|".join(f"(?:{pattern})" for found, pattern in rows_of("cues.tsv") if found == kind), _FLAGS)


@cache
def cues(kind: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a kind one by one."""
    return tuple(re.compile(pattern, _FLAGS) for found, pattern in rows_of("cues.tsv") if found == kind)


def says(kind: str, text: str) -> bool:
    """Whether a cue of the kind stands in the text."""
    return cue(kind).search(text) is not None


def asks(text: str) -> bool:
    """Whether a text asks for something: a question mark, a blank, or a verb that tells what to do.

    >>> asks("求 AB 的长"), asks("Find x."), asks("AB 的长是____"), asks("the sum is even")
    (True, True, True, False)
    """
    kinds = ("proof", "drawing", "explanation", "calculation", "choice", "judge", "fill", "list")
    return BLANK.search(text) is not None or "?" in text or "？" in text or any(says(kind, text) for kind in kinds)


def sentences(text: str, also: str = "") -> list[Span]:
    """The sentences of a text, which other signs ``also`` end; pictures are none.

    >>> [span.of("Fig. 3: x = 2.5. Let y = 3．求 z；") for span in sentences("Fig. 3: x = 2.5. Let y = 3．求 z；")]
    ['Fig. 3: x = 2.5. ', 'Let y = 3．', '求 z；']
    """
    places = accumulate(map(len, pieces(text, also)), initial=0)
    spans = (Span(start, end) for start, end in pairwise(places))
    return [span for span in spans if PICTURE.sub("", span.of(text)).strip()]


def links_in(text: str) -> list[str]:
    """The links to pictures in a text, in their order.

    >>> links_in("See ![图 3](vqa_images/a(1).png) and ![](b.png).")
    ['vqa_images/a(1).png', 'b.png']
    """
    return list(dict.fromkeys(found["link"] for found in PICTURE.finditer(text)))


def pictures_of(part: str, whole: str, links: Sequence[str]) -> list[str]:
    """The pictures of a part of a text: those that it links to, and those that the whole text links to nowhere.

    A part that speaks of a picture and would have none has all of them: the one it means is among them.
    """
    there, anywhere = set(links_in(part)), set(links_in(whole))
    mine = [link for link in links if link in there or link not in anywhere]
    return list(links) if not mine and links and speaks_of_picture(part) else mine


def speaks_of_picture(text: str) -> bool:
    """Whether a text rests on a picture or table that should stand beside it, rather than asks for one.

    >>> speaks_of_picture("如图，求 AB 的长"), speaks_of_picture("Draw a graph of the function.")
    (True, False)
    """
    text = BLANK.sub(" ", text)
    if not says("figure", text):
        return False
    parts = [span.of(text) for span in sentences(text)]
    return any(says("figure", part) and not says("makes", part) for part in parts)


@cache
def _gaps() -> tuple[re.Pattern[str], ...]:
    """Patterns whose end is where a blank is missing, the surest first."""
    words = {where: [p for w, p in rows_of("gaps.tsv") if w == where] for where in ("start", "middle", "end")}
    named = sorted((unit for unit in UNITS if len(unit) > 1 or not unit.isascii()), key=len, reverse=True)
    units = "|".join(re.escape(u) + (r"(?![A-Za-z])" if u[-1].isascii() and u[-1].isalpha() else "") for u in named)
    ends, middles = "|".join(words["end"]), "|".join(words["middle"])
    tail = r"(?=[.。．]?\s*(?:!\[|\n|[(（](?!\s*[)）])|\Z))"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:{middles})[ \t\u3000]*\$?[ \t]*(?=(?:{units})\s*(?:{_STOPS}|\Z))",
            rf"(?:{middles})\s*\$?[ \t]*(?={_STOPS}(?!\d))",
            rf"(?<=[是为约有共需长高宽重用行走剩多少大得])[ \u3000]+(?=[一-鿿]{{1,3}}(?:{_STOPS}|\Z))",
            rf"[=≈]\s*\$[ \t]*(?=\s*(?:{_STOPS}|\Z))",
            rf"(?:{ends})[ \t\u3000]*{tail}",
            rf"\A\s*(?=(?:{'|'.join(words['start'])}))",
            r"(?<=由)[ \u3000]*(?=提供|控制|组成|构成|产生|决定|完成|引起|负责|制成|发现|发明)",
            r"(?<=[^\s.?!:]) (?= +[^\sA-Z])",
            r"(?<=[一-鿿])[ \u3000]{2,}(?=[一-鿿])|(?<=[一-鿿，,])[ \u3000]+(?=[，,。；;])|(?<=[，,：:])(?=[，,。])",
        )
    )


def gaps_in(text: str, most: int | None = None) -> list[int]:
    """The places where a blank is missing, at most so many, the surest ones.

    >>> [text[:n] for text in ("则 x = ，y = 3.", "The sum is .") for n in gaps_in(text)]
    ['则 x = ', 'The sum is ']
    """
    found: list[int] = []
    covered = [match.span() for each in (BLANK, PICTURE) for match in each.finditer(text)]
    for pattern in _gaps():
        for match in pattern.finditer(text):
            place = match.end()
            if text[match.start() : place].endswith("\n") or any(a <= place <= b for a, b in covered):
                continue
            if all(abs(place - other) > 1 for other in found):
                found.append(place)
    return sorted(found if most is None else found[:most])


def before_unit(text: str, solution: str) -> list[int]:
    """Where a sentence goes from its verb to a unit that a number has in the solution: 大小为N, and 5 N there.

    >>> before_unit("压力的大小为N。", "F=pS=540 N。")
    [6]
    """
    verbs = "|".join(pattern for where, pattern in rows_of("gaps.tsv") if where == "middle")
    found = re.finditer(rf"(?:{verbs})\s*(?=(?P<unit>[A-Za-zΩ°℃/²³]{{1,6}})\s*(?:{_STOPS}|\Z))", text)
    return [m.end() for m in found if re.search(rf"\d\s*\$?\s*{re.escape(m['unit'])}(?![A-Za-z])", solution)]


def told_in(text: str, solution: str, answer: str) -> int | None:
    """The place in a text where the solution, which repeats the sentence, has the answer; None if it has not.

    >>> told_in("The  protects the cell.", "The membrane protects the cell.", "membrane")
    4
    """
    sought = answer.strip()
    start = solution.find(sought) if sought else -1
    while start >= 0:
        before, after = (
            solution[:start].rstrip()[-4 * _CONTEXT :],
            solution[start + len(sought) :].lstrip()[: _CONTEXT + 1],
        )
        for length in range(len(before), _CONTEXT - 1, -1):
            left = before[-length:]
            found = re.search(
                rf"{re.escape(left)}(?P<gap>\s*){re.escape(after)}" if after else rf"{re.escape(left)}\s*\Z", text
            )
            if found:
                return found.start() + len(left) + (1 if found["gap"][:1] == " " else 0) if after else found.end()
        start = solution.find(sought, start + 1)
    return None


def pieces_of(answer: str) -> list[str]:
    """The answers of several blanks.

    >>> pieces_of("3；-2"), pieces_of("1,200")
    (['3', '-2'], ['1,200'])
    """
    return [piece for piece in _PIECES.split(answer.strip()) if piece.strip()]


def with_blanks(text: str, places: list[int]) -> str:
    """The text with a blank at each of the places, apart from letters and digits that it would touch."""
    made = text
    for place in sorted(set(places), reverse=True):
        before = " " if made[:place][-1:].isascii() and made[:place][-1:].isalnum() else ""
        after = " " if made[place : place + 1].isascii() and made[place : place + 1].isalnum() else ""
        made = f"{made[:place]}{before}{BLANK_SIGN}{after}{made[place:]}"
    return made
