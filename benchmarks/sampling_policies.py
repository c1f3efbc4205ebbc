"""Policies of sample_cot on questions of known rates: bias, calls, cover of the intervals, and what a bad judge does.

The operators themselves are run, with models that are functions in this process: a solver that is right with a
question's own rate, and a judge that is wrong, or unreadable, with a chance of its own.

    python benchmarks/sampling_policies.py                  20,000 questions a policy, some 10 minutes
    python benchmarks/sampling_policies.py --questions 2000
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import time
from hashlib import sha256

import pyarrow as pa

from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.models.prices import text_tokens
from operators import AdaptiveSampler, CoTSampler, QuestionReader
from operators.sampling.export import by_question, solved
from prompts import SampleQuestionPrompt, SampleSolvePrompt

_NUMBER = re.compile(r"Question (\d+)\.")
#: Answers that mean the same are worded in three ways: the same words are judged once.
_WAYS = ("by itself", "as it is told", "in any weather")
_ANSWERS = re.compile(r"<answer_\d>\n(.*?)\n</answer_\d>", re.DOTALL)


def chance(*parts: object) -> float:
    """A number from 0 to 1 that these decide, and nothing else."""
    return int.from_bytes(sha256(repr(parts).encode()).digest()[:7], "big") / 2**56


def rates(count: int, kind: str) -> list[float]:
    """The true rates of so many questions: even from 0 to 1, mostly at the ends, or all the same."""
    draw = random.Random(7)
    if kind == "even":
        return [draw.random() for _ in range(count)]
    if kind == "ends":
        return [draw.betavariate(0.4, 0.4) for _ in range(count)]
    return [float(kind)] * count


def asked(count: int) -> pa.Table:
    """Questions with numbers for answers, ready for a sampler."""
    rows = [{"question": f"Question {n}. What is {n} + 1?", "answer": str(n + 1)} for n in range(count)]
    return QuestionReader()(pa.Table.from_pylist(rows))


def solver(true: list[float]) -> ScriptedModel:
    """Right with the question's rate, attempt by attempt."""

    def reply(request: Request) -> str:
        number = int(_NUMBER.search(request.prompt)[1])
        right = chance("solver", number, request.seed) < true[number]
        return f"\\boxed{{{number + 1 if right else number + 2}}}"

    return ScriptedModel(reply, name="solver")


def policy(name: str, cap: int, count: int, kind: str) -> str:
    """A line of the table: bias of the rates, calls a question, and how many intervals hold the true rate."""
    true = rates(count, kind)
    began = time.perf_counter()
    options = {"model": solver(true), "cap": cap}
    sampler = AdaptiveSampler(mean=4, **options) if name == "adaptive" else CoTSampler(policy=name, **options)
    table = sampler(asked(count))
    by_gold = dict(zip(table["gold"].to_pylist(), table["outcome"].to_pylist(), strict=True))
    found = [(true[int(gold) - 1], outcome) for gold, outcome in by_gold.items()]
    seconds = time.perf_counter() - began
    calls = table.num_rows / count
    if found[0][1]["pass_rate"] is None:
        naive = sum(o["right"] / o["attempts"] - p for p, o in found) / count
        return f"| {name} | {cap} | {kind} | {calls:.2f} | none told (r/n: {naive:+.4f}) | – | {seconds:.0f} s |"
    bias = sum(outcome["pass_rate"] - p for p, outcome in found) / count
    held = sum(outcome["pass_low"] <= p <= outcome["pass_high"] for p, outcome in found) / count
    reached = found[0][1]["cap"]
    return f"| {name} | {reached} | {kind} | {calls:.2f} | {bias:+.4f} | {held:.2%} | {seconds:.0f} s |"


