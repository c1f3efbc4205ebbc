"""ImageNormalizer: each image found in its folder, checked, and made plain where it is not."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pyarrow as pa
from pydantic import BeforeValidator, Field

from dataflow_ext import InputError, Made, Operator, RowError, parallel, progress
from dataflow_ext.columns import Columns
from dataflow_ext.files import write_text
from dataflow_ext.outcomes import Outcome, Record, made_of_rows
from operators.onevision.model.records import columns
from operators.onevision.sources.normalising import VERSION, Limits, found, normalised

#: Pictures that make a piece of work for a process.
_AT_ONCE = 64
#: Pictures after which it is written down which of them are whole.
_NOTED = 4096
#: The file in ``folder`` with the SHA-256 of each picture that is used where it lies.
_WHOLE = f"whole_and_bare_{VERSION}.txt"


def _several(value: Any) -> Any:
    """One folder as the only one of several."""
    return (value,) if isinstance(value, (str, Path)) else value


class ImageNormalizer(Operator):
    """The picture to use for each image: its file, the SHA-256 of that file (``picture_key``), width and height.

    ``image`` is a path below one of ``roots``; the first that has it counts, and no path or link leads out of it. An
    upright JPEG or PNG in grey or colour of 8 bits, of at most ``max_side`` pixels a side, without metadata, is used
    where it lies; with metadata (places, cameras, comments) a copy without is, of the same pixels. Any other picture
    (turned by EXIF, palette, transparent, CMYK, 16 bits, GIF, WebP, BMP or TIFF, too large) is made plain once, on
    white and by its first frame. What is made lies in ``folder`` under a name made of its content.

    An image that is missing, damaged, no picture, smaller than 2 x 2 or of more than ``max_pixels`` is a reject.
    Rows with the same image share its picture. That a picture is whole is found by reading all of it, once: the next
    run knows it by its SHA-256.

    Options:
        roots: folders below which images lie.
        folder: where pictures that had to be made lie.
        max_side: the longest side of a picture, in pixels.
        max_pixels: the most pixels of an image that is opened.

    Rejects:
        RowError: the image is missing, damaged, no picture, too small or too large.

    Example:
        >>> import tempfile
        >>> from PIL import Image
        >>> folder = Path(tempfile.mkdtemp())
        >>> Image.new("RGB", (8, 6)).save(folder / "a.png")
        >>> normalizer = ImageNormalizer(roots=(folder,), folder=folder / "made")
        >>> normalizer([{"image": "a.png"}]).select(["width", "height"]).to_pylist()
        [{'width': 8, 'height': 6}]
    """

    inputs: ClassVar[Columns] = columns("image")
    outputs: ClassVar[Columns] = columns("picture picture_key width height")
    # It leaves files behind, and the images may have changed; what was made is not made again.
    remembered = False

    roots: Annotated[tuple[Path, ...], BeforeValidator(_several), Field(min_length=1)]
    folder: Path = Path("onevision_pictures")
    max_side: int = Field(default=2048, ge=64, le=16_384)
    max_pixels: int = Field(default=50_000_000, ge=4)

    def batch(self, table: pa.Table) -> Made:
        """Treat each image once; InputError if a folder of images is not there."""
        for root in self.roots:
            if not root.is_dir():
                raise InputError(
                    f"There is no folder {root} with images; name the one that the images' paths start in."
                )
        return made_of_rows(self, table, self._outcomes)

    def _outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        images = list(dict.fromkeys(row["image"] for row in rows))
        progress.expect(len(images), "pictures")
        limits = Limits(Path(os.path.abspath(self.folder)), self.max_side, self.max_pixels)  # noqa: PTH100 - links stay
        made: list[Outcome] = []
        whole: set[str] = set()
        for outcomes in parallel.batches(partial(_all, self.roots, limits), images, _AT_ONCE):
            made += outcomes
            whole.update(_as_they_lie(outcomes, limits.folder))
            if len(whole) >= _NOTED:
                _note(limits.folder, whole)
                whole = set()
            progress.advance(len(outcomes))
        _note(limits.folder, whole)
        by_image = dict(zip(images, made, strict=True))
        return [by_image[row["image"]] for row in rows]


def _all(roots: Sequence[Path], limits: Limits, images: Sequence[str]) -> list[Outcome]:
    """The outcomes of images; their decoders work side by side, as far as this process may have cores."""
    with warnings.catch_warnings(), ThreadPoolExecutor(parallel.cores(), "pictures") as threads:
        # On pictures with many pixels, which have a limit of our own, and on damaged remarks in files.
        warnings.simplefilter("ignore")
        return list(threads.map(partial(_outcome, roots, limits, _noted(limits.folder)), images))


def _outcome(roots: Sequence[Path], limits: Limits, whole: Collection[str], image: str) -> Outcome:
    path = None
    try:
        path = found(image, roots)
        made = normalised(path, limits, whole)
    except RowError as error:
        # As the record names it, wherever the folder lies.
        return error if path is None else RowError(str(error).replace(str(path), image))
    except OSError as error:
        # A disk that is full fails the step, not its rows.
        raise InputError(f"Cannot write pictures to {limits.folder}: {error.strerror or error}.") from None
    except Exception as error:
        return error
    return {name: getattr(made, name) for name in ("picture", "picture_key", "width", "height")}


def _as_they_lie(outcomes: Iterable[Outcome], folder: Path) -> list[str]:
    """The keys of the pictures that were not made."""
    used = (each for each in outcomes if not isinstance(each, Exception))
    return [each["picture_key"] for each in used if not each["picture"].is_relative_to(folder)]


def _noted(folder: Path) -> frozenset[str]:
    """The keys of pictures that were found whole before."""
    try:
        return _read(folder / _WHOLE, (folder / _WHOLE).stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError):
        return frozenset()


@lru_cache(maxsize=1)
def _read(file: Path, changed: int) -> frozenset[str]:
    return frozenset(file.read_text(encoding="ascii").split())


def _note(folder: Path, whole: Collection[str]) -> None:
    """Write down which pictures are whole. What another process writes meanwhile may get lost: it is found again."""
    if not (known := _noted(folder)).issuperset(whole):
        with suppress(OSError):  # a folder that cannot be written costs time, no picture
            write_text(folder / _WHOLE, "\n".join(sorted(known.union(whole))) + "\n")
