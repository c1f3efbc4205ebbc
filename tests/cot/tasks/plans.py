"""Small plans with little that is alike: TEA (seven steps), LAMP (two), ONE, TWICE (goals that come again), CHINESE."""

from __future__ import annotations

from random import Random

from operators.cot.plan import Affordance, CausalChain, Failure, Hotspot, Interaction, KeyFrame, Plan, Spatial, Step
from operators.cot.sample import stream_of
from operators.cot.tasks.task import Draft, Fields, Skipped, Stream, Task, common_problems, form_problems


def drafted(task: Task, plan: Plan, seed: int = 1) -> list[Draft]:
    return [made for made in task.drafts(plan, streams(task, seed)) if isinstance(made, Draft)]


def skipped(task: Task, plan: Plan, seed: int = 1) -> list[Skipped]:
    return [made for made in task.drafts(plan, streams(task, seed)) if isinstance(made, Skipped)]


def codes(task: Task, plan: Plan, step_index: int, fields: Fields) -> list[str]:
    """The codes of all that is wrong: with the form, or else with what the fields say."""
    found = list(form_problems(task, fields))
    if all(problem.level == "warning" for problem in found):
        found += [*common_problems(plan, fields), *task.problems(plan, step_index, fields)]
    return [problem.code for problem in found]


def streams(task: type[Task] | Task, seed: int = 1, source: str = "tea/causal_plan_with_keyframes.json") -> Stream:
    """The streams that the samples of an item get."""

    def stream(step_id: int, variant: str) -> Random:
        return stream_of(seed, source, task.name, step_id, variant)

    return stream


def on(relation: str, *objects: str, truth: bool = True) -> Spatial:
    return Spatial(relation, list(objects), truth)


def able(name: str, *types: str, reasons: str = "") -> Affordance:
    return Affordance(name, list(types), reasons)


def frames(start: str, end: str, *, tools: list[str], materials: list[str], chain: CausalChain) -> list[KeyFrame]:
    using = Interaction(tools, materials, Hotspot(f"where the {materials[0]} is held", "graspable", "by the hand"))
    return [KeyFrame(3, start, chain, using), KeyFrame(9, end, chain, using)]


def bare(*goals: str, goal: str = "Do it all.", first: int = 1) -> Plan:
    """A plan of goals alone, numbered from ``first``."""
    return Plan(goal, [Step(i, text) for i, text in enumerate(goals, first)])


def _tea_step(
    step_id: int,
    goal: str,
    action: str,
    *,
    before: list[Spatial],
    before_use: list[Affordance],
    after: list[Spatial],
    after_use: list[Affordance],
    failure: Failure,
    challenge: tuple[str, str],
    rationale: str,
    tools: list[str],
) -> Step:
    patient = after[0].objects[0]
    chain = CausalChain("person", action, patient, before, before_use, after, after_use)
    frames_ = frames(
        f"The person is about to {action.replace('_', ' ')}.",
        f"The person has done it: {action.replace('_', ' ')}.",
        tools=tools,
        materials=[patient],
        chain=chain,
    )
    return Step(step_id, goal, rationale, chain, *challenge, failure, frames_)


