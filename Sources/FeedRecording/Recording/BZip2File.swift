import CBZip2
import CLibrary

/// Decompression of `.bz2` files.
package enum BZip2File {
  private static let portion = 1 << 18

  /// Returns the descriptor of a temporary file with the decompressed content, which the caller must close; nil if the
  /// file is not compressed. The temporary file has no name, so that it ends with its descriptor.
  ///
  /// The offset of `descriptor` does not matter and does not change.
  package static func decompressed(_ descriptor: Int32) throws(RecordingError) -> Int32? {
    var magic = [UInt8](repeating: 0, count: 4)
    guard pread(descriptor, &magic, 4, 0) == 4, magic.starts(with: "BZh".utf8), 0x31...0x39 ~= magic[3] else {
      return nil
    }
    let target = try temporaryFile()
    do throws(RecordingError) { try decompress(descriptor, into: target) } catch {
      close(target)
      throw error
    }
    return target
  }

  private static func temporaryFile() throws(RecordingError) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var path = Array("\(folder.isEmpty ? "/tmp" : folder)/toteboard-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { throw .cannotRead(String(cString: strerror(errno))) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(path)
    return file
  }

  /// Decompresses all streams of a file, one after another.
  private static func decompress(_ source: Int32, into target: Int32) throws(RecordingError) {
    var input = [UInt8](repeating: 0, count: portion)
    var output = [UInt8](repeating: 0, count: portion)
    var offset: off_t = 0
    var (first, end) = (0, 0)
    var stream = bz_stream()
    var isOpen = false
    defer { if isOpen { BZ2_bzDecompressEnd(&stream) } }
    while true {
      if first == end {
        let got = pread(source, &input, portion, offset)
        guard got >= 0 else {
          if errno == EINTR { continue }
          throw .cannotRead(String(cString: strerror(errno)))
        }
        if got == 0 {
          if isOpen { throw .damaged }
          return
        }
        offset += off_t(got)
        (first, end) = (0, got)
      }
      if !isOpen {
        stream = bz_stream()
        guard BZ2_bzDecompressInit(&stream, 0, 0) == BZ_OK else { throw .damaged }
        isOpen = true
      }
      var result: CInt = BZ_OK
      var written = 0
      input.withUnsafeMutableBytes { input in
        output.withUnsafeMutableBytes { output in
          stream.next_in = input.baseAddress!.advanced(by: first).assumingMemoryBound(to: CChar.self)
          stream.avail_in = UInt32(end - first)
          stream.next_out = output.baseAddress!.assumingMemoryBound(to: CChar.self)
          stream.avail_out = UInt32(portion)
          result = BZ2_bzDecompress(&stream)
          first = end - Int(stream.avail_in)
          written = portion - Int(stream.avail_out)
        }
      }
      guard result == BZ_OK || result == BZ_STREAM_END else { throw .damaged }
      try write(output[..<written], to: target)
      if result == BZ_STREAM_END {
        BZ2_bzDecompressEnd(&stream)
        isOpen = false
      }
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to target: Int32) throws(RecordingError) {
    var bytes = bytes
    while !bytes.isEmpty {
      let got = bytes.withUnsafeBytes { CLibrary.write(target, $0.baseAddress, $0.count) }
      if got < 0, errno != EINTR { throw .cannotRead(String(cString: strerror(errno))) }
      bytes = bytes.dropFirst(max(0, got))
    }
  }
}
