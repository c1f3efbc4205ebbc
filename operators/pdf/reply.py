"""What a model says of a chunk, chapters and pairs that name block ids, and the XML it travels in, read leniently."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from html import escape

from dataflow_ext import RowError
from operators.pdf.numbering import normalise_label


@dataclass(slots=True)
class ReplyPair:
    """One question, worked example or answer. ``at`` is the block it starts at; ids are block ids in
    reading order as the model gave them; ``answer`` is short text, never ids. ``doubts`` are sentences that
    say why the pair may be wrong. ``notes`` tells what was odd when the pair was read; it is no part of the XML."""

    label: str
    question: list[int] = field(default_factory=list)
    answer: str = ""
    solution: list[int] = field(default_factory=list)
    at: int | None = None
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ReplyChapter:
    """Pairs under one heading; ``title`` holds the ids of the heading's blocks, none if it is not in sight."""

    title: list[int] = field(default_factory=list)
    pairs: list[ReplyPair] = field(default_factory=list)


def render(chapters: Sequence[ReplyChapter]) -> str:
    """The reply text for these chapters, ``<empty></empty>`` if there are none.

    >>> text = render([ReplyChapter([4], [ReplyPair("1", [5, 6], "x < 3", at=5)])])
    >>> print(text.splitlines()[1])
    <qa_pair><at>5</at><label>1</label><question>5,6</question><answer>x &lt; 3</answer><solution></solution></qa_pair>
    """
    if not any(c.pairs for c in chapters):
        return "<empty></empty>"
    return "\n".join(_chapter(c) for c in chapters if c.pairs)


def _chapter(chapter: ReplyChapter) -> str:
    pairs = "\n".join(_pair(p) for p in chapter.pairs)
    return f"<chapter><title>{_ids(chapter.title)}</title>\n{pairs}\n</chapter>"


def _pair(pair: ReplyPair) -> str:
    at = "" if pair.at is None else f"<at>{pair.at}</at>"
    label, answer, *doubts = (escape(text, quote=False) for text in (pair.label, pair.answer, *pair.doubts))
    told = "".join(f"<doubt>{doubt}</doubt>" for doubt in doubts)
    return (
        f"<qa_pair>{at}<label>{label}</label><question>{_ids(pair.question)}</question>"
        f"<answer>{answer}</answer><solution>{_ids(pair.solution)}</solution>{told}</qa_pair>"
    )


def _ids(ids: Sequence[int]) -> str:
    return ",".join(map(str, ids))


# All repeats have bounds, so that a reply of signs without sense costs no more than its length.
_TAG = re.compile(
    r"<\s{0,9}(/?)\s{0,9}(chapter|title|qa_pair|at|label|question|answer|solution|doubt|empty)"
    r"(?:\s[^<>]{0,99}?)?(/?)\s{0,9}>",
    re.I,
)
_DECLARES = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.I)
_PARTS = frozenset({"at", "label", "question", "answer", "solution", "doubt"})
_CONTENT = frozenset({"question", "answer", "solution"})
_LEAVES = _PARTS | {"title"}
_NAMES = _LEAVES | {"chapter", "qa_pair", "empty"}
_IDS = re.compile(r"(?<![\d.])(-?\d+)(?:\s*(?:[-–—~～至到]|\.\.)\s*(\d+))?")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
#: A range that names more blocks than this is a slip, not a question.
_LONGEST_RANGE = 2_000
#: No book prints a longer label.
_LONGEST_LABEL = 80
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.S)

_LIST = r"((?:\d{1,9}(?:,\d{1,9})*)?)"
_OPENING = re.compile(rf"\s*<chapter><title>{_LIST}</title>")
_CLOSING = re.compile(r"\s*</chapter>\s*")
_PAIR = re.compile(
    rf"\s*<qa_pair>(?:<at>(\d{{1,9}})</at>)?<label>([^<&]{{1,80}})</label><question>{_LIST}</question>\s*"
    rf"<answer>([^<&`]*)</answer><solution>{_LIST}</solution>"
    r"((?:<doubt>[^<&`]{1,300}</doubt>){0,30})</qa_pair>"
)
_DOUBT = re.compile(r"<doubt>([^<]*)</doubt>")


