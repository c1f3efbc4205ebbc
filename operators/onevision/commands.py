"""The commands beside the run: how well the gate separates, and a sheet to review rows by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


def _calibrate(argv: Sequence[str]) -> int:
    from operators.onevision.calibrating.command import main

    return main(argv)


def _sample(argv: Sequence[str]) -> int:
    from operators.onevision.output.sample_command import main

    return main(argv)


#: The first word of the command line, and what it does with the rest.
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {"calibrate": _calibrate, "sample": _sample}
