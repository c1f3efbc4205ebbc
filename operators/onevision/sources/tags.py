"""The four tags of a LLaVA-CoT answer, however carelessly they were written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

#: The tags, in the order in which an answer has them.
NAMES = ("SUMMARY", "CAPTION", "REASONING", "CONCLUSION")

#: An answer as it shall be, without other brackets: most are.
_CLEAN = re.compile(r"\s*".join(["", *(rf"<{name}>([^<＜]*)</{name}>" for name in NAMES), r"\Z"]))
#: What may stand between a tag's brackets and its name.
_BEFORE = re.compile(r"<[\s/\\]{0,6}\Z")
_AFTER = re.compile(r"[\s/\\]{0,6}(?:>|\Z)")
_REACH = 7
#: No answer has more tags of a name; those after them are text.
_MOST = 200


@dataclass(frozen=True, slots=True)
class Tagged:
    """An answer's blocks by the names of their tags, the text outside of them, and what was mended, in sentences.

    ``blocks`` has all four names; a block that is not there is empty. ``tags`` is the number of tags in the text.
    """

    blocks: Mapping[str, str]
    outside: str
    notes: tuple[str, ...]
    tags: int


def tagged(text: str) -> Tagged:
    """The blocks of an answer, in time linear in its length.

    A block without its end tag ends at the next block or with the text; a second opening tag within a block is its end
    tag without the slash, or is ignored if the end tag follows. Of doubled blocks the texts are joined, but the last
    conclusion counts. Tags may be in any case and hold spaces; a tag in lower case within another block, beside a real
    one of its name, is HTML (``<caption>`` of a table) and left alone, as are all other brackets.

    >>> found = tagged("<SUMMARY> Look. <Caption>A cat < a dog.</CAPTION> < REASONING>It purrs.</REASONING >")
    >>> [found.blocks[name] for name in NAMES]
    ['Look.', 'A cat < a dog.', 'It purrs.', '']
    >>> found.notes
    ('a tag was not in capitals', '<SUMMARY> was not closed', 'a tag held spaces')
    """
    if (clean := _CLEAN.match(text)) is not None:
        return Tagged(dict(zip(NAMES, map(str.strip, clean.groups()), strict=True)), "", (), 2 * len(NAMES))
    tags = _without_html(_tags_of(text))
    reading = _Reading(text)
    for tag in tags:
        reading.take(tag)
    return reading.done(len(tags))


@dataclass(slots=True)
class _Tag:
    """A tag in the text: where, which, whether it is an end tag, and how it is written.

    ``closed_later`` says that the next tag of its name is an end tag.
    """

    start: int
    end: int
    name: str
    closing: bool
    capitals: bool
    spaced: bool
    closed_later: bool = False


def _tags_of(text: str) -> list[_Tag]:
    # Of all characters only the first one changes the text's length in lower case.
    low = text.replace("İ", "I").lower().replace("＜", "<").replace("＞", ">")
    found = (tag for name in NAMES for tag in islice(_named(text, low, name), _MOST))
    tags = sorted(found, key=lambda tag: tag.start)
    later: dict[str, bool] = {}
    for tag in reversed(tags):
        tag.closed_later = later.get(tag.name, False)
        later[tag.name] = tag.closing
    return tags


def _named(text: str, low: str, name: str) -> Iterator[_Tag]:
    needle, at = name.lower(), -1
    while (at := low.find(needle, at + 1)) >= 0:
        end = at + len(needle)
        bracket = low.rfind("<", max(0, at - _REACH), at)
        if bracket < 0:
            continue
        before = _BEFORE.match(low, bracket, at)
        after = _AFTER.match(low, end)
        if before is None or after is None:
            continue
        signs = before[0][1:] + after[0]
        spaced = any(map(str.isspace, signs.rstrip() if after.end() == len(text) else signs))
        closing = "/" in signs or "\\" in signs
        yield _Tag(bracket, after.end(), name, closing, text[at:end] == name, spaced)


def _without_html(tags: Sequence[_Tag]) -> list[_Tag]:
    """The tags without those in small letters that stand within a block of another name, if theirs is there as well."""
    real = {tag.name for tag in tags if tag.capitals}
    kept: list[_Tag] = []
    within: _Tag | None = None
    for tag in tags:
        inside = within is not None and within.closed_later and tag.name != within.name
        if inside and not tag.capitals and tag.name in real:
            continue
        kept.append(tag)
        if not tag.closing:
            within = tag
        elif within is not None and tag.name == within.name:
            within = None
    return kept


@dataclass(slots=True)
class _Reading:
    """The blocks that are open while the tags are gone through, innermost last, and what was found so far."""

    text: str
    place: int = 0
    open: list[str] = field(default_factory=list)
    #: The pieces of the block of each name that is open, and of the text outside of all.
    pieces: dict[str, list[str]] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)
    found: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in NAMES})
    #: Which notes there are, in the order in which they came up.
    notes: dict[str, None] = field(default_factory=dict)
    #: Per name that is open: whether its end tag is still to come, and whether it has any text.
    awaited: dict[str, bool] = field(default_factory=dict)
    filled: dict[str, bool] = field(default_factory=dict)

    def take(self, tag: _Tag) -> None:
        """Go on to a tag and open or close what it opens or closes."""
        piece = self.text[self.place : tag.start]
        self.place = tag.end
        self._keep(piece)
        if not tag.capitals:
            self._note("a tag was not in capitals")
        if tag.spaced:
            self._note("a tag held spaces")
        if tag.closing:
            self._closing(tag, piece)
        else:
            self._opening(tag)

    def done(self, tags: int) -> Tagged:
        """What was found, with the text behind the last tag."""
        self._keep(self.text[self.place :])
        while self.open:
            self._unclosed()
        outside = "\n".join(filter(None, map(str.strip, self.loose)))
        if outside and tags:
            self._note(f"{len(outside):,} characters stood outside of the tags")
        blocks = {name: self._one(name, texts) for name, texts in self.found.items()}
        return Tagged(blocks, outside, tuple(self.notes), tags)

    def _opening(self, tag: _Tag) -> None:
        if tag.name in self.open:
            self._again(tag)
            return
        while self.open and not self.awaited[self.open[-1]]:
            self._unclosed()
        if self.open:
            self._note(f"<{tag.name}> stood within <{self.open[-1]}>")
        self.open.append(tag.name)
        self.pieces[tag.name] = []
        self.awaited[tag.name] = tag.closed_later
        self.filled[tag.name] = False

    def _again(self, tag: _Tag) -> None:
        """An opening tag of a block that is open: a second one, or its end tag without the slash."""
        while self.open[-1] != tag.name:
            self._unclosed()
        if tag.closed_later or not self.filled[tag.name]:
            self.awaited[tag.name] = tag.closed_later
            self._note(f"<{tag.name}> was opened twice")
        else:
            self._note(f"the end tag of <{tag.name}> had no slash")
            self._close()

    def _closing(self, tag: _Tag, piece: str) -> None:
        if tag.name in self.open:
            while self.open[-1] != tag.name:
                self._unclosed()
            self._close()
        elif self.found[tag.name] or self.open:
            self._note(f"an end tag </{tag.name}> had no block")
        elif tag.closed_later and not piece.strip():
            self._note(f"the opening tag of <{tag.name}> had a slash")
            self._opening(tag)
        elif piece.strip():
            self._note(f"<{tag.name}> was not opened")
            self.loose.pop()
            self.found[tag.name].append(piece)

    def _keep(self, piece: str) -> None:
        if not self.open:
            self.loose.append(piece)
        elif piece.strip():
            self.pieces[self.open[-1]].append(piece)
            self.filled[self.open[-1]] = True

    def _unclosed(self) -> None:
        self._note(f"<{self.open[-1]}> was not closed")
        self._close()

    def _close(self) -> None:
        name = self.open.pop()
        self.found[name].append(" ".join(filter(None, map(str.strip, self.pieces.pop(name)))))

    def _one(self, name: str, texts: Sequence[str]) -> str:
        """One text of the blocks of a name."""
        several = list(dict.fromkeys(filter(None, map(str.strip, texts))))
        if len(texts) > 1:
            self._note(f"<{name}> was there {len(texts)} times")
        if name == "CONCLUSION":
            return several[-1] if several else ""
        return "\n\n".join(several)

    def _note(self, text: str) -> None:
        self.notes[text] = None