class UnreadableReply(RowError):
    """A reply in which nothing of the contract can be found."""


def read_reply(text: str, known: Set[int], hidden: Set[int] = frozenset()) -> list[ReplyChapter]:
    """The chapters of a reply; ids that are not ``known`` are left out and told in their pair's notes.

    A range passes over ``hidden`` ids, which its writer never saw. Raises :class:`UnreadableReply` for a
    reply without any of the contract's tags and for one that declares entities.

    >>> chapters = read_reply("Sure! <chapter><title>1<qa_pair><label>例①<question>2-4, 9", set(range(6)))
    >>> pair = chapters[0].pairs[0]
    >>> chapters[0].title, pair.label, pair.question, pair.notes
    ([1], '例1', [2, 3, 4], ['question names block 9, which does not exist'])
    """
    chapters = _read_exact(text, known)
    if chapters is not None:
        return chapters
    if "<!" in text and _DECLARES.search(text):
        raise UnreadableReply("the reply declares a document type or entities, which is refused")
    pieces = _TAG.split(text)
    if len(pieces) == 1:
        raise UnreadableReply("the reply has none of the tags that were asked for")
    reader = _Reader(known, hidden)
    for closing, name, empty, words in zip(pieces[1::4], pieces[2::4], pieces[3::4], pieces[4::4], strict=True):
        name = name if name in _NAMES else name.lower()
        if closing and name in _LEAVES:
            continue  # what follows a part, up to the next tag, is chatter
        reader.take(name, closing, "" if empty or closing else words)
    reader.take("chapter", "/", "")
    if not any(c.pairs for c in reader.chapters) and not reader.said_nothing:
        raise UnreadableReply("the reply has some of the tags that were asked for, but nothing in them")
    return reader.chapters


def check_reply(text: str) -> None:
    """Raise :class:`UnreadableReply` where :func:`read_reply` does, which no known ids change.

    >>> check_reply("<qa_pair><label>1</label>")
    >>> check_reply("No questions here.")
    Traceback (most recent call last):
    operators.pdf.reply.UnreadableReply: the reply has none of the tags that were asked for
    """
    opening = _OPENING.match(text)
    pair = _PAIR.match(text, opening.end()) if opening and "<!" not in text else None
    if pair is None or not pair[2].strip():
        read_reply(text, frozenset())


def _read_exact(text: str, known: Set[int]) -> list[ReplyChapter] | None:
    """The chapters of a reply that keeps the contract to the letter, as most do; None for any other.

    It gives what the lenient reader gives, in a fifth of the time.
    """
    chapters: list[ReplyChapter] = []
    place = 0
    while (opening := _OPENING.match(text, place)) is not None:
        title = _exact_ids(opening[1], known) if opening[1] else []
        pairs: list[ReplyPair] = []
        place = opening.end()
        while (found := _PAIR.match(text, place)) is not None:
            at, label, question, answer, solution, doubts = found.groups()
            asked = _exact_ids(question, known) if question else []
            solved = _exact_ids(solution, known) if solution else []
            start = None if at is None else int(at)
            if asked is None or solved is None or (start is not None and start not in known):
                return None
            pair = ReplyPair(normalise_label(label.strip()), asked, answer.strip(), solved, start)
            pair.doubts = _DOUBT.findall(doubts) if doubts else []
            pairs.append(pair)
            place = found.end()
        closing = _CLOSING.match(text, place)
        if closing is None or title is None or not pairs:
            return None
        chapters.append(ReplyChapter(title, pairs))
        place = closing.end()
    return chapters if chapters and place == len(text) else None


def _exact_ids(text: str, known: Set[int]) -> list[int] | None:
    ids = list(map(int, text.split(",")))
    distinct = set(ids)
    return ids if known >= distinct and len(distinct) == len(ids) else None


