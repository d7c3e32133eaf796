"""Attacks through HTTP requests."""

import threading
import time

from clients import connect, exchange, request, send_some, topic, try_connect
from lab import attack

CROWD = [f"127.0.0.{number}" for number in range(2, 9)]


@attack(("--matches", "20000"), ("--rate", "5000"), topic=topic(matches=500))
def odds_of_invented_topics(lab):
    """Twenty clients ask for the odds of 20,000 matches at once, each for a topic of its own.
    Other requests are answered within 1 s: a server that is busy says so with 503."""
    names = [topic(matches=20_000 - place, markets=1000 + place, operator=f"x{place}" if place % 2 else "1")
             for place in range(20)]
    statuses = []
    threads = [
        threading.Thread(target=lambda name=name: statuses.append(
            request(lab.port, f"/api/odds?topic={name}", source="127.0.0.2", timeout=9).status))
        for name in names]
    for thread in threads:
        thread.start()
    slowest = 0
    for _ in range(10):
        time.sleep(0.3)
        answer = request(lab.port, "/healthz", source="127.0.0.3", timeout=10)
        slowest = max(slowest, answer.milliseconds if answer.status == 200 else 10_000)
        if slowest > 1000:
            break
    lab.below("healthz ms", slowest, 1000)
    for thread in threads:
        thread.join()
    lab.one_of("status of invented operators", max(statuses), {404, 429, 503})


@attack(("--max-sessions", "8"))
def unread_answers(lab):
    """From seven addresses, as many connections as the server takes send 600 pipelined requests and never read.
    They end after 15 s without progress, their memory is bounded, and others are served then."""
    requests = b"GET /api/matches HTTP/1.1\r\nHost: localhost\r\n\r\n" * 600
    connections = [try_connect(lab.port, CROWD[place % 7], receive_buffer=2048, timeout=1) for place in range(1300)]
    for connection in filter(None, connections):
        send_some(connection, requests)
    time.sleep(7)
    lab.below("growth MB", lab.growth, 256)
    time.sleep(12)
    lab.below("open files", lab.server.open_files, 60)
    lab.equal("status of another", request(lab.port, "/healthz", source="127.0.0.99", timeout=3).status, 200)


def idle_connections(lab, count, sources):
    """Opens connections that make one request and stay. Returns them."""
    connections = []
    for place in range(count):
        connection = try_connect(lab.port, sources[place % len(sources)], timeout=1)
        if connection and send_some(connection, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            connections.append(connection)
    return connections


def is_answered(connection):
    try:
        return connection.recv(100).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


@attack()
def connections_of_one_address(lab):
    """One address opens 400 connections, of which the server takes 256.
    Another address is served at once."""
    connections = idle_connections(lab, 400, ["127.0.0.2"])
    time.sleep(1.5)
    lab.below("open files", lab.server.open_files, 256 + 40)
    lab.below("answered", sum(is_answered(connection) for connection in connections), 257)
    answer = request(lab.port, "/healthz", source="127.0.0.3", timeout=3)
    lab.equal("status of another", answer.status, 200)
    lab.below("its ms", answer.milliseconds, 1000)
    for connection in connections:
        connection.close()


@attack(("--max-sessions", "8"))
def idle_connections_of_many(lab):
    """Seven addresses open more idle connections than the server takes.
    It ends idle ones earlier near the bound, so that another address is served within 10 s."""
    connections = idle_connections(lab, 1300, CROWD)
    answer = request(lab.port, "/healthz", source="127.0.0.99", timeout=12)
    lab.equal("status of another", answer.status, 200)
    lab.below("its ms", answer.milliseconds, 10_000)
    for connection in connections:
        connection.close()


@attack(files=128)
def out_of_files(lab):
    """A server that may open 128 files gets 200 connections.
    It does not spin on accept, and serves again when they are closed."""
    connections = idle_connections(lab, 200, ["127.0.0.2"])
    start = lab.server.processor_time
    time.sleep(3)
    lab.below("processor %", (lab.server.processor_time - start) / 3 * 100, 40)
    for connection in connections:
        connection.close()
    lab.equal("status after", request(lab.port, "/healthz", timeout=5).status, 200)


@attack()
def slowloris(lab):
    """Two hundred connections send a request one byte at a time.
    Each is ended after 10 s, and others are served meanwhile."""
    connections = [connect(lab.port, "127.0.0.2") for _ in range(200)]
    start, slowest = time.monotonic(), 0
    while time.monotonic() < start + 12.5:
        for connection in connections:
            send_some(connection, b"G" if time.monotonic() - start < 0.4 else b"x")
        slowest = max(slowest, request(lab.port, "/healthz", source="127.0.0.3").milliseconds)
        time.sleep(0.5)
    lab.below("open files", lab.server.open_files, 60)
    lab.below("healthz ms", slowest, 1000)


@attack(("--rate", "10000"))
def end_under_load(lab):
    """SIGTERM arrives while clients read slowly, do not read, or stay idle.
    The server ends within 5 s with status 0."""
    from attacks_sessions import calls, frame, joins, open_sessions, HELLO
    register = frame(HELLO) + frame(f'[64,1,{{}},"{topic()}"]'.encode())
    connections = open_sessions(lab, 50, register, "127.0.0.2", receive_buffer=1 << 14)
    connections += open_sessions(lab, 20, calls(300, topic(markets=1000)), "127.0.0.3", receive_buffer=2048)
    connections += open_sessions(lab, 8, joins(200), "127.0.0.4")
    connections += idle_connections(lab, 100, ["127.0.0.5"])
    for _ in range(100):
        connection = connect(lab.port, "127.0.0.6", receive_buffer=2048)
        send_some(connection, b"GET /api/odds HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300)
        connections.append(connection)
    time.sleep(1)
    lab.subscribers.process.kill()
    lab.subscribers, lab.ends_server = None, True
    seconds, status = lab.server.stop(12)
    lab.below("end after s", seconds, 5.5)
    lab.equal("exit status", status, 0)


@attack()
def head_requests(lab):
    """HEAD requests and the methods that a path does not have.
    HEAD is answered as GET without the body, the others with 405."""
    for path in ("/healthz", "/metrics", "/api/matches", "/api/odds"):
        answer = exchange(
            lab.port, f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        lab.equal(f"HEAD {path}", (head[9:12], len(body)), (b"200", 0))
    for method in ("POST", "DELETE", "TRACE", "OPTIONS"):
        lab.one_of(method, request(lab.port, "/api/matches", method).status, {405})
