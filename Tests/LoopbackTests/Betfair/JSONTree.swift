import Foundation

/// A JSON value. The keys of an object are written in alphabetical order.
enum JSONTree: Hashable, Sendable, Codable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONTree])
  case object([String: JSONTree])

  /// Reads a text. Returns nil if it is not one JSON value.
  init?(_ bytes: some Sequence<UInt8>) {
    guard let value = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes)) else { return nil }
    self = value
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONTree].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .flag(let flag): try value.encode(flag)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .object(let fields): try value.encode(fields)
    }
  }

  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try! encoder.encode(self))
  }

  /// A number with two decimals.
  static func hundredths(_ value: Int) -> JSONTree { .number(Double(value) / 100) }

  static func date(_ milliseconds: Int64) -> JSONTree {
    .text(Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601))
  }
}

// MARK: Parts; null where there is none

extension JSONTree {
  subscript(key: String) -> JSONTree {
    if case .object(let fields) = self { fields[key] ?? .null } else { .null }
  }

  var keys: Set<String> {
    if case .object(let fields) = self { Set(fields.keys) } else { [] }
  }

  var elements: [JSONTree]? {
    if case .list(let list) = self { list } else { nil }
  }

  /// The elements that are texts; nil if this is no list.
  var texts: [String]? { elements?.compactMap(\.text) }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var integer: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }

  var flag: Bool? {
    if case .flag(let flag) = self { flag } else { nil }
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(booleanLiteral value: Bool) { self = .flag(value) }
  init(arrayLiteral elements: JSONTree...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, JSONTree)...) { self = .object(Dictionary(uniqueKeysWithValues: elements)) }
}
