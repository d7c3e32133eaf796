/// A posting with an idempotency key.
struct KeyedPosting: Hashable, Codable, Sendable {
  let key: String
  let hundredths: Int64
}

/// The state of a simulated player that outlives its process. Amounts are in hundredths.
package struct SavedPlayer: Hashable, Codable, Sendable {
  package let id: String
  /// The name with which the player logs in.
  package let user: String
  /// The balance. The stakes that were reserved are part of it.
  let real: Int64
  let bonus: Int64
  /// The ids of the last event and of the last posting.
  let lastEvent: UInt64
  let lastPosting: UInt64
  /// The latest postings with a key, the oldest first; nil without one.
  let postings: [KeyedPosting]?

  /// The distance of the next ids from the saved ones, which may be some events old.
  static let eventGap: UInt64 = 100_000

  init(_ player: SimulatedPlayer, user: String) {
    id = player.id
    self.user = user
    let reserved = player.bets.filter(\.isReserved).map(\.stake)
    real = player.balance.real + reserved.reduce(0) { $0 + $1.real }
    bonus = player.balance.bonus + reserved.reduce(0) { $0 + $1.bonus }
    lastEvent = player.log.lastID
    lastPosting = player.lastPosting
    postings = player.postings.isEmpty ? nil : player.postings
  }

  /// True if the texts are no longer than 64 bytes, the numbers can be calculated with, and the keys are not too many.
  package var isValid: Bool {
    let (amounts, ids) = (0...Int64(1) << 53, 0...UInt64(1) << 53)
    let keys = postings ?? []
    return ([id, user] + keys.map(\.key)).allSatisfy { 1...64 ~= $0.utf8.count } && amounts ~= real && amounts ~= bonus
      && ids ~= lastEvent && ids ~= lastPosting && keys.count <= SimulatedPlayer.maxKeyedPostings
  }
}
