import FoundationCore
package import JSONText
import OddsModel

extension AccountMessage {
  /// Returns the data of an event: `{"type":…,"body":…}`.
  ///
  /// - Parameter isV2: Writes the `_V2` name of a type that has one. Times of a session end are then numbers.
  package func json(isV2: Bool = false) -> [UInt8] {
    var json = JSONWriter(capacity: 320)
    json.object { json in
      switch self {
      case .balance(let update):
        json.field("type", isV2 ? "BALANCE_UPDATE_V2" : "BALANCE_UPDATE")
        json.object("body") { $0.fields(of: update) }
      case .sessionEnd(let end) where end.cause == .terminated:
        json.field("type", "SESSION_TERMINATED")
        json.object("body") { $0.fields(of: end, isV2: false) }
      case .sessionEnd(let end):
        json.field("type", isV2 ? "SESSION_EXPIRATION_V2" : "SESSION_EXPIRATION")
        json.object("body") { $0.fields(of: end, isV2: isV2) }
      case .unknown(let type):
        json.field("type", type)
        json.object("body") { _ in }
      }
    }
    return json.bytes
  }
}

extension Wallet {
  /// Writes the currency and the parts of the wallet as fields.
  package func write(to json: inout JSONWriter) {
    json.field("currency", currency)
    json.field("Real", number: real.description)
    json.field("Bonus", number: bonus.description)
  }
}

extension JSONWriter {
  fileprivate mutating func fields(of update: BalanceUpdate) {
    field("userId", update.userID)
    field("currency", update.currency)
    field("operationType", Int64(update.operation.rawValue))
    if let type = update.transType { field("transType", Int64(type)) }
    field("postingId", update.postingID)
    object("balanceChange") { json in
      if let change = update.changes[.real] { json.object("Real") { $0.fields(of: change) } }
      if let change = update.changes[.bonus] { json.object("Bonus") { $0.fields(of: change) } }
    }
  }

  private mutating func fields(of change: BalanceUpdate.Change) {
    field("affectedAmount", number: change.affected.description)
    field("afterAmount", number: change.after.description)
  }

  fileprivate mutating func fields(of end: SessionEnd, isV2: Bool) {
    if let user = end.userID { field("userId", user) }
    if let session = end.sessionID { field("sessionId", session) }
    switch end.cause {
    case .expired: reason("Expired", code: 1)
    case .kicked: reason("Kicked", code: 2)
    case .terminated: reason("Terminated", code: 3)
    case .other(let word): field("exitReason", word)
    case .refused: break
    }
    if let time = end.loginTime { self.time("loginTime", time, isNumber: isV2) }
    if let time = end.logoutTime { self.time("logoutTime", time, isNumber: isV2) }
    if let source = end.sourceName { field("sourceName", source) }
  }

  private mutating func reason(_ word: StaticString, code: Int64) {
    field("exitReason", word)
    field("exitReasonCode", code)
  }

  private mutating func time(_ name: StaticString, _ milliseconds: Int64, isNumber: Bool) {
    if isNumber { field(name, milliseconds) } else { field(name, ISOTime.text(milliseconds)) }
  }
}
