"""The assistant's turn in its parts: reasoning with its required sentences, and answer."""

from __future__ import annotations

from collections.abc import Sequence

_OPEN, _CLOSE = "<think>", "</think>"


def reasoning_of(response: str) -> tuple[str, str]:
    """Reasoning and answer; a turn of another shape is all reasoning.

    >>> reasoning_of("<think>The cup is clean.</think>\\nB\\n")
    ('The cup is clean.', 'B')
    """
    text = response.strip()
    if not text.startswith(_OPEN) or _CLOSE not in text:
        return response, ""
    reasoning, _, answer = text.removeprefix(_OPEN).partition(_CLOSE)
    return reasoning, answer.strip()


def pieces_of(reasoning: str, anchors: Sequence[str]) -> list[tuple[str, bool]]:
    """The reasoning cut at its required sentences: texts in their order, and whether each is such a sentence.

    >>> pieces_of("First. The cup must be clean. So B.", ["The cup must be clean.", "Missing."])
    [('First. ', False), ('The cup must be clean.', True), (' So B.', False)]
    """
    pieces: list[tuple[str, bool]] = []
    place = 0
    for anchor in anchors:
        start = reasoning.find(anchor, place) if anchor else -1
        if start >= 0:
            pieces += [(reasoning[place:start], False), (anchor, True)]
            place = start + len(anchor)
    pieces.append((reasoning[place:], False))
    return [(text, required) for text, required in pieces if text]
