"""Attacks on logins and on the admin interface."""

import os
import statistics
import subprocess
import threading
import time

from clients import connect, exchange, log_in, request
from lab import attack
from server import PASSWORD, user_line

USERS = ("--users", "{users}")
ADMIN = (("--demo-user", f"anna:{PASSWORD}"), ("--admin", "127.0.0.1:0"))


@attack(USERS, topic=None)
def lockout(lab):
    """One address sends wrong passwords of a user until it is refused.
    The user logs in from another address all the same."""
    refused = [log_in(lab.port, "anna", f"wrong{place}", "127.0.0.2").status for place in range(33)]
    lab.one_of("last status of the attacker", refused[-1], {429, 503})
    lab.equal("status of the user", log_in(lab.port, "anna", PASSWORD, "127.0.0.3").status, 200)


@attack(USERS, topic=None)
def login_form_of_a_page(lab):
    """A web page sends logins with the content types that need no permission.
    They are refused with 415, and spend none of the user's attempts."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        statuses = {log_in(lab.port, "anna", "wrong", "127.0.0.2", kind).status for _ in range(7)}
        lab.equal(kind.split(";")[0], statuses, {415})
    answer = log_in(lab.port, "anna", PASSWORD, "127.0.0.2", "application/json; charset=utf-8")
    lab.equal("status of the user", answer.status, 200)


@attack(USERS, topic=None)
def login_queue(lab):
    """A hundred connections from 64 addresses send logins of unknown users without a pause.
    Once each of them has failed, the logins of a user from an address without failures succeed."""
    stop, all_failed, failed = threading.Event(), threading.Event(), set()
    def attacker(number):
        place = 0
        while not stop.is_set():
            answer = log_in(lab.port, f"u{number}-{place}", "wrong", f"127.0.1.{number % 64 + 1}", timeout=3)
            place += 1
            if answer.status == 401:
                failed.add(number % 64)
            if len(failed) == 64:
                all_failed.set()
    threads = [threading.Thread(target=attacker, args=(number,)) for number in range(100)]
    for thread in threads:
        thread.start()
    statuses, slowest = [], 0
    all_failed.wait(60)
    end = time.monotonic() + 5
    while time.monotonic() < end:
        time.sleep(0.3)
        answer = log_in(lab.port, "ben", PASSWORD, "127.0.0.3")
        statuses.append(answer.status)
        slowest = max(slowest, answer.milliseconds)
    stop.set()
    for thread in threads:
        thread.join()
    lab.equal("statuses of the user", sorted(set(statuses)), [200])
    lab.below("slowest ms", slowest, 5000)


@attack(USERS, ("--demo-user", "demo:demo"), topic=None)
def time_of_a_demo_user(lab):
    """Wrong passwords of the demo user and of an unknown name, beside a users file.
    The times of the answers do not tell which name exists."""
    times = {"demo": [], "nobody": []}
    for place in range(5):
        for name in times:
            times[name].append(log_in(lab.port, name, "wrong", f"127.0.2.{place + 1}").milliseconds)
    demo, nobody = (statistics.median(times[name]) for name in times)
    lab.below("ratio of times in %", max(demo, nobody) / min(demo, nobody) * 100, 150)


@attack(starts=False)
def users_file_in_parts(lab):
    """The users file is a pipe that is written in two parts.
    The users of both parts can log in."""
    path = os.path.join(lab.directory, "pipe")
    os.mkfifo(path)
    server = lab.start([("--users", path)], attach=False)
    with open(path, "w") as pipe:
        for name in ("anna", "ben"):
            pipe.write(user_line(lab.program, name))
            pipe.flush()
            time.sleep(0.3)
    server.attach()
    for name in ("anna", "ben"):
        lab.equal(name, log_in(lab.port, name, PASSWORD).status, 200)


@attack(starts=False)
def long_users_file(lab):
    """A users file of more than 1 MiB, with a user in its last line.
    The server reads all of it, or ends with an error: it never drops users."""
    path = os.path.join(lab.directory, "long")
    with open(path, "w") as file:
        file.write(user_line(lab.program, "anna") + "# comment\n" * 120_000 + user_line(lab.program, "ben"))
    process = subprocess.Popen(
        [lab.program, "--listen", "127.0.0.1:0", "--users", path],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if process.stdout.readline():
        process.kill()
        lab.start([("--users", path)])
        lab.equal("the last user", log_in(lab.port, "ben", PASSWORD).status, 200)
    else:
        lab.one_of("exit status", process.wait(5), {1, 2})
        lab.equal("the error names the file", path in process.stderr.read(), True)


@attack(*ADMIN, topic=None)
def web_page_as_admin(lab):
    """Requests to the admin interface as a web page sends them: with a foreign host (DNS rebinding) or an origin.
    Each is refused with 403; those of curl are answered."""
    port, accepted = lab.server.admin_port, []
    hosts = ["evil.com", f"evil.com:{port}", "127.0.0.1.evil.com", "[::1]evil.com", f"[::1]evil.com:{port}",
             "localhost.evil.com", "127.0.0.1@evil.com", "0x7f.1.evil.com"]
    def status(headers, method="GET", path="/sessions"):
        data = f"{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n\r\n".encode()
        return exchange(port, data, 2)[9:12]
    accepted = [host for host in hosts if status(f"Host: {host}") not in (b"403", b"400")]
    here = f"Host: 127.0.0.1:{port}\r\n"
    for header in ("Origin: https://evil.com", "Origin: null", "Sec-Fetch-Site: cross-site"):
        if status(here + header, "POST", "/sessions/anna/kick") != b"403":
            accepted.append(header)
    lab.equal("accepted", accepted, [])
    lab.equal("curl", [status(f"Host: {host}:{port}") for host in ("127.0.0.1", "localhost", "[::1]")], [b"200"] * 3)


@attack(*ADMIN, topic=None)
def silent_admin_connections(lab):
    """Forty connections to the admin interface send nothing.
    The admin is answered all the same, after 11 s at the latest."""
    connections = [connect(lab.server.admin_port) for _ in range(40)]
    answer = request(lab.server.admin_port, "/sessions", timeout=12)
    lab.equal("status", answer.status, 200)
    lab.below("ms", answer.milliseconds, 11_000)
    for connection in connections:
        connection.close()
