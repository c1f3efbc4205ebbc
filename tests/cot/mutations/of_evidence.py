"""Damages to what a sample shows, and to the root that it was made from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cot.mutations.damage import ANY, Damage, entry, of
from tests.cot.mutations.good import BIKE, EXAMPLES, LAB, Edit, Entry, drop, put, shows

PLAN = f"{BIKE}/causal_plan_with_keyframes.json"


def _frames(item: str) -> list[tuple[str, str]]:
    """The start and the end frame of each step."""
    folders = sorted(each for each in (EXAMPLES / item).iterdir() if each.name[0] == "0")
    pairs = [sorted(file.relative_to(EXAMPLES).as_posix() for file in folder.glob("*.jpg")) for folder in folders]
    return [(start, end) for start, end in pairs]


F, LAB_F = _frames(BIKE), _frames(LAB)
START, END = 0, 1
SCENES = sorted(
    f"{BIKE}/stage1/sampled_frames/{file.name}" for file in (EXAMPLES / BIKE / "stage1" / "sampled_frames").iterdir()
)


def _video(step: int) -> str:
    return f"{BIKE}/cumulative_last_frame_segments/segment_start_to_step{step:02d}_last.mp4"


#: Where each step's clip ends, in seconds of the video.
ENDS = [
    json.loads(file.read_text("utf-8"))["clip_end_sec"] for file in sorted((EXAMPLES / BIKE).glob("0*/step_meta.json"))
]


def _scene(second: float) -> str:
    """The first scene picture from then on."""
    return next(path for path in SCENES if float(path.rpartition("_ts_")[2].removesuffix("s.jpg")) >= second)


CLIP = f"{BIKE}/stage2/step_clips/step02_pry_the_tire_bead_over_the_rim_with_two_levers.mp4"


def _images(edit: Callable[[list[str]], list[str]]) -> Edit:
    """Other pictures, ``evidence_files`` along with them."""

    def do(sample: Entry) -> None:
        shows(*edit(list(sample["image"])), video=sample.get("video"))(sample)

    return do


def _at(edit: Callable[[int, list[str]], list[str]]) -> Edit:
    """Other pictures, made from the number of the sample's step and the old ones."""
    return lambda sample: _images(lambda old: edit(sample["meta"]["step_index"], old))(sample)


def _path(name: str, edit: Callable[[str], str], code: str | tuple[str, ...] = "evidence.path") -> Damage:
    return entry(f"a picture's path {name}", code, _images(lambda old: [edit(old[0]), *old[1:]]), of(29, step=2))


def _shown(name: str, code: str | tuple[str, ...], edit: Any, where: Any, also: Any = frozenset()) -> Damage:
    return entry(name, code, edit if not isinstance(edit, list) else _images(lambda _: edit), where, also)


WRONG = frozenset({"evidence.wrong", "evidence.future", "evidence.type"})
LATE = ("evidence.future", "evidence.wrong")
PREFIX = (*of(30, step=2), *of(42, verdict="retry"))

PATHS = [
    _path("leaves the root", lambda old: f"../outside/{old}"),
    _path("leaves the root and comes back", lambda old: f"../root/{old}"),
    _path("leaves the root on its way", lambda old: f"{BIKE}/../../root/{old}"),
    _path("is absolute among relative ones", lambda old: str(EXAMPLES / old)),
    _path("is absolute and elsewhere", lambda _: "/etc/hostname"),
    _path("is an address", lambda old: f"https://example.com/{old}", ("evidence.path", "evidence.gone")),
    _path("begins with a stop", lambda old: f"./{old}"),
    _path("has two slashes", lambda old: old.replace("/", "//", 1)),
    _path("goes up and down within the root", lambda old: old.replace("/", "/stage1/../", 1)),
    _path("has backslashes", lambda old: old.replace("/", "\\"), ("evidence.path", "evidence.gone")),
    _path("is of Windows", lambda old: "C:\\" + old.replace("/", "\\"), ("evidence.path", "evidence.gone")),
    _path("has a NUL in it", lambda old: old.replace(".jpg", "\0.jpg"), ("evidence.path", "evidence.gone")),
    _path("is empty", lambda _: "", ("evidence.path", "evidence.gone", "schema.value")),
    _path("is of a file that is not there", lambda old: old.replace("frame_0", "frame_9"), "evidence.gone"),
    _path("is in capitals", lambda old: old.replace(".jpg", ".JPG"), "evidence.gone"),
    _path("ends with a space", lambda old: old + " ", "evidence.gone"),
    _path("is of a folder", lambda old: old.rpartition("/")[0], ("evidence.gone", "evidence.wrong")),
    _path("lacks its item", lambda old: old.partition("/")[2], "evidence.gone"),
    _path("has a very long name", lambda old: "x" * 5000 + old, ("evidence.gone", "evidence.path")),
    entry("the video's path leaves the root", "evidence.path", put("video", lambda old: "../x/" + old), of(30)),
    entry("the video is not there", "evidence.gone", put("video", _video(9)), of(30)),
    entry("source_path is absolute, the pictures are not", ("evidence.path", "source.path"), put("meta.source_path", lambda old: str(EXAMPLES / old)), of(29)),
]  # fmt: skip

