"""Labels that people wrote: the page to check rounds by eye, and the files it saves."""

from __future__ import annotations

import csv
import io
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from dataflow_ext import InputError, OptionError
from dataflow_ext.report import Field, Labels, Listing, Page, ShownRow, write_report
from dataflow_ext.report.parts import Part, Pictures, el, title
from dataflow_ext.tables import as_meant
from operators.game.output.run_rounds import Key, key_of, least_sure, round_name
from operators.game.rounds import Light

#: The columns of a labels file, in the order in which they are written.
HEADER = ("device", "episode", "round", "numbers", "light", "answer")

#: A number has no more digits than this.
_DIGITS = 9
_BETWEEN = re.compile(r"[\s,;，；、-]+")


@dataclass(frozen=True, slots=True)
class Label:
    """What a person saw in a round; None where nothing was written down."""

    numbers: tuple[int, int, int] | None = None
    light: str | None = None
    answer: str | None = None

    def __bool__(self) -> bool:
        return (self.numbers, self.light, self.answer) != (None, None, None)


def read_labels(path: Path) -> dict[Key, Label]:
    """The labels in a CSV file, by round; rounds without any are left out.

    Its first line names the columns, in any order: ``device``, ``episode``, ``round``, and of ``numbers``
    (``5 8 3``, ``5,8,3`` or ``5-8-3``), ``light`` (GREEN, RED or YELLOW in any case) and ``answer`` (0, 1
    or 2) those that there are; others are passed over. An empty cell is not labelled. Commas, semicolons
    and tabs divide cells. Raises InputError, with the line, for the first row that cannot be understood.
    """
    labels: dict[Key, Label] = {}
    for line, row in _rows(Path(path)):
        key, label = _key(row, path, line), _label(row, path, line)
        if labels.setdefault(key, label) != label:
            told = f"device {key[0]}, episode {key[1]}, round {key[2]}"
            raise InputError(f"{path}, line {line}: {told} was labelled otherwise further up; keep one of the two.")
    return {key: label for key, label in labels.items() if label}


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows with the line where each ends, cells by column."""
    text = _text(path)
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        _check_header(names, path)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(names) and any(cell.strip() for cell in cells[len(names) :]):
                raise InputError(
                    f"{path}, line {reader.line_num}: {len(cells)} cells under {len(names)} columns; "
                    'write numbers as 5 8 3, or in quotes: "5,8,3".'
                )
            cells += [""] * (len(names) - len(cells))
            yield reader.line_num, {name: cell.strip() for name, cell in zip(names, cells, strict=False)}
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not CSV ({error}).") from None


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except OSError as error:
        raise InputError(f"The labels {path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise InputError(f"The labels {path} are not UTF-8; save them as “CSV UTF-8”.") from None


def _check_header(names: Sequence[str], path: Path) -> None:
    missing = [name for name in HEADER[:3] if name not in names]
    if not missing and not any(name in names for name in HEADER[3:]):
        missing = ["numbers, light or answer"]
    if missing:
        raise InputError(
            f"The labels {path} have no column {missing[0]}; their first line must name the columns: "
            f"{','.join(HEADER)}."
        )
    if twice := [name for name in HEADER if names.count(name) > 1]:
        raise InputError(f"The labels {path} have two columns {twice[0]}; keep one.")


def _key(row: Mapping[str, str], path: Path, line: int) -> Key:
    number = _whole(row["round"])
    if not row["device"] or not row["episode"] or number is None:
        raise InputError(
            f"{path}, line {line}: device {row['device'][:60]!r}, episode {row['episode'][:60]!r}, round "
            f"{row['round'][:60]!r} name no round; give all three, the round as a whole number."
        )
    return as_meant(row["device"]), as_meant(row["episode"]), number


def _label(row: Mapping[str, str], path: Path, line: int) -> Label:
    wanted = {"numbers": "three whole numbers such as 5 8 3", "light": "GREEN, RED or YELLOW", "answer": "0, 1 or 2"}
    made = {"numbers": _numbers, "light": _light, "answer": _answer}
    values = {name: make(row[name]) if row.get(name) else None for name, make in made.items()}
    for name, value in values.items():
        if value is None and row.get(name):
            raise InputError(f"{path}, line {line}: {name} {row[name][:60]!r} should be {wanted[name]}, or empty.")
    return Label(**values)  # type: ignore[arg-type]


def _numbers(cell: str) -> tuple[int, int, int] | None:
    found = [_whole(part) for part in _BETWEEN.split(cell.strip("[]() "))]
    match found:
        case [int(left), int(middle), int(right)]:
            return left, middle, right
    return None


def _light(cell: str) -> str | None:
    return cell.upper() if cell.upper() in get_args(Light) else None


def _answer(cell: str) -> str | None:
    number = _whole(cell)
    return str(number) if number in (0, 1, 2) else None


def _whole(cell: str) -> int | None:
    cell = cell.strip()
    return int(cell) if cell.isdecimal() and len(cell) <= _DIGITS else None


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
    key = key_of(row)
    result: Part = el("div", "name the folder of the collected rounds to see it", look="lost")
    if root is not None:
        result = pictures.of(_found(row["result"], [root]), "result")
    shots = el("div", pictures.of(_found(row["image"], folders), "question"), result, look="shots pair")
    told = {"numbers": " ".join(map(str, row["numbers"])), "light": row["light"], "answer": str(row["answer"])}
    labels = dict(zip(HEADER[:3], map(str, key), strict=True)) | told
    name, said = "/".join(map(str, key)), el("div", title(round_name(key)), look="said")
    return ShownRow(name, [shots, said], {"round": round_name(key)}, labels=labels)


def _found(name: str, folders: Sequence[Path]) -> Path:
    """The file of that name in the first folder that has it; a name that leads out of a folder is not shown."""
    if PurePosixPath(name).is_absolute() or "\0" in name:
        return Path("/")
    there = [folder / name for folder in folders if (folder / name).is_file()]
    return (there[0] if there else folders[-1] / name).absolute()
