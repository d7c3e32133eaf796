"""The unit costs of a cluster, as tables in Markdown."""

# A slow server cannot be told from slow clients if less of the machine was idle, or more of a client's thread was used.
MIN_IDLE = 0.15
MAX_THREAD_USE = 0.85
# The part of the machine that other programs may use in a measurement.
MAX_OTHER_USE = 0.10
# The time by which the p99 of two gateways may exceed that of one server, in milliseconds.
P99_LIMIT = 20


class Run:
    """One measurement: the result of toteboard-load, and the growth of the metrics of the servers, a second.

    `traffic` is that of all connections: bytes and packets a second; None if other programs share the interface.
    """

    def __init__(self, gateways, result, servers, traffic, rate):
        self.gateways, self.result, self.servers, self.traffic = gateways, result, servers, traffic
        self.clients, self.seconds, self.processors = result["clients"], result["seconds"], result["processors"]
        self.rate = rate
        self.p99 = result["times"][2]
        # A second, of all clients.
        self.frames, self.updates, self.bytes = (
            result[name] / self.seconds for name in ("frames", "updates", "bytes"))
        self.load = result["processorTime"] / self.seconds
        self.idle = result["idle"]
        # The processors that were used, 1.0 being one.
        self.server_use, self.book_use, self.nats_use = (
            self.processors_of(*names) for names in (("gateway", "server"), ("book",), ("nats",)))
        used = (self.processors_of("") + self.load) / self.processors
        self.others = max(0, 1 - self.idle - used)

    @property
    def name(self):
        return f"{self.gateways} gateways" if self.gateways > 1 else "1 gateway" if self.gateways else "one server"

    @property
    def messages(self):
        """The messages that each server has for its topics, a second."""
        return self.frames / self.clients

    @property
    def received(self):
        """The bytes that each gateway gets from NATS, a second."""
        return sum(one.get("nats_received_bytes_total", 0) for one in self.servers) / len(self.servers)

    @property
    def client_memory(self):
        """The memory for each client, in bytes."""
        return (self.memory("memory") - self.memory("memoryBefore")) / max(1, self.clients - len(self.servers))

    @property
    def server_memory(self):
        """The memory of a server with one client, in bytes."""
        return self.memory("memoryBefore") / len(self.servers)

    @property
    def saturation(self):
        """The reasons for which the delivery times are not those of the servers alone."""
        reasons = []
        if self.idle < MIN_IDLE:
            reasons.append(f"{self.idle:.0%} of the processors were idle")
        if self.load / self.result["threads"] > MAX_THREAD_USE:
            reasons.append(f"the clients used {self.load / self.result['threads']:.0%} of their threads")
        if self.others > MAX_OTHER_USE:
            reasons.append(f"other programs used {self.others:.0%} of the processors")
        if self.result["lost"]:
            reasons.append(f"{self.result['lost']} clients were lost")
        return reasons

    def processors_of(self, *prefixes):
        return sum(one.get("processorTime", 0) for one in self.processes(*prefixes)) / self.seconds

    def memory(self, key):
        return sum(one.get(key, 0) for one in self.processes("gateway", "server"))

    def processes(self, *prefixes):
        return [one for one in self.result["processes"] if one["name"].startswith(prefixes)]


def markdown(head, rows):
    lines = [f"| {' | '.join(line)} |" for line in [head, *rows]]
    return "\n".join([lines[0].replace("|  |", "| |", 1), f"|---|{'---:|' * (len(head) - 1)}", *lines[1:]])


def delivery_table(runs):
    head = ["", "clients", "frames/s", "updates/s", "delivery min / p50 / p99 / max ms", "conflated/s", "lost",
            "load generator", "other programs", "idle"]
    return markdown(head, [[
        run.name, f"{run.clients:,}", f"{run.frames:,.0f}", f"{run.updates:,.0f}",
        " / ".join(f"{time:.1f}" for time in run.result["times"]),
        f"{sum(one.get('conflated_total', 0) for one in run.servers):.0f}", str(run.result["lost"]), f"{run.load:.0%}",
        f"{run.others:.0%}", f"{run.idle:.0%}"] for run in runs])


def client_table(runs):
    def traffic(run, name, whole, decimals):
        return f"{run.traffic[name] / whole:.{decimals}f}" if run.traffic else "?"

    head = ["", "servers µs", "book µs", "NATS µs", "share of NATS", "bytes", "servers µs a frame",
            "bytes, all connections", "packets a frame", "kB a client", "MB a server"]
    rows = []
    for run in runs:
        rows.append([
            run.name, *(f"{1e6 * use / run.updates:.2f}" for use in (run.server_use, run.book_use, run.nats_use)),
            f"{run.nats_use / (run.server_use + run.book_use + run.nats_use):.0%}", f"{run.bytes / run.updates:.0f}",
            f"{1e6 * run.server_use / run.frames:.1f}", traffic(run, "bytes", run.updates, 0),
            traffic(run, "packets", run.frames, 2), f"{run.client_memory / 1000:.1f}",
            f"{run.server_memory / 1e6:.0f}"])
    return markdown(head, rows)


def fan_out_table(runs):
    head = ["", "messages/s", "bytes a message", "kB/s a gateway", "book CPU", "NATS CPU", "standby CPU"]
    return markdown(head, [[
        f"{run.name}, {run.rate:,g} odds updates/s", f"{run.messages:.0f}",
        f"{run.received / run.messages:.0f}", f"{run.received / 1000:.1f}",
        *(f"{use:.1%}" for use in (run.book_use, run.nats_use, run.processors_of("standby")))]
        for run in runs if run.gateways])


def nats_unit(runs):
    """Returns the seconds of a processor that NATS needs for one message to one more gateway, by least squares."""
    points = [(run.gateways * run.messages, run.nats_use) for run in runs]
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def judge(runs):
    """Returns lines that say whether two gateways are as fast as the issue asks, and what limits the measurement."""
    lines = [f"{run.name}: saturated: {', '.join(run.saturation)}" for run in runs if run.saturation]
    reference, two = (next((run for run in runs if run.gateways == count), None) for count in (0, 2))
    if not reference or not two:
        return [*lines, "p99 is not judged: that needs runs with 0 and 2 gateways"]
    if reference.saturation or two.saturation:
        return [*lines, "p99 is not judged: the machine was saturated; use fewer --clients or a machine with more"
                " processors, and end other programs"]
    verdict = "ok" if two.p99 <= reference.p99 + P99_LIMIT else "FAILED"
    return [*lines, f"p99 {verdict}: {two.p99:.1f} ms with 2 gateways, {reference.p99:.1f} ms with one server and as"
            f" many clients each; the limit is {P99_LIMIT} ms more"]
