"""Faults of a cluster: a schedule drawn from a seed, and how each one begins and ends."""

import random
import signal
import time

# Kinds of faults with their shares.
KINDS = {"kill-gateway": 3, "kill-book": 3, "kill-standby": 1, "kill-nats": 2, "kill-lease-leader": 3,
         "kill-two-nats": 1, "cut": 4, "slow": 3, "pause": 4}
# Those that need network namespaces.
LINK_KINDS = ["cut", "slow"]
# The rates of slow links, in kbit/s.
RATES = [32, 128, 512]
NATS = ["nats-1", "nats-2", "nats-3"]
GATEWAYS = ["gateway-1", "gateway-2"]
BOOKS = ["book", "standby"]


class Fault:
    """A fault with the nodes that it strikes. The one that is the book or leads the lease is found when it begins."""

    def __init__(self, number, start, kind, choice, duration, rate):
        self.number, self.start, self.kind, self.choice, self.duration = number, start, kind, choice, duration
        # The rate of a slow link, in kbit/s.
        self.rate = rate
        self.nodes = []
        # The seconds since 1970 at which it began and ended.
        self.begun = self.ended = None

    @property
    def group(self):
        """The name under which the effects of faults of one kind are reported."""
        return f"{self.kind} {self.role}" if self.kind in (*LINK_KINDS, "pause", "kill-nats") else self.kind

    def find_nodes(self, book, leader):
        roles = {"the book": book, "the standby": next(name for name in BOOKS if name != book),
                 "the lease's leader": leader}
        self.role = {"kill-book": "the book", "kill-standby": "the standby",
                     "kill-lease-leader": "the lease's leader"}.get(self.kind, self.choice[0])
        names = self.choice if self.kind == "kill-two-nats" else [self.role]
        self.nodes = [roles.get(name, name) for name in names]
        if self.role in NATS:
            self.role = "the lease's leader" if self.role == leader else "a NATS server"
        if self.role in GATEWAYS:
            self.role = "a gateway"


def schedule(seed, seconds, kinds):
    """Returns the faults of a run, by the time from its start. The same arguments give the same ones."""
    source, faults, start = random.Random(seed), [], 2.0
    kinds = {kind: KINDS[kind] for kind in kinds}
    while True:
        kind = source.choices(list(kinds), list(kinds.values()))[0]
        choice = {
            "kill-gateway": lambda: [source.choice(GATEWAYS)],
            "kill-nats": lambda: [source.choice(NATS)],
            "kill-two-nats": lambda: source.sample(NATS, 2),
            **dict.fromkeys(LINK_KINDS, lambda: [
                source.choice(NATS + GATEWAYS + ["the book", "the standby", "clients"])]),
            "pause": lambda: [source.choice(NATS + GATEWAYS + ["the book", "the standby", "the lease's leader"])],
        }.get(kind, lambda: [""])()
        duration = source.uniform(1, 15)
        if start + duration > seconds:
            return faults
        rate = source.choice(RATES) if kind == "slow" else None
        faults.append(Fault(len(faults) + 1, start, kind, choice, duration, rate))
        # A quarter of the faults begin at most 2 s after the one before.
        start += source.uniform(0, 2) if source.random() < 0.25 else duration + source.uniform(3, 10)


class Faults:
    def __init__(self, cluster, namespaces, planned, begin, leader):
        self.cluster, self.namespaces, self.planned, self.begin = cluster, namespaces, list(planned), begin
        # Returns the NATS server that leads the stream of the first key of the lease.
        self.leader = leader
        self.active, self.done = [], []

    def book(self):
        """Returns the process that has the lease, or had it last."""
        last = {}
        for name in BOOKS:
            process = self.cluster.process(name)
            lines = [line for line in process.lines if line.startswith(("book, epoch ", "standby"))]
            if lines and lines[-1].startswith("book") and process.process.poll() is None:
                last[int(lines[-1].split()[-1])] = name
        return last[max(last)] if last else BOOKS[0]

    def step(self, now):
        """Begins and ends what is due."""
        for fault in [one for one in self.active if now >= one.begun + one.duration]:
            self.end(fault, now)
        while self.planned and now >= self.begin + self.planned[0].start:
            self.start(self.planned.pop(0), now)

    def start(self, fault, now):
        fault.find_nodes(self.book(), self.leader())
        busy = {name for one in self.active for name in one.nodes}
        rate = f" to {fault.rate} kbit/s" if fault.rate else ""
        text = f"{fault.kind} {', '.join(fault.nodes)}{rate} for {fault.duration:.1f} s"
        if busy & set(fault.nodes):
            return self.say(now, f"{text}: skipped, another fault has it")
        self.say(now, text if fault.role in fault.nodes else f"{text} ({fault.role})")
        fault.begun = now
        for name in fault.nodes:
            if fault.kind == "cut":
                self.namespaces.cut(name)
            elif fault.kind == "slow":
                self.namespaces.slow(name, fault.rate)
            elif fault.kind == "pause":
                self.cluster.process(name).send(signal.SIGSTOP)
            else:
                self.cluster.process(name).kill()
        self.active.append(fault)

    def end(self, fault, now):
        self.active.remove(fault)
        self.done.append(fault)
        fault.ended = now
        for name in fault.nodes:
            if fault.kind == "cut":
                self.namespaces.join(name)
            elif fault.kind == "slow":
                self.namespaces.speed_up(name)
            elif fault.kind == "pause":
                self.cluster.process(name).send(signal.SIGCONT)
            else:
                self.cluster.process(name).start()

    def end_all(self):
        """Ends what still lasts, so that the processes can be ended."""
        for fault in list(self.active):
            self.end(fault, time.time())

    def say(self, now, text):
        print(f"{now - self.begin:7.1f} s  {text}", flush=True)

    def crashed(self):
        """Returns the nodes that ended although no fault did it."""
        struck = {name for one in self.active for name in one.nodes}
        return [one.name for one in self.cluster.processes if one.process.poll() is not None and one.name not in struck]
