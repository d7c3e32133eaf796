"""Attacks with input that the protocols do not allow."""

import os
import random
import re
import struct
import time

from clients import (BINARY, CLOSE, CONTINUATION, HELLO, PING, PONG, Session, WebSocket, connect, exchange, frame,
                     request, send_some, topic, upgrade)
from lab import attack

# A message that is valid at any time, so that only its frame can be wrong.
YIELD = b"[70,1,{}]"
# Frames, and the code with which each is answered.
BAD_FRAMES = {
    "close frame of 1 byte": (frame(b"\x03", CLOSE), 1002),
    "close code 1005": (frame(struct.pack(">H", 1005), CLOSE), 1002),
    "length not minimal, 16 bit": (frame(YIELD, length=b"\xfe\x00\x09"), 1002),
    "length not minimal, 64 bit": (frame(YIELD, length=b"\xff" + struct.pack(">Q", len(YIELD))), 1002),
    "not masked": (frame(YIELD, mask=b"", length=b"\x09"), 1002),
    "reserved bit": (frame(YIELD, head=0xC1), 1002),
    "reserved opcode": (frame(YIELD, 3), 1002),
    "reserved control opcode": (frame(b"", 11), 1002),
    "binary": (frame(YIELD, BINARY), 1003),
    "fragmented ping": (frame(b"", head=PING), 1002),
    "long ping": (frame(b"x" * 126, PING), 1002),
    "continuation of nothing": (frame(YIELD, CONTINUATION), 1002),
    "text between fragments": (frame(b"[", head=1) + frame(YIELD), 1002),
    "not UTF-8": (frame(b'["\xff\xfe"]'), 1007),
    "too large": (frame(b"", length=b"\xff" + struct.pack(">Q", 1 << 20)), 1009),
    "endless fragments": (frame(b"[", head=1) + frame(b" " * 40_000, head=0) * 3, 1009),
}


@attack()
def bad_frames(lab):
    """Frames that RFC 6455 forbids, each in a session of its own.
    Each is answered with the right close code."""
    wrong = []
    for name, (data, code) in BAD_FRAMES.items():
        session = Session(lab.port, "127.0.0.2")
        session.socket.sendall(data)
        if (found := session.close_code()) != code:
            wrong.append(f"{name}: {found}, not {code}")
        session.close()
    session = Session(lab.port, "127.0.0.2")
    session.socket.sendall(frame(b"", length=b"\xff" + b"\xff" * 8))
    if (found := session.close_code()) not in (1002, 1009):
        wrong.append(f"length of 2^64: {found}")
    lab.equal("wrong answers", wrong, [])


@attack()
def bad_ids(lab):
    """Requests with ids that WAMP forbids: 0, negative, above 2^53, not whole, not numbers.
    Each ends its session with the reason wamp.error.protocol_violation."""
    wrong = []
    for identifier in ("0", "-1", str((1 << 53) + 1), str(1 << 64), "1.5", '"1"', "null"):
        for text in (f'[64,{identifier},{{}},"{topic()}"]', f"[66,{identifier},1]",
                     f'[48,{identifier},{{}},"/sports#initialDump",[],{{"topic":"{topic()}"}}]'):
            session = Session(lab.port, "127.0.0.2")
            session.send_text(text.encode())
            try:
                answer = session.answer(8, 50, 65, 67, seconds=2)
            except OSError:
                answer = [0]
            if answer[0] != 3 or answer[2] != "wamp.error.protocol_violation":
                wrong.append(text.split(",{")[0])
            session.close()
    lab.equal("wrong answers", wrong, [])


HIDDEN = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
# Heads whose length two servers could understand differently. The hidden request behind them must not be answered.
SMUGGLING = {
    "length and chunks": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 2\r\nContent-Length: 44\r\n\r\n{}",
    "list of lengths": b"Content-Length: 2, 44\r\n\r\n{}",
    "signed length": b"Content-Length: +2\r\n\r\n{}",
    "negative length": b"Content-Length: -1\r\n\r\n",
    "hexadecimal length": b"Content-Length: 0x2\r\n\r\n{}",
    "length over 64 bit": b"Content-Length: 18446744073709551618\r\n\r\n{}",
    "space before colon": b"Content-Length : 0\r\n\r\n",
    "other encoding": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked not last": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "space before colon of chunks": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "chunk over 64 bit": b"Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n",
    "negative chunk": b"Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n0\r\n\r\n",
    "prefixed chunk": b"Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n",
    "zero in a header": b"X: a\0b\r\nContent-Length: 0\r\n\r\n",
    "body of the right length": b"Content-Length: %d\r\n\r\n" % len(HIDDEN),
}


