"""A run of faults in a cluster: the loop of the clients, the taps and the faults, and the comparison at the end."""

import collections
import random
import select
import socket
import time

from chaos_client import Client, clients
from cluster import Cluster
from faults import BOOKS, GATEWAYS, NATS, Faults
from feed_history import DUMP, HEADER, History
from nats_tap import Tap
from processes import Failure, free_ports

CLIENTS = 20
# The seconds in which all clients are live again after the last fault (NATS elects a leader, and a client waits up to
# 30 s between attempts), and in which they reach the state of the book.
RECOVERY, AGREEMENT = 60, 20
MATCHES, RATE = 50, 30
PATHS = [clients.topic("popular", 20, 3), clients.topic("live", 50, 2), clients.topic("next", 10, 2)]


class ChaosCluster(Cluster):
    def __init__(self, program, spaces, directory):
        super().__init__(program, ["--matches", str(MATCHES), "--rate", str(RATE)], directory)
        self.spaces = spaces
        self.ports = dict(zip(BOOKS + GATEWAYS, free_ports(4)))

    def host(self, name):
        return self.spaces.host(name) if self.spaces else "127.0.0.1"

    def listen(self, name):
        return f"{self.host(name)}:{self.ports[name]}"

    def prefix(self, name):
        return self.spaces.prefix(name) if self.spaces else []


class ChaosRun:
    def __init__(self, cluster, spaces, planned):
        self.cluster, self.spaces, self.planned = cluster, spaces, planned
        self.violations = []
        self.counts = collections.Counter(age=0.0)
        self.history = History(self.violate)
        self.is_asking, self.told = False, 0

    def violate(self, text):
        self.violations.append(text)
        if len(self.violations) <= 20:
            print(f"{time.time() - self.begin:7.1f} s  VIOLATION: {text}", flush=True)
            for client in self.clients:
                if text.startswith((f"{client.name} ", f"{client.name},")):
                    for time_of, event in client.log:
                        print(f"           {time_of - self.begin:7.2f} s  {event}", flush=True)

    def open(self):
        self.cluster.open()
        self.taps = []
        for name, url in zip(NATS, self.cluster.nats_url.split(",")):
            host, port = url.removeprefix("nats://").split(":")
            self.taps.append(Tap(self.sockets(name), (host, int(port)), self.receive))
        addresses = [(self.cluster.host(name), self.cluster.ports[name]) for name in GATEWAYS]
        self.clients = []
        self.begin = time.time()
        for number in range(1, CLIENTS + 1):
            source = self.spaces.host("clients", number) if self.spaces else "127.0.0.1"
            paths = random.sample(PATHS, 2)
            self.clients.append(Client(
                f"client {number}", self.sockets("clients", source), addresses, paths, self.history, self.counts))
        self.views = [view for client in self.clients for view in client.views]
        self.faults = Faults(self.cluster, self.spaces, self.planned, self.begin, self.leader)

    def sockets(self, name, source=None):
        """Returns a function that makes sockets in the namespace of a node."""
        def make():
            one = self.spaces.socket(name) if self.spaces else socket.socket()
            if source:
                one.bind((source, 0))
            return one
        return make

    def leader(self):
        newest = max(self.taps, key=lambda tap: tap.leader_time)
        return newest.leader or NATS[0]

    def receive(self, subject, payload):
        self.history.add(subject, payload)
        if self.is_asking and subject == self.inbox:
            self.receive_part(payload)

    # Steps

    def run(self, is_over, limit):
        """Runs until `is_over`, or for so many seconds. Returns true if it is over."""
        end = time.time() + limit
        while not is_over():
            if time.time() >= end:
                return False
            self.step()
        return True

    def step(self):
        # NB: The taps first, so that the history mostly knows what the clients get.
        readers = [one for one in self.taps + self.clients if one.socket is not None]
        poll, by_file = select.poll(), {one.socket.fileno(): one for one in readers}
        for file, one in by_file.items():
            poll.register(file, one.events())
        ready = {file for file, _ in poll.poll(20)}
        for file, one in by_file.items():
            if file in ready and one.socket is not None:
                one.ready(time.time())
        for one in self.taps + self.clients:
            one.step(time.time())
        self.faults.step(time.time())
        self.tell_silences()
        for name in self.faults.crashed():
            raise Failure(f"{name} ended by itself: see {self.cluster.directory}/{name}.log")

    def tell_silences(self):
        while self.told < len(self.history.silences):
            start, end = self.history.silences[self.told]
            self.faults.say(end, f"  a book is heard, after {end - start:.1f} s without one")
            self.told += 1

    def is_recovered(self):
        return all(tap.is_connected for tap in self.taps) and all(view.is_current for view in self.views)

    def execute(self, seconds):
        if not self.run(self.is_recovered, RECOVERY):
            raise Failure("the clients have no prices before the first fault")
        self.faults.begin = self.begin = time.time()
        for view in self.views:
            view.locked = []
        self.history.silences, self.told = [], 0
        self.run(lambda: not self.faults.planned and not self.faults.active, seconds + 30)
        self.healed = time.time()
        if not self.run(self.is_recovered, RECOVERY):
            for client in self.clients:
                if not all(view.is_current for view in client.views):
                    self.violate(f"{client.name} is not live {RECOVERY} s after the last fault")
        self.recovered = time.time()
        for path in PATHS:
            self.compare(path)

    # The final comparison

    def compare(self, path):
        """Compares the tables of all clients with a dump of the book and the messages after it."""
        self.dump, self.is_asking = {}, True
        self.asked = path, next(tap for tap in self.taps if tap.is_connected)
        # NB: Each answer comes by all taps, so that one for another topic can be late.
        self.inbox = f"_INBOX.chaos.{PATHS.index(path)}"
        self.ask_part()
        self.run(lambda: not self.is_asking, AGREEMENT)
        if self.is_asking:
            return self.violate(f"the book does not answer a request for a dump of {path}")
        data, offset = b"".join(self.dump[part] for part in sorted(self.dump)), self.dump_offset
        views = [view for view in self.views if view.path == path]
        self.run(lambda: all((view.offset or 0) >= offset and view.is_current for view in views), AGREEMENT)
        for view in views:
            view.compare(data, offset)
            self.counts["compared"] += 1

    def receive_part(self, payload):
        _, kind, _, part, parts, _, _, offset = HEADER.unpack_from(payload)
        if kind != DUMP:
            return
        body = payload[HEADER.size:]
        self.dump[part], self.dump_offset = body[8:], offset
        if len(self.dump) == parts:
            self.is_asking = False
        elif part + 1 not in self.dump and part + 1 < parts:
            self.ask_part(int.from_bytes(body[:8], "big"), part + 1)

    def ask_part(self, number=0, part=0):
        path, tap = self.asked
        tap.ask_dump(path, self.inbox, number, part)
