"""The command from question rows to training rows, against models on a loopback server."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dataflow_ext import check, run
from dataflow_ext.models import OpenAIModel
from pipelines.sample_cot import CURATED, main, pipeline
from tests.loopback import Fault, Loopback
from tests.loopback.replies import prompt_of
from tests.pipelines.sample_sets import brain, put, rows
from tests.support.report_page import ReportPage


def command(folder: Path, server: Loopback, *flags: str) -> list[str]:
    asked = ["--model", "m", "--judge-model", "j", "--base-url", server.url]
    return [str(folder / "rows.jsonl"), "--out", str(folder / "out"), *asked, *flags]


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def data(out: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(out.rglob("*")) if path.is_file() and ".run" not in path.parts)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in paths if path.name != "report.html"}


@pytest.fixture
def folder(tmp_path):
    put(tmp_path)
    return tmp_path


@pytest.mark.parametrize("policy", ["second", "fixed", "adaptive"])
def test_rows_become_verified_rows_pairs_and_rates_and_none_is_lost(folder, policy, capsys):
    with Loopback(brain) as server:
        assert main(command(folder, server, "--policy", policy)) == 0
    out = folder / "out"
    figures = json.loads((out / "stats.json").read_text(encoding="utf-8"))
    assert figures["funnel"][0] == {
        "step": "QuestionReader",
        "in": len(rows()),
        "out": len(rows()) - 1,
        "reasons": {"NoShortAnswer": 1},
    }
    kept = pq.read_table(out / "attempts.parquet")
    assert len(set(kept["question_id"].to_pylist())) == len(rows()) - 1
    assert [len(lines(out / f"{name}.jsonl")) for name in ("sft", "dpo", "grpo")] == list(figures["rows"].values())
    assert all(figures["rows"].values())
    assert {row["answer"].__class__ for row in lines(out / "grpo.jsonl")} == {str}
    assert "right attempts" in capsys.readouterr().err
    page = ReportPage(out / "report.html")
    assert page.lists["rows"]["total"] == len(rows()) - 1
    assert "Attempt 1" in page.words() and "pass@k" in page.head


def test_a_part_is_asked_with_the_part_before_it_and_a_picture_goes_along(folder):
    with Loopback(brain) as server:
        assert main(command(folder, server)) == 0
        bodies = [call.body for call in server.calls]
    parts = {prompt_of(body) for body in bodies if "Part 2" in prompt_of(body)}
    assert parts and all("Earlier part 1: Part 1: what is 11 + 3?\n\nPart 2" in text for text in parts)
    pictured = [body["messages"][1]["content"] for body in bodies if "[picture 1]" in prompt_of(body)]
    assert pictured and all(content[1]["image_url"]["url"].startswith("data:image/png") for content in pictured)


def test_a_second_run_asks_nothing_and_leaves_the_same_bytes(folder):
    with Loopback(brain) as server:
        assert main(command(folder, server)) == 0
        before, asked = data(folder / "out"), len(server.calls)
        assert main(command(folder, server)) == 0
        assert len(server.calls) == asked
    assert data(folder / "out") == before


def test_a_server_that_fails_for_a_while_costs_no_row_and_changes_no_byte(folder):
    with Loopback(brain) as server:
        assert main(command(folder, server)) == 0
    before = data(folder / "out")
    (folder / "out").rename(folder / "calm")
    with Loopback(brain, fault=lambda number, body: Fault("status", 500) if number % 7 == 0 else None) as server:
        assert main(command(folder, server)) == 0
    assert data(folder / "out") == before


def test_rows_of_dataflow_go_in_as_they_are(tmp_path):
    row = {
        "question": "What is 1 + 1?",
        "answer": "2",
        "solution": "Count.",
        "label": 1,
        "question_chapter_title": "Sums",
        "answer_chapter_title": "Sums",
        "image_basedir": "vqa",
    }
    rows = [
        row,
        {**row, "solution": "half \ud835", "name": "half \ud835"},
        {**row, "label": "1(a)", "answer": 2},
        {**row, "label": None, "image_basedir": None},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    with Loopback(lambda body: "So \\boxed{2}") as server:
        assert main(command(tmp_path, server, "--judge-model", "j")) == 0
    rated = lines(tmp_path / "out" / "grpo.jsonl")
    assert {(row["label"], row["answer"]) for row in rated} == {("1", "2"), ("1(a)", "2"), (None, "2")}
    assert {row["chapter"] for row in lines(tmp_path / "out" / "sft.jsonl")} == {"Sums"}


def test_a_file_without_answers_is_one_sentence(tmp_path, capsys):
    (tmp_path / "rows.jsonl").write_text('{"question": "Why?", "text": 1}\n')
    assert main([str(tmp_path / "rows.jsonl"), "--out", str(tmp_path / "out"), "--model", "m"]) == 2
    assert "has no column 'answer', but question, text; rows need a question" in capsys.readouterr().err


def test_without_a_model_there_is_nothing_to_sample(folder, capsys):
    assert main([str(folder / "rows.jsonl"), "--out", str(folder / "out")]) == 2
    assert "name one with --model" in capsys.readouterr().err


def test_files_of_others_are_refused_before_anything_is_asked(folder, capsys):
    (folder / "out").mkdir()
    (folder / "out" / "sft.jsonl").write_text("mine")
    with Loopback(brain) as server:
        assert main(command(folder, server)) == 2
        assert server.calls == []
    assert "was not written by a run" in capsys.readouterr().err


def test_an_estimate_counts_the_first_attempts_and_asks_nothing(folder, capsys):
    with Loopback(brain) as server:
        assert main(command(folder, server, "--estimate")) == 0
        assert server.calls == []
    assert "CoTSampler" in capsys.readouterr().err


def test_books_go_all_the_way_as_one_list_of_steps(tmp_path):
    from operators import BookQuestionReader
    from pipelines import curate, pdf_vqa

    books = [{"input_pdf_paths": ["examples/booklets/geometry_zh.pdf"], "name": "geometry"}]
    with Loopback(lambda body: "It is \\boxed{4}") as server:
        model = OpenAIModel(name="m", base_url=server.url)
        steps = [
            *pdf_vqa.pipeline(image_dir=tmp_path / "pictures"),
            BookQuestionReader(),
            *curate.pipeline(),
            *pipeline(model, out=tmp_path / "out", has=CURATED),
        ]
        check(steps, {"input_pdf_paths": list[str], "name": str})
        result = run(steps, books)
    kept = pq.read_table(tmp_path / "out" / "attempts.parquet")
    assert 0 < kept.num_rows == result.table.num_rows
    assert {row["name"] for row in lines(tmp_path / "out" / "grpo.jsonl")} == {"geometry"}
    assert {path for row in kept["images"].to_pylist() for path in row} == {
        f"images/{path.name}" for path in (tmp_path / "out" / "images").iterdir()
    }


def test_books_go_all_the_way_by_three_commands(tmp_path):
    from pipelines import curate, pdf_vqa

    book = "examples/booklets/geometry_zh.pdf"
    assert pdf_vqa.main([book, "--out", str(tmp_path / "vqa"), "--ocr", "never"]) == 0
    assert curate.main([str(tmp_path / "vqa"), "--out", str(tmp_path / "curated")]) == 0
    with Loopback(lambda body: "It is \\boxed{4}") as server:
        rows = str(tmp_path / "curated" / "curated.jsonl")
        assert main([rows, "--out", str(tmp_path / "out"), "--model", "m", "--base-url", server.url]) == 0
    curated = lines(Path(rows))
    figures = json.loads((tmp_path / "out" / "stats.json").read_text(encoding="utf-8"))
    assert figures["funnel"][0]["in"] == len(curated) > 20
    assert set(figures["funnel"][0]["reasons"]) <= {"NoShortAnswer"}
    assert any((tmp_path / "out" / "images").iterdir())
