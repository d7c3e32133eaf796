import FeedFanOut
import TestSupport
import Testing

@testable import toteboard_server

@Suite struct MachineTableTests {
  @Test("The script that computes the machines of a cluster has the stale timeout of a gateway")
  func times() throws {
    let script = try RepositoryFile.text("Tests/Cluster/machines.py")
    let seconds = Int(GatewayTiming.server.staleTimeout / .seconds(1))
    #expect(script.contains("\nSTALE_SECONDS = \(seconds)\n"))
  }
}
