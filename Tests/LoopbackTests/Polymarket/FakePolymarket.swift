import JSONText
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import OddsModel
import Platform
import TestSupport

@testable import Polymarket

/// A fake of Polymarket on loopback: Gamma, the market channel and the sports channel, on one port.
final class FakePolymarket: Sendable {
  /// The moments of a connection, in order.
  enum Step: CaseIterable, Hashable, Sendable {
    /// A request to Gamma, and one for a socket of the market channel.
    case asked, upgrading
    case opened, subscribed
    /// After the image of one of several tokens.
    case imageBegun
  }

  struct State {
    /// The steps at which the next connections are closed. Each happens once.
    var faults: Set<Step> = []
    var events: [GammaEvent]
    var books: [TokenID: OrderBook] = [:]
    /// The tokens whose images the server withholds.
    var withheld: Set<TokenID> = []
    var answersPings = true
    /// The status of Gamma's answers.
    var status = HTTPResponseStatus.ok
    var sockets: [Int: FakeSocket] = [:]
    var lastNumber = 0
    var lastHash = 0
    /// The tokens of the first subscription of each socket of the market channel.
    var subscriptions: [[TokenID]] = []
    /// The tokens of the later subscriptions.
    var resubscriptions: [[TokenID]] = []
    /// The states of games that a new socket of the sports channel receives.
    var scores: [String] = []
  }

  let state: Locked<State>
  private let reserved = ReservedPort()
  private let listener = Locked<(any Channel)?>(nil)

  init(_ events: [GammaEvent]) { state = Locked(State(events: events)) }

  var address: String { "polymarket://127.0.0.1:\(reserved.number)" }

