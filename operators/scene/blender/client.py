"""BlenderPainter: the picture of a room, drawn by a Blender program that stays ready for the next."""

from __future__ import annotations

import base64
import binascii
import io
import os
import threading
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from dataflow_ext import parallel
from operators.scene.blender.process import WORKER, BlenderError, Died, Process, command_of, program_of
from operators.scene.scene import Scene

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
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {"program": self.program, "size": self.size, "timeout": self.timeout}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def picture(self, scene: Scene, azimuth: int) -> bytes:
        """A PNG with the view from above at the left and the diagonal view at the right, as the painter's.

        ``azimuth`` is where the viewer of the diagonal view stands, in degrees from north by east. OptionError if there
        is no Blender or no NumPy, BlenderError if it could not draw.
        """
        from operators.scene.painter import must_have_numpy

        must_have_numpy()
        from operators.scene.blender.finishing import finished, views_of

        views = views_of(scene, azimuth, self.size)
        drawn = self._drawn({"side": self.size, "views": [view.asked for view in views]})
        return finished(views, drawn)

    def version(self) -> str:
        """What decides how pictures look: Blender's version, the worker's code, and the painter's version."""
        from operators.scene.painter import VERSION

        with self._lock:
            blender = self._ready().version
        return f"Blender {blender}, worker {sha256(WORKER.read_bytes()).hexdigest()[:8]}, {_VERSION}, painter {VERSION}"

    def close(self) -> None:
        """End the program; the next picture starts another."""
        with self._lock:
            self._end()

    def _drawn(self, request: dict[str, Any]) -> list[Any]:
        """The views that the program drew."""
        with self._lock:
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
        """This process's own program, started if there is none."""
        if self._process is None or self._process.pid != os.getpid():
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
