"""The loopback model and judge of the other tests: good as told, bad as told, and fair."""

import json
import random
from pathlib import Path

import prompts
from operators.onevision.rewriting.replies import row_prompt
from tests.onevision import faults, sets
from tests.onevision.asked import asked
from tests.onevision.vlm import judge, vlm

TURN = "geoqa_zh_5031#1"


def body(system, user, picture=None):
    """A chat request as the client sends it."""
    from dataflow_ext.background import run_async
    from dataflow_ext.models.pictures import picture_urls

    parts = [{"type": "text", "text": user}]
    if picture is not None:
        [url] = run_async(picture_urls([str(picture)]))
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return {"messages": [{"role": "system", "content": system}, {"role": "user", "content": parts}]}


def rewriting(turn, **changes):
    truth = sets.turns()[turn]
    row = {
        "language": truth["language"],
        "question": sets.question(turn),
        "options": [],
        "image_formal_description": sets.pictures()[truth["image"]]["description"],
        "formal_code": None,
        "original_reasoning": "…",
        "answer": truth["answer"],
    }
    return body(prompts.OneVisionRewritePrompt().text, row_prompt(prompts.OneVisionRowPrompt(), {**row, **changes}))


def judged(turn, picture=None, **changes):
    truth = sets.turns()[turn]
    row = {
        "question": sets.question(turn),
        "options": "",
        "gold": truth["answer"],
        "description": sets.pictures()[truth["image"]]["description"],
        "reasoning": truth["think"],
        "final": truth["answer"],
    }
    text = prompts.OneVisionJudgedPrompt().fill(**{**row, **changes})
    path = sets.IMAGES / (picture or truth["image"])
    return json.loads(judge()(body(prompts.OneVisionJudgePrompt().text, text, path)))


def test_a_good_model_tells_the_truth_about_a_picture_and_a_row():
    model, truth = vlm(good=1.0), sets.pictures()["geoqa+/images/5031.png"]
    path = sets.IMAGES / "geoqa+/images/5031.png"
    seen = json.loads(model(body(prompts.OneVisionImagePrompt().text, "", path)))
    told = json.loads(model(body(prompts.OneVisionDescribePrompt().text, "Type: physics_setup", path)))
    assert (seen["image_type"], seen["objects"]) == (
        "physics_setup",
        ["table", "block M", "pulley", "string", "block m"],
    )
    assert told == {"description": truth["description"], "code": truth["code"]}
    assert model(rewriting(TURN)) == sets.turns()[TURN]["think"]
    assert model.used == {
        ("image", "geoqa+/images/5031.png", ""),
        ("describe", "geoqa+/images/5031.png", ""),
        ("rewrite", TURN, ""),
    }


def test_a_good_model_refuses_what_the_description_does_not_hold_and_answers_that_are_wrong():
    model = vlm(good=1.0)
    other = sets.pictures()["docvqa/documents/rzbj0037_9.png"]["description"]
    assert model(rewriting(TURN, image_formal_description=other)) == "INSUFFICIENT"
    assert model(rewriting(TURN, answer="D")) == "INSUFFICIENT"


def test_a_fifth_is_bad_in_every_known_way_and_the_same_for_a_seed():
    model = vlm(good=0.8, seed=3)
    pictures, rows = len(sets.pictures()), len(model.ways) - round(len(sets.pictures()) * 0.2)
    assert set(model.ways.values()) == {*faults.OF_IMAGE, *faults.OF_DESCRIPTION, *faults.OF_REWRITE}
    assert len(model.bad_pictures) == round(pictures * 0.2) - 1
    assert 0.15 < rows / len(sets.turns(good=True)) < 0.25
    assert vlm(good=0.8, seed=3).ways == model.ways != vlm(good=0.8, seed=4).ways


def test_bad_rewritings_differ_from_the_good_one():
    model = vlm(good=1.0)
    request = asked(rewriting(TURN))
    made = {way: faults.of_rewrite(way, TURN, request, random.Random(1)) for way in faults.OF_REWRITE}
    assert len(set(made.values())) == len(made)
    assert model(rewriting(TURN)) not in made.values()
    assert made["wrong end"].endswith("因此答案是 A。")


def test_a_judge_passes_good_rows():
    faulty = {turn: told["faults"] for turn in list(sets.turns(good=True))[::3] if (told := judged(turn))["faults"]}
    assert faulty == {}


def test_a_judge_sees_what_is_wrong_with_a_row():
    think = sets.turns()[TURN]["think"]
    cases = {
        "wrong_answer": {"final": "C", "gold": "C"},
        "wrong_picture": {"picture": "coco/train2017/000000123456.jpg"},
        "invented_object": {"reasoning": f"右上角有一只小企鹅。{think}"},
        "wrong_number": {"reasoning": think.replace("58.8", "68.8")},
        "gibberish": {"reasoning": think[::-1]},
        "other_language": {
            "reasoning": "As seen in the image, block m of 6 kg hangs on the string. So the answer is B."
        },
    }
    for fault, changes in cases.items():
        assert fault in judged(TURN, **changes)["faults"], fault
    assert judged(TURN, description="The image shows a cat on a sofa beside an old lamp.")["description"] == 0


def test_a_blind_solver_answers_what_the_picture_shows():
    system, path = prompts.OneVisionBlindPrompt().text, sets.IMAGES / sets.turns()[TURN]["image"]
    question = f"<row_question>\n{sets.question(TURN)}\n</row_question>"
    other = Path(sets.IMAGES / "misc/blank_1.png")
    assert judge()(body(system, question, path)).endswith("\nAnswer: B")
    assert judge()(body(system, question, other)).endswith("\nAnswer: unknown")
