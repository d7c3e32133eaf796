internal import Crypto
package import OddsModel
internal import Platform

/// The NATS subjects of one cluster.
///
/// | subject | from, to | payload |
/// |---|---|---|
/// | `NAME.update.TOPIC` | book to gateways that have the topic open | `FeedFrame`, `update` |
/// | `NAME.heartbeat` | book to gateways and standbys, every 250 ms | `FeedFrame`, `heartbeat` |
/// | `NAME.dump` | gateway to book, with a reply subject | `DumpRequest`; the answer is a `FeedFrame`: `dump`, `refusal` |
/// | `NAME.interest` | gateway to book | `InterestAnnouncement` |
/// | `NAME.echo.NUMBER` | gateway to itself, every second | a number (8 bytes) |
/// | `NAME.accounts.request` | gateway to book, with a reply subject | the program's |
/// | `NAME.accounts.…` | as above, for the topics of accounts: open sessions, and the events of each player | |
package struct Subjects: Hashable, Sendable {
  /// The name of the cluster.
  package let name: String

  /// - Parameter name: 1 to 64 ASCII letters, digits, `-` and `_`.
  /// - Throws: `NATSError` if the name has other characters or another length.
  package init(name: String) throws(NATSError) {
    let isValid = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isValid, 1...64 ~= name.utf8.count else {
      throw NATSError(
        .invalidOption, "'\(name)' is no name of a cluster: use 1 to 64 ASCII letters, digits, '-' and '_'")
    }
    self.name = name
  }

  private init(unchecked name: String) { self.name = name }

  /// The subjects of the topics of accounts. No cluster can have such a name.
  package var accounts: Subjects { Subjects(unchecked: "\(name).accounts") }
  package var accountRequest: String { "\(name).accounts.request" }
  /// The name of the JetStream bucket with the accounts.
  package var accountBucket: String { "\(name)-accounts" }

  package var heartbeat: String { "\(name).heartbeat" }
  package var dump: String { "\(name).dump" }
  package var interest: String { "\(name).interest" }
  /// The subject on which a gateway sends messages to itself.
  func echo(of gateway: UInt64) -> String { "\(name).echo.\(gateway)" }
  /// The names of the JetStream buckets with the keys of the lease.
  package var leaseBuckets: [String] { (1...LeaseMachine.keyCount).map { "\(name)-lease-\($0)" } }

  /// Returns the subject of the updates of a topic.
  package func update(of topic: Topic) -> String { "\(name).update.\(Self.token(of: topic))" }

  private static let maxToken = 1024

  /// Returns the topic's path as one token of a subject: percent-encoded, because a token must not have spaces, `.`,
  /// `*` and `>`. Different paths have different tokens. The token of a long path is `%%` and its SHA-256, because
  /// NATS closes a connection that sends a line of more than 4,096 bytes.
  static func token(of topic: Topic) -> String {
    var token = ""
    for character in topic.path.percentEncoded {
      if character == "." { token += "%2E" } else { token.append(character) }
    }
    if token.utf8.count > maxToken {
      let hash = SHA256.hash(data: Array(topic.path.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      // No path is encoded as this: in an encoded path, two digits follow each `%`.
      return "%%" + hash.joined()
    }
    // A token must not be empty; no path is encoded as this.
    return token.isEmpty ? "%" : token
  }
}
