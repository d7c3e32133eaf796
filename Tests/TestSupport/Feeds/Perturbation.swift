extension [FeedMessage] {
  /// Returns the messages, each split into several of the same version.
  package func split(_ random: inout SeededRandom) -> [FeedMessage] {
    flatMap { message -> [FeedMessage] in
      if message.isDump { return [message] }
      var parts = [FeedMessage(version: message.version, records: [])]
      for record in message.records {
        if Int.random(in: 0..<3, using: &random) == 0 {
          parts.append(FeedMessage(version: message.version, records: []))
        }
        parts[parts.count - 1].records.append(record)
      }
      return parts
    }
  }

  /// Returns the messages, some of them twice in a row. A message that deletes a main market comes once: the list of
  /// main markets is in the order of creation, so one that is created again comes last.
  package func doubled(_ random: inout SeededRandom) -> [FeedMessage] {
    flatMap { message in
      let deletesMainMarket = message.records.contains { $0.verb == .delete && $0.key.type == "MAIN_MARKET" }
      return Bool.random(using: &random) && !deletesMainMarket ? [message, message] : [message]
    }
  }

  /// Returns the messages in another order, and the records of each message in another order, as far as they are
  /// independent.
  package func reordered(_ random: inout SeededRandom, updateFirst: Bool) -> [FeedMessage] {
    var messages = map { message in
      var message = message
      message.records = message.records.reordered(&random, updateFirst: updateFirst)
      return message
    }
    var at = 0
    while at + 1 < messages.count {
      let commute = messages[at].commutes(with: messages[at + 1], updateFirst: updateFirst)
      if commute, Bool.random(using: &random) {
        messages.swapAt(at, at + 1)
        at += 1
      }
      at += 1
    }
    return messages
  }
}

extension [FeedRecord] {
  /// Returns a random order that keeps the order of records that do not commute.
  package func reordered(_ random: inout SeededRandom, updateFirst: Bool) -> [FeedRecord] {
    var left = self
    var ordered: [FeedRecord] = []
    while !left.isEmpty {
      let free = left.indices.filter { at in
        left[..<at].allSatisfy { $0.commutes(with: left[at], updateFirst: updateFirst) }
      }
      ordered.append(left.remove(at: free.randomElement(using: &random)!))
    }
    return ordered
  }
}
