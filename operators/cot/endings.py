"""The sentences with which a reasoning says why its answer holds, task by task, in several phrasings."""

from __future__ import annotations

from collections.abc import Mapping

from operators.cot.endings_after_recovery import AFTER_RECOVERY, Endings

#: By the task's number, and by the case where a task has several.
ENDINGS: Mapping[str, Endings] = {
    "28": Endings(
        (
            "Since {current} leaves {support}, {next} finds the condition that it needs.",
            "So {current} supports {next} directly, for it leaves {support}, on which the later step depends.",
            "What connects both steps is that {current} leaves {support}, and {next} requires this.",
            "{current} leaves {support}, and {next} has this among its conditions.",
            "Of what {next} requires, {current} establishes a part, as it leaves {support}.",
        ),
        (
            "So the outcome of the earlier step is a condition on which the later one depends.",
            "What the earlier step leaves behind is therefore what the later one needs before it can start.",
        ),
    ),
    "29": Endings(
        (
            "Since {current} has just been finished, the next planned action is {next}.",
            "With {current} done, the plan turns to {next}.",
            "That is why {next} directly follows {current}.",
            "{current} is finished, and the action that the plan has after it is {next}.",
            "So once {current} is over, the action to come is {next}.",
        ),
        (
            "That is why this step directly follows the one that has just been finished.",
            "Since the step before it has just been finished, this is the next planned action.",
        ),
    ),
    "30": Endings(
        (
            "What has been done until now ends with {current}, so the next goal is {next}.",
            "All steps up to {current} are done, and what the plan wants now is {next}.",
            "After {current}, the plan therefore goes on to {next}.",
            "The prefix ends with {current}, and the goal that follows it in the plan is {next}.",
            "With everything up to {current} completed, the goal to turn to is {next}.",
        ),
        (
            "The steps before it are done, so this is the next goal of the plan.",
            "That is the goal to which the plan goes on from here.",
        ),
    ),
    "31": Endings(
        (
            "What is shown ends with {current}, and {next} has not begun, so the plan is completed up to the former.",
            "The effects of {current} have been reached and {next} is still to come, so the plan is done up to there.",
            "Since {current} is done and {next} has not been started, the completed part ends there.",
            "{current} is the last step that is completed, for {next} is still to be done.",
        ),
        (
            "What is shown ends with this step, and the one after it has not begun, so the completed part ends there.",
            "Since this step is done and the following one has not been started, the completed part ends there.",
        ),
    ),
    "31 last": Endings(
        (
            "What is shown ends with {current}, the last goal of the plan, so all of it is completed.",
            "With {current} the plan reaches its end, and no step is left to do.",
            "Nothing follows {current} in the plan, so once it is done everything is completed.",
        ),
        (
            "What is shown ends with the last goal of the plan, so all of it is completed.",
            "With this step the plan reaches its end, and no other is left to do.",
        ),
    ),
    "32": Endings(
        (
            "To get from {head} to {tail}, the plan therefore goes through {middle}.",
            "Between {head} and {tail}, what is missing is {middle}.",
            "So what connects {head} with {tail} is {middle}.",
            "The plan begins with {head} and ends with {tail}, so what has to happen in between is {middle}.",
        ),
        (
            "That is why these steps are the ones missing between the beginning and the end.",
            "So these steps, in this order, connect the beginning with the end.",
        ),
    ),
    "33": Endings(
        (
            "So the steps that come next are {gold}, and not {wrong}.",
            "From here the plan goes on with {gold}, and not with {wrong}.",
            "The next steps of the plan are therefore {gold}; they do not include {wrong}.",
            "What the plan has next is {gold}, rather than {wrong}.",
        ),
        (
            "So these are the steps that come next, and the other options do not belong to them.",
            "From here the plan goes on with these steps, and not with the other options.",
        ),
    ),
    "34": Endings(
        (
            "From there the plan goes on in the order {order}.",
            "So the most plausible sequence is {order}.",
            "Put in order, the steps are {order}.",
            "The sequence that respects this is {order}.",
        ),
        (
            "From there the steps follow each other in the order of the plan.",
            "So this is the most plausible sequence.",
        ),
    ),
    "35": Endings(
        (
            "That makes {bad} the flawed step, and the flaw is {kind}.",
            "Therefore the flaw is {kind}, and it lies in {bad}.",
            "So {bad} is where the bad plan fails, and this is {kind}.",
            "This is {kind}, and the step to point out is {bad}.",
        ),
        (
            "So this step is the one to point out in the bad plan.",
            "That is the flaw which has to be pointed out.",
        ),
    ),
    "36": Endings(
        (
            "The corrected plan is therefore {order}.",
            "Without this flaw, the steps follow each other as {order}.",
            "Once this is put right, the sequence is {order}.",
            "So the flaw is gone once the sequence is {order}.",
        ),
        (
            "So the flaw is gone once the steps follow each other in the corrected order.",
            "That is why the corrected sequence repairs the plan.",
        ),
    ),
    "36 order": Endings(
        (
            "So {first} has to come before {bad}, and the repaired sequence is {order}.",
            "To repair this, {first} goes before {bad}, which gives {order}.",
            "With {first} before {bad} again, the plan is {order}.",
            "The repair is to let {bad} wait for {first}, and the sequence becomes {order}.",
        ),
        (
            "So the flaw is gone once the steps follow each other in the corrected order.",
            "That is why the corrected sequence repairs the plan.",
        ),
    ),
    "36 step": Endings(
        (
            "So {first} takes this place again, and the repaired sequence is {order}.",
            "To repair this, {first} is put back in its place, and the plan becomes {order}.",
            "With {first} instead of that step, the sequence is {order}.",
            "The repair is to do {first} at this point, so the corrected plan is {order}.",
        ),
        (
            "So the flaw is gone once the right step is back in its place.",
            "That is why the corrected sequence repairs the plan.",
        ),
    ),
    "37": Endings(
        (
            "{supposed} {outcome} This follows from what the step depends on.",
            "{supposed} The step cannot simply go on as planned then. {outcome}",
            "{supposed} Given what the step depends on, this is what to expect. {outcome}",
            "{supposed} This affects what the step depends on, and it has a consequence. {outcome}",
        ),
        (
            "Given what the step depends on, this is the outcome to be expected in the situation of the question.",
            "The situation in the question affects what the step depends on, and this outcome follows.",
        ),
    ),
    "38": Endings(
        (
            "{supposed} Among the outcomes offered, only {option} follows from what the step depends on.",
            "{supposed} Given what the step depends on, the most likely outcome is {option}.",
            "{supposed} This affects just this step, so what is to be expected is {option}.",
            "{supposed} The outcome that fits this step is {option}.",
        ),
        (
            "Given what the step depends on, this option is the most likely outcome.",
            "Among the outcomes offered, only this one follows from what the step depends on.",
        ),
    ),
    "39": Endings(
        (
            "Such a recovery answers the failure itself, and {goal} stays within reach.",
            "This is a plausible way to respond, as it deals with the failure and keeps {goal} within reach.",
            "That is how one can respond to this failure and still achieve {goal}.",
            "As this deals with the very failure in question, {goal} can still be completed.",
        ),
        (
            "Such a recovery answers the failure itself, and the step stays within reach.",
            "As this deals with the very failure in question, the step can still be completed.",
        ),
    ),
    "40": Endings(
        (
            "Of the strategies offered, {option} is the one that resolves the failure {reason}.",
            "The failure to be resolved is {reason}, and what resolves it is {option}.",
            "Only {option} answers the failure {reason}; the other strategies are meant for other failures.",
            "As the failure is {reason}, the strategy that deals with it best is {option}.",
        ),
        (
            "Of the strategies offered, this is the one that resolves the failure in question.",
            "Only this option answers the failure itself.",
        ),
    ),
    **AFTER_RECOVERY,
}
