"""What Blender is asked for, and what is written on the pictures that it gives: names, signs and frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from operators.scene.blender.solids import view_of
from operators.scene.furniture.names import short_names
from operators.scene.painter.backdrop import AIR
from operators.scene.painter.camera import Camera, Shell, diagonal_camera, shell_of, top_camera
from operators.scene.painter.canvas import FINE, Canvas, Colour
from operators.scene.painter.labels import Label, Sight, write_labels
from operators.scene.painter.lettering import drawable
from operators.scene.painter.signs import signs
from operators.scene.painter.solids import Body, area, bodies_of, faces_of, ghost, outline
from operators.scene.scene import Scene, objects_of

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels

_BLUE: Colour = (32, 92, 214)
_RED: Colour = (214, 40, 40)
_FRAME = 4
#: Pixels between the frame and what the room's bounds take, from above and at an angle.
_MARGINS = (30, 16)


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
    bodies, names = bodies_of(scene, shell), _names(scene)
    fine, (top, diagonal) = FINE * side, _MARGINS
    cameras = (top_camera(shell, fine, FINE * top), diagonal_camera(shell, azimuth, fine, FINE * diagonal))
    return [
        View(view_of(shell, bodies, _coarse(camera), from_above=above), shell, bodies, names, camera, side, above)
        for camera, above in zip(cameras, (True, False), strict=True)
    ]


def _coarse(camera: Camera) -> Camera:
    """The camera in pixels of the finished picture."""
    return replace(camera, scale=camera.scale / FINE, x=camera.x / FINE, y=camera.y / FINE)


def finished(views: Sequence[View], drawn: Sequence[Pixels]) -> bytes:
    """The PNG of the views side by side, with what is written on them, in their frames."""
    import numpy as np

    from operators.scene.painter.png import png

    pages = [_written(view, pixels.copy()) for view, pixels in zip(views, drawn, strict=True)]
    for page, colour in zip(pages, (_BLUE, _RED), strict=True):
        for edge in (slice(None, _FRAME), slice(-_FRAME, None)):
            page[edge] = colour
            page[:, edge] = colour
    return png(np.concatenate(pages, axis=1))


def _written(view: View, picture: Pixels) -> Pixels:
    """The picture with the names of what is seen on it."""
    canvas = Canvas(FINE * view.side, AIR)
    hanging: dict[int, list[tuple[float, float]]] = {}
    for index, body in enumerate(view.bodies):
        if body is not None and view.from_above and body.overhead:
            hanging[index] = ghost(body, view.camera)
        elif body is not None:
            for face in faces_of(body, view.camera):
                canvas.fill(face.corners, face.plane, face.colour, index, face.number)
    # Whose each pixel is follows from the same camera.
    sight = Sight.of(canvas.owners(), len(view.bodies))
    labels = []
    for index, body in enumerate(view.bodies):
        if body is None:
            continue
        if index not in hanging:
            if sight.named(index, area(outline(body, view.camera)) / FINE**2):
                pixels = int(sight.pixels[index])
                labels.append(Label(view.names[index], *sight.middle(index), body.colour, pixels, index))
            continue
        corners = hanging[index]
        x, y = (int(sum(values) / (FINE * len(corners))) for values in zip(*corners, strict=True))
        if 0 <= x < view.side and 0 <= y < view.side:
            labels.append(Label(view.names[index], x, y, body.colour, int(area(corners) / FINE**2), index))
    taken = signs(picture, view.shell, view.camera, from_above=view.from_above)
    write_labels(picture, labels, taken, sight.owners)
    return picture


def _names(scene: Scene) -> list[str]:
    """A name for each object, in letters that can be written; where there are none, its place in the room's list."""
    names = short_names(scene)
    written = (drawable(names.get(str(each.get("jid")), "")) for each in objects_of(scene))
    return [
        name if any(letter.isalpha() for letter in name) else f"object {number}"
        for number, name in enumerate(written, 1)
    ]