class _Reader:
    """Takes tags with the words after them; any new pair ends the last one, any new chapter the last one."""

    def __init__(self, known: Set[int], hidden: Set[int]) -> None:
        self.chapters: list[ReplyChapter] = []
        self.said_nothing = False
        self._known, self._hidden = known, hidden
        # What all ranges together may name: a block can be shared, but not by everything.
        self._left = 10 * len(known) + 10 * _LONGEST_RANGE
        self._raw: dict[str, list[str]] = {}
        self._in_chapter = False
        self._odd: list[str] = []

    def take(self, name: str, closing: str, words: str) -> None:
        if name in _PARTS:
            if name not in self._raw:
                self._raw[name] = [words]
                return
            if name in ("at", "label") and not _CONTENT.isdisjoint(self._raw):
                # A second label is another item's, whose <qa_pair> was left out.
                self._end_pair()
            self._raw.setdefault(name, []).append(words)
            return
        if self._raw:
            self._end_pair()
        if name in ("chapter", "empty") and not closing:
            self.said_nothing = True
        if name == "chapter":
            self._in_chapter = not closing
            if not closing:
                self.chapters.append(ReplyChapter())
        elif name == "title":
            if not self._in_chapter or self.chapters[-1].pairs:
                # A title outside a chapter, or after a chapter's pairs: its <chapter> was left out.
                self._in_chapter = True
                self.chapters.append(ReplyChapter())
            self.chapters[-1].title = self._ids(words, "title")

    def _end_pair(self) -> None:
        doubts = [doubt for words in self._raw.pop("doubt", ()) if (doubt := _plain(words))]
        raw = {name: parts[0] if len(parts) == 1 else " ".join(parts) for name, parts in self._raw.items()}
        self._raw = {}
        if not any(map(str.strip, raw.values())):
            return
        at = self._ids(raw.get("at", ""), "at")
        pair = ReplyPair(
            self._label(_plain(raw.get("label", ""))),
            self._ids(raw.get("question", ""), "question"),
            _plain(raw.get("answer", "")),
            self._ids(raw.get("solution", ""), "solution"),
            at[0] if at else None,
            self._odd,
            doubts,
        )
        self._odd = []
        if not self.chapters:
            self.chapters.append(ReplyChapter())
        self.chapters[-1].pairs.append(pair)

    def _label(self, text: str) -> str:
        if len(text) > _LONGEST_LABEL:
            self._odd.append(f"a label of {len(text)} characters was cut")
        return normalise_label(text[:_LONGEST_LABEL])

    def _ids(self, text: str, tag: str) -> list[int]:
        if not text:
            return []
        if text.replace(",", "").isdecimal() and len(text) < 10_000:
            # Nearly every list is plain; what is odd about the others is worked out below.
            plain = [int(part) if len(part) <= 12 else -1 for part in text.split(",") if part]
            if all(map(self._known.__contains__, plain)) and len(set(plain)) == len(plain):
                return plain
        ids: dict[int, None] = {}
        for first, last in _IDS.findall(text):
            name = f"{first}-{last}" if last else first
            named = self._range(first, last) if last else self._one(first)
            known = [i for i in named if i in self._known]
            if not known:
                self._odd.append(f"{tag} names block {name[:30]}, which does not exist")
            elif len(known) < len(named):
                self._odd.append(f"{tag} names blocks {name}, of which {len(named) - len(known)} do not exist")
            ids.update(dict.fromkeys(known if len(known) < 2 else (i for i in known if i not in self._hidden)))
        return list(ids)

    @staticmethod
    def _one(digits: str) -> Sequence[int]:
        return (int(digits),) if len(digits) <= 12 else ()

    def _range(self, first: str, last: str) -> Sequence[int]:
        if len(first) > 12 or len(last) > 12:
            return ()
        named = range(int(first), int(last) + 1)
        if not 0 < len(named) <= min(_LONGEST_RANGE, self._left):
            return ()
        self._left -= len(named)
        return named


def _plain(text: str) -> str:
    """Text without the five entities and numeric ones that a model may have written for single characters."""
    text = text.strip()
    if text.endswith("```"):
        text = text[:-3].rstrip()
    if "<![CDATA[" in text:
        return _CDATA.sub(r"\1", text)
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return _NAMED[found[1]]
    code = int(found[2]) if found[2] else int(found[3], 16)
    printable = code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF
    return chr(code) if printable else ""
