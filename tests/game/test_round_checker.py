"""RoundChecker: what it lets through as it is, what it asks, what people know better, and what it rejects."""

from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from PIL import Image

from dataflow_ext import Result, run
from dataflow_ext.codec import encode
from dataflow_ext.models import Model, OpenAIModel, Request, ScriptedModel, TimedOutError
from operators import CorrectCardFinder, LightColorReader, OCRNumberExtractor, RoundChecker
from operators.game.output.labels import Label
from operators.game.output.run_rounds import verdict
from operators.game.rounds import Box, Evidence, Look, Reading, told
from tests.loopback import Body, Loopback

NUMBERS, LIGHT, CARD = "three number cards in this", "color is the traffic light", "marked as the CORRECT"


def checker(model: Model | None = None, **options: Any) -> RoundChecker:
    readers = {
        "numbers_reader": OCRNumberExtractor(model=model),
        "light_reader": LightColorReader(model=model),
        "card_finder": CorrectCardFinder(model=model),
    }
    return RoundChecker(**{"rule": "number-game", **readers, **options})


def seen(
    numbers: Sequence[int] = (5, 8, 3), light: str = "GREEN", card: int = 1, n: float = 0.95, li: float = 0.95,
    c: float = 0.95, by: str = "ocr", lit: str = "colour", marked: str = "difference",
) -> dict[str, Any]:  # fmt: skip
    """A round as the readers hand it on; how sure they are of numbers, light and card is ``n``, ``li`` and ``c``."""
    values = {"numbers": list(numbers), "light": light, "card": card}
    looks = {
        "numbers": Look(by, told(values["numbers"]), n, f"seen by {by}"),
        "light": Look(lit, light, li, f"seen by {lit}"),
        "card": Look(marked, told(card), c, f"seen by {marked}"),
    }
    readings = {f"{k}_read": Reading(look.by, look.confidence, look.reason, [look]) for k, look in looks.items()}
    return {**values, **readings}


def table(rounds: Sequence[Mapping[str, Any]], question: Path, result: Path) -> pa.Table:
    types = {"numbers": list[int], "light": str, "card": int}
    types |= dict.fromkeys(("numbers_read", "light_read", "card_read"), Reading)
    columns = {name: encode([each[name] for each in rounds], kind) for name, kind in types.items()}
    return pa.table(
        {
            "row_id": [f"r{number}" for number in range(len(rounds))],
            "question": [str(question)] * len(rounds),
            "result": [str(result)] * len(rounds),
            "cards": encode([each.get("cards") for each in rounds], list[Box] | None),
            **columns,
        }
    )


@pytest.fixture
def blank(tmp_path: Path) -> Callable[..., pa.Table]:
    """Rounds on pictures that show nothing at all, but each question in a grey of its own."""
    result = tmp_path / "result.png"
    Image.new("RGB", (300, 200), "#808080").save(result)

    def made(*rounds: Mapping[str, Any]) -> pa.Table:
        questions = [tmp_path / f"question_{number}.png" for number in range(len(rounds))]
        for number, question in enumerate(questions):
            Image.new("RGB", (300, 200), (100 + number,) * 3).save(question)
        on_one = table(rounds, result, result)
        return on_one.set_column(on_one.column_names.index("question"), "question", [list(map(str, questions))])

    return made


def outcomes(operator: RoundChecker, rounds: pa.Table) -> list[tuple[Any, ...]]:
    """Of each round what it is used as and how the rule judged it, or the error and its message."""
    result = operator.apply(rounds)
    found: dict[str, tuple[Any, ...]] = {
        r["row_id"]: (r["numbers"], r["light"], r["card"], r["rule_read"]) for r in result.table.to_pylist()
    }
    found |= {r["row_id"]: (r["error"], r["message"]) for r in result.rejects.to_pylist()}
    return [found[name] for name in rounds["row_id"].to_pylist()]


CONTRADICTION = (
    "RoundContradiction",
    "the numbers 5 8 3 and the light GREEN ask for card 1, but card 2 is marked as the right one.",
)


def test_a_round_that_is_sure_and_goes_by_the_rule_is_used_without_another_look_at_its_pictures() -> None:
    gone = Path("not there")
    assert outcomes(checker(), table([seen()], gone, gone)) == [([5, 8, 3], "GREEN", 1, "agrees")]


