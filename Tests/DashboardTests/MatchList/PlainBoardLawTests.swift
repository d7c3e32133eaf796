import Localization
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The lines of a plain board, checked by a reader that knows nothing but the lines.
struct PlainBoardLawTests {
  /// The feed, the board, and what a reader of its lines knows.
  private struct Reader {
    var plain: TestPlainBoard
    let filter: MatchFilter?
    let interval: Duration
    var fixtures: [ThreeColumnMatch]
    private let ids: [String: MatchID]
    /// The matches that the channel carries.
    private var carried: [MatchID: Match] = [:]
    /// The wall times of the last changes.
    private var changedAt: [MatchID: Int64] = [:]
    private var written: [MatchID: WrittenState] = [:]
    private var writtenAt: [MatchID: Duration] = [:]
    /// The uptimes of all lines.
    private var times: [Duration] = []
    var isLocked = false
    /// The provider's reason why the age of prices is not known while `isLocked` is true; nil if there is none.
    var cause: Freshness.Cause?
    private var isOver = false
    private(set) var sentenceCount = 0

    init(count: Int, filter: String, interval: Duration) throws {
      plain = try TestPlainBoard(alerts: "1 >= 3 again", filter: filter, interval: interval)
      self.filter = try MatchFilter(filter, .english, FilterContext())
      self.interval = interval
      fixtures = (1...count).map { ThreeColumnMatch(MatchID(raw: UInt64($0))) }
      ids = Dictionary(uniqueKeysWithValues: fixtures.map { ($0.name, $0.id) })
      guard dependsOnTime else { return }
      for index in fixtures.indices { fixtures[index].startTime = plain.now.wall + 20_000 + 7123 * Int64(index) }
    }

    private var dependsOnTime: Bool { filter?.node.timeStep != nil }

    /// Applies the filter to a match at the time of its last change, or at the last full second if that is later.
    private func isListed(_ match: Match) -> Bool {
      guard var filter else { return true }
      filter.context.wall = max(changedAt[match.id] ?? 0, plain.now.wall / 1000 * 1000)
      return filter.matches(MatchRow(match, now: .zero, newest: nil))
    }

    /// Changes some matches, removes some, and reads the lines.
    mutating func update(_ changed: [Int] = [], removed: [MatchID] = [], using random: inout SeededRandom) {
      for index in changed { fixtures[index].change(using: &random) }
      send(changed.map { fixtures[$0].match }, removed: removed)
    }

    private mutating func send(_ matches: [Match], removed: [MatchID] = []) {
      for id in removed { carried[id] = nil }
      for match in matches {
        carried[match.id] = match
        changedAt[match.id] = plain.now.wall
      }
      let grade: Freshness.Grade = isOver ? .closed : isLocked ? cause?.grade ?? .locked : .live
      plain.board.apply(
        ChannelUpdate(
          changed: matches, removed: removed, connection: isOver ? .ended : .live,
          freshness: Freshness(grade, since: plain.now.wall, cause: isLocked && !isOver ? cause : nil)),
        now: plain.now)
      plain.collectLines()
      read()
    }

    /// Begins the feed with all matches. If there are many, the board does not write their first states.
    mutating func begin(using random: inout SeededRandom) {
      update(Array(fixtures.indices), using: &random)
      let listed = carried.values.filter { isListed($0) }
      if listed.count <= PlainBoard.introduced { return }
      for match in listed { written[match.id] = WrittenState(match) }
    }

    /// Unlocks the channel, and completes the images of all matches that it carries.
    mutating func complete() {
      isLocked = false
      for index in fixtures.indices { fixtures[index].isAwaitingImage = false }
      send(fixtures.filter { carried[$0.id] != nil }.map(\.match))
    }

    /// Waits as the program does, and reads the lines.
    mutating func wait(_ time: Duration) {
      let end = plain.now.uptime + time
      while plain.now.uptime < end {
        let next = max(plain.board.nextDeadline(after: plain.now) ?? end, plain.now.uptime + .milliseconds(1))
        plain.wait(min(next, end) - plain.now.uptime)
        read()
      }
    }

    /// Waits until nothing is pending: no line was written for longer than the interval, and the only deadline is that
    /// of the filter. Returns false if that takes too long.
    mutating func settle() -> Bool {
      for _ in 0..<100 {
        let lineCount = times.count
        wait(interval + .seconds(1))
        let isQuiet = times.count == lineCount
        if isQuiet, plain.board.nextDeadline(after: plain.now) == filter?.node.nextDeadline(after: plain.now) {
          return true
        }
      }
      return false
    }

