"""ProblemBuilder: the problem and the answer to the letter, and templates that cannot be filled."""

from typing import get_args

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext import OptionError
from dataflow_ext.testing import check_operator
from operators.game.problem_builder import ProblemBuilder
from operators.game.rounds import Light


def rounds(*rows: tuple[list[int | None] | None, str | None, int | None]) -> pa.Table:
    numbers, lights, cards = zip(*rows, strict=True)
    return pa.table(
        {
            "numbers": pa.array(numbers, pa.list_(pa.int64())),
            "light": pa.array(lights, pa.string()),
            "card": pa.array(cards, pa.int64()),
        }
    )


def test_the_problem_and_the_answer_are_as_the_format_wants_them_to_the_letter():
    table = rounds(([5, 8, 3], "GREEN", 1), ([10, 10, -2], "YELLOW", 0), ([7, 7, 7], "RED", 2), ([1, 2], "RED", 0))
    assert check_operator(ProblemBuilder(), table).select(["problem", "answer"]).to_pylist() == [
        {"problem": "<image>Light: GREEN. Numbers: 5, 8, 3. Select the correct one.", "answer": "1"},
        {"problem": "<image>Light: YELLOW. Numbers: 10, 10, -2. Select the correct one.", "answer": "0"},
        {"problem": "<image>Light: RED. Numbers: 7, 7, 7. Select the correct one.", "answer": "2"},
    ]


def test_a_round_that_is_none_is_a_reject_that_says_why():
    table = rounds(
        ([5, 8], "GREEN", 1),
        ([], "GREEN", 1),
        ([1, 2, 3, 4, 5, 6], "RED", 1),
        ([5, None, 3], "GREEN", 1),
        ([5, 8, 3], "GREEN", 3),
        ([5, 8, 3], "GREEN", -1),
        ([5, 8, 3], "BLUE", 1),
        ([5, 8, 3], None, 1),
    )
    rejects = ProblemBuilder().apply(table).rejects
    assert rejects.select(["error", "message"]).to_pylist() == [
        {"error": "RowError", "message": "a round has three numbers, this one has 2 (5, 8)"},
        {"error": "RowError", "message": "a round has three numbers, this one has none"},
        {"error": "RowError", "message": "a round has three numbers, this one has 6 (1, 2, 3, 4, 5, …)"},
        {"error": "RowError", "message": "a round has three numbers, this one has 3 (5, null, 3)"},
        {"error": "RowError", "message": "the correct card is 0, 1 or 2, not 3"},
        {"error": "RowError", "message": "the correct card is 0, 1 or 2, not -1"},
        {
            "error": "ValueTypeError",
            "message": rejects["message"][6].as_py(),
        },
        {"error": "RowError", "message": "column 'light' is null"},
    ]
    assert "BLUE" in rejects["message"][6].as_py()


def test_a_template_may_leave_fields_out_and_have_braces():
    table = rounds(([5, 8, 3], "RED", 2))
    for template, problem in (
        ("Play. <image>", "Play. <image>"),
        ("<image>{numbers} {{json}}", "<image>5, 8, 3 {json}"),
        ("红绿灯：{light}<image>", "红绿灯：RED<image>"),
    ):
        assert ProblemBuilder(template=template)(table)["problem"].to_pylist() == [problem]


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("Light: {light}", "it has <image> 0 times"),
        ("<image><image>", "it has <image> 2 times"),
        ("<image>{colour}", "it has the field {colour}; there are {light} and {numbers}"),
        ("<image>{light.__class__}", "it has the field {light.__class__}"),
        ("<image>{numbers[0]}", "it has the field {numbers[0]}"),
        ("<image>{light!r:>9}", "it has the field {light!r:>9}"),
        ("<image>{}", "it has the field {}"),
        ("<image>{0}", "it has the field {0}"),
        ("<image>{light", "its braces do not pair"),
        ("<image>}", "its braces do not pair"),
    ],
)
def test_a_template_that_no_round_can_fill_is_refused_when_the_operator_is_made(template, why):
    with pytest.raises(OptionError) as caught:
        ProblemBuilder(template=template)
    assert str(caught.value).startswith(f"ProblemBuilder: option 'template': {why}")


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=3, max_size=3),
    st.sampled_from(get_args(Light)),
    st.integers(0, 2),
)
def test_numbers_light_and_card_can_be_read_back(numbers, light, card):
    made = ProblemBuilder().row(numbers, light, card)
    head, _, rest = made["problem"].removeprefix("<image>Light: ").partition(". Numbers: ")
    assert (head, [int(n) for n in rest.removesuffix(". Select the correct one.").split(", ")]) == (light, numbers)
    assert made["answer"] == str(card)
