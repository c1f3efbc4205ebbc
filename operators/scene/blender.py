"""Pictures of rooms by Blender, a program of its own that answers lines of JSON and is never loaded into ours."""

from __future__ import annotations

import base64
import binascii
import io
import json
import math
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from dataflow_ext import DataflowError, OptionError, parallel
from operators.scene.model.scene import Scene
from operators.scene.painter import VERSION, View, must_have_numpy, side_by_side, views_of
from operators.scene.painter.camera import Camera, Shell, Vector
from operators.scene.painter.canvas import FINE, Colour
from operators.scene.painter.parts import AIR, FLOOR, Part, shaded
from operators.scene.painter.solids import ABOVE, LIGHT, Body

#: Where the program is looked for if none is named.
VARIABLE = "BLENDER"
WORKER = Path(__file__).with_name("blender_worker.py")
#: Seconds that the program has to end after it was asked to.
_GRACE = 2.0

MISSING = (
    "Blender is not there{what}. Install it (apt-get install blender; or https://www.blender.org/download) and put it "
    f"on the PATH, or name its program by the option 'program' or the environment variable {VARIABLE}; a Python with "
    "the package bpy (pip install bpy) does as well. The painter needs none of these."
)


class BlenderError(DataflowError):
    """Blender ended, took too long, or could not draw a room; the message has what it said last."""


class Died(Exception):
    """The program is no longer there."""


def program_of(program: str | None = None) -> str:
    """The Blender program: the one that is named, else that of the environment, else what is on the PATH.

    A Python with the package ``bpy`` counts too, this one last. OptionError, which says what to install, if there is
    none.
    """
    named = program or os.environ.get(VARIABLE)
    if named:
        if (found := shutil.which(named)) is None:
            where = "the option 'program' (--blender)" if program else f"the environment variable {VARIABLE}"
            raise OptionError(MISSING.format(what=f": {where} names {named!r}, which is no program"))
        return found
    if (found := shutil.which("blender")) is not None:
        return found
    if find_spec("bpy") is not None:
        return sys.executable
    raise OptionError(MISSING.format(what=""))


def command_of(program: str, threads: int) -> list[str]:
    """The command that runs the worker in Blender, or in a Python that has Blender as a module."""
    if Path(program).name.lower().startswith("python"):
        return [program, str(WORKER)]
    options = ["--background", "--factory-startup", "-noaudio", "--threads", str(threads), "--python-exit-code", "3"]
    return [program, *options, "--python", str(WORKER)]


class Process:
    """A running program, the lines that it says, and its end when it is no longer wanted.

    ``version`` is what it said when it was ready. It ends by itself if this process does, as its input then does.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the program
        try:
            self._child = subprocess.Popen(  # noqa: S603 - a program that the user has named
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, start_new_session=True
            )
        except OSError as error:
            raise BlenderError(f"{command[0]} cannot be started ({error.strerror or error}).") from None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._child.stdout, self._lines), daemon=True).start()
        self.end = weakref.finalize(self, _end, self._child, os.getpid())
        try:
            self.version = str(self._answer("ready", timeout)["ready"])
        except Died:
            raise BlenderError(f"{command[0]} ended before it was ready; {self.said()}") from None

    def ask(self, request: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The reply with the ``id`` of the request; Died if there is none, BlenderError if it takes too long."""
        # Beside us, as a program that hangs does not read to the end of the line.
        line = json.dumps(request).encode() + b"\n"
        threading.Thread(target=_say, args=(self._child.stdin, line), daemon=True).start()
        while (reply := self._answer("id", timeout))["id"] != request["id"]:
            pass
        return reply

    def said(self) -> str:
        """The last that the program said beside its replies, for messages."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(1.0)
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - 2_000))
        lines = [line.strip() for line in self._log.read().decode("utf-8", "replace").splitlines() if line.strip()]
        last = " | ".join(lines[-3:])[-400:]
        code = self._child.poll()
        return f"its exit code was {code}, {f'the last it said: {last}' if last else 'it said nothing'}."

    def _answer(self, key: str, timeout: float) -> dict[str, Any]:
        """The next line that is JSON and has this key; Blender says other things as well."""
        until = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self._child.kill()
                self.end()
                raise BlenderError(f"Blender gave no answer within {timeout:g} seconds, so it was ended.") from None
            if line is None:
                raise Died
            with suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict) and key in message:
                    return message


def _say(pipe: IO[bytes], line: bytes) -> None:
    with suppress(OSError, ValueError):  # it is dead, which the one who listens is told
        pipe.write(line)
        pipe.flush()


def _listen(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    with suppress(OSError, ValueError):
        for line in pipe:
            lines.put(line)
    lines.put(None)


def _end(child: subprocess.Popen[bytes], owner: int) -> None:
    """End the program: by its input's end, else at once. In a process that did not start it, do nothing."""
    if os.getpid() != owner:
        return
    with suppress(OSError):
        if child.stdin is not None:
            child.stdin.close()
    try:
        child.wait(_GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


#: How much is seen of what hangs over the room from above.
_GHOST = 0.3
_WALL: Colour = (214, 219, 226)
#: Corners of a round part.
_CORNERS = 32
#: The sides of a box by its corners: -x, +x, bottom, top, -z, +z.
_BOX = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))

