"""Tests a data set against what EasyR1 accepts, and says in plain English what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from operators.game.easyr1.form import (
    CODES,
    ENDINGS,
    IMAGE_FOLDER,
    MAX_PIXELS,
    PROMPT_LENGTH,
    ROLLOUT_BATCH,
    SCREEN_PIXELS,
    SPLITS,
    Findings,
    Problem,
    Severity,
    has_errors,
    image_tokens,
    told,
)
from operators.game.easyr1.row_check import Checked, RowCheck, Seen, stored_rows
from operators.game.inputs import episode_in

__all__ = ["CODES", "Problem", "Severity", "has_errors", "told", "validate"]


@dataclass(slots=True)
class _Form:
    """One form of a data set: its files by split, how problems name them, and its folder of pictures.

    ``rows`` are the hashes of the rows that were read, by split; None for a row that is not whole.
    """

    files: dict[str, Path]
    names: dict[str, str]
    image_dir: Path | None
    rows: dict[str, list[bytes | None]] = field(default_factory=dict)


def validate(
    folder: Path,
    image_dir: Path | None = None,
    *,
    rollout_batch_size: int = ROLLOUT_BATCH,
    max_prompt_length: int = PROMPT_LENGTH,
) -> list[Problem]:
    """All that is wrong with a data set, by file, row and code; an empty list if EasyR1 can train on it.

    ``folder`` is a folder that :class:`~operators.game.easyr1_writer.EasyR1Writer` wrote, a folder with data
    files alone, or one ``.jsonl`` or ``.parquet`` file; for the last two ``image_dir`` is where relative paths
    begin. ``rollout_batch_size`` and ``max_prompt_length`` are what EasyR1 will be run with (its own defaults).
    """
    folder = Path(folder)
    found = Findings()
    forms = _one_file(folder, image_dir, found) if folder.is_file() else _forms(folder, image_dir, found)
    seen: Seen = {}
    compared = [_read(form, seen, max_prompt_length, found) for form in forms]
    agree = len(forms) == 2 and _compare(forms[0], forms[1], found)
    for form, across in list(zip(forms, compared, strict=True))[: 1 if agree else None]:
        _count(form, rollout_batch_size, found)
        found.extend(across.finish())
    return found.problems()


def _one_file(path: Path, image_dir: Path | None, found: Findings) -> list[_Form]:
    """The form that a single file is; its name tells whether it is for testing."""
    _check_at(path, path.name, found)
    if path.suffix not in ENDINGS.values():
        found.add(
            "file-type", f"EasyR1 takes its type from its ending; give {' or '.join(ENDINGS.values())}", path.name
        )
        return []
    split = "test" if any(word in path.stem.lower() for word in ("test", "val")) else "train"
    return [_Form({split: path}, {split: path.name}, image_dir)]


def _forms(folder: Path, image_dir: Path | None, found: Findings) -> list[_Form]:
    """The forms in a folder: those below ``data`` and ``parquet``, or else the files in the folder itself."""
    below = [name for name in ENDINGS if (folder / name).is_dir()]
    if not below:
        return [form] if (form := _form(folder, "", tuple(ENDINGS.values()), image_dir, found)) else []
    image_dir = image_dir or folder / IMAGE_FOLDER
    made = [_form(folder / name, f"{name}/", (ENDINGS[name],), image_dir, found) for name in below]
    return [form for form in made if form is not None]


def _form(folder: Path, prefix: str, endings: tuple[str, ...], image_dir: Path | None, found: Findings) -> _Form | None:
    try:
        entries = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        found.add("data-missing", f"{folder} cannot be read: {error.strerror}", prefix)
        return None
    _check_at(folder, prefix, found)
    known = {f"{split}{ending}" for split in SPLITS for ending in ENDINGS.values()}
    ours = [entry for entry in entries if entry in known and (folder / entry).is_file()]
    chosen = [e for e in endings if any(entry.endswith(e) for entry in ours)][:1]
    for entry in entries:
        if entry not in ours:
            why = "is no data file; EasyR1 takes a folder's type from any file in it, so keep it elsewhere"
            found.add("file-foreign", why, f"{prefix}{entry}")
        elif not chosen or not entry.endswith(chosen[0]):
            found.add("file-types-mixed", f"is no {(chosen or endings)[0]} file, as its folder has", f"{prefix}{entry}")
    if not chosen:
        found.add("data-missing", f"there is neither train{endings[0]} nor test{endings[0]}", prefix)
        return None
    names = {split: f"{split}{chosen[0]}" for split in SPLITS}
    if names["train"] not in ours:
        found.add("train-missing", "is not there: nothing can be trained", prefix + names["train"])
    if names["test"] not in ours:
        why = "is not there; EasyR1 wants one validation row at least, so name another file in data.val_files"
        found.add("test-missing", why, prefix + names["test"])
    files = {split: folder / name for split, name in names.items() if name in ours}
    return _Form(files, {split: prefix + name for split, name in names.items()}, image_dir)


def _check_at(path: Path, name: str, found: Findings) -> None:
    if "@" in str(path.absolute()):
        found.add("path-at", "has an @ in its path, at which EasyR1 cuts it; move it", name)


def _read(form: _Form, seen: Seen, max_prompt_length: int, found: Findings) -> Across:
    """Read the rows of a form, and compare them with each other."""
    check, across = RowCheck(form.image_dir, seen), Across(max_prompt_length)
    for split, path in form.files.items():
        name = form.names[split]
        rows = form.rows[split] = []
        for number, values in stored_rows(path, name, found):
            if values is None:
                rows.append(None)
                continue
            checked = check.check(values, name, number, found)
            across.add(checked, split, name)
            rows.append(checked.whole)
    return across


def _count(form: _Form, rollout_batch_size: int, found: Findings) -> None:
    for split, rows in form.rows.items():
        name = form.names[split]
        if not rows:
            found.add(f"{split}-empty", "has no rows; a file without rows cannot be loaded", name)
        elif split == "train" and len(rows) < rollout_batch_size:
            why = (
                f"has {len(rows):,} rows, fewer than data.rollout_batch_size={rollout_batch_size}: EasyR1 drops a "
                "batch that is not full and trains nothing; set it to at most the number of rows"
            )
            found.add("rows-few", why, name)


def _compare(one: _Form, other: _Form, found: Findings) -> bool:
    """Whether both forms hold the same rows in the same order; what differs is noted."""
    same = True
    for split in SPLITS:
        first, second = one.rows.get(split), other.rows.get(split)
        name, beside = other.names[split], one.names[split]
        if first is None or second is None:
            same = same and first is second
            if first is not second:
                found.add("forms-differ", f"only one of this and {beside} is there", name)
            continue
        if len(first) != len(second):
            same = False
            found.add("forms-differ", f"has {len(second):,} rows, but {beside} has {len(first):,}", name)
        for number, (left, right) in enumerate(zip(first, second, strict=False), 1):
            if left != right:
                same = False
                if left is not None and right is not None:  # what is not whole has its own problem
                    found.add("forms-differ", f"is not the row that {beside} has there", name, number)
    return same


class Across:
    """Compares the rows of one form of a data set, training rows first; holds some bytes a row."""

    def __init__(self, max_prompt_length: int) -> None:
        self.found = Findings()
        self._most = max_prompt_length
        self._first: dict[bytes, tuple[str, str, int, object]] = {}
        self._episodes: dict[str, str] = {}
        self._told: set[str] = set()
        self._long = 0
        self._longest: tuple[int, int, str] = (0, 0, "")

    def add(self, checked: Checked, split: str, name: str) -> None:
        """Compare a row with all before it."""
        for facts in checked.facts:
            self._compare(facts.content, checked, split, name)
        for path in checked.paths:
            self._compare_episode(path, checked.row, split, name)
        sizes = [(facts.width, facts.height) for facts in checked.facts]
        tokens = sum(image_tokens(*size) for size in sizes)
        if tokens >= self._most:
            self._long += 1
            ours = sum(image_tokens(*size, max_pixels=SCREEN_PIXELS) for size in sizes)
            self._longest = max(self._longest, (tokens, ours, name))

    def _compare(self, content: bytes, checked: Checked, split: str, name: str) -> None:
        first = self._first.setdefault(content, (split, name, checked.row, checked.answer))
        if first == (split, name, checked.row, checked.answer):
            return
        other, file, row, answer = first
        if other != split:
            why = f"the picture is that of row {row:,} of {file} too, so that it is tested on what was trained"
            self.found.add("picture-in-both", why, name, checked.row)
        elif answer != checked.answer:
            why = f"the picture is that of row {row:,}, but the answer is another"
            self.found.add("picture-contradicts", why, name, checked.row)
        else:
            self.found.add("row-repeated", f"the picture and the answer are those of row {row:,}", name, checked.row)

    def _compare_episode(self, path: str, row: int, split: str, name: str) -> None:
        episode = episode_in(path)
        if episode is None:
            return
        if self._episodes.setdefault(episode, split) != split and episode not in self._told:
            self._told.add(episode)
            why = f"the episode {episode!r} has training rows and test rows; its rounds look much alike"
            self.found.add("episode-in-both", why, name, row)

    def finish(self) -> Findings:
        """All that was found, with one note on pictures that are too large for the prompt."""
        if self._long:
            tokens, ours, name = self._longest
            why = (
                f"{self._long:,} rows cost up to {tokens:,} image tokens with EasyR1's data.max_pixels={MAX_PIXELS}, "
                f"but data.max_prompt_length={self._most}; with data.max_pixels={SCREEN_PIXELS} it is {ours:,}"
            )
            self.found.add("prompt-long", why, name)
        return self.found
