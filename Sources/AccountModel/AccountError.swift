import FoundationCore
package import Localization

/// A text from the account side that cannot be decoded.
package struct AccountError: LocalizedMessageError, Hashable {
  /// The expected kind of the text: "BALANCE_UPDATE", "login".
  package var kind: String
  /// The field that is missing or invalid: "body.postingId". Empty if the text is not a JSON object.
  package var field: String

  package init(kind: String, field: String) {
    self.kind = kind
    self.field = field
  }

  package var sentence: LocalizedMessage {
    field.isEmpty ? LocalizedMessage(.accountNoObject, kind) : LocalizedMessage(.accountNoField, kind, field)
  }
}

extension Decodable {
  /// Decodes JSON.
  ///
  /// - Parameter kind: The expected kind of the text, evaluated only for an error.
  /// - Throws: `AccountError`, with the field that cannot be decoded.
  package static func read(_ json: [UInt8], kind: () -> String) throws(AccountError) -> Self {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(json))
    } catch {
      throw AccountError(kind: kind(), field: (error as? DecodingError)?.field ?? "")
    }
  }
}

extension DecodingError {
  fileprivate var field: String {
    let (path, last): ([any CodingKey], (any CodingKey)?) =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context.codingPath, nil)
      case .keyNotFound(let key, let context): (context.codingPath, key)
      @unknown default: ([], nil)
      }
    return (path + (last.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
  }
}
