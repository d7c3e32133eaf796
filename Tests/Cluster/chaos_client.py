"""A WAMP client of the gateways that shows topics."""

import json
import random

from chaos_connection import ANSWER, Connection, clients
from topic_view import TopicView

# The bytes between the head of a RESULT or an INVOCATION and its payload.
SEPARATOR = b",{},[],"


class Client(Connection):
    def __init__(self, name, make_socket, addresses, paths, history, counts):
        self.name = name
        super().__init__(make_socket, addresses, [TopicView(name, path, history, counts) for path in paths], counts)

    def forget(self):
        super().forget()
        self.requests, self.registrations, self.last_request = {}, {}, 0

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
            self.note(now, text[:120].decode(errors="replace"))
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
            self.note(now, text[:120].decode(errors="replace"))
            self.views[index].dump(payload, now)
        else:
            self.views[index].update(payload, now)