def test_a_rule_that_the_sure_rounds_bear_out_is_applied_to_all(blank: Callable[..., pa.Table]) -> None:
    good, bad = seen(), seen(card=2)
    rounds = blank(*[good] * 14, bad)
    operator = checker(rule="auto")
    assert operator.evidence(rounds) == Evidence(14, 15)
    assert outcomes(operator, rounds) == [([5, 8, 3], "GREEN", 1, "agrees")] * 14 + [CONTRADICTION]


def test_copies_of_a_picture_bear_the_rule_out_once(blank: Callable[..., pa.Table]) -> None:
    rounds = blank(*[seen()] * 20)
    copies = rounds.set_column(
        rounds.column_names.index("question"), "question", [rounds["question"].to_pylist()[:1] * 20]
    )
    assert checker(rule="auto").evidence(copies) == Evidence(1, 1)


def test_a_rule_that_too_few_rounds_bear_out_is_not_applied(blank: Callable[..., pa.Table]) -> None:
    rounds = blank(*[seen()] * 8, *[seen(light="YELLOW", n=0.5)] * 9)
    operator = checker(rule="auto")
    assert operator.evidence(rounds) == Evidence(8, 8), "unsure rounds are no evidence"
    assert outcomes(operator, rounds)[:8] == [([5, 8, 3], "GREEN", 1, "not applied")] * 8


def test_another_games_rounds_pass_if_they_are_sure(blank: Callable[..., pa.Table]) -> None:
    rounds = blank(seen(card=2), seen(card=2, c=0.5))
    assert outcomes(checker(rule="none"), rounds) == [
        ([5, 8, 3], "GREEN", 2, "not applied"),
        ("CardUnsure", "seen by difference (2, confidence 0.50)."),
    ]
    many = blank(*[seen(card=2)] * 20)
    assert outcomes(checker(rule="auto"), many) == [([5, 8, 3], "GREEN", 2, "not applied")] * 20


def test_a_contradiction_that_stays_is_rejected(blank: Callable[..., pa.Table]) -> None:
    assert outcomes(checker(), blank(seen(card=2))) == [CONTRADICTION]


def test_the_rule_settles_one_unsure_light_or_card_and_no_more(blank: Callable[..., pa.Table]) -> None:
    rounds = blank(seen(li=0.4), seen(c=0.4), seen(li=0.4, c=0.4), seen(n=0.4))
    assert outcomes(checker(), rounds) == [
        ([5, 8, 3], "GREEN", 1, "agrees, which settles the unsure light"),
        ([5, 8, 3], "GREEN", 1, "agrees, which settles the unsure card"),
        ("LightUnsure", "seen by colour (GREEN, confidence 0.40)."),
        ("NumbersUnsure", "seen by ocr (5 8 3, confidence 0.40)."),
    ]


def test_a_guess_that_happens_to_go_by_the_rule_is_not_settled_by_it(blank: Callable[..., pa.Table]) -> None:
    rounds = blank(seen(li=0.2), seen(c=0.3), seen(light="RED", li=0.02))
    assert outcomes(checker(), rounds) == [
        ("LightUnsure", "seen by colour (GREEN, confidence 0.20)."),
        ("CardUnsure", "seen by difference (1, confidence 0.30)."),
        ("LightUnsure", "seen by colour (RED, confidence 0.02)."),
    ]
    assert outcomes(checker(model=scripted()), rounds) == [([5, 8, 3], "GREEN", 1, "agrees, after asking a model")] * 3


def scripted(numbers: str = "[5, 8, 3]", light: str = "GREEN", card: str = "1") -> ScriptedModel:
    return ScriptedModel({NUMBERS: numbers, LIGHT: light, CARD: card})


def test_what_rules_and_model_both_see_is_sure(blank: Callable[..., pa.Table]) -> None:
    model = scripted()
    rounds = blank(seen(n=0.4, li=0.4, c=0.4), seen())
    assert outcomes(checker(model=model), rounds) == [
        ([5, 8, 3], "GREEN", 1, "agrees, after asking a model"),
        ([5, 8, 3], "GREEN", 1, "agrees"),
    ]
    shown = [Path(str(call.images[0])).name for call in model.calls]
    assert shown == ["question_0.png", "question_0.png", "result.png"], "one round asked about, three questions"


