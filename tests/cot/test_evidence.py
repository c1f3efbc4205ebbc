"""Evidence: what is chosen for each kind of task, and what is said of evidence that anybody chose."""

import os
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.evidence import Evidence, HeadTail, KeyFrames, Prefix, Wanted, choose
from operators.cot.evidence_check import evidence_problems
from operators.cot.items import Item, is_there, item_files, load_item
from operators.cot.media import Media, Scene, StepMedia
from operators.cot.plan import Plan, Step
from tests.cot.plans_on_disk import a_plan, a_step, write_bytes, write_item

START, END = "start", "end"


def frame(step: int, which: str) -> str:
    return f"v/{step:02d}_step/frame_00{1 if which == START else 9}_ts_1.00s.jpg"


def video(step: int) -> str:
    return f"v/cumulative_last_frame_segments/segment_start_to_step{step:02d}_last.mp4"


def clip(step: int) -> str:
    return f"v/stage2/step_clips/step{step:02d}_do_it.mp4"


def scene(time: float) -> str:
    return f"v/stage1/sampled_frames/at_{time:g}.jpg"


#: The steps' ids are not in order. Scene pictures come every 2 seconds, a step takes 10.
IDS = [10, 20, 5, 7]
PLAN = Plan("Go.", [Step(n, f"Do {n}.") for n in IDS])
STEPS = [StepMedia(n, frame(n, START), frame(n, END), 10.0 * i, 10.0 * i + 10, video(n)) for i, n in enumerate(IDS)]
SCENES = [Scene(scene(2 * n), 2.0 * n) for n in range(20)]
FULL = Media(STEPS, SCENES)
FRAMES_ONLY = Media([StepMedia(n, frame(n, START), frame(n, END)) for n in IDS], [])
NO_VIDEOS = Media([StepMedia(s.step_id, s.start_frame, s.end_frame, s.clip_start, s.clip_end) for s in STEPS], SCENES)


def without(media: Media, step_id: int, **nothing: None) -> Media:
    """The same, but for what a step lacks."""
    values = [{name: getattr(s, name) for name in StepMedia.__slots__} for s in media.steps]
    return Media([StepMedia(**(v | nothing if v["step_id"] == step_id else v)) for v in values], media.scenes)


def codes(
    wanted: Wanted,
    media: Media = FULL,
    *,
    image: list[str],
    video: str | None = None,
    type: str | None = None,
    files: list[str] | None = None,
    gone: tuple[str, ...] = (),
) -> list[str]:
    """The codes of what is wrong; the type fits, evidence_files are right, and files exist, if nothing else is said."""
    if type is None:
        kind = "images_uniform_scene" if any("stage1" in path for path in image) else "keyframe_single"
        type = kind if video is None else "video_clip" if "stage2" in video else "video_prefix"
    shown = [*image, *([video] if video else [])]
    found = evidence_problems(
        type, image, video, shown if files is None else files, wanted, PLAN, media, "/root",
        exists=lambda path: path.removeprefix("/root/") not in gone,
    )  # fmt: skip
    return [problem.code for problem in found]


def said(wanted: Wanted, image: list[str], **more: Any) -> list[str]:
    return [str(problem) for problem in evidence_problems(
        more.get("type", "keyframe_single"), image, more.get("video"), None, wanted, PLAN, more.get("media", FULL), "/root",
        exists=lambda path: "gone" not in path,
    )]  # fmt: skip


# What is chosen


def test_key_frames_are_shown_in_the_order_in_which_they_are_wanted():
    assert choose(KeyFrames(((20, END), (5, START))), FULL) == Evidence(
        "keyframe_single", [frame(20, END), frame(5, START)]
    )


def test_a_key_frame_that_is_both_start_and_end_is_shown_once():
    both = Media([StepMedia(10, frame(10, END), frame(10, END))], [])
    assert choose(KeyFrames(((10, START), (10, END))), both) == Evidence("keyframe_single", [frame(10, END)])


@pytest.mark.parametrize(("wanted", "reason"), [
    (((10, END), (20, START)), "no key frame at the start of the step"),
    (((10, START),), "no key frame at the start of the step"),
    (((5, END),), "no key frame at the end of the step"),
    (((99, END),), "no key frame at the end of the step"),
])  # fmt: skip
def test_without_a_wanted_key_frame_the_sample_is_skipped(wanted, reason):
    media = without(without(without(FULL, 10, start_frame=None), 20, start_frame=None), 5, end_frame=None)
    assert choose(KeyFrames(wanted), media) == reason


