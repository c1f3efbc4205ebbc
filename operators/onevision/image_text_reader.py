"""ImageTextReader: the text in a picture, line by line, by an OCR engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import pyarrow as pa
from pydantic import Field, field_validator

from dataflow_ext import Made, Operator, OptionError
from dataflow_ext.columns import Columns
from dataflow_ext.ocr import OCREngine, OCRLine, RapidOCREngine, must_be_usable, read_pictures
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, spread
from operators.onevision.describing.places import beside_each_other
from operators.onevision.model.records import NOT_RUN, columns, once_a_picture

#: Pictures that are read in one process at a time.
_AT_ONCE = 4


class ImageTextReader(Operator):
    """The lines of text in each picture, from top to bottom, with boxes in pixels of the normalised picture.

    A picture without text has an empty list and the engine's name in ``ocr_by``; without an ``engine`` that is "not
    run", and the empty list says nothing. Each picture is read once, by itself, and what was read is remembered. An
    engine whose package is not installed is refused when the operator is made, before a model is paid.

    Options:
        engine: what reads: ``rapidocr``, ``easyocr``, ``paddleocr``, or nothing.

    Rejects:
        RowError: a picture that cannot be read.

    Example:
        >>> ImageTextReader(engine=None)(pa.table({"picture_key": ["a"]})).select(["ocr", "ocr_by"]).to_pylist()
        [{'ocr': [], 'ocr_by': 'not run'}]
    """

    inputs: ClassVar[Columns] = columns("picture picture_key")
    outputs: ClassVar[Columns] = columns("ocr ocr_by")
    record: ClassVar[tuple[str, ...]] = ("ocr_by",)

    engine: OCREngine | None = Field(default_factory=RapidOCREngine, validate_default=True)

    @field_validator("engine")
    @classmethod
    def _engine_is_there(cls, engine: OCREngine | None) -> OCREngine | None:
        if engine is not None:
            must_be_usable(engine)
        return engine

    def batch(self, table: pa.Table) -> Made:
        """Read all pictures, spread over the run's processes."""
        return made_of_rows(self, table, self._outcomes)

    def needed_inputs(self) -> Columns:
        """Without an engine nothing is looked at."""
        return self.inputs if self.engine is not None else {"picture_key": str}

    def _outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        if self.engine is None:
            return [{"ocr": [], "ocr_by": NOT_RUN} for _ in rows]
        read = partial(text_in, self.engine)
        outcomes = once_a_picture(rows, lambda leading: spread(read, leading, _AT_ONCE))
        for outcome in outcomes:
            # An engine that cannot be used fails the step, not its rows.
            if isinstance(outcome, ImportError):
                raise OptionError(f"A package that reads pictures cannot be used: {outcome}.") from outcome
            if isinstance(outcome, OptionError):
                raise outcome
        return outcomes


def text_in(engine: OCREngine, row: Record) -> Record:
    """The lines in a row's picture; stands in the module, so that a worker finds it."""
    [lines] = read_pictures(engine, [row["picture"]])
    return {"ocr": in_reading_order(lines), "ocr_by": engine.name}


def in_reading_order(lines: Sequence[OCRLine]) -> list[OCRLine]:
    """Lines from top to bottom, those beside each other from left to right.

    >>> lines = [OCRLine(text, 1.0, box) for text, box in (("c", (0, 30, 9, 40)), ("b", (50, 1, 59, 11)))]
    >>> [line.text for line in in_reading_order([*lines, OCRLine("a", 1.0, (0, 3, 9, 13))])]
    ['a', 'b', 'c']
    """
    return [line for row in beside_each_other(lines) for line in row]
