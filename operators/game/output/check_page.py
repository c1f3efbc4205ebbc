"""``check.html``: rounds to check by eye, whose page saves what a person saw as a labels file."""

from __future__ import annotations

import base64
import hashlib
import random
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from markupsafe import Markup

from dataflow_ext import InputError, OptionError
from dataflow_ext.report.thumbnails import Thumbnail, Thumbnails
from dataflow_ext.tables import write_text
from operators.game.output.labels import HEADER
from operators.game.output.page import environment
from operators.game.output.run_rounds import least_sure
from operators.game.rounds import Light

NAME = "check.html"

#: The folder of the data set in which its question pictures are.
IMAGES = "images"

_WIDTH, _MOST, _QUALITY = 360, 2_000, 82


def write_sample(rows: Sequence[Mapping[str, Any]], out: Path, n: int, seed: int, *, root: Path | None = None) -> Path:
    """The path of ``out/check.html``, a page with ``n`` kept rounds that saves ``labels.csv`` from a browser.

    ``rows`` are those of ``read_annotations(out)``. Half of the rounds are the least sure ones, the others
    are drawn from the rest; the same seed gives the same page. Question pictures come from ``out/images`` or
    from ``root``, the folder of the collected rounds, result pictures from ``root`` alone. The page holds its
    pictures and needs no network. Raises InputError if there is no round, OptionError for ``n`` below 1.
    """
    if n < 1:
        raise OptionError(f"A sample of {n} rounds shows nothing; ask for at least one.")
    if not rows:
        raise InputError("No round was kept, so there is none to check.")
    out, pictures = Path(out), Thumbnails(_WIDTH, _MOST, _QUALITY)
    chosen = sampled(rows, n, seed)
    rounds = [
        (row, _picture(row["image"], _places(out, root), pictures), _result(row, root, pictures)) for row in chosen
    ]
    script = (Path(__file__).parent / "templates" / "check.js").read_text(encoding="utf-8")
    text = environment().get_template("check.html").render(
        rounds=rounds,
        total=len(rows),
        lights=get_args(Light),
        header=",".join(HEADER),
        least=min(n, len(rows)) // 2,
        script=Markup(script),  # noqa: S704 - a file of ours
        # Only this script may run, whatever else gets into the page.
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )  # fmt: skip
    return write_text(out / NAME, text)


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


def _places(out: Path, root: Path | None) -> list[Path]:
    return [out / IMAGES] if root is None else [out / IMAGES, root]


def _result(row: Mapping[str, Any], root: Path | None, pictures: Thumbnails) -> Thumbnail:
    if root is None:
        return Thumbnail(problem="name the folder of the collected rounds to see it")
    return _picture(row["result"], [root], pictures)


def _picture(name: str, folders: Sequence[Path], pictures: Thumbnails) -> Thumbnail:
    """The picture of that name in the first folder that has it; a name that leads out of a folder has none."""
    if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts or "\0" in name:
        return Thumbnail(problem="outside of the folder")
    there = [folder / name for folder in folders if (folder / name).is_file()]
    return pictures.of(there[0] if there else folders[-1] / name)
