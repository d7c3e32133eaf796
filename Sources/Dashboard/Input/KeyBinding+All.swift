import Localization

extension KeyBinding {
  /// All key bindings, in the order of the help.
  package static let all: [KeyBinding] = [
    KeyBinding(
      .moving, .helpChannel, hint: .channel, (1...9).map { Named(.channel($0 - 1), "channel-\($0)", "\($0)") }),
    KeyBinding(
      .moving, .helpNextChannel, Named(.nextChannel, "next-channel", "Tab"),
      Named(.previousChannel, "previous-channel", "Shift-Tab")),
    KeyBinding(.moving, .helpRow, Named(.up, "up", "Up k"), Named(.down, "down", "Down j")),
    KeyBinding(
      .moving, .helpPage, Named(.pageUp, "page-up", "PgUp Ctrl-B"), Named(.pageDown, "page-down", "PgDn Ctrl-F")),
    KeyBinding(
      .moving, .helpHalfPage, Named(.halfPageUp, "half-page-up", "Ctrl-U"),
      Named(.halfPageDown, "half-page-down", "Ctrl-D")),
    KeyBinding(.moving, .helpFirst, Named(.top, "top", "g Home"), Named(.bottom, "bottom", "G End")),
    KeyBinding(.moving, .helpJump, hint: .jump, Named(.left, "left", "Left"), Named(.right, "right", "Right")),

    KeyBinding(.finding, .helpFind, hint: .word(.hintFind), Named(.find, "find", "/")),
    KeyBinding(
      .finding, .helpFound, Named(.nextFound, "next-found", "n"), Named(.previousFound, "previous-found", "N")),
    KeyBinding(.finding, .helpShowAll, Named(.showAll, "show-all", "f")),
    KeyBinding(.finding, .helpCommand, hint: .word(.hintCommand), Named(.command, "command", ":")),
    KeyBinding(.finding, .helpSort, hint: .word(.hintSort), Named(.sort, "sort", "s"), Named(.reverse, "reverse", "S")),
    KeyBinding(.finding, .helpGroup, Named(.group, "group", "v")),
    KeyBinding(.finding, .helpFold, Named(.fold, "fold", "z"), Named(.foldAll, "fold-all", "Z")),
    KeyBinding(.finding, .helpChooseColumns, Named(.columns, "columns", "C")),
    KeyBinding(
      .finding, .helpMoveColumn, Named(.columnUp, "column-up", "K"), Named(.columnDown, "column-down", "J")),
    KeyBinding(.finding, .helpPin, Named(.pin, "pin", "m")),
    KeyBinding(.finding, .helpSpace, hint: .pause(else: .hintPin), Named(.space, "pin-or-pause", "Space")),
    KeyBinding(.finding, .helpWatch, Named(.watch, "watch", "0")),

    KeyBinding(.prices, .helpOdds, hint: .word(.hintOdds), Named(.cycleOdds, "odds", "o")),
    KeyBinding(.prices, .helpThrottle, hint: .throttle, Named(.cycleThrottle, "throttle", "t")),
    KeyBinding(.prices, .helpFreeze, hint: .word(.hintFreeze), Named(.freeze, "freeze", "p")),
    KeyBinding(.prices, .helpAlert, hint: .word(.hintAlert), Named(.addAlert, "alert", "a")),

    KeyBinding(.panes, .helpOpen, hint: .word(.hintOpen), Named(.open, "open", "Enter")),
    KeyBinding(
      .panes, .detailHelpOther, hint: .pair(.hintOtherMatch), Named(.previousMatch, "previous-match", "["),
      Named(.nextMatch, "next-match", "]")),
    KeyBinding(
      .panes, .chartHelpCursor, Named(.chartEarlier, "chart-earlier", ","), Named(.chartLater, "chart-later", ".")),
    KeyBinding(
      .panes, .chartHelpFrame, Named(.chartShorter, "chart-shorter", "<"), Named(.chartLonger, "chart-longer", ">")),
    KeyBinding(.panes, .helpCalculate, hint: .word(.hintCalculate), Named(.calculate, "calculate", "b")),
    KeyBinding(.panes, .helpMark, Named(.mark, "mark", "x")),
    KeyBinding(.panes, .helpAlerts, hint: .alerts(.hintAlerts), Named(.alerts, "alerts", "A")),
    KeyBinding(.panes, .helpDeleteAlert, hint: .word(.hintDelete), Named(.deleteAlert, "delete-alert", "d Delete")),
    KeyBinding(.panes, .helpInspect, hint: .word(.hintInspect), Named(.inspect, "inspect", "i")),
    KeyBinding(.panes, .accountKeyPane, hint: .account(.accountHintPane), Named(.account, "account", "$")),
    KeyBinding(.panes, .helpHelp, hint: .word(.hintHelp), Named(.help, "help", "? F1")),
    KeyBinding(.panes, .helpClose, hint: .word(.hintClose), Named(.close, "close", "Esc")),

    KeyBinding(.session, .helpWrite, hint: .word(.hintWrite), Named(.write, "write", "w")),
    KeyBinding(.session, .helpCopy, Named(.copy, "copy", "y"), Named(.copyMenu, "copy-menu", "Y")),
    KeyBinding(.session, .helpTheme, hint: .word(.hintTheme), Named(.cycleTheme, "theme", "T")),
    KeyBinding(.session, .helpCounters, hint: .word(.hintCounters), Named(.counters, "counters", "c")),
    KeyBinding(.session, .helpMouse, Named(.mouse, "mouse", "M")),
    KeyBinding(.session, .accountKeyLogin, hint: .logInOrOut, Named(.logInOrOut, "log-in-or-out", "L")),
    KeyBinding(.session, .accountKeyEnd, hint: .endSession(.accountHintEnd), Named(.endSession, "end-session", "X")),
    KeyBinding(.session, .helpQuit, hint: .word(.hintQuit), Named(.quit, "quit", "q Ctrl-C")),

    KeyBinding(.feed, .helpReconnect, hint: .reconnect(.hintReconnect), Named(.reconnect, "reconnect", "r")),
    KeyBinding(.feed, .helpPause, Named(.pause, "pause")),
    KeyBinding(.feed, .helpRate, hint: .rate, Named(.faster, "faster", "+ ="), Named(.slower, "slower", "-")),
    KeyBinding(.feed, .helpDamage, hint: .word(.hintDamage), Named(.damage, "damage", "D")),
    KeyBinding(.feed, .helpWhole, hint: .word(.hintWhole), Named(.wholeScreen, "whole-screen", "F")),
  ]
}
