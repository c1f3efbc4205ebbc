"""What a run shows of its rows: its figures, its page with every row, and a sheet to review rows by eye."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import InputError, OptionError
from dataflow_ext.report import (
    Facet,
    Field,
    Labels,
    Listing,
    Page,
    Report,
    ShownRow,
    filter_link,
    rejects_listing,
    write_report,
)
from dataflow_ext.report.figures import spread
from dataflow_ext.report.parts import (
    Box,
    Part,
    Pictures,
    badge,
    el,
    fields,
    figure,
    folded,
    grid,
    spoken,
    title,
    words,
)
from dataflow_ext.report.rejects import by_reason
from dataflow_ext.tables import records
from operators.onevision.judging import NOT_JUDGED
from operators.onevision.model.records import CODES, EFFECT, ImageType, Verdict
from operators.onevision.rewriting.replies import inside

_MADE_BY = ("type_by", "caption_by", "detector", "ocr_by", "description_by", "rewrite_by")


def stats(tables: Iterable[pa.Table], rejects: pa.Table) -> dict[str, Any]:
    """The figures as plain values. Nothing in them is a time or an absolute path.

    ``tables`` have the rows with their verdicts, ``rejects`` is that of the run's result. ``turns`` are all that came
    in: ``kept``, ``review``, ``dropped`` and ``errored`` add up to them. ``judged`` tells how many rows of each verdict
    a judge saw. ``checks`` counts by code and state, ``reasons`` by code in rows that are not kept; ``rejects`` tells
    operator, error, kind, count and an example.
    """
    counts: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    pictures: set[str] = set()
    scores: list[float] = []
    for table in tables:
        _count(counts, table)
        pictures.update(table["picture_key"].to_pylist())
        scores += table["score"].drop_null().to_pylist()
    points = spread(scores)
    verdicts = {verdict: counts["verdict"][(verdict,)] for verdict in get_args(Verdict)}
    return {
        "turns": sum(verdicts.values()) + rejects.num_rows,
        **verdicts,
        "errored": rejects.num_rows,
        "judged": _single(counts["judged"]),
        "pictures": len(pictures),
        "image_types": _crossed(counts["image_type"], get_args(ImageType)),
        "languages": _crossed(counts["language"]),
        "answer_types": _crossed(counts["answer_type"]),
        "formal_code": _single(counts["formal_state"]),
        "rewrites": _single(counts["rewrite_state"]),
        "made_by": {name: _single(counts[name]) for name in _MADE_BY},
        "checks": _crossed(counts["checks"], tuple(CODES)),
        "reasons": dict(sorted(_single(counts["reasons"]).items(), key=lambda item: (-item[1], item[0]))),
        "scores": points and {**points, "median": round(points["median"], 3)},
        "rejects": by_reason(records(rejects)),
    }


def _count(counts: Mapping[str, Counter[tuple[str, ...]]], table: pa.Table) -> None:
    """Add the rows of a table to the counts of single values and of pairs."""
    verdict = table["verdict"]
    state = table["formal_state"]
    state = pc.if_else(pc.starts_with(state, "does not parse"), "does not parse", state)
    judged = table.filter(pc.equal(pc.struct_field(table["judge"], "status"), "judged"))["verdict"]
    checks = pc.list_flatten(table["checks"])
    bad = table.filter(pc.not_equal(verdict, "kept"))["reasons"]
    reasons = (reason.partition(":")[0] for row in bad.to_pylist() for reason in row)
    for name, columns in (
        *((name, (table[name], verdict)) for name in ("image_type", "language", "answer_type")),
        *((name, (table[name],)) for name in ("verdict", "rewrite_state", *_MADE_BY)),
        ("formal_state", (state,)),
        ("judged", (judged,)),
        ("checks", (pc.struct_field(checks, "code"), pc.struct_field(checks, "state"))),
    ):
        places = [str(place) for place in range(len(columns))]
        grouped = pa.table(list(columns), names=places).group_by(places).aggregate([([], "count_all")])
        for row in grouped.to_pylist():
            counts[name][tuple(row[place] for place in places)] += row["count_all"]
    counts["reasons"].update((code,) for code in reasons if code != NOT_JUDGED and EFFECT.get(code) != "note")


def _single(counts: Mapping[tuple[str, ...], int]) -> dict[str, int]:
    """How often each value comes, by the alphabet."""
    return {value: count for (value,), count in sorted(counts.items())}


def _crossed(counts: Mapping[tuple[str, ...], int], order: tuple[str, ...] = ()) -> dict[str, dict[str, int]]:
    """How often each second value comes with a first one; these in an order, others by the alphabet behind them."""
    found: dict[str, dict[str, int]] = {}
    for (value, other), count in sorted(counts.items()):
        found.setdefault(value, {})[other] = count
    return {value: found[value] for value in (*order, *(v for v in found if v not in order)) if value in found}


_FACETS = (
    Facet("verdict", "Verdict"),
    Facet("type", "Pictures"),
    Facet("reason", "Reasons"),
    Facet("answer", "Answers"),
    Facet("judge", "Judge"),
)
_LOOKS = {"kept": "good", "review": "check", "dropped": "bad"}
_VERDICTS = tuple(_LOOKS)
#: Boxes on a picture.
_BOXES = 60
_DATA = ("onevision.jsonl", "review.jsonl", "dropped.jsonl", "stats.json")


#: Gives the finished rows, table by table, as often as it is called.
Rows = Callable[[], Iterable[pa.Table]]


def write_page(rows: Rows, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path) -> Path:
    """The path of ``out/report.html``; see ``dataflow_ext.report.page``.

    ``rows`` gives the finished rows, ``rejects`` and ``report`` are those of the run's result, ``figures`` those of
    :func:`stats`.
    """
    nothing = f"There is no row{'; the rejects say why' if rejects.num_rows else ''}."
    listings = [Listing("rows", "Rows", shown_rows(rows, Pictures(out)), _FACETS, nothing=nothing)]
    if rejects.num_rows:
        home = f"{Path(out).absolute()}/"
        # The page may go elsewhere with its folder: paths below this are told from within.
        listings.append(rejects_listing(rejects, told=lambda text: text.replace(home, "")))
    files: list[Part] = [part for name in _DATA for part in (", ", el("a", name, href=name))][1:]
    page = Page(
        title=Path(out).absolute().name or "Rows",
        kind="R1-Onevision rows",
        listings=listings,
        figures=_figures(figures),
        head=_head(figures),
        foot=[el("p", "Data: ", *files, ".")],
    )
    return write_report(page, out, report)


def _figures(figures: Mapping[str, Any]) -> list[Part]:
    turns = figures["turns"]
    judged = f"kept, {figures['judged'].get('kept', 0):,} of them judged"
    told = {"kept": judged, "review": "for review", "dropped": "dropped"}
    return [
        figure(turns, f"turn{'' if turns == 1 else 's'} on {figures['pictures']:,} pictures"),
        *(figure(figures[v], told[v], _LOOKS[v], filter_link("rows", verdict=v)) for v in _VERDICTS),
        figure(figures["errored"], "errored", "bad" if figures["errored"] else "", "#list=rejects"),
    ]


def _head(figures: Mapping[str, Any]) -> list[Part]:
    parts: list[Part] = []
    if not figures["judged"] and figures["turns"] > figures["errored"]:
        warning = "No judge saw these rows: kept means that they passed the checks, not that they are right."
        parts.append(el("ul", el("li", warning), look="warnings"))
    reasons: list[tuple[Part, int]] = [
        (el("span", el("a", code, href=filter_link("rows", reason=code)), el("small", f" {CODES.get(code, '')}")), n)
        for code, n in figures["reasons"].items()
    ]
    made = [
        (f"{what.removesuffix('_by')}: {who}", n) for what, by in figures["made_by"].items() for who, n in by.items()
    ]
    states = ("passed", "failed", "unsure", "not run")
    checks = [(code, *(by.get(state, 0) for state in states)) for code, by in figures["checks"].items()]
    tables = [
        _verdicts("Pictures of type", figures["image_types"]),
        grid(("Why rows are not kept", "Rows"), reasons or [("all are", 0)]),
        _verdicts("Answers of type", figures["answer_types"]),
        grid(("Made by", "Rows"), made),
    ]
    shown = el("div", *(el("div", each, look="tally") for each in tables), look="tallies wider")
    parts.append(folded("Figures", shown, note="types, reasons, who made"))
    return [*parts, folded("Checks", grid(("Check", "Passed", "Failed", "Unsure", "Not run"), checks))]


def _verdicts(name: str, counts: Mapping[str, Mapping[str, int]]) -> Part:
    rows = [(spoken(what), *(by.get(verdict, 0) for verdict in _VERDICTS)) for what, by in counts.items()]
    return grid((name, "Kept", "Review", "Dropped"), rows)


def shown_rows(rows: Rows, pictures: Pictures) -> Iterator[ShownRow]:
    """The finished rows: kept ones first, each verdict's as they come."""
    for verdict in _VERDICTS:
        for table in rows():
            for row in records(table.filter(pc.equal(table["verdict"], verdict))):
                yield shown_row(row, pictures)