LISTED = [
    entry("evidence_files lacks the last file", "evidence.files", put("meta.evidence_files", lambda old: old[:-1]), of(28, 30, step=2), set()),
    entry("evidence_files lacks the video", "evidence.files", put("meta.evidence_files", lambda old: [each for each in old if not each.endswith("mp4")]), of(30), set()),
    entry("evidence_files has a file more", "evidence.files", put("meta.evidence_files", lambda old: [*old, F[0][START]]), of(30, step=2), set()),
    entry("evidence_files has another file", "evidence.files", put("meta.evidence_files", lambda old: [F[3][END], *old[1:]]), of(30, step=2), set()),
    entry("evidence_files is empty", "evidence.files", put("meta.evidence_files", []), of(30, step=2), set()),
    entry("evidence_files is absolute, the rest is not", ("evidence.files", "evidence.path"), put("meta.evidence_files", lambda old: [str(EXAMPLES / each) for each in old]), of(29)),
    entry("the video is left out, evidence_files has it", "evidence.files", drop("video"), of(30)),
]  # fmt: skip

TYPED = [
    *(
        entry(f"evidence_type is {name} for {what}", "evidence.type", put("meta.evidence_type", name), where, set())
        for name, what, where in (
            ("video_prefix", "key frames", of(28, 37, step=2)),
            ("video_clip", "key frames", of(28, 37, step=2)),
            ("images_uniform_scene", "key frames", of(28, 37, step=2)),
            ("keyframe_single", "a prefix with a video", PREFIX),
            ("images_uniform_scene", "a prefix with a video", PREFIX),
            ("keyframe_single", "scenes", of(32)),
            ("video_prefix", "scenes", of(32)),
        )
    ),
    entry("evidence_type is video_prefix, and the video is left out", "evidence.type", lambda each: shows(*each["image"])(each), PREFIX, set()),
    entry("evidence_type is images_uniform_scene for a key frame alone", "evidence.type", lambda each: shows(each["image"][0], evidence_type="images_uniform_scene")(each), PREFIX, set()),
    entry("evidence_type is keyframe_single for scenes without a video", "evidence.type", lambda each: shows(*each["image"], evidence_type="keyframe_single")(each), PREFIX, set()),
]  # fmt: skip

