"""The machines for many viewers, computed from the unit costs of a measurement."""

from costs import markdown, nats_unit

# Assumptions. The part of a resource that is planned for use; the others are those of one machine.
PLANNED_USE = 0.6
MACHINE_PROCESSORS = 32
NETWORK_BITS = 25e9
# The headers of Ethernet, IPv4 and TCP with time stamps, in bytes: each frame is a packet of its own.
PACKET_HEADERS = 14 + 20 + 32
# The YIELD that answers a frame, with the header of the WebSocket: [70,12345,{}].
ANSWER = 6 + 13
# The topics that a gateway has open at most.
MAX_TOPICS = 512
# A topic without a dump ends its sessions this time after its last message (`GatewayTiming.staleTimeout`). A takeover
# takes a part of it, as `make chaos-cluster` measured when it killed a book. The rest remains for the dumps.
STALE_SECONDS = 9
TAKEOVER_SECONDS = 1.3
DUMP_SECONDS = round(STALE_SECONDS - TAKEOVER_SECONDS, 1)
NATS_SERVERS = 3


def machine_table(runs, busy_runs, topics, viewers):
    """Returns the tables of the machines, from the run with the most gateways; a sentence if they cannot be computed.

    `busy_runs` are those with many messages.
    """
    run = max(runs, key=lambda run: run.gateways)
    if not busy_runs:
        return "The machines for many viewers are not computed: that needs a run with 2 gateways or more."
    unit = nats_unit(busy_runs)
    if unit <= 0:
        return "The machines for many viewers are not computed: the time of NATS did not grow; use more --seconds."
    slope = unit * run.messages
    # A viewer: processors, bits/s out and in, bytes of memory, bytes of dumps.
    use = run.server_use / run.clients
    out_bits = 8 * (run.bytes + run.frames * PACKET_HEADERS) / run.clients
    in_bits = 8 * run.frames * (ANSWER + PACKET_HEADERS) / run.clients
    memory, dumps = run.client_memory, run.result["dumpBytes"]
    most = MAX_TOPICS / topics
    units = [
        f"- A viewer: {run.frames / run.clients:.0f} frames/s with {run.updates / run.clients:.0f} updates,"
        f" {1000 * use:.2f} ms of a processor each second, {out_bits / 1000:.0f} kbit/s out,"
        f" {in_bits / 1000:.0f} kbit/s in, {memory / 1000:.1f} kB of memory,"
        f" {dumps / 1000:.0f} kB of dumps when it connects.",
        f"- A gateway: {run.received * 8 / 1e6:.2f} Mbit/s from NATS with {topics} topics,"
        f" {most * run.received * 8 / 1e6:.1f} with {MAX_TOPICS}. NATS:"
        f" {1e6 * unit:.1f} µs of a processor for each of {run.messages:.0f} messages/s to a gateway with"
        f" {topics} topics.",
        f"- Assumed: a gateway has {run.processors} processors, a machine {MACHINE_PROCESSORS} and a network of"
        f" {NETWORK_BITS / 1e9:.0f} Gbit/s; {PLANNED_USE:.0%} of each are planned for use.",
    ]
    rows = []

    def row(name, arithmetic, value):
        rows.append([name, arithmetic, *(value(count) for count in viewers)])

    def gateways(count):
        return -(-count * use // (PLANNED_USE * run.processors))

    def machines(count):
        return max(-(-gateways(count) * run.processors // MACHINE_PROCESSORS),
                   -(-count * out_bits // (PLANNED_USE * NETWORK_BITS)))

    row("Processors in use", f"viewers × {1000 * use:.2f} ms/s", lambda n: f"{n * use:,.0f}")
    row("Gateways", f"processors in use / ({PLANNED_USE} × {run.processors})", lambda n: f"{gateways(n):,.0f}")
    row("Viewers of a gateway", "viewers / gateways", lambda n: f"{n / gateways(n):,.0f}")
    row("Machines for gateways", f"gateways × {run.processors} / {MACHINE_PROCESSORS}, or network out /"
        f" ({PLANNED_USE} × {NETWORK_BITS / 1e9:.0f} Gbit/s) if that is more", lambda n: f"{machines(n):,.0f}")
    row("Memory of all gateways", f"viewers × {memory / 1000:.1f} kB + gateways × {run.server_memory / 1e6:.0f} MB",
        lambda n: f"{(n * memory + gateways(n) * run.server_memory) / 1e9:,.1f} GB")
    row("Network out, all", f"viewers × {out_bits / 1000:.0f} kbit/s", lambda n: f"{n * out_bits / 1e9:,.1f} Gbit/s")
    row("Network out, a machine", "all / machines", lambda n: f"{n * out_bits / machines(n) / 1e9:,.1f} Gbit/s")
    row("Network in, all", f"viewers × {in_bits / 1000:.0f} kbit/s", lambda n: f"{n * in_bits / 1e9:,.1f} Gbit/s")
    row("All viewers connect again: network of a machine", f"viewers × {dumps / 1000:.0f} kB / machines",
        lambda n: f"{n * dumps * 8 / machines(n) / NETWORK_BITS:,.1f} s")
    for count, factor in ((topics, 1), (MAX_TOPICS, most)):
        row(f"NATS out, {count} topics open", f"gateways × {factor * run.received * 8 / 1e6:.2f} Mbit/s",
            lambda n, f=factor: f"{gateways(n) * f * run.received * 8 / 1e9:,.2f} Gbit/s")
        row(f"NATS processors, {count} topics open", f"gateways × {factor * run.messages:,.0f}/s × {1e6 * unit:.1f} µs",
            lambda n, f=factor: f"{gateways(n) * f * slope:,.1f}")
        row(f"Dumps from the book after a takeover, {count} topics", f"gateways × {factor * dumps / 1e6:.2f} MB",
            lambda n, f=factor: f"{gateways(n) * f * dumps / 1e9:,.2f} GB")
    processors, bits = PLANNED_USE * MACHINE_PROCESSORS, PLANNED_USE * NETWORK_BITS
    each = viewers[0] / gateways(viewers[0])
    limits = [
        ["A machine's processors", "1 machine", f"{processors:.1f} / {1000 * use:.2f} ms/s", processors / use],
        ["A machine's network", "1 machine",
         f"{bits / 1e9:.0f} Gbit/s / {out_bits / 1000:.0f} kbit/s", bits / out_bits],
    ]
    for count, factor in ((topics, 1), (MAX_TOPICS, most)):
        cost, stream, size = factor * slope, factor * run.received * 8, factor * dumps * 8
        limits += [
            [f"Processors of NATS, {count} topics open", f"{NATS_SERVERS} servers",
             f"{NATS_SERVERS} × {processors:.1f} / {1000 * cost:.1f} ms/s × {each:,.0f}",
             NATS_SERVERS * processors / cost * each],
            [f"Network of NATS, {count} topics open", f"{NATS_SERVERS} servers",
             f"{NATS_SERVERS} × {bits / 1e9:.0f} Gbit/s / {stream / 1e6:.2f} Mbit/s × {each:,.0f}",
             NATS_SERVERS * bits / stream * each],
            [f"Dumps of the book within {DUMP_SECONDS} s after a takeover, {count} topics open", "1 book",
             f"{DUMP_SECONDS} s × {bits / 1e9:.0f} Gbit/s / {size / 8e6:.2f} MB × {each:,.0f}",
             DUMP_SECONDS * bits / size * each],
        ]
    limits.sort(key=lambda limit: limit[3])
    return "\n".join([
        *units, "", markdown(["", "arithmetic", *(f"{count:,} viewers" for count in viewers)], rows), "",
        markdown(["The limit", "of", "arithmetic", "viewers"],
                 [[*words, f"{value:,.0f}"] for *words, value in limits])])
