"""A client of one NATS server that reads what the book publishes there, and asks as a gateway does."""

import errno
import json
import random
import select
import socket
import struct
import time

# NB: Not `toteboard.dump`: its requests would then be answered late where nobody answers them.
SUBJECTS = ("toteboard.update.*", "toteboard.heartbeat", "_INBOX.>")
LEASE = "$JS.API.STREAM.INFO.KV_toteboard-lease-1"


class Tap:
    """Reconnects at once: what it misses, it cannot prove."""

    def __init__(self, make_socket, address, receive):
        self.make_socket, self.address, self.receive = make_socket, address, receive
        self.socket, self.is_connected, self.due = None, False, 0
        self.data, self.heard, self.asked = bytearray(), 0, 0
        # Who leads the stream of the first key of the lease, as this server last said, and when it said so.
        self.leader, self.leader_time = None, 0

    def events(self):
        return select.POLLIN if self.is_connected else select.POLLOUT

    def step(self, now):
        """Connects, and keeps the connection."""
        if self.socket is None and now >= self.due:
            self.socket, self.data, self.heard = self.make_socket(), bytearray(), now
            self.socket.setblocking(False)
            if self.socket.connect_ex(self.address) not in (0, errno.EINPROGRESS):
                self.close(now)
        elif self.is_connected and now - self.asked > 1:
            self.asked = now
            self.send(f"PING\r\nPUB {LEASE} _INBOX.chaos.lease 0\r\n\r\n".encode())
        elif self.socket is not None and not self.is_connected and now - self.heard > 2:
            self.close(now)

    def close(self, now):
        self.socket.close()
        self.socket, self.is_connected, self.due = None, False, now + 0.05

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            self.close(time.monotonic())

    def ready(self, now):
        """Reads what has arrived."""
        if not self.is_connected:
            if self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0:
                return self.close(now)
            self.is_connected = True
            subscriptions = "".join(f"SUB {subject} {number}\r\n" for number, subject in enumerate(SUBJECTS, 1))
            return self.send(f'CONNECT {{"verbose":false,"name":"chaos"}}\r\n{subscriptions}PING\r\n'.encode())
        try:
            while piece := self.socket.recv(1 << 20):
                self.data += piece
            self.close(now)
        except BlockingIOError:
            self.heard = now
        except OSError:
            self.close(now)
        self.parse()

    def parse(self):
        start = 0
        while (end := self.data.find(b"\r\n", start)) >= 0:
            words = self.data[start:end].split()
            if words and words[0] == b"MSG":
                size = int(words[-1])
                if len(self.data) < end + 2 + size + 2:
                    break
                self.message(words[1].decode(), bytes(self.data[end + 2:end + 2 + size]))
                end += 2 + size
            elif words and words[0] == b"PING" and self.is_connected:
                self.send(b"PONG\r\n")
            start = end + 2
        del self.data[:start]

    def message(self, subject, payload):
        if subject == "_INBOX.chaos.lease":
            self.leader = json.loads(payload).get("cluster", {}).get("leader")
            self.leader_time = self.heard
        else:
            self.receive(subject, payload)

    def ask_dump(self, topic, inbox, number=0, part=0):
        """Asks the book for a dump that includes all messages so far, or for a further part of one."""
        request = struct.pack(">BQQQHQB", 1, self.gateway, time.monotonic_ns(), number, part, 0, 1) + topic.encode()
        head = f"PUB toteboard.dump {inbox} {len(request)}\r\n".encode()
        self.send(head + request + b"\r\n")

    gateway = random.getrandbits(63) | 1
