"""Whether two answers mean the same: over tables of pairs, and by laws."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from operators.verify.answer import Option
from operators.verify.equivalence import equivalent, type_of
from tests.verify.pairs import PAIRS, Pair
from tests.verify.pairs_held_out import PAIRS as HELD_OUT
from tests.verify.pairs_more import PAIRS as MORE

TABLE = [*PAIRS, *MORE]
#: Of the pairs that were written after the code: how many it may leave unsure.
LEFT_UNSURE = 8

_settings = settings(max_examples=60, deadline=None)


def verdict(pair: Pair) -> str:
    return equivalent(pair.one, pair.other, question=pair.question, options=pair.options).verdict


def told(pair: Pair) -> str:
    return f"{pair.one!r} and {pair.other!r} ({pair.question}): {verdict(pair)}, not {pair.verdict}"


def test_the_table_is_large_and_half_of_it_is_not_equal() -> None:
    assert len(TABLE) >= 600 and len(HELD_OUT) >= 120
    assert sum(pair.verdict != "yes" for pair in TABLE) >= 290


def test_each_pair_of_the_table_is_judged_as_a_careful_reader_would() -> None:
    assert [told(pair) for pair in TABLE if verdict(pair) != pair.verdict] == []


def test_no_pair_that_is_not_equal_is_ever_called_so() -> None:
    assert [told(pair) for pair in [*TABLE, *HELD_OUT] if pair.verdict != "yes" and verdict(pair) == "yes"] == []


def test_of_the_pairs_written_after_the_code_none_is_judged_wrongly_and_few_are_left_unsure() -> None:
    found = [(pair, verdict(pair)) for pair in HELD_OUT]
    assert [told(pair) for pair, said in found if said not in (pair.verdict, "unsure")] == []
    assert sum(said != pair.verdict for pair, said in found) <= LEFT_UNSURE


def test_the_verdict_is_the_same_with_the_answers_changed_over() -> None:
    turned = [Pair(p.kind, p.other, p.one, p.verdict, p.question, p.options) for p in [*TABLE, *HELD_OUT]]
    assert [
        told(pair)
        for pair in turned
        if verdict(pair) != verdict(Pair("", pair.other, pair.one, "", pair.question, pair.options))
    ] == []


def test_each_answer_is_the_same_as_itself() -> None:
    answers = {text for pair in [*TABLE, *HELD_OUT] for text in (pair.one, pair.other)}
    assert [text for text in sorted(answers) if equivalent(text, text).verdict != "yes"] == []


def test_an_empty_answer_is_unsure() -> None:
    for answer in ("", "  ", "\n"):
        assert equivalent(answer, "B").verdict == equivalent("B", answer).verdict == "unsure"


def test_each_reason_is_one_sentence() -> None:
    reasons = {equivalent(p.one, p.other, question=p.question, options=p.options).reason for p in TABLE}
    assert [
        reason for reason in sorted(reasons) if not reason.endswith(".") or len(reason) > 160 or "\n" in reason
    ] == []


HOSTILE = {
    "tower": "10^{10^{10}}",
    "power": "9^9^9^9^9",
    "factorial": "99999999!",
    "nines": "9" * 100_000,
    "nines in reach": "9" * 1_900,
    "exponent": "1e999999999",
    "times a power": "3 × 10^{99999999}",
    "letters": "a" * 100_000,
    "words": "the " * 25_000,
    "braces": "{" * 100_000,
    "braces in reach": "{" * 900 + "}" * 900,
    "brackets": "(" * 900 + "1" + ")" * 900,
    "boxes": "\\boxed{" * 250 + "B",
    "fractions": "\\frac{1}{" * 200 + "2" + "}" * 200,
    "roots": "\\sqrt{" * 300,
    "commas": "1," * 10_000,
    "commas in reach": "1," * 990,
    "parts": ", ".join(str(n) for n in range(400)),
    "parts of parts": "{" + "{1,2}," * 150 + "3}",
    "and": " and ".join("abcdefghijklmnopqrstuvwxyz"),
    "spaces": "1" + " " * 100_000 + "1",
    "marks": "a" + "\u0301" * 1_500,
    "surrogates": "\ud800\udfff" * 500,
    "wide": "９" * 1_500,
    "ligatures": "ﷺ" * 1_500,
    "signs": "+-" * 900,
    "stars": "*" * 1_900,
    "dollars": "$" * 1_900,
    "units": "5 " + "kg·" * 600,
    "powers of units": "5 m^99999999999",
    "prefixed": "5 yottaparsec",
    "money": "$" + "1," * 900,
    "time": "12:" * 600,
    "relations": "1<" * 900,
    "union": "[1,2]∪" * 300,
    "equations": "x=" * 900,
    "products": "(x+1)" * 380,
    "raised": "(x+1)^{999999}",
    "percent": "%" * 1_900,
    "Chinese": "一" * 1_900,
    "not": "not " * 450,
    "nothing": "\u200b" * 1_000,
    "zero": "\x00" * 1_000,
}


def long_time(one: str, other: str) -> float:
    start = time.process_time()
    equivalent(one, other, question=one[:3000], options=[Option("A", other), Option("B", one[:500])])
    return time.process_time() - start


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_in_an_answer_takes_long_or_breaks_it(name: str) -> None:
    equivalent("5 km", "3 miles")  # units are loaded once
    text = HOSTILE[name]
    others = ("60 N", text + "1", "1" + text, "{1,2}", "x+1=2", "a cat")
    found = {other[:9]: min(long_time(text, other), long_time(text, other)) for other in others}
    assert {other: seconds for other, seconds in found.items() if seconds > 0.2} == {}
    reason = equivalent(text, "60 N").reason
    assert reason.encode() and len(reason) < 200


def test_threads_and_a_running_loop_get_the_same_verdicts() -> None:
    some = [*TABLE[::5], *HELD_OUT[::3]]
    expected = [verdict(pair) for pair in some]
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: [verdict(pair) for pair in some], range(8)):
            assert found == expected

    async def inside() -> list[str]:
        return [verdict(pair) for pair in some]

    assert asyncio.run(inside()) == expected


numbers = st.integers(-(10**9), 10**9)


@_settings
@given(numbers, st.integers(0, 6))
def test_a_number_written_in_another_way_is_the_same(number: int, places: int) -> None:
    decimal = f"{number / 10**places:.{places}f}"
    ways = [
        decimal,
        decimal + ("0" if places else ".0"),
        f"{Fraction(decimal)}",
        f"${decimal}$",
        f"\\boxed{{{decimal}}}",
        f"The answer is {decimal}.",
        decimal.replace("-", "−"),
        f"{Fraction(decimal) * 100}%" if Fraction(decimal * 1).denominator in (1, 2, 4, 5) else decimal,
        f"{float(decimal):,.{places}f}",
        f"{number}e-{places}",
    ]
    assert [way for way in ways if equivalent(way, decimal).verdict != "yes"] == []


@_settings
@given(
    numbers,
    st.integers(0, 6),
    st.integers(0, 20),
    st.integers(1, 9),
    st.sampled_from(["", " N", " kg", "%", " apples", "°", "$"]),
)
def test_a_number_with_one_digit_changed_is_never_the_same(
    number: int, places: int, at: int, by: int, unit: str
) -> None:
    decimal = f"{number / 10**places:.{places}f}"
    digits = [place for place, letter in enumerate(decimal) if letter.isdigit()]
    place = digits[at % len(digits)]
    changed = decimal[:place] + str((int(decimal[place]) + by) % 10) + decimal[place + 1 :]
    assume(Fraction(changed) != Fraction(decimal))
    one, other = (f"${each}" if unit == "$" else each + unit for each in (decimal, changed))
    assert equivalent(one, other).verdict != "yes", (one, other)
    assert equivalent(one, changed, question="How many N is it, in kg?").verdict != "yes"


@_settings
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=30))
def test_any_two_texts_are_judged_and_alike_in_both_orders(one: str, other: str, question: str) -> None:
    first = equivalent(one, other, question=question)
    assert first.verdict == equivalent(other, one, question=question).verdict
    if one.strip():
        assert equivalent(one, one, question=question).verdict == "yes"


letters = st.text("()[]{}$\\^_.,:;=<>+-*/%°0123456789 abxyNmkg或和π√±", max_size=16)


@_settings
@given(letters, letters)
def test_signs_in_any_order_break_nothing(one: str, other: str) -> None:
    options = [Option("A", one), Option("B", "60 N")]
    assert equivalent(one, other, options=options).verdict == equivalent(other, one, options=options).verdict


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("B", "letter"),
        ("(c)", "letter"),
        ("60 N", "quantity"),
        ("$5", "quantity"),
        ("12:30", "quantity"),
        ("1,234.5", "number"),
        ("\\frac{1}{2}", "number"),
        ("3:4", "number"),
        ("x^2+1", "expression"),
        ("y = 2x", "expression"),
        ("{1, 2}", "list"),
        ("red and blue", "list"),
        ("[1, 2)", "list"),
        ("yes", "words"),
        ("a cat", "words"),
        ("", "words"),
        ("9" * 5000, "words"),
    ],
)
def test_each_answer_has_a_type(text: str, kind: str) -> None:
    assert type_of(text) == kind


@pytest.mark.parametrize(
    ("degrees", "radians", "verdict"),
    [
        ("30°", "π/6", "yes"),
        ("30°", r"\frac{\pi}{6}", "yes"),
        ("45°", "π/6", "no"),
        ("180 degrees", "pi", "yes"),
        ("3.14°", "π", "no"),
    ],
)
def test_degrees_are_compared_with_multiples_of_pi(degrees, radians, verdict):
    assert (equivalent(degrees, radians).verdict, equivalent(radians, degrees).verdict) == (verdict, verdict)
