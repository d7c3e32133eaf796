import TestSupport

/// A slow reference implementation of the stream's rules: nested dictionaries, updated by values instead of text.
struct ReferenceMarkets {
  struct Runner {
    var status = "-"
    var lastTraded: Int?
    var volume: Int?
    /// The levels by ladder and key, without the key in ladders by level.
    var ladders: [String: [Int: [Int]]] = [:]
    /// The ladders that have had a level since the market's image.
    var usedLadders: Set<String> = []
  }

  struct Market {
    var definition: BetfairMessage.Definition?
    var volume: Int?
    var runners: [BetfairMessage.Key: Runner] = [:]
    /// True if the market began with a change, so that earlier changes are missing until its image.
    var lacksImage = false

    var status: String { definition?.status ?? "-" }
    var isInPlay: Bool { definition?.isInPlay ?? false }
    var version: Int { definition?.version ?? 0 }
  }

  private(set) var markets: [String: Market] = [:]
  private(set) var clock = ""
  /// True if the provider's source of prices is not live.
  private(set) var isStale = false
  /// True between the parts of a message.
  private(set) var isInParts = false
  private var current: Int?
  private var images: [String: Int] = [:]

  mutating func apply(_ message: BetfairMessage) {
    let begins = message.changeType == "SUB_IMAGE" || message.changeType == "RESUB_DELTA"
    if begins { current = message.id }
    guard message.id == current else { return }
    let isHeartbeatBetweenParts = isInParts && message.changeType == "HEARTBEAT"
    let isPart = message.segment == "SEG_START" || message.segment == "SEG"
    // Before the last part, a message can only make the source stale.
    if message.isStale || !isHeartbeatBetweenParts && !isPart { isStale = message.isStale }
    if isHeartbeatBetweenParts { return }
    if message.segment == nil || message.segment == "SEG_START" {
      images = [:]
      if message.changeType == "SUB_IMAGE" { markets = [:] }
    }
    for change in message.markets { apply(change) }
    isInParts = isPart
    if !isInParts { clock = message.clock }
  }

  private mutating func apply(_ change: BetfairMessage.Market) {
    if change.isImage {
      let version = change.definition?.version ?? .min
      if let other = images[change.id], other > version { return }
      images[change.id] = version
      markets[change.id] = Market()
    }
    var market = markets[change.id] ?? Market(lacksImage: true)
    if let definition = change.definition {
      market.definition = definition
      for key in market.runners.keys { market.runners[key]!.status = "-" }
      for runner in definition.runners { market.runners[runner.key, default: Runner()].status = runner.status }
    }
    if let volume = change.volume { market.volume = volume }
    for runner in change.runners {
      if let price = runner.lastTraded { market.runners[runner.key, default: Runner()].lastTraded = price }
      if let volume = runner.volume { market.runners[runner.key, default: Runner()].volume = volume }
      for (name, levels) in runner.ladders {
        for level in levels {
          let value = level.last == 0 ? nil : Array(level.dropFirst())
          market.runners[runner.key, default: Runner()].ladders[name, default: [:]][level[0]] = value
          if value != nil { market.runners[runner.key, default: Runner()].usedLadders.insert(name) }
        }
      }
      if market.runners[runner.key] == nil { market.runners[runner.key] = Runner() }
    }
    markets[change.id] = market
  }

  /// The state as text, in the format of the script in `Reference`.
  var text: String {
    var rows: [String] = []
    for (id, market) in markets.sorted(by: { $0.key < $1.key }) {
      rows.append(
        "\(id) \(market.status) inPlay=\(market.isInPlay) version=\(market.version) tv=\(market.volume ?? 0)")
      for (key, runner) in market.runners.sorted(by: { ($0.key.id, $0.key.handicap) < ($1.key.id, $1.key.handicap) }) {
        let ladders = BetfairMessage.ladders.map { name in
          let levels = (runner.ladders[name] ?? [:]).sorted { $0.key < $1.key }
          return "\(name)="
            + levels.map { "\($0.key):" + $0.value.map(String.init).joined(separator: ":") }
            .joined(separator: ",")
        }
        rows.append(
          "  \(key.id) \(key.handicap) \(runner.status) ltp=\(runner.lastTraded.map(String.init) ?? "-")"
            + " tv=\(runner.volume ?? 0) " + ladders.joined(separator: " "))
      }
    }
    return rows.joined(separator: "\n") + "\n"
  }
}
