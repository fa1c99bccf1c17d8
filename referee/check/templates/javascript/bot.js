#!/usr/bin/env node
// @NAME@ - a bot for the backgammon referee bgref.
//
// The referee lists the legal results of every roll and the bot picks one, so it needs no rules of
// its own. bgref.proto says what is in every message, docs/protocol.md of bgref how they are used.
"use strict";

const path = require("node:path");
const protobuf = require("protobufjs");
const zmq = require("zeromq");

const PROTOCOL = 2;
const LOST_MS = 2000; // how long what was sent may still travel at the end
const schema = protobuf.loadSync(path.join(__dirname, "bgref.proto"));
const ToBot = schema.lookupType("bgref.v1.ToBot");
const ToReferee = schema.lookupType("bgref.v1.ToReferee");
const Decision = schema.lookupEnum("bgref.v1.Decision").values;
const Action = schema.lookupEnum("bgref.v1.Action").values;

// What a result is worth to us: make this yours. Here: the rearmost checker should be far on its
// way. position.own and position.opponent hold checkers by slot, each counted from its own side: slot 25
// is the bar, 24 to 1 are the points on the way home, 0 is borne off. Trailing zeros are left out.
function worth(position) {
  let slot = position.own.length - 1;
  while (slot > 0 && position.own[slot] === 0) slot--;
  return -slot;
}

function bestIndex(results) {
  const values = results.map((result) => worth(result.position));
  return values.length === 0 ? 0 : values.indexOf(Math.max(...values));
}

// The Answer to one Ask.
function answer(ask) {
  const decision = ask.decision;
  switch (ask.kind) {
    // What it thought, for people who look at the game later: thought: { chances: { win: 0.62 } }
    case Decision.DECISION_PLAY: return { decision, index: bestIndex(ask.results) };
    case Decision.DECISION_DOUBLE: return { decision, action: Action.ACTION_ROLL };
    case Decision.DECISION_TAKE:
    case Decision.DECISION_RAISE: return { decision, action: Action.ACTION_TAKE };
    case Decision.DECISION_KEEP: return { decision, action: Action.ACTION_KEEP };
    case Decision.DECISION_NAME: return { decision, name: 6 };
    case Decision.DECISION_RESIGNATION: return { decision, action: Action.ACTION_ACCEPT };
    default: return { decision };
  }
}

function hello() {
  return {
    hello: {
      protocols: [PROTOCOL],
      token: process.env.BGREF_TOKEN,
      pid: process.pid,
      name: "@NAME@",
      version: "0.1",
      maxInFlight: 64, // with a slow engine: 1
      wantPlays: true,
    },
  };
}

// The first field of a message is the number of its content, also of one that our schema lacks.
function contentNumber(frame) {
  return frame.length === 0 ? 0 : protobuf.Reader.create(frame).uint32() >>> 3;
}

function end(message) {
  if (message) process.stderr.write(`@NAME@: ${message}\n`);
  process.exit(message ? 1 : 0);
}

// The ToReferee that answers a frame, or null.
function reply(frame) {
  const message = ToBot.decode(frame);
  if (message.asks) return { answers: { answers: message.asks.asks.map(answer) } };
  if (message.welcome) {
    if (message.welcome.protocol !== PROTOCOL || message.welcome.options.length > 0) {
      end("this bot speaks protocol 2 and has no options");
    }
    return { ready: {} };
  }
  if (message.newGame) return { ready: { game: message.newGame.begin.game } };
  if (message.ping) return { pong: { nonce: message.ping.nonce } };
  if (message.refusal) end(`refused: ${message.refusal.what}: ${message.refusal.why}`);
  if (message.goodbye) end();
  if (message.tells || message.notUnderstood) return null;
  return { notUnderstood: { field: contentNumber(frame) } };
}

async function main() {
  for (const name of ["BGREF_ENDPOINT", "BGREF_TOKEN"]) {
    if (!process.env[name]) {
      end(`${name} is not set: the referee starts this program, for instance with ` +
          "`bgref duel ./@NAME@ random`");
    }
  }
  const socket = new zmq.Dealer({ linger: LOST_MS, sendHighWaterMark: 0, receiveHighWaterMark: 0 });
  socket.events.on("disconnect", () => end("the referee is gone"));
  socket.connect(process.env.BGREF_ENDPOINT);
  const send = (content) => socket.send(ToReferee.encode(ToReferee.create(content)).finish());
  await send(hello());
  for await (const [frame] of socket) {
    const out = reply(frame);
    if (out !== null) await send(out);
  }
}

main();
