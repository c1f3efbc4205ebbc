"""Folders of hostile inputs for the five commands: lists, plans, rooms, records and rounds, each with one that is good."""

import io
import json
import os
import shutil
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.abuse.inputs.live_script import SCRIPTS
from tests.abuse.settings import LONG, ROOT

DEEP = 100_000 if LONG else 20_000
LARGE = 40 if LONG else 8
"""Megabytes of the large files."""


@dataclass(frozen=True)
class Case:
    """A command on a folder of inputs: ``bad`` are words that name the hostile ones, ``good`` one of the good rows."""

    arguments: list[str]
    bad: list[str]
    good: str


def texts() -> Iterator[tuple[str, bytes]]:
    """Names and bytes of files that are no JSON of any use, whoever reads them."""
    yield "empty", b""
    yield "blank", b" \n\n"
    yield "no_json", b"{half"
    yield "deep_list", b"[" * DEEP
    yield "deep_list_closed", b"[" * DEEP + b"]" * DEEP
    yield "deep_object", b'{"steps":' * DEEP + b"1" + b"}" * DEEP
    yield "long_number", b'{"steps": ' + b"9" * 1_000_000 + b"}"
    yield "not_a_number", b'{"steps": NaN, "objects": Infinity}'
    yield "no_utf8", b'{"high_level_goal": "\xff\xfe\x80"}'
    yield "utf16", '{"high_level_goal": "x"}'.encode("utf-16")
    yield "zeros", bytes(10_000)
    yield "number", b"17"
    yield "text", b'"text"'
    yield "null", b"null"
    yield "twice_a_key", b'{"steps": [], "steps": 1}'
    yield "large_text", b'{"high_level_goal": "' + b"x" * (LARGE << 20) + b'"}'
    yield "many_zeros", b"[" + b"0," * (LARGE << 17) + b"0]"


def png(width: int, height: int, body: bytes) -> bytes:
    """A PNG with these sizes in its head, whatever its body holds."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def pictures() -> Iterator[tuple[str, bytes]]:
    """Names and bytes of pictures that are none, or too much of one."""
    yield "empty.png", b""
    yield "text.png", b"not a picture"
    yield "page.png", f"<html>{SCRIPTS[0]}</html>".encode()
    yield "drawing.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{SCRIPTS[0]}</svg>'.encode()
    yield "drawing.png", f'<svg xmlns="http://www.w3.org/2000/svg">{SCRIPTS[0]}</svg>'.encode()
    yield "bomb.png", png(30_000, 30_000, zlib.compress(bytes(90_001) * 300, 9))
    yield "claims.png", png(2_000_000_000, 2_000_000_000, b"")
    yield "cut.png", png(64, 64, zlib.compress(bytes(12_352)))[:60]
    yield "damaged.jpg", b"\xff\xd8\xff\xe0" + bytes(range(256)) * 4


def dot() -> bytes:
    """A small picture that is whole."""
    from PIL import Image

    drawn = io.BytesIO()
    Image.new("RGB", (40, 30), (200, 30, 30)).save(drawn, "PNG")
    return drawn.getvalue()


def put(folder: Path, name: str, data: object) -> None:
    """A file of bytes, or of a value as JSON."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())


def lists(folder: Path) -> Case:
    """Content lists, one with pictures that are none and scripts in all places."""
    for name, data in texts():
        put(folder, f"books/{name}/{name}_content_list.json", data)
    entries: list[dict[str, Any]] = [{"type": "text", "text": "Chapter 1", "text_level": 1, "page_idx": 0}]
    for number, script in enumerate(SCRIPTS, 1):
        entries += [
            {"type": "text", "text": f"{number}. What is {script} and 2?", "page_idx": 0},
            {"type": "table", "table_body": f"<table><tr><td>{script}</td></tr></table>", "table_caption": [script]},
            {"type": "equation", "text": f"$${script}$$", "text_format": "latex"},
            {"type": "code", "code_body": f"```html\n{script}\n```", "code_caption": [script]},
        ]
    for name, data in pictures():
        put(folder, f"books/good/images/{name}", data)
        entries.append({"type": "text", "text": f"{len(entries)}. What does the picture show?", "page_idx": 1})
        entries.append({"type": "image", "img_path": f"images/{name}", "image_caption": [SCRIPTS[0]], "page_idx": 1})
    put(folder, "books/good/good_content_list.json", entries)
    bad = [name for name, _ in texts()]
    return Case(["pipelines.pdf_vqa", "books"], bad, "good")


def plans(folder: Path) -> Case:
    """Annotated plans, one with scripts in all its texts."""
    example = ROOT / "examples/causal_plans/bike_workshop_tube"
    for name, data in texts():
        put(folder, f"plans/{name}/causal_plan_with_keyframes.json", data)
    shutil.copytree(example, folder / "plans/good", ignore=shutil.ignore_patterns("stage2", "*.mp4", "stage1"))
    path = folder / "plans/good/causal_plan_with_keyframes.json"
    plan = json.loads(path.read_text(encoding="utf-8"))
    plan["high_level_goal"] += f" {SCRIPTS[0]}"
    for step, script in zip(plan["steps"], SCRIPTS, strict=False):
        step["step_goal"] += f" {script}"
    put(folder, "plans/good/causal_plan_with_keyframes.json", plan)
    for number, (_, data) in enumerate(pictures()):
        (folder / f"plans/good/0{number % 6 + 1}_more").mkdir(exist_ok=True)
        put(folder, f"plans/good/0{number % 6 + 1}_more/frame_00{number}_ts_0.48s.jpg", data)
    bad = [name for name, _ in texts()]
    return Case(["pipelines.cot_planning", "plans", "--tasks", "28-30"], bad, "good")


