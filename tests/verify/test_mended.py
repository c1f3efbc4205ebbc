"""Pairs of several solutions and counted things; options without marks; arithmetic that holds."""

import pytest

from operators.verify.arithmetic import equations_in
from operators.verify.equivalence import equivalent
from operators.verify.options import options_in
from tests.verify.honest import HONEST
from tests.verify.pairs_mended import PAIRS


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " | ".join(pair[:3]))
def test_pairs_are_judged_either_way_round(pair: tuple[str, str, str, str]) -> None:
    one, other, question, verdict = pair
    found = equivalent(one, other, question=question), equivalent(other, one, question=question)
    assert [each.verdict for each in found] == [verdict, verdict]


@pytest.mark.parametrize("line", HONEST.strip().splitlines())
@pytest.mark.parametrize("before", ["", "步骤1：", "So ", "因此"])
def test_honest_arithmetic_is_never_said_not_to_hold(line: str, before: str) -> None:
    assert [claim for claim in equations_in(before + line) if claim.holds is False] == []


def test_a_wrong_sum_behind_a_bullet_is_still_found() -> None:
    claims = equations_in("* 3 × (4 + 1) = 16\n10 × (10 + 1) ÷ 2 = 65")
    assert [claim.holds for claim in claims] == [False, False]


@pytest.mark.parametrize(
    ("question", "letters"),
    [
        ("Which solid is it? A cube B cylinder C sphere", "ABC"),
        ("这是什么图形？A 立方体 B 圆柱 C 球", "ABC"),
        ("这是什么图形？\nA立方体 B圆柱 C球 D圆锥", "ABCD"),
        ("Is it far? A man and B are near C town", ""),
        ("Which is it? A cube B cylinder", ""),
        ("In triangle A B C, which angle is largest?", ""),
        ("Which is it, in plane A with B on C side?", ""),
        ("What do you see? A cat sat. B saw C too.", ""),
    ],
)
def test_options_without_marks_are_three_at_least_behind_the_question(question: str, letters: str) -> None:
    assert "".join(option.letter for option in options_in(question)) == letters
