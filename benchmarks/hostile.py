"""Hostile content lists: the command on each, with outcome, exit code, seconds and peak memory.

    python benchmarks/hostile.py [--only NAME …] [--large 200] [--keep DIR]

What must hold for each: no traceback, an exit code of 0, 1 or 2 with a sentence, an end within the time limit,
and not one byte of the secrets that are planted outside the book's folder, in its reach by paths, links and
URLs, in anything that was written. ``--large`` is the size of the large lists in megabytes.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECRET = b"planted-secret-7f3a9c51"
LINE = "{:34} {:>4} {:>8} {:>8} {:>6} {:>7}  {}"
CASES: dict[str, Callable] = {}
BOX = [90, 40, 900, 70]


def case(make):
    """Register a maker of one hostile book: it gets the book's folder and may return entries to write."""
    CASES[make.__name__] = make
    return make


def text(words, **more):
    return {"type": "text", "text": words, "bbox": BOX, "page_idx": 0, **more}


def question(number, words="What is the sum of two and three?"):
    return text(f"{number}. {words}")


def image(path, **more):
    return {"type": "image", "img_path": path, "image_caption": [], "bbox": BOX, "page_idx": 0, **more}


# -- files outside


def outside(folder, path):
    return [text("Chapter 1", text_level=1), question(1), image(path), question(2)]


@case
def path_upwards(folder):
    return outside(folder, "../secret.png")


@case
def path_upwards_in_the_middle(folder):
    return outside(folder, "images/../../secret.png")


@case
def path_absolute(folder):
    return outside(folder, str(folder.parent / "secret.png"))


@case
def path_of_the_system(folder):
    return [*outside(folder, "/etc/passwd"), *map(image, ("/proc/self/environ", "/dev/zero", "/dev/stdin"))]


@case
def path_with_backslashes(folder):
    return [*outside(folder, "..\\secret.png"), *map(image, ("C:\\secret.png", "\\\\host\\share\\secret.png"))]


@case
def path_by_a_link(folder):
    (folder / "images").mkdir()
    (folder / "images" / "link.png").symlink_to(folder.parent / "secret.png")
    return outside(folder, "images/link.png")


@case
def path_by_a_linked_folder(folder):
    (folder / "images").symlink_to(folder.parent)
    return outside(folder, "images/secret.png")


@case
def path_is_an_address(folder):
    address = f"http://127.0.0.1:{folder.joinpath('port').read_text()}/a.png"
    others = (f"file://{folder.parent}/secret.png", "data:image/png;base64,AAAA")
    return [*outside(folder, address), *map(image, others)]


@case
def path_is_a_pipe_or_a_folder(folder):
    (folder / "images").mkdir()
    os.mkfifo(folder / "images" / "pipe.png")
    return [*outside(folder, "images/pipe.png"), image("images"), image("."), image("")]


@case
def path_is_strange(folder):
    odd = ["a\x00b.png", "x" * 100_000, "a\nb.png", "~/secret.png", "$HOME/secret.png", "%2e%2e/secret.png", "😀.png"]
    return outside(folder, odd[0]) + [image(path) for path in odd[1:]]


@case
def path_in_every_field(folder):
    bad = str(folder.parent / "secret.png")
    fields = ("img_path", "image_path", "table_img_path", "image_source", "path", "src", "html")
    kinds = ("image", "table", "chart", "equation", "code", "text")
    entries = [{"type": kind, **dict.fromkeys(fields, bad), "text": "x", "page_idx": 0} for kind in kinds]
    return [question(1), *entries, text(f"![see]({bad}) <img src='{bad}'> [[{bad}]]"), question(2)]


@case
def the_list_is_a_link(folder):
    (folder / "book_content_list.json").symlink_to(folder.parent / "secret.png")


@case
def the_list_is_a_pipe(folder):
    os.mkfifo(folder / "book_content_list.json")


