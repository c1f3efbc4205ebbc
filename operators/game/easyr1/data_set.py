"""A whole EasyR1 data set in a folder: data files (JSONL or Parquet), pictures, and how to train on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from string import Template

import pyarrow as pa

from dataflow_ext import Failure, progress
from dataflow_ext.datasets.files import ParquetRows, line_of
from dataflow_ext.datasets.folder import CARD, STAGE, DataFolder, PathTaken, folded
from dataflow_ext.datasets.folder import must_be_ours as folder_must_be_ours
from dataflow_ext.errors import InputError, RowError
from dataflow_ext.images import IMAGE, image_schema
from dataflow_ext.text import rows
from operators.game.easyr1.form import (
    ACTOR_BATCH,
    ANSWERS,
    DATA_FOLDER,
    ENDINGS,
    IMAGE_FOLDER,
    MAX_PIXELS,
    NAMES,
    PARQUET_FOLDER,
    PROMPT_LENGTH,
    ROLLOUT_BATCH,
    SCREEN_PIXELS,
    SPLITS,
    Facts,
    PictureFault,
    facts_of,
    file_hash,
    image_tokens,
    picture_bytes,
    plain_path_fault,
    text_faults,
    without_remarks,
)

_SCHEMA = image_schema(pa.schema([("images", pa.list_(IMAGE)), ("problem", pa.string()), ("answer", pa.string())]))

_TEXT = Template((files(__package__) / "readme.md").read_text(encoding="utf-8"))

_TEXTS = {topic: Template(text) for topic, text in rows(__package__, "readme.tsv")}


class UnfitRow(RowError):
    """EasyR1 could not use a row as it is."""


class PictureUnusable(RowError):
    """The picture of a row cannot go into a data set."""


def must_be_ours(out: Path) -> None:
    """Raise InputError if there are files of a data set that no run of this library wrote."""
    folder_must_be_ours(out, NAMES)
    if (out / STAGE).is_dir():
        return
    for name in ENDINGS:  # EasyR1 takes a folder's type from any file in it
        if (out / name).is_dir() and (foreign := sorted((out / name).iterdir())):
            raise InputError(f"{foreign[0]} was not written by a run of this pipeline; name another output folder.")


class PictureInBoth(RowError):
    """The picture of a test row is one that is trained on."""


def write_data_set(examples: Iterable[Example], out: Path) -> DataSet:
    """Write the data set of these rows to ``out``, in the order of their places; what was written.

    The same rows give the same bytes, in whatever order they come. A row that EasyR1 could not use is left
    out, and ``failed`` says why. Every file appears whole or not at all; pictures that an earlier run wrote
    and no row names are removed, last of all. No rows at all leave a README alone. Raises InputError if
    ``out`` cannot be written.
    """
    must_be_ours(out)
    with DataFolder(out, (*NAMES, CARD)) as folder:
        ordered = sorted(examples, key=Example.order)
        done = _with_pictures(ordered, folder)
        with folder.text(CARD) as file:
            file.write(readme(done))
        write_data_files(folder, {split: done.of(split) for split in SPLITS})
        folder.keep_only((f"{IMAGE_FOLDER}/{image}" for image in done.facts), [example.question for example in ordered])
    return done


def _with_pictures(examples: list[Example], folder: DataFolder) -> DataSet:
    """The rows whose pictures are in their places now, and why the others' are not."""
    done = DataSet([], {})
    fit: list[Example] = []
    for example in examples:
        try:
            _must_be_fit(example)
            fit.append(example)
        except UnfitRow as error:
            done.failed[example.row] = Failure.of(example.row, error)
    folder.expect(f"{IMAGE_FOLDER}/{example.image}" for example in fit)
    progress.expect(len(examples), "pictures")
    claims: dict[str, tuple[str, bytes]] = {}
    trained: dict[bytes, str] = {}
    for example in fit:  # those that are trained on first
        try:
            data = picture_bytes(example.question)
            _must_be_free(example, claims.get(folded(example.image)), data)
            if example.image not in done.facts:
                facts = facts_of(data)
                _must_be_unseen(example, trained, facts.content)
                folder.put(f"{IMAGE_FOLDER}/{example.image}", without_remarks(data))
                done.facts[example.image] = facts
                claims[folded(example.image)] = example.image, facts.file
            done.examples.append(example)
        except PictureFault as fault:
            unusable = PictureUnusable(f"The picture {example.question} {fault}.")
            done.failed[example.row] = Failure.of(example.row, unusable)
        except (PathTaken, PictureInBoth) as error:
            done.failed[example.row] = Failure.of(example.row, error)
        progress.advance()
    return done


def _must_be_fit(example: Example) -> None:
    if fault := plain_path_fault(example.image):
        raise UnfitRow(f"The path {example.image[:200]!r} of the picture {fault}.")
    if faults := text_faults(example.problem, example.answer, 1):
        raise UnfitRow(f"EasyR1 cannot use the row: {'; '.join(why for _, why in faults)}.")


