// Draws a position from its text (results/record/pos.h): for replays, live boards and play.
// The drawing is that of results/document/board_svg.c, byte for byte (tests/browser compares them), so that a page looks
// the same with and without script. Every name and number is the same there.

const UNIT = 60, RIM = 12, COLUMN = 62, LEFT = RIM + COLUMN + RIM, BAR = LEFT + 6 * UNIT, HALF = BAR + UNIT;
const RIGHT = HALF + 6 * UNIT, TRAY = RIGHT + RIM, WIDTH = TRAY + COLUMN + RIM, EDGE = 26, STACK = 5, BAR_STACK = 3, GAP = 90;
const SPIKE = STACK * UNIT - 8, MIDDLE = EDGE + STACK * UNIT + GAP / 2, THIRD = EDGE + 2 * STACK * UNIT + GAP;
const RADIUS = UNIT / 2 - 2, LIFT = UNIT / 5, SLAB = 16, SLAB_STEP = 18, SQUARE = 50, DIE_STEP = SQUARE + 8, EYE = 13, HAND = 110;
const EYES = ["", "5", "37", "357", "1379", "13579", "134679"];

export function escapeText(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (letter) => names[letter]);
}

const seatOf = (letter) => ({ w: 0, b: 1 })[letter] ?? -1;

// The other side's number of a point: contrary, parallel or one way; a third row is the same for both.
const otherPoint = (way, point) => point > 24 ? point : way === "p" ? point + (point <= 12 ? 12 : -12) : way === "o" ? point : 25 - point;

// Returns what the text says. at[seat] has its checkers by its own points (1 to 24 or 36), and bar, hand and off; pinned[seat]
// and stacked[seat] likewise; last.moves are pairs of such places.
export function readPos(text) {
  const [board, bar, hand, off, mover, flags, way, cube, dice, last] = text.split("|");
  const groups = board.split("/"), points = 6 * groups.length;
  const at = [{}, {}], pinned = [{}, {}], stacked = [{}, {}];
  let point = points;

  for (const piece of groups.flatMap((group) => group.match(/-|[wb]\d+(\+[wb]1)?/g))) {
    const [, letter, count, under] = /^(?:-|([wb])(\d+)(\+)?.*)$/.exec(piece);
    if (letter !== undefined) {
      const seat = seatOf(letter), own = (side) => side === 0 ? point : otherPoint(way, point);
      at[seat][own(seat)] = Number(count);
      if (under !== undefined) {
        at[1 - seat][own(1 - seat)] = 1;
        pinned[1 - seat][own(1 - seat)] = true;
      }
    }
    point--;
  }
  [["bar", bar], ["hand", hand], ["off", off]].forEach(([name, pair]) => pair.split(",").forEach((count, seat) => {
    at[seat][name] = Number(count);
  }));
  if (flags.startsWith("k=")) {
    flags.slice(2).split("/").forEach((piles, seat) => [...piles].forEach((count, i) => { stacked[seat][6 - i] = Number(count); }));
  }
  const [, value, owner, offered] = /^(?:-|(\d+)([wb-])(?:!([wb]))?)$/.exec(cube);
  return {
    points, way, at, pinned, stacked, flags, mover: seatOf(mover), cube: value, owner: seatOf(owner), offered: seatOf(offered),
    dice: (dice.match(/\d\.?/g) ?? []).map((die) => ({ number: Number(die[0]), played: die.length > 1 })),
    last: { seat: seatOf(last[0]), moves: last === "-" ? [] : last.slice(1).split(",").map((move) => move.split("/")) },
  };
}

// Pips that a seat needs; bar and hand count one more than the last point.
export function pipsOf(position, seat) {
  return Object.entries(position.at[seat]).reduce((sum, [place, count]) =>
    sum + count * (place === "off" ? 0 : Number(place) || position.points + 1), 0);
}

// The parts of a drawing. Its methods have the names of the functions in C.
class Drawing {
  constructor(position, below) {
    Object.assign(this, { position, below });
    this.bottom = position.points === 36 ? THIRD + GAP + STACK * UNIT : THIRD;
  }

  count(seat, place) {
    return this.position.at[seat][place] ?? 0;
  }

  // The point in the numbering of the seat below, of a seat's own point; and back.
  seen(seat, point) {
    return seat === this.below ? Number(point) : otherPoint(this.position.way, Number(point));
  }

  base(point) {
    return isHigh(point) ? EDGE : point > 24 ? THIRD : this.bottom;
  }

  // For who does not see it: each side's checkers by its own points.
  describe() {
    const { points, mover, dice } = this.position, names = ["White", "Black"];
    const places = [...Array.from({ length: points }, (_, i) => points - i), "bar", "hand", "off"];
    const sides = names.map((name, seat) => name + places.filter((place) => this.count(seat, place) > 0)
      .map((place) => ` ${place}:${this.count(seat, place)}`).join("") + `, ${pipsOf(this.position, seat)} pips. `);

    return `<desc>${sides.join("")}${names[mover]} to play${dice.map(({ number }) => ` ${number}`).join("")}</desc>\n`;
  }

