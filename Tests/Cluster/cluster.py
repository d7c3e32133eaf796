#!/usr/bin/env python3
"""A cluster on loopback: three NATS servers, a book, a standby and two gateways.

Usage: cluster.py PROGRAM [BOOK-OPTION…], such as cluster.py .build/release/toteboard-server --rate 100.
Prints the addresses. Ends all processes on Ctrl-C, on SIGTERM, and when one of its own programs cannot be started.
"""

import os
import shutil
import sys
import tempfile
import time
import urllib.error
import urllib.request

from processes import Failure, Process, check_programs, end_by_signals, free_ports, ignore_signals

# The time in which the cluster must have a book, in seconds.
START_TIME = 30
# The time in which all clients of a measurement must be connected, in seconds.
CONNECT_TIME = 120


def wait_until_ready(url, deadline):
    """Waits until a gateway has heard the book."""
    while True:
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=10):
                return
        except urllib.error.HTTPError as error:
            if time.monotonic() > deadline:
                raise Failure(f"{url} is not ready: {error.read().decode()}") from error
        time.sleep(0.1)


class Cluster:
    def __init__(self, program, book_options=(), directory=None):
        self.program, self.book_options = program, list(book_options)
        self.directory = directory or tempfile.mkdtemp(prefix="toteboard-cluster-")
        self.processes = []
        self.nats_url = ""

    def host(self, name):
        """Returns the address of a node."""
        return "127.0.0.1"

    def listen(self, name):
        """Returns the address and the port on which a book or a gateway listens."""
        return f"{self.host(name)}:0"

    def prefix(self, name):
        """Returns the words before the command of a node."""
        return []

    def start(self, name, command):
        process = Process(name, self.prefix(name) + command, f"{self.directory}/{name}.log")
        self.processes.append(process)
        return process

    def start_nats(self):
        names = ["nats-1", "nats-2", "nats-3"]
        clients = [f"{self.host(name)}:{port}" for name, port in zip(names, free_ports(3))]
        routes = [f"nats://{self.host(name)}:{port}" for name, port in zip(names, free_ports(3))]
        for name, client, route in zip(names, clients, routes):
            host, port = client.split(":")
            self.start(name, [
                "nats-server", "-n", name, "-a", host, "-p", port, "-js", "-sd", f"{self.directory}/{name}",
                "--cluster_name", "toteboard", "--cluster", route, "--routes", ",".join(routes)])
        self.nats_url = ",".join(f"nats://{client}" for client in clients)

    def start_server(self, name, role, *options):
        return self.start(
            name, [self.program, "--role", role, "--nats", self.nats_url, "--listen", self.listen(name), *options])

    def open(self, gateways=2, gateway_options=()):
        deadline = time.monotonic() + START_TIME
        self.start_nats()
        book = self.start_server("book", "book", *self.book_options)
        book.wait_for("book, epoch ", deadline)
        standby = self.start_server("standby", "book", *self.book_options)
        started = [
            self.start_server(f"gateway-{number}", "gateway", *gateway_options) for number in range(1, gateways + 1)]
        self.statuses = [one.wait_for("status on ", deadline) for one in (book, standby)]
        self.sockets = [one.wait_for("listening on ", deadline) for one in started]

    def process(self, name):
        return next(process for process in self.processes if process.name == name)

    def close(self):
        """Ends the processes: gateways first, NATS last."""
        for process in reversed(self.processes):
            process.stop()
        self.processes = []
        shutil.rmtree(self.directory, ignore_errors=True)


def main():
    check_programs("cluster", sys.argv[1] if len(sys.argv) > 1 else "")
    end_by_signals()
    cluster = Cluster(os.path.abspath(sys.argv[1]), sys.argv[2:])
    try:
        cluster.open()
        feed = ",".join(url.removesuffix("/v2") for url in cluster.sockets)
        print(f"NATS       {cluster.nats_url.replace(',', ' ')}")
        for name, url in zip(("book", "standby"), cluster.statuses):
            print(f"{name:10} {url}/readyz, {url}/metrics (process {cluster.process(name).pid})")
        for number, url in enumerate(cluster.sockets, 1):
            print(f"gateway {number}  {url} (process {cluster.process(f'gateway-{number}').pid})")
        print(f"logs       {cluster.directory}/*.log")
        print(f"\nTry it: toteboard --feed {feed}")
        print("Then kill the book or a gateway: kill -9 PROCESS. Ctrl-C ends the cluster.", flush=True)
        while any(process.process.poll() is None for process in cluster.processes):
            time.sleep(0.5)
        raise Failure("all processes have ended")
    except KeyboardInterrupt:
        print("\ncluster: ending", file=sys.stderr)
    except (Failure, OSError) as failure:
        print(f"cluster: {failure}", file=sys.stderr)
        sys.exit(1)
    finally:
        ignore_signals()
        cluster.close()


if __name__ == "__main__":
    main()
