import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Polymarket

@Suite("The prices that a session with Polymarket delivers, whatever the server does")
struct SilenceLawTests {
  private var run = MachineRun()
  private var link: Int
  private var random: SeededRandom
  private var readers: [Subscription: Reader] = [:]
  /// The time of each token's last frame.
  private var lastFrameTimes: [TokenID: Duration] = [:]
  /// The tokens that the server does not serve at present.
  private var unservedTokens: Set<TokenID> = []
  private var clock = 1_769_000_000_000 as Int64
  private var generation: UInt64 = 10

  init() {
    link = run.startLive()
    random = SeededRandom(seed: 0)
    readers[MachineRun.live] = Reader([Sample.game])
    for token in Sample.game.openTokens {
      readers[MachineRun.live]!.read(MachineRun.image(token))
      lastFrameTimes[token] = run.uptime
    }
  }

  @Test("are the same in all topics, and none belongs to a token that is silent for 66 s", arguments: Laws.seeds(30))
  mutating func silence(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for _ in 0..<600 {
      step()
      guard run.machine.state.isUp else { continue }
      for token in Sample.game.openTokens {
        let books = readers.values.compactMap { $0.decoder.tokens[token]?.book.knownOrders }
        #expect(Set(books).count <= 1, "seed \(seed)")
        #expect(books.isEmpty || run.uptime - lastFrameTimes[token]! <= .seconds(66), "seed \(seed)")
      }
    }
  }

  private mutating func step() {
    let token = Sample.game.openTokens.randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case ..<40: advance()
    case ..<60: frame(of: token, image(of: token))
    case ..<80: frame(of: token, change(of: token, size: "\(Int.random(in: 0...3, using: &random))"))
    case ..<84: frame(of: token, change(of: token, size: "x"))
    case ..<86: frame(of: token, #"{"event_type":"tick_size_change","asset_id":"\#(token)"}"#)
    case ..<92:
      unservedTokens = unservedTokens.isEmpty ? Set(Sample.game.openTokens.shuffled(using: &random).prefix(4)) : []
    case ..<97: changeTopics()
    default: reconnect()
    }
  }

  private mutating func advance() {
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      clock += Int64.random(in: 0...3, using: &random)
      deliver(run.advance(by: .milliseconds(Int.random(in: 0...4000, using: &random))))
      deliver(run.apply(.socket(.pong, link: link)))
    }
  }

  /// Returns a time that can be before that of earlier updates.
  private mutating func time() -> Int64 {
    clock += Int64.random(in: 0...2, using: &random)
    return Bool.random(using: &random) ? clock : clock - Int64.random(in: 0...10, using: &random)
  }

  private mutating func price() -> String { "0.\(Int.random(in: 1...9, using: &random))" }

  private mutating func image(of token: TokenID) -> String {
    let time = time()
    return """
      {"event_type":"book","asset_id":"\(token)","bids":[],"asks":[{"price":"\(price())","size":"2"}],\
      "timestamp":"\(time)","hash":"\(UInt64.random(in: 0...UInt64.max, using: &random))"}
      """
  }

  private mutating func change(of token: TokenID, size: String) -> String {
    let time = time()
    return """
      {"event_type":"price_change","timestamp":"\(time)","price_changes":[{"asset_id":"\(token)","price":"\(price())",\
      "size":"\(size)","side":"SELL","hash":"\(UInt64.random(in: 0...UInt64.max, using: &random))"}]}
      """
  }

  private mutating func frame(of token: TokenID, _ text: String) {
    if unservedTokens.contains(token) { return }
    lastFrameTimes[token] = run.uptime
    deliver(run.frame(text, link: link), frame: text)
  }

  /// Adds a topic with the same tokens, or removes it.
  private mutating func changeTopics() {
    let subscription = Subscription(topic: MachineRun.detail.topic, generation: generation)
    if readers.removeValue(forKey: subscription) != nil { return deliver(run.apply(.unsubscribe(subscription))) }
    generation += 1
    let new = Subscription(topic: MachineRun.detail.topic, generation: generation)
    readers[new] = Reader()
    deliver(run.apply(.subscribe(new)))
  }

  private mutating func reconnect() {
    var actions = run.apply(.socket(.closed(.lost), link: link))
    for _ in 0..<6000 where MachineRun.links(actions).isEmpty { actions += run.advance(by: .milliseconds(100)) }
    deliver(actions)
    guard let new = MachineRun.links(actions).last else {
      Issue.record("no connection within 10 min")
      return
    }
    link = new
    deliver(run.apply(.socket(.opened, link: link)))
  }

  private mutating func deliver(_ actions: [PolymarketMachine.Action], frame: String = "") {
    for action in actions {
      switch action {
      case .deliver(let subscription): readers[subscription]?.read(frame)
      case .message(let subscription, let text): readers[subscription]?.read(text)
      case .fetch(_, let request): deliver(run.apply(.fetched(request: request, .success([Sample.game]))))
      case .connect, .close, .send, .state, .topic, .alive: break
      }
    }
  }
}