def test_a_dispute_is_settled_by_the_rule_for_the_model_or_against_it(blank: Callable[..., pa.Table]) -> None:
    [row] = checker(model=scripted()).apply(blank(seen(light="RED"))).table.to_pylist()
    assert (row["light"], row["rule_read"]) == ("GREEN", "agrees, after asking a model")
    assert [row["light_read"][name] for name in ("by", "confidence", "reason")] == [
        "vlm",
        0.85,
        "the rules saw RED, the model GREEN, and the game's rule allows the one",
    ]
    [row] = checker(model=scripted(card="2")).apply(blank(seen(li=0.4, c=0.4))).table.to_pylist()
    assert (row["card"], row["rule_read"]) == (1, "agrees, after asking a model")
    assert row["card_read"]["looks"][-2:] == [
        {"by": "vlm", "value": "2", "confidence": 0.5, "reason": "the model sees another than the difference"},
        {
            "by": "rule",
            "value": "1",
            "confidence": 0.85,
            "reason": "the rules saw 1, the model 2, and the game's rule allows the one",
        },
    ]
    [row] = checker(model=scripted("[9, 8, 3]")).apply(blank(seen(n=0.4))).table.to_pylist()
    assert (row["numbers"], row["rule_read"]) == ([5, 8, 3], "agrees, after asking a model")
    assert verdict(row["numbers_read"]) == "disagreed"


@pytest.mark.parametrize(
    ("round_", "model", "ending"),
    [
        (seen(card=2), scripted(), None),
        (seen(card=2), scripted(light="YELLOW"), ("RoundContradiction", "; the model saw light YELLOW, card 1.")),
        (seen(n=0.4), scripted("[5, 9, 3]"), ("NumbersUnsure", "; the model saw numbers 5 9 3.")),
        (seen(card=2), scripted(card="2"), ("RoundContradiction", "card 2 is marked as the right one.")),
    ],
    ids=["settled", "two disputes", "both may be", "the model sees the same contradiction"],
)
def test_a_dispute_that_the_rule_does_not_settle_is_rejected_with_what_the_model_saw(
    round_: Mapping[str, Any], model: ScriptedModel, ending: tuple[str, str] | None, blank: Callable[..., pa.Table]
) -> None:
    [outcome] = outcomes(checker(model=model), blank(round_))
    if ending is None:
        assert outcome == ([5, 8, 3], "GREEN", 1, "agrees, after asking a model")
    else:
        assert (outcome[0], outcome[1][-len(ending[1]) :]) == ending


def test_without_the_rule_no_dispute_is_settled(blank: Callable[..., pa.Table]) -> None:
    rounds = blank(seen(c=0.5), seen(card=2, c=0.5))
    assert outcomes(checker(rule="none", model=scripted()), rounds) == [
        ([5, 8, 3], "GREEN", 1, "not applied, after asking a model"),
        ("CardUnsure", "seen by difference (2, confidence 0.50); the model saw card 1."),
    ]


def test_a_models_own_value_gets_no_surer_by_asking_it_again(blank: Callable[..., pa.Table]) -> None:
    disputed = seen(n=0.5, by="vlm")
    assert outcomes(checker(model=scripted()), blank(disputed)) == [
        ("NumbersUnsure", "seen by vlm (5 8 3, confidence 0.50).")
    ]


def by_model(numbers: Sequence[int], light: str, card: int, **other: Any) -> dict[str, Any]:
    """A round whose numbers a model alone saw, and whose light it saw otherwise than the rules."""
    made = seen(numbers, light, card, n=0.85, by="vlm", **other)
    return {**made, "light_read": Reading("vlm", 0.5, "seen otherwise", [Look("vlm", light, 0.5, "seen otherwise")])}


def test_what_a_model_says_is_not_settled_by_what_it_says_of_another_value(blank: Callable[..., pa.Table]) -> None:
    lie = by_model((17, 3, 8), "YELLOW", 2)  # the lamp is red, and the numbers are 1, 3 and 8
    assert outcomes(checker(), blank(lie)) == [("LightUnsure", "seen otherwise (YELLOW, confidence 0.50).")]
    same = scripted("[17, 3, 8]", "YELLOW", "2")
    assert outcomes(checker(model=same), blank(lie)) == [("LightUnsure", "seen otherwise (YELLOW, confidence 0.50).")]
    contradicting = seen((17, 3, 8), "RED", 2, n=0.85, li=0.5, by="vlm")
    assert outcomes(checker(model=same), blank(contradicting)) == [
        (
            "RoundContradiction",
            "the numbers 17 3 8 and the light RED ask for card 1, but card 2 is marked as the right one; "
            "the model saw light YELLOW.",
        )
    ]


