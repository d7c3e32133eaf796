import TestSupport

/// A generated stream with random variations of its messages, for what the generator does not send: definitions that
/// leave out a runner, move the market to another event or change its start, an image without a definition, removed
/// levels, levels in any order, repeated messages, and heartbeats between the parts of a message.
struct VariedStream {
  private(set) var messages: [BetfairMessage] = []
  /// The text of each message.
  private(set) var lines: [String] = []
  private var random: SeededRandom
  private var order: SeededRandom?

  init(seed: UInt64) {
    random = SeededRandom(seed: seed &+ 1000)
    order = SeededRandom(seed: seed &+ 2000)
    var options = BetfairStream.Options()
    options.markets = 4
    options.steps = 120
    options.levels = [1, 4, 10][Int(seed % 3)]
    for message in BetfairStream(seed: seed, options: options).messages {
      var message = message
      for index in message.markets.indices { vary(&message.markets[index]) }
      append(message)
      if message.segment == nil, chance(8) { append(message) }
      if message.segment == "SEG_START" || message.segment == "SEG", chance(30) { appendHeartbeat(after: message) }
    }
  }

  private mutating func append(_ message: BetfairMessage) {
    messages.append(message)
    lines.append(message.text(shuffledBy: &order))
  }

  private mutating func appendHeartbeat(after message: BetfairMessage) {
    var heartbeat = BetfairMessage()
    heartbeat.changeType = "HEARTBEAT"
    heartbeat.id = message.id
    heartbeat.time = message.time
    heartbeat.clock = message.clock
    heartbeat.isStale = chance(30)
    append(heartbeat)
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func vary(_ market: inout BetfairMessage.Market) {
    if var definition = market.definition {
      vary(&definition)
      definition.startTime += 60_000 * Int64(Int(market.id.utf8.last!) % 4 + definition.version % 3)
      market.definition = market.isImage && chance(5) ? nil : definition
    }
    for runner in market.runners.indices {
      for ladder in market.runners[runner].ladders.indices {
        vary(&market.runners[runner].ladders[ladder].levels)
      }
    }
  }

  private mutating func vary(_ definition: inout BetfairMessage.Definition) {
    if chance(10) { definition.event += 1 }
    if chance(10) { definition.status = ["SUSPENDED", "CLOSED", "NEW"].randomElement(using: &random)! }
    if chance(10) { definition.isInPlay.toggle() }
    let index = Int.random(in: definition.runners.indices, using: &random)
    if chance(10) {
      definition.runners.remove(at: index)
    } else if chance(10) {
      definition.runners[index].status =
        ["HIDDEN", "WINNER", "LOSER", "REMOVED", "NEW"].randomElement(using: &random)!
    }
  }

  /// Shuffles the levels of a change, and sometimes removes one.
  private mutating func vary(_ levels: inout [[Int]]) {
    levels.shuffle(using: &random)
    guard chance(15), var level = levels.first else { return }
    level[level.count - 1] = 0
    levels[0] = level
  }
}
