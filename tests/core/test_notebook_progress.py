"""Progress is shown in notebooks without being asked for, and nowhere else."""

import sys
import types

import pytest

from dataflow_ext import run
from dataflow_ext.progress import Cell, for_notebook
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
    assert isinstance(for_notebook(), Cell)
    run([Length(), Length(writes={"length": "again"})], [{"text": "a"}, {"text": "bc"}])
    assert [line.partition(":")[0] for line in notebook[-1].splitlines()] == ["1. Length", "2. Length"]


def test_elsewhere_nothing_is_shown(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert for_notebook() is None
    shell = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython", shell)
    assert for_notebook() is None
