"""Frames, times, files and paths are found in whatever spelling; what a plan itself says is left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

# ruff: noqa: SIM905
from operators.cot.problems import CODES
from operators.cot.rules.prose import leak_problems
from operators.cot.rules.vocabulary import Vocabulary

PLAN = Vocabulary(
    [
        "Hang picture_frame_2 on the wall above the sink.",
        "Let the strainer soak for 10 minutes, then rinse it.",
        "Read Image 3 of the poster and set the timer to 12:30.",
        "The mug is tilted at a 45-degree angle.",
        "Mix the dye with the buffer at a ratio of 1:10, which gives pH 7.4.",
        "Hook the second lever behind the spoke under the rim.",
        "Hold the wafer for 20 s, then file the edge of the frame.",
        "Cut the zucchini/courgette into 1/2 inch cubes and/or slices.",
        "Press the plunger to the second stop.",
    ],
    names=["picture_frame_2", "mug"],
    terms=["in_picture_of"],
)

FRAMES = """
frames 12-14 | frame n°12 | image no. three | picture marked 4 | the fifth of the images | frame0012 | frame__012 | frame…12 | frame . 12
the frame, 12, | keyframes 1 & 2 | frame_start | still 12 | the first two frames | second last frame
the last three images | images one to four | frame minus 1 | frame -1 | frame +1 | the 0th frame | frame zero
影像3 | frame ⅰⅱ
frame_012 | frame-012 | frame012 | frame 12 | Frame 12 | FRAME 12 | Frame #12 | Frame No. 12 | frame no 12 | frame number 12
frame: 12 | frame=12 | frame (12) | frame [12] | frame/12 | frame.012 | frame_001_ts_00.30s | Frame12
the 12th frame | the twelfth frame | the 3rd frame | the 21st frame | the twenty-first frame | frame twelve | frame twenty-one
frames 3 and 4 | frames 3-7 | frames three and four | frame XII | frame iv | Frame IX | frame id 7 | frame with index 7
frame index 7 | frame_index=7 | frame at index 7 | the frame labelled 7 | the frame numbered 7 | the frame with number seven
frame_### | frame ## | keyframe 2 | key frame 2 | key-frame 2 | keyframe_2 | Keyframe #2 | the second keyframe | key frame two
start frame 3 | image 3 | Image 12 | Image #3 | image_3 | image-03 | images 1 and 2 | the third image | image three | the 2nd image
img 3 | img_3 | IMG3 | img-003 | img. 3 | IMG_0012 | picture 2 | picture no. 2 | Picture #2 | the second picture | pic 2 | pic. 2
pic_2 | photo 2 | photo_2 | photograph 2 | the fourth photo | screenshot 4 | screen shot 4 | snapshot 3 | thumbnail 5
video 2 | video_001 | Video #2 | vid 3 | vid_03 | the first video | the second clip | clip 3 | clip_03 | Clip #3 | subclip 4
segment 4 | segment_04 | the 4th segment | shot 2 | Shot #2 | sample_001 | sample 1 | sample-001 | Sample #12
the last frame | the final frame | the first frame | the previous frame | the next frame | the preceding image | the middle frame
the first of the frames | the last of the sampled frames | the first sampled frame | the last key frame | the opening image
the initial frame | #12 | # 12 | 12th key frame | 12 frames | 3 images | the no. 12 frame | number twelve frame
index 12 | idx 12 | index: 12 | idx=3 | step_index 3 | step index | step_02 | step03 | 02_step | prefix_end_step | frm 12 | frm_12
figure 3 | Fig. 3 | slide 4 | view 2 | panel 2 | camera 3 | chunk 3
ＦＲＡＭＥ１２ | ｆｒａｍｅ 12 | frame ١٢ | frame １２ | frame ③ | frame ¹² | frame №12 | frame Ⅻ | 𝐟𝐫𝐚𝐦𝐞 12 | 𝙛𝙧𝙖𝙢𝙚 𝟏𝟐
fr\u200bame_012 | fra\u00adme 12 | fr\u2060ame 12 | frame\u00a012
frame\u200b12 | frame‑12 | frame–12 | frame＿012 | frame＃12 | ﬁgure 3 | \u202eframe 12 | frame\ufe0f 12
第12帧 | 第十二帧 | 第三张图 | 图3 | 图 3 | 第1张图片 | 图片 2 | 帧12 | 最后一帧 | 第２帧 | 第3个视频 | 视频2 | 首帧 | 上一帧 | 第三幅画面 | 第二段视频 | 3号图
"""
TIMES = """
t≈3.2 | the 3rd second | the third second of the video | the first ten seconds | the last 5 seconds | ts.0.30 | ts00.30 | 0.5min | 2min
2 mins into it | t1=3 | t0 = 0.0 | t_start = 3 | from 0:12 to 0:15 | 12-sec | 12 sec\u200bonds
10% into the video | a quarter of the way through the video | 25 percent of the clip | 十二点三秒 | 第3分钟 | 3分钟处 | ~12s | [12s] | 12 seconds later
ts_0.30s | ts_00.00s | ts 0.3 | ts=12 | TS_12 | t=3.2s | t = 3.2 s | t: 3.2 | t=3 | T = 12 | t_12 | t+3 s | time=3.2 | time: 12 | time 3.2 s
at 00:12 | 0:12 | 00:00:12 | 00:00:12.500 | (0:12) | [00:12] | 00：12 | １:23 | at 12 seconds into the video | at 12 seconds
after 3.2 seconds of the clip | second 12 of the video | second 12 | Second #12 | minute 3 of the video | timestamp 12 | timestamp: 12
time stamp 12 | time-stamp 12 | timecode 12 | timestamp of 12 | timestamp twelve | 12.5s | 12.5 s | 12.5 sec | 12,5 s | 12.5 seconds
3200 ms | 3200 milliseconds | 12-second mark | the 12 second mark | the twelve-second mark | twelve seconds into the video
twelve seconds in the clip | ten seconds after the start | a few seconds into the video | half a minute into the clip
at twelve seconds | around 12 sec | by 12 secs | until 90 seconds | 1m30s | 1 min 30 s | 1 minute and 30 seconds | 2h 5min
10 minutes into the video | 5 minutes into the clip | 24 fps | 12 frames per second | halfway through the video
50% of the video | midway through the clip | two thirds of the way through the video | at the 2 minute mark
12秒处 | 第12秒 | 12秒 | 第十二秒 | 十二秒 | 3分12秒 | 时间戳12 | 时间：12 | １２秒 | ١٢ seconds | t＝3.2s | t\u200b=3.2s | 12.5\u200bs | ①② seconds
"""
FILES = """
·jpg | x,jpg | x jpg | x.jpgs | x_jpg | mp4s
a.jpg | photo.jpeg | a.PNG | b.webp | b.gif | c.bmp | c.tif | c.tiff | clip.mp4 | clip.MP4 | clip.avi | clip.mov | clip.mkv | clip.webm
plan.json | data.jsonl | notes.txt | run.log | table.csv | a.npy | step.yaml | see .jpg | see .mp4 | dot jpg | a dot png | jpg file | a JPEG file
the mp4 | a webp | as jpg | the .json | x. jpg | x .jpg | x[.]jpg | x(dot)jpg | ．ｊｐｇ | a．ｊｐｇ | a.ｊｐｇ | a․jpg | a。jpg | .j\u200bpg | .ｍｐ４
the file name | filename | file named mug | source_file | evidence_files | manifest_file | .heic | .mp3 | .pdf | .m4v
"""
PATHS = """
http:x | hxxp://x.y | folder video_001 | 01_step | P01_03 | sampled_frames | cumulative_last_frame_segments | step_clips | stage1 | step_slug
192.168.0.1 | user@example.org | meta.fields | fields.label | 01_pry_the_tire | frame_manifest
/home/x/y | /tmp/a | ./a/b | ../a | ~/videos | C:\\\\a | C:\\a\\b | c:/a/b | a\\b | \\\\server\\share | video_001/01_step/a | video_001/01_step
P01_03/stage1 | stage1/sampled | 01_step/start | images/mug | frames/mug | data/mug | a/b/c | mug/cup/table | file:///x | file://x | http://a.b
https://example.org/x | HTTP://X.Y | www.example.com | s3://bucket/x | localhost:8000 | mailto:a | ／home／x | ＼＼x
%TEMP%/a | $HOME/x | causal_plan_with_keyframes | source_path | step_meta | frame_manifest | video_id | input_root
"""
CASES = [
    (f"leak.{kind}", leak.strip())
    for kind, table in [("frame", FRAMES), ("time", TIMES), ("file", FILES), ("path", PATHS)]
    for line in table.strip().splitlines()
    for leak in line.split(" | ")
]

#: A plan that itself tells what nobody may.
TELLING = Vocabulary(
    ["The tube tears, as frame 12 shows at t=3.2s (frame_012_ts_3.20s.jpg in stage1/sampled_frames).", "Read Image 3."]
)

INNOCENT = """
A picture frame hangs on the wall.
The image shows the mug on the table.
As the picture shows, the mug is clean.
In the video, the hands hold the mug.
The frames show how the state changes.
The picture frame 2 hangs on the wall.
The label says picture_frame_2.
in_picture_of(mug, picture_frame_2) => True
Let it soak for 10 minutes, then rinse it.
A 10-minute soak loosens the residue.
Tilt the mug at a 45-degree angle.
The mug stands at 45 degrees.
The solution has pH 7.4 at the end.
Mix them at a ratio of 1:10.
Set the timer to 12:30.
Hook the second lever behind the spoke.
Press the plunger to the second stop.
The second lever holds the bead.
Hold the wafer for 20 s.
Hold it for 20 seconds.
File the edge of the frame.
The first step establishes the condition.
Step 3 is complete.
The plan is completed up to step 3.
Steps 1 and 2 come before step 3.
The last step succeeded.
The final state supports the goal.
The next step can start.
Cut it into 1/2 inch cubes and/or slices.
Slice the zucchini/courgette.
The mug is dry, so the next step can follow. The sink is empty.
The order matters: the mug must be clean.
FlawStep is the step that breaks the condition.
Option B restores the precondition.
A, C and E are the steps that follow.
The time needed is short.
This takes time to dry.
At the same time, the water flows.
The last time it slipped.
It takes a second to close the lid.
A few seconds later the lid closes.
Wait for some seconds.
Half an hour passes.
A second person is not needed.
One minute is enough.
The samples are mixed in the flask.
Take two cubes.
Take the 45-degree angle into view.
The scene is lit.
A segment of the orange falls.
The view of the table is clear.
The still water is cold.
The clip holds the paper.
Dr. Who holds it.
It works e.g. with the mug.
The mug (on the table) is clean.
The mug, i.e. the blue one, is clean.
Pour 2.5 ml into the flask.
Use 3 mugs.
The 3 mm screw fits.
The M8 bolt fits.
The mug is 5 m away.
Turn it by 90 degrees.
The water is at 60 °C.
Half of the water is gone.
The figure on the scale rises.
The camera strap hangs.
A sample is taken from the vial.
The film on the liquid is thin.
The path of the blade is free.
The dot on the dial points up.
Photometer readings need a closed lid.
The shot of espresso is ready.
The index finger presses the plunger.
The index mark lines up.
The index finger holds the mug.
步骤完成后，杯子在桌子上。
第三步完成后继续。
片刻后图案清晰。
Das Bild hängt an der Wand.
L'image est nette.
A/B testing is not needed.
The w/h ratio is kept.
"""


def codes(text: str, known: Vocabulary = PLAN) -> list[str]:
    return [problem.code for problem in leak_problems(text, "the reasoning", known)]


@pytest.mark.parametrize("kind", ["leak.frame", "leak.time", "leak.file", "leak.path"])
def test_every_leak_is_found_with_its_code_wherever_it_stands(kind: str) -> None:
    missed = [
        text
        for code, leak in CASES
        for text in (
            leak,
            f"{leak} shows it.",
            f"The mug is clean ({leak}), so it holds.",
            f"It holds as seen at {leak}.",
        )
        if code == kind and code not in codes(text)
    ]
    assert missed == []


def test_ordinary_sentences_are_no_leak() -> None:
    assert [(line, codes(line)) for line in INNOCENT.strip().splitlines() if codes(line)] == []


ASKED_AND_ANSWERED = """
How does the outcome of the previous step satisfy the preconditions for the next step?
What is the next planned action?
What is the next step goal?
Up to which step_id has the plan been completed in this prefix?
Based on the beginning/end glimpses of the video, infer the missing middle steps in order.
Select all steps that will occur in the next K steps (order not required).
Reorder the shuffled candidate steps into the most plausible next-step sequence.
Identify the flaw in the bad plan.
Repair the plan by outputting the corrected K-step sequence.
After applying the recovery strategy, should we retry the current step or continue to the next step?
Completing "Rinse" establishes inside(mug, sink) => True, which directly supports executing "Dry" by satisfying its corresponding preconditions.
FlawStep=2; FlawType=precondition_missing; Reason=It requires "on(mug, rack) => True" as a causal precondition, but this bad plan only establishes it later.
FlawStep=12; FlawType=hallucinated_object; Reason=No hammer is there.
A,C,E
3
retry_current_step
continue_next_step
tool_mismatch order_violation goal_mismatch
"""


def test_what_tasks_ask_and_how_they_are_answered_is_no_leak() -> None:
    assert [(line, codes(line)) for line in ASKED_AND_ANSWERED.strip().splitlines() if codes(line)] == []


def test_a_numbered_list_of_steps_is_no_leak() -> None:
    assert codes("1) Rinse the mug.\n2) Dry the mug.\n10) Hang the mug.") == []


def test_every_kind_of_leak_is_told_once_with_what_was_found() -> None:
    text = "In frame 3 and frame 4 (at 0:12, see /a/b.jpg) the mug is clean."
    assert [str(each) for each in leak_problems(text, "the reasoning", PLAN)] == [
        "leak.frame: the reasoning names a picture or video by its number or place: 'frame 3', 'frame 4'",
        "leak.time: the reasoning tells a time: '0:12'",
        "leak.file: the reasoning names a file or its ending: '.jpg'",
        "leak.path: the reasoning tells a path or an address: '/a/b.jpg'",
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Open notes.pdf on the laptop", "leak.file"),
        ("Watch clip.mp4", "leak.file"),
        ("Go to www.example.com", "leak.path"),
        ("Save it in C:\\data", "leak.path"),
        ("Save it in /home/cook", "leak.path"),
    ],
)
def test_a_file_or_an_address_is_a_leak_even_where_the_plan_tells_it(text: str, code: str) -> None:
    assert code in codes(text, Vocabulary([text]))


def test_a_time_of_the_plan_is_a_leak_where_it_is_told_as_a_time_of_the_video() -> None:
    assert codes("Let it soak for 10 minutes.") == []
    assert codes("This is seen 10 minutes into the video.") == ["leak.time"]


def test_a_name_of_the_plan_is_no_leave_to_tell_frames_of_that_number() -> None:
    assert codes("The picture frame 2 hangs above the sink.") == []
    assert codes("The mug is clean, as in frame 2.") == ["leak.frame"]
    assert codes("It is clean in image 3.") == ["leak.frame"]
    assert codes("It is clean in picture frame 21.") == ["leak.frame"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The tube tears, as frame 12 shows.", "leak.frame"),
        ("Read Image 3 of the poster.", "leak.frame"),
        ("It tears at t=3.2s.", "leak.time"),
        ("It is seen in frame_012_ts_3.20s.jpg.", "leak.file"),
        ("It lies in stage1/sampled_frames.", "leak.path"),
    ],
)
def test_what_tells_of_the_video_is_a_leak_even_where_the_plan_says_it(text: str, code: str) -> None:
    assert code in codes(text, TELLING)


def test_a_leak_of_the_plans_own_is_named_as_such() -> None:
    assert [str(each) for each in leak_problems("So frame 12 shows.", "the answer", TELLING)] == [
        "leak.frame: the answer names a picture or video by its number or place: 'frame 12' (from the plan)"
    ]


@pytest.mark.parametrize(
    ("place", "text", "found"),
    [
        ("mug_rinsing/causal_plan_with_keyframes.json", "As in mug_rinsing, the mug is clean.", ["leak.path"]),
        ("a/Tea0Ｘ/causal_plan_with_keyframes.json", "As in tea0x, the mug is clean.", ["leak.path"]),
        ("sink/causal_plan_with_keyframes.json", "The mug stands in the sink.", []),
        ("picture_frame_2/causal_plan_with_keyframes.json", "on(picture_frame_2, mug) => True", []),
        ("causal_plan_with_keyframes.json", "The mug stands in the sink.", []),
    ],
)
def test_the_names_of_the_plans_folders_are_not_told(place: str, text: str, found: list[str]) -> None:
    assert [each.code for each in leak_problems(text, "the reasoning", PLAN, place)] == found


WORDS = st.lists(
    st.sampled_from("the mug is clean and so the plan can go on , . because frame image video at to".split()),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(WORDS, st.sampled_from(CASES), WORDS)
def test_law_a_leak_among_any_words_is_found(before: list[str], case: tuple[str, str], behind: list[str]) -> None:
    code, leak = case
    assert code in codes(" ".join([*before, leak, *behind]))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_law_no_text_is_too_odd(text: str) -> None:
    assert {each.code for each in leak_problems(text, "the reasoning", PLAN)} <= {
        code for code in CODES if code.startswith("leak.")
    }