SHOWN = [
    _shown("no picture is shown", "evidence.empty", [], of(29, 32), WRONG),
    _shown("no picture is shown beside the video", "evidence.empty", [], of(41), WRONG),
    _shown("a picture is shown twice", "evidence.duplicate", _images(lambda old: [*old, old[0]]), of(29, 30), WRONG),
    _shown("a picture is shown twice in two spellings", ("evidence.duplicate", "evidence.path"), _images(lambda old: [*old, f"./{old[0]}"]), of(29), WRONG),
    _shown("a scene is shown twice", "evidence.duplicate", _images(lambda old: [*old[:-1], old[-2]]), of(30, 32), WRONG),
    _shown("the frame is of the step before", "evidence.wrong", [F[0][END]], of(29, step=2)),
    _shown("the frame is the start of the step instead of its end", "evidence.wrong", [F[1][START]], of(29, step=2)),
    _shown("the frame is the end of the step instead of its start", "evidence.wrong", [F[1][END]], of(37, 40, step=2), {"evidence.future"}),
    _shown("the frame is of the next step", LATE, [F[2][START]], of(29, 37, step=2), WRONG),
    _shown("the frame is of another item", "evidence.wrong", [LAB_F[1][START]], of(39, step=2), {"evidence.path"}),
    _shown("the frame is a scene", "evidence.wrong", [SCENES[5]], of(29, 37, step=2), WRONG),
    _shown("the frame is the plan", "evidence.wrong", [PLAN], of(29, 37, step=2), WRONG),
    _shown("the frame is a video", "evidence.wrong", [_video(2)], of(29, 37, step=2), WRONG),
    _shown("a frame more is shown", "evidence.wrong", _images(lambda old: [*old, F[0][START]]), of(28, 38, step=2), WRONG),
    _shown("the first of two frames is missing", "evidence.wrong", [F[2][START]], of(28, step=2)),
    _shown("the second of two frames is missing", "evidence.wrong", [F[1][END]], of(28, step=2)),
    _shown("the two frames have each other's place", "evidence.wrong", [F[2][START], F[1][END]], of(28, step=2)),
    _shown("the second frame is the end of the next step", "evidence.wrong", [F[1][END], F[2][END]], of(28, step=2), WRONG),
    _shown("the second frame is of the step after the next", "evidence.wrong", [F[1][END], F[3][START]], of(28, step=2), WRONG),
    _shown("a video is shown beside a single frame", ("evidence.wrong", "evidence.type"), lambda each: shows(*each["image"], video=_video(2))(each), of(28, 37, step=2), WRONG),
    _shown("a video is shown beside a single frame, and the type is video_prefix", ("evidence.wrong", "evidence.type"), lambda each: shows(*each["image"], video=_video(2), evidence_type="video_prefix")(each), of(28, 37, step=2), WRONG),
    _shown("a video is shown beside the glimpses", ("evidence.wrong", "evidence.type", "evidence.future"), lambda each: shows(*each["image"], video=_video(6))(each), of(32, step=2), WRONG),
    _shown("a prefix shows the end of the next step", LATE, _at(lambda n, old: [F[n][END], *old[1:]]), PREFIX, WRONG),
    _shown("a prefix shows the start of the next step too", LATE, _at(lambda n, old: [*old[:3], F[n][START]]), PREFIX, WRONG),
    _shown("a prefix shows the end of the step before", "evidence.wrong", _at(lambda n, old: [F[n - 2][END], *old[1:]]), PREFIX),
    _shown("a prefix shows the start of its step", "evidence.wrong", _at(lambda n, old: [F[n - 1][START], *old[1:]]), PREFIX),
    _shown("a prefix lacks its key frame", "evidence.wrong", _images(lambda old: old[1:]), PREFIX),
    _shown("a prefix shows a scene from after its end", "evidence.future", _at(lambda n, old: [*old[:-1], _scene(ENDS[n])]), PREFIX),
    _shown("a prefix shows a scene from just after its end", "evidence.future", _at(lambda n, old: [*old[:-1], _scene(ENDS[n - 1] + 0.1)]), PREFIX),
    _shown("a prefix shows four scenes", "evidence.wrong", _images(lambda old: [*old, SCENES[0]]), PREFIX),
    _shown("a prefix shows a scene of another item", "evidence.wrong", _images(lambda old: [*old[:-1], f"{LAB}/stage1/sampled_frames/sample_003_ts_2.00s.jpg"]), PREFIX, {"evidence.path"}),
    _shown("a prefix shows the video of the next step", "evidence.future", lambda each: shows(*each["image"], video=_video(each["meta"]["step_index"] + 1))(each), PREFIX, {"evidence.wrong"}),
    _shown("a prefix shows the video of the step before", "evidence.wrong", lambda each: shows(*each["image"], video=_video(each["meta"]["step_index"] - 1 or 2))(each), PREFIX, {"evidence.future"}),
    _shown("a prefix shows the step's clip", ("evidence.wrong", "evidence.type"), lambda each: shows(*each["image"], video=CLIP)(each), PREFIX, WRONG),
    _shown("a prefix shows a picture as its video", "evidence.wrong", lambda each: shows(*each["image"], video=SCENES[0])(each), PREFIX, WRONG),
    _shown("a prefix shows its video among the pictures", "evidence.wrong", lambda each: shows(*each["image"][:3], each["video"], video=each["video"])(each), PREFIX, {"evidence.duplicate"}),
    _shown("the glimpses show the middle", LATE, _at(lambda n, old: [*old[:-1], _scene(ENDS[n] - 3)]), of(32, step=2), WRONG),
    _shown("the glimpses show the last missing step", LATE, _at(lambda n, old: [*old[:-2], _scene(ENDS[n + 1] - 3), old[-1]]), of(32, middle=2), WRONG),
    _shown("the glimpses show a key frame of a missing step", LATE, _at(lambda n, old: [*old[:-1], F[n][START]]), of(32, step=2), WRONG),
    _shown("the glimpses are of another item", "evidence.wrong", [f"{LAB}/stage1/sampled_frames/sample_003_ts_2.00s.jpg"], of(32, step=2), {"evidence.path"}),
    _shown("the glimpses show a step from before the head", "evidence.wrong", _images(lambda old: [SCENES[2], *old[1:]]), of(32, step=2), WRONG),
]  # fmt: skip


