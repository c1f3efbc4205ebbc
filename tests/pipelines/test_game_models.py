"""Whole runs of ``game_annotate`` with a model that answers well, late and badly: no wrong row gets in unseen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dataflow_ext import Result, run
from dataflow_ext.models import OpenAIModel
from examples.game_screens import MadeRound, make_rounds
from examples.game_screens.game import LIGHTS
from operators.game.output.run_rounds import Rounds
from operators.game.output.stats import RuleFigures, stats
from operators.game.picture_reader import PictureReader, Row
from operators.game.rounds import Found, agrees
from pipelines.game_annotate import episodes, pipeline
from tests.loopback import Body, Fault, Loopback
from tests.pipelines.game_sets import Eyes, Key, KnowingEngine, answer, key_of

ROUNDS = 12
#: Cards that OCR overlooks, by the round's place in the set, and the round whose lamp is not lit.
MISSED: Mapping[int, Sequence[int]] = {0: [1], 1: [0], 2: [0, 1, 2], 3: [0, 1]}
DARK = 10
UNSURE = [*MISSED, DARK]


@dataclass(frozen=True)
class Screens:
    """Rounds of which rules read most, and OCR or the light reader overlook something in five."""

    folder: Path
    made: list[MadeRound]
    engine: KnowingEngine
    eyes: Eyes

    def keys(self, *places: int) -> set[Key]:
        return {key_of(self.made[place]) for place in places}


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Screens:
    folder = tmp_path_factory.mktemp("screens")
    made = make_rounds(folder, rounds=ROUNDS, seed=5, devices=["desktop"])
    replace(made[DARK].recipe, lamp=False).store(folder)
    engine = KnowingEngine.of(folder, made, {key_of(made[place]): cards for place, cards in MISSED.items()})
    return Screens(folder, made, engine, Eyes.on(folder, made))


@pytest.fixture(scope="module")
def looked() -> dict[str, Any]:
    """What the rules have found in the pictures so far."""
    return {}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, looked: dict[str, Any]) -> None:
    """Short waits between tries, and each picture is looked at by rules once for all tests."""
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)
    look = PictureReader._looked

    def once(reader: PictureReader, rows: Sequence[Row]) -> list[Found | Exception]:
        key = f"{type(reader).__name__} {rows!r}"
        if key not in looked:
            looked[key] = look(reader, rows)
        found: list[Found | Exception] = looked[key]
        return found

    monkeypatch.setattr(PictureReader, "_looked", once)


def annotate(screens: Screens, server: Loopback, cache: Path, **options: Any) -> Result:
    timeout = options.pop("timeout", 60.0)
    model = OpenAIModel(name="m", base_url=server.url, api_key_env="", max_retries=0, timeout=timeout)
    steps = pipeline(model, engine=screens.engine, **{"rule": "number-game", **options})
    return run(steps, episodes(screens.folder), cache_dir=cache)


def figures(result: Result, root: Path) -> dict[str, Any]:
    """The figures of the run as ``annotation_stats.json`` has them."""
    rounds = Rounds(result.after(1), result.after(5), result.table, result.rejects, root)
    return stats(rounds, rule=RuleFigures("number-game", True), seed=0, test_share=0.2)


def rows_of(result: Result) -> dict[Key, dict[str, Any]]:
    return {(row["device"], row["episode"], row["round"]): row for row in result.table.to_pylist()}


def right(row: Mapping[str, Any], made: MadeRound) -> bool:
    game = made.recipe.game
    return (row["numbers"], row["light"], row["card"]) == (list(game.numbers), game.light, game.answer)


def model_counts(result: Result, root: Path) -> dict[str, dict[str, int]]:
    fields = figures(result, root)["fields"]
    return {name: {k: n for k, n in field["model"].items() if n} for name, field in fields.items()}


def test_a_model_that_answers_well_is_asked_only_where_the_rules_are_unsure_and_once(
    screens: Screens, tmp_path: Path
) -> None:
    with Loopback(screens.eyes) as server:
        result = annotate(screens, server, tmp_path)
        again = annotate(screens, server, tmp_path)
    asked = sorted(
        (screens.made.index(made), what) for made, what in (screens.eyes.asked(c.body) for c in server.calls)
    )
    once = [(0, "numbers"), (1, "numbers"), (2, "numbers"), (3, "numbers"), (DARK, "light")]
    assert asked == sorted([*once, *once]), "what the model alone sees is asked in two framings"
    rows = rows_of(result)
    assert [right(rows[key_of(made)], made) for made in screens.made] == [True] * ROUNDS
    counts = model_counts(result, screens.folder)
    assert counts["numbers"] == {"asked": 4, "agreed": 3, "alone": 1}
    assert counts["light"] in ({"asked": 1, "alone": 1}, {"asked": 1, "disagreed": 1}), "a blob may look like a lamp"
    assert counts["card"] == {}
    assert again.table.equals(result.table)


def test_asked_first_a_model_that_answers_well_agrees_with_all_that_rules_see(screens: Screens, tmp_path: Path) -> None:
    with Loopback(screens.eyes) as server:
        result = annotate(screens, server, tmp_path, vlm_first=True)
        annotate(screens, server, tmp_path, vlm_first=True)
    assert len(server.calls) == 3 * ROUNDS + len(UNSURE)
    rows = rows_of(result)
    assert [right(rows[key_of(made)], made) for made in screens.made] == [True] * ROUNDS
    counts, dark = model_counts(result, screens.folder), {"asked": ROUNDS, "agreed": ROUNDS - 1}
    assert counts["numbers"] == {"asked": ROUNDS, "agreed": ROUNDS - 1, "alone": 1}
    assert counts["light"] in ({**dark, "alone": 1}, {**dark, "disagreed": 1}), "a blob may look like a lamp"
    assert counts["card"] == {"asked": ROUNDS, "agreed": ROUNDS}


def test_rounds_whose_replies_come_too_late_are_counted_rejects_and_good_in_the_next_run(
    screens: Screens, tmp_path: Path
) -> None:
    late = screens.keys(0, 2)

    def slow(number: int, body: Body) -> Fault | None:
        return Fault("slow", seconds=20.0) if key_of(screens.eyes.asked(body)[0]) in late else None

    with Loopback(screens.eyes, fault=slow) as server:
        first = annotate(screens, server, tmp_path, timeout=5.0)
        asked = len(server.calls)
        server.fault = lambda number, body: None
        second = annotate(screens, server, tmp_path, timeout=5.0)
        questions = [(key_of(made), what) for made, what in (screens.eyes.asked(call.body) for call in server.calls)]
    assert set(rows_of(first)) == {key_of(made) for made in screens.made} - late
    assert figures(first, screens.folder)["rejects"] == [
        {
            "operator": "OCRNumberExtractor",
            "error": "TimedOutError",
            "kind": "failed",
            "count": 2,
            "example": f"desktop/episode_001, round 1: {first.rejects['message'][0].as_py()}",
        }
    ]
    assert [stop.rows for stop in first.report.stopped] == [2]
    rows = rows_of(second)
    assert [right(rows[key_of(made)], made) for made in screens.made] == [True] * ROUNDS
    assert (second.rejects.num_rows, second.report.stopped, asked) == (0, [], 5 + 3), (
        "unsure ones, and what only the model saw once more"
    )
    left = [(key, "numbers") for key in late for framing in range(2)]
    assert sorted(questions[asked:]) == sorted(left), "what was answered is not asked again"


@pytest.mark.parametrize(
    ("reply", "vlm_first"),
    [
        ("The lamp is green, so the numbers are five, eight and three, and the first card is right.", True),
        ("[5, 8] and 0 or 1, GREEN or RED", True),
        ("3", False),
        ("", False),
    ],
    ids=["prose", "two values", "3", "empty"],
)
def test_replies_of_no_use_leave_the_data_as_the_rules_alone_make_it(
    reply: str, vlm_first: bool, screens: Screens, tmp_path: Path
) -> None:
    with Loopback(lambda body: reply) as server:
        result = annotate(screens, server, tmp_path, vlm_first=vlm_first)
    rows, sure = rows_of(result), [made for place, made in enumerate(screens.made) if place not in UNSURE]
    assert set(rows) == {key_of(made) for made in sure}
    assert [right(rows[key_of(made)], made) for made in sure] == [True] * len(sure)
    lost = {(r["operator"], r["error"]): r for r in figures(result, screens.folder)["rejects"]}
    assert lost.pop(("RoundChecker", "NumbersUnsure"))["count"] == 4
    [(dark, reject)] = lost.items()
    assert (dark, reject["count"]) == (("RoundChecker", "LightUnsure"), 1)
    counts = model_counts(result, screens.folder)
    asked = {"numbers": ROUNDS, "light": ROUNDS, "card": ROUNDS} if vlm_first else {"numbers": 4, "light": 1, "card": 0}
    assert counts == {what: {"asked": n, "unreadable": n} if n else {} for what, n in asked.items()}


def unknowable(row: Mapping[str, Any], made: MadeRound, place: int) -> bool:
    """Whether nothing that was seen speaks against a wrong row, and its record says that a model alone saw it.

    A well-formed lie about cards on which OCR saw nothing cannot be told from the truth if the rule asks for the
    same card with it. All else can: light and card follow from the numbers and each other.
    """
    game = made.recipe.game
    false = [i for i in range(3) if row["numbers"][i] != game.numbers[i]]
    others = (row["light"], row["card"]) == (game.light, game.answer)
    hidden = bool(false) and set(false) <= set(MISSED.get(place, ()))
    return (
        others and hidden and agrees(row["numbers"], row["light"], row["card"]) and row["numbers_read"]["by"] == "vlm"
    )


def no_wrong_row(screens: Screens, result: Result) -> None:
    rows = rows_of(result)
    assert len(rows) + result.rejects.num_rows == ROUNDS, "no round is lost"
    for place, made in enumerate(screens.made):
        row = rows.get(key_of(made))
        assert row is None or right(row, made) or unknowable(row, made, place), (made.label, row)


def of_another(screens: Screens) -> Callable[[MadeRound, str], str]:
    """What is true of the next round."""
    return lambda made, asked: answer(screens.made[(screens.made.index(made) + 1) % ROUNDS], asked)


def by_chance(seed: int, share: float) -> Callable[[MadeRound, str], str | None]:
    """Well-formed answers without any ground, to a share of the questions; the same question, the same answer."""

    def lie(made: MadeRound, asked: str) -> str | None:
        dice = Random(f"{seed}/{made.label}/{asked}")
        if dice.random() >= share:
            return None
        numbers = list(made.recipe.game.numbers)
        numbers[dice.randrange(3)] = dice.randint(1, 99)
        return {"numbers": str(numbers), "light": dice.choice(LIGHTS), "card": str(dice.randrange(3))}[asked]

    return lie


@pytest.mark.parametrize("vlm_first", [False, True])
def test_another_rounds_values_get_into_no_row(vlm_first: bool, screens: Screens, tmp_path: Path) -> None:
    with Loopback(screens.eyes.lying(of_another(screens))) as server:
        result = annotate(screens, server, tmp_path, vlm_first=vlm_first)
    no_wrong_row(screens, result)
    kept = set(rows_of(result))
    sure = {key_of(made) for place, made in enumerate(screens.made) if place not in UNSURE}
    assert vlm_first or kept >= sure, "lies about unsure rounds cost no sure one"


@pytest.mark.parametrize("seed", range(2))
def test_lies_about_some_rounds_get_into_no_row_that_can_be_told_from_the_truth(
    seed: int, screens: Screens, tmp_path: Path
) -> None:
    lies = by_chance(seed, share=0.4)
    with Loopback(screens.eyes.lying(lies)) as server:
        result = annotate(screens, server, tmp_path, vlm_first=True)
    no_wrong_row(screens, result)
    numbers = [lies(made, "numbers") for made in screens.made]
    lied = sum(n is not None and n != answer(made, "numbers") for n, made in zip(numbers, screens.made, strict=True))
    assert lied > 0
    assert server.outcomes == ["ok"] * len(server.calls)
    questions = [str(call.body["messages"]) for call in server.calls]
    assert len(questions) == len(set(questions)), "nothing is paid for twice, by the checker either"


def test_a_lie_that_nothing_speaks_against_is_marked_as_the_models_own(screens: Screens, tmp_path: Path) -> None:
    made = screens.made[0]
    left, middle, right_ = made.recipe.game.numbers
    lie = [left, middle + 1, right_]
    assert agrees(lie, made.recipe.game.light, made.recipe.game.answer), "the lie goes by the rule"

    def lies(about: MadeRound, asked: str) -> str | None:
        return str(lie) if about is made and asked == "numbers" else None

    with Loopback(screens.eyes.lying(lies)) as server:
        row = rows_of(annotate(screens, server, tmp_path))[key_of(made)]
    assert row["numbers"] == lie, "OCR overlooked that card, and a person could not tell either without the picture"
    assert (row["numbers_read"]["by"], row["numbers_read"]["confidence"]) == ("vlm", 0.85)