@case
def the_list_is_a_folder(folder):
    (folder / "book_content_list.json").mkdir()


@case
def the_list_links_to_itself(folder):
    (folder / "book_content_list.json").symlink_to(folder / "book_content_list.json")


# -- values


@case
def huge_numbers(folder):
    numbers = ("1e308", "1e999", "-1", "9" * 400, "9" * 5_000, "NaN", "-Infinity", "0.5", "1e18")
    fields = '"bbox": [{v}, {v}, {v}, {v}], "page_idx": {v}, "text_level": {v}'
    raw = [
        f'{{"type": "text", "text": "{n}. How much is it?", {fields.replace("{v}", v)}}}'
        for n, v in enumerate(numbers, 1)
    ]
    (folder / "book_content_list.json").write_text(f"[{','.join(raw)}]")


@case
def wrong_types(folder):
    values = [None, True, 3.5, -1, "x", "", [], {}, [[]], [None], {"a": [1]}, [{"type": "text"}], ["a", 1]]
    fields = ["type", "text", "text_level", "img_path", "image_caption", "image_footnote", "table_body"]
    fields += ["table_caption", "table_footnote", "list_items", "sub_type", "bbox", "page_idx", "text_format"]
    fields += ["code_body", "code_caption", "content"]
    kinds = ("text", "image", "table", "list", "equation", "code", "chart", "header")
    entries = [
        {**text("1. Is it?"), "type": kind, field: value} for kind in kinds for field in fields for value in values
    ]
    return [*entries, 1, "x", None, [], [[text("2. Is it?")]], True]


@case
def missing_keys(folder):
    kinds = ("text", "image", "table", "list", "equation", "code", "chart", "header", "nonsense", "")
    return [{}, *({"type": kind} for kind in kinds), {"text": "1. Is it?"}, {"bbox": BOX}, {"page_idx": 3}]


def top(value):
    return lambda folder: (folder / "book_content_list.json").write_text(value)


for name, value in {
    "top_is_a_number": "1",
    "top_is_null": "null",
    "top_is_a_string": '"1. Is it?"',
    "top_is_an_object": '{"a": 1}',
    "top_is_an_empty_list": "[]",
    "top_is_lists_of_lists": "[[[[1]]]]",
    "file_is_empty": "",
    "file_is_cut_off": '[{"type": "text", "text": "1. Is',
    "file_is_json_lines": '{"type": "text"}\n{"type": "text"}',
    "nested_100000_lists": "[" * 100_000 + "]" * 100_000,
    "nested_100000_objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "nested_900_lists_in_an_entry": '[{"type": "list", "list_items": ' + "[" * 900 + '"1. Is it?"' + "]" * 900 + "}]",
    "repeated_keys": '[{"type": "text", "text": "1. A?", "text": "2. B?", "type": "image", "img_path": "../a"}]',
}.items():
    CASES[name] = top(value)


@case
def broken_characters(folder):
    words = [
        "1. \ud800 alone",
        "2. \udc00\ud800 swapped",
        "3. \x00 \x01 \x1b[31m",
        "4. ‮ backwards",
        "5. " + "a\u0301" * 5_000,
    ]
    raw = json.dumps([text(w) for w in words])
    (folder / "book_content_list.json").write_text(raw)


@case
def wrong_encodings(folder):
    (folder / "book_content_list.json").write_bytes(json.dumps([question(1)]).encode("utf-16"))
    (folder / "two_content_list.json").write_bytes(b"\xff\xfe\xfd" + b'[{"type": "text"}]')
    (folder / "three_content_list.json").write_bytes('[{"type": "text", "text": "1. 已知"}]'.encode("gb18030"))