# The root: files are replaced, never written into, for they are links to the good ones


def _replace(path: Path, content: str | bytes) -> None:
    path.unlink()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def _json(path: Path, edit: Callable[[Any], object]) -> None:
    value = json.loads(path.read_text("utf-8"))
    edit(value)
    _replace(path, json.dumps(value, ensure_ascii=False))


def _root(name: str, code: str | tuple[str, ...], do: Callable[[Path, Entry], object], where: Any) -> Damage:
    return Damage(name, code, do, where, ANY, "root")


def _plan(name: str, code: str | tuple[str, ...], edit: Callable[[Any], object], where: Any) -> Damage:
    return _root(name, code, lambda root, _: _json(root / PLAN, edit), where)


def _text(name: str, edit: Callable[[bytes], bytes]) -> Damage:
    return _root(name, "source.plan", lambda root, _: _replace(root / PLAN, edit((root / PLAN).read_bytes())), of(29))


def _goal(plan: Any, at: int, text: str) -> None:
    plan["steps"][at]["step_goal"] = text


def _moved(plan: Any, one: int, other: int) -> None:
    steps = plan["steps"]
    steps[one], steps[other] = steps[other], steps[one]


def _linked_out(root: Path, sample: Entry) -> None:
    """The shown picture is a link to a file outside of the root."""
    outside = root.parent / "outside.jpg"
    outside.write_bytes((root / sample["image"][0]).read_bytes())
    (root / sample["image"][0]).unlink()
    (root / sample["image"][0]).symlink_to(outside)


def _as_folder(root: Path, sample: Entry) -> None:
    (root / sample["image"][0]).unlink()
    (root / sample["image"][0]).mkdir()


def _slower(manifest: Any) -> None:
    for frame in manifest["frames"]:
        frame["timestamp_sec"] *= 20


MANIFEST = f"{BIKE}/stage1/frame_manifest.json"
META = f"{BIKE}/02_pry_the_tire_bead_over_the_rim_with_two_levers/step_meta.json"

