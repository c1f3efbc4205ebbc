"""The commands beside the run: is every sample of a data set sound?"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dataflow_ext import InputError, cli


def _validate(argv: Sequence[str]) -> int:
    """Tell what is wrong with a data set; 0 if nothing is, 1 if something is."""
    from operators.cot.dataset.check import as_json, check
    from operators.cot.dataset.summary import told

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