def shown_row(row: Mapping[str, Any], pictures: Pictures) -> ShownRow:
    """A row beside its picture with its verdict, texts, and what was found, read and checked."""
    look, verdict = _LOOKS[row["verdict"]], row["verdict"]
    thinking = inside(row["cot_thinking"] or "", "think")
    score = [badge(f"{row['score']:.1f} of 10")] if row["score"] is not None else []
    picture = Path(row["picture"]).absolute() if row["picture"] else None
    said = el(
        "div",
        title(row["id"], badge(spoken(row["image_type"])), badge(verdict, look), *score),
        *(el("p", reason, look="problem" if verdict == "dropped" else "facts") for reason in row["reasons"]),
        words(row["question"], "text strong"),
        words(row["image_formal_description"], "text aside"),
        words(thinking or "no reasoning"),
        words(row["answer"], "part answer text"),
        folded("Source, code, what was read and checked", fields(_facts(row))),
        look="said",
    )
    codes = dict.fromkeys(reason.partition(":")[0] for reason in row["reasons"])
    return ShownRow(
        row["id"],
        [el("div", pictures.of(picture, row["image"], _boxes(row)), look="shots"), said],
        {
            "question": row["question"],
            "description": row["image_formal_description"],
            "reasoning": thinking,
            "answer": row["answer"],
            "reasons": "\n".join(row["reasons"]),
            "read": " ".join(line["text"] for line in row["ocr"]),
            "id": f"{row['id']} {row['image']}",
        },
        look=look,
        values={
            "verdict": [(verdict,)],
            "type": [(spoken(row["image_type"]),)],
            "reason": [(code,) for code in codes],
            "answer": [(row["answer_type"],)],
            "judge": [(row["judge"]["status"],)],
        },
        labels={"id": row["id"], "verdict": verdict},
    )


