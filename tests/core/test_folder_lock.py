"""Two runs in one folder: the second is told of the first, and a killed one leaves nothing behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from dataflow_ext.errors import InputError
from dataflow_ext.files import only_run_in

HOLD = """
import sys, time
from pathlib import Path
from dataflow_ext.files import only_run_in
with only_run_in(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_folder_in_use_is_refused_with_the_process_that_has_it_until_that_is_killed(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with pytest.raises(InputError) as refusal, only_run_in(tmp_path):
        pass
    assert str(refusal.value) == (
        f"Another run (process {holder.pid}) is at work in {tmp_path}; wait for its end, or give another output folder."
    )
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with only_run_in(tmp_path):
        pass


def test_a_folder_is_free_again_after_the_block_even_if_it_raised(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(KeyError), only_run_in(tmp_path / "new"):
            raise KeyError
