"""The page of a run: its funnel, how hard the questions are, and each question's attempts side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, filter_link, write_report
from dataflow_ext.report.figures import funnel_part
from dataflow_ext.report.parts import Part, Pictures, badge, box, el, facts, figure, folded, grid, tally, title, words
from dataflow_ext.report.texts import rich
from operators.sampling.dataset.write import by_question, placed
from operators.sampling.output.figures import Figures

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


def write_page(table: pa.Table, rejects: pa.Table, figures: Figures, report: Report, out: Path) -> Path:
    """The path of ``out/report.html``; see ``dataflow_ext.report.page``. ``figures`` are those of the attempts."""
    rows = _rows(table, Pictures(out))
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


def _rows(table: pa.Table, pictures: Pictures) -> Iterator[ShownRow]:
    """The questions in the order of the run, in which the attempts at one follow each other."""
    for attempts in by_question(table):
        yield _shown(attempts, pictures)


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
