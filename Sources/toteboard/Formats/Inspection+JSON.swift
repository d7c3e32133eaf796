import FeedRecording
import JSONText
import OddsFeed
import OddsModel

extension Inspection {
  /// Returns the report as one line with a JSON object.
  func json(findings shown: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("lines", Int64(lines))
      writer.field("bytes", Int64(bytes))
      writer.object("lineBytes") { writer in
        for (name, share) in [("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)] as [(StaticString, Double)] {
          writer.field(name, Int64(size(percentile: share)))
        }
      }
      writer.field("otherLines", Int64(otherLines))
      if let mixture {
        writer.object("mixture") { writer in
          writer.field("line", Int64(mixture.line))
          writer.field("provider", mixture.provider)
          writer.field("before", mixture.before)
        }
      }
      writer.field("engineMicroseconds", Int64(engineTime / .microseconds(1)))
      writer.array("topics") { writer in
        for topic in topics { topic.write(to: &writer) }
      }
      writer.array("findingCounts") { writer in
        for kind in FindingKind.allCases {
          writer.object { writer in
            writer.field("kind", kind.rawValue)
            writer.field("count", Int64(findingCounts[kind] ?? 0))
          }
        }
      }
      writer.array("findings") { writer in
        for finding in findings.prefix(shown) { finding.write(to: &writer, format) }
      }
    }
    writer.newline()
    return writer.bytes
  }
}

extension InspectedTopic {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("topic", topic.path)
      writer.field("provider", optional: provider)
      writer.field("bytes", Int64(bytes))
      writer.field("dumps", Int64(dumps))
      writer.field("updates", Int64(updates))
      writer.field(isByReceipt ? "receivedFrom" : "versionFrom", optional: span.map { ISOTime.text($0.lowerBound) })
      writer.field(isByReceipt ? "receivedTo" : "versionTo", optional: span.map { ISOTime.text($0.upperBound) })
      if let half = lag(percentile: 50), let most = lag(percentile: 99) {
        writer.field("lagP50", Int64(half))
        writer.field("lagP99", Int64(most))
      }
      let counters = counters
      let figures: [(StaticString, Int)] = [
        ("matches", matchCount), ("memory", memory), ("applied", counters.applied), ("ignored", counters.ignored),
        ("held", counters.held), ("waiting", counters.waiting), ("expired", counters.expired),
      ]
      for (name, value) in figures { writer.field(name, Int64(value)) }
      writer.array("records") { writer in
        for kind in RecordKind.allCases {
          guard let counts = records(kind) else { continue }
          writer.object { writer in
            writer.field("type", kind.name)
            for (name, count) in zip(["dump", "create", "update", "delete"] as [StaticString], counts) {
              writer.field(name, Int64(count))
            }
          }
        }
      }
    }
  }
}

extension Inspection.Finding {
  fileprivate func write(to writer: inout JSONWriter, _ format: any FeedFormat) {
    writer.object { writer in
      if let line { writer.field("line", Int64(line)) }
      writer.field("kind", FindingKind(issue.reason).rawValue)
      writer.field("reason", format.description(of: issue.reason))
      writer.field("type", issue.kind.name)
      writer.field("id", optional: issue.idText)
      writer.field("record", optional: excerpt)
    }
  }
}
