"""The figures of a run, ``annotation_stats.json``: the same bytes for the same rounds; how right they are by labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, get_args

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report import rejects
from dataflow_ext.report.figures import wilson
from operators.game.output.labels import Label
from operators.game.output.run_rounds import Key, ReadingRecord, Rejected, Rounds, Verdict, key_of, verdict
from operators.game.settling import FIELDS

NAME = "annotation_stats.json"


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """The game's rule in a run: its name, whether rounds were checked by it, and what speaks for it.

    ``agree`` of ``of`` rounds that are sure in all three values go by it; ``why`` says in words why it was
    applied, or not.
    """

    name: str
    applied: bool
    agree: int = 0
    of: int = 0
    why: str = ""


def stats(
    rounds: Rounds,
    *,
    rule: RuleFigures,
    seed: int,
    test_share: float,
    method: str = "seeded",
    accuracy: Accuracy | None = None,
) -> dict[str, Any]:
    """The figures as plain values: rounds, rejects by reason, split, readings by field, rule, accuracy.

    Shares are of the kept rounds. What the model said is counted over all rounds that all three readers
    read, also those that were rejected after it. ``method`` is how the split was made. Nothing in it is a
    time or an absolute path.
    """
    rejected = rounds.rejected()
    lost = sum(r.is_round for r in rejected)
    figures: dict[str, Any] = {
        "rounds": {"seen": rounds.kept.num_rows + lost, "kept": rounds.kept.num_rows, "rejected": lost},
        "files_rejected": len(rejected) - lost,
        "rejects": by_reason(rejected),
        "split": {"method": method, "seed": seed, "test_share": test_share, **_split(rounds)},
        "fields": {name: _field(rounds, column) for name, column in FIELDS.items()},
        "rule": {**asdict(rule), "contradict": rule.of - rule.agree, "judged": _judged(rounds)},
    }
    if accuracy is not None:
        figures["accuracy"] = accuracy.as_dict()
    return figures


def by_reason(rejected: Iterable[Rejected]) -> list[dict[str, Any]]:
    """Operator, error, count and an example message of each kind of reject, the most frequent first."""
    counted = rejects.by_reason({**reject.record, "message": _at(reject)} for reject in rejected)
    return [{name: value for name, value in each.items() if name != "code"} for each in counted]


def _at(reject: Rejected) -> str:
    """The message, with the round that it is about."""
    message = str(reject.record["message"])
    if reject.key is None:
        return message
    device, episode, number = reject.key
    return f"{device}/{episode}, round {number}: {message}"


def _split(rounds: Rounds) -> dict[str, dict[str, int]]:
    columns = (rounds.kept[name].to_pylist() for name in ("split", "device", "episode"))
    places = list(zip(*columns, strict=True))
    return {
        side: {
            "rounds": sum(place[0] == side for place in places),
            "episodes": len({place for place in places if place[0] == side}),
        }
        for side in ("train", "test")
    }


def _field(rounds: Rounds, column: str) -> dict[str, Any]:
    readings: Sequence[ReadingRecord] = rounds.kept[column].to_pylist()
    sources = Counter(reading["by"] for reading in readings)
    kept = set(rounds.kept[ROW_ID].to_pylist())
    looked = zip(rounds.looked[ROW_ID].to_pylist(), rounds.looked[column].to_pylist(), strict=True)
    lost = [reading for name, reading in looked if name not in kept]
    said = Counter(found for reading in [*readings, *lost] if (found := verdict(reading)) is not None)
    return {
        "by": {name: {"rounds": n, "share": round(n / len(readings), 4)} for name, n in sources.items()},
        "mean_confidence": round(fmean(r["confidence"] for r in readings), 4) if readings else None,
        "model": {"asked": said.total(), **{v: said[v] for v in get_args(Verdict)}},
    }


def _judged(rounds: Rounds) -> dict[str, int]:
    """How many kept rounds the rule judged in which way; what comes after a colon tells of one round only."""
    return dict(Counter(told.partition(":")[0] for told in rounds.kept["rule_read"].to_pylist()))


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with Wilson's 95 % bounds."""

    right: int
    of: int

    @property
    def share(self) -> float | None:
        """Between 0 and 1; None of nothing."""
        return self.right / self.of if self.of else None

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which the share of all such rounds lies, 95 % sure; 0 and 1 if nothing was counted."""
        return wilson(self.right, self.of)

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values, rounded to four digits."""
        low, high = (round(bound, 4) for bound in self.bounds)
        share = None if self.share is None else round(self.share, 4)
        return {"right": self.right, "of": self.of, "share": share, "low": low, "high": high}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A kept round (``row_id``) of which these ``fields`` differ from its label."""

    row_id: str
    key: Key
    fields: tuple[str, ...]
    label: Label


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Shares of kept and labelled rounds that are right, by field and in "all three".

    "kept" is the share of labelled rounds which the run met that are in the data; ``unknown`` counts
    labelled rounds that the run did not meet.
    """

    shares: Mapping[str, Share]
    unknown: int
    mistakes: tuple[Mistake, ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        shares = {name.replace(" ", "_"): share.as_dict() for name, share in self.shares.items()}
        return {**shares, "labels_of_unknown_rounds": self.unknown}


def accuracy(kept: Iterable[Mapping[str, Any]], labels: Mapping[Key, Label], seen: Collection[Key]) -> Accuracy:
    """The accuracy of kept rounds (rows with ``numbers``, ``light``, ``answer`` and their key) against labels.

    ``seen`` are the keys of all rounds that the run met. A round counts in "all three" if all three are
    labelled.
    """
    counts = {name: [0, 0] for name in ("numbers", "light", "answer", "all three")}
    mistakes, there = list[Mistake](), set[Key]()
    for row in kept:
        key = key_of(row)
        if key not in labels:
            continue
        there.add(key)
        outcomes = dict(_compared(row, labels[key]))
        for name, right in outcomes.items():
            counts[name][0] += right
            counts[name][1] += 1
        if len(outcomes) == 3:
            counts["all three"][0] += all(outcomes.values())
            counts["all three"][1] += 1
        if wrong := tuple(name for name, right in outcomes.items() if not right):
            mistakes.append(Mistake(row[ROW_ID], key, wrong, labels[key]))
    met = [key for key in labels if key in there or key in seen]
    shares = {name: Share(right, of) for name, (right, of) in counts.items()}
    return Accuracy({**shares, "kept": Share(len(there), len(met))}, len(labels) - len(met), tuple(mistakes))


def unlabelled(kept: Iterable[Mapping[str, Any]], labels: Collection[Key]) -> list[Mapping[str, Any]]:
    """Kept rounds as they would be without their labels; those are left out that labels alone have saved."""
    rows = []
    for row in kept:
        machine = row.get("machine")
        if key_of(row) not in labels:
            rows.append(row)
        elif machine is not None:
            rows.append({**row, **machine, "answer": str(machine["card"])})
    return rows


def told_accuracy(measured: Accuracy) -> str:
    """The accuracy as an aligned table of a few lines, for a terminal."""
    lines = [f"{'accuracy':<10}{'right':>8}{'of':>8}{'share':>10}   95 % bounds"]
    for name, share in measured.shares.items():
        if share.share is None:
            lines.append(f"{name:<10}{'none labelled':>26}")
            continue
        low, high = (100 * bound for bound in share.bounds)
        shown = f"{100 * share.share:.1f} %"
        lines.append(f"{name:<10}{share.right:>8,}{share.of:>8,}{shown:>10}   {low:.1f} to {high:.1f} %")
    if measured.unknown:
        lines.append(f"{measured.unknown:,} labelled round{'s' * (measured.unknown != 1)} not met in this run")
    return "\n".join(lines)


def _compared(row: Mapping[str, Any], label: Label) -> Iterator[tuple[str, bool]]:
    if label.numbers is not None:
        yield "numbers", tuple(row["numbers"]) == label.numbers
    if label.light is not None:
        yield "light", row["light"] == label.light
    if label.answer is not None:
        yield "answer", str(row["answer"]) == label.answer
