"""Damages to a data set in its folder: the bytes of its lines and its pictures."""

import json
import shutil
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = "conversations.jsonl"

#: Changes the folder; the damaged line is the second of two.
Damage = Callable[[Path], object]


def raw(change: Callable[[bytes], bytes]) -> Damage:
    """Other bytes of the data file."""
    return lambda folder: (folder / DATA).write_bytes(change((folder / DATA).read_bytes()))


def second(change: Callable[[bytes], bytes]) -> Damage:
    """Other bytes of the second line, line end included."""

    def made(data: bytes) -> bytes:
        first, line = data.splitlines(keepends=True)
        return first + change(line)

    return raw(made)


def entry(change: Callable[[Any], object]) -> Damage:
    """Another value in the second line."""

    def made(line: bytes) -> bytes:
        value = json.loads(line)
        change(value)
        return json.dumps(value).encode() + b"\n"

    return second(made)


def picture(folder: Path, turn: int = 1, line: int = 1) -> Path:
    """The picture of a turn."""
    value = json.loads((folder / DATA).read_bytes().splitlines()[line])
    return folder / str(value["images"][turn])


def bytes_of(change: Callable[[bytes], bytes]) -> Damage:
    """Other bytes of a picture."""

    def made(folder: Path) -> None:
        path = picture(folder)
        data = change(path.read_bytes())
        path.unlink()
        path.write_bytes(data)

    return made


def swapped(folder: Path) -> None:
    """Let two turns have each other's pictures."""
    one, other = picture(folder, 0), picture(folder, 1)
    first, then = one.read_bytes(), other.read_bytes()
    one.write_bytes(then)
    other.write_bytes(first)


def another_pixel(data: bytes) -> bytes:
    """The picture with one pixel changed."""
    from io import BytesIO

    from PIL import Image

    image = Image.open(BytesIO(data))
    image.load()
    value = image.getpixel((3, 3))
    image.putpixel((3, 3), tuple(v ^ 1 for v in value) if isinstance(value, tuple) else int(value or 0) ^ 1)
    return _saved(image)


def encoded_again(data: bytes) -> bytes:
    """The same picture in other bytes."""
    from io import BytesIO

    from PIL import Image

    return _saved(Image.open(BytesIO(data)))


def _saved(image: Any) -> bytes:
    from io import BytesIO

    file = BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()


def with_a_remark(data: bytes) -> bytes:
    """The picture with a chunk of text, which is right and shows nothing."""
    chunk = b"tEXt" + b"Comment\0hello"
    whole = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return data[:-12] + whole + data[-12:]


def linked_outside(folder: Path) -> None:
    """Let a picture be a link to the same picture in another place."""
    path, outside = picture(folder), folder.parent / f"{folder.name}-outside.png"
    shutil.copyfile(path, outside)
    path.unlink()
    path.symlink_to(outside)


def folder_linked_outside(folder: Path) -> None:
    """Let the pictures of a line lie in another place."""
    here, outside = picture(folder).parent, folder.parent / f"{folder.name}-outside"
    shutil.copytree(here, outside)
    shutil.rmtree(here)
    here.symlink_to(outside)


def a_folder(folder: Path) -> None:
    """Let a picture be a folder."""
    path = picture(folder)
    path.unlink()
    path.mkdir()


def a_loop(folder: Path) -> None:
    """Let a picture be a link to itself."""
    path = picture(folder)
    path.unlink()
    path.symlink_to(path.name)


def other_line(folder: Path) -> None:
    """Let a line have a picture of the other line."""
    data = picture(folder, 1, 0).read_bytes()
    picture(folder).unlink()
    picture(folder).write_bytes(data)


def same_id(folder: Path) -> None:
    """Let the second line have the id, and the names of the pictures, of the first."""
    first, line = (json.loads(each) for each in (folder / DATA).read_bytes().splitlines())
    line |= {"id": first["id"]}
    raw(lambda _: b"".join(json.dumps(each).encode() + b"\n" for each in (first, line)))(folder)


ROW = {
    "a line that is cut": second(lambda line: line[:-200] + b"\n"),
    "a line that is cut at the file's end": second(lambda line: line[:-2]),
    "a line with bytes that are no UTF-8": second(lambda line: line.replace(b"bed", b"b\xe9d", 1)),
    "a line in UTF-16": second(lambda line: line.decode().encode("utf-16")),
    "a line with a zero byte": second(lambda line: b"\0" + line),
    "a line that is empty": second(lambda line: b"\n" + line),
    "a line of spaces": second(lambda line: b"   \n" + line),
    "a line in a list": second(lambda line: b"[" + line.strip() + b"]\n"),
    "two values in a line": second(lambda line: line.strip() + b" {}\n"),
    "a line that tells a key twice": second(lambda line: b'{"id": "other", ' + line[1:]),
    "a line with nan": second(lambda line: line.replace(b'"chain_id": 1', b'"chain_id": NaN', 1)),
    "a line with infinity": second(lambda line: line.replace(b'"chain_id": 1', b'"chain_id": Infinity', 1)),
    "a line nested without end": second(lambda line: b'{"id": ' + b"[" * 100_000 + b"\n"),
    "a line over two lines": second(lambda line: line.replace(b", ", b",\n", 1)),
    "half a character": entry(lambda e: e["metadata"].update(scene_id="\ud800")),
    "a mark of bytes before the second line": second(lambda line: b"\xef\xbb\xbf" + line),
    "two lines of one id": same_id,
}

MISSING = {
    "a picture that is gone": lambda folder: picture(folder).unlink(),
    "a folder of pictures that is gone": lambda folder: shutil.rmtree(picture(folder).parent),
    "a picture of no bytes": bytes_of(lambda _: b""),
    "a picture that is cut": bytes_of(lambda data: data[: len(data) // 2]),
    "a picture without its last byte": bytes_of(lambda data: data[:-1]),
    "a picture of another kind": bytes_of(lambda _: b"\xff\xd8\xff\xe0" + b"\0" * 500),
    "a page in place of a picture": bytes_of(lambda _: b"<html>404</html>"),
    "a folder in place of a picture": a_folder,
    "a link that goes in a ring": a_loop,
}

#: Names below the data set that lead to somewhere else.
OUTSIDE = {
    "a picture that is a link to another place": linked_outside,
    "a folder of pictures that is a link to another place": folder_linked_outside,
}

OTHER = {
    "pictures of two turns that have changed places": swapped,
    "a picture of another line": other_line,
    "a picture with another pixel": bytes_of(another_pixel),
    "a camera that stood elsewhere": entry(lambda e: e["metadata"]["camera"].update(azimuth=_elsewhere(e))),
}


def _elsewhere(value: Any) -> int:
    azimuth = value["metadata"]["camera"]["azimuth"]
    return int(azimuth + 90) % 360


OF_FOLDERS: dict[str, dict[str, Damage]] = {
    "row.shape": ROW,
    "image.missing": MISSING,
    "images.names|image.missing": OUTSIDE,
    "image.other": OTHER,
}
