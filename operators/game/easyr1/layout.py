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
    plain_path_fault,
    text_faults,
)
from operators.game.easyr1.pictures import (
    Facts,
    PictureFault,
    facts_of,
    file_hash,
    image_tokens,
    picture_bytes,
    without_remarks,
)

_SCHEMA = image_schema(pa.schema([("images", pa.list_(IMAGE)), ("problem", pa.string()), ("answer", pa.string())]))

_TEXT = Template((files(__package__) / "readme.md").read_text(encoding="utf-8"))

_EMPTY = """\
**There are no $split rows.** EasyR1 cannot load an empty file, so there is none. $remedy

"""
_REMEDY = {
    "train": "Nothing can be trained on this data set.",
    "test": (
        "EasyR1 wants one validation row at least: the settings below validate on the training rows, "
        "which tells nothing about new rounds."
    ),
}


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
        rows = sorted(examples, key=Example.order)
        done = _with_pictures(rows, folder)
        with folder.text(CARD) as file:
            file.write(readme(done))
        write_data_files(folder, {split: done.of(split) for split in SPLITS})
        folder.keep_only((f"{IMAGE_FOLDER}/{image}" for image in done.facts), [example.question for example in rows])
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


def write_data_files(folder: DataFolder, rows: Mapping[str, Sequence[Example]]) -> None:
    """Write the JSONL and Parquet files of each split, and put them all in place.

    A split without rows has no files, as ``datasets`` fails on an empty one.
    """
    for split, examples in rows.items():
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
    folder.remove(name for name in NAMES if not rows.get(name.rpartition("/")[2].partition(".")[0]))


def readme(data: DataSet) -> str:
    """The README of a data set, with the settings that fit its very rows and pictures."""
    rows = {split: data.of(split) for split in ("train", "test")}
    val = "test" if rows["test"] else "train"
    batch = _batch(len(rows["train"]))
    missing = [Template(_EMPTY).substitute(split=s, remedy=_REMEDY[s]) for s in rows if not rows[s]]
    return _TEXT.substitute(
        counts=_counts(data),
        missing="".join(missing),
        settings=" \\\n".join(f"    {setting}" for setting in _settings(batch, val)),
        val=val,
        pixels=_pixels(data),
        batch=_about_batch(batch, len(rows["train"])),
    )


def _counts(data: DataSet) -> str:
    parts = []
    for split, name in (("train", "training"), ("test", "test")):
        rows = data.of(split)
        by = Counter(example.answer for example in rows)
        shares = ", ".join(f"{by[answer]:,} x {answer}" for answer in ANSWERS)
        parts.append(f"{len(rows):,} {name} rows (answers: {shares})")
    return f"{parts[0]}, {parts[1]}, {len(data.facts):,} pictures."


def _settings(batch: int, val: str) -> list[str]:
    settings = [
        'data.train_files="$DATA/data/train.jsonl"',
        f'data.val_files="$DATA/data/{val}.jsonl"',
        "data.prompt_key=problem",
        "data.answer_key=answer",
        "data.image_key=images",
        'data.image_dir="$DATA/images"',
        f"data.max_pixels={SCREEN_PIXELS}",
        f"data.max_prompt_length={PROMPT_LENGTH}",
        f"data.rollout_batch_size={batch}",
        f"worker.actor.global_batch_size={min(batch, ACTOR_BATCH)}",
    ]
    if batch % 2:
        settings.append("worker.actor.micro_batch_size_per_device_for_experience=1")
    return [*settings, "worker.actor.model.model_path=Qwen/Qwen2.5-VL-7B-Instruct"]


def _batch(rows: int) -> int:
    """EasyR1's own rollout batch, or the largest power of two that the training rows fill."""
    return ROLLOUT_BATCH if rows >= ROLLOUT_BATCH else 1 << max(rows.bit_length() - 1, 0)


def _about_batch(batch: int, rows: int) -> str:
    rule = "it must be a multiple of `worker.actor.global_batch_size`, and both must suit the number of GPUs"
    if batch == ROLLOUT_BATCH:
        return (
            f"`data.rollout_batch_size={batch}` is EasyR1's default and fits: an epoch has {rows // batch:,} full "
            f"batches of the {rows:,} training rows. If you change it, {rule}."
        )
    return (
        f"`data.rollout_batch_size={batch}`: EasyR1 drops a batch that is not full, and its default of "
        f"{ROLLOUT_BATCH} is more than the {rows:,} training rows, so that nothing would be trained. "
        f"If you change it, {rule}."
    )


def _pixels(data: DataSet) -> str:
    if not data.facts:
        return f"`data.max_pixels={SCREEN_PIXELS}` keeps screenshots within the prompt's length."
    costs = max(map(_costs, data.facts.values()))
    own, ours, width, height = costs
    text = (
        f"`data.max_pixels={SCREEN_PIXELS}`: the largest picture ({width} x {height}) costs {own:,} image tokens by "
        f"Qwen2.5-VL's rule (sides rounded to multiples of 28 pixels, a token for each 28 x 28) with EasyR1's own "
        f"{MAX_PIXELS}, and {ours:,} with this setting. The prompt may have `data.max_prompt_length={PROMPT_LENGTH}` "
        "tokens, its text included"
    )
    if own >= PROMPT_LENGTH:
        return text + (
            ": without the setting such rows are left out, or cut with the error that image features and image "
            "tokens do not match."
        )
    return text + ", which both keep; the setting spares memory."


def _costs(facts: Facts) -> tuple[int, int, int, int]:
    size = facts.width, facts.height
    return image_tokens(*size), image_tokens(*size, max_pixels=SCREEN_PIXELS), *size
