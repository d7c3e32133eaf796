"""Counts the instructions that one server and a gateway execute for a frame and an update at one client.

Needs valgrind, strip and a C compiler. Instructions of the kernel are not counted.
"""

import json
import re
import shutil
import subprocess
import time

from cluster import CONNECT_TIME, START_TIME, Cluster, wait_until_ready
from costs import markdown
from processes import Failure

CLIENTS = (5, 25)
SECONDS = 20
RATE = 20
# Valgrind 3.19 writes to the mask, which libdispatch has in read-only memory.
SIGSUSPEND = """
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
int sigsuspend(const sigset_t *mask) { sigset_t copy = *mask; return syscall(SYS_rt_sigsuspend, &copy, 8); }
"""


def run(*command, text=None):
    if shutil.which(command[0]) is None:
        raise Failure(f"'{command[0]}' not found: install it; instructions are counted with valgrind, strip and cc")
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise Failure(f"{' '.join(command)}: {done.stdout}")
    return done.stdout


class CountedCluster(Cluster):
    """A cluster whose process of one name is run by callgrind, which counts while it is told to."""

    def __init__(self, program, counted, book_options):
        super().__init__(program, book_options)
        self.counted = counted
        # Valgrind cannot read Swift's debug information.
        self.program = f"{self.directory}/toteboard-server"
        run("strip", "-o", self.program, program)
        run("cc", "-shared", "-fPIC", "-x", "c", "-o", f"{self.directory}/sigsuspend.so", "-", text=SIGSUSPEND)

    def prefix(self, name):
        if name != self.counted:
            return super().prefix(name)
        return [*super().prefix(name), "env", f"LD_PRELOAD={self.directory}/sigsuspend.so", "valgrind",
                "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={self.directory}/callgrind"]

    def count(self, is_on):
        run("callgrind_control", "-i", "on" if is_on else "off", str(self.process(self.counted).pid))

    def counted_instructions(self):
        process = self.process(self.counted)
        process.stop()
        with open(process.log, errors="replace") as log:
            text = log.read()
        match = re.search(r"Collected : (\d+)", text)
        if not match:
            raise Failure(f"callgrind did not count:\n{text[-2000:]}")
        return int(match[1])


def measure(directory, counted, clients):
    """Returns the instructions, the frames and the updates of a measurement."""
    book_options = ["--rate", str(RATE)]
    cluster = CountedCluster(f"{directory}/toteboard-server", counted, book_options)
    try:
        if counted == "server":
            server = cluster.start("server", [cluster.program, "--listen", "127.0.0.1:0", *book_options])
            url = server.wait_for("listening on ", time.monotonic() + START_TIME)
        else:
            cluster.open(gateways=1)
            url = cluster.sockets[0]
        wait_until_ready(url.removesuffix("/v2").replace("ws://", "http://"), time.monotonic() + START_TIME)
        load = cluster.start("load", [
            f"{directory}/toteboard-load", "--json", "--url", url, "--clients", str(clients), "--topics", "8",
            "--seconds", str(SECONDS)])
        load.wait_for("measuring", time.monotonic() + CONNECT_TIME)
        cluster.count(True)
        result = json.loads("{" + load.wait_for("{", time.monotonic() + SECONDS + CONNECT_TIME))
        cluster.count(False)
        if result["lost"]:
            raise Failure(f"{result['lost']} clients were lost: {result['lastReason']}")
        return cluster.counted_instructions(), result["frames"], result["updates"]
    finally:
        cluster.close()


def instructions_table(directory):
    """Measures each program with fewer and with more clients: the difference excludes what does not depend on them."""
    rows = []
    for counted in ("server", "gateway-1"):
        few, many = (measure(directory, counted, clients) for clients in CLIENTS)
        instructions, frames, updates = (after - before for before, after in zip(few, many))
        rows.append([counted, f"{few[0] / 1e6:.0f}", f"{many[0] / 1e6:.0f}", f"{frames:,}",
                     f"{instructions / frames:,.0f}", f"{instructions / updates:,.0f}"])
    return markdown(["", *(f"{clients} clients, million" for clients in CLIENTS), "frames more",
                     "instructions a frame", "instructions an update"], rows)
