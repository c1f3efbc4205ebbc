"""Honest variations of good samples: as the format wants them, made by other hands; none may be blamed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cot.mutations.damage import Bench, of, written
from tests.cot.mutations.good import (
    Edit,
    Entry,
    Which,
    anchors,
    answer,
    answered,
    drop,
    everything,
    field,
    fields,
    goals,
    numbered,
    outcomes,
    put,
    reason,
    recoveries,
    say,
    shows,
)

G = goals()
LETTERS = "ABCDEFGH"


@dataclass(frozen=True)
class Honest:
    """A variation: what it does to a good sample, and how its file is written."""

    name: str
    do: Edit
    of: tuple[Which, ...]
    file: Callable[[Entry], str] = lambda sample: written(sample) + "\n"
    absolute: bool = False


def varied(honest: Honest, which: Which, bench: Bench) -> tuple[Path, Path]:
    """A small data set with one varied sample: its input root and its folder."""
    good = bench.good
    sample = good.pick(which)
    honest.do(sample)
    if honest.absolute:
        _make_absolute(sample, good.root)
    return good.root, bench.lay(which, honest.file(sample))


def _ordered(order: Callable[[list[str]], list[str]]) -> Edit:
    """Options in another order; letters and answer along with them."""

    def do(sample: Entry) -> None:
        told, old = fields(sample), answer(sample)
        options = order(list(told["options"]))
        right = [told["options"][LETTERS.index(c)] for c in told.get("label_set") or [told["label"]]]
        letters = sorted(LETTERS[options.index(each)] for each in right)
        told["options"] = options
        told["label_set" if "label_set" in told else "label"] = letters if "label_set" in told else letters[0]
        if ",".join(letters) != old:
            answered(",".join(letters))(sample)

    return do


def _concluded(edit: Edit) -> Edit:
    """The edit, and required sentences with nothing but a last one that names the answer that it leads to."""

    def do(sample: Entry) -> None:
        edit(sample)
        named = ", then ".join(step.rstrip(".") for step in fields(sample)["gold_next_k_step_goals"])
        required = " ".join(anchors(sample))
        reason(lambda _: f"{required} So what comes next is {named}.")(sample)

    return do


def _other_wrong(sample: Entry) -> None:
    """A wrong option becomes the text of a step that is not among the options yet."""
    told = fields(sample)
    pool = {38: outcomes(), 40: recoveries(), 42: goals()}[int(sample["meta"]["task_name"][5:7])]
    n = next(n for n in range(4) if LETTERS[n] != told["label"])
    told["options"][n] = next(each for each in pool if each not in told["options"])


def _k33(k: int, wrong: int) -> Edit:
    """The next k steps and so many others, in the plan's order."""

    def do(sample: Entry) -> None:
        at = sample["meta"]["step_index"]
        gold = G[at : at + k]
        others = [goal for goal in G if goal not in gold][:wrong]
        options = [goal for goal in G if goal in gold or goal in others]
        letters = [LETTERS[options.index(goal)] for goal in gold]
        fields(sample).update(K=k, gold_next_k_step_goals=gold, options=options, label_set=letters)
        if answer(sample) != ",".join(letters):
            answered(",".join(letters))(sample)

    return do


def _k34(k: int, order: Callable[[list[str]], list[str]]) -> Edit:
    def do(sample: Entry) -> None:
        at = sample["meta"]["step_index"]
        gold = G[at : at + k]
        fields(sample).update(K=k, gold_next_k_step_goals=gold, label=list(gold), presented_steps=order(gold))
        if answer(sample) != numbered(gold):
            answered(numbered(gold))(sample)

    return do


def _make_absolute(sample: Entry, root: Path) -> None:
    sample["image"] = [f"{root}/{each}" for each in sample["image"]]
    if "video" in sample:
        sample["video"] = f"{root}/{sample['video']}"
    meta = sample["meta"]
    meta["evidence_files"] = [f"{root}/{each}" for each in meta["evidence_files"]]
    meta["source_path"] = f"{root}/{meta['source_path']}"


