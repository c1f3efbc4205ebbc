"""BlenderPainter: against a real process that speaks as Blender's worker does, and with Blender if it is there."""

import io
import os
import shlex
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dataflow_ext import OptionError
from operators.scene.blender import BlenderError, BlenderPainter, command_of, program_of
from tests.scene import blender_stand_in
from tests.scene.rooms_on_disk import a_room, in_groups, thing

pytest.importorskip("numpy")

ROOM = a_room(thing("a", desc="A gray sofa", size=[1.8, 0.8, 0.9]), thing("lamp", pos=[2.0, 2.0, 2.0], desc="A lamp"))


class StandIn:
    """A program that stands in for Blender, and the processes that it was."""

    def __init__(self, folder: Path, mode: str = "works") -> None:
        self.log = folder / "starts"
        self.program = folder / "blender"
        words = [sys.executable, "-I", "-S", blender_stand_in.__file__, mode, str(self.log)]
        self.program.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
        self.program.chmod(0o755)

    def painter(self, **options: Any) -> BlenderPainter:
        return BlenderPainter(program=str(self.program), **{"size": 128, "timeout": 20, **options})

    @property
    def starts(self) -> list[int]:
        return [int(line) for line in self.log.read_text().split()] if self.log.exists() else []


def pixels(data: bytes) -> Any:
    import numpy as np
    from PIL import Image

    return np.array(Image.open(io.BytesIO(data)))


def is_gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_a_picture_is_both_views_in_their_frames(tmp_path):
    painter = StandIn(tmp_path).painter()
    picture = pixels(painter.picture(ROOM, 135))
    assert picture.shape == (128, 256, 3)
    assert [picture[0, 0].tolist(), picture[127, 255].tolist()] == [[32, 92, 214], [214, 40, 40]]
    assert [picture[64, 30].tolist(), picture[40, 245].tolist()] == [[200] * 3, [220] * 3], "what the program drew"
    painter.close()


def test_the_program_is_started_at_the_first_picture_and_kept(tmp_path):
    stand_in = StandIn(tmp_path)
    painter = stand_in.painter()
    assert not stand_in.log.exists()
    assert painter.picture(ROOM, 135) == painter.picture(ROOM, 135) != painter.picture(ROOM, 225)
    assert painter.version().startswith("Blender 9.9, worker ")
    [pid] = stand_in.starts
    painter.close()
    assert is_gone(pid)


def test_the_program_ends_with_the_painter(tmp_path):
    stand_in = StandIn(tmp_path)
    painter = stand_in.painter()
    painter.version()
    del painter
    assert is_gone(stand_in.starts[0])


def test_a_program_that_dies_is_started_again_once(tmp_path):
    stand_in = StandIn(tmp_path, "dies once")
    painter = stand_in.painter()
    assert pixels(painter.picture(ROOM, 135)).shape == (128, 256, 3)
    assert len(stand_in.starts) == 2
    painter.close()


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        (
            "always dies",
            "Blender ended twice over one picture; its exit code was 7, the last it said: out of memory.",
        ),
        ("complains", "Blender could not draw the room: MemoryError: too many corners"),
        ("draws too small", "Blender's reply has no pictures (a picture of 64 by 64 pixels, not 128 by 128)."),
        ("draws nonsense", "Blender's reply has no pictures ("),
        ("ends at once", "ended before it was ready; its exit code was 1, the last it said: no libGL on this machine."),
    ],
)
def test_what_goes_wrong_is_told_in_a_sentence(tmp_path, mode, why):
    painter = StandIn(tmp_path, mode).painter()
    with pytest.raises(BlenderError) as caught:
        painter.picture(ROOM, 135)
    assert why in str(caught.value)
    painter.close()


@pytest.mark.parametrize("mode", ["hangs", "never ready", "reads nothing"])
def test_a_program_that_hangs_is_ended_when_its_time_is_over(tmp_path, mode):
    stand_in = StandIn(tmp_path, mode)
    large = a_room(*(thing(f"c{i}", desc="A chair") for i in range(150)))  # more than a pipe holds
    with pytest.raises(BlenderError, match=r"gave no answer within 0\.4 seconds, so it was ended"):
        stand_in.painter(timeout=0.4).picture(large, 135)
    assert all(map(is_gone, stand_in.starts))


def test_a_missing_blender_is_told_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BLENDER", raising=False)
    monkeypatch.setattr("operators.scene.blender.find_spec", lambda name: None)
    with pytest.raises(OptionError) as caught:
        BlenderPainter().picture(ROOM, 135)
    for words in ("apt-get install blender", "the option 'program'", "environment variable BLENDER", "pip install bpy"):
        assert words in str(caught.value)
    with pytest.raises(OptionError, match="the option 'program' \\(--blender\\) names 'blonder', which is no program"):
        program_of("blonder")
    monkeypatch.setenv("BLENDER", "blunder")
    with pytest.raises(OptionError, match="the environment variable BLENDER names 'blunder'"):
        program_of()


def test_the_program_is_found_by_option_environment_and_path(tmp_path, monkeypatch):
    one, two = (str(StandIn(tmp_path / name).program) for name in ("a", "b") if not (tmp_path / name).mkdir())
    monkeypatch.setenv("PATH", str(tmp_path / "a"))
    monkeypatch.delenv("BLENDER", raising=False)
    assert program_of() == one
    monkeypatch.setenv("BLENDER", two)
    assert (program_of(), program_of(one)) == (two, one)


def test_a_python_runs_the_worker_itself():
    assert [Path(word).name for word in command_of("/usr/bin/python3.11", 2)] == ["python3.11", "blender_worker.py"]
    assert command_of("/opt/blender", 2)[1:6] == ["--background", "--factory-startup", "-noaudio", "--threads", "2"]


def test_blender_itself_draws_the_room():
    """With Blender on this machine: what is drawn is what there is, to the byte each time."""
    if shutil.which("blender") is None:
        pytest.skip("BLENDER ITSELF IS NOT TESTED: there is no program 'blender' on the PATH")
    room = in_groups(("one", [thing("a", x=1.0, z=1.0, size=[1.0, 1.0, 1.0]), thing("b", x=3.0, z=2.0)]))
    painter = BlenderPainter(size=64, timeout=100)
    data = painter.picture(room, 135)
    assert painter.picture(in_groups(("one", [thing("b", x=3.0, z=2.0)])), 135) != data
    painter.close()
    assert painter.picture(room, 135) == data, "by another program"
    painter.close()
