#!/usr/bin/env python3
"""Faults in a cluster, and clients that check what they are shown.

Usage: chaos.py PROGRAM [KIND…], such as kill-book, with SECONDS and SEED in the environment. OperatingACluster.md
describes what is checked.
Each node has a network namespace of its own where namespaces are allowed: as root, or for all users. The exit status is
1 if a check fails.
"""

import fcntl
import glob
import os
import random
import shutil
import sys
import tempfile

import namespaces
from chaos_report import report
from chaos_run import CLIENTS, ChaosCluster, ChaosRun
from faults import BOOKS, GATEWAYS, KINDS, LINK_KINDS, NATS, schedule
from processes import Failure, check_programs, end_by_signals, ignore_signals

PREFIX = "toteboard-chaos-"


def remove_leftovers():
    """Removes the directories of runs that were killed. That of a run has a lock."""
    for path in glob.glob(f"{tempfile.gettempdir()}/{PREFIX}*"):
        try:
            with open(f"{path}/lock", "a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass


def number(name, default):
    """Returns a whole number from the environment."""
    text = os.environ.get(name) or str(default)
    if not text.isdigit():
        sys.exit(f"chaos-cluster: {name} '{text}' is not a number: specify one such as {name}={default}")
    return int(text)


def main():
    program = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
    check_programs("chaos-cluster", program)
    seconds, seed, kinds = number("SECONDS", 300), number("SEED", 1), sys.argv[2:] or list(KINDS)
    for kind in kinds:
        if kind not in KINDS:
            sys.exit(f"chaos-cluster: '{kind}' is not a kind of fault: choose from {', '.join(KINDS)}")
    remove_leftovers()
    reason = namespaces.isolate()
    end_by_signals()
    if reason:
        print(f"without network namespaces ({reason}): on loopback, and no links are cut or slow")
        kinds = [kind for kind in kinds if kind not in LINK_KINDS]
    elif "slow" in kinds and not namespaces.Namespaces.can_slow():
        print("the kernel cannot limit the rate of a link: no links are slow")
        kinds = [kind for kind in kinds if kind != "slow"]
    if not kinds:
        sys.exit("chaos-cluster: these faults cannot be made here: choose another kind, or run it as root")
    chaos = cluster = None
    directory = tempfile.mkdtemp(prefix=PREFIX)
    lock = open(f"{directory}/lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        random.seed(seed)
        spaces = None if reason else namespaces.Namespaces(NATS + BOOKS + GATEWAYS + ["clients"], CLIENTS)
        cluster = ChaosCluster(program, spaces, directory)
        chaos = ChaosRun(cluster, spaces, schedule(seed, seconds, kinds))
        print(f"chaos for {seconds} s with seed {seed}: {CLIENTS} clients, {len(chaos.planned)} faults", flush=True)
        chaos.open()
        chaos.execute(seconds)
        report(chaos)
        sys.exit(1 if chaos.violations else 0)
    except KeyboardInterrupt:
        print("\nchaos-cluster: ending", file=sys.stderr)
        sys.exit(1)
    except (Failure, OSError) as failure:
        print(f"chaos-cluster: {failure}", file=sys.stderr)
        sys.exit(1)
    finally:
        ignore_signals()
        if chaos and hasattr(chaos, "faults"):
            chaos.faults.end_all()
        if cluster:
            cluster.close()
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
