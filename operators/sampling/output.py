"""What a run shows: its funnel, rates, verdicts and costs as figures, and a page with each question's attempts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.models import Reply
from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, filter_link, write_report
from dataflow_ext.report.figures import counts_of, funnel_part, values_of
from dataflow_ext.report.parts import Part, Pictures, badge, box, el, facts, figure, folded, grid, tally, title, words
from dataflow_ext.report.texts import rich
from operators.sampling.export import Selection, by_question, has_rate, paired, placed, solved
from operators.sampling.rates import BANDS, pass_at, rule_of

_FACETS = (
    Facet("band", "Difficulty"),
    Facet("verdict", "Verdict"),
    Facet("by", "Decided by"),
    Facet("end", "End of a reply"),
    Facet("book", "Book"),
    Facet("chapter", "Chapter"),
)
_LOOKS = {"yes": "good", "no": "bad", "unsure": "check"}
_BAND_LOOKS = {"unsolved": "bad", "guessed": "check", "unknown": "check", "always": "good"}

Figures = dict[str, Any]
#: What a reply of a model's cost; None if nobody knows.
Cost = Callable[[str, Reply], float | None]

#: The standard normal's 97.5 % point.
_Z = 1.959964
_BINS = 10


def write_page(table: pa.Table, rejects: pa.Table, figures: Figures, report: Report, out: Path) -> Path:
    """The path of ``out/report.html``; see ``dataflow_ext.report.page``. ``figures`` are those of the attempts."""
    pictures = Pictures(out)
    rows = (_shown(attempts, pictures) for attempts in by_question(table))
    nothing = "This run has no attempts; the rejects say why."
    page = Page(
        title=out.absolute().name,
        kind="Verified reasonings",
        listings=[Listing("rows", "Questions", rows, _FACETS, nothing=nothing)],
        figures=_figures(figures),
        head=_head(figures),
    )
    return write_report(page, out, report, rejects)


def _figures(figures: Figures) -> list[Part]:
    made = figures["rows"]
    bands = figures["bands"]
    return [
        figure(made["sft"], "right attempts to learn from", "good"),
        figure(made["dpo"], "pairs"),
        figure(made["grpo"], "questions with rates", href="#list=rows"),
        figure(bands["unsolved"], "never right", "bad", filter_link("rows", band="unsolved")),
        figure(bands["guessed"], "guessed", "check", filter_link("rows", band="guessed")),
        figure(figures["attempts"], "attempts"),
    ]


def _head(figures: Figures) -> list[Part]:
    rates = {f"{n / 10:.1f} to {(n + 1) / 10:.1f}": count for n, count in enumerate(figures["rates"])}
    hard = [tally("Difficulty", figures["bands"])]
    if sum(rates.values()):
        hard.append(tally(f"Rates of success by {figures['estimator']}", rates))
    names = {"verdicts": "Verdicts", "verdicts_by": "Decided by", "ends": "Ends of replies"}
    judged = [bar for name, told in names.items() if (bar := tally(told, figures[name]))]
    known = [(f"pass@{each['k']}", each["mean"], each["low"], each["high"]) for each in figures["pass_at"]]
    costs = grid(("cost", ""), [(name.replace("_", " "), value) for name, value in figures["costs"].items()])
    levels = figures["funnel"]
    passing = f"{known[0][1]:g} at the first" if known else ""
    return [
        folded("Funnel", funnel_part(levels), note=f"{levels[0]['in']:,} rows in, {levels[-1]['out']:,} solved"),
        folded("Difficulty", el("div", *hard, look="tallies"), note="bands and rates"),
        *([folded("pass@k", grid(("", "mean", "from", "to"), known), note=passing)] if known else []),
        folded("Verdicts", el("div", *judged, look="tallies"), note=", ".join(figures["verdicts_by"])),
        folded("What it took", costs, note=f"{figures['attempts']:,} attempts"),
    ]


def _shown(attempts: Sequence[Mapping[str, Any]], pictures: Pictures) -> ShownRow:
    first = attempts[0]
    outcome, about = first["outcome"], first["about"]
    band = outcome["band"]
    images = [el("div", *(pictures.of(placed(path)[0]) for path in first["pictures"]), look="strip small")]
    options = "\n".join(f"{option['letter']}. {option['text']}" for option in first["choices"])
    return ShownRow(
        key=first["question_id"],
        body=[
            title(about["label"] or "Question", badge(band, _BAND_LOOKS.get(band, "")), note=_rate(outcome)),
            *(rich(part, look="aside") for part in first["earlier"]),
            rich(first["problem"]),
            *([rich(options)] if options else []),
            *(images if first["pictures"] else []),
            box("Answer", rich(first["gold"]), look="answer"),
            el("div", *map(_attempt, attempts), look="strip"),
        ],
        texts={
            "question": first["problem"],
            "answer": first["gold"],
            "replies": "\n".join(attempt["reply"] for attempt in attempts),
        },
        look=_BAND_LOOKS.get(band, ""),
        values={
            "band": [(band,)],
            "verdict": [(each,) for each in _once(attempts, "verdict")],
            "by": [(each,) for each in _once(attempts, "verdict_by")],
            "end": [(each,) for each in _once(attempts, "finish_reason")],
            "book": [(about["name"],)] if about["name"] else [],
            "chapter": [(about["chapter"],)] if about["chapter"] else [],
        },
    )


def _attempt(row: Mapping[str, Any]) -> Part:
    """One attempt, beside the others."""
    found = row["found"] if row["found"] is not None else "no answer"
    expected = f"expected {row['expected']}" if row["expected"] != row["gold"] else None
    calls = f"{row['judge_calls']} calls of the judge" if row["judge_calls"] else None
    thoughts = [folded(f"Reasoning ({row['reasoning_source']})", words(row["reasoning"]))] if row["reasoning"] else []
    return box(
        f"Attempt {row['attempt'] + 1}",
        el("p", badge(row["verdict"], _LOOKS[row["verdict"]]), " ", found),
        facts(expected, f"by {row['verdict_by']}: {row['verdict_reason']}"),
        *thoughts,
        folded("Reply", rich(row["reply"])),
        facts(row["finish_reason"], f"{row['completion_tokens']:,} tokens", f"{row['seconds']:g} s", calls),
    )


def _rate(outcome: Mapping[str, Any]) -> str:
    counts = f"{outcome['right']} of {outcome['attempts']} right"
    if outcome["pass_rate"] is None:
        return counts
    return f"{counts}, rate {outcome['pass_rate']:.2f} ({outcome['pass_low']:.2f} to {outcome['pass_high']:.2f})"


def _once(attempts: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    return list(dict.fromkeys(attempt[name] for attempt in attempts))


def figures_of(table: pa.Table, rejects: pa.Table, chosen: Selection, cost: Cost = lambda *_: None) -> Figures:
    """All figures, of the attempts and rejects of a run."""
    table_by_question = table.sort_by([("question_id", "ascending")])
    questions = [sorted(attempts, key=lambda row: int(row["attempt"])) for attempts in by_question(table_by_question)]
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
        "verdicts": counts_of(values_of(table, "verdict")),
        "verdicts_by": counts_of(values_of(table, "verdict_by")),
        "ends": counts_of(values_of(table, "finish_reason")),
        "reasoning_in": counts_of(values_of(table, "reasoning_source")),
    }


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