  spikes() {
    const height = this.bottom - EDGE;
    let out = `<rect class="frame" width="${WIDTH}" height="${this.bottom + EDGE}" rx="10"/>\n` +
      rect("wood", RIM, EDGE, COLUMN, height) + rect("felt", LEFT, EDGE, 6 * UNIT, height) +
      rect("felt", HALF, EDGE, 6 * UNIT, height) + rect("wood", TRAY, EDGE, COLUMN, height);

    for (let point = 1; point <= this.position.points; point++) {
      const x = pointX(point), base = this.base(point), way = isHigh(point) ? 1 : -1;
      out += `<path class="p${point % 2}" d="M${x + 1} ${base}l${UNIT / 2 - 1} ${way * SPIKE}l${UNIT / 2 - 1} ${-way * SPIKE}z"/>\n` +
        words("num", x + UNIT / 2, base + (way > 0 ? -8 : 18), this.seen(this.position.mover, point));
    }
    return out;
  }

  hasPinned(seat, place) {
    return Boolean(this.position.pinned[1 - seat][otherPoint(this.position.way, Number(place))]);
  }

  // Where checker number i of a seat's place lies, from 0 at the edge.
  placeOf(seat, place, i) {
    const isBelow = seat === this.below;

    if (place === "bar") {
      return { x: BAR + UNIT / 2, y: MIDDLE + (isBelow ? -1 : 1) * (34 + UNIT * Math.min(i, BAR_STACK - 1)) };
    }
    if (place === "hand") {
      return { x: RIM + COLUMN / 2, y: isBelow ? this.bottom - HAND : EDGE + HAND };
    }
    if (place === "off") {
      return { x: TRAY + COLUMN / 2, y: isBelow ? this.bottom - SLAB_STEP * i - SLAB / 2 - 1 : EDGE + SLAB_STEP * i + SLAB / 2 + 1 };
    }
    const point = this.seen(seat, place), way = isHigh(point) ? 1 : -1, stacked = this.position.stacked[seat][place] ?? 0;
    const flat = this.count(seat, place) - stacked;
    i = Math.min(i, STACK); // of a ring only: it lies above a whole stack
    const high = stacked > 0 && i >= flat ? UNIT * (flat - 1) + LIFT * (i - flat + 1) : UNIT * i;
    return { x: pointX(point) + UNIT / 2,
      y: this.base(point) + way * (high + UNIT / 2 + (this.hasPinned(seat, place) ? LIFT : 0)) };
  }

  stack(seat, place, most) {
    const count = this.count(seat, place);
    let out = "";

    for (let i = 0; i < count && i < most; i++) {
      out += checker(seat, this.placeOf(seat, place, i));
    }
    if (count > most || (count > 0 && place === "hand")) {
      const top = this.placeOf(seat, place, most - 1);
      out += words(`n${seat}`, top.x, top.y + 9, count);
    }
    return out;
  }

  // A pinned checker is drawn first: what pins it lies on it.
  checkers() {
    let out = "";

    for (let point = 1; point <= this.position.points; point++) {
      for (const under of [true, false]) {
        for (let seat = 0; seat < 2; seat++) {
          const own = this.seen(seat, point);
          if (Boolean(this.position.pinned[seat][own]) === under) {
            out += this.stack(seat, own, STACK);
          }
        }
      }
    }
    for (let seat = 0; seat < 2; seat++) {
      out += this.stack(seat, "bar", BAR_STACK) + this.stack(seat, "hand", 1);
    }
    return out;
  }

  trays() {
    let out = "";

    for (let seat = 0; seat < 2; seat++) {
      const isBelow = seat === this.below, off = this.count(seat, "off");
      for (let i = 0; i < off; i++) {
        const at = this.placeOf(seat, "off", i);
        out += rect(`c${seat}`, at.x - SQUARE / 2, at.y - SLAB / 2, SQUARE, SLAB);
      }
      if (off > 0) {
        out += words("num", TRAY + COLUMN / 2, isBelow ? this.bottom + 18 : 18, off);
      }
      out += words("pips", TRAY + COLUMN / 2, isBelow ? this.bottom - 311 : EDGE + 331, pipsOf(this.position, seat));
    }
    return out;
  }

  ring(name, isSlab, at) {
    return isSlab ? rect(name, at.x - SQUARE / 2, at.y - SLAB / 2, SQUARE, SLAB)
      : `<circle class="${name}" cx="${at.x}" cy="${at.y}" r="${RADIUS}"/>\n`;
  }

