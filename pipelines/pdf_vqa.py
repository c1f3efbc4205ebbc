"""Textbook PDFs to question–answer rows with pictures: ``python -m pipelines.pdf_vqa book.pdf --out DIR``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import InputError, Operator, OptionError, Result, check, cli, progress, run
from dataflow_ext.folder_lock import only_run_in
from dataflow_ext.models import Model
from operators import (
    ChunkedPromptedGenerator,
    DocumentReader,
    LLMOutputParser,
    MinerU2LLMInput,
    PDFRules,
    QA_Merger,
)
from operators.pdf.document_reader import page_range
from prompts import QAExtractPrompt

EXAMPLES = """  python -m pipelines.pdf_vqa book.pdf --out out
  python -m pipelines.pdf_vqa questions.pdf --answers answers.pdf --out out
  python -m pipelines.pdf_vqa mineru_output/ --out out --model qwen3 --base-url http://localhost:8000/v1
  python -m pipelines.pdf_vqa books.jsonl --out out --model gpt-4o --api-key-env OPENAI_API_KEY --pages 12-40"""

#: Chapters with gaps that are told at the terminal; the page has all of them.
_SHOWN_GAPS = 20
#: Rules see a document whole: they have no context window.
_WHOLE = 1_000_000_000


def pipeline(
    model: Model | None = None,
    *,
    image_dir: Path = Path("vqa_images"),
    pages: str | None = None,
    max_chunk_tokens: int = 8_000,
    tokenizer: str | None = None,
    prompts: Path | None = None,
    strict_title_match: bool = False,
) -> list[Operator]:
    """The steps from ``input_pdf_paths`` and ``name`` to question rows; without a model, rules do the job.

    >>> [type(step).__name__ for step in pipeline()]
    ['DocumentReader', 'MinerU2LLMInput', 'ChunkedPromptedGenerator', 'LLMOutputParser', 'QA_Merger']
    """
    return [
        DocumentReader(image_dir=image_dir, pages=pages),
        MinerU2LLMInput(),
        ChunkedPromptedGenerator(
            model=model or PDFRules(),
            prompt=QAExtractPrompt(folder=prompts),
            max_chunk_tokens=max_chunk_tokens if model is not None else _WHOLE,
            tokenizer=tokenizer,
        ),
        LLMOutputParser(),
        QA_Merger(strict_title_match=strict_title_match),
    ]


def documents(inputs: Sequence[Path], answers: Path | None = None) -> pa.Table:
    """A row a document, ``name`` and ``input_pdf_paths``, for files and folders as given to the command."""
    rows = [row for path in inputs for row in _rows(path)]
    if not rows:
        raise InputError(f"No PDF and no content list in {', '.join(map(str, inputs))}.")
    if answers is not None:
        if len(rows) != 1:
            raise OptionError(f"--answers goes with one document, and there are {len(rows)}; use a .jsonl file.")
        if not answers.exists():
            raise InputError(f"--answers: there is no file {answers}.")
        rows[0]["input_pdf_paths"].append(str(answers))
    own = {row["name"] for row in rows}
    taken: set[str] = set()
    for row in rows:
        if row["name"] in taken:
            free = (f"{row['name']}-{n}" for n in count(2))
            row["name"] = next(name for name in free if name not in own | taken)
        taken.add(row["name"])
    return pa.table(
        {
            "name": pa.array([r["name"] for r in rows], pa.string()),
            "input_pdf_paths": pa.array([r["input_pdf_paths"] for r in rows], pa.list_(pa.string())),
        }
    )


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.guarded(_main, argv)


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)
    table = documents(args.inputs, args.answers)
    cache = args.cache_dir or args.out / cli.RUN_FOLDER
    model = cli.model_of(args)
    steps = pipeline(
        cli.batched(model, cache) if model is not None and args.batch else model,
        image_dir=cache / "pictures",
        pages=args.pages,
        max_chunk_tokens=args.chunk_tokens,
        tokenizer=args.tokenizer,
        prompts=cli.prompts_of(args),
        strict_title_match=args.strict_title_match,
    )
    if args.dry_run:
        check(steps, table.schema)
        cli.say(f"Inputs: {table.num_rows}. Steps: {len(steps)}. The wiring is sound; nothing was run.")
        return 0
    cli.writable(args.out)
    cli.writable(cache)
    with only_run_in(args.out / cli.RUN_FOLDER):
        if args.estimate:
            cli.say(str(cli.estimate_of(args, steps, table, cache)))
            return 0
        result = run(
            steps,
            table,
            cache_dir=cache,
            workers=args.workers,
            limit=args.limit,
            fresh=args.fresh,
            listener=progress.for_stream(sys.stderr),
            session=cli.session_of(args, cache),
        )
        cli.keep_record(result, args, args.out / cli.RUN_FOLDER)
        return _deliver(result, args.out, args.fresh)


def _silent_files(result: Result) -> Iterable[str]:
    """The files of which no block is in any row or in any rejected answer: their layout was not understood."""
    used: set[tuple[str, int]] = set()
    for document, parts in zip(*(result.after(4)[n].to_pylist() for n in ("document", "evidence")), strict=True):
        used.update((document, part["file"]) for part in parts)
    blocks = result.after(2)
    paths = blocks["input_pdf_paths"].to_pylist()
    for document, files, list_ in zip(blocks["document"].to_pylist(), paths, blocks["blocks"], strict=True):
        there = set(pc.unique(list_.values.field("file")).to_pylist())
        yield from (files[n] for n in sorted(there) if (document, n) not in used)


def _deliver(result: Result, out: Path, fresh: bool = False) -> int:
    """Write the files and tell what is where; the exit code.

    A run that was stopped before its first row leaves the rows of an earlier one as they are.
    """
    from operators.pdf.output.crops import page_crops
    from operators.pdf.output.gaps import numbering_gaps
    from operators.pdf.output.page import write_page
    from operators.pdf.output.writer import write_outputs

    stopped = result.report.stopped
    if stopped and not result.table.num_rows and (out / "vqa.jsonl").exists():
        cli.say(f"No row was made; the files of an earlier run in {out} are left as they are.")
        return cli.told_stops(stopped, fresh)
    write_outputs(result.table, result.rejects, out)
    source = result.after(0)
    files = dict(zip(source["row_id"].to_pylist(), source["input_pdf_paths"].to_pylist(), strict=True))
    crops = page_crops(result.table, {d: [Path(p) for p in paths] for d, paths in files.items()}, out)
    page = write_page(result.table, result.rejects, result.report, crops, out)
    answered = pc.sum(pc.equal(result.table["status"], "answered")).as_py() or 0
    kinds = {k["values"]: k["counts"] for k in pc.value_counts(result.rejects["kind"]).to_pylist()}
    rejects = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())) or "none"
    for path in _silent_files(result):
        cli.say(f"warning: nothing in {path} was taken for a question or an answer.")
    gaps = numbering_gaps(result.table)
    for gap in gaps[:_SHOWN_GAPS]:
        cli.say(f"numbering: {gap}")
    if len(gaps) > _SHOWN_GAPS:
        cli.say(f"numbering: {len(gaps) - _SHOWN_GAPS} more chapters with gaps, see the page")
    cli.say(
        f"{result.table.num_rows} questions, {answered} answered; rejects: {rejects}.\n"
        f"data: {out / 'vqa.jsonl'}, {out / 'vqa.parquet'}   to read: {out / 'vqa.md'}   page: {page.resolve()}"
    )
    if stopped:
        return cli.told_stops(stopped, fresh)
    if result.table.num_rows:
        return 0
    told = result.rejects.filter(pc.not_equal(result.rejects["kind"], "empty"))["message"].to_pylist()
    for reason in told[:5] or ["there is nothing in the input that looks like a question."]:
        cli.say(f"error: {reason}")
    return 1


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.parser(
        "pdf_vqa", "Turn textbook PDFs, or MinerU's content lists, into question–answer rows with pictures.", EXAMPLES
    )
    parser.add_argument("inputs", nargs="+", type=Path, metavar="INPUT", help=(
        "PDFs, folders, content_list.json files, or a .jsonl of {input_pdf_paths, name}"))  # fmt: skip
    own = parser.add_argument_group("books")
    own.add_argument("--answers", type=Path, metavar="FILE", help="the answer book of the one input book")
    own.add_argument("--pages", metavar="RANGE", help="only these pages of PDFs, counted from 1: 12-40,55")
    own.add_argument("--chunk-tokens", type=int, default=8_000, metavar="N",
                     help="size of a chunk for the model (default: %(default)s)")  # fmt: skip
    own.add_argument("--tokenizer", metavar="NAME", help="count tokens exactly: o200k_base or cl100k_base")
    own.add_argument("--strict-title-match", action="store_true", help="join only chapters of equal titles")
    args = parser.parse_args(argv)
    page_range(args.pages)
    return args


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    """The documents behind one input."""
    if path.suffix.lower() == ".jsonl":
        yield from _listed(path)
    elif path.is_dir():
        yield from _found(path)
    elif path.suffix.lower() in (".pdf", ".json"):
        if not path.is_file():
            raise InputError(f"{path}: there is no such file.")
        yield {"name": _name(path), "input_pdf_paths": [str(path)]}
    elif not path.exists():
        raise InputError(f"{path}: there is no such file or folder.")
    else:
        raise InputError(f"{path}: not a PDF, a folder, a content list (.json) or a list of documents (.jsonl).")


def _listed(path: Path) -> Iterable[dict[str, Any]]:
    """Rows of a document list; relative paths are looked for beside the list, then in the working folder."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    # Read by hand: a column of a table cannot hold paths in one row and lists of paths in another.
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: not JSON ({error}).") from None
        given = row.get("input_pdf_paths") if isinstance(row, dict) else None
        paths = [given] if isinstance(given, str) else given
        if not isinstance(paths, list) or not paths or not all(isinstance(p, str) and p for p in paths):
            raise InputError(f"{path}, line {number}: 'input_pdf_paths' must be a path or a list of paths.")
        found = [str(path.parent / p) if (path.parent / p).exists() else p for p in paths]
        yield {"name": str(row.get("name") or _name(Path(paths[0]))), "input_pdf_paths": found}


def _found(folder: Path) -> Iterable[dict[str, Any]]:
    """The books in a folder and below: content lists, and PDFs that are not MinerU's own copies of a book."""
    from operators.pdf.mineru.content_list import find_content_lists

    lists = find_content_lists(folder)
    for path in lists:
        yield {"name": _name(path), "input_pdf_paths": [str(path)]}
    parsed = {_name(path) for path in lists}
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".pdf"):
        copy = path.stem.endswith(("_origin", "_layout", "_span")) and any(p.parent == path.parent for p in lists)
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not copy and not hidden and path.stem not in parsed:
            yield {"name": path.stem, "input_pdf_paths": [str(path)]}


def _name(path: Path) -> str:
    stem = path.stem
    for ending in ("_content_list_v2", "_content_list", "_structured_content", "content_list", "structured_content"):
        stem = stem.removesuffix(ending)
    return stem or path.resolve().parent.name or "document"


if __name__ == "__main__":
    sys.exit(main())
