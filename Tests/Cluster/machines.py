"""The machines for many viewers, computed from the unit costs of a measurement."""

from costs import markdown, nats_slope

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


def machine_table(runs, topics, viewers):
    """Returns the table of the machines, from the run with the most gateways; a sentence if there is none."""
    run = max(runs, key=lambda run: run.gateways)
    slope = nats_slope(runs)
    if not run.gateways or slope is None:
        return "The machines for many viewers are not computed: that needs runs with two numbers of gateways."
    # A viewer: processors, bits/s out and in, bytes of memory, bytes of dumps.
    use = run.server_use / run.clients
    out_bits = 8 * (run.bytes + run.frames * PACKET_HEADERS) / run.clients
    in_bits = 8 * run.frames * (ANSWER + PACKET_HEADERS) / run.clients
    memory, dumps = run.client_memory, run.result["dumpBytes"]
    most = MAX_TOPICS / topics
    units = [
        f"A viewer: {run.frames / run.clients:.0f} frames/s with {run.updates / run.clients:.0f} updates,"
        f" {1000 * use:.2f} ms of a processor each second, {out_bits / 1000:.0f} kbit/s out, {in_bits / 1000:.0f} kbit/s in,"
        f" {memory / 1000:.1f} kB of memory, {dumps / 1000:.0f} kB of dumps when it connects.",
        f"A gateway: {run.received * 8 / 1e6:.2f} Mbit/s from NATS with {topics} topics,"
        f" {most * run.received * 8 / 1e6:.1f} with {MAX_TOPICS}. NATS: {1000 * slope:.2f} ms of a processor each second"
        f" for each gateway with {topics} topics.",
        f"Assumed: a gateway has {run.processors} processors, a machine {MACHINE_PROCESSORS} and a network of"
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
        row(f"NATS processors, {count} topics open", f"gateways × {1000 * factor * slope:.1f} ms/s",
            lambda n, f=factor: f"{gateways(n) * f * slope:,.1f}")
        row(f"Dumps from the book after a takeover, {count} topics", f"gateways × {factor * dumps / 1e6:.2f} MB",
            lambda n, f=factor: f"{gateways(n) * f * dumps / 1e9:,.2f} GB")
    table = markdown(["", "arithmetic", *(f"{count:,} viewers" for count in viewers)], rows)
    return "\n".join([*units, "", table])
