"""The two views of a room: from above, and at an angle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from operators.scene.furniture.names import short_names
from operators.scene.painter.backdrop import AIR, backdrop
from operators.scene.painter.camera import Camera, Point, Shell, diagonal_camera, shell_of, top_camera
from operators.scene.painter.canvas import FINE, Canvas, Colour
from operators.scene.painter.colours import shaded
from operators.scene.painter.labels import Label, Sight, write_labels
from operators.scene.painter.lettering import drawable
from operators.scene.painter.signs import signs
from operators.scene.painter.solids import Body, area, bodies_of, box_faces_of, faces_of, ghost, outline
from operators.scene.scene import Scene, objects_of

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels

BLUE: Colour = (32, 92, 214)
RED: Colour = (214, 40, 40)
_FRAME = 4
#: Pixels between the frame and what the room's bounds take, from above and at an angle.
_MARGINS = (30, 16)
#: Where the viewer may stand, the favourite first: to the south as the view from above has it.
AZIMUTHS = (135, 225, 150, 210, 45, 315, 30, 330)
#: Pixels of a side of the small pictures by which an azimuth is chosen.
_SMALL = 128


def views(scene: Scene, azimuth: int, side: int) -> tuple[Pixels, Pixels]:
    """The view from above and the diagonal view, each a square with its frame."""
    shell = shell_of(scene)
    bodies = bodies_of(scene, shell)
    names = _names(scene)
    top = top_camera(shell, FINE * side, FINE * _MARGINS[0])
    diagonal = diagonal_camera(shell, azimuth, FINE * side, FINE * _MARGINS[1])
    return (
        _framed(_view(shell, bodies, names, top, side, from_above=True), BLUE),
        _framed(_view(shell, bodies, names, diagonal, side, from_above=False), RED),
    )


def azimuth_of(scene: Scene) -> int:
    """Of :data:`AZIMUTHS` the first from which most of the objects is seen."""
    shell = shell_of(scene)
    bodies = [body for body in bodies_of(scene, shell) if body is not None]
    return max(AZIMUTHS, key=lambda azimuth: (_seen(shell, bodies, azimuth), -AZIMUTHS.index(azimuth)))


def _seen(shell: Shell, bodies: Sequence[Body], azimuth: int) -> int:
    """Hundredths of objects that are seen from there, each by the share of its outline."""
    camera = diagonal_camera(shell, azimuth, _SMALL, _MARGINS[1] * _SMALL / 512)
    canvas = Canvas(_SMALL, (0, 0, 0))
    for index, body in enumerate(bodies):
        for face in box_faces_of(body, camera):
            canvas.fill(face.corners, face.plane, face.colour, index, face.number)
    pixels = Sight.of(canvas.owners(), len(bodies)).pixels * FINE**2
    wholes = (area(outline(body, camera)) for body in bodies)
    return sum(min(100, int(100 * seen / max(whole, 1.0))) for seen, whole in zip(pixels, wholes, strict=True))


def _drawn(canvas: Canvas, index: int, body: Body, camera: Camera) -> float:
    """Draw an object; the area of its outline, in the canvas's pixels."""
    for face in faces_of(body, camera):
        canvas.fill(face.corners, face.plane, face.colour, index, face.number)
    return area(outline(body, camera))


def _view(
    shell: Shell, bodies: Sequence[Body | None], names: Sequence[str], camera: Camera, side: int, *, from_above: bool
) -> Pixels:
    """One view, without its frame. What hangs high is see-through from above."""
    canvas = Canvas(FINE * side, AIR, backdrop(shell, camera, FINE * side, not from_above))
    solid: dict[int, tuple[Body, float]] = {}
    ghosts: dict[int, tuple[Body, list[Point]]] = {}
    for index, body in enumerate(bodies):
        if body is not None and from_above and body.overhead:
            ghosts[index] = body, ghost(body, camera)
        elif body is not None:
            solid[index] = body, _drawn(canvas, index, body, camera) / FINE**2
    sight = Sight.of(canvas.owners(), len(bodies))
    canvas.draw_edges()
    for body, corners in ghosts.values():
        canvas.tint(corners, body.colour)
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            canvas.line(start, end, shaded(body.colour, 0.8))
    picture = canvas.finished()
    labels = [
        Label(names[index], *sight.middle(index), body.colour, int(sight.pixels[index]), index)
        for index, (body, whole) in solid.items()
        if sight.named(index, whole)
    ]
    for index, (body, corners) in ghosts.items():
        x, y = (sum(values) / (FINE * len(corners)) for values in zip(*corners, strict=True))
        if 0 <= x < side and 0 <= y < side:
            labels.append(Label(names[index], int(x), int(y), body.colour, int(area(corners) / FINE**2), index))
    write_labels(picture, labels, signs(picture, shell, camera, from_above=from_above), sight.owners)
    return picture


def _names(scene: Scene) -> list[str]:
    """A name for each object, in letters that can be written; where there are none, its place in the room's list."""
    names = short_names(scene)
    written = (drawable(names.get(str(each.get("jid")), "")) for each in objects_of(scene))
    return [
        name if any(letter.isalpha() for letter in name) else f"object {number}"
        for number, name in enumerate(written, 1)
    ]


def _framed(picture: Pixels, colour: Colour) -> Pixels:
    for edge in (slice(None, _FRAME), slice(-_FRAME, None)):
        picture[edge] = colour
        picture[:, edge] = colour
    return picture