Solid = dict[str, Any]


#: Raised whenever the same scene comes to look different.
_VERSION = "1"


@dataclass
class BlenderPainter:
    """Pictures of rooms as Blender draws them, with the views, names and colours of the painter.

    ``program`` is Blender's, or that of a Python with the package ``bpy``; see :func:`program_of`. It is started at the
    first picture and kept; one that dies is started again once a picture. ``timeout`` are seconds, for the start and
    for each picture; ``size`` the pixels of one view's side. Can be pickled, and be used after a fork and by several
    threads: each process has a program of its own.

    The same scene gives the same bytes with the same Blender on the same kind of processor.
    """

    program: str | None = None
    size: int = 512
    timeout: float = 300.0
    _process: Process | None = field(default=None, init=False, repr=False, compare=False)
    _asked: int = field(default=0, init=False, repr=False, compare=False)

    def picture(self, scene: Scene, azimuth: int) -> bytes:
        """A PNG with the view from above at the left and the diagonal view at the right, as the painter's.

        ``azimuth`` is where the viewer of the diagonal view stands, in degrees from north by east. OptionError if there
        is no Blender or no NumPy, BlenderError if it could not draw.
        """
        must_have_numpy()
        views = views_of(scene, azimuth, self.size)
        drawn = self._drawn({"side": self.size, "views": [asked_of(view) for view in views]})
        # Whose each pixel is follows from the painter's same camera.
        return side_by_side([view.finished(page, view.drawn(AIR)) for view, page in zip(views, drawn, strict=True)])

    def version(self) -> str:
        """What decides how pictures look: Blender's version, the worker's code, and the painter's version."""
        blender = self._ready().version
        return f"Blender {blender}, worker {sha256(WORKER.read_bytes()).hexdigest()[:8]}, {_VERSION}, painter {VERSION}"

    def close(self) -> None:
        """End the program; the next picture starts another."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _drawn(self, request: dict[str, Any]) -> list[Any]:
        """The views that the program drew."""
        reply = self._reply(request)
        if "error" in reply:
            raise BlenderError(f"Blender could not draw the room: {str(reply['error'])[:400]}")
        try:
            return [_pixels(view, self.size) for view in reply["views"]]
        except (KeyError, TypeError, ValueError, OSError) as error:
            raise BlenderError(f"Blender's reply has no pictures ({error}).") from None

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request, by a second program if the first dies of it."""
        for again in (True, False):
            process = self._ready()
            self._asked += 1
            try:
                return process.ask({"id": self._asked, **request}, self.timeout)
            except Died:
                said = process.said()
                self.close()
                if not again:
                    raise BlenderError(f"Blender ended twice over one picture; {said}") from None
            except BlenderError:
                self._process = None
                raise
        raise AssertionError("unreachable")

    def _ready(self) -> Process:
        """The program, started if there is none."""
        if self._process is None:
            command = command_of(program_of(self.program), parallel.cores())
            self._process = Process(command, self.timeout)
        return self._process


