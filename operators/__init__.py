"""All operators, by the names that pipelines use."""

from __future__ import annotations

from pkgutil import extend_path
from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names

if TYPE_CHECKING:
    from operators.cot.anchor_validator import AnchorValidator
    from operators.cot.anchor_writer import AnchorWriter
    from operators.cot.generator import CoTGenerator
    from operators.cot.letter_balancer import LetterBalancer
    from operators.cot.plan_reader import CoTPlanReader
    from operators.cot.reader import CoTReader
    from operators.cot.sample_builder import CoTSampleBuilder
    from operators.cot.writer import CoTWriter
    from operators.curate.blank_restorer import BlankRestorer
    from operators.curate.book_question_reader import BookQuestionReader
    from operators.curate.decontaminate import Decontaminate
    from operators.curate.near_duplicates import NearDuplicates
    from operators.curate.qa_filter import QAFilter
    from operators.curate.question_reviewer import QuestionReviewer
    from operators.curate.question_typer import QuestionTyper
    from operators.curate.short_answer_extractor import ShortAnswerExtractor
    from operators.curate.sub_question_splitter import SubQuestionSplitter
    from operators.curate.text_cleaner import TextCleaner
    from operators.game.card_finder import CorrectCardFinder
    from operators.game.easyr1_writer import EasyR1Writer
    from operators.game.episode_memory import EpisodeMemory
    from operators.game.episode_reader import EpisodeReader
    from operators.game.light_reader import LightColorReader
    from operators.game.number_extractor import OCRNumberExtractor
    from operators.game.problem_builder import ProblemBuilder
    from operators.game.round_checker import RoundChecker
    from operators.onevision.answer_extractor import AnswerExtractor
    from operators.onevision.blind_solver import BlindSolver
    from operators.onevision.cot_rewriter import CoTRewriter
    from operators.onevision.formal_describer import FormalDescriber
    from operators.onevision.grounding_checks import GroundingChecks
    from operators.onevision.image_normalizer import ImageNormalizer
    from operators.onevision.image_text_reader import ImageTextReader
    from operators.onevision.image_type_classifier import ImageTypeClassifier
    from operators.onevision.llava_cot_reader import LLaVACoTReader
    from operators.onevision.object_detector import ObjectDetector
    from operators.onevision.onevision_writer import OneVisionWriter
    from operators.onevision.quality_judge import QualityJudge
    from operators.onevision.verdict_gate import VerdictGate
    from operators.pdf.document_reader import DocumentReader
    from operators.pdf.generator import ChunkedPromptedGenerator
    from operators.pdf.hybrid import HybridGenerator
    from operators.pdf.mineru_input import MinerU2LLMInput
    from operators.pdf.output_parser import LLMOutputParser
    from operators.pdf.qa_merger import QA_Merger
    from operators.pdf.rules_model import PDFRules
    from operators.sampling.adaptive_sampler import AdaptiveSampler
    from operators.sampling.cot_sampler import CoTSampler
    from operators.sampling.question_reader import QuestionReader
    from operators.sampling.sample_writer import SampleWriter
    from operators.scene.chain_judge import ChainJudge
    from operators.scene.chain_validator import ChainValidator
    from operators.scene.conversation_reader import ConversationReader
    from operators.scene.cot_generator import SceneCoTGenerator
    from operators.scene.instruction_writer import InstructionWriter
    from operators.scene.reverse_editor import SceneReverseEditor
    from operators.scene.scene_filter import SceneFilter
    from operators.scene.scene_reader import SceneReader
    from operators.scene.scene_renderer import SceneRenderer
    from operators.scene.scene_repair import SceneRepair
    from operators.scene.scene_writer import SceneWriter
    from operators.scene.top_k_chains import TopKChains
    from operators.scene.wording_judge import WordingJudge
    from operators.table.ask_model import AskModel
    from operators.table.join import Join
    from operators.table.limit import Limit
    from operators.table.top_k import TopK
    from operators.table.train_test_split import TrainTestSplit
    from operators.verify.answer_equivalence import AnswerEquivalence

__path__ = extend_path(__path__, __name__)  # a folder of this name elsewhere on the path is imported from too

