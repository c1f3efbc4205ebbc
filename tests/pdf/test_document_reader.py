"""DocumentReader: files become items, and every file that cannot be read is a reject with its reason."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from dataflow_ext import OptionError, run
from dataflow_ext.operator import Applied
from dataflow_ext.pictures import without_metadata
from operators import DocumentReader
from operators.pdf.document_reader import page_range
from tests.core.pictures.hostile import SECRET, full, hostile, saved
from tests.pdf.sheets import Sheet
from tests.scan.test_scanned_books import Steady

HASH = "0123456789abcdef" * 4


def documents(*paths: Path | list[Path]) -> pa.Table:
    lists = [[str(p) for p in (one if isinstance(one, list) else [one])] for one in paths]
    return pa.table(
        {
            "row_id": [f"d{n}" for n in range(len(lists))],
            "name": [f"book{n}" for n in range(len(lists))],
            "input_pdf_paths": pa.array(lists, pa.list_(pa.string())),
        }
    )


def read(folder: Path, *paths: Path | list[Path], **options: object) -> Applied:
    return DocumentReader(image_dir=folder / "pictures", **options).apply(documents(*paths))


def texts(done: Applied) -> list[list[str]]:
    return [[i["text"] for i in row["content"] if i["text"]] for row in done.table.to_pylist()]


def images(done: Applied) -> list[str]:
    return [Path(i["image"]).name for row in done.table.to_pylist() for i in row["content"] if i["image"]]


def rejects(done: Applied) -> list[tuple[str, str, str, str]]:
    return [(r["row_id"], r["kind"], r["error"], r["message"]) for r in done.rejects.to_pylist()]


def drawn(path: Path, *pages: str) -> Path:
    """A PDF of some lines a page: ``words``, or a page that is one picture for ``scan``."""
    sheet = Sheet(path)
    for number, words in enumerate(pages):
        if number:
            sheet.next_page()
        if words == "scan":
            sheet.picture(0, 0, 595, 842, seed=number)
        else:
            sheet.lines(72, 100, [f"{n}. {words} of the numbers {n} and {n + 1} is wanted here." for n in range(1, 9)])
    return sheet.save()


def listed(folder: Path, *entries: dict[str, object], name: str = "book_content_list.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(list(entries)), encoding="utf-8")
    return folder / name


def painted(path: Path, shade: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (8, 8), shade).save(path)
    return path


def test_a_pdf_is_read_into_items_of_its_file_and_page(tmp_path: Path) -> None:
    one, two = drawn(tmp_path / "q.pdf", "The sum", "The product"), drawn(tmp_path / "a.pdf", "The answer")
    done = read(tmp_path, [one, two])
    (row,) = done.table.to_pylist()
    assert sorted({(i["file"], i["page"]) for i in row["content"]}) == [(0, 0), (0, 1), (1, 0)]
    first = next(i for i in row["content"] if i["file"] == 1)
    assert first["text"].startswith("1. The answer of the numbers 1 and 2")
    assert rejects(done) == []


def test_a_content_list_and_the_folder_that_holds_it_give_the_same(tmp_path: Path) -> None:
    path = listed(tmp_path / "out" / "book" / "auto", {"type": "text", "text": "1. 求值", "page_idx": 2})
    by_file, by_folder = read(tmp_path, path), read(tmp_path, tmp_path / "out")
    assert texts(by_file) == [["1. 求值"]]
    assert by_folder.table["content"].equals(by_file.table["content"])


def test_questions_from_a_pdf_and_answers_from_a_list_are_one_document(tmp_path: Path) -> None:
    listed(tmp_path, {"type": "text", "text": "1. A"}, {"type": "text", "text": "2. B"})
    done = read(tmp_path, [drawn(tmp_path / "q.pdf", "The sum"), tmp_path / "book_content_list.json"])
    content = done.table.to_pylist()[0]["content"]
    assert [(i["text"], i["file"], i["ref"]) for i in content[-2:]] == [("1. A", 1, "0"), ("2. B", 1, "1")]


def test_every_document_that_cannot_be_read_is_a_reject_with_file_and_reason_and_the_others_live(
    tmp_path: Path,
) -> None:
    good = drawn(tmp_path / "good.pdf", "The sum")
    damaged, words, empty = tmp_path / "damaged.pdf", tmp_path / "words.pdf", tmp_path / "empty.pdf"
    damaged.write_bytes(good.read_bytes()[:200])
    words.write_text("This is no PDF.")
    empty.touch()
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "bad.json").write_text("[{")
    (tmp_path / "bare").mkdir()
    listed(tmp_path / "two", {"type": "text", "text": "a"}, name="a_content_list.json")
    listed(tmp_path / "two", {"type": "text", "text": "b"}, name="b_content_list.json")
    missing = tmp_path / "missing.pdf"
    wanted: list[Path | list[Path]] = [
        damaged, words, empty, missing, good, tmp_path / "notes.txt", tmp_path / "bad.json", tmp_path / "bare",
        tmp_path / "two", [good, missing], listed(tmp_path / "none"), [],
    ]  # fmt: skip
    done = read(tmp_path, *wanted)
    assert done.table["row_id"].to_pylist() == ["d4"]
    found = {row: message for row, kind, _, message in rejects(done) if kind == "failed"}
    assert sorted(found) == ["d0", "d1", "d10", "d11", "d2", "d3", "d5", "d6", "d7", "d8", "d9"]
    assert found["d0"].startswith(f"{damaged}: the PDF is damaged")
    assert found["d1"] == f"{words}: the file is not a PDF; convert it to PDF first."
    assert found["d2"] == f"{empty}: the file is empty; copy or download it again."
    assert found["d3"] == found["d9"] == f"{missing}: there is no such file."
    assert found["d5"] == f"{tmp_path / 'notes.txt'}: neither a PDF nor a content list (.json)."
    assert found["d6"].startswith(f"{tmp_path / 'bad.json'} is not complete JSON (line 1, column 3")
    assert found["d7"] == f"{tmp_path / 'bare'}: expected one content list in this folder, found 0."
    assert found["d8"] == f"{tmp_path / 'two'}: expected one content list in this folder, found 2."
    assert found["d10"] == f"{tmp_path / 'none' / 'book_content_list.json'}: no text and no figure found."
    assert found["d11"] == "The document names no file."


def test_scanned_pages_are_a_reject_beside_the_document_if_there_is_to_be_no_ocr(tmp_path: Path) -> None:
    path = drawn(tmp_path / "b.pdf", "The sum", "scan", "The product", "scan")
    done = read(tmp_path, path, ocr="never")
    assert {i["page"] for i in done.table.to_pylist()[0]["content"]} == {0, 2}
    assert rejects(done) == [
        (
            "d0",
            "dropped",
            "ScannedPages",
            f"{path}: pages 2, 4 were not read: the page is scanned, and OCR is switched off; allow it, or give "
            "MinerU's content list of the book.",
        )
    ]
    off = "the page is scanned, and OCR is switched off; allow it, or give MinerU's content list of the book"
    assert done.table.to_pylist()[0]["pages_read"] == [
        {"file": 0, "first": 0, "last": 0, "source": "text_layer", "why": ""},
        {"file": 0, "first": 1, "last": 1, "source": "unread", "why": off},
        {"file": 0, "first": 2, "last": 2, "source": "text_layer", "why": ""},
        {"file": 0, "first": 3, "last": 3, "source": "unread", "why": off},
    ]


def test_a_book_of_scanned_pages_is_a_reject_and_no_empty_document(tmp_path: Path) -> None:
    done = read(tmp_path, drawn(tmp_path / "b.pdf", "scan"), ocr="never")
    assert done.table.num_rows == 0
    ((_, kind, error, message),) = rejects(done)
    assert (kind, error) == ("failed", "ScannedPages")
    assert "b.pdf: page 1 was not read: the page is scanned, and OCR is switched off" in message


def test_a_list_that_mineru_left_beside_a_pdf_is_read_in_its_place_unless_that_is_not_wanted(tmp_path: Path) -> None:
    path = drawn(tmp_path / "b.pdf", "The sum")
    listed(tmp_path / "b" / "auto", {"type": "text", "text": "1. a", "page_idx": 2}, name="b_content_list.json")
    done = read(tmp_path, path)
    found = tmp_path / "b" / "auto" / "b_content_list.json"
    assert texts(done) == [["1. a"]]
    assert done.table.to_pylist()[0]["pages_read"] == [
        {"file": 0, "first": 2, "last": 2, "source": "content_list", "why": f"found beside b.pdf: {found}"}
    ]
    assert len(texts(read(tmp_path, path, beside=False))[0]) == 8


def test_what_was_odd_in_a_list_is_a_reject_beside_the_document(tmp_path: Path) -> None:
    path = listed(tmp_path, {"type": "text", "text": "1. a"}, {"type": "riddle", "text": "2. b"})
    done = read(tmp_path, path)
    assert texts(done) == [["1. a", "2. b"]]
    ((row, kind, _, message),) = rejects(done)
    assert (row, kind) == ("d0", "dropped")
    assert message.startswith(f"{path}: ") and "riddle" in message


@pytest.mark.parametrize(
    ("text", "pages"),
    [("1", [0]), ("2-4, 7", [1, 2, 3, 6]), ("3,3,1", [0, 2]), (" 5 - 6 ", [4, 5]), ("2-2", [1])],
)
def test_page_ranges_are_read_as_people_write_them(text: str, pages: list[int]) -> None:
    assert page_range(text) == pages


@pytest.mark.parametrize("text", ["", "0", "0-3", "5-3", "a", "1-", "-3", "1;2", "1,,2", "1-2-3", "1.5", "9999999"])
def test_a_range_that_is_none_is_refused_when_the_operator_is_made(text: str) -> None:
    with pytest.raises(OptionError) as error:
        DocumentReader(pages=text)
    reason = f"'{text}' is not a range of pages; write 12-40 or 3,5,8-10"
    assert str(error.value) == f"DocumentReader: option 'pages': {reason} (got '{text}')."


def test_only_the_pages_of_the_range_are_read(tmp_path: Path) -> None:
    path = drawn(tmp_path / "b.pdf", "The sum", "The product", "The difference")
    done = read(tmp_path, path, pages="2-3")
    assert {i["page"] for i in done.table.to_pylist()[0]["content"]} == {1, 2}


def test_a_page_that_is_not_there_is_told_with_the_pages_there_are(tmp_path: Path) -> None:
    path = drawn(tmp_path / "b.pdf", "The sum", "The product")
    ((_, _, _, message),) = rejects(read(tmp_path, path, pages="2-5"))
    assert message == f"{path}: there is no page 3; give pages from 1 to 2."


def figures(folder: Path, *names: str) -> Path:
    entries = [{"type": "image", "img_path": f"images/{name}"} for name in names]
    return listed(folder, {"type": "text", "text": "1. a"}, *entries)


def test_pictures_of_two_books_with_one_name_are_two_files(tmp_path: Path) -> None:
    for shade, book in enumerate(("a", "b")):
        for name in ("1.png", "0000000000000001.png"):
            painted(tmp_path / book / "images" / name, shade * 200)
    paths = [figures(tmp_path / book, "1.png", "0000000000000001.png") for book in ("a", "b")]
    done = read(tmp_path, *paths)
    names = images(done)
    assert len(set(names)) == 4
    sources = [tmp_path / b / "images" / n for b in ("a", "b") for n in ("1.png", "0000000000000001.png")]
    for name, source in zip(names, sources, strict=True):
        assert (tmp_path / "pictures" / name).read_bytes() == source.read_bytes()
    assert sorted(p.name for p in (tmp_path / "pictures").iterdir()) == sorted(names)


def test_picture_names_do_not_depend_on_the_run_or_on_what_is_there(tmp_path: Path) -> None:
    painted(tmp_path / "b" / "images" / "1.png", 7)
    path = figures(tmp_path / "b", "1.png")
    names = images(read(tmp_path, path))
    painted(tmp_path / "b" / "images" / "1.png", 8)
    changed = images(read(tmp_path, path))
    painted(tmp_path / "b" / "images" / "1.png", 7)
    assert images(read(tmp_path, path)) == names != changed


def test_a_name_that_is_a_hash_stays_and_others_are_made_fit_for_links_and_disks(tmp_path: Path) -> None:
    sources = [f"{HASH}.jpg", "fig (1) [a].PNG", "图" * 80 + ".png"]
    for shade, name in enumerate(sources):
        painted(tmp_path / "b" / "images" / name, shade)
    kept, spaced, long = images(read(tmp_path, figures(tmp_path / "b", *sources)))
    assert kept == f"{HASH}.jpg"
    assert spaced.startswith("fig_1_a_-") and spaced.endswith(".png")
    assert long.startswith("图" * 60 + "-") and len(long.encode()) < 255


def test_pictures_outside_the_folder_of_the_list_are_not_read(tmp_path: Path) -> None:
    painted(tmp_path / "secret.png", 9)
    (tmp_path / "b" / "images").mkdir(parents=True)
    (tmp_path / "b" / "images" / "link.png").symlink_to(tmp_path / "secret.png")
    outside = ["../../secret.png", str(tmp_path / "secret.png"), "link.png"]
    path = listed(tmp_path / "b", {"type": "text", "text": "1. a"}, *(
        {"type": "image", "img_path": p if p[0] in "./" else f"images/{p}", "image_caption": ["图"]} for p in outside
    ))  # fmt: skip
    done = read(tmp_path, path)
    assert images(done) == []
    assert not (tmp_path / "pictures").exists()


def test_hostile_pictures_are_left_out_with_their_reasons_and_good_ones_come_without_metadata(tmp_path: Path) -> None:
    folder = tmp_path / "b" / "images"
    folder.mkdir(parents=True)
    (folder / "gps.jpg").write_bytes(full()["gps.jpg"])
    (folder / "good.html").write_bytes(saved("PNG"))
    bad = {name: hostile()[name] for name in ("empty.png", "picture.svg", "bomb.png", "cut.jpg")}
    for name, (data, _) in bad.items():
        (folder / name).write_bytes(data)
    path = figures(tmp_path / "b", "gps.jpg", "good.html", *bad, "empty.png")
    done = read(tmp_path, path)
    photo, drawing = images(done)
    assert (tmp_path / "pictures" / photo).read_bytes() == without_metadata(full()["gps.jpg"])
    assert SECRET not in (tmp_path / "pictures" / photo).read_bytes()
    assert drawing.startswith("good-") and drawing.endswith(".png")
    assert sorted(p.name for p in (tmp_path / "pictures").iterdir()) == sorted([photo, drawing])
    reasons = "; ".join(f"{name} {said}" for name, (_, said) in bad.items())
    assert rejects(done) == [("d0", "dropped", "UnfitPicture", f"{path}: 4 pictures were left out: {reasons}.")]


def test_a_picture_that_is_missing_leaves_its_caption(tmp_path: Path) -> None:
    path = listed(tmp_path, {"type": "image", "img_path": "images/none.png", "image_caption": ["图 1"]})
    (row,) = read(tmp_path, path).table.to_pylist()
    assert [(i["image"], i["captions"]) for i in row["content"]] == [(None, ["图 1"])]


def test_figures_of_a_pdf_are_saved_once_under_the_names_that_the_items_give(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "b.pdf")
    sheet.lines(72, 100, ["1. The figure shows the triangle ABC.", "How long is the side between A and B?"])
    sheet.triangle(100, 160, 120, 80)
    sheet.text(120, 270, "Figure 1")
    path = sheet.save()
    names = images(read(tmp_path, path))
    assert names and sorted(p.name for p in (tmp_path / "pictures").iterdir()) == sorted(set(names))
    assert images(read(tmp_path, path)) == names


def test_two_workers_give_what_one_gives(tmp_path: Path) -> None:
    painted(tmp_path / "b" / "images" / "1.png", 7)
    paths = [drawn(tmp_path / "q.pdf", "The sum", "scan"), figures(tmp_path / "b", "1.png"), tmp_path / "missing.pdf"]
    reader = DocumentReader(image_dir=tmp_path / "pictures", ocr="never")
    one, two = run([reader], documents(*paths)), run([reader], documents(*paths), workers=2)
    assert two.table.equals(one.table)
    assert two.rejects.equals(one.rejects)


@pytest.mark.parametrize("kind", ["words", "scan"])
def test_a_document_whose_pictures_cannot_be_written_is_a_reject_and_the_others_live(tmp_path: Path, kind: str) -> None:
    (tmp_path / "pictures").write_text("A file where the folder should be.")
    sheet = Sheet(tmp_path / "drawn.pdf")
    sheet.lines(72, 100, ["1. What is the area of this circle of five centimetres?"] * 3)
    sheet.circle(300, 400, 80)
    listed(tmp_path / "list", {"type": "text", "text": "1. a"}, name="a_content_list.json")
    options = {"ocr": "always", "engine": Steady()} if kind == "scan" else {}
    done = read(tmp_path, sheet.save(), tmp_path / "list", **options)
    assert done.table["row_id"].to_pylist() == ["d1"]
    assert [(row, failed) for row, failed, _, _ in rejects(done)] == [("d0", "failed")]
