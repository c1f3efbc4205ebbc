"""The figures of a run: ``annotation_stats.json``, the same bytes for the same rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from dataflow_ext.identity import ROW_ID
from operators.game.output.accuracy import Accuracy
from operators.game.output.run_rounds import FIELDS, ReadingRecord, Rejected, Rounds, verdict

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
    groups: dict[tuple[str, str, str], list[str]] = {}
    for reject in rejected:
        groups.setdefault((reject.operator, reject.error, reject.kind), []).append(_at(reject))
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        {"operator": operator, "error": error, "kind": kind, "count": len(messages), "example": min(messages)}
        for (operator, error, kind), messages in ordered
    ]


def _at(reject: Rejected) -> str:
    """The message, with the round that it is about."""
    if reject.key is None:
        return reject.message
    device, episode, number = reject.key
    return f"{device}/{episode}, round {number}: {reject.message}"


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
        "by": {name: {"rounds": n, "share": _rounded(n / len(readings))} for name, n in sources.items()},
        "mean_confidence": _rounded(fmean(r["confidence"] for r in readings)) if readings else None,
        "model": {"asked": said.total(), **{v: said[v] for v in ("agreed", "disagreed", "alone", "unreadable")}},
    }


def _judged(rounds: Rounds) -> dict[str, int]:
    """How many kept rounds the rule judged in which way; what comes after a colon tells of one round only."""
    return dict(Counter(told.partition(":")[0] for told in rounds.kept["rule_read"].to_pylist()))


def _rounded(value: float) -> float:
    return round(value, 4)
