// The page of a game (results/report/game.c): walks through its steps, each with the position that the step leaves, beside the
// list of turns and the graph. Without it the page has the last position and everything as tables.

import { drawPos, pipsOf, readPos } from "./board.js";

const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", " ": "play", f: "flip", "?": "help" };
const BUTTONS = [["first", "|◀", "first step (Home)"], ["back", "◀", "one step back (←)"], ["play", "▶", "play, stop (space)"],
  ["on", "▶", "one step on (→)"], ["last", "▶|", "last step (End)"], ["speed", "1×", "speed: once, four times"],
  ["flip", "⇅", "turn the board (f)"], ["help", "?", "keys (?)"]];
const HELP = [["← →", "one step back, one step on"], ["Home End", "the first step, the last one"], ["Space", "play, stop"],
  ["f", "turn the board"], ["?", "this list"], ["swipe", "on the board: one step"]];
const PLAY_MS = 1200, MOVE_MS = 250, SWIPE = 40;

// Makes an element: make("p", { className: "x" }, "text", other, ...).
export function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// Calls a button by its words, also for who does not see its sign.
function makeButton(sign, title, onclick) {
  const button = make("button", { type: "button", title, onclick }, sign);
  if (sign !== title) {
    button.setAttribute("aria-label", title);
  }
  return button;
}

const clockWords = (seconds) => {
  const all = Math.floor(seconds), two = (number) => String(number).padStart(2, "0");
  return all >= 3600 ? `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}` : `${Math.floor(all / 60)}:${two(all % 60)}`;
};

