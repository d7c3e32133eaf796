"""Attacks through WebSocket sessions that cost the server work or memory."""

import os
import threading
import time
import urllib.parse

from clients import Session, connect, read_all, request, send_some, topic, upgrade, frame, HELLO
from lab import attack
from server import Server

LARGE = (("--matches", "20000"), ("--rate", "5000"))


def joins(count, matches=100):
    """Returns REGISTER and UNREGISTER messages for topics that all differ, as frames behind a handshake."""
    messages = [HELLO]
    for place in range(1, count + 1):
        name = topic(matches=max(1, matches - place % 60), markets=1000 + place)
        messages.append(f'[64,{2 * place - 1},{{}},"{name}"]'.encode())
        messages.append(f"[66,{2 * place},{place}]".encode())
    return b"".join(frame(message) for message in messages)


def calls(count, name):
    messages = [f'[48,{place},{{}},"/sports#initialDump",[],{{"topic":"{name}"}}]' for place in range(1, count + 1)]
    return b"".join(frame(message.encode()) for message in [HELLO.decode(), *messages])


def open_sessions(lab, count, data, source="127.0.0.2", **options):
    """Opens connections that send a handshake and the data in one piece, and do not wait for an answer."""
    connections = []
    for _ in range(count):
        try:
            connections.append(connect(lab.port, source, **options))
        except OSError:
            break
    for connection in connections:
        send_some(connection, upgrade() + data)
    return connections


@attack()
def quiet(lab):
    """Nothing is sent.
    If the subscribers fail here, the machine is too busy to judge the attacks that follow."""
    time.sleep(3)


@attack()
def register_churn(lab):
    """Two clients register and unregister topics without a pause, and connect again when their budget is spent.
    Each join of a topic must not cost the other clients time."""
    end = time.monotonic() + 8
    while time.monotonic() < end:
        connections = open_sessions(lab, 2, joins(240))
        read_all(connections, 0.5)
        for connection in connections:
            connection.close()


@attack(*LARGE, topic=topic(matches=500))
def register_burst(lab):
    """One client registers and unregisters 130 topics of 20,000 matches in one burst of 35 KB.
    The subscribers go on as before, and SIGTERM ends the server within 5 s."""
    connections = open_sessions(lab, 1, joins(130, matches=20_000))
    read_all(connections, 6)
    lab.end_measuring()
    lab.ends_server = True
    seconds, status = lab.server.stop()
    lab.below("end after s", seconds, 5.5)
    lab.equal("exit status", status, 0)


@attack()
def invented_operators(lab):
    """Eight sessions register 511 topics of invented operators, as many as the server keeps open.
    A client that comes later still gets its topic and keeps its session."""
    sessions = [Session(lab.port, "127.0.0.2") for _ in range(8)]
    for number, session in enumerate(sessions):
        # With the topic of the subscribers, 512 in all: one more would end a session and free its topics.
        for place in range(64 if number else 63):
            session.send_text([64, place + 1, {}, topic(operator=f"x{number}-{place}")])
    read_all([session.socket for session in sessions], 5)
    try:
        newcomer = Session(lab.port, "127.0.0.3")
    except OSError as error:
        return lab.fail(f"a newcomer gets no session: {error}")
    mine = topic("live", matches=20)
    lab.equal("REGISTER of a newcomer", newcomer.register(mine)[0], 65)
    lab.equal("its dump", newcomer.dump(mine)[0], 50)
    lab.equal("its next message", newcomer.answer(68)[0], 68)
    lab.below("open topics", lab.server.metric("topics"), 129)


@attack(topic=None, starts=False)
def relayed_topics(lab):
    """Eight threads of one address request lists of topics that differ from a server that passes a feed on.
    Clients of other addresses still get theirs, though only so many can be opened upstream."""
    place = os.path.join(lab.directory, "upstream")
    os.mkdir(place)
    upstream = Server(lab.program, [("--rate", "50"), ("--matches", "100")], place)
    try:
        lab.start([("--feed", f"ws://127.0.0.1:{upstream.port}/v2")])
        while request(lab.port, "/readyz").status != 200:
            time.sleep(0.1)
        with Flood(lab.port, 8) as flood:
            time.sleep(12)
            sessions = [Session(lab.port, f"127.0.0.{20 + number}") for number in range(12)]
            answers = [session.register(topic(sport="1", matches=30 + number))[0]
                       for number, session in enumerate(sessions)]
        lab.equal("REGISTER of newcomers", answers, [65] * 12)
        lab.below("lists for the flood", flood.count(200), 100)
    finally:
        upstream.stop(patience=1)


