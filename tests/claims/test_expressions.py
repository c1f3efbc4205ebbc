"""The language of claims: what is read, how it is written, and what is refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.claims import ClaimError, parse
from dataflow_ext.claims.expressions import Binary, Call, Expression, Name, Number, Unary, replaced


def _expressions() -> st.SearchStrategy[Expression]:
    digits = st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,2})?", fullmatch=True)
    numbers = st.builds(Number, digits, st.sampled_from(["", "m", "cm", "%", "°"]))
    names = st.builds(Name, st.from_regex(r"[a-z茶][a-z几0-9_]{0,5}( [a-z][a-z0-9]{0,4}| [0-9]{1,2})?", fullmatch=True)
                      | st.sampled_from(["a (b)", "and", "L-shaped sofa", "a, b"]))  # fmt: skip
    calls = st.builds(Call, st.sampled_from(["gap", "width", "at_wall"]), st.lists(names, max_size=3).map(tuple))
    sums = st.recursive(
        numbers | calls,
        lambda inner: (
            st.builds(Binary, st.sampled_from("+-*/"), inner, inner) | st.builds(Unary, st.just("-"), calls | numbers)
        ),
        max_leaves=4,
    )
    compared = st.builds(Binary, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), sums, sums)
    denied = compared | calls | st.builds(Unary, st.just("not"), compared | calls)
    return sums | denied | st.builds(Binary, st.just("and"), denied, denied)


@given(_expressions())
def test_what_is_written_is_read_again_as_it_was(expression):
    text = str(expression)
    if len(text) <= 300:
        assert parse(text) == expression


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused_with_a_claim_error(text):
    with contextlib.suppress(ClaimError):
        assert str(parse(str(parse(text)))) == str(parse(text))


@pytest.mark.parametrize("text", [
    "", "sofa", "gap(", "gap(a", "gap(a,", "gap a)", "1 +", "gap(a) gap(b)", "gap(a))", "(gap(a)", "gap(a).width",
    "__import__('os')", "gap(a) if x else y", "lambda: 1", "a = 1", "gap(a); gap(b)", "gap(a) ** 9", "gap[0]",
    "9" * 13, "(" * 9 + "1" + ")" * 9, "f(" * 9 + "1" + ")" * 9, "gap(a) + " * 40 + "1", "1 < 2 < 3", "not not gap(a)",
    "gap(a, b=3)", "1e9", "0x10", "gap(*a)", "gap('a')",
])  # fmt: skip
def test_what_is_no_claim_is_refused(text):
    with pytest.raises(ClaimError):
        parse(text)


def test_deep_and_long_texts_are_refused_before_they_are_read():
    with pytest.raises(ClaimError, match="more than 8 brackets"):
        parse("(" * 140 + "1" + ")" * 140)
    with pytest.raises(ClaimError, match="more than 300 letters"):
        parse("(" * 100_000)


def test_names_have_spaces_digits_and_quotes():
    assert parse('gap(nightstand 2, "a (b)")') == Call("gap", (Name("nightstand 2"), Name("a (b)")))
    assert parse("gap(茶几, L-shaped_sofa)") == Call("gap", (Name("茶几"), Name("L-shaped_sofa")))


def test_a_part_is_replaced_wherever_it_stands():
    assert str(replaced(parse("gap(a, b) / -gap(b, c)"), Name("b"), Name("tin 2"))) == "gap(a, tin 2) / -gap(tin 2, c)"
