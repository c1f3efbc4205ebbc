"""All operators, by the names that pipelines use."""

from __future__ import annotations

from pkgutil import extend_path
from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names, offered

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

_HOME = offered(__spec__)

__all__ = [*_HOME]

__getattr__ = lazy_names(__name__, _HOME)
