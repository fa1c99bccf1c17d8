#!/usr/bin/python3
"""The pages of bgref in a browser: the board by script is the one of C, keys and addresses, nothing from elsewhere, nothing said on the
console, no page wider than its window; games in play, also over a line that is cut and a gallery that is killed.

usage: test_pages.py build/release/bin     needs chromium (tools/setup browser); with axe-core (npm ci in tests/browser) it examines pages
"""
import contextlib
import importlib.machinery
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.abspath(sys.argv.pop(1))
BGREF, DRAWINGS = os.path.join(BIN, "bgref"), os.path.join(BIN, "board_drawings")
AXE = os.path.join(HERE, "node_modules", "axe-core", "axe.min.js")
RELAY = os.path.join(HERE, "..", "process", "relay.py")
WIDTHS = (320, 390, 900, 1280)
POISON = "<img src=x onerror=document.title='poisoned'>"


def pictures():
    """tools/pictures, which knows how to speak to the browser."""
    loader = importlib.machinery.SourceFileLoader("pictures", os.path.join(HERE, "..", "..", "tools", "pictures"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("pictures", loader))
    loader.exec_module(module)
    return module


def check(case, path):
    """What holds of every page, as it stands: as wide as its window, a day and a night, foreign words are text, and no serious barrier."""
    colours = set()
    for width, scheme in zip(WIDTHS, ("light", "light", "dark", "dark")):
        case.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        case.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        case.assertLessEqual(case.evaluate("document.documentElement.scrollWidth"), width, path)
        colours.add(case.evaluate("getComputedStyle(document.body).backgroundColor"))
        if os.path.exists(AXE) and width in (390, 1280) and "/overlay/" not in path:  # what lies below that is not ours
            with open(AXE, encoding="utf-8") as file:
                case.evaluate("globalThis.axe === undefined && (() => {" + file.read() + "})()")
            case.assertEqual(case.evaluate("axe.run().then((found) => found.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))"
                                           ".map((rule) => [rule.id, rule.nodes[0].html.slice(0, 200)]))"), [], (path, scheme))
    case.browser.call("Emulation.setEmulatedMedia", features=[])
    case.assertEqual(len(colours), 1 if "/overlay/" in path else 2, path)
    case.assertEqual(case.evaluate("[document.querySelectorAll('img').length, document.title === '', document.title === 'poisoned']"), [0, False, False], path)


def check_said(case, origins, is_cut=False):
    """Since the last call the console got nothing, unless a line was cut, and nobody elsewhere was asked."""
    case.evaluate("1")  # what it has to tell comes before the answer
    said = [words for words in case.browser.said if not is_cut or words.get("entry", {}).get("source") != "network"]
    asked = [url for url in case.browser.asked if not url.startswith(("about:", *(origin + "/" for origin in origins)))]
    case.assertGreater(len(case.browser.asked), 0)
    case.browser.said, case.browser.asked = [], []
    case.assertEqual((said, asked), ([], []))


class Pages(unittest.TestCase):
    is_cut = False

    def setUp(self):
        self.origins = [self.origin]
        self.browser.call("Page.navigate", url="about:blank")
        self.evaluate("1")
        self.browser.said, self.browser.asked = [], []  # of a page whose duel was ended behind the last test

    def tearDown(self):
        check_said(self, self.origins, self.is_cut)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.bgref("duel", "greedy", "random", "--pairs", "8", "--seed", "3", "--results", "r.db", "--quiet")
        cls.bgref("judge", "r.db", "--judge", "td", "--errors")
        cls.bgref("keygen", "--join", "host")
        with open(os.path.join(cls.folder.name, "host.pub"), encoding="ascii") as public:
            cls.write("host.bgref", f"host: spring\nendpoint: tcp://127.0.0.1:5555\nkey: {public.read().split()[3]}\n")
        cls.origin = cls.serve("r.db", "--join", "host.bgref", "--registrations", "waiting.yaml")
        cls.browser = pictures().Chromium(os.path.join(cls.folder.name, "home"))
        cls.addClassCleanup(cls.browser.process.wait)
        cls.addClassCleanup(cls.browser.process.kill)
        for domain in ("Runtime", "Network", "Log"):
            cls.browser.call(f"{domain}.enable")

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    @classmethod
    def serve(cls, results, *words):
        """Starts bgref watch; returns its origin."""
        def end():
            server.terminate()
            assert server.wait(30) == 0
            server.stdout.close()

        server = subprocess.Popen((BGREF, "watch", results, *words), cwd=cls.folder.name, stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(end)
        return server.stdout.readline().strip().rstrip("/")

    def turn_to(self, origin):
        """Opens pages from there, until the test ends."""
        self.addCleanup(setattr, self, "origin", self.origin)
        self.origin = origin
        self.origins.append(origin)

    @classmethod
    def bgref(cls, *words):
        done = subprocess.run((BGREF, *words), cwd=cls.folder.name, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def evaluate(self, script):
        answer = self.browser.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        self.assertNotIn("exceptionDetails", answer, script)
        return answer["result"].get("value")

    def open(self, path, width=1280):
        """Opens a page and waits for its script."""
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.call("Page.navigate", url=self.origin + path)
        self.assertEqual(self.evaluate("new Promise((done) => document.readyState === 'complete' ? done(1) : addEventListener('load', () => done(1)))"), 1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key)

    def caption(self):
        return self.evaluate("document.querySelector('.position figcaption').textContent")

    def game(self):
        self.open(self.event() + "games")
        return self.evaluate("new URL(document.querySelector('td a[href*=\"/g/\"], th a[href*=\"/g/\"]').href).pathname")

    def pages(self):
        """One of each family."""
        event = self.event()
        return ["/", "/archive", "/about", "/join", self.game(), *(event + name for name in ("", "standings", "games", "b/greedy", "m/greedy-vs-random")),
                "/embed" + event + "standings", "/overlay" + self.game()]

    def event(self):
        self.open("/")
        return self.evaluate("new URL(document.querySelector('a[href^=\"./e/\"]').href).pathname")

    def test_the_script_draws_as_the_program_does(self):
        drawings = subprocess.run((DRAWINGS,), capture_output=True, text=True, check=True).stdout.split("</svg>\n")[:-1]
        self.open(self.game())
        differ = self.evaluate("""(async (drawings) => {
            const { drawPos } = await import(document.querySelector("script").src.replace("replay", "board"));
            const box = document.createElement("template");
            return drawings.map((text) => text + "</svg>\\n").filter((text) => {
                box.innerHTML = text;
                const svg = box.content.firstElementChild, { pos, below } = svg.dataset;
                return drawPos(pos, Number(below), svg.getAttribute("aria-label")) !== text; });
            })(%s)""" % json.dumps(drawings))
        self.assertGreater(len(drawings), 26 * 10)
        self.assertTrue(any("!" in drawing for drawing in drawings), "no cube is offered")
        self.assertEqual(differ, [])

    def test_keys_and_addresses_lead_to_a_step(self):
        path = self.game()
        self.open(path)
        self.assertLess(self.evaluate("document.querySelector('svg.board').getBoundingClientRect().top"), 300, "the board is what one sees first")
        last = self.caption()
        steps = self.evaluate("document.querySelectorAll('table[data-table=turns] tbody tr').length")
        self.assertRegex(last, rf"\A{steps}/{steps}: .*wins \d+ point")
        self.press("Home")
        self.assertRegex(self.caption(), r"\A1/\d+: opening")
        self.press("ArrowRight")
        self.press("ArrowRight")
        self.assertRegex(self.caption(), r"\A3/\d+: ")
        self.press("ArrowLeft")
        self.assertRegex(self.caption(), r"\A2/\d+: \w+ plays ")
        self.assertEqual(self.evaluate("location.hash"), "#t=2")
        before = self.board()
        self.press("f")
        self.assertNotEqual(self.board(), before)
        self.assertEqual(self.evaluate("[...document.querySelectorAll('#board .side')].map((side) => side.dataset.seat).join()"), "0,1")
        self.press("f")
        self.assertEqual(self.board(), before)
        self.press("End")
        self.assertEqual(self.caption(), last)
        self.press("?")
        self.assertIs(self.evaluate("document.querySelector('dialog').open"), True)
        self.press("Escape")
        self.open(path + "#t=12")
        self.assertRegex(self.caption(), r"\A12/")
        self.evaluate("document.querySelector('table[data-table=list] tr[data-step=\"6\"] th').click()")
        self.assertRegex(self.caption(), r"\A6/")
        self.assertEqual(self.evaluate("document.querySelectorAll('tr[data-now]').length"), 2, "the step, and its turn")

    def board(self):
        return self.evaluate("document.querySelector('svg.board').outerHTML")

    def button(self, label):
        self.evaluate(f"[...document.querySelectorAll('#board button')].find((button) => button.getAttribute('aria-label') === {json.dumps(label)}).click()")

    def test_jumps_graph_and_swipes_lead_to_a_step(self):
        path = self.game()
        self.open(path + "#t=1", 390)
        blunders = self.evaluate("[...document.querySelectorAll('table[data-table=list] tr[data-mark=blunder]')].map((row) => Number(row.dataset.step))")
        self.assertGreater(len(blunders), 2)
        for step in blunders[:2]:
            self.button("the next blunder")
            self.assertRegex(self.caption(), rf"\A{step}/\d+: .*blunder \u2212\d+.*; best: ")
        self.button("the blunder before")
        self.assertEqual(self.evaluate("location.hash"), f"#t={blunders[0]}")
        self.evaluate("new Promise((done) => { addEventListener('hashchange', done); document.querySelectorAll('#blunders dd a')[1].click(); }).then(() => 1)")
        self.assertRegex(self.caption(), r"\A\d+/\d+: .*blunder")
        self.assertLess(abs(self.evaluate("document.querySelector('#board figure').getBoundingClientRect().top")), 200)
        self.evaluate("""(() => { const box = document.querySelector(".area").getBoundingClientRect();
            document.querySelector(".area").dispatchEvent(new MouseEvent("click", { clientX: box.right, clientY: box.top + 5 })); })()""")
        self.assertRegex(self.caption(), r"\A(\d+)/\1: ")
        self.open(path + "#t=5", 390)
        self.browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.addCleanup(self.browser.call, "Emulation.setTouchEmulationEnabled", enabled=False)
        y = self.evaluate("document.querySelector('svg.board').getBoundingClientRect().top + 60")
        for start, end, step in ((300, 100, 6), (100, 300, 5), (200, 190, 5)):
            for kind, points in (("touchStart", [{"x": start, "y": y}]), ("touchMove", [{"x": end, "y": y}]), ("touchEnd", [])):
                self.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
            self.assertEqual(self.evaluate("location.hash"), f"#t={step}")

    def test_what_is_copied_is_the_position_that_is_seen(self):
        self.open(self.game() + "#t=2")
        for name, wanted in (("XGID", "table[data-table=turns] tbody tr:nth-child(3) td:last-child"), ):
            self.button(f"copy {name}")
            shown = self.evaluate(f"document.querySelector('{wanted}').parentElement.innerText")
            self.assertIn(self.evaluate("document.querySelector('.copied').textContent").split(": ", 1)[1], shown)
        self.button("copy Position ID")
        self.assertRegex(self.evaluate("document.querySelector('.copied').textContent"), r"\APosition ID: [A-Za-z0-9+/]{14}\Z")

    def test_play_goes_on_by_itself_and_stops_at_the_end(self):
        self.open(self.game())
        self.evaluate("""(() => { const { setInterval } = globalThis; globalThis.setInterval = (call) => setInterval(call, 1); })()""")
        self.press(" ")
        self.evaluate("new Promise((done) => { const look = setInterval(() => { if (globalThis.replay.timer === 0) { clearInterval(look); done(1); } }, 5); })")
        self.assertRegex(self.caption(), r"\A(\d+)/\1: ")

    def test_every_button_is_large_enough_for_a_finger(self):
        self.open(self.game(), 390)
        small = self.evaluate("[...document.querySelectorAll('#board button, #board .button')].filter((button) => button.offsetParent !== null && "
                              "(button.offsetWidth < 36 || button.offsetHeight < 36)).map((button) => button.textContent)")
        self.assertEqual(small, [])

    def test_paper_has_boards_and_no_buttons(self):
        self.open(self.game())
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", media="")
        self.assertGreater(self.evaluate("[...document.querySelectorAll('svg.board')].filter((svg) => svg.getBoundingClientRect().width > 100).length"), 3)
        self.assertEqual(self.evaluate("[...document.querySelectorAll('button')].filter((button) => button.offsetParent !== null).length"), 0)
        self.assertGreater(len(self.browser.call("Page.printToPDF", printBackground=True)["data"]), 20000)

    def count_without_script(self, path, *selectors):
        """How many elements of each kind a page has whose scripts do not run."""
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.call("Page.navigate", url=self.origin + path)
        while self.browser.message().get("method") != "Page.loadEventFired":
            pass
        root = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        counts = [len(self.browser.call("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]) for selector in selectors]
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        return counts

    def test_without_script_the_page_has_its_tables(self):
        rows, boards, plots, sides, codes, controls = self.count_without_script(
            self.game(), "table[data-table=list] tr[data-mark]", "svg.board", "svg.plot", "#board .side", "table[data-table=turns] code", ".controls")
        self.assertTrue(rows >= 3 and boards >= 2 and plots >= 1 and sides >= 2 and codes >= 9, (rows, boards, plots, sides, codes))
        self.assertEqual(controls, 0)

    def test_every_variant_replays_on_the_board(self):
        for variant, checkers in (("hypergammon", 6), ("plakoto", 30), ("fevga", 30)):
            self.bgref("duel", "random", "random", "--variant", variant, "--pairs", "1", "--seed", "1", "--results", f"{variant}.db", "--quiet")
            self.turn_to(self.serve(f"{variant}.db"))
            self.open(self.game() + "#t=1")
            seen = self.evaluate("document.querySelectorAll('svg.board .c0, svg.board .c1').length + "
                                 "[...document.querySelectorAll('svg.board .n0, svg.board .n1')].reduce((sum, number) => sum + Number(number.textContent) - 5, 0)")
            self.assertEqual(seen, checkers, variant)

    def test_every_page_fits_by_day_and_night_without_a_barrier(self):
        for path in self.pages():
            self.open(path)
            check(self, path)
            self.assertTrue(self.evaluate("document.querySelector('main') !== null"), path)

    @unittest.skipUnless(os.path.exists(AXE), "needs axe-core: npm ci in tests/browser")
    def test_a_barrier_is_found(self):
        self.open("/")
        self.evaluate("document.body.insertAdjacentHTML('beforeend', '<a href=\"/\"></a>')")
        with self.assertRaisesRegex(AssertionError, "link-name"):
            check(self, "/")

    def test_a_name_with_markup_is_text(self):
        self.bgref("export", "r.db", "--format", "mat", "--out", "games.mat")
        path = os.path.join(self.folder.name, "games.mat")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("greedy", POISON))
        self.bgref("import", "games.mat", "--results", "poisoned.db")
        self.turn_to(self.serve("poisoned.db"))
        event = self.event()
        bots = self.evaluate("fetch('.%sstandings').then((answer) => answer.text()).then((text) => [...new Set(text.match(/b\/[\w.+-]+/g))].join())" % event)
        self.are_text("/", "/archive", event, event + "games", self.game(), *(event + bot for bot in bots.split(",")))
        self.open(self.event())
        self.assertIn("<img", self.evaluate("document.body.textContent"))

    def are_text(self, *pages):
        for page in pages:
            self.open(page)
            self.assertEqual(self.evaluate("document.querySelectorAll('img').length"), 0)
            self.assertNotEqual(self.evaluate("document.title"), "poisoned")

    def test_an_event_with_markup_is_text(self):
        """Its title and its people, and the last words of a bot."""
        self.script("dying", f"def best_index(ask):\n    sys.exit({POISON!r})\n")
        with open(os.path.join(self.folder.name, "event.yaml"), "w", encoding="utf-8") as file:
            file.write("event: e\npairs: 1\nseed: 1\nbots: [random, {name: dying, cmd: ./dying}]\n" + "".join(
                f'{key}: "{POISON}"\n' for key in ("title", "place", "organiser", "director")))
        self.bgref("tournament", "event.yaml", "--results", "event.db", "--quiet")
        self.turn_to(self.serve("event.db"))
        self.are_text("/", "/archive", "/e/e/", "/e/e/standings", "/e/e/games", "/e/e/b/dying", "/e/e/m/dying-vs-random", self.game())
        self.open("/e/e/")
        self.assertGreater(self.evaluate("document.body.textContent.split('<img').length"), 4)

    def script(self, name, body):
        """Writes a bot, whose best_index is that of the body; returns its path."""
        path = os.path.join(self.folder.name, name)
        self.write(name, f"#!/usr/bin/python3\nimport os, sys, time\nsys.path.insert(0, {os.path.join(BIN, 'bots', 'python')!r})\nimport bgref_bot\n"
                         f"{body}bgref_bot.best_index = best_index\nbgref_bot.main()\n")
        os.chmod(path, 0o755)
        return path

    def play(self, *words):
        """Starts a duel with pages, of a bot that plays as many answers as self.allow() says. Its end cuts the lines of pages."""
        self.is_cut = True
        path = self.script("gated", f"""honest, asked = bgref_bot.best_index, 0
def best_index(ask):
    global asked
    open({os.path.join(self.folder.name, "gated.asked")!r}, "w").write(str(asked + 1))
    while int(open({os.path.join(self.folder.name, "gated.allowed")!r}).read()) <= asked:
        time.sleep(0.005)
    asked += 1
    return honest(ask)
""")
        self.allow(0)
        duel = subprocess.Popen((BGREF, "duel", "-engine", "name=gated", f"cmd={path}", "-engine", "greedy", "--seed", "5", "--clock", "bank=5m",
                                 "--concurrency", "1", "--page", "tcp://127.0.0.1:0", "--quiet", "--title", POISON, *words), cwd=self.folder.name,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(duel.stderr.close)
        self.addCleanup(duel.wait)
        self.addCleanup(duel.kill)
        self.turn_to(duel.stderr.readline().split()[1].rstrip("/"))
        self.duel = duel

    def allow(self, answers):
        self.write("gated.new", str(answers))
        os.replace(os.path.join(self.folder.name, "gated.new"), os.path.join(self.folder.name, "gated.allowed"))

    def until(self, condition):
        """Waits in the page; a page that never comes so far is ended by the suite's time."""
        self.evaluate(f"new Promise((done) => {{ const look = setInterval(() => {{ if ({condition}) {{ clearInterval(look); done(1); }} }}, 10); }})")

    def test_running_games_move_in_the_lobby_and_on_their_page(self):
        self.play("--duplicate", "off", "--pairs", "1", "--results", "live.db")
        self.open("/")
        self.until("document.querySelector('.live-board svg.board') !== null")
        for answers in (1, 2):
            before = self.board()
            begun = time.monotonic()
            self.allow(answers)
            self.until(f"document.querySelector('svg.board').outerHTML !== {json.dumps(before)}")
            print(f"\na board moved {1000 * (time.monotonic() - begun):.0f} ms after its play (wanted: 1000)", file=sys.stderr)
        check(self, "/")
        path = self.evaluate("new URL(document.querySelector('.live-board').href).pathname")
        self.assertEqual(self.count_without_script("/", "table[data-table=live] tbody tr a"), [1])
        self.assertGreater(self.count_without_script(path, "table[data-table=live] tbody tr")[0], 3)
        self.open(path)
        self.until("globalThis.live.steps.length > 3 && document.querySelector('svg.board') !== null")
        self.assertRegex(self.evaluate("[...document.querySelectorAll('.seat')].map((line) => line.textContent).join()"), r"gated.*4:5\d.*to play")
        check(self, path)
        steps = self.evaluate("globalThis.live.steps.length")
        self.press("ArrowLeft")
        back = self.board()
        self.allow(4)
        self.until(f"globalThis.live.steps.length > {steps} + 2")
        self.assertRegex(self.evaluate("document.querySelector('.replay').textContent"), r"\d new turns?")
        self.assertEqual(self.board(), back)
        self.press("End")
        self.assertNotEqual(self.board(), back)
        self.check_steps()
        self.allow(10**6)
        self.until("document.querySelector('.replay a') !== null")
        self.assertIn("wins", self.caption())

    def test_the_lobby_shows_pairs_when_both_games_have_ended(self):
        self.play("--pairs", "2", "--results", "paired.db")
        self.open("/")
        self.until("document.body.textContent.includes('the pair is in play')")
        self.assertEqual(self.evaluate("document.querySelectorAll('svg.board').length"), 0)
        self.allow(100)
        self.until("document.querySelector('.live-board svg.board') !== null")

    def test_boards_are_there_for_more_than_may_follow(self):
        self.play("--duplicate", "off", "--pairs", "1", "--results", "full.db", "--broadcast-spectators", "0")
        self.open("/")
        self.until("document.querySelector('.live-board svg.board') !== null")
        self.open(self.evaluate("new URL(document.querySelector('.live-board').href).pathname"))
        self.until("document.querySelector('svg.board') !== null")

    def check_steps(self):
        """No step is missing or doubled."""
        numbers = self.evaluate("[...document.querySelectorAll('table[data-table=live] tbody tr')].map((row) => Number(row.cells[0].textContent))")
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertEqual(self.evaluate("globalThis.live.steps.map(({ n }) => n)"), numbers)

    def games(self, origin):
        with urllib.request.urlopen(origin + "/api/v1/live.json", timeout=60) as answer:
            return json.load(answer)["games"]

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def kill_gallery(self):
        with open(f"/proc/{self.duel.pid}/task/{self.duel.pid}/children", encoding="ascii") as file:
            for pid in file.read().split():
                with open(f"/proc/{pid}/cmdline", "rb") as words:
                    if b"--fed" in words.read():
                        os.kill(int(pid), signal.SIGKILL)

    @contextlib.contextmanager
    def line_cut(self, origin, is_killed=False):
        """Nothing comes through the relay, and behind it the gallery is killed."""
        self.relay.send_signal(signal.SIGUSR2)  # lets no new ones in
        self.relay.send_signal(signal.SIGUSR1)
        yield
        if is_killed:
            self.kill_gallery()
            self.wait_for(lambda: self.games(origin))
        self.relay.send_signal(signal.SIGUSR2)

    def to_next_game(self, origin):
        """Plays until another one has begun; returns its id."""
        [before] = self.games(origin)
        while True:
            for game in self.games(origin):
                if game["game"] != before["game"]:
                    return game["game"].replace("|", "/")
            with open(os.path.join(self.folder.name, "gated.asked"), encoding="ascii") as file:
                self.allow(int(file.read() or 0))

    def test_a_cut_line_and_a_killed_gallery_cost_no_turn_and_double_none(self):
        """The page is opened over a relay; while that is cut, the games go on."""
        self.play("--duplicate", "off", "--games", "3", "--results", "cut.db")
        origin = self.origin
        self.relay = subprocess.Popen((sys.executable, RELAY, "127.0.0.1", origin.rpartition(":")[2], "127.0.0.1"), stdout=subprocess.PIPE, text=True)
        for end in (self.relay.stdout.close, self.relay.wait, self.relay.kill):
            self.addCleanup(end)
        self.turn_to(f"http://127.0.0.1:{int(self.relay.stdout.readline())}")
        self.wait_for(lambda: self.games(origin))
        [game] = self.games(origin)
        self.open(f"/e/{game['event']}/g/{game['game'].replace('|', '/')}")
        for answers, is_killed in ((3, False), (6, True)):
            self.allow(answers)
            self.until(f"globalThis.live.steps.length > {answers}")
            with self.line_cut(origin, is_killed):
                seen = self.evaluate("globalThis.live.steps.length")
                self.allow(answers + 2)
                self.wait_for(lambda: self.games(origin)[0]["last"]["n"] > seen + 2)
                self.assertEqual(self.evaluate("globalThis.live.steps.length"), seen)
            self.until(f"globalThis.live.steps.length > {seen} + 2")
            self.check_steps()
        with self.line_cut(origin, is_killed=True):  # another gallery knows nothing of a game that has ended
            self.to_next_game(origin)
        self.until("document.querySelector('.replay a')?.textContent.includes('has ended')")
        self.open("/")
        self.until("document.querySelector('.live-board svg.board') !== null")
        with self.line_cut(origin, is_killed=True):
            path = self.to_next_game(origin)
        self.until(f"document.querySelector('.live-board').href.endsWith('/{path}')")


if __name__ == "__main__":
    unittest.main()
