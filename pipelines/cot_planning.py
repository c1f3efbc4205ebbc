"""Causal plans to chain-of-thought samples: ``python -m pipelines.cot_planning INPUT_ROOT --out COT_ROOT``."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from dataflow_ext import InputError, Operator, OptionError, Result, cli
from dataflow_ext.cli.flags import positive
from dataflow_ext.models import Model
from operators import (
    AnchorValidator,
    AnchorWriter,
    CoTGenerator,
    CoTPlanReader,
    CoTSampleBuilder,
    CoTWriter,
    LetterBalancer,
    Limit,
)
from operators.cot.dataset.data_files import NAMES
from operators.cot.items import items
from operators.cot.tasks import TASKS, task_names
from prompts import CoTQuestionPrompt, CoTReasoningPrompt

__all__ = ["items", "main", "pipeline"]

EXAMPLES = """  python -m pipelines.cot_planning examples/causal_plans --out cot
  python -m pipelines.cot_planning items --out cot --tasks 28,31-34 --limit-per-task 500 --seed 1
  python -m pipelines.cot_planning items --out cot --model qwen3 --base-url http://localhost:8000/v1

other commands (each has --help):
  python -m pipelines.cot_planning validate --input-root items --cot-root cot --strict   is every sample sound?
  rowsmith export --help    the samples for LLaMA-Factory, ms-swift, TRL and others"""

PROMPTS = (CoTReasoningPrompt, CoTQuestionPrompt)
#: Reasons that are told at the terminal; the page has all of them.
_SHOWN_REASONS = 8


def pipeline(
    model: Model | None = None,
    *,
    tasks: Sequence[str | int] = tuple(TASKS),
    seed: int = 0,
    limit_per_task: int | None = None,
    max_sample_attempts: int = 4,
    with_images: bool = False,
    provider_id: str | None = None,
    generator_type: Literal["offline_rules_v1", "api_generate_v1"] = "offline_rules_v1",
    prompts: Path | None = None,
    out: Path | None = None,
    abs_paths: bool = False,
) -> list[Operator]:
    """The steps from :func:`items` to samples that break no rule, and to files in ``out`` if that is given.

    Without a model, rules write the reasoning. In files, pictures have absolute paths if ``abs_paths`` says so.

    >>> [type(step).__name__ for step in pipeline(tasks=[28])]
    ['CoTPlanReader', 'CoTSampleBuilder', 'LetterBalancer', 'AnchorWriter', 'CoTGenerator', 'AnchorValidator']
    """
    limit: list[Operator] = []
    if limit_per_task is not None:
        limit.append(Limit(limit=limit_per_task, by=("task_name",), order="id"))
    return [
        CoTPlanReader(),
        CoTSampleBuilder(tasks=tuple(tasks), seed=seed),
        *limit,
        LetterBalancer(),
        AnchorWriter(),
        CoTGenerator(
            model=model,
            prompt=CoTReasoningPrompt(folder=prompts),
            question_prompt=CoTQuestionPrompt(folder=prompts),
            max_attempts=max_sample_attempts,
            with_images=with_images,
            provider_id=provider_id,
            generator_type=generator_type,
        ),
        AnchorValidator(),
        *([] if out is None else [CoTWriter(out=out, abs_paths=abs_paths, tasks=task_names(tasks))]),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.app(_main, argv, lambda: PROMPTS, COMMANDS)


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)
    if args.out.resolve() == args.root.resolve():
        raise OptionError("--out is the folder of the annotated videos; name another one.")
    table = items(args.root)
    tasks = task_names(args.tasks)
    steps = _steps(args, tasks)
    return cli.run_steps(
        args, steps, table, lambda result: _deliver(result, args), "plan_file", rows="Items", names=NAMES
    )


def _steps(args: argparse.Namespace, tasks: Sequence[str]) -> list[Operator]:
    model = cli.model_of(args)
    for flag, given in (("--with-images", args.with_images), ("--provider-id", args.provider_id is not None)):
        if given and model is None:
            raise OptionError(f"{flag} is about a model's work; name one with --model.")
    return pipeline(
        cli.batched(model, args),
        tasks=tasks,
        seed=args.seed or 0,
        limit_per_task=args.limit_per_task,
        max_sample_attempts=args.max_sample_attempts,
        with_images=args.with_images,
        provider_id=args.provider_id,
        generator_type=args.generator_type,
        prompts=cli.prompts_of(args, PROMPTS),
        out=args.out,
        abs_paths=args.abs_paths,
    )


def _deliver(result: Result, args: argparse.Namespace) -> int:
    """Write what is not the data set itself, and tell what is where; the exit code."""
    from dataflow_ext.datasets.rejects_and_stats import write_beside
    from operators.cot.output import stats, write_page

    out: Path = args.out
    made = result.table.num_rows
    if not made and any(out.glob("Task_*/data.jsonl")):
        cli.say(f"No sample could be made; the files of an earlier run in {out} are left as they are.")
        return _told_why_empty(result)
    tasks = task_names(args.tasks)
    figures = stats(result.table, result.rejects, seed=args.seed or 0, tasks=tasks)
    write_beside(out, "cot_planning", made, figures, result.rejects)
    page = write_page(result.table, result.rejects, figures, result.report, out, root=args.root)
    of = f"{figures['items']} item{'' if figures['items'] == 1 else 's'}"
    cli.say(f"{made} samples of {of}, {_told_tasks(figures['tasks'])}.")
    cli.tell_rejects(figures["rejects"])
    skipped = Counter[str]()
    for each in figures["skipped"]:
        skipped[each["reason"]] += each["count"]
    reasons = skipped.most_common()
    for why, count in reasons[:_SHOWN_REASONS]:
        cli.say(f"skipped: {count} where {why}")
    if others := sum(count for _, count in reasons[_SHOWN_REASONS:]):
        cli.say(f"skipped: {others} for other reasons")
    if kept := [path.parent.name for path in sorted(out.glob("Task_*/data.jsonl")) if path.parent.name not in tasks]:
        cli.say(f"left as earlier runs made them: {len(kept)} other tasks, such as {kept[0]}")
    cli.say(f"figures: {out / 'stats.json'}   rejects: {out / 'rejects.jsonl'}   page: {page.resolve()}")
    if made:
        cli.say(
            f"check it: python -m pipelines.cot_planning validate --input-root {args.root} --cot-root {out} --strict"
        )
    return 0 if made else _told_why_empty(result)


def _told_tasks(tasks: Mapping[str, int]) -> str:
    """How many tasks have samples, and which have none."""
    empty = [name.split("_")[1] for name, count in tasks.items() if not count]
    return f"{len(tasks) - len(empty)} of {len(tasks)} tasks" + (f" (none of {', '.join(empty)})" if empty else "")


def _told_why_empty(result: Result) -> int:
    rejects = result.rejects.to_pylist() if not result.report.stopped else []
    for reject in [each for each in rejects if each["kind"] == "failed"][:5]:
        cli.say(f"error: {reject['message']}")
    if rejects and all(each["kind"] == "dropped" for each in rejects):
        cli.say("error: the plans support no sample of the asked tasks; why is told above.")
    return 1


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.parser(
        "cot_planning",
        "Turn annotated causal plans into chain-of-thought samples, Task_28 to Task_42.",
        EXAMPLES,
        seeds="every draw of options, K and order",
        inputs="INPUT_ROOT",
        unit="items",
    )
    parser.add_argument("root", type=Path, nargs="?", metavar="INPUT_ROOT", help="the folder of the annotated videos")
    parser.add_argument("--input-root", type=Path, metavar="DIR", help="the same, by its other name")
    parser.add_argument("--output-dir", type=Path, dest="out", default=argparse.SUPPRESS, metavar="DIR",
                        help="the same as --out")  # fmt: skip
    data = parser.add_argument_group("data set")
    data.add_argument("--tasks", default="28-42", metavar="LIST",
                      help="numbers, ranges or names, such as 28,31-34 (default: %(default)s)")  # fmt: skip
    data.add_argument("--limit-per-task", type=positive, metavar="N", help="at most N samples of each task")
    data.add_argument("--abs-paths", action="store_true", help="write absolute paths (default: relative to INPUT_ROOT)")
    data.add_argument("--generator-type", choices=("offline_rules_v1", "api_generate_v1"), default="offline_rules_v1",
                      help="type in the records of what rules wrote, for validators that know one type alone"
                      " (default: %(default)s)")  # fmt: skip
    asking = parser.add_argument_group("reasoning by a model")
    asking.add_argument("--max-sample-attempts", type=positive, default=4, metavar="N",
                        help="times a sample is asked for before it is rejected (default: %(default)s)")  # fmt: skip
    asking.add_argument("--with-images", action="store_true", help="send the evidence pictures along")
    asking.add_argument("--provider-id", metavar="NAME", help="model_provider_id of the samples (default: the server)")
    args = parser.parse_args(argv)
    if (args.root is None) == (args.input_root is None):
        parser.error("name one folder of annotated videos: INPUT_ROOT, or --input-root DIR")
    args.root = args.root or args.input_root
    return args


def _validate(argv: Sequence[str]) -> int:
    """Tell what is wrong with a data set; 0 if nothing is, 1 if something is."""
    from operators.cot.dataset.check import check
    from operators.cot.dataset.summary import as_json, told

    parser = cli.CommandParser(
        prog="python -m pipelines.cot_planning validate",
        description="Test every sample of a data set against the format and against the plans it was made from.",
        epilog="exit code 0: nothing is wrong, 1: something is, 2: the folders cannot be used\n\nexamples:\n"
        "  python -m pipelines.cot_planning validate --input-root items --cot-root cot --strict\n"
        "  python -m pipelines.cot_planning validate --input-root items --cot-root cot --json > found.json",
    )
    parser.add_argument("--input-root", type=Path, required=True, metavar="DIR", help="the folder of annotated videos")
    parser.add_argument("--cot-root", type=Path, required=True, metavar="DIR", help="the data set: TASK/data.jsonl")
    parser.add_argument("--strict", action="store_true", help="count warnings as errors")
    parser.add_argument("--json", action="store_true", help="tell it as JSON on standard output, for scripts")
    args = parser.parse_args(argv)
    for folder in (args.input_root, args.cot_root):
        if not folder.is_dir():
            raise InputError(f"There is no folder {folder}.")
    summary = check(args.input_root, args.cot_root, strict=args.strict)
    if args.json:
        sys.stdout.write(json.dumps(as_json(summary), ensure_ascii=False, indent=2) + "\n")
    else:
        cli.say(told(summary))
    return 1 if summary.failed else 0


#: The first word of the command line, and what it does with the rest.
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {"validate": _validate}


if __name__ == "__main__":
    sys.exit(main())