TEA = Plan(
    "Brew a pot of green tea and serve it in a cup.",
    [
        _tea_step(
            1,
            "Fill the kettle with water at the sink.",
            "fill",
            before=[on("under", "kettle", "tap")],
            before_use=[able("kettle", "fillable", "hollow", reasons="It is open at the top.")],
            after=[on("inside", "water", "kettle")],
            after_use=[able("kettle", "heatable", reasons="It holds water.")],
            failure=Failure("the kettle overflows", "Pour the surplus water back into the sink."),
            challenge=("What if the tap were shut off?", "The kettle would stay empty."),
            rationale="Water has to be in the kettle before it can be heated.",
            tools=["tap"],
        ),
        _tea_step(
            2,
            "Heat the kettle on the stove.",
            "heat",
            before=[on("on_top_of", "kettle", "stove"), on("inside", "water", "kettle")],
            before_use=[able("kettle", "heatable")],
            after=[on("above", "steam", "kettle")],
            after_use=[able("water", "hot")],
            failure=Failure("the flame goes out.", "Light the burner again with a match"),
            challenge=("What if the stove had no gas?", "The water would stay cold."),
            rationale="Green tea needs hot water.",
            tools=["stove"],
        ),
        _tea_step(
            3,
            "Measure green leaves into the teapot.",
            "measure",
            before=[on("next_to", "tin", "teapot"), on("covers", "lid", "teapot", truth=False)],
            before_use=[able("spoon", "scoopable")],
            after=[on("inside", "leaves", "teapot")],
            after_use=[able("leaves", "steepable")],
            failure=Failure("leaves spill on the table", "Sweep the spilled leaves up and measure fresh ones."),
            challenge=("What if the tin were empty?", "There would be no leaves to steep."),
            rationale="The leaves wait in the teapot for the water.",
            tools=["spoon"],
        ),
        _tea_step(
            4,
            "Pour hot water over the leaves.",
            "pour",
            before=[on("inside", "leaves", "teapot")],
            before_use=[able("water", "hot")],
            after=[on("inside", "water", "teapot"), on("covers", "water", "leaves")],
            after_use=[able("leaves", "steeping")],
            failure=Failure("water splashes over the rim", "Wipe the rim dry and pour more slowly."),
            challenge=("What if the water were lukewarm?", "The leaves would give little taste."),
            rationale="Hot water draws the taste out of the leaves.",
            tools=["kettle"],
        ),
        _tea_step(
            5,
            "Cover the teapot with its lid.",
            "cover",
            before=[on("covers", "lid", "teapot", truth=False)],
            before_use=[able("lid", "graspable")],
            after=[on("covers", "lid", "teapot")],
            after_use=[able("teapot", "insulated")],
            failure=Failure("the lid slips and cracks", "Lay a saucer on the teapot instead."),
            challenge=("What if there were no lid?", "The tea would cool while it steeps."),
            rationale="A covered pot keeps the heat while the leaves steep.",
            tools=["hand"],
        ),
        _tea_step(
            6,
            "Set a cup and a strainer on the tray.",
            "set",
            before=[on("on", "tray", "table")],
            before_use=[able("tray", "supportive")],
            after=[on("between", "strainer", "cup", "teapot")],
            after_use=[able("cup", "receptive")],
            failure=Failure("the cup tips over", "Stand the cup upright on the flat part of the tray."),
            challenge=("What if the strainer were torn?", "Leaves would float in the cup."),
            rationale="The strainer holds the leaves back.",
            tools=["hand"],
        ),
        _tea_step(
            7,
            "Serve the finished brew to the guest.",
            "serve",
            before=[on("between", "strainer", "cup", "teapot")],
            before_use=[able("cup", "receptive")],
            after=[on("inside", "brew", "cup")],
            after_use=[able("brew", "drinkable")],
            failure=Failure("the brew is too bitter", "Thin the brew with some fresh hot water."),
            challenge=("What if the guest had left?", "The brew would grow cold in the cup."),
            rationale="The guest drinks it while it is warm.",
            tools=["teapot"],
        ),
    ],
)  # fmt: skip

LAMP = Plan(
    "Read in the evening.",
    [
        Step(
            10,
            "Plug the lamp in.",
            causal_chain=CausalChain(
                causal_effect_on_spatial=[on("inserted_into", "plug", "socket")],
                causal_effect_on_affordance=[able("lamp", "powered")],
            ),
        ),
        Step(
            20,
            "Switch the lamp on.",
            causal_chain=CausalChain(
                causal_precondition_on_spatial=[on("inserted_into", "plug", "socket")],
                causal_precondition_on_affordance=[able("lamp", "powered")],
            ),
        ),
    ],
)

ONE = bare("Ring the bell.")

#: Steps 2 and 5 have the same goal, written in two ways; so have 3 and 4.
TWICE = bare("Open the box.", "Stir the paint.", "Wait a minute.", "Wait a minute", "stir  the paint", "Close the box.")

CHINESE = Plan(
    "泡一壶绿茶。",
    [
        Step(
            1,
            "把水倒进水壶。",
            "先有水,才能烧。",
            CausalChain(
                "人", "倒", "水", [on("在下面", "水壶", "水龙头")], [able("水壶", "可盛装")], [on("里面", "水", "水壶")]
            ),
            "如果没有水会怎样?",
            "水壶是空的。",
            Failure("水溢出来。", "把多余的水倒掉。"),
        ),
        Step(2, "点火烧开。", failure_reflecting=Failure("火灭了", "重新点火")),
        Step(3, "放入茶叶。"),
        Step(4, "盖好盖子。"),
        Step(5, "端给客人。"),
    ],
)
