"""The command ``pdf_vqa`` as people run it: inputs, flags, mistakes, a model with all its failures, and the files."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipelines.pdf_vqa import documents, main
from tests.loopback import Fault, Loopback, limited
from tests.pdf.sheets import Sheet
from tests.pipelines.numbered_book import brain, shown, write_book

ROOT = Path(__file__).parents[2]
BOOKLETS = ROOT / "examples" / "booklets"
KEY = "sk-canary-0123456789abcdef"
DATA = ("vqa.jsonl", "vqa.parquet", "vqa.md", "rejects.jsonl")


@pytest.fixture(autouse=True)
def surroundings(monkeypatch, tmp_path):
    """A working folder of its own, a key in the environment, and short waits between tries."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


def run_command(*arguments, before=(), **env):
    """The command in a process of its own: exit code, stderr, stdout."""
    command = [*before, sys.executable, "-m", "pipelines.pdf_vqa", *map(str, arguments)]
    paths = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **paths, **env},
        timeout=120,
        check=False,
    )
    return done.returncode, done.stderr, done.stdout


def call(*arguments):
    return main(list(map(str, arguments)))


def rows_of(out="out"):
    return [json.loads(line) for line in Path(out, "vqa.jsonl").read_text(encoding="utf-8").splitlines()]


def rejects_of(out="out", kind="failed"):
    lines = Path(out, "rejects.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for line in lines if (row := json.loads(line))["kind"] == kind]


def bytes_of(out="out"):
    files = [Path(out, name) for name in DATA] + sorted(Path(out, "vqa_images").glob("*"))
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in files}


