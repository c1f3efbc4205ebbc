"""What ``help`` says of an operator fits a screen."""

import pydoc

import pytest

import operators


@pytest.mark.parametrize("name", ["QA_Merger", "MinerU2LLMInput", "ChunkedPromptedGenerator", "LLMOutputParser"])
def test_help_of_an_operator_is_its_own_documentation_and_methods(name):
    lines = pydoc.plain(pydoc.render_doc(getattr(operators, name))).splitlines()
    assert len(lines) <= 70
    assert not [line for line in lines if "inherited from" in line]
