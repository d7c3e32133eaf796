"""What an attack is made of: its server, its subscribers, and the bars that it must meet."""

import time

import clients
from server import Server
from subscriber import Subscribers

ATTACKS = {}
# The greatest p99 of a subscriber's updates, in milliseconds.
LATEST = 100
# The shortest time for which the subscribers measure, in seconds.
SHORTEST = 2


class Attack:
    def __init__(self, body, options, topic, starts, files):
        self.body, self.options, self.topic, self.starts, self.files = body, options, topic, starts, files


def attack(*options, topic=clients.topic(), starts=True, files=None):
    """Declares a function as an attack, under its name with hyphens.

    `options` are those of the server: names, or pairs of a name and a value. Ordinary clients subscribe to `topic`,
    unless it is None. `starts` is false if the function starts the server. `files` limits the server's open files.
    """
    def declare(body):
        pairs = [(option, None) if isinstance(option, str) else option for option in options]
        # At the server's default rate an update is due each 100 ms only.
        if "--rate" not in dict(pairs):
            pairs.append(("--rate", "100"))
        ATTACKS[body.__name__.replace("_", "-")] = Attack(body, pairs, topic if starts else None, starts, files)
        return body
    return declare


class Lab:
    """The place of one attack."""

    def __init__(self, program, attack, directory):
        self.program, self.attack, self.directory = program, attack, directory
        self.server = self.subscribers = None
        self.bars = []
        self.ends_server = False

    def open(self):
        """Starts the server and the subscribers, and begins to measure."""
        if not self.attack.starts:
            return
        self.start(self.attack.options, files=self.attack.files)
        if self.attack.topic:
            self.subscribers = Subscribers(self.server, self.attack.topic)
            self.subscribers.begin()
            self.begun = time.monotonic()
        self.memory = self.server.memory

    def start(self, options, **more):
        self.server = Server(self.program, options, self.directory, **more)
        return self.server

    @property
    def port(self):
        return self.server.port

    @property
    def growth(self):
        """The growth of the server's memory since the attack began, in MB."""
        return self.server.memory - self.memory

    def end_measuring(self):
        """Adds the bars of the subscribers. Otherwise that happens at the end of the attack."""
        if not self.subscribers:
            return
        time.sleep(max(0, self.begun + SHORTEST - time.monotonic()))
        p99, lost = self.subscribers.end()
        self.subscribers = None
        if p99 is None:
            self.fail("the subscribers got no update")
        else:
            self.below("subscriber p99 ms", p99, LATEST)
        if lost:
            self.equal("lost subscribers", lost, 0)

    def check_server(self):
        self.end_measuring()
        if self.server and not self.ends_server and not self.server.is_running:
            self.fail(f"the server ended with status {self.server.process.returncode}: {self.server.errors()[-200:]}")

    def close(self):
        if self.subscribers:
            self.subscribers.process.kill()
        if self.server:
            self.server.stop(patience=1)

    def below(self, name, value, bar):
        self.bars.append([f"{name} {value:.0f} < {bar}", value < bar])

    def equal(self, name, value, bar):
        self.bars.append([f"{name} {value}" + ("" if value == bar else f", expected {bar}"), value == bar])

    def one_of(self, name, value, bar):
        expected = "" if value in bar else f", expected one of {sorted(bar)}"
        self.bars.append([f"{name} {value}{expected}", value in bar])

    def fail(self, text):
        self.bars.append([text, False])
