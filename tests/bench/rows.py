"""The table of tests/bench/run: the content of each row, and its target."""
import os
import statistics

# Sides whose runs alternate with the others; sides in ONCE have their own rounds, or need only one.
ONCE = ("rating", "report", "start", "memory", "unrecorded", "confined")


class Row:
    """group: for --only. text: the measured quantity. values(runs): its number in each round, from the sides'
    results ({side: [{name: number}]}). target: None, or ("at least" | "at most" | "below", number)."""

    def __init__(self, group, text, sides, values, form="{:,.0f}", unit="", target=None):
        self.group, self.text, self.sides, self.values = group, text, sides, values
        self.form, self.unit, self.target = form, unit, target
        self.limits = None  # or limits(runs): the range to show instead of that of the rounds

    def shown(self, number):
        return self.form.format(number) + (" " + self.unit if self.unit else "")

    def target_text(self):
        return "" if self.target is None else f"{self.target[0]} {self.shown(self.target[1])}"

    def is_met(self, number):
        kind, wanted = self.target
        return number >= wanted if kind == "at least" else number < wanted if kind == "below" else number <= wanted


def plain(group, text, side, name, form="{:,.0f}", unit="", target=None):
    return Row(group, text, (side,), lambda runs: [run[name] for run in runs[side]], form, unit, target)


def ratio(group, text, side, other, target=None, name="rate"):
    """Round by round, so that other load of the machine affects both."""
    return Row(group, text, (side, other),
               lambda runs: [a[name] / b[name] for a, b in zip(runs[side], runs[other])], "{:.2f}", "", target)


def cost(group, text, side, name, target=None):
    """A comparison of sides.compare(): the median of many pairs of runs, with its limits of 95 % as range."""
    row = Row(group, text, (side,), lambda runs: [runs[side][0][name][0]], "{:.1f}", "%", target)
    row.limits = lambda runs: runs[side][0][name][1:]
    return row


def core_counts():
    """1, 2, 4, ... and all cores of this machine."""
    most = len(os.sched_getaffinity(0))
    return [count for count in (1, 2, 4, 8, 16, 32, 64) if count < most] + [most]


def lockstep_rows(flight):
    """Lock-step with the same number of decisions on their way in the referee (tables) and in the bare link (bots)."""
    tables, ways = ("1 table", "one decision on its way") if flight == 1 else ("2 tables", "two decisions on their way")
    own, client, libzmq, link, ends = (f"{name}_{flight}" for name in (
        "lockstep", "lockstep_client", "lockstep_libzmq", "lockstep_link", "lockstep_ends"))
    return [
        plain("lockstep", f"lock-step, 2 bots, {tables}, durable: {ways}", own, "rate", unit="decisions/s"),
        plain("lockstep", "the same, referee's CPU a decision", own, "cpu_us", "{:.2f}", "us"),
        plain("lockstep", "the same, bots on libzmq instead of the SDK's own client", client, "rate", unit="decisions/s"),
        plain("lockstep", f"bare libzmq, {ways}", libzmq, "rate", unit="round trips/s"),
        plain("lockstep", f"bare link of our own, bots on libzmq, {ways}", link, "rate", unit="round trips/s"),
        plain("lockstep", f"bare link of our own, both ends, {ways}", ends, "rate", unit="round trips/s"),
        ratio("lockstep", f"{ways}, of bare libzmq", own, libzmq, ("at least", 1.5)),
        ratio("lockstep", f"{ways}, bots on libzmq, of bare libzmq", client, libzmq, ("at least", 0.9)),
        ratio("lockstep", f"{ways}, bots on libzmq, of the bare link of our own, bots on libzmq", client, link,
              ("at least", 0.7)),
        ratio("lockstep", f"{ways}, of the bare link of our own, both ends", own, ends, ("at least", 0.7)),
    ]


