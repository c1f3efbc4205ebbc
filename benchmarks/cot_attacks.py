"""How often the right option is found without understanding: `python benchmarks/cot_attacks.py [ROOT...] [--seeds 8]`.

Each ROOT holds annotated videos (default: `examples/causal_plans`). Of every task with one right letter among options,
the samples are made, letters balanced, and attacked by guesses that know nothing of the world:

* overlap: the option that shares the most words with the question, counted in five ways (all words, content words,
  their stems, their share of both texts, and with the step's and the plan's goal beside the question);
* style: the longest option, the shortest one, the one most like the other options, and a model (logistic, on lengths,
  stops, commas, capitals and small words, each against the mean of the four options) that learned on the other videos.

Ties are shared out: one of two equal options counts half. Prints JSON: for each task the number of questions, what
the plans gave no question for and why, the share that each attack answers (chance: a quarter), and the letters.
Leaves with code 1 if of 40 questions or more the question's words answer more than 35 %, or style more than 45 %.
"""

import argparse
import json
import math
import re
import sys
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import numpy as np

from dataflow_ext.text import stem
from pipelines.cot_planning import items, pipeline

TASKS = (38, 40, 42)
#: The most that a guess may answer, of so many questions or more.
MOST_BY_WORDS, MOST_BY_STYLE, ENOUGH = 0.35, 0.45, 40
SMALL = frozenset(
    "a an the and or but of to in on at by for with from into onto out off up down over under then than as if is are "  # noqa: SIM905 - as a text it can be read
    "was were be been has have had do does did not no it its this that these those would could will can may might "
    "should what which when while how so because before after until again all any some each more most less".split()
)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", type=Path, nargs="*", default=[Path("examples/causal_plans")], metavar="ROOT")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="draw the options so many times")
    args = parser.parse_args()
    questions, skipped = defaultdict(list), defaultdict(Counter)
    for root, seed in product(args.roots, range(args.seeds)):
        made, rejects = samples(root, seed)
        for task, question in made:
            questions[task].append(question)
        for task, why in rejects:
            skipped[task][why] += 1
    found = {task: {**attacked(of), "skipped": dict(skipped[task])} for task, of in sorted(questions.items())}
    print(json.dumps(found, indent=1))
    held = [
        max(share for name, share in each["overlap"].items() if name != "goals") <= MOST_BY_WORDS
        and max(each["style"].values()) <= MOST_BY_STYLE
        for each in found.values()
        if each["questions"] >= ENOUGH
    ]
    return 0 if all(held) else 1


def samples(root, seed):
    """Questions by task, and what there is none of."""
    table, rejects = items(root), []
    for step in pipeline(tasks=TASKS, seed=seed)[:3]:
        outcome = step.apply(table)
        table = outcome.table
        for reject in outcome.rejects.to_pylist():
            told = json.loads(reject["inputs"] or "{}") if isinstance(reject["inputs"], str) else {}
            rejects.append((told.get("task_name", "?"), reject["message"]))
    made = []
    for row in table.to_pylist():
        fields = json.loads(row["fields"])
        if len(fields.get("options", ())) == 4:
            right = "ABCD".index(fields["label"])
            goals = f"{fields.get('step_goal', '')} {fields['high_level_goal']}"
            made.append((row["task_name"], (row["source_path"], row["question"], fields["options"], right, goals)))
    return made, rejects


def attacked(questions):
    """What each attack answers of the questions."""
    learned = by_learned_style(questions)
    attacks = {name: [pick(*question[1:]) for question in questions] for name, pick in ATTACKS.items()}
    shares = {name: round(sum(each) / len(questions), 3) for name, each in attacks.items()}
    letters = Counter("ABCD"[right] for _, _, _, right, _ in questions)
    return {
        "questions": len(questions),
        "overlap": {name: shares[name] for name in OVERLAPS},
        "style": {**{name: shares[name] for name in STYLES}, "learned": round(learned, 3)},
        "letters": dict(sorted(letters.items())),
    }


def words(text):
    return re.findall(r"[^\W_]+", text.lower())


def content(text):
    return {word for word in words(text) if word not in SMALL}


def stems(text):
    return {stem(word) for word in content(text)}


def picked(scores, right):
    """How likely the right option is picked by the highest score."""
    best = max(scores)
    return (scores[right] == best) / scores.count(best)


def overlap(of, share=False, goals=False):
    def pick(question, options, right, about):
        asked = of(f"{question} {about}" if goals else question)
        scores = []
        for option in options:
            said = set(of(option))
            shared = len(said & set(asked))
            scores.append(shared / (len(said | set(asked)) or 1) if share else shared)
        return picked(scores, right)

    return pick


def by_length(sign):
    return lambda question, options, right, about: picked([sign * len(option) for option in options], right)


def by_likeness(question, options, right, about):
    """The option that shares most with the others."""
    said = [stems(option) for option in options]
    scores = [
        round(sum(len(one & other) / (len(one | other) or 1) for other in said if other is not one), 9) for one in said
    ]
    return picked(scores, right)


OVERLAPS = {
    "words": overlap(words),
    "content": overlap(content),
    "stems": overlap(stems),
    "share": overlap(stems, share=True),
    "goals": overlap(stems, goals=True),
}
STYLES = {"longest": by_length(1), "shortest": by_length(-1), "likest": by_likeness}
ATTACKS = {**OVERLAPS, **STYLES}


def features(option):
    said = words(option)
    ends = [sum(word.endswith(each) for word in said) for each in ("ing", "ly", "ed")]
    marks = [option.count(sign) for sign in (",", ";", ".", "-")]
    small = [said.count(word) for word in sorted(SMALL)]
    return [*small, *marks, *ends, len(option) / 20, len(said) / 4, option[:1].isupper(), option.endswith(".")]


def by_learned_style(questions):
    """What a logistic choice among four answers that learned on the other videos."""
    found = [np.array([features(option) for option in options], float) for _, _, options, _, _ in questions]
    found = [each - each.mean(axis=0) for each in found]
    solved = 0.0
    for video in {question[0] for question in questions}:
        learn = [i for i, question in enumerate(questions) if question[0] != video]
        weights = np.zeros(found[0].shape[1])
        for _ in range(300 if learn else 0):
            step = -0.05 * weights
            for i in learn:
                chances = np.exp(found[i] @ weights)
                chances /= chances.sum()
                step += (found[i][questions[i][3]] - chances @ found[i]) / len(learn)
            weights += 0.2 * step
        for i, question in enumerate(questions):
            if question[0] == video:
                scores = [round(float(each), 9) for each in found[i] @ weights]
                solved += picked(scores, question[3])
    return solved / (len(questions) or math.inf)


if __name__ == "__main__":
    sys.exit(main())
