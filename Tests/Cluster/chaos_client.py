"""A WAMP client of the gateways that reconnects as the board does. Sources/EveryMatrix/EveryMatrix.docc has the rules."""

import collections
import errno
import json
import os
import random
import select
import socket
import sys
import time

from topic_view import TopicView

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Attack"))
import clients

# Times in seconds: between pings, without a sign of life until prices are locked, for an answer.
PING, LOCK, ANSWER = 5, 10, 10
# The bytes between the head of a RESULT or an INVOCATION and its payload.
SEPARATOR = b",{},[],"


class Client:
    def __init__(self, name, make_socket, addresses, paths, history, counts):
        self.name, self.make_socket, self.addresses, self.counts = name, make_socket, addresses, counts
        self.views = [TopicView(name, path, history, counts) for path in paths]
        self.socket, self.address, self.round = None, None, []
        self.failures, self.due = 0, 0
        # The last events, as evidence.
        self.events_log = collections.deque(maxlen=40)
        self.forget()

    def forget(self):
        self.is_open = self.is_welcome = False
        self.data, self.unsent = bytearray(), b""
        self.requests, self.registrations, self.asked = {}, {}, {}
        self.last_request = self.heard = self.begun = self.pinged = 0

    def events(self):
        return (select.POLLIN if self.is_open else 0) | (select.POLLOUT if self.unsent or not self.is_open else 0)

    def note(self, now, text):
        self.events_log.append((now, text))

    # The connection

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

    # WAMP

    def request(self, kind, index, *rest):
        self.last_request += 1
        self.requests[self.last_request] = kind, index
        self.send(clients.frame(json.dumps([kind, self.last_request, {}, *rest]).encode()))

    def ask(self, index, now):
        """Asks for a topic, or for its dump if it is registered."""
        self.asked[index] = now + ANSWER
        path = self.views[index].path
        if index in self.registrations.values():
            self.request(48, index, "/sports#initialDump", [], {"topic": path})
        else:
            self.request(64, index, path)

    def receive(self, text, now):
        kind = int(text[1:text.index(b",")])
        if kind != 68:
            self.note(now, text[:120].decode())
        if kind == 2:
            self.is_welcome, self.heard, self.pinged = True, now, now
            for index in range(len(self.views)):
                self.ask(index, now)
        elif kind == 68:
            _, number, registration = text[:text.index(SEPARATOR)].split(b",")
            self.send(clients.frame(b"[70," + number + b",{}]"))
            self.show(self.registrations.get(int(registration)), text, now)
        elif kind == 50:
            _, index = self.requests.pop(int(text[4:text.index(b",", 4)]))
            self.asked.pop(index, None)
            view = self.views[index]
            view.dump(text[text.index(SEPARATOR) + len(SEPARATOR):-1], now)
        elif kind == 65:
            _, number, registration = json.loads(text)
            _, index = self.requests.pop(number)
            self.registrations[registration] = index
            self.ask(index, now)
        elif kind == 8:
            _, _, number, _, uri, *_ = json.loads(text)
            _, index = self.requests.pop(number)
            self.counts["errors"] += 1
            is_maintenance = uri == "wamp.no.backend"
            self.asked[index] = now + (random.uniform(8, 12) if is_maintenance else random.uniform(0, 2))
        elif kind in (3, 6):
            self.end(now)

    def show(self, index, text, now):
        payload = text[text.index(SEPARATOR) + len(SEPARATOR):-1]
        if index is None:
            return
        if b'"INITIAL_DUMP"' in payload[:120]:
            self.note(now, text[:120].decode())
            self.views[index].dump(payload, now)
        else:
            self.views[index].update(payload, now)