def one_core_rows():
    """One decision on its way, on one core."""
    own, client, libzmq, link, ends = ("lockstep_pinned", "lockstep_client_pinned", "lockstep_libzmq_pinned",
                                       "lockstep_link_pinned", "lockstep_ends_pinned")
    return [
        plain("one-core", "lock-step, 1 table, `--affinity auto`", own, "rate", unit="decisions/s"),
        plain("one-core", "the same, referee's CPU a decision", own, "cpu_us", "{:.2f}", "us"),
        plain("one-core", "the same, bots on libzmq", client, "rate", unit="decisions/s"),
        plain("one-core", "bare libzmq on one core", libzmq, "rate", unit="round trips/s"),
        plain("one-core", "bare link of our own on one core, bots on libzmq", link, "rate", unit="round trips/s"),
        plain("one-core", "bare link of our own on one core, both ends", ends, "rate", unit="round trips/s"),
        ratio("one-core", "on one core, of bare libzmq on one core", own, libzmq, ("at least", 1.5)),
        ratio("one-core", "on one core, bots on libzmq, of bare libzmq on one core", client, libzmq, ("at least", 0.9)),
        ratio("one-core", "on one core, bots on libzmq, of the bare link of our own on one core, bots on libzmq",
              client, link, ("at least", 0.7)),
        ratio("one-core", "on one core, of the bare link of our own on one core, both ends", own, ends,
              ("at least", 0.7)),
    ]


