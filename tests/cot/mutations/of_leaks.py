"""Indices, times, files and paths told in either turn, in many spellings."""

from __future__ import annotations

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import ask, say

FRAMES = (
    "frame_012", "frame 12", "frame12", "frame #12", "frame number 12",
    "frame: 12", "frame=12", "frame (12)", "frames 3-7", "frame index 12", "the 12th frame",
    "the twelfth frame", "frame twelve", "the first frame", "the third image", "frame XII",
    "frame ①", "frame\u00a012", "frame １２", "ｆｒａｍｅ 12", "fra\u200bme 12", "frame\u200b12", "frame١٢",
    "img 3", "IMG_0003", "Image 12", "image #3", "picture two", "the second picture", "pic 3",
    "photo 4", "keyframe 7", "key-frame 7", "key frame seven", "the second clip", "video 1", "segment 3",
    "screenshot 2", "still 3", "sample_003", "sample 3", "thumbnail 6",
    "the 2nd image", "the twenty-first frame", "第12帧", "第十二帧", "第3张图", "12th of the frames",
    "**frame** 12", "frameIndex 12", "step01_last",
    "the tenth of these frames",

)  # fmt: skip

TIMES = (
    "t=3.2s", "t = 3.2 s", "3.2 s", "at 3.2 seconds", "3,2 seconds", "at 00:12", "at 0:12", "at 00:12.5",
    "at 0：12", "12 seconds into the video", "twelve seconds into the video", "second 12 of the clip", "at second 12",
    "at the 12-second mark", "12s", "3200 ms", "timestamp 12", "00h12m",
    "two minutes into the clip", "between 0:10 and 0:20", "第12秒", "1m12s",
    "half a minute into the video", "from 3.94 to 10.57 seconds", "twelve seconds later",

)  # fmt: skip

STAMPS = ("ts_0.30s", "ts_00.30s", "ts 3.94", "TS_3.94")

FILES = (
    "scene.jpg", "scene.JPEG", "scene.webp", "scene.tiff", "scene.mp4", "scene.MOV",
    "scene.avi", "plan.json", "data.jsonl", "notes.txt", "frame_012.jpg", "step_meta.json",
    "a .jpg file", "scene．jpg", "scene.\u200bjpg", "scene . jpg", "scene[.]jpg", "scene dot jpg",
    "a JPEG", "scene.heic",
)  # fmt: skip

PATHS = (
    "stage1/sampled_frames", "/data/videos/bike", "C:\\videos\\bike", "../items/bike", "./frames/",
    "~/data", "https://example.com/a", "http://localhost:8000/v1", "www.example.com",
    "file:///data/a", "s3://bucket/key", "bike_workshop_tube/stage1", "\\\\server\\share",
    "data／videos／bike", "192.168.0.1", "hxxp://example.com", "stage2/step_clips", "$HOME/data",
    "02_pry_the_tire_bead_over_the_rim_with_two_levers", "bike_workshop_tube",
)  # fmt: skip

#: Words of another script, invisible letters and words that no plan has may be told too.
BESIDE = frozenset({"text.control", "language.mixed", "think.lines", "think.list", "anchor.missing"})
LEAKS = frozenset({"leak.frame", "leak.time", "leak.file", "leak.path"})


def _told(code: str | tuple[str, ...], spelling: str) -> Damage:
    also = BESIDE | LEAKS
    return entry(f"the reasoning tells {spelling!a}", code, say(f"This can be seen in {spelling} as well."), of(29, step=2), also)  # fmt: skip


def _asked(code: str | tuple[str, ...], spelling: str) -> Damage:
    # A human turn with a leak is not the task's question either; the leak must be told nevertheless.
    also = BESIDE | LEAKS | {"question.text", "question.lines"}
    return entry(f"the human turn tells {spelling!a}", code, ask(lambda old: f"{old} Look at {spelling} for it."), of(29, step=2), also)  # fmt: skip


#: A file named by its number is a frame and a file; a time stamp is a time, and part of a file's name.
SEVERAL = {"frame_012.jpg": tuple(LEAKS), "step01_last": tuple(LEAKS)}
SPELLINGS: list[tuple[str | tuple[str, ...], str]] = [
    *((SEVERAL.get(each, "leak.frame"), each) for each in FRAMES),
    *(("leak.time", each) for each in TIMES),
    *((("leak.time", "leak.frame", "leak.file"), each) for each in STAMPS),
    *((SEVERAL.get(each, "leak.file"), each) for each in FILES),
    *(("leak.path", each) for each in PATHS),
]

DAMAGES = [
    *(_told(code, spelling) for code, spelling in SPELLINGS),
    *(_asked(code, spelling) for code, spelling in SPELLINGS[::2]),
    entry("the first word of the reasoning is a leak", "leak.frame", lambda each: _front(each, "Frame 12 shows it. "), of(29), BESIDE),
    entry("the last words of the reasoning are a leak", "leak.frame", lambda each: _back(each, " This is frame 12."), of(29), BESIDE),
    entry("a leak stands right before a required sentence", "leak.frame", lambda each: _front(each, "At frame 12: "), of(29), BESIDE),
    entry("a leak is joined to a word", "leak.frame", say("It is so(frame 12)though."), of(29), BESIDE),
    entry("a leak is split by the end of a sentence", "leak.frame", say("It is shown in frame. 12 is its number."), of(29), BESIDE),
    entry("two leaks of different kinds", "leak.time", say("Frame 12, at 0:12, shows it."), of(29), BESIDE | LEAKS),
    entry("the shown picture's own path", ("leak.path", "leak.file"), lambda each: say(f"It is in {each['image'][0]} to be seen.")(each), of(29), BESIDE | LEAKS),
    entry("the plan's own path", ("leak.path", "leak.file"), lambda each: say(f"It is in {each['meta']['source_path']} to be read.")(each), of(29), BESIDE | LEAKS),
    entry("the shown video's own name", "leak.file", lambda each: say(f"It is in {each['video'].rpartition('/')[2]} to be seen.")(each), of(30), BESIDE | LEAKS),
]  # fmt: skip


def _front(sample: dict, text: str) -> None:
    sample["conversations"][1]["value"] = sample["conversations"][1]["value"].replace("<think>", f"<think>{text}")


def _back(sample: dict, text: str) -> None:
    sample["conversations"][1]["value"] = sample["conversations"][1]["value"].replace("</think>", f"{text}</think>")
