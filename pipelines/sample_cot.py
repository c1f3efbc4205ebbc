"""Question rows to verified reasonings and rates: ``python -m pipelines.sample_cot ROWS --out DIR --model NAME``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext import Operator, OptionError, Result, cli
from dataflow_ext.cli.flags import positive
from dataflow_ext.models import Model, Prices, Reply
from operators import AdaptiveSampler, CoTSampler, QuestionReader, SampleWriter
from operators.sampling.export import NAMES
from operators.sampling.question_reader import question_rows
from prompts import SampleJudgedPrompt, SampleJudgePrompt, SampleQuestionPrompt, SampleSolvePrompt

if TYPE_CHECKING:
    from operators.sampling.output import Cost
    from operators.sampling.rates import Policy

__all__ = ["CURATED", "main", "pipeline"]

EXAMPLES = """  python -m pipelines.sample_cot curated/curated.jsonl --out samples --model qwen3 --base-url http://localhost:8000/v1
  python -m pipelines.sample_cot vqa.jsonl --out samples --model qwen3-vl --judge-model gpt-4.1 --policy fixed --cap 8
  python -m pipelines.sample_cot rows.parquet --out samples --model gpt-4o --policy adaptive --mean 4 --budget 20usd"""

PROMPTS = (SampleSolvePrompt, SampleQuestionPrompt, SampleJudgePrompt, SampleJudgedPrompt)

#: The optional columns of rows that curate has just made.
CURATED = (
    *("options", "question_type", "question_images", "picture_files", "name", "label", "question_chapter_title"),
    *("parent_id", "part", "depends_on", "split_from"),
)

#: Attempts of a question, at most: as the papers have it; adaptive ones may have more, as others have fewer.
CAPS = {"fixed": 5, "first": 5, "second": 5, "adaptive": 16}


def pipeline(
    model: Model,
    judge: Model | None = None,
    *,
    out: Path | None = None,
    has: Sequence[str] = (),
    root: Path | None = None,
    policy: Policy = "second",
    cap: int | None = None,
    mean: float = 4.0,
    temperature: float | None = 0.7,
    seed: int = 0,
    per_question: int = 2,
    pairs: int = 1,
    prompts: Path | None = None,
) -> list[Operator]:
    """The steps from question rows to attempts with verdicts, and to files in ``out`` if that is given.

    ``has`` names the optional columns of the rows, see :class:`operators.QuestionReader`, and ``root`` the folder that
    links to pictures are relative to.

    >>> from dataflow_ext.models import ScriptedModel
    >>> [type(step).__name__ for step in pipeline(ScriptedModel([]), out=Path("samples"))]
    ['QuestionReader', 'CoTSampler', 'SampleWriter']
    """
    asked: dict[str, Any] = {
        "model": model,
        "judge": judge,
        "cap": CAPS[policy] if cap is None else cap,
        "temperature": temperature,
        "seed": seed,
        "prompt": SampleSolvePrompt(folder=prompts),
        "question_prompt": SampleQuestionPrompt(folder=prompts),
        "judge_prompt": SampleJudgePrompt(folder=prompts),
        "judged_prompt": SampleJudgedPrompt(folder=prompts),
    }
    sampler = AdaptiveSampler(mean=mean, **asked) if policy == "adaptive" else CoTSampler(policy=policy, **asked)
    writer = [] if out is None else [SampleWriter(out=out, per_question=per_question, pairs=pairs)]
    return [QuestionReader(has=tuple(has), root=root), sampler, *writer]


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.app(_main, argv, lambda: PROMPTS)


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)

    model, judge = cli.model_of(args), cli.judge_of(args) if args.judge_model else None
    if model is None:
        raise OptionError("sample_cot asks a model for solutions: name one with --model.")
    table = question_rows(args.rows)
    steps = pipeline(
        cli.batched(model, args) or model,
        cli.batched(judge, args),
        out=args.out,
        has=table.column_names,
        root=args.rows.parent,
        policy=args.policy,
        cap=args.cap,
        mean=args.mean,
        temperature=None if args.temperature is not None else 0.7,
        seed=args.seed or 0,
        per_question=args.per_question,
        pairs=args.pairs,
        prompts=cli.prompts_of(args, PROMPTS),
    )
    return cli.run_steps(
        args, steps, table, lambda result: _deliver(result, args, _cost(args, model, judge)), [args.rows], names=NAMES
    )


def _deliver(result: Result, args: argparse.Namespace, cost: Cost) -> int:
    """Write figures, card and rejects, and tell of them; the exit code."""
    from dataflow_ext.datasets.rejects_and_stats import write_beside, write_rejects
    from dataflow_ext.report.figures import counted
    from operators.sampling.export import HOLDS, Selection
    from operators.sampling.output import figures_of, write_page

    chosen = Selection(args.per_question, args.pairs)
    figures = figures_of(result.table, result.rejects, chosen, cost)
    for step in figures["funnel"]:
        why = counted(step["reasons"])
        cli.say(f"{step['step']}: {step['in']} → {step['out']}{f' ({why})' if why else ''}")
    page = write_page(result.table, result.rejects, figures, result.report, args.out)
    if not result.table.num_rows:
        write_rejects(result.rejects, args.out)
        cli.say(f"No attempt was made, so no data were written; data of an earlier run in {args.out} stay as they are.")
    else:
        rows = figures["rows"]
        write_beside(args.out, "sample_cot", rows["sft"], figures, result.rejects, HOLDS)
        cli.say(f"{rows['sft']} right attempts, {rows['dpo']} pairs, {rows['grpo']} questions with rates.")
        cli.say(f"data: {args.out / 'sft.jsonl'}   card: {args.out / 'README.md'}")
    cli.say(f"page: {page.resolve()}")
    return 0 if result.table.num_rows else 1


def _cost(args: argparse.Namespace, model: Model, judge: Model | None) -> Cost:
    prices = Prices(args.prices)

    def cost(who: str, reply: Reply) -> float | None:
        asked = model if who == "solver" else judge
        if asked is None or not reply.tokens:
            return 0.0
        return prices.cost(asked.name, str(getattr(asked, "server", "")), reply)

    return cost


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.parser(
        "sample_cot",
        "Turn question rows into verified reasonings: attempts with verdicts, rates of success, and training rows.",
        EXAMPLES,
        judge=True,
        seeds="each question's attempts",
        inputs="ROWS --model NAME",
        unit="rows",
    )
    parser.add_argument("rows", type=Path, metavar="ROWS",
                        help="a file with question and answer columns (jsonl, json, parquet, arrow, csv)")  # fmt: skip
    own = parser.add_argument_group("attempts")
    own.add_argument("--policy", choices=tuple(CAPS), default="second",
                     help="fixed: as many as --cap; first, second: until so many are right; adaptive: --mean a question"
                          " over all, more for hard ones (default: %(default)s)")  # fmt: skip
    own.add_argument("--cap", type=positive, metavar="N", help="most attempts at a question (default: 5; adaptive: 16)")
    own.add_argument("--mean", type=float, default=4.0, metavar="N",
                     help="with --policy adaptive, attempts a question (default: %(default)s)")  # fmt: skip
    own.add_argument("--per-question", type=positive, default=2, metavar="N",
                     help="right attempts at a question that become rows (default: %(default)s)")  # fmt: skip
    own.add_argument("--pairs", type=positive, default=1, metavar="N",
                     help="pairs of a question (default: %(default)s)")  # fmt: skip
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
