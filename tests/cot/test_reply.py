"""What a model's reply holds, in each form in which models write it."""

import json

import pytest

from operators.cot.asking import Said, read_reply

SAID = Said("The cup is clean. So it can be used.", "B")
PLAIN = json.dumps({"reasoning": SAID.reasoning, "answer": SAID.answer})
WHOLE = f"<think>{SAID.reasoning}</think>\n{SAID.answer}\n"
IN_ONE = json.dumps({"assistant_text": WHOLE})
OTHER = json.dumps({"reasoning": "A draft.", "answer": "C"})

SAME = {
    "plain": PLAIN,
    "spread out": json.dumps(json.loads(PLAIN), indent=2),
    "byte order mark": "\ufeff" + PLAIN,
    "fenced": f"```json\n{PLAIN}\n```",
    "amid chatter": f"Sure, here it is:\n{PLAIN}\nAnything else?",
    "trailing comma": PLAIN[:-1] + ",}",
    "more keys": json.dumps({**json.loads(PLAIN), "confidence": 1}),
    "draft before": f"{OTHER}\nBetter:\n{PLAIN}",
    "thoughts before": f"<think>They want {{JSON}}.</think>\n{PLAIN}",
    "thoughts with a draft before": f"<think>Perhaps {OTHER}</think>{PLAIN}",
    "thoughts whose opening the server swallowed": f"They want JSON, perhaps {OTHER}.\n</think>\n\n{PLAIN}",
    "thoughts before a fence": f"<THINKING>Hm.</THINKING>\n```json\n{PLAIN}\n```",
    "in one text": IN_ONE,
    "in one text, fenced": f"```json\n{IN_ONE}\n```",
    "in one text, amid chatter": f"Here: {IN_ONE}",
    "in one text, behind thoughts": f"<think>Hm.</think>{IN_ONE}",
    "in one text, behind swallowed thoughts": f"Hm.</think>\n```\n{IN_ONE}\n```",
    "no JSON": WHOLE,
    "no JSON, fenced": f"```\n{WHOLE}```",
    "no JSON, behind thoughts": f"<think>They want no JSON.</think>\n{WHOLE}",
    "no JSON, behind chatter": f"Sure!\n{WHOLE}",
    "no JSON, behind chatter with braces": f"Sure, {{here}} it is:\n{WHOLE}",
    "no JSON, fenced behind chatter": f"Sure!\n```xml\n{WHOLE}```\nAnything else?",
    "no JSON, behind chatter and thoughts": f"Sure!\n<think>They want\nno JSON.</think>\n{WHOLE}",
    "no JSON, behind swallowed thoughts": f"They want no JSON.</think>\n{WHOLE}",
    "over several lines": "Sure!\n<think>\nThe cup is clean. So it can be used.\n</think>\n\nB\n",
    "other capitals": json.dumps({"Reasoning": SAID.reasoning, "ANSWER": SAID.answer}),
    "in one text, other capitals": json.dumps({"Assistant_Text": WHOLE}),
    "a remark behind": f"{PLAIN}\nI hope that helps!",
    "a closing tag within the reasoning": json.dumps({"reasoning": f"{SAID.reasoning}</think>", "answer": "B"}),
    "tags within the reasoning": json.dumps({"reasoning": f"<think>{SAID.reasoning}</think>", "answer": "B"}),
}

NEITHER = (
    'the reply holds no JSON object {"reasoning": "...", "answer": "..."}, and no <think>reasoning</think> with the '
    "answer behind it"
)
UNREADABLE = {
    "": NEITHER,
    "The answer is B.": NEITHER,
    "Thoughts.</think> B": NEITHER,
    "[1, 2]": NEITHER,
    '{"reasoning": "The cup is clean."}': NEITHER,
    '{"reasoning": ["The cup"], "answer": "B"}': NEITHER,
    '{"reasoning": "The cup is clean.", "answer": true}': NEITHER,
    '{"assistant_text": "The cup is clean. B"}': NEITHER,
    PLAIN[:30]: "the reply is cut off, its JSON has no end",
    f"<think>Hm.</think>{PLAIN[:30]}": "the reply is cut off, its JSON has no end",
    "Sure!\n<think>The cup is": "the reply is cut off within its reasoning",
    "<think>The cup is": "the reply is cut off within its reasoning",
    '{"reasoning": " ", "answer": "B"}': "the reply has no reasoning",
    '{"reasoning": "The cup is clean.", "answer": ""}': "the reply has no answer",
    "<think>The cup is clean.</think>\n": "the reply has no answer",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_a_reply_is_read_in_whichever_form_it_comes(text: str) -> None:
    assert read_reply(text) == SAID


@pytest.mark.parametrize(("text", "why"), UNREADABLE.items(), ids=range(len(UNREADABLE)))
def test_a_reply_that_cannot_be_read_says_why(text: str, why: str) -> None:
    with pytest.raises(ValueError) as error:
        read_reply(text)
    assert str(error.value) == why


def test_what_is_said_behind_an_answer_without_json_is_part_of_it() -> None:
    assert read_reply(f"{WHOLE}I hope that helps!").answer == "B\nI hope that helps!"


def test_an_answer_may_be_a_number_or_a_list_of_lines() -> None:
    assert read_reply('{"reasoning": "It ends here.", "answer": 3}').answer == "3"
    assert read_reply('{"reasoning": "They follow.", "answer": ["1) Go.", "2) Stay."]}').answer == "1) Go.\n2) Stay."


def test_braces_in_an_answer_without_json_are_its_own() -> None:
    assert read_reply("<think>It fits {so}.</think>Close {it}.") == Said("It fits {so}.", "Close {it}.")
