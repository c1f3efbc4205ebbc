"""What the files of a data set are called."""

from operators.cot.tasks import TASKS

#: The one file in a task's folder.
DATA_FILE = "data.jsonl"


def data_file(task: str) -> str:
    """The data file of a task."""
    return f"{task}/{DATA_FILE}"


#: All data files that there can be.
NAMES = tuple(data_file(task) for task in TASKS)