def test_a_prefix_shows_its_last_key_frame_three_scenes_spread_over_its_time_and_its_video():
    assert choose(Prefix(20), FULL) == Evidence(
        "video_prefix", [frame(20, END), scene(4), scene(10), scene(16)], video(20)
    )
    assert choose(Prefix(10), NO_VIDEOS) == Evidence(
        "images_uniform_scene", [frame(10, END), scene(2), scene(4), scene(8)]
    )


def test_the_picture_at_the_very_end_of_a_prefix_is_not_shown():
    media = Media(NO_VIDEOS.steps, [Scene(scene(10), 10.0), Scene(scene(11), 11.0)])
    assert choose(Prefix(10), media) == Evidence("keyframe_single", [frame(10, END)])


def test_a_prefix_ends_where_a_later_step_begins():
    media = Media([s if s.step_id != 20 else StepMedia(20, clip_start=10, clip_end=58) for s in STEPS], SCENES)
    assert choose(Prefix(20), media) == Evidence("images_uniform_scene", [scene(4), scene(10), scene(16)])
    assert codes(Prefix(20), media, image=[scene(2), scene(18)], type="images_uniform_scene") == []
    assert codes(Prefix(20), media, image=[scene(2), scene(20)], type="images_uniform_scene") == ["evidence.future"]
    early = Media([s if s.step_id != 5 else StepMedia(5, clip_start=3) for s in STEPS], SCENES)
    assert choose(Prefix(10), early) == Evidence("video_prefix", [frame(10, END), scene(0), scene(2)], video(10))


def test_head_and_tail_show_nothing_of_steps_beside_them():
    longest = [s if s.step_id != 10 else StepMedia(10, clip_start=0, clip_end=38) for s in STEPS]
    assert choose(HeadTail(10, 7), Media(longest, SCENES)) == Evidence(
        "images_uniform_scene", [scene(6), scene(8), scene(38)]
    )
    media = Media([s if s.step_id != 10 else StepMedia(10, clip_start=0, clip_end=14) for s in STEPS], SCENES)
    assert choose(HeadTail(20, 7), media) == Evidence(
        "images_uniform_scene", [scene(14), scene(18), scene(32), scene(38)]
    )
    assert codes(HeadTail(20, 7), media, image=[scene(14), scene(32)]) == []
    assert codes(HeadTail(20, 7), media, image=[scene(12), scene(14), scene(32)]) == ["evidence.wrong"]


def test_without_times_a_prefix_shows_no_scene_pictures():
    media = without(NO_VIDEOS, 20, clip_start=None, clip_end=None)
    assert choose(Prefix(20), media) == Evidence("keyframe_single", [frame(20, END)])
    assert choose(Prefix(5), FRAMES_ONLY) == Evidence("keyframe_single", [frame(5, END)])


def test_a_prefix_needs_a_picture_and_a_video_alone_is_none():
    assert choose(Prefix(10), without(FULL, 10, end_frame=None)) == Evidence(
        "video_prefix", [scene(2), scene(4), scene(8)], video(10)
    )
    reason = "no key frame at the end of the step, and no scene picture with a time before it"
    media = Media(without(FULL, 10, end_frame=None).steps, [])
    assert [choose(Prefix(10), media), choose(Prefix(99), FULL), choose(Prefix(10), Media([], []))] == [reason] * 3


def test_head_and_tail_show_two_scenes_of_each_end():
    assert choose(HeadTail(10, 5), FULL) == Evidence("images_uniform_scene", [scene(2), scene(8), scene(22), scene(28)])


def test_head_and_tail_show_nothing_of_the_steps_between_even_where_spans_overlap():
    steps = [
        StepMedia(10, None, None, 0.0, 30.0),
        StepMedia(20, None, None, 4.0, 36.0),
        StepMedia(5, None, None, 30.0, 40.0),
    ]
    assert choose(HeadTail(10, 5), Media(steps, SCENES)) == Evidence(
        "images_uniform_scene", [scene(0), scene(2), scene(36), scene(38)]
    )


