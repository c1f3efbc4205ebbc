"""The sentences that connect a reasoning and conclude it, in several phrasings; braces stand for the plan's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrasings:
    """Phrasings with the plan's words, and those to take where these cannot be used."""

    told: tuple[str, ...]
    plain: tuple[str, ...]


#: What comes before the conditions of a step, and where its goal cannot be told.
STARTS = (
    "For {goal} to succeed, the scene has to be ready first.",
    "Consider what {goal} needs before it can begin.",
    "Whether {goal} can be done depends on what is already in place.",
    "Before {goal} can be carried out, some conditions have to hold.",
    "The step that matters here is {goal}, and it has its conditions.",
)
PLAIN_STARTS = (
    "First of all, the scene has to be ready before the action begins.",
    "Consider what has to be in place before the action.",
    "Some conditions have to hold before the step can be carried out.",
)
#: What comes before the effects of the same step (or nothing), and of another one.
CHANGES = (
    "With this in place, the action can do its work.",
    "Once these conditions hold, the step changes the scene.",
    "When the step is carried out, its result can be seen.",
    "Then the action leads to its result.",
    "",
)
OTHER_CHANGES = (
    "What prepares this is {goal}.",
    "It is {goal} that brings the scene into this state.",
    "This is where {goal} comes in.",
)
#: What comes before the failure.
RISKS = (
    "Even so, the step may not go as planned.",
    "Even then the step can go wrong.",
    "The plan also has to allow for a failure.",
    "There is also a risk to consider.",
)
#: What comes before the rationale, or nothing.
PURPOSES = (
    "What the step is for matters as well.",
    "The purpose of the step explains the rest.",
    "There is a good reason for this step.",
    "The plan has a reason for it.",
    "",
    "",
)

#: How a type of flaw is said.
FLAWS = {
    "tool_mismatch": "the tool does not suit the action",
    "order_violation": "the order is wrong",
    "precondition_missing": "a condition is missing",
    "hallucinated_object": "an object appears that is not part of the plan",
    "goal_mismatch": "the step does not serve the goal",
}

