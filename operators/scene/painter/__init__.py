"""The painter of rooms: a picture of a scene from above and at an angle, without any program beside NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dataflow_ext import OptionError
from dataflow_ext.packages import install_hint
from operators.scene.model.kinds import short_names
from operators.scene.model.scene import Scene, objects_of
from operators.scene.painter.camera import Camera, Point, Shell, diagonal_camera, shell_of, top_camera
from operators.scene.painter.canvas import FINE, Canvas, Colour, png
from operators.scene.painter.labels import Label, Sight, drawable, signs, write_labels
from operators.scene.painter.parts import backdrop, shaded
from operators.scene.painter.solids import Body, area, bodies_of, box_faces_of, faces_of, ghost, outline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from operators.scene.painter.canvas import Pixels

#: Raised whenever the same scene comes to look different.
VERSION = "1"
#: Pixels of a side of one of the two views.
SIZE = 512
BLUE: Colour = (32, 92, 214)
RED: Colour = (214, 40, 40)
_FRAME = 4
#: Pixels between the frame and what the room's bounds take, from above and at an angle.
_MARGINS = (30, 16)
#: Where the viewer may stand, the favourite first: to the south as the view from above has it.
AZIMUTHS = (135, 225, 150, 210, 45, 315, 30, 330)
#: Pixels of a side of the small pictures by which an azimuth is chosen.
_SMALL = 128
#: A front that is seen counts as so many hundredths of an object.
_FRONT = 15


def picture(scene: Scene, azimuth: int, *, size: int = SIZE) -> bytes:
    """A PNG with the view from above at the left, framed blue, and the diagonal view at the right, framed red.

    ``azimuth`` is where the viewer of the diagonal view stands, in degrees from north by east; ``size`` the pixels of
    one view's side. The bytes rest on the scene, the azimuth and the size alone; with another build of zlib they may
    be packed differently, the pixels stay. OptionError if NumPy is missing, or for a size that cannot be drawn.
    """
    must_have_numpy()
    if not 128 <= size <= 4096:
        raise OptionError(f"A view has 128 to 4096 pixels a side, not {size}.")
    return side_by_side([view.painted() for view in views_of(scene, azimuth % 360, size)])


def must_have_numpy() -> None:
    """Raise OptionError if the package that pictures are drawn with is not installed."""
    if find_spec("numpy") is None:
        raise OptionError(f"Pictures of rooms are drawn with NumPy; install it with: {install_hint('scene')}")


def side_by_side(views: Sequence[Pixels]) -> bytes:
    """The PNG of the views."""
    import numpy as np

    return png(np.concatenate(views, axis=1))


def azimuth_of(scene: Scene) -> int:
    """Of :data:`AZIMUTHS` the first from which most of the objects is seen, fronts rather than backs.

    OptionError if NumPy is missing.
    """
    must_have_numpy()
    shell = shell_of(scene)
    bodies = [body for body in bodies_of(scene, shell) if body is not None]
    return max(AZIMUTHS, key=lambda azimuth: (_seen(shell, bodies, azimuth), -AZIMUTHS.index(azimuth)))


def _seen(shell: Shell, bodies: Sequence[Body], azimuth: int) -> int:
    """Hundredths of objects that are seen from there, each by the share of its outline, and some for each front."""
    camera = diagonal_camera(shell, azimuth, _SMALL, _MARGINS[1] * _SMALL / 512)
    canvas = Canvas(_SMALL, (0, 0, 0))
    fronts = 0
    for index, body in enumerate(bodies):
        for face in box_faces_of(body, camera):
            canvas.fill(face.corners, face.plane, face.colour, index, face.number)
        fronts += body.has_front and camera.turned(*body.turned(0.0, 0.0, 1.0))[2] > 0.1
    pixels = Sight.of(canvas.owners(), len(bodies)).pixels * FINE**2
    wholes = (area(outline(body, camera)) for body in bodies)
    shares = (min(100, int(100 * seen / max(whole, 1.0))) for seen, whole in zip(pixels, wholes, strict=True))
    return sum(shares) + _FRONT * fronts


@dataclass(frozen=True, slots=True)
class Drawn:
    """A canvas with a room's objects, by their places in its list.

    ``solid`` tells the areas of their outlines in pixels of the finished picture, ``ghosts`` the outlines, in pixels
    of the canvas, of what is not drawn, as it hangs over the others.
    """

    canvas: Canvas
    solid: Mapping[int, float]
    ghosts: Mapping[int, Sequence[Point]]


@dataclass(frozen=True, slots=True)
class View:
    """One of the two views of a room, whoever paints it: what is on it, its camera, and its side in pixels."""

    shell: Shell
    bodies: Sequence[Body | None]
    names: Sequence[str]
    camera: Camera
    side: int
    from_above: bool

    def painted(self) -> Pixels:
        """The view as the painter draws it. What hangs high is see-through from above."""
        seen = self.drawn(backdrop(self.shell, self.camera, FINE * self.side, not self.from_above))
        canvas = seen.canvas
        canvas.draw_edges()
        for index, corners in seen.ghosts.items():
            if (body := self.bodies[index]) is not None:
                canvas.tint(corners, body.colour)
                for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                    canvas.line(start, end, shaded(body.colour, 0.8))
        return self.finished(canvas.finished(), seen)

    def drawn(self, ground: Colour | NDArray[np.uint32]) -> Drawn:
        """The objects on a canvas; what hangs high is left out from above."""
        canvas = Canvas(FINE * self.side, ground)
        solid: dict[int, float] = {}
        ghosts: dict[int, Sequence[Point]] = {}
        for index, body in enumerate(self.bodies):
            if body is not None and self.from_above and body.overhead:
                ghosts[index] = ghost(body, self.camera)
            elif body is not None:
                for face in faces_of(body, self.camera):
                    canvas.fill(face.corners, face.plane, face.colour, index, face.number)
                solid[index] = area(outline(body, self.camera)) / FINE**2
        return Drawn(canvas, solid, ghosts)

    def finished(self, picture: Pixels, seen: Drawn) -> Pixels:
        """The picture with its signs, the names of what is seen, and its frame, which are drawn on it."""
        taken = signs(picture, self.shell, self.camera, from_above=self.from_above)
        owners = seen.canvas.owners()
        write_labels(picture, self._labels(seen, Sight.of(owners, len(self.bodies))), taken, owners)
        for edge in (slice(None, _FRAME), slice(-_FRAME, None)):
            picture[edge] = picture[:, edge] = BLUE if self.from_above else RED
        return picture

    def _labels(self, seen: Drawn, sight: Sight) -> Iterator[Label]:
        for index, (body, name) in enumerate(zip(self.bodies, self.names, strict=True)):
            if body is None:
                continue
            if index in seen.ghosts:
                corners = seen.ghosts[index]
                x, y = (int(sum(values) // (FINE * len(corners))) for values in zip(*corners, strict=True))
                if 0 <= x < self.side and 0 <= y < self.side:
                    yield Label(name, x, y, body.colour, int(area(corners) / FINE**2), index)
            elif sight.named(index, seen.solid[index]):
                yield Label(name, *sight.middle(index), body.colour, int(sight.pixels[index]), index)


def views_of(scene: Scene, azimuth: int, side: int) -> list[View]:
    """The view from above and the diagonal view."""
    shell = shell_of(scene)
    bodies, names = bodies_of(scene, shell), _names(scene)
    top = top_camera(shell, FINE * side, FINE * _MARGINS[0])
    diagonal = diagonal_camera(shell, azimuth, FINE * side, FINE * _MARGINS[1])
    return [View(shell, bodies, names, camera, side, camera is top) for camera in (top, diagonal)]


def _names(scene: Scene) -> list[str]:
    """A name for each object, in letters that can be written; where there are none, its place in the room's list."""
    names = short_names(scene)
    written = (drawable(names.get(str(each.get("jid")), "")) for each in objects_of(scene))
    return [
        name if any(letter.isalpha() for letter in name) else f"object {number}"
        for number, name in enumerate(written, 1)
    ]
