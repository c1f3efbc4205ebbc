"""ObjectDetector: the things in a picture with their boxes, by a detector's server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, RowError
from dataflow_ext.columns import Columns
from dataflow_ext.models import complete
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side
from operators.onevision.detecting.detector import Detector, read_reply, request_for
from operators.onevision.detecting.found import detections_of, labels_for
from operators.onevision.model.records import DETECTED, NOT_FOR_THIS_TYPE, NOT_RUN, columns, once_a_picture


class ObjectDetector(Operator):
    """The objects in each picture: what, how sure, and the box in pixels of the normalised picture.

    The ``detector`` is asked once a picture for the things that ``objects`` names, or for what pictures of the type
    mostly show if it names none; at most ``most`` are kept, the surest first. ``detector`` in the records is its
    name; of pictures whose type has no use for boxes it is "not for this type", and without a detector "not run":
    an empty list with these says nothing about the picture. A failed call is a reject of the picture's rows.

    Options:
        detector: a client of a detector; nobody looks without one.
        most: how many objects of a picture are kept.

    Rejects:
        DetectorError: a call that failed.

    Example:
        >>> ObjectDetector()(pa.table({"picture_key": ["a"]})).select(["detections", "detector"]).to_pylist()
        [{'detections': [], 'detector': 'not run'}]
    """

    inputs: ClassVar[Columns] = columns("picture picture_key width height image_type objects")
    outputs: ClassVar[Columns] = columns("detections detector")
    record: ClassVar[tuple[str, ...]] = ("detector",)

    detector: Detector | None = None
    most: int = Field(default=50, ge=1)

    def batch(self, table: pa.Table) -> Made:
        """Ask about all pictures side by side."""
        return made_of_rows(self, table, self._outcomes)

    def needed_inputs(self) -> Columns:
        """Without a detector nothing is looked at."""
        return self.inputs if self.detector is not None else {"picture_key": str}

    def _outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        if self.detector is None:
            return [_none(NOT_RUN) for _ in rows]
        return once_a_picture(rows, lambda leading: side_by_side(self, self._found, leading))

    async def _found(self, row: Record) -> Record:
        assert self.detector is not None  # noqa: S101 - only called with one
        if row["image_type"] not in DETECTED:
            return _none(NOT_FOR_THIS_TYPE)
        width, height = row["width"], row["height"]
        if width < 1 or height < 1:
            raise RowError(f"The picture's size is {width} x {height}; ImageNormalizer gives the real one.")
        labels = labels_for(row["objects"], row["image_type"])
        reply = await complete(self.detector, request_for(str(row["picture"]), labels))
        found = detections_of(
            read_reply(reply), width, height, labels, threshold=self.detector.threshold, most=self.most
        )
        return {"detections": found, "detector": self.detector.name}


def _none(why: str) -> Record:
    return {"detections": [], "detector": why}
