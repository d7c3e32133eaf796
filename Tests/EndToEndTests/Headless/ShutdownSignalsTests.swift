import Testing

@testable import toteboard_server

#if canImport(Glibc)
  import Glibc

  @Suite("Signals that shut the server down", .timeLimit(.minutes(45)))
  struct ShutdownSignalsTests {
    @Test("A process that does not shut down ends at the deadline, with exit status 0", arguments: [SIGTERM, SIGINT])
    func hangs(signal: CInt) async {
      await #expect(processExitsWith: .exitCode(0)) { [signal] in
        // Ends a process in which the signal does not arrive, or the deadline ends nothing.
        alarm(60)
        let signals = ShutdownSignals.start(deadline: 50)
        kill(getpid(), signal)
        for await _ in signals {}
        // The sequence has ended after the signal. Nothing else ends the process.
        while true { pause() }
      }
    }
  }
#endif