def _boxes(row: Mapping[str, Any]) -> Iterator[Box]:
    """What was found in one colour, what was read in the other."""
    for each in row["detections"][:_BOXES]:
        yield each["box"], "amber", f"{each['label']} {each['score']:.2f}"
    for line in row["ocr"][:_BOXES]:
        yield line["box"], "blue", line["text"]


def _facts(row: Mapping[str, Any]) -> Iterator[tuple[Part, Part]]:
    judge = row["judge"]
    yield "source reasoning", words(row["original_reasoning"])
    yield "source conclusion", words(row["original_conclusion"])
    yield f"{row['formal_language']}: {row['formal_state']}", words(row["formal_code"] or "", "text code")
    if row["detections"]:
        yield "found", ", ".join(f"{each['label']} {each['score']:.2f}" for each in row["detections"][:_BOXES])
    if row["ocr"]:
        yield "read", " · ".join(line["text"] for line in row["ocr"][:_BOXES])
    for check in row["checks"]:
        if check["state"] in ("failed", "unsure"):
            look = "bad" if check["state"] == "failed" else "check"
            yield el("span", f"{check['code']} ", badge(check["state"], look)), check["note"]
    for name in ("description", "grounding", "logic", "answer"):
        if judge[name] is not None:
            yield f"judge: {name}", f"{judge[name]:g}"
    if judge["comment"]:
        yield "judge", judge["comment"]
    made = {
        "type": row["type_by"],
        "caption": row["caption_by"],
        "boxes": row["detector"],
        "text": row["ocr_by"],
        "description": row["description_by"],
        "reasoning": row["rewrite_by"],
        "judge": judge["by"] or judge["status"],
    }
    yield "made by", ", ".join(f"{what}: {who}" for what, who in made.items())