  // Rings the checkers of the last play; a dashed ring shows where each came from.
  rings() {
    const { seat, moves } = this.position.last;
    let out = "";

    moves.forEach(([from, to], i) => {
      const count = this.count(seat, to), most = to === "off" || count < STACK ? count : STACK;
      const before = moves.slice(0, i);
      const arrived = 1 + before.filter((move) => move[1] === to).length;
      if (from !== to) {
        out += this.ring("from", false, this.placeOf(seat, from, this.count(seat, from) + before.filter((move) => move[0] === from).length));
      }
      if (most >= arrived) {
        out += this.ring("ring", to === "off", this.placeOf(seat, to, most - arrived));
      }
    });
    return out;
  }

  // The middle of a seat's right half, as it sits.
  half(seat) {
    return (seat === this.below ? HALF : LEFT) + 3 * UNIT;
  }

  cube() {
    const { cube, owner, offered } = this.position;
    let x = RIM + COLUMN / 2, out = "";
    let y = owner < 0 ? (EDGE + this.bottom) / 2 : owner === this.below ? this.bottom - SQUARE / 2 - 6 : EDGE + SQUARE / 2 + 6;

    if (cube === undefined) {
      return "";
    }
    if (offered >= 0) {
      x = this.half(offered) - UNIT;
      y = MIDDLE;
      out = `<text class="says" x="${x + 100}" y="${y + 11}">doubles</text>\n`;
    }
    return `${out}<rect class="cube" x="${x - SQUARE / 2}" y="${y - SQUARE / 2}" width="${SQUARE}" height="${SQUARE}" rx="8"/>\n` +
      `<text class="value" x="${x}" y="${y + 9}"${cube === "1" ? ` transform="rotate(-90 ${x} ${y})"` : ""}>${cube === "1" ? 64 : cube}</text>\n`;
  }

  dice() {
    const { dice, mover } = this.position;
    const first = this.half(mover) - (dice.length * DIE_STEP - 8) / 2;

    return dice.map(({ number, played }, i) => {
      const x = first + i * DIE_STEP;
      const eyes = [...EYES[number]].map((eye) => `<circle cx="${x + SQUARE / 2 + EYE * ((eye - 1) % 3 - 1)}" ` +
        `cy="${MIDDLE + EYE * (Math.floor((eye - 1) / 3) - 1)}" r="5"/>`).join("");
      return `<g class="d${mover}${played ? " played" : ""}"><rect x="${x}" y="${MIDDLE - SQUARE / 2}" width="${SQUARE}" ` +
        `height="${SQUARE}" rx="9"/>${eyes}</g>\n`;
    }).join("");
  }
}

function pointX(point) {
  const column = point <= 12 ? 12 - point : point <= 24 ? point - 13 : 36 - point;
  return LEFT + column * UNIT + (column >= 6 ? UNIT : 0);
}

function isHigh(point) {
  return point > 12 && point <= 24;
}

function words(name, x, y, number) {
  return `<text class="${name}" x="${x}" y="${y}">${number}</text>\n`;
}

function rect(name, x, y, width, height) {
  return `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}"/>\n`;
}

function checker(seat, at) {
  return `<circle class="c${seat}" cx="${at.x}" cy="${at.y}" r="${RADIUS}"/>\n` +
    `<circle class="r${seat}" cx="${at.x}" cy="${at.y}" r="${RADIUS - 7}"/>\n`;
}

// Returns the drawing of a position; below: the seat at the bottom, moving to the lower right; label: for screen readers.
export function drawPos(text, below, label) {
  const drawing = new Drawing(readPos(text), below);

  return `<svg class="board" role="img" viewBox="0 0 ${WIDTH} ${drawing.bottom + EDGE}" xmlns="http://www.w3.org/2000/svg" ` +
    `data-pos="${escapeText(text)}" data-below="${below}" aria-label="${escapeText(label)}">\n${drawing.describe()}${drawing.spikes()}` +
    `${drawing.trays()}${drawing.checkers()}${drawing.rings()}${drawing.cube()}${drawing.dice()}</svg>\n`;
}

// Returns where a seat's place (a point of its own, "bar", "hand", "off") lies in the drawing.
export function areaOf(text, below, seat, place) {
  const drawing = new Drawing(readPos(text), below), isBelow = seat === below, height = STACK * UNIT;

  if (place === "bar") {
    return { x: BAR, y: isBelow ? EDGE : MIDDLE, width: UNIT, height: MIDDLE - EDGE };
  }
  if (place === "off") {
    return { x: TRAY, y: isBelow ? drawing.bottom - height : EDGE, width: COLUMN, height };
  }
  if (place === "hand") {
    return { x: RIM, y: drawing.placeOf(seat, place, 0).y - UNIT / 2, width: COLUMN, height: UNIT };
  }
  const point = drawing.seen(seat, place), base = drawing.base(point);
  return { x: pointX(point), y: isHigh(point) ? base : base - height, width: UNIT, height };
}
