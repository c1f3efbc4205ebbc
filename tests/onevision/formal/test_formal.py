"""Formal code: what is of its language parses, what is not has a reason, and nothing takes long."""

from __future__ import annotations

import time
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.onevision.formal import bare, parse_problem
from operators.onevision.model.records import FormalLanguage
from tests.onevision.formal import data_codes, drawn_codes

GOOD = {**data_codes.GOOD, **drawn_codes.GOOD}
BAD = {**data_codes.BAD, **drawn_codes.BAD}
LANGUAGES: tuple[FormalLanguage, ...] = get_args(FormalLanguage)
SIZE = (100, 100)


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_code_parses(language: FormalLanguage) -> None:
    assert len(GOOD[language]) >= 12
    assert {code: parse_problem(code, language, SIZE) for code in GOOD[language]} == dict.fromkeys(GOOD[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_code_does_not_parse_and_the_reason_is_told(language: FormalLanguage) -> None:
    assert len(BAD[language]) >= 12
    assert {code: parse_problem(code, language, SIZE) for code in BAD[language]} == BAD[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_code_in_a_fence_parses_as_well(language: FormalLanguage) -> None:
    fenced = [f"```{language}\n{bare(code)}\n```" for code in GOOD[language]]
    assert {code: parse_problem(code, language, SIZE) for code in fenced} == dict.fromkeys(fenced)


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_of_a_nested_code_never_raises(language: FormalLanguage) -> None:
    for code in GOOD[language]:
        for cut in range(0, len(code), 3):
            assert isinstance(parse_problem(code[:cut], language), str | None)


HOSTILE = [
    "[" * 40_000,
    "(" * 40_000,
    "<" * 40_000,
    '"' * 40_000,
    "graph TD\n" + "A-->" * 10_000,
    "graph TD;" + '";' * 20_000,
    "<p " + "a=b " * 10_000,
    "<table>" + "<tr><td rowspan=999 colspan=999>1</td></tr>" * 500,
    "f(" + "a," * 20_000,
    "V1 1 0 " + "sin (" * 8_000,
    "\\frac{" * 6_000,
    "x^" * 20_000,
    '{"objects": ' + "9" * 40_000 + "}",
    "\ud800\x00" * 20_000,
    "10^{" * 10_000,
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_code_is_answered_soon(language: FormalLanguage) -> None:
    for code in HOSTILE:
        start = time.process_time()
        assert isinstance(parse_problem(code, language), str | None)
        assert time.process_time() - start < 1.5


def test_code_that_is_too_long_is_no_code() -> None:
    assert parse_problem("a" * 100_001, "text") == "the code has 100,001 characters, more than 100,000"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_any_text_has_an_answer(code: str, language: FormalLanguage) -> None:
    problem = parse_problem(code, language)
    assert problem is None or (problem and not problem.endswith("."))
