"""Ordinary clients that measure how late their updates are. A process of its own, so that an attack does not delay it.

Usage: subscriber.py PORT TOPIC COUNT. Prints `ready`, measures from a line `begin` to a line `end` on standard input,
and prints the result as JSON. Several clients are needed: each event loop of the server then has one.
"""

import json
import os
import re
import select
import subprocess
import sys
import time

import clients

# The interval between ticks of the feed, in milliseconds, and the gap from which a tick counts as late.
TICK, LONGEST_GAP = 1000 / 60, 50
VERSION = re.compile(rb'"version":"?(\d+)')


class Client:
    """The lateness of an update runs from its version, at which the feed made it, to its arrival.

    A gap between updates counts as one late update for each tick in it: a server that stands still makes none.
    """

    def __init__(self, port, topic):
        self.session = clients.Session(port)
        self.session.register(topic)
        self.session.dump(topic)
        self.is_lost = False
        self.times, self.last = [], None

    def begin(self):
        self.times, self.last = [], time.time() * 1000

    def gap(self, now):
        gap = now - self.last
        if gap > LONGEST_GAP:
            while gap > 0:
                self.times.append(gap)
                gap -= TICK

    def read(self):
        now = time.time() * 1000
        try:
            frames = self.session.available()
        except OSError:
            self.is_lost = True
            return
        for opcode, payload in frames:
            if opcode == clients.PING:
                self.session.send_frame(payload, clients.PONG)
            if opcode != clients.TEXT or not payload.startswith(b"[68,"):
                continue
            self.session.send_text(b"[70," + payload[4:payload.index(b",", 4)] + b",{}]")
            version = VERSION.search(payload, 0, 200)
            if self.last is not None and version:
                self.times.append(now - int(version[1]))
                self.gap(now)
                self.last = now


def main():
    port, topic, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    readers = [Client(port, topic) for _ in range(count)]
    print("ready", flush=True)
    poll = select.poll()
    by_file = {reader.session.socket.fileno(): reader for reader in readers}
    for file in [0, *by_file]:
        poll.register(file, select.POLLIN)
    while True:
        for file, _ in poll.poll():
            if file:
                by_file[file].read()
                if by_file[file].is_lost:
                    poll.unregister(file)
                continue
            if os.read(0, 100) == b"begin\n":
                for reader in readers:
                    reader.begin()
                continue
            for reader in readers:
                reader.gap(time.time() * 1000)
                reader.times.sort()
            worst = max((r.times[int(len(r.times) * 0.99)] for r in readers if r.times), default=None)
            print(json.dumps({"p99": worst, "lost": sum(r.is_lost for r in readers)}), flush=True)
            return


class Subscribers:
    """The process of the subscribers, as an attack sees it."""

    def __init__(self, server, topic, count=4):
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(server.port), topic, str(count)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the subscribers did not start")

    def begin(self):
        self._write("begin\n")

    def end(self):
        """Returns the greatest p99 of a subscriber, in milliseconds, and the number of lost ones."""
        self._write("end\n")
        result = json.loads(self.process.stdout.readline())
        self.process.wait()
        return result["p99"], result["lost"]

    def _write(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()


if __name__ == "__main__":
    main()