@attack(("--demo-user", "anna:secret"))
def smuggling(lab):
    """Requests whose end two servers could see at different places, with a request hidden behind.
    The server answers at most one of the two, and ends the connection where the length is in doubt."""
    wrong = []
    for name, rest in SMUGGLING.items():
        head = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        answer = exchange(lab.port, head + rest + HIDDEN, 0.7, "127.0.0.2")
        if re.findall(rb"HTTP/1\.1 (\d+) ", answer) != [b"400"]:
            wrong.append(name)
    lab.equal("wrong answers", wrong, [])


@attack()
def path_traversal(lab):
    """Paths that lead out of a directory, in several encodings.
    None is answered with a file."""
    found = []
    for up in ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "%252e%252e%252f", "..;/", "%c0%ae%c0%ae/"):
        for start in ("/", "/api/", "/v2/player/", "/v2/player/x/"):
            answer = exchange(
                lab.port,
                f"GET {start}{up * 8}etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            if answer[9:12] not in (b"400", b"401", b"404") or b"root:" in answer:
                found.append(start + up)
    lab.equal("answered", found, [])


@attack()
def response_splitting(lab):
    """Line ends in the topic of a request, which the server repeats in a header and in an error.
    No answer has a header of the attacker."""
    found = []
    for end in ("%0d%0a", "%0a", "%0d", "%E5%98%8A%E5%98%8D", "\\r\\n", "%00", "%250d%250a"):
        for name in (topic(), "/sports/1/en/disciplines/LIVE/BOTH"):
            for place in ("/api/odds?topic={0}{1}Injected:%20yes", "/api/odds?topic={1}Injected:%20yes{1}{0}",
                          "/api/matches?topic={0}&{1}Injected:%20yes"):
                answer = exchange(
                    lab.port,
                    f"GET {place.format(name, end)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                head = answer.partition(b"\r\n\r\n")[0].replace(b"\r", b"\n").split(b"\n")
                if any(line.startswith(b"Injected") for line in head) or not answer:
                    found.append(place.format("…", end))
    lab.equal("injected", found, [])


@attack(("--origin", "https://example.com"), topic=None)
def foreign_origins(lab):
    """WebSocket handshakes of web pages with origins that resemble the allowed one.
    Each is refused with 403, the allowed one is accepted."""
    accepted = []
    for origin in ("https://evil.com", "http://example.com", "https://example.com.evil.com", "null",
                   "https://example.com:444", "https://example.com@evil.com", "https://evilexample.com"):
        if exchange(lab.port, upgrade(f"Origin: {origin}\r\n"), 1, is_over=bool)[9:12] != b"403":
            accepted.append(origin)
    lab.equal("accepted", accepted, [])
    WebSocket(lab.port, headers="Origin: https://example.com\r\n").close()


def random_input(dice):
    """Returns random bytes, or a valid exchange with a few random changes."""
    valid = [
        upgrade() + frame(HELLO) + frame(f'[64,1,{{}},"{topic()}"]'.encode()) + frame(b"[70,1,{}]") + frame(b"", PONG),
        upgrade() + frame(HELLO) + frame(f'[48,2,{{}},"/sports#initialDump",[],{{"topic":"{topic()}"}}]'.encode()),
        b"GET /api/odds?topic=" + topic().encode() + b" HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n",
        b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 35\r\n\r\n"
        b'{"user":"anna","password":"secret"}',
    ]
    kind = dice.randrange(6)
    if kind == 0:
        return dice.randbytes(dice.randrange(1, 4000))
    if kind == 1:
        return upgrade() + frame(HELLO) + dice.randbytes(dice.randrange(1, 4000))
    data = bytearray(valid[kind - 2])
    # Behind the handshake, where there is one: otherwise few inputs would come that far.
    first = len(upgrade()) if kind < 4 else 0
    for _ in range(dice.randrange(1, 6)):
        place = dice.randrange(first, len(data))
        change = dice.randrange(3)
        if change == 0:
            data[place] = dice.randrange(256)
        elif change == 1:
            del data[place:place + dice.randrange(1, 8)]
        else:
            data[place:place] = dice.randbytes(dice.randrange(1, 8))
        if len(data) <= first:
            break
    return bytes(data)


@attack(("--demo-user", "anna:secret"), ("--max-connections-per-address", "2000"))
def random_fuzz(lab):
    """Random bytes, and valid messages with random changes, on 3,000 connections (SEED=n for others).
    The server goes on and serves others."""
    dice = random.Random(int(os.environ.get("SEED") or 1))
    waiting = []
    for _ in range(3000):
        connection = connect(lab.port, "127.0.0.2")
        send_some(connection, random_input(dice))
        waiting.append(connection)
        if len(waiting) > 100:
            waiting.pop(0).close()
    time.sleep(0.5)
    lab.equal("status of another", request(lab.port, "/healthz", source="127.0.0.3").status, 200)