  /// Starts the server, each time on the same port.
  func start() async throws {
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        let http = FakeHTTPHandler(server: self)
        let upgrader = NIOWebSocketServerUpgrader(
          maxFrameSize: 1 << 20,
          shouldUpgrade: { channel, head in
            // Without a WebSocket the answer is 404.
            let isRefused = head.uri == "/ws/market" && self.closes(at: .upgrading)
            return channel.eventLoop.makeSucceededFuture(isRefused ? nil : HTTPHeaders())
          },
          upgradePipelineHandler: { channel, head in
            channel.eventLoop.makeCompletedFuture {
              let isMarket = head.uri == "/ws/market"
              let number = self.nextNumber()
              let socket = FakeSocket(number: number, isMarket: isMarket, channel: channel)
              try channel.pipeline.syncOperations.addHandler(FakeSocketHandler(server: self, socket: socket))
              self.opened(socket)
            }
          })
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withServerUpgrade: (
              upgraders: [upgrader],
              completionHandler: { $0.pipeline.syncOperations.removeHandler(http, promise: nil) }
            ))
          try channel.pipeline.syncOperations.addHandler(http)
        }
      }
      .bind(host: "127.0.0.1", port: reserved.number).get()
    listener.withLock { $0 = channel }
  }

  /// Closes the port and every socket.
  func stop() async {
    try? await listener.withLock { $0.take() }?.close()
    await drop { _ in true }
  }

  /// Closes sockets without a close frame.
  func drop(_ isGone: @Sendable (FakeSocket) -> Bool) async {
    for socket in state.withLock({ state in state.sockets.values.filter(isGone) }) { try? await socket.channel.close() }
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  // MARK: Events

  /// Sets a token's book to one order to buy and one to sell, each in hundredths of a dollar, and sends the image.
  func set(_ token: String, bid: Int64, ask: Int64) {
    change(token, bid: bid, ask: ask)
    sendImages(of: [TokenID(token)!])
  }

  /// Sets a token's book without sending anything.
  func change(_ token: String, bid: Int64, ask: Int64) {
    var orders = OrderBook()
    orders.set(.bid, .init(price: bid * 100_000, size: 1_000_000_000))
    orders.set(.ask, .init(price: ask * 100_000, size: 1_000_000_000))
    orders.set(.ask, .init(price: 9_900_000, size: 50_000_000))
    state.withLock { $0.books[TokenID(token)!] = orders }
  }

  /// Sends a text to the sockets that are subscribed to a token.
  func send(_ text: String, about token: String) {
    let sockets = state.withLock { state in
      state.sockets.values.filter { $0.tokens.withLock { $0.contains(TokenID(token)!) } }
    }
    for socket in sockets { socket.send(text) }
  }

  /// Sends the state of a game to the sockets of the sports channel, and to those that will be opened.
  func sendScore(_ text: String) {
    let sockets = state.withLock { state in
      state.scores.append(text)
      return state.sockets.values.filter { !$0.isMarket }
    }
    for socket in sockets { socket.send(text) }
  }

  /// Returns true if the connection that comes to a step is to be closed.
  fileprivate func closes(at step: Step) -> Bool { state.withLock { $0.faults.remove(step) != nil } }

  fileprivate func opened(_ socket: FakeSocket) {
    if socket.isMarket, closes(at: .opened) { return socket.channel.close(promise: nil) }
    let scores = state.withLock { state in
      state.sockets[socket.number] = socket
      return socket.isMarket ? [] : state.scores
    }
    for text in scores { socket.send(text) }
  }

  /// Sends an image to each socket that is subscribed to its token.
  func sendImages(of tokens: [TokenID], to only: FakeSocket? = nil) {
    let (sockets, texts) = state.withLock { state in
      (
        only.map { [$0] } ?? Array(state.sockets.values),
        tokens.filter { !state.withheld.contains($0) }.map { token in
          state.lastHash += 1
          return (token, Self.image(of: token, state.books[token] ?? OrderBook(), hash: state.lastHash))
        }
      )
    }
    for socket in sockets where socket.isMarket {
      let own = texts.filter { text in socket.tokens.withLock { $0.contains(text.0) } }
      if !own.isEmpty { socket.send("[\(own.map(\.1).joined(separator: ","))]") }
    }
  }

  private static func image(of token: TokenID, _ orders: OrderBook, hash: Int) -> String {
    func levels(_ levels: [OrderBook.Level]) -> String {
      levels.map { level in
        let price = String(10_000_000 + level.price).dropFirst()
        return #"{"price":"0.\#(price)","size":"\#(level.size / 10_000_000)"}"#
      }.joined(separator: ",")
    }
    return """
      {"market":"0xc0","asset_id":"\(token)","timestamp":"1769383800000","hash":"\(hash)",\
      "bids":[\(levels(orders.bids))],"asks":[\(levels(orders.asks))],"event_type":"book"}
      """
  }

  // MARK: Requests of clients

  private static let leagues = #"""
    [{"sport":"nfl","series":"10187","ordering":"away","tags":"1,450,100639"},
    {"sport":"nor","series":"10362","ordering":"home","tags":"1,100639,100350,102771"}]
    """#

  fileprivate func answer(_ uri: String) -> (HTTPResponseStatus, [UInt8]) {
    let (events, status) = state.withLock { ($0.events, $0.status) }
    guard status == .ok else { return (status, []) }
    if uri == "/sports" { return (.ok, Array(Self.leagues.utf8)) }
    let parts = uri.split(separator: "?")
    guard parts.count == 2, parts[0] == "/events" else { return (.notFound, []) }
    let fields = Dictionary(
      uniqueKeysWithValues: parts[1].split(separator: "&").map { field in
        let pair = field.split(separator: "=")
        return (String(pair[0]), String(pair[1]))
      })
    let offset = fields["offset"].flatMap { Int($0) } ?? 0
    let limit = min(100, fields["limit"].flatMap { Int($0) } ?? 100)
    let found = events.filter { event in
      if let id = fields["id"] { return "\(event.id)" == id }
      if let series = fields["series_id"] { return series == "10187" && event.league == "nfl" }
      return fields["event_date"].map { ISOTime.text(event.startTime!).hasPrefix($0) } ?? true
    }.dropFirst(offset).prefix(limit)
    var json = JSONWriter()
    json.openArray()
    for event in found { event.write(to: &json) }
    json.closeArray()
    return (.ok, json.bytes)
  }

  fileprivate func received(_ text: [UInt8], on socket: FakeSocket) {
    let word = String(decoding: text, as: UTF8.self)
    if word == "PING" {
      if state.withLock({ $0.answersPings }) { socket.send("PONG") }
      return
    }
    var (operation, tokens): (String, [TokenID]) = ("", [])
    text.withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      try? cursor.decodedFields { key, cursor throws(JSONError) in
        switch key {
        case "assets_ids": tokens = try Gamma.list(&cursor).compactMap { TokenID($0) }
        case "operation", "type": operation = try Gamma.text(&cursor)
        default: try cursor.skip()
        }
      }
    }
    if operation == "unsubscribe" { return socket.tokens.withLock { $0.subtract(tokens) } }
    state.withLock { state in
      if operation == "market" { state.subscriptions.append(tokens) } else { state.resubscriptions.append(tokens) }
    }
    socket.tokens.withLock { $0.formUnion(tokens) }
    if closes(at: .subscribed) { return socket.channel.close(promise: nil) }
    if let first = tokens.first, closes(at: .imageBegun) {
      sendImages(of: [first], to: socket)
      return socket.channel.close(promise: nil)
    }
    sendImages(of: tokens, to: socket)
  }

  fileprivate func closed(_ socket: FakeSocket) { _ = state.withLock { $0.sockets.removeValue(forKey: socket.number) } }
}

/// A socket of a client.
final class FakeSocket: Sendable {
  let number: Int
  let isMarket: Bool
  let channel: any Channel
  let tokens = Locked<Set<TokenID>>([])

  init(number: Int, isMarket: Bool, channel: any Channel) {
    self.number = number
    self.isMarket = isMarket
    self.channel = channel
  }

  func send(_ text: String) {
    let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    channel.writeAndFlush(frame, promise: nil)
  }
}

private final class FakeSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame

  private let server: FakePolymarket
  private let socket: FakeSocket

  init(server: FakePolymarket, socket: FakeSocket) {
    self.server = server
    self.socket = socket
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      if let key = frame.maskKey { frame.data.webSocketUnmask(key) }
      server.received(Array(frame.data.readableBytesView), on: socket)
    case .connectionClose: context.close(promise: nil)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    server.closed(socket)
    context.fireChannelInactive()
  }
}

private final class FakeHTTPHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPServerRequestPart

  private let server: FakePolymarket

  init(server: FakePolymarket) { self.server = server }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    if !head.uri.hasPrefix("/ws"), server.closes(at: .asked) { return context.close(promise: nil) }
    let (status, body) = server.answer(head.uri)
    let headers = HTTPHeaders([("Content-Length", "\(body.count)"), ("Connection", "close")])
    let response = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.channel.write(HTTPServerResponsePart.head(response), promise: nil)
    context.channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
    let channel = context.channel
    context.channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
  }
}
