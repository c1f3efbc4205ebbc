"""Answers that no word tells: runs of labels that stand once more behind the first ones and ask nothing."""

from __future__ import annotations

from operators.pdf.rules import find_pairs
from operators.pdf.rules.keys import counted_keys
from operators.pdf.rules.lines import read_lines
from operators.pdf.rules.mirrors import mirrors
from tests.pdf.rules_book import book

ASKED = {
    "Temperatuur": ["Waarom is het koud?", "Hoe warm is het?", "Noem drie manieren.", "Leg uit."],
    "Licht": ["Hoe snel is het?", "Teken een straal.", "Waarom breekt het?"],
    "Stroom": ["Hoe groot is hij?", "Wanneer loopt hij?", "Schets een kring."],
}


def chapter(name: str, mark: str = "{} ") -> list[str]:
    """A chapter's heading and questions."""
    return [f"# {name}", *(mark.format(n) + text for n, text in enumerate(ASKED[name], 1))]


def key(name: str, mark: str = "{} ") -> list[str]:
    """The answers to a chapter."""
    return [mark.format(n) + f"Dat leert {name.lower()} {'x' * n}." for n, _ in enumerate(ASKED[name], 1)]


def read(*lines: str) -> list[tuple[list[str], bool]]:
    """The labels of each chapter, and whether they answer."""
    return [([p.label for p in c.pairs], not any(p.question for p in c.pairs)) for c in find_pairs(book(*lines))]


FOUR, THREE = list("1234"), list("123")


def test_runs_that_stand_once_more_behind_all_questions_are_answers():
    heads = [f"# Hoofdstuk {n} {name}" for n, name in enumerate(ASKED, 1)]
    keys = [line for head, name in zip(heads, ASKED, strict=True) for line in (head, *key(name))]
    lines = [line for name in ASKED for line in chapter(name)]
    questions = [(FOUR, False), (THREE, False), (THREE, False)]
    assert read(*lines, "# Uitwerkingen", *keys) == [*questions, (FOUR, True), (THREE, True), (THREE, True)]


def test_runs_that_stand_once_more_behind_each_chapter_are_answers():
    lines = [line for name in ASKED for line in (*chapter(name, "({}) "), "# Uitwerkingen", *key(name, "({}) "))]
    assert read(*lines) == [(labels, told) for labels in (FOUR, THREE, THREE) for told in (False, True)]


def test_answers_without_a_heading_are_told_where_chapter_after_chapter_has_them():
    lines = [[*chapter(name), *key(name)] for name in ASKED]
    told = [(labels, told) for labels in (FOUR, THREE, THREE) for told in (False, True)]
    assert read(*(line for some in lines for line in some)) == told
    once = read(*lines[0], *chapter("Licht"), *chapter("Stroom"))
    assert not any(answers for _, answers in once)


def test_chapters_that_ask_as_the_ones_before_them_are_no_answers():
    assert read(*chapter("Licht"), *chapter("Stroom"), *chapter("Temperatuur")) == [
        (THREE, False),
        (THREE, False),
        (FOUR, False),
    ]


def test_parts_below_labels_that_are_sure_answer_no_others():
    parts = [[f"({k}) Is it {word}?" for k, word in enumerate(("odd", "even", "large"), 1)]]
    parts.append([f"({k}) Its {word}." for k, word in enumerate(("half", "root", "square"), 1)])
    lines = [[f"{n}. Look at the number {n}.", *parts[n % 2]] for n in range(1, 9)]
    assert mirrors(read_lines(book("# Numbers", *(line for some in lines for line in some)))) == []
    bare = [["# Number", *some[1:]] for some in lines[1:]]
    assert len(mirrors(read_lines(book(*(line for some in bare for line in some))))) > 0


def test_longer_text_under_other_titles_is_no_answer_to_what_asks_by_no_sign():
    def theory(name: str) -> list[str]:
        return [f"# {name}", *(f"{n} Schets de kring van {name.lower()} en meet hem." for n in (1, 2, 3, 4))]

    assert not any(answers for _, answers in read(*theory("Licht"), *theory("Stroom")))


def test_an_answer_that_counts_on_in_a_paragraph_is_one_of_several():
    texts = [
        "1 has lost 2 have never flown 3 spoke",
        "of it. 4 flew",
        "# Words",
        "1 a runway of 2 kilometres",
        "2 a case",
    ]
    found = counted_keys(read_lines(book(*texts)))
    assert {line: [label.label for label in labels] for line, labels in found.items()} == {0: THREE, 1: ["4"]}


def found_in(*lines: str) -> list[tuple[list[list[int]], list[list[int]]]]:
    """The lines of the runs that ask and of those that answer."""
    return [
        ([run.lines for run in one.asked], [run.lines for run in one.told]) for one in mirrors(read_lines(book(*lines)))
    ]


def test_answers_of_which_the_first_of_a_chapter_is_missing_mirror_their_questions():
    licht, stroom = key("Licht"), key("Stroom")
    asked = [*chapter("Licht"), *chapter("Stroom")]
    assert found_in(*asked, "# Licht", *licht, "# Stroom", *stroom[1:]) == [
        ([[1, 2, 3], [5, 6, 7]], [[9, 10, 11], [13, 14]])
    ]


def test_the_first_heading_of_answers_parts_all_counts_though_a_chapter_has_none():
    asked = [line for name in ("Licht", "Stroom", "Temperatuur") for line in chapter(name)]
    told = ["# Uitwerkingen", "# Licht", *key("Licht"), "# Temperatuur", *key("Temperatuur")]
    assert found_in(*asked, *told) == [([[1, 2, 3], [5, 6, 7], [9, 10, 11, 12]], [[15, 16, 17], [19, 20, 21, 22]])]


def test_nothing_answers_among_questions_that_ask():
    def pages(*between: str) -> list[str]:
        return ["# Een", *(f"{n} Hoe groot is {n}?" for n in range(1, 5)), "# Twee", *between, *key("Temperatuur")]

    assert found_in(*pages("Lees dit.")) == [([[1, 2, 3, 4]], [[7, 8, 9, 10]])]
    assert found_in(*pages("Oefening 1 Wat is dat?", "Oefening 2 Wie is dat?")) == []
