"""Textbook PDFs to question–answer rows with pictures: ``python -m pipelines.pdf_vqa book.pdf --out DIR``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext import cli
from dataflow_ext.cli.flags import positive
from dataflow_ext.errors import OptionError
from dataflow_ext.lazy import lazy_names, offered
from operators.pdf.parser.pages import MEMORY_MB, PAGE_SECONDS

if TYPE_CHECKING:
    import pyarrow as pa

    from dataflow_ext import Operator, Prompt, Result
    from dataflow_ext.models import Model
    from dataflow_ext.ocr import OCREngine
    from operators.pdf.inputs import documents as documents
    from operators.pdf.mineru.command import MinerUCommand
    from operators.pdf.mineru.parsers import PDFParser
    from operators.pdf.parser.pages import OCRMode

# Operators are imported where they are used: to show help takes none of them.
_HOME = offered(__spec__)

__all__ = ["documents", "main", "pipeline"]

EXAMPLES = """  python -m pipelines.pdf_vqa book.pdf --out out
  python -m pipelines.pdf_vqa questions.pdf --answers answers.pdf --out out
  python -m pipelines.pdf_vqa mineru_output/ --out out --model qwen3 --base-url http://localhost:8000/v1
  python -m pipelines.pdf_vqa books.jsonl --out out --model gpt-4o --api-key-env OPENAI_API_KEY --pages 12-40"""

PARSERS = ("auto", "builtin", "mineru", "mineru-api", "magic-pdf")
#: Why a book gives no row, if nothing in it went wrong.
_NOTHING = "there is nothing in the input that looks like a question."
#: Chapters with gaps that are told at the terminal; the page has all of them.
_SHOWN = 20
_REMEDY = "Look at the page before using them, or read the book with --model or --hybrid."
#: Rules see a document whole: they have no context window.
_WHOLE = 1_000_000_000


def pipeline(
    model: Model | None = None,
    *,
    image_dir: Path = Path("vqa_images"),
    pages: str | None = None,
    ocr: OCRMode = "auto",
    engine: OCREngine | None = None,
    beside: bool = True,
    parser: PDFParser | None = None,
    parser_dir: Path = Path("parsed"),
    hybrid: bool = False,
    overlays: Path | None = None,
    memory_mb: int = MEMORY_MB,
    page_seconds: float = PAGE_SECONDS,
    max_chunk_tokens: int = 8_000,
    tokenizer: str | None = None,
    prompts: Path | None = None,
    strict_title_match: bool = False,
) -> list[Operator]:
    """The steps from ``input_pdf_paths`` and ``name`` to question rows; without a model, rules do the job.

    >>> [type(step).__name__ for step in pipeline()]
    ['DocumentReader', 'MinerU2LLMInput', 'ChunkedPromptedGenerator', 'LLMOutputParser', 'QA_Merger']
    """
    from dataflow_ext.ocr import RapidOCREngine
    from operators import (
        ChunkedPromptedGenerator,
        DocumentReader,
        HybridGenerator,
        LLMOutputParser,
        MinerU2LLMInput,
        PDFRules,
        QA_Merger,
    )
    from prompts import QAExtractPrompt

    generator = HybridGenerator if hybrid else ChunkedPromptedGenerator
    return [
        DocumentReader(
            image_dir=image_dir,
            pages=pages,
            ocr=ocr,
            engine=engine or RapidOCREngine(),
            beside=beside,
            parser=parser,
            parser_dir=parser_dir,
            overlays=overlays,
            memory_mb=memory_mb,
            page_seconds=page_seconds,
        ),
        MinerU2LLMInput(),
        generator(
            model=model or PDFRules(),
            prompt=QAExtractPrompt(folder=prompts),
            max_chunk_tokens=max_chunk_tokens if model is not None else _WHOLE,
            tokenizer=tokenizer,
        ),
        LLMOutputParser(),
        QA_Merger(strict_title_match=strict_title_match),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.app(_main, argv, _prompts)


def _prompts() -> Sequence[type[Prompt]]:
    from prompts import QAExtractPrompt

    return (QAExtractPrompt,)


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)
    from operators.pdf.inputs import answer_books, documents
    from operators.pdf.output.writer import NAMES

    if args.hybrid and not args.model:
        raise OptionError("--hybrid asks a model where the rules are unsure; name one with --model.")
    table = documents(args.inputs, args.answers)
    for book, answers in answer_books(filter(None, table["name"].to_pylist())):
        cli.say(
            f"note: {answers} looks like the answers of {book}; as one book they go with --answers, or in a .jsonl."
        )
    cache = cli.cache_of(args)
    steps = pipeline(
        cli.batched(cli.model_of(args), args),
        image_dir=cache / "pictures",
        pages=args.pages,
        ocr=args.ocr,
        engine=cli.ocr_of(args),
        beside=args.parser == "auto",
        parser=_parser_of(args),
        parser_dir=cache / "parsed",
        hybrid=args.hybrid,
        overlays=cache / "overlays" if args.overlays else None,
        memory_mb=args.pdf_memory,
        page_seconds=args.page_seconds,
        max_chunk_tokens=args.chunk_tokens,
        tokenizer=args.tokenizer,
        prompts=cli.prompts_of(args, _prompts()),
        strict_title_match=args.strict_title_match,
    )
    return cli.run_steps(
        args, steps, table, lambda result: _deliver(result, args.out), "input_pdf_paths", rows="Inputs", names=NAMES
    )


def _deliver(result: Result, out: Path) -> int:
    """Write the files and tell what is where; the exit code.

    A run without a row leaves the rows of an earlier one as they are.
    """
    from operators.pdf.doubts.summary import write_hybrid

    rows = result.table.num_rows
    if not rows and (out / "vqa.jsonl").is_file() and (out / "vqa.jsonl").stat().st_size:
        cli.say(f"No row was made; the files of an earlier run in {out} are left as they are.")
        return cli.told_why_empty(result, _NOTHING)
    rejects, read, page = _write(result, out)
    for line in (*_notices(result), *read):
        cli.say(line)
    if any(step.operator == "HybridGenerator" for step in result.report.steps):
        cli.say(write_hybrid(result.after("HybridGenerator"), rows, out / cli.RUN_FOLDER))
    cli.say(
        f"{_summary(result, rejects)}\n"
        f"data: {out / 'vqa.jsonl'}, {out / 'vqa.parquet'}   to read: {out / 'vqa.md'}   page: {page.resolve()}"
    )
    return 0 if rows else cli.told_why_empty(result, _NOTHING)


def _write(result: Result, out: Path) -> tuple[pa.Table, list[str], Path]:
    """Write rows, rejects, records and the page; all rejects, how the text was read, and where the page is."""
    import pyarrow as pa

    from dataflow_ext.datasets.rejects_and_stats import write_card
    from operators.pdf.coverage import cover
    from operators.pdf.output.checks import told_reading, write_reading
    from operators.pdf.output.crops import page_crops
    from operators.pdf.output.run_page import write_page
    from operators.pdf.output.writer import write_outputs

    records, table = out / cli.RUN_FOLDER, result.table
    coverage = cover(result.after("MinerU2LLMInput"), result.after("LLMOutputParser"), table, result.rejects)
    rejects = pa.concat_tables([result.rejects, coverage.rejects()])
    coverage.write(records)
    result.report.details["text"] = coverage.to_dict()
    cli.keep_report(result.report, records)
    write_outputs(table, rejects, out)
    write_card(out, "pdf_vqa", table.num_rows)
    write_reading(result.after("DocumentReader"), records / "pages.jsonl")
    source = result.after(0)
    files = zip(source["row_id"].to_pylist(), source["input_pdf_paths"].to_pylist(), strict=True)
    crops = page_crops(table, {d: list(map(Path, p)) for d, p in files}, out, outside=coverage.records)
    reading = told_reading(result.after("DocumentReader")["pages_read"].to_pylist())
    page = write_page(
        table, rejects, result.report, crops, out,
        reading="; ".join(filter(None, (reading, f"text: {coverage}"))),
        outside=coverage.records, unread=coverage.to_dict()["unread"],
    )  # fmt: skip
    return rejects, [f"read: {reading or 'nothing'}", f"text: {coverage}"], page


def _notices(result: Result) -> Iterator[str]:
    """What should be looked at first: files that gave nothing, misread books, gaps in the numbering."""
    from operators.pdf.output.checks import numbering_gaps

    for path in _silent_files(result):
        yield f"warning: nothing in {path} was taken for a question or an answer."
    yield from _strange(result)
    yield from _misread(result.table)
    gaps = numbering_gaps(result.table)
    yield from (f"numbering: {gap}" for gap in gaps[:_SHOWN])
    if len(gaps) > _SHOWN:
        yield f"numbering: {len(gaps) - _SHOWN} more chapters with gaps, see the page"


def _summary(result: Result, rejects: pa.Table) -> str:
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


def _misread(table: pa.Table) -> Iterator[str]:
    """A warning for each book that was probably misread."""
    from operators.pdf.doubts.judge import MISREAD

    books: dict[tuple[str, str], list[str]] = {}
    for document, name, doubts in zip(*(table[c].to_pylist() for c in ("document", "name", "doubts")), strict=True):
        told = next((doubt for doubt in doubts or () if doubt.startswith(MISREAD)), None)
        if told is not None:
            books.setdefault((document, name), []).append(told)
    for (_, name), told in books.items():
        yield f"warning: {name} was probably misread{told[0].removeprefix(MISREAD)}. {_REMEDY}"


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.parser(
        "pdf_vqa", "Turn textbook PDFs, or MinerU's content lists, into question–answer rows with pictures.", EXAMPLES
    )
    parser.add_argument("inputs", nargs="+", type=Path, metavar="INPUT", help=(
        "PDFs, folders, content_list.json files, or a .jsonl of {input_pdf_paths, name}"))  # fmt: skip
    own = parser.add_argument_group("books")
    own.add_argument("--answers", type=Path, metavar="FILE", help="the answer book of the one input book")
    own.add_argument("--pages", metavar="RANGE", help="only these pages of PDFs, counted from 1: 12-40,55")
    own.add_argument("--hybrid", action="store_true",
                     help="ask the model only where the rules are unsure (docs/hybrid.md)")  # fmt: skip
    own.add_argument("--chunk-tokens", type=int, default=8_000, metavar="N",
                     help="size of a chunk for the model (default: %(default)s)")  # fmt: skip
    own.add_argument("--tokenizer", metavar="NAME", help="count tokens exactly: o200k_base or cl100k_base")
    own.add_argument("--strict-title-match", action="store_true", help="join only chapters of equal titles")
    _add_reading_flags(parser)
    args = parser.parse_args(argv)
    if args.pages is not None:
        from operators.pdf.document_reader import page_range

        page_range(args.pages)
    return args


def _add_reading_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading PDFs")
    group.add_argument("--parser", choices=PARSERS, default="auto", help=(
        "auto: the content list beside a PDF if there is one, else builtin: text layers, and OCR of scanned pages; "
        "mineru, mineru-api, magic-pdf: docs/mineru.md (default: %(default)s)"))  # fmt: skip
    when = {"auto": "scanned pages are read by OCR", "always": "all pages", "never": "none"}
    cli.add_ocr_flags(group, when, "them")
    group.add_argument("--overlays", action="store_true",
                       help=f"keep pictures of what was found on scanned pages, in OUT/{cli.RUN_FOLDER}")  # fmt: skip
    group.add_argument("--pdf-memory", type=positive, default=MEMORY_MB, metavar="MB",
                       help="memory that the process which opens a PDF may take (default: %(default)s)")  # fmt: skip
    group.add_argument("--page-seconds", type=positive, default=PAGE_SECONDS, metavar="SECONDS",
                       help="time that a page may take, beside two minutes a file (default: %(default)g)")  # fmt: skip
    group.add_argument("--parser-command", metavar="PATH", help="MinerU's or magic-pdf's command, if not on the PATH")
    group.add_argument("--parser-url", metavar="URL", help="the server of --parser mineru-api")
    group.add_argument("--parser-option", action="append", default=[], metavar="OPTION",
                       help="an option for the parser, in its own words (docs/mineru.md)")  # fmt: skip
    group.add_argument("--parser-timeout", type=positive, default=3600, metavar="SECONDS",
                       help="time that the parser has for a file (default: %(default)s)")  # fmt: skip
    group.add_argument("--parser-key-env", metavar="VAR", help="environment variable that holds the server's key")


def _parser_of(args: argparse.Namespace) -> PDFParser | None:
    """The parser from outside that the flags name; :class:`OptionError` for flags that do not go with it."""
    from pydantic import ValidationError

    from operators.pdf.mineru.command import MagicPDF, MinerUCommand
    from operators.pdf.mineru.server import MinerUServer

    commands: Mapping[str, type[MinerUCommand]] = {"mineru": MinerUCommand, "magic-pdf": MagicPDF}
    given = {"--parser-command": args.parser_command, "--parser-url": args.parser_url}
    given |= {"--parser-key-env": args.parser_key_env, "--parser-option": args.parser_option}
    fitting = {"mineru-api": {"--parser-url", "--parser-key-env", "--parser-option"}}
    fitting |= {name: {"--parser-command", "--parser-option"} for name in commands}
    if odd := [flag for flag, value in given.items() if value and flag not in fitting.get(args.parser, ())]:
        raise OptionError(f"{odd[0]} makes no sense with --parser {args.parser}.")
    options: dict[str, Any] = {"options": tuple(args.parser_option), "timeout": float(args.parser_timeout)}
    options["memory"] = cli.cache_of(args) / "parsed"
    try:
        if args.parser == "mineru-api":
            if not args.parser_url:
                raise OptionError("--parser mineru-api needs --parser-url, such as http://localhost:8000.")
            return MinerUServer(url=args.parser_url, key_env=args.parser_key_env, **options)
        if args.parser not in commands:
            return None
        chosen = commands[args.parser]
        return chosen(**options) if args.parser_command is None else chosen(command=args.parser_command, **options)
    except ValidationError as error:
        raise OptionError(
            f"--parser {args.parser}: {error.errors()[0]['msg'].removeprefix('Value error, ')}."
        ) from None


__getattr__ = lazy_names(__name__, _HOME)

if __name__ == "__main__":
    sys.exit(main())
