"""Progress is shown in notebooks without being asked for; elsewhere only long waits are told."""

import sys
import types

import pytest

from dataflow_ext import run
from dataflow_ext.progress import Cell, Waits, by_default
from tests.core.samples import Length


@pytest.fixture
def notebook(monkeypatch):
    """IPython as a kernel has it, and what it displayed."""
    shown = []
    handle = types.SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))

    def display(data, raw, display_id):
        handle.update(data, raw)
        return handle

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    ipython.display = types.SimpleNamespace(display=display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    return shown


def test_a_run_in_a_notebook_shows_its_steps(notebook):
    assert isinstance(by_default(), Cell)
    run([Length(), Length(writes={"length": "again"})], [{"text": "a"}, {"text": "bc"}])
    assert [line.partition(":")[0] for line in notebook[-1].splitlines()] == ["1. Length", "2. Length"]


def test_elsewhere_no_step_is_shown(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert isinstance(by_default(), Waits)
    shell = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython", shell)
    assert isinstance(by_default(), Waits)
    run([Length()], [{"text": "a"}])
    monkeypatch.setattr(sys, "stderr", None)  # a program without a console
    assert by_default() is None
    run([Length()], [{"text": "a"}])
    monkeypatch.undo()
    assert capsys.readouterr().err == ""