    /// Ends the feed with changes of all matches. Their lines are written at once.
    mutating func end(using random: inout SeededRandom) {
      isOver = true
      update(Array(fixtures.indices), using: &random)
    }

    mutating func read() {
      for line in plain.newLines() {
        let now = plain.now.uptime
        if !isOver, times.count >= PlainBoard.linesPerSecond {
          #expect(now - times[times.count - PlainBoard.linesPerSecond] >= Duration.seconds(1), "\(line)")
        }
        times.append(now)
        guard let colon = line.firstRange(of: ": "), let id = ids[String(line[..<colon.lowerBound])] else { continue }
        if !isOver {
          #expect(!isLocked, "\(line)")
          if let last = writtenAt[id] { #expect(now - last >= interval, "\(line)") }
        }
        writtenAt[id] = now
        sentenceCount += 1
        apply(line[colon.upperBound...].dropLast(), of: id)
      }
    }

    private mutating func apply(_ sentence: Substring, of id: MatchID) {
      let match = carried[id]
      let old = written[id]
      if sentence.hasPrefix("new") {
        #expect(old?.isEnded ?? true || filter != nil, "\(id): \(sentence)")
        written[id] = WrittenState()
      } else {
        #expect(old != nil, "\(id): \(sentence)")
      }
      if sentence == "no longer in this channel" {
        #expect(match == nil, "\(id): \(sentence)")
        written[id] = nil
        return
      }
      let isExpected = match.map { isListed($0) } ?? sentence.hasPrefix("ended")
      #expect(isExpected, "\(id): \(sentence)")
      written[id]?.apply(sentence, market: match?.mainMarket?.id, isKnown: match?.tradingStatus != .locked)
    }

    /// Checks that the last written states are those of the matches whose prices are known. Removals are not checked
    /// with a filter, because a match that the filter excludes is not written.
    func checkStates(_ seed: UInt64) {
      for fixture in fixtures {
        let state = written[fixture.id]
        if let match = carried[fixture.id] {
          if match.tradingStatus == .locked || !isListed(match) { continue }
          #expect(state?.describes(match) ?? false, "seed \(seed), \(fixture.name)")
        } else if filter == nil, let state {
          #expect(state.isEnded, "seed \(seed), \(fixture.name)")
        }
      }
    }
  }

  @Test(
    "Lines keep both limits, compare prices with those last written, state no price that is not known, and finally describe the matches"
  )
  func law() throws {
    var sentenceCount = 0
    for seed in Laws.seeds(20) {
      var random = SeededRandom(seed: seed)
      let count = [4, 12, 30].randomElement(using: &random)!
      let seconds = [2, 5].randomElement(using: &random)!
      let filters = [
        "home >= 2.5", "start < 30s", "", "not start < 40s or away >= 2.5", "", "", "home >= 2.5", "start > 30s", "",
        "start < 50s and home >= 2.1",
      ]
      var reader = try Reader(
        count: count, filter: filters[Int(seed) % filters.count], interval: .seconds(seconds))
      for step in 0..<Int.random(in: 0...14, using: &random) {
        let retry = reader.plain.now.wall + 1000
        reader.plain.apply(grade: .locked, topic: step % 2 == 0 ? .late : .maintenance(retryAt: retry), isLoaded: false)
        reader.read()
      }
      reader.begin(using: &random)
      for _ in 0..<80 {
        let all = Array(reader.fixtures.indices)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          reader.isLocked.toggle()
          reader.cause = ([nil, .sourceStale, .catalogueStale] as [Freshness.Cause?]).randomElement(using: &random)!
          reader.update(using: &random)
        case 1...3:
          reader.update(removed: [reader.fixtures.randomElement(using: &random)!.id], using: &random)
        case 4: reader.update(all, using: &random)
        default:
          let changed = all.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
          reader.update(Array(changed), using: &random)
        }
        reader.wait(.milliseconds(Int.random(in: 0...1500, using: &random)))
      }
      reader.complete()
      let isSettled = reader.settle()
      #expect(isSettled, "seed \(seed)")
      reader.checkStates(seed)
      reader.end(using: &random)
      reader.checkStates(seed)
      #expect(reader.plain.board.isOver)
      sentenceCount += reader.sentenceCount
    }
    #expect(sentenceCount > 300)
  }
}
