"""``check.html``: rounds to check by eye, whose page saves what a person saw as a labels file."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from dataflow_ext import InputError, OptionError
from dataflow_ext.report import Field, Labels, Listing, Page, ShownRow, write_report
from dataflow_ext.report.parts import Part, Pictures, el, title
from operators.game.output.labels import HEADER
from operators.game.output.run_rounds import least_sure
from operators.game.rounds import Light

NAME = "check.html"

#: The folder of the data set in which its question pictures are.
IMAGES = "images"

_THREE = r"\d{1,9} \d{1,9} \d{1,9}"
_LABELS = Labels(
    "labels.csv",
    HEADER[:3],
    (
        Field("numbers", "Numbers, from left to right", "words", pattern=f"({_THREE})?",
              hint="give three whole numbers, or none"),
        Field("light", "Light", "choice", tuple((light, light) for light in get_args(Light))),
        Field("answer", "Correct card", "choice", (("0", "left"), ("1", "middle"), ("2", "right"))),
    ),
    "Look at each round. Enter says “right as it stands”, after you changed what was wrong, and goes on to the next. "
    "Clear what cannot be told. Between equal numbers the leftmost card is the answer. Esc takes a round back. Only "
    "rounds that you confirmed are saved.",
)  # fmt: skip
_NOTE = (
    "{least} of them are those that were read with the least confidence, so that the accuracy of this sample tends to "
    "be lower than that of all rounds."
)


def write_sample(rows: Sequence[Mapping[str, Any]], out: Path, n: int, seed: int, *, root: Path | None = None) -> Path:
    """The path of ``out/check.html``, a page with ``n`` kept rounds that saves ``labels.csv`` from a browser.

    ``rows`` are those of ``read_annotations(out)``. Half of the rounds are the least sure ones, the others
    are drawn from the rest; the same seed gives the same page. Question pictures come from ``out/images`` or
    from ``root``, the folder of the collected rounds, result pictures from ``root`` alone. The page shows these and
    needs no network. Raises InputError if there is no round, OptionError for ``n`` below 1.
    """
    if n < 1:
        raise OptionError(f"A sample of {n} rounds shows nothing; ask for at least one.")
    if not rows:
        raise InputError("No round was kept, so there is none to check.")
    out = Path(out)
    folders = [out / IMAGES] if root is None else [out / IMAGES, root]
    pictures = Pictures(out, *folders)
    shown = (_round(row, folders, root, pictures) for row in sampled(rows, n, seed))
    page = Page(
        title=f"{min(n, len(rows))} of {len(rows):,} rounds",
        kind="Check by eye",
        listings=[Listing("rows", "Rounds", shown, labels=_LABELS)],
        head=[el("p", _NOTE.format(least=min(n, len(rows)) // 2))],
    )
    return write_report(page, out, name=NAME)


def sampled(rows: Sequence[Mapping[str, Any]], n: int, seed: int) -> list[Mapping[str, Any]]:
    """So many of the rounds, in a random order: half of them the least sure, the others from the rest."""
    order = random.Random(seed)  # noqa: S311 - the same each time
    shuffled = sorted(rows, key=lambda row: (row["device"], row["episode"], row["round"], row["image"]))
    order.shuffle(shuffled)
    by_doubt = sorted(shuffled, key=least_sure)
    half = min(n, len(rows)) // 2
    rest = by_doubt[half:]
    order.shuffle(rest)
    chosen = [*by_doubt[:half], *rest[: n - half]]
    order.shuffle(chosen)
    return chosen


def _round(row: Mapping[str, Any], folders: Sequence[Path], root: Path | None, pictures: Pictures) -> ShownRow:
    key = row["device"], row["episode"], row["round"]
    result: Part = el("div", "name the folder of the collected rounds to see it", look="lost")
    if root is not None:
        result = pictures.of(_found(row["result"], [root]), "result")
    shots = el("div", pictures.of(_found(row["image"], folders), "question"), result, look="shots pair")
    named = f"{key[0]} · {key[1]} · round {key[2]}"
    told = {"numbers": " ".join(map(str, row["numbers"])), "light": row["light"], "answer": str(row["answer"])}
    labels = dict(zip(HEADER[:3], map(str, key), strict=True)) | told
    return ShownRow(
        "/".join(map(str, key)), [shots, el("div", title(named), look="said")], {"round": named}, labels=labels
    )


def _found(name: str, folders: Sequence[Path]) -> Path:
    """The file of that name in the first folder that has it; a name that leads out of a folder is not shown."""
    if PurePosixPath(name).is_absolute() or "\0" in name:
        return Path("/")
    there = [folder / name for folder in folders if (folder / name).is_file()]
    return (there[0] if there else folders[-1] / name).absolute()
