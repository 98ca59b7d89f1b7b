//! Serves a script on loopback until stdin is closed, so that an agent's screen can be looked at by hand:
//! `scripted '[[{"tool": "Bash", "input": {"command": "ls"}}], "done"]'`. A text ends the agent's turn, a list is calls.

use checkrein_model::{Call, Script, Server, Turn};
use serde_json::Value;
use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let script = std::env::args().nth(1).ok_or("usage: scripted SCRIPT")?;
    let turns: Vec<Value> = serde_json::from_str(&script)?;
    let server = Server::start(Script::new(turns.iter().map(turn)))?;
    println!("{}", server.url());
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

fn turn(turn: &Value) -> Turn {
    let call = |call: &Value| {
        Call::new(call["tool"].as_str().unwrap_or_default(), call.get("input").cloned().unwrap_or_default())
    };
    match turn {
        Value::Array(calls) => Turn::calls(calls.iter().map(call)),
        text => Turn::text(text.as_str().unwrap_or_default()),
    }
}