def test_head_and_tail_show_key_frames_where_an_end_has_no_scenes():
    frames = [frame(10, START), frame(10, END), frame(5, START), frame(5, END)]
    assert choose(HeadTail(10, 5), FRAMES_ONLY) == Evidence("keyframe_single", frames)
    assert choose(HeadTail(10, 5), without(FULL, 5, clip_start=None, clip_end=None)) == Evidence(
        "keyframe_single", frames
    )
    least = without(without(FRAMES_ONLY, 10, start_frame=None), 5, end_frame=None)
    assert choose(HeadTail(10, 5), least) == Evidence("keyframe_single", frames[1:3])
    reason = "no scene pictures or key frames of the steps at both ends"
    for step_id, which in ((10, "end_frame"), (5, "start_frame")):
        assert choose(HeadTail(10, 5), without(FRAMES_ONLY, step_id, **{which: None})) == reason


seconds = st.none() | st.floats(0, 40, allow_nan=False)


@st.composite
def any_media(draw: st.DrawFn) -> Media:
    def step(n: int) -> StepMedia:
        times = sorted(draw(st.lists(st.integers(0, 12), min_size=2, max_size=2, unique=True)))
        start, end = times if draw(st.booleans()) else (None, None)
        first, last, film = (draw(st.booleans()) for _ in range(3))
        return StepMedia(
            n, frame(n, START) if first else None, frame(n, END) if last else None, start, end, video(n) if film else None
        )  # fmt: skip

    times = draw(st.lists(st.integers(0, 12), max_size=12, unique=True))
    return Media([step(n) for n in IDS], [Scene(scene(t), float(t)) for t in sorted(times)])


any_step = st.sampled_from(IDS)
any_wanted = (
    st.builds(
        KeyFrames, st.lists(st.tuples(any_step, st.sampled_from([START, END])), min_size=1, max_size=3).map(tuple)
    )
    | st.builds(Prefix, any_step)
    | st.sampled_from([HeadTail(a, b) for i, a in enumerate(IDS) for b in IDS[i + 2 :]])
)


@settings(max_examples=50, deadline=None)
@given(any_wanted, any_media())
def test_nothing_is_wrong_with_what_is_chosen(wanted, media):
    chosen = choose(wanted, media)
    if isinstance(chosen, str):
        assert chosen.startswith("no ")
    else:
        assert chosen.image
        assert codes(wanted, media, image=chosen.image, video=chosen.video, type=chosen.evidence_type) == []


@settings(max_examples=40, deadline=None)
@given(any_step, any_media(), st.data())
def test_what_a_prefix_must_not_show_is_found_wherever_it_stands(step_id, media, data):
    chosen = choose(Prefix(step_id), media)
    step = media.of(step_id)
    later = [s.path for s in media.scenes if step.clip_end is None or s.time >= step.clip_end]
    later += [p for s in media.steps[IDS.index(step_id) + 1 :] for p in (s.start_frame, s.end_frame) if p]
    if isinstance(chosen, str) or not later:
        return
    image = [*chosen.image]
    image.insert(data.draw(st.integers(0, len(image))), data.draw(st.sampled_from(later)))
    assert "evidence.future" in codes(Prefix(step_id), media, image=image, video=chosen.video)


# What is said of what others chose


def test_key_frames_come_in_the_order_in_which_they_are_asked_for():
    wanted = KeyFrames(((10, END), (20, START)))
    assert codes(wanted, image=[frame(10, END), frame(20, START)]) == []
    assert codes(wanted, image=[frame(20, START), frame(10, END)]) == ["evidence.wrong"]


@pytest.mark.parametrize("image", [
    [frame(10, START)], [frame(20, END)], [frame(10, END), frame(20, END)], [frame(10, END)], [frame(20, START)],
    [frame(10, END), frame(20, START), frame(5, START)], [frame(10, END), frame(20, START), scene(8)],
    [frame(10, END), frame(20, START), video(10)], [frame(10, END), "v/cover.jpg"],
    [frame(10, END), frame(20, START).replace("v/", "w/", 1)],
])  # fmt: skip
def test_other_key_frames_than_those_wanted_are_wrong(image):
    found = codes(KeyFrames(((10, END), (20, START))), image=image)
    assert set(found) - {"evidence.type"} == {"evidence.wrong"}


def test_a_video_of_a_prefix_is_not_for_key_frames():
    assert codes(KeyFrames(((10, END),)), image=[frame(10, END)], video=video(10)) == ["evidence.wrong"]


@pytest.mark.parametrize(("image", "film"), [
    ([frame(20, END)], None), ([frame(20, END)], video(20)), ([frame(20, END)], clip(20)),
    ([scene(18), frame(20, END), scene(0), scene(10)], None), ([scene(0), scene(2), scene(4), frame(20, END)], video(20)),
    ([frame(10, START), frame(10, END), frame(20, START), frame(20, END)], None),
])  # fmt: skip
def test_a_prefix_may_show_whatever_comes_before_its_end(image, film):
    assert codes(Prefix(20), image=image, video=film) == []


