package import TerminalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A pseudo-terminal, seen from the side of the terminal: it sends keys and records what comes back.
package final class Pty {
  /// The system refused a pseudo-terminal or a process.
  package struct SystemCallError: Error {
    let call: String
    let errno: CInt
  }

  /// Everything the programs on it have sent so far.
  package private(set) var output: [UInt8] = []
  /// The device that programs open.
  package let path: String
  /// That device, kept open so that its modes can be read after the last program has ended.
  package let device: CInt
  private var master: CInt

  package init(size: Size = Size(rows: 24, columns: 80)) throws {
    (master, path) = try Self.openMaster()
    device = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard device >= 0 else { throw SystemCallError(call: "open \(path)", errno: errno) }
    resize(to: size)
  }

  deinit {
    hangUp()
    close(device)
  }

  /// The output as text; invalid UTF-8 becomes U+FFFD.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Changes the size, and notifies the programs by SIGWINCH.
  package func resize(to size: Size) {
    var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  /// Types these characters.
  package func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Discards the output so far.
  package func discardOutput() {
    output.removeAll()
  }

  /// Reads output until it fulfils a condition. Returns false if it does not in time, or at the end of the output.
  @discardableResult
  package func read(within limit: Duration = .seconds(20), until isEnough: ([UInt8]) -> Bool) -> Bool {
    let end = ContinuousClock.now + limit
    while !isEnough(output) {
      let left = end - ContinuousClock.now
      guard left > .zero, readChunk(within: left) else { return false }
    }
    return true
  }

  /// Reads output until it has that text.
  @discardableResult
  package func read(until text: String, within limit: Duration = .seconds(20)) -> Bool {
    let wanted = Array(text.utf8)
    return read(within: limit) { output in
      output.indices.contains { output[$0...].starts(with: wanted) }
    }
  }

  /// Reads the available output without waiting. Gives up a program that writes without end after 20 s.
  package func readAvailable() {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end, readChunk(within: .zero) {}
  }

  /// Reads some output. Returns false if there is none in time.
  func readChunk(within limit: Duration) -> Bool {
    guard waitUntilReadable(master, within: limit) else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = readBytes(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    output += buffer[..<count]
    return true
  }

  /// Closes the terminal's side, as a lost connection does.
  package func hangUp() {
    guard master >= 0 else { return }
    close(master)
    master = -1
  }

  /// The process group in the foreground, which receives the keys; nil if there is none.
  package var foreground: Int32? {
    var group: pid_t = 0
    return ioctl(master, UInt(TIOCGPGRP), &group) == 0 && group > 0 ? group : nil
  }

  /// The device's modes, for comparison.
  package var modes: [UInt8] {
    var modes = termios()
    guard tcgetattr(device, &modes) == 0 else { return [] }
    return withUnsafeBytes(of: &modes) { Array($0) }
  }

  /// The bytes that were typed and not read, including an incomplete line. Reads them, and changes the modes.
  package var unread: [UInt8] {
    var modes = termios()
    tcgetattr(device, &modes)
    modes.c_lflag &= ~tcflag_t(ICANON)
    tcsetattr(device, TCSANOW, &modes)
    var file = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
    var buffer = [UInt8](repeating: 0, count: 1024)
    guard poll(&file, 1, 0) > 0 else { return [] }
    return Array(buffer[..<max(0, readBytes(device, &buffer, buffer.count))])
  }

  private static func openMaster() throws -> (master: CInt, path: String) {
    #if os(Linux)
      // Does the same as posix_openpt, unlockpt and ptsname, which Swift does not import on Linux.
      let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
      // A program under test must not keep the terminal's side open, or it would never be hung up.
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var isLocked: CInt = 0
      var number: CUnsignedInt = 0
      guard master >= 0, ioctl(master, unlock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0 else {
        throw SystemCallError(call: "open /dev/ptmx", errno: errno)
      }
      return (master, "/dev/pts/\(number)")
    #else
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
        throw SystemCallError(call: "posix_openpt", errno: errno)
      }
      _ = fcntl(master, F_SETFD, FD_CLOEXEC)
      return (master, String(cString: name))
    #endif
  }
}

// The methods of the same name hide it.
private func readBytes(_ file: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, buffer, count)
}

/// Waits until a pipe or a terminal has data or has ended. Returns false if that takes too long.
package func waitUntilReadable(_ file: CInt, within limit: Duration = .seconds(20)) -> Bool {
  var file = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
  return poll(&file, 1, CInt((max(.zero, limit) / .milliseconds(1)).rounded(.up))) > 0
}

/// Waits until no unread bytes are in a pipe or a terminal. Returns false if that takes too long.
package func waitUntilRead(_ file: CInt, within limit: Duration) -> Bool {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    var count: CInt = 0
    if ioctl(file, UInt(FIONREAD), &count) == 0, count == 0 { return true }
    // No event tells that another program has read.
    poll(nil, 0, 1)
  }
  return false
}
