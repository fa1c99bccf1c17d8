// What every file of tests here stands on: one Chromium for the file and a folder for what is played; each test has a page of its own, of
// which everything is kept that it said on the console and asked for. The programs are those of BGREF_BIN, or of build/release/bin.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BOUND_MS, launch } from "./chromium.js";

export const HERE = fileURLToPath(new URL(".", import.meta.url));
export const BIN = resolve(process.env.BGREF_BIN ?? join(HERE, "..", "..", "build", "release", "bin"));
export const POISON = "<img src=x onerror=document.title='poisoned'>";
export const folder = mkdtempSync(join(tmpdir(), "bgref-browser-"));
const AXE = readFileSync(join(HERE, "node_modules", "axe-core", "axe.min.js"), "utf8");
const VIEWS = [[320, "light"], [390, "light"], [900, "dark"], [1280, "dark"]];
const children = new Set();
let browser;

// The tests of a file: prepare is called once.
export function suite(name, prepare, tests) {
  describe(name, () => {
    before(async () => {
      browser = await launch();
      await prepare();
    });
    after(async () => {
      await browser.close();
      await Promise.all([...children].map(kill));
      rmSync(folder, { recursive: true, force: true, maxRetries: 9 });
    });
    tests();
  });
}

// A test: body has a Visitor, whose page has said nothing and asked nobody elsewhere when it is over.
export function visit(name, body, options = {}) {
  it(name, { timeout: 10 * BOUND_MS }, async () => {
    const visitor = new Visitor();
    try {
      visitor.page = await visitor.newPage(options);
      await body(visitor);
      await visitor.checkSaid();
    } finally {
      await visitor.end();
    }
  });
}

export class Visitor {
  said = [];
  asked = [];
  origins = [];
  contexts = [];
  children = [];

  // A page of another visitor: it shares no cookies with those before.
  async newPage(options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(BOUND_MS);
    context.on("console", (message) => this.said.push(message.text()));
    context.on("weberror", (error) => this.said.push(String(error.error())));
    context.on("dialog", (dialog) => { this.said.push(dialog.message()); return dialog.dismiss(); });
    context.on("request", (request) => this.asked.push(request.url()));
    this.contexts.push(context);
    return context.newPage();
  }

  get origin() {
    return this.origins.at(-1);
  }

  // Opens pages from there, too.
  turnTo(origin) {
    this.origins.push(origin.replace(/\/$/, ""));
  }

  // A program that ends with the test.
  start(program, words, options) {
    const child = start(program, words, options);
    this.children.push(child);
    return child;
  }

  async end() {
    await Promise.all(this.contexts.map((context) => context.close()));
    await Promise.all(this.children.map(kill));
  }

  // Opens a page; its script has run.
  async open(path, width = 1280) {
    await this.page.setViewportSize({ width, height: 900 });
    await this.page.goto("about:blank"); // else another #t=N were no new page
    await this.page.goto(this.origin + path);
  }

  evaluate(what, argument) {
    return this.page.evaluate(what, argument);
  }

  // condition: a function of argument, or an expression, which pages do not let be evaluated again and again.
  until(condition, argument) {
    return this.page.waitForFunction(typeof condition === "string" ? new Function(`return ${condition}`) : condition, argument, { polling: 10 });
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  board() {
    return this.evaluate(() => document.querySelector("svg.board").outerHTML);
  }

  caption() {
    return this.evaluate(() => document.querySelector(".position figcaption").textContent);
  }

  // How many elements of each kind a page has whose scripts do not run.
  async countWithoutScript(path, ...selectors) {
    const page = await this.newPage({ javaScriptEnabled: false });
    await page.goto(this.origin + path);
    return Promise.all(selectors.map((selector) => page.locator(selector).count()));
  }

  // What holds of every page, as it stands: as wide as its window, a day and a night, foreign words are text, and no serious barrier.
  async check(path) {
    const isOverlay = path.includes("/overlay/"); // what lies below that is not ours
    const colours = new Set();
    for (const [width, colorScheme] of VIEWS) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.setViewportSize({ width, height: 900 });
      assert.ok(await this.evaluate(() => document.documentElement.scrollWidth) <= width, `${path} is wider than ${width}`);
      colours.add(await this.evaluate(() => getComputedStyle(document.body).backgroundColor));
      if (!isOverlay && (width === 390 || width === 1280)) {
        const barriers = await this.barriers();
        assert.equal(barriers.length, 0, `${path} ${colorScheme}: ${JSON.stringify(barriers)}`);
      }
    }
    await this.page.emulateMedia({ colorScheme: null });
    assert.equal(colours.size, isOverlay ? 1 : 2, path);
    await this.checkText(path);
  }

