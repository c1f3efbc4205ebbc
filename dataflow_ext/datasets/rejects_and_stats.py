"""What a run writes beside its data: the rejects (``rejects.jsonl``), the figures (``stats.json``), and the card."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext import __version__
from dataflow_ext.datasets.folder import CARD, REJECTS, STATS, DataFolder
from dataflow_ext.datasets.source import settings_of
from dataflow_ext.files import atomic, json_object, write_text
from dataflow_ext.packages import DISTRIBUTION
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.tables import json_lines, write_table


def write_beside(
    out: Path,
    name: str,
    rows: int,
    figures: Mapping[str, Any],
    rejects: pa.Table,
    holds: Mapping[str, str] | None = None,
) -> None:
    """Write what stands beside the data of a run: its rejects, its figures, and the card that tells of both."""
    write_rejects(rejects, out)
    write_stats(figures, out)
    write_card(out, name, rows, holds)


def write_rejects(rejects: pa.Table, out: Path | DataFolder, name: str = REJECTS) -> Path:
    """The path of the rejects in ``out``; in the folder of a data set they come with its files, all or none."""
    if isinstance(out, Path):
        return write_table(rejects, out / name)
    with out.text(name) as file:
        file.writelines(json_lines(rejects))
    return out.out / name


@contextmanager
def rejects_by_parts(path: Path) -> Iterator[Callable[[pa.Table], None]]:
    """What takes the rejects of a long run, a part at a time, for one Parquet file that is its owner's alone."""
    import pyarrow.parquet as pq

    with (
        atomic(path, private=True) as partial,
        pq.ParquetWriter(partial, REJECTS_SCHEMA, compression="zstd") as file,
    ):
        yield file.write_table


def write_stats(figures: Mapping[str, Any], out: Path, name: str = STATS, *, ordered: bool = False) -> Path:
    """The path of the figures in ``out``, written as JSON; ``ordered`` by their names if asked for."""
    text = json.dumps(figures, ensure_ascii=False, indent=2, allow_nan=False, sort_keys=ordered)
    return write_text(out / name, text + "\n")


#: Flags that say what made a data set; servers, folders and whatever else tells of a machine are left out.
_TOLD = ("model", "judge_model", "provider", "seed", "temperature", "limit", "ocr", "ocr_engine", "renderer", "tasks")

#: Figures that a card shows; all are in the file of figures.
_MOST = 40

#: Figures that are records, and what a card calls them.
_SHOWN = {"funnel": "From rows in to rows out", "pass_at": "Chance that one of k attempts is right"}

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(name: str, told: Mapping[str, Any], licence: str, files: Mapping[str, str]) -> str:
    """A README of Markdown, with the front matter that the hub reads; ``files`` are those of each split.

    ``told`` may have ``rows`` by split, ``pictures``, ``form``, ``made_by`` (flags), ``rejects`` by reason,
    ``figures``, and in ``holds`` what is in which file.
    """
    rows = told.get("rows", {})
    total = sum(rows.values())
    size = next((label for most, label in _SIZES if total < most), "n>1M")
    data = "".join(f"  - split: {split}\n    path: {json.dumps(path)}\n" for split, path in files.items())
    head = f"---\nlicense: {json.dumps(licence)}\npretty_name: {json.dumps(name)}\nsize_categories:\n- {size}\n"
    data = f"configs:\n- config_name: default\n  data_files:\n{data}" if data else _configs(told.get("holds", {}))
    head += f"{data}---\n"
    counts = ", ".join(f"{count:,} rows ({split})" for split, count in rows.items() if count) or "no rows"
    if told.get("pictures"):
        counts += f", {told['pictures']:,} pictures"
    told_licence = licence if licence != "unknown" else "not stated; rows quote their inputs, whose licence holds"
    text = [f"# {name}\n", f"{counts}.\n", f"**Licence**: {told_licence}.\n", _provenance(name, told)]
    text += [_table("Files", told.get("holds", {}))]
    text += [_records(name, value) for name, value in told.get("figures", {}).items() if name in _SHOWN]
    text += [_table("Figures of the run", _flat(told.get("figures", {})))]
    text += [_table("Rejects, by what turned them away", told.get("rejects", {}))]
    return head + "\n" + "\n".join(each for each in text if each)


def _configs(holds: Mapping[str, str]) -> str:
    """The files that readers open as data sets of their own; of two of one name the Parquet file."""
    paths = {Path(name).stem: name for name in sorted(holds) if name != REJECTS}
    each = "".join(f"- config_name: {json.dumps(stem)}\n  data_files: {json.dumps(n)}\n" for stem, n in paths.items())
    return f"configs:\n{each}" if each else ""


def write_card(out: Path, name: str, rows: int, holds: Mapping[str, str] | None = None) -> Path:
    """The path of the card that a run leaves in its folder, after its figures and rejects."""
    told = {"rows": {"train": rows}, "holds": holds or {}, **told_of(out)}
    return write_text(out / CARD, card(name, told, "unknown", {}))


def told_of(out: Path) -> dict[str, Any]:
    """What a run's folder tells a card: its flags, figures and rejects."""
    return {"made_by": settings_of(out), "figures": json_object(out / STATS), "rejects": _rejects(out / REJECTS)}


def _provenance(name: str, told: Mapping[str, Any]) -> str:
    flags = told.get("made_by") or {}
    said = [f"{flag.replace('_', ' ')} {flags[flag]}" for flag in _TOLD if flags.get(flag) not in (None, False, "")]
    by = f"rules, without a model{'; ' if said else ''}" if flags and not flags.get("model") else ""
    form = f" in the form {told['form']}" if told.get("form") else ""
    return f"**Made by** {DISTRIBUTION} {__version__}, {name}{form}{': ' if by or said else ''}{by}{', '.join(said)}.\n"


def _table(title: str, values: Mapping[str, Any]) -> str:
    if not values:
        return ""
    rows = "".join(f"| {_cell(name)} | {_cell(value)} |\n" for name, value in values.items())
    return f"## {title}\n\n| | |\n|---|---|\n{rows}"


def _records(title: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Figures that are records of the same fields, as a table; counts in a field are told one by one."""
    if not records:
        return ""
    rows = "".join(f"| {' | '.join(map(_cell, record.values()))} |\n" for record in records)
    head = "|".join(f" {_cell(name)} " for name in records[0])
    return f"## {_SHOWN[title]}\n\n|{head}|\n{'|---' * len(records[0])}|\n{rows}"


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        value = ", ".join(f"{count:,} {name}" for name, count in value.items())
    return str(value).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")[:200]


def _flat(figures: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers among the figures, and those one level below; the file of figures has the rest."""
    made: dict[str, Any] = {}
    for name, value in figures.items():
        below = value if isinstance(value, Mapping) else {}
        told = {name: value} | {f"{name}, {each}": number for each, number in below.items()}
        made |= {each: number for each, number in told.items() if isinstance(number, (int, float))}
    return dict(list(made.items())[:_MOST])


def _rejects(path: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                told = json.loads(line)
                reason = f"{told.get('operator')}: {told.get('error')}"
                counts[reason] = counts.get(reason, 0) + 1
    except (OSError, ValueError, AttributeError):
        return counts
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
