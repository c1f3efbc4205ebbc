"""The command ``rowsmith export``: a run's data in the form of a trainer, and to the hub if asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.cli.terminal import CommandParser, say
from dataflow_ext.errors import InputError
from dataflow_ext.packages import DISTRIBUTION, HOME, install_hint, put_first

if TYPE_CHECKING:
    from dataflow_ext.datasets.source import Source


def main(argv: Sequence[str]) -> int:
    """Write the form; 0."""
    from dataflow_ext.datasets.export import FORMS, export
    from dataflow_ext.datasets.rejects_and_stats import told_of

    parser = CommandParser(
        prog=f"{DISTRIBUTION} export",
        description="Write the data that a run left in OUT in the form of a trainer, with its pictures and a card.",
        epilog=f"examples:\n  {DISTRIBUTION} export out --to llamafactory\n"
        f"  {DISTRIBUTION} export out --to hf --license cc-by-4.0 --push me/my-data\n"
        f"  {DISTRIBUTION} export cot --to prm --inputs items",
    )
    parser.add_argument("folder", type=Path, metavar="OUT", help="the folder of a run, or one of .jsonl or .parquet")
    parser.add_argument("--to", choices=tuple(FORMS), required=True, help="the form (docs/export.md)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for it (default: OUT/exports/FORM)")
    parser.add_argument("--inputs", type=Path, metavar="DIR",
                        help="where the run's inputs lie, with pictures or plans (default: as in the run)")  # fmt: skip
    parser.add_argument("--license", default="unknown", metavar="ID", help="for the card, such as cc-by-4.0")
    parser.add_argument("--push", metavar="REPO", help="then put it on the Hugging Face hub, as a private data set")
    args = parser.parse_args(argv)
    if not args.folder.is_dir():
        raise InputError(f"There is no folder {args.folder}.")
    if args.push:
        _hub()
    out = args.out or args.folder / "exports" / args.to
    told = told_of(args.folder)
    source = source_of(args.folder, args.inputs)
    count = export(source, args.to, out, licence=args.license, about=told)
    missing = ", ".join(f"{rows:,} {why}" for why, rows in source.left_out.most_common())
    left_out = f"; left out: {missing}" if missing else ""
    say(f"{count:,} row{'' if count == 1 else 's'} as {args.to} in {out}{left_out}")
    if args.push:
        say(f"pushed to {_push(out, args.push)}")
    return 0


def source_of(out: Path, inputs: Path | None = None) -> Source:
    """What a folder has for trainers: as the family tells that knows it, else by its columns."""
    from dataflow_ext.datasets.source import source_by_columns

    for module in _modules():
        found: Source | None = import_module(module).source(out, inputs)
        if found is not None:
            return found
    return source_by_columns(out)


def _modules() -> Iterator[str]:
    """The modules of families that know data sets: each family's ``export.py``, with a function ``source``."""
    put_first()
    for path in sorted((HOME / "operators").rglob("export.py")):
        yield ".".join(path.relative_to(HOME).with_suffix("").parts)


def _hub() -> Any:
    try:
        from huggingface_hub import HfApi
    except ImportError:
        raise InputError(f"--push needs the hub's client: {install_hint('hub')}.") from None
    return HfApi()


def _push(folder: Path, repo: str) -> str:
    """The address of a private data set on the hub that holds the folder's files now."""
    try:
        hub = _hub()
        url = hub.create_repo(repo, repo_type="dataset", private=True, exist_ok=True)
        hub.upload_folder(repo_id=repo, folder_path=str(folder), repo_type="dataset", ignore_patterns=[".run/**"])
    except (OSError, ValueError) as error:  # what the client raises derives from these
        raise InputError(f"--push {repo}: {' '.join(str(error).split())[:300]}") from None
    return str(url)
