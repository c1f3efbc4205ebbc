"""The patterns of ``data/*.tsv``, compiled by kind, and what stands in a text: blanks, pictures, sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise

from dataflow_ext.text import rows
from dataflow_ext.text.sentences import pieces
from operators.curate.model import Span

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


#: A blank, as it may be printed: a line, a frame, or brackets with nothing in them.
BLANK = re.compile(r"_{2,}|＿+|(?:\\_){2,}|\\underline\s*\{[\s\\;,~]*(?:\\q{1,2}uad|\\hspace\*?\{[^{}]*\})*[\s\\;,~]*\}"
                   r"|[(（][ \t\u3000_]*[)）](?!\s*[=a-z])|□|\[\s+\]|﹍{2,}|\.{6,}|…{3,}")  # fmt: skip
#: A link to a picture.
PICTURE = re.compile(r"!\[[^\]\n]*\]\((?P<link>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")


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
