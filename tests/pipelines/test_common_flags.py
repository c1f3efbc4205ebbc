"""Flags of one name are the same flag in every pipeline and in the commands beside it."""

import contextlib
import io
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib import import_module

import pytest

from dataflow_ext.commands import pipelines

#: All commands with flags of their own, by the words that call them.
BESIDE = {
    "cot_planning": ["validate"],
    "game_annotate": ["validate", "sample"],
    "onevision": ["calibrate", "sample"],
    "scene_edit": ["validate", "replay", "facts", "claims"],
}
#: Flags that mean the same wherever they are, and where they are.
EVERYWHERE = ("--model", "--seed", "--out", "--workers", "--limit", "--cache-dir", "--fresh", "--dry-run", "--engine")
READING = ("--ocr-engine", "--ocr-option")

Command = tuple[str, ...]


def flags_of(main: Callable[[Sequence[str]], int], words: Command, told: Callable[[], str]) -> dict[str, str]:
    """What each flag of a command takes, as its help shows it; the choices may be fewer in one than in another."""
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    found = re.findall(r"^  (--[\w-]+)(?: ([A-Z\w{][^ \n]*))?", told().partition("\nexample")[0], re.MULTILINE)
    return {flag: "a choice" if takes.startswith("{") else takes for flag, takes in found}


@pytest.fixture(scope="module")
def flags() -> dict[Command, dict[str, str]]:
    found = {}
    for name in [each.replace("-", "_") for each in pipelines()]:
        main = import_module(f"pipelines.{name}").main
        for words in [(), *((word,) for word in BESIDE.get(name, ()))]:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                found[name, *words] = flags_of(main, words, out.getvalue)
    return found


def test_a_flag_takes_the_same_wherever_it_is(flags: dict[Command, dict[str, str]]) -> None:
    takes: dict[str, set[str]] = defaultdict(set)
    for each in flags.values():
        for flag, what in each.items():
            takes[flag].add(what)
    assert {flag: what for flag, what in takes.items() if len(what) > 1} == {}


def test_every_pipeline_has_the_common_flags_and_those_that_read_pictures_have_the_flags_of_ocr(
    flags: dict[Command, dict[str, str]],
) -> None:
    runs = {name: found for (name, *words), found in flags.items() if not words}
    assert {name: [flag for flag in EVERYWHERE if flag not in found] for name, found in runs.items()} == {
        name: [] for name in runs
    }
    assert {name for name, found in runs.items() if set(READING) & found.keys()} == {
        name for name, found in runs.items() if set(READING) <= found.keys()
    } == {"pdf_vqa", "game_annotate", "onevision"}  # fmt: skip
