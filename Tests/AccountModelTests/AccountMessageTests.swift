import AccountModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Messages of the account stream")
struct AccountMessageTests {
  private static func message(_ json: String) throws -> AccountMessage { try AccountMessage(json: Array(json.utf8)) }

  private static let body = #"""
    "userId":"u1","currency":"EUR","operationType":2,"transType":7,"postingId":"p1",
    "balanceChange":{"Real":{"affectedAmount":5,"afterAmount":95.5,"note":[]},"Bonus":{"affectedAmount":0,"afterAmount":1}}
    """#

  private static func update(_ change: (inout BalanceUpdate) -> Void = { _ in }) -> AccountMessage {
    var update = BalanceUpdate(
      userID: "u1", currency: "EUR", operation: .reserve, transType: 7, postingID: "p1",
      changes: [.real: .init(affected: 5, after: 95.5), .bonus: .init(affected: 0, after: 1)])
    change(&update)
    return .balance(update)
  }

  @Test("The body is read from 'body' or from beside the type, for both names of a type")
  func shapes() throws {
    for type in ["BALANCE_UPDATE", "BALANCE_UPDATE_V2"] {
      #expect(try Self.message(#"{"type":"\#(type)","body":{\#(Self.body)}}"#) == Self.update())
      #expect(try Self.message(#"{"type":"\#(type)",\#(Self.body)}"#) == Self.update())
      #expect(try Self.message(#"{\#(Self.body),"body":null,"type":"\#(type)"}"#) == Self.update())
    }
  }

  private static func change(_ old: String, to new: String) throws -> AccountMessage {
    try message(#"{"type":"BALANCE_UPDATE","body":{\#(body.replacing(old, with: new))}}"#)
  }

  @Test("transType may be missing or null")
  func transType() throws {
    #expect(try Self.change(#""transType":7,"#, to: "") == Self.update { $0.transType = nil })
    #expect(try Self.change(#""transType":7"#, to: #""transType":null"#) == Self.update { $0.transType = nil })
  }

  @Test(
    "Amounts keep all their digits, with or without quotes",
    arguments: [
      ("99.949999999999989", "99.949999999999989"), ("1e2", "100"), (#""0.1""#, "0.1"), ("-3", "-3"),
      ("1E-7", "0.0000001"),
      ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"), (#""1e2""#, "100"),
    ])
  func amounts(written: String, read: String) throws {
    guard case .balance(let update) = try Self.change("95.5", to: written) else { return #expect(Bool(false)) }
    #expect(update.changes[.real]?.after.description == read)
  }

  @Test("Ids are strings or whole numbers of up to 64 bits")
  func ids() throws {
    #expect(try Self.change(#""p1""#, to: "9007199254740993") == Self.update { $0.postingID = "9007199254740993" })
    #expect(
      try Self.change(#""p1""#, to: "18446744073709551615") == Self.update { $0.postingID = "18446744073709551615" })
    #expect(try Self.change(#""u1""#, to: "7") == Self.update { $0.userID = "7" })
  }

  @Test(
    "An invalid message of a known type is an error that names the field",
    arguments: [
      (#""postingId":"p1","#, "", "body.postingId"), (#""p1""#, #""""#, "body.postingId"),
      (#""p1""#, "1.5", "body.postingId"),
      (#""u1""#, "null", "body.userId"), ("2", "4", "body.operationType"), ("2", #""x""#, "body.operationType"),
      ("95.5", #""95.5x""#, "body.balanceChange.Real.afterAmount"),
      ("95.5", "{}", "body.balanceChange.Real.afterAmount"),
      (#""affectedAmount":5,"#, "", "body.balanceChange.Real.affectedAmount"), ("7", "1.5", "body.transType"),
      (#""EUR""#, "7", "body.currency"), (#""EUR""#, #""""#, "body.currency"),
      (#""EUR""#, #""EUROEUROEURO""#, "body.currency"), ("95.5", "1e999", "body.balanceChange.Real.afterAmount"),
    ])
  func faults(old: String, new: String, field: String) {
    #expect(throws: AccountError(kind: "BALANCE_UPDATE", field: field)) { try Self.change(old, to: new) }
  }

  @Test("An update without a known part of the balance is an error")
  func parts() throws {
    let real = try Self.change(#""Bonus""#, to: #""Other""#)
    #expect(real == Self.update { $0.changes[.bonus] = nil })
    #expect(throws: AccountError(kind: "BALANCE_UPDATE_V2", field: "balanceChange")) {
      try Self.message(
        #"{"type":"BALANCE_UPDATE_V2","userId":1,"currency":"EUR","operationType":0,"postingId":1,"balanceChange":{}}"#)
    }
  }

  @Test(
    "An unknown type is accepted, and text that is not a message is an error",
    arguments: ["[]", "", "7", "{", #"{"body":{}}"#, "{\"type\":1}"])
  func others(text: String) throws {
    #expect(try Self.message(#"{"type":"NEWS","body":7}"#) == .unknown(type: "NEWS"))
    #expect(throws: AccountError.self) { try Self.message(text) }
  }

  @Test(
    "The cause of a session's end is read from the code, or else from the text",
    arguments: [
      (#""exitReason":"x","exitReasonCode":1"#, .expired), (#""exitReasonCode":"2""#, .kicked),
      (#""exitReasonCode":3"#, .terminated),
      (#""exitReason":"Kicked","exitReasonCode":9"#, .kicked), (#""exitReason":"EXPIRED""#, .expired),
      (#""exitReason":"Terminated""#, .terminated), (#""exitReason":"Moved""#, .other("Moved")),
      (#""exitReasonCode":9"#, .other("9")), (#""exitReason":null"#, .expired),
    ] as [(String, SessionEnd.Cause)])
  func causes(fields: String, cause: SessionEnd.Cause) throws {
    #expect(try Self.message(#"{"type":"SESSION_EXPIRATION",\#(fields)}"#) == .sessionEnd(SessionEnd(cause)))
    #expect(
      try Self.message(#"{"type":"SESSION_TERMINATED_V2",\#(fields)}"#) == .sessionEnd(SessionEnd(.terminated)))
  }

  @Test("The times of a session are ISO 8601 or milliseconds, and an invalid time is ignored")
  func times() throws {
    let text = #"""
      {"type":"SESSION_EXPIRATION_V2","body":{"userId":9007199254740993,"sessionId":"s","exitReason":"Expired",
      "exitReasonCode":1,"loginTime":"2025-06-06T18:00:00.250+02:00","logoutTime":1749225600001,"sourceName":"GM"}}
      """#
    var end = SessionEnd(
      .expired, userID: "9007199254740993", sessionID: "s", loginTime: 1_749_225_600_250, logoutTime: 1_749_225_600_001,
      sourceName: "GM")
    #expect(try Self.message(text) == .sessionEnd(end))
    end.loginTime = nil
    end.logoutTime = 1_749_225_600_000
    let odd = text.replacing(#""2025-06-06T18:00:00.250+02:00""#, with: #""soon""#)
      .replacing("1749225600001", with: #""2025-06-06T16:00:00Z""#)
    #expect(try Self.message(odd) == .sessionEnd(end))
  }

  @Test("Logins and wallets are read, and an error names the invalid field")
  func answers() throws {
    let login = #"{"token":"abc.def","userId":12,"sessionId":"s","expiresAt":1749225600000}"#
    #expect(
      try LoginAnswer(json: Array(login.utf8))
        == LoginAnswer(token: Secret("abc.def"), userID: "12", sessionID: "s", expiresAt: 1_749_225_600_000))
    #expect(throws: AccountError(kind: "login", field: "token")) {
      try LoginAnswer(json: Array(#"{"token":"a\r\nb","userId":12}"#.utf8))
    }
    #expect(
      try Wallet(json: Array(#"{"userId":"u","currency":"EUR","Real":"0.10","Bonus":99.949999999999989}"#.utf8))
        == Wallet(currency: "EUR", real: Decimal(string: "0.1")!, bonus: Decimal(string: "99.949999999999989")!))
    #expect(throws: AccountError(kind: "wallet", field: "Bonus")) {
      try Wallet(json: Array(#"{"currency":"EUR","Real":1}"#.utf8))
    }
  }

  @Test(
    "An impossible time is ignored",
    arguments: ["\(Int64.min)", "\(Int64.max)", "-1", "253402300800000", "1e15", "1e30", "0.5", #""soon""#, "{}"])
  func impossibleTimes(time: String) throws {
    let login = try LoginAnswer(json: Array(#"{"token":"t","userId":1,"expiresAt":\#(time)}"#.utf8))
    #expect(login.expiresAt == nil)
    let end = try Self.message(#"{"type":"SESSION_EXPIRATION","exitReasonCode":1,"logoutTime":\#(time)}"#)
    #expect(end == .sessionEnd(SessionEnd(.expired)))
  }
}
