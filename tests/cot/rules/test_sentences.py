"""Sentences of which no rule for prose has anything to say: what they are is never found to break one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.rules.language import language_problems
from operators.cot.rules.leaks import leak_problems
from operators.cot.rules.paragraph import answer_problems, list_problems
from operators.cot.rules.sentences import is_plain
from operators.cot.rules.vocabulary import Vocabulary

KNOWN = Vocabulary(["Place the first of three mugs beside the scene of the picture.", "Wait ten minutes, then stop."])

#: What may break a rule by itself, or only together with what stands in another sentence.
PIECES = (
    *("The mugs are placed", "this is so", "no", "No", "five", "one", "two", "step", "part", "a", "b", "ii", "first"),
    *(
        "scene",
        "picture",
        "minutes",
        "three",
        "ten",
        "in the scene",
        "half",
        "answer",
        "the answer is",
        "final",
        "gold",
    ),
    *(
        "a n s w e r",
        "hammer",
        "frame 12",
        "x.webp",
        "12",
        "=",
        "->",
        "--",
        "- ",
        "*",
        "(",
        ")",
        "&",
        "\\n",
        "é",
        "\u200b",
    ),
    *(". ", ". ", ". ", ".", ", ", ": ", "; ", "? ", "! ", '"', "\n"),
)
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join).map(lambda text: f"{text}."), max_size=3)


@settings(max_examples=150, deadline=None)
@given(texts)
def test_no_rule_finds_anything_in_what_is_plain(between: list[str]) -> None:
    outside = "\n".join(between)
    unknown = KNOWN.unknown(outside)
    found = [
        *list_problems(outside, KNOWN),
        *answer_problems(outside, "B"),
        *language_problems(outside, unknown, KNOWN),
        *leak_problems(outside, "it", KNOWN),
    ]
    assert not (is_plain(between, KNOWN) and found)


def test_plain_prose_is_plain_and_what_spans_two_sentences_is_not() -> None:
    assert is_plain([" The mugs are placed. So the picture is there.", "", " This is so."], KNOWN) is False  # "picture"
    assert is_plain([" The mugs are placed. So they stop.", "", " This is so."], KNOWN) is True
    assert is_plain([" The mugs are in the scene. So there are some."], KNOWN) is True
    assert is_plain([" The mugs are in the scene. So there are three."], KNOWN) is False
    assert is_plain([" The mugs are placed. Is this no. five. So they stop."], KNOWN) is False
    assert is_plain([" The mugs are placed, and"], KNOWN) is False


def test_words_of_the_answer_are_known_as_well() -> None:
    assert is_plain([" The hammer is placed."], KNOWN) is False
    assert is_plain([" The hammer is placed."], KNOWN, besides="Use the hammers.") is True
