"""How property tests run: without a clock, and in CI with the same examples every time; and whose garbage is whose.

``--hypothesis-profile=long`` has 5,000 examples a test instead of 100, for a night.
"""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=5_000)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them the programs that they interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: a third of the tests' time is waited for servers, kills and clocks."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


@pytest.fixture(autouse=True, scope="module")
def _what_other_files_left_is_not_searched_again() -> Iterator[None]:
    # Else a test of how much processor time something takes pays for a search through all that was loaded before it.
    gc.collect()
    gc.freeze()
    yield
