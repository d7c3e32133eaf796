import AccountModel
import FoundationCore
import TestSupport
import Testing

@testable import FeedSimulator

@Suite struct PostingLawTests {
  @Test(
    "A posting that is repeated with the same key counts once, even after the player is saved and restored",
    arguments: 1...20)
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var accounts = SimulatedAccounts(seed: seed, timeToLive: 60_000)
    accounts.addPlayer(named: "anna", now: 0)
    let id = try #require(accounts.playerID(named: "anna"))
    var hundredths = try #require(accounts.wallet(of: id)).real * 100
    // The completed postings that have a key, the oldest first.
    var done: [(key: String, hundredths: Int64)] = []
    for _ in 0..<400 {
      let key = Int.random(in: 0..<8, using: &random) == 0 ? nil : "k\(Int.random(in: 0..<60, using: &random))"
      let amount = Int64.random(in: -20_000...20_000, using: &random)
      let known = key.flatMap { key in done.suffix(32).last { $0.key == key } }
      // Half of the repetitions have the same amount.
      let requested = known != nil && Bool.random(using: &random) ? known!.hundredths : amount
      switch accounts.post(requested, to: id, key: key) {
      case .posted(let wallet, _):
        #expect(known == nil)
        hundredths += Decimal(requested)
        #expect(wallet.real == hundredths / 100)
        if let key { done.append((key, requested)) }
      case .repeated(let wallet):
        #expect(known?.hundredths == requested && wallet.real == hundredths / 100)
      case .differs: #expect(known != nil && known?.hundredths != requested)
      case .tooMuch: #expect(known == nil && hundredths + Decimal(requested) < 0)
      }
      #expect(accounts.wallet(of: id)?.real == hundredths / 100)
      if Int.random(in: 0..<20, using: &random) == 0 {
        let saved = try JSONDecoder().decode(SavedPlayer.self, from: JSONEncoder().encode(accounts.saved(id)))
        #expect(saved.isValid)
        accounts = SimulatedAccounts(seed: seed, timeToLive: 60_000)
        accounts.restore(saved, now: 0)
      }
    }
    #expect(done.count > 40)
  }

  @Test("A saved player without keys is valid; one with empty, too long or too many keys is not")
  func saved() throws {
    let old = #"{"id":"7","user":"anna","real":100,"bonus":0,"lastEvent":1,"lastPosting":1}"#
    #expect(try JSONDecoder().decode(SavedPlayer.self, from: Data(old.utf8)).isValid)
    func player(_ keys: [String]) throws -> SavedPlayer {
      let postings = keys.map { #"{"key":"\#($0)","hundredths":1}"# }.joined(separator: ",")
      let text = old.dropLast() + #","postings":[\#(postings)]}"#
      return try JSONDecoder().decode(SavedPlayer.self, from: Data(text.utf8))
    }
    #expect(try player(Array(repeating: "k", count: 32)).isValid)
    for keys in [[""], [String(repeating: "k", count: 65)], Array(repeating: "k", count: 33)] {
      #expect(try !player(keys).isValid)
    }
  }
}
