"""Prompts are files that a user can replace, and their text is what they are."""

import sys
from pathlib import Path

import pytest

from dataflow_ext import InputError, OptionError
from dataflow_ext.fingerprint import fingerprint
from dataflow_ext.prompt import Prompt, export
from tests.core.samples import Length


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two templates."""
    folder = tmp_path / "some_prompts"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "greet.md").write_text("Greet {{ name }}.\n", encoding="utf-8")
    (folder / "plain.md").write_text("  Say 例 {once}.\n\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "some_prompts"
    sys.modules.pop("some_prompts", None)


def prompt(package_name, name, **options):
    made = type("Some", (Prompt,), {"__module__": __name__, "package": package_name, "template": name})
    return made(**options)


def test_a_prompt_s_text_is_its_file_without_blank_ends(package):
    assert prompt(package, "plain.md").text == "Say 例 {once}."


def test_a_prompt_s_variables_are_filled(package):
    assert prompt(package, "greet.md").fill(name="{{ Ada }} & <Bob>") == "Greet {{ Ada }} & <Bob>."


def test_a_variable_that_is_not_given_is_named(package):
    with pytest.raises(OptionError) as caught:
        prompt(package, "greet.md").fill()
    assert str(caught.value) == "The prompt greet.md cannot be filled: 'name' is undefined"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ ''.__class__.__mro__ }}", "access to attribute '__class__' of 'str' object is unsafe."),
        (
            "{{ cycler.__init__.__globals__.os.popen('touch run').read() }}",
            "access to attribute '__init__' of 'type' object is unsafe.",
        ),
        ("{{ name.append('more') }}", "access to attribute 'append' of 'list' object is unsafe."),
        ("{{ range(10 ** 9) | list }}", "Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000)."),
        (
            "{% for a in range(9999) %}{% for b in range(9999) %}{{ 'x' * 999 }}{% endfor %}{% endfor %}",
            "it comes to more than 20,000,000 characters",
        ),
        ("{{ name + 1 }}", 'can only concatenate list (not "int") to list'),
    ],
)
def test_a_stranger_s_template_runs_nothing_changes_nothing_and_ends(package, tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "greet.md").write_text(text, encoding="utf-8")
    names = ["Ada"]
    with pytest.raises(OptionError) as caught:
        prompt(package, "greet.md", folder=shared).fill(name=names)
    assert str(caught.value).removeprefix("The prompt greet.md cannot be filled: ") == said
    assert names == ["Ada"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shared", "some_prompts"]


def test_a_user_s_folder_replaces_the_texts_it_holds(package, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "greet.md").write_text("Hello {{ name }}!", encoding="utf-8")
    assert prompt(package, "greet.md", folder=mine).fill(name="Ada") == "Hello Ada!"
    assert prompt(package, "plain.md", folder=mine).text == "Say 例 {once}."


def test_a_folder_that_is_not_there_is_refused(package, tmp_path):
    with pytest.raises(OptionError) as caught:
        prompt(package, "greet.md", folder=tmp_path / "typo")
    assert str(caught.value) == f"There is no folder of prompts {tmp_path}/typo."


def test_an_option_that_a_prompt_does_not_have_is_refused(package):
    with pytest.raises(OptionError) as caught:
        prompt(package, "greet.md", foldre="x")
    assert str(caught.value) == "Some has no option 'foldre'; did you mean 'folder'? It has text, folder."


def test_a_text_that_is_not_utf_8_is_refused(package, tmp_path):
    (tmp_path / "greet.md").write_bytes("例".encode("gbk"))
    with pytest.raises(InputError) as caught:
        _ = prompt(package, "greet.md", folder=tmp_path).text
    assert str(caught.value) == f"The prompt {tmp_path}/greet.md is not UTF-8 text; save it as UTF-8."


def test_the_texts_can_be_written_to_a_folder_and_are_never_written_over(package, tmp_path):
    folder = tmp_path / "out"
    assert [p.name for p in export(folder, package)] == ["greet.md", "plain.md"]
    assert prompt(package, "plain.md", folder=folder).text == prompt(package, "plain.md").text
    (folder / "greet.md").write_text("mine")
    (folder / "plain.md").unlink()
    assert export(folder, package) == [folder / "plain.md"]
    assert (folder / "greet.md").read_text() == "mine"


class Prompted(Length):
    prompt: Prompt


def test_what_counts_of_a_prompt_is_its_text_wherever_it_lies(package, tmp_path):
    same, other = tmp_path / "same", tmp_path / "other"
    export(same, package)
    export(other, package)
    (other / "greet.md").write_text("Another.")
    prints = [
        fingerprint(Prompted(prompt=prompt(package, "greet.md", folder=folder))) for folder in (None, same, other)
    ]
    assert prints[0] == prints[1] != prints[2]


def test_the_house_s_own_prompts_can_be_written_out(tmp_path):
    names = [p.name for p in export(tmp_path)]
    assert names == sorted(p.name for p in Path(sys.modules["prompts"].__file__).parent.glob("*.md"))
