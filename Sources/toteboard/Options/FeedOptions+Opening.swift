import CLibrary
import Dashboard
import EveryMatrix
import FeedRecording
import FeedSimulator
import Localization
import OddsClient
import OddsFeed
import OddsModel
import Platform

extension FeedOptions {
  /// Opens the feed. `interval` is the least time between two reads of a pipe; `speed` is for a recording.
  func openFeed(interval: Duration = .zero, speed: PlaybackSpeed = .max) throws -> Feed {
    guard let feed = configuration.feed else { return try simulated() }
    if isNetworked { return try networked() }
    let descriptor = try descriptor()
    guard feed != "-", Self.isFile(descriptor) else { return piped(descriptor, interval: interval) }
    let recording: Recording
    do {
      recording = try Recording(descriptor: descriptor, format: DetectedFormat.ofAnyProvider.format(of: descriptor))
    } catch {
      throw CommandError(.failureOf, name(in: CLILanguage.words), error.sentence)
    }
    close(descriptor)
    let channels = recording.channels
    let transport = RecordingTransport(recording: recording, speed: speed)
    return Feed(
      transport: transport, channels: channels, channelIndex: try channelIndex(in: channels),
      recording: recording.hasTimes ? transport : nil, isFile: true)
  }

  /// Opens the feed to receive everything it sends: for a file every line, whatever its topic.
  func openWhole() throws -> Feed {
    if isNetworked { return try networked() }
    return configuration.feed == nil ? try simulated() : piped(try descriptor(), interval: .zero)
  }

  private static let pipeChannels = [BoardChannel(title: CLILanguage.words(.channelFeed), topic: Recording.bareTopic)]

  var simulatedChannels: [BoardChannel] { configuration.channels(TopicTemplate(ofSimulated: configuration)) }

  private func simulated() throws -> Feed {
    let channels = simulatedChannels
    let server = SimulatedConnector(options: try simulatorOptions())
    let session = FeedSession(connector: server, realm: "simulated")
    return Feed(transport: session, channels: channels, channelIndex: try channelIndex(in: channels), simulated: server)
  }

  /// Opens a pipe, which is a single channel, independent of the selected channel's name.
  private func piped(_ descriptor: Int32, interval: Duration) -> Feed {
    let timeout = configuration.pipeTimeout.duration
    let transport = NDJSONTransport(
      descriptor: descriptor, format: DetectedFormat.ofAnyProvider, interval: interval, timeout: timeout)
    return Feed(transport: transport, channels: Self.pipeChannels, channelIndex: 0, pipe: transport)
  }

  /// Opens the feed's file, or returns standard input. A file that is compressed with bzip2 is decompressed. Leaves the
  /// wait for a FIFO's writer to the reader.
  private func descriptor() throws -> Int32 {
    let path = configuration.feed ?? ""
    if path == "-" {
      guard fcntl(0, F_GETFD) >= 0 else { throw CommandError(.failureInputClosed) }
      return 0
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw CommandError(.failureFeedUnopened, path, LocalizedMessage.ofLastCall) }
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFIFO {
      _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
    }
    guard Self.isFile(file) else { return file }
    let content: BZip2File.Content?
    do throws(RecordingError) { content = try BZip2File.decompressed(file) } catch {
      throw CommandError(.failureOf, path, error.sentence)
    }
    guard let content else { return file }
    close(file)
    if content.endsEarly { try Output.note(LocalizedMessage(.noteEndsEarly, path)) }
    return content.descriptor
  }

  private static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
