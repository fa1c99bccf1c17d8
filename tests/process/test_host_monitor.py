"""What a host tells those who monitor it: /metrics, /healthz and /readyz; and clients that are slow or never end."""
import json
import os
import re
import resource
import signal
import socket
import stat
import time

from door_case import DoorCase, HostedCase
from harness import main, read
from prometheus import families_of, needs_prometheus

EVENT = "event: {name}\nbots: [greedy, random]\nlength: 3\npairs: 100000\n"
GET = "GET {} HTTP/1.1\r\nHost: {}\r\n\r\n"


class NoLibrary(DoorCase):
    def test_only_a_host_needs_the_library_of_the_pages_and_names_it(self):
        self.write("libmicrohttpd.so.12", "")  # found before Debian's
        self.environment["LD_LIBRARY_PATH"] = self.folder
        self.must("--version")
        self.write("host.yaml", "host: {name: club, folder: hosted}\nevents: []\n")
        self.assertIn("load libmicrohttpd.so.12: ", self.must("host", "host.yaml", status=5)[1])


class HostMonitor(HostedCase):
    def setUp(self):
        super().setUp()
        for name in ("cup", "league"):
            self.write(f"{name}.yaml", EVENT.format(name=name))
        self.port = self.free_port()
        self.host_file("cup", "league", host=", drain: 20s", more=f'admin: {{metrics: "tcp://127.0.0.1:{self.port}"}}\n')
        self.host = self.start("host", "host.yaml")
        self.waits_for(self.host, "league running")

    def connect(self, by_port=False):
        line = socket.socket(socket.AF_INET if by_port else socket.AF_UNIX)
        self.addCleanup(line.close)
        line.settimeout(20)
        line.connect(("127.0.0.1", self.port) if by_port else os.path.relpath(self.path("hosted/metrics.sock")))
        return line

    def ask(self, request, by_port=False):
        line = self.connect(by_port)
        line.sendall(request.encode() if isinstance(request, str) else request)
        return self.until_closed(line).decode()

    def get(self, path, **more):
        head, _, body = self.ask(GET.format(path, "localhost"), **more).partition("\r\n\r\n")
        return int(head.split()[1]), body

    def families(self):
        status, body = self.get("/metrics")
        self.assertEqual(status, 200)
        return families_of(body)

    @needs_prometheus
    def test_one_scrape_has_all_running_events_and_the_host(self):
        def events(name):
            family = self.families().get(name)
            return {sample.labels["event"] for sample in family.samples if sample.value > 0} if family else set()
        self.wait_until(lambda: events("bgref_games") == {"cup", "league"}, "games of both events", 30)
        families = self.families()
        states = {sample.labels["state"]: sample.value for sample in families["bgref_host_events"].samples}
        self.assertEqual(states["running"], 2)
        for name in ("bgref_handshakes", "bgref_doorman_refused", "bgref_doorman_connections"):
            self.assertEqual({(sample.labels["door"], sample.value) for sample in families[name].samples}, {("door", 0)}, name)
        self.must("host", "host.yaml", "pause", "cup")
        self.wait_until(lambda: events("bgref_games") == {"league"}, "a paused event is not shown", 30)

    def test_health_says_what_is_wrong_and_ready_ends_with_the_drain(self):
        self.assertEqual(stat.S_IMODE(os.stat(self.path("hosted/metrics.sock")).st_mode), 0o600)
        for by_port in (False, True):
            self.assertEqual(self.get("/readyz", by_port=by_port), (200, "ready\n"))
            status, body = self.get("/healthz", by_port=by_port)
            self.assertEqual(status, 200, body)
            self.assertEqual([check["check"] for check in json.loads(body)["checks"]],
                             ["loop", "store", "disk", "gateway", "doorman", "events", "stores"])
        doorman = self.child_of(self.host, "bgref-doorman")
        league = int(self.must("host", "host.yaml", "status")[0].split("league  running")[1].split("process ")[1].split()[0])
        os.kill(doorman, signal.SIGKILL)
        os.kill(league, signal.SIGKILL)
        self.wait_until(lambda: self.wrong() & {"events"}, "the event is missed")
        self.wait_until(lambda: self.get("/healthz")[0] == 200, "both are back", 20)
        os.kill(self.host.pid, signal.SIGSTOP)
        line = self.connect()
        line.sendall(GET.format("/healthz", "x").encode())
        time.sleep(2)  # what is measured: a loop that has not turned for so long
        os.kill(self.host.pid, signal.SIGCONT)
        answer = self.until_closed(line).decode()
        self.assertIn("HTTP/1.1 503", answer)
        self.assertIn('"check": "loop", "fine": false', answer)
        self.wait_until(lambda: self.get("/healthz")[0] == 200, "the loop turns again", 20)
        self.host.send_signal(signal.SIGTERM)
        self.wait_until(lambda: self.drains() or self.host.poll() is not None, "drains", 20)
        self.assertEqual(self.host.wait(60), 0)
        self.assertFalse(os.path.exists(self.path("hosted/metrics.sock")))

    def drains(self):
        try:
            return self.get("/readyz") == (503, "drains\n")
        except (OSError, IndexError):
            return False

    def wrong(self):
        status, body = self.get("/healthz")
        wrong = {check["check"] for check in json.loads(body)["checks"] if not check["fine"]}
        self.assertEqual(status, 503 if wrong else 200)
        return wrong

    def test_every_other_request_is_refused(self):
        for request, status in ((GET.format("/", "x"), 404), (GET.format("/metrics/..", "x"), 400),
                                (GET.format("/" + "a" * 100, "x"), 404), (GET.format("/" + "a" * 20000, "x"), 414),
                                ("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 405),
                                ("GET /metrics HTTP/1.1\r\n\r\n", 400), ("GET /metrics\r\n\r\n", 400),
                                ("GET /metrics HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400),
                                ("PRI * HTTP/2.0\r\n\r\n", 505),
                                ("GET /metrics HTTP/1.1\r\nHost: x\r\nA: " + "a" * 20000, 431)):
            with self.subTest(request[:40]):
                self.assertEqual(int(self.ask(request).split()[1]), status)
        for name, status in (("evil.example", 400), ("127.0.0.1.evil.example", 400), (f"127.0.0.1:{self.port}", 200),
                             ("localhost", 200), ("[::1]:9464", 200)):  # a browser's page cannot ask by a name of its own
            self.assertEqual(int(self.ask(GET.format("/readyz", name), by_port=True).split()[1]), status, name)
        self.assertEqual(self.ask("\x16\x03\x01\x02\r\n\r\n"), "")
        for request in (2 * GET.format("/readyz", "x"),  # one answer a connection, whatever comes behind
                        "GET /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n" + GET.format("/readyz", "x")):
            self.assertEqual(self.ask(request).count("HTTP/1.1"), 1)
        whole, head = (self.ask(request + GET.format("/readyz", "x")[3:]).partition("\r\n\r\n") for request in ("GET", "HEAD"))
        self.assertEqual(head[2], "")
        self.assertIn(f"Content-Length: {len(whole[2])}\r\n", head[0] + "\r\n")

    def test_slow_and_endless_clients_hold_up_nobody(self):
        began = time.monotonic()
        slow = [self.connect(by_port=True) for _ in range(200)]
        for line in slow:
            line.sendall(b"GET /metr")
        self.assertEqual(self.get("/readyz")[0], 200)  # by the file
        self.assertEqual(self.get("/readyz", by_port=True)[0], 200)
        self.must("host", "host.yaml", "status")
        deaf = self.connect(by_port=True)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        deaf.sendall(GET.format("/metrics", "localhost").encode())
        self.assertEqual(self.get("/readyz", by_port=True)[0], 200)
        self.wait_until(lambda: not self.takes_more(slow[-1]), "a byte a time holds no connection", 12)
        for line in slow[:-1]:
            self.assertEqual(self.until_closed(line), b"")
        self.assertLess(time.monotonic() - began, 15)
        self.wait_until(lambda: len(os.listdir(f"/proc/{self.host.pid}/fd")) < 40, "no connection is left")

    def test_without_a_descriptor_for_a_connection_the_loop_rests(self):
        pid = self.host.pid
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")), 4096))
        line = self.connect(by_port=True)
        before = read(f"/proc/{pid}/schedstat").split()[0]
        time.sleep(1.5)  # what is measured: the processor's time in it
        self.assertLess(int(read(f"/proc/{pid}/schedstat").split()[0]) - int(before), 4e8)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (1024, 4096))
        line.sendall(GET.format("/readyz", "localhost").encode())
        self.assertIn(b" 200 ", self.until_closed(line))

    @staticmethod
    def takes_more(line):
        try:
            line.send(b"i")
            return line.recv(1, socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False


class Unwell(DoorCase):
    def test_status_says_what_is_not_well_and_where_to_read_why(self):
        self.write("cup.yaml", EVENT.format(name="cup"))
        self.write("host.yaml", "host: {folder: hosted}\nevents:\n  - {file: cup.yaml, start: always}\n")
        os.mkdir(self.path("hosted"))
        self.write("hosted/cup.db", "no results")
        self.start("host", "host.yaml")
        self.wait_until(lambda: os.path.exists(self.path("hosted/admin")), "the host", 20)
        status = lambda: self.must("host", "host.yaml", "status")[0]
        self.wait_until(lambda: "\nnot well: events: " in status(), "an event without a process", 30)
        said = r"\n    its process ended with status 2; cup.log says why: .*nor an SQLite database.*; again in \d+ s\n"
        self.wait_until(lambda: re.search(said, status()), "what the event's process has said", 30)
        self.assertIn("nor an SQLite database", self.text("hosted/cup.log"))


main()
