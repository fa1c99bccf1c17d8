"""What a host counts of connections from outside, by Prometheus' own parser: each reason of refusal is provoked, and its counter
goes up by exactly as much."""
import os
import resource
import signal
import socket

from curve_client import CurveClients
from door_case import HostedCase
from harness import main, read
from prometheus import families_of, needs_prometheus

EVENT = "event: cup\nbots: [{name: anna, remote: true}, {name: bert, remote: true}, random]\nlength: 3\npairs: 100000\ndoor: {appear: 1h}\n"
GET = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
WHYS = ("address_connections", "address_rate", "connections", "rate", "banned", "gateway")


@needs_prometheus
class DoorMetrics(CurveClients, HostedCase):
    def setUp(self):
        super().setUp()
        self.callers = 0

    def begin_host(self, per_address=8, connections=256, more=""):
        for name in ("bert", "mallory"):
            self.must("keygen", "--join", name)
        self.allow("anna", "bert")
        if more:  # and no event takes anna, whose Hellos here are none
            self.write("allow.yaml", f"- {{name: anna, key: {self.public('anna')}, events: [other]}}\n"
                                     f"- {{name: bert, key: {self.public('bert')}, {more}}}\n")
        self.write("cup.yaml", EVENT)
        self.host_file("cup", bots=f", per_address: {per_address}, connections: {connections}")
        self.host = self.start("host", "host.yaml")
        self.waits_for(self.host, "cup running")

    def families(self):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(20)
            line.connect(os.path.relpath(self.path("hosted/metrics.sock")))
            line.sendall(GET)
            head, _, body = self.until_closed(line).decode().partition("\r\n\r\n")
        self.assertIn(" 200 ", head.split("\n", 1)[0])
        return families_of(body)

    def numbers(self, family, label):
        return {sample.labels[label]: int(sample.value) for sample in self.families()[family].samples
                if sample.labels.get("door") == "door"}

    def refused(self):
        return self.numbers("bgref_doorman_refused", "why")

    def results(self):
        return self.numbers("bgref_handshakes", "result")

    def connections(self):
        return int(self.families()["bgref_doorman_connections"].samples[0].value)

    def becomes(self, read, want):
        """The doorman says its counts four times a second."""
        last = {}

        def is_so():
            last["is"] = read()
            return last["is"] == want
        try:
            self.wait_until(is_so, "numbers", 20)
        except AssertionError:
            self.assertEqual(last["is"], want)

    def knock(self, count, own):
        """Connections at once, from these addresses in turn. Returns those that were let in, and how many were not."""
        lines, inside, out = [], [], 0
        for i in range(count):
            line = socket.socket()
            self.addCleanup(line.close)
            line.settimeout(20)
            line.bind((own[i % len(own)], 0))
            lines.append(line)
            try:
                line.connect(self.address())
            except OSError:
                pass
        for line in lines:
            try:
                is_in = b"ERROR" not in (line.recv(512, socket.MSG_PEEK) or b"ERROR")
            except OSError:
                is_in = False
            inside += [line] if is_in else []
            out += not is_in
        return inside, out

    def close(self, lines):
        for line in lines:
            line.close()
        self.becomes(self.connections, 0)

    def grows(self, before, **by):
        self.becomes(self.refused, {why: before[why] + by.get(why, 0) for why in WHYS})

    def test_every_reason_of_the_doorman_is_counted_exactly(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        self.begin_host(per_address=30, connections=300)
        self.assertEqual(self.refused(), dict.fromkeys(WHYS, 0))
        self.assertEqual(self.connections(), 0)
        before = self.refused()
        inside, out = self.knock(60, ["127.0.2.1"])  # 20 in a row, then two a second
        self.assertGreater(out, 20)
        self.grows(before, address_rate=out)
        self.assertEqual(self.connections(), len(inside))
        self.close(inside)
        before = self.refused()
        inside, _ = self.knock(1, ["127.0.3.7"])
        self.must("host", "host.yaml", "ban", "127.0.3.0/24", "--reason", "a flood")
        self.until_closed(inside[0])  # the doorman knows it now
        inside, out = self.knock(7, ["127.0.3.1", "127.0.3.99"])
        self.assertEqual((inside, out), ([], 7))
        self.grows(before, banned=7)
        before = self.refused()
        inside, out = self.knock(310, [f"127.0.4.{i + 1}" for i in range(31)])
        self.assertEqual((len(inside), out), (300, 10))
        self.grows(before, connections=10)
        self.close(inside)
        before, some = self.refused(), 0
        for i in range(20):  # 400 in a row, then 250 a second
            inside, out = self.knock(250, [f"127.0.5.{k + 1}" for k in range(i % 2 * 100, i % 2 * 100 + 100)])
            some += out
            if some:
                break
            self.close(inside)
        self.assertGreater(some, 0)
        self.grows(before, rate=some)
        self.close(inside)
        before = self.refused()
        os.kill(self.host.pid, signal.SIGSTOP)  # it starts no other gateway meanwhile
        gateway = self.child_of(self.host, "bgref-gateway")
        os.kill(gateway, signal.SIGKILL)
        self.wait_until(lambda: read(f"/proc/{gateway}/stat").rsplit(b")")[-1].split()[0] == b"Z", "its end")
        inside, out = self.knock(4, ["127.0.6.1"])
        self.assertEqual((inside, out), ([], 4))
        os.kill(self.host.pid, signal.SIGCONT)
        self.grows(before, gateway=4)

    def test_connections_of_an_address_are_counted_and_a_new_doorman_goes_on(self):
        self.begin_host(per_address=3)
        before = self.refused()
        inside, out = self.knock(9, ["127.0.2.1"])
        self.assertEqual((len(inside), out), (3, 6))
        self.grows(before, address_connections=6)
        self.assertEqual(self.connections(), 3)
        self.assertIn("refused connections: 6, too many at once of one address (per_address;",
                      self.must("host", "host.yaml", "status")[0])
        os.kill(self.child_of(self.host, "bgref-doorman"), signal.SIGKILL)
        self.becomes(self.connections, 0)
        self.waits_for(self.host, "it is started again")
        self.wait_until(lambda: self.knock(1, ["127.0.2.3"])[1] == 0, "a new doorman that listens")
        inside, out = self.knock(9, ["127.0.2.2"])
        self.assertEqual((len(inside), out), (3, 6))
        self.grows(before, address_connections=12)

    def test_an_event_with_its_own_door_counts_there(self):
        self.event(pairs=1000, appear="5m", **{"results: r.db": "results: r.db\nmetrics: m.prom"})

        def numbers(name, label, **more):
            if not os.path.exists(self.path("m.prom")):
                return {}
            family = families_of(self.text("m.prom")).get(name)
            return {sample.labels[label]: sample.value for sample in (family.samples if family else ())
                    if sample.value and dict(sample.labels, event="spring", **more) == sample.labels}
        self.becomes(lambda: numbers("bgref_sessions", "state").get("away"), 1)
        self.assertEqual(numbers("bgref_handshakes", "result", door="door"), {})
        self.join()
        self.becomes(lambda: numbers("bgref_handshakes", "result", door="door"), {"came": 1})
        self.assertEqual(numbers("bgref_doorman_connections", "door", door="door"), {"door": 1})
        self.becomes(lambda: "playing" in numbers("bgref_sessions", "state"), True)
        self.assertNotIn("away", numbers("bgref_sessions", "state"))

    def test_every_end_of_a_handshake_is_counted_exactly(self):
        self.begin_host(per_address=40, more="from: [192.0.2.0/24]")
        expected = dict.fromkeys(("came", "unknown_key", "banned", "key_rate", "key_twice", "network", "start_rate",
                                  "large_hello", "ended"), 0)
        self.assertEqual(self.results(), expected)
        for _ in range(3):
            with socket.create_connection(self.address(), timeout=20) as line:
                line.sendall(b"GET / HTTP/1.0\r\n\r\n")
                self.until_closed(line)
        expected["ended"] = 3
        self.becomes(self.results, expected)
        for name, why in (("mallory", "unknown_key"), ("bert", "network")):
            for _ in range(2):
                self.says_hello(name)
            expected[why] = 2
            self.becomes(self.results, expected)
        for _ in range(3):  # the second and third take the place of the one before
            self.says_hello("anna", keeps=True)
        expected["came"] = 3
        self.becomes(self.results, expected)
        for _ in range(2):
            self.says_hello("anna", keeps=True)
        expected["key_twice"] = 2
        self.becomes(self.results, expected)
        for _ in range(5):
            self.says_hello("anna")
        expected["key_twice"] += 5
        self.becomes(self.results, expected)
        for _ in range(4):
            self.says_hello("anna")
        expected["key_rate"] = 4
        self.becomes(self.results, expected)
        self.must("host", "host.yaml", "ban", "anna", "--reason", "a fight")
        for _ in range(3):
            self.says_hello("anna")
        expected["banned"] = 3
        self.becomes(self.results, expected)

    def says_hello(self, name, keeps=False):
        """In a context of its own: after an ERROR libzmq 4.3.4 now and then serves no socket of a context any more."""
        self.callers += 1  # each from another address: the doorman lets all in
        dealer, monitor = self.stranger(self.context(), name, own=f"127.0.1.{self.callers}")
        if self.next_event(monitor) == self.SUCCEEDED:
            dealer.send(b"\x0a\x00")  # would be a Hello
            self.assertTrue(keeps or dealer.poll(20000))
        if not keeps:
            self.close_all(dealer, monitor)


main()
