"""All operators, by the names that pipelines use."""

from __future__ import annotations

from pkgutil import extend_path
from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names

if TYPE_CHECKING:
    from operators.cot.anchor_validator import AnchorValidator as AnchorValidator
    from operators.cot.anchor_writer import AnchorWriter as AnchorWriter
    from operators.cot.generator import CoTGenerator as CoTGenerator
    from operators.cot.letter_balancer import LetterBalancer as LetterBalancer
    from operators.cot.plan_reader import CoTPlanReader as CoTPlanReader
    from operators.cot.reader import CoTReader as CoTReader
    from operators.cot.sample_builder import CoTSampleBuilder as CoTSampleBuilder
    from operators.cot.writer import CoTWriter as CoTWriter
    from operators.curate.blank_restorer import BlankRestorer as BlankRestorer
    from operators.curate.book_question_reader import BookQuestionReader as BookQuestionReader
    from operators.curate.decontaminate import Decontaminate as Decontaminate
    from operators.curate.near_duplicates import NearDuplicates as NearDuplicates
    from operators.curate.qa_filter import QAFilter as QAFilter
    from operators.curate.question_reviewer import QuestionReviewer as QuestionReviewer
    from operators.curate.question_typer import QuestionTyper as QuestionTyper
    from operators.curate.short_answer_extractor import ShortAnswerExtractor as ShortAnswerExtractor
    from operators.curate.sub_question_splitter import SubQuestionSplitter as SubQuestionSplitter
    from operators.curate.text_cleaner import TextCleaner as TextCleaner
    from operators.game.card_finder import CorrectCardFinder as CorrectCardFinder
    from operators.game.easyr1_writer import EasyR1Writer as EasyR1Writer
    from operators.game.episode_memory import EpisodeMemory as EpisodeMemory
    from operators.game.episode_reader import EpisodeReader as EpisodeReader
    from operators.game.light_reader import LightColorReader as LightColorReader
    from operators.game.number_extractor import OCRNumberExtractor as OCRNumberExtractor
    from operators.game.problem_builder import ProblemBuilder as ProblemBuilder
    from operators.game.round_checker import RoundChecker as RoundChecker
    from operators.onevision.answer_extractor import AnswerExtractor as AnswerExtractor
    from operators.onevision.blind_solver import BlindSolver as BlindSolver
    from operators.onevision.cot_rewriter import CoTRewriter as CoTRewriter
    from operators.onevision.formal_describer import FormalDescriber as FormalDescriber
    from operators.onevision.grounding_checks import GroundingChecks as GroundingChecks
    from operators.onevision.image_normalizer import ImageNormalizer as ImageNormalizer
    from operators.onevision.image_text_reader import ImageTextReader as ImageTextReader
    from operators.onevision.image_type_classifier import ImageTypeClassifier as ImageTypeClassifier
    from operators.onevision.llava_cot_reader import LLaVACoTReader as LLaVACoTReader
    from operators.onevision.object_detector import ObjectDetector as ObjectDetector
    from operators.onevision.onevision_writer import OneVisionWriter as OneVisionWriter
    from operators.onevision.quality_judge import QualityJudge as QualityJudge
    from operators.onevision.verdict_gate import VerdictGate as VerdictGate
    from operators.pdf.document_reader import DocumentReader as DocumentReader
    from operators.pdf.generator import ChunkedPromptedGenerator as ChunkedPromptedGenerator
    from operators.pdf.hybrid import HybridGenerator as HybridGenerator
    from operators.pdf.mineru_input import MinerU2LLMInput as MinerU2LLMInput
    from operators.pdf.output_parser import LLMOutputParser as LLMOutputParser
    from operators.pdf.qa_merger import QA_Merger as QA_Merger
    from operators.pdf.rules_model import PDFRules as PDFRules
    from operators.sampling.adaptive_sampler import AdaptiveSampler as AdaptiveSampler
    from operators.sampling.cot_sampler import CoTSampler as CoTSampler
    from operators.sampling.question_reader import QuestionReader as QuestionReader
    from operators.sampling.sample_writer import SampleWriter as SampleWriter
    from operators.scene.chain_judge import ChainJudge as ChainJudge
    from operators.scene.chain_validator import ChainValidator as ChainValidator
    from operators.scene.conversation_reader import ConversationReader as ConversationReader
    from operators.scene.cot_generator import SceneCoTGenerator as SceneCoTGenerator
    from operators.scene.instruction_writer import InstructionWriter as InstructionWriter
    from operators.scene.reverse_editor import SceneReverseEditor as SceneReverseEditor
    from operators.scene.scene_filter import SceneFilter as SceneFilter
    from operators.scene.scene_reader import SceneReader as SceneReader
    from operators.scene.scene_renderer import SceneRenderer as SceneRenderer
    from operators.scene.scene_repair import SceneRepair as SceneRepair
    from operators.scene.scene_writer import SceneWriter as SceneWriter
    from operators.scene.top_k_chains import TopKChains as TopKChains
    from operators.scene.wording_judge import WordingJudge as WordingJudge
    from operators.table.ask_model import AskModel as AskModel
    from operators.table.join import Join as Join
    from operators.table.limit import Limit as Limit
    from operators.table.top_k import TopK as TopK
    from operators.table.train_test_split import TrainTestSplit as TrainTestSplit
    from operators.verify.answer_equivalence import AnswerEquivalence as AnswerEquivalence

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

__all__ = [*_HOME]

__getattr__ = lazy_names(__name__, _HOME)
