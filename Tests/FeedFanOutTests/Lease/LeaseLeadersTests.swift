import Testing

@testable import FeedFanOut

@Suite struct LeaseLeadersTests {
  private typealias Placement = LeaseLeaders.Placement

  /// Returns streams with these leaders, that any other of the servers could lead.
  private func placements(_ leaders: [String], servers: [String] = ["a", "b", "c"]) -> [Placement?] {
    leaders.map { leader in Placement(leader: leader, followers: servers.filter { $0 != leader }) }
  }

  @Test(
    "A stream is moved while two have their leader on one server and another server leads none",
    arguments: [(["a", "a", "b"], 0), (["b", "a", "a"], 1), (["a", "a", "a"], 0), (["a", "b", "c"], nil)])
  func moves(leaders: [String], moved: Int?) {
    #expect(LeaseLeaders.streamToMove(placements(leaders)) == moved)
  }

  @Test("No stream is moved if no other server could lead it, or if one does not answer")
  func stays() {
    #expect(LeaseLeaders.streamToMove(placements(["a", "a", "b"], servers: ["a", "b"])) == nil)
    #expect(LeaseLeaders.streamToMove(placements(["a", "a", "a"], servers: ["a"])) == nil)
    #expect(LeaseLeaders.streamToMove(placements(["a", "a"]) + [nil]) == nil)
  }
}