def _fewer(images: int, video: bool, evidence_type: str) -> Edit:
    """A prefix with so many pictures, the key frame first."""

    def do(sample: Entry) -> None:
        film = sample.get("video") if video else None
        shows(*sample["image"][:images], video=film, evidence_type=evidence_type)(sample)

    return do


def _reversed_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _reversed_keys(each) for key, each in reversed(value.items())}
    return [_reversed_keys(each) for each in value] if isinstance(value, list) else value


def _backwards(sample: Entry) -> None:
    turned = _reversed_keys(sample)
    sample.clear()
    sample.update(turned)


def _text_support(sample: Entry) -> None:
    """The support as the format page has it: the fact alone."""
    support = fields(sample)["dependency_support"]
    fields(sample)["dependency_support"] = {kind: each and each["effect"] for kind, each in support.items()}


def _told(template: str) -> Edit:
    """Reasoning by another hand: ``{0}`` to ``{5}`` are the required sentences, ``{goal}`` is the next step's goal."""

    def do(sample: Entry) -> None:
        meta = sample["meta"]
        six, at = anchors(sample), meta["step_index"]
        texts = {"goal": G[at].rstrip("."), "now": G[at - 1].rstrip("."), "high": meta["fields"]["high_level_goal"]}
        texts["gold"] = G[at - 1] if meta["fields"].get("prefix_end_step") else answer(sample)
        reason(lambda _: template.format(*six, **texts))(sample)

    return do


NEXT = of(29, step=2)
SAME = of(31, 37, 39, step=2)
PREFIX = of(30, 35, 42, step=2)
GENERATED = {
    "type": "api_generate_v1",
    "api_base_url": "https://models.example.com/v1",
    "model_provider_id": "example",
    "model_name": "big-model-7b",
}

SHAPES = [
    Honest("options in reverse, labels along", _ordered(lambda old: old[::-1]), of(33, 38, 40, 42)),
    Honest("options turned by one, labels along", _ordered(lambda old: [*old[1:], old[0]]), of(33, 38, 40, 42)),
    Honest("options sorted, labels along", _ordered(sorted), of(33, 40, 42, item="wet_lab_dilution")),
    Honest("another wrong option of the plan", _other_wrong, of(40, 42)),
    Honest("K is 4 with two wrong options", _concluded(_k33(4, 2)), of(33, step=1)),
    Honest("K is 3 with three wrong options", _concluded(_k33(3, 3)), of(33, step=1)),
    Honest("K is 3 with two wrong options", _concluded(_k33(3, 2)), of(33, step=2)),
    Honest("K is 5 in reverse", _concluded(_k34(5, lambda gold: gold[::-1])), of(34, step=1)),
    Honest("K is 3, turned by one", _concluded(_k34(3, lambda gold: [*gold[1:], gold[0]])), of(34, step=2)),
    Honest("K is 4, the last two exchanged", _concluded(_k34(4, lambda gold: [*gold[:2], gold[3], gold[2]])), of(34, step=2)),
    Honest("the presented steps sorted by letter", field("presented_steps", sorted), of(34, step=2)),
    Honest("the generator is a server", put("meta.assistant_generator", GENERATED), of(28, 29, 35, 41)),
    Honest("the server is on this machine", put("meta.assistant_generator", {**GENERATED, "api_base_url": "http://localhost:8000/v1"}), of(29)),
    Honest("the server is told by its number", put("meta.assistant_generator", {**GENERATED, "api_base_url": "http://10.0.0.7:8000/v1"}), of(29)),
    Honest("the model's name has a slash", put("meta.assistant_generator", {**GENERATED, "model_name": "Qwen/Qwen3-8B"}), of(29)),
    Honest("another id of version 4", put("id", "6b6bb0dd-7e0c-4c1b-a0c9-0c9b7b7ad2e5"), of(29)),
    Honest("keys in another order", _backwards, of(28, 30, 35)),
    Honest("evidence_files is left out, as it may be", drop("meta.evidence_files"), of(29, 30)),
    Honest("evidence_files in another order, for it is a set", put("meta.evidence_files", lambda old: old[::-1]), of(28, 30)),
    Honest("the support is told as text", _text_support, of(28)),
    Honest("Task_36 without what the format page does not have", everything(drop("meta.fields.flaw_step"), drop("meta.fields.flaw_type"), drop("meta.fields.proof")), tuple(Which(36, flaw=each) for each in ("order_violation",))),
    Honest("Task_35 without its proof, which the format page does not have", drop("meta.fields.proof"), of(35)),
]  # fmt: skip

