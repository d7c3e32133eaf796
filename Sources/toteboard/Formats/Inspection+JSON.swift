import FeedRecording
import JSONText
import OddsFeed
import OddsModel

extension Inspection {
  /// Returns the report as one line with a JSON object, in the format of the README.
  func json(findings shown: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("lines", Int64(lines))
      writer.field("bytes", Int64(bytes))
      writer.object("lineBytes") { writer in
        writer.field("p50", Int64(size(percentile: 50)))
        writer.field("p90", Int64(size(percentile: 90)))
        writer.field("p99", Int64(size(percentile: 99)))
        writer.field("max", Int64(size(percentile: 100)))
      }
      writer.field("otherLines", Int64(otherLines))
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
      writer.field("bytes", Int64(bytes))
      writer.field("dumps", Int64(dumps))
      writer.field("updates", Int64(updates))
      writer.field(isByReceipt ? "receivedFrom" : "versionFrom", optional: span.map { ISOTime.text($0.lowerBound) })
      writer.field(isByReceipt ? "receivedTo" : "versionTo", optional: span.map { ISOTime.text($0.upperBound) })
      if let half = lag(percentile: 50), let most = lag(percentile: 99) {
        writer.field("lagP50", Int64(half))
        writer.field("lagP99", Int64(most))
      }
      writer.field("matches", Int64(matchCount))
      writer.field("memory", Int64(memory))
      let counters = counters
      writer.field("applied", Int64(counters.applied))
      writer.field("ignored", Int64(counters.ignored))
      writer.field("held", Int64(counters.held))
      writer.field("waiting", Int64(counters.waiting))
      writer.field("expired", Int64(counters.expired))
      writer.array("records") { writer in
        for kind in RecordKind.allCases {
          guard let counts = records(kind) else { continue }
          writer.object { writer in
            writer.field("type", kind.name)
            writer.field("dump", Int64(counts[0]))
            writer.field("create", Int64(counts[1]))
            writer.field("update", Int64(counts[2]))
            writer.field("delete", Int64(counts[3]))
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
