"""The figures of a run: its funnel, rates, verdicts and costs, the same for the same rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.models import Reply
from operators.sampling.dataset.forms import has_rate, paired, solved
from operators.sampling.dataset.write import Selection, by_question
from operators.sampling.model import BANDS
from operators.sampling.rates import pass_at, rule_of

Figures = dict[str, Any]
#: What a reply of a model's cost; None if nobody knows.
Cost = Callable[[str, Reply], float | None]

#: The standard normal's 97.5 % point.
_Z = 1.959964
_BINS = 10


def figures_of(table: pa.Table, rejects: pa.Table, chosen: Selection, cost: Cost = lambda *_: None) -> Figures:
    """All figures, of the attempts and rejects of a run."""
    questions = [_slim(attempts) for attempts in by_question(table.sort_by([("question_id", "ascending")]))]
    outcomes = [attempts[0]["outcome"] for attempts in questions]
    made = {
        "sft": sum(len(solved(attempts, chosen.sft)) for attempts in questions),
        "dpo": sum(len(paired(attempts, chosen.pairs)) for attempts in questions),
        "grpo": sum(map(has_rate, questions)),
    }
    bands = Counter(outcome["band"] for outcome in outcomes)
    return {
        "funnel": _funnel(questions, rejects, bands),
        "rows": made,
        "attempts": table.num_rows,
        "costs": _costs(table, made["sft"], cost),
        "policy": outcomes[0]["policy"] if outcomes else "",
        "estimator": next((o["estimator"] for o in outcomes if o["pass_rate"] is not None), "none"),
        "bands": {band: bands[band] for band in BANDS},
        "rates": _histogram([o["pass_rate"] for o in outcomes if o["pass_rate"] is not None]),
        "pass_at": _pass_at(outcomes),
        "verdicts": _counted(table, "verdict"),
        "verdicts_by": _counted(table, "verdict_by"),
        "ends": _counted(table, "finish_reason"),
        "reasoning_in": _counted(table, "reasoning_source"),
    }


def _slim(attempts: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(attempts, key=lambda row: int(row["attempt"]))


def _funnel(questions: Sequence[Any], rejects: pa.Table, bands: Mapping[str, int]) -> list[Figures]:
    """Questions in and out of each step, with what keeps the others out."""
    by_step: dict[str, Counter[str]] = {}
    for reject in sorted(rejects.select(["step", "operator", "error"]).to_pylist(), key=lambda each: each["step"]):
        by_step.setdefault(reject["operator"], Counter())[reject["error"]] += 1
    open_ones = sum(not has_rate(attempts) for attempts in questions)
    unsolved = sum(not attempts[0]["outcome"]["right"] for attempts in questions) - open_ones
    losses = [
        *by_step.items(),
        ("solved", {"never right": unsolved, "undecided": open_ones}),
        ("better than guessing", {"guessed": bands["guessed"]}),
    ]
    count = len(questions) + rejects.num_rows
    steps: list[Figures] = []
    for name, reasons in losses:
        out = {reason: n for reason, n in sorted(reasons.items()) if n}
        steps.append({"step": name, "in": count, "out": count - sum(out.values()), "reasons": out})
        count = steps[-1]["out"]
    return steps


def _histogram(rates: Sequence[float]) -> list[int]:
    """How many questions have a rate in each tenth from 0 to 1, the last with its end."""
    counts = Counter(min(int(rate * _BINS), _BINS - 1) for rate in rates)
    return [counts[n] for n in range(_BINS)]


def _pass_at(outcomes: Sequence[Mapping[str, Any]]) -> list[Figures]:
    """Mean chance over the questions that one of k attempts is right, with bounds of the mean."""
    known = [o for o in outcomes if o["pass_rate"] is not None]
    most = min((o["cap"] for o in known), default=0)
    made = []
    for k in (2**n for n in range(most.bit_length())):
        each = [pass_at(k, rule_of(o["policy"], o["cap"]), o["right"], o["attempts"]) for o in known]
        mean = sum(each) / len(each)
        spread = math.sqrt(sum((one - mean) ** 2 for one in each) / max(1, len(each) - 1) / len(each))
        bounds = max(0.0, mean - _Z * spread), min(1.0, mean + _Z * spread)
        made.append({"k": k, "mean": round(mean, 4), "low": round(bounds[0], 4), "high": round(bounds[1], 4)})
    return made


def _counted(table: pa.Table, name: str) -> dict[str, int]:
    return dict(sorted((each["values"], each["counts"]) for each in pc.value_counts(table[name]).to_pylist()))


def _costs(table: pa.Table, rows: int, cost: Cost) -> Figures:
    """What solver and judge took, in all and a kept row; dollars where prices are known."""
    sums = {
        name: pc.sum(table[name]).as_py() or 0
        for name in ("prompt_tokens", "completion_tokens", "judge_calls", "judge_tokens")
    }
    tokens = sums["prompt_tokens"] + sums["completion_tokens"]
    reply = Reply("", prompt_tokens=sums["prompt_tokens"], completion_tokens=sums["completion_tokens"])
    parts = [cost("solver", reply), cost("judge", Reply("", prompt_tokens=sums["judge_tokens"]))]
    known = [part for part in parts if part is not None]
    usd = sum(known) if len(known) == len(parts) else None
    return {
        "calls": table.num_rows,
        **sums,
        "usd": usd,
        "calls_a_row": _share(table.num_rows, rows),
        "judge_calls_an_attempt": _share(sums["judge_calls"], table.num_rows),
        "tokens_a_row": _share(tokens + sums["judge_tokens"], rows),
        "usd_a_row": None if usd is None or not rows else usd / rows,
    }


def _share(part: int, of: int) -> float | None:
    return round(part / of, 3) if of else None
