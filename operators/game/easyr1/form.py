"""What EasyR1 expects of a data set: columns, values, names of files, and its own defaults."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

COLUMNS = ("images", "problem", "answer")
SPLITS = ("train", "test")
ANSWERS = ("0", "1", "2")
#: Stands in a problem for each of its pictures.
MARK = "<image>"

#: Folders of a data set, and the ending of the data files in the first two.
DATA_FOLDER, PARQUET_FOLDER, IMAGE_FOLDER = "data", "parquet", "images"
ENDINGS = {DATA_FOLDER: ".jsonl", PARQUET_FOLDER: ".parquet"}
#: All data files that there can be.
NAMES = tuple(f"{folder}/{split}{ending}" for folder, ending in ENDINGS.items() for split in SPLITS)

#: What ``examples/config.yaml`` of EasyR1 sets.
PROMPT_LENGTH = 2048
ROLLOUT_BATCH = 512
ACTOR_BATCH = 128
MIN_PIXELS, MAX_PIXELS = 262_144, 4_194_304
#: What screenshots need instead of EasyR1's ``max_pixels``.
SCREEN_PIXELS = 1_048_576


def path_fault(path: str) -> tuple[str, str] | None:
    """Why a picture's path cannot be used below the folder of pictures: a code and a reason; None if it can.

    >>> path_fault("设备 1/episode_001_round_01_question.png")
    >>> path_fault("/etc/passwd")[0], path_fault("C:/a.png")[0], path_fault("a/../../b.png")[0], path_fault("")[0]
    ('image-absolute', 'image-absolute', 'image-outside', 'image-name')
    """
    if not path.strip() or any(ord(c) < 32 or ord(c) == 127 for c in path):
        return "image-name", "is empty or has control characters"
    windows = PureWindowsPath(path)
    if PurePosixPath(path).is_absolute() or windows.drive or windows.root:
        return "image-absolute", "is absolute; give it relative to data.image_dir"
    if ".." in windows.parts:
        return "image-outside", "leaves the folder of pictures"
    return None


def plain_path_fault(path: str) -> str | None:
    """Why a path is not written as a path below the folder of pictures; None if it is.

    >>> plain_path_fault("a/b.png")
    >>> plain_path_fault("a//b.png"), plain_path_fault("a\\\\b.png")
    ('is not a plain path such as device/picture.png', 'is not a plain path such as device/picture.png')
    """
    if fault := path_fault(path):
        return fault[1]
    if "\\" in path or path in (".", "..") or PurePosixPath(path).as_posix() != path:
        return "is not a plain path such as device/picture.png"
    return None


def text_faults(problem: object, answer: object, pictures: int | None) -> list[tuple[str, str]]:
    """Codes and reasons for what EasyR1 cannot use in a row's texts, given how many pictures the row has.

    >>> text_faults("<image>Light: RED. Numbers: 5, 8, 3. Select the correct one.", "2", 1)
    []
    >>> [code for code, _ in text_faults("Which?", 2, 1)]
    ['image-marks-few', 'answer-integer']
    """
    return _problem_faults(problem, pictures) + _answer_faults(answer)


def _problem_faults(problem: object, pictures: int | None) -> list[tuple[str, str]]:
    if not isinstance(problem, str):
        return [("problem-type", f"`problem` is {_kind(problem)}, not a text")]
    if not problem.replace(MARK, "").strip():
        return [("problem-empty", f"`problem` has no text{' but ' + MARK if MARK in problem else ''}")]
    faults = []
    marks = problem.count(MARK)
    if pictures is not None and marks > pictures:
        faults.append(("image-marks-many", f"`problem` has {marks} {MARK} for {pictures} pictures: EasyR1 stops"))
    if pictures is not None and marks < pictures:
        why = f"`problem` has {marks} {MARK} for {pictures} pictures: EasyR1 trains without showing them all"
        faults.append(("image-marks-few", why))
    if "<|" in problem and "|>" in problem:
        faults.append(("problem-token", "`problem` seems to hold a special token of the model (<|…|>)"))
    return faults


def _answer_faults(answer: object) -> list[tuple[str, str]]:
    if isinstance(answer, int) and not isinstance(answer, bool):
        return [("answer-integer", f"`answer` is the integer {str(answer)[:20]}, not a text: it earns no reward ever")]
    if not isinstance(answer, str):
        return [("answer-type", f"`answer` is {_kind(answer)}, not a text")]
    if answer not in ANSWERS:
        return [("answer-value", f"`answer` is {answer[:40]!r}, not one of {', '.join(ANSWERS)}")]
    return []


def _kind(value: object) -> str:
    names = {"NoneType": "null", "dict": "an object", "list": "a list", "bool": "a truth value", "float": "a number"}
    name = type(value).__name__
    return names.get(name, name)
