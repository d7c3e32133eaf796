extension ChannelState {
  /// Checks that the tables agree with each other, and stops the program if they do not. For tests.
  package func checkConsistency() {
    for slot in outcomes.allSlots {
      checkLinks(offers.all(outcomes[slot].offers, OffersOfOutcome.self)) { offers[$0].outcome == slot }
      let joins = relations.all(outcomes[slot].relations, RelationsOfOutcome.self)
      checkLinks(joins) { relations[$0].outcome == slot }
      precondition(outcomes[slot].isPresent || !joins.isEmpty || !outcomes[slot].offers.isEmpty, "an idle placeholder")
      for offer in offers.all(outcomes[slot].offers, OffersOfOutcome.self) where offers[offer].market != .none {
        precondition(joins.count == 1 && relations[joins[0]].market == offers[offer].market, "a stale market")
      }
    }
    for slot in markets.allSlots {
      let joins = relations.all(markets[slot].relations, RelationsOfMarket.self)
      checkLinks(joins) { relations[$0].market == slot }
      precondition(markets[slot].isPresent || !joins.isEmpty, "an idle placeholder")
    }
    for slot in matches.allSlots {
      let children = markets.all(matches[slot].markets, MarketsOfMatch.self)
      let infos = eventInfos.all(matches[slot].infos, InfosOfMatch.self)
      checkLinks(children) { markets[$0].match == slot }
      checkLinks(infos) { eventInfos[$0].match == slot }
      precondition(matches[slot].isPresent || !children.isEmpty || !infos.isEmpty, "an idle placeholder")
    }
    let waits =
      markets.slots.count { markets[$0].marks.contains(.waiting) }
      + outcomes.slots.count { outcomes[$0].marks.contains(.waiting) }
      + relations.slots.count { relations[$0].marks.contains(.waiting) }
      + offers.slots.count { offers[$0].marks.contains(.waiting) }
      + eventInfos.slots.count { eventInfos[$0].marks.contains(.waiting) }
    precondition(waits == waiting.children.count, "\(waits) marked as waiting, \(waiting.children.count) on the list")
    precondition(waiting.count <= options.pendingLimit, "more wait than may")
  }

  private func checkLinks(_ slots: [Slot], _ isChild: (Slot) -> Bool) {
    precondition(Set(slots).count == slots.count && slots.allSatisfy(isChild), "a child that its parent has wrong")
  }
}
