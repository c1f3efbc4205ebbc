"""Sentences of running text, English and Chinese, and what stands in quotation marks in them."""

from __future__ import annotations

import re

#: What quotation marks enclose on one line; a straight single one counts only at a word's edge.
_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|“[^”\n]{1,400}”|「[^」\n]{1,400}」|『[^』\n]{1,400}』|《[^》\n]{1,400}》|‘[^’\n]{1,400}’'
    r"|`[^`\n]{1,400}`|(?<![\w'])'(?=[^\s'])[^'\n]{1,200}(?:(?<=\w)'(?=\w)[^'\n]{1,200}){0,3}'(?!\w)"
)
#: The same, only before a number.
_NUMBERED = re.compile(r"\b(?:no|nos|vol|p|pp|ch|sec)\.$", re.IGNORECASE)
_LAST = ".!?。！？"
#: Where a sentence ends: at a line's end, behind 。！？； or behind a stop before a space.
_END = re.compile(
    r"""[\n。！？；.!?](?:(?<=\n)\n*|(?<=[。！？；])[。！？；]*[”’」』"'）)]*(?![”’」』"'）)]*[，、；：])"""
    r"""|(?<=[.!?])(?<![.!?]{2})[.!?]*["'”’)\]]*(?=\s))"""
)
#: What opens a quotation.
_OPENS = re.compile(r"[\"“「『《‘`']")
#: Words whose full stop ends no sentence.
_SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|fig|mr|mrs|dr|prof|st|eq|cf|ca)|(?:^|\n)\W{0,3}(?:\d{1,3}|[A-H]))\.$",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """The text, as long as before, with ``_`` for all that quotation marks enclose but the last stop.

    >>> masked('A sign reads "Stop." It is red.')
    'A sign reads "____." It is red.'
    """
    return _QUOTED.sub(_mask, text) if _OPENS.search(text) else text


def sentences(text: str) -> list[str]:
    """The text in pieces of one sentence each; joined they are the text again.

    >>> sentences("The mass is 2.5 kg, cf. Fig. 3. It hangs.\\n绳子很轻。滑轮光滑。")
    ['The mass is 2.5 kg, cf. Fig. 3. ', 'It hangs.\\n', '绳子很轻。', '滑轮光滑。']
    """
    hidden = masked(text)
    pieces = []
    start = 0
    for end in _END.finditer(hidden):
        stop = end.end()
        if hidden[end.start()] == "." and _abbreviates(hidden[max(start, stop - 12) : stop], text[stop : stop + 12]):
            continue
        while stop < len(text) and text[stop] in " \t\r\n":
            stop += 1
        if stop > start:
            pieces.append(text[start:stop])
            start = stop
    if start < len(text):
        pieces.append(text[start:])
    return pieces


def _abbreviates(before: str, behind: str) -> bool:
    """Whether a full stop belongs to a word that it shortens."""
    numbered = behind.lstrip()[:1].isdigit() and _NUMBERED.search(before) is not None
    return numbered or _SHORT.search(before) is not None


def _mask(found: re.Match[str]) -> str:
    whole = found[0]
    last = whole[-2] if whole[-2] in _LAST else "_"
    return whole[0] + "_" * (len(whole) - 3) + last + whole[-1]
