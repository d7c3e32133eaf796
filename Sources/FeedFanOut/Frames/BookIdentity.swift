/// A term of one book: the process, and the epoch in which it holds the lease.
///
/// Ordered by epoch. The lease gives each epoch to one book, so the process decides only if that promise is broken
/// (the storage of the lease was lost): all gateways then follow the same one of two books.
package struct BookIdentity: Hashable, Sendable, Comparable {
  /// Increases with every takeover.
  package let epoch: UInt64
  /// A random number of the book's process.
  package let book: UInt64

  package init(epoch: UInt64, book: UInt64) {
    self.epoch = epoch
    self.book = book
  }

  package static func < (a: BookIdentity, b: BookIdentity) -> Bool { (a.epoch, a.book) < (b.epoch, b.book) }

  /// The offset before the first message of this term.
  ///
  /// Offsets of a topic increase over all terms: those of a term have the epoch in their upper 28 bits. The lower 36
  /// hold 68 billion messages, 21 years of 100 a second. So a number is never given to two messages, and a reader that
  /// has only the number knows which one is newer.
  package var offset: UInt64 { epoch << 36 }

  /// The maximum epoch. One a minute would last until the year 2225.
  package static let maxEpoch: UInt64 = (1 << 27) - 1
}