def _pixels(view: str, side: int) -> Any:
    """The pixels of a PNG file in Base64, which has to be a square of this side."""
    import numpy as np
    from PIL import Image

    try:
        data = base64.b64decode(view, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    with Image.open(io.BytesIO(data)) as image:
        if image.size != (side, side):
            raise ValueError(f"a picture of {image.width} by {image.height} pixels, not {side} by {side}")
        return np.array(image.convert("RGB"))


def asked_of(view: View) -> dict[str, Any]:
    """What the worker draws as one view; what hangs high is see-through from above, which shows no walls."""
    shell, fine = view.shell, view.camera
    # In pixels of the finished picture.
    camera = replace(fine, scale=fine.scale / FINE, x=fine.x / FINE, y=fine.y / FINE)
    solids = [_floor(shell), *(() if view.from_above else _far_walls(shell, camera))]
    for each in view.bodies:
        if each is not None:
            solids += _body(each, _GHOST if view.from_above and each.overhead else 1.0)
    told = {name: getattr(camera, name) for name in ("right", "up", "near", "scale", "x", "y")}
    # No farther away than need be, as Blender's numbers have seven digits.
    extent, (west, east, north, south) = _extent(shell), shell.bounds
    middle = ((west + east) / 2, (shell.low + shell.high) / 2, (north + south) / 2)
    told["away"] = sum(a * b for a, b in zip(camera.near, middle, strict=True)) + 2 * extent
    told["sight"] = 6 * extent
    return {"camera": told, "light": _light(camera), "air": AIR, "solids": solids}


def _extent(shell: Shell) -> float:
    """The metres across a room, and more than what stands far out of it needs."""
    west, east, north, south = shell.bounds
    return 2 * math.hypot(east - west, shell.high - shell.low, south - north)


def _light(camera: Camera) -> Vector:
    """The direction of the sun, which goes with the viewer."""
    east, _, south = camera.near
    length = math.hypot(east, south)
    # From straight above the viewer stands at the picture's lower side.
    ahead = (east / length, south / length) if length > 1e-6 else (-camera.up[0], -camera.up[2])
    left, up, near = LIGHT
    return camera.right[0] * left + ahead[0] * near, up, camera.right[2] * left + ahead[1] * near


def _solid(vertices: Sequence[Vector], faces: Sequence[Sequence[int]], colour: Colour, opacity: float = 1.0) -> Solid:
    return {
        "vertices": [[round(v, 6) for v in vertex] for vertex in vertices],
        "faces": [list(face) for face in faces],
        "colour": list(colour),
        "opacity": opacity,
    }


def _floor(shell: Shell) -> Solid:
    # A little below all that stands on it.
    corners = [(x, shell.low - 0.005, z) for x, z in shell.corners]
    return _solid(corners, [range(len(corners))], FLOOR)


def _far_walls(shell: Shell, camera: Camera) -> Iterator[Solid]:
    """The walls whose inner sides the viewer sees, set back so far that they never hide any of the room.

    Without perspective they are seen at the same place.
    """
    behind = _extent(shell)
    bx, by, bz = (-behind * v for v in camera.near)
    for (x0, z0), (x1, z1), (nx, nz) in shell.inner_edges():
        if camera.near[0] * nx + camera.near[2] * nz > 1e-9:
            low, high = shell.low - 0.005, shell.high
            corners = [(x0, low, z0), (x1, low, z1), (x1, high, z1), (x0, high, z0)]
            yield _solid([(x + bx, y + by, z + bz) for x, y, z in corners], [range(4)], _WALL)


def _body(body: Body, opacity: float) -> Iterator[Solid]:
    for part in body.parts:
        vertices, faces = _pillar(part) if part.round else _box(part)
        yield _solid(_placed(body, vertices), faces, shaded(body.colour, part.tone), opacity)
    if opacity == 1.0 and (mark := body.mark()):
        above = [(x, y + ABOVE, z) for x, y, z in mark]
        yield _solid(_placed(body, above), [range(3)], body.ink)


def _placed(body: Body, vertices: Sequence[Vector]) -> list[Vector]:
    px, py, pz = body.place
    turned = (body.turned(*vertex) for vertex in vertices)
    return [(px + x, py + y, pz + z) for x, y, z in turned]


def _box(part: Part) -> tuple[list[Vector], Sequence[Sequence[int]]]:
    (x0, y0, z0), (x1, y1, z1) = part.low, part.high
    return [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)], _BOX


def _pillar(part: Part) -> tuple[list[Vector], Sequence[Sequence[int]]]:
    (x0, y0, z0), (x1, y1, z1) = part.low, part.high
    turns = [i * math.tau / _CORNERS for i in range(_CORNERS)]
    ring = [(x0 + (1 + math.cos(t)) * (x1 - x0) / 2, z0 + (1 + math.sin(t)) * (z1 - z0) / 2) for t in turns]
    sides = [(i, _CORNERS + i, _CORNERS + (i + 1) % _CORNERS, (i + 1) % _CORNERS) for i in range(_CORNERS)]
    ends = [range(_CORNERS), range(2 * _CORNERS - 1, _CORNERS - 1, -1)]
    return [(x, y, z) for y in (y0, y1) for x, z in ring], [*sides, *ends]
