import CProgramVersion
import Dashboard
import Dispatch
import FeedNetwork
import Localization
import OddsModel
import Platform

/// Hands alerts to the log, and to the command and the webhook of the configuration.
final class AlertDelivery: Sendable {
  private let feed: String
  private let log: AlertLogWriter?
  private let command: CommandRunner?
  private let webhook: WebhookRunner?
  private let queue = DispatchQueue(label: "toteboard.alerts")

  /// Creates a delivery of the alerts of a feed.
  ///
  /// - Parameters:
  ///   - feed: The name of the feed in the log.
  ///   - log: The writer of the log; nil if there is no directory for it.
  init(feed: String, log: AlertLogWriter?, command: CommandRunner?, webhook: WebhookRunner?) {
    self.feed = feed
    self.log = log
    self.command = command
    self.webhook = webhook
  }

  /// Takes alerts. Returns at once.
  func deliver(_ reports: [AlertReport]) {
    if reports.isEmpty { return }
    let entries = reports.map { AlertLogEntry($0, feed: feed) }
    log?.write(entries)
    if let webhook { for entry in entries { webhook.run(entry) } }
    // To start a process takes longer than a frame may wait.
    if let command { queue.async { for entry in entries { command.run(entry) } } }
  }

  /// Ends the processes and the requests, and returns after all lines of the log are on the disk.
  func finish() async {
    async let isSent: Void? = webhook?.finish()
    if let command {
      await withCheckedContinuation { continuation in
        queue.async {
          command.stop()
          continuation.resume()
        }
      }
    }
    await isSent
    log?.finish()
  }
}

extension AlertDelivery {
  /// Creates the delivery of a feed's alerts; nil for a file. Its prices are those of the past, and nobody who reads
  /// the log later or gets a message can see that.
  ///
  /// - Parameter onMessage: Called, on any thread, with a problem that the user must know.
  /// - Throws: `FeedError` if the certificates or the proxy for the webhook are invalid.
  convenience init?(
    of feed: FeedOptions.Feed, _ configuration: Configuration,
    onMessage: @escaping @Sendable (LocalizedMessage) -> Void
  ) throws(FeedError) {
    if feed.isFile { return nil }
    let log = AlertLogFile(environment: environment()).map { AlertLogWriter($0, onMessage: onMessage) }
    let command = configuration.alertCommand.map { template in
      CommandRunner(template, environment: environment()) { note, alert in
        log?.write([AlertLogEntry(AlertLogEntry.command, note, about: alert)])
      }
    }
    var webhook: WebhookRunner?
    if let address = configuration.alertWebhook {
      let client = try WebhookClient(
        address, agent: "toteboard/\(TOTEBOARD_VERSION)", caFile: configuration.caFile,
        proxies: ProxyRules(environment: environment()))
      webhook = WebhookRunner(client, site: address.site, clock: .live) { note, alert in
        log?.write([AlertLogEntry(AlertLogEntry.webhook, note, about: alert)])
      }
    }
    self.init(feed: Self.name(of: feed, configuration), log: log, command: command, webhook: webhook)
  }

  /// Returns the name of a feed in the log.
  static func name(of feed: FeedOptions.Feed, _ configuration: Configuration) -> String {
    feed.address ?? configuration.feed ?? Setting.simulated
  }
}
