"""The WebSocket of a client: kept, checked for silence and opened again as the board does it.

Sources/EveryMatrix/EveryMatrix.docc has the rules.
"""

import collections
import errno
import os
import random
import select
import socket
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Attack"))
import clients

# Times in seconds: between pings, without a sign of life until prices are locked, for an answer.
PING, LOCK, ANSWER = 5, 10, 10


class Connection:
    def __init__(self, make_socket, addresses, views, counts):
        self.make_socket, self.addresses, self.views, self.counts = make_socket, addresses, views, counts
        self.socket, self.address, self.round = None, None, []
        self.failures, self.due = 0, 0
        # The last events, as evidence.
        self.log = collections.deque(maxlen=40)
        self.forget()

    def forget(self):
        self.is_open = self.is_welcome = False
        self.data, self.unsent = bytearray(), b""
        # The topics that are to be asked for again, by index, with the times.
        self.asked = {}
        self.heard = self.begun = self.pinged = 0

    def events(self):
        return (select.POLLIN if self.is_open else 0) | (select.POLLOUT if self.unsent or not self.is_open else 0)

    def note(self, now, text):
        self.log.append((now, text))

    def step(self, now):
        if self.socket is None:
            if now >= self.due:
                self.connect(now)
            return
        if not self.is_welcome:
            return self.end(now) if now - self.begun > ANSWER else None
        if now - self.heard >= LOCK:
            for view in self.views:
                view.lock(self.heard + LOCK)
        if now - self.pinged >= PING:
            # Two pings in a row have brought nothing.
            if now - self.heard >= 3 * PING:
                self.note(now, "silence")
                return self.end(now)
            self.pinged = now
            self.send(clients.frame(b"", clients.PING))
        for index, due in list(self.asked.items()):
            if now >= due and self.socket:
                self.ask(index, now)
        for view in self.views:
            view.step(now)

    def connect(self, now):
        if not self.round:
            self.round = random.sample(self.addresses, len(self.addresses))
            if self.round[0] == self.address:
                self.round.append(self.round.pop(0))
        self.address = self.round.pop(0)
        self.note(now, f"connecting to {self.address[0]}:{self.address[1]}")
        self.forget()
        self.socket, self.begun = self.make_socket(), now
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.socket.connect_ex(self.address) not in (0, errno.EINPROGRESS):
            self.end(now)

    def end(self, now):
        """Ends the connection and plans the next one."""
        if self.socket is None:
            return
        self.note(now, "disconnected")
        self.socket.close()
        self.socket = None
        if self.is_welcome:
            self.counts["lost"] += 1
        if self.is_welcome and now - self.begun >= 2:
            self.failures, self.round = 0, []
        for view in self.views:
            view.disconnect(now)
        self.due = now
        if not self.round and not (self.is_welcome and now - self.begun >= 2):
            self.due += random.uniform(0, min(0.2 * 2 ** self.failures, 30))
            self.failures += 1
        self.is_welcome = False

    def send(self, data):
        self.unsent += data
        if self.is_open:
            self.write()

    def write(self):
        try:
            self.unsent = self.unsent[self.socket.send(self.unsent):]
        except BlockingIOError:
            pass
        except OSError:
            self.end(time.time())

    def ready(self, now):
        """Reads and shows all that has arrived, as one frame of a board does."""
        if not self.is_open:
            if self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0:
                return self.end(now)
            self.is_open = True
            return self.send(clients.upgrade())
        if self.unsent:
            self.write()
        is_closed = False
        try:
            while self.socket and not is_closed:
                piece = self.socket.recv(1 << 20)
                self.data += piece
                is_closed = not piece
        except BlockingIOError:
            pass
        except OSError:
            is_closed = True
        self.parse(now)
        if is_closed:
            self.end(now)

    def parse(self, now):
        if not self.is_welcome and b"HTTP" in self.data[:4]:
            head, separator, rest = bytes(self.data).partition(b"\r\n\r\n")
            if not separator:
                return
            if b" 101 " not in head:
                return self.end(now)
            self.data = bytearray(rest)
            self.send(clients.frame(clients.HELLO))
        while self.socket and (found := clients.take_frame(self.data)):
            opcode, payload = found
            if self.is_welcome and now - self.heard >= LOCK:
                for view in self.views:
                    view.lock(self.heard + LOCK)
            self.heard = now
            if opcode == clients.PING:
                self.send(clients.frame(payload, clients.PONG))
            elif opcode == clients.CLOSE:
                self.end(now)
            elif opcode == clients.TEXT:
                self.receive(payload, now)
