#!/usr/bin/env python3
"""Attacks on a toteboard-server on loopback.

Usage: run.py PROGRAM [NAME…]. Prints one line for each attack. The exit status is 1 if one fails.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import lab
# The attacks run in this order.
import attacks_sessions
import attacks_requests
import attacks_connections
import attacks_protocol
import attacks_accounts
import attacks_tokens

# The longest time of one attack, in seconds, with the start and the end of its server.
LIMIT = 60


def run_here(program, name):
    """Runs one attack in this process and prints its bars as JSON."""
    attack = lab.ATTACKS[name]
    with tempfile.TemporaryDirectory(prefix="toteboard-attack-") as directory:
        place = lab.Lab(program, attack, directory)
        try:
            place.open()
            # The attack must not take the processor from the server that it measures.
            os.nice(10)
            attack.body(place)
            place.check_server()
        except Exception as error:
            place.fail(f"{type(error).__name__}: {error}")
            if not isinstance(error, OSError):
                traceback.print_exc()
        finally:
            place.close()
        print(json.dumps(place.bars), flush=True)


def run(program, name):
    """Runs one attack in a process of its own. Returns its bars: texts, each with true if it was met."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--here", program, name], stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=LIMIT)
        return json.loads(output)
    except subprocess.TimeoutExpired:
        return [[f"not over after {LIMIT} s", False]]
    except ValueError:
        return [["the attack ended without a result", False]]
    finally:
        # The server and the subscribers are in the session of the attack.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def main():
    if sys.argv[1:2] == ["--here"]:
        return run_here(*sys.argv[2:])
    if sys.platform != "linux":
        sys.exit("attack: the attacks need Linux, for its loopback addresses and /proc: run them there")
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("attack: name the program to attack, such as .build/release/toteboard-server")
    program, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(lab.ATTACKS)
    for name in names:
        if name not in lab.ATTACKS:
            sys.exit(f"attack: '{name}' is not an attack: choose from {', '.join(lab.ATTACKS)}")
    failed, start = 0, time.monotonic()
    for name in names:
        begin = time.monotonic()
        bars = run(program, name)
        passes = all(met for _, met in bars)
        failed += not passes
        texts = "; ".join(text if met else f"NOT {text}" for text, met in bars)
        print(f"{'pass' if passes else 'FAIL'}  {name:24} {time.monotonic() - begin:4.0f} s  {texts}", flush=True)
    print(f"{len(names) - failed} of {len(names)} attacks held, {time.monotonic() - start:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
