"""SceneWriter: leaves a data set of scene-editing conversations behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Failure, Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.datasets.folder import IMAGES, DataFolder, PathTaken, Written
from dataflow_ext.writer import in_order_decoded
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import Entry, conversation_of, picture_names
from operators.scene.model.records import CONVERSATIONS, FINISHED, NAMES, RL, SWIFT, Unwritable, line_of, names_a_folder
from operators.scene.model.scene import Scene
from operators.scene.model.simulator import CallError
from operators.scene.output.export import RLFile, must_pair, rl_rows, swift_entry
from operators.scene.redrawing import is_png

#: The order of lines, and of those who claim one id: by room, chain and id, then by what else is text.
_ORDER = ("scene_id", "chain_id", "id")
_CLAIMS = ("chain", "instruction", "camera", "judge_note", "score")


class SceneWriter(Operator):
    """Every row as a conversation in ``out``, sorted by room and chain.

    ``conversations.jsonl`` has the conversations, ``swift.jsonl`` the same for ms-swift, ``rl.parquet`` a row for
    each turn, and ``images/<id>/step_0.png`` … the pictures, linked to the files under ``images`` or, on another
    file system, copied. What earlier runs wrote and no row has any more is removed, files of others are not
    touched. Given no rows at all it writes nothing.

    Options:
        out: the folder.
        embed_pictures: whether the Parquet file holds the pictures too.

    Rejects:
        Unwritable: another row has its id, or it cannot be written; the code of the rule is the error.

    Example:
        >>> SceneWriter(out="scenes").embed_pictures
        False
    """

    inputs: ClassVar[Columns] = FINISHED
    outputs: ClassVar[Columns] = {}
    together = True
    remembered = False

    out: Path
    embed_pictures: bool = False

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once; the files rest on the rows alone, not on their order."""
        if not table.num_rows:
            return Made({}, [])
        progress.expect(table.num_rows, "conversations")
        failures: list[Failure] = []
        ids, counts = table["id"].to_pylist(), pc.list_value_length(table["images"]).to_pylist()
        coming: dict[str, int] = {}
        for id, count in zip(ids, counts, strict=True):
            coming[id] = max(count, coming.get(id, 0))
        rows = in_order_decoded(table, (*_ORDER, *_CLAIMS), self.inputs, failures)
        done = write_data_set(rows, self.out, coming, embed=self.embed_pictures)
        return Made({}, sorted(done.rows), [*failures, *done.failures])


def put_pictures(folder: DataFolder, id: str, sources: Sequence[Path]) -> None:
    """Put the pictures of a conversation in their places, as ``images/<id>/step_0.png`` and so on.

    Unwritable if a source is no PNG, or if somebody else has pictures there.
    """
    for number, source in enumerate(sources):
        _must_be_png(source, number)
    paths = picture_names(id, len(sources))
    if not all(map(folder.owns, paths)):
        raise Unwritable(
            "images.names", f"{IMAGES}/{id} has pictures that no run of this pipeline wrote; move them away"
        )
    try:
        for path, source in zip(paths, sources, strict=True):
            folder.put(path, source)
    except PathTaken as error:
        raise Unwritable("images.names", str(error)) from None


def _must_be_png(path: Path, number: int) -> None:
    try:
        whole = is_png(path.read_bytes())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unwritable("image.missing", f"the picture of turn {number}, {path}, cannot be read: {why}") from None
    if not whole:
        raise Unwritable("image.missing", f"the picture of turn {number}, {path}, is no whole PNG")


def write_data_set(
    rows: Iterable[tuple[int, Mapping[str, Any]]], out: Path, coming: Mapping[str, int], *, embed: bool = False
) -> Written:
    """Write the finished rows, which come in the order of their lines with their numbers; what was written.

    ``coming`` has the ids of all rows with the number of their pictures. A row that cannot be written, or whose id
    an earlier one has, is left out and told in ``failures``. Data files come into their places together when
    all is written, and then pictures go that earlier runs wrote and no conversation has any more; without any
    conversation nothing is replaced or removed. InputError if ``out`` cannot be written or is not ours.
    """
    done, kept = Written(), dict[str, int]()
    with DataFolder(out, NAMES) as folder, ExitStack() as stack:
        folder.expect(path for id, count in coming.items() if names_a_folder(id) for path in picture_names(id, count))
        texts = [stack.enter_context(folder.text(name)) for name in (CONVERSATIONS, SWIFT)]
        turns = stack.enter_context(RLFile(folder.staged(RL), out, embed=embed))
        for number, row in rows:
            try:
                entry, swift, chain, states = _forms(row, kept)
                lines = line_of(entry), line_of(swift)
                put_pictures(folder, row["id"], row["images"])
            except Unwritable as error:
                done.failures.append(Failure(number, str(error), error.code))
                continue
            for text, line in zip(texts, lines, strict=True):
                text.write(line)
            for turn in rl_rows(entry, chain, states):
                turns.write(turn)
            kept[row["id"]] = len(row["images"])
            done.rows.append(number)
        stack.close()
        if kept:
            folder.place()
            folder.keep_only(path for id, count in kept.items() for path in picture_names(id, count))
    return done


def _forms(row: Mapping[str, Any], taken: Mapping[str, int]) -> tuple[Entry, Entry, Chain, list[Scene]]:
    """The row as a conversation and as a line for ms-swift, its chain, and the rooms; Unwritable if it has none."""
    if not names_a_folder(row["id"]):
        raise Unwritable("images.names", f"the id {row['id'][:80]!r} cannot be the name of a folder")
    if row["id"] in taken:
        raise Unwritable("row.shape", f"another row has the id {row['id']}")
    try:
        chain = Chain.read(row["chain"])
        states, entry = chain.states(), conversation_of(row)
    except CallError as error:
        raise Unwritable(error.code, str(error)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unwritable("row.shape", f"the row makes no conversation ({type(error).__name__}: {error})") from None
    if len(row["images"]) != len(entry["images"]):
        raise Unwritable("images.count", f"{len(row['images'])} pictures for {len(states)} turns")
    swift = swift_entry(entry, chain.start, row["instruction"])
    must_pair(swift)
    return entry, swift, chain, states
