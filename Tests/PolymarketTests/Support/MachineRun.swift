import JSONText
import OddsFeed
import OddsModel
import Platform

@testable import Polymarket

/// A session state machine with a manual clock.
struct MachineRun {
  var machine = PolymarketMachine()
  private(set) var actions: [PolymarketMachine.Action] = []
  private(set) var uptime = Duration.zero
  private var reader = MarketEventReader()

  static let live = Subscription(topic: Topic(path: "/live/50"), generation: 1)
  static let detail = Subscription(topic: Topic(path: "/event/16085"), generation: 2)

  private var now: SessionMoment {
    SessionMoment(uptime: uptime, wall: 1_769_000_000_000 + Int64(uptime / .milliseconds(1)), chance: 0.5)
  }

  /// Applies an event. Returns the actions that follow.
  @discardableResult
  mutating func apply(_ event: PolymarketMachine.Event) -> [PolymarketMachine.Action] {
    actions = machine.apply(event, at: now)
    return actions
  }

  @discardableResult
  mutating func frame(_ text: String, link: Int) -> [PolymarketMachine.Action] {
    let summary = Array(text.utf8).withUnsafeBufferPointer { MarketSummary($0, &reader) }
    return apply(.socket(summary.map { .market($0) } ?? .garbage, link: link))
  }

  /// The image of a token.
  static func image(_ token: TokenID) -> String {
    #"[{"event_type":"book","asset_id":"\#(token)","bids":[],"asks":[{"price":"0.5","size":"2"}],"hash":"1"}]"#
  }

  /// Advances the clock from deadline to deadline. Returns all actions that follow.
  mutating func advance(by duration: Duration) -> [PolymarketMachine.Action] {
    let end = uptime + duration
    var all: [PolymarketMachine.Action] = []
    while let next = machine.deadline, next <= end {
      uptime = max(uptime, next)
      all += apply(.time)
    }
    uptime = end
    return all + apply(.time)
  }

  /// Advances the clock on a socket that answers, also with images unless `hasImages` is false. Returns all actions
  /// that follow from the time.
  mutating func advanceWithAnswers(
    by duration: Duration, link: Int, hasImages: Bool = true
  ) -> [PolymarketMachine.Action] {
    var rest = duration
    var all: [PolymarketMachine.Action] = []
    while rest > .zero {
      let step = min(rest, .seconds(4))
      let new = advance(by: step)
      apply(.socket(.pong, link: link))
      if hasImages { answerImages(new, link: link) }
      all += new
      rest -= step
    }
    return all
  }

  /// Answers the image requests among the actions.
  mutating func answerImages(_ actions: [PolymarketMachine.Action], link: Int) {
    for operation in Self.operations(actions, link: link) where operation.name == "subscribe" {
      for token in operation.tokens.compactMap({ TokenID($0) }) { frame(Self.image(token), link: link) }
    }
  }

  /// The links of the sockets that the actions open.
  static func links(
    _ actions: [PolymarketMachine.Action], _ channel: PolymarketMachine.Channel = .market
  ) -> [Int] {
    actions.compactMap { if case .connect(channel, let link) = $0 { link } else { nil } }
  }

  /// The operations that the actions send on a link, each with its tokens.
  static func operations(_ actions: [PolymarketMachine.Action], link: Int? = nil) -> [(name: String, tokens: [String])]
  {
    actions.compactMap { action in
      guard case .send(let text, let to) = action, link == nil || link == to else { return nil }
      var (name, tokens): (String, [String]) = (String(decoding: text, as: UTF8.self), [])
      text.withUnsafeBufferPointer { bytes in
        var cursor = JSONCursor(bytes)
        guard cursor.peek() == UInt8(ascii: "{") else { return }
        try? cursor.decodedFields { key, cursor throws(JSONError) in
          switch key {
          case "assets_ids": tokens = try Gamma.list(&cursor)
          case "operation", "type": name = try Gamma.text(&cursor)
          default: try cursor.skip()
          }
        }
      }
      return (name, tokens)
    }
  }

  /// The messages of the session itself that the actions deliver.
  static func messages(_ actions: [PolymarketMachine.Action], to subscription: Subscription = live) -> [String] {
    actions.compactMap { action in
      guard case .message(subscription, let text) = action else { return nil }
      return String(decoding: text, as: UTF8.self)
    }
  }

  static func states(_ actions: [PolymarketMachine.Action]) -> [ConnectionState] {
    actions.compactMap { if case .state(let state) = $0 { state } else { nil } }
  }

  static func requests(_ actions: [PolymarketMachine.Action]) -> [Int] {
    actions.compactMap { if case .fetch(_, let request) = $0 { request } else { nil } }
  }

  /// Starts with a topic that has these events. Returns the links of the sockets that are being opened.
  mutating func start(_ events: [GammaEvent], _ subscription: Subscription = live) -> [Int] {
    apply(.start)
    let request = Self.requests(apply(.subscribe(subscription)))[0]
    return Self.links(apply(.fetched(request: request, .success(events))))
  }

  /// Starts with the sample game on an open socket, with all images. Returns its link.
  mutating func startLive(_ event: GammaEvent = Sample.game) -> Int {
    let link = start([event])[0]
    apply(.socket(.opened, link: link))
    for token in event.openTokens { frame(Self.image(token), link: link) }
    return link
  }
}

extension ConnectionError {
  static let lost = ConnectionError(.lost, FeedError("the connection broke off", remedy: "wait"))
}
