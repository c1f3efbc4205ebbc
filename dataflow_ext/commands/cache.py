"""The command ``rowsmith cache``: what is kept of model replies, and how to remove it."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.filesize import decimal

from dataflow_ext.cli.terminal import CommandParser
from dataflow_ext.models.cache_files import (
    Ended,
    Held,
    held,
    locate,
    opened,
    prune,
    sessions,
    size_on_disk,
    utc,
)
from dataflow_ext.models.prices import Prices
from dataflow_ext.packages import DISTRIBUTION

_ABOUT = """Every reply of a model is kept in a request cache, the file requests.sqlite in a run's folder
(OUT/.run), so that none is paid for twice. It holds replies only: no prompts and no keys. A PATH is a run's
folder, its .run folder, a cache folder, or the file itself."""

_EXAMPLES = """examples:
  rowsmith cache stats out
  rowsmith cache stats out other_run --prices my_prices.toml
  rowsmith cache prune out --older-than 30d --dry-run
  rowsmith cache prune out --model gpt-4o-2024-08-06
"""

_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}

#: How many of the last runs are shown one by one.
_LAST = 5


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0."""
    parser = _parser()
    args = parser.parse_args(argv)
    work: Callable[[argparse.Namespace], None] | None = getattr(args, "work", None)
    if work is None:
        parser.print_help()
        return 0
    try:
        work(args)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _parser() -> argparse.ArgumentParser:
    cache = CommandParser(prog=f"{DISTRIBUTION} cache", description=_ABOUT, epilog=_EXAMPLES)
    commands = cache.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, text: str, work: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        about = f"{text[0].upper()}{text[1:]}.\n\n{_ABOUT}"
        made = commands.add_parser(name, help=text, description=about, epilog=_EXAMPLES)
        made.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="where a cache is")
        made.set_defaults(work=work)
        return made

    stats = command("stats", "show how many replies there are, their size and price, and how often they helped", _stats)
    stats.add_argument("--prices", type=Path, metavar="FILE", help="TOML or JSON file with prices by model name")
    pruning = command("prune", "remove replies, also beside a running process; they will be paid for again", _prune)
    pruning.add_argument("--older-than", type=_seconds, metavar="AGE", help="such as 90m, 12h, 30d or 8w")
    pruning.add_argument("--model", metavar="NAME", help="only replies of this model, as stats shows its name")
    pruning.add_argument("--dry-run", action="store_true", help="only say what would be removed")
    pruning.set_defaults(parser=pruning)
    return cache


def _stats(args: argparse.Namespace) -> None:
    prices = Prices(args.prices)
    for path in map(locate, args.paths):
        with opened(path) as database:
            models, ended = held(database, prices), sessions(database)
        lines = [str(path), *_held_lines(models, size_on_disk(path)), *_ended_lines(ended)]
        sys.stdout.write("\n  ".join(lines) + "\n")


def _held_lines(models: Sequence[Held], size: int) -> list[str]:
    replies = sum(each.replies for each in models)
    lines = [f"{_count(replies, 'reply', 'replies')}, {decimal(size)} on disk"]
    if models:
        now = time.time()
        oldest, newest = min(each.oldest for each in models), max(each.newest for each in models)
        lines.append(f"oldest {_age(now - oldest)} ago, newest {_age(now - newest)} ago")
    for each in models:
        usd = "no price known" if each.usd is None else f"{each.usd:,.2f} USD at list price"
        tokens = f"{each.prompt_tokens:,} prompt and {each.completion_tokens:,} completion tokens"
        lines.append(f"{each.model or '(no name)'}: {_count(each.replies, 'reply', 'replies')}, {tokens}, {usd}")
    return lines


def _ended_lines(ended: Sequence[Ended]) -> list[str]:
    if not ended:
        return ["no run has recorded itself here yet"]
    requests, spared = sum(each.requests for each in ended), sum(each.cached + each.shared for each in ended)
    lines = [f"hits: {_share(spared, requests)} in {_count(len(ended), 'run', 'runs')}; the last:"]
    for each in ended[:_LAST]:
        usd = "" if each.usd is None else f" for {each.usd:,.2f} USD"
        paid = f"{each.paid:,} paid{usd} ({each.prompt_tokens:,} + {each.completion_tokens:,} tokens)"
        lines.append(f"  {utc(each.ended)}  {_share(each.cached + each.shared, each.requests)}, {paid}")
    return lines


def _prune(args: argparse.Namespace) -> None:
    if args.older_than is None and args.model is None:
        args.parser.error("prune needs --older-than, --model, or both: what is to be removed")
    before = None if args.older_than is None else time.time() - args.older_than
    for path in [locate(each) for each in args.paths]:
        done = prune(path, before=before, model=args.model, dry_run=args.dry_run)
        replies = _count(done.replies, "reply", "replies")
        if args.dry_run:
            told = f"would remove {replies}, about {decimal(done.size)}"
        elif done.busy:
            told = f"removed {replies}; their space could not be given back now ({done.busy}) and will be used again"
        else:
            told = f"removed {replies}, gave back {decimal(done.size)}"
        sys.stdout.write(f"{path}: {told}\n")


def _seconds(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([mhdw])", text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no age such as 90m, 12h, 30d or 8w")
    return float(match[1]) * _SECONDS[match[2]]


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} requests ({part / whole:.0%})" if whole else "no requests"


def _age(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return _count(int(seconds // length), unit, f"{unit}s")
    return "less than a minute"
