"""The words behind the Markdown in which version 4 writes the texts of its blocks."""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"(?P<math>(?<!\\)\$(?:\\.|[^$\\])+\$|\\\(.*?\\\))"
    r"|(?P<fence>`+)(?P<code>.+?)(?P=fence)(?!`)"
    r"|\\(?P<escaped>[*_`~$#+-])"
    r"|\[(?P<label>[^\][]*)\]\((?:https?:|mailto:|#)[^)\s]*\)"
    r"|(?P<entity>&(?:lt|gt|amp|quot|#39);)"
    r"|(?P<style>\*+|~~|</?(?:u|b|i|em|strong|s|del)>)",
    re.DOTALL,
)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'"}
_FENCED = re.compile(r"(`{3,})[^\n`]*\n(.*?)\n?\1\s*", re.DOTALL)


def plain(text: str) -> str:
    r"""The text without escapes and styles; formulas and HTML's super- and subscripts stay.

    >>> plain(r"**Example 1** 3 \* 4 &lt; x with $a\_1*b$, so R<sup>2</sup> = ____")
    'Example 1 3 * 4 < x with $a\\_1*b$, so R<sup>2</sup> = ____'
    """
    return _PIECE.sub(_meant, text)


def _meant(piece: re.Match[str]) -> str:
    if piece["math"] is not None:
        return piece["math"]
    if piece["entity"] is not None:
        return _ENTITIES[piece["entity"]]
    code = piece["code"]
    if code is not None:
        # Blanks set off code that itself begins or ends with a backtick.
        return code[1:-1] if len(code) > 2 and code[0] == code[-1] == " " else code
    return piece["escaped"] or piece["label"] or ""


def unfenced(text: str) -> str:
    """Code without the fence around it.

    >>> unfenced("```python" + chr(10) + "print(1)" + chr(10) + "```")
    'print(1)'
    """
    found = _FENCED.fullmatch(text)
    return found[2] if found else text
