"""What a run leaves behind is whole, the same byte for byte, inside its folder, and nobody else's is touched."""

import json
import os
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataflow_ext.errors import InputError
from dataflow_ext.pictures import without_metadata
from operators.pdf.output.writer import pages_of, write_outputs
from tests.core.pictures.hostile import SECRET, full, hostile, saved
from tests.pdf.final_rows import figure, picture, rejects, row, table


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def with_figure(label: str, path: str, **more: object) -> dict[str, object]:
    name = Path(path).name
    return row(
        label,
        f"Look:\n![fig](vqa_images/{name})",
        row_id=f"{path}-{label}",
        question_images=[f"vqa_images/{name}"],
        evidence=[figure(path)],
        **more,
    )


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_jsonl_has_dataflows_names_and_links_that_hold(tmp_path: Path) -> None:
    fig = picture(tmp_path / "made" / "图 1.png")
    paths = write_outputs(table(with_figure("例1", fig, answer="π")), rejects(), tmp_path / "out")
    assert lines(paths["jsonl"]) == [
        {
            "question": "Look:\n![fig](vqa_images/图 1.png)",
            "answer": "π",
            "solution": "",
            "label": "例1",
            "question_chapter_title": "1 Circles",
            "answer_chapter_title": "",
            "image_basedir": ".",
            "chapter_path": ["1 Circles"],
            "name": "book",
            "status": "answered",
            "question_images": ["vqa_images/图 1.png"],
            "solution_images": [],
            "question_pages": [2],
            "solution_pages": [],
            "match": "chapter+label",
            "confidence": 1.0,
            "doubts": [],
            "extracted_by": "rules",
        }
    ]
    assert (paths["jsonl"].parent / "vqa_images/图 1.png").read_bytes() == Path(fig).read_bytes()


def test_parquet_has_every_column_and_the_pictures_bytes(tmp_path: Path) -> None:
    fig = picture(tmp_path / "made" / "a.png")
    rows = table(with_figure("1", fig), row("2"))
    read = pq.read_table(write_outputs(rows, rejects(), tmp_path / "out")["parquet"])
    assert read.drop_columns(["images", "evidence"]).equals(rows.drop_columns(["evidence"]))
    want = rows["evidence"].to_pylist()
    for part in (part for parts in want for part in parts if part["image"]):
        part["image"] = "vqa_images/a.png"  # a path of this disk would tell readers elsewhere nothing
    assert read["evidence"].to_pylist() == want
    assert read["images"].to_pylist() == [[{"bytes": Path(fig).read_bytes(), "path": "vqa_images/a.png"}], []]
    assert json.loads(read.schema.metadata[b"huggingface"])["info"]["features"] == {"images": [{"_type": "Image"}]}


def test_row_groups_with_many_pictures_are_cut_and_lose_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.datasets.files.GROUP_BYTES", 200)
    figs = [picture(tmp_path / f"{n}.png", f"#0000{n:02x}") for n in range(7)]
    path = write_outputs(table(*(with_figure(str(n), f) for n, f in enumerate(figs))), rejects(), tmp_path / "o")[
        "parquet"
    ]
    assert pq.ParquetFile(path).num_row_groups > 2
    assert [i[0]["bytes"] for i in pq.read_table(path)["images"].to_pylist()] == [Path(f).read_bytes() for f in figs]


def test_same_rows_give_the_same_bytes_whatever_their_chunks(tmp_path: Path) -> None:
    figs = [picture(tmp_path / "made" / f"{n}.png") for n in range(3)]
    rows = table(*(with_figure(str(n), f) for n, f in enumerate(figs)))
    pieces = pa.concat_tables([rows.slice(0, 1), rows.slice(1)])
    write_outputs(rows, rejects("no question"), tmp_path / "one")
    write_outputs(pieces, rejects("no question"), tmp_path / "two")
    write_outputs(pieces, rejects("no question"), tmp_path / "two")
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")


def test_two_pictures_of_one_name_both_survive_and_texts_follow(tmp_path: Path) -> None:
    red, blue = picture(tmp_path / "a" / "f.png", "red"), picture(tmp_path / "b" / "F.png", "blue")
    copy = picture(tmp_path / "c" / "f.png", "red")
    rows = table(with_figure("1", red), with_figure("2", blue), with_figure("3", copy), with_figure("4", blue))
    out = tmp_path / "out"
    found = lines(write_outputs(rows, rejects(), out)["jsonl"])
    links = [r["question_images"][0] for r in found]
    assert links[0] == links[2] == "vqa_images/f.png"
    assert links[1] == links[3] != links[0]
    assert [f"]({link})" in r["question"] for link, r in zip(links, found, strict=True)] == [True] * 4
    assert [(out / link).read_bytes() for link in links] == [Path(p).read_bytes() for p in (red, blue, copy, blue)]
    assert len(list((out / "vqa_images").iterdir())) == 2


