"""The commands beside the run, by their first word."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dataflow_ext import InputError, cli
from dataflow_ext.cli.flags import positive
from operators.scene.replaying import Summary, check

#: Problems that are told one by one.
_SHOWN = 20


def _validate(argv: Sequence[str]) -> int:
    """Tell what is wrong with a data set; 0 if nothing is, 1 if something is."""
    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit validate",
        description="Replay every conversation of a data set from its file alone, test it against the format's laws, "
        "and draw its pictures again.",
        epilog="exit code 0: nothing is wrong, 1: something is, 2: the folder cannot be used\n\nexamples:\n"
        "  python -m pipelines.scene_edit validate out\n"
        "  python -m pipelines.scene_edit validate out --no-redraw --json > found.json",
    )
    parser.add_argument("out", type=Path, metavar="DIR", help="the folder with conversations.jsonl")
    parser.add_argument("--no-redraw", action="store_true", help="only see that the pictures are there (faster)")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="tell it as JSON on standard output, for scripts")
    args = parser.parse_args(argv)
    if not args.out.is_dir():
        raise InputError(f"There is no folder {args.out}.")
    found = check(args.out, redraw=not args.no_redraw, processes=args.workers)
    if args.json:
        told = {"lines": found.lines, "turns": found.turns, "pictures": found.pictures, "drawn": found.drawn,
                "order": found.order, "counts": found.counts(), "problems": [
                    {"line": each.line, "id": each.id, "code": each.problem.code, "message": each.problem.message}
                    for each in found.problems]}  # fmt: skip
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
        return 1 if found.problems else 0
    _tell(found)
    return 1 if found.problems else 0


def _tell(found: Summary) -> None:
    for each in found.problems[:_SHOWN]:
        cli.say(str(each))
    for code, count in found.counts().items():
        cli.say(f"{code}: {count}")
    pictures = f"{found.pictures} pictures, {found.drawn} of them drawn again"
    cli.say(f"{found.lines} conversations with {found.turns} editing turns replayed, {pictures}.")
    if found.order is not None:
        cli.say(f"Adds run from large to small: {found.order:+.2f} (+1: always, -1: never).")
    cli.say(f"{len(found.problems) or 'no'} problem{'' if len(found.problems) == 1 else 's'}")


def _replay(argv: Sequence[str]) -> int:
    from pipelines.commands.scene_replay import replay_command

    return replay_command(argv)


def _facts(argv: Sequence[str]) -> int:
    from pipelines.commands.scene_claims import facts_command

    return facts_command(argv)


def _claims(argv: Sequence[str]) -> int:
    from pipelines.commands.scene_claims import claims_command

    return claims_command(argv)


#: The first word of the command line, and what it does with the rest.
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "validate": _validate, "replay": _replay, "facts": _facts, "claims": _claims,
}  # fmt: skip
