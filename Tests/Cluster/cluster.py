#!/usr/bin/env python3
"""A cluster on loopback: three NATS servers, a book, a standby and two gateways.

Usage: cluster.py PROGRAM [BOOK-OPTION…], such as cluster.py .build/release/toteboard-server --rate 100.
Prints the addresses. Ends all processes on Ctrl-C, on SIGTERM, and when one of its own programs cannot be started.
"""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

# The time in which the cluster must have a book, in seconds.
START_TIME = 30


class Failure(Exception):
    pass


def free_ports(count):
    """Returns ports that are free now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def die_with_parent():
    """Makes the kernel end this process when the script dies, even if it was killed. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Process:
    """A program in the background, whose lines of output can be awaited."""

    def __init__(self, name, command, log):
        self.name, self.lines = name, []
        self.news = threading.Condition()
        # A session of its own: Ctrl-C reaches this script only, which ends the processes in order.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(log, "ab"), text=True,
            start_new_session=True, preexec_fn=die_with_parent)
        self.log = log
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.news.notify_all()

    def wait_for(self, prefix, deadline):
        """Returns the rest of the first line that begins with `prefix`."""
        with self.news:
            while True:
                for line in self.lines:
                    if line.startswith(prefix):
                        return line[len(prefix):]
                if self.process.poll() is not None or time.monotonic() > deadline:
                    with open(self.log, errors="replace") as log:
                        raise Failure(f"{self.name} did not say '{prefix}…':\n{log.read()[-2000:]}")
                self.news.wait(0.1)

    def send(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)


class Cluster:
    def __init__(self, program, book_options=()):
        self.program, self.book_options = program, list(book_options)
        self.directory = tempfile.mkdtemp(prefix="toteboard-cluster-")
        self.processes = []
        self.nats_url = ""

    def start(self, name, command):
        process = Process(name, command, f"{self.directory}/{name}.log")
        self.processes.append(process)
        return process

    def start_nats(self):
        ports, routes = free_ports(3), free_ports(3)
        urls = ",".join(f"nats://127.0.0.1:{port}" for port in routes)
        for number, (port, route) in enumerate(zip(ports, routes), 1):
            self.start(f"nats-{number}", [
                "nats-server", "-n", f"nats-{number}", "-a", "127.0.0.1", "-p", str(port), "-js",
                "-sd", f"{self.directory}/jetstream-{number}", "--cluster_name", "toteboard",
                "--cluster", f"nats://127.0.0.1:{route}", "--routes", urls])
        self.nats_url = ",".join(f"nats://127.0.0.1:{port}" for port in ports)

    def start_server(self, name, role, *options):
        return self.start(
            name, [self.program, "--role", role, "--nats", self.nats_url, "--listen", "127.0.0.1:0", *options])

    def open(self):
        deadline = time.monotonic() + START_TIME
        self.start_nats()
        book = self.start_server("book", "book", *self.book_options)
        book.wait_for("book, epoch ", deadline)
        standby = self.start_server("standby", "book", *self.book_options)
        gateways = [self.start_server(f"gateway-{number}", "gateway") for number in (1, 2)]
        self.statuses = [one.wait_for("status on ", deadline) for one in (book, standby)]
        self.sockets = [one.wait_for("listening on ", deadline) for one in gateways]

    def pid(self, name):
        return next(process.process.pid for process in self.processes if process.name == name)

    def close(self):
        """Ends the processes: gateways first, NATS last."""
        for process in reversed(self.processes):
            process.send(signal.SIGTERM)
            try:
                process.process.wait(6)
            except subprocess.TimeoutExpired:
                process.send(signal.SIGKILL)
                process.process.wait()
        self.processes = []
        shutil.rmtree(self.directory, ignore_errors=True)


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("cluster: name the program to start, such as .build/release/toteboard-server")
    # Debian installs it where only the administrator's PATH leads.
    os.environ["PATH"] += ":/usr/sbin"
    if shutil.which("nats-server") is None:
        sys.exit("cluster: 'nats-server' is not installed: install it with 'make deps'")
    # Ends the script through `finally`. A shell that starts it in the background has SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    cluster = Cluster(os.path.abspath(sys.argv[1]), sys.argv[2:])
    try:
        cluster.open()
        feed = ",".join(url.removesuffix("/v2") for url in cluster.sockets)
        print(f"NATS       {cluster.nats_url.replace(',', ' ')}")
        for name, url in zip(("book", "standby"), cluster.statuses):
            print(f"{name:10} {url}/readyz, {url}/metrics (process {cluster.pid(name)})")
        for number, url in enumerate(cluster.sockets, 1):
            print(f"gateway {number}  {url} (process {cluster.pid(f'gateway-{number}')})")
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
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        cluster.close()


if __name__ == "__main__":
    main()