  async barriers() {
    if (await this.evaluate(() => globalThis.axe === undefined)) {
      await this.evaluate(AXE);
    }
    return this.evaluate(async () => (await globalThis.axe.run()).violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
      .map((rule) => [rule.id, rule.nodes[0].html.slice(0, 200)]));
  }

  async checkText(path) {
    assert.deepEqual(await this.evaluate(() => [document.querySelectorAll("img").length, document.title === "", document.title === "poisoned"]),
      [0, false, false], path);
  }

  // The console got nothing but what a test has expected, and nobody elsewhere was asked.
  async checkSaid() {
    await this.evaluate(() => 1); // what it has to tell comes before the answer
    const said = this.said.filter((words) => !this.expected?.test(words));
    const elsewhere = this.asked.filter((url) => url !== "about:blank" && !this.origins.some((origin) => url.startsWith(`${origin}/`)));
    assert.ok(this.asked.length > 0);
    assert.deepEqual({ said, elsewhere }, { said: [], elsewhere: [] });
  }
}

export function bgref(...words) {
  execFileSync(join(BIN, "bgref"), words, { cwd: folder, stdio: "pipe" });
}

// Starts a program, which the file's end kills at the latest.
export function start(program, words, stdio = ["ignore", "pipe", "ignore"]) {
  const child = spawn(program, words, { cwd: folder, stdio });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

// Starts bgref watch; returns its origin.
export async function serve(visitor, results, ...words) {
  return (await firstLine((visitor ?? { start }).start(join(BIN, "bgref"), ["watch", results, ...words]).stdout)).trim();
}

// Starts a server of files, which knows nothing of ours; returns its origin.
export async function serveFolder(visitor, path) {
  const server = visitor.start("/usr/bin/python3", ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", path, "0"]);
  return /http:\S+(?=\/)/.exec(await firstLine(server.stdout))[0];
}

export async function firstLine(stream) {
  return (await once(createInterface(stream), "line", { signal: AbortSignal.timeout(BOUND_MS) }))[0];
}

export const exitOf = async (child) => child.exitCode ?? (await once(child, "exit", { signal: AbortSignal.timeout(BOUND_MS) }))[0];

async function kill(child) {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}

// Until the condition holds; returns what it returned.
export async function until(condition) {
  for (const end = Date.now() + BOUND_MS; ; await pause(10)) {
    const is = await condition();
    if (is) {
      return is;
    }
    assert.ok(Date.now() < end, `not within ${BOUND_MS} ms: ${condition}`);
  }
}

export const read = (name) => readFileSync(join(folder, name), "utf8");
export const write = (name, text) => writeFileSync(join(folder, name), text);

// Writes a bot, whose best_index is that of the body; returns its path.
export function script(name, body) {
  const path = join(folder, name);
  write(name, `#!/usr/bin/python3
import os, sys, time
sys.path.insert(0, ${JSON.stringify(join(BIN, "bots", "python"))})
import bgref_bot
${body}bgref_bot.best_index = best_index
bgref_bot.main()
`);
  chmodSync(path, 0o755);
  return path;
}
