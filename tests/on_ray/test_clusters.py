"""Scripts of their own: operators that stand in them, and two nodes."""

import os
import subprocess
import sys
import textwrap

from tests.abuse.settings import ROOT


def ran(text: str, folder) -> list[str]:
    """The lines that a script prints."""
    script = folder / "script.py"
    script.write_text(textwrap.dedent(text))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=folder, env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_operators_may_stand_in_the_script_that_runs(tmp_path):
    import ray

    told = ran(
        f"""
        from dataflow_ext import RowOperator, run
        from dataflow_ext.ray_engine import RayEngine

        FACTOR = 3

        class Times(RowOperator):
            inputs = {{"n": int}}
            outputs = {{"n": int}}

            def row(self, n: int) -> dict[str, int]:
                return {{"n": n * FACTOR}}

        if __name__ == "__main__":
            engine = RayEngine(address="{ray.get_runtime_context().gcs_address}")
            rows = [{{"n": n}} for n in range(6)]
            print(run([Times()], rows, out="out", rows_per_part=2, engine=engine).table["n"].to_pylist())
        """,
        tmp_path,
    )
    assert told[-1] == "[0, 3, 6, 9, 12, 15]"


def test_two_nodes_make_the_parts_of_a_run(tmp_path):
    told = ran(
        """
        from pathlib import Path

        from ray.cluster_utils import Cluster

        from dataflow_ext import run
        from dataflow_ext.ray_engine import RayEngine
        from tests.core.streaming.steps import Copies, Rank, Sums
        from tests.on_ray.steps import Nodes

        rows = [{"n": n * 7 % 31} for n in range(60)]
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 100_000_000})
        cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
        engine = RayEngine(address=cluster.address)
        steps = [Nodes(), Copies(), Sums(), Rank()]
        try:
            run(steps, rows, out="there", rows_per_part=3, engine=engine)
        finally:
            cluster.shutdown()
        print(len(set(Path("nodes").read_text().split())))
        run(steps, rows, out="here", rows_per_part=3)
        print(Path("here/rows.parquet").read_bytes() == Path("there/rows.parquet").read_bytes())
        """,
        tmp_path,
    )
    assert told[-2:] == ["2", "True"]
