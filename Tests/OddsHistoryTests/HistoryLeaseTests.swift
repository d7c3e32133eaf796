import CLibrary
import Dispatch
import OddsModel
import Platform
import TestSupport
import Testing

@testable import OddsHistory

/// Checks of the file before it is written. A damaged file is never written.
struct HistoryLeaseTests {
  private static let now: Int64 = 1_750_000_000_000

  private let directory = TemporaryDirectory()
  private var file: HistoryFile { HistoryFile("\(directory.path)/history.db") }

  private func write(_ writer: HistoryWriter, _ step: Int) throws {
    var detector = ChangeDetector()
    let time = Self.now + Int64(step) * 1000
    let entries = (0..<300).flatMap { index in
      detector.apply(
        MatchObservation(
          channel: 1, time: time + Int64(index),
          .match(.football(step * 100 + 100, odds: ["\(2 + index % 7).5", "3.1", "\(3 + index % 5).2"]))))
    }
    try writer.write(entries, completeUpTo: time)
  }

  /// Overwrites the last 4 KiB, and keeps the times of the file if requested.
  private func damage(keepsTimes: Bool) throws {
    var status = stat()
    stat(file.path, &status)
    let descriptor = open(file.path, O_RDWR)
    defer { close(descriptor) }
    let garbage = [UInt8](repeating: 0x77, count: 4096)
    #expect(pwrite(descriptor, garbage, 4096, status.st_size - 4096) == 4096)
    if keepsTimes {
      #expect(futimens(descriptor, [status.st_atim, status.st_mtim]) == 0)
    }
  }

  private var bytes: [UInt8] { (try? PrivateFile.read(file.path, maxBytes: 1 << 24)) ?? [] }

  @Test("A file changed by another program is checked, and a damaged file is not modified")
  func changed() throws {
    for step in 0..<8 { try write(HistoryWriter(file, feed: "f", now: Self.now), step) }
    try damage(keepsTimes: false)
    let before = bytes
    let error = try #require(throws: HistoryError.self) { try HistoryWriter(file, feed: "f", now: Self.now) }
    #expect(error.kind == .damaged)
    #expect(bytes == before)
  }

  @Test("After a clean shutdown, the start checks the file only if the check interval has passed")
  func interval() throws {
    for step in 0..<8 { try write(HistoryWriter(file, feed: "f", now: Self.now), step) }
    // The damage leaves size and times unchanged, and the start does not check the content.
    try damage(keepsTimes: true)
    let before = bytes
    _ = try HistoryWriter(file, feed: "f", now: Self.now + HistoryLease.checkInterval - 1)
    #expect(bytes == before)
    let error = try #require(throws: HistoryError.self) {
      try HistoryWriter(file, feed: "f", now: Self.now + HistoryLease.checkInterval)
    }
    #expect(error.kind == .damaged && bytes == before)
  }

  @Test("A second writer joins without a check, and a file that a writer has not closed is checked")
  func several() throws {
    var first: HistoryWriter? = try HistoryWriter(file, feed: "f", now: Self.now)
    try write(first!, 0)
    var second: HistoryWriter? = try HistoryWriter(file, feed: "f", now: Self.now)
    try write(second!, 1)
    first = nil
    #expect(leaseText.split(separator: " ").count == 1, "the other still writes")
    second = nil
    #expect(leaseText.split(separator: " ").count == 4, "the last one notes the state")
    #expect(first == nil && second == nil)
    // A killed writer does not save the state of the file.
    try PrivateFile.replace("\(file.path)-lease", with: Array("\(Self.now)".utf8))
    try damage(keepsTimes: true)
    #expect(throws: HistoryError.self) { try HistoryWriter(file, feed: "f", now: Self.now) }
  }

  private var leaseText: String {
    String(decoding: (try? PrivateFile.read("\(file.path)-lease", maxBytes: 1000)) ?? [], as: UTF8.self)
  }

  @Test("A reader distinguishes a damaged file from a missing one")
  func reading() throws {
    func kind() -> HistoryError.Kind? {
      do throws(HistoryError) { _ = try HistoryReader(file) } catch { return error.kind }
      return nil
    }
    func replace(_ bytes: [UInt8]) throws {
      for suffix in ["-wal", "-shm"] { unlink(file.path + suffix) }
      try PrivateFile.replace(file.path, with: bytes)
    }
    #expect(kind() == .missing)
    try write(HistoryWriter(file, feed: "f", now: Self.now), 0)
    #expect(kind() == nil)
    let whole = bytes
    var unversioned = whole
    for index in 60..<64 { unversioned[index] = 0 }
    try replace(unversioned)
    #expect(kind() == .damaged)
    for length in [1, 50, 200, 600, 4096] {
      try replace(Array(whole.prefix(length)))
      #expect(kind() == .damaged, "\(length) bytes")
    }
    try replace([])
    #expect(kind() == .missing)
  }

  @Test("Programs that start at the same time can all write")
  func simultaneous() {
    for _ in 0..<30 {
      let directory = TemporaryDirectory()
      let file = HistoryFile("\(directory.path)/history.db")
      let errors = Locked<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        do throws(HistoryError) { _ = try HistoryWriter(file, feed: "f", now: Self.now) } catch {
          errors.withLock { $0.append("\(error.kind)") }
        }
      }
      #expect(errors.withLock { $0 } == [])
    }
  }

  @Test("The file is busy while another program checks it")
  func busy() throws {
    try write(HistoryWriter(file, feed: "f", now: Self.now), 0)
    let lock = open("\(file.path)-lease", O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let error = try #require(throws: HistoryError.self) { try HistoryWriter(file, feed: "f", now: Self.now) }
    #expect(error.kind == .busy)
  }
}
