"""Prints the final state of a recorded stream by betfairlightweight 2.24, or compares it with the expected one.

  final_state.py FILE.ndjson            prints the state
  final_state.py --check DIRECTORY      compares each NAME.ndjson of a directory with NAME.state
"""

import logging
import pathlib
import sys

from betfairlightweight.streaming.listener import StreamListener

LADDERS = [
    ("bdatb", "best_display_available_to_back"), ("bdatl", "best_display_available_to_lay"),
    ("batb", "best_available_to_back"), ("batl", "best_available_to_lay"),
    ("atb", "available_to_back"), ("atl", "available_to_lay"), ("trd", "traded"),
]
# The statuses that the state does not tell apart.
STATUSES = {"WINNER": "SETTLED", "LOSER": "SETTLED", "PLACED": "SETTLED", "REMOVED_VACANT": "REMOVED"}


def hundredths(number):
    return str(round(number * 100))


def row(runner):
    ladders = []
    for name, attribute in LADDERS:
        ladder = getattr(runner, attribute)
        levels = []
        for key, level in sorted(ladder.order_book.items()):
            numbers = level[:3] if ladder.deletion_select == 2 else level[:2]
            first = str(key) if ladder.deletion_select == 2 else hundredths(key)
            levels.append(":".join([first] + [hundredths(number) for number in numbers[1:]]))
        ladders.append(f"{name}={','.join(levels)}")
    last = "-" if runner.last_price_traded is None else hundredths(runner.last_price_traded)
    status = runner.definition.get("status", "-")
    return (f"  {runner.selection_id} {hundredths(runner.handicap)} {STATUSES.get(status, status)} ltp={last}"
            f" tv={hundredths(runner.total_matched)} {' '.join(ladders)}")


def state(path):
    listener = StreamListener(max_latency=None, lightweight=True)
    listener.register_stream(0, "marketSubscription")
    for line in path.read_text().splitlines():
        if line.strip():
            listener.on_data(line)
    rows = []
    for market_id, market in sorted(listener.stream._caches.items()):
        definition = market.market_definition
        rows.append(f"{market_id} {definition.get('status', '-')} inPlay={str(definition.get('inPlay', False)).lower()}"
                    f" version={definition.get('version', 0)} tv={hundredths(market.total_matched)}")
        runners = sorted(market.runners, key=lambda runner: (runner.selection_id, runner.handicap))
        rows += [row(runner) for runner in runners]
    return "\n".join(rows) + "\n"


def main():
    logging.disable(logging.CRITICAL)
    if sys.argv[1] != "--check":
        sys.stdout.write(state(pathlib.Path(sys.argv[1])))
        return 0
    streams = sorted(pathlib.Path(sys.argv[2]).glob("*.ndjson"))
    differing = [path.name for path in streams if state(path) != path.with_suffix(".state").read_text()]
    print(f"{len(streams)} streams, {len(differing)} differ {' '.join(differing[:20])}".rstrip())
    return 1 if differing or not streams else 0


if __name__ == "__main__":
    sys.exit(main())