class Flood:
    """Threads of one address that request lists of topics, each another one, until the end of the block."""

    def __init__(self, port, count):
        self.port, self.is_over, self.statuses = port, threading.Event(), []
        self.threads = [threading.Thread(target=self._run, args=(number,)) for number in range(count)]

    def _run(self, number):
        place = number
        while not self.is_over.is_set():
            place += len(self.threads)
            name = topic(matches=1 + place % 400, markets=1 + place % 5, operator=1 + place % 2)
            path = "/api/odds?topic=" + urllib.parse.quote(name, safe="")
            self.statuses.append(request(self.port, path, source="127.0.0.2").status)

    def count(self, status):
        return self.statuses.count(status)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


@attack()
def unknown_topics(lab):
    """A session with a working topic registers topics that the feed does not have.
    Each of them is answered with ERROR, and the working topic goes on."""
    session = Session(lab.port, "127.0.0.2")
    session.register(topic())
    unknown = ["/sports/1/en/nothing/here", topic(operator="invented"), topic(sport="9999"), "x" * 400,
               "/sports/1/en/999/match-odds", topic(markets=3).replace("/en/", "/xx/")]
    answers = []
    for name in unknown:
        answers.append(session.register(name)[0])
        if answers[-1] == 3:
            break
    lab.equal("answers", answers, [8] * len(unknown))
    lab.equal("next message", session.answer(68)[0] if answers[-1] != 3 else 3, 68)


@attack()
def long_names(lab):
    """Twenty sessions register 60 topics with names of 65,000 bytes each.
    Each is refused, and the server keeps none of the names."""
    sessions = [Session(lab.port, "127.0.0.2") for _ in range(20)]
    kinds = set()
    try:
        for session in sessions:
            for place in range(60):
                kinds.add(session.register(f"/sports/1/en/{place}" + "x" * 65_000)[0])
    except (OSError, BrokenPipeError):
        kinds.add(0)
    lab.equal("answers", kinds, {8})
    lab.below("growth MB", lab.growth, 40)


@attack(("--rate", "10000"))
def slow_readers(lab):
    """Fifty clients of a fast feed read once a second, so that each gets conflated messages.
    The conflation must not be paid anew for each of them."""
    sessions = open_sessions(
        lab, 50, frame(HELLO) + frame(f'[64,1,{{}},"{topic()}"]'.encode()), receive_buffer=1 << 16)
    for _ in range(9):
        time.sleep(0.95)
        read_all(sessions, 0.05)


@attack(("--rate", "10000"), ("--matches", "200"), topic=topic(matches=50))
def readers_of_many_topics(lab):
    """Two hundred clients of one address have 64 topics of a fast feed each, and read a little now and then.
    Neither the conflated messages nor the dumps that wait to be sent to them cost the others time."""
    names = [topic(matches=100 + number // 4, markets=1 + number % 4) for number in range(64)]
    joins = [frame(f'[64,{number + 1},{{}},"{name}"]'.encode()) for number, name in enumerate(names)]
    sessions = open_sessions(lab, 200, frame(HELLO) + b"".join(joins), receive_buffer=4096)
    time.sleep(5)
    read_all(sessions, 12)
    lab.equal("status of another", request(lab.port, "/healthz", source="127.0.0.3").status, 200)


@attack()
def call_amplification(lab):
    """Four clients of one address call for large dumps with 82 KB of messages each and read all answers.
    The bytes that one address gets for them are bounded, and the subscribers go on as before."""
    connections = open_sessions(lab, 4, calls(480, topic(markets=1000)))
    count, _ = read_all(connections, 8)
    lab.below("answers MB", count / 1e6, 500)


@attack(*LARGE, topic=topic(matches=500))
def unread_dumps(lab):
    """Thirty clients call for dumps of 10,000 matches, each of another topic, and never read.
    The memory of all dumps that are not sent yet is bounded."""
    connections = []
    for place in range(30):
        connections += open_sessions(lab, 1, calls(400, topic(matches=10_000 - place)), receive_buffer=2048)
    peak = 0
    for _ in range(16):
        time.sleep(0.5)
        peak = max(peak, lab.growth)
    lab.below("growth MB", peak, 640)
    lab.equal("status of another", request(lab.port, "/healthz", source="127.0.0.3").status, 200)
    for connection in connections:
        connection.close()


@attack()
def pongs(lab):
    """A client sends pongs that nobody asked for, as fast as it can.
    They count as messages: the session is ended, and fewer than 100,000 frames are read."""
    session = Session(lab.port, "127.0.0.2")
    blob, end, is_ended = frame(b"", 10) * 1000, time.monotonic() + 5, False
    session.socket.settimeout(5)
    try:
        while time.monotonic() < end:
            session.socket.sendall(blob)
    except OSError:
        is_ended = True
    lab.equal("session ended", is_ended, True)
    lab.below("frames read", lab.server.metric("frames_received_total"), 100_000)