ROWS = [
    plain("generation", "legal plays of a position and roll, one core", "generation", "rate", unit="/s"),
    plain("legality", "legality of one play, as a step of a match", "legality", "ns", unit="ns"),
    plain("codec", "an `Ask` and its answer, packed and unpacked, 64 in a message", "codec", "ns", unit="ns"),

    plain("shared", "shared, 2 bots, 64 tables, durable", "shared", "rate", unit="decisions/s"),
    plain("shared", "the same, referee's CPU a decision", "shared", "cpu_us", "{:.2f}", "us", ("at most", 1.5)),
    plain("shared", "durable games", "shared", "games", unit="games/s"),
    plain("shared", "bare libzmq", "shared_libzmq", "rate", unit="round trips/s"),
    plain("shared", "bare libzmq, referee's CPU", "shared_libzmq", "cpu_us", "{:.2f}", "us"),
    plain("shared", "bare link of our own, bots on libzmq", "shared_link", "rate", unit="round trips/s"),
    plain("shared", "bare link of our own, both ends", "shared_ends", "rate", unit="round trips/s"),
    ratio("shared", "shared, of bare libzmq", "shared", "shared_libzmq", ("at least", 0.8)),
    ratio("shared", "shared, of the bare link of our own, bots on libzmq", "shared", "shared_link",
          ("at least", 0.4)),
    ratio("shared", "shared, of the bare link of our own, both ends", "shared", "shared_ends", ("at least", 0.4)),

    *(row for flight in (1, 2) for row in lockstep_rows(flight)),
    ratio("lockstep", "one decision on its way, of bare libzmq with two", "lockstep_1", "lockstep_libzmq_2",
          ("at least", 1.5)),
    ratio("lockstep", "one decision on its way, of the bare link of our own, both ends, with two", "lockstep_1",
          "lockstep_ends_2", ("at least", 0.7)),
    *one_core_rows(),

    plain("sixteen", "lock-step, 16 bots, 8 tables, durable", "sixteen", "rate", unit="decisions/s"),
    plain("sixteen", "the same, referee's CPU a decision", "sixteen", "cpu_us", "{:.2f}", "us"),
    plain("sixteen", "the same, time of a decision, median", "sixteen", "p50_us", unit="us"),
    plain("sixteen", "the same, time of a decision, 99 %", "sixteen", "p99_us", unit="us"),
    plain("sixteen", "bare libzmq, 16 bots", "sixteen_libzmq", "rate", unit="round trips/s"),
    plain("sixteen", "bare libzmq, 16 bots, median", "sixteen_libzmq", "p50_us", unit="us"),
    plain("sixteen", "bare libzmq, 16 bots, 99 %", "sixteen_libzmq", "p99_us", unit="us"),
    plain("sixteen", "bare link of our own, both ends, 16 bots", "sixteen_ends", "rate", unit="round trips/s"),
    ratio("sixteen", "16 bots, of bare libzmq", "sixteen", "sixteen_libzmq", ("at least", 1.3)),
    ratio("sixteen", "16 bots, 99 % of a decision's time, of bare libzmq's", "sixteen", "sixteen_libzmq",
          ("below", 1.0), name="p99_us"),

    cost("durable", "durable recording: throughput that it costs (range: 95 %)", "unrecorded", "slower", ("at most", 5)),
    cost("durable", "the same, CPU of referee and bots a decision that it adds", "unrecorded", "more"),
    cost("confinement", "confinement: throughput that it costs (range: 95 %)", "confined", "slower", ("at most", 2)),
    cost("confinement", "the same, CPU of referee and bots a decision that it adds", "confined", "more"),

    ratio("cores", "shared with `--affinity auto`, of without", "shared_pinned", "shared"),
    ratio("cores", "lock-step with `--affinity auto`, of without", "lockstep_pinned", "lockstep_1"),
    *(plain("cores", f"shared, cores used: {count}, as many processes a bot, 64 tables a core", f"cores_{count}",
            "rate", unit="decisions/s") for count in core_counts()),

    plain("memory", "memory of the referee's own with one table", "memory", "base_mib", "{:.1f}", "MiB",
          ("at most", 8)),
    plain("memory", "the same with pages of libraries that are shared", "memory", "resident_mib", "{:.1f}", "MiB"),
    plain("memory", "memory a table, 10,000 tables on shared connections", "memory", "table_kib", "{:.1f}", "KiB",
          ("at most", 8)),
    plain("rating", "1,000 bots, 2 million games: ratings and all errors from the tally, CPU", "rating", "cpu_s",
          "{:.2f}", "s", ("at most", 0.3)),
    plain("rating", "the same with the program's start and reading the tally: `bgref rate`, CPU", "rating", "all_s",
          "{:.2f}", "s"),
    plain("report", "report of 20 bots, 19,000 judged games", "report", "s", "{:.2f}", "s", ("at most", 0.5)),
    plain("start", "start of an event with a million games", "start", "s", "{:.2f}", "s", ("below", 0.3)),
    plain("gnubg", "gnubg 0-ply against itself, 256 tables: share of the cores that gnubg itself uses", "gnubg", "share",
          "{:.1f}", "%", ("at least", 97)),
    plain("gnubg", "the same, of the CPU that referee and bots use together", "gnubg", "part", "{:.1f}", "%"),
    plain("gnubg", "gnubg fed from a file, answers thrown away: its share of the cores", "gnubg_fed", "share", "{:.1f}", "%"),
    plain("gnubg", "the same, of the CPU that gnubg and feeders use together", "gnubg_fed", "part", "{:.1f}", "%"),
    plain("gnubg", "in the duel, CPU of gnubg a decision", "gnubg", "gnubg_us", "{:.1f}", "us"),
    plain("gnubg", "the same, CPU of its bridge a decision", "gnubg", "bridge_us", "{:.2f}", "us"),
    plain("gnubg", "the same, CPU of the referee a decision", "gnubg", "referee_us", "{:.2f}", "us"),
]


def groups():
    return list(dict.fromkeys(row.group for row in ROWS))


def lines(rows, runs, failures):
    """(text, median, range, target, mark) of each row."""
    out = []
    for row in rows:
        if any(side in failures for side in row.sides):
            out.append((row.text, "-", "failed", row.target_text(), "MISSED" if row.target else ""))
            continue
        values = row.values(runs)
        middle = statistics.median(values)
        low, high = (min(values), max(values)) if row.limits is None else row.limits(runs)
        spread = "" if row.limits is None and len(values) == 1 else f"{row.shown(low)} to {row.shown(high)}"
        mark = "" if row.target is None else "met" if row.is_met(middle) else "MISSED"
        out.append((row.text, row.shown(middle), spread, row.target_text(), mark))
    return out