def small_pdf(path, title="Chapter 1 Rates", first=1):
    """One page with a heading and two numbered questions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet = Sheet(path)
    sheet.bold(60, 80, title, 18)
    sheet.text(60, 130, f"{first}. A pump fills {first * 40} litres in 8 minutes. How much does it fill in one minute?")
    sheet.text(60, 170, f"{first + 1}. Another pump fills 90 litres in {first + 2} minutes. Which pump is faster?")
    sheet.text(60, 210, "Give a reason for your answer, and name the unit of your result as well.")
    return sheet.save()


def asked(server):
    return server.received


# -- inputs


def test_a_pdf_gives_rows_pictures_a_page_and_a_line_that_says_where_they_are(capsys):
    assert call(BOOKLETS / "algebra_en.pdf", "--out", "out") == 0
    rows = rows_of()
    assert {row["name"] for row in rows} == {"algebra_en"}
    assert {"1", "2", "3"} <= {row["label"] for row in rows}
    assert {row["extracted_by"] for row in rows} == {"rules"}
    told = capsys.readouterr().err
    assert f"{len(rows)} questions" in told
    assert str(Path("out/vqa.jsonl")) in told
    assert str(Path("out/report.html").resolve()) in told
    assert Path("out/report.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")


def test_the_files_of_a_run_agree_with_each_other():
    assert call(BOOKLETS / "geometry_zh.pdf", "--out", "out") == 0
    rows, table = rows_of(), pq.read_table("out/vqa.parquet")
    assert table.num_rows == len(rows) > 0
    for name in ("question", "answer", "solution", "label", "question_chapter_title", "status", "question_images"):
        assert table[name].to_pylist() == [row[name] for row in rows], name
    linked = {link for row in rows for link in row["question_images"] + row["solution_images"]}
    assert linked
    assert {file.relative_to("out").as_posix() for file in Path("out/vqa_images").iterdir()} == linked
    for row in rows:
        for side in ("question", "solution"):
            assert re.findall(r"!\[[^\]]*\]\(([^)]*)\)", row[side]) == row[f"{side}_images"]
    for row, pictures in zip(rows, table["images"].to_pylist(), strict=True):
        for picture in pictures:
            assert picture["bytes"] == Path("out", picture["path"]).read_bytes()
        assert [p["path"] for p in pictures] == list(dict.fromkeys(row["question_images"] + row["solution_images"]))


def test_a_folder_gives_each_pdf_and_each_content_list_in_it_once():
    small_pdf(Path("books/one.pdf"))
    small_pdf(Path("books/deep/TWO.PDF"), first=5)
    write_book(Path("books/three/auto"), 1, name="three")
    small_pdf(Path("books/three/auto/three_origin.pdf"), first=9)
    small_pdf(Path("books/.hidden/four.pdf"))
    assert call("books", "--out", "out") == 0
    assert sorted({row["name"] for row in rows_of()}) == ["TWO", "one", "three"]


def test_a_content_list_brings_its_pictures(tmp_path):
    book = write_book(tmp_path / "book", 2)
    assert call(book, "--out", "out") == 0
    rows = rows_of()
    assert [(row["question_chapter_title"], row["label"], row["answer"]) for row in rows] == [
        (f"Chapter {c} Rates", str(q), f"{c * 100 + q} min") for c in (1, 2) for q in (1, 2, 3, 4)
    ]
    assert [len(row["question_images"]) for row in rows] == [0, 1, 0, 0] * 2
    first = next((tmp_path / "book" / "images").iterdir()).read_bytes()
    assert first in [file.read_bytes() for file in Path("out/vqa_images").iterdir()]


def test_a_document_list_takes_one_path_or_several_and_names(tmp_path):
    one, two = small_pdf(tmp_path / "lists" / "one.pdf"), BOOKLETS / "physics_zh_questions.pdf"
    lines = [
        {"input_pdf_paths": "one.pdf", "name": "pumps", "more": 1},
        {"input_pdf_paths": [str(two), str(BOOKLETS / "physics_zh_answers.pdf")], "more": "x"},
    ]
    listed = tmp_path / "lists" / "books.jsonl"
    listed.write_text("\n\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    assert call(listed, "--out", "out") == 0
    rows = rows_of()
    assert one.is_file()
    assert {row["name"] for row in rows} == {"pumps", "physics_zh_questions"}
    assert [row["label"] for row in rows if row["name"] == "pumps"] == ["1", "2"]
    assert any(row["answer"] for row in rows if row["name"] == "physics_zh_questions")


def test_an_answer_book_by_flag_is_the_same_as_a_second_path(tmp_path):
    questions, answers = BOOKLETS / "physics_zh_questions.pdf", BOOKLETS / "physics_zh_answers.pdf"
    listed = tmp_path / "books.jsonl"
    listed.write_text(json.dumps({"input_pdf_paths": [str(questions), str(answers)]}), encoding="utf-8")
    assert call(questions, "--answers", answers, "--out", "flag") == 0
    assert call(listed, "--out", "list") == 0
    assert rows_of("flag") == rows_of("list")
    assert {row["status"] for row in rows_of("flag")} >= {"answered"}


def test_pages_bound_a_pdf():
    assert call(BOOKLETS / "algebra_en.pdf", "--pages", "3-4", "--out", "out") == 0
    pages = {page for row in rows_of() for page in row["question_pages"]}
    assert pages
    assert pages <= {3, 4}


def test_bad_lines_of_a_list_of_documents_are_rejects_and_the_others_are_read(capsys):
    small_pdf(Path("a.pdf"))
    Path("books.jsonl").write_text('{"input_pdf_paths": "a.pdf"}\nno json\n{"input_pdf_paths": [1]}\n')
    main(["books.jsonl", "--out", "out"])
    rejects = [json.loads(line) for line in Path("out/rejects.jsonl").read_text().splitlines()]
    assert [(each["operator"], each["step"], each["message"], each["inputs"]) for each in rejects if not each["step"]] == [
        ("input", 0, "books.jsonl, line 2: not JSON (Expecting value: line 1 column 1 (char 0)).", '{"line": "no json"}'),
        ("input", 0, "books.jsonl, document 2: 'input_pdf_paths' must be a path or a list of paths.",
         json.dumps({"line": '{"input_pdf_paths": [1]}'})),
    ]  # fmt: skip


def test_a_limit_takes_the_first_documents():
    small_pdf(Path("a.pdf")), small_pdf(Path("b.pdf"))
    assert call("a.pdf", "b.pdf", "--limit", 1, "--out", "out") == 0
    assert {row["name"] for row in rows_of()} == {"a"}


def test_names_in_chinese_and_with_spaces_work_for_books_and_for_folders():
    small_pdf(Path("七年级 上册/数学 (1).pdf"))
    book = write_book(Path("七年级 上册/物 理"), 1, name="物 理")
    assert call("七年级 上册/数学 (1).pdf", book, "--out", "输出 目录") == 0
    rows = rows_of("输出 目录")
    assert {row["name"] for row in rows} == {"数学 (1)", "物 理"}
    for row in rows:
        for link in row["question_images"]:
            assert Path("输出 目录", link).is_file()


def test_the_same_document_twice_gives_its_rows_twice_under_two_names():
    small_pdf(Path("a.pdf"))
    assert call("a.pdf", "a.pdf", "--out", "out") == 0
    rows = rows_of()
    assert [(row["name"], row["label"]) for row in rows] == [("a", "1"), ("a", "2"), ("a-2", "1"), ("a-2", "2")]
    assert rows[0]["question"] == rows[2]["question"]


def test_a_name_that_a_numbered_copy_would_take_stays_its_own(tmp_path):
    for name in ("x/a.pdf", "y/a.pdf", "z/a-2.pdf"):
        small_pdf(tmp_path / name)
    names = documents([tmp_path / "x/a.pdf", tmp_path / "y/a.pdf", tmp_path / "z/a-2.pdf"])["name"].to_pylist()
    assert len(set(names)) == 3


def test_two_workers_give_the_files_of_one():
    small_pdf(Path("a.pdf")), small_pdf(Path("b.pdf"), first=4)
    one = run_command("a.pdf", "b.pdf", "--out", "out")
    assert one[0] == 0, one[1]
    Path("out").rename("single")
    two = run_command("a.pdf", "b.pdf", "--out", "out", "--workers", 2)
    assert two[0] == 0, two[1]
    assert bytes_of("out") == bytes_of("single")


def test_a_dry_run_checks_and_writes_nothing(capsys):
    small_pdf(Path("a.pdf"))
    assert call("a.pdf", "--out", "out", "--dry-run") == 0
    assert "nothing was run" in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_second_run_remembers_every_step_and_writes_the_same_files(capsys):
    assert call(BOOKLETS / "geometry_zh.pdf", "--out", "out") == 0
    before = bytes_of()
    capsys.readouterr()
    assert call(BOOKLETS / "geometry_zh.pdf", "--out", "out") == 0
    assert capsys.readouterr().err.count("remembered") == 5
    assert bytes_of() == before


def test_the_data_do_not_depend_on_where_they_are_written(tmp_path):
    book = write_book(tmp_path / "book", 1)
    for out in ("one", "two/deep"):
        assert call(book, "--out", out) == 0
    one, two = bytes_of("one"), bytes_of("two/deep")
    del one["vqa.parquet"], two["vqa.parquet"]  # its evidence names the pictures' files
    assert one == two


# -- mistakes


def flawed(capsys, *arguments):
    """The one sentence that a mistake gets."""
    try:
        code = call(*arguments)
    except SystemExit as left:  # the argument parser leaves by itself
        code = left.code
    told = capsys.readouterr().err
    assert code == 2, told
    assert "Traceback" not in told
    last = told.strip().splitlines()[-1]
    assert "error: " in last
    return last.split("error: ", 1)[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.pdf"], "nothing.pdf: there is no such file."),
        (["nothing"], "nothing: there is no such file or folder."),
        (["nothing.jsonl"], "nothing.jsonl: cannot be read (No such file or directory)."),
        (["empty"], "No PDF and no content list in empty."),
        (["note.txt"], "note.txt: not a PDF, a folder, a content list (.json) or a list of documents (.jsonl)."),
        (["a.pdf", "--answers", "no.pdf"], "--answers: there is no file no.pdf."),
        (
            ["a.pdf", "a.pdf", "--answers", "a.pdf"],
            "--answers goes with one document, and there are 2; use a .jsonl file.",
        ),
        (["a.pdf", "--pages", "5-"], "'5-' is not a range of pages; write 12-40 or 3,5,8-10."),
        (["a.pdf", "--prompts", "no"], "--prompts: there is no folder no."),
        (
            ["a.pdf", "--prompts", "empty"],
            "--prompts: empty holds none of the prompts that can be replaced (qa_extract.md).",
        ),
        (["a.pdf", "--base-url", "http://x/v1"], "--base-url needs --model: the name of the model at that server."),
        (
            ["a.pdf", "--model", "m", "--base-url", "localhost:8000"],
            "--base-url: A model server's address starts with http:// or https:// and names a host.",
        ),
        (["a.pdf", "--model", ""], "--model: String should have at least 1 character"),
        (["a.pdf", "--limit", "none"], "argument --limit: 'none' is not a whole number from 1 on"),
        (["a.pdf", "--workers", "0"], "argument --workers: '0' is not a whole number from 1 on"),
        (["a.pdf", "--no-such-flag"], "unrecognized arguments: --no-such-flag"),
        ([], "the following arguments are required: INPUT"),
        (["a.pdf", "--out", "note.txt"], "Cannot write to note.txt: File exists."),
        (["a.pdf", "--out", "note.txt/deep"], "Cannot write to note.txt/deep: Not a directory."),
        (["torn.jsonl"], "torn.jsonl, line 1: not JSON (Expecting value: line 1 column 21 (char 20))."),
        (["odd.jsonl"], "odd.jsonl, document 1: 'input_pdf_paths' must be a path or a list of paths."),
    ],
)
def test_a_mistake_gets_one_sentence_and_exit_code_2(arguments, sentence, capsys):
    small_pdf(Path("a.pdf"))
    Path("empty").mkdir()
    Path("note.txt").write_text("hello")
    Path("torn.jsonl").write_text('{"input_pdf_paths": ')
    Path("odd.jsonl").write_text('{"input_pdf_paths": [1]}')
    out = [] if "--out" in arguments else ["--out", "out"]
    assert flawed(capsys, *arguments, *out) == sentence


def test_an_unknown_tokenizer_or_too_small_a_chunk_is_told_as_such(capsys):
    small_pdf(Path("a.pdf"))
    told = flawed(capsys, "a.pdf", "--tokenizer", "words", "--out", "out")
    assert told == "Unknown tokenizer 'words'; known: o200k_base, cl100k_base."
    told = flawed(capsys, "a.pdf", "--model", "m", "--chunk-tokens", 5, "--out", "out")
    assert "max_chunk_tokens" in told
    assert "200" in told


def test_a_mistake_in_a_process_of_its_own_has_no_traceback():
    code, told, out = run_command("nothing.pdf", "--out", "out")
    assert (code, told, out) == (2, "error: nothing.pdf: there is no such file.\n", "")


def test_a_folder_without_permission_is_told_before_any_work():
    small_pdf(Path("a.pdf"))
    locked = Path("locked")
    locked.mkdir(mode=0o555)
    before = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("this is root, whom no permission stops, and there is no setpriv to lay that down")
        caps = "-dac_override,-dac_read_search"
        before = ["setpriv", f"--bounding-set={caps}", f"--inh-caps={caps}"]
    code, told, _ = run_command("a.pdf", "--out", locked / "out", before=before)
    assert (code, told) == (2, "error: Cannot write to locked/out: Permission denied.\n")


def test_a_book_that_cannot_be_read_is_a_reject_and_the_others_live(capsys):
    small_pdf(Path("a.pdf"))
    Path("broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    assert call("a.pdf", "broken.pdf", "--out", "out") == 5
    assert {row["name"] for row in rows_of()} == {"a"}
    assert [(r["operator"], "broken.pdf" in r["message"]) for r in rejects_of()] == [("DocumentReader", True)]
    assert "1 failed" in capsys.readouterr().err


def test_a_run_without_a_row_says_why_and_leaves_with_1(capsys):
    Path("broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    assert call("broken.pdf", "--out", "out") == 1
    told = capsys.readouterr().err
    assert "0 questions" in told
    assert "error: broken.pdf" in told
    assert rows_of() == []


# -- prompts


def test_exported_prompts_can_be_changed_and_are_what_the_model_gets(tmp_path, capsys):
    assert call("prompts", "mine") == 0
    assert capsys.readouterr().err == f"wrote {Path('mine/qa_extract.md')}\n"
    own = Path("mine/qa_extract.md")
    built_in = own.read_text(encoding="utf-8")
    assert "Sub-questions" in built_in
    own.write_text("Find the items, please.\n", encoding="utf-8")
    assert call("prompts", "mine") == 0
    assert own.read_text(encoding="utf-8") == "Find the items, please.\n"
    book = write_book(tmp_path / "book", 1)
    with Loopback(brain) as server:
        assert call(book, "--model", "m", "--base-url", server.url, "--out", "out") == 0
        assert call(book, "--model", "m", "--base-url", server.url, "--out", "out", "--prompts", "mine") == 0
    system = [c.body["messages"][0] for c in server.calls]
    assert system == [
        {"role": "system", "content": built_in.strip()},
        {"role": "system", "content": "Find the items, please."},
    ]


# -- with a model


@pytest.fixture
def book(tmp_path):
    return write_book(tmp_path / "book", 12)


def ask(book, server, *more, out="out"):
    return call(book, "--model", "m", "--base-url", server.url, "--chunk-tokens", 300, "--out", out, *more)


EXPECTED = [(f"Chapter {c} Rates", str(q), f"{c * 100 + q} min") for c in range(1, 13) for q in (1, 2, 3, 4)]


def seen(out="out"):
    return [(row["question_chapter_title"], row["label"], row["answer"]) for row in rows_of(out)]


def test_a_model_gets_ids_and_text_only_and_its_rows_say_who_found_them(book):
    with Loopback(brain) as server:
        assert ask(book, server, "--seed", 7) == 0
    assert seen() == EXPECTED
    assert {row["extracted_by"] for row in rows_of()} == {"m"}
    assert rejects_of() == []
    assert asked(server) > 5
    for made in server.calls:
        assert (made.body["model"], made.body["seed"]) == ("m", 7)
        prompt = made.body["messages"][1]["content"]
        assert all(re.match(r"\[\d+\] ", line) for line in prompt.splitlines())
        assert "images/" not in prompt
        assert len({c.body["messages"][0]["content"] for c in server.calls}) == 1


def test_a_second_run_asks_nothing_and_writes_the_same(book):
    with Loopback(brain) as server:
        assert ask(book, server) == 0
        first, files = asked(server), bytes_of()
        assert ask(book, server) == 0
        assert asked(server) == first
        assert bytes_of() == files
        shutil.rmtree("out/.run/steps")
        assert ask(book, server) == 0
        assert asked(server) == first
        assert bytes_of() == files
        assert ask(book, server, "--fresh") == 0
        assert asked(server) == 2 * first


def test_a_server_in_a_bad_temper_loses_nothing(book):
    faults = {2: limited(0.05), 3: Fault("status", 500), 4: Fault("drop"), 5: Fault("garbage"), 6: Fault("cut")}
    with Loopback(brain, fault=lambda number, body: faults.get(number)) as server:
        assert ask(book, server) == 0
    assert seen() == EXPECTED
    assert rejects_of() == []
    assert sorted(server.outcomes)[:2] == ["cut", "drop"]


def test_one_chunk_that_always_fails_is_a_reject_and_the_others_live(book, capsys):
    bad = {"on": True}

    def fault(number, body):
        return Fault("status", 500) if bad["on"] and any("Chapter 5 Rates" in text for _, text in shown(body)) else None

    with Loopback(brain, fault=fault) as server:
        assert ask(book, server, "--max-retries", 4) == 3
        failed = rejects_of()
        assert failed
        assert {(r["operator"], r["attempts"]) for r in failed} == {("ChunkedPromptedGenerator", 5)}
        assert all("Chapter 5 Rates" in json.loads(r["inputs"])["text"] for r in failed)
        cores = [range(core[0], core[1] + 1) for r in failed for core in [json.loads(r["inputs"])["core"]]]
        entries = [entry.get("text", "") for entry in json.loads(book.read_text(encoding="utf-8"))]
        firsts = [n for n, text in enumerate(entries) if re.match(r"\d+\. A tank", text)]
        lost = {item for item, first in zip(EXPECTED, firsts, strict=True) if any(first in core for core in cores)}
        assert 0 < len(lost) < len(EXPECTED) / 2
        assert seen() == [item for item in EXPECTED if item not in lost]
        assert len(rejects_of(kind="dropped")) == len(lost)  # their answers, which nothing is waiting for
        told = capsys.readouterr().err
        assert f"{len(failed)} failed" in told
        assert f"error: not done: {len(failed)} rows: chunk " in told
        assert told.endswith("What was finished is kept; the same command goes on from there.\n")
        # Mended, the same command asks for what failed and for nothing else.
        bad["on"], before = False, asked(server)
        assert ask(book, server) == 0
        assert asked(server) == before + len(failed)
    assert seen() == EXPECTED
    assert rejects_of() == []


def test_a_server_that_is_gone_when_it_is_asked_is_told_in_a_sentence_and_leaves_with_3(book, capsys):
    with Loopback(brain) as server:
        url = server.url
    late = ("--max-retries", 4, "--no-preflight")
    assert call(book, "--model", "m", "--base-url", url, "--out", "out", *late) == 3
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert url in told
    assert "error: " in told
    assert rows_of() == []
    assert {r["operator"] for r in rejects_of()} == {"ChunkedPromptedGenerator"}


def test_a_key_that_is_missing_is_told_in_a_sentence(book, capsys, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    assert call(book, "--model", "m", "--out", "out") == 2
    assert capsys.readouterr().err == (
        "1. DocumentReader: not begun\nerror: Step 3 (ChunkedPromptedGenerator): Model m needs a key: set the environment variable OPENAI_API_KEY, "
        "or give base_url for a server of your own.\n"
    )
    assert not Path("out", "vqa.jsonl").exists()


def test_the_key_reaches_the_server_and_no_file_and_no_log(book):
    fault = {1: Fault("status", 401), 2: Fault("status", 400)}
    with Loopback(brain, fault=lambda number, body: fault.get(number)) as server:
        arguments = (book, "--model", "m", "--base-url", server.url, "--chunk-tokens", 300, "--out", "out")
        code, told, said = run_command(*arguments, "--api-key-env", "MY_KEY", MY_KEY=KEY + "-mine", OPENAI_LOG="debug")
        assert code == 3, told
    assert {c.authorization for c in server.calls} == {f"Bearer {KEY}-mine"}
    files = [file for file in Path("out").rglob("*") if file.is_file()]
    assert {"requests.sqlite", "config.json", "report.json"} <= {file.name for file in files}
    for file in files:
        assert KEY.encode() not in file.read_bytes(), file
    assert KEY not in told + said


def test_a_reply_in_another_shape_is_a_reject_with_the_reply_kept(book):
    with Loopback(lambda body: "I am sorry, I cannot find any questions here.") as server:
        assert ask(book, server) == 1
    assert {(r["operator"], r["error"]) for r in rejects_of()} == {("ChunkedPromptedGenerator", "UnreadableReplyError")}
    assert json.loads(rejects_of()[0]["inputs"])["reply"] == "I am sorry, I cannot find any questions here."
