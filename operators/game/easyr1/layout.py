"""A whole EasyR1 data set in a folder: data files, pictures, and how to train on them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dataflow_ext import Failure, progress
from dataflow_ext.datasets.folder import CARD, STAGE, DataFolder, PathTaken, folded
from dataflow_ext.datasets.folder import must_be_ours as folder_must_be_ours
from dataflow_ext.errors import InputError, RowError
from operators.game.easyr1.data_files import DataSet, Example, write_data_files
from operators.game.easyr1.form import ENDINGS, IMAGE_FOLDER, NAMES, SPLITS, plain_path_fault, text_faults
from operators.game.easyr1.pictures import PictureFault, facts_of, file_hash, picture_bytes, without_remarks
from operators.game.easyr1.readme import readme


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
