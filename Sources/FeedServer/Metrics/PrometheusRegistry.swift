package import CoreMetrics
import Platform

/// The metrics of a process or of one server in it, kept for the text format of Prometheus.
///
/// Counters are incremented where the event happens. Gauges of values that are kept elsewhere are set by collectors,
/// which run each time before the text is written.
///
/// Names and labels are written as `PrometheusNames` returns them. Instruments that are written under the same name and
/// labels are one time series, which is kept until each of them is destroyed. The first type of a name is kept: an
/// instrument of another type, or one whose samples have a name that is taken, works but is not written.
package final class PrometheusRegistry: MetricsFactory {
  struct Family {
    /// The class of its time series.
    let seriesType: any MetricSeries.Type
    /// The time series by their labels, as they are written.
    var series: [String: (series: any MetricSeries, users: Int)] = [:]
  }

  fileprivate struct State {
    var families: [String: Family] = [:]
    /// The families by the names of their samples.
    var owners: [String: String] = [:]
    var collectors: [@Sendable () -> Void] = []
  }

  private let helps: [String: String]
  private let state = Locked(State())

  /// - Parameter descriptions: The help texts. A metric that they do not have is written without one.
  package init(_ descriptions: [MetricDescription] = MetricDescription.all) {
    helps = Dictionary(descriptions.map { ($0.name, $0.help) }) { first, _ in first }
  }

  /// Adds a function that sets gauges while their owner exists. It is called on the thread that wants the text.
  ///
  /// NB: It must not capture instruments, which keep their registry: it reaches them by the owner.
  package func addCollector<Owner: AnyObject & Sendable>(
    of owner: Owner, _ body: @escaping @Sendable (Owner) -> Void
  ) {
    state.withLock { $0.collectors.append { [weak owner] in if let owner { body(owner) } } }
  }

  /// The content type of the text.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// All metrics in the text format of Prometheus, sorted by name and labels.
  package var text: String {
    for collect in state.withLock({ $0.collectors }) { collect() }
    return PrometheusText(families: state.withLock { $0.families }, helps: helps).text
  }

  /// The types of all metrics by name, also of those without a value.
  package var types: [String: MetricType] { state.withLock { $0.families.mapValues { $0.seriesType.type } } }

  // MARK: Time series

  /// Returns the time series of a name and labels. Creates it if there is none.
  private func series<Series: MetricSeries>(
    _ label: String, _ dimensions: [(String, String)], _ create: @escaping @Sendable (SeriesKey) -> Series
  ) -> Series {
    let key = SeriesKey(label: label, dimensions: dimensions, type: Series.type, suffix: Series.suffix)
    return state.withLock { state in
      if let known = state.families[key.name]?.series[key.labels]?.series as? Series {
        state.families[key.name]!.series[key.labels]!.users += 1
        return known
      }
      let series = create(key)
      guard state.reserve(key.name, Series.self) else { return series }
      state.families[key.name]!.series[key.labels] = (series, 1)
      return series
    }
  }

  private func destroy(_ handler: AnyObject) {
    guard let series = handler as? any MetricSeries else { return }
    let key = series.key
    state.withLock { state in
      guard let entry = state.families[key.name]?.series[key.labels], entry.series === series else { return }
      if entry.users > 1 {
        state.families[key.name]!.series[key.labels]!.users -= 1
        return
      }
      state.families[key.name]!.series[key.labels] = nil
      guard state.families[key.name]!.series.isEmpty else { return }
      state.families[key.name] = nil
      state.owners = state.owners.filter { $0.value != key.name }
    }
  }

  // MARK: MetricsFactory

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions) { CounterSeries(key: $0) }
  }

  package func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, dimensions) { CounterSeries(key: $0) }
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions) { GaugeSeries(key: $0) }
  }

  package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    if aggregate { return series(label, dimensions) { HistogramSeries(key: $0) } }
    return series(label, dimensions) { GaugeSeries(key: $0) }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions) { TimerSeries(key: $0) }
  }

  package func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler) }
  package func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }
  package func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
  package func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }
}

extension PrometheusRegistry.State {
  /// Reserves the names of a family's samples. Returns false if one of them belongs to another family, or the family
  /// has another type.
  fileprivate mutating func reserve(_ name: String, _ type: any MetricSeries.Type) -> Bool {
    if let family = families[name] { return family.seriesType == type }
    let names = [name] + type.type.suffixes.map { name + $0 }
    guard names.allSatisfy({ owners[$0] == nil }) else { return false }
    for sample in names { owners[sample] = name }
    families[name] = PrometheusRegistry.Family(seriesType: type)
    return true
  }
}
