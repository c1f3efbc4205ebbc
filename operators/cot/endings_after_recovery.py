"""Why the step comes again after a recovery, or the next one: sentences for each way in which the recovery tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Endings:
    """Phrasings with the plan's words in place of the braces, and those to take where these cannot be used."""

    told: tuple[str, ...]
    plain: tuple[str, ...]


_NO_OUTCOME = (
    "The recovery does not tell that the outcome of the step is reached, so the current step comes again.",
    "After that, it is the current step that has to be carried out again before the plan goes on.",
)
_OUTCOME = (
    "After that, nothing of the step is left to be done, so the plan goes on with the following one.",
    "The recovery does not stop at the current step, so there is no need to retry it.",
)

#: By the task's number and what the recovery does: it orders the work anew, or makes the step ready for it; it brings
#: the step's outcome about, or goes on with the next step. "retry" and "continue" are true of every such recovery.
AFTER_RECOVERY: Mapping[str, Endings] = {
    "41 anew": Endings(
        (
            "The recovery goes back to the work of {current}, so this step is to be retried before {next}.",
            "What the recovery asks for is the work of {current} once more, so {next} has to wait.",
            "This takes up {current} again without telling that it succeeds, so this step comes before {next}.",
            "With this, {current} is attempted once more, which is a retry of the current step and not yet {next}.",
        ),
        _NO_OUTCOME,
    ),
    "41 ready": Endings(
        (
            "This makes {current} possible again and does not tell that its outcome is reached, so the step has to be"
            " retried before {next}.",
            "The recovery puts things right for {current}, which is then to be tried again before {next}.",
            "With this, {current} can be tried again under better conditions, and {next} has to wait for it.",
            "After that, {current} can be attempted again, and {next} has to wait until it has succeeded.",
        ),
        _NO_OUTCOME,
    ),
    "41 retry": Endings(
        (
            "The recovery goes back to {current}, or makes it possible again, so this step comes again before {next}.",
            "Nothing in the recovery tells that {current} has reached its outcome, so it comes again before {next}.",
        ),
        _NO_OUTCOME,
    ),
    "41 done": Endings(
        (
            "The recovery itself brings {current} to its outcome, so {next} can follow without a retry.",
            "After that, the outcome of {current} has been reached, so the plan continues with {next}.",
            "The recovery completes {current} on its own, and what remains for the plan is to go on with {next}.",
            "With this, {current} gets done after all, so the plan moves on to {next}.",
        ),
        _OUTCOME,
    ),
    "41 on": Endings(
        (
            "The recovery does not stop at {current} but goes on with the plan, where {next} follows.",
            "As the recovery itself leads on from {current} to what comes after it, the plan continues with {next}.",
            "This ends with the plan going on, so {current} is not to be retried and {next} comes next.",
        ),
        _OUTCOME,
    ),
    "41 continue": Endings(
        (
            "After that, nothing of {current} is left to be done, so the plan continues with {next}.",
            "With this recovery there is no need to retry {current}, and {next} can follow.",
        ),
        _OUTCOME,
    ),
    "42 anew": Endings(
        (
            "The recovery goes back to the work of the same step, so what comes next is {gold} once more.",
            "What the recovery asks for is this step once more, so the most appropriate next step is {gold} again.",
            "This takes up the step again without telling that its outcome is reached, so {gold} is what to do next.",
        ),
        _NO_OUTCOME,
    ),
    "42 ready": Endings(
        (
            "The recovery makes the step possible again, so what comes next is {gold} once more.",
            "This lets the step be tried again under better conditions, so the next step to take is {gold}.",
            "This puts things right for another attempt and does not tell that the outcome is reached, so the plan"
            " goes back to {gold}.",
        ),
        _NO_OUTCOME,
    ),
    "42 retry": Endings(
        (
            "The recovery goes back to the step, or makes it possible again, so what comes next is {gold} once more.",
            "Nothing in the recovery tells that the step has reached its outcome, so {gold} is to be done again.",
        ),
        _NO_OUTCOME,
    ),
    "42 done": Endings(
        (
            "The recovery brings {current} to its outcome, so the most appropriate next step is {gold}.",
            "After that, the outcome of {current} has been reached, and {gold} comes next.",
            "With this, {current} gets done after all, so the plan moves on to {gold}.",
        ),
        _OUTCOME,
    ),
    "42 on": Endings(
        (
            "The recovery does not stop at {current} but goes on with the plan, so the next step is {gold}.",
            "As the recovery itself leads on from {current} to what comes after it, {gold} comes next.",
        ),
        _OUTCOME,
    ),
    "42 continue": Endings(
        (
            "After that, nothing of {current} is left to be done, so the most appropriate next step is {gold}.",
            "With this recovery there is no need to retry {current}, and {gold} comes next.",
        ),
        _OUTCOME,
    ),
}
