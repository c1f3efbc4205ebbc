"""What EasyR1 accepts: names, columns, lengths and pictures, and what can be wrong with a file."""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import prod, sqrt
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from dataflow_ext.errors import InputError
from dataflow_ext.pictures import FORMATS, Malformed, without_metadata
from dataflow_ext.report.parts import printable
from dataflow_ext.text import rows

if TYPE_CHECKING:
    from PIL.Image import Image

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


Severity: TypeAlias = Literal["error", "warning", "note"]

#: Every code with its severity. With an error EasyR1 fails, or trains or measures on what is wrong.
CODES: Mapping[str, Severity] = {code: cast(Severity, severity) for _, code, severity in rows(__package__, "codes.tsv")}

#: Problems of one code in one file that are kept one by one; the others are only counted.
_MOST = 1000
#: Problems of one code that are shown.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: in which file, in which row (or line, from 1), by which rule.

    ``count`` is more than 1 in the one that stands for all further problems of its code and file.
    """

    file: str
    row: int | None
    code: str
    severity: Severity
    message: str
    count: int = 1


class Findings:
    """Problems as they are found; many of one kind are kept as a number."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, code: str, message: str, file: str, row: int | None = None) -> None:
        """Note a problem; its severity is that of its code."""
        self._counts[file, code] += 1
        if self._counts[file, code] <= _MOST:
            self._problems.append(Problem(file, row, code, CODES[code], message))

    def extend(self, other: Findings) -> None:
        """Take over what was found elsewhere."""
        self._problems += other._problems
        self._counts.update(other._counts)

    def problems(self) -> list[Problem]:
        """All problems, by file, row and code."""
        more = [
            Problem(file, None, code, CODES[code], f"{count - _MOST:,} more of these in this file", count - _MOST)
            for (file, code), count in self._counts.items()
            if count > _MOST
        ]
        return sorted(self._problems, key=_place) + sorted(more, key=_place)


def _place(problem: Problem) -> tuple[str, int, str, str]:
    return problem.file, problem.row or 0, problem.code, problem.message


def has_errors(problems: Sequence[Problem]) -> bool:
    """Whether EasyR1 would fail, or train or measure on what is wrong."""
    return any(problem.severity == "error" for problem in problems)


def told(problems: Sequence[Problem]) -> str:
    """The problems for a terminal: how many of each severity, then by code how many and the first few.

    >>> print(told([Problem("data/test.jsonl", 3, "answer-integer", "error", "`answer` is the integer 1")]))
    1 error, 0 warnings, 0 notes
    error answer-integer: 1
      data/test.jsonl, row 3: `answer` is the integer 1
    >>> print(told([]))
    0 errors, 0 warnings, 0 notes
    """
    by_severity: Counter[str] = Counter()
    by_code: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        by_severity[problem.severity] += problem.count
        by_code.setdefault((problem.severity, problem.code), []).append(problem)
    order = ("error", "warning", "note")
    lines = [", ".join(_number(by_severity[severity], severity) for severity in order)]
    for severity, code in sorted(by_code, key=lambda key: (order.index(key[0]), key[1])):
        found = by_code[severity, code]
        total = sum(problem.count for problem in found)
        lines.append(f"{severity} {code}: {total:,}")
        lines += [f"  {_where(p)}: {printable(p.message)}" for p in found[:_SHOWN]]
        if total > sum(problem.count for problem in found[:_SHOWN]):
            lines.append("  …")
    return "\n".join(lines)


