import Testing

@testable import OddsFeed
@testable import OddsModel

/// The data sources of a topic, as scripts: each line has a time in seconds, an event and, after `>`, the actions.
struct FallbackStateMachineTests {
  private static let problem = FeedError("'/api/odds' answers 500", remedy: "it is asked again")

  private func run(_ script: String, hasAPI: Bool = true, _ location: SourceLocation = #_sourceLocation) {
    var machine = FallbackStateMachine(hasAPI: hasAPI)
    for line in script.split(separator: "\n") {
      let sides = line.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      let words = sides[0].split(separator: " ")
      let now = Duration.seconds(Double(words[0])!)
      // The machine sets the time of each timer, and the script must expect the same time.
      if words[1] == "time" { #expect(machine.deadline == now, "\(line)", sourceLocation: location) }
      let effects = machine.apply(Self.event(words[1], Array(words.dropFirst(2))), at: now)
      let expected = sides[1].split(separator: ",").map { $0.trimmed }
      #expect(effects.map(Self.name) == expected, "\(line)", sourceLocation: location)
    }
    #expect(machine.deadline == nil, "nothing is due at the end", sourceLocation: location)
  }

  private static func event(_ name: Substring, _ rest: [Substring]) -> FallbackStateMachine.Event {
    let generation = rest.first.flatMap { UInt64($0) } ?? 1
    switch name {
    case "start": return .started(generation: generation)
    case "stop": return .stopped(generation: generation)
    case "cache": return .cacheRead(generation: generation, CachedBoard(savedAt: 7, records: FeedBatch()))
    case "nocache": return .cacheRead(generation: generation, nil)
    case "answer": return .apiAnswered(generation: generation, .success(FeedBatch()))
    case "noapi": return .apiAnswered(generation: generation, .success(nil))
    case "error": return .apiAnswered(generation: generation, .failure(problem))
    case "connecting": return .line(.connecting(attempt: 1))
    case "failed": return .line(.failed(problem))
    case "idle": return .line(.idle)
    case "up": return .line(.live)
    case "late": return .topic(.late)
    case "maintenance": return .topic(.maintenance(retryAt: 9))
    case "requested": return .topic(.requested)
    case "dump": return .topic(.live)
    case "time": return .timePassed
    default: preconditionFailure("no event is called '\(name)'")
    }
  }

  private static func name(_ effect: FallbackStateMachine.Effect) -> String {
    switch effect {
    case .readCache(let generation): "read \(generation)"
    case .askAPI(let generation): "ask \(generation)"
    case .cancel: "cancel"
    case .show(_, .cache(let savedAt)): "show cache of \(savedAt)"
    case .show(_, let source): "show \(source)"
    case .reportRESTError(problem): "say the problem"
    case .reportRESTError(.some): "say that it is silent"
    case .reportRESTError(nil): "say that it is well"
    case .expireRESTData: "distrust"
    }
  }

  @Test("A topic starts with the cache, then the REST API, then the stream, which ends all requests")
  func order() {
    run(
      """
      0 start > read 1, ask 1
      0 connecting >
      0.1 cache > show cache of 7
      0.3 answer > show api
      0.4 up >
      0.5 requested >
      0.6 dump >
      """)
  }

  @Test("A later stage is never overwritten by an earlier one")
  func late() {
    run(
      """
      0 start > read 1, ask 1
      0.1 answer > show api
      0.2 cache >
      0.3 dump >
      """)
    run(
      """
      0 start > read 1, ask 1
      0.1 dump > cancel
      0.2 cache >
      0.3 answer >
      """)
  }

  @Test("A new start cancels the request in flight and ignores its late answers")
  func restart() {
    run(
      """
      0 start 1 > read 1, ask 1
      0.1 start 2 > cancel, read 2, ask 2
      0.2 cache 1 >
      0.2 answer 1 >
      0.3 stop 1 >
      0.3 answer 2 > show api
      0.4 stop 2 > cancel
      0.5 cache 2 >
      """)
  }

  @Test("Without a stream, the REST API is polled every 5 s until the stream's dump arrives")
  func polling() {
    run(
      """
      0 start > read 1, ask 1
      0 connecting >
      0 nocache >
      0.2 answer > show api
      5 time > ask 1
      5.2 answer > show polling
      10 time > ask 1
      11 up >
      11.1 answer > show polling
      11.2 requested >
      11.3 dump >
      """)
  }

  @Test("Polling starts 2 s after a connection loss, and its data replaces old stream data until the next dump")
  func lost() {
    run(
      """
      0 start > read 1, ask 1
      0.1 up >
      0.2 dump > cancel
      60 connecting >
      60 connecting >
      62 time > ask 1
      62.1 answer > show polling
      62.2 up >
      62.3 dump >
      """)
  }

  @Test(
    "Polling also starts when the topic is late or in maintenance, or the connection has failed",
    arguments: [
      "late", "maintenance", "failed",
    ])
  func topics(event: String) {
    run(
      """
      0 start > read 1, ask 1
      0 nocache >
      0.1 answer > show api
      0.2 up >
      0.3 dump >
      20 \(event) >
      22 time > ask 1
      22.1 answer > show polling
      30 dump >
      """)
  }

  @Test("An API error and its end are each reported once; two errors in a row expire the API's data")
  func errors() {
    run(
      """
      0 start > read 1, ask 1
      0 nocache >
      0.1 answer > show api
      5 time > ask 1
      5.1 error > say the problem
      10 time > ask 1
      10 error > distrust
      15 time > ask 1
      15.1 error >
      20 time > ask 1
      20.1 answer > say that it is well, show polling
      25 time > ask 1
      25.1 error > say the problem
      25.2 dump > say that it is well
      """)
  }

  @Test("API data expires 10 s after the last answer, and a request is cancelled after 10 s")
  func silence() {
    run(
      """
      0 start > read 1, ask 1
      0 nocache >
      1 answer > show api
      5 time > ask 1
      11 time > distrust
      15 time > cancel, say that it is silent, ask 1
      15.5 answer > say that it is well, show polling
      16 stop >
      """)
  }

  @Test("A topic that the REST API does not offer is not requested again, even after a new subscription")
  func notOffered() {
    run(
      """
      0 start > read 1, ask 1
      0 cache > show cache of 7
      0.1 noapi >
      0.2 stop >
      9 start 2 > read 2
      9 cache 2 > show cache of 7
      """)
    run("0 start > read 1", hasAPI: false)
  }

  @Test("While the connection is idle, the REST API is not polled")
  func idle() {
    run(
      """
      0 start > read 1, ask 1
      0 idle >
      0 nocache >
      0.1 error > say the problem
      """)
  }
}

extension Substring {
  fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
