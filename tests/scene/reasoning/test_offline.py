"""What rules write about a turn: true, in form, in five styles, and always the same."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from dataflow_ext import RowError
from operators.scene.reasoning import offline
from operators.scene.reasoning.offline import written_text
from operators.scene.reasoning.phrases import PHRASES
from operators.scene.reasoning.truth import problems_of
from operators.scene.reasoning.turn import turns_of
from operators.scene.reasoning.voice import Voice
from operators.scene.records import TurnText
from tests.scene.finished import CHAIN, add
from tests.scene.reasoning.rooms import BED, TURNS, chain_of, room, turn_of


def texts(kind: str, template: str, count: int = 6) -> list[TurnText]:
    return [written_text(TURNS[kind], template, random.Random(seed)) for seed in range(count)]


@pytest.mark.parametrize("template", "ABCDE")
@pytest.mark.parametrize("kind", TURNS)
def test_every_kind_of_turn_is_told_truly_in_every_style(kind: str, template: str) -> None:
    for text in texts(kind, template, 3):
        assert text.template == template
        assert problems_of(TURNS[kind], text.think, text.conclusion) == []


def test_the_same_draws_give_the_same_text_and_others_give_others() -> None:
    again = written_text(TURNS["move"], "A", random.Random(3))
    assert written_text(TURNS["move"], "A", random.Random(3)) == again
    assert len({text.think for text in texts("move", "A", 12)}) == 12


def test_an_overlap_that_is_solved_is_told_with_its_depth() -> None:
    for template in "ABCDE":
        for text in texts("move", template, 3):
            assert "0.5 m" in text.think
            assert "(1.4, 0, -1.7)" in text.think
            assert text.conclusion.rstrip(".").removesuffix(" now").endswith("move the desk 0.5 m east")


def test_a_move_that_mends_nothing_is_not_said_to_mend_anything() -> None:
    said = " ".join(text.think for template in "ABCDE" for text in texts("move for nothing", template))
    assert "0.2 m" in said
    for claim in ("has to be solved", "is then clear", "clear of the bed", "wastes", "in each other's way"):
        assert claim not in said


def test_the_last_turn_says_that_nothing_is_wrong_only_if_nothing_is() -> None:
    clear, flawed = PHRASES["end.clear"], "0.6 m"
    assert any(phrase in text.think for text in texts("end", "A") for phrase in clear)
    for text in texts("end with a fault", "A"):
        assert flawed in text.think
        assert not any(phrase in text.think for phrase in clear)


def test_questions_are_asked_in_style_c_alone_and_paragraphs_are_kept_to_a_and_c() -> None:
    asked = {template: texts("move", template, 3) for template in "ABCDE"}
    assert all(text.think.count("?") >= 3 for text in asked["C"])
    assert not any("?" in text.think for template in "BDE" for text in asked[template])
    assert {template: {"\n" in text.think for text in told} for template, told in asked.items()} == {
        "A": {True}, "B": {False}, "C": {True}, "D": {False}, "E": {False},
    }  # fmt: skip


def test_a_sentence_that_does_not_pass_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lie = "There are nine wardrobes in the room."
    style = offline.STYLES["D"]
    monkeypatch.setitem(offline.STYLES, "D", lambda matter: [[lie, *style(matter)[0]]])  # type: ignore[arg-type]
    text = written_text(TURNS["move"], "D", random.Random(0))
    assert lie not in text.think
    assert "0.5 m" in text.think


def test_a_turn_about_which_nothing_true_is_left_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(offline.STYLES, "D", lambda matter: [["There are nine wardrobes in the room."]])  # type: ignore[arg-type]
    monkeypatch.setattr(offline, "_SHORT", 0)
    with pytest.raises(RowError, match="No true text could be written about turn 1"):
        written_text(TURNS["move"], "D", random.Random(0))


@pytest.mark.parametrize(
    "desc",
    ["一张现代风格的双人床，配有灰色床罩", "", "  \n\t", "bed " * 200, "{name} 100% <b>bed</b>", "ベッド\u202e\ufeff"],
)
def test_odd_descriptions_break_no_sentence(desc: str) -> None:
    odd = {**BED, "desc": desc}
    call = add(1, {**odd, "desc": desc or " "}, [0.0, 0.0, -0.9])
    for template in "ABCDE":
        text = written_text(turn_of(room(), call, puts=[odd]), template, random.Random(1))
        assert "  " not in text.think
        assert "{" not in text.think


@pytest.mark.parametrize("size", [[0.0, 0.0, 0.0], [0.01, 5.0, 0.01], [300.0, 0.1, 300.0]])
def test_odd_sizes_break_no_sentence(size: list[float]) -> None:
    odd = {**BED, "size": size}
    for template in "ABCDE":
        turn = turn_of(room(), add(1, odd, [0.0, 0.0, 0.0]), puts=[odd])
        text = written_text(turn, template, random.Random(1))
        assert problems_of(turn, text.think, text.conclusion) == []


def test_many_adds_in_a_turn_are_told_in_bounds() -> None:
    things = [{**BED, "jid": f"b{i}", "size": [0.3, 0.3, 0.3]} for i in range(14)]
    calls = [add(i + 1, thing, [-1.5 + i * 0.15, 0.0, 0.0]) for i, thing in enumerate(things)]
    turn = turns_of(chain_of(room(), calls, puts=things).text())[0]
    for template in "AE":
        assert len(written_text(turn, template, random.Random(0)).think.split()) <= 320


def test_a_chain_that_cannot_be_replayed_or_is_none_is_told_in_one_sentence() -> None:
    for text, told in (
        ("{", "holds no chain of edits"),
        ("[]", "holds no chain of edits"),
        ('{"start": {}, "turns": []}', "The chain has no turns."),
        (CHAIN.text().replace('"own-chair","new', '"gone","new'), "The chain cannot be replayed: tool_4"),
    ):
        with pytest.raises(RowError, match=told):
            turns_of(text)


def test_a_text_that_is_too_long_loses_the_ends_of_its_longest_paragraphs() -> None:
    short, long = ["One two three."] * 2, ["One two three four five six seven."] * 60
    kept = offline.bounded([short, long])
    assert (kept[0], len(kept[1])) == (short, 44)


def test_phrasings_come_by_turns() -> None:
    voice = Voice(random.Random(0))
    topic = PHRASES["end.open"]
    assert Counter(voice.say("end.open") for _ in range(2 * len(topic))) == dict.fromkeys(topic, 2)
