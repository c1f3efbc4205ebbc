"""Verdicts on texts with marks: a shelf with a crate and two tins, and a lid that comes."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.claims import ClaimError, check, fill, holds, parse, stripped
from dataflow_ext.claims.marks import Mark, marked, read_marks
from tests.claims.shelf import HERE


def verdicts(text: str) -> list[str]:
    return [each.verdict for each in check(text, HERE).sentences]


@pytest.mark.parametrize("text", [
    "The crate leaves 0.2 m [gap(crate, tin 1)] to the first tin.",
    "The crate leaves {gap(crate, tin_1)} to tin 1.",
    "Afterwards it is 0.9 times as long [length(crate, after) / length(crate)].",
    "Tin 2 is 2 times as long as tin 1 [length(tin 2) / length(tin 1)].",
    "It is 10 cm [length(crate) - length(tin 1)] longer than tin 1.",
    "The shelf has three boxes [count()], two tins [count(tins)].",
    "Tin 1 is 0.3 m and tin 2 0.6 m long [length(tin 1)] [length(tin 2)].",
    "Tin 2 is long [long(tin 2)] and tin 1 is not [not long(tin 1)].",
    "The crate stands left of tin 1 [beside(crate, tin 1, left)].",
    "The crate is less than 0.5 m long [length(crate) < 0.5 m].",
    "The lid will be 0.1 m [length(lid)] long.",
    "The crate's way to the tin grows shorter, from 0.2 m [gap(crate, tin 1)] to 0.07 m [gap(crate, tin 1, after)].",
    "The gap of the crate goes from 20 to 7 cm [gap(crate, tin 1)] [gap(crate, tin 1, after)].",
    "The gap at the crate is 0.1 to 0.3 m [gap(crate, tin 1)] wide.",
    "The right half has more: tin 2 is 0.6 m [length(tin 2)] long.",
    "Tin 1 is 50 % as long as tin 2 [length(tin 1) / length(tin 2)].",
    "At 0.6 m tin 2 is the longest [length(tin 2) > length(crate)].",
    "Both tins stand to the right of the crate [beside(tin, crate, right)].",
    "There is no jar [count(jar) = 0].",
    "There is no jar [count(jar)].",
    "Boxes take 65 % [filled()] of it.",
    "箱子离tin 1约0.2米 [gap(crate, tin 1)]。",
    "箱子离tin 1有0.2米 [gap(crate, tin 1)]一侧可过。",
    "Crate and tins are three boxes: one crate [count(crate)] and two tins [count(tins)].",
    "Tin 1 is shorter than the crate, by 10 to 15 cm [length(crate) - length(tin 1)].",
    "There are four tins on shelf and floor [count(tin) + count(tin, after)].",
    "The tins stand behind each other. [beside(tin 1, tin 2, left)]",
])  # fmt: skip
def test_what_is_so_is_proven(text):
    assert (verdicts(text), check(text, HERE).sentences[0].reasons) == (["proven"], [])


@pytest.mark.parametrize(("text", "reason"), [
    ("The crate leaves 0.3 m [gap(crate, tin 1)].", "[gap(crate, tin 1)] is 0.20 m, and not 0.3 m"),
    ("Tin 1 is 0.6 m and tin 2 0.9 m long [length(tin 1)] [length(tin 2)].", "[length(tin 1)] is 0.30 m, and not 0.6 m"),
    ("Tin 1 is long [long(tin 1)].", "[long(tin 1)] is false"),
    ("Both tins are long [long(tin 1) and long(tin 2)].", "[long(tin 1) and long(tin 2)] is false"),
    ("A jar stands there [long(jar)].", "[long(jar)] is false: there is no 'jar'"),
    ("The lid is 0.1 m long [length(lid, before)].", "[length(lid, before)] is false: there is no 'lid' before"),
    ("There are 4 boxes [count()].", "[count()] is 3, and not 4"),
    ("The gap at the crate grows from 0.1 to 0.9 m [gap(crate, tin 1)].", "[gap(crate, tin 1)] is 0.20 m, and not 0.9 m"),
    ("Tin 2 is 5 times as long as the crate [length(tin 2) * 2 / length(crate)].",
     "[length(tin 2) * 2 / length(crate)] is 3.00, and not 5 times"),
    ("The crate has 45 % of the length of tin 2 [length(crate) / length(tin 2)].",
     "[length(crate) / length(tin 2)] is 0.67, and not 45 %"),
    ("The gap goes from 0.07 m [gap(crate, tin 1)] to 0.2 m [gap(crate, tin 1, after)] for the crate.",
     "[gap(crate, tin 1)] is 0.20 m, and not 0.07 m"),
    ("All tins are long [length(tin) > 2].", "[length(tin) > 2] is false"),
])  # fmt: skip
def test_what_is_not_so_is_false_and_names_its_mark(text, reason):
    found = check(text, HERE).sentences[0]
    assert (found.verdict, list(found.reasons)[:1]) == ("false", [reason])


@pytest.mark.parametrize(("text", "reason"), [
    ("The crate is 0.4 m long.", "'0.4 m' has no mark"),
    ("Five tins would be too many.", "the count 'Five' has no mark"),
    ("A jar would be nice.", "there is no 'jar', and no mark says so"),
    ("Tin 2 is half again as long as the crate [length(tin 2) / length(crate)].",
     "no number in digits stands before [length(tin 2) / length(crate)], which is 1.50"),
    ("Tin 2 is twice as long as tin 1 [length(tin 2) > length(tin 1)].",
     "'twice' is not read; write it in digits, with a mark"),
    ("The crate is half of 0.8 m [length(crate)] long.",
     "[length(crate)] is 0.40 m, and not 0.8 m; write its value in digits"),
    ("The crate leaves about 0.3 m [gap(crate, tin 1)].",
     "[gap(crate, tin 1)] is 0.20 m, and not 0.3 m; write its value in digits"),
    ("The crate leaves 0.2 m to the 0.3 m long tin 1 [gap(crate, tin 1)].",
     "[gap(crate, tin 1)] is 0.20 m, and not 0.3 m; write its value in digits"),
    ("Tins 1 and 2 are all of them [count(tin)].", "no number in digits stands before [count(tin)], which is 2"),
    ("Tin 1 is 0.6 m and tin 2 0.3 m long [length(tin 1)] [length(tin 2)].",
     "[length(tin 1)] is 0.30 m, and not 0.6 m; write its value in digits"),
    ("The crate is 0.42 m [length(crate)] long.", "[length(crate)] is 0.40 m, and not 0.42 m; write its value in digits"),
    ("There are four boxes [count()].", "[count()] is 3, and not four; write its value in digits"),
    ("It leans by 0.36 m [tilt(crate)].", "no number in digits stands before [tilt(crate)], which is 36°"),
    ("The crate has less than 0.5 m [gap(crate, tin 1) < 0.9 m] left.", "'0.5 m' has no mark"),
    ("The crate is short [length(crate)].", "no number in digits stands before [length(crate)], which is 0.40 m"),
    ("The crate is long [size(crate)].", "[size(crate)] proves nothing: there is no measure and no predicate 'size'"),
    ("The crate is long [long(crate, tin 1)].", "[long(crate, tin 1)] proves nothing: 'long(crate, tin 1)' does not fit "
     "long(thing)"),
    ("The crate is long [length(crate) / 0].", "[length(crate) / 0] proves nothing: a division by zero has no value"),
    ("The crate is [length(crate) + tilt(crate)].",
     "[length(crate) + tilt(crate)] proves nothing: m and ° do not go together"),
    ("A tin is long [long(tin)].", "[long(tin)] leaves open which is meant"),
    ("The shelf is nice [not long(crate)].", "[not long(crate)] is about nothing that the sentence speaks of"),
    ("The crate stands right of tin 1 [beside(crate, tin 1, left)].",
     "[beside(crate, tin 1, left)] claims 'left', the sentence another one"),
    ("Boxes like the crate are short [general(0.9)].", "[general(0.9)] names a thing of this world"),
])  # fmt: skip
def test_what_needs_a_mark_or_has_one_that_proves_nothing_is_unclaimed(text, reason):
    found = check(text, HERE).sentences[0]
    assert (found.verdict, list(found.reasons)[:1]) == ("unclaimed", [reason])


@pytest.mark.parametrize("text", [
    "One tin stands there.", "The second tin is nice.", "The crate goes first, then tin 2.", "It looks good.",
    "Boxes should be 0.2 m apart [general(0.8)].", "See [1] and the list [a, b].",
])  # fmt: skip
def test_what_needs_no_mark_is_unproven(text):
    assert verdicts(text) == ["unproven"]


def test_verdicts_are_by_sentence_and_claims_keep_their_places():
    text = "The crate is 0.4 m [length(crate)] long. It is 0.9 m [gap(crate, tin 1)] off. Nice. 0.3 m remain."
    checked = check(text, HERE)
    assert [(each.text, each.verdict) for each in checked.sentences] == [
        ("The crate is 0.4 m long.", "proven"), ("It is 0.9 m off.", "false"), ("Nice.", "unproven"),
        ("0.3 m remain.", "unclaimed"),
    ]  # fmt: skip
    assert [(each.expression, each.value, each.said, each.at) for each in checked.claims] == [
        ("length(crate)", "0.40 m", "0.4 m", 18), ("gap(crate, tin 1)", "0.20 m", "0.9 m", 36),
    ]  # fmt: skip
    assert checked.proven_share == 0.25


def test_a_claim_in_braces_is_filled_in_and_becomes_a_mark():
    assert fill("It leaves {gap(crate, tin 1)}, {filled()} are full.", HERE) == (
        "It leaves 0.20 m [gap(crate, tin 1)], 65 % [filled()] are full."
    )
    assert check("It is {length(crate)} m long.", HERE).text == "It is 0.40 m long."


def test_statements_hold_or_not_and_numbers_are_no_statements():
    assert holds(parse("length(crate) = 0.4"), HERE) and not holds(parse("length(crate) = 0.42"), HERE)
    assert holds(parse("length(crate) <= 0.4"), HERE) and not holds(parse("length(crate) < 0.4"), HERE)
    assert holds(parse("gap(crate, tin 1) < 21 cm"), HERE)
    with pytest.raises(ClaimError, match="is a number"):
        holds(parse("length(crate)"), HERE)


_WORDS = st.text(string.ascii_letters + " .,;?()茶几", max_size=30)


@given(
    st.lists(
        st.tuples(_WORDS, st.sampled_from(["gap(a, b)", "not long(a)", "length(a) < 0.6 m", "count()"])), max_size=4
    ),
    _WORDS,
)
def test_stripping_marks_gives_the_text(parts, end):
    text = "".join(f"{words} [{mark}]" for words, mark in parts) + end
    assert stripped(text) == "".join(words for words, _ in parts) + end
    assert marked(*read_marks(text)) == text


@given(st.text(max_size=200))
def test_no_text_breaks_the_checker(text):
    checked = check(text, HERE)
    assert all(each.verdict in ("proven", "false", "unclaimed", "unproven") for each in checked.sentences)


@given(st.text("[]{}()gap, length(crate)0.9m\n", max_size=80))
def test_no_text_of_brackets_breaks_the_checker(text):
    plain, marks = read_marks(text)
    assert all(isinstance(mark, Mark) and 0 <= mark.at <= len(plain) for mark in marks)
    check(text, HERE)
