"""The server under attack: a process with its own temporary directory."""

import functools
import os
import re
import resource
import signal
import subprocess
import time
import urllib.request

PASSWORD = "secret"


@functools.cache
def known_options(program):
    return set(re.findall(r"--[a-z-]+", subprocess.run([program, "--help"], capture_output=True, text=True).stdout))


class Server:
    """A running toteboard-server on a free port of 127.0.0.1.

    `{users}`, `{key}`, `{cert}` and `{private}` in an option name files that are created in `directory`. An option that
    the program does not have is left out, so that an older program can be attacked for comparison.
    """

    def __init__(self, program, options, directory, files=None, attach=True):
        self.program, self.directory = program, directory
        arguments = [program, "--listen", "127.0.0.1:0"]
        for name, value in options:
            if name not in known_options(program):
                continue
            arguments += [name] + ([] if value is None else [re.sub(r"\{(\w+)\}", self._file, value)])
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        self.log = os.path.join(directory, "log")
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=open(self.log, "wb"), preexec_fn=limit, text=True)
        self.pid = self.process.pid
        self.port = self.admin_port = None
        if attach:
            self.attach("--admin" in arguments)

    def attach(self, has_admin=False):
        """Waits until the server has printed its addresses. Throws if it ends instead."""
        self.port = self._port("listening on ")
        if has_admin:
            self.admin_port = self._port("admin on ")

    def _port(self, prefix):
        line = self.process.stdout.readline()
        if not line.startswith(prefix):
            raise RuntimeError(f"the server did not start: {line}{self.errors()}")
        return int(re.search(r":(\d+)", line)[1])

    def _file(self, match):
        kind = match[1]
        path = os.path.join(self.directory, kind)
        if kind == "users":
            with open(path, "w") as file:
                file.write("".join(user_line(self.program, name) for name in ("anna", "ben")))
        elif kind == "key":
            with open(path, "wb") as file:
                file.write(KEY)
        elif kind == "cert":
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                 "-keyout", os.path.join(self.directory, "private"), "-out", path],
                check=True, capture_output=True)
        return path

    def errors(self):
        """Returns the end of the log."""
        with open(self.log, errors="replace") as file:
            return file.read()[-2000:]

    @property
    def is_running(self):
        return self.process.poll() is None

    @property
    def memory(self):
        """The resident memory, in MB."""
        with open(f"/proc/{self.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

    @property
    def processor_time(self):
        """The processor time so far, in seconds."""
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def open_files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def metric(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=5) as answer:
            return float(re.search(rf"^toteboard_{name} (\S+)$", answer.read().decode(), re.M)[1])

    def stop(self, patience=8):
        """Sends SIGTERM. Returns the seconds until the server ended and its status, or kills it after `patience`."""
        start = time.monotonic()
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        return time.monotonic() - start, status


# The key that signs tokens, known to the attacks that forge them.
KEY = bytes(range(32))


@functools.cache
def user_line(program, name):
    return subprocess.run(
        [program, "hash-password", name], input=PASSWORD + "\n", capture_output=True, text=True, check=True).stdout
