"""Programs in the background, for the scripts of this directory."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time


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


def check_programs(script, program):
    """Ends the script if the server or nats-server cannot be started."""
    if not os.access(program, os.X_OK):
        sys.exit(f"{script}: name the program to start, such as .build/release/toteboard-server")
    # Debian installs it where only the administrator's PATH leads.
    os.environ["PATH"] += ":/usr/sbin"
    if shutil.which("nats-server") is None:
        sys.exit(f"{script}: 'nats-server' is not installed: install it with 'make deps'")


def end_by_signals():
    """Makes the signals that end a program end the script through `finally`."""
    # A shell that starts the script in the background has SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))


def ignore_signals():
    """Makes sure that the end of the script is not interrupted."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def die_with_parent():
    """Makes the kernel end this process when the script dies, even if it was killed. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Process:
    """A program in the background, whose lines of output can be awaited. It can be started again."""

    def __init__(self, name, command, log):
        self.name, self.command, self.log = name, command, log
        self.news = threading.Condition()
        self.start()

    def start(self):
        self.lines = []
        with open(self.log, "ab") as log:
            # A session of its own: Ctrl-C reaches the script only, which ends the processes in order.
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                start_new_session=True, preexec_fn=die_with_parent)
        threading.Thread(target=self.read, args=(self.process.stdout, self.lines), daemon=True).start()

    def read(self, output, lines):
        for line in output:
            with self.news:
                lines.append(line.rstrip("\n"))
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

    @property
    def pid(self):
        return self.process.pid

    def send(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self):
        self.send(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Sends SIGTERM, and kills the process if it does not end."""
        self.send(signal.SIGTERM)
        try:
            self.process.wait(6)
        except subprocess.TimeoutExpired:
            self.kill()