@pytest.mark.parametrize(("image", "film", "code"), [
    ([frame(20, END), scene(20)], None, "evidence.future"), ([frame(20, END), scene(38)], video(20), "evidence.future"),
    ([frame(20, END), frame(5, START)], None, "evidence.future"), ([frame(7, END), frame(20, END)], None, "evidence.future"),
    ([frame(20, END)], video(5), "evidence.future"), ([frame(20, END)], clip(5), "evidence.future"),
    ([frame(20, END), "v/stage1/sampled_frames/no_time.jpg"], None, "evidence.future"),
    ([frame(20, END), "v/05_step/frame_005_ts_2.00s.jpg"], None, "evidence.future"),
    ([frame(20, END)], video(10), "evidence.wrong"), ([frame(20, END)], clip(10), "evidence.wrong"),
    ([frame(20, END), "v/20_step/frame_005_ts_2.00s.jpg"], None, "evidence.wrong"),
    ([frame(20, END), scene(0), scene(2), scene(4), scene(6)], None, "evidence.wrong"),
    ([frame(20, END), scene(0).replace("v/", "w/", 1)], None, "evidence.wrong"),
    ([frame(20, END), "cover.jpg"], None, "evidence.wrong"), ([frame(20, END)], "v/film.mp4", "evidence.wrong"),
    ([frame(20, END)], frame(20, START), "evidence.wrong"), ([frame(20, END), video(20)], None, "evidence.wrong"),
    ([frame(10, END)], None, "evidence.wrong"), ([scene(2), scene(4)], None, "evidence.wrong"),
    ([frame(20, START)], video(20), "evidence.wrong"), ([frame(20, END)], clip(99), "evidence.wrong"),
])  # fmt: skip
def test_a_prefix_shows_nothing_later_nothing_foreign_and_its_end(image, film, code):
    fits = "video_prefix" if film and "stage2" not in film else None
    found = codes(Prefix(20), image=image, video=film, type=fits)
    assert [each for each in found if each != "evidence.type"] == [code]


def test_scene_pictures_of_a_prefix_without_times_may_be_later():
    media = without(FULL, 20, clip_start=None, clip_end=None)
    assert codes(Prefix(20), media, image=[frame(20, END), scene(0)]) == ["evidence.future"]


@pytest.mark.parametrize("image", [
    [scene(0), scene(28)], [scene(4), scene(20), scene(22)], [frame(10, START), frame(5, START)],
    [frame(10, END), scene(24)], [frame(5, END), frame(5, START), frame(10, END), frame(10, START)],
])  # fmt: skip
def test_head_and_tail_may_show_whatever_is_of_either_end(image):
    assert codes(HeadTail(10, 5), image=image) == []


@pytest.mark.parametrize(("image", "film"), [
    ([scene(0), scene(10), scene(28)], None), ([scene(0), scene(30)], None), ([frame(10, END), frame(20, START), frame(5, END)], None),
    ([frame(10, END), frame(7, START)], None), ([scene(0), "v/stage1/sampled_frames/no_time.jpg"], None),
    ([scene(0), scene(2)], None), ([scene(28)], None), ([frame(10, END)], None), ([scene(0), scene(28)], video(5)),
    ([scene(0), scene(28)], video(10)), ([scene(0), scene(28)], clip(20)), ([scene(0), scene(28), "v/cover.jpg"], None),
])  # fmt: skip
def test_head_and_tail_show_nothing_else_and_both(image, film):
    found = codes(HeadTail(10, 5), image=image, video=film)
    assert set(found) == {"evidence.wrong"}


def test_what_shows_a_missing_step_too_is_wrong():
    steps = [
        StepMedia(10, None, None, 0.0, 30.0),
        StepMedia(20, None, None, 4.0, 36.0),
        StepMedia(5, None, None, 30.0, 40.0),
    ]
    wanted, media = HeadTail(10, 5), Media(steps, SCENES)
    assert codes(wanted, media, image=[scene(0), scene(38)]) == []
    assert codes(wanted, media, image=[scene(0), scene(4), scene(38)]) == ["evidence.wrong"]


