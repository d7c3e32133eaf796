/// The places in the queue of password checks, shared between addresses.
///
/// An address gets another place only while more than twice as many places are free as it has: an address without one
/// always finds room beside a few that take all they can. Addresses with a recent failure share half of the places, so
/// that the other half is kept for those without.
struct LoginPlaces: Sendable {
  /// A place, to be released once.
  struct Place: Hashable, Sendable {
    fileprivate let address: String
    fileprivate let isSuspect: Bool
  }

  /// The time for which a failure is remembered, in milliseconds.
  static let memory: Int64 = 600_000

  private let limit: Int
  /// The number of places of each address that has one.
  private var places: [String: Int] = [:]
  /// The number of places that are taken.
  private(set) var taken = 0
  private var takenBySuspects = 0
  private var failures = DecayingCounters<String>(pause: memory, highest: 1, bound: 1024)

  init(limit: Int) { self.limit = limit }

  /// Takes a place, or returns nil if there is none for the address.
  mutating func reserve(for address: String, now: Int64) -> Place? {
    let isSuspect = failures.remaining(address, now: now) > 0
    let (own, half) = (places[address] ?? 0, (limit + 1) / 2)
    let free = isSuspect ? min(limit - taken, half - takenBySuspects) : limit - taken
    guard free > 2 * own else { return nil }
    places[address] = own + 1
    taken += 1
    if isSuspect { takenBySuspects += 1 }
    return Place(address: address, isSuspect: isSuspect)
  }

  mutating func release(_ place: Place) {
    let left = (places[place.address] ?? 1) - 1
    places[place.address] = left > 0 ? left : nil
    taken -= 1
    if place.isSuspect { takenBySuspects -= 1 }
  }

  /// Records a wrong password from an address.
  mutating func failed(from address: String, now: Int64) { failures.raise(address, now: now) }
}
