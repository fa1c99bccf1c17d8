#!/usr/bin/python3
"""A person plays in a browser: a whole game by mouse and finger, another by keys, with real input events.

usage: test_play.py build/release/bin     needs chromium (tools/setup browser)
"""
import os
import sqlite3
import subprocess
import tempfile
import time
import unittest

import test_pages

# What is on the page, as one text: it changes when something has happened.
SEEN = """(() => { const text = (id) => document.getElementById(id).textContent, svg = document.querySelector("svg.board");
  return [text("question"), text("detail"), text("buttons"), document.querySelectorAll("#lines li").length, svg?.dataset.pos,
    document.querySelectorAll(".spot.chosen").length, document.querySelector(".spot.aim")?.dataset.slot].join("|"); })()"""
# The answer about a decision comes after the next decision: only when that is answered.
LATE = """(() => { const { fetch } = globalThis; let settle = () => {};
  globalThis.fetch = async (what, options) => { const is = options?.method === "POST"; is && settle(); const answer = await fetch(what, options);
    is && await new Promise((done) => { settle = done; }); return answer; }; })()"""
CLOSED = "document.getElementById('question').textContent.startsWith('This seat is closed')"


class Play(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # the browser's last process may still write there
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        link = os.path.join(self.folder, "link")
        self.duel = subprocess.Popen((test_pages.BGREF, "duel", "-engine", "bot=person", f"option.Link={link}", "-engine", "bot=random", "--games", "1",
                                      "--variant", "hypergammon", "--length", "0", "--cube", "off", "--seed", "4", "--results", "r.db", "--quiet"),
                                     cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(self.duel.wait)
        self.addCleanup(self.duel.kill)
        end = time.monotonic() + 60
        while not os.path.exists(link) or os.path.getsize(link) == 0:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        with open(link, encoding="ascii") as file:
            self.link = file.read().strip()
        self.browser = self.start_browser("home")
        self.open(self.browser, 1280)

    def tearDown(self):
        test_pages.check_said(self, [self.link.split("/play/")[0]])

    def start_browser(self, name):
        browser = test_pages.pictures().Chromium(os.path.join(self.folder, name))
        self.addCleanup(browser.close)
        for domain in ("Runtime", "Network", "Log"):
            browser.call(f"{domain}.enable")
        return browser

    def open(self, browser, width):
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        browser.call("Page.navigate", url=self.link)
        self.evaluate("new Promise((done) => document.readyState === 'complete' ? done(1) : addEventListener('load', () => done(1)))", browser)

    def evaluate(self, script, browser=None):
        answer = (browser or self.browser).call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        self.assertNotIn("exceptionDetails", answer, script)
        return answer["result"].get("value")

    def wait(self, condition, browser=None):
        """Until the page fulfils it."""
        self.assertTrue(self.evaluate(f"""new Promise((done) => {{ const end = performance.now() + 30000;
            const look = () => {{ const is = Boolean({condition}); is || performance.now() > end ? done(is) : setTimeout(look, 5); }}; look(); }})""",
                                      browser), condition)

    def after(self, act, seen=SEEN):
        """Does it, and waits until the page has changed."""
        before = self.evaluate(seen)
        act()
        self.wait(f"{seen} !== {before!r}")

    def place(self, what):
        """The middle of an element."""
        return self.evaluate(f"(() => {{ const box = document.querySelector({what!r}).getBoundingClientRect();"
                             " return [box.x + box.width / 2, box.y + box.height / 2]; })()")

    def mouse(self, kind, at):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def click(self, what):
        at = self.place(what)
        self.mouse("mousePressed", at)
        self.mouse("mouseReleased", at)

    def drag(self, what, to):
        at = self.place(what)
        self.mouse("mousePressed", at)
        self.wait(f"document.querySelector({to!r})")
        end = self.place(to)
        for share in (0.5, 1):
            self.mouse("mouseMoved", [at[0] + share * (end[0] - at[0]), at[1] + share * (end[1] - at[1])])
        self.mouse("mouseReleased", end)

    def tap(self, what):
        at = self.place(what)
        self.browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": at[0], "y": at[1]}])
        self.browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=27 if key == "Escape" else 0)

    def has(self, what):
        return self.evaluate(f"document.querySelector({what!r}) !== null")

    def to_turn(self):
        """Waits until something is to be done; returns whether the game goes on. An only play is made by itself."""
        self.wait(f"{CLOSED} || document.querySelector('button.go') !== null || (document.querySelector('.spot.from') !== null && "
                  "!document.getElementById('detail').textContent.startsWith('Only one'))")
        return not self.evaluate(CLOSED)

    def check_end(self):
        self.assertEqual(self.duel.wait(60), 0)
        results = os.path.join(self.folder, "r.db")
        with sqlite3.connect(results) as database:
            self.assertEqual(database.execute("select count(*), (select count(*) from fault) from game").fetchall(), [(1, 0)])
        self.assertEqual(subprocess.run((test_pages.BGREF, "verify", results), capture_output=True, check=False).returncode, 0)
        self.assertRegex(self.evaluate("document.getElementById('lines').textContent"), r"You (win|lose) \d+ point")

    def test_a_game_by_mouse_and_finger(self):
        moves = 0
        while self.to_turn():
            if self.has("button.go"):
                self.after(lambda: self.click("button.go"))
                continue
            moves += 1
            if moves % 3 == 0:
                self.after(lambda: self.drag(".spot.from", ".spot.to"), "document.querySelector('svg.board').dataset.pos")
                continue
            touch = self.tap if moves % 3 == 1 else self.click
            self.after(lambda: touch(".spot.from"))
            self.after(lambda: touch(".spot.to"))
        self.assertGreater(moves, 3)
        self.check_end()

    def test_a_game_by_keys(self):
        has_undone = False
        self.evaluate(LATE)
        self.press("?")
        self.wait("document.getElementById('keys').open")
        self.press("Escape")
        self.wait("!document.getElementById('keys').open")
        while self.to_turn():
            if self.has("button.go"):
                self.after(lambda: self.press("Enter"))
                continue
            self.after(lambda: self.press("ArrowRight"))
            if self.evaluate("document.querySelectorAll('.spot.to').length") > 1:
                self.after(lambda: self.press("ArrowDown"))
            self.assertRegex(self.evaluate("document.getElementById('said').textContent"), r"\A(\d+|bar) to (\d+|off)\Z")
            self.after(lambda: self.press("Enter"))
            if not has_undone:
                has_undone = True
                self.after(lambda: self.press("u"))
                self.after(lambda: self.press("r"))
                self.assertIn("Resign a single game: Enter sends it", self.evaluate("document.getElementById('said').textContent"))
                self.after(lambda: self.press("u"))
                self.assertFalse(self.has("button.go"))
        self.assertTrue(has_undone)
        self.check_end()

    def test_the_page_fits_and_has_one_holder(self):
        self.assertTrue(self.to_turn())
        test_pages.check(self, self.link)
        other = self.start_browser("other")
        self.open(other, 390)
        self.wait("document.getElementById('question')?.textContent.startsWith('another page plays this seat')", other)
        before = self.evaluate(SEEN)
        self.open(self.browser, 1280)
        self.wait(f"document.getElementById('question') !== null && {SEEN} === {before!r}")


if __name__ == "__main__":
    unittest.main()
