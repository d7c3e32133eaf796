import CoreMetrics
import TestSupport
import Testing

@testable import FeedServer

private typealias Counter = CoreMetrics.Counter

/// Records random values under random names and labels, and reads the written text back.
@Suite("The text of metrics")
struct PrometheusLawTests {
  private struct ID: Hashable {
    let name: String
    let labels: [String: String]
  }

  private enum Kind {
    case counter, gauge, histogram, timer

    var bounds: [Double] {
      switch self {
      case .counter, .gauge: []
      case .histogram: HistogramSeries.bounds + [.infinity]
      case .timer: TimerSeries.bounds + [.infinity]
      }
    }
  }

  /// All recorded values, from which the expected samples are computed.
  private struct Model {
    var families: [(name: String, kind: Kind)] = []
    var values: [ID: [Double]] = [:]

    /// Returns the family of a metric, or nil if its names are in use.
    mutating func family(_ name: String, _ kind: Kind) -> String? {
      func samples(_ family: (name: String, kind: Kind)) -> Set<String> {
        family.kind.bounds.isEmpty
          ? [family.name] : Set(["", "_bucket", "_sum", "_count"].map { family.name + $0 })
      }
      if let known = families.first(where: { $0.name == name }) { return known.kind == kind ? name : nil }
      guard families.allSatisfy({ samples($0).isDisjoint(with: samples((name, kind))) }) else { return nil }
      families.append((name, kind))
      return name
    }

    var samples: [ID: Double] {
      var samples: [ID: Double] = [:]
      for (id, values) in values {
        let kind = families.first { $0.name == id.name }!.kind
        switch kind {
        case .counter: samples[id] = values.reduce(0) { $1 > 0 ? $0 + $1 : $0 }
        case .gauge: samples[id] = values.last!
        case .histogram, .timer:
          for bound in kind.bounds {
            var labels = id.labels
            labels["le"] = bound == .infinity ? "+Inf" : bound == bound.rounded() ? "\(Int(bound))" : "\(bound)"
            let count = bound == .infinity ? values.count : values.count { $0 <= bound }
            samples[ID(name: "\(id.name)_bucket", labels: labels)] = Double(count)
          }
          samples[ID(name: "\(id.name)_sum", labels: id.labels)] = values.reduce(0, +)
          samples[ID(name: "\(id.name)_count", labels: id.labels)] = Double(values.count)
        }
      }
      return samples
    }
  }

  private static let parts = [
    "a", "b", "Z", "_", "__", ":", "0", "9", ".", "-", " ", "é", "e\u{301}", "中", "\"", "\\", "\n", "\r\n", "{", "}",
    "=",
    ",", "le", "__name__", "_total", "_sum", "_count", "_seconds", "#", "\u{0}", "\\n",
  ]
  private static let values: [Double] = [
    0, 1, -1, 0.1, 1e16, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .nan, 2.5,
    9_007_199_254_740_992,
  ]

  private static func text(_ maxParts: Int, _ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...maxParts, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
  }

  /// Applies the rules for names, character by character.
  private static func name(_ text: String, allowed: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars {
      let isDigit = "0123456789".unicodeScalars.contains(scalar)
      let isAllowed = allowed.unicodeScalars.contains(scalar) || isDigit && name != ""
      name += isAllowed ? String(scalar) : "_"
    }
    return name == "" ? "_" : name
  }

  private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

  private static func labels(_ labels: [(String, String)], isHistogram: Bool) -> [String: String] {
    var result: [String: String] = [:]
    for (label, value) in labels {
      var name = name(label, allowed: letters)
      if name.hasPrefix("__") { name = "exported" + name }
      if isHistogram, name == "le" { name = "exported_le" }
      result[name] = value
    }
    return result.filter { $0.value != "" }
  }

  @Test("has all recorded values, for any names and labels", arguments: 0..<300 as Range<UInt64>)
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let registry = PrometheusRegistry()
    var model = Model()
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      let label = Self.text(3, &random)
      let dimensions = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        (Self.text(2, &random), Self.text(4, &random))
      }
      let number = Self.values.randomElement(using: &random)!
      let whole = Int64.random(in: -5...20, using: &random) * 500_000_000
      func record(_ kind: Kind, suffix: String = "", _ value: Double) {
        var name = Self.name(label, allowed: Self.letters + ":")
        if !name.hasSuffix(suffix) { name += suffix }
        guard let family = model.family(name, kind) else { return }
        let labels = Self.labels(dimensions, isHistogram: !kind.bounds.isEmpty)
        model.values[ID(name: family, labels: labels), default: []].append(value)
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        Counter(label: label, dimensions: dimensions, factory: registry).increment(by: whole)
        record(.counter, suffix: "_total", Double(whole))
      case 1:
        FloatingPointCounter(label: label, dimensions: dimensions, factory: registry).increment(by: number)
        record(.counter, suffix: "_total", number)
      case 2:
        Meter(label: label, dimensions: dimensions, factory: registry).set(number)
        record(.gauge, number)
      case 3:
        Gauge(label: label, dimensions: dimensions, factory: registry).record(number)
        record(.gauge, number)
      case 4:
        Recorder(label: label, dimensions: dimensions, factory: registry).record(number)
        record(.histogram, number)
      default:
        CoreMetrics.Timer(label: label, dimensions: dimensions, factory: registry).recordNanoseconds(whole)
        record(.timer, suffix: "_seconds", Double(whole) / 1e9)
      }
    }
    let text = registry.text
    let samples = try PrometheusSample.parse(text)
    let expected = model.samples
    #expect(samples.count == expected.count)
    for sample in samples {
      let value = expected[ID(name: sample.name, labels: sample.labels)]
      #expect(value.map { Self.isClose($0, sample.value) } == true, "\(sample), expected \(String(describing: value))")
    }
    let families = text.unicodeScalars.split(separator: "\n").filter { $0.first == "#" }
      .map { String($0).split(separator: " ")[2] }
    #expect(families == families.sorted() && families.count == Set(families).count)
    #expect(Set(families.map(String.init)) == Set(model.families.map(\.name)))
  }

  /// Sums depend on the order of their terms.
  private static func isClose(_ left: Double, _ right: Double) -> Bool {
    left == right || left.isNaN && right.isNaN || abs(left - right) <= abs(left) * 1e-12
  }

  @Test("escapes help texts, label values and names")
  func escapes() {
    let help = MetricDescription(name: "a_b", type: .gauge, help: "back\\slash\r\nand \"quotes\"")
    let registry = PrometheusRegistry([help])
    let labels = [("1st", "\"a\"\\\r\n"), ("z.z", "}"), ("empty", ""), ("__name__", "x")]
    Meter(label: "a.b", dimensions: labels, factory: registry).set(-0.5)
    #expect(
      registry.text == """
        # HELP a_b back\\\\slash\r\\nand "quotes"
        # TYPE a_b gauge
        a_b{_st="\\"a\\"\\\\\r\\n",exported__name__="x",z_z="}"} -0.5

        """)
  }
}
