/// A generated Betfair stream with every kind of message. The same seed and options make the same stream.
package struct BetfairStream {
  package struct Options: Sendable {
    package var markets = 3
    package var steps = 60
    /// The largest number of levels of a ladder.
    package var levels = 4
    /// The cases that betfairlightweight handles differently: an image without some markets, two images of one market
    /// in a message, an empty list, a message of an earlier subscription.
    package var hasDisputed = true
    /// True for names in the definitions, as in historical files.
    package var hasNames = false
    /// True for the course of a match: in-play, suspensions and the close, and no resubscriptions.
    package var isMatch = false

    package init() {}
  }

  package private(set) var messages: [BetfairMessage] = []
  package private(set) var lines: [String] = []

  private var random: SeededRandom
  private var order: SeededRandom?
  private let options: Options
  private var books: [Book] = []
  private var id = 1
  private var time: Int64 = 1_750_000_000_000
  private var clock = 0
  /// The prices that the stream is subscribed to.
  private var ladders: [String] = []
  private var hasVolumes = true

  private struct Book {
    var market: BetfairMessage.Market
    var definition: BetfairMessage.Definition
    var runners: [Runner]
    var volume = 0
  }

  private struct Runner {
    var key: BetfairMessage.Key
    var fair: Int
    var lastTraded: Int?
    var volume = 0
    /// The ladders as last sent.
    var sent: [String: [Int: [Int]]] = [:]
    var traded: [Int: Int] = [:]
  }

  package init(seed: UInt64, options: Options = Options()) {
    random = SeededRandom(seed: seed)
    self.options = options
    order = options.isMatch ? nil : SeededRandom(seed: seed &+ 1)
    let kinds = [["bdatb", "bdatl"], ["batb", "batl"], ["atb", "atl"]]
    ladders = options.isMatch ? kinds[0] : kinds.filter { _ in chance(60) }.flatMap(\.self)
    if chance(50) { ladders.append("trd") }
    hasVolumes = options.isMatch || chance(60)
    for number in 0..<options.markets { addBook(number) }
    image()
    for step in 0..<options.steps {
      time += Int64.random(in: 20...500, using: &random)
      options.isMatch ? play(step) : act()
    }
  }

  package var text: [UInt8] { lines.flatMap { Array(($0 + "\r\n").utf8) } }

  // MARK: Markets

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private static let sides = [("Ajax", "Porto"), ("Roma", "Lyon"), ("Celtic", "Benfica"), ("Basel", "Genk")]

  private mutating func addBook(_ number: Int) {
    let isHandicap = !options.isMatch && number % 3 == 2
    var definition = BetfairMessage.Definition()
    definition.event = 29_000_000 + (options.isMatch ? number : number / 2)
    definition.startTime = time + 60_000
    let (home, away) = Self.sides[number % Self.sides.count]
    if isHandicap {
      definition.type = "ASIAN_HANDICAP"
      definition.runners = [-50, 50, 0].map { (BetfairMessage.Key(id: 47972, handicap: $0), "ACTIVE", home) }
    } else {
      definition.runners = [(47972, home), (47973, away), (58805, "The Draw")].map {
        (BetfairMessage.Key(id: $0.0 + number), "ACTIVE", $0.1)
      }
    }
    if options.hasNames {
      definition.eventName = "\(home) v \(away)"
      definition.name = "Match Odds"
    } else {
      for index in definition.runners.indices { definition.runners[index].name = "" }
    }
    let runners = definition.runners.map { runner in
      Runner(key: runner.key, fair: Int.random(in: 120...900, using: &random) / 2 * 2)
    }
    books.append(
      Book(market: BetfairMessage.Market(id: "1.\(200_000_001 + number)"), definition: definition, runners: runners))
  }

  // MARK: Messages

  private mutating func act() {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<8: heartbeat()
    case ..<14: send(changes(of: Array(books.indices).filter { _ in chance(70) }), segments: true)
    case ..<20:
      let index = Int.random(in: books.indices, using: &random)
      send([fullImage(index)])
    case ..<24:
      id += 1
      image()
    case ..<28:
      id += 1
      send(changes(of: Array(books.indices)), type: "RESUB_DELTA", segments: chance(50))
    case ..<36: redefine(Int.random(in: books.indices, using: &random))
    case ..<40 where options.hasDisputed: disputed()
    case ..<48: for _ in 0..<5 { send(changes(of: Array(books.indices))) }
    default: send(changes(of: [Int.random(in: books.indices, using: &random)]))
    }
  }

  private mutating func play(_ step: Int) {
    let (begin, end) = (options.steps / 4, options.steps - 4)
    for index in books.indices {
      if step == begin { books[index].definition.isInPlay = true }
      if step == begin { books[index].definition.status = "OPEN" }
      if step == begin - 1 || step == options.steps / 2 { books[index].definition.status = "SUSPENDED" }
      if step == options.steps / 2 + 2 { books[index].definition.status = "OPEN" }
      if step == end, index == 0 {
        books[index].definition.status = "CLOSED"
        for place in books[index].definition.runners.indices {
          books[index].definition.runners[place].status = place == 0 ? "WINNER" : "LOSER"
        }
      }
      if [begin - 1, begin, options.steps / 2, options.steps / 2 + 2, end].contains(step) { define(index) }
    }
    if step % 7 == 6 { heartbeat() } else { send(changes(of: [step % books.count])) }
  }

  private mutating func heartbeat() {
    var message = BetfairMessage()
    message.changeType = "HEARTBEAT"
    message.isStale = chance(20)
    append(message)
  }

  private mutating func image() {
    var all = Array(books.indices)
    if options.hasDisputed, !options.isMatch, chance(40) { all.removeLast() }
    // NB: All markets keep changing. One that the image lacks is unknown until its next image.
    send(all.map { fullImage($0) }, type: "SUB_IMAGE", segments: !options.isMatch && chance(50))
  }

  private mutating func disputed() {
    let index = Int.random(in: books.indices, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      var (old, new) = (fullImage(index), fullImage(index))
      new.definition!.version = books[index].definition.version
      old.definition!.version = new.definition!.version - 1
      old.runners.removeAll()
      send(chance(50) ? [new, old] : [old, new])
    case 1:
      var change = books[index].market
      change.runners = [BetfairMessage.Runner(key: books[index].runners[0].key, ladders: [("trd", []), ("atb", [])])]
      send([change])
    default:
      let current = id
      if id > 1 { id -= 1 }
      var change = books[index].market
      change.volume = 77_700
      send([change])
      id = current
    }
  }

  private mutating func redefine(_ index: Int) {
    books[index].definition.status = ["OPEN", "OPEN", "SUSPENDED", "CLOSED", "INACTIVE"].randomElement(using: &random)!
    books[index].definition.isInPlay = chance(50)
    let place = Int.random(in: books[index].runners.indices, using: &random)
    books[index].definition.runners[place].status = chance(30) ? "REMOVED" : "ACTIVE"
    define(index)
  }

  private mutating func define(_ index: Int) {
    books[index].definition.version += 1
    var change = books[index].market
    change.definition = books[index].definition
    send([change])
  }

  private mutating func send(_ markets: [BetfairMessage.Market], type: String? = nil, segments: Bool = false) {
    guard segments, markets.count > 1 else {
      var message = BetfairMessage()
      message.changeType = type
      message.markets = markets
      return append(message)
    }
    for (place, market) in markets.enumerated() {
      var message = BetfairMessage()
      message.changeType = type
      message.segment = place == 0 ? "SEG_START" : place == markets.count - 1 ? "SEG_END" : "SEG"
      message.markets = [market]
      append(message)
    }
  }

  private mutating func append(_ message: BetfairMessage) {
    var message = message
    clock += 1
    message.id = id
    message.time = time
    message.clock = "C\(clock)"
    if message.changeType == "SUB_IMAGE" { message.initialClock = "I\(clock)" }
    messages.append(message)
    lines.append(message.text(shuffledBy: &order))
  }

  // MARK: Prices

  private mutating func changes(of indices: [Int]) -> [BetfairMessage.Market] {
    indices.map { index in
      var change = books[index].market
      for place in books[index].runners.indices where chance(60) {
        move(index, place)
        var runner = BetfairMessage.Runner(key: books[index].runners[place].key)
        for ladder in ladders {
          let new = levels(of: ladder, books[index].runners[place])
          let old = books[index].runners[place].sent[ladder] ?? [:]
          var changed = new.filter { old[$0.key] != $0.value }.map(\.value)
          changed += old.filter { new[$0.key] == nil }.map { Array($0.value.dropLast()) + [0] }
          changed.sort { $0[0] < $1[0] }
          books[index].runners[place].sent[ladder] = new
          if !changed.isEmpty { runner.ladders.append((ladder, changed)) }
        }
        runner.lastTraded = books[index].runners[place].lastTraded
        if hasVolumes { runner.volume = books[index].runners[place].volume }
        change.runners.append(runner)
      }
      if hasVolumes, chance(50) { change.volume = books[index].volume }
      return change
    }
  }

  private mutating func fullImage(_ index: Int) -> BetfairMessage.Market {
    var image = books[index].market
    image.isImage = true
    image.definition = books[index].definition
    if hasVolumes { image.volume = books[index].volume }
    for place in books[index].runners.indices {
      if books[index].runners[place].sent.isEmpty { move(index, place) }
      var runner = BetfairMessage.Runner(key: books[index].runners[place].key)
      for ladder in ladders {
        let new = levels(of: ladder, books[index].runners[place])
        books[index].runners[place].sent[ladder] = new
        runner.ladders.append((ladder, new.values.sorted { $0[0] < $1[0] }))
      }
      runner.lastTraded = books[index].runners[place].lastTraded
      if hasVolumes { runner.volume = books[index].runners[place].volume }
      image.runners.append(runner)
    }
    return image
  }

  /// Moves the fair price of a runner, and sometimes trades.
  private mutating func move(_ index: Int, _ place: Int) {
    let fair = books[index].runners[place].fair + Int.random(in: -2...2, using: &random) * 2
    books[index].runners[place].fair = min(max(fair, 110), 2000)
    guard chance(40) else { return }
    let stake = Int.random(in: 200...50_000, using: &random)
    books[index].runners[place].lastTraded = books[index].runners[place].fair
    books[index].runners[place].volume += stake
    books[index].runners[place].traded[books[index].runners[place].fair, default: 0] += stake
    books[index].volume += stake
  }

  /// Returns the levels of a ladder by their key.
  private mutating func levels(of ladder: String, _ runner: Runner) -> [Int: [Int]] {
    if ladder == "trd" { return Dictionary(uniqueKeysWithValues: runner.traded.map { ($0.key, [$0.key, $0.value]) }) }
    let isBack = ladder.hasSuffix("b")
    let count = Int.random(in: 0...options.levels, using: &random)
    var levels: [Int: [Int]] = [:]
    for place in 0..<count {
      let price = runner.fair + (isBack ? -2 * place : 2 + 2 * place)
      guard price > 100 else { break }
      let size = Int.random(in: 200...99_999, using: &random)
      if BetfairMessage.byLevel.contains(ladder) {
        levels[place] = [place, price, size]
      } else {
        levels[price] = [price, size]
      }
    }
    return levels
  }
}
