"""Captions of figures: which questions a caption names, and by what name a text can call the figure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text import Pattern
from operators.pdf.numbering.label_words import in_any_case, words
from operators.pdf.numbering.numerals import narrow, number

_DASH = r"\s*(?:[~～\-–—－至到、,，和]|to|and|&)\s*"
_N = r"\d{1,3}"
_FOR_ITEMS = re.compile(
    rf"[（(【]?\s*第?\s*(?P<word>例题?|典例|变式|习题|练习|思考题?)?\s*第?\s*(?P<low>{_N}|[①-⑳])(?:{_DASH}第?\s*(?P<high>{_N}))?\s*(?P<unit>小?题)?\s*[)）]?\s*(?P<fig>的?\s*(?:附|配|答|解|示意)?图(?:形|表|象)?)?\s*(?:[①-⑳\d（(].{{0,6}})?[)）】]?"
)
_FOR_ITEMS_EN = Pattern(
    r"[(\[]?(?:(?:Fig(?:ure|\.)?|Diagram|Graph|Picture|Table|Map)\s*(?:for|to|of)\s*)?"
    r"(?P<word>(?:Worked )?Examples?|Exercises?|Ex\.?|Questions?|Qs?\.?|Problems?|Nos?\.?|Items?)\s*"
    rf"(?P<low>{_N})(?:{_DASH}(?P<high>{_N}))?[)\]]?[.:]?",
    re.IGNORECASE,
)
#: Words before the numbers of pictures and tables in other languages than Chinese.
_PICTURES = [word for word in words("figure", "table") if len(word) > 1]
_NAMED = Pattern(
    rf"[（(]?\s*(?P<word>图|表|附图|Fig(?:ure|\.)?|(?:{in_any_case(_PICTURES)})\.?)\s*(?P<n>[①-⑳]|[\d]+(?:[.\-–—]\d+)*(?:\s*[(（]?[a-z甲乙丙①-⑳][)）]?)?|[甲乙丙])",
    re.IGNORECASE,
)
#: What the number of a figure, or of the items that it is for, is made of.
_COUNTED = re.compile(r"[\d①-⑳甲乙丙]")
_TASK_WORDS = ("习题", "练习", "思考", "思考题")
_ENGLISH_EXAMPLE = ("example", "worked")


@dataclass(frozen=True, slots=True)
class Caption:
    """What a caption says: the items it names (``prefix`` 例 or "", ``low`` to ``high``) or its figure."""

    prefix: str = ""
    low: int = 0
    high: int = 0
    name: str = ""


@lru_cache(maxsize=4096)
def read_caption(text: str) -> Caption | None:
    """What a text says if it is nothing but a figure's caption, else None.

    >>> read_caption("第3题图"), read_caption("第7~10题图")
    (Caption(prefix='', low=3, high=3, name=''), Caption(prefix='', low=7, high=10, name=''))
    >>> read_caption("例2图").prefix, read_caption("图 1-2").name
    ('例', '图1-2')
    >>> read_caption("Figure for questions 4-6").high
    6
    >>> read_caption("3. 求值"), read_caption("第3题")
    (None, Caption(prefix='', low=3, high=3, name=''))
    """
    if not _COUNTED.search(text):
        return None
    text = text.strip().replace("$", "").replace("\\(", "").replace("\\)", "").strip()
    if not text or len(text) > 60:
        return None
    found = _FOR_ITEMS.fullmatch(text)
    if found and (found["fig"] or (found["unit"] and text[0] in "第（(")):
        low = number(found["low"]) or 0
        word = found["word"] or ""
        prefix = "" if word in _TASK_WORDS or not word else word[0]
        return Caption(prefix, low, int(found["high"] or low))
    english = _FOR_ITEMS_EN.fullmatch(text)
    if english and (text[0] in "([" or text[:1].upper() in "FDGPTM" or english["high"]):
        low = int(english["low"])
        example = english["word"].lower().startswith(_ENGLISH_EXAMPLE)
        return Caption("例" if example else "", low, int(english["high"] or low))
    named = _NAMED.match(text)
    if named and (named.end() == len(text) or (text[named.end()] in " \t\u3000:：.．)）" and len(text) <= 40)):
        return Caption(name=figure_name(named[0]))
    return None


def figure_name(text: str) -> str:
    """The name of a figure in one form.

    >>> figure_name("Fig. 2.1"), figure_name("图 ①")
    ('figure2.1', '图①')
    """
    name = re.sub(r"[\s（()）]", "", narrow(text)).lower().replace("–", "-").replace("—", "-")
    return re.sub(r"^fig(?:\.|(?!ure))", "figure", name)


_CALLED = re.compile(rf"(?:图|表|[Ff]ig(?:ure|\.)?|(?:{in_any_case(_PICTURES)})\.?)\s*(?:[①-⑳]|\d+(?:[.\-–—]\d+)*)")


def figures_called(text: str) -> list[str]:
    """The names of the figures that a text sends its reader to.

    >>> figures_called("如图①和图②，见 Figure 2.1")
    ['图①', '图②', 'figure2.1']
    """
    return [figure_name(m[0]) for m in _CALLED.finditer(text)]