FILES = [
    Honest("all paths absolute", lambda _: None, of(*range(28, 43)), absolute=True),
    Honest("letters escaped", lambda _: None, of(29), lambda sample: json.dumps(sample, ensure_ascii=True) + "\n"),
    Honest("letters not escaped", lambda _: None, of(29), lambda sample: json.dumps(sample, ensure_ascii=False) + "\n"),
    Honest("slashes escaped", lambda _: None, of(29), lambda sample: json.dumps(sample).replace("/", "\\/") + "\n"),
    Honest("no spaces between keys", lambda _: None, of(29), lambda sample: json.dumps(sample, separators=(",", ":"))),
    Honest("many spaces between keys", lambda _: None, of(29), lambda sample: json.dumps(sample, separators=(" ,  ", " :  "))),
    Honest("no line break at the end", lambda _: None, of(29, 30), written),
    Honest("line ends of Windows", lambda _: None, of(29), lambda sample: written(sample) + "\r\n"),
    Honest("sorted keys", lambda _: None, of(31, 35), lambda sample: json.dumps(sample, sort_keys=True) + "\n"),
]  # fmt: skip

SHOWN = [
    Honest("a prefix with two scenes", _fewer(3, True, "video_prefix"), PREFIX),
    Honest("a prefix with one scene", _fewer(2, True, "video_prefix"), PREFIX),
    Honest("a prefix with its key frame and its video", _fewer(1, True, "video_prefix"), PREFIX),
    Honest("a prefix without its video", _fewer(4, False, "images_uniform_scene"), PREFIX),
    Honest("a prefix with one scene and no video", _fewer(2, False, "images_uniform_scene"), PREFIX),
    Honest("a prefix with its key frame alone", _fewer(1, False, "keyframe_single"), PREFIX),
    Honest("a prefix with earlier scenes", lambda each: shows(each["image"][0], *(f"bike_workshop_tube/stage1/sampled_frames/{name}" for name in ("sample_001_ts_0.00s.jpg", "sample_003_ts_2.40s.jpg")), video=each["video"])(each), PREFIX),
    Honest("two glimpses, of the beginning and the end", lambda each: shows(each["image"][0], each["image"][-1])(each), of(32, step=2)),
]  # fmt: skip

