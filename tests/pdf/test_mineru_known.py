"""Parsers that are not there any more: what they made is used, and nothing else is pretended."""

import json
import logging
from pathlib import Path

import pytest

from dataflow_ext.fingerprint import fingerprint
from operators import DocumentReader
from operators.pdf.mineru import server as server_module
from operators.pdf.mineru import server_calls
from operators.pdf.mineru.command import MagicPDF, MinerUCommand
from operators.pdf.mineru.parsers import ParserError, ParserMissing
from operators.pdf.mineru.server import MinerUServer
from tests.pdf.mineru_servers import Server
from tests.pdf.mineru_tools import tool

BOOK = Path(__file__).parents[2] / "examples/booklets/algebra_en.pdf"
OTHER = BOOK.with_name("geometry_zh.pdf")
BUSY = (503, {}, {"detail": "busy"})


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(server_calls, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(server_module, "FIRST_ASK", 0.01)


def test_what_a_server_made_is_used_while_it_is_down(tmp_path, caplog):
    with Server(4) as server:
        parser = MinerUServer(url=server.url, memory=tmp_path)
        made, identity, step = parser.parse(BOOK, tmp_path), parser.identity(), DocumentReader(parser=parser)
        mark = fingerprint(step)
    with caplog.at_level(logging.WARNING):
        assert parser.identity() == identity == "mineru-api 4.0.12 ocr_mode=txt tier=flash"
    assert caplog.messages[0].startswith(f"No server answers at {server.url} ")
    assert caplog.messages[0].endswith(" Until then, the results that are kept of version 4.0.12 are used.")
    assert fingerprint(step) == mark
    assert parser.parse(BOOK, tmp_path) == made
    with pytest.raises(ParserMissing, match=f"^No server answers at {server.url} "):
        parser.parse(OTHER, tmp_path)
    with pytest.raises(ParserMissing, match=f"^No server answers at {server.url} "):
        MinerUServer(url=server.url, memory=tmp_path, options=("tier=standard",)).parse(BOOK, tmp_path)


def test_a_server_that_nobody_has_seen_or_that_is_noted_elsewhere_has_no_identity(tmp_path):
    with Server(4) as server:
        MinerUServer(url=server.url, memory=tmp_path / "one").identity()
    for memory in (None, tmp_path / "other"):
        with pytest.raises(ParserMissing, match="No server answers at"):
            MinerUServer(url=server.url, memory=memory).identity()
    assert not (tmp_path / "other").exists()


def test_a_server_that_is_there_again_tells_what_it_is_now(tmp_path):
    with Server(4) as server:
        parser = MinerUServer(url=server.url, memory=tmp_path)
        parser.identity()
        server.version = 3
        assert parser.identity() == "mineru-api 3.4.5 backend=pipeline"
    assert json.loads((tmp_path / "parsers.json").read_text()) == {
        f"mineru-api {server.url}": {"version": "3.4.5", "tasks": "/tasks", "tiers": []}
    }


def test_a_busy_server_is_waited_for_when_it_is_needed(tmp_path):
    with Server(4) as server:
        parser = MinerUServer(url=server.url, memory=tmp_path)
        parser.identity()
        server.instead["GET /v1/health"] = [BUSY] * 4
        assert parser.parse(BOOK, tmp_path).is_file()


@pytest.mark.parametrize(("version", "made"), [("v1_3", MagicPDF), ("v4_0", MinerUCommand)])
def test_what_a_command_made_is_used_when_it_was_removed(tmp_path, caplog, version, made):
    command = tool(tmp_path / "bin", version)
    parser = made(command=str(command), memory=tmp_path / "kept")
    first, identity = parser.parse(BOOK, tmp_path / "kept"), parser.identity()
    for path in (tmp_path / "bin").iterdir():
        path.unlink()
    assert (parser.identity(), parser.parse(BOOK, tmp_path / "kept")) == (identity, first)
    assert caplog.messages[0].startswith(f"There is no command {command} for the parser {made.name}; ")
    with pytest.raises(ParserMissing, match="There is no command"):
        parser.parse(OTHER, tmp_path / "kept")


@pytest.mark.parametrize("noted", ["", "[", "[]", "{}", '{"mineru-api %s": 3}', '{"mineru-api %s": {"version": []}}'])
def test_a_memory_that_cannot_be_read_is_none(tmp_path, noted):
    with Server(4) as server:
        pass
    (tmp_path / "parsers.json").write_text(noted.replace("%s", server.url))
    with pytest.raises(ParserError, match="No server answers at"):
        MinerUServer(url=server.url, memory=tmp_path).identity()


def test_a_memory_that_cannot_be_written_is_no_reason_to_stop(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with Server(4) as server:
        assert MinerUServer(url=server.url, memory=tmp_path / "file").identity().startswith("mineru-api 4")
