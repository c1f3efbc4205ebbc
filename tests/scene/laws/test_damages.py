"""Every law of the format, broken on purpose in whole lines: the check tells it, under its own code."""

import json
import re

import pytest

from operators.scene.model.records import CODES
from operators.scene.rules import entry_problems
from tests.scene.laws.damages_of_calls import OF_CALLS
from tests.scene.laws.damages_of_folders import OF_FOLDERS
from tests.scene.laws.damages_of_form import OF_FORM
from tests.scene.laws.damages_of_laws import OF_LAWS
from tests.scene.laws.damages_of_states import OF_STATES
from tests.scene.laws.damages_of_texts import OF_TEXTS
from tests.scene.laws.edits import NotHere, changed
from tests.scene.laws.lines import full_lines, lines

OF_LINES = (OF_FORM, OF_STATES, OF_CALLS, OF_LAWS, OF_TEXTS)

#: On how many of the lines each damage is tried.
TRIED = 1

DAMAGES = [
    pytest.param(number, code, change, id=f"{code}: {name}")
    for number, (code, name, change) in enumerate(
        (code, name, change)
        for damages in OF_LINES
        for code, named in damages.items()
        for name, change in named.items()
    )
]


def test_there_are_lines_of_both_forms_and_both_types_that_break_no_law():
    assert {name: entry_problems(line) for name, line in full_lines().items()} == {
        "multi_turn/ssr": [],
        "multi_turn/groups": [],
        "single_turn/ssr": [],
        "single_turn/groups": [],
    }
    assert [entry_problems(line) for line in lines().values()] == [[]] * 4


def test_the_lines_have_calls_of_all_tools():
    text = json.dumps(list(lines().values()))
    assert set(re.findall(r'\\"name\\":\\"(\w+)', text)) == {
        "add_object", "remove_object", "move_object", "rotate_object", "scale_object", "replace_object", "terminate",
    }  # fmt: skip


@pytest.mark.parametrize(("number", "codes", "change"), DAMAGES)
def test_a_damage_is_told_by_its_code(number, codes, change):
    found = list(lines().values())
    told = []
    for line in [*found[number % len(found) :], *found[: number % len(found)]]:
        try:
            damaged = changed(line, change)
        except NotHere:
            continue
        assert json.dumps(damaged) != json.dumps(line)
        told.append({problem.code for problem in entry_problems(damaged)})
        if len(told) == TRIED:
            break
    assert told, "no line has what this damages"
    assert [each for each in told if not each & set(codes.split("|"))] == []


def test_every_code_has_a_damage_of_its_own():
    named = {code for damages in (*OF_LINES, OF_FOLDERS) for code in damages}
    assert sorted(set(CODES) - named) == []


def test_every_law_that_a_line_can_break_has_a_code():
    laws = {int(law) for told in CODES.values() for law in re.findall(r"\d+", told.partition(")")[0])}
    assert laws == {1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13}
