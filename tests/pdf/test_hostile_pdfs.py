"""Hostile PDFs through DocumentReader: each is a reject with its reason, in bounded memory, and no other file is lost."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from dataflow_ext import run
from operators import DocumentReader
from operators.pdf.mineru.results import kept
from operators.pdf.output.crops import page_crops
from tests.pdf import hostile
from tests.pdf.final_rows import at, row, table

MOST = 150
TOO_LARGE = ("MemoryExceeded", f"needed more than the {MOST} MB of memory that it may have")
MANY_PAGES = ("PDFError", "the PDF says that it has 1,000,000 pages; split it below 20,000.")

HOSTILE: list[tuple[Callable[[Path], Path], tuple[str, str]]] = [
    (hostile.flate_bomb, TOO_LARGE),
    (hostile.flate_bomb_twice, TOO_LARGE),
    (hostile.nested_forms, TOO_LARGE),
    (hostile.form_of_itself, TOO_LARGE),
    (hostile.forms_of_each_other, TOO_LARGE),
    (hostile.tree_of_itself, MANY_PAGES),
    (hostile.many_pages, MANY_PAGES),
    (
        hostile.truncated,
        (
            "PDFError",
            "the PDF is damaged, cut off or without pages; repair it (qpdf in.pdf out.pdf) or get it again.",
        ),
    ),
]


def reader(folder: Path, **options: Any) -> DocumentReader:
    return DocumentReader(image_dir=folder / "pictures", **{"memory_mb": MOST, "ocr": "never", **options})


def documents(*paths: Path) -> list[dict[str, Any]]:
    return [{"row_id": path.stem, "input_pdf_paths": [str(path)]} for path in paths]


def rejected(done: Any) -> dict[str, tuple[str, str]]:
    return {r["row_id"]: (r["error"], r["message"].partition(".pdf: ")[2]) for r in done.rejects.to_pylist()}


def children() -> list[int]:
    """The workers; one that has not begun its program yet still shows this one's memory."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # a thread or a process that has just ended
            pids = (task / "children").read_text().split()
            found += [int(pid) for pid in pids if b"parallel.child" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return found


def held(pid: int) -> int:
    """Bytes of memory of a process; 0 if it has just ended."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def resident() -> int:
    """Bytes of this process and its children."""
    return sum(map(held, (os.getpid(), *children())))


@contextmanager
def beside(look: Callable[[], object], every: float = 0.02) -> Iterator[list[Any]]:
    """What ``look`` gives, again and again while the block runs."""
    seen: list[Any] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(every):
            seen.append(look())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("workers", [1, 2])
def test_of_a_folder_with_hostile_files_all_others_give_rows_in_bounded_memory(tmp_path: Path, workers: int) -> None:
    paths, bad = [], {}
    for number in range(32):
        if number % 4 == 1:
            make, why = HOSTILE[number // 4]
            paths.append(make(tmp_path / f"{number:02}.pdf"))
            bad[f"{number:02}"] = why
        else:
            paths.append(hostile.good(tmp_path / f"{number:02}.pdf"))
    before = resident()
    with beside(resident) as seen:
        done = run([reader(tmp_path)], documents(*paths), cache_dir=tmp_path / "memory", workers=workers)
    assert done.table["row_id"].to_pylist() == [path.stem for path in paths if path.stem not in bad]
    assert rejected(done) == bad
    # Beside what pieces may take, each process has its code, and is looked at 50 times a second.
    assert max(seen) - before < (MOST + 100 * (workers - 1) + 250 * workers) * 1_000_000
    again = run([reader(tmp_path)], documents(*paths), cache_dir=tmp_path / "memory", workers=workers)
    assert again.report.steps[0].remembered
    assert again.table.equals(done.table)


def test_a_file_that_takes_too_long_is_a_reject_that_another_run_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("operators.pdf.parser.pages.FILE_SECONDS", 2.0)
    paths = [hostile.good(tmp_path / "a.pdf"), hostile.nested_forms(tmp_path / "b.pdf")]
    steps = [reader(tmp_path, memory_mb=20_000, page_seconds=1)]
    for _ in range(2):
        done = run(steps, documents(*paths), cache_dir=tmp_path / "memory")
        assert done.table["row_id"].to_pylist() == ["a"]
        assert rejected(done) == {"b": ("RowTimeout", "took longer than the 3 s that it may take")}
        assert not done.report.steps[0].remembered


def test_a_file_whose_process_crashes_is_tried_again_and_then_a_reject(tmp_path: Path) -> None:
    paths = [
        hostile.good(tmp_path / "a.pdf"),
        hostile.nested_forms(tmp_path / "b.pdf"),
        hostile.good(tmp_path / "c.pdf"),
    ]

    def crash() -> None:
        for pid in children():
            if held(pid) > 300_000_000:  # which the good ones never need
                os.kill(pid, signal.SIGSEGV)

    with beside(crash):
        done = run([reader(tmp_path, memory_mb=20_000)], documents(*paths))
    assert done.table["row_id"].to_pylist() == ["a", "c"]
    assert rejected(done) == {"b": ("WorkerDied", "its process was killed by SIGSEGV, also when it was tried alone")}


def test_a_scanned_page_that_takes_too_much_when_it_is_drawn_is_told(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    from tests.scan.test_scanned_books import Steady, scanned_book

    path = scanned_book(tmp_path / "book.pdf", 3)
    bomb = hostile.picture_bomb(tmp_path / "bomb.pdf", 10_900, points=1_400)
    both = run([reader(tmp_path, ocr="auto", engine=Steady(), memory_mb=60)], documents(path, bomb))
    assert both.table["row_id"].to_pylist() == ["book"]
    assert rejected(both) == {
        "bomb": ("ScannedPages", "page 1 was not read: needed more than the 60 MB of memory that it may have.")
    }


def test_crops_of_a_file_that_has_turned_hostile_are_a_problem_and_the_others_are_made(tmp_path: Path) -> None:
    files = [hostile.nested_forms(tmp_path / "bad.pdf"), hostile.good(tmp_path / "good.pdf")]
    rows = table(row("1", evidence=[at(0, 1, 1, 9, 9)]), row("2", evidence=[at(0, 1, 1, 9, 9, file=1)]))
    crops = page_crops(rows, {"d1": files}, tmp_path / "out")
    assert (list(crops.by_row), crops.problems) == (
        ["r2"],
        ["bad.pdf: needed more than the 750 MB of memory that it may have"],
    )


def test_pages_of_a_hostile_file_are_not_taken_out_for_a_parser_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    monkeypatch.setattr("operators.pdf.mineru.results.open_pdf", lambda path: opened.append(path))
    good = hostile.good(tmp_path / "good.pdf")

    def make(work: Any) -> None:
        assert work.pdf.read_bytes().startswith(b"%PDF")
        work.result.joinpath("good_content_list.json").write_text('[{"type": "text", "text": "1", "page_idx": 0}]')

    assert kept(good, tmp_path / "into", pages=[0], identity="x", timeout=9, make=make).is_file()
    assert opened == []
