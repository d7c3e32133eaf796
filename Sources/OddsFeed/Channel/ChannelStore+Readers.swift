import OddsModel
import Platform

// The readers of the channel: values that a reader has not taken are replaced by newer ones.
extension ChannelStore {
  package func add(_ reader: ChannelReader) {
    readers.append(WeakReference(reader))
    post(Array(state.matchIDs), to: reader)
    if line.isLast { reader.onEnd() }
  }

  /// Removes the readers of a share and ends their sequences.
  func endReaders(of share: ChannelSubscription) {
    readers.removeAll { link in
      guard let reader = link.value, reader.share === share else { return false }
      reader.onEnd()
      return true
    }
  }

  var readerCount: Int { readers.count { $0.value != nil } }

  func post(_ touched: some Collection<MatchID>) {
    if readers.isEmpty { return }
    readers.removeAll { $0.value == nil }
    if readers.isEmpty { own = [:] }
    for link in readers { if let reader = link.value { post(touched, to: reader) } }
  }

  private func post(_ ids: some Collection<MatchID>, to reader: ChannelReader) {
    conflated += reader.post(ids, status, match: shown)
  }

  var status: ChannelStatus {
    ChannelStatus(
      received: state.counters, connection: line.connection, freshness: freshness,
      lastSign: answer.lastSign ?? line.lastSign, isLoaded: state.hasDump, topic: answer, source: source,
      apiProblem: apiProblem)
  }

  private func shown(_ id: MatchID) -> ShownMatch? {
    guard let match = state.match(id) else {
      own[id.raw] = nil
      return nil
    }
    let grade = match.tradingStatus
    if let known = own[id.raw], known.grade == grade { return ShownMatch(match: match, status: known) }
    let new = Freshness(grade, since: lastNews)
    own[id.raw] = new
    return ShownMatch(match: match, status: new)
  }
}
