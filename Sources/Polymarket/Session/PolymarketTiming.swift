import OddsFeed

/// The time limits of a session with Polymarket (Session.md).
enum PolymarketTiming {
  /// The time between two texts `PING` on a socket of the market channel.
  static let ping = Duration.seconds(5)
  /// The time limit for a sign of life after a `PING`. Then the socket counts as lost: at most 9 s after the last one.
  static let pong = Duration.seconds(4)
  /// The time after which the parts of one frame are no sign of life any more.
  static let frame = Duration.seconds(30)
  /// The time limit for opening a socket.
  static let connect = Duration.seconds(10)
  /// The time limit for the first image of a token. Then the token is subscribed to again, with twice the limit.
  static let firstImage = Duration.seconds(5)
  /// The largest time limit for an image, and the longest wait of a disputed book.
  static let maxImage = Duration.seconds(60)
  /// The time without a frame of a token after which its image is asked for. An answer shows that the token is still
  /// served: a server can stop sending updates and go on answering `PING`.
  static let quiet = Duration.seconds(60)
  /// The largest number of quiet tokens of a socket that are asked for at once, and the time until the next ones are.
  static let maxQuiet = 40
  static let quietInterval = Duration.seconds(1)
  /// The time that the rest of a change has to arrive when a book is disputed, before its image is asked for. Doubles
  /// with each such request in a row, up to `maxImage`.
  static let dispute = Duration.milliseconds(250)
  /// The wait for a disputed book starts again at its shortest if the last request is older than its wait plus this
  /// time.
  static let disputeMemory = Duration.seconds(60)
  /// The time between two requests for the events of a topic.
  static let refresh = Duration.seconds(30)
  /// The time since Gamma's last answer after which a topic's events count as out of date.
  static let catalogueLimit = Duration.seconds(90)
  /// The time for which a market stays closed, whatever Gamma says, after no topic has it any more.
  static let resolved = Duration.seconds(3600)
  /// The silence after which the socket of the sports channel counts as lost. Its server sends `ping` every 5 s.
  static let sportsSilence = Duration.seconds(20)
  /// The time limit for the peers to close their connections at the end.
  static let close = Duration.milliseconds(250)
  /// The largest number of tokens on one socket. Beyond some 750 the images do not come.
  static let maxTokens = 200
}