def _must_be_unseen(example: Example, trained: dict[bytes, str], content: bytes) -> None:
    """A test on a picture that was trained on says nothing."""
    if example.split == "train":
        trained.setdefault(content, example.image)
    elif content in trained:
        raise PictureInBoth(f"The picture {example.image} shows the same as {trained[content]}, which is trained on.")


def _must_be_free(example: Example, claim: tuple[str, bytes] | None, data: bytes) -> None:
    """One path belongs to one picture, also where the file system cannot tell upper from lower case."""
    if claim is None:
        return
    image, file = claim
    if image != example.image:
        raise PathTaken(
            f"The path {example.image} differs from {image} only in letters' case or form, "
            "which some file systems cannot tell apart; rename one of the folders."
        )
    if file != file_hash(data):
        raise PathTaken(f"The path {image} is that of another round's picture.")


@dataclass(frozen=True, slots=True)
class Example:
    """One row to be: its place in its split, its picture's file and path in the data set, and its texts.

    ``row`` is the input row that it comes from.
    """

    split: str
    place: int
    image: str
    problem: str
    answer: str
    question: Path
    row: int = 0

    def order(self) -> tuple[int, int, str, str, str, str]:
        """What the order of a data set's rows, and of claims to a path, rests on: never the order of the input."""
        return (SPLITS.index(self.split), self.place, self.image, self.problem, self.answer, str(self.question))


@dataclass(slots=True)
class DataSet:
    """What was written: the rows in their order, their pictures' sizes, and why others could not be (by ``row``)."""

    examples: list[Example]
    facts: dict[str, Facts]
    failed: dict[int, Failure] = field(default_factory=dict)

    def of(self, split: str) -> list[Example]:
        """The rows of one split."""
        return [example for example in self.examples if example.split == split]


def write_data_files(folder: DataFolder, splits: Mapping[str, Sequence[Example]]) -> None:
    """Write the JSONL and Parquet files of each split, and put them all in place.

    A split without rows has no files, as ``datasets`` fails on an empty one.
    """
    for split, examples in splits.items():
        if not examples:
            continue
        with folder.text(f"{DATA_FOLDER}/{split}.jsonl") as file:
            for each in examples:
                file.write(line_of({"images": [each.image], "problem": each.problem, "answer": each.answer}))
        with ParquetRows(folder.staged(f"{PARQUET_FOLDER}/{split}.parquet"), _SCHEMA) as stored:
            for each in examples:
                data = (folder.out / IMAGE_FOLDER / each.image).read_bytes()
                picture = {"bytes": data, "path": each.image}
                stored.write({"images": [picture], "problem": each.problem, "answer": each.answer}, len(data))
    folder.place()
    folder.remove(name for name in NAMES if not splits.get(name.rpartition("/")[2].partition(".")[0]))


def readme(data: DataSet) -> str:
    """The README of a data set, with the settings that fit its very rows and pictures."""
    train, test = (data.of(split) for split in SPLITS)
    # EasyR1's own rollout batch, or the largest power of two that the training rows fill.
    rollout = ROLLOUT_BATCH if len(train) >= ROLLOUT_BATCH else 1 << max(len(train).bit_length() - 1, 0)
    known = {
        "counts": _counts(data),
        "val": "test" if test else "train",
        "screen": SCREEN_PIXELS,
        "prompt": PROMPT_LENGTH,
        "rollout": rollout,
        "actor": min(rollout, ACTOR_BATCH),
        "own_rollout": ROLLOUT_BATCH,
        "own_pixels": MAX_PIXELS,
        "rows": f"{len(train):,}",
        "batches": f"{len(train) // rollout:,}",
    }

    def said(topic: str, **more: str | int) -> str:
        return _TEXTS[topic].substitute(known, **more)

    empty = [said("empty", split=split, remedy=said(f"remedy.{split}")) for split in SPLITS if not data.of(split)]
    pixels = said("pixels.none")
    if data.facts:
        own, ours, width, height = max(map(_costs, data.facts.values()))
        so = said("pixels.cut" if own >= PROMPT_LENGTH else "pixels.kept")
        pixels = said("pixels", own=f"{own:,}", ours=f"{ours:,}", width=width, height=height, so=so)
    return _TEXT.substitute(
        known,
        missing="".join(f"{text}\n\n" for text in empty),
        odd=said("odd") + "\n" if rollout % 2 else "",
        pixels=pixels,
        batch=said("batch.full" if rollout == ROLLOUT_BATCH else "batch.few"),
    )


def _counts(data: DataSet) -> str:
    parts = []
    for split, name in (("train", "training"), ("test", "test")):
        examples = data.of(split)
        by = Counter(example.answer for example in examples)
        shares = ", ".join(f"{by[answer]:,} x {answer}" for answer in ANSWERS)
        parts.append(f"{len(examples):,} {name} rows (answers: {shares})")
    return f"{parts[0]}, {parts[1]}, {len(data.facts):,} pictures."


def _costs(facts: Facts) -> tuple[int, int, int, int]:
    size = facts.width, facts.height
    return image_tokens(*size), image_tokens(*size, max_pixels=SCREEN_PIXELS), *size