def test_question_and_solution_pictures_of_one_name_are_told_apart(tmp_path: Path) -> None:
    ask, solve = picture(tmp_path / "a" / "f.png", "red"), picture(tmp_path / "b" / "f.png", "blue")
    link = "vqa_images/f.png"
    both = row("1", f"![]({link})", solution=f"![]({link})", question_images=[link], solution_images=[link])
    both["evidence"] = [figure(ask), figure(solve, "solution")]
    (found,) = lines(write_outputs(table(both), rejects(), tmp_path / "out")["jsonl"])
    asked, solved = found["question_images"][0], found["solution_images"][0]
    assert (found["question"], found["solution"]) == (f"![]({asked})", f"![]({solved})")
    assert (tmp_path / "out" / asked).read_bytes() == Path(ask).read_bytes()
    assert (tmp_path / "out" / solved).read_bytes() == Path(solve).read_bytes()


def test_pictures_no_row_uses_any_more_go_and_a_users_own_stay(tmp_path: Path) -> None:
    one, two = picture(tmp_path / "made" / "1.png"), picture(tmp_path / "made" / "2.png")
    out = tmp_path / "out"
    write_outputs(table(with_figure("1", one), with_figure("2", two)), rejects(), out)
    picture(out / "vqa_images" / "mine.png")
    write_outputs(table(with_figure("2", two)), rejects(), out)
    assert sorted(p.name for p in (out / "vqa_images").iterdir()) == ["2.png", "mine.png"]
    assert Path(one).is_file()


def test_a_picture_whose_content_changed_is_replaced(tmp_path: Path) -> None:
    fig = Path(picture(tmp_path / "made" / "1.png", "red"))
    out = tmp_path / "out"
    write_outputs(table(with_figure("1", str(fig))), rejects(), out)
    fig.unlink()
    picture(fig, "blue")
    write_outputs(table(with_figure("1", str(fig))), rejects(), out)
    assert (out / "vqa_images/1.png").read_bytes() == fig.read_bytes()


def test_a_manifest_with_paths_in_it_removes_nothing_outside(tmp_path: Path) -> None:
    out, victim = tmp_path / "out", tmp_path / "victim.png"
    picture(victim)
    (out / ".run/dataset").mkdir(parents=True)
    names = ["../../victim.png", str(victim), "..", 7]
    (out / ".run/dataset/files.json").write_text(json.dumps({"files": names}))
    write_outputs(table(row("1")), rejects(), out)
    assert victim.is_file()


def test_names_that_are_paths_and_files_that_are_not_there_write_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lost = with_figure("1", str(tmp_path / "nowhere.png"))
    climber = row("2", question_images=["vqa_images/../../up.png"], evidence=[figure(picture(tmp_path / "up.png"))])
    before = files_in(tmp_path)
    out = tmp_path / "out"
    paths = write_outputs(table(lost, climber), rejects(), out)
    assert sorted(p.name for p in out.iterdir()) == [".run", "rejects.jsonl", "vqa.jsonl", "vqa.md", "vqa.parquet"]
    assert {k: v for k, v in files_in(tmp_path).items() if not k.startswith("out")} == before
    assert pq.read_table(paths["parquet"])["images"].to_pylist() == [[], []]
    assert [r.getMessage() for r in caplog.records] == [
        "2 pictures that texts link to are not there, the first is 'vqa_images/nowhere.png'."
    ]


def test_a_picture_folder_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "else").mkdir()
    (tmp_path / "out/vqa_images").symlink_to(tmp_path / "else")
    with pytest.raises(InputError, match="is a link to another place"):
        write_outputs(table(row("1")), rejects(), tmp_path / "out")


def test_pictures_are_copied_where_links_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    fig = Path(picture(tmp_path / "made" / "1.png"))
    write_outputs(table(with_figure("1", str(fig))), rejects(), tmp_path / "out")
    target = tmp_path / "out/vqa_images/1.png"
    assert (target.read_bytes(), target.samefile(fig)) == (fig.read_bytes(), False)


