"""Attacks on connections: leaks, and the encryption."""

import os
import struct
import time

from clients import Session, exchange, request, topic
from lab import attack


@attack(("--max-connections-per-address", "2000"))
def ten_thousand_connections(lab):
    """Ten thousand sessions begin and end, some with a close frame and some without.
    The server keeps nothing of them: no session, no file, no memory."""
    def wave():
        sessions = []
        for place in range(1000):
            session = Session(lab.port, "127.0.0.2")
            session.register(topic("live", matches=10))
            sessions.append(session)
        for place, session in enumerate(sessions):
            if place % 2:
                session.send_frame(b"\x03\xe8", 8)
            session.close()
    for _ in range(3):
        wave()
    before = lab.server.memory
    for _ in range(7):
        wave()
    time.sleep(0.5)
    lab.below("growth MB", lab.server.memory - before, 24)
    lab.equal("open sessions", lab.server.metric("sessions"), 4.0)
    lab.below("open files", lab.server.open_files, 50)


# Cipher suites by their numbers.
FORWARD_SECRET = {
    "ECDHE-RSA-AES128-GCM-SHA256": 0xC02F, "ECDHE-RSA-AES256-GCM-SHA384": 0xC030, "ECDHE-RSA-CHACHA20-POLY1305": 0xCCA8,
}
REFUSED = {
    "AES128-SHA": 0x002F, "AES256-SHA": 0x0035, "AES128-GCM-SHA256": 0x009C, "AES256-GCM-SHA384": 0x009D,
    "ECDHE-RSA-AES128-SHA": 0xC013, "ECDHE-RSA-AES256-SHA": 0xC014, "DES-CBC3-SHA": 0x000A,
}


def client_hello(version, ciphers):
    """Returns a ClientHello for at most this version, written by hand: a library may refuse old versions itself."""
    def vector(data, size=2):
        return len(data).to_bytes(size, "big") + data
    def extension(kind, data):
        return struct.pack(">H", kind) + vector(data)
    extensions = extension(10, vector(struct.pack(">HH", 23, 29))) + extension(11, b"\x01\x00")
    extensions += extension(13, vector(struct.pack(">6H", 0x0804, 0x0401, 0x0501, 0x0601, 0x0403, 0x0201)))
    suites = b"".join(struct.pack(">H", cipher) for cipher in ciphers)
    body = struct.pack(">H", version) + os.urandom(32) + vector(b"", 1) + vector(suites) + b"\x01\x00"
    return b"\x16\x03\x01" + vector(b"\x01" + vector(body + vector(extensions), 3))


def accepts(port, version, ciphers):
    """Returns true if the server answers with a ServerHello, false if it refuses."""
    answer = exchange(port, client_hello(version, ciphers), 1, is_over=lambda received: len(received) >= 11)
    return answer[:1] == b"\x16" and answer[5:6] == b"\x02"


@attack(("--tls-cert", "{cert}"), ("--tls-key", "{private}"), topic=None)
def old_encryption(lab):
    """Handshakes with TLS 1.0 and 1.1, and with ciphers that have no forward secrecy or no authenticated encryption.
    Each is refused; TLS 1.2 with the others is accepted."""
    every = [*FORWARD_SECRET.values(), *REFUSED.values()]
    old = {"TLS 1.0": 0x0301, "TLS 1.1": 0x0302}
    accepted = [name for name, version in old.items() if accepts(lab.port, version, every)]
    accepted += [name for name, cipher in REFUSED.items() if accepts(lab.port, 0x0303, [cipher])]
    lab.equal("accepted", accepted, [])
    refused = [name for name, cipher in FORWARD_SECRET.items() if not accepts(lab.port, 0x0303, [cipher])]
    lab.equal("refused", refused, [])


@attack("--require-login", ("--demo-user", "anna:secret"), topic=None)
def closed_to_strangers(lab):
    """A server for logged-in users only gets requests without a token.
    The lists, the WebSocket and the metrics are refused; the health is not."""
    for path in ("/api/matches", "/api/odds", "/metrics"):
        lab.one_of(path, request(lab.port, path).status, {401, 403})
    try:
        Session(lab.port)
        lab.fail("a WebSocket without a token")
    except ConnectionError as error:
        lab.equal("/v2", str(error)[9:12], "401")
    lab.equal("/healthz", request(lab.port, "/healthz").status, 200)
