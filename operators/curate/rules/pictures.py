"""Which pictures a text holds, which of them a part of a question needs, and whether one is spoken of."""

from __future__ import annotations

from collections.abc import Sequence

from operators.curate.rules.tables import BLANK, PICTURE, says, sentences


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
