"""SceneRenderer: a picture of the room before each turn of a chain."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Literal

import pyarrow as pa

from dataflow_ext import Made, Operator, OptionError, parallel, progress
from dataflow_ext.columns import Columns
from dataflow_ext.files import atomic
from dataflow_ext.fingerprint import code_hash
from dataflow_ext.outcomes import Outcome, Record, made_of_rows
from operators.scene.model.chain import replayed
from operators.scene.model.conversation import NO_CAMERA
from operators.scene.model.scene import Scene, written
from operators.scene.painter import VERSION, azimuth_of, must_have_numpy, picture

#: Draws a room from an azimuth, as PNG.
Draw = Callable[[Scene, int], bytes]
#: Renderer, its version, and the azimuth: with a room all that its picture rests on.
Camera = Mapping[str, Any]


class SceneRenderer(Operator):
    """A picture of the room before each turn of a chain, the finished room last, and the camera that took them.

    Left is the view from above, right a diagonal view, whose azimuth is chosen once a chain so that most of the
    finished room is seen. Pictures lie under names that are made of what they show, so that none is drawn twice.
    The painter's rest on the room and the camera alone (:func:`operators.scene.redrawing.redrawn`).

    Reads:
        chain: the chain.

    Writes:
        images: the pictures, one a turn; none if nothing is drawn.
        camera: renderer, version and azimuth as JSON.

    Options:
        renderer: "painter", our own; "blender", a program that has to be installed; "none" draws nothing.
        folder: where pictures lie.
        program: Blender's program; None looks for it.

    Rejects:
        RowError: the chain cannot be replayed.
        BlenderError: Blender ended, or took too long.

    Example:
        >>> SceneRenderer(renderer="none")(pa.table({"chain": ["{}"]}))["camera"].to_pylist()
        ['{"renderer":"none"}']
    """

    inputs: ClassVar[Columns] = {"chain": str}
    outputs: ClassVar[Columns] = {"images": list[Path], "camera": str}
    # It leaves files behind; those that are there are not drawn again, which costs next to nothing.
    remembered = False

    renderer: Literal["painter", "blender", "none"] = "painter"
    folder: Path = Path("scene_pictures")
    program: str | None = None

    def model_post_init(self, context: Any, /) -> None:
        """OptionError if there is no Blender, before any work is done for its pictures."""
        super().model_post_init(context)
        if self.renderer == "blender":
            from operators.scene.blender import program_of

            program_of(self.program)

    def preflight(self) -> None:
        """OptionError without NumPy."""
        if self.renderer != "none":
            must_have_numpy()

    def batch(self, table: pa.Table) -> Made:
        """Draw chain by chain: the painter over the run's processes, Blender in its own."""
        self.preflight()
        return made_of_rows(self, table, self._drawn)

    def _drawn(self, rows: Sequence[Record]) -> Iterator[Outcome]:
        progress.expect(len(rows), "chains")
        for outcome in self._pictures([row["chain"] for row in rows]):
            progress.advance()
            yield outcome

    def _pictures(self, chains: Sequence[str]) -> Iterator[Outcome]:
        if self.renderer == "none":
            return iter([{"images": [], "camera": written(NO_CAMERA)} for _ in chains])
        if self.renderer == "painter":
            return parallel.outcomes(partial(_with_pictures, picture, VERSION, "painter", self.folder), chains)
        return self._by_blender(chains)

    def _by_blender(self, chains: Sequence[str]) -> Iterator[Outcome]:
        from operators.scene.blender import BlenderPainter

        painter = BlenderPainter(self.program)
        draw = partial(_with_pictures, painter.picture, painter.version(), "blender", self.folder)
        try:
            yield from map(draw, chains)
        finally:
            painter.close()


def picture_name(scene: Scene, camera: Camera) -> str:
    """The name of the file with the picture that a camera takes of a room, as this code draws it.

    >>> camera = {"renderer": "painter", "version": "1", "azimuth": 45}
    >>> len(picture_name({"objects": []}, camera)), picture_name({"objects": []}, camera)[-4:]
    (36, '.png')
    """
    told = json.dumps(camera, sort_keys=True) + written(scene) + _code()
    return f"{sha256(told.encode()).hexdigest()[:32]}.png"


@lru_cache(maxsize=1)
def _code() -> str:
    """What the code that draws says: names on labels change pictures as well, and no version tells of them."""
    return code_hash(SceneRenderer)


def _with_pictures(draw: Draw, version: str, renderer: str, folder: Path, chain: str) -> Record | Exception:
    """The pictures of a chain, those that are missing drawn; or why they cannot be."""
    try:
        _, states = replayed(chain)
        camera = {"renderer": renderer, "version": version, "azimuth": _azimuth(written(states[-1]))}
        images = [_kept(draw, folder, state, camera) for state in states]
        return {"images": images, "camera": written(camera)}
    except OptionError:
        # A program or a package that is not there fails the step, not its rows.
        raise
    except Exception as error:
        return error


@lru_cache(maxsize=256)
def _azimuth(finished: str) -> int:
    """The azimuth for a finished room, which most chains of a room share."""
    return azimuth_of(json.loads(finished))


def _kept(draw: Draw, folder: Path, state: Scene, camera: Camera) -> Path:
    """The file of a picture; drawn if it is not there."""
    name = picture_name(state, camera)
    path = folder / name[:2] / name
    if not path.is_file():
        drawn = draw(state, camera["azimuth"])
        with atomic(path) as partial_file:
            partial_file.write_bytes(drawn)
    return path
