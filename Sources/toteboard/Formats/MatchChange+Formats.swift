import JSONText
import OddsModel
import TerminalCore

extension MatchChange {
  static let csvHeader = CSV.line([
    "time", "change", "matchId", "match", "home", "away", "sportId", "startTime", "matchStatus", "score", "minute",
    "serving", "tournament", "country", "part", "sport", "marketId", "market", "available", "closed", "main", "head",
    "outcomeId", "outcome", "key", "offerId", "odds", "previousOdds", "offerStatus", "bettable", "staleness", "since",
    "cause",
  ])

  func append(to lines: inout [UInt8], _ format: Changes.Format) {
    switch format {
    case .json:
      var writer = JSONWriter()
      writer.object { write(to: &$0) }
      writer.newline()
      lines += writer.bytes
    case .csv: lines += CSV.line(fields).utf8
    case .text: lines += "\(ISOTime.text(time)) [\(ids)] \(sentence)\n".utf8
    }
  }

  private var isOfMatch: Bool { kind == .matchAdded || kind == .matchChanged }
  private var isOfMarket: Bool { kind == .marketAdded || kind == .marketChanged }
  private var isOfOutcome: Bool { kind == .price || kind == .status || kind == .outcomeChanged }
  /// The provider's reason for the freshness of the channel; nil if there is none, and for all other changes.
  private var cause: Freshness.Cause? { match == nil ? freshness?.cause : nil }

  // MARK: JSON

  private func write(to writer: inout JSONWriter) {
    writer.field("time", ISOTime.text(time))
    writer.field("change", kind.rawValue)
    if let match {
      writer.field("matchId", match.id.description)
      writer.field("match", match.name)
      if isOfMatch { match.writeHead(to: &writer) }
    }
    if let market {
      writer.field("marketId", market.id.description)
      writer.field("market", market.name)
      if isOfMarket, let match { market.writeState(to: &writer, in: match) }
    }
    if let outcome {
      writer.field("outcomeId", outcome.id.description)
      writer.field("outcome", outcome.name)
      if isOfOutcome { outcome.writePrice(to: &writer, previous: previousOdds) }
    }
    if let freshness {
      writer.field("staleness", freshness.grade.word)
      writer.field("since", ISOTime.text(freshness.since))
      if let cause { writer.field("cause", cause.word) }
    }
  }

  // MARK: CSV

  private var fields: [String] {
    let head = isOfMatch ? match : nil
    let labels = head?.labels
    let state = isOfMarket ? market : nil
    let price = isOfOutcome ? outcome : nil
    var fields = [ISOTime.text(time), kind.rawValue, match.map { "\($0.id)" } ?? "", match?.name ?? ""]
    fields += [labels?.home ?? "", labels?.away ?? "", head?.sportID.map { "\($0)" } ?? ""]
    fields += [head?.startTime.map(ISOTime.text) ?? "", head?.status.word ?? "", head?.score?.text ?? ""]
    fields += [head?.minute.map { "\($0)" } ?? "", head?.serving?.word ?? "", labels?.tournament ?? ""]
    fields += [labels?.category ?? "", labels?.part ?? "", labels?.sport ?? ""]
    fields += [market.map { "\($0.id)" } ?? "", market?.name ?? "", state.map { "\($0.isAvailable)" } ?? ""]
    fields += [state.map { "\($0.isClosed)" } ?? "", state.map { "\($0.isMain)" } ?? ""]
    fields += [state.flatMap { state in match.map { "\(state.isHead(of: $0))" } } ?? ""]
    fields += [outcome.map { "\($0.id)" } ?? "", outcome?.name ?? "", price?.key ?? ""]
    fields += [price?.offer.map { "\($0.id)" } ?? "", price?.offer?.odds?.description ?? ""]
    fields += [
      previousOdds?.description ?? "", price?.offer?.status.word ?? "", price.map { "\($0.isBettable)" } ?? "",
    ]
    return fields + [
      freshness?.grade.word ?? "", freshness.map { ISOTime.text($0.since) } ?? "", cause?.word ?? "",
    ]
  }

  // MARK: Text

  /// The ids of the match, market and outcome, where the change has them.
  private var ids: String {
    let all = [match.map { "\($0.id)" }, market.map { "\($0.id)" }, outcome.map { "\($0.id)" }]
    return all.compactMap { $0?.cleaned }.joined(separator: " ")
  }

  private var sentence: String {
    let names = [match?.name, market?.name, outcome?.name].compactMap { $0?.cleaned }.joined(separator: ", ")
    let text = text
    return names.isEmpty && match == nil ? "channel: \(text)" : "\(names): \(text)"
  }

  private var text: String {
    switch kind {
    case .freshness:
      let word = cause.map { " (\($0.word))" } ?? ""
      return freshness.map { "\($0.grade.word)\(word) since \(ISOTime.text($0.since))" } ?? ""
    case .matchAdded:
      return "new, \(matchText)" + (freshness.map { $0.grade == .live ? "" : ", \($0.grade.word)" } ?? "")
    case .matchChanged: return matchText
    case .marketAdded: return "new, \(marketText)"
    case .marketChanged: return marketText
    case .matchRemoved, .marketRemoved, .outcomeRemoved: return "gone"
    case .price, .status, .outcomeChanged: return priceText
    }
  }

  private var matchText: String {
    guard let match else { return "" }
    var parts = [match.status.word]
    if let start = match.startTime { parts.append("starts \(ISOTime.text(start))") }
    if let score = match.score { parts.append(score.text) }
    if let minute = match.minute { parts.append("\(minute)'") }
    if let serving = match.serving { parts.append("\(serving.word) serves") }
    return (parts + [match.labels.part.cleaned].filter { !$0.isEmpty }).joined(separator: ", ")
  }

  private var marketText: String {
    guard let market, let match else { return "" }
    var parts = [market.isClosed ? "closed" : "open"]
    if !market.isAvailable { parts.append("not available") }
    if market.isMain { parts.append("main") }
    if market.isHead(of: match) { parts.append("heads the row") }
    return parts.joined(separator: ", ")
  }

  private var priceText: String {
    let odds = outcome?.offer?.odds?.description ?? "no price"
    let change = previousOdds.map { "\($0) -> \(odds)" } ?? odds
    if outcome?.isBettable == true { return change }
    let status = outcome?.offer?.status
    let word = status == nil || status == .standard ? "" : "\(status!.word), "
    return "\(change) (\(word)not bettable)"
  }
}

extension Side {
  var word: String { self == .home ? "home" : "away" }
}

extension Score {
  var text: String { "\(home)-\(away)" }
}
