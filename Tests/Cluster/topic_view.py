"""What one client shows of one topic, checked against what the book has published."""

import feed_history
import feed_records

# The maximum age of a price that is shown as live, in seconds.
MAX_AGE = 11
# Messages that no tap has seen after this time are conflated ones, or not from the book. In seconds.
PATIENCE = 1
# A conflated message ends at a multiple of this.
BLOCK = 64


class TopicView:
    """What arrives is kept in order until the history knows it: the taps can have it a moment later."""

    def __init__(self, name, path, history, counts):
        self.name, self.path, self.history, self.counts = name, path, history, counts
        self.topic = history.topics[path]
        self.journal = []
        # True if the client has a dump on this connection, and true if it shows its prices as live. Then the time
        # since which it does not show them as live, and the earlier spans.
        self.has_dump = self.is_live = False
        self.locked_since, self.locked = None, []
        # The state: the offset of the last message, its time and the records; no offset without a dump.
        self.offset, self.time, self.tables = None, 0, {}

    # Events. Times are in seconds since 1970.

    def dump(self, data, now):
        self.has_dump = True
        self.arrive(now, self.show_dump, data)

    def update(self, data, now):
        if self.has_dump:
            self.arrive(now, self.show_update, data)

    def arrive(self, now, show, data):
        self.journal.append((now, self.is_live, show, data, feed_history.digest(data)))
        self.is_live = True
        if self.locked_since is not None:
            self.locked.append((self.locked_since, now))
            self.locked_since = None
        self.step(now)

    def lock(self, now):
        """The prices are not shown as live from now on."""
        if self.is_live:
            self.journal.append((now, True, None, b"", b""))
            self.is_live, self.locked_since = False, now
            self.step(now)

    def disconnect(self, now):
        self.lock(now)
        self.has_dump = False
        self.journal.append((now, False, self.forget, b"", b""))
        self.step(now)

    @property
    def is_current(self):
        return self.is_live and not self.journal

    # Steps

    def step(self, now):
        """Shows what the history knows, or what has waited too long."""
        while self.journal:
            time, was_live, show, data, name = self.journal[0]
            if show and not show(data, name, now - time > PATIENCE, lambda: was_live and self.check_age(time)):
                return
            if show is None:
                self.check_age(time)
            self.journal.pop(0)

    def forget(self, data, name, is_late, shown):
        self.offset = None
        return True

    def check_age(self, now):
        """Checks the state that was shown as live until now."""
        if self.offset is None:
            return
        age = now - self.history.confirmed(self.path, self.offset, self.time)
        self.counts["age"] = max(self.counts["age"], age)
        if age > MAX_AGE:
            self.fail(f"showed message {self.offset:#x} as live for {age:.2f} s after the book had a newer state")

    def show_dump(self, data, name, is_late, shown):
        offsets = self.history.dumps.get(name)
        if not offsets and not is_late:
            return False
        shown()
        self.counts["dumps"] += 1
        if not offsets:
            self.fail("got a dump that no book sent")
            self.offset = None
            return True
        tables, time = self.history.tables(data, name)
        offset = next((one for one in sorted(offsets) if one in self.topic.messages), max(offsets))
        if self.offset is not None:
            self.counts["redumps"] += 1
            if offset >> 36 == self.offset >> 36:
                self.check_dump(offset, tables)
        self.offset, self.time, self.tables = offset, time, dict(tables)
        return True

    def check_dump(self, offset, tables):
        """Compares a dump with the messages since the state before, of the same book."""
        if offset < self.offset:
            return self.fail(f"went back from message {self.offset:#x} to a dump at {offset:#x}")
        if (between := self.topic.between(self.offset, offset)) is not None:
            expected = dict(self.tables)
            for one in between:
                feed_records.apply(expected, one.message)
            if text := feed_records.difference(tables, expected):
                self.fail(f"got a dump at {offset:#x} that is not the state after its messages: {text}")

    def show_update(self, data, name, is_late, shown):
        if self.offset is None:
            return True
        following = self.topic.messages.get(self.offset + 1)
        if following and following.digest == name:
            shown()
            self.show_message(following)
            return True
        if known := self.topic.offsets.get(name):
            shown()
            self.fail(f"after message {self.offset:#x} got {', '.join(f'{one:#x}' for one in sorted(known))}")
            self.offset = max(known)
            self.time = self.topic.messages[self.offset].time
            return True
        if not is_late:
            return False
        shown()
        self.show_conflated(data)
        return True

    def show_message(self, published):
        self.counts["messages"] += 1
        for problem in feed_records.apply(self.tables, published.message):
            self.fail(f"message {self.offset + 1:#x} does not fit: {problem}")
        self.offset, self.time = self.offset + 1, published.time

    def show_conflated(self, data):
        """Finds the messages that have the effect of a conflated one."""
        found = dict(self.tables)
        feed_records.apply(found, feed_history.json.loads(data))
        for offset in range(self.offset // BLOCK * BLOCK + BLOCK, self.topic.last.get(self.offset >> 36, 0) + 1, BLOCK):
            between = self.topic.between(self.offset, offset)
            if between is None:
                break
            expected = dict(self.tables)
            for one in between:
                feed_records.apply(expected, one.message)
            if found == expected:
                self.counts["messages"] += len(between)
                self.counts["conflated"] += 1
                self.offset, self.time, self.tables = offset, between[-1].time, expected
                return
        self.fail(f"after message {self.offset:#x} got one that has not the effect of the next ones: {data[:300]!r}")
        self.offset = None

    def compare(self, data, offset):
        """Compares the records with those of the book: a dump and the messages after it."""
        expected = dict(self.history.tables(data, feed_history.digest(data))[0])
        between = self.topic.between(offset, self.offset) if self.offset and self.offset >= offset else None
        if between is None:
            return self.fail(f"at the end has message {self.offset or 0:#x}, the book {offset:#x}")
        for one in between:
            feed_records.apply(expected, one.message)
        if text := feed_records.difference(self.tables, expected):
            self.fail(f"at the end differs from the book at message {self.offset:#x}: {text}")

    def fail(self, text):
        self.history.violate(f"{self.name}, {self.path}: {text}")
