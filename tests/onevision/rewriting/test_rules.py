"""Reasonings written by rules, as whole texts, and the laws that each of them keeps."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.onevision.rewriting.rules import rewritten
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent
from operators.verify.extraction import answer_in

STATES = [Option("A", "West Virginia"), Option("B", "Louisiana"), Option("C", "Arizona")]


def row(question: str, description: str, reasoning: str, answer: str, type: str, **more: Any) -> dict[str, Any]:
    return {
        "question": question,
        "options": [],
        "language": "en",
        "image_formal_description": description,
        "formal_code": None,
        "original_reasoning": reasoning,
        "answer": answer,
        "answer_type": type,
        **more,
    }


TENSION = row(
    "如图，小球 A 质量为 6kg，B 为 14kg，系统处于平衡状态，绳子的张力是多少？",
    "The image shows a pulley system with two masses, m=6kg hanging and M=14kg on a table.",
    "首先，我将分析这张图。根据图片描述，小球 A 的质量为 6kg，处于平衡状态。绳子的张力可能等于重力。"
    "张力 T = 6kg × 9.8 m/s² = 58.8 N。所以张力大约是 60 N。",
    "60 N",
    "quantity",
    language="zh",
)
CHART = row(
    "What is the difference between the largest and the smallest bar?",
    "The bar chart has three bars: France 42, Spain 28 and Malta 7. The values are in million tons. The bars are blue.",
    "First, let's identify the values: France 42, Spain 28, Malta 7.\n\n1. **Compare:** The largest is France with 42 and "
    "the smallest is Malta with 7.\n2. The difference is 42 - 7 = 35.\n\nIt is likely that France exports wine.",
    "35",
    "number",
)
RUN = row(
    "What might the woman be preparing for?",
    "The image shows a woman in running shoes who is tying her laces on a track. A stopwatch lies on the ground.",
    "The summary says that a woman is tying her laces. She appears to be tying her laces on a track. This suggests that "
    "she is getting ready. Perhaps she is a champion. Hence, she is likely preparing for a run.",
    "a run",
    "words",
)
MAP = row(
    "Which of these states is farthest north?\nA. West Virginia\nB. Louisiana\nC. Arizona",
    "A map of three states with West Virginia, Louisiana and Arizona in dark green. A compass marks north at the top.",
    "To determine the state farthest north, I need to look at the map. Louisiana is near 31° N. Arizona is at about "
    "34° N. West Virginia is at 39° N. Comparing these, West Virginia appears to be the farthest north.",
    "A",
    "letter",
    options=STATES,
)

DOGS = row(
    "黑色的狗在图片的哪一边？",
    "A park with a bench that is empty, and some dogs.",
    "三只狗里面只有一只是黑色的。它的后面好像有一棵绿色的树，而另外两只狗离树比较远。天气似乎很好。"
    "树在图片的左侧，黑狗也在这一侧，所以黑色的狗大概在左边。",
    "在左边",
    "words",
    language="zh",
)
RADIUS = row(
    "圆的直径是多少厘米？",
    'A circle with its centre and a radius.\nText in the picture, from top to bottom: "r = 5 cm"; "O"; "Fig. 7".',
    "直径等于半径的两倍。从圆心O向右画了一条线段，旁边好像写着r = 5 cm，这应该就是半径，长约为5 cm。因此直径为2×5=10厘米。",
    "10厘米",
    "quantity",
    language="zh",
)
HAWK = row(
    "Name everything that the hawk eats.",
    'The diagram shows a food web. Grass is at the bottom.\nText in the picture, from top to bottom: "Hawk"; "Fox"; '
    '"Frog"; "Rabbit", "Grasshopper"; "Grass".',
    "At the top is the hawk. One arrow comes from the rabbit. A second one appears to come from the frog on the right "
    "side. The paper is probably old. So it eats rabbits and frogs.",
    "Rabbit and frog",
    "list",
)
LAMPS = row(
    "Do the lamps light up in the state shown? Answer yes or no.",
    'A loop with a battery that is full, some lamps and a switch.\nText in the picture, from top to bottom: "S"; "9 V".',
    "A current needs a closed path. The lever of the switch S does not touch the second contact, so it seems to be open. "
    "Because of this gap no current can flow, and the lamps probably remain dark.",
    "No",
    "words",
)

WRITTEN = {
    "labels of a description in another language": (
        TENSION,
        "从图中可以看到标注“m=6kg”和“M=14kg”。小球 A 的质量为 6kg，处于平衡状态。"
        "张力 T = 6kg × 9.8 m/s² = 58.8 N。所以，张力大约是 60 N。",
    ),
    "steps without marks and talk": (
        CHART,
        "The bar chart has three bars: France 42, Spain 28 and Malta 7. The largest is France with 42 and the smallest is "
        "Malta with 7. The difference is 42 - 7 = 35. Therefore, the answer is 35.",
    ),
    "guesses by what bears them out": (
        RUN,
        "In the image, I can see a woman in running shoes who is tying her laces on a track. This suggests that she is "
        "getting ready. Thus, she is preparing for a run. The answer is a run.",
    ),
    "guesses that no step and no answer rests on": (
        DOGS,
        "三只狗里面只有一只是黑色的。树在图片的左侧，黑狗也在这一侧，所以黑色的狗在左边。因此答案是在左边。",
    ),
    "what is read makes a fact of a guess": (
        RADIUS,
        "从图中可以看到标注“r = 5 cm”和“O”。直径等于半径的两倍。从圆心O向右画了一条线段，旁边写着r = 5 cm，"
        "这应该就是半径，长约为5 cm。所以，直径为2×5=10厘米。",
    ),
    "a guess that names a part of the answer": (
        HAWK,
        'The image shows this: Grass is at the bottom. The labels include "Hawk", "Frog" and "Rabbit". At the top is '
        "the hawk. One arrow comes from the rabbit. A second one appears to come from the frog on the right side. So it "
        "eats rabbits and frogs. The answer is Rabbit and frog.",
    ),
    "an answer that is a letter": (
        MAP,
        "The image shows this: A map of three states with West Virginia, Louisiana and Arizona in dark green. A compass marks north at "
        "the top. Louisiana is near 31° N. Arizona is at about 34° N. West "
        "Virginia is at 39° N. Comparing these, West Virginia is the farthest north. So the answer is A.",
    ),
}


@pytest.mark.parametrize("what", WRITTEN)
def test_a_reasoning_reads_like_this(what: str) -> None:
    told, want = WRITTEN[what]
    assert rewritten(told, 3) == want


def test_the_seed_varies_the_wording_and_nothing_else() -> None:
    texts = {rewritten(MAP, seed) for seed in range(12)}
    assert len(texts) > 3
    kept = "Louisiana is near 31° N. Arizona is at about 34° N. West Virginia is at 39° N."
    assert [kept in str(text) for text in texts] == [True] * len(texts)
    assert rewritten(MAP, 5) == rewritten(dict(MAP), 5)


INSUFFICIENT: dict[str, dict[str, Any]] = {
    "no description": {"image_formal_description": "  "},
    "no reasoning": {"original_reasoning": ""},
    "talk and guesses alone": {
        "original_reasoning": "Let's look at the chart. Perhaps Spain is first. It might be so."
    },
    "a bare claim": {"original_reasoning": "The chart is blue. Let's look at it. So the answer is 35."},
    "another language than the question's": {"language": "zh"},
    "a language without rules": {"language": "other"},
    "a source that ends at another number": {"original_reasoning": "42 - 7 = 34. So the answer is 34."},
    "no answer": {"answer": "  "},
    "a page for an answer": {"answer": "35 " * 400},
    "tags for an answer": {"answer": "<answer>"},
}


@pytest.mark.parametrize("what", INSUFFICIENT)
def test_nothing_is_invented(what: str) -> None:
    assert rewritten({**CHART, **INSUFFICIENT[what]}, 0) is None


def test_a_yes_or_no_that_no_step_says_is_left_to_somebody_who_can_tell() -> None:
    assert rewritten(LAMPS, 3) is None


def test_no_answer_is_appended_that_the_steps_do_not_come_to() -> None:
    source = "The battery gives 24 V and the lamp has 12 Ω. The current is 24 / 12 = 2 A. {}"
    for end in ("So the answer is 4 A.", "Thus, the current must be 4 A.", ""):
        told = row("What current flows?", "A battery and a lamp.", source.format(end), "4 A", "quantity")
        assert rewritten(told, 0) is None
    told = row(
        "What current flows?", "A battery and a lamp.", source.format("So the answer is 4 A."), "2 A", "quantity"
    )
    assert rewritten(told, 0) is None
    told = row("What current flows?", "A battery and a lamp.", source.format(""), "2 A", "quantity")
    assert str(rewritten(told, 0)).endswith("The current is 24 / 12 = 2 A. Hence, the answer is 2 A.")


def test_a_source_that_chose_another_option_is_no_reasoning_for_this_one() -> None:
    source = "Louisiana is near 31° N. So the correct option is B."
    assert rewritten({**MAP, "original_reasoning": source}, 0) is None
    named = "West Virginia is at 39° N. So the correct option is West Virginia."
    assert str(rewritten({**MAP, "original_reasoning": named}, 0)).endswith("The answer is A.")


def test_a_conclusion_that_stands_already_is_not_said_twice() -> None:
    source = "West Virginia is at 39° N, north of the others. Therefore, the answer is A."
    assert str(rewritten({**MAP, "original_reasoning": source}, 0)).count("answer is") == 1


def test_a_guess_about_another_thing_is_no_fact() -> None:
    told = row(
        "What color is the car?",
        "A red car stands beside a blue truck.",
        "The car seems red. The truck is probably red. The driver may be asleep.",
        "red",
        "words",
    )
    text = str(rewritten(told, 0))
    assert ("The truck is red" in text, "asleep" in text, "seems" in text) == (False, False, False)


def test_a_probability_is_no_guess() -> None:
    source = "There are 3 red and 3 blue balls. Both colors are equally likely. The probability is 3/6 = 1/2."
    told = row("What is the chance of a red ball?", "A bag with 3 red balls and 3 blue balls.", source, "1/2", "number")
    assert "Both colors are equally likely." in str(rewritten(told, 0))


PIECES = [
    *(
        "The car is red. ",
        "It seems that ",
        "likely ",
        "<think>",
        "</think>",
        "<answer>3</answer>",
        "<image>",
        "42 - 7 = 35. ",
    ),
    *(
        "So the answer is 35.",
        "图中有三条。",
        "Let's look. ",
        "\n",
        "1. ",
        "**",
        "{{ x }}",
        "a < b > c ",
        "…",
        "\ud800",
        "$x$ ",
    ),
]
ANSWERS = [("35", "number"), ("B", "letter"), ("60 N", "quantity"), ("a red car", "words"), ("x + 1", "expression")]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=12),
    st.lists(st.sampled_from(PIECES), max_size=6),
    st.sampled_from(ANSWERS),
    st.sampled_from(["en", "zh"]),
    st.integers(0, 3),
)
def test_a_text_without_tags_ends_at_its_answer_or_there_is_none(
    reasoning: list[str], description: list[str], answer: tuple[str, str], language: str, seed: int
) -> None:
    told = row("Which?", "".join(description), "".join(reasoning), *answer, language=language, options=STATES[:2])
    text = rewritten(told, seed)
    if text is None:
        return
    assert re.search(r"</?\s*(?:think|answer|image)", text) is None
    found = answer_in(text, question="Which?", options=STATES[:2])
    assert found is not None
    assert equivalent(found.text, answer[0], question="Which?", options=STATES[:2]).verdict == "yes"


@pytest.mark.parametrize("piece", ["a", "a. ", "It seems that ", "= 3 ", "图", "和", "“a", "<", "9", "(1) ", "\ud800"])
def test_hostile_texts_are_written_about_in_no_time(piece: str) -> None:
    long = piece * (100_000 // len(piece))
    began = time.process_time()
    for name in ("question", "image_formal_description", "original_reasoning", "answer", "formal_code"):
        rewritten({**CHART, name: long}, 0)
    assert time.process_time() - began < 3


def test_a_guess_that_later_steps_need_stays_a_guess_and_others_go() -> None:
    source = "The left bar seems to show 12. The frame is probably gold. The right bar shows 8. The sum is 12 + 8 = 20."
    text = str(rewritten(row("What is the sum?", "A bar chart with two bars.", source, "20", "number"), 0))
    assert "The left bar seems to show 12. The right bar shows 8. The sum is 12 + 8 = 20." in text
    assert "gold" not in text
    borne_out = row("What is the sum?", "A bar chart. The left bar shows 12, the right one 8.", source, "20", "number")
    assert "seems" not in str(rewritten(borne_out, 0))