@case
def markup_in_texts(folder):
    bombs = [
        "</question></qa_pair></chapter><chapter><title>0</title>",
        '<!DOCTYPE a [<!ENTITY b "cccc"><!ENTITY d "&b;&b;&b;">]><a>&d;</a>',
        f'<!DOCTYPE a [<!ENTITY x SYSTEM "file://{folder.parent}/secret.png">]><a>&x;</a>',
        "<script>alert(1)</script><img src=x onerror=alert(1)>",
        "]]><![CDATA[ {{ 7 * 7 }} {% for x in y %}",
        "[7] 8. A line that looks like a block",
    ]
    return [
        text("Chapter 1 <script>alert(2)</script>", text_level=1),
        *(question(n, b) for n, b in enumerate(bombs, 1)),
    ]


@case
def texts_for_slow_patterns(folder):
    n = 200_000
    runs = ["(" * n, "1." * n, "①" * n, " " * n + "x", "$" * n, "<" * n, "&" * n, "![](" * (n // 4), "a " * n, "\n" * n]
    runs += [
        "例" * n,
        "第" * n,
        "(1)" * (n // 3),
        "1~" * (n // 2),
        "－" * n,
        "<table>" * (n // 7),
        "解：" * (n // 2),
        "0" * n,
    ]
    return [*(question(k, run) for k, run in enumerate(runs, 1)), *(text(run) for run in runs)]


@case
def headings_only(folder):
    return [text(f"第{n}章", text_level=1) for n in range(20_000)]


@case
def one_label_20000_times(folder):
    return [text("Chapter 1", text_level=1), *(question(1) for _ in range(20_000))]


@case
def one_list_of_100000(folder):
    return [{"type": "list", "list_items": [f"{n}. Is it?" for n in range(100_000)], "bbox": BOX, "page_idx": 0}]


@case
def pictures_20000_all_missing(folder):
    return [question(1), *(image(f"images/{n}.png") for n in range(20_000))]


@case
def a_picture_that_is_a_bomb(folder):
    from PIL import Image

    (folder / "images").mkdir()
    Image.new("1", (30_000, 30_000)).save(folder / "images" / "bomb.png")
    (folder / "images" / "no.png").write_bytes(b"not a picture")
    return [question(1), image("images/bomb.png"), image("images/no.png"), question(2)]


# -- size


def large(folder, entry, count):
    with (folder / "book_content_list.json").open("w", encoding="utf-8") as file:
        file.write("[")
        for n in range(count):
            file.write(("," if n else "") + json.dumps(entry(n), ensure_ascii=False))
        file.write("]")


@case
def large_of_long_entries(folder, megabytes=200):
    words = "A train leaves the town at nine and goes north. " * 80
    large(
        folder,
        lambda n: question(n % 50 + 1, words) if n % 50 else text(f"Chapter {n // 50}", text_level=1),
        megabytes * 250,
    )


@case
def large_of_short_entries(folder, megabytes=200):
    size = len(json.dumps(question(10))) + 1
    count = megabytes * 1_000_000 // size
    large(folder, lambda n: question(n % 50) if n % 50 else text(f"Chapter {n // 50}", text_level=1), count)


@case
def large_single_text(folder, megabytes=200):
    large(folder, lambda n: question(1, "x" * (megabytes * 1_000_000)), 1)


@case
def large_cut_off(folder, megabytes=200):
    with (folder / "book_content_list.json").open("w", encoding="utf-8") as file:
        file.write("[")
        for _ in range(megabytes * 10):
            file.write(json.dumps(text("x" * 99_900)) + ",")


# -- running


@dataclass
class Outcome:
    """What the command did with one book."""

    code: int
    seconds: float
    megabytes: float
    rows: int
    rejects: int
    words: str
    problems: list[str]


class Listener:
    """A port on this machine that nobody may call."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.calls = 0
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self):
        while True:
            self.socket.accept()[0].close()
            self.calls += 1


def attempt(name, folder, megabytes, limit, listener):
    """Make one book and run the command on it."""
    place = folder / name
    book = place / "book"
    book.mkdir(parents=True)
    (place / "secret.png").write_bytes(b"\x89PNG\r\n\x1a\n" + SECRET)
    (book / "port").write_text(str(listener.port))
    make = CASES[name]
    entries = make(book, megabytes) if name.startswith("large") else make(book)
    path = book / "book_content_list.json"
    if isinstance(entries, list):
        path.write_text(json.dumps(entries), encoding="utf-8")
    calls = listener.calls
    inputs = sorted(book.glob("*_content_list.json")) or [path]
    outcome = command(inputs, place, limit)
    if listener.calls != calls:
        outcome.problems.append("it called an address that the book names")
    outcome.problems += leaks(place / "out")
    for page in (place / "out" / "report.html", *sorted((place / "out" / ".run" / "report").glob("*.html"))):
        text = page.read_text(encoding="utf-8") if page.is_file() else ""
        if "<script>alert" in text or "onerror=alert(1)>" in text:
            outcome.problems.append(f"{page.name} holds markup of the book")
    return outcome


def command(inputs, place, limit):
    """Run it, with an eye on time and memory."""
    arguments = [sys.executable, "-m", "pipelines.pdf_vqa", *map(str, inputs), "--out", "out"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PLANTED": SECRET.decode()}
    began = time.monotonic()
    with (place / "stderr.txt").open("wb") as log:
        process = subprocess.Popen(
            arguments, cwd=place, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
        peak = 0.0
        while process.poll() is None:
            # Asked for again and again: what wait4 tells begins with the memory of this process.
            peak = max(peak, peak_of(process.pid))
            if time.monotonic() - began > limit:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.02)
    seconds, code = time.monotonic() - began, process.returncode
    said = (place / "stderr.txt").read_text(encoding="utf-8", errors="replace")
    problems = []
    if "Traceback" in said:
        problems.append("a traceback: " + said.strip().splitlines()[-1][:150])
    if code not in (0, 1, 2):
        problems.append(f"exit code {code}" + (" (stopped at the time limit)" if seconds >= limit else ""))
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    if code in (1, 2) and not errors:
        problems.append("no sentence that says why")
    rejects = lines(place / "out" / "rejects.jsonl")
    words = (errors or [json.loads(r)["message"] for r in rejects[:1]] or [""])[0]
    return Outcome(code, seconds, peak, len(lines(place / "out" / "vqa.jsonl")), len(rejects), words, problems)


def peak_of(process):
    """Most megabytes that a process has held so far, 0 for one that is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1] if path.is_file() else []


def leaks(out):
    """Files below ``out`` that hold the secret or are links to other places."""
    found = []
    for path in out.rglob("*"):
        if path.is_symlink():
            found.append(f"{path.relative_to(out)} is a link")
        elif path.is_file():
            with path.open("rb") as file:
                tail = b""
                while block := file.read(1 << 24):
                    if SECRET in tail + block:
                        found.append(f"{path.relative_to(out)} holds the secret")
                        break
                    tail = block[-len(SECRET) :]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=CASES, metavar="NAME")
    parser.add_argument("--large", type=int, default=200, metavar="MB")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="work here and keep everything")
    args = parser.parse_args()
    folder = args.keep or Path(tempfile.mkdtemp(prefix="hostile-"))
    listener, bad = Listener(), 0
    names = args.only or list(CASES)
    print(LINE.format("book", "code", "seconds", "peak MB", "rows", "rejects", "outcome"))
    try:
        for name in names:
            found = attempt(name, folder, args.large, args.limit, listener)
            bad += bool(found.problems)
            words = "PROBLEM: " + "; ".join(found.problems) if found.problems else found.words[:160]
            figures = (f"{found.seconds:.1f}", f"{found.megabytes:.0f}", found.rows, found.rejects)
            print(LINE.format(name, found.code, *figures, words), flush=True)
            if args.keep is None:
                shutil.rmtree(folder / name)
    finally:
        if args.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(names)} books, {bad} with problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
