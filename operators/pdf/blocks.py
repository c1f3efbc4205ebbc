"""The two row shapes of every PDF pipeline: an item as a parser lists it, and a block as a model sees it."""

from __future__ import annotations

from dataclasses import dataclass, field

#: Kinds of items that are page furniture: kept in the table, not shown to a model.
FURNITURE = frozenset({"header", "footer", "page_number", "aside_text", "page_footnote"})

#: Kinds of items whose content is a picture.
PICTURES = frozenset({"image", "chart"})

#: How the caption of a formula's picture begins that the parser could have read as LaTeX but for a doubt.
KEPT = "Kept as a picture: "


@dataclass(slots=True)
class ContentItem:
    """One entry of a document as a parser lists it, in reading order.

    ``type`` is one of ``text, list, image, chart, table, equation, code`` or a member of
    :data:`FURNITURE`. ``text`` holds the words, the LaTeX of an equation, the HTML of a table or the
    code. ``box`` is x0, y0, x1, y1 in thousandths of the page, y downwards. ``page`` counts from 0
    within its file. ``ref`` is the entry's index in its source list, as text. ``marked`` is true for an option that is
    set apart from its question's others, in bold or in a colour, as most questions of the document have one.
    """

    type: str
    text: str = ""
    level: int | None = None
    items: list[str] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    image: str | None = None
    page: int = 0
    box: tuple[float, float, float, float] | None = None
    file: int = 0
    ref: str = ""
    marked: bool = False


@dataclass(slots=True)
class Block:
    """One numbered block of a document: the smallest thing a question or an answer can point to.

    ``id`` runs on from 0 over the whole document, over all of its files. ``type`` is as in
    :class:`ContentItem`, with ``list_item`` for an entry of a list. ``shown`` is false for page
    furniture, which no model sees. ``source_ref`` is the raw index in the source list, ``12``, or
    ``12.3`` for entry 3 of list 12; from the second file on it is led by the file's number, ``1:12``.
    ``path`` is there for headings alone: those that it stands under, from the outermost on, and itself. ``marked`` is
    as in :class:`ContentItem`.
    """

    id: int
    type: str
    text: str
    level: int | None = None
    page: int = 0
    box: tuple[float, float, float, float] | None = None
    image: str | None = None
    caption: str = ""
    file: int = 0
    source_ref: str = ""
    shown: bool = True
    marked: bool = False
    path: list[str] | None = None
