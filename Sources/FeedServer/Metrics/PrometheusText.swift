/// The types of metrics that Prometheus knows and the server has.
package enum MetricType: String, Sendable {
  case counter, gauge, histogram

  /// The ends of the names of its samples, if these have other names than the metric.
  var suffixes: [String] { self == .histogram ? ["_bucket", "_sum", "_count"] : [] }
}

/// The name and the labels of a time series, as they are written.
struct SeriesKey: Hashable {
  let name: String
  /// The labels without the braces, sorted by name.
  let labels: String

  /// - Parameter suffix: Added to the name if it does not have it.
  init(label: String, dimensions: [(String, String)], type: MetricType, suffix: String) {
    let name = PrometheusNames.metric(label)
    self.name = name.hasSuffix(suffix) ? name : name + suffix
    labels = PrometheusNames.labels(dimensions, type: type)
  }
}

/// Names and labels in the text format of Prometheus.
enum PrometheusNames {
  /// Returns a name with an underscore for each character that the name of a metric must not have.
  static func metric(_ name: String) -> String { escaped(name, colons: true) }

  /// Returns labels sorted by name. Of equal names the last one counts. A label with an empty value is left out,
  /// because Prometheus treats it like a missing one.
  static func labels(_ labels: [(String, String)], type: MetricType) -> String {
    var values: [String: String] = [:]
    for (name, value) in labels { values[label(name, type: type)] = value }
    return values.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\"\(value($0.value))\"" }.joined(separator: ",")
  }

  /// Returns the name of a label. One that Prometheus or a histogram uses itself has the prefix that Prometheus gives
  /// to such labels.
  private static func label(_ name: String, type: MetricType) -> String {
    let name = escaped(name, colons: false)
    if type == .histogram, name == "le" { return "exported_le" }
    return name.hasPrefix("__") ? "exported\(name)" : name
  }

  private static func escaped(_ name: String, colons: Bool) -> String {
    var escaped = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "_": escaped.unicodeScalars.append(scalar)
      case "0"..."9" where !escaped.isEmpty: escaped.unicodeScalars.append(scalar)
      case ":" where colons: escaped.unicodeScalars.append(scalar)
      default: escaped.unicodeScalars.append("_")
      }
    }
    return escaped.isEmpty ? "_" : escaped
  }

  // NB: By scalars, because a carriage return and a line feed are one character.

  private static func value(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" ? "\\\"" : help($1) }
  }

  /// Returns the text of a HELP line.
  static func help(_ text: String) -> String { text.unicodeScalars.reduce(into: "") { $0 += help($1) } }

  private static func help(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\n": "\\n"
    default: String(scalar)
    }
  }
}

/// The writer of the text format of Prometheus.
struct PrometheusText {
  private(set) var text = ""

  init(families: [String: PrometheusRegistry.Family], helps: [String: String]) {
    for (name, family) in families.sorted(by: { $0.key < $1.key }) { write(name, family, help: helps[name]) }
  }

  private mutating func write(_ name: String, _ family: PrometheusRegistry.Family, help: String?) {
    let series = family.series.sorted { $0.key < $1.key }.map { ($0.key, $0.value.series.samples) }
    if series.allSatisfy({ $0.1.isEmpty }) { return }
    if let help { text += "# HELP \(name) \(PrometheusNames.help(help))\n" }
    text += "# TYPE \(name) \(family.seriesType.type.rawValue)\n"
    for (labels, samples) in series {
      for sample in samples {
        let bound = sample.bound.map { "le=\"\(Self.number($0))\"" } ?? ""
        let labels = labels + (labels.isEmpty || bound.isEmpty ? "" : ",") + bound
        text += name + sample.suffix + (labels.isEmpty ? "" : "{\(labels)}") + " \(Self.text(sample.value))\n"
      }
    }
  }

  private static func text(_ value: MetricValue) -> String {
    switch value {
    case .whole(let value): "\(value)"
    case .real(let value): number(value)
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
