"""The commands beside the run: does EasyR1 accept a data set, and rounds to check by eye."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dataflow_ext import InputError, cli
from dataflow_ext.cli.flags import positive
from dataflow_ext.datasets.source import settings_of


def _command(name: str, what: str, example: str) -> argparse.ArgumentParser:
    return cli.CommandParser(
        prog=f"python -m pipelines.game_annotate {name}",
        description=what,
        epilog=f"example:\n  python -m pipelines.game_annotate {name} {example}",
    )


def _validate(argv: Sequence[str]) -> int:
    """Tell what is wrong with a data set; 0 if EasyR1 accepts it, 1 if not."""
    from operators.game.easyr1.checker import has_errors, told, validate
    from operators.game.easyr1.form import PROMPT_LENGTH, ROLLOUT_BATCH

    parser = _command("validate", "Test a data set against what EasyR1 accepts; code 1 if it does not.", "out")
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --out was, a folder of data files, or one file")
    parser.add_argument("--image-dir", type=Path, metavar="DIR", help="where relative paths of pictures begin")
    parser.add_argument("--rollout-batch", type=positive, default=ROLLOUT_BATCH, metavar="N",
                        help="data.rollout_batch_size of the training (default: %(default)s)")  # fmt: skip
    parser.add_argument("--prompt-length", type=positive, default=PROMPT_LENGTH, metavar="N",
                        help="data.max_prompt_length of the training (default: %(default)s)")  # fmt: skip
    args = parser.parse_args(argv)
    problems = validate(
        args.folder, args.image_dir, rollout_batch_size=args.rollout_batch, max_prompt_length=args.prompt_length
    )
    cli.say(told(problems))
    return 1 if has_errors(problems) else 0


def _sample(argv: Sequence[str]) -> int:
    """Write a page on which a person checks rounds by eye."""
    from operators.game.output.check_page import write_sample
    from operators.game.output.run_rounds import read_annotations

    parser = _command("sample", "Write a page to check rounds by eye, which saves labels.csv.", "out --n 50")
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --out was")
    parser.add_argument("--n", type=positive, default=50, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which rounds (default: %(default)s)")
    parser.add_argument("--root", type=Path, metavar="ROOT",
                        help="the folder of the collected rounds (default: that of the run)")  # fmt: skip
    args = parser.parse_args(argv)
    if args.root is not None and not args.root.is_dir():
        raise InputError(f"--root: there is no folder {args.root}.")
    root = args.root or _root_of(args.folder)
    page = write_sample(read_annotations(args.folder), args.folder, args.n, args.seed, root=root)
    cli.say(f"page: {page.resolve()}   save labels.csv from it, then run again with --labels labels.csv")
    return 0


def _root_of(folder: Path) -> Path | None:
    """The folder that the last run read, as its settings tell."""
    root = settings_of(folder).get("root")
    return Path(root) if isinstance(root, str) and Path(root).is_dir() else None


#: The first word of the command line, and what it does with the rest.
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "validate": _validate,
    "sample": _sample,
}
