/// The connections of a session, by the numbers that its machine gives to them.
package struct SessionLinks {
  /// The open connections.
  var open: [Int: any FrameConnection] = [:]
  /// The connections that the end of the session has closed.
  var closing: [any FrameConnection] = []
  /// The tasks that connect and read.
  var reading: [Int: Task<Void, Never>] = [:]
  /// The open connections that are not read because the reader lags behind.
  var paused: Set<Int> = []

  /// Sends a text frame. Has no effect if the connection is not open.
  package func send(_ text: [UInt8], _ link: Int) { open[link]?.send(text) }

  /// Closes a connection or abandons the attempt to open it.
  package mutating func close(_ link: Int) {
    reading.removeValue(forKey: link)?.cancel()
    paused.remove(link)
    open.removeValue(forKey: link)?.close(code: CloseCode.normal)
  }

  /// Records that a connection has ended, or that the attempt to open it has failed.
  mutating func end(_ link: Int) {
    reading[link] = nil
    paused.remove(link)
    open[link] = nil
  }
}
