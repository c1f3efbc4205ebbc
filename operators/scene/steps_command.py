"""The command that writes the steps of a data set with labels, and proves each of them again from the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from dataflow_ext import InputError, cli
from dataflow_ext.files import write_text
from operators.scene.conversation_reader import conversation_in, lines_of
from operators.scene.dataset.layout import CONVERSATIONS
from operators.scene.dataset.steps import step_problems, step_rows


def steps_command(argv: Sequence[str]) -> int:
    """Write the labelled steps; 1 if a label of the file is not proven."""
    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit steps",
        description="Write the steps of a data set's reasonings with labels, for process reward models: sentences "
        "whose claims are proven, and ones that were changed and proven to be false. Each label is proven again from "
        "the file.",
        epilog="exit code 0: every label is proven, 1: one is not, 2: the folder cannot be used\n\nexample:\n"
        "  python -m pipelines.scene_edit steps scenes --out steps.jsonl --seed 1",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder with conversations.jsonl")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .jsonl file to write")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of what is made false (default: %(default)s)")
    args = parser.parse_args(argv)
    path = args.folder / CONVERSATIONS
    if not path.is_file():
        raise InputError(f"{args.folder} has no data set: there is no {CONVERSATIONS} in it.")
    write_text(args.out, "".join(_written(path, args.seed)))
    wrong, true, false = _proven(path, args.out)
    cli.say(f"{true} true steps, {false} false ones; {wrong or 'no'} label{'' if wrong == 1 else 's'} not proven.")
    return 1 if wrong else 0


def _written(path: Path, seed: int) -> Iterator[str]:
    for _, raw in lines_of(path):
        conversation_in(raw)  # tells what is wrong with a line
        for row in step_rows(json.loads(raw), seed):
            yield json.dumps(row, ensure_ascii=False) + "\n"


def _proven(path: Path, steps: Path) -> tuple[int, int, int]:
    """Labels of a file that are not proven, and the true and false ones; read back from it."""
    known = {each.id: each for each in (conversation_in(raw) for _, raw in lines_of(path))}
    wrong = true = false = 0
    for line in steps.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        wrong += len(step_problems(row, known[row["id"]]))
        true, false = true + sum(row["labels"]), false + row["labels"].count(False)
    return wrong, true, false