def test_a_models_numbers_are_sure_enough_to_settle_what_the_rules_saw(blank: Callable[..., pa.Table]) -> None:
    assert outcomes(checker(), blank(seen(n=0.85, li=0.4, by="vlm"))) == [
        ([5, 8, 3], "GREEN", 1, "agrees, which settles the unsure light")
    ]


@pytest.mark.parametrize("reply", ["", "The numbers are five, eight and three.", "3", "[5, 8]"])
def test_unreadable_replies_leave_the_round_as_it_was(reply: str, blank: Callable[..., pa.Table]) -> None:
    model = scripted(numbers=reply, light=reply, card=reply)
    assert outcomes(checker(model=model), blank(seen(card=2))) == [CONTRADICTION]
    assert len(model.calls) == 6, "each question twice, the second time with what is wrong with the reply"


def test_an_unreadable_reply_is_on_record_where_the_other_answers_settle_the_round(
    blank: Callable[..., pa.Table],
) -> None:
    [row] = checker(model=scripted(light="no idea")).apply(blank(seen(n=0.4))).table.to_pylist()
    assert row["rule_read"] == "agrees, after asking a model"
    assert [verdict(row[name]) for name in ("numbers_read", "light_read")] == ["agreed", "unreadable"]


def test_only_the_readers_that_have_a_model_ask_it(blank: Callable[..., pa.Table]) -> None:
    model = scripted()
    operator = checker(numbers_reader=OCRNumberExtractor(model=model))
    assert outcomes(operator, blank(seen(n=0.4))) == [([5, 8, 3], "GREEN", 1, "agrees, after asking a model")]
    assert [NUMBERS in call.prompt for call in model.calls] == [True]


def test_a_time_out_rejects_its_round_alone_and_is_not_remembered(
    blank: Callable[..., pa.Table], tmp_path: Path
) -> None:
    def answer(request: Request) -> str | Exception:
        late = CARD in request.prompt and not (tmp_path / "awake").exists()
        return TimedOutError("no reply in 5 s.") if late else {NUMBERS: "[5, 8, 3]", LIGHT: "GREEN"}.get(
            next(key for key in (NUMBERS, LIGHT, CARD) if key in request.prompt), "1"
        )  # fmt: skip

    model, rounds = ScriptedModel(answer), blank(seen(card=2), seen())

    def once() -> Result:
        return run([checker(model=model)], rounds, cache_dir=tmp_path / "cache")

    first = once()
    assert first.table["row_id"].to_pylist() == ["r1"]
    assert [(r["error"], r["message"]) for r in first.rejects.to_pylist()] == [("TimedOutError", "no reply in 5 s.")]
    assert [stop.rows for stop in first.report.stopped] == [1]
    (tmp_path / "awake").touch()
    second = once()
    assert [(r["row_id"], r["card"]) for r in second.table.to_pylist()] == [("r0", 1), ("r1", 1)]
    assert (second.rejects.num_rows, second.report.stopped) == (0, [])
    assert [CARD in call.prompt for call in model.calls] == [False, False, True, True, True]
    assert len({call.images for call in model.calls[3:]}) == 2, "what the model alone sees is asked for in two framings"


def test_the_verdict_on_a_round_does_not_depend_on_the_order_of_the_rounds(blank: Callable[..., pa.Table]) -> None:
    rounds = blank(*[seen()] * 14, seen(card=2), seen(li=0.4), seen(n=0.4))
    operator = checker(rule="auto")
    assert outcomes(operator, rounds)[::-1] == outcomes(operator, rounds.take(list(range(17))[::-1]))


def labelled(*labels: tuple[int, Label]) -> tuple[tuple[tuple[str, str, int], Label], ...]:
    return tuple((("phone", "e", number), label) for number, label in labels)


