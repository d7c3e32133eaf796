import NIOCore
import NIOPosix
import Platform

/// A proxy on loopback that forwards connections to a server, with random faults.
final class ChaosProxy: Sendable {
  private struct State {
    var faultGenerator: FaultGenerator
    var isFaultless = false
    var faults = 0
    var connections = 0
    /// The connections that are open now.
    var open: [ObjectIdentifier: any Channel] = [:]
    /// The time at which data was last sent to the client.
    var lastSent = ContinuousClock.now
  }

  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let state: Locked<State>
  private let listener = Locked<(any Channel)?>(nil)
  private let server: SocketAddress

  /// Creates a proxy for a server's port on loopback.
  init(to port: Int, seed: UInt64) throws {
    server = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    state = Locked(State(faultGenerator: FaultGenerator(seed: seed)))
  }

  /// The number of faults so far.
  var faults: Int { state.withLock { $0.faults } }
  /// The number of attempts to connect so far.
  var connections: Int { state.withLock { $0.connections } }

  /// The time since data was last sent to the client.
  var timeSinceLastSend: Duration { state.withLock { $0.lastSent.duration(to: .now) } }

  /// Ends all connections at once.
  func closeAllConnections() {
    for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
  }

  /// From now on there are no new faults. Earlier ones remain.
  func stopFaults() { state.withLock { $0.isFaultless = true } }

  /// Starts the proxy. Returns its port.
  func start() async throws -> Int {
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: false)
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { self.accept(channel) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    listener.withLock { $0 = channel }
    return channel.localAddress?.port ?? 0
  }

  func stop() async throws {
    try await listener.withLock { $0 }?.close().get()
    try await group.shutdownGracefully()
  }

  private func accept(_ channel: any Channel) {
    let action = state.withLock { state -> ConnectAction in
      state.connections += 1
      let action = state.isFaultless ? .pass : state.faultGenerator.connectAction()
      if action != .pass { state.faults += 1 }
      return action
    }
    switch action {
    case .pass: connect(channel)
    case .refuse: channel.close(promise: nil)
    case .delay(let time): channel.eventLoop.scheduleTask(in: .milliseconds(time)) { self.connect(channel) }
    }
  }

  private func connect(_ channel: any Channel) {
    ClientBootstrap(group: channel.eventLoop)
      .channelOption(.autoRead, value: false)
      .connect(to: server)
      .whenComplete { [self] result in
        switch result {
        case .failure: channel.close(promise: nil)
        case .success(let other):
          do {
            try channel.pipeline.syncOperations.addHandler(
              ForwardingHandler(to: other, forwardingAction: forwardingAction, onSent: {}))
            try other.pipeline.syncOperations.addHandler(
              ForwardingHandler(to: channel, forwardingAction: forwardingAction, onSent: recordSend))
          } catch {
            channel.close(promise: nil)
            other.close(promise: nil)
            return
          }
          state.withLock { $0.open[ObjectIdentifier(channel)] = channel }
          channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
          }
          for end in [channel, other] { end.setOption(.autoRead, value: true).whenFailure { _ in } }
        }
      }
  }

  private func recordSend() { state.withLock { $0.lastSent = .now } }

  private func forwardingAction(for count: Int) -> ForwardingAction {
    state.withLock { state in
      if state.isFaultless { return .pass }
      let action = state.faultGenerator.forwardingAction(for: count)
      if action != .pass { state.faults += 1 }
      return action
    }
  }
}

/// One direction of a connection: forwards bytes in order, possibly late.
private final class ForwardingHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let other: any Channel
  private let forwardingAction: (Int) -> ForwardingAction
  private let onSent: () -> Void
  /// The time at which the bytes that were read last are forwarded.
  private var nextForwardTime = NIODeadline.now()

  init(to other: any Channel, forwardingAction: @escaping (Int) -> ForwardingAction, onSent: @escaping () -> Void) {
    self.other = other
    self.forwardingAction = forwardingAction
    self.onSent = onSent
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    switch forwardingAction(bytes.readableBytes) {
    case .pass: forward(bytes, context)
    case .delay(let time):
      nextForwardTime = max(nextForwardTime, .now()) + .milliseconds(time)
      forward(bytes, context)
    case .split(let size):
      while let piece = bytes.readSlice(length: min(size, bytes.readableBytes)), piece.readableBytes > 0 {
        // A thousand pieces of one byte would take seconds: the rest is sent in one piece.
        if bytes.readableBytes > size * 16 {
          forward(piece, context)
          forward(bytes, context)
          return
        }
        nextForwardTime = max(nextForwardTime, .now()) + .milliseconds(2)
        forward(piece, context)
      }
    case .stall(let time):
      forward(bytes, context)
      let channel = context.channel
      channel.setOption(.autoRead, value: false).whenFailure { _ in }
      channel.eventLoop.scheduleTask(in: .milliseconds(time)) {
        channel.setOption(.autoRead, value: true).whenFailure { _ in }
      }
    case .truncate(let count):
      if let piece = bytes.readSlice(length: min(count, bytes.readableBytes)) { forward(piece, context) }
      end(context, at: nextForwardTime)
    case .cut: end(context, at: .now())
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(context, at: nextForwardTime)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func forward(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    let (other, onSent) = (other, onSent)
    func send() {
      other.writeAndFlush(bytes, promise: nil)
      onSent()
    }
    if nextForwardTime <= .now() {
      send()
    } else {
      context.eventLoop.assumeIsolated().scheduleTask(deadline: nextForwardTime) { send() }
    }
  }

  private func end(_ context: ChannelHandlerContext, at time: NIODeadline) {
    let (channel, other) = (context.channel, other)
    context.eventLoop.scheduleTask(deadline: time) {
      channel.close(promise: nil)
      other.close(promise: nil)
    }
  }
}
