"""What `rowsmith new` writes: a package with an operator, or with a pipeline, that works and has a test."""

from __future__ import annotations

import keyword
import re
import shlex
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from dataflow_ext.cli.terminal import say
from dataflow_ext.errors import OptionError
from dataflow_ext.files import write_text
from dataflow_ext.packages import DISTRIBUTION

KINDS = ("operator", "pipeline")


def new(arguments: Sequence[str]) -> int:
    """Write a start into a folder; the exit code."""
    if len(arguments) != 2 or arguments[0] not in KINDS or arguments[1].startswith("-"):
        say(f"usage: {DISTRIBUTION} new operator|pipeline FOLDER   writes a start that works, with a test")
        return 0 if {"--help", "-h"} & set(arguments) else 2
    kind, folder = arguments[0], Path(arguments[1])
    module = re.sub(r"\W", "_", folder.resolve().name.lower())
    if not module.isidentifier() or keyword.iskeyword(module):
        raise OptionError(f"{folder.name!r} cannot name a Python module; give the folder a name of letters.")
    if folder.is_dir() and any(folder.iterdir()):
        raise OptionError(f"{folder} is not empty; name a new folder.")
    for file in sorted(files(__package__).joinpath(kind).iterdir(), key=lambda each: each.name):
        name = file.name.removesuffix(".txt").replace("MODULE", module)
        text = file.read_text(encoding="utf-8").replace("MODULE", module).replace("DISTRIBUTION", DISTRIBUTION)
        say(f"wrote {write_text(folder / name, text)}")
    say(f"try it: cd {shlex.quote(str(folder))} && python -m pip install -e . pytest && python -m pytest")
    return 0
