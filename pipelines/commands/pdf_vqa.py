"""What a run on books tells when it is done: what to look at first, how it was read, and where it all is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from dataflow_ext import Result

#: Chapters with gaps that are told at the terminal; the page has all of them.
_SHOWN = 20
_REMEDY = "Look at the page before using them, or read the book with --model or --hybrid."


def notices(result: Result) -> Iterator[str]:
    """What should be looked at first: files that gave nothing, misread books, gaps in the numbering."""
    from operators.pdf.output.checks import numbering_gaps

    for path in _silent_files(result):
        yield f"warning: nothing in {path} was taken for a question or an answer."
    yield from _strange(result)
    yield from misread(result.table)
    gaps = numbering_gaps(result.table)
    yield from (f"numbering: {gap}" for gap in gaps[:_SHOWN])
    if len(gaps) > _SHOWN:
        yield f"numbering: {len(gaps) - _SHOWN} more chapters with gaps, see the page"


def summary(result: Result, rejects: pa.Table) -> str:
    """How many rows there are, and how many rejects of each kind."""
    rows = Counter(result.table["status"].to_pylist())
    kinds = Counter(rejects["kind"].to_pylist())
    left = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none"
    return f"{result.table.num_rows} questions, {rows['answered']} answered; rejects: {left}."


def _silent_files(result: Result) -> Iterator[str]:
    """The files of which no block is in any row or in any rejected answer: their layout was not understood."""
    import pyarrow.compute as pc

    used: set[tuple[str, int]] = set()
    pairs = result.after("LLMOutputParser")
    for document, parts in zip(pairs["document"].to_pylist(), pairs["evidence"].to_pylist(), strict=True):
        used.update((document, part["file"]) for part in parts)
    blocks = result.after("MinerU2LLMInput")
    paths = blocks["input_pdf_paths"].to_pylist()
    for document, files, list_ in zip(blocks["document"].to_pylist(), paths, blocks["blocks"], strict=True):
        there = set(pc.unique(list_.values.field("file")).to_pylist())
        yield from (files[n] for n in sorted(there) if (document, n) not in used)


def _strange(result: Result) -> Iterator[str]:
    """A warning for each book that rules have read though its language is none of theirs."""
    from operators.pdf.doubts.judge import is_known

    by_rules = {
        document
        for document, by in zip(*(result.table[name].to_pylist() for name in ("document", "extracted_by")), strict=True)
        if by == "rules"
    }
    blocks = result.after("MinerU2LLMInput")
    for document, name, list_ in zip(*(blocks[c] for c in ("document", "name", "blocks")), strict=True):
        if document.as_py() in by_rules and not is_known(filter(None, list_.values.field("text").to_pylist())):
            yield (
                f"warning: {name} is in a language whose words the rules do not know; they may miss its answers. "
                f"{_REMEDY}"
            )


def misread(table: pa.Table) -> Iterator[str]:
    """A warning for each book that was probably misread."""
    from operators.pdf.doubts.judge import MISREAD

    books: dict[tuple[str, str], list[str]] = {}
    for document, name, doubts in zip(*(table[c].to_pylist() for c in ("document", "name", "doubts")), strict=True):
        told = next((doubt for doubt in doubts or () if doubt.startswith(MISREAD)), None)
        if told is not None:
            books.setdefault((document, name), []).append(told)
    for (_, name), told in books.items():
        yield f"warning: {name} was probably misread{told[0].removeprefix(MISREAD)}. {_REMEDY}"