#: Why an answer holds: by the task's number, and by the case where a task has several.
CONCLUSIONS: Mapping[str, Phrasings] = {
    "28": Phrasings(
        (
            "Since {current} leaves {support}, {next} finds the condition that it needs.",
            "So {current} supports {next} directly: it leaves {support}, and this is what the later step depends on.",
            "What connects both steps is that {current} leaves {support}, and without this {next} could not start.",
        ),
        (
            "So the outcome of the earlier step is the very condition on which the later one depends.",
            "What the earlier step leaves behind is therefore what the later one needs before it can start.",
        ),
    ),
    "29": Phrasings(
        (
            "Since {current} has just been finished, the next planned action is {next}.",
            "With {current} done, the plan turns to {next}.",
            "That is why {next} directly follows {current}.",
        ),
        (
            "That is why this step directly follows the one that has just been finished.",
            "Since the step before it has just been finished, this is the next planned action.",
        ),
    ),
    "30": Phrasings(
        (
            "What has been done until now ends with {current}, so the next goal is {next}.",
            "All steps up to {current} are done, and what the plan wants now is {next}.",
            "After {current}, the plan therefore goes on to {next}.",
        ),
        (
            "The steps before it are done, so this is the next goal of the plan.",
            "That is the goal to which the plan goes on from here.",
        ),
    ),
    "31": Phrasings(
        (
            "What is shown ends with {current}, and {next} has not begun, so the plan is completed up to the former.",
            "The effects of {current} have been reached and {next} is still to come, so the plan is done up to there.",
            "Since {current} is done and {next} has not been started, the completed part ends there.",
        ),
        (
            "What is shown ends with this step, and the one after it has not begun, so the completed part ends there.",
            "Since this step is done and the following one has not been started, the completed part ends there.",
        ),
    ),
    "31 last": Phrasings(
        (
            "What is shown ends with {current}, the last goal of the plan, so all of it is completed.",
            "With {current} the plan reaches its end, and no step is left to do.",
        ),
        (
            "What is shown ends with the last goal of the plan, so all of it is completed.",
            "With this step the plan reaches its end, and no other is left to do.",
        ),
    ),
    "32": Phrasings(
        (
            "To get from {head} to {tail}, the plan therefore goes through {middle}.",
            "Between {head} and {tail}, what is missing is {middle}.",
            "So what connects {head} with {tail} is {middle}.",
        ),
        (
            "That is why these steps are the ones missing between the beginning and the end.",
            "So these steps, in this order, connect the beginning with the end.",
        ),
    ),
    "33": Phrasings(
        (
            "So the steps that come next are {gold}, and not {wrong}.",
            "From here the plan goes on with {gold}, and not with {wrong}.",
            "The next steps of the plan are therefore {gold}; they do not include {wrong}.",
        ),
        (
            "So these are the steps that come next, and the other options do not belong to them.",
            "From here the plan goes on with these steps, and not with the other options.",
        ),
    ),
    "34": Phrasings(
        (
            "From there the plan goes on in the order {order}.",
            "So the most plausible sequence is {order}.",
            "With this as the beginning, the steps follow each other as {order}.",
        ),
        (
            "From there the steps follow each other in the order of the plan.",
            "So this is the most plausible sequence.",
        ),
    ),
    "35": Phrasings(
        (
            "The bad plan does not respect this at {step}, where {kind}. {reason}",
            "Compared with this, {step} is where the bad plan fails: {kind}. {reason}",
            "This is why the flaw lies in {step}, where {kind}. {reason}",
        ),
        (
            "The bad plan does not respect this, and that is where its flaw lies.",
            "Compared with this, the flaw of the bad plan is clear.",
        ),
    ),
    "36": Phrasings(
        (
            "The corrected plan is therefore {order}.",
            "To repair the plan, its steps have to follow each other as {order}.",
            "So the flaw is gone once the sequence is {order}.",
        ),
        (
            "So the flaw is gone once the steps follow each other in the corrected order.",
            "That is why the corrected sequence repairs the plan.",
        ),
    ),
    "37": Phrasings(
        (
            "{supposed} {outcome} This follows from what the step depends on.",
            "{supposed} The step cannot simply go on as planned then. {outcome}",
            "{supposed} Given what the step depends on, this is what to expect. {outcome}",
        ),
        (
            "Given what the step depends on, this is the outcome to be expected in the situation of the question.",
            "The situation in the question affects what the step depends on, and this outcome follows.",
        ),
    ),
    "38": Phrasings(
        (
            "{supposed} Among the outcomes offered, only {option} follows from what the step depends on.",
            "{supposed} Given what the step depends on, the most likely outcome is {option}.",
            "{supposed} This affects just this step, so what is to be expected is {option}.",
        ),
        (
            "Given what the step depends on, this option is the most likely outcome.",
            "Among the outcomes offered, only this one follows from what the step depends on.",
        ),
    ),
    "39": Phrasings(
        (
            "This removes the cause of the failure, so that {goal} can still be achieved.",
            "Such a recovery answers the failure itself, and {goal} stays within reach.",
            "With the cause of the failure out of the way, {goal} can be completed after all.",
        ),
        (
            "This removes the cause of the failure, so that the step can still be completed.",
            "With the cause of the failure out of the way, the step can be completed after all.",
        ),
    ),
    "40": Phrasings(
        (
            "Of the strategies offered, {option} is the one that resolves the failure {reason}.",
            "The failure to be resolved is {reason}, and what resolves it is {option}.",
            "Only {option} answers the failure {reason}; the other strategies are meant for other failures.",
        ),
        (
            "Of the strategies offered, this is the one that resolves the failure in question.",
            "Only this option answers the failure itself.",
        ),
    ),
    "41 retry_current_step": Phrasings(
        (
            "This makes {current} possible again without completing it, so the step has to be retried before {next}.",
            "After that, the effects of {current} are still missing, so the step is to be tried again before {next}.",
            "The recovery only prepares {current} again, and {next} has to wait until the step has been retried.",
        ),
        (
            "This makes the step possible again, but it does not complete it, so the step has to be retried.",
            "After that, the effects of the step are still missing, so it is to be tried again.",
        ),
    ),
    "41 continue_next_step": Phrasings(
        (
            "This already brings {current} to its result, so there is no need to retry it and {next} can follow.",
            "After that, the effects of {current} have been reached, so the plan continues with {next}.",
            "The recovery itself completes {current}, and {next} can follow.",
        ),
        (
            "This already brings the step to its result, so the plan can continue.",
            "After that, the effects of the step have been reached, so the plan continues.",
        ),
    ),
    "42 retry": Phrasings(
        (
            "The recovery prepares the step but does not complete it, so what comes next is {gold} once more.",
            "After that, the effects of the step are still missing, so the most appropriate next step is {gold} again.",
        ),
        (
            "The recovery prepares the step but does not complete it, so it has to be done once more.",
            "After that, the effects of the step are still missing, so it is to be tried again.",
        ),
    ),
    "42 continue": Phrasings(
        (
            "The recovery brings {current} to its result, so the most appropriate next step is {gold}.",
            "After that, {current} is done in full, and {gold} comes next.",
        ),
        (
            "The recovery brings the step to its result, so the plan goes on with the following one.",
            "After that, the step is done in full, and the following one comes next.",
        ),
    ),
}
