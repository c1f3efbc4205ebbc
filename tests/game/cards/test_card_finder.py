"""CorrectCardFinder: pictures of files, replies of models, and what becomes of rounds that are unsure."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from dataflow_ext.codec import encode
from dataflow_ext.models import ScriptedModel
from operators.game.card_finder import CorrectCardFinder
from operators.game.rounds import Box
from tests.game.cards.drawn import CARDS, GREEN, RED, picture


def rounds(folder: Path, *results: dict | str, boxes=CARDS) -> pa.Table:
    """A table of rounds: marks for a result picture that is drawn, or a word for one that is not as it should be."""
    questions, shown = [], []
    for i, marks in enumerate(results):
        questions.append(str(folder / f"{i}_question.png"))
        shown.append(str(folder / f"{i}_result.png"))
        Image.fromarray(picture()).save(questions[-1])
        if marks == "missing":
            continue
        Image.fromarray(picture(marks={} if isinstance(marks, str) else marks)).save(shown[-1])
        if marks == "cut":
            Path(shown[-1]).write_bytes(Path(shown[-1]).read_bytes()[:1500])
    count = len(results)
    return pa.table(
        {
            "question": questions,
            "result": shown,
            "cards": encode([boxes] * count, list[Box] | None),
            "selected": pa.array([None] * count, pa.int64()),
        }
    )


def test_the_card_comes_with_the_look_that_found_it(tmp_path):
    out = CorrectCardFinder()(rounds(tmp_path, {2: ("fill", GREEN)}, {0: ("tick", GREEN), 1: ("cross", RED)}))
    assert out["card"].to_pylist() == [2, 0]
    reason = "card 2 turned green, card 0 is as before, card 1 is as before"
    look = {"by": "difference", "value": "2", "confidence": 0.97, "reason": reason}
    read = {"by": "difference", "confidence": 0.97, "reason": reason, "looks": [look]}
    assert out["card_read"].to_pylist()[0] == read


def test_without_boxes_the_cards_are_found(tmp_path):
    out = CorrectCardFinder()(rounds(tmp_path, {1: ("border", GREEN)}, boxes=None))
    assert out["card"].to_pylist() == [1]


def test_each_round_that_cannot_be_told_is_a_reject_with_its_reason(tmp_path):
    table = rounds(tmp_path, {1: ("fill", GREEN)}, "missing", "cut", "same", {0: ("cross", RED)})
    out = CorrectCardFinder().apply(table)
    assert out.table["card"].to_pylist() == [1]
    rejects = [(r["error"], r["message"].replace(f"{tmp_path}/", "")) for r in out.rejects.to_pylist()]
    assert [error for error, _ in rejects] == ["PictureMissing", "PictureDamaged", "CardUnsure", "CardUnsure"]
    assert rejects[0][1] == "The picture 1_result.png is not there; collect the round again, or take it out."
    assert rejects[2][1] == (
        "the cards look the same in both pictures; the result picture marks none (confidence 0.00); "
        "no model was there to ask."
    )
    assert rejects[3][1] == (
        "the right card is not marked: card 0 turned red, card 1 is as before, card 2 is as before (confidence 0.20); "
        "no model was there to ask."
    )


def test_a_model_is_asked_about_the_result_picture_where_the_look_is_unsure(tmp_path):
    seen: list[tuple[str, ...]] = []

    def answer(request) -> str:
        seen.append(tuple(map(str, request.images)))
        return "2"

    table = rounds(tmp_path, {1: ("fill", GREEN)}, {0: ("cross", RED)})
    out = CorrectCardFinder(model=ScriptedModel(answer))(table)
    assert out["card"].to_pylist() == [1, 2]
    assert [read["by"] for read in out["card_read"].to_pylist()] == ["difference", "vlm"]
    assert seen == [(str(tmp_path / "1_result.png"),)]


@pytest.mark.parametrize(
    ("reply", "card"),
    [("0", 0), ("1", 1), ("2", 2), (" 1\n", 1), ("**2**", 2), ('"0"', 0), ("1.", 1), ("`2`", 2), ("“1”", 1)],
)
def test_a_strict_reply_is_one_index(reply, card):
    assert CorrectCardFinder().read_reply(reply) == card


@pytest.mark.parametrize(
    "reply", ["", "3", "-1", "12", "1 2", "0, 1", "1.5", "the middle one", "The answer is 1", "１", "²", "one", "[1]"]
)
def test_any_other_reply_is_refused_with_what_is_wanted(reply):
    with pytest.raises(ValueError, match="is not the position of one card; answer 0, 1 or 2 alone"):
        CorrectCardFinder().read_reply(reply)


@pytest.mark.parametrize(
    ("reply", "card"), [("The answer is 1.", 1), ("2", 2), ("position 3, no, 0", 0), ("12", 1), ("Card 42", 2)]
)
def test_the_seeds_parser_takes_the_first_index_anywhere(reply, card):
    assert CorrectCardFinder(parser="seed").read_reply(reply) == card


def test_the_seeds_parser_refuses_what_holds_no_index():
    with pytest.raises(ValueError, match="'the left one' is not the position of one card"):
        CorrectCardFinder(parser="seed").read_reply("the left one")
