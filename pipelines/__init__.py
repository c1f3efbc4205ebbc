"""The pipelines, each a function that returns its list of operators, and a command."""

import sys
from pkgutil import extend_path

from dataflow_ext.packages import must_not_be_hidden

__path__ = extend_path(__path__, __name__)  # a folder of this name elsewhere on the path is imported from too

if sys.argv[:1] == ["-m"]:
    # As a command: what it imports takes a second, in which an interrupt is no traceback.
    from dataflow_ext.signals import leave_quietly

    leave_quietly()

must_not_be_hidden()  # before pipelines import operators: a folder of the user's may be found first