def test_what_a_person_wrote_down_is_true_and_what_the_machine_saw_is_told_beside_it(
    blank: Callable[..., pa.Table],
) -> None:
    rounds = blank(seen(), seen(n=0.4), seen(), seen(n=0.4))
    for name, values in {"device": ["phone"] * 4, "episode": ["e"] * 4, "round": [0, 1, 2, 3]}.items():
        rounds = rounds.append_column(name, [values])
    labels = labelled(
        (0, Label((5, 8, 2), "GREEN", "1")), (1, Label((6, 8, 3), "GREEN", "1")), (3, Label(light="GREEN"))
    )
    result = checker(labels=labels).apply(rounds)
    assert [(row["numbers"], row["rule_read"], row["machine"]) for row in result.table.to_pylist()] == [
        ([5, 8, 2], "a person's labels", {"numbers": [5, 8, 3], "light": "GREEN", "card": 1}),
        ([6, 8, 3], "a person's labels", None),
        ([5, 8, 3], "agrees", None),
    ]
    assert [reject["error"] for reject in result.rejects.to_pylist()] == ["NumbersUnsure"], (
        "its light alone was labelled"
    )


CARDS = [(30.0, 80.0, 90.0, 140.0), (120.0, 80.0, 180.0, 140.0), (210.0, 80.0, 270.0, 140.0)]


def shown_in(body: Body) -> Image.Image:
    [url] = [part["image_url"]["url"] for message in body["messages"] if isinstance(message["content"], list)
             for part in message["content"] if part["type"] == "image_url"]  # fmt: skip
    return Image.open(BytesIO(b64decode(url.partition(",")[2])))


def test_of_a_model_that_is_the_only_witness_a_lie_is_used_only_if_it_tells_it_in_both_framings(
    blank: Callable[..., pa.Table], tmp_path: Path
) -> None:
    dice, rounds = Random(3), 100

    def said() -> list[int]:
        """The numbers of one reply; a fifth of them are lies, of which there are few, so that some agree."""
        return [5, 9, 3] if dice.random() < 0.1 else [5, 7, 3] if dice.random() < 1 / 9 else [5, 8, 3]

    first, second = [said() for _ in range(rounds)], [said() for _ in range(rounds)]

    def reply(body: Body) -> str:
        picture = shown_in(body)
        assert picture.size == (282, 102), "the cards, with what stands around them"
        return str(second[picture.convert("L").tobytes()[0] - 100])

    alone = [{**seen(numbers, n=0.85, by="vlm"), "cards": CARDS} for numbers in first]
    with Loopback(reply) as server:
        model = OpenAIModel(name="m", base_url=server.url, api_key_env="", max_retries=0)
        made = outcomes(checker(model, rule="none"), blank(*alone))
    used = {i: each[0] for i, each in enumerate(made) if len(each) > 2}
    assert used == {i: numbers for i, numbers in enumerate(first) if second[i] == numbers}
    wrong = [i for i, numbers in enumerate(first) if numbers != [5, 8, 3]]
    assert (len(server.calls), len(wrong)) == (rounds, 20)
    assert [i for i in used if i in wrong] == [i for i in wrong if first[i] == second[i]]
    assert next(each for i, each in enumerate(made) if i in wrong and i not in used) == (
        "NumbersUnsure",
        "only the model told 5 7 3; asked once more, with the cards by themselves, it saw 5 8 3.",
    )


@pytest.mark.parametrize(
    ("alone", "model", "ending"),
    [
        ({"li": 0.85, "lit": "vlm"}, "RED", "only the model told GREEN; asked once more, with the screen without its "
         "cards, it saw RED."),
        ({"c": 0.85, "marked": "vlm"}, "2", "only the model told 1; asked once more, with the cards by themselves, it "
         "saw 2."),
    ],
)  # fmt: skip
def test_a_light_and_a_card_that_only_the_model_saw_are_asked_for_twice_too(
    alone: dict[str, Any], model: str, ending: str, blank: Callable[..., pa.Table]
) -> None:
    asked = scripted(light=model) if "lit" in alone else scripted(card=model)
    rounds = blank({**seen(**alone), "cards": CARDS})
    assert [each[1] for each in outcomes(checker(asked), rounds)] == [ending]
    [call] = asked.calls
    [picture] = call.images
    assert isinstance(picture, bytes)
    assert Image.open(BytesIO(picture)).size == ((300, 200) if "lit" in alone else (282, 102))
