"""What the three readers share: rules look first, the model where they are unsure, and every look is on record."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pytest

from dataflow_ext import OptionError, Result, run
from dataflow_ext.models import ModelError, RefusedError, Request, ScriptedModel, TimedOutError
from dataflow_ext.prompt import Prompt
from operators.game.light_reader import LightColorReader
from operators.game.output.run_rounds import verdict
from operators.game.picture_reader import PictureReader, Row
from operators.game.rounds import (
    Box,
    Found,
    Light,
    LightUnsure,
    Look,
    NumbersUnsure,
    PictureDamaged,
    Reading,
    UnsureError,
)
from prompts import GameLightPrompt, GameNumbersPrompt
from tests.game.easyr1.data_sets import picture

SURE, UNSURE = 0.9, 0.6
NOTHING = (None, 0.0)


class Lamp(PictureReader):
    """Sees in each picture what ``sees`` says of its name."""

    inputs: ClassVar[Any] = {"question": Path}
    outputs: ClassVar[Any] = {"light": Light | None, "light_read": Reading}
    value: ClassVar[str] = "light"
    error: ClassVar[type[UnsureError]] = LightUnsure
    prompt: Prompt = GameLightPrompt()

    sees: Mapping[str, tuple[str | None, float]]

    def look(self, row: Row) -> Found:
        return self._seen(row["question"].stem)

    def read_reply(self, text: str) -> Any:
        return LightColorReader().read_reply(text)

    def _seen(self, name: str) -> Found:
        if name == "torn":
            raise PictureDamaged("the picture is torn.")
        if name == "uninstalled":
            raise OptionError("the package is not installed.")
        light, confidence = self.sees[name]
        return Found(light, Look("colour", light or "", confidence, "a blob" if light else "nothing like a lamp"))


class Cards(PictureReader):
    """Sees 5 and 3 on the outer cards, and nothing that is sure in the middle."""

    inputs: ClassVar[Any] = {"question": Path}
    outputs: ClassVar[Any] = {"numbers": list[int] | None, "cards": list[Box] | None, "numbers_read": Reading}
    value: ClassVar[str] = "numbers"
    error: ClassVar[type[UnsureError]] = NumbersUnsure
    prompt: Prompt = GameNumbersPrompt()

    def look(self, row: Row) -> Found:
        look = Look("ocr", "5 ? 3", 0.0, "the middle card has no number")
        return Found(None, look, columns={"cards": None}, parts=(5, None, 3))

    def read_reply(self, text: str) -> Any:
        return [int(number) for number in text.split()]

    def contradicts(self, found: Found, answer: Any) -> bool:
        return any(part not in (None, said) for part, said in zip(found.parts, answer, strict=True))


def shots(folder: Path, *names: str) -> pa.Table:
    for number, name in enumerate(names):
        picture(folder / f"{name}.png", number)
    return pa.table({"row_id": names, "question": [str(folder / f"{name}.png") for name in names]})


def told(reader: PictureReader, table: pa.Table) -> dict[str, tuple[Any, ...]]:
    """By round: value, who saw it, how surely and why, the looks' values in order, and the model's part; or why not."""
    result = reader.apply(table)
    rows: dict[str, tuple[Any, ...]] = {}
    for row in result.table.to_pylist():
        read = row[f"{reader.value}_read"]
        looks = [(look["by"], look["value"], look["confidence"]) for look in read["looks"]]
        rows[row["row_id"]] = (row[reader.value], read["by"], read["confidence"], read["reason"], looks, verdict(read))
    for reject in result.rejects.to_pylist():
        rows[reject["row_id"]] = (reject["error"], reject["message"])
    assert len(rows) == table.num_rows
    return rows


def test_without_a_model_what_is_sure_is_used_and_the_rest_is_rejected_with_what_was_seen(tmp_path: Path) -> None:
    reader = Lamp(sees={"sure": ("RED", SURE), "unsure": ("RED", UNSURE), "dark": NOTHING})
    assert told(reader, shots(tmp_path, "sure", "unsure", "dark")) == {
        "sure": ("RED", "colour", SURE, "a blob", [("colour", "RED", SURE)], None),
        "unsure": ("LightUnsure", "a blob (confidence 0.60); no model was there to ask."),
        "dark": ("LightUnsure", "nothing like a lamp (confidence 0.00); no model was there to ask."),
    }


def test_unsure_values_can_be_kept_for_later_steps_and_so_can_rounds_without_a_value(tmp_path: Path) -> None:
    reader = Lamp(sees={"unsure": ("RED", UNSURE), "dark": NOTHING}, unsure="keep")
    assert told(reader, shots(tmp_path, "unsure", "dark")) == {
        "unsure": ("RED", "colour", UNSURE, "a blob", [("colour", "RED", UNSURE)], None),
        "dark": (None, "colour", 0.0, "nothing like a lamp", [("colour", "", 0.0)], None),
    }


def test_the_model_is_asked_about_unsure_rounds_alone_with_the_prompt_and_the_picture(tmp_path: Path) -> None:
    model = ScriptedModel(lambda request: "RED")
    reader = Lamp(sees={"sure": ("RED", SURE), "unsure": ("RED", UNSURE), "dark": NOTHING}, model=model)
    assert told(reader, shots(tmp_path, "sure", "unsure", "dark")) == {
        "sure": ("RED", "colour", SURE, "a blob", [("colour", "RED", SURE)], None),
        "unsure": (
            "RED",
            "vlm",
            0.95,
            "the model agrees with the rules",
            [("colour", "RED", UNSURE), ("vlm", "RED", 0.95)],
            "agreed",
        ),
        "dark": (
            "RED",
            "vlm",
            0.85,
            "the model's answer, as the rules were unsure: nothing like a lamp",
            [("colour", "", 0.0), ("vlm", "RED", 0.85)],
            "alone",
        ),
    }
    asked = {(call.prompt, call.images) for call in model.calls}
    assert asked == {(GameLightPrompt().text, (str(tmp_path / f"{name}.png"),)) for name in ("unsure", "dark")}


def test_a_model_that_sees_another_value_than_an_unsure_look_is_believed_and_the_disagreement_stays(
    tmp_path: Path,
) -> None:
    reader = Lamp(sees={"unsure": ("RED", UNSURE)}, model=ScriptedModel({"": "GREEN"}))
    assert told(reader, shots(tmp_path, "unsure")) == {
        "unsure": (
            "GREEN",
            "vlm",
            0.85,
            "the model's answer, as the rules were unsure: a blob",
            [("colour", "RED", UNSURE), ("vlm", "GREEN", 0.85)],
            "disagreed",
        )
    }


def test_asked_first_a_model_that_agrees_changes_nothing_and_one_that_differs_leaves_the_round_in_doubt(
    tmp_path: Path,
) -> None:
    table = shots(tmp_path, "sure")
    agreeing = Lamp(sees={"sure": ("RED", SURE)}, vlm_first=True, model=ScriptedModel({"": "RED"}))
    assert told(agreeing, table) == {
        "sure": ("RED", "colour", SURE, "a blob", [("vlm", "RED", 0.95), ("colour", "RED", SURE)], "agreed")
    }
    differing = Lamp(sees={"sure": ("RED", SURE)}, vlm_first=True, model=ScriptedModel({"": "GREEN"}))
    assert told(differing, table) == {"sure": ("LightUnsure", "the rules saw RED, the model GREEN (confidence 0.50).")}
    kept = Lamp(sees={"sure": ("RED", SURE)}, vlm_first=True, unsure="keep", model=ScriptedModel({"": "GREEN"}))
    assert told(kept, table) == {
        "sure": (
            "GREEN",
            "vlm",
            0.5,
            "the rules saw RED, the model GREEN",
            [("colour", "RED", SURE), ("vlm", "GREEN", 0.5)],
            "disagreed",
        )
    }


@pytest.mark.parametrize("reply", ["", "3", "RED or GREEN", "I think that the light is red.", "[5, 8, 3]"])
def test_a_reply_of_no_use_is_asked_for_once_more_and_leaves_things_as_the_rules_saw_them(
    reply: str, tmp_path: Path
) -> None:
    model = ScriptedModel({"": reply})
    reader = Lamp(sees={"sure": ("RED", SURE), "unsure": ("RED", UNSURE)}, vlm_first=True, model=model)
    rows = told(reader, shots(tmp_path, "sure", "unsure"))
    assert rows["sure"] == ("RED", "colour", SURE, "a blob", [("vlm", "", 0.0), ("colour", "RED", SURE)], "unreadable")
    error, message = rows["unsure"]
    assert error == "LightUnsure"
    assert message.startswith("a blob (confidence 0.60); the model's reply cannot be used: ")
    assert repr(reply) in message
    assert len(model.calls) == 4, "each question, and one that says what was wrong with the reply"


def test_a_card_that_is_sure_by_itself_speaks_against_a_model_that_sees_another_number_on_it(tmp_path: Path) -> None:
    table = shots(tmp_path, "a")
    assert told(Cards(model=ScriptedModel({"": "5 8 3"})), table) == {
        "a": (
            [5, 8, 3],
            "vlm",
            0.85,
            "the model's answer, as the rules were unsure: the middle card has no number",
            [("ocr", "5 ? 3", 0.0), ("vlm", "5 8 3", 0.85)],
            "agreed",
        )
    }
    assert told(Cards(model=ScriptedModel({"": "5 8 4"})), table) == {
        "a": ("NumbersUnsure", "the rules saw 5 ? 3, the model 5 8 4 (confidence 0.50).")
    }


@pytest.mark.parametrize("error", [TimedOutError("no reply in 5 s."), RefusedError("I would rather not.")])
def test_a_round_whose_question_got_no_reply_is_a_reject_with_the_reason(error: ModelError, tmp_path: Path) -> None:
    model = ScriptedModel(lambda request: error if "late" in str(request.images) else "GREEN")
    reader = Lamp(sees={"late": ("RED", UNSURE), "unsure": ("GREEN", UNSURE)}, model=model, unsure="keep")
    rows = told(reader, shots(tmp_path, "late", "unsure"))
    assert rows["late"] == (type(error).__name__, str(error))
    assert rows["unsure"][:2] == ("GREEN", "vlm")


def late_at_first(folder: Path) -> ScriptedModel:
    """A model that answers about ``slow`` only once there is a file ``awake`` beside the picture."""

    def answer(request: Request) -> str | Exception:
        [image] = request.images
        slow = "slow" in str(image) and not Path(str(image)).with_name("awake").exists()
        return TimedOutError("no reply in 5 s.") if slow else "GREEN"

    return ScriptedModel(answer)


def test_a_time_out_is_not_remembered_and_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    table = shots(tmp_path / "shots", "quick", "slow")
    model = late_at_first(tmp_path)
    reader = Lamp(sees={"quick": ("GREEN", UNSURE), "slow": ("GREEN", UNSURE)}, model=model)

    def once() -> Result:
        return run([reader], table, cache_dir=tmp_path / "cache")

    first = once()
    assert first.table["row_id"].to_pylist() == ["quick"]
    assert [(r["error"], r["message"]) for r in first.rejects.to_pylist()] == [("TimedOutError", "no reply in 5 s.")]
    assert [stop.rows for stop in first.report.stopped] == [1]
    (tmp_path / "shots" / "awake").touch()
    second = once()
    assert second.table["row_id"].to_pylist() == ["quick", "slow"]
    assert second.report.stopped == []
    assert [Path(str(call.images[0])).stem for call in model.calls] == ["quick", "slow", "slow"]


def test_one_damaged_picture_costs_no_other_round_its_value(tmp_path: Path) -> None:
    names = ["a", "b", "torn", "c", "d"]
    reader = Lamp(sees=dict.fromkeys(names, ("RED", SURE)))
    rows = told(reader, shots(tmp_path, *names))
    assert rows.pop("torn") == ("PictureDamaged", "the picture is torn.")
    assert {row[0] for row in rows.values()} == {"RED"}


def test_a_package_that_is_not_there_fails_the_step_and_not_its_rounds(tmp_path: Path) -> None:
    reader = Lamp(sees={"a": ("RED", SURE)})
    with pytest.raises(OptionError, match=r"the package is not installed\."):
        reader.apply(shots(tmp_path, "a", "uninstalled"))
