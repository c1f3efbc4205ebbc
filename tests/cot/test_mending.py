"""What is mended in a model's reply, what is left for the model to do again, and what is never taken."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from dataflow_ext.claims.closing import Closing
from operators.cot.asking import Said
from operators.cot.mending import CLOSED, CUT, INSERTED, JOINED, RESTORED, REWORDED, Mended, mended, same_answer

A = "Spatially, the left hand must be holding the flask."
B = "Functionally, the flask must be two layered."
C = "After the action, spatially, the flask will not be above the rack."
D = "A likely failure is that the operator's grip slips. It may fall."
E = "If that happens, hold it again."
ALL = [A, B, C, D, E]
END = "So the flask comes next."
GOLD = "Swirl the flask."
OPTIONS = ["Swirl the flask.", "Close the lid.", "Open the vial.", "Read the display."]


@dataclass
class Case:
    """A reasoning and what becomes of it."""

    said: str
    becomes: str
    notes: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=lambda: ALL)


def of(*sentences: str) -> str:
    return " ".join(sentences)


WHOLE = of(A, B, C, D, E, END)

REASONINGS = {
    "nothing to mend": Case(WHOLE, WHOLE),
    "line breaks of all kinds": Case(
        "\r\n".join((A, B)) + "\u2028" + of(C) + "\n\n \u0085" + "\x0b".join((D, E, END)) + "\n", WHOLE, [JOINED]
    ),
    "a list stays one": Case(
        "Why:\n- it is held\n- it is full\n" + WHOLE, "Why:\n- it is held\n- it is full\n" + WHOLE
    ),
    "a numbered list stays one": Case(f"1. {A}\n2. {END}", f"1. {A}\n2. {END}", anchors=[A]),
    "no article": Case(of("Spatially, left hand must be holding flask.", B, C, D, E, END), WHOLE, [REWORDED]),
    "other article": Case(of(A, B, C, D.replace("A likely", "The likely"), E, END), WHOLE, [REWORDED]),
    "capitals": Case(of(A.lower(), B.upper(), C, D, E, END), WHOLE, [REWORDED]),
    "underscores and commas": Case(
        of("Spatially the left_hand must be holding the flask.", B, C.replace(",", ""), D, E, END), WHOLE, [REWORDED]
    ),
    "other apostrophe": Case(of(A, B, C, D.replace("'", "’"), E, END), WHOLE, [REWORDED]),
    "another stop, or none": Case(of(A[:-1] + "!", B[:-1], C, D, E, END), WHOLE, [REWORDED]),
    "in quotes and bold": Case(of('"' + A.lower() + '"', f"**{B.upper()}**", C, D, E, END), WHOLE, [REWORDED]),
    "first one missing": Case(of(B, C, D, E, END), WHOLE, [INSERTED]),
    "middle ones missing": Case(of(A, D, E, END), WHOLE, [INSERTED]),
    "one missing, one altered": Case(of(A.lower(), C, D, E, END), WHOLE, [REWORDED, INSERTED]),
    "last one missing": Case(of(A, B, C, D, END), WHOLE, [INSERTED]),
    "behind the one before it": Case(
        of(A, "It is full.", C, D, E, END), of(A, B, "It is full.", C, D, E, END), [INSERTED]
    ),
    "most are missing": Case(of(A, E, END), of(A, E, END)),
    "said in other words": Case(
        of(A, "Functionally, the flask must have layers.", C, D, E, END),
        of(A, "Functionally, the flask must have layers.", C, D, E, END),
    ),
    "said with a not": Case(
        of(A.replace("must be", "must not be"), B, C, D, E, END),
        of(A.replace("must be", "must not be"), B, C, D, E, END),
    ),
    "goes on in the same sentence": Case(
        of(A[:-1].lower() + ", because it is heavy.", B, C, D, E, END),
        of(A[:-1].lower() + ", because it is heavy.", B, C, D, E, END),
    ),
    "out of order": Case(of(B, A, C, D, E, END), of(B, A, C, D, E, END)),
    "out of order and altered": Case(of(B, A.lower(), C, D, E, END), of(B, A.lower(), C, D, E, END)),
    "altered before one that is required before it": Case(
        of(B.lower(), A, C, D, E, END), of(B.lower(), A, C, D, E, END)
    ),
    "missing, with another opening that holds its own": Case(
        of(B, C, "After the action, spatially, all else stays.", D, E, END),
        of(A, B, C, "After the action, spatially, all else stays.", D, E, END),
        [INSERTED],
    ),
    "none required": Case(END, END, anchors=[]),
}

REFUSED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "another letter": ("B", "C", {}),
    "the words of another option": ("Open the vial.", "A", {"options": OPTIONS}),
    "another letter with the right words": ("B: Swirl the flask.", "A", {"options": OPTIONS}),
    "fewer letters": ("A,C", "A,C,E", {}),
    "words that begin with the letters": ("Always Bend", "A,B", {}),
    "another step": ("4", "3", {}),
    "the other label": ("continue_next_step", "retry_current_step", {}),
    "another goal": ("Close the lid.", GOLD, {}),
    "half a goal": ("Swirl the", GOLD, {}),
    "the opposite": ("inside(tube, tire) => False", "inside(tube, tire) => True", {}),
    "another order": ("1) Go in.\n2) Open it.", "1) Open it.\n2) Go in.", {}),
    "one step less": ("1) Open it.", "1) Open it.\n2) Go in.", {}),
    "another flaw": (
        "FlawStep=2; FlawType=goal_mismatch; Reason=x",
        "FlawStep=1; FlawType=goal_mismatch; Reason=x",
        {},
    ),
}

FORMS = [
    ("swirl the flask", GOLD),
    ('"Swirl the flask."', GOLD),
    ("Answer: Swirl the flask", GOLD),
    ("  Swirl\nthe   flask. ", GOLD),
    ("b", "B"),
    ("(B)", "B"),
    ("B.", "B"),
    ("Option B", "B"),
    ("The answer is B.", "B"),
    ("**B**", "B"),
    ("A, C and E", "A,C,E"),
    ("E,C,A", "A,C,E"),
    ("[A] [C] [E]", "A,C,E"),
    ("Step 3", "3"),
    ("step_id: 3.", "3"),
    ("retry current step", "retry_current_step"),
    ("Retry_Current_Step.", "retry_current_step"),
    ("1. Open it\n2. Go in", "1) Open it.\n2) Go in."),
    ("Open it.\nGo in.", "1) Open it.\n2) Go in."),
    ("1) Open it. 2) Go in.", "1) Open it.\n2) Go in."),
    ("flawstep=2; flawtype=goal mismatch; reason=It is.", "FlawStep=2; FlawType=goal_mismatch; Reason=It is."),
]


@pytest.mark.parametrize("case", REASONINGS.values(), ids=REASONINGS.keys())
def test_a_reasoning_is_mended_where_that_is_safe_and_else_left(case: Case) -> None:
    assert mended(Said(case.said, GOLD), GOLD, case.anchors) == Mended(
        f"<think>{case.becomes}</think>\n{GOLD}\n", case.notes
    )


@pytest.mark.parametrize(("said", "gold"), FORMS)
def test_an_answer_in_another_form_becomes_the_gold_one(said: str, gold: str) -> None:
    made = mended(Said("It is so.", said), gold, [])
    assert made == Mended(f"<think>It is so.</think>\n{gold}\n", [RESTORED])


@pytest.mark.parametrize(("said", "gold", "fields"), REFUSED.values(), ids=REFUSED.keys())
def test_another_answer_is_never_made_the_gold_one(said: str, gold: str, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^answer\.text: the answer is "):
        mended(Said("It is so.", said), gold, [], fields)


@pytest.mark.parametrize("said", ["Swirl the flask", "A) Swirl the flask.", "A", "Option A: Swirl the flask."])
def test_an_option_may_be_named_by_its_letter_its_words_or_both(said: str) -> None:
    assert mended(Said("It is so.", said), "A", [], {"options": OPTIONS}).response == "<think>It is so.</think>\nA\n"


CLOSING = Closing("So it is A.", ["Swirl the flask", "A"], ["Close the lid", "B", "D"])
NAMES = frozenset(("flask", "lid"))


@pytest.mark.parametrize("conclusion", ["So option B is right.", "Hence D.", "So close the lid."])
def test_a_reasoning_that_speaks_for_another_answer_is_refused_whatever_its_answer(conclusion: str) -> None:
    with pytest.raises(ValueError, match=r"^closing\.rival: the last sentence "):
        mended(Said(of(A, E, conclusion), "A"), "A", [A, E], closing=CLOSING, names=NAMES)


@pytest.mark.parametrize(
    "conclusion",
    [
        "So option A is right.",
        "What remains is to swirl the flask.",
        "Nobody would swirl the flask now.",
        "So it is not A.",
    ],
)
def test_a_last_sentence_that_names_the_answer_gives_way_to_that_of_code(conclusion: str) -> None:
    made = mended(Said(of(A, E, conclusion), "A"), "A", [A, E], closing=CLOSING, names=NAMES)
    assert made == Mended(f"<think>{of(A, E, 'So it is A.')}</think>\nA\n", [CLOSED])


def test_a_closing_sentence_of_code_stays_as_it_is() -> None:
    closing = replace(CLOSING, forms=["So it is A.", "Hence it is A."])
    made = mended(Said(of(A, E, "Hence it is A."), "A"), "A", [A, E], closing=closing, names=NAMES)
    assert made == Mended(f"<think>{of(A, E, 'Hence it is A.')}</think>\nA\n", [])


def test_sentences_that_name_nothing_of_the_plan_are_cut_and_the_closing_sentence_is_put() -> None:
    said = of("Who would doubt it?", A, "The flask is full.", E, "Some would say so.", "It is clear.")
    made = mended(Said(said, "A"), "A", [A, E], closing=CLOSING, names=NAMES)
    kept = of(A, "The flask is full.", E, "So it is A.")
    assert made == Mended(f"<think>{kept}</think>\nA\n", [CUT, CLOSED])


def test_the_same_words_in_another_order_are_another_answer() -> None:
    assert not same_answer("the flask Swirl", "Swirl the flask")
    assert not same_answer("", "Swirl the flask")
    assert not same_answer("Answer:", "B")
