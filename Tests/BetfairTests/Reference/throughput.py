"""Compares the Betfair decoder with betfair_data (Rust, read from Python) on the same historical files.

  throughput.py BENCH DIRECTORY ROUNDS

BENCH is the program toteboard-bench; it writes the files into the directory. Each program reads a file in memory on one
thread, keeps the current state of all markets, and reports its processor time without the time to load the file. The
rounds are interleaved, and the sums of the best prices to back at the end must be the same.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import time

import betfair_data

# The name, the markets, the runners of each and the messages.
FILES = [("one market of 12 runners", 1, 12, 200_000), ("100 markets of 3 runners", 100, 3, 200_000)]


def read(path, mutable):
    data = path.read_bytes()
    markets = {}
    begin = time.thread_time()
    for market in betfair_data.File(path.name, data, mutable=mutable):
        markets[market.market_id] = market
    elapsed = time.thread_time() - begin
    prices = [
        levels[0].price
        for market in markets.values()
        for runner in market.runners
        if (levels := runner.ex.available_to_back)
    ]
    return len(data) / elapsed / 1e6, round(sum(prices), 2)


def bench(program, path, *options):
    run = subprocess.run([program, "betfair", *options, path], check=True, capture_output=True, text=True)
    report = json.loads(run.stdout)
    return report["mb_per_s"], report["sum"]


def main():
    program, directory, rounds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    print("| file | program | MB/s | toteboard is | min | max |")
    print("|---|---|---:|---:|---:|---:|")
    for name, markets, runners, messages in FILES:
        path = directory / f"historical-{markets}.json"
        bench(program, path, "--generate", str(messages), "--historical", "--markets", str(markets),
              "--runners", str(runners))
        programs = {
            "toteboard": lambda: bench(program, path),
            "betfair_data, state changed in place": lambda: read(path, True),
            "betfair_data, a state for each update": lambda: read(path, False),
        }
        results = [{key: run() for key, run in programs.items()} for _ in range(rounds)]
        sums = {total for result in results for _, total in result.values()}
        if len(sums) != 1:
            sys.exit(f"the sums of the best prices differ: {sums}: one of the programs lost a price")
        for key in programs:
            ratios = [result["toteboard"][0] / result[key][0] for result in results]
            rate = statistics.median(result[key][0] for result in results)
            print(f"| {name} | {key} | {rate:.0f} | {statistics.median(ratios):.2f} x"
                  f" | {min(ratios):.2f} | {max(ratios):.2f} |")
        path.unlink()


if __name__ == "__main__":
    main()
