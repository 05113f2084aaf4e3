"""Runs the shards of a study on a Dask cluster.

    python sweep_dask.py STUDY.ron RESULTS [SHARDS] [SCHEDULER]

Without a scheduler's address, a cluster is started on this machine. All workers must see the study,
the level and the folder of results under the same paths. WAYLOOM names the program.
"""

import os
import subprocess
import sys

from dask.distributed import Client, LocalCluster


def run(study, results, shard, shards):
    program = os.environ.get("WAYLOOM", "wayloom")
    part = f"{shard}/{shards}"
    command = [program, "sweep", study, "-o", results, "--resume", "--shard", part, "--threads", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"shard {part}: {done.stderr.strip()}")
    return done.stdout.strip()


def main():
    study, results = map(os.path.abspath, sys.argv[1:3])
    shards = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    address = sys.argv[4] if len(sys.argv) > 4 else None
    cluster = address or LocalCluster(threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        jobs = [client.submit(run, study, results, i + 1, shards, pure=False) for i in range(shards)]
        for line in client.gather(jobs):
            print(line)


if __name__ == "__main__":
    main()
