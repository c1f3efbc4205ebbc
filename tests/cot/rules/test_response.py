"""The assistant's turn: its form, its one paragraph, its required sentences, its conclusion and its answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.anchors import AnchorSteps, anchors_of
from operators.cot.plan import Affordance, CausalChain, Failure, Plan, Spatial, Step
from operators.cot.rules.prose import answer_problems, language_problems, leak_problems, list_problems, sentences_of
from operators.cot.rules.response import is_plain, question_problems, response_problems, split_response
from operators.cot.rules.vocabulary import Vocabulary, vocabulary_of

RINSE = Step(
    1,
    "Rinse the mug under the tap.",
    rationale="Rinsing removes the residue that would spoil the next drink.",
    causal_chain=CausalChain(
        agent="hands",
        action="hold the mug under running water",
        patient="blue_mug",
        causal_precondition_on_spatial=[Spatial("under", ["blue_mug", "tap"])],
        causal_precondition_on_affordance=[Affordance("tap", ["operable"])],
        causal_effect_on_spatial=[Spatial("inside", ["residue", "blue_mug"], truth=False)],
        causal_effect_on_affordance=[Affordance("blue_mug", ["clean"])],
    ),
    failure_reflecting=Failure("the mug slips out of the hand", "regrasp the mug firmly, then rinse it for 10 seconds"),
)
PLAN = Plan("Make tea", [RINSE, Step(2, "Pour tea into the mug.")])
ANCHORS = anchors_of(AnchorSteps.of(RINSE))
KNOWN = vocabulary_of(PLAN)
ANSWER = "Pour tea into the mug."
END = "Since the mug is clean after this step, the plan can continue with pouring the tea."
GOOD = " ".join([*ANCHORS, END])


def turn(reasoning: str, answer: str = ANSWER) -> str:
    return f"<think>{reasoning}</think>\n{answer}\n"


def codes(response: str, answer: str = ANSWER, anchors: list[str] = ANCHORS) -> set[str]:
    return {problem.code for problem in response_problems(response, answer, anchors, KNOWN)}


def test_a_good_response_breaks_no_rule_and_splits_into_its_parts() -> None:
    assert response_problems(turn(GOOD), ANSWER, ANCHORS, KNOWN) == []
    assert split_response(turn(GOOD)) == (GOOD, ANSWER)


def test_an_answer_of_several_lines_is_kept_whole() -> None:
    answer = "1) Rinse the mug under the tap.\n2) Pour tea into the mug."
    assert split_response(turn(GOOD, answer)) == (GOOD, answer)
    assert codes(turn(GOOD, answer), answer) == set()


@pytest.mark.parametrize(
    "response",
    [
        f"{GOOD}\n{ANSWER}\n",
        f"<think>{GOOD}\n{ANSWER}\n",
        f"{GOOD}</think>\n{ANSWER}\n",
        f"<think>{GOOD}</think>{ANSWER}\n",
        f"<think>{GOOD}</think> {ANSWER}\n",
        f"<think>{GOOD}</think>\n\n{ANSWER}\n",
        f"<think>{GOOD}</think> \n{ANSWER}\n",
        f"<think>{GOOD}</think>\r\n{ANSWER}\r\n",
        f"<think>{GOOD}</think>\r\n{ANSWER}\n",
        f"<think>{GOOD}</think>\n{ANSWER}",
        f"<think>{GOOD}</think>\n{ANSWER}\n\n",
        f"<think>{GOOD}</think>\n{ANSWER}\r\n",
        f"<think>{GOOD}</think>\\n{ANSWER}\\n",
        f"\n<think>{GOOD}</think>\n{ANSWER}\n",
        f" <think>{GOOD}</think>\n{ANSWER}\n",
        f"Sure! <think>{GOOD}</think>\n{ANSWER}\n",
        f"<think> {GOOD}</think>\n{ANSWER}\n",
        f"<think>{GOOD} </think>\n{ANSWER}\n",
        f"<THINK>{GOOD}</THINK>\n{ANSWER}\n",
        f"<Think>{GOOD}</Think>\n{ANSWER}\n",
        f"<think>{GOOD}</Think>\n{ANSWER}\n",
        f"< think >{GOOD}< /think >\n{ANSWER}\n",
        f"<thinking>{GOOD}</thinking>\n{ANSWER}\n",
        f"<think/>{GOOD}</think>\n{ANSWER}\n",
        f"<think><think>{GOOD}</think></think>\n{ANSWER}\n",
        f"<think>{GOOD}</think>\n<think>{GOOD}</think>\n{ANSWER}\n",
        f"<think>{GOOD}</think>\n{ANSWER}</think>\n",
        f"<think>{GOOD}</think>\n<think>{ANSWER}\n",
        f"<think>{GOOD}</think>\n",
        f"<think>{GOOD}</think>\n\n",
        f"<think>{GOOD}<think>\n{ANSWER}\n",
        f"```\n<think>{GOOD}</think>\n{ANSWER}\n```",
        f"＜think＞{GOOD}＜/think＞\n{ANSWER}\n",
        f"&lt;think&gt;{GOOD}&lt;/think&gt;\n{ANSWER}\n",
        "",
        "\n",
    ],
)
def test_another_form_is_not_split_and_is_told(response: str) -> None:
    assert split_response(response) is None
    assert "response.form" in codes(response)


@pytest.mark.parametrize("reasoning", ["", " ", ".", "… . !", "\n"])
def test_an_empty_reasoning_is_told(reasoning: str) -> None:
    assert "think.empty" in codes(turn(reasoning))


BREAKS = ["\n", "\r", "\r\n", "\n\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
BREAKS += [
    "\\n",
    "\\r\\n",
    "\\\\n",
    "\\u2028",
    "<br>",
    "<br/>",
    "<BR />",
    "</p><p>",
    "&#10;",
    "&#x0A;",
    "&NewLine;",
    "%0A",
    "⏎",
    "␤",
    "¶",
]


@pytest.mark.parametrize("line_break", BREAKS)
def test_a_line_break_of_any_kind_is_told_wherever_it_stands(line_break: str) -> None:
    for reasoning in (
        line_break + GOOD,
        GOOD.replace(" Functionally", f"{line_break} Functionally"),
        GOOD.replace("mug must", f"mug{line_break}must"),
        GOOD.replace("the plan can", f"the plan {line_break}can"),
        GOOD + line_break,
    ):
        assert "think.lines" in codes(turn(reasoning))


@pytest.mark.parametrize(
    "ending",
    [
        "- The mug is clean. - The plan can continue.",
        "* The mug is clean. * The plan can continue.",
        "• The mug is clean, so the plan can continue.",
        "The mug is clean: • it holds • it continues.",
        "The mug is clean: - it holds, - it continues.",
        "– The mug is clean and the plan can continue.",
        "— The mug is clean and the plan can continue.",
        "+ The mug is clean and the plan can continue.",
        "> The mug is clean and the plan can continue.",
        "1) The mug is clean. 2) The plan can continue.",
        "1. The mug is clean. 2. The plan can continue.",
        "(1) The mug is clean. (2) The plan can continue.",
        "[1] The mug is clean. [2] The plan can continue.",
        "1: The mug is clean. 2: The plan can continue.",
        "1.The mug is clean. 2.The plan can continue.",
        "1)The mug is clean. 2)The plan can continue.",
        "The conditions hold: 1) the mug is clean 2) the plan can continue.",
        "The conditions hold because 1) the mug is clean and 2) the plan can continue.",
        "The conditions hold: (1) the mug is clean and (2) the plan can continue.",
        "The conditions hold: 1. the mug is clean, 2. the plan can continue.",
        "The conditions hold: a) the mug is clean, b) the plan can continue.",
        "(a) The mug is clean. (b) The plan can continue.",
        "a. The mug is clean. b. The plan can continue.",
        "The conditions hold: (i) the mug is clean; (ii) the plan can continue.",
        "i) The mug is clean. ii) The plan can continue.",
        "１）The mug is clean. ２）The plan can continue.",
        "⑴ The mug is clean. ⑵ The plan can continue.",
        "⒈ The mug is clean. ⒉ The plan can continue.",
        "① The mug is clean. ② The plan can continue.",
        "❶ The mug is clean and the plan can continue.",
        "1️⃣ The mug is clean and the plan can continue.",
        "Step 1: The mug is clean. Step 2: The plan can continue.",
        "Step 1. The mug is clean. Step 2. The plan can continue.",
        "Step 1 - The mug is clean. Step 2 - The plan can continue.",
        "Step one: the mug is clean. Step two: the plan can continue.",
        "step 1) the mug is clean step 2) the plan can continue.",
        "First: the mug is clean. Second: the plan can continue.",
        "First - the mug is clean. Then - the plan can continue.",
        "Firstly: the mug is clean. Finally: the plan can continue.",
        "One: the mug is clean. Two: the plan can continue.",
        "Reason 1: the mug is clean and the plan can continue.",
        "# Conclusion The mug is clean and the plan can continue.",
        "## Conclusion The mug is clean and the plan can continue.",
        "**Conclusion** The mug is clean and the plan can continue.",
        "The **mug** is clean and the plan can continue.",
        "The *mug* is clean and the plan can continue.",
        "The __mug__ is clean and the plan can continue.",
        "The `mug` is clean and the plan can continue.",
        "```The mug is clean and the plan can continue.```",
        "| mug | clean | and the plan can continue with it.",
        "<ul><li>The mug is clean</li></ul> and the plan can continue.",
        "<b>The mug</b> is clean and the plan can continue.",
        "➤ The mug is clean and the plan can continue.",
        "✓ The mug is clean and the plan can continue.",
        "▪The mug is clean and the plan can continue.",
        "1 - The mug is clean. 2 - The plan can continue.",
        "1/ The mug is clean 2/ The plan can continue.",
        "1st: The mug is clean. 2nd: The plan can continue.",
        "The mug is clean;• The plan can continue.",
        "-The mug is clean -The plan can continue.",
        "→ The mug is clean → The plan can continue.",
        "=> The mug is clean and the plan can continue.",
        "--- The mug is clean and the plan can continue.",
        "☑ The mug is clean and the plan can continue.",
        "_The mug_ is clean and the plan can continue.",
        "Conclusion: The mug is clean and the plan can continue.",
        "Spatial preconditions: The mug is clean. Effects: The plan can continue.",
        "\\item The mug is clean and the plan can continue.",
        "一、 The mug is clean. 二、 The plan can continue.",
        "（一） The mug is clean and the plan can continue.",
    ],
)
def test_a_list_or_layout_is_told(ending: str) -> None:
    for reasoning in (" ".join([ending, *ANCHORS, END]), " ".join([*ANCHORS, ending])):
        assert "think.list" in codes(turn(reasoning))


@pytest.mark.parametrize(
    "ending",
    [
        "First, the mug is clean; second, the plan can continue; finally, the goal is reached.",
        "The mug is clean - as required - and the plan can continue.",
        "The mug is clean – as required – and the plan can continue.",
        "The mug is clean—as required—and the plan can continue.",
        "Re-rinsing the mug (step 1) restores the condition, so the plan can continue.",
        "The plan can continue with step 2. Then the goal is reached.",
        "The plan can continue after 10 seconds. Then the goal is reached.",
        "Option A holds, and option B (which fails) does not.",
        "The mug (A) is as clean as the spoon (B) is, so the plan can continue.",
        "Options A, C and E follow in this order.",
        "Thus the mug is clean; thus the plan can continue.",
        "This is why the answer holds: the mug is clean.",
        "The answer is consistent with the plan, since the mug is clean.",
        "The mug isn't missing, so it's the plan's next step that can't fail.",
        'The "clean" mug satisfies what the next step requires.',
        "The next step (pouring tea) then follows. The goal is reached.",
        "That leaves one step: pouring the tea into the mug.",
        "The best choice is to continue, and the result is clean.",
        "Therefore, the plan continues…",
    ],
)
def test_ordinary_prose_after_the_required_sentences_is_fine(ending: str) -> None:
    assert [str(each) for each in response_problems(turn(" ".join([*ANCHORS, ending])), ANSWER, ANCHORS, KNOWN)] == []


@pytest.mark.parametrize(
    "announced",
    [
        "Answer: pour tea into the mug.",
        "answer: pour tea into the mug.",
        "ANSWER : pour tea into the mug.",
        "Answer： pour tea into the mug.",
        "**Answer:** pour tea into the mug.",
        "**Answer**: pour tea into the mug.",
        "Answer - pour tea into the mug.",
        "Answer = pour tea into the mug.",
        "Answer -> pour tea into the mug.",
        "Final answer: pour tea into the mug.",
        "The final answer is pour tea into the mug.",
        "The correct answer is to pour tea into the mug.",
        "The answer is: pour tea into the mug.",
        "So the answer is Pour tea into the mug.",
        "So the answer is B. It holds.",
        "So the answer is (B) as required.",
        "So the answer is option C as required.",
        "So the answer is 2. It holds.",
        "The answer would be: pour tea into the mug.",
        "A: pour tea into the mug.",
        "Q: What next? A: pour tea into the mug.",
        "So my answer would be to pour tea into the mug.",
        "The answer, then, is: pour tea into the mug.",
        "Choice: B as the plan says.",
        "Result: pour tea into the mug.",
        "A n s w e r : pour tea into the mug.",
        "Ans: pour tea into the mug.",
        "Ans. pour tea into the mug.",
        "Solution: pour tea into the mug.",
        "Response: pour tea into the mug.",
        "Label: B as the plan says it.",
        "Correct option: B as the plan says.",
        "The final choice is: B as the plan says.",
        "The answer\u200b: pour tea into the mug.",
        "<answer>pour tea into the mug</answer>",
        "\\boxed{B} as the plan says it.",
        "FlawStep=2; FlawType=order_violation as the plan says.",
        "答案：pour tea into the mug.",
        "最终答案是 pour tea into the mug.",
    ],
)
def test_an_announced_answer_is_told(announced: str) -> None:
    for reasoning in (" ".join([announced, *ANCHORS, END]), " ".join([*ANCHORS, END, announced])):
        assert "think.answer" in codes(turn(reasoning))


@pytest.mark.parametrize(
    "damage",
    [
        lambda a: "",
        lambda a: a[:-1],
        lambda a: a[:-1] + "!",
        lambda a: a[:-1] + ",",
        lambda a: a[:-1] + "。",
        lambda a: a.lower(),
        lambda a: a.upper(),
        lambda a: a.replace(" ", "  ", 1),
        lambda a: a.replace(" ", "\u00a0", 1),
        lambda a: a.replace(",", "", 1) if "," in a else a.replace("that", "that,", 1),
        lambda a: a.replace("the ", "a ", 1),
        lambda a: a.replace("a", "а", 1),
        lambda a: a.replace("e", "e\u0301", 1),
        lambda a: a[:5] + "\u200b" + a[5:],
        lambda a: a[:5] + "\u00ad" + a[5:],
        lambda a: "x" + a,
        lambda a: " ".join(a.split()[:-1]) + ".",
        lambda a: " ".join(reversed(a.split())),
    ],
)
def test_a_required_sentence_that_is_not_there_word_for_word_is_missing(damage) -> None:
    for i, anchor in enumerate(ANCHORS):
        said = [*ANCHORS[:i], damage(anchor), *ANCHORS[i + 1 :], END]
        found = response_problems(turn(" ".join(said)), ANSWER, ANCHORS, KNOWN)
        missing = [each.message for each in found if each.code == "anchor.missing"]
        # What has no stop before it is no sentence of its own: then the next one is missing as well.
        others = ANCHORS[i + 1 : i + 2] if said[i] and said[i][-1] not in ".!。" else []
        assert [each.partition(" does not stand")[0].partition(" is not in")[0] for each in missing] == [
            repr(each) for each in (anchor, *others)
        ]


@pytest.mark.parametrize(("i", "j"), [(i, j) for i in range(len(ANCHORS)) for j in range(i)])
def test_required_sentences_in_another_order_are_told(i: int, j: int) -> None:
    said = list(ANCHORS)
    said[i], said[j] = said[j], said[i]
    assert codes(turn(" ".join([*said, END]))) == {"anchor.order"}


def test_a_sentence_within_another_is_no_sentence_of_its_own() -> None:
    inner, outer = "A holds.", "If that happens, make sure that A holds."
    assert "anchor.missing" in codes(turn(f"{outer} {END}"), anchors=[inner, outer])
    assert codes(turn(f"{inner} {outer} {END}"), anchors=[inner, outer]) == set()
    assert codes(turn(f"{outer} {inner} {END}"), anchors=[inner, outer]) == {"anchor.order"}


def test_a_sentence_required_twice_has_to_be_there_twice() -> None:
    assert codes(turn(f"It holds. {END}"), anchors=["It holds.", "It holds."]) == {"anchor.missing"}
    assert codes(turn(f"It holds. So it holds. It holds. {END}"), anchors=["It holds.", "It holds."]) == set()


@pytest.mark.parametrize("ending", ["", " ", ".", " So.", " Therefore it follows.", " …!?", " \u2014", " 因此。"])
def test_nothing_after_the_last_required_sentence_is_no_conclusion(ending: str) -> None:
    assert "think.conclusion" in codes(turn(" ".join(ANCHORS) + ending))


def test_a_conclusion_before_the_required_sentences_is_none() -> None:
    assert codes(turn(" ".join([END, *ANCHORS]))) == {"think.conclusion"}


def test_without_required_sentences_the_reasoning_still_says_something() -> None:
    assert codes(turn(END), anchors=[]) == set()
    assert codes(turn("So it."), anchors=[]) == {"think.conclusion"}


@pytest.mark.parametrize(
    "answer",
    [
        "Pour tea into the mug",
        "pour tea into the mug.",
        "Pour tea into the mug. ",
        " Pour tea into the mug.",
        "Answer: Pour tea into the mug.",
        "Pour  tea into the mug.",
        "Pour tea\ninto the mug.",
        "Pour tea into the mug.\nDone.",
        "Pour tea into the cup.",
        '"Pour tea into the mug."',
        "Pоur tea into the mug.",
        "Pour tea into the mug.\u200b",
        "B",
    ],
)
def test_any_other_answer_is_told(answer: str) -> None:
    assert "answer.text" in codes(turn(GOOD, answer))


@pytest.mark.parametrize(
    "hidden",
    [
        "\x00",
        "\x07",
        "\x1b",
        "\x7f",
        "\t",
        "\u00a0",
        "\u00ad",
        "\u200b",
        "\u200c",
        "\u200d",
        "\u200e",
        "\u202e",
        "\u2060",
        "\u2066",
        "\u2800",
        "\u3000",
        "\u3164",
        "\ufe0f",
        "\ufeff",
        "\ufffd",
        "\ufffc",
        "\ud800",
        "\ue000",
        "\U000e0041",
        "\x80",
    ],
)
def test_hidden_characters_are_told_in_either_turn(hidden: str) -> None:
    assert "text.control" in codes(turn(GOOD.replace("the plan", f"the {hidden}plan")))
    assert "text.control" in codes(turn(GOOD, ANSWER[:4] + hidden + ANSWER[4:]))
    assert "text.control" in {each.code for each in question_problems(f"What{hidden} now?", "What now?", KNOWN)}


def test_the_plans_own_joiners_and_odd_letters_are_no_problem() -> None:
    names = ["क्‍षमता_कप", "👩‍🍳_mug", "чашка", "杯子", "Škoda-Schlüssel", "قدح", "naïve_œuvre", "ﬁle_µL", "mug\u00a0No"]
    for name in names:
        chain = CausalChain(
            causal_precondition_on_spatial=[Spatial("on", [name, "table"])],
            causal_precondition_on_affordance=[Affordance(name, ["稳定_stable"])],
            causal_effect_on_affordance=[Affordance(name, ["μεγάλο"])],
        )
        step = Step(
            1, f"Place {name}", causal_chain=chain, failure_reflecting=Failure(f"the {name} falls", f"lift the {name}")
        )
        anchors = anchors_of(AnchorSteps.of(step))
        answer = f"Place {name}"
        said = turn(
            " ".join([*anchors, f"Since the {name.replace('_', ' ')} is stable, the plan can continue."]), answer
        )
        assert [str(each) for each in response_problems(said, answer, anchors, vocabulary_of(Plan("Go", [step])))] == []


@pytest.mark.parametrize(
    "question",
    [
        "What now?\n",
        "\nWhat now?",
        "What\nnow?",
        "What\rnow?",
        "What\u2028now?",
        "What\u2029now?",
        "What\x85now?",
        "What\vnow?",
        "What\fnow?",
    ],
)
def test_a_question_of_several_lines_is_told(question: str) -> None:
    assert {each.code for each in question_problems(question, "What now?", KNOWN)} >= {
        "question.lines",
        "question.text",
    }


@pytest.mark.parametrize(
    "question",
    [
        "what now?",
        "What now",
        "What now? ",
        " What now?",
        "What  now?",
        "Question: What now?",
        "What nоw?",
        "",
        "What now? A) x B) y",
    ],
)
def test_any_other_question_is_told(question: str) -> None:
    assert {each.code for each in question_problems(question, "What now?", KNOWN)} == {"question.text"}


def test_a_leak_in_the_question_is_told() -> None:
    assert [each.code for each in question_problems("What is in frame 12?", "What now?", KNOWN)] == [
        "question.text",
        "leak.frame",
    ]


def test_the_right_question_breaks_no_rule() -> None:
    assert question_problems("What now?", "What now?", KNOWN) == []


LEAKS = [
    ("leak.frame", "frame_012"),
    ("leak.frame", "the 3rd image"),
    ("leak.time", "12.5s"),
    ("leak.time", "at 00:12"),
    ("leak.file", "x.JPG"),
    ("leak.path", "/a/b.c"),
    ("leak.frame", "ｆrame １２"),
]
FILLERS = st.lists(
    st.sampled_from(
        [
            "The plan can continue.",
            "This holds.",
            "So the mug is clean after that.",
            "It follows that the tea can be poured.",
        ]
    ),
    max_size=2,
).map(" ".join)


@st.composite
def reasonings(draw: st.DrawFn) -> str:
    parts = [part for anchor in ANCHORS for part in (draw(FILLERS), anchor)]
    return " ".join(filter(None, [*parts, draw(FILLERS), END]))


@settings(max_examples=30, deadline=None)
@given(reasonings())
def test_law_whatever_stands_between_the_required_sentences_a_good_response_passes(reasoning: str) -> None:
    assert response_problems(turn(reasoning), ANSWER, ANCHORS, KNOWN) == []


@settings(max_examples=30, deadline=None)
@given(reasonings(), st.sampled_from(LEAKS), st.randoms(use_true_random=False))
def test_law_a_leak_between_any_two_words_is_found(reasoning: str, leak: tuple[str, str], random) -> None:
    words = reasoning.split(" ")
    words.insert(random.randrange(len(words) + 1), leak[1])
    assert leak[0] in codes(turn(" ".join(words)))


@settings(max_examples=30, deadline=None)
@given(reasonings(), st.sampled_from(BREAKS), st.randoms(use_true_random=False))
def test_law_a_line_break_between_any_two_characters_is_found(reasoning: str, line_break: str, random) -> None:
    place = random.randrange(len(reasoning) + 1)
    assert "think.lines" in codes(turn(f"{reasoning[:place]}{line_break} {reasoning[place:]}"))


#: Words of which leaks, lists, announced answers and other languages are made, and plain ones.
PARTS = [
    *[
        "a",
        "b",
        "c",
        "i",
        "n",
        "s",
        "w",
        "e",
        "r",
        "b.",
        "ii.",
        "ii",
        "a.",
        "i.",
        "one",
        "one.",
        "ten.",
        "first",
        "next:",
        "last,",
        "step",
        "part",
        "point",
        ":",
        "-",
        "--",
        "=>",
        "*",
        "(a)",
        "a)",
        "1.",
        "(2)",
        "12",
    ],
    *[
        "answer",
        "answer.",
        "response:",
        "gold",
        "final",
        "choice",
        "my",
        "is",
        "ans.",
        "final:",
        "result:",
        "frame",
        "frames",
        "image",
        "3",
        "third",
        "lifts",
        "seconds",
    ],
    *[
        "at",
        "later",
        "time",
        "files",
        "named",
        "clip.mp4",
        "x/y/z",
        "on_top",
        "stage2",
        "und",
        "der",
        "nicht",
        "les",
        "dans",
        "tube",
        "tire",
        "wheel.",
        "So",
        "Hence",
    ],
    *['"Wash', 'cup".', "don't", "well-known", "…", "\u5e27", "no.", "e.g.", "\u2022", "label", "=", "#3", "~", "it!"],
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=14).map(" ".join))
def test_where_no_sentence_alone_is_odd_no_rule_for_prose_finds_anything(text: str) -> None:
    nothing = Vocabulary([])
    found = [
        *list_problems(text, nothing),
        *answer_problems(text, "tube"),
        *language_problems(text, nothing),
        *leak_problems(text, "it", nothing),
    ]
    assert not found or not all(map(is_plain, sentences_of(text)))
