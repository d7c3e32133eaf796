"""What the book has published, by offset, and when. Sources/FeedFanOut/Frames describes the frames."""

import collections
import hashlib
import json
import struct
import urllib.parse

import feed_records

HEADER = struct.Struct(">BBHHHQQQ")
UPDATE, HEARTBEAT, DUMP, REFUSAL = 1, 2, 3, 4
# Messages are parsed and kept for this time, in seconds.
KEPT = 120
# The minimum time without a heartbeat that is reported, in seconds. One comes every 0.25 s.
SILENCE = 0.6


def digest(data):
    return hashlib.blake2b(data, digest_size=16).digest()


def version(message):
    """Returns the time of a message, in seconds since 1970."""
    return int(message["version"]) / 1000


class Published:
    """A message of a topic."""

    def __init__(self, data):
        self.digest, self.message = digest(data), json.loads(data)
        self.time = version(self.message)


class Topic:
    def __init__(self):
        self.messages = collections.OrderedDict()
        # Offsets by digest. Equal messages may follow each other.
        self.offsets = collections.defaultdict(set)
        # The greatest offset of each epoch.
        self.last = {}

    def add(self, offset, data):
        if offset in self.messages:
            return
        self.messages[offset] = published = Published(data)
        self.offsets[published.digest].add(offset)
        self.last[offset >> 36] = max(offset, self.last.get(offset >> 36, 0))
        while (first := next(iter(self.messages.values()))).time < published.time - KEPT:
            self.offsets.pop(first.digest, None)
            self.messages.popitem(last=False)

    def between(self, after, upto):
        """Returns the messages after one offset up to another; nothing if one of them is not known."""
        found = [self.messages.get(offset) for offset in range(after + 1, upto + 1)]
        return None if None in found else found


class History:
    def __init__(self, violate):
        self.violate = violate
        self.topics = collections.defaultdict(Topic)
        # The parts of dumps by book, epoch and number, then their offsets by digest.
        self.parts = {}
        self.dumps = collections.defaultdict(set)
        self.parsed = {}
        # The first and the last time of each epoch, by the heartbeats.
        self.terms = {}
        self.beat, self.silences = None, []

    def add(self, subject, payload):
        """Adds a message of NATS."""
        if len(payload) < HEADER.size or payload[0] != 1:
            return
        _, kind, count, part, parts, book, epoch, offset = HEADER.unpack_from(payload)
        body = payload[HEADER.size:]
        if kind == HEARTBEAT:
            self.add_heartbeat(epoch, offset / 1000)
        elif kind == UPDATE and parts == 1:
            self.add_update(urllib.parse.unquote(subject.split(".", 2)[2]), epoch, offset, count, body)
        elif kind == DUMP:
            self.add_part((book, epoch, body[:8]), part, parts, offset, body[8:])

    def add_heartbeat(self, epoch, time):
        first, last = self.terms.setdefault(epoch, (time, time))
        self.terms[epoch] = min(first, time), max(last, time)
        if self.beat is not None and time - self.beat > SILENCE:
            self.silences.append((self.beat, time))
        self.beat = max(time, self.beat or 0)

    def add_update(self, path, epoch, offset, count, body):
        topic, place = self.topics[path], 0
        for number in range(offset, offset + count):
            size = int.from_bytes(body[place:place + 4], "big")
            known = number in topic.messages
            topic.add(number, body[place + 4:place + 4 + size])
            place += 4 + size
            later = [first for other, (first, _) in self.terms.items() if other > epoch]
            if not known and later and topic.messages[number].time > min(later):
                self.violate(f"the book of epoch {epoch} published {path} {number:#x} after another one took over")

    def add_part(self, name, part, parts, offset, body):
        known = self.parts.setdefault(name, {})
        if known is None:
            return
        known[part] = body
        if len(known) == parts:
            self.dumps[digest(b"".join(known[index] for index in range(parts)))].add(offset)
            self.parts[name] = None

    def tables(self, data, name):
        """Returns the tables and the time of a dump. They are shared: copy them before a change."""
        if name not in self.parsed:
            if len(self.parsed) >= 32:
                self.parsed.pop(next(iter(self.parsed)))
            dump = json.loads(data)
            self.parsed[name] = feed_records.tables_of(dump), version(dump)
        return self.parsed[name]

    def confirmed(self, path, offset, time):
        """Returns the last time at which the book had no newer state of a topic than that after message `offset`, as
        far as this is known. `time` is that of the message or the dump."""
        topic, epoch = self.topics[path], offset >> 36
        if following := topic.messages.get(offset + 1):
            return max(time, following.time)
        # Messages between were lost on their way here too.
        if topic.last.get(epoch, 0) > offset or epoch not in self.terms:
            return time
        return max(time, self.terms[epoch][1])
