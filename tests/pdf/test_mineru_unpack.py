"""Archives with damage: unpacked or refused in one sentence, never anything else."""

import io
import random
import zipfile

import pytest

from operators.pdf.mineru.parsers import ParserError
from operators.pdf.mineru.results import unpack

NAMES = ("a_content_list.json", "images/x.jpg", "b.md")


def packed(method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in NAMES:
            archive.writestr(name, name * 40)
    return buffer.getvalue()


def refusal(tmp_path, data):
    """Why the archive is refused, None if it is not; any other exception is the test's failure."""
    (tmp_path / "x.zip").write_bytes(data)
    try:
        unpack(tmp_path / "x.zip", tmp_path / "out", "The answer")
    except ParserError as error:
        return str(error)
    return None


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_every_damage_is_one_sentence(tmp_path, method):
    chance, good = random.Random(method), packed(method)
    told = set()
    for _ in range(200):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        told.add(refusal(tmp_path, data))
    told.discard(None)
    assert len(told) > 1
    assert [why for why in told if not why.startswith("The answer ") or "\n" in why or not why.endswith(".")] == []


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_usual_ways_of_packing_are_taken(tmp_path, method):
    assert refusal(tmp_path, packed(method)) is None
    assert {name: (tmp_path / "out" / name).read_text() for name in NAMES} == {name: name * 40 for name in NAMES}


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused_before_anything_is_unpacked(tmp_path, method):
    assert refusal(tmp_path, packed(method)) == (
        f"The answer holds 'a_content_list.json', which is packed by method {method}; only deflated and stored files "
        "are taken, and nothing of it was unpacked."
    )
    assert not (tmp_path / "out").exists()


def test_names_that_are_no_text_are_damage(tmp_path):
    data = packed(zipfile.ZIP_STORED).replace(b"b.md", b"\xff.md")
    for place in (at for at in range(len(data)) if data[at : at + 4] == b"PK\x01\x02"):
        data = data[: place + 9] + b"\x08" + data[place + 10 :]  # the flag that says UTF-8
    assert "is not a sound zip archive ('utf-8' codec can't decode" in refusal(tmp_path, data)
