"""MinerU as a server: every version's way, patience with busy ones, a sentence for every failure."""

import io
import stat
import zipfile
from pathlib import Path

import pytest
from pydantic import ValidationError

from operators.pdf.mineru import results, server_calls
from operators.pdf.mineru import server as server_module
from operators.pdf.mineru.content_list import load_content_list
from operators.pdf.mineru.parsers import ParserError, ParserMissing
from operators.pdf.mineru.server import MinerUServer
from tests.pdf.mineru_servers import Server, drop, fault, hang

BOOK = Path(__file__).parents[2] / "examples/booklets/algebra_en.pdf"
BUSY = (503, {}, {"detail": "busy"})


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(server_calls, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(server_module, "FIRST_ASK", 0.01)


def check_refused(tmp_path, server, match, **options):
    with pytest.raises(ParserError, match=match) as told:
        MinerUServer(url=server.url, **options).parse(BOOK, tmp_path / "kept")
    assert "\n" not in str(told.value)
    assert not (tmp_path / "kept").exists() or list((tmp_path / "kept").iterdir()) == []
    return told.value


# --- each version's way -----------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3, 4])
def test_every_versions_server_gives_a_list_with_its_pictures(tmp_path, version):
    with Server(version, states=["pending", "running"]) as server:
        path = MinerUServer(url=server.url).parse(BOOK, tmp_path / "kept")
    items = load_content_list(path).items
    assert items[-1].text == "Answers: 1. B 2. 9"
    assert [Path(item.image).is_file() for item in items if item.image] == [True] * 4


def test_what_goes_to_each_version(tmp_path):
    old = {
        "files": b"%PDF-", "backend": "pipeline", "return_content_list": "true", "return_images": "true",
        "response_format_zip": "true", "return_md": "false",
    }  # fmt: skip
    with Server(2) as two, Server(3) as three, Server(4) as four:
        for each in (two, three, four):
            MinerUServer(url=each.url).parse(BOOK, tmp_path / each.url[-5:])
        MinerUServer(url=three.url, options=("backend=vlm-engine", "--lang-list=en")).parse(BOOK, tmp_path / "kept")
    assert two.forms == [old]
    assert three.forms == [old, {**old, "backend": "vlm-engine", "lang_list": "en"}]
    assert four.forms == [{"files": b"%PDF-", "output_formats": ["zip"], "tier": ["flash"], "ocr_mode": ["txt"]}]


def test_a_version_4_server_with_models_chooses_its_tier_itself_unless_one_is_asked_for(tmp_path):
    with Server(4, tiers=("flash", "basic", "standard")) as server:
        MinerUServer(url=server.url).parse(BOOK, tmp_path / "kept")
        MinerUServer(url=server.url, options=("tier=standard",)).parse(BOOK, tmp_path / "kept")
    sent = {"files": b"%PDF-", "output_formats": ["zip"]}
    assert server.forms == [sent, {**sent, "tier": ["standard"]}]


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/v1/health", "/docs", "/file_parse", "/v1/tasks/"])
def test_the_address_may_have_any_of_the_usual_tails(tail):
    assert MinerUServer(url="http://host:8000" + tail).url == "http://host:8000"
    assert MinerUServer(url="https://host/mineru" + tail).url == "https://host/mineru"


def test_addresses_and_parameters_that_are_none_are_refused():
    with pytest.raises(ValidationError, match="is not an address such as http://localhost:8000"):
        MinerUServer(url="localhost:8000")
    with pytest.raises(ValidationError, match="'-b' is not a parameter of a server; write it as tier=standard"):
        MinerUServer(url="http://localhost", options=("-b pipeline",))
    with pytest.raises(ValidationError, match="api_key does not belong among the options"):
        MinerUServer(url="http://localhost", options=("api_key=1",))


def test_a_finished_book_is_not_sent_again_and_another_address_of_the_same_version_is_as_good(tmp_path):
    with Server(4) as one, Server(4) as other:
        first = MinerUServer(url=one.url).parse(BOOK, tmp_path / "kept")
        assert MinerUServer(url=other.url).parse(BOOK, tmp_path / "kept") == first
        assert MinerUServer(url=one.url).identity() == "mineru-api 4.0.12 ocr_mode=txt tier=flash"
    assert [len(one.forms), len(other.forms)] == [1, 0]


def test_progress_tells_the_servers_state(tmp_path):
    heard = []
    with Server(4, states=["queued", "running"]) as server:
        MinerUServer(url=server.url).parse(BOOK, tmp_path / "kept", on_progress=heard.append)
    assert heard == ["queued, 0 s", "running, 0 s"]


# --- patience ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3, 4])
def test_busy_servers_and_broken_connections_are_tried_again(tmp_path, version):
    prefix = "/v1" if version == 4 else ""
    post = "POST /file_parse" if version == 2 else f"POST {prefix}/tasks"
    trouble = {
        post: [BUSY, drop, (429, {"retry-after": "0"}, b"slow down")],
        f"GET {prefix}/tasks/{{id}}": [drop, (502, {}, b"<html>bad gateway</html>")],
        f"GET {prefix}/tasks/{{id}}/result": [BUSY],
        "GET /v1/health": [(503, {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, b"")],
    }
    with Server(version, instead=trouble) as server:
        assert MinerUServer(url=server.url).parse(BOOK, tmp_path / "kept").is_file()
    assert server.asked.count(post) == 4


def test_patience_ends(tmp_path):
    with Server(4, instead={"POST /v1/tasks": [BUSY] * 9}) as server:
        check_refused(tmp_path, server, r"is busy \(503, 6 times\): busy")
        assert server.asked.count("POST /v1/tasks") == 6


def test_what_a_server_cannot_do_at_all_is_not_asked_again(tmp_path):
    answer = fault(503, "engine_error", "quality_tier_unavailable", "No standard tier available in this server.")
    with Server(4, instead={"POST /v1/tasks": [answer]}) as server:
        check_refused(tmp_path, server, "No standard tier available in this server", options=("tier=standard",))
        assert server.asked.count("POST /v1/tasks") == 1


# --- a sentence for every failure -------------------------------------------------------------------


def test_a_server_that_is_not_there(tmp_path):
    with Server(4) as server:
        pass
    error = check_refused(tmp_path, server, r"No server answers at http://127.* start it, such as with mineru-api")
    assert isinstance(error, ParserMissing) and error.transient


def test_a_server_that_is_another_one(tmp_path):
    with Server(2, instead={"GET /openapi.json": [(200, {}, b"<html></html>")]}) as server:
        check_refused(tmp_path, server, "is none of MinerU's: it knows neither /v1/health nor /file_parse")


def test_a_key_is_asked_for_and_sent_from_its_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("THE_KEY", "abc")
    monkeypatch.setenv("WRONG_KEY", "xyz")
    with Server(4, key="abc") as server:
        check_refused(tmp_path, server, r"refuses \(401: Invalid or missing API key\); .* --parser-key-env")
        check_refused(tmp_path, server, "check the key in the variable WRONG_KEY", key_env="WRONG_KEY")
        check_refused(tmp_path, server, "and there is no such one", key_env="NO_KEY")
        assert MinerUServer(url=server.url, key_env="THE_KEY").parse(BOOK, tmp_path / "kept").is_file()
    assert "Bearer abc" in server.keys


@pytest.mark.parametrize(
    ("answer", "said", "transient"),
    [
        (
            fault(413, "invalid_request_error", "file_too_large", "File exceeds 200 MiB"),
            "too large .*exceeds 200 MiB",
            False,
        ),
        (
            (422, {}, {"detail": [{"loc": ["body"], "msg": "Field required"}]}),
            r"not take it \(422\): Field required",
            False,
        ),
        (fault(400, "invalid_request_error", "invalid_request", "tier: no such\ntier"), "tier: no such tier", False),
        ((500, {}, {"error": {"message": "Internal server error"}}), r"failed \(500\): Internal server error", True),
        ((307, {"location": "https://elsewhere"}, b""), "sends us on to https://elsewhere; give that", True),
        ((202, {}, {"status": "queued"}), "took it but named no task", True),
        ((202, {}, b"garbage"), "took it but named no task: garbage", True),
    ],
)
def test_answers_to_an_upload_that_are_no_task(tmp_path, answer, said, transient):
    with Server(4, instead={"POST /v1/tasks": [answer]}) as server:
        assert check_refused(tmp_path, server, said).transient is transient


def test_a_task_that_fails_is_told_with_the_servers_words(tmp_path):
    failed = {
        "status": "failed",
        "files": [{"error": {"code": "parse_failed", "message": "Unsupported file type: txt"}}],
    }
    with Server(4, instead={"GET /v1/tasks/{id}": [(200, {}, failed)]}) as server:
        check_refused(tmp_path, server, r"could not read it \(failed\): Unsupported file type: txt")
        assert server.asked[-1] == "DELETE /v1/tasks/{id}"
    with Server(3, instead={"GET /tasks/{id}": [(200, {}, {"status": "failed", "error": "no GPU"})]}) as server:
        check_refused(tmp_path, server, r"could not read it \(failed\): no GPU")


def test_a_task_that_is_forgotten_or_makes_no_sense(tmp_path):
    with Server(4, instead={"GET /v1/tasks/{id}": [(404, {}, {})]}) as server:
        check_refused(tmp_path, server, "has forgotten the task")
    with Server(4, instead={"GET /v1/tasks/{id}": [(200, {}, [1, 2])]}) as server:
        check_refused(tmp_path, server, r"could not read it \(None\)")


def test_a_task_that_takes_too_long_is_cancelled(tmp_path):
    with Server(4, states=["running"] * 1000) as server:
        # Long enough for a busy machine to have sent the file: there is no task to cancel before.
        check_refused(tmp_path, server, r"was not done after 3 s; give it more with --parser-timeout", timeout=3)
        assert server.asked[-1] == "DELETE /v1/tasks/{id}"


def test_a_silent_server_is_left_when_the_time_is_over(tmp_path):
    with Server(4, instead={"POST /v1/tasks": [hang]}) as server:
        check_refused(tmp_path, server, r"was not done after 0\.5 s", timeout=0.5)


def zipped(name, data=b"[]", mode=0o100644):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        target.writestr(info, data)
    return buffer.getvalue()


@pytest.mark.parametrize("version", [2, 4])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"no archive", "is not a sound zip archive"),
        (b"", "is not a sound zip archive"),
        (zipped("a_content_list.json")[:-30], "is not a sound zip archive"),
        (zipped("notes.md"), r"one content list was expected of the parser, and it wrote only notes\.md"),
        (zipped("../a_content_list.json"), "leads out of its folder"),
        (zipped("/tmp/a_content_list.json"), "leads out of its folder"),
        (zipped("a\\..\\..\\b_content_list.json"), "leads out of its folder"),
        (zipped("C:/a_content_list.json"), "leads out of its folder"),
        (zipped("a_content_list.json", b"/etc/passwd", stat.S_IFLNK | 0o777), "is a link or a device"),
        (zipped("a_content_list.json", b"0" * 200_000), "holds more than 0 GiB"),
        (zipped("x" * 300 + "_content_list.json"), "which cannot be written"),
        (zipped("a_content_list.json", b"[{"), "is not complete JSON"),
    ],
)
def test_a_bad_archive_is_refused_whole(tmp_path, monkeypatch, version, body, said):
    monkeypatch.setattr(results, "MAX_BYTES", 100_000)
    with Server(version, body=body) as server, pytest.raises(ParserError, match=said):
        MinerUServer(url=server.url).parse(BOOK, tmp_path / "kept")
    assert [path.name for path in tmp_path.rglob("*")] == ["kept"]


def test_an_archive_of_too_many_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "MAX_FILES", 3)
    with Server(4) as server:
        check_refused(tmp_path, server, "an archive of 6 files; at most 3 are taken")


def test_json_in_place_of_an_archive_tells_that_the_server_is_old(tmp_path):
    answer = (200, {}, {"backend": "pipeline", "version": "2.0.6", "results": {}})
    with Server(2, instead={"POST /file_parse": [answer]}) as server:
        check_refused(tmp_path, server, "answers without an archive, so it is an early version 2; update it")
