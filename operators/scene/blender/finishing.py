"""What Blender is asked for, and what is written on the pictures that it gives: names, signs and frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from operators.scene.blender.solids import view_of
from operators.scene.painter.backdrop import AIR
from operators.scene.painter.camera import Camera, Shell, diagonal_camera, shell_of, top_camera
from operators.scene.painter.canvas import FINE, Canvas
from operators.scene.painter.signs import signs
from operators.scene.painter.solids import Body, bodies_of
from operators.scene.painter.views import BLUE, MARGINS, RED, drawn, framed, names_of, write_names
from operators.scene.scene import Scene

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

    from operators.scene.painter.png import png

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