NAME = "sample.html"

#: What can be ticked of a row, by the column of the CSV.
FAULTS = {
    "description_wrong": "the description does not fit the picture",
    "reasoning_wrong": "a step is wrong or made up",
    "answer_wrong": "the answer is wrong",
    "language_bad": "it reads badly",
}
_LABELS = Labels(
    "review.csv",
    ("id", "verdict"),
    (
        Field("reviewed", "Reviewed", "choice", (("good", "good as it stands"), ("bad", "bad"))),
        *(Field(name, words, implies=("reviewed", "bad")) for name, words in FAULTS.items()),
        Field("note", "note", "words"),
    ),
    "Look at the picture first, then read. Tell what is wrong, or that it is good. Rows of which nothing was told are "
    "not saved.",
)
HEADER = (*_LABELS.given, *(field.name for field in _LABELS.fields))


def write_sample(rows: pa.Table, out: Path, n: int, seed: int) -> Path:
    """The path of ``out/sample.html``, a page with ``n`` rows that saves ``review.csv`` from a browser.

    Each verdict has a share of the rows, at least a fifth of ``n`` where it has so many; which ones rests on ``seed``.
    The page shows the pictures of the folder and needs no network. Raises InputError if there is no row, OptionError
    for ``n`` below 1.
    """
    if n < 1:
        raise OptionError(f"A sample of {n} rows shows nothing; ask for at least one.")
    if not rows.num_rows:
        raise InputError("There is no row to review.")
    chosen = rows.take(pa.array(sampled(rows["id"].to_pylist(), rows["verdict"].to_pylist(), n, seed), pa.int64()))
    pictures = Pictures(out)
    shown = (shown_row(row, pictures) for row in chosen.to_pylist())
    page = Page(
        title=f"{chosen.num_rows} of {rows.num_rows:,} rows",
        kind="Review by eye",
        listings=[Listing("rows", "Rows", shown, labels=_LABELS)],
    )
    return write_report(page, out, name=NAME)


def sampled(ids: list[str], verdicts: list[str], n: int, seed: int) -> list[int]:
    """The places of so many rows in a random order: a fifth of each verdict first, the rest from all.

    >>> sampled(["a", "b", "c"], ["kept", "kept", "dropped"], 2, 1) in ([0, 2], [2, 0], [1, 2], [2, 1], [0, 1], [1, 0])
    True
    """
    order = random.Random(seed)  # noqa: S311 - the same each time
    shuffled = sorted(range(len(ids)), key=lambda place: ids[place])
    order.shuffle(shuffled)
    fifth = max(1, n // 5)
    first: list[int] = []
    for verdict in sorted(set(verdicts)):
        first += [place for place in shuffled if verdicts[place] == verdict][:fifth]
    taken = set(first)
    chosen = [*first, *(place for place in shuffled if place not in taken)][:n]
    order.shuffle(chosen)
    return chosen
