"""Raw question rows to rows to train on: ``python -m pipelines.curate ROWS --out DIR``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from dataflow_ext import cli
from dataflow_ext.cli.flags import share
from dataflow_ext.errors import OptionError

if TYPE_CHECKING:
    from dataflow_ext import Operator, Prompt, Result
    from dataflow_ext.models import Model
    from operators.curate.inputs import Questions
    from operators.curate.model import QuestionType

__all__ = ["main", "pipeline"]

EXAMPLES = """  python -m pipelines.curate vqa_out --out curated
  python -m pipelines.curate vqa_out/vqa.parquet more.jsonl --out curated --benchmark math_500.jsonl
  python -m pipelines.curate vqa_out --out curated --model qwen3-vl --base-url http://localhost:8000/v1"""


def pipeline(
    model: Model | None = None,
    *,
    benchmarks: Sequence[Path] = (),
    types: Sequence[QuestionType] = (),
    least_alike: float = 0.4,
    prompts: Path | None = None,
) -> list[Operator]:
    """The steps from question rows to rows to train on; without a model, rules do the work.

    >>> [type(step).__name__ for step in pipeline()][:4]
    ['TextCleaner', 'NearDuplicates', 'Decontaminate', 'QuestionReviewer']
    """
    from operators import (
        BlankRestorer,
        Decontaminate,
        NearDuplicates,
        QAFilter,
        QuestionReviewer,
        QuestionTyper,
        ShortAnswerExtractor,
        SubQuestionSplitter,
        TextCleaner,
    )
    from operators.curate.model import QuestionType
    from prompts import CurateReviewPrompt, CurateRowPrompt

    return [
        TextCleaner(),
        NearDuplicates(least=least_alike),
        Decontaminate(benchmarks=tuple(benchmarks)),
        QuestionReviewer(
            model=model, prompt=CurateReviewPrompt(folder=prompts), row_prompt=CurateRowPrompt(folder=prompts)
        ),
        SubQuestionSplitter(),
        QuestionTyper(),
        ShortAnswerExtractor(),
        BlankRestorer(),
        QAFilter(types=tuple(types) or get_args(QuestionType)),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.app(_main, argv, _prompts)


def _prompts() -> Sequence[type[Prompt]]:
    from prompts import CurateReviewPrompt, CurateRowPrompt

    return CurateReviewPrompt, CurateRowPrompt


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)
    from dataflow_ext.rejects import with_unread
    from operators.curate.export import NAMES
    from operators.curate.inputs import question_rows

    for path in args.rows:
        if args.out.resolve() in (path.resolve(), path.resolve().parent):
            raise OptionError(f"--out: {args.out} is the folder that the rows come from; name another one.")
    questions = question_rows(args.rows, cli.cache_of(args) / "unpacked")
    steps = pipeline(
        cli.batched(cli.model_of(args), args),
        benchmarks=args.benchmark,
        types=args.type,
        least_alike=args.least_alike,
        prompts=cli.prompts_of(args, _prompts()),
    )
    table = with_unread(questions.table, questions.unread)
    return cli.run_steps(args, steps, table, lambda result: _deliver(result, questions, args), args.rows, names=NAMES)


def _deliver(result: Result, questions: Questions, args: argparse.Namespace) -> int:
    """Write what the run leaves behind, and tell of it; the exit code."""
    from operators.curate.export import LINES, PARQUET, deliver

    figures, page = deliver(result, questions, args.out)
    told = ", ".join(f"{figures[name]} {name}" for name in ("kept", "review", "rejected"))
    cli.say(f"{figures['rows']} rows in, {figures['questions']} questions with parts: {told}.")
    cli.tell_rejects(figures["reasons"])
    if lost := figures["pictures"]["unaccounted"]:
        cli.say(f"warning: {lost} pictures are in no row and in no reject.")
    cli.say(f"data: {args.out / LINES}, {args.out / PARQUET}   page: {page.resolve()}")
    return 0 if figures["kept"] or figures["review"] else 1


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    from operators.curate.model import QuestionType

    parser = cli.parser(
        "curate",
        "Make question rows fit to train on: clean, split, typed, each once, with a short answer, and in no benchmark.",
        EXAMPLES,
        inputs="ROWS...",
        unit="rows",
    )
    parser.add_argument("rows", nargs="+", type=Path, metavar="ROWS",
                        help="what pdf_vqa left behind (a folder), or .jsonl, .json, .parquet, .csv files")  # fmt: skip
    own = parser.add_argument_group("what is kept")
    own.add_argument("--benchmark", action="append", type=Path, default=[], metavar="FILE",
                     help="a file with items that no row may hold (JSONL, Parquet, text); may be repeated")  # fmt: skip
    own.add_argument("--type", action="append", choices=get_args(QuestionType), default=[],
                     help="keep only this kind of questions; may be repeated")  # fmt: skip
    own.add_argument("--least-alike", type=share, default=0.4, metavar="P",
                     help="common share from which two questions may be the same (default: %(default)s)")  # fmt: skip
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
