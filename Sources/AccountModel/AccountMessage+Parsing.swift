import FoundationCore

extension AccountMessage {
  /// Decodes the data of an event. An unknown type yields `.unknown`.
  ///
  /// - Throws: `AccountError` if the text is not a message, or has a known type and does not decode.
  package init(json: [UInt8]) throws(AccountError) {
    self = try WireMessage.read(json) { WireMessage.kind(json) }.message
  }
}

/// A message on the wire. Its fields are in `body`, or beside `type` if there is no `body`.
private struct WireMessage: Decodable {
  let message: AccountMessage

  private typealias Fields = KeyedDecodingContainer<Key>

  fileprivate enum Key: String, CodingKey {
    case type, body
    case userId, currency, operationType, transType, postingId, balanceChange, affectedAmount, afterAmount
    case sessionId, exitReason, exitReasonCode, loginTime, logoutTime, sourceName
    case real = "Real"
    case bonus = "Bonus"
  }

  /// Returns the type of a message, for the message of an error; "message" if the type cannot be read.
  static func kind(_ json: [UInt8]) -> String {
    struct Head: Decodable { let type: String }
    return (try? JSONDecoder().decode(Head.self, from: Data(json)))?.type ?? "message"
  }

  init(from decoder: any Decoder) throws {
    let envelope = try decoder.container(keyedBy: Key.self)
    let type = try envelope.decode(String.self, forKey: .type)
    let body = (try? envelope.nestedContainer(keyedBy: Key.self, forKey: .body)) ?? envelope
    switch type.hasSuffix("_V2") ? type.dropLast(3) : type[...] {
    case "BALANCE_UPDATE": message = .balance(try Self.balance(body))
    case "SESSION_EXPIRATION": message = .sessionEnd(try Self.sessionEnd(body, try Self.cause(body)))
    case "SESSION_TERMINATED": message = .sessionEnd(try Self.sessionEnd(body, .terminated))
    default: message = .unknown(type: type)
    }
  }

  private static func balance(_ body: Fields) throws -> BalanceUpdate {
    let operation = try body.integer(.operationType).flatMap { BalanceUpdate.Operation(rawValue: Int($0)) }
    guard let operation else { throw body.fault(.operationType) }
    let parts = try body.nestedContainer(keyedBy: Key.self, forKey: .balanceChange)
    var changes: [WalletPart: BalanceUpdate.Change] = [:]
    for part in WalletPart.allCases {
      let key: Key = part == .real ? .real : .bonus
      guard parts.has(key) else { continue }
      let change = try parts.nestedContainer(keyedBy: Key.self, forKey: key)
      changes[part] = BalanceUpdate.Change(
        affected: try change.decode(WireNumber.self, forKey: .affectedAmount).value,
        after: try change.decode(WireNumber.self, forKey: .afterAmount).value)
    }
    guard !changes.isEmpty else { throw body.fault(.balanceChange) }
    return BalanceUpdate(
      userID: try body.decode(WireID.self, forKey: .userId).text, currency: try body.currency(.currency),
      operation: operation, transType: try body.integer(.transType).map { Int($0) },
      postingID: try body.decode(WireID.self, forKey: .postingId).text, changes: changes)
  }

  /// Returns the cause by the code, or by the word if the code is unknown. Without either, the session expired.
  private static func cause(_ body: Fields) throws -> SessionEnd.Cause {
    let code = try body.integer(.exitReasonCode)
    let word = try body.decodeIfPresent(String.self, forKey: .exitReason) ?? ""
    switch (code, word.lowercased()) {
    case (1, _): return .expired
    case (2, _): return .kicked
    case (3, _): return .terminated
    case (_, "expired"): return .expired
    case (_, "kicked"): return .kicked
    case (_, "terminated"): return .terminated
    case (let code?, ""): return .other("\(code)")
    case (nil, ""): return .expired
    default: return .other(word)
    }
  }

  private static func sessionEnd(_ body: Fields, _ cause: SessionEnd.Cause) throws -> SessionEnd {
    SessionEnd(
      cause, userID: try body.decodeIfPresent(WireID.self, forKey: .userId)?.text,
      sessionID: try body.decodeIfPresent(WireID.self, forKey: .sessionId)?.text, loginTime: body.time(.loginTime),
      logoutTime: body.time(.logoutTime), sourceName: try? body.decodeIfPresent(String.self, forKey: .sourceName))
  }
}
