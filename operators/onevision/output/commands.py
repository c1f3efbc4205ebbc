"""The commands beside the run: how well the gate separates, and a sheet to review rows by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dataflow_ext import Operator, Prompt

#: Makes the steps of a run.
Steps = Callable[..., list[Operator]]
Command = Callable[[Sequence[str], Steps, Sequence[type[Prompt]]], int]


def _calibrate(argv: Sequence[str], steps: Steps, prompts: Sequence[type[Prompt]]) -> int:
    from operators.onevision.calibrating.command import main

    return main(argv, steps, prompts)


def _sample(argv: Sequence[str], _steps: Steps, _prompts: Sequence[type[Prompt]]) -> int:
    from operators.onevision.output.sample import main

    return main(argv)


#: The first word of the command line, and what it does with the rest, the steps of a run and their prompts.
COMMANDS: Mapping[str, Command] = {"calibrate": _calibrate, "sample": _sample}
