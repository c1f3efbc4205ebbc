"""BlenderPainter: the picture of a room, drawn by a Blender program that stays ready for the next."""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from dataflow_ext import parallel
from operators.scene.blender.process import WORKER, BlenderError, Died, Process, command_of, program_of
from operators.scene.blender.solids import view_of
from operators.scene.model.scene import Scene
from operators.scene.painter.backdrop import AIR
from operators.scene.painter.camera import Camera, Shell, diagonal_camera, shell_of, top_camera
from operators.scene.painter.canvas import FINE, Canvas
from operators.scene.painter.labels import signs
from operators.scene.painter.solids import Body, bodies_of
from operators.scene.painter.views import BLUE, MARGINS, RED, drawn, framed, names_of, write_names

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels


@dataclass(frozen=True, slots=True)
class View:
    """One view: what is asked of Blender, and what its picture is finished by; the camera is the painter's own."""

    asked: dict[str, Any]
    shell: Shell
    bodies: Sequence[Body | None]
    names: Sequence[str]
    camera: Camera
    side: int
    from_above: bool


def views_of(scene: Scene, azimuth: int, side: int) -> list[View]:
    """The view from above and the diagonal view of a room."""
    shell = shell_of(scene)
    bodies, names = bodies_of(scene, shell), names_of(scene)
    fine, (top, diagonal) = FINE * side, MARGINS
    cameras = (top_camera(shell, fine, FINE * top), diagonal_camera(shell, azimuth, fine, FINE * diagonal))
    return [
        View(view_of(shell, bodies, _coarse(camera), from_above=above), shell, bodies, names, camera, side, above)
        for camera, above in zip(cameras, (True, False), strict=True)
    ]


def _coarse(camera: Camera) -> Camera:
    """The camera in pixels of the finished picture."""
    return replace(camera, scale=camera.scale / FINE, x=camera.x / FINE, y=camera.y / FINE)


def finished(views: Sequence[View], pictures: Sequence[Pixels]) -> bytes:
    """The PNG of the views side by side, with what is written on them, in their frames."""
    import numpy as np

    from operators.scene.painter.canvas import png

    pages = [
        framed(_written(view, picture.copy()), colour)
        for view, picture, colour in zip(views, pictures, (BLUE, RED), strict=True)
    ]
    return png(np.concatenate(pages, axis=1))


def _written(view: View, picture: Pixels) -> Pixels:
    """The picture with the names of what is seen on it: whose each pixel is follows from the painter's same camera."""
    seen = drawn(Canvas(FINE * view.side, AIR), view.bodies, view.camera, from_above=view.from_above)
    taken = signs(picture, view.shell, view.camera, from_above=view.from_above)
    write_names(picture, seen, view.bodies, view.names, taken)
    return picture


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
        from operators.scene.painter import must_have_numpy

        must_have_numpy()
        from operators.scene.blender.client import finished, views_of

        views = views_of(scene, azimuth, self.size)
        drawn = self._drawn({"side": self.size, "views": [view.asked for view in views]})
        return finished(views, drawn)

    def version(self) -> str:
        """What decides how pictures look: Blender's version, the worker's code, and the painter's version."""
        from operators.scene.painter import VERSION

        blender = self._ready().version
        return f"Blender {blender}, worker {sha256(WORKER.read_bytes()).hexdigest()[:8]}, {_VERSION}, painter {VERSION}"

    def close(self) -> None:
        """End the program; the next picture starts another."""
        self._end()

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
                self._end()
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

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


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
