"""ChainValidator: lets a conversation pass if it breaks no rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Outcome, Record, made_of_rows
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import NO_CAMERA, conversation_of
from operators.scene.model.records import FINISHED, Problem, first_few
from operators.scene.model.simulator import CallError
from operators.scene.redrawing import difference
from operators.scene.rules import entry_problems

#: The most broken rules that a reject names.
_NAMED = 8


class ChainValidator(Operator):
    """The chains whose conversation breaks no rule.

    The conversation is made as the writer makes it, taken apart as a reader would, and replayed; every picture has
    to be the one of its turn's room and camera. The rules are those by which files are checked (docs/scene_edit.md
    lists them).

    Rejects:
        RuleError: each broken rule by its code.

    Example:
        >>> ChainValidator.rows
        'filter'
    """

    rows: ClassVar[Any] = "filter"
    spread = True
    inputs: ClassVar[Columns] = FINISHED

    def batch(self, table: pa.Table) -> Made:
        """Judge each row by itself."""
        progress.expect(table.num_rows, "chains")
        return made_of_rows(self, table, lambda rows: map(_judged, rows))


def _judged(row: Record) -> Outcome | Failure:
    """Nothing for a row that passes, or the rules that it breaks."""
    found = _problems(row)
    progress.advance()
    return Failure(0, first_few(found, _NAMED), "RuleError") if found else {}


def _problems(row: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with a finished row; what the rules cannot cope with is no good row either."""
    try:
        # As a reader will get it: through JSON.
        entry = json.loads(json.dumps(conversation_of(row), ensure_ascii=False, allow_nan=False))
        return [*entry_problems(entry), *_picture_problems(row)]
    except CallError as error:
        return [Problem(error.code, str(error))]
    except Exception as error:
        return [Problem("row.shape", f"the rules cannot be applied to the chain ({type(error).__name__}: {error})")]


def _picture_problems(row: Mapping[str, Any]) -> list[Problem]:
    """Pictures that are not there, or not those of their turns.

    The renderer's are named by what they show. Others, such as those of a data set, are drawn again.
    """
    from operators.scene.scene_renderer import picture_name

    camera, found = json.loads(row["camera"]), list[Problem]()
    states = Chain.read(row["chain"]).states()
    if camera == NO_CAMERA and not row["images"]:
        return []
    if len(row["images"]) != len(states):
        return [Problem("images.count", f"{len(row['images'])} pictures for {len(states)} turns")]
    for number, (path, state) in enumerate(zip(row["images"], states, strict=True)):
        if not path.is_file():
            found.append(Problem("image.missing", f"turn {number}: there is no picture {path}"))
        elif path.name != picture_name(state, camera) and (wrong := difference(path.read_bytes(), state, camera)):
            found.append(Problem("image.other", f"turn {number}: {path.name} {wrong}"))
    return found
