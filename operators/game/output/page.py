"""The page of a run: figures, mistakes and doubts, every kept round with its pictures and readings, and rejects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, filter_link, rejects_listing, write_report
from dataflow_ext.report.parts import Box, Part, Pictures, badge, bullets, el, facts, figure, folded, grid, title
from dataflow_ext.well_formed import short
from operators.game.output.labels import Label
from operators.game.output.run_rounds import Rejected, Rounds, disputed, key_of, round_name, verdict
from operators.game.output.stats import Accuracy, Share
from operators.game.rounds import told
from operators.game.settling import FIELDS

_FACETS = (
    Facet("doubt", "Doubts"),
    Facet("episode", "Episodes", contents=True),
    Facet("light", "Light"),
    Facet("answer", "Answer"),
    Facet("split", "Split"),
    Facet("by", "Read by"),
)
_MISTAKE, _DISPUTED = "mistake", "model and rules disagree"
_VERDICTS = {
    "agreed": "model agrees",
    "disagreed": "model disagrees",
    "alone": "model alone",
    "unreadable": "model's reply unreadable",
}
#: How collectors name a round's question picture.
_QUESTION = ("question_screenshot", "question", "question_image", "question_path", "picture")
#: Looks beside the one that counts which are told of a value.
_LOOKS = 8


def write_page(
    rounds: Rounds, figures: Mapping[str, Any], report: Report, out: Path, *, accuracy: Accuracy | None = None
) -> Path:
    """The path of ``out/report.html``; see ``dataflow_ext.report.page``.

    ``figures`` are those of :func:`~operators.game.output.stats.stats`. With ``accuracy`` what people saw stands beside
    what was read, and mistakes can be filtered. Pictures are those of the collected rounds.
    """
    pictures, rows = Pictures(out, rounds.root), rounds.kept_rows()
    mistakes = {m.row_id: m.label for m in accuracy.mistakes} if accuracy else {}
    doubts = sum(map(disputed, rows))
    shown = (shown_round(row, pictures, mistakes.get(row["row_id"])) for row in rows)
    nothing = f"No round was kept{'; the rejects say why' if figures['rejects'] else ''}."
    note = el("p", "Boxes show the cards that were found; the thick one is the correct card.", look="quiet")
    listings = [Listing("rows", "Rounds", shown, _FACETS, [note] if rows else [], nothing)]
    if rejected := rounds.rejected():
        listings.append(_rejects(rejected, rounds, pictures))
    page = Page(
        title=rounds.root.absolute().name or "Game rounds",
        kind="Annotated game rounds",
        listings=listings,
        figures=_figures(figures, accuracy, doubts, len(mistakes)),
        head=[*(_accuracy(accuracy) if accuracy else []), *_sources(figures)],
        foot=[
            el("p", "Figures: ", el("a", "annotation_stats.json", href="annotation_stats.json"),
               ". All that was read of each round: ", el("a", "annotations.jsonl", href="annotations.jsonl"), "."),
        ],
    )  # fmt: skip
    return write_report(page, out, report)


def _figures(figures: Mapping[str, Any], accuracy: Accuracy | None, doubts: int, mistakes: int) -> list[Part]:
    seen, kept, rejected = (figures["rounds"][name] for name in ("seen", "kept", "rejected"))
    files = figures["files_rejected"]
    shown = [
        figure(seen, f"round{'' if seen == 1 else 's'} seen"),
        figure(kept, "kept", "good", "#list=rows"),
        figure(rejected, "rejected", "bad" if rejected else "", "#list=rejects"),
    ]
    if files:
        shown.append(figure(files, f"file{'' if files == 1 else 's'} not used", "bad", "#list=rejects"))
    if doubts:
        shown.append(figure(doubts, "disputed", "check", filter_link("rows", doubt=_DISPUTED)))
    if accuracy and accuracy.shares["all three"].of:
        shown.append(figure(_percent(accuracy.shares["all three"].share), "right in all three"))
    if mistakes:
        what = f"mistake{'' if mistakes == 1 else 's'}"
        shown.append(figure(mistakes, what, "bad", filter_link("rows", doubt=_MISTAKE)))
    return shown


def _accuracy(accuracy: Accuracy) -> list[Part]:
    rows = [
        (
            "labelled rounds kept" if name == "kept" else name,
            share.right,
            share.of,
            _percent(share.share),
            _bounds(share),
        )
        for name, share in accuracy.shares.items()
    ]
    unknown = accuracy.unknown
    told = f"{unknown:,} labelled round{'' if unknown == 1 else 's'} were not met in this run." if unknown else ""
    shares = grid(("", "Right", "Labelled", "Share", "95 % bounds"), rows)
    return [folded("Accuracy against labels", shares, el("p", told), note=told)]


def _sources(figures: Mapping[str, Any]) -> list[Part]:
    head = ("Field", "Read by", "Mean confidence", "Model asked", "agreed", "disagreed", "alone", "unreadable")
    rows = []
    for name in FIELDS:
        field = figures["fields"][name]
        by = ", ".join(f"{by} {_percent(share['share'])}" for by, share in sorted(field["by"].items())) or "–"
        asked = (field["model"][key] for key in ("asked", "agreed", "disagreed", "alone", "unreadable"))
        rows.append((name, by, _percent(field["mean_confidence"]), *asked))
    rule, split = figures["rule"], figures["split"]
    judged = " ".join(f"{n:,} {how};" for how, n in sorted(rule["judged"].items())).rstrip(";")
    sentences = [f"Rule of the game {rule['name']}: {'applied' if rule['applied'] else 'not applied'}"]
    if rule["of"]:
        sentences.append(f"; {rule['agree']:,} of {rule['of']:,} rounds that are sure in all three values go by it")
    sentences.append(f" ({rule['why']})." if rule["why"] else ".")
    sides = [
        f"{side} {split[side]['rounds']:,} rounds of {split[side]['episodes']:,} episodes" for side in ("train", "test")
    ]
    how = f"Split ({split['method']}, seed {split['seed']}, test share {split['test_share']}): "
    told: list[Part] = [
        grid(head, rows, left=2),
        el("p", *sentences, f" Kept rounds: {judged}." if judged else ""),
        el("p", how, ", ".join(sides), ".", look="quiet"),
    ]
    return [folded("Where the values come from", *told)]


def _percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def _bounds(share: Share) -> str:
    low, high = share.bounds
    return "–" if share.share is None else f"{100 * low:.1f} to {100 * high:.1f} %"


def shown_round(row: Mapping[str, Any], pictures: Pictures, label: Label | None = None) -> ShownRow:
    """A round of which all values are read, with its pictures, what was read by whom, and what a person saw."""
    doubts = [*([_MISTAKE] if label else []), *([_DISPUTED] if disputed(row) else [])]
    readers = dict.fromkeys(row[column]["by"] for column in FIELDS.values())
    values: dict[str, Sequence[tuple[str, ...]]] = {
        "doubt": [(doubt,) for doubt in doubts],
        "episode": [(row["device"], row["episode"])],
        "light": [(row["light"],)],
        "answer": [(str(row["answer"]),)] if row.get("answer") is not None else [],
        "split": [(row["split"],)] if row.get("split") else [],
        "by": [(reader,) for reader in readers],
    }
    reasons = "\n".join(row[column]["reason"] or "" for column in FIELDS.values())
    return ShownRow(
        row["row_id"],
        _round(row, pictures, label or Label()),
        {
            "round": round_name(key_of(row)),
            "values": f"{told(row['numbers'])} {row['light']} {row.get('answer') or ''}",
            "reasons": f"{reasons}\n{row.get('rule_read') or ''}",
        },
        look="bad" if label else "check" if doubts else "",
        values=values,
    )


def round_pictures(row: Mapping[str, Any], pictures: Pictures) -> Part:
    """The question picture with the cards that were found, and the result picture."""
    shots = [pictures.of(row["question"], "question", _boxes(row))]
    if row.get("result"):
        shots.append(pictures.of(row["result"], "result"))
    return el("div", *shots, look="shots pair")


def _round(row: Mapping[str, Any], pictures: Pictures, label: Label) -> list[Part]:
    tiles = [
        el("span", str(number), look="tile chosen" if place == row["card"] else "tile")
        for place, number in enumerate(row["numbers"])
    ]
    light = el("span", el("i", "", look=f"dot {row['light']}"), f" {row['light']}")
    said = el(
        "div",
        title(round_name(key_of(row))),
        el("p", *(part for each in [*tiles, light] for part in (each, " "))),
        *(part for name in FIELDS for part in _value(name, row, label)),
        facts(*_notes(row)),
        look="said",
    )
    return [round_pictures(row, pictures), said]


def _boxes(row: Mapping[str, Any]) -> Iterator[Box]:
    for place, box in enumerate(row["cards"] or ()):
        chosen = place == row["card"]
        yield [float(side) for side in box], "chosen" if chosen else "blue", "correct card" if chosen else "card"


def _value(name: str, row: Mapping[str, Any], label: Label) -> list[Part]:
    """One value of a round: what was read by whom, the looks beside the one that counts, and what a person saw."""
    reading, value = row[FIELDS[name]], told(row[name])
    labelled = {"numbers": told(label.numbers), "light": label.light or "", "card": label.answer or ""}[name]
    what = verdict(reading)
    line: list[Part] = [el("b", name), f" {value} ", badge(reading["by"]), f" {_percent(reading['confidence'], 0)} "]
    if what:
        line.append(badge(_VERDICTS[what], "check" if what in ("disagreed", "unreadable") else ""))
    if labelled not in ("", value):
        line += [" ", badge(f"labelled {labelled}", "bad")]
    others = [
        f"{look['by']}: {look['value'] or 'nothing'}, {_percent(look['confidence'], 0)}"
        + (f" – {short(look['reason'], 200)}" if look["reason"] else "")
        for look in reading["looks"] or ()
        if look["reason"] != reading["reason"]
    ]
    parts = [el("p", *line), facts(short(reading["reason"] or "", 400))]
    return [*parts, bullets(others[:_LOOKS])] if others else parts


def _notes(row: Mapping[str, Any]) -> list[str]:
    rule, picked = row.get("rule_read"), row.get("selected")
    notes = [f"answer {row['answer']}" if row.get("answer") is not None else "", row.get("split") or ""]
    return [*notes, f"the player picked {picked}" if picked is not None else "", f"rule: {rule}" if rule else ""]


def _rejects(rejected: Sequence[Rejected], rounds: Rounds, pictures: Pictures) -> Listing:
    """The rejects, each with as much of its round as is known."""
    known: dict[str, Rejected] = {}
    for place, reject in enumerate(rejected):  # a file's round may have the file's id
        name = reject.record[ROW_ID]
        known[str(place) if name in known else name] = reject
    records = (
        {**reject.record, ROW_ID: name, "inputs": "" if reject.row else json.dumps(reject.inputs, ensure_ascii=False)}
        for name, reject in known.items()
    )
    return rejects_listing(records, lambda record: _rejected(known[record[ROW_ID]], rounds, pictures))


def _rejected(reject: Rejected, rounds: Rounds, pictures: Pictures) -> list[Part]:
    row = reject.row
    if row and all(row.get(name) is not None for name in (*FIELDS, *FIELDS.values())):
        return _round(row, pictures, Label())
    named = [title(round_name(reject.key))] if reject.key else []
    if row:
        return [*named, round_pictures({"cards": None, **row}, pictures)]
    question = _question(reject, rounds)
    return [*named, el("div", pictures.of(question, "question"), look="shots pair")] if question else named


def _question(reject: Rejected, rounds: Rounds) -> Path | None:
    """The question picture that a round names which was never read: from the root, or from its episode's folder."""
    given = [str(reject.inputs[name]) for name in _QUESTION if isinstance(reject.inputs.get(name), str)]
    if not given or "\0" in given[0]:
        return None
    folders = [rounds.root]
    if reject.key:
        folders += [rounds.root / reject.key[0], rounds.root.joinpath(*reject.key[:2])]
    places = [(folder / PurePosixPath(given[0])).absolute() for folder in folders]
    return next((place for place in places if _there(place)), places[0])


def _there(place: Path) -> bool:
    try:
        return place.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