@pytest.mark.parametrize(("type", "image", "film", "fits"), [
    ("keyframe_single", [frame(10, END)], None, True), ("images_uniform_scene", [frame(10, END)], None, False),
    ("video_prefix", [frame(10, END)], None, False), ("video_clip", [frame(10, END)], None, False),
    ("keyframe_single", [frame(10, END), scene(0)], None, False), ("video_prefix", [frame(10, END), scene(0)], None, False),
    ("images_uniform_scene", [frame(10, END), scene(0)], None, True), ("video_prefix", [frame(10, END)], video(10), True),
    ("keyframe_single", [frame(10, END)], video(10), False), ("video_clip", [frame(10, END)], video(10), False),
    ("video_clip", [frame(10, END)], clip(10), True), ("video_prefix", [frame(10, END)], clip(10), False),
    ("keyframe", [frame(10, END)], None, False), ("", [frame(10, END)], video(10), False),
])  # fmt: skip
def test_the_type_fits_what_is_shown(type, image, film, fits):
    assert codes(Prefix(10), image=image, video=film, type=type) == ([] if fits else ["evidence.type"])


def test_a_video_clip_goes_with_the_step_that_is_asked_about():
    assert codes(KeyFrames(((20, START),)), image=[frame(20, START)], video=clip(20)) == []
    assert codes(KeyFrames(((20, START),)), image=[frame(20, START)], video=clip(10)) == ["evidence.wrong"]
    assert codes(HeadTail(10, 5), image=[scene(0), scene(28)], video=clip(10)) == []


def test_no_picture_is_no_evidence():
    assert codes(Prefix(10), image=[], video=video(10)) == ["evidence.empty"]
    assert codes(KeyFrames(((10, END),)), image=[]) == ["evidence.empty"]


def test_the_same_file_is_shown_once_however_it_is_written():
    assert codes(Prefix(10), image=[frame(10, END), frame(10, END)]) == ["evidence.duplicate"]
    image = [frame(10, END), f"/root/{frame(10, END)}"]
    assert codes(Prefix(10), image=image) == ["evidence.path", "evidence.duplicate"]


@pytest.mark.parametrize(
    "files", [[], [frame(10, END)], [frame(10, END), video(10), video(10)], [frame(10, START), video(10)]]
)
def test_evidence_files_are_picture_and_video_together(files):
    assert codes(Prefix(10), image=[frame(10, END)], video=video(10), files=files) == ["evidence.files"]


def test_evidence_files_may_come_in_any_order_or_be_missing():
    assert codes(Prefix(10), image=[frame(10, END)], video=video(10), files=[video(10), frame(10, END)]) == []
    assert said(Prefix(10), [frame(10, END)]) == []


@pytest.mark.parametrize("path", [
    "../" + frame(10, END), "v/../" + frame(10, END), "./" + frame(10, END), frame(10, END).replace("/", "//"), "",
    frame(10, END).replace("/", "\\"), frame(10, END) + "\0", "v/10_step/", "v/..", "C:/" + frame(10, END), "c:x.jpg",
    "https://example.org/" + frame(10, END), "file:///root/" + frame(10, END), "v/./10_step/a.jpg",
])  # fmt: skip
def test_a_path_that_is_not_plain_is_refused(path):
    assert codes(Prefix(10), image=[frame(10, END), path]) == ["evidence.path"]


def test_absolute_paths_lie_below_the_root_and_all_are_absolute():
    image = [f"/root/{frame(10, END)}", f"/root/{scene(0)}"]
    assert codes(Prefix(10), image=image, video=f"/root/{video(10)}") == []
    assert codes(Prefix(10), image=image, video=video(10)) == ["evidence.path"]
    assert codes(Prefix(10), image=[image[0], scene(0)]) == ["evidence.path"]
    for path in ("/etc/passwd", "/rootless/a.jpg", "/root/../root/a.jpg", "/root"):
        assert codes(Prefix(10), image=[image[0], path]) == ["evidence.path"]
    assert said(Prefix(10), [image[0], "/moved/a.jpg"]) == [
        "evidence.path: image[1] '/moved/a.jpg' is absolute and not below the input root; was the data set moved?"
    ]
    assert codes(Prefix(20), image=[f"/root/{frame(20, END)}", f"/root/{scene(20)}"]) == ["evidence.future"]


def test_files_that_do_not_exist_are_gone():
    wanted = KeyFrames(((10, END),))
    assert codes(wanted, image=[frame(10, END)], gone=(frame(10, END),)) == ["evidence.gone"]
    assert codes(Prefix(10), image=[frame(10, END)], video=video(10), gone=(video(10),)) == ["evidence.gone"]
    assert said(wanted, ["v/gone.jpg"]) == ["evidence.gone: image[0] 'v/gone.jpg' does not exist"]


