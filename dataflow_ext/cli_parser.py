"""The argument parser of all commands, and how commands are called in what they say."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from dataflow_ext.cli_flags import EXAMPLES, add_model_flags, add_tuning_flags
from dataflow_ext.cli_values import positive
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.installing import DISTRIBUTION
from dataflow_ext.own_packages import HOME


class CommandParser(argparse.ArgumentParser):
    """A parser whose help keeps its lines, and names commands as this one was called; no flag is abbreviated."""

    def __init__(self, prog: str, *, epilog: str, **options: Any) -> None:
        plain = argparse.RawDescriptionHelpFormatter
        super().__init__(
            as_called(prog), epilog=as_called(epilog), formatter_class=plain, allow_abbrev=False, **options
        )


def as_called(text: str) -> str:
    """A text that names ``python -m`` commands, with ``rowsmith`` in their place if that is what was called.

    >>> as_called("python -m pipelines.pdf_vqa book.pdf")
    'python -m pipelines.pdf_vqa book.pdf'
    """
    if Path(sys.argv[0]).stem != DISTRIBUTION:
        return text
    return re.sub(r"python -m pipelines\.(\w+)", lambda found: f"{DISTRIBUTION} {found[1].replace('_', '-')}", text)


def parser(
    module: str,
    description: str,
    examples: str,
    *,
    judge: bool = False,
    seeds: str = "",
    inputs: str = "INPUT...",
    unit: str = "input documents",
) -> argparse.ArgumentParser:
    """An argument parser with the flags that every pipeline has; the caller adds its inputs and its own.

    ``judge`` is for pipelines in which one model judges another's work; ``seeds`` says what ``--seed``
    decides beside the model's replies. ``inputs`` and ``unit`` are what the help calls its inputs.
    """
    home = "pipelines." if (HOME / "pipelines" / f"{module}.py").is_file() else ""
    made = CommandParser(
        prog=f"python -m {home}{module}",
        usage=f"%(prog)s {inputs} [--out DIR] [flags]",
        description=description,
        epilog=f"examples:\n{examples}\n\nmodels:\n{EXAMPLES}\n\nexport the built-in prompts to change them:\n"
        f"  python -m {home}{module} prompts my_prompts",
    )
    made.add_argument("--out", type=Path, default=Path("out"), metavar="DIR",
                      help="folder for the results (default: %(default)s)")  # fmt: skip
    add_model_flags(made, judge, seeds)
    running = made.add_argument_group("running")
    running.add_argument("--workers", type=positive, default=1, metavar="N", help="processes for heavy steps")
    running.add_argument("--engine", choices=("local", "ray"), default="local",
                         help="ray: on a cluster, see docs/ray.md (default: local)")  # fmt: skip
    running.add_argument("--rows-per-part", type=positive, default=16, metavar="N",
                         help="with --engine ray, inputs of a task (default: %(default)s)")  # fmt: skip
    running.add_argument("--limit", type=positive, metavar="N", help=f"only the first N {unit}")
    running.add_argument("--cache-dir", type=Path, metavar="DIR",
                         help=f"where finished work is remembered (default: OUT/{RUN_FOLDER})")  # fmt: skip
    running.add_argument("--fresh", action="store_true", help="do everything anew, remembered or not")
    running.add_argument("--dry-run", action="store_true",
                         help="check inputs, wiring, servers, keys and packages, then stop")  # fmt: skip
    running.add_argument("--no-preflight", action="store_true",
                         help="begin without a look at servers, keys and packages")  # fmt: skip
    add_tuning_flags(made)
    return made
