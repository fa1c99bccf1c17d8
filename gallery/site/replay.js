// The page of a game: walks through the rows of its table of steps, each with the position that the step leaves.

import { drawPos } from "./board.js";

const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", " ": "play", f: "flip" };
const BUTTONS = [["first", "|◀", "first step (Home)"], ["back", "◀◀", "one step back (←)"], ["play", "▶", "play, stop (space)"],
  ["on", "▶▶", "one step on (→)"], ["last", "▶|", "last step (End)"], ["flip", "⇅", "turn the board (f)"]];
const PLAY_MS = 900;

// Shows step after step of a table beside its figure.
class Replay {
  constructor(table, figure) {
    this.figure = figure;
    this.caption = figure.querySelector("figcaption");
    this.end = { board: figure.querySelector("svg").outerHTML, words: this.caption.textContent };
    const place = (key) => table.querySelector(`th[data-key=${key}]`)?.cellIndex ?? -1;
    const words = place("did"); // a column without content is not there
    this.rows = [...table.tBodies[0].rows].map((row) => ({ row, words: row.cells[words]?.textContent ?? "", pos: row.dataset.pos }));
    this.below = 0;
    this.timer = 0;
    this.addButtons();
    this.rows.forEach(({ row }, i) => row.addEventListener("click", () => this.show(i)));
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.fromAddress());
    this.at = this.rows.length;
    this.fromAddress();
  }

  addButtons() {
    const bar = document.createElement("p");
    bar.className = "replay";
    for (const [what, sign, title] of BUTTONS) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.title = title;
      button.setAttribute("aria-label", title);
      button.addEventListener("click", () => this.act(what));
      bar.append(button);
    }
    this.figure.append(bar);
  }

  // "#t=12": step 12. Without one the last position is shown, as the page has it.
  fromAddress() {
    const step = /^#t=(\d+)$/.exec(location.hash);
    if (step !== null) {
      this.show(Number(step[1]) - 1);
    }
  }

  show(at) {
    this.at = Math.max(0, Math.min(at, this.rows.length));
    const now = this.rows[this.at];
    this.rows.forEach(({ row }, i) => row.toggleAttribute("data-now", i === this.at));
    this.caption.textContent = now === undefined ? this.end.words : `step ${this.at + 1}: ${now.words}`;
    if (now === undefined) {
      this.figure.querySelector("svg").outerHTML = this.end.board;
    } else {
      this.figure.querySelector("svg").outerHTML = drawPos(now.pos, this.below, this.caption.textContent);
    }
    history.replaceState(null, "", now === undefined ? location.pathname : `#t=${this.at + 1}`);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  act(what) {
    const to = { first: 0, back: this.at - 1, on: this.at + 1, last: this.rows.length }[what];

    if (what === "flip") {
      this.below = 1 - this.below;
      this.show(this.at);
    } else if (what !== "play") {
      this.stop();
      this.show(to);
    } else if (this.timer !== 0) {
      this.stop();
    } else {
      this.show(this.at >= this.rows.length ? 0 : this.at);
      this.timer = setInterval(() => {
        this.show(this.at + 1);
        if (this.at >= this.rows.length) {
          this.stop();
        }
      }, PLAY_MS);
    }
  }

  key(event) {
    const what = KEYS[event.key];
    const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);

    if (what === undefined || isTyping || event.ctrlKey || event.altKey || event.metaKey ||
      (event.key === " " && event.target.tagName === "BUTTON")) {
      return;
    }
    event.preventDefault();
    this.act(what);
  }
}

const table = document.querySelector("table[data-table=turns]");
const figure = document.querySelector("figure.position:has(svg)");
if (table !== null && figure !== null) {
  globalThis.replay = new Replay(table, figure);
}
