"""AdaptiveSampler: attempts shared among all questions, more of them for those that are hard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.rejects import Failure
from dataflow_ext.rows import decoded, fitting, rows_in_flight
from operators.sampling.cot_sampler import CoTSampler
from operators.sampling.rates import Rule, rule_of
from operators.sampling.solver import Solver, question_of


class AdaptiveSampler(CoTSampler):
    """Attempts as CoTSampler makes them, ``mean`` a question over all questions.

    Each question gets three attempts. Those without two successes then get one more each, round by round, as long as
    the attempts that are left do for all of them, up to ``cap``: easy questions pay for hard ones. The rule is the
    same for all questions, so that the rate of each stays unbiased. Which cap was reached stands in ``outcome``.

    Reads:
        question_id, problem, earlier, choices, moves, pictures, gold: the question as QuestionReader makes it.

    Writes:
        attempt, shown, options_shown, expected, reply, finish_reason, reasoning, reasoning_source: as CoTSampler's.
        found, verdict, verdict_by, verdict_reason, judge_calls, judge_tokens, solver: as CoTSampler's.
        prompt_tokens, completion_tokens, seconds: as CoTSampler's.
        outcome: what all attempts at the question come to.

    Options:
        mean: attempts a question.
        policy: ``adaptive``.
        model, judge, cap, temperature, max_tokens, seed: as CoTSampler's.
        prompt, question_prompt, judge_prompt, judged_prompt: as CoTSampler's.

    Rejects:
        ModelError: a reply that did not come; all rows are done again by another run, from the replies that came.

    Example:
        >>> from dataflow_ext.models import ScriptedModel
        >>> from operators import QuestionReader
        >>> rows = QuestionReader()([{"question": f"What is {n} + {n}?", "answer": str(2 * n)} for n in (2, 3)])
        >>> model = ScriptedModel(lambda request: "\\\\boxed{4}")
        >>> attempts = AdaptiveSampler(model=model, mean=4)(rows)
        >>> [attempts["gold"].to_pylist().count(gold) for gold in ("4", "6")]
        [3, 5]
    """

    together: ClassVar[bool] = True

    policy: Literal["adaptive"] = "adaptive"
    cap: int = Field(default=16, ge=1, le=256)
    mean: float = Field(default=4.0, ge=1)

    def batch(self, table: pa.Table) -> Made:
        """Make attempts at all questions, round by round."""
        columns, wrong = decoded(table, self.needed_inputs())
        failures = [Failure.of(row, error) for row, error in wrong.items()]
        places = [row for row in range(table.num_rows) if row not in wrong]
        solvers = [self._solver_of(question_of({n: c[row] for n, c in columns.items()})) for row in places]
        progress.expect(len(solvers), "questions")
        rule, errors = run_async(self._rounds(solvers))
        progress.advance(len(solvers))
        records: list[dict[str, Any]] = []
        rows: list[int] = []
        for number, (row, solver) in enumerate(zip(places, solvers, strict=True)):
            if number in errors:
                failures.append(Failure.of(row, errors[number]))
                continue
            made = self._records_of(solver, rule)
            records += made
            rows += [row] * len(made)
        return fitting(records, rows, failures, self.outputs)

    async def _rounds(self, solvers: Sequence[Solver]) -> tuple[Rule, dict[int, Exception]]:
        """The rule that all attempts were made by in the end, and what went wrong with which question."""
        budget = int(self.mean * len(solvers))
        most = rule_of("adaptive", self.cap)
        errors: dict[int, Exception] = {}
        # Even less than three each, where the budget does not do for them.
        reached = max(1, min(most.least, int(self.mean)))
        while True:
            rule = rule_of("adaptive", reached)
            going = [n for n, each in enumerate(solvers) if n not in errors]
            results = zip(going, await self._all([solvers[n] for n in going], rule), strict=True)
            errors |= {n: result for n, result in results if isinstance(result, Exception)}
            spent = sum(len(each.records) for each in solvers)
            open_ones = sum(
                not most.stops(each.right + each.undecided, len(each.records))
                for n, each in enumerate(solvers)
                if n not in errors
            )
            if not open_ones or spent + open_ones > budget or reached >= self.cap:
                return rule, errors
            reached += 1

    async def _all(self, solvers: Sequence[Solver], rule: Rule) -> list[Exception | None]:
        return await map_async(lambda solver: solver.until(rule), solvers, rows_in_flight(self))
