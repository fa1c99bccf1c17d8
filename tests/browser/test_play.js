// A person plays in a browser: a whole game by mouse and finger, another by keys, with real input events.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, bgref, exitOf, folder, suite, until, visit } from "./support.js";

// What is on the page, as one text: it changes when something has happened.
const SEEN = `(() => { const text = (id) => document.getElementById(id).textContent, svg = document.querySelector("svg.board");
  return [text("question"), text("detail"), text("buttons"), document.querySelectorAll("#lines li").length, svg?.dataset.pos,
    document.querySelectorAll(".spot.chosen").length, document.querySelector(".spot.aim")?.dataset.slot].join("|"); })()`;
const POS = "document.querySelector('svg.board').dataset.pos";
// The answer about a decision comes after the next decision: only when that is answered.
const LATE = `(() => { const { fetch } = globalThis; let settle = () => {};
  globalThis.fetch = async (what, options) => { const is = options?.method === "POST"; is && settle(); const answer = await fetch(what, options);
    is && await new Promise((done) => { settle = done; }); return answer; }; })()`;
const CLOSED = "document.getElementById('question').textContent.startsWith('This seat is closed')";

let number = 0;

// A test with a seat of its own, whose page is open.
const sit = (name, body) => visit(name, async (v) => {
  const results = `${++number}.db`, link = join(folder, `${number}.link`);
  v.duel = v.start(join(BIN, "bgref"), ["duel", "-engine", "bot=person", `option.Link=${link}`, "-engine", "bot=random", "--games", "1", "--variant",
    "hypergammon", "--length", "0", "--cube", "off", "--seed", "4", "--results", results, "--quiet"], "ignore");
  await until(() => existsSync(link) && readFileSync(link, "ascii").includes("\n"));
  [v.link, v.results] = [new URL(readFileSync(link, "ascii").trim()), results];
  v.turnTo(v.link.origin);
  await v.open(v.link.href.slice(v.link.origin.length));
  await body(v);
}, { hasTouch: true });

// Does it, and waits until the page has changed.
async function after(v, act, seen = SEEN) {
  const before = await v.evaluate(seen);
  await act();
  await v.until(`${seen} !== ${JSON.stringify(before)}`);
}

// The middle of an element.
async function place(v, what) {
  const { x, y, width, height } = await v.page.locator(what).first().boundingBox();
  return [x + width / 2, y + height / 2];
}

const has = async (v, what) => await v.page.locator(what).count() > 0;
const said = (v) => v.page.locator("#said").textContent();
const isSeen = (v) => v.evaluate(() => Number(getComputedStyle(document.getElementById("said")).opacity) > 0);
const asksTwice = async (v) => await isSeen(v) && await v.evaluate(() => {
  const [said, question] = ["said", "question"].map((id) => document.getElementById(id).textContent);
  return said.endsWith(question) && !said.startsWith("Taken back.");
});
const click = async (v, what) => v.page.mouse.click(...await place(v, what));
const tap = async (v, what) => v.page.touchscreen.tap(...await place(v, what));

async function drag(v, what, to) {
  const { mouse } = v.page;
  await mouse.move(...await place(v, what));
  await mouse.down();
  await v.page.locator(to).first().waitFor({ state: "attached" });
  await mouse.move(...await place(v, to), { steps: 2 });
  await mouse.up();
}

// Waits until something is to be done; returns whether the game goes on. An only play is made by itself.
async function toTurn(v) {
  await v.until(`${CLOSED} || document.querySelector("button.go") !== null || (document.querySelector(".spot.from") !== null &&
    !document.getElementById("detail").textContent.startsWith("Only one"))`);
  return !await v.evaluate(CLOSED);
}

async function checkEnd(v) {
  assert.equal(await exitOf(v.duel), 0);
  const counts = "select count(*), (select count(*) from fault) from game";
  assert.equal(execFileSync("sqlite3", [join(folder, v.results), counts], { encoding: "ascii" }), "1|0\n");
  bgref("verify", v.results);
  assert.match(await v.page.locator("#lines").textContent(), /You (win|lose) \d+ point/);
}

suite("a person plays", () => {}, () => {
  sit("a game by mouse and finger", async (v) => {
    let moves = 0;
    assert.deepEqual(await v.evaluate(() => [...document.querySelectorAll(".disc")].map((disc) => getComputedStyle(disc).backgroundColor)),
      ["rgb(28, 39, 51)", "rgb(251, 247, 236)"], "the opponent is dark");
    while (await toTurn(v)) {
      if (await has(v, "button.go")) {
        await after(v, () => click(v, "button.go"));
        continue;
      }
      moves++;
      if (moves % 3 === 0) {
        await after(v, () => drag(v, ".spot.from", ".spot.to"), POS);
        continue;
      }
      const touch = moves % 3 === 1 ? tap : click;
      await after(v, () => touch(v, ".spot.from"));
      await after(v, () => touch(v, ".spot.to"));
    }
    assert.ok(moves > 3);
    await checkEnd(v);
  });

  sit("a game by keys", async (v) => {
    let hasUndone = false;
    await v.evaluate(LATE);
    await v.press("?");
    await v.until("document.getElementById('keys').open");
    await v.press("Escape");
    await v.until("!document.getElementById('keys').open");
    while (await toTurn(v)) {
      assert.equal(await asksTwice(v), false);
      if (await has(v, "button.go")) {
        await after(v, () => v.press("Enter"));
        continue;
      }
      await after(v, () => v.press("ArrowRight"));
      if (await v.page.locator(".spot.to").count() > 1) {
        await after(v, () => v.press("ArrowDown"));
      }
      assert.match(await said(v), /^(\d+|bar) to (\d+|off)$/);
      assert.ok(await isSeen(v));
      await after(v, () => v.press("Enter"));
      if (!hasUndone) {
        hasUndone = true;
        await after(v, () => v.press("u"));
        await after(v, () => v.press("r"));
        assert.match(await said(v), /Resign a single game: Enter sends it/);
        await after(v, () => v.press("u"));
        assert.equal(await has(v, "button.go"), false);
      }
    }
    assert.ok(hasUndone);
    await checkEnd(v);
  });

  sit("the page fits and has one holder", async (v) => {
    assert.ok(await toTurn(v));
    await v.check("/play/");
    v.expected = /^Failed to load resource: .* status of 409/; // the other page hears so
    const other = await v.newPage();
    await other.goto(v.link.href);
    await other.waitForFunction(() => document.getElementById("question")?.textContent.startsWith("another page plays this seat"));
    const before = await v.evaluate(SEEN);
    await v.open(v.link.href.slice(v.link.origin.length));
    await v.until(`document.getElementById("question") !== null && ${SEEN} === ${JSON.stringify(before)}`);
  });
});