def _number(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _where(problem: Problem) -> str:
    file = printable(problem.file) or "."
    return file if problem.row is None else f"{file}, row {problem.row:,}"


#: A file with more bytes is no screenshot.
MOST_BYTES = 256 << 20
#: With more pixels than this Pillow, by which EasyR1 opens pictures, refuses to.
MOST_PIXELS = 178_956_970

_FORMATS = (*FORMATS, "TIFF")
_ORIENTATION = 0x0112


class PictureFault(InputError):
    """A picture that EasyR1 cannot use; ``code`` is the checker's name for the reason."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code

    def __reduce__(self) -> tuple[type[PictureFault], tuple[str, str]]:
        return PictureFault, (self.code, str(self))


@dataclass(frozen=True, slots=True)
class Facts:
    """A picture's size in pixels, the hash of its file, and the hash of its decoded content."""

    width: int
    height: int
    file: bytes
    content: bytes


def file_hash(data: bytes) -> bytes:
    """What tells one file from another."""
    return hashlib.blake2b(data, digest_size=16).digest()


def picture_bytes(path: Path) -> bytes:
    """The bytes of a picture's file; PictureFault if there is none, or it is no file of a picture's size."""
    try:
        size = path.stat().st_size if path.is_file() else None
        data = path.read_bytes() if size is not None and size <= MOST_BYTES else b""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PictureFault("image-missing", f"cannot be read: {reason}") from None
    if size is None:
        raise PictureFault("image-missing", "is not there")
    if size > MOST_BYTES:
        raise PictureFault("picture-huge", f"is a file of more than {MOST_BYTES >> 20} MiB")
    return data


def without_remarks(data: bytes) -> bytes:
    """The picture's file without metadata; PictureFault if it is of a format that data sets do not hold."""
    try:
        return without_metadata(data)
    except Malformed as error:
        raise PictureFault("picture-damaged", f"cannot go into a data set: {error}") from None


def facts_of(data: bytes) -> Facts:
    """The size and content of an encoded picture; PictureFault if it cannot be decoded as a whole, or lies turned."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            opened = Image.open(BytesIO(data), formats=_FORMATS)
        except Image.DecompressionBombError:
            raise PictureFault("picture-huge", f"has more than {MOST_PIXELS:,} pixels") from None
        except Exception:  # whatever a decoder makes of bytes that were never a picture
            raise PictureFault("picture-damaged", "is no picture of a known format") from None
    with opened:
        width, height = opened.size
        _must_fit(width, height)
        content = _content(opened)
        _must_be_upright(opened)
        return Facts(width, height, file_hash(data), content)


def _must_fit(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PictureFault("picture-huge", f"has more than {MOST_PIXELS:,} pixels")
    if max(width, height) > MOST_STRETCHED * min(width, height):
        why = f"has {width} x {height} pixels; the model's image processor refuses more than {MOST_STRETCHED} to 1"
        raise PictureFault("picture-shape", why)


def _content(opened: Image) -> bytes:
    try:
        pixels = opened.convert("RGB")
    except Exception as error:  # decoders raise all kinds of errors on damaged files
        raise PictureFault("picture-damaged", f"is damaged ({str(error)[:80] or type(error).__name__})") from None
    return hashlib.blake2b(b"%d,%d:" % pixels.size + pixels.tobytes(), digest_size=16).digest()


def _must_be_upright(opened: Image) -> None:
    try:
        turned = opened.getexif().get(_ORIENTATION, 1)
    except Exception:  # EXIF data that cannot be read turns nothing
        return
    if turned in range(2, 9):
        why = f"is turned by its EXIF data (orientation {turned}), which EasyR1 does not heed; save it upright"
        raise PictureFault("picture-turned", why)


#: A token stands for a square of this many pixels a side.
_SIDE = 28
#: A picture that is longer than this many times its width is refused by the image processor.
MOST_STRETCHED = 200


def image_tokens(width: int, height: int, max_pixels: int = MAX_PIXELS) -> int:
    """The image tokens of a picture of this size (pixels), with EasyR1's ``max_pixels``.

    >>> image_tokens(1080, 2340), image_tokens(1080, 2340, max_pixels=1_048_576)
    (3276, 1350)
    """
    width, height = max(width, 1), max(height, 1)
    if width * height > max_pixels:
        width, height = _scaled(width, height, sqrt(max_pixels / (width * height)))
    if width * height < MIN_PIXELS:
        width, height = _scaled(width, height, sqrt(MIN_PIXELS / (width * height)))
    # The model rounds sides to whole squares; its own limits of pixels are wider than these.
    return prod(max(round(side / _SIDE), 1) for side in (width, height))


def _scaled(width: int, height: int, factor: float) -> tuple[int, int]:
    return max(int(width * factor), 1), max(int(height * factor), 1)
