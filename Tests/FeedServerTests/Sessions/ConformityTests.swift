import EveryMatrix
import FeedSimulator
import Foundation
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

/// Tests the server with an independent client, autobahn from PyPI.
@Suite("WAMP with an independent client", .timeLimit(.minutes(45)))
struct ConformityTests {
  /// The interpreter that has autobahn. The environment variable PYTHON overrides the default.
  private static let python = ProcessInfo.processInfo.environment["PYTHON"] ?? "python3"
  private static let hasAutobahn = (try? run(["-c", "import autobahn"]))?.code == 0

  /// Runs Python. Returns its output and its exit code.
  private static func run(_ arguments: [String]) throws -> (text: String, code: Int32) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python] + arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }

  @Test(
    "autobahn opens a session, registers, receives updates, calls, unregisters, and leaves",
    .enabled(if: hasAutobahn, "needs python3 with autobahn: pip install autobahn, or name the interpreter in PYTHON"))
  func autobahn() async throws {
    var options = ServerOptions.withLongTimeouts
    options.realm = "www.example.com"
    let book = try SimulatorOptions(matches: 20, rate: 100, startTime: 1_750_000_000_000)
    let server = try await RunningServer.start(
      options, playing: BookFeed(options: book, uptime: DispatchTime.now().uptimeNanoseconds),
      logger: noOpLogger)
    let script = TemporaryFile(Self.script)
    let topic = Topic.aggregator(.popular, matches: 10).path
    let arguments = [script.path, server.url, topic]
    // NB: A separate thread, because this call must not block the tasks of the server.
    let (text, code) = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Self.run(arguments) }) }
    }
    await server.stop()
    #expect(code == 0, "\(text)")
    #expect(
      text.split(separator: "\n") == [
        "joined www.example.com", "registered", "again: wamp.error.procedure_already_exists", "INITIAL_DUMP",
        "unknown topic: wamp.error.invalid_argument", "unknown procedure: wamp.error.no_such_procedure", "updates",
        "unregistered", "silent", "left: wamp.close.goodbye_and_out",
      ], "\(text)")
  }

  /// NB: The script relaxes the URI patterns of autobahn, which rejects the '#' in a URI of the feed.
  private static let script = #"""
    import asyncio, re, signal, sys
    import autobahn.wamp.message as message

    for name in [name for name in vars(message) if name.startswith("_URI_PAT")]:
        setattr(message, name, re.compile(r"^\S+$"))

    from autobahn.asyncio.wamp import ApplicationRunner, ApplicationSession
    from autobahn.wamp.exception import ApplicationError

    # Ends a script that waits in vain, before the time limit of the test, which does not end it.
    signal.alarm(1800)

    url, topic = sys.argv[1], sys.argv[2]

    async def error_of(what, answer):
        try:
            await answer
            print(what + ": no error")
        except ApplicationError as error:
            print(what + ": " + error.error)

    class Client(ApplicationSession):
        async def onJoin(self, details):
            print("joined", details.realm)
            enough, count = asyncio.Event(), 0

            def update(**message):
                nonlocal count
                assert message["messageType"] == "UPDATE" and message["records"], message
                count += 1
                if count == 20: enough.set()

            registration = await self.register(update, topic)
            print("registered")
            await error_of("again", self.register(lambda **message: None, topic))
            dump = await self.call("/sports#initialDump", topic=topic)
            print(getattr(dump, "kwresults", dump)["messageType"])
            await error_of("unknown topic", self.call("/sports#initialDump", topic="/nowhere"))
            await error_of("unknown procedure", self.call("com.example.nothing"))
            await enough.wait()
            print("updates")
            await registration.unregister()
            print("unregistered")
            before = count
            await self.call("/sports#initialDump", topic=topic)
            print("silent" if count == before else "loud")
            self.leave()

        def onLeave(self, details):
            print("left: " + details.reason)
            self.disconnect()

        def onDisconnect(self):
            asyncio.get_event_loop().stop()

    ApplicationRunner(url, "www.example.com").run(Client)
    """#
}
