"""Numbers of a reasoning: given, computed, or from nowhere."""

import pytest

from operators.onevision.checking.material import Material
from operators.onevision.checking.numbers import equation_check, number_check
from operators.verify.arithmetic import equations_in

DESCRIPTION = "A bar chart of sales: May 40 units, June 55 units, July 25 units. A stick of 3 m stands beside R1 = 4 Ω."


def state(thinking: str, reasoning: str = "", question: str = "How many units were sold?") -> str:
    row = {
        "question": question,
        "image_formal_description": DESCRIPTION,
        "original_reasoning": reasoning,
    }
    return number_check(Material.of(row), thinking, equations_in(thinking)).state


@pytest.mark.parametrize(
    "thinking",
    [
        "May has 40 units and June 55.",
        "Together May and June make 40 + 55 = 95 units.",
        "May has 40 and June 55 units; the sum of both is 95.",
        "The three months 40, 55 and 25 have an average of 40.",
        "The total of 40, 55 and 25 is 120, so the mean is 120 ÷ 3 = 40.",
        "June exceeds July, 55 against 25, a difference of 30.",
        "July has 25 of 40 units that May has, a share of 62.5%.",
        "The stick of 3 m is 300 cm long when converted.",
        "1. May has 40 units.\n2. June has 55 units.",
        "Step 7: May has 40 units.",
        "It is fifty-five in June.",
        "五月有40个单位，六月有55个单位，一共95个。",
        "Between these two points lie 55 - 40 = 15 units.",
    ],
)
def test_given_and_computed_numbers_pass(thinking):
    assert state(thinking) == "passed"


@pytest.mark.parametrize(
    "thinking",
    [
        "May has 47 units and June 55.",
        "May has 40 units and June 65; July has 25.",
        "As June has 55 units, about 700 people came.",
        "R1 = 7 Ω is the only resistor.",
        "The stick is 8 m tall.",
        "五月有40个单位，六月有58个单位。",
        "First 40 + 55 = 95, that is 91 units.",
    ],
)
def test_numbers_from_nowhere_fail(thinking):
    assert state(thinking) == "failed"


def test_numbers_that_only_the_source_has_are_open_where_the_picture_was_read():
    row = {"question": "How much?", "original_reasoning": "The tax is 19 percent.", "ocr_by": "rapidocr"}

    def said(percent: int, **more: object) -> str:
        thinking = f"The tax of {percent} percent is added."
        return number_check(Material.of({**row, **more}), thinking, []).state

    assert [said(19), said(19, ocr_by="not run"), said(17)] == ["unsure", "passed", "failed"]


@pytest.mark.parametrize(
    "thinking",
    [
        "May has 40 units. As 1 m has 100 cm, the stick of 3 m has 300 cm.",
        "By the sine of its angle the stick reaches 3 × 0.866 ≈ 2.6 m.",
        "The chart is divided into three parts.",
        "图中一共分成三块，五月是40个单位。",
        "May has 40 of all 120 units, so it takes roughly 33%.",
        "With a circle of radius 3 m around it the area is about 28.3 m².",
        "The expression 3(x − 4) is 3x − 12.",
        "May has 31 days and 40 units.",
        "If it sold 700 units a year it would be a shop; May has 40.",
        "The legs are $\\sqrt{3^2 + 4^2} = \\sqrt{9 + 16} = 5$ m.",
        "The train runs from 08:00 to 12:28. That takes 4 hours and 28 minutes.",
    ],
)
def test_what_everybody_knows_and_what_no_source_contradicts_is_no_failure(thinking):
    times = "A train leaves at 08:00 and arrives at 12:28."
    assert state(thinking, question=f"How many of the 120 units? {times}") in ("passed", "unsure")


def equations_state(thinking: str) -> str:
    return equation_check(equations_in(thinking)).state


@pytest.mark.parametrize("thinking", ["6×3=17元", "117.6/2=58.9", "0.5 × 8 × 2.5 = 12", "2 A + 5 A = 6 A"])
def test_false_arithmetic_fails(thinking):
    assert equations_state(thinking) == "failed"


@pytest.mark.parametrize(
    "thinking", ["(50 − 40)/40 = 25%", "2ab + 2ab = 4ab", "5x - 2x = 3x", "72 km/h = 20 m/s", "x + y = z"]
)
def test_true_and_open_equations_pass(thinking):
    assert equations_state(thinking) == "passed"


@pytest.mark.parametrize(
    ("thinking", "expected"),
    [
        ("The first leg lasts 40 minutes (10:20 to 11:00).", "passed"),
        ("The first leg lasts 45 minutes (10:20 to 11:00).", "failed"),
        ("From 10:20 to 11:50 an hour and a half passes, that is 1 hour 30 minutes.", "passed"),
        ("第一段从10:20到11:50，共一个半小时。", "passed"),
        ("第一段从10:20到11:50，共两个半小时。", "failed"),
    ],
)
def test_times_are_computed_with(thinking, expected):
    question = "How long is it from 10:20 to 11:00, and to 11:50?"
    assert state(thinking, question=question) == expected
