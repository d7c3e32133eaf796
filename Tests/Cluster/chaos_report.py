"""The summary of a chaos run."""

import collections


def effects(intervals, faults):
    """Returns for each group of faults the longest interval that overlaps one of them or the seconds after it."""
    longest = collections.defaultdict(float)
    for start, end in intervals:
        # NB: A book is silent from its last heartbeat on, which came before the fault.
        causes = [fault for fault in faults if fault.begun <= end and start - 0.5 <= fault.ended + 3]
        group = causes[0].group if len(causes) == 1 else "several at once" if causes else "none"
        longest[group] = max(longest[group], end - start)
    return longest


def report(chaos):
    counts, faults = chaos.counts, chaos.faults.done
    locked = effects([one for view in chaos.views for one in view.locked], faults)
    silent = effects(chaos.history.silences, faults)
    print(f"\n{'fault':30} {'times':>6} {'longest without a book':>24} {'longest locked':>16}")
    groups = collections.Counter(fault.group for fault in faults)
    for group in sorted(groups) + ["several at once", "none"]:
        if group in groups or group in locked or group in silent:
            print(f"{group:30} {groups[group] or '':>6} {silent[group]:>22.1f} s {locked[group]:>14.1f} s")
    print(f"""
{len(faults)} faults, {len(chaos.history.terms)} terms of books
{len(chaos.clients)} clients: {counts['lost']} connections lost, {counts['errors']} requests refused
{counts['messages']} messages checked, {counts['conflated']} of them merged; {counts['dumps']} dumps, \
{counts['redumps']} of them within a session
maximum age of a price shown as live: {counts['age']:.2f} s
all clients live {chaos.recovered - chaos.healed:.1f} s after the last fault
{counts['compared']} tables compared with the book's at the end
{f'{len(chaos.violations)} VIOLATIONS' if chaos.violations else 'no violation'}""", flush=True)
