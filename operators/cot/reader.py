"""CoTReader: the samples of a data set as rows again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, InputError, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_by_reading
from operators.cot.dataset.data_files import DATA_FILE, Line, Unfit, lines_of, sample_of
from operators.cot.sample import GENERATOR, SAMPLE, columns

#: The most bytes of a line that are kept with its reject.
_KEPT = 2000
#: The largest whole number that a column holds.
_MOST = (1 << 63) - 1


class CoTReader(Operator):
    """The finished samples in a data file, one row a line, as CoTWriter takes them.

    Reads ``file`` and ``root``, as :func:`data_files` finds them. Paths are relative to ``root``, whether the
    file has them so or absolute; ``plan_file`` is the absolute path of the plan. Whether a sample is a good one
    is for AnchorValidator to tell. A line that is no sample, or that no row could hold as it is, is a reject of
    its own with the problem's code as its error, and file, line number and the line's beginning as inputs.

    Reads:
        file: a data file.

    Rejects:
        any code of a line's problem: a line that is no sample.

    Example:
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp(), "data.jsonl")
        >>> _ = file.write_text("{}")
        >>> CoTReader().apply([{"file": str(file), "root": "."}]).rejects["error"].to_pylist()
        ['schema.missing']
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {"file": Path, **columns("root")}
    outputs: ClassVar[Columns] = {
        **columns("root"),
        **SAMPLE,
        "assistant_generator": GENERATOR,
        **columns("plan_file"),
    }

    def batch(self, table: pa.Table) -> Made:
        """Read one file after the other; a damaged line costs no other its row."""
        return made_by_reading(self, table, _samples)


def data_files(cot_root: Path, root: Path) -> pa.Table:
    """The data files of a data set, one row each: ``file``, and the ``root`` below which its plans and pictures are.

    Raises :class:`~dataflow_ext.InputError` if there is no such folder or no file in it.
    """
    for folder in (Path(cot_root), Path(root)):
        if not folder.is_dir():
            raise InputError(f"There is no folder {folder}.")
    files = sorted(path for path in Path(cot_root).glob(f"*/{DATA_FILE}") if not path.parent.name.startswith("."))
    if not files:
        raise InputError(f"{cot_root} has no data set: there is no TASK/{DATA_FILE} in it.")
    try:
        return pa.table({"file": [str(path) for path in files], "root": [str(root)] * len(files)})
    except UnicodeEncodeError:
        raise InputError(f"{str(cot_root)!r}: a folder's name in or above it is not UTF-8; rename it.") from None


def _samples(record: Record) -> Iterator[Record | Failure]:
    """The samples of a file, and a failure for each line that is none."""
    file, root = record["file"], record["root"]
    base = Path(os.path.abspath(root)).as_posix()  # noqa: PTH100 - a link's own name, not its target's
    for line in lines_of(file):
        if line.entry is None:
            problem = line.problems[-1]
            yield _failure(file, line, problem.code, problem.message)
            continue
        try:
            sample = sample_of(line.entry, base)
        except Unfit as error:
            yield _failure(file, line, error.problem.code, error.problem.message)
            continue
        if sample["step_index"] > _MOST:
            yield _failure(file, line, "schema.value", "meta.step_index is too large a number")
            continue
        yield {**sample, "root": root, "plan_file": f"{base.rstrip('/')}/{sample['source_path']}"}


def _failure(file: Path, line: Line, code: str, message: str) -> Failure:
    text = line.raw[:_KEPT].decode("utf-8", "replace")
    inputs = json.dumps({"file": str(file), "line": line.number, "text": text}, ensure_ascii=False)
    return Failure(0, f"{file}, line {line.number}: {code}: {message}", code, inputs=inputs)
