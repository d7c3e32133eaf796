import TestSupport

/// A slow reference implementation of the stream's rules: nested dictionaries, updated by values instead of text.
struct ReferenceMarkets {
  struct Runner {
    var status = "-"
    var lastTraded: Int?
    var volume: Int?
    /// The levels by ladder and key, without the key in ladders by level.
    var ladders: [String: [Int: [Int]]] = [:]
  }

  struct Market {
    var status = "-"
    var isInPlay = false
    var version = 0
    var volume: Int?
    var runners: [BetfairMessage.Key: Runner] = [:]
  }

  private(set) var markets: [String: Market] = [:]
  private(set) var clock = ""
  private var current: Int?
  private var images: [String: Int] = [:]

  mutating func apply(_ message: BetfairMessage) {
    let begins = message.changeType == "SUB_IMAGE" || message.changeType == "RESUB_DELTA"
    if begins { current = message.id }
    guard message.id == current else { return }
    if message.segment == nil || message.segment == "SEG_START" {
      images = [:]
      if message.changeType == "SUB_IMAGE" { markets = [:] }
    }
    for change in message.markets { apply(change) }
    if message.segment == nil || message.segment == "SEG_END" { clock = message.clock }
  }

  private mutating func apply(_ change: BetfairMessage.Market) {
    if change.isImage {
      let version = change.definition?.version ?? 0
      if let other = images[change.id], other > version { return }
      images[change.id] = version
      markets[change.id] = Market()
    }
    var market = markets[change.id] ?? Market()
    if let definition = change.definition {
      market.status = definition.status
      market.isInPlay = definition.isInPlay
      market.version = definition.version
      for key in market.runners.keys { market.runners[key]!.status = "-" }
      for runner in definition.runners { market.runners[runner.key, default: Runner()].status = runner.status }
    }
    if let volume = change.volume { market.volume = volume }
    for runner in change.runners {
      if let price = runner.lastTraded { market.runners[runner.key, default: Runner()].lastTraded = price }
      if let volume = runner.volume { market.runners[runner.key, default: Runner()].volume = volume }
      for (name, levels) in runner.ladders {
        for level in levels {
          market.runners[runner.key, default: Runner()].ladders[name, default: [:]][level[0]] =
            level.last == 0 ? nil : Array(level.dropFirst())
        }
      }
      _ = market.runners[runner.key, default: Runner()]
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