def judge_reply(wrong: float, unreadable: float, asked: list[str]) -> ScriptedModel:
    """A judge of answers "right-N" and "wrong-N", which are in words that rules cannot compare."""

    def reply(request: Request) -> str:
        asked.append(request.prompt)
        one = repr((request.prompt, request.seed, request.follow_up))
        if chance("unreadable", one) < unreadable:
            return "I think that they are much alike."
        truth = len({"wrong" in answer for answer in _ANSWERS.findall(request.prompt)}) == 1
        said = truth ^ (chance("judge", one) < wrong)
        return f'{{"reason": "as they read", "same": {str(said).lower()}}}'

    return ScriptedModel(reply, name="judge")


def judged(count: int, share: float, wrong: float, unreadable: float) -> tuple[str, int]:
    """A line of the second table, and the solver's calls; of a share of questions only a judge can tell the answers."""
    true = rates(count, "even")
    worded = [chance("worded", n) < share for n in range(count)]
    rows = [
        {
            "question": f"Question {n}. {'Why does it ring?' if worded[n] else f'What is {n} + 1?'}",
            "answer": f"a cause that is no wind, number {n}, of the bell tower" if worded[n] else str(n + 1),
        }
        for n in range(count)
    ]

    def reply(request: Request) -> str:
        number = int(_NUMBER.search(request.prompt)[1])
        right = chance("solver", number, request.seed) < true[number]
        if not worded[number]:
            return f"\\boxed{{{number + 1 if right else number + 2}}}"
        way = _WAYS[int(3 * chance("way", number, request.seed))]
        return f"\\boxed{{{f'something in the tower rings {way}' if right else f'wrong: a hand {way} rings it'}}}"

    prompts: list[str] = []
    sampler = CoTSampler(model=ScriptedModel(reply, name="solver"), judge=judge_reply(wrong, unreadable, prompts))
    table = sampler(QuestionReader()(pa.Table.from_pylist(rows)))
    chosen = [row for attempts in by_question(table.sort_by("question_id")) for row in solved(attempts, 2)]
    bad = sum(_is_wrong(row) for row in chosen)
    by_judge = [row for row in chosen if row["verdict_by"] == "judge"]
    bad_judged = sum(_is_wrong(row) for row in by_judge)
    line = (
        f"| {wrong:.0%} | {unreadable:.0%} | {table.num_rows} | {len(prompts)} | {len(prompts) / table.num_rows:.1%} | "
        f"{len(chosen)} | {bad / max(1, len(chosen)):.2%} | {bad_judged} of {len(by_judge)} |"
    )
    return line, table.num_rows


def _is_wrong(row: dict) -> bool:
    """Whether an attempt is none that the solver meant to be right."""
    return "wrong" in row["found"] or (row["found"].isdigit() and row["found"] != row["gold"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--only", choices=("policies", "judge"))
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    if args.only != "judge":
        policies(args.questions)
    if args.only != "policies":
        judges(args.questions // 4)
    template = text_tokens(SampleSolvePrompt().text)
    row = text_tokens(SampleQuestionPrompt().fill(earlier=[], problem="", options=[]))
    print(f"\ntokens of a plain row's prompt beside its question: {template + row} a call")


def policies(count: int) -> None:
    """The table of policies."""
    print(
        "| policy | cap | rates | calls a question | bias | intervals that hold | time |\n|---|---|---|---|---|---|---|"
    )
    for name, cap, kind in (
        ("fixed", 5, "even"),
        ("second", 5, "even"),
        ("second", 5, "ends"),
        ("second", 5, "0.3"),
        ("adaptive", 16, "even"),
        ("first", 5, "even"),
    ):
        print(policy(name, cap, count, kind), flush=True)


def judges(count: int) -> None:
    """The table of judges, from a good one to a bad one."""
    print("\n| judge wrong | unreadable | solver's calls | judge's calls | of attempts | SFT rows | wrong | by judge |")
    print("|---|---|---|---|---|---|---|---|")
    faults = ((0.0, 0.0), (0.0, 0.2), (0.05, 0.2))
    lines, calls = zip(*(judged(count, 0.2, *each) for each in faults), strict=True)
    print("\n".join(lines))
    print(f"\nsolver's calls that unreadable verdicts caused: {max(0, calls[1] - calls[0])}")


if __name__ == "__main__":
    main()
