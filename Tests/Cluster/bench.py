#!/usr/bin/env python3
"""Measures one server, and clusters of 1, 2 and 4 gateways, with the same number of clients at each.

Usage: bench.py DIRECTORY [OPTION…], the directory of toteboard-server and toteboard-load, built in release mode.
Prints tables in Markdown. Ends all processes on Ctrl-C, on SIGTERM, and when one of its own programs cannot be started.
"""

import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
import time
import urllib.request

from cluster import CONNECT_TIME, START_TIME, Cluster, wait_until_ready
from costs import Run, client_table, delivery_table, fan_out_table, judge
from instructions import instructions_table
from machines import machine_table
from processes import Failure, check_programs, end_by_signals, ignore_signals

# The options of the run that measures the cost of a message in NATS.
BUSY = {"clients": 5, "topics": 10, "rate": 5000}


def numbers(text):
    return [int(word) for word in text.split(",")]


def options():
    parser = argparse.ArgumentParser(prog="bench-cluster", description="Measure a cluster on this machine.")
    parser.add_argument("directory", help=argparse.SUPPRESS)
    parser.add_argument("--gateways", type=numbers, default=[0, 1, 2, 4], metavar="N[,N…]",
                        help="numbers of gateways, one run each; 0 is one server without NATS (default: 0,1,2,4)")
    parser.add_argument("--clients", type=int, default=100, help="clients of each gateway (default: 100)")
    parser.add_argument("--topics", type=int, default=8, help="topics of each client, 1 to 10 (default: 8)")
    parser.add_argument("--rate", type=float, default=100, help="odds updates per second (default: 100)")
    parser.add_argument("--matches", type=int, default=100, help="matches of the simulated feed (default: 100)")
    parser.add_argument("--seconds", type=int, default=20, help="duration of each measurement (default: 20)")
    parser.add_argument("--viewers", type=numbers, default=[100_000, 1_000_000], metavar="N[,N…]",
                        help="numbers of viewers to compute the machines for (default: 100000,1000000)")
    parser.add_argument("--instructions", action="store_true",
                        help="count the instructions of one server and of a gateway with valgrind instead")
    chosen = parser.parse_args()
    if chosen.instructions and len(sys.argv) > 3:
        parser.error("the other options have no effect with --instructions: remove them")
    if min(chosen.gateways) < 0 or min(chosen.clients, chosen.topics, chosen.seconds, *chosen.viewers) < 1:
        parser.error("a number is too small: use at least 1, and at least 0 for --gateways")
    return chosen


def metrics(url):
    """Returns the metrics of a server that have no labels, by name, and the time at which they were read."""
    with urllib.request.urlopen(f"{url}/metrics", timeout=10) as response:
        text = response.read().decode()
    values = {name: float(value) for name, value in re.findall(r"^toteboard_(\w+) (\S+)$", text, re.MULTILINE)}
    return values | {"time": time.monotonic()}


def rates(before, after):
    """Returns how much each counter grew in a second."""
    duration = after["time"] - before["time"]
    return {name: (after[name] - before.get(name, 0)) / duration for name in after if name != "time"}


def isolate_network():
    """Moves the script into a network namespace, so that the loopback interface has no other traffic. Needs root."""
    if ctypes.CDLL(None).unshare(0x40000000) != 0:  # CLONE_NEWNET
        return False
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    return True


def traffic():
    """Returns the bytes, with the headers of packets, and the packets of the loopback interface."""
    with open("/proc/net/dev") as devices:
        words = next(line for line in devices if line.strip().startswith("lo:")).split()
    return {"time": time.monotonic(), "bytes": int(words[1]), "packets": int(words[2])}


def measure(chosen, gateways, is_isolated):
    """Runs the clients against one server (0), or against gateways."""
    print(f"bench-cluster: {gateways or 'no'} gateways, {chosen.rate:g} updates/s", file=sys.stderr, flush=True)
    server, load = (f"{chosen.directory}/{name}" for name in ("toteboard-server", "toteboard-load"))
    book_options = ["--rate", str(chosen.rate), "--matches", str(chosen.matches)]
    # All clients have the address of the loopback interface.
    client_options = ["--max-connections-per-address", str(chosen.clients + 100)]
    cluster = Cluster(server, book_options)
    try:
        if gateways == 0:
            started = cluster.start("server", [server, "--listen", "127.0.0.1:0", *book_options, *client_options])
            sockets = [started.wait_for("listening on ", time.monotonic() + START_TIME)]
        else:
            cluster.open(gateways, client_options)
            sockets = cluster.sockets
        pages = [url.removesuffix("/v2").replace("ws://", "http://") for url in sockets]
        for page in pages:
            wait_until_ready(page, time.monotonic() + START_TIME)
        processes = [word for one in cluster.processes for word in ("--process", f"{one.name}={one.pid}")]
        clients = chosen.clients * len(sockets)
        program = cluster.start("load", [
            load, "--json", "--url", ",".join(sockets), "--clients", str(clients), "--topics", str(chosen.topics),
            "--rate", str(chosen.rate), "--matches", str(chosen.matches), "--seconds", str(chosen.seconds), *processes])
        program.wait_for("measuring", time.monotonic() + CONNECT_TIME)
        before, traffic_before = [metrics(page) for page in pages], traffic()
        text = program.wait_for("{", time.monotonic() + chosen.seconds + CONNECT_TIME)
        traffic_after, after = traffic(), [metrics(page) for page in pages]
        result = json.loads("{" + text)
        if result["updates"] == 0:
            reason = result.get("lastReason", "use more --rate or --seconds")
            raise Failure(f"the clients received no updates: {reason}")
        return Run(gateways, result, [rates(*pair) for pair in zip(before, after)],
                   rates(traffic_before, traffic_after) if is_isolated else None, chosen.rate)
    finally:
        cluster.close()


def main():
    chosen = options()
    if sys.platform != "linux":
        sys.exit("bench-cluster: the costs are read from /proc: run it on Linux")
    chosen.directory = os.path.abspath(chosen.directory)
    for name in ("toteboard-server", "toteboard-load"):
        check_programs("bench-cluster", f"{chosen.directory}/{name}")
    end_by_signals()
    try:
        if chosen.instructions:
            print(instructions_table(chosen.directory))
            return
        is_isolated = isolate_network()
        runs = [measure(chosen, gateways, is_isolated) for gateways in chosen.gateways]
        # Many messages and few clients, for what NATS needs for a message.
        busy = argparse.Namespace(**vars(chosen) | BUSY)
        counts = sorted({1, max(chosen.gateways)} - {0})
        busy_runs = [measure(busy, gateways, is_isolated) for gateways in counts] if len(counts) == 2 else []
        print(f"{chosen.clients} clients at each server, {chosen.topics} topics each, {chosen.rate:g} odds updates/s,"
              f" {chosen.matches} matches, {chosen.seconds} s, {runs[0].processors} processors")
        for title, text in (
                ("Delivery, from the book to the client", delivery_table(runs)),
                ("For an update at one client, and memory", client_table(runs)),
                ("From the book to the gateways", fan_out_table(runs + busy_runs)),
                ("Machines", machine_table(runs, busy_runs, chosen.topics, chosen.viewers))):
            print(f"\n### {title}\n\n{text}")
        print("\n### Judgement\n", *(f"- {line}" for line in judge(runs)), sep="\n")
    except KeyboardInterrupt:
        sys.exit("\nbench-cluster: ended")
    except (Failure, OSError) as failure:
        sys.exit(f"bench-cluster: {failure}")
    finally:
        ignore_signals()


if __name__ == "__main__":
    main()
