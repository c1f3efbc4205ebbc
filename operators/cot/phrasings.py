"""The sentences that connect a reasoning, in several phrasings; braces stand for the plan's words."""

from __future__ import annotations

from collections.abc import Mapping

#: What comes before the conditions of a step, and where its goal cannot be told.
STARTS = (
    "For {goal} to succeed, the scene has to be ready first.",
    "Consider what {goal} needs before it can begin.",
    "Whether {goal} can be done depends on what is already in place.",
    "Before {goal} can be carried out, some conditions have to hold.",
    "The step that matters here is {goal}, and it has its conditions.",
    "What has to be true before {goal} can start?",
    "To see how this goes on, look at {goal} and at what it requires.",
    "{goal} is not possible in just any situation.",
    "Let us begin with {goal} and with what it depends on.",
)
PLAIN_STARTS = (
    "First of all, the scene has to be ready before the action begins.",
    "Consider what has to be in place before the action.",
    "Some conditions have to hold before the step can be carried out.",
)
#: What comes before the effects of the same step (or nothing).
CHANGES = (
    "With this in place, the action can do its work.",
    "Once these conditions hold, the step changes the scene.",
    "When the step is carried out, its result can be seen.",
    "Then the action leads to its result.",
    "From there, the step brings about a change.",
    "Carrying out the step changes this.",
    "",
    "",
)
#: What comes before the effects of the step that goes before, and of any other one. What they are said to bring about
#: follows; nothing is said of the conditions before, which other steps may have to do with as well.
PREVIOUS_CHANGES = (
    "The step before it is {goal}, which leaves results of its own.",
    "Now look at the previous step, {goal}, and at what it leaves behind.",
    "Right before that, the plan has {goal}, and this step has its own results.",
    "The other step to look at is {goal}, with the results that it leaves.",
    "What comes before is {goal}, and it changes the scene as well.",
)
OTHER_CHANGES = (
    "Another step to look at is {goal}, with results of its own.",
    "Now look at {goal} as well, and at what it leaves behind.",
    "Beside this step, the plan has {goal}, which leaves its own results.",
    "The other step that matters is {goal}, because of what it brings about.",
)
#: What comes before the failure.
RISKS = (
    "Even so, the step may not go as planned.",
    "Even then the step can go wrong.",
    "The plan also has to allow for a failure.",
    "There is also a risk to consider.",
    "None of this is certain, however.",
    "Not every attempt succeeds, though.",
    "It also matters what could go wrong.",
)
#: What comes before the rationale, or nothing.
PURPOSES = (
    "What the step is for matters as well.",
    "The purpose of the step explains the rest.",
    "There is a good reason for this step.",
    "The plan has a reason for it.",
    "It also helps to know why the plan has this step.",
    "",
    "",
)

#: How a type of flaw is called.
FLAWS = {
    "tool_mismatch": "a tool mismatch",
    "order_violation": "an order violation",
    "precondition_missing": "a missing precondition",
    "hallucinated_object": "a hallucinated object",
    "goal_mismatch": "a goal mismatch",
}

#: What is wrong with a bad plan, by what is known of it: a type of flaw ("undone" for a step that undoes too early
#: what another one still needs), what somebody states without proof, or the first difference from gold.
FAULTS: Mapping[str, tuple[str, ...]] = {
    "precondition_missing": (
        "The bad plan has {bad} before {first}, although it requires {state}, which is only established later.",
        "In the bad plan, {bad} comes while {first} is still to be done, and so it lacks {state}, which it requires.",
        "{bad} requires {state}, but the bad plan puts it before {first}, which establishes this.",
        "What {bad} requires is {state}, and in the bad plan {first}, which establishes this, comes too late.",
    ),
    "order_violation": (
        "The bad plan has {bad} too early, for it must follow {first}, which leaves {state}.",
        "In the bad plan, {bad} does not wait for {first}, although it depends on {state}.",
        "The bad plan has the order wrong, as {bad} needs {state}, which only comes about with {first} later on.",
        "{first} leaves {state}, on which {bad} depends, and still the bad plan has the latter before the former.",
    ),
    "undone": (
        "The bad plan has {bad} too early, for it undoes {state}, which {first} still requires.",
        "In the bad plan, {bad} comes before {first} and undoes {state}, on which that step still depends.",
        "{first} still requires {state}, but the bad plan has {bad} before it, which undoes just this.",
    ),
    "tool_mismatch": (
        "Where {first} belongs, the bad plan has {bad}. {reason}",
        "The bad plan replaces {first} by {bad}, with a tool that does not suit the action. {reason}",
        "Instead of {first}, the bad plan says {bad}. {reason}",
    ),
    "hallucinated_object": (
        "Where {first} belongs, the bad plan has {bad}. {reason}",
        "The bad plan turns {first} into {bad}. {reason}",
        "Instead of {first}, the bad plan says {bad}. {reason}",
    ),
    "goal_mismatch": (
        "Where {first} belongs, the bad plan has {bad}, which changes nothing that a later step requires"
        " and does not serve the goal.",
        "At the point of {first}, the bad plan has {bad}, but no later step requires anything that this changes,"
        " and it does not serve the goal.",
        "{first} is what should come at this point, while the bad plan has {bad}, a step that neither serves the goal"
        " nor changes anything that a later step requires.",
    ),
    "stated": (
        "What is wrong with the bad plan is its step {bad}. {reason}",
        "In the bad plan, look at {bad}. {reason}",
    ),
    "different": (
        "The bad plan has {bad} where {first} belongs.",
        "In place of {first}, the bad plan says {bad}.",
    ),
    "unsaid": (
        "The bad plan does not respect this, and that is where its flaw lies.",
        "Compared with this, the flaw of the bad plan is clear.",
    ),
}

#: How one of several steps leads to the one after it.
LINKS = (
    "{first} has to come before {second}, because it leaves {state}.",
    "{second} needs what {first} leaves, which is {state}.",
    "One of these steps leads to the next, as {first} leaves {state}, which {second} requires.",
    "Here {second} depends on {first}, which leaves {state}.",
)
