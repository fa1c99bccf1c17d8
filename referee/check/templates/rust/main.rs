//! @NAME@ - a bot for the backgammon referee bgref.
//!
//! The referee lists the legal results of every roll and the bot picks one, so it needs no rules of
//! its own. bgref.proto says what is in every message, docs/protocol.md of bgref how they are used.

use std::env;
use std::error::Error;
use std::process;

use prost::Message;

#[allow(dead_code)]
mod pb {
    include!(concat!(env!("OUT_DIR"), "/bgref.v1.rs"));
}

use pb::answer::Content as Reply;
use pb::to_bot::Content as Told;
use pb::to_referee::Content as Says;
use pb::{Action, Decision};

const PROTOCOL: u32 = 2;
const LINGER_MS: i32 = 2000; // how long what was sent may still travel at the end

/// What a result is worth to us: make this yours. Here: the rearmost checker should be far on its
/// way. `own` and `opponent` hold checkers by slot, each counted from its own side: slot 25 is the bar,
/// 24 to 1 are the points on the way home, 0 is borne off. Trailing zeros are left out.
fn worth(position: &pb::Position) -> f64 {
    let rearmost = position.own.iter().rposition(|&checkers| checkers > 0);
    -(rearmost.unwrap_or(0) as f64)
}

fn best_index(results: &[pb::Result]) -> u32 {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, result) in results.iter().enumerate() {
        let value = result.position.as_ref().map_or(f64::NEG_INFINITY, worth);
        if value > best.1 {
            best = (index as u32, value);
        }
    }
    best.0
}

/// Decides one Ask.
fn answer(ask: &pb::Ask) -> pb::Answer {
    let action = |action: Action| Some(Reply::Action(action as i32));
    let content = match Decision::from_i32(ask.kind).unwrap_or(Decision::None) {
        Decision::Play => Some(Reply::Index(best_index(&ask.results))),
        Decision::Double => action(Action::Roll),
        Decision::Take | Decision::Raise => action(Action::Take),
        Decision::Keep => action(Action::Keep),
        Decision::Name => Some(Reply::Name(6)),
        Decision::Resignation => action(Action::Accept),
        _ => None, // decisions of rules that this bot does not play by
    };
    pb::Answer {
        decision: ask.decision,
        content,
        ..Default::default() // thought: what people see of it later
    }
}

fn hello(token: String) -> Says {
    Says::Hello(pb::Hello {
        protocols: vec![PROTOCOL],
        token,
        pid: process::id(),
        name: "@NAME@".into(),
        version: "0.1".into(),
        max_in_flight: 64, // with a slow engine: 1
        want_plays: true,
        ..Default::default()
    })
}

/// The first field of a message is the number of its content, also of one that our schema lacks.
fn content_number(frame: &[u8]) -> u32 {
    let mut bytes = frame;
    prost::encoding::decode_varint(&mut bytes).map_or(0, |tag| (tag >> 3) as u32)
}

/// What answers a frame: `Ok(None)` when nothing does, `Err` when the bot should end.
fn reply(frame: &[u8]) -> Result<Option<Says>, Box<dyn Error>> {
    Ok(match pb::ToBot::decode(frame)?.content {
        Some(Told::Asks(asks)) => Some(Says::Answers(pb::Answers {
            answers: asks.asks.iter().map(answer).collect(),
        })),
        Some(Told::Welcome(welcome)) => {
            if welcome.protocol != PROTOCOL || !welcome.options.is_empty() {
                return Err("this bot speaks protocol 2 and has no options".into());
            }
            Some(Says::Ready(pb::Ready::default()))
        }
        Some(Told::NewGame(new_game)) => Some(Says::Ready(pb::Ready {
            game: new_game.begin.unwrap_or_default().game,
        })),
        Some(Told::Ping(ping)) => Some(Says::Pong(pb::Pong { nonce: ping.nonce })),
        Some(Told::Refusal(refusal)) => {
            return Err(format!("refused: {}: {}", refusal.what, refusal.why).into());
        }
        Some(Told::Goodbye(_)) => process::exit(0),
        Some(Told::Tells(_)) | Some(Told::NotUnderstood(_)) => None,
        _ => Some(Says::NotUnderstood(pb::NotUnderstood {
            field: content_number(frame),
        })),
    })
}

fn variable(name: &str) -> Result<String, Box<dyn Error>> {
    env::var(name).map_err(|_| {
        format!(
            "{name} is not set: the referee starts this program, for instance with \
             `bgref duel ./@NAME@ random`"
        )
        .into()
    })
}

fn run() -> Result<(), Box<dyn Error>> {
    let endpoint = variable("BGREF_ENDPOINT")?;
    let token = variable("BGREF_TOKEN")?;
    let context = zmq::Context::new();
    let socket = context.socket(zmq::DEALER)?;
    socket.set_linger(LINGER_MS)?;
    socket.set_sndhwm(0)?;
    socket.set_rcvhwm(0)?;
    socket.connect(&endpoint)?;
    let send = |content: Says| {
        socket.send(
            pb::ToReferee {
                content: Some(content),
            }
            .encode_to_vec(),
            0,
        )
    };
    send(hello(token))?;
    loop {
        if let Some(content) = reply(&socket.recv_bytes(0)?)? {
            send(content)?;
        }
    }
}

fn main() {
    if let Err(why) = run() {
        eprintln!("@NAME@: {why}");
        process::exit(1);
    }
}
