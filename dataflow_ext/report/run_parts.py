"""What a page tells of a run: what stopped it, its steps and their wiring, the models' use, and its settings."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePath
from typing import Any

from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.report.drawing import drawing
from dataflow_ext.report.figures import Report
from dataflow_ext.report.parts import Part, bullets, el, fields, folded, grid

_STEP_HEAD = ("Step", "Rows in", "Rows out", "Failed", "Dropped", "Empty", "Seconds")
_CALL_HEAD = ("Model calls", "Model", "Requests", "Remembered", "Shared", "Retries", "Repairs", "Failed", "Tokens in",
              "cached", "Tokens out", "Tokens spared", "USD")  # fmt: skip
#: A password in an address.
_PASSWORD = re.compile(r"(?<=//)[^/@\s]+(?=@)")


def stop_parts(report: Report | None) -> list[Part]:
    """What was not done, and warnings."""
    if report is None or not (report.stopped or report.warnings):
        return []
    stops = [f"{stop.rows} row{'s' if stop.rows != 1 else ''} not done: {stop.message}" for stop in report.stopped]
    return [bullets([*stops, *report.warnings], "warnings")]


def run_parts(report: Report | None) -> list[Part]:
    """The steps with their rows and seconds, what models were asked, and which step hands which columns to which."""
    if report is None or not report.steps:
        return []
    steps = [
        (f"{s.step}. {s.operator}", s.rows_in, s.rows_out, *s.rejects().values(),
         "remembered" if s.remembered else f"{s.seconds:.2f}")
        for s in report.steps
    ]  # fmt: skip
    parts = [grid(_STEP_HEAD, steps)]
    calls = [(step, used.local, model, used) for (step, model), used in report.calls.items()]
    if calls:
        parts.append(grid(_CALL_HEAD, [_call(*call) for call in calls], left=2))
    seconds = sum(s.seconds for s in report.steps)
    money = sum(used.usd or 0 for *_, used in calls)
    note = f"{seconds:.1f} s" + (f", {money:.4f} USD" if money else "")
    made: list[Part] = [folded("Steps", *parts, note=note)]
    if report.wiring:
        made.append(folded("Wiring", el("div", drawing(report.wiring), look="wide"), note="which step reads what"))
    return [el("div", *made, look="boxes")]


def _call(step: str, local: bool, model: str, used: Any) -> tuple[Any, ...]:
    usd = "–" if not used.tokens else "not known" if used.usd is None else f"{used.usd:.4f}"
    counts = (used.requests, used.cached, used.shared, used.retries, used.repairs, used.failures)
    tokens = (used.prompt_tokens, used.cached_tokens, used.completion_tokens, used.spared_tokens)
    return (step, model + (" (local)" if local else ""), *counts, *tokens, usd)


def settings_part(out: Path) -> list[Part]:
    """The flags that were not left as they are, as the run's folder keeps them; they hold no secret."""
    try:
        told = json.loads((out / RUN_FOLDER / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    if not isinstance(told, dict):
        return []
    given = {name: value for name, value in told.items() if value not in (None, False, [], "")}
    rows = [(name.replace("_", "-"), _PASSWORD.sub("…", _plain(value))) for name, value in given.items()]
    return [folded("Settings", fields(rows), note=str(len(rows)))] if rows else []


def _plain(value: Any) -> str:
    """A flag's value; of paths the last part, as a page that is given on should not tell where things lie here."""
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"…/{PurePath(text).name}" if PurePath(text).is_absolute() else text
