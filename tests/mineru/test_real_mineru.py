"""The real MinerU 4, as a command and as a server, on a booklet of our own; no network beyond loopback, no models."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from operators.pdf.blocks import FURNITURE
from operators.pdf.mineru.command import MinerUCommand
from operators.pdf.mineru.content_list import load_content_list
from operators.pdf.mineru.parsers import ParserError, read_with
from operators.pdf.mineru.server import MinerUServer
from tests.mineru.install import command, folder

BOOK = Path(__file__).parents[2] / "examples/booklets/algebra_en.pdf"


@pytest.fixture(scope="module", autouse=True)
def real():
    if "MINERU_ENV" not in os.environ:
        pytest.skip("needs a real MinerU: run `make test-mineru`, or set MINERU_ENV (docs/mineru.md)")
    if not command("mineru-kit").exists():
        pytest.skip(f"MinerU is not installed in {folder()}: run `python tests/mineru/install.py`")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home without settings and without models."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The real server, with its flash tier alone, on a port of its own."""
    where = tmp_path_factory.mktemp("server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    line = [str(command("mineru-api")), "--tier", "flash", "--port", str(port), "--upload-dir", str(where / "up")]
    with (where / "log").open("wb") as log:
        process = subprocess.Popen(
            line, stdout=log, stderr=log, env={**os.environ, "HOME": str(where)}, start_new_session=True
        )
    try:
        end = time.monotonic() + 120
        while True:
            assert process.poll() is None and time.monotonic() < end, (where / "log").read_text()
            try:
                urllib.request.urlopen(url + "/v1/health", timeout=5)
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.3)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def good(loaded):
    """Checks that the booklet's words and pictures are there."""
    assert (loaded.version, loaded.problems) == ("structured_content", [])
    shown = [item for item in loaded.items if item.type not in FURNITURE]
    whole = "\n".join(part for item in shown for part in [item.text, *item.items, *item.captions])
    for words in (
        "First Steps in Algebra",
        "Example 1 Solve the equation 2x − 5 = 11.",
        "Which equation has no solution?",
    ):
        assert words in whole
    assert "**" not in whole
    assert {item.page for item in shown} == set(range(7))
    pictures = [item for item in shown if item.image]
    assert len([item for item in pictures if item.type == "image"]) == 5
    assert all(Path(item.image).stat().st_size > 500 for item in pictures)
    assert all(item.image for item in shown if item.type == "equation" and not item.text)


def test_the_command_reads_a_booklet_and_keeps_the_result(tmp_path):
    parser = MinerUCommand(command=str(command("mineru")))
    heard: list[str] = []
    began = time.monotonic()
    good(read_with(parser, BOOK, tmp_path / "kept", on_progress=heard.append))
    print(f"\n{parser.identity()}: 7 pages in {time.monotonic() - began:.1f} s")
    assert heard
    began = time.monotonic()
    good(read_with(parser, BOOK, tmp_path / "kept"))
    assert time.monotonic() - began < 2
    assert list((tmp_path / "kept").rglob("*.pdf")) == []


def test_pages_keep_their_numbers(tmp_path):
    parser = MinerUCommand(command=str(command("mineru-kit")))
    loaded = read_with(parser, BOOK, tmp_path / "kept", pages=[2, 4])
    assert {item.page for item in loaded.items} == {2, 4}
    assert any("Which equation has no solution?" in item.text for item in loaded.items if item.page == 2)


def test_a_file_that_is_no_pdf_is_told_in_minerus_words(tmp_path):
    (tmp_path / "bad.pdf").write_text("not a PDF")
    with pytest.raises(ParserError, match=r"ended with code 1; it said: .*Unsupported file type"):
        MinerUCommand(command=str(command("mineru"))).parse(tmp_path / "bad.pdf", tmp_path / "kept")


def test_the_server_gives_what_the_command_gives(tmp_path, server):
    by_server = MinerUServer(url=server).parse(BOOK, tmp_path / "server")
    by_command = MinerUCommand(command=str(command("mineru"))).parse(BOOK, tmp_path / "command")
    good(load_content_list(by_server))
    texts = [[item.text for item in load_content_list(path).items] for path in (by_server, by_command)]
    assert texts[0] == texts[1]


def test_the_server_says_what_it_does_not_take(tmp_path, server):
    (tmp_path / "bad.pdf").write_text("not a PDF")
    with pytest.raises(ParserError, match="Unsupported file type"):
        MinerUServer(url=server).parse(tmp_path / "bad.pdf", tmp_path / "kept")
    with pytest.raises(ParserError, match=r"No basic, standard, or advanced tier|not available|unavailable"):
        MinerUServer(url=server, options=("tier=standard",)).parse(BOOK, tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == []
