import NIOCore
import OddsModel
import Testing

@testable import FeedFanOut

@Suite struct BookStateTests {
  private static let a = Topic(path: "a")
  private static let b = Topic(path: "b")
  private static let identity = BookIdentity(epoch: 1, book: 2)

  @Test("A topic stays open until its last gateway closes it, omits it from an announcement or times out")
  func interest() {
    var table = InterestTable(timeout: .seconds(15))
    table.open(Self.a, gateway: 1, serial: 1, isFollowed: true, now: .zero)
    table.open(Self.a, gateway: 2, serial: 1, isFollowed: true, now: .zero)
    table.open(Self.b, gateway: 2, serial: 2, isFollowed: true, now: .zero)
    let closed = InterestAnnouncement(gateway: 1, serial: 9, isWhole: false, topics: [Self.a])
    #expect(table.apply(closed, now: .seconds(1)) == [])
    #expect(table.apply(closed, now: .seconds(1)) == [], "a second close counted for another gateway")
    let whole = InterestAnnouncement(gateway: 2, serial: 9, isWhole: true, topics: [Self.a])
    #expect(table.apply(whole, now: .seconds(10)) == [Self.b])
    #expect(table.expire(now: .seconds(16)) == [])
    #expect(table.gatewayCount == 1)
    #expect(table.expire(now: .seconds(25)) == [Self.a])
    #expect(table.gatewayCount == 0)
    // A gateway that timed out opens topics by requesting a dump.
    #expect(table.apply(whole, now: .seconds(26)) == [])
    #expect(!table.contains(Self.a))
  }

  @Test("An announcement that is older than the last request for a topic does not close the topic")
  func overtakenAnnouncements() {
    var table = InterestTable(timeout: .seconds(15))
    table.open(Self.a, gateway: 1, serial: 5, isFollowed: true, now: .zero)
    for isWhole in [true, false] {
      let topics: Set<Topic> = isWhole ? [] : [Self.a]
      let late = InterestAnnouncement(gateway: 1, serial: 4, isWhole: isWhole, topics: topics)
      #expect(table.apply(late, now: .zero) == [])
      #expect(table.contains(Self.a))
    }
    let next = InterestAnnouncement(gateway: 1, serial: 6, isWhole: true, topics: [])
    #expect(table.apply(next, now: .zero) == [Self.a])
  }

  @Test("To make room, the unfollowed topic whose last request is the oldest is closed")
  func unfollowed() {
    var table = InterestTable(timeout: .seconds(15))
    let c = Topic(path: "c")
    table.open(Self.a, gateway: 1, serial: 1, isFollowed: false, now: .zero)
    table.open(Self.b, gateway: 1, serial: 2, isFollowed: false, now: .seconds(1))
    table.open(c, gateway: 1, serial: 3, isFollowed: true, now: .zero)
    table.open(c, gateway: 2, serial: 1, isFollowed: false, now: .seconds(2))
    table.open(Self.a, gateway: 1, serial: 4, isFollowed: false, now: .seconds(2))
    #expect(table.unfollowedCount == 2)
    #expect(table.closeOldestUnfollowed() == Self.b && !table.contains(Self.b))
    table.open(Self.a, gateway: 2, serial: 2, isFollowed: true, now: .seconds(3))
    #expect(table.closeOldestUnfollowed() == nil && table.unfollowedCount == 0)
    #expect(table.contains(Self.a) && table.contains(c))
  }

  @Test("Offsets of an open topic have no gaps, and are not reused after the topic is closed")
  func offsets() {
    var topics = PublishedTopics(Self.identity)
    topics.open(Self.a, now: .zero)
    let start = topics.last(Self.a)!
    #expect(start > Self.identity.offset)
    #expect(topics.append(3, to: Self.a, now: .zero) == start + 1)
    #expect(topics.append(1, to: Self.a, now: .zero) == start + 4)
    topics.close(Self.a)
    #expect(topics.append(1, to: Self.a, now: .zero) == nil)
    topics.open(Self.b, now: .zero)
    topics.open(Self.a, now: .zero)
    #expect(topics.last(Self.a)! > start + 4)
    #expect(BookIdentity(epoch: 2, book: 0).offset > topics.last(Self.a)!)
  }

  @Test("A topic without messages is reported once per interval, with the offset of its next message")
  func quiet() {
    var topics = PublishedTopics(Self.identity)
    topics.open(Self.a, now: .zero)
    topics.open(Self.b, now: .milliseconds(900))
    let quiet = topics.quiet(for: .seconds(1), now: .seconds(1))
    #expect(quiet.map(\.topic) == [Self.a])
    #expect(quiet.map(\.next) == [topics.last(Self.a)! + 1])
    #expect(topics.quiet(for: .seconds(1), now: .milliseconds(1500)).isEmpty)
  }

  @Test(
    "A dump is reused for a short time, kept while it is fetched, and dropped above the limit of bytes")
  func shelf() {
    var timing = BookTiming()
    timing.maxDumpBytes = 10
    var shelf = DumpShelf(timing: timing)
    let first = shelf.begin(Self.a, last: 5, now: .zero)
    #expect(shelf.recent(Self.a, minimum: 5, now: .zero)?.number == first.number)
    #expect(shelf.recent(Self.a, minimum: 6, now: .zero) == nil)
    #expect(shelf.recent(Self.a, minimum: 0, now: timing.dumpReuse) == nil)
    #expect(shelf.dump(first.number, now: .zero) == nil, "a dump that is being built has no parts")
    #expect(shelf.finish(first.number, ByteBuffer(string: "123456")) != nil)
    #expect(shelf.dump(first.number, now: .seconds(9)) != nil)
    shelf.expire(now: .seconds(18))
    #expect(shelf.dump(first.number, now: .seconds(18)) != nil)
    let second = shelf.begin(Self.b, last: 7, now: .seconds(18))
    #expect(shelf.finish(second.number, ByteBuffer(string: "123456")) != nil)
    #expect(shelf.dump(first.number, now: .seconds(18)) == nil)
    #expect(shelf.bytes == 6)
    shelf.expire(now: .seconds(28))
    #expect(shelf.bytes == 0)
  }

  @Test("A gateway finds a book, follows a newer one, ignores an older one, and reports a timeout once")
  func presence() {
    var presence = BookPresence(timeout: .seconds(2), maxAge: .seconds(9))
    let (old, new) = (BookIdentity(epoch: 1, book: 9), BookIdentity(epoch: 2, book: 1))
    #expect(presence.advance(to: .seconds(9)) == nil)
    #expect(presence.receive(old, now: .seconds(10)) == .found(old))
    #expect(presence.receive(old, now: .seconds(11)) == nil)
    #expect(presence.advance(to: .milliseconds(12_999)) == nil)
    #expect(presence.receive(new, now: .seconds(13)) == .replaced(new))
    #expect(presence.receive(old, now: .seconds(14)) == nil)
    #expect(presence.advance(to: .seconds(15)) == .lost)
    #expect(presence.advance(to: .seconds(16)) == nil)
    #expect(presence.receive(old, now: .seconds(17)) == nil)
    #expect(!presence.isPresent)
    #expect(presence.receive(new, now: .seconds(18)) == .found(new))
  }

  @Test("A book that announces its end is lost after a shorter timeout, unless another book replaces it")
  func announcedEnd() {
    let (old, new) = (BookIdentity(epoch: 1, book: 9), BookIdentity(epoch: 2, book: 1))
    var presence = BookPresence(timeout: .seconds(3), maxAge: .seconds(9))
    #expect(presence.receive(new, now: .seconds(10)) == .found(new))
    presence.end(old, grace: .seconds(1), now: .seconds(10))
    #expect(presence.advance(to: .milliseconds(12_999)) == nil)
    presence.end(new, grace: .seconds(1), now: .milliseconds(12_999))
    #expect(presence.advance(to: .seconds(13)) == .lost, "the end made it last longer")
    #expect(presence.receive(new, now: .seconds(20)) == .found(new))
    presence.end(new, grace: .seconds(1), now: .seconds(20))
    #expect(presence.advance(to: .milliseconds(20_999)) == nil)
    #expect(presence.advance(to: .seconds(21)) == .lost)
    #expect(presence.receive(new, now: .seconds(30)) == .found(new))
    presence.end(new, grace: .seconds(1), now: .seconds(30))
    let other = BookIdentity(epoch: 3, book: 1)
    #expect(presence.receive(other, now: .milliseconds(30_500)) == .replaced(other))
    #expect(presence.advance(to: .seconds(33)) == nil)
  }

  @Test("While NATS delivers late, the book is unavailable; the next heartbeat after the delay finds it")
  func delayed() {
    let (old, new) = (BookIdentity(epoch: 1, book: 9), BookIdentity(epoch: 2, book: 1))
    var presence = BookPresence(timeout: .seconds(3), maxAge: .seconds(9))
    #expect(presence.setLate(true) == nil, "no book was present")
    #expect(presence.receive(old, now: .seconds(10)) == nil)
    #expect(presence.setLate(false) == nil)
    #expect(presence.receive(old, now: .seconds(11)) == .found(old))
    #expect(presence.setLate(false) == nil && presence.isPresent)
    #expect(presence.setLate(true) == .late)
    #expect(presence.setLate(true) == nil && !presence.isPresent)
    #expect(presence.receive(new, now: .seconds(12)) == nil)
    #expect(presence.advance(to: .seconds(60)) == nil)
    #expect(presence.setLate(false) == nil)
    #expect(presence.receive(old, now: .seconds(61)) == nil, "a book of an older term")
    #expect(presence.receive(new, now: .seconds(62)) == .found(new))
  }