TELLINGS: Mapping[str, str] = {
    "plain": "{0} {1} {2} {3} {4} {5} Therefore {goal} is what comes next.",
    "with connecting words": "First of all, let us look at what has to be true. {0} In addition, something else is needed. {1} Once this is given, the result follows. {2} Moreover, there is a second result. {3} However, things do not always go well. {4} Fortunately, this can be dealt with. {5} All in all, it makes sense that the plan continues with “{goal}”.",
    "with questions": "What does the plan need at this point? {0} And what must the parts be able to do? {1} What will then be different? {2} {3} What could go wrong, and what would help? {4} {5} For these reasons, the right thing to do next is: {goal}.",
    "with long sentences": "Before anything else can happen, it is worth checking whether the scene is ready, because otherwise the action would be of no use. {0} {1} As soon as both of these hold, the action can be carried out, and afterwards we can expect the following. {2} {3} Of course, there is still some risk involved, which the plan itself mentions. {4} {5} Given all of the above, and since the goal has not been reached yet, the most reasonable continuation is to {goal}, exactly as planned.",
    "with dashes and brackets": "The preconditions come first – without them, nothing works. {0} {1} The effects (what we want) come second. {2} {3} Finally, the failure: it is likely enough to be prepared for it. {4} {5} This is the reason why the next action — and no other one — is {goal}.",
    "with quotation marks": 'With "{now}" behind us, the question is whether the next step can start. {0} {1} If so, we will see its result. {2} {3} Even so, we should keep one thing in mind. {4} {5} Hence "{goal}" follows directly after "{now}".',
    "with contractions": "We can't skip anything here, so let's check it. {0} {1} That's what makes it possible. {2} {3} It doesn't always work, though. {4} {5} So it's clear that the plan's next step can't be anything but this: {goal}.",
    "with words that only look like leaks": "At first glance, the picture is clear, and it is only a matter of time. {0} In the second place, there is this. {1} A moment later, the scene has changed. {2} The image that we get is the following one. {3} At the same time, we should think one step further. {4} {5} In the end, the video makes it plain: within a short time, the next thing to do is {goal}.",
    "with more words of that kind": "For the first time in this plan, both hands are needed. {0} {1} There are two sides to this, and the second one matters as well. {2} {3} Every so often, and/or when one is too fast, a step fails. {4} {5} One way or the other, the first thing to do now is {goal}, i.e. the step that the plan has next.",
    "about the steps by number words": "The first step has been done, and so has the second step. {0} {1} The third step will change this. {2} {3} {4} {5} So the third of the steps is next: {goal}.",
    "with the goal": "The overall goal is this: {high} To get there, the following has to hold. {0} {1} Then we get closer to the goal. {2} {3} One possible problem remains. {4} {5} Consequently, the plan moves on to the step {goal}.",
    "about the plan": "According to the plan, this step depends on two conditions. {0} The other condition is about what the part can do. {1} Both conditions are met, which means that the effects can be achieved. {2} {3} The plan also describes a typical failure and how to recover from it. {4} {5} After the recovery, the preconditions are restored, and the planned outcome can still be reached, which is why {goal} is the correct choice.",
    "in words of the seed": "{0} {1} {2} {3} {4} {5} This restores the preconditions and keeps the effects aligned so the planned outcome can still be achieved, and {goal} comes next.",
}  # fmt: skip

ADDED = (
    "This is important because it keeps the tire safe from damage.",
    "It is easy to see why this matters.",
    "Without it, the tube could not be pulled out, and all the work done before would have been useless.",
    "Note that the levers are no longer needed at this point.",
    "Once the tube has been removed, there is enough room for a new one.",
    "Nothing else has to be moved, lifted or held for this.",
    "Either way, the bead should not be forced too hard.",
    "If this does not work at once, it is best to stop, look again and try once more.",
    "Even though it takes a little longer, this is the safest way.",
    "By contrast, inflating the tire now would be too early.",
    "The wheel, the rim and the tire all stay where they are.",
    "Thus far everything has gone according to plan.",
    "It's not enough to press; one has to pull as well.",
    "The remaining steps are similar in this respect.",
    "This is a direct consequence of the previous action.",
    "Each of these conditions is necessary, and together they are sufficient.",
    "Only then does it become possible to reach the inner side of the tire.",
    "Whoever does this needs both hands.",
    "Here, the order is essential: removing comes before inserting.",
    "In the picture, the tire bead is visible next to the rim.",
    "The second lever is used together with the first one.",
    "As the video shows, the previous step is complete.",
    "It only takes a few seconds.",
    "There are several reasons for this, and the last one is the strongest.",
)

REASONINGS = [
    *(Honest(f"reasoning {name}", _told(text), NEXT) for name, text in TELLINGS.items()),
    Honest("reasoning about the step itself", _told("The step in question is {now}. {0} {1} {2} {3} {4} {5} This is how the matter stands after {now}: {gold}"), SAME),
    # By whoever is named: rules do not say them.
    *(
        Honest(f"said as well: {text}", everything(say(text), put("meta.assistant_generator", GENERATED)), of(31, step=2))
        for text in ADDED
    ),
]  # fmt: skip

HONEST = [*SHAPES, *FILES, *SHOWN, *REASONINGS]