def test_an_empty_picture_shows_nothing(tmp_path):
    place = write_item(tmp_path, "v", a_plan(a_step(1, "Boil water."), a_step(2, "Pour it.")))
    item = load_item(tmp_path, place)
    [end] = choose(KeyFrames(((1, END),)), item.media).image
    (tmp_path / end).write_bytes(b"")
    shown = ("keyframe_single", [end], None, None, KeyFrames(((1, END),)), item.plan, item.media, tmp_path)
    assert [str(each) for each in evidence_problems(*shown, exists=is_there)] == [
        f"evidence.gone: image[0] {end!r} is empty"
    ]
    assert end not in item_files(tmp_path, PurePosixPath("v")).files


def test_of_a_step_that_the_plan_does_not_have_only_paths_are_judged():
    assert codes(Prefix(99), image=["v/../a.jpg", scene(30), frame(7, END)]) == ["evidence.path"]


def test_messages_tell_where_and_why():
    assert said(Prefix(20), [frame(20, END), scene(20), frame(5, START)], type="images_uniform_scene") == [
        "evidence.future: image[1] 'v/stage1/sampled_frames/at_20.jpg' shows 20.0 s, but step 20 is over, or a later one begins, at 20.0 s",
        "evidence.future: image[2] 'v/05_step/frame_001_ts_1.00s.jpg' is of step 5, which comes after step 20",
    ]
    assert said(Prefix(20), [frame(10, END)], type="video_prefix") == [
        "evidence.wrong: the key frame at the end of step 20 is not shown",
        "evidence.type: 'video_prefix' does not fit what is shown: keyframe_single",
    ]


# On real files


@pytest.fixture
def item(tmp_path: Path) -> Item:
    place = write_item(tmp_path / "root", "v", a_plan(a_step(1, "Boil water."), a_step(2, "Pour it.")))
    return load_item(tmp_path / "root", place)


def checked(item: Item, root: Path, wanted: Wanted, image: list[str]) -> list[str]:
    shown = ("keyframe_single", image, None, None)
    return [p.code for p in evidence_problems(*shown, wanted, item.plan, item.media, root, exists=os.path.isfile)]


def test_a_link_that_leaves_the_root_is_refused_and_the_root_itself_may_be_one(item, tmp_path):
    root = tmp_path / "root"
    write_bytes(tmp_path / "away" / "a.jpg")
    (root / "v" / "a.jpg").symlink_to(tmp_path / "away" / "a.jpg")
    (root / "v" / "b").symlink_to(tmp_path / "away")
    (root / "v" / "c.jpg").symlink_to(root / "v" / "01_boil_water" / "frame_003_ts_0.50s.jpg")
    (tmp_path / "link").symlink_to(root)
    wanted = KeyFrames(((1, END),))
    end = "v/01_boil_water/frame_009_ts_9.50s.jpg"
    for base in (root, tmp_path / "link"):
        assert checked(item, base, wanted, [end]) == []
        assert checked(item, base, wanted, [str(base / end)]) == []
        assert checked(item, base, wanted, [str(root / end)]) == []
        for name in ("v/a.jpg", "v/b/a.jpg"):
            assert checked(item, base, wanted, [end, name]) == ["evidence.path"]
        assert checked(item, base, wanted, [end, "v/c.jpg"]) == ["evidence.wrong"]


def test_an_item_that_is_the_root_is_judged_alike(tmp_path):
    place = write_item(tmp_path, ".", a_plan(a_step(1, "Boil water."), a_step(2, "Pour it.")))
    item = load_item(tmp_path, place)
    chosen = choose(Prefix(1), item.media)
    assert chosen == Evidence(
        "video_prefix",
        [
            "01_boil_water/frame_009_ts_9.50s.jpg",
            "stage1/sampled_frames/sample_002_ts_2.50s.jpg",
            "stage1/sampled_frames/sample_003_ts_5.00s.jpg",
            "stage1/sampled_frames/sample_004_ts_7.50s.jpg",
        ],
        "cumulative_last_frame_segments/segment_start_to_step01_last.mp4",
    )
    film = "stage2/step_clips/step01_boil_water.mp4"
    for evidence_type, shown in (("video_prefix", chosen.video), ("video_clip", film)):
        found = evidence_problems(
            evidence_type, chosen.image, shown, None, Prefix(1), item.plan, item.media, tmp_path, exists=os.path.isfile
        )  # fmt: skip
        assert list(found) == []