_HOME = {
    "AnchorValidator": "operators.cot.anchor_validator",
    "AnchorWriter": "operators.cot.anchor_writer",
    "CoTGenerator": "operators.cot.generator",
    "LetterBalancer": "operators.cot.letter_balancer",
    "CoTPlanReader": "operators.cot.plan_reader",
    "CoTReader": "operators.cot.reader",
    "CoTSampleBuilder": "operators.cot.sample_builder",
    "CoTWriter": "operators.cot.writer",
    "BookQuestionReader": "operators.curate.book_question_reader",
    "BlankRestorer": "operators.curate.blank_restorer",
    "Decontaminate": "operators.curate.decontaminate",
    "NearDuplicates": "operators.curate.near_duplicates",
    "QAFilter": "operators.curate.qa_filter",
    "QuestionReviewer": "operators.curate.question_reviewer",
    "QuestionTyper": "operators.curate.question_typer",
    "ShortAnswerExtractor": "operators.curate.short_answer_extractor",
    "SubQuestionSplitter": "operators.curate.sub_question_splitter",
    "TextCleaner": "operators.curate.text_cleaner",
    "CorrectCardFinder": "operators.game.card_finder",
    "EasyR1Writer": "operators.game.easyr1_writer",
    "EpisodeMemory": "operators.game.episode_memory",
    "EpisodeReader": "operators.game.episode_reader",
    "LightColorReader": "operators.game.light_reader",
    "OCRNumberExtractor": "operators.game.number_extractor",
    "ProblemBuilder": "operators.game.problem_builder",
    "RoundChecker": "operators.game.round_checker",
    "AnswerExtractor": "operators.onevision.answer_extractor",
    "BlindSolver": "operators.onevision.blind_solver",
    "CoTRewriter": "operators.onevision.cot_rewriter",
    "FormalDescriber": "operators.onevision.formal_describer",
    "GroundingChecks": "operators.onevision.grounding_checks",
    "ImageNormalizer": "operators.onevision.image_normalizer",
    "ImageTextReader": "operators.onevision.image_text_reader",
    "ImageTypeClassifier": "operators.onevision.image_type_classifier",
    "LLaVACoTReader": "operators.onevision.llava_cot_reader",
    "ObjectDetector": "operators.onevision.object_detector",
    "OneVisionWriter": "operators.onevision.onevision_writer",
    "QualityJudge": "operators.onevision.quality_judge",
    "VerdictGate": "operators.onevision.verdict_gate",
    "DocumentReader": "operators.pdf.document_reader",
    "ChunkedPromptedGenerator": "operators.pdf.generator",
    "HybridGenerator": "operators.pdf.hybrid",
    "MinerU2LLMInput": "operators.pdf.mineru_input",
    "LLMOutputParser": "operators.pdf.output_parser",
    "QA_Merger": "operators.pdf.qa_merger",
    "PDFRules": "operators.pdf.rules_model",
    "AdaptiveSampler": "operators.sampling.adaptive_sampler",
    "CoTSampler": "operators.sampling.cot_sampler",
    "QuestionReader": "operators.sampling.question_reader",
    "SampleWriter": "operators.sampling.sample_writer",
    "ChainJudge": "operators.scene.chain_judge",
    "ChainValidator": "operators.scene.chain_validator",
    "ConversationReader": "operators.scene.conversation_reader",
    "SceneCoTGenerator": "operators.scene.cot_generator",
    "InstructionWriter": "operators.scene.instruction_writer",
    "SceneReverseEditor": "operators.scene.reverse_editor",
    "SceneFilter": "operators.scene.scene_filter",
    "SceneReader": "operators.scene.scene_reader",
    "SceneRenderer": "operators.scene.scene_renderer",
    "SceneRepair": "operators.scene.scene_repair",
    "SceneWriter": "operators.scene.scene_writer",
    "TopKChains": "operators.scene.top_k_chains",
    "AskModel": "operators.table.ask_model",
    "Join": "operators.table.join",
    "Limit": "operators.table.limit",
    "TopK": "operators.table.top_k",
    "TrainTestSplit": "operators.table.train_test_split",
    "WordingJudge": "operators.scene.wording_judge",
    "AnswerEquivalence": "operators.verify.answer_equivalence",
}

__all__ = [
    "AdaptiveSampler",
    "AnchorValidator",
    "AnchorWriter",
    "AnswerEquivalence",
    "AnswerExtractor",
    "AskModel",
    "BlankRestorer",
    "BlindSolver",
    "BookQuestionReader",
    "ChainJudge",
    "ChainValidator",
    "ChunkedPromptedGenerator",
    "CoTGenerator",
    "CoTPlanReader",
    "CoTReader",
    "CoTRewriter",
    "CoTSampleBuilder",
    "CoTSampler",
    "CoTWriter",
    "ConversationReader",
    "CorrectCardFinder",
    "Decontaminate",
    "DocumentReader",
    "EasyR1Writer",
    "EpisodeMemory",
    "EpisodeReader",
    "FormalDescriber",
    "GroundingChecks",
    "HybridGenerator",
    "ImageNormalizer",
    "ImageTextReader",
    "ImageTypeClassifier",
    "InstructionWriter",
    "Join",
    "LLMOutputParser",
    "LLaVACoTReader",
    "LetterBalancer",
    "LightColorReader",
    "Limit",
    "MinerU2LLMInput",
    "NearDuplicates",
    "OCRNumberExtractor",
    "ObjectDetector",
    "OneVisionWriter",
    "PDFRules",
    "ProblemBuilder",
    "QAFilter",
    "QA_Merger",
    "QualityJudge",
    "QuestionReader",
    "QuestionReviewer",
    "QuestionTyper",
    "RoundChecker",
    "SampleWriter",
    "SceneCoTGenerator",
    "SceneFilter",
    "SceneReader",
    "SceneRenderer",
    "SceneRepair",
    "SceneReverseEditor",
    "SceneWriter",
    "ShortAnswerExtractor",
    "SubQuestionSplitter",
    "TextCleaner",
    "TopK",
    "TopKChains",
    "TrainTestSplit",
    "VerdictGate",
    "WordingJudge",
]

__getattr__ = lazy_names(__name__, _HOME)
