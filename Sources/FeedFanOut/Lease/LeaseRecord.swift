package import NIOCore

/// The value of a key of the lease. 18 bytes, big-endian: version (1 byte), epoch (8), holder (8), and a byte that
/// is 1 after the holder has given the lease back.
package struct LeaseRecord: Hashable, Sendable {
  package let epoch: UInt64
  /// The random number of the holder's process.
  package let holder: UInt64
  package let isReleased: Bool

  package init(epoch: UInt64, holder: UInt64, isReleased: Bool = false) {
    self.epoch = epoch
    self.holder = holder
    self.isReleased = isReleased
  }

  /// Parses a value. Nil if it is too short, of another version, or if its epoch is not below the maximum.
  package init?(_ bytes: ByteBuffer) {
    var buffer = bytes
    guard
      let (version, epoch, holder, released) = buffer.readMultipleIntegers(as: (UInt8, UInt64, UInt64, UInt8).self),
      version == 1, epoch < BookIdentity.maxEpoch
    else { return nil }
    self.init(epoch: epoch, holder: holder, isReleased: released == 1)
  }

  package var encoded: ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeMultipleIntegers(1 as UInt8, epoch, holder, isReleased ? 1 as UInt8 : 0)
    return buffer
  }
}

/// A key of the lease as its store has it.
package struct LeaseEntry: Hashable, Sendable {
  package let record: LeaseRecord
  /// The number of the write, for compare-and-set.
  package let revision: UInt64

  package init(record: LeaseRecord, revision: UInt64) {
    self.record = record
    self.revision = revision
  }
}

/// The times of a lease. All are measured by a monotonic clock of one process; no two clocks are compared.
package struct LeaseTiming: Hashable, Sendable {
  /// A key that was not renewed for this time can be taken.
  package var ttl = Duration.seconds(1)
  /// A process ceases to count a key so long before it could be taken: for clocks that run at different rates.
  package var margin = Duration.milliseconds(100)
  package var renewInterval = Duration.milliseconds(250)
  /// The interval at which a process reads a key that it does not have.
  package var readInterval = Duration.milliseconds(100)
  /// The time after which a failed operation is repeated.
  package var retryInterval = Duration.milliseconds(50)
  /// The time that a process has to get two keys, and the maximum time that it waits after it did not get them.
  package var attemptLimit = Duration.milliseconds(500)
  /// The interval at which the holder checks that the streams of the keys have their leaders on different servers.
  package var leaderCheckInterval = Duration.seconds(1)
  /// The minimum time between two requests to move a leader, and between two to add replicas.
  package var leaderMoveInterval = Duration.seconds(3)

  package init() {}
}
