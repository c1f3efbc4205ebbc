"""The two views of a room: from above, and at an angle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from operators.scene.furniture.names import short_names
from operators.scene.model.scene import Scene, objects_of
from operators.scene.painter.camera import Camera, Point, Shell, diagonal_camera, shell_of, top_camera
from operators.scene.painter.canvas import FINE, Canvas, Colour
from operators.scene.painter.labels import Box, Label, Sight, drawable, signs, write_labels
from operators.scene.painter.parts import backdrop, shaded
from operators.scene.painter.solids import Body, area, bodies_of, box_faces_of, faces_of, ghost, outline

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels

BLUE: Colour = (32, 92, 214)
RED: Colour = (214, 40, 40)
_FRAME = 4
#: Pixels between the frame and what the room's bounds take, from above and at an angle.
MARGINS = (30, 16)
#: Where the viewer may stand, the favourite first: to the south as the view from above has it.
AZIMUTHS = (135, 225, 150, 210, 45, 315, 30, 330)
#: Pixels of a side of the small pictures by which an azimuth is chosen.
_SMALL = 128
#: A front that is seen counts as so many hundredths of an object.
_FRONT = 15


def views(scene: Scene, azimuth: int, side: int) -> tuple[Pixels, Pixels]:
    """The view from above and the diagonal view, each a square with its frame."""
    shell = shell_of(scene)
    bodies = bodies_of(scene, shell)
    names = names_of(scene)
    top = top_camera(shell, FINE * side, FINE * MARGINS[0])
    diagonal = diagonal_camera(shell, azimuth, FINE * side, FINE * MARGINS[1])
    return (
        framed(_view(shell, bodies, names, top, side, from_above=True), BLUE),
        framed(_view(shell, bodies, names, diagonal, side, from_above=False), RED),
    )


def azimuth_of(scene: Scene) -> int:
    """Of :data:`AZIMUTHS` the first from which most of the objects is seen, fronts rather than backs."""
    shell = shell_of(scene)
    bodies = [body for body in bodies_of(scene, shell) if body is not None]
    return max(AZIMUTHS, key=lambda azimuth: (_seen(shell, bodies, azimuth), -AZIMUTHS.index(azimuth)))


def _seen(shell: Shell, bodies: Sequence[Body], azimuth: int) -> int:
    """Hundredths of objects that are seen from there, each by the share of its outline, and some for each front."""
    camera = diagonal_camera(shell, azimuth, _SMALL, MARGINS[1] * _SMALL / 512)
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


def drawn(canvas: Canvas, bodies: Sequence[Body | None], camera: Camera, *, from_above: bool) -> Drawn:
    """Draw objects on a canvas; what hangs high is left out from above."""
    solid: dict[int, float] = {}
    ghosts: dict[int, Sequence[Point]] = {}
    for index, body in enumerate(bodies):
        if body is not None and from_above and body.overhead:
            ghosts[index] = ghost(body, camera)
        elif body is not None:
            for face in faces_of(body, camera):
                canvas.fill(face.corners, face.plane, face.colour, index, face.number)
            solid[index] = area(outline(body, camera)) / FINE**2
    return Drawn(canvas, solid, ghosts)


def write_names(
    picture: Pixels, seen: Drawn, bodies: Sequence[Body | None], names: Sequence[str], taken: Sequence[Box]
) -> None:
    """Write the names of what is seen on a finished picture, not on the places that are ``taken``."""
    owners, side = seen.canvas.owners(), picture.shape[0]
    sight, labels = Sight.of(owners, len(bodies)), list[Label]()
    for index, body in enumerate(bodies):
        if body is None:
            continue
        if index in seen.ghosts:
            corners = seen.ghosts[index]
            x, y = (int(sum(values) // (FINE * len(corners))) for values in zip(*corners, strict=True))
            if 0 <= x < side and 0 <= y < side:
                labels.append(Label(names[index], x, y, body.colour, int(area(corners) / FINE**2), index))
        elif sight.named(index, seen.solid[index]):
            x, y = sight.middle(index)
            labels.append(Label(names[index], x, y, body.colour, int(sight.pixels[index]), index))
    write_labels(picture, labels, taken, owners)


def _view(
    shell: Shell, bodies: Sequence[Body | None], names: Sequence[str], camera: Camera, side: int, *, from_above: bool
) -> Pixels:
    """One view, without its frame. What hangs high is see-through from above."""
    canvas = Canvas(FINE * side, backdrop(shell, camera, FINE * side, not from_above))
    seen = drawn(canvas, bodies, camera, from_above=from_above)
    canvas.draw_edges()
    for index, corners in seen.ghosts.items():
        if (body := bodies[index]) is not None:
            canvas.tint(corners, body.colour)
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                canvas.line(start, end, shaded(body.colour, 0.8))
    picture = canvas.finished()
    write_names(picture, seen, bodies, names, signs(picture, shell, camera, from_above=from_above))
    return picture


def names_of(scene: Scene) -> list[str]:
    """A name for each object, in letters that can be written; where there are none, its place in the room's list."""
    names = short_names(scene)
    written = (drawable(names.get(str(each.get("jid")), "")) for each in objects_of(scene))
    return [
        name if any(letter.isalpha() for letter in name) else f"object {number}"
        for number, name in enumerate(written, 1)
    ]


def framed(picture: Pixels, colour: Colour) -> Pixels:
    """The picture with a frame of that colour, drawn on it."""
    for edge in (slice(None, _FRAME), slice(-_FRAME, None)):
        picture[edge] = colour
        picture[:, edge] = colour
    return picture
