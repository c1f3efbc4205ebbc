"""What operators say of themselves: docstrings in one form, whole, and the commands that show them."""

from __future__ import annotations

import inspect
from pathlib import Path
from textwrap import dedent
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import Field

import operators
from dataflow_ext import Operator, RowOperator
from dataflow_ext.commands import main
from dataflow_ext.description import LISTS, described, own_options, page, undescribed

ROOT = Path(__file__).parents[2]
OPERATORS = [each for name in operators.__all__ if issubclass(each := getattr(operators, name), Operator)]


class Wide(RowOperator):
    """Whether a text is wide.

    Width is counted in letters.

    Reads:
        text: any
            text.
        lines, words: what is
            in it.

    Writes:
        wide: the verdict; a | b.

    Options:
        gone: an option that there was.

    Rejects:
        NarrowError: the text is empty.

    Source: the usual way.

    Example:
        >>> 1 + 1
        2
    """

    inputs: ClassVar[Any] = {"text": str, "lines": int, "words": int}
    outputs: ClassVar[Any] = {"text": str, "wide": bool, "width": Annotated[int, "its letters"]}
    least: int = 3
    most: int = Field(default=9, description="the widest")

    def row(self, text: str, lines: int, words: int) -> dict[str, Any]:
        return {"text": text, "wide": len(text) >= self.least, "width": lines + words}


def test_a_docstring_in_the_form_is_read_part_by_part():
    told = described(Wide)
    assert (told.summary, told.text) == ("Whether a text is wide.", "Width is counted in letters.")
    assert {section: dict(entries) for section, entries in told.entries.items()} == {
        "Reads": {"text": "any text", "lines": "what is in it", "words": "what is in it"},
        "Writes": {"wide": "the verdict; a | b"},
        "Options": {"gone": "an option that there was"},
        "Rejects": {"NarrowError": "the text is empty"},
    }
    assert dict(told.plain) == {"Source": "the usual way.", "Example": ">>> 1 + 1\n2"}


def test_what_is_not_told_and_what_is_told_but_not_declared_is_found():
    assert undescribed(Wide) == ["Options does not tell of least", "Options tells of gone, which is not declared"]


class Odd(Wide):
    """Whether a text is odd.

    Exmaple:
        >>> 1 + 1
        2
    """


def test_a_heading_that_is_none_is_told():
    assert "Exmaple is no section; there are Reads, Writes, Options, Rejects, Source, Example" in undescribed(Odd)


def test_a_page_says_where_an_operator_is_and_what_it_merges():
    assert f"`from {__name__} import Odd`. Gives a row for each row." in page(Odd)
    merged = "Gives one row for many. Merges rows of equal document, name, sorted by chunk, item."
    assert f"`from operators import QA_Merger`. {merged}" in page(operators.QA_Merger)


def test_a_page_has_a_line_for_each_column_option_and_reject():
    assert page(Wide).split("\n")[8:] == [
        "| Reads |  |  |",
        "|---|---|---|",
        "| `text` | `string` | any text |",
        "| `lines` | `int64` | what is in it |",
        "| `words` | `int64` | what is in it |",
        "",
        "| Writes |  |  |",
        "|---|---|---|",
        "| `text` | `string` | any text |",
        "| `wide` | `bool` | the verdict; a \\| b |",
        "| `width` | `int64` | its letters |",
        "",
        "| Options |  |  |",
        "|---|---|---|",
        "| `least` | `3` |  |",
        "| `most` | `9` | the widest |",
        "",
        "| Rejects |  |",
        "|---|---|",
        "| `NarrowError` | the text is empty |",
        "",
        "Source: the usual way.",
        "",
        "```pycon",
        ">>> 1 + 1",
        "2",
        "```",
        "",
    ]


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_tells_of_each_column_and_option_that_it_declares_and_what_it_rejects(operator: type[Operator]):
    assert undescribed(operator) == []
    assert "Rejects" in described(operator).entries


@pytest.mark.parametrize("operator", OPERATORS)
def test_help_of_an_operator_has_all_sections_and_fits_a_screen(operator: type[Operator], capsys):
    help(operator)
    lines = [line.removeprefix(" |  ") for line in capsys.readouterr().out.splitlines()]
    assert len(lines) <= 50
    assert [name for name in (*LISTS, "Example") if not any(line.startswith(f"{name}:") for line in lines)] == []
    told = " ".join(lines)
    assert [name for name in (*operator.inputs, *operator.outputs, *own_options(operator)) if name not in told] == []
    assert not [line for line in lines if "inherited from" in line]


def test_help_tells_what_stands_beside_columns_and_options_too():
    assert inspect.getdoc(Wide) == dedent("""\
        Whether a text is wide.

        Width is counted in letters.

        Reads:
            text: any text.
            lines, words: what is in it.
        Writes:
            text: as above.
            wide: the verdict; a | b.
            width: its letters.
        Options:
            least.
            most: the widest.
        Rejects:
            NarrowError: the text is empty.
        Source: the usual way.
        Example:
            >>> 1 + 1
            2""")


def test_a_section_may_be_a_sentence():
    told = described(operators.Join)
    assert told.plain["Writes"] == "the other table's columns, or those that ``columns`` names."
    assert f"\nWrites: {told.plain['Writes']}\n" in (inspect.getdoc(operators.Join) or "")
    assert f"\nWrites: {told.plain['Writes']}\n" in page(operators.Join)


def test_a_class_without_a_docstring_has_that_of_its_base_and_one_can_be_set():
    class Wider(Wide):
        pass

    assert Wider.__doc__ is None
    assert (inspect.getdoc(Wider) or "").startswith("Whether a text is wide.")
    Wider.__doc__ = "Whether it is wider."
    assert Wider.__dict__["__doc__"] == "Whether it is wider."


def test_show_tells_of_an_operator_and_list_names_it(capsys: pytest.CaptureFixture[str]):
    assert main(["show", "QA_Merger", "LetterBalancer"]) == 0
    assert capsys.readouterr().out == f"{page(operators.QA_Merger)}\n{page(operators.LetterBalancer)}"
    assert main(["list"]) == 0
    said = capsys.readouterr().out
    assert [each.__name__ for each in OPERATORS if f"  {each.__name__} " not in said] == []


def test_the_catalogue_in_the_docs_is_what_show_tells(capsys: pytest.CaptureFixture[str]):
    assert main(["show"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")


def test_show_of_no_operator_shows_all_and_of_one_that_is_not_there_says_which_was_meant(
    capsys: pytest.CaptureFixture[str],
):
    assert main(["show"]) == 0
    said = capsys.readouterr().out
    assert [each.__name__ for each in OPERATORS if f"\n### {each.__name__}\n" not in said] == []
    assert main(["show", "QAMerger"]) == 2
    assert capsys.readouterr().err == "error: There is no operator QAMerger; did you mean QA_Merger?\n"
