import Testing

@testable import FeedFanOut

@Suite struct LeaseLeadersTests {
  /// Returns streams with these leaders. Any other server could lead each of them.
  private func states(_ leaders: [String], servers: [String] = ["a", "b", "c"]) -> [StreamState] {
    leaders.map { leader in .led(by: leader, followers: servers.filter { $0 != leader }, target: 3) }
  }

  @Test(
    "A stream is moved while one server leads two streams and another server leads none",
    arguments: [(["a", "a", "b"], 0), (["b", "a", "a"], 1), (["a", "a", "a"], 0), (["a", "b", "c"], nil)])
  func moves(leaders: [String], moved: Int?) {
    #expect(LeaseLeaders.streamToMove(states(leaders)) == moved)
  }

  @Test(
    "No stream is moved if no other server could lead it, or if a stream has no leader",
    arguments: [StreamState.missing, .unanswered, .alone])
  func stays(other: StreamState) {
    #expect(LeaseLeaders.streamToMove(states(["a", "a", "b"], servers: ["a", "b"])) == nil)
    #expect(LeaseLeaders.streamToMove(states(["a", "a", "a"], servers: ["a"])) == nil)
    #expect(LeaseLeaders.streamToMove(states(["a", "a"]) + [other]) == nil)
  }

  @Test("The replicas of a stream are its leader and its up-to-date followers")
  func replicas() {
    #expect(StreamState.led(by: "a", followers: ["b"], target: 3).replicas == 2)
    let all: [StreamState] = [.missing, .alone, .unanswered]
    #expect(all.map(\.replicas) == [nil, 1, 0])
  }
}