def test_markdown_reads_as_chapters_with_unanswered_marked_and_tags_inert(tmp_path: Path) -> None:
    rows = table(
        row("1", "# What?\nA. 1", answer="A"),
        row("2", "<script>x</script> $a<b$", question_chapter_title="2 <i>Lines</i>", solution="So\nit is."),
        row("3", "Open", question_chapter_title="2 <i>Lines</i>", evidence=[]),
    )
    text = write_outputs(rows, rejects(), tmp_path)["markdown"].read_text(encoding="utf-8")
    assert text == (
        "# Questions and answers\n\n3 questions, 2 answered.\n\n## book\n\n### 1 Circles\n"
        "\n**1** <sub>question p. 1</sub>\n\n\\# What?  \nA. 1\n\n**Answer:** A\n"
        "\n### 2 &lt;i>Lines&lt;/i>\n"
        "\n**2** <sub>question p. 1</sub>\n\n&lt;script>x&lt;/script> $a\\lt b$\n\n**Solution:** So  \nit is.\n"
        "\n**3** *(unanswered)*\n\nOpen\n"
    )


def test_rejects_are_written_even_when_there_are_none(tmp_path: Path) -> None:
    assert write_outputs(table(row("1")), rejects(), tmp_path)["rejects"].read_bytes() == b""
    (found,) = lines(write_outputs(table(), rejects("没有题目", inputs='{"label": "3"}'), tmp_path)["rejects"])
    assert found == {
        "row_id": "x0",
        "operator": "QA_Merger",
        "step": 5,
        "kind": "dropped",
        "error": "AnswerWithoutQuestion",
        "message": "没有题目",
        "attempts": 1,
        "inputs": '{"label": "3"}',
    }


def test_a_run_without_rows_still_writes_every_file(tmp_path: Path) -> None:
    paths = write_outputs(table(), rejects(), tmp_path)
    assert pq.read_table(paths["parquet"]).column_names == [*table().column_names, "images"]
    assert paths["jsonl"].read_bytes() == b""
    assert not paths["pictures"].exists()


def test_pages_count_from_one_once_each_by_side() -> None:
    places = [figure("x"), figure("x"), figure("x", "solution"), figure("x", "answer")]
    places[3].page = 11
    assert pages_of(table(row("1", evidence=places), row("2", evidence=[]))) == [
        {"question": [2], "solution": [2, 12]},
        {"question": [], "solution": []},
    ]


def test_twenty_thousand_rows_take_seconds(tmp_path: Path) -> None:
    fig = picture(tmp_path / "made" / "1.png")
    rows = pa.concat_tables(
        [table(with_figure("1", fig, answer="B" * 40), row("2", "why " * 40))] * 10_000
    ).combine_chunks()
    start = time.perf_counter()
    write_outputs(rows, rejects(), tmp_path / "out")
    assert time.perf_counter() - start < 20  # about 3 s on a quiet core


def test_pictures_are_written_without_metadata_and_hostile_ones_not_at_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    files = {"gps.jpg": full()["gps.jpg"], "page.html": saved("PNG")}
    files |= {name: hostile()[name][0] for name in ("bomb.png", "picture.svg", "empty.png")}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    rows = table(*(with_figure(str(n), str(tmp_path / name)) for n, name in enumerate(files)))
    paths = write_outputs(rows, rejects(), tmp_path / "out")
    wanted = {"gps.jpg": without_metadata(files["gps.jpg"]), "page.html.png": files["page.html"]}
    assert {path.name: path.read_bytes() for path in paths["pictures"].iterdir()} == wanted
    stored = [p for row in pq.read_table(paths["parquet"])["images"].to_pylist() for p in row]
    assert {Path(p["path"]).name: p["bytes"] for p in stored} == wanted
    assert lines(paths["jsonl"])[1]["question_images"] == ["vqa_images/page.html.png"]
    assert SECRET not in b"".join(files_in(tmp_path / "out").values())
    assert [r.getMessage() for r in caplog.records] == [
        *(f"The picture {tmp_path / n} {hostile()[n][1]}; it is left out." for n in list(files)[2:]),
        "3 pictures that texts link to are not there, the first is 'vqa_images/bomb.png'.",
    ]


def test_rejects_name_pictures_without_the_folders_of_this_disk(tmp_path: Path) -> None:
    inputs = {"blocks": [{"image": "/home/me/out/.run/pictures/p1.png"}, {"image": None}], "reply": 'an "image": "a/b"'}
    (found,) = lines(write_outputs(table(), rejects("no", inputs=json.dumps(inputs)), tmp_path)["rejects"])
    told = {"blocks": [{"image": "p1.png"}, {"image": None}], "reply": 'an "image": "a/b"'}
    assert json.loads(str(found["inputs"])) == told