ROOTS = [
    _root("the plan is deleted", ("source.plan", "source.path"), lambda root, _: (root / PLAN).unlink(), of(29)),
    _text("the plan is cut off", lambda old: old[: len(old) // 2]),
    _text("the plan is empty", lambda _: b""),
    _text("the plan is an array", lambda old: b"[" + old + b"]"),
    _text("the plan is not UTF-8", lambda old: old.replace(b"tire", b"tir\xe9", 1)),
    _text("the plan has no steps", lambda _: b'{"high_level_goal": "Ride."}'),
    _plan("the plan has no step at all", ("source.plan", "step.unknown"), lambda plan: plan["steps"].clear(), of(29)),
    _plan("the goal was edited afterwards", "fields.plan", lambda plan: plan.update(high_level_goal="Repair the wheel."), of(33)),
    _plan("the next step's goal was edited afterwards", "fields.plan", lambda plan: _goal(plan, 2, "Take the old tube out of the tire."), of(28, 31, 34, step=2)),
    _plan("the step's goal was edited afterwards", "fields.plan", lambda plan: _goal(plan, 1, "Lever the tire bead over the rim."), of(37, step=2)),
    _plan("two steps were exchanged afterwards", "fields.plan", lambda plan: _moved(plan, 2, 3), of(30, 33, step=2)),
    _plan("the steps were numbered anew", "step.unknown", lambda plan: [step.update(step_id=step["step_id"] + 100) for step in plan["steps"]], of(31, step=2)),
    _plan("the step was removed", "step.unknown", lambda plan: plan["steps"].pop(1), of(31, step=2)),
    _plan("all that follows was removed", "step.unknown", lambda plan: plan["steps"].__delitem__(slice(2, None)), of(29, step=2)),
    _plan("a step was put in afterwards", "fields.plan", lambda plan: plan["steps"].insert(2, {**plan["steps"][0], "step_id": 77}), of(34, step=2)),
    _plan("the condition was edited afterwards", "anchor.missing", lambda plan: plan["steps"][2]["causal_chain"]["causal_precondition_on_spatial"][0].update(relation="stuck_in"), of(29, step=2)),
    _plan("the condition's truth was turned afterwards", "anchor.missing", lambda plan: plan["steps"][2]["causal_chain"]["causal_precondition_on_spatial"][0].update(truth=False), of(29, step=2)),
    _plan("the affordance was edited afterwards", "anchor.missing", lambda plan: plan["steps"][2]["causal_chain"]["causal_precondition_on_affordance"][0].update(affordance_types=["wide_open"]), of(29, step=2)),
    _plan("the effect was edited afterwards", "anchor.missing", lambda plan: plan["steps"][2]["causal_chain"]["causal_effect_on_spatial"][0].update(relation="near"), of(29, step=2)),
    _plan("the failure was edited afterwards", "anchor.missing", lambda plan: plan["steps"][2]["failure_reflecting"].update(reason="The tube tears."), of(29, step=2)),
    _plan("the recovery was edited afterwards", "anchor.missing", lambda plan: plan["steps"][2]["failure_reflecting"].update(recovery_strategy="Pull once more."), of(29, step=2)),
    _plan("a condition was put in front afterwards", "anchor.missing", lambda plan: plan["steps"][2]["causal_chain"]["causal_precondition_on_spatial"].insert(0, {"relation": "near", "objects": ["hands", "tire"], "truth": True}), of(29, step=2)),
    _plan("the supporting effect was removed afterwards", "fields.support", lambda plan: plan["steps"][1]["causal_chain"]["causal_effect_on_spatial"].clear(), of(28, step=2)),
    _plan("the supported condition was removed afterwards", "fields.support", lambda plan: plan["steps"][2]["causal_chain"]["causal_precondition_on_spatial"].pop(1), of(28, step=2)),
    _plan("the challenge was edited afterwards", "fields.plan", lambda plan: plan["steps"][1].update(counterfactual_challenge_question="What if no lever is available?"), of(38, step=2)),
    _plan("the outcome was edited afterwards", "fields.plan", lambda plan: plan["steps"][1].update(expected_challenge_outcome="Nothing would move."), of(38, step=2)),
    _plan("the recovery in the fields was edited afterwards", "fields.plan", lambda plan: plan["steps"][1]["failure_reflecting"].update(recovery_strategy="Pry again."), of(40, step=2)),
    _plan("the key frames' indices were edited afterwards", "evidence.wrong", lambda plan: [frame.update(frame_index=frame["frame_index"] + 1) for frame in plan["steps"][1]["critical_frames"]], of(29, step=2)),
    _plan("the key frames were removed from the plan", ("evidence.wrong", "source.plan"), lambda plan: plan["steps"][1].update(critical_frames=[]), of(29, step=2)),
    _root("the shown picture is deleted", "evidence.gone", lambda root, sample: (root / sample["image"][0]).unlink(), of(28, step=2)),
    _root("the shown scene is deleted", "evidence.gone", lambda root, sample: (root / sample["image"][-1]).unlink(), of(32, step=2)),
    _root("the shown video is deleted", "evidence.gone", lambda root, sample: (root / sample["video"]).unlink(), of(30, step=2)),
    _root("the shown picture is a folder", ("evidence.gone", "evidence.wrong"), _as_folder, of(29)),
    _root("the shown picture is a link to outside of the root", "evidence.path", _linked_out, of(29, step=2)),
    _root("the scenes' times are not known", LATE, lambda root, _: (root / MANIFEST).unlink(), of(30, 32, step=2)),
    _root("the scenes' manifest is broken", LATE, lambda root, _: _replace(root / MANIFEST, "{"), of(32, step=2)),
    _root("the scenes are later than they were", LATE, lambda root, _: _json(root / MANIFEST, _slower), of(31, step=2)),
    _root("the step's times are not known", ("evidence.wrong", "evidence.future"), lambda root, _: (root / META).unlink(), of(30, step=2)),
    _root("the step ends before the scenes", "evidence.future", lambda root, _: _json(root / META, lambda meta: meta.update(clip_start_sec=0.1, clip_end_sec=0.5)), of(30, step=2)),
]  # fmt: skip

DAMAGES = [*PATHS, *LISTED, *TYPED, *SHOWN, *ROOTS]
