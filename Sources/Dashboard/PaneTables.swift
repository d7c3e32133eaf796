/// What stands in the panes that are open, made once for all their lines.
struct PaneTables {
  let account: AccountTable?
  let alerts: AlertTable?

  init(of state: borrowing BoardState, at now: Moment) {
    (account, alerts) = (state.accountTable(at: now), state.alertTable(at: now))
  }
}
