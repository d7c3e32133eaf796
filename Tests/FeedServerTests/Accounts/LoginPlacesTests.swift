import TestSupport
import Testing

@testable import FeedServer

@Suite("The places in the queue of password checks")
struct LoginPlacesTests {
  /// Reserves as many places as the address can get.
  private func takeAll(_ places: inout LoginPlaces, _ address: String) -> [LoginPlaces.Place] {
    var taken: [LoginPlaces.Place] = []
    while let place = places.reserve(for: address, now: 0) { taken.append(place) }
    return taken
  }

  @Test("one address gets at most about a third of the places")
  func oneAddress() {
    var places = LoginPlaces(limit: 32)
    let taken = takeAll(&places, "evil")
    #expect(taken.count == 11 && places.taken == 11)
    #expect(places.reserve(for: "home", now: 0) != nil)
  }

  @Test("all addresses with recent failures together get at most half of the places")
  func suspects() {
    var places = LoginPlaces(limit: 32)
    for number in 0..<500 { places.failed(from: "bot \(number)", now: 0) }
    for number in 0..<500 { _ = takeAll(&places, "bot \(number)") }
    #expect(places.taken == 16)
    for number in 0..<16 { #expect(places.reserve(for: "home \(number)", now: 0) != nil) }
    #expect(places.reserve(for: "home 16", now: 0) == nil)
  }

  @Test("an address with a recent failure gets a place even if a few such addresses reserve all they can")
  func mistyped() {
    var places = LoginPlaces(limit: 32)
    for address in ["a", "b", "c", "home"] { places.failed(from: address, now: 0) }
    for address in ["a", "b", "c"] { _ = takeAll(&places, address) }
    #expect(places.reserve(for: "home", now: 0) != nil)
  }

  @Test("a failure expires after ten minutes")
  func forgotten() {
    var places = LoginPlaces(limit: 2)
    for address in ["a", "b"] { places.failed(from: address, now: 0) }
    #expect(places.reserve(for: "a", now: 599_999) != nil && places.reserve(for: "b", now: 599_999) == nil)
    #expect(places.reserve(for: "b", now: 600_000) != nil)
  }

  @Test("reservations never exceed their limits, and all places can be released", arguments: 1...10)
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let limit = Int.random(in: 0...40, using: &random)
    var places = LoginPlaces(limit: limit)
    var (reserved, failed): ([(place: LoginPlaces.Place, address: Int, isSuspect: Bool)], Set<Int>) = ([], [])
    for _ in 0..<5_000 {
      let address = Int.random(in: 0..<60, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<11:
        let isSuspect = failed.contains(address)
        let (ofAddress, suspects) = (
          reserved.filter { $0.address == address }.count, reserved.filter(\.isSuspect).count
        )
        let place = places.reserve(for: "\(address)", now: 0)
        let free = isSuspect ? min(limit - reserved.count, (limit + 1) / 2 - suspects) : limit - reserved.count
        try #require((place != nil) == (free > 2 * ofAddress))
        if let place { reserved.append((place, address, isSuspect)) }
      case 11..<19:
        guard let index = reserved.indices.randomElement(using: &random) else { continue }
        places.release(reserved.remove(at: index).place)
      default:
        if failed.count < 20 {
          places.failed(from: "\(address)", now: 0)
          failed.insert(address)
        }
      }
      try #require(places.taken == reserved.count && reserved.count <= limit)
    }
    for (place, _, _) in reserved { places.release(place) }
    #expect(places.taken == 0)
  }
}
