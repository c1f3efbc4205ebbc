"""EasyR1Writer: leaves a data set behind that EasyR1 can train on."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded
from operators.game.easyr1.data_set import Example, write_data_set


class EasyR1Writer(Operator):
    """Every row in the files of its split, in the order of ``place``, with its picture beside them.

    The folder gets ``data/`` (JSONL), ``parquet/`` (the same rows with the pictures' bytes), ``images/`` and a README
    with EasyR1's settings. Given no rows at all it writes nothing.

    Reads:
        question: the file of the picture.
        image: its path below ``images/``.
        problem: the text, with one ``<image>``.
        answer: "0", "1" or "2".
        split: ``train`` or ``test``.
        place: the row's place in the split's file, counted from 0.

    Options:
        out: the folder of the data set.

    Rejects:
        UnfitRow: a path or texts that EasyR1 could not use.
        PictureUnusable: the picture is not there, damaged or turned.
        PathTaken: another picture has the same path.
        PictureInBoth: the picture of a test row is one that is trained on.

    Example:
        >>> import tempfile
        >>> from PIL import Image
        >>> folder = Path(tempfile.mkdtemp())
        >>> Image.new("RGB", (64, 64)).save(folder / "a.png")
        >>> row = {"question": str(folder / "a.png"), "image": "a.png", "problem": "<image>Which?", "answer": "1"}
        >>> written = EasyR1Writer(out=folder / "out")([{**row, "split": "train", "place": 0}])
        >>> (folder / "out" / "data" / "train.jsonl").read_text()
        '{"images": ["a.png"], "problem": "<image>Which?", "answer": "1"}\\n'
    """

    inputs: ClassVar[Columns] = {
        "question": Path,
        "image": str,
        "problem": str,
        "answer": str,
        "split": Literal["train", "test"],
        "place": int,
    }
    outputs: ClassVar[Columns] = {}
    together = True
    remembered = False

    out: Path

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once; the files rest on the rows alone, not on their order."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        examples = [
            Example(row=i, **{name: values[i] for name, values in columns.items()})
            for i in range(table.num_rows)
            if i not in wrong
        ]
        done = write_data_set(examples, self.out)
        failures += done.failed.values()
        return Made({}, sorted(example.row for example in done.examples), failures)
