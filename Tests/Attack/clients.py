"""Clients of the server, on plain sockets: nothing is checked, so that an attack can send anything."""

import http.client
import json
import select
import socket
import struct
import time

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
HELLO = b'[1,"attack",{"roles":{"caller":{},"callee":{}}}]'


def topic(list="popular", matches=100, markets=3, sport="all-sports", operator="1"):
    return (f"/sports/{operator}/en/{list}-matches-aggregator-main/{sport}/all-locations/default-event-info/"
            f"{matches}/{markets}")


def connect(port, source="127.0.0.1", receive_buffer=None, timeout=5):
    """Connects from a loopback address."""
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(timeout)
    connection.bind((source, 0))
    connection.connect(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def try_connect(port, source="127.0.0.1", **options):
    """Returns a connection, or nothing if it is refused."""
    try:
        return connect(port, source, **options)
    except OSError:
        return None


class Answer:
    """The answer to a request. The status is 0 if there was none in time."""

    def __init__(self, status, headers, body, milliseconds):
        self.status, self.headers, self.body, self.milliseconds = status, headers, body, milliseconds


def request(port, path, method="GET", headers={}, body=None, source="127.0.0.1", timeout=5):
    start = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(source, 0))
    status, fields, data = 0, {}, b""
    try:
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        status, fields, data = answer.status, dict(answer.getheaders()), answer.read()
    except (OSError, http.client.HTTPException):
        pass
    finally:
        connection.close()
    return Answer(status, fields, data, (time.monotonic() - start) * 1000)


def log_in(port, user, password, source="127.0.0.1", kind="application/json", timeout=10):
    body = json.dumps({"user": user, "password": password})
    return request(port, "/api/login", "POST", {"Content-Type": kind}, body, source, timeout)


def exchange(port, data, seconds=1.5, source="127.0.0.1", is_over=lambda received: False):
    """Sends bytes and returns all that arrives until the server closes, `is_over`, or the time is over."""
    connection = connect(port, source)
    received = b""
    with connection:
        try:
            connection.sendall(data)
            end = time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0 and not is_over(received):
                connection.settimeout(left)
                piece = connection.recv(1 << 16)
                if not piece:
                    break
                received += piece
        except OSError:
            pass
    return received


def frame(payload=b"", opcode=TEXT, head=None, mask=bytes(4), length=None):
    """Returns a frame. `head` is its first byte, `length` the bytes of its length with the mask bit.

    The mask is zero: the server cannot tell, and the payload stays as it is.
    """
    count = len(payload)
    if length is None:
        if count < 126:
            length = bytes([0x80 | count])
        elif count < 1 << 16:
            length = b"\xfe" + struct.pack(">H", count)
        else:
            length = b"\xff" + struct.pack(">Q", count)
    if mask != bytes(4) and mask:
        payload = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes([0x80 | opcode if head is None else head]) + length + mask + payload


def take_frame(data):
    """Removes the first frame of a server. Returns its opcode and payload, or nothing if it is incomplete."""
    start = 2
    if len(data) < 2:
        return None
    count = data[1] & 0x7F
    if count >= 126:
        start = 4 if count == 126 else 10
        if len(data) < start:
            return None
        count = int.from_bytes(data[2:start], "big")
    if len(data) < start + count:
        return None
    found = data[0] & 0x0F, bytes(data[start:start + count])
    del data[:start + count]
    return found


class WebSocket:
    """A WebSocket after its handshake."""

    def __init__(self, port, source="127.0.0.1", receive_buffer=None, headers=""):
        self.socket = connect(port, source, receive_buffer)
        self.received = bytearray()
        self.socket.sendall(upgrade(headers))
        while b"\r\n\r\n" not in self.received:
            self._receive()
        head, _, rest = bytes(self.received).partition(b"\r\n\r\n")
        if b" 101 " not in head:
            raise ConnectionError(head.decode())
        self.received = bytearray(rest)

    def _receive(self):
        piece = self.socket.recv(1 << 18)
        if not piece:
            raise ConnectionError("closed by the server")
        self.received += piece

    def send_frame(self, payload, opcode=TEXT):
        self.socket.sendall(frame(payload, opcode))

    def send_text(self, text):
        self.send_frame(text if isinstance(text, bytes) else json.dumps(text).encode())

    def next(self):
        """Returns the opcode and the payload of the next frame. Waits at most for the timeout of the socket."""
        while (found := self._frame()) is None:
            self._receive()
        return found

    def available(self):
        """Reads once and returns the complete frames."""
        self._receive()
        frames = []
        while (found := self._frame()) is not None:
            frames.append(found)
        return frames

    def _frame(self):
        return take_frame(self.received)

    def close_code(self, seconds=3):
        """Returns the code of the server's close frame; None if none arrives in time."""
        end = time.monotonic() + seconds
        try:
            while (left := end - time.monotonic()) > 0:
                self.socket.settimeout(left)
                opcode, payload = self.next()
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big")
        except OSError:
            pass
        return None

    def close(self):
        self.socket.close()


class Session(WebSocket):
    """A WAMP session after its WELCOME."""

    def __init__(self, port, source="127.0.0.1", receive_buffer=None, headers=""):
        super().__init__(port, source, receive_buffer, headers)
        self.last_request = 0
        self.send_text(HELLO)
        self.answer(2)

    def answer(self, *types, seconds=5):
        """Returns the next message of one of the types, or an ABORT. Throws after the time, or if the server closes."""
        end = time.monotonic() + seconds
        while True:
            self.socket.settimeout(max(0.001, end - time.monotonic()))
            opcode, payload = self.next()
            if opcode != TEXT:
                continue
            kind = int(payload[1:payload.index(b",")])
            if kind in types or kind == 3:
                return json.loads(payload)

    def register(self, topic, seconds=5):
        self.last_request += 1
        self.send_text([64, self.last_request, {}, topic])
        return self.answer(65, 8, seconds=seconds)

    def dump(self, topic, seconds=10):
        self.last_request += 1
        self.send_text([48, self.last_request, {}, "/sports#initialDump", [], {"topic": topic}])
        return self.answer(50, 8, seconds=seconds)


def upgrade(headers=""):
    key = "AAAAAAAAAAAAAAAAAAAAAA=="
    return (f"GET /v2 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: wamp.2.json\r\n"
            f"{headers}\r\n").encode()


def read_all(sockets, seconds):
    """Reads and drops what arrives. Returns the number of bytes and the sockets that the server has closed."""
    poll = select.poll()
    by_file = {connection.fileno(): connection for connection in sockets}
    closed, count, end = [], 0, time.monotonic() + seconds
    for connection in sockets:
        connection.setblocking(False)
        poll.register(connection, select.POLLIN)
    while by_file and (left := end - time.monotonic()) > 0:
        for file, _ in poll.poll(left * 1000):
            try:
                piece = by_file[file].recv(1 << 18)
            except OSError:
                piece = b""
            count += len(piece)
            if not piece:
                poll.unregister(file)
                closed.append(by_file.pop(file))
    return count, closed


def send_some(connection, data):
    """Sends what the socket accepts at once. Returns false if the server has closed it."""
    try:
        connection.setblocking(False)
        connection.send(data)
        return True
    except BlockingIOError:
        return True
    except OSError:
        return False