export class Replay {
  constructor(table, figure) {
    Object.assign(this, { figure, below: 0, timer: 0, speed: 1 });
    const place = (key) => table.querySelector(`th[data-key=${key}]`)?.cellIndex ?? -1;
    const words = place("did"), bot = place("bot"), win = place("win"); // a column without content is not there
    this.steps = [...table.tBodies[0].rows].map((row) => ({ row, words: row.cells[words].textContent, ...row.dataset,
      bot: row.cells[bot]?.textContent, win: parseFloat(row.cells[win]?.textContent),
      xgid: [...row.querySelectorAll("code")].map((code) => code.textContent).find((text) => text.startsWith("XGID=")) }));
    this.turns = [...document.querySelectorAll("table[data-table=list] tbody tr")].map((row) => ({ row, ...row.dataset,
      step: Number(row.dataset.step), verdict: row.cells[row.cells.length - 1].textContent.replace(/^-$/, "") }));
    this.isJudged = document.querySelector("table[data-table=list] th[data-key=verdict]") !== null;
    this.last = { words: figure.querySelector("figcaption").textContent,
      xgid: figure.querySelector("code")?.textContent };
    this.caption = figure.querySelector("figcaption");
    this.caption.setAttribute("aria-live", "polite");
    this.addControls();
    this.addGraph();
    this.addBlunders();
    this.steps.forEach(({ row }, i) => row.addEventListener("click", () => this.go(i)));
    this.turns.forEach(({ row, step }) => { // also for keys, and to copy
      row.cells[0].replaceChildren(make("a", { href: `#t=${step}` }, row.cells[0].textContent));
    });
    this.turns.forEach(({ row, step }) => row.addEventListener("click", (event) => event.target.closest("a") ?? this.go(step - 1)));
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.fromAddress());
    this.addSwipe();
    this.at = this.steps.length - 1;
    this.fromAddress();
  }

  addControls() {
    const bar = make("div", { className: "controls" });
    this.buttons = {};
    for (const [what, sign, title] of BUTTONS) {
      this.buttons[what] = makeButton(sign, title, () => this.act(what));
      bar.append(this.buttons[what]);
    }
    this.buttons.play.textContent = "play";
    this.help = make("dialog", {}, make("h2", {}, "Keys"), make("dl", {},
      ...HELP.flatMap(([key, words]) => [make("dt", {}, key), make("dd", {}, words)])),
      makeButton("close", "close", () => this.help.close()));
    const jumps = make("div", { className: "controls" }), copies = make("div", { className: "controls" });
    for (const [name, steps] of this.places()) {
      jumps.append(make("span", { className: "jump" },
        makeButton("◀", `the ${name} before`, () => this.jump(steps, -1)), make("span", {}, name),
        makeButton("▶", `the next ${name}`, () => this.jump(steps, 1))));
    }
    const games = [...document.querySelectorAll("table[data-table=leg] a[href*='/g/']")];
    const here = games.findIndex((link) => link.closest("th, td").classList.contains("strong"));
    for (const [way, link] of [["game before", games[here - 1]], ["next game", here < 0 ? undefined : games[here + 1]]]) {
      if (link !== undefined) {
        jumps.append(make("a", { href: link.href, className: "button" }, way));
      }
    }
    for (const [name, get] of [["XGID", () => this.known().xgid], ["Position ID", () => this.known().position_id],
      ["Match ID", () => this.known().match_id], ["link", () => location.href]]) {
      if (name === "link" || this.steps.some((step) => step.xgid !== undefined)) {
        copies.append(makeButton(name, `copy ${name}`, (event) => this.copy(event.currentTarget, get())));
      }
    }
    this.copied = make("span", { className: "copied", role: "status" });
    copies.prepend("copy ");
    copies.append(this.copied);
    this.figure.querySelector("dl")?.remove();
    this.figure.append(this.caption, bar, jumps, copies, this.help);
  }

  // Where the jumps lead: [name, steps from 0], those that the game has.
  places() {
    const steps = (test) => this.turns.filter(test).map((turn) => turn.step - 1);
    return [["blunder", steps((turn) => turn.mark === "blunder")],
      ["error", steps((turn) => turn.mark !== undefined && turn.mark !== "fault")],
      ["fault", steps((turn) => turn.mark === "fault")],
      ["cube", steps((turn) => turn.kind === "cube")]].filter(([, list]) => list.length > 0);
  }

  jump(steps, way) {
    const to = way > 0 ? steps.find((step) => step > this.at) : steps.findLast((step) => step < this.at);
    if (to !== undefined) {
      this.stop();
      this.go(to);
    }
  }

  // What other programs call the position that is seen: that of the next step's beginning.
  known() {
    return this.steps[this.at + 1] ?? this.last;
  }

  async copy(button, text) {
    await navigator.clipboard.writeText(text ?? "").catch(() => {});
    this.copied.textContent = text === undefined ? "this position has none" : `${button.textContent}: ${text}`;
  }

  // Each blunder leads to its step, on the board above.
  addBlunders() {
    for (const title of document.querySelectorAll("#blunders dt")) {
      if (title.textContent === "Step") {
        const step = title.nextElementSibling.textContent;
        title.nextElementSibling.replaceChildren(make("a", { href: `#t=${step}`, onclick: () => this.figure.scrollIntoView() },
          `${step}, on the board`));
      }
    }
  }

  // A click on the graph leads to the step; a line shows where the board is.
  addGraph() {
    this.area = document.querySelector(".lines .area");
    if (this.area === null) {
      return;
    }
    const { low, high } = this.area.dataset, box = () => this.area.getBoundingClientRect();
    const number = (name) => Number(this.area.getAttribute(name));
    this.graphX = (step) => number("x") + number("width") * (step - low) / (high - low);
    this.cursor = document.createElementNS("http://www.w3.org/2000/svg", "path");
    this.cursor.setAttribute("class", "cursor");
    this.area.before(this.cursor);
    this.area.addEventListener("click", (event) => {
      this.stop();
      this.go(Math.round(Number(low) + (high - low) * (event.clientX - box().left) / box().width) - 1);
    });
  }

  addSwipe() {
    let from = null;
    this.figure.addEventListener("touchstart", (event) => {
      from = event.target.closest("svg.board") !== null && event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    this.figure.addEventListener("touchend", (event) => {
      const to = event.changedTouches[0], across = from === null ? 0 : to.clientX - from.clientX;
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) {
        this.act(across < 0 ? "on" : "back");
      }
      from = null;
    });
  }

  // "#t=12": step 12. Without one the last position is shown, as the page has it.
  fromAddress() {
    const step = /^#t=(\d+)$/.exec(location.hash);
    if (step !== null) {
      this.go(Number(step[1]) - 1);
    } else {
      this.show();
    }
  }

  go(to) {
    const before = this.at;
    this.at = Math.max(0, Math.min(to, this.steps.length - 1));
    history.replaceState(null, "", `#t=${this.at + 1}`);
    this.show();
    if (this.at === before + 1) {
      this.move();
    }
  }

  show() {
    const step = this.steps[this.at], isLast = this.at === this.steps.length - 1;
    const turn = this.turns.find((one) => one.step > this.at);
    const verdict = turn !== undefined && turn.step === this.at + 1 && turn.mark !== undefined && turn.verdict !== "" && this.isJudged ? ` – ${turn.verdict}` : "";

    this.caption.textContent = `${this.at + 1}/${this.steps.length}: ${step.words}${verdict}${isLast ? ` – ${this.last.words}` : ""}`;
    this.caption.dataset.mark = turn !== undefined && turn.step === this.at + 1 ? turn.mark ?? "" : "";
    this.figure.querySelector("svg.board").outerHTML = drawPos(step.pos, this.below, this.caption.textContent);
    this.steps.forEach(({ row }, i) => row.toggleAttribute("data-now", i === this.at));
    for (const one of this.turns) {
      one.row.toggleAttribute("data-now", one === turn);
    }
    this.follow(turn?.row ?? step.row);
    this.showSides(step);
    this.cursor?.setAttribute("d", `M${this.graphX(this.at + 1)} ${this.area.getAttribute("y")}v${this.area.getAttribute("height")}`);
  }

  // Scrolls the list, not the page.
  follow(row) {
    const frame = row?.closest(".scroll");
    if (row !== undefined && frame.scrollHeight > frame.clientHeight) {
      const away = row.getBoundingClientRect().top - frame.getBoundingClientRect().top;
      if (away < 40 || away > frame.clientHeight - 80) {
        frame.scrollTop += away - frame.clientHeight / 2;
      }
    }
  }

  showSides(step) {
    const position = readPos(step.pos), svg = this.figure.querySelector("svg.board");

    for (const side of this.figure.querySelectorAll(".side")) {
      const seat = Number(side.dataset.seat), left = step[`left_s_seat${seat}`];
      side.querySelector(".count").textContent = `${pipsOf(position, seat)} pips`;
      side.querySelector(".next").textContent = step.next_seat === String(seat) ? "to play" : "";
      this.showThought(side);
      if (left !== undefined) {
        side.querySelector(".clock").textContent = clockWords(Number(left));
      }
      if (seat === this.below) {
        svg.after(side);
      } else {
        svg.before(side);
      }
    }
  }

  // How sure a bot was of winning when it last told.
  showThought(side) {
    const name = side.querySelector("bdi").textContent;
    const { win } = this.steps.slice(0, this.at + 1).findLast((step) => step.bot === name && !Number.isNaN(step.win)) ?? {};

    side.querySelector(".gauge")?.remove();
    if (win !== undefined) {
      side.querySelector(".clock").before(make("span", { className: "gauge", title: `${name} expects to win with this chance` },
        make("meter", { min: 0, max: 100, value: win }), make("span", {}, " expects"), ` ${Math.round(win)} %`));
    }
  }

  // Moves the checkers of a play that has just been drawn from where they came.
  move() {
    const rings = [...this.figure.querySelectorAll(".from + .ring")];
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || !readPos(this.steps[this.at].pos).dice.some((die) => die.played)) {
      return;
    }
    const middle = (element) => ["x", "y"].map((axis) => Number(element.getAttribute(`c${axis}`) ??
      Number(element.getAttribute(axis)) + element.getAttribute(axis === "x" ? "width" : "height") / 2));
    for (const ring of rings) {
      const [from, to] = [middle(ring.previousElementSibling), middle(ring)];
      const way = { transform: [`translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)`, "none"] };
      for (const part of this.figure.querySelectorAll("svg .c0, svg .c1, svg .r0, svg .r1, svg .ring")) {
        if (middle(part).join() === to.join()) {
          part.animate(way, { duration: MOVE_MS / this.speed, easing: "ease-out" });
        }
      }
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.buttons.play.textContent = "play";
  }

  play() {
    if (this.at === this.steps.length - 1) {
      this.go(0);
    }
    clearInterval(this.timer);
    this.buttons.play.textContent = "stop";
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.steps.length - 1) {
        this.stop();
      }
    }, PLAY_MS / this.speed);
  }

  act(what) {
    const to = { first: 0, back: this.at - 1, on: this.at + 1, last: this.steps.length - 1 }[what];

    if (to !== undefined) {
      this.stop();
      this.go(to);
    } else if (what === "flip") {
      this.below = 1 - this.below;
      this.show();
    } else if (what === "help") {
      this.help.showModal();
    } else if (what === "speed") {
      this.speed = 5 - this.speed;
      this.buttons.speed.textContent = `${this.speed}×`;
      if (this.timer !== 0) {
        this.play();
      }
    } else if (this.timer !== 0) {
      this.stop();
    } else {
      this.play();
    }
  }

  key(event) {
    const what = KEYS[event.key];
    const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) || this.help.open;

    if (what === undefined || isTyping || event.ctrlKey || event.altKey || event.metaKey ||
      (event.key === " " && ["BUTTON", "SUMMARY", "A"].includes(event.target.tagName))) {
      return;
    }
    event.preventDefault();
    this.act(what);
  }
}

const table = document.querySelector("table[data-table=turns]");
const figure = document.querySelector("#board figure.position");
if (table !== null && figure !== null) {
  globalThis.replay = new Replay(table, figure);
}
