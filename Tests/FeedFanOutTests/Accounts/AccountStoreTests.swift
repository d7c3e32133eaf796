import FeedFanOut
import NIOCore
import TestSupport
import Testing

extension RealServerTests {
  @Suite(.timeLimit(.minutes(15))) struct AccountStoreTests {
    private func text(_ entries: [(key: String, value: ByteBuffer)]) -> [String] {
      entries.map { "\($0.key)=\(String(buffer: $0.value))" }.sorted()
    }

    @Test("The store loads the entries that were written and not removed, even after a restart of the server")
    func load() throws {
      let server = try NATSServer()
      let subjects = try Subjects(name: "test")
      let store = AccountStore(try server.connect(), subjects)
      #expect(text(try store.load(BookIdentity(epoch: 1, book: 1))).isEmpty)
      for (key, value) in [("a.1", "x"), ("a.2", "y"), ("a.1", "z")] {
        try store.put(ByteBuffer(string: value), for: key)
      }
      try store.remove("a.2")
      try store.remove("a.3")
      try store.put(ByteBuffer(string: "v"), for: "a.4")
      server.kill()
      try server.restart()
      let other = AccountStore(try server.connect(), subjects)
      #expect(text(try other.load(BookIdentity(epoch: 2, book: 2))) == ["a.1=z", "a.4=v"])
      #expect(text(try other.load(BookIdentity(epoch: 3, book: 2))) == ["a.1=z", "a.4=v"])
    }

    @Test("After NATS has lost the bucket, the same book creates it anew, loads no entries, and can write")
    func lostBucket() async throws {
      let server = try NATSServer()
      let connection = try server.connect()
      let store = AccountStore(connection, try Subjects(name: "test"))
      _ = try store.load(BookIdentity(epoch: 1, book: 1))
      try store.put(ByteBuffer(string: "x"), for: "a.1")
      let answer = try await completionValue { completion in
        connection.request(
          ByteBuffer(), to: "$JS.API.STREAM.DELETE.KV_test-accounts", timeout: .seconds(60), completion: completion)
      }
      #expect(String(buffer: try answer.get()).contains(#""success":true"#))
      let lost = #expect(throws: NATSError.self) { try store.load(BookIdentity(epoch: 2, book: 1)) }
      #expect(lost?.code == .notFound)
      // The book repeats an attempt that failed.
      #expect(text(try store.load(BookIdentity(epoch: 2, book: 1))).isEmpty)
      try store.put(ByteBuffer(string: "y"), for: "a.2")
      #expect(text(try store.load(BookIdentity(epoch: 3, book: 1))) == ["a.2=y"])
    }

    @Test("A bucket with more entries than the limit is not loaded, and the other book can still write")
    func tooManyEntries() throws {
      let server = try NATSServer()
      let (connection, subjects) = (try server.connect(), try Subjects(name: "test"))
      let store = AccountStore(connection, subjects)
      _ = try store.load(BookIdentity(epoch: 1, book: 1))
      for key in ["a.1", "a.2", "a.3"] { try store.put(ByteBuffer(string: "x"), for: key) }
      // The fourth entry is the one that `load` writes.
      let small = AccountStore(connection, subjects, maxEntries: 3)
      let refused = #expect(throws: NATSError.self) { try small.load(BookIdentity(epoch: 2, book: 2)) }
      #expect(refused?.code == .tooManyEntries)
      #expect(refused?.description.hasPrefix("'test-accounts': the bucket has more than 3 entries: delete ") == true)
      try store.put(ByteBuffer(string: "y"), for: "a.3")
      let sufficient = AccountStore(connection, subjects, maxEntries: 4)
      #expect(text(try sufficient.load(BookIdentity(epoch: 3, book: 2))) == ["a.1=x", "a.2=x", "a.3=y"])
    }

    @Test("A delayed book cannot write after another book has loaded the accounts")
    func fence() throws {
      let server = try NATSServer()
      let subjects = try Subjects(name: "test")
      let (old, new) = (AccountStore(try server.connect(), subjects), AccountStore(try server.connect(), subjects))
      _ = try old.load(BookIdentity(epoch: 1, book: 1))
      try old.put(ByteBuffer(string: "open"), for: "session.1")
      #expect(text(try new.load(BookIdentity(epoch: 2, book: 2))) == ["session.1=open"])
      try new.remove("session.1")
      let late = #expect(throws: NATSError.self) { try old.put(ByteBuffer(string: "renewed"), for: "session.1") }
      #expect(late?.code == .wrongRevision)
      // The old book stays closed until it loads the accounts again.
      let closed = #expect(throws: NATSError.self) { try old.put(ByteBuffer(string: "again"), for: "session.1") }
      #expect(closed?.code == .closed)
      try new.put(ByteBuffer(string: "open"), for: "session.2")
      #expect(text(try new.load(BookIdentity(epoch: 3, book: 2))) == ["session.2=open"])
    }

    @Test("A delayed book cannot remove an entry after another book has loaded the accounts")
    func fencedRemoval() throws {
      let server = try NATSServer()
      let subjects = try Subjects(name: "test")
      let (old, new) = (AccountStore(try server.connect(), subjects), AccountStore(try server.connect(), subjects))
      _ = try old.load(BookIdentity(epoch: 1, book: 1))
      for key in ["session.1", "session.2"] { try old.put(ByteBuffer(string: "open"), for: key) }
      // The newest entry: its number is the one that the next write expects.
      try old.remove("session.2")
      try old.put(ByteBuffer(string: "open"), for: "session.3")
      #expect(text(try new.load(BookIdentity(epoch: 2, book: 2))) == ["session.1=open", "session.3=open"])
      let late = #expect(throws: NATSError.self) { try old.remove("session.1") }
      #expect(late?.code == .wrongRevision)
      let closed = #expect(throws: NATSError.self) { try old.remove("session.1") }
      #expect(closed?.code == .closed)
      try new.remove("session.3")
      #expect(text(try new.load(BookIdentity(epoch: 3, book: 2))) == ["session.1=open"])
    }
  }
}
