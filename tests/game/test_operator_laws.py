"""Every exported operator of the family keeps the laws; one that is exported without a case fails the first test."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import operators
from dataflow_ext import Operator
from dataflow_ext.codec import encode
from dataflow_ext.models import ScriptedModel
from dataflow_ext.testing import check_operator
from operators import (
    CorrectCardFinder,
    EasyR1Writer,
    EpisodeMemory,
    EpisodeReader,
    LightColorReader,
    OCRNumberExtractor,
    ProblemBuilder,
    RoundChecker,
)
from operators.game.rounds import Box, CardChange, Look, Point, Reading
from tests.game.easyr1.data_sets import picture, row
from tests.game.easyr1.data_sets import table as examples
from tests.game.test_episode_reader import drawn, entry, table, wrote
from tests.game.test_problem_builder import rounds as read_rounds
from tests.scan.test_scanned_books import Steady

#: An operator, its table, and how many of the rows live.
Case = tuple[Operator, pa.Table, int]


def reader(folder: Path) -> Case:
    good = wrote(folder / "phone" / "e_metadata.json", [entry(1), entry(1), entry(None, "b")])
    bad = wrote(folder / "phone" / "f_metadata.json", b"{")
    empty = wrote(folder / "phone" / "g_metadata.json", [])
    pictures = drawn(folder / "tablet", "question_1.png", "result_1.png", "question_2.png")
    return EpisodeReader(), table(folder, [good], [bad], pictures, [empty]), 3


def builder(folder: Path) -> Case:
    return ProblemBuilder(), read_rounds(([5, 8, 3], "GREEN", 1), ([5, 8], "RED", 1), ([1, 1, 1], "RED", 0)), 2


def shots(folder: Path) -> pa.Table:
    """Three rounds whose pictures show no game, and one without its pictures."""
    names = ["a", "b", "c"]
    for number, name in enumerate(names):
        picture(folder / f"{name}_question.png", number)
        picture(folder / f"{name}_result.png", number + 100)
    columns = {
        what: [str(folder / f"{name}_{what}.png") for name in (*names, "gone")] for what in ("question", "result")
    }
    boxes = encode([None] * 4, list[Box] | None)
    return pa.table({**columns, "cards": boxes, "selected": pa.array([None] * 4, pa.int64())})


def numbers(folder: Path) -> Case:
    return (
        OCRNumberExtractor(engine=Steady(), model=ScriptedModel({"": "[5, 8, 3]"})),
        shots(folder).select(["question"]),
        3,
    )


def light(folder: Path) -> Case:
    return LightColorReader(model=ScriptedModel({"": "GREEN"})), shots(folder), 3


def card(folder: Path) -> Case:
    return CorrectCardFinder(model=ScriptedModel({"": "1"})), shots(folder), 3


def known(folder: Path) -> pa.Table:
    """Four rounds that were read surely; the third contradicts the rule, the last has no pictures."""
    source = shots(folder)
    values = {"numbers": ([5, 8, 3], list[int]), "light": ("GREEN", str), "card": (1, int)}
    for name, (value, annotation) in values.items():
        column = [value] * 4 if name != "card" else [1, 1, 0, 1]
        look = Look("rule", "", 0.99, "as it was made")
        readings = encode([Reading("rule", 0.99, "as it was made", [look])] * 4, Reading)
        source = source.append_column(name, encode(column, annotation)).append_column(f"{name}_read", readings)
    return source


def memory(folder: Path) -> Case:
    nothing = {"lamp": Box | None, "marks": list[CardChange] | None, "clicked": Point | None}
    source = known(folder)
    for name, annotation in nothing.items():
        source = source.append_column(name, encode([None] * 4, annotation))
    for name, column in {"device": ["phone"] * 4, "episode": ["e"] * 4, "round": [1, 2, 3, 4]}.items():
        source = source.append_column(name, [column])
    return EpisodeMemory(engine=Steady()), source, 3


def checker(folder: Path) -> Case:
    source = known(folder)
    readers = {
        "numbers_reader": OCRNumberExtractor(engine=Steady()),
        "light_reader": LightColorReader(),
        "card_finder": CorrectCardFinder(),
    }
    return RoundChecker(rule="number-game", **readers), source, 3


def writer(folder: Path) -> Case:
    made = [row(folder / "raw", f"phone/{n}.png", n, "train" if n else "test") for n in range(4)]
    (folder / "raw" / "phone" / "3.png").unlink()
    return EasyR1Writer(out=folder / "out"), examples(made), 3


CASES: dict[str, Callable[[Path], Case]] = {
    "EpisodeReader": reader,
    "OCRNumberExtractor": numbers,
    "LightColorReader": light,
    "CorrectCardFinder": card,
    "EpisodeMemory": memory,
    "RoundChecker": checker,
    "ProblemBuilder": builder,
    "EasyR1Writer": writer,
}


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.game.")}
    found = {name for name in homes if issubclass(getattr(operators, name), Operator)}
    assert found - set(CASES) == set()


@pytest.mark.parametrize("name", CASES)
def test_the_operator_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, source, rows = CASES[name](tmp_path)
    assert type(operator).__name__ == name
    assert check_operator(operator, source).num_rows == rows
    assert operator.apply(source).rejects.num_rows > 0, "the table has a row that is rejected"
