import CBZip2
import CLibrary

/// Decompression of `.bz2` files.
package enum BZip2File {
  /// The decompressed content of a file.
  package struct Content {
    /// The descriptor of a temporary file, at its beginning, which the caller must close.
    package let descriptor: Int32
    /// True if the compressed file ends before its content does, for example after an interrupted download.
    package let endsEarly: Bool
  }

  private static let portion = 1 << 18

  /// The size in bytes up to which any file may expand.
  private static let sizeLimit: Int64 = 64 << 20
  /// The largest ratio of the content to a file, for content above `sizeLimit`. Text has a ratio of some 10 to 30.
  private static let ratioLimit: Int64 = 1000

  /// Returns the decompressed content; nil if the file is not compressed. The temporary file has no name, so that it
  /// ends with its descriptor. Of a file that ends early, the content is that of its whole blocks, of at most 900 kB
  /// each.
  ///
  /// The offset of `descriptor` does not matter and does not change.
  ///
  /// - Throws: `expandsTooMuch` if the content is larger than 64 MiB and than 1000 times the file; `damaged` if the
  ///   file has another fault than a missing end, or no whole block.
  package static func decompressed(_ descriptor: Int32) throws(RecordingError) -> Content? {
    var magic = [UInt8](repeating: 0, count: 4)
    guard pread(descriptor, &magic, 4, 0) == 4, magic.starts(with: "BZh".utf8), 0x31...0x39 ~= magic[3] else {
      return nil
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotRead(String(cString: strerror(errno))) }
    let limit = max(sizeLimit, Int64(status.st_size) * ratioLimit)
    let target = try temporaryFile()
    let endsEarly: Bool
    do throws(RecordingError) { endsEarly = try decompress(descriptor, into: target, limit: limit) } catch {
      close(target)
      throw error
    }
    _ = lseek(target, 0, SEEK_SET)
    return Content(descriptor: target, endsEarly: endsEarly)
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

  /// Decompresses all streams of a file, one after another, into at most `limit` bytes. Returns true if the file ends
  /// early.
  private static func decompress(_ source: Int32, into target: Int32, limit: Int64) throws(RecordingError) -> Bool {
    var input = [UInt8](repeating: 0, count: portion)
    var output = [UInt8](repeating: 0, count: portion)
    var offset: off_t = 0
    var size: Int64 = 0
    var (first, end) = (0, 0)
    var stream = bz_stream()
    var isOpen = false
    // True if the output was full, so that more of the input that was read may come.
    var wasFull = false
    defer { if isOpen { BZ2_bzDecompressEnd(&stream) } }
    while true {
      if first == end, !(isOpen && wasFull) {
        let got = pread(source, &input, portion, offset)
        guard got >= 0 else {
          if errno == EINTR { continue }
          throw .cannotRead(String(cString: strerror(errno)))
        }
        if got == 0 {
          if isOpen, size == 0 { throw .damaged }
          return isOpen
        }
        offset += off_t(got)
        first = 0
        end = got
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
          wasFull = stream.avail_out == 0
        }
      }
      guard result == BZ_OK || result == BZ_STREAM_END else { throw .damaged }
      size += Int64(written)
      if size > limit { throw .expandsTooMuch(mebibytes: Int(limit >> 20)) }
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