  @Test("A book whose data is 9 s old is late although heartbeats arrive; newer data finds it again")
  func oldData() {
    let (old, new) = (BookIdentity(epoch: 1, book: 9), BookIdentity(epoch: 2, book: 1))
    var presence = BookPresence(timeout: .seconds(3), maxAge: .seconds(9))
    #expect(presence.age(now: .seconds(10)) == .zero)
    #expect(presence.receive(old, age: .seconds(6), now: .seconds(10)) == .found(old))
    #expect(presence.age(now: .seconds(11)) == .seconds(7))
    // Data does not become older by a message that took longer.
    #expect(presence.receive(old, age: .seconds(8), now: .seconds(11)) == nil)
    #expect(presence.receive(old, age: .seconds(9), now: .milliseconds(12_900)) == nil)
    #expect(presence.advance(to: .milliseconds(12_999)) == nil)
    #expect(presence.advance(to: .seconds(13)) == .late && !presence.isPresent)
    #expect(presence.advance(to: .seconds(14)) == nil)
    #expect(presence.receive(old, age: .seconds(9), now: .seconds(14)) == nil)
    #expect(presence.receive(old, age: .milliseconds(8999), now: .seconds(14)) == .found(old))
    // The data of another book can be older.
    #expect(presence.receive(new, age: .zero, now: .seconds(15)) == .replaced(new))
    #expect(presence.receive(BookIdentity(epoch: 3, book: 9), age: .seconds(8), now: .seconds(15)) != nil)
    #expect(presence.age(now: .seconds(15)) == .seconds(8))
    // Signs of life that waited, because this process was paused, replace a book as others do.
    let last = BookIdentity(epoch: 4, book: 9)
    #expect(presence.receive(last, age: .seconds(10), now: .seconds(16)) == .replaced(last))
    #expect(presence.receive(last, age: .seconds(1), now: .seconds(16)) == nil)
    #expect(presence.advance(to: .seconds(16)) == nil && presence.isPresent)
  }

  @Test("A topic that the book loses is not open for any gateway until it is requested again")
  func lostInterest() {
    var table = InterestTable(timeout: .seconds(15))
    for gateway in [1, 2] as [UInt64] { table.open(Self.a, gateway: gateway, serial: 1, isFollowed: true, now: .zero) }
    table.open(Self.b, gateway: 1, serial: 2, isFollowed: true, now: .zero)
    table.close(Self.a)
    #expect(!table.contains(Self.a) && table.contains(Self.b))
    table.open(Self.a, gateway: 1, serial: 3, isFollowed: true, now: .zero)
    #expect(table.expire(now: .seconds(15)).sorted { $0.path < $1.path } == [Self.a, Self.b])
  }

  @Test("After the end of a topic, the replica requests a new dump and rejects dumps from before the end")
  func endedTopic() {
    let dump = ByteBuffer(string: "dump")
    var replica = TopicReplica()
    #expect(replica.start() == [.requestDump(attempt: 1, minimum: 0)])
    #expect(replica.receive(dump: dump, Self.identity, last: 5, attempt: 1) == [.restart(after: 5, dump: dump)])
    #expect(replica.ended(BookIdentity(epoch: 0, book: 9), offset: 6) == nil, "the end of an older term")
    #expect(replica.ended(Self.identity, offset: 8) == [.requestDump(attempt: 2, minimum: 8)])
    #expect(replica.ended(Self.identity, offset: 8) == nil, "an end that is known")
    #expect(!replica.isCurrent)
    let old = replica.receive(dump: dump, Self.identity, last: 7, attempt: 2)
    #expect(old == [.retryLater(attempt: 2, failures: 1)])
    #expect(replica.retry(2) == [.requestDump(attempt: 3, minimum: 8)])
    #expect(replica.receive(dump: dump, Self.identity, last: 8, attempt: 3) == [.restart(after: 8, dump: dump)])
  }

  @Test("Parts of a dump are requested a few at a time, accepted in any order, and requested again after a timeout")
  func transfer() {
    func answer(_ part: UInt16, parts: UInt16 = 5, dump: UInt64 = 8) -> FeedFrame {
      var body = ByteBuffer(integer: dump)
      body.writeString("\(part)")
      return FeedFrame(.dump, Self.identity, offset: 77, part: part, parts: parts, body: body)
    }
    var transfer = DumpTransfer(window: 2)
    #expect(transfer.start() == [.request(dump: 0, part: 0)])
    #expect(transfer.receive(answer(0), part: 0) == [.request(dump: 8, part: 1), .request(dump: 8, part: 2)])
    #expect(transfer.receive(answer(2), part: 2) == [.request(dump: 8, part: 3)])
    #expect(transfer.timedOut(part: 1) == [.request(dump: 8, part: 1)])
    #expect(transfer.receive(answer(1), part: 1) == [.request(dump: 8, part: 4)])
    #expect(transfer.receive(answer(1), part: 1) == [])
    #expect(transfer.receive(answer(4), part: 4) == [])
    #expect(transfer.receive(answer(3), part: 3) == [.complete(ByteBuffer(string: "01234"), Self.identity, last: 77)])
    var other = DumpTransfer(window: 2)
    _ = other.receive(answer(0), part: 0)
    #expect(other.receive(answer(1, dump: 9), part: 1) == [.failed], "parts of two dumps were mixed")
    var slow = DumpTransfer(window: 2)
    _ = slow.receive(answer(0), part: 0)
    #expect(
      (0..<3).map { _ in slow.timedOut(part: 1).first } == [
        .request(dump: 8, part: 1), .request(dump: 8, part: 1), .failed,
      ])
  }
}
