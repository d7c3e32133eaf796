import CLateClose
import CLibrary
import Dispatch
import Platform

/// An observer of named files in directories. Reports a file that was written and closed, was moved there, or was
/// created as a link or directory. Reports nothing if the system cannot watch.
final class DirectoryWatch: Sendable {
  private let sources: Locked<[any DispatchSourceProtocol]>

  /// The descriptor of the observed directories on Linux; nil if the system cannot watch.
  private let file: Int32?

  deinit { sources.withLock { $0.forEach { $0.cancel() } } }

  /// Lets a child process close the observed directories after the end of the program, which does not wait for that.
  func closeAfterExit() { if let file { close_after_exit(file) } }

  #if canImport(Darwin)
    init(_ places: [String: Set<String>], on queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
      file = nil
      // The directory reports creation and renaming of files; the file itself reports writes.
      let paths = places.flatMap { place in [place.key] + place.value.map { "\(place.key)/\($0)" } }
      sources = Locked(
        paths.compactMap { path in
          let file = open(path, O_EVTONLY)
          guard file >= 0 else { return nil }
          let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: file, eventMask: [.write, .extend, .rename, .delete], queue: queue)
          source.setEventHandler(handler: onChange)
          source.setCancelHandler { close(file) }
          source.resume()
          return source
        })
    }
  #else
    init(_ places: [String: Set<String>], on queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
      let file = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard file >= 0 else {
        self.file = nil
        sources = Locked([])
        return
      }
      self.file = file
      var watched: [Int32: (directory: String, names: Set<String>)] = [:]
      for (directory, names) in places {
        let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MOVE_SELF)
        let watch = inotify_add_watch(file, directory, mask)
        if watch >= 0 { watched[watch] = (directory, names.union(watched[watch]?.names ?? [])) }
      }
      sources = Locked([Self.source(file, watched, queue, onChange)])
    }

    private static func source(
      _ file: Int32, _ watched: [Int32: (directory: String, names: Set<String>)], _ queue: DispatchQueue,
      _ onChange: @escaping @Sendable () -> Void
    ) -> sending any DispatchSourceProtocol {
      let source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
      source.setEventHandler {
        let isOther = events(file).contains { event in
          // An event without a name is about the directory itself, which was moved or deleted. An event of an unknown
          // watch means that the system dropped events.
          guard let place = watched[event.watch], !event.name.isEmpty else { return true }
          return place.names.contains(event.name)
            && (!event.isMade || isWhole("\(place.directory)/\(event.name)"))
        }
        if isOther { onChange() }
      }
      source.setCancelHandler { close(file) }
      source.resume()
      return source
    }

    /// Returns false for a regular file that was created under this name, which is about to be written: another event
    /// follows. A file with several names is complete, because it was linked.
    private static func isWhole(_ path: String) -> Bool {
      var status = stat()
      return lstat(path, &status) == 0 && (status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1)
    }

    private static func events(_ file: Int32) -> [(watch: Int32, name: String, isMade: Bool)] {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      var events: [(watch: Int32, name: String, isMade: Bool)] = []
      while case let count = read(file, &buffer, buffer.count), count > 0 {
        var at = 0
        while at + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: inotify_event.self) }
          let begin = at + MemoryLayout<inotify_event>.size
          let name = buffer[begin..<begin + Int(event.len)].prefix { $0 != 0 }
          events.append((event.wd, String(decoding: name, as: UTF8.self), event.mask & UInt32(IN_CREATE) != 0))
          at = begin + Int(event.len)
        }
      }
      return events
    }
  #endif
}
