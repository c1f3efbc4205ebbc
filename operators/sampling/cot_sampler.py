"""CoTSampler: attempts at each question, a row each, with verdicts and the question's rate."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from dataflow_ext import OptionError, Prompt, RowOperator
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model
from operators.sampling.choices import guess_rate
from operators.sampling.rates import Outcome, Policy, Rule, outcome_of, rule_of
from operators.sampling.solver import Judge, Question, Solver
from operators.verify.answer import Option, Sameness
from prompts import SampleJudgedPrompt, SampleJudgePrompt, SampleQuestionPrompt, SampleSolvePrompt


class CoTSampler(RowOperator):
    """A row for each attempt of ``model`` at a question, whether it is right, and the question's rate of success.

    Policies: ``fixed`` makes ``cap`` attempts; ``first`` and ``second`` stop at the first and at the second success,
    ``cap`` at most. All but ``first`` tell an unbiased rate with exact bounds. Answers are compared by what they mean;
    a ``judge`` decides where that leaves it open, and has to accept twice. A choice question's options stand in
    another order in each attempt. What is shown to the solver never has the gold answer in it, as such.

    Reads:
        question_id, problem, earlier, choices, moves, pictures, gold: the question as QuestionReader makes it.

    Writes:
        attempt: its number, from 0.
        shown, options_shown, expected: what the solver was shown, and the gold answer in the letters shown.
        reply, finish_reason: what it said, and how that ended.
        reasoning, reasoning_source: what it thought, and where that stood (a field of the server's, ``think`` tags).
        found: the answer in the reply.
        verdict, verdict_by, verdict_reason: whether it is right, by whom (``rules``, ``end`` of the reply, or the
            judge's name), and why.
        judge_calls, judge_tokens: what the judge was asked for it.
        solver, prompt_tokens, completion_tokens, seconds: who, what it took, and how long when it was asked first.
        outcome: what all attempts at the question come to.

    Options:
        model, judge: whom to ask.
        policy, cap: when to stop.
        temperature: of attempts; None leaves it to the model.
        max_tokens: of a reply.
        seed: of the first attempt; each has the next.
        prompt, question_prompt: what a solver is told, and how a question is shown.
        judge_prompt, judged_prompt: the same for a judge.

    Rejects:
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> from dataflow_ext.models import ScriptedModel
        >>> from operators import QuestionReader
        >>> rows = QuestionReader()([{"question": "What is 2 + 2?", "answer": "4"}])
        >>> model = ScriptedModel(lambda request: ["\\\\boxed{4}", "\\\\boxed{5}"][request.seed % 2])
        >>> CoTSampler(model=model, cap=3)(rows).select(["attempt", "found", "verdict"]).to_pylist()[1:]
        [{'attempt': 1, 'found': '5', 'verdict': 'no'}, {'attempt': 2, 'found': '4', 'verdict': 'yes'}]
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {
        "question_id": str,
        "problem": str,
        "earlier": list[str],
        "choices": list[Option],
        "moves": bool,
        "pictures": list[str],
        "gold": str,
    }
    outputs: ClassVar[Columns] = {
        "attempt": int,
        "shown": str,
        "options_shown": list[Option],
        "expected": str,
        "reply": str,
        "reasoning": str,
        "reasoning_source": str,
        "finish_reason": str,
        "found": str | None,
        "verdict": Sameness,
        "verdict_by": str,
        "verdict_reason": str,
        "judge_calls": int,
        "judge_tokens": int,
        "solver": str,
        "prompt_tokens": int,
        "completion_tokens": int,
        "seconds": float,
        "outcome": Outcome,
    }
    record: ClassVar[tuple[str, ...]] = tuple(outputs)

    keep: tuple[str, ...] = ("question_id", "problem", "earlier", "choices", "pictures", "gold")
    model: Model
    judge: Model | None = None
    policy: Policy = "second"
    cap: int = Field(default=5, ge=1, le=256)
    temperature: float | None = Field(default=0.7, ge=0)
    max_tokens: int | None = Field(default=None, gt=0)
    seed: int = 0
    prompt: Prompt = SampleSolvePrompt()
    question_prompt: Prompt = SampleQuestionPrompt()
    judge_prompt: Prompt = SampleJudgePrompt()
    judged_prompt: Prompt = SampleJudgedPrompt()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.policy == "adaptive" and not self.together:
            raise OptionError("CoTSampler: the policy adaptive is that of AdaptiveSampler, which sees all questions.")

    async def row(
        self,
        question_id: str,
        problem: str,
        earlier: list[str],
        choices: list[Option],
        moves: bool,
        pictures: list[str],
        gold: str,
    ) -> list[dict[str, Any]]:
        """Make attempts until the policy says enough."""
        solver = self._solver_of(Question(problem, earlier, choices, moves, pictures, gold))
        rule = rule_of(self.policy, self.cap)
        await solver.until(rule)
        return self._records_of(solver, rule)

    def _solver_of(self, question: Question) -> Solver:
        """The attempts at a question, of which none is made yet."""
        judge = None
        if self.judge is not None:
            judge = Judge(self.judge, self.judge_prompt, self.judged_prompt, question.problem, self.seed)
        return Solver(
            self.model, question, self.prompt, self.question_prompt, judge, self.seed, self.temperature, self.max_tokens
        )

    def _records_of(self, solver: Solver, rule: Rule) -> list[dict[str, Any]]:
        """The attempts' records, each with what all come to under the rule by which they were stopped."""
        guess = guess_rate(solver.question.gold, solver.question.choices)
        outcome = outcome_of(self.policy, rule, len(solver.records), solver.right, solver.undecided, guess)
        return [{**record, "outcome": outcome} for record in solver.records]
