"""Indices, times, files and paths told in either turn, in many spellings."""

from __future__ import annotations

from tests.cot.mutations.damage import Damage, entry, of
from tests.cot.mutations.good import ask, say

FRAMES = (
    "frame_012", "frame-012", "frame 12", "Frame 12", "FRAME 12", "frame12", "frame #12", "frame no. 12",
    "frame number 12", "frame nr 12", "frame: 12", "frame=12", "frame[12]", "frame (12)", "frames 3 and 4",
    "frames 3-7", "frame index 12", "the 12th frame", "the 12-th frame", "the twelfth frame", "frame twelve",
    "the first frame", "the third image", "frame XII", "frame iv", "frame ①", "frame ½2", "frame\u00a012",
    "frame １２", "ｆｒａｍｅ 12", "fra\u200bme 12", "frame\u200b12", "frame \u206012", "frаme 12", "frame١٢",
    "img 3", "IMG_0003", "img-3", "img#3", "image 3", "Image 12", "image #3", "image three", "picture two",
    "the second picture", "pic 3", "photo 4", "photograph no. 4", "keyframe 7", "key-frame 7", "key frame seven",
    "clip 2", "the second clip", "video 1", "segment 3", "shot 4", "screenshot 2", "still 3", "snapshot 5",
    "sample_003", "sample 3", "sample-003", "figure 2", "fig. 2", "thumbnail 6", "frame a hundred and two",
    "the 21st keyframe", "the 2nd image", "the twenty-first frame", "第12帧", "第十二帧", "帧12", "图片3", "第3张图", "图3",
    "12th of the frames", "frame n°12", "**frame** 12", "frame `12`", "frame, 12", "f r a m e 12", "frame\t12",
    "frame&nbsp;12", "frame_id=12", "frameIndex 12", "sample_012_ts", "step01_last",
)  # fmt: skip

TIMES = (
    "t=3.2s", "t = 3.2 s", "t=3", "3.2s", "3.2 s", "at 3.2 seconds", "3.2 sec", "3,2 seconds", "at 00:12", "at 0:12",
    "at 00:00:12", "at 00:12.5", "at 0：12", "at ０：１２", "12 seconds into the video", "twelve seconds into the video",
    "second 12 of the clip", "at second 12", "at the 12-second mark", "at the twelfth second", "12s", "12 s in",
    "after 12 secs", "3200 ms", "3200 milliseconds", "timestamp 12", "timestamp: 3.94", "time code 12", "00h12m",
    "two minutes into the clip", "minute 2 of the video", "2 min in", "between 0:10 and 0:20", "0'12\"", "第12秒",
    "12秒", "at 1 2 seconds", "half a minute into the video", "at 12\u00a0s", "1m12s", "from 3.94 to 10.57 seconds",
)  # fmt: skip

STAMPS = ("ts_0.30s", "ts_00.30s", "ts 3.94", "ts-3.94s", "TS_3.94")

FILES = (
    "scene.jpg", "scene.JPEG", "scene.png", "scene.PNG", "scene.webp", "scene.gif", "scene.bmp", "scene.tiff",
    "scene.mp4", "scene.MOV", "scene.mkv", "scene.avi", "scene.webm", "plan.json", "data.jsonl", "notes.txt",
    "table.csv", "frame_012.jpg", "frame_003_ts_0.48s.jpg", "causal_plan_with_keyframes.json", "step_meta.json",
    "a .jpg file", "the .mp4", "scene．jpg", "scene.\u200bjpg", "scene.jрg", "scene. jpg", "scene . jpg",
    "scene[.]jpg", "scene dot jpg", "scene.jp2", "scene.heic", "scene.h264", "a JPEG", "an mp4",
)  # fmt: skip

PATHS = (
    "stage1/sampled_frames", "/data/videos/bike", "/mnt/d", "C:\\videos\\bike", "D:/videos/bike", "../items/bike",
    "./frames/", "~/data", "https://example.com/a", "http://localhost:8000/v1", "HTTPS://EXAMPLE.COM", "www.example.com",
    "file:///data/a", "s3://bucket/key", "ftp://example.com", "bike_workshop_tube/stage1", "\\\\server\\share",
    "example.com/path", "data／videos／bike", "videos\\bike\\one", "localhost:8000", "192.168.0.1",
    "hxxp://example.com", "me@example.com", "bike_workshop_tube", "02_pry_the_tire_bead_over_the_rim_with_two_levers",
    "cumulative_last_frame_segments", "stage2/step_clips", "$HOME/data", "%USERPROFILE%\\data",
)  # fmt: skip

#: Words of another script, invisible letters and words that no plan has may be told too.
BESIDE = frozenset({"grounding.words", "text.control", "language.mixed", "think.lines", "think.list", "anchor.missing"})
LEAKS = frozenset({"leak.frame", "leak.time", "leak.file", "leak.path"})


def _both(code: str | tuple[str, ...], spelling: str) -> list[Damage]:
    # A human turn with a leak is not the task's question either; the leak must be told nevertheless.
    also = BESIDE | LEAKS
    return [
        entry(f"the reasoning tells {spelling!a}", code, say(f"This can be seen in {spelling} as well."), of(29, step=2), also),
        entry(
            f"the human turn tells {spelling!a}", code, ask(lambda old: f"{old} Look at {spelling} for it."),
            of(29, step=2), also | {"question.text", "question.lines"},
        ),
    ]  # fmt: skip


#: A file named by its number is a frame and a file; a time stamp is a time, and part of a file's name.
MORE = {"frame_012.jpg": tuple(LEAKS), "frame_003_ts_0.48s.jpg": tuple(LEAKS), "sample_012_ts": tuple(LEAKS), "step01_last": tuple(LEAKS)}  # fmt: skip

DAMAGES = [
    *(damage for each in FRAMES for damage in _both(MORE.get(each, "leak.frame"), each)),
    *(damage for each in TIMES for damage in _both("leak.time", each)),
    *(damage for each in STAMPS for damage in _both(("leak.time", "leak.frame", "leak.file"), each)),
    *(damage for each in FILES for damage in _both(MORE.get(each, "leak.file"), each)),
    *(damage for each in PATHS for damage in _both(("leak.path", "leak.file"), each)),
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
