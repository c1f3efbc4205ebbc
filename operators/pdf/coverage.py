"""What of a document's text came to be in rows: each block in a row, a heading, told matter, or unread text."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.codec import decode
from dataflow_ext.files import write_text
from dataflow_ext.identity import ROW_ID
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.well_formed import short
from operators.pdf.blocks import Block
from operators.pdf.rules import find_kinds
from operators.pdf.rules.answers import stated_answer

#: What is shown of an unread text in its reject's message.
_SHOWN = 80
_TAG = re.compile(r"</?[a-z][^<>]*>")
#: A word, a Chinese character, or a letter of several answers in a row, "CABBD"; tags of tables are none.
_WORD = re.compile(r"</?[a-z][^<>]*>|(?P<word>[A-H](?=[A-H]*\b)|[^\W_\u3400-\u9fff]+|[\u3400-\u9fff])")
#: Fewer letters than this are labels, points and words such as 答案, which pairs need not keep.
_FEWEST = 8


@dataclass(slots=True)
class Coverage:
    """``records`` are the blocks that no pair has, in order; ``letters`` counts letters and digits by kind.

    Two of the kinds are ``rows``, and ``rejects`` for what is in pairs that came into no row.
    """

    records: list[dict[str, Any]] = field(default_factory=list)
    letters: Counter[str] = field(default_factory=Counter)
    #: The blocks of which a reject tells already, as those of a chunk without a reply: document and id.
    rejected: set[tuple[str, int]] = field(default_factory=set)

    def shares(self) -> dict[str, float]:
        """The share of all letters by kind, the largest first."""
        total = self.letters.total()
        return {kind: round(count / total, 4) for kind, count in self.letters.most_common()} if total else {}

    def to_dict(self) -> dict[str, Any]:
        """Letters, the share that is unread, and shares by kind, for JSON."""
        shares = self.shares()
        return {"letters": self.letters.total(), "unread": shares.get("unread", 0.0), "shares": shares}

    def __str__(self) -> str:
        shares = self.shares()
        unread = sum(record["kind"] == "unread" for record in self.records)
        told = [f"{share:.1%} {_NAMES.get(kind, kind)}" for kind, share in shares.items() if kind != "unread"]
        places = f" ({unread:,} place{'s' if unread > 1 else ''}, see the rejects)" if unread else ""
        return ", ".join([*told, f"{shares.get('unread', 0.0):.1%} unread{places}"])

    def write(self, folder: Path) -> Path:
        """Write ``told.jsonl``, a line for each block in no row: its kind, page (from 0), box, text, and source."""
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in self.records)
        return write_text(folder / "told.jsonl", "".join(lines))

    def rejects(self) -> pa.Table:
        """The unread texts as rejects, each with its page and box; those of which a reject tells are left out."""
        fresh = (r for r in self.records if r["kind"] == "unread" and (r["document"], r["id"]) not in self.rejected)
        return pa.Table.from_pylist([_reject(record) for record in fresh], REJECTS_SCHEMA)


_NAMES = {"rows": "in rows", "rejects": "in rejects", "heading": "headings"}


def cover(documents: pa.Table, pairs: pa.Table, rows: pa.Table, rejects: pa.Table) -> Coverage:
    """What became of every block of ``documents`` (``document``, ``name``, ``blocks``).

    ``pairs`` are those of ``LLMOutputParser``; each ends in one of the ``rows`` or in a reject. ``rejects`` are
    the run's; chunks that failed tell in them which blocks they had.
    """
    used, titles = _named(pairs), _titles(pairs)
    kept = _named(rows)
    coverage = Coverage()
    failed = _failed(rejects)
    columns = (documents[name].to_pylist() for name in (ROW_ID, "document", "name"))
    for row, document, name, listed in zip(*columns, documents["blocks"], strict=True):
        blocks = decode(listed.values, Block)
        texts = used.get(document, {})
        kinds = find_kinds(blocks, texts.keys(), titles.get(document, set()))
        above: Sequence[str] = ()
        for block in blocks:
            kind = kinds.get(block.id)
            if kind == "unread" and (said := stated_answer(block.text)) and any(said in text for text in above):
                # A row has it as its answer, without the words that say so.
                before, printed, _ = block.text.partition(said)
                coverage.letters["rows"] += sum(map(str.isalnum, said)) if printed else 0
                kind, block.text = ("furniture", before.strip()) if printed else (None, block.text)
            above = texts.get(block.id, ()) if kind is None else above
            letters = sum(map(str.isalnum, block.text))
            if kind is None:
                left = _left_over(block.text, texts.get(block.id, [block.text]))
                some = sum(map(str.isalnum, left))
                coverage.letters["rows" if block.id in kept.get(document, ()) else "rejects"] += letters - some
                if not left:
                    continue
                kind, letters, block.text = "unread", some, left
            coverage.letters[kind] += letters
            coverage.records.append(_record(document, name, kind, block))
        for first, last in failed.get(row, ()):
            coverage.rejected.update((document, i) for i in range(first, last + 1))
    return coverage


def _left_over(text: str, pairs: Sequence[str]) -> str:
    """The stretch of a text from the first to the last word that no pair has, "" for hardly any.

    Of a table they are those words alone, such as the heads of its columns.

    >>> _left_over("12. Find x. See the appendix on roots. 13. Find y.", ["12. Find x.", "13. Find y."])
    'See the appendix on roots'
    >>> _left_over("答案：1~5 CABBD 6. 求值", ["C", "A", "B", "B", "D", "6. 求值"])
    ''
    """
    if any(text in pair for pair in pairs):
        return ""
    there = Counter(found["word"] for pair in pairs for found in _WORD.finditer(pair))
    missing = []
    for found in _WORD.finditer(text):
        if found["word"]:
            there[found["word"]] -= 1
            missing += [found] if there[found["word"]] < 0 else []
    if sum(len(found["word"]) for found in missing) < _FEWEST:
        return ""
    if "<tr" in text:
        return " ".join(found["word"] for found in missing)
    return " ".join(_TAG.sub(" ", text[missing[0].start() : missing[-1].end()]).split())


def _named(pairs: pa.Table) -> dict[str, dict[int, list[str]]]:
    """The blocks in pairs or rows by document, each with the texts of those that name it."""
    used: dict[str, dict[int, list[str]]] = {}
    names = ("document", "evidence", "label", "question", "answer", "solution")
    for document, evidence, *texts in zip(*(pairs[name].to_pylist() for name in names), strict=True):
        text = "\n".join(filter(None, texts))
        mine = used.setdefault(document, {})
        for block in {part["id"] for part in evidence}:
            mine.setdefault(block, []).append(text)
    return used


def _titles(pairs: pa.Table) -> dict[str, set[int]]:
    """The blocks in the titles of pairs, by document."""
    titles: dict[str, set[int]] = {}
    for document, title in zip(pairs["document"].to_pylist(), pairs["title_ids"].to_pylist(), strict=True):
        titles.setdefault(document, set()).update(title)
    return titles


def _failed(rejects: pa.Table) -> dict[str, list[tuple[int, int]]]:
    """The first and last blocks of chunks that failed, by the row that they were cut from."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row, inputs in zip(rejects[ROW_ID].to_pylist(), rejects["inputs"].to_pylist(), strict=True):
        for core in _cores(inputs):
            found.setdefault(row, []).append(core)
    return found


def _cores(inputs: str | None) -> Iterator[tuple[int, int]]:
    try:
        told = json.loads(inputs or "{}")
    except ValueError:
        return
    core: Sequence[int] | None = told.get("core") if isinstance(told, dict) and "chunk" in told else None
    if core:
        yield core[0], core[1]


def _record(document: str, name: str, kind: str, block: Block) -> dict[str, Any]:
    return {
        "name": name,
        "document": document,
        "kind": kind,
        "file": block.file,
        "page": block.page,
        "box": None if block.box is None else list(block.box),
        "text": block.text,
        "id": block.id,
        "source_ref": block.source_ref,
    }


def _reject(record: dict[str, Any]) -> dict[str, Any]:
    shown = short(" ".join(record["text"].split()), _SHOWN)
    return {
        ROW_ID: f"{record['document']}.unread.{record['id']}",
        "operator": "coverage",
        "step": None,
        "kind": "dropped",
        "error": "UnreadText",
        "message": f"unread text on page {record['page'] + 1}: {shown}",
        "attempts": 1,
        "inputs": json.dumps(record, ensure_ascii=False),
    }
