"""Words, numbers and languages that a plan does not speak of are found; what follows from its words is not."""

import pytest

from operators.cot.plan import Affordance, CausalChain, Failure, Plan, Spatial, Step
from operators.cot.rules.language import language_problems
from operators.cot.rules.vocabulary import Vocabulary, vocabulary_of

CHAIN = CausalChain(
    agent="hands",
    action="turn the faucet handle to start the water flow",
    patient="metal_strainer",
    causal_precondition_on_spatial=[Spatial("placed_under", ["metal_strainer", "faucet"])],
    causal_precondition_on_affordance=[Affordance("faucet", ["operable"], "The handle moves freely.")],
    causal_effect_on_affordance=[Affordance("metal_strainer", ["clean"])],
)
PLAN = Plan(
    "Clean the colourful strainer",
    [
        Step(
            1,
            "Rinse the strainer under running water",
            "Food residue would harbor bacteria.",
            CHAIN,
            failure_reflecting=Failure("residue remains", "Soak it for 10 minutes in 2.5 liters of water."),
        ),
        Step(2, "Organize two dishes in the drying rack"),
    ],
)
KNOWN = vocabulary_of(PLAN)

# ruff: noqa: SIM905
INVENTED = """
hammer ladder screwdriver oven knife person man woman child cat table chair bucket towel sponge brush wrench drill tape glue soap detergent
vinegar oil salt flour apple carrot steel wood plastic kitchen garage garden workshop robot microwave container washer dryer cleaner
conditioner gloves tweezers scissors magnet battery camera thermometer gravity evaporation painting cutting frying nails finger
three seventeen 3 42 7.5 1,000 2.6 25 red blue chef neighbor university Amsterdam xylophone рука hammér ｈａｍｍｅｒ 🔨 锤子
""".split()

GENERAL = [
    "Because the precondition is satisfied, the next step can therefore be executed as planned.",
    "This outcome follows directly from the previous effects, which ensures that the goal remains achievable.",
    "If that failed, retrying the current step would restore what the plan requires before continuing.",
    "It's consistent with the plan; it doesn't contradict anything, and the plan's goal isn't affected.",
    "Option B is the most plausible choice, since the other options violate a prerequisite.",
    "The evidence in the image shows that the action has been completed.",
    "Only step 2 remains, so steps 1 and 2 are ordered correctly.",
    "FlawStep and FlawType follow from the missing precondition and the hallucinated object.",
    "The tool mismatch, the order violation and the goal mismatch are ruled out.",
]

FROM_THE_PLAN = [
    "The strainers are rinsed and cleaned under the faucets.",
    "Rinsing and soaking remove residues.",
    "The colorful strainer is clean.",
    "Organising the two dishes takes place in the rack.",
    "The 2 dishes dry.",
    "A re-rinsed strainer is unplaced.",
    "It soaks for ten minutes, a 10-minute soak.",
    "The liter of water flows.",
    "The water-rinsed metal strainer's handle works.",
    "THE METAL STRAINER IS CLEAN.",
    "The ｍｅｔａｌ strainer is clean.",
]


@pytest.mark.parametrize("word", INVENTED)
def test_an_invented_word_is_told(word: str) -> None:
    assert len(KNOWN.unknown(f"The strainer is clean because of the {word}, so the plan can continue.")) == 1


@pytest.mark.parametrize("sentence", GENERAL + FROM_THE_PLAN)
def test_general_words_and_forms_of_the_plans_words_are_known(sentence: str) -> None:
    assert KNOWN.unknown(sentence) == []


def test_unknown_words_come_once_and_in_their_order() -> None:
    assert KNOWN.unknown("The hammer, the hammer and the ladder use 3 nails.") == ["hammer", "ladder", "nails", "3"]


def test_words_of_the_answer_are_known() -> None:
    assert KNOWN.unknown("The hammers are wrong.", besides="Use a hammer.") == []


def test_a_number_after_step_has_to_be_a_steps() -> None:
    assert KNOWN.unknown("Step 1 is done, up to step_id 2.") == []
    assert KNOWN.unknown("Step 7 is done.") == ["7"]
    assert KNOWN.unknown("Step 1 has 1 strainer.") == ["1"]


def test_chinese_is_compared_by_pairs_of_letters() -> None:
    known = Vocabulary(["把杯子放在桌子上", "用水冲洗杯子"])
    assert known.unknown("因为杯子在桌子上，所以可以冲洗杯子。") == []
    assert known.unknown("用锤子冲洗杯子。") == ["用锤子冲洗杯子"]
    assert known.unknown("杯子在桌子下。") == ["桌子下"]


def test_a_vocabulary_is_made_once_for_a_plan() -> None:
    assert vocabulary_of(PLAN) is KNOWN
    assert vocabulary_of(Plan("Other", [])).unknown("strainer") == ["strainer"]


@pytest.mark.parametrize(
    "sentence",
    [
        "因为条件满足，所以可以继续。",
        "Поэтому шаг можно продолжить.",
        "لذلك يمكن المتابعة.",
        "したがって次のステップです。",
        "Donc le plan est dans la bonne étape.",
        "Deshalb ist der Plan nicht mit der Aufgabe fertig.",
        "Por eso el plan está en la etapa que se espera.",
        "Quindi il piano è nella fase che si deve fare.",
        "The plan is fine, weil das Wasser nicht fließt und die Bedingung stimmt.",
    ],
)
def test_another_language_than_the_plans_is_told(sentence: str) -> None:
    assert [each.code for each in language_problems(sentence, KNOWN.unknown(sentence), KNOWN)] == ["language.mixed"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The plan can die.",
        "The μ and Δ are given.",
        "A naïve plan in a café.",
        "The hammer and the ladder and the oven are there.",
    ],
)
def test_english_with_an_odd_word_is_still_english(sentence: str) -> None:
    assert language_problems(sentence, KNOWN.unknown(sentence), KNOWN) == []


def test_a_plan_in_another_language_may_be_spoken_of_in_it() -> None:
    known = Vocabulary(["Поставить чашку на стол", "杯子", "Poser la tasse sur la table avec le couvercle"])
    for sentence in ["чашку на стол.", "杯子。", "Poser la tasse avec le couvercle."]:
        assert language_problems(sentence, known.unknown(sentence), known) == []