def rooms(folder: Path) -> Case:
    """Rooms, one with scripts in what describes its objects."""
    for name, data in texts():
        put(folder, f"houses/{name}.json", data)
    room = json.loads((ROOT / "examples/rooms/room_0000.json").read_text(encoding="utf-8"))
    put(folder, "houses/good.json", room)
    spoken = json.loads(json.dumps(room))
    for found, script in zip(spoken["objects"], SCRIPTS, strict=False):
        found["desc"] += f" {script}"
    put(folder, "houses/scripts.json", spoken)
    for name, value in (("far", 1e308), ("thin", 1e-300), ("long", 10**400), ("none", None), ("wordy", "x" * 10_000)):
        broken = json.loads(json.dumps(room))
        broken["objects"][0]["size"] = [value, value, value]
        broken["bounds_bottom"] = [[value, 0.0, value]] * 4
        put(folder, f"houses/size_{name}.json", broken)
    crowd = {**room, "objects": room["objects"][:1] * 20_000}
    put(folder, "houses/crowd.json", crowd)
    bad = [*(name for name, _ in texts()), *(f"size_{n}" for n in ("far", "long", "none", "wordy")), "crowd"]
    flags = ["--chains", "1", "--keep", "1", "--turns", "2", "--no-filter"]
    return Case(["pipelines.scene_edit", "houses", *flags], bad, "good")


def record(name: str, picture: str, **more: object) -> dict[str, Any]:
    """A record of one question that can be used."""
    said = "<SUMMARY>Look.</SUMMARY> <CAPTION>A square.</CAPTION> <REASONING>It is red.</REASONING>"
    talk = [
        {"from": "human", "value": "Which colour has the square? A. red B. blue"},
        {"from": "gpt", "value": f"{said} <CONCLUSION>A</CONCLUSION>"},
    ]
    return {"id": name, "image": picture, "conversations": talk, **more}


def records(folder: Path) -> Case:
    """Records of pictures and talk, a line each."""
    put(folder, "pictures/good.png", dot())
    lines = [json.dumps(record("good", "good.png")).encode()]
    for _, data in texts():
        if b"\n" not in data and data:
            lines.append(data)
    for name, data in pictures():
        put(folder, f"pictures/{name}", data)
        lines.append(json.dumps(record(f"of_{name}", name)).encode())
    for number, script in enumerate(SCRIPTS):
        value = record(f"script{number}", "good.png")
        value["conversations"][0]["value"] += f" {script}"
        value["conversations"][1]["value"] = value["conversations"][1]["value"].replace("It is", f"{script} It is")
        lines.append(json.dumps(value).encode())
    for name, picture in (("up", "../../../etc/passwd"), ("abs", "/etc/passwd"), ("url", "http://127.0.0.1:9/x.png")):
        lines.append(json.dumps(record(f"path_{name}", picture)).encode())
    put(folder, "records.jsonl", b"\n".join(lines) + b"\n")
    bad = [*(f"of_{name}" for name, _ in pictures()), "path_up", "path_abs", "path_url"]
    return Case(["pipelines.onevision", "records.jsonl", "--images", "pictures", "--ocr", "never"], bad, "good")


def rounds(folder: Path) -> Case:
    """Episodes of a game whose metadata or pictures are hostile; there is no good one: reading one takes OCR."""
    for name, data in texts():
        put(folder, f"game/{name}/episode_001_metadata.json", data)
    for name, data in pictures():
        if name.endswith(".svg"):
            continue
        place = f"picture_{name.replace('.', '_')}"
        put(folder, f"game/{place}/{name}", data)
        put(folder, f"game/{place}/result.png", dot())
        put(
            folder,
            f"game/{place}/episode_001_metadata.json",
            {
                "rounds": [
                    {"round": 1, "question": f"{place}/{name}", "result": f"{place}/result.png", "selected_index": 1}
                ]
            },
        )
    odd = {"round": 1, "question": "../../../etc/passwd", "result": "/etc/passwd", "selected_index": 10**30}
    put(folder, "game/paths/episode_001_metadata.json", {"rounds": [odd] * 50})
    script = "<img src=x onerror=alert(31337)>"
    put(folder, f"game/{script}/episode_001_metadata.json", {"rounds": [{"round": SCRIPTS[0], "question": SCRIPTS[1]}]})
    bad = [*(name for name, _ in texts() if name not in ("blank",)), "paths", "onerror"]
    bad += [f"picture_{name.replace('.', '_')}" for name, _ in pictures() if not name.endswith(".svg")]
    return Case(["pipelines.game_annotate", "game"], bad, "")


ALL: dict[str, Callable[[Path], Case]] = {
    "pdf_vqa": lists,
    "cot_planning": plans,
    "scene_edit": rooms,
    "onevision": records,
    "game_annotate": rounds,
}


def size_of(folder: Path) -> int:
    """The bytes of all files below a folder."""
    return sum((Path(place) / name).stat().st_size for place, _, names in os.walk(folder) for name in names)
