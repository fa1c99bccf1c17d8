"""An event as a service: what its manager hears while it runs."""
import os
import select
import signal
import socket

from harness import BIN, ROGUE, Case, kill, main, read
from prometheus import families_of, needs_prometheus

EVENT = "event: kept\nbots: [random, greedy]\nlength: 1\npairs: {pairs}\nseed: 1\n"
LONG, SHORT = 100000, 2


class Service(Case):
    def setUp(self):
        super().setUp()
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.manager.close)
        self.manager.bind(self.path("notify"))
        self.environment["NOTIFY_SOCKET"] = self.path("notify")

    def next(self):
        """The next message that is not a sign of life."""
        while select.select([self.manager], [], [], 20)[0]:
            message = self.manager.recv(4096).decode()
            if message != "WATCHDOG=1":
                return message
        self.fail("no message in 20 s")

    def test_ready_when_the_bots_are_and_stopping_after_a_signal(self):
        self.environment["WATCHDOG_USEC"] = "300000"
        run = self.begin("tournament", self.write("event.yaml", EVENT.format(pairs=LONG)), "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        self.assertEqual(self.next(), "READY=1\nSTATUS=the event is played")
        for _ in range(3):
            self.assertEqual(self.manager.recv(4096), b"WATCHDOG=1")
        run.terminate()
        self.assertEqual(self.next(), "STOPPING=1\nSTATUS=running games are finished")
        self.assertEqual(self.next(), "STOPPING=1\nSTATUS=the bots are dismissed")
        self.assertEqual(run.wait(timeout=60), 143)

    def test_a_complete_event_is_ready_too(self):
        event = self.write("event.yaml", EVENT.format(pairs=SHORT))
        for _ in range(2):
            self.must("tournament", event, "--results", "r.db", "--quiet")
            heard = [self.next()]
            while heard[-1] != "READY=1\nSTATUS=the event is complete":
                heard.append(self.next())
        self.assertEqual(len(heard), 1, heard)

    def test_no_bot_speaks_for_the_referee(self):
        bot = self.write("bot.sh", f"#!/bin/sh\nenv > {self.path('bot.env')}\nexec {BIN}/bots/bgref-random\n")
        os.chmod(bot, 0o755)
        self.must("tournament", self.write("event.yaml", f"bots: [{{name: a, cmd: {bot}}}, random]\nlength: 1\npairs: 1\n"),
                  "--results", "r.db", "--quiet")
        self.assertNotRegex(self.text("bot.env"), "NOTIFY_SOCKET|WATCHDOG")

    # ---- numbers for monitoring, read by Prometheus' own parser

    def metrics(self):
        return families_of(self.text("m.prom"))

    def value(self, families, name, **labels):
        found = [sample.value for sample in families[name.removesuffix("_total")].samples
                 if sample.name == name and labels.items() <= sample.labels.items()]
        self.assertEqual(len(found), 1, (name, labels, found))
        return found[0]

    def check_histogram(self, family):
        buckets = [(float(sample.labels["le"]), sample.value) for sample in family.samples if sample.name.endswith("_bucket")]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual([number for _, number in buckets], sorted(number for _, number in buckets))
        count = [sample.value for sample in family.samples if sample.name.endswith("_count")]
        self.assertEqual(count, [buckets[-1][1]])
        self.assertEqual(buckets[-1][0], float("inf"))
        return count[0]

    @needs_prometheus
    def test_metrics_count_what_the_results_have(self):
        self.write("event.yaml", f"event: kept\nbots: [random, {{name: late, cmd: {ROGUE} wrong-die}}]\nlength: 1\npairs: 4\n"
                   "quarantine: 2\nmetrics: m.prom\n")
        self.must("tournament", "event.yaml", "--results", "r.db", "--quiet", status=7)
        families = self.metrics()
        ends = dict(self.rows("SELECT ended, count(*) FROM game GROUP BY ended"))
        faults = dict(self.rows("SELECT fault, count(*) FROM fault GROUP BY fault"))
        self.assertGreater(sum(ends.values()), 0)
        self.assertEqual({sample.labels["end"]: sample.value for sample in families["bgref_games"].samples if sample.value}, ends)
        self.assertEqual(self.value(families, "bgref_games_stored_total", event="kept"), sum(ends.values()))
        self.assertEqual({sample.labels["bot"]: sample.value for sample in families["bgref_bot_faults"].samples},
                         {"random": 0, "late": sum(faults.values())})
        self.assertGreaterEqual(sum(faults.values()), 2)  # two end it, and games that ran at the same time can have more
        self.assertEqual(sum(sample.value for sample in families["bgref_bot_decisions"].samples),
                         self.value(families, "bgref_decisions_total"))
        self.assertEqual({sample.labels["kind"]: sample.value for sample in families["bgref_faults"].samples}, faults)
        self.assertEqual(self.value(families, "bgref_bots", state="quarantined"), 1)
        self.assertEqual(self.value(families, "bgref_bots", state="plays"), 1)
        self.assertEqual(self.value(families, "bgref_tables"), 0)
        self.assertEqual(self.value(families, "bgref_event_info"), 1)
        self.assertNotIn("bgref_handshakes", families, "it has no door")
        for name in ("bgref_decision_seconds", "bgref_loop_lag_seconds", "bgref_commit_seconds"):
            self.assertGreater(self.check_histogram(families[name]), 0, name)
        self.assertEqual(self.check_histogram(families["bgref_decision_seconds"]),
                         self.value(families, "bgref_decisions_total"))

    @needs_prometheus
    def test_bots_have_numbers_of_their_own_up_to_a_hundred(self):
        for count in (100, 101):
            bots = ", ".join(f"{{name: b{i}, bot: random}}" for i in range(count))
            run = self.begin("tournament", self.write("event.yaml", f"event: many\nbots: [{bots}]\nlength: 1\npairs: 1\n"
                             "concurrency: 2\nmetrics: m.prom\n"), "--results", f"r{count}.db", "--quiet")
            self.addCleanup(kill, run)
            self.wait_until(lambda: os.path.exists(self.path("m.prom")), "the first numbers")
            self.assertGreaterEqual(sum(sample.value for sample in self.metrics()["bgref_sessions"].samples), count)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)
            families = self.metrics()
            self.assertEqual({"bgref_bot_decisions", "bgref_bot_faults"} <= families.keys(), count == 100)
            self.assertNotIn('bot="' if count > 100 else "no such label", self.text("m.prom"))
            os.remove(self.path("m.prom"))

    def test_metrics_never_replace_results(self):
        self.must("duel", "random", "greedy", "--pairs", "1", "--results", "old.db", "--quiet")
        before = read(self.path("old.db"))
        self.write("event.yaml", EVENT.format(pairs=SHORT) + "metrics: old.db\n")
        _, talk = self.must("tournament", "event.yaml", "--results", "r.db", "--quiet", status=2)
        self.assertEqual(talk.count("it is a database"), 1, talk)
        self.assertFalse(os.path.exists(self.path("r.db")))
        self.assertEqual(read(self.path("old.db")), before)


main()
