"""A content list as MinerU 2.x writes it, built block by block together with its gold."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from drawn.gold import Figure, Gold, Item

Block = dict[str, Any]
#: What belongs to an item although the list takes it for a heading.
OWNED = re.compile(r"^思维与拓展|题图$")
LINE = 30  # height of one printed line in thousandths of the page


def text(words: str, level: int | None = None) -> Block:
    """A text block; ``level`` 1 is what MinerU gives to everything that it takes for a heading."""
    return {"type": "text", "text": words} | ({"text_level": level} if level else {})


def head(words: str) -> Block:
    return text(words, 1)


def listed(*items: str, sub_type: str | None = "text") -> Block:
    """A list block; ``sub_type`` None leaves the field out, as some versions do."""
    kind = {} if sub_type is None else {"sub_type": sub_type}
    return {"type": "list", **kind, "list_items": list(items)}


def image(name: str, *captions: str, height: int = 110, width: int = 300) -> Block:
    """An image block; height and width are those of its box on the page."""
    fields = {"img_path": f"images/{name}", "image_caption": list(captions), "image_footnote": []}
    return {"type": "image", **fields, "_size": (width, height)}


def furniture(kind: str, words: str) -> Block:
    return {"type": kind, "text": words}


def words(block: Block) -> list[str]:
    """What a block says: one text for each entry of a list, none for a picture."""
    if block["type"] == "list":
        return list(block["list_items"])
    return [block["text"]] if block["type"] == "text" else []


class ListBook:
    """Collects blocks in the order of the list; ``y`` says where on the page the next one is printed."""

    def __init__(self, gold: Gold) -> None:
        self.gold = gold
        self.blocks: list[Block] = []
        self.page, self.y = 0, 80
        self.chapter = ""
        self.titles: Counter[str] = Counter()

    def turn(self, running: str = "七年级数学同步练习") -> None:
        """The next page: number at the foot of the old one, running head on the new one."""
        self.put_at(960, furniture("page_number", str(self.page + 1)))
        self.page, self.y = self.page + 1, 80
        self.put_at(32, furniture("header", running))

    def put_at(self, y: int, *blocks: Block) -> None:
        """Adds blocks to the list that are printed from ``y`` on; where the next ones go stays as it was."""
        keep, self.y = self.y, y
        self.put(*blocks)
        self.y = keep

    def put(self, *blocks: Block) -> None:
        for block in blocks:
            wide, high = block.pop("_size", (780, LINE * max(1, len(words(block)))))
            place = {"bbox": [90, self.y, 90 + wide, self.y + high - 6], "page_idx": self.page}
            self.blocks.append(block | place)
            self.y += high
            if block.get("text_level") and not OWNED.search(block["text"]):
                self.gold.not_items.append(block["text"])

    def beside(self, *blocks: Block) -> None:
        """Adds pictures that stand beside each other."""
        top, share = self.y, 800 // len(blocks)
        for k, block in enumerate(blocks):
            wide, high = block.pop("_size")
            box = [90 + share * k, top, 90 + share * k + min(wide, share - 20), top + high]
            self.blocks.append(block | {"bbox": box, "page_idx": self.page})
            self.y = max(self.y, top + high + 10)

    def title(self, name: str) -> None:
        """From here on items stand under this title; its block is added apart, wherever the list has it."""
        self.chapter = name
        self.titles[name] += 1
        self.gold.not_items.append(name)

    def record(self, label: str, *parts: str, figures: Sequence[Figure] = ()) -> Item:
        """Gold for an item whose blocks are added apart."""
        item = Item(label, self.chapter, list(parts), figures=list(figures), nth=self.titles[self.chapter] - 1)
        self.gold.items.append(item)
        return item

    def ask(self, label: str, *blocks: Block) -> Item:
        """Adds the blocks; together they are the question."""
        self.put(*blocks)
        return self.record(label, *(part for block in blocks for part in words(block)))

    def solve(self, item: Item, *blocks: Block) -> None:
        """Adds the blocks; together they are (part of) the solution."""
        self.put(*blocks)
        item.solution += [part for block in blocks for part in words(block)]

    def figure(self, name: str, *, caption: str = "", instead: str = "") -> Figure:
        """Gold for a picture of this page; ``instead`` is what the list says in its place."""
        return Figure(0, self.page, None, f"images/{name}", caption, instead)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self.blocks, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
