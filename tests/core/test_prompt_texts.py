"""The built-in prompts say what their replies are read by."""

import pytest

import prompts

LANGUAGES = ("scene_graph", "csv", "html", "mermaid", "spice", "predicates", "latex", "text")
WANTED = {
    "QAExtractPrompt": ["You find the questions"],
    "GameNumbersPrompt": ["From LEFT to RIGHT"],
    "GameLightPrompt": ["GREEN, RED, or YELLOW"],
    "GameCardPrompt": ["0, 1, or 2"],
    "CurateReviewPrompt": ["You review one exercise of a textbook"],
    "SampleSolvePrompt": ["\\boxed{"],
    "SampleJudgePrompt": ['"same": true or false'],
    "CoTReasoningPrompt": ['{"reasoning": "the paragraph", "answer": "the gold answer"}'],
    "OneVisionImagePrompt": ["- physics_setup: "],
    "OneVisionDescribePrompt": [f"\n- {language}" for language in LANGUAGES],
    "OneVisionBlindPrompt": ["\nAnswer: …\n"],
    "OneVisionJudgePrompt": ["1. description:", "2. grounding:"],
    "SceneJudgePrompt": [f"0 to {most}:" for most in (40, 35, 15, 10)],
}


@pytest.mark.parametrize("name", WANTED)
def test_a_prompt_says_how_to_reply(name):
    text = getattr(prompts, name)().text
    assert [words for words in WANTED[name] if words not in text] == []


@pytest.mark.parametrize("name", ["QAExtractPrompt", "CurateReviewPrompt"])
def test_a_prompt_begins_with_what_it_is_about(name):
    assert getattr(prompts, name)().text.startswith(WANTED[name][0])


def test_a_rewrite_may_be_declined_and_a_picture_is_asked_about_without_any_place_to_fill():
    assert prompts.OneVisionRewritePrompt().text.splitlines()[-1] == "INSUFFICIENT"
    assert "{{" not in prompts.OneVisionImagePrompt().text
