"""Small operators that pass Arrow tables to each other, checked before they run, and no row lost."""

from __future__ import annotations

from pkgutil import extend_path
from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names, offered

if TYPE_CHECKING:
    from dataflow_ext.checking import check as check
    from dataflow_ext.errors import DataflowError as DataflowError
    from dataflow_ext.errors import InputError as InputError
    from dataflow_ext.errors import OptionError as OptionError
    from dataflow_ext.errors import RowError as RowError
    from dataflow_ext.errors import WiringError as WiringError
    from dataflow_ext.estimates import Estimate as Estimate
    from dataflow_ext.estimates import estimate as estimate
    from dataflow_ext.fingerprint import OutputPath as OutputPath
    from dataflow_ext.groups import GroupOperator as GroupOperator
    from dataflow_ext.groups import Merged as Merged
    from dataflow_ext.images import IMAGE as IMAGE
    from dataflow_ext.images import Image as Image
    from dataflow_ext.operator import Applied as Applied
    from dataflow_ext.operator import Made as Made
    from dataflow_ext.operator import Operator as Operator
    from dataflow_ext.pipeline import run as run
    from dataflow_ext.prompt import Prompt as Prompt
    from dataflow_ext.rejects import Failure as Failure
    from dataflow_ext.result import Result as Result
    from dataflow_ext.rows import RowOperator as RowOperator
    from dataflow_ext.streaming.result import StreamResult as StreamResult
    from dataflow_ext.tables import read_table as read_table
    from dataflow_ext.tables import to_pandas as to_pandas
    from dataflow_ext.tables import to_table as to_table
    from dataflow_ext.tables import write_table as write_table

__version__ = "0.1.0"
__path__ = extend_path(__path__, __name__)  # a folder of this name elsewhere on the path is imported from too

_HOME = offered(__spec__)

__all__ = [*_HOME]

__getattr__ = lazy_names(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
