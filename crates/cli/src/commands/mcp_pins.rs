//! `checkrein mcp-pins`: shows the tools of MCP servers that wait for the user, and accepts them.

use crate::{
    args::McpPins,
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{data, out, style},
};
use anyhow::{Context, bail};
use checkrein::{
    Session,
    mcp_pins::{Pin, PinStore, Pins},
    sanitize,
};
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeMap;

pub(crate) fn run(arguments: &McpPins, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let places = policy::places(None, &Session::default());
    let state = places.state.context("HOME is not set, so no definitions are pinned")?;
    let store = PinStore::new(&state);
    let servers = store.all().context("the pins cannot be read")?;
    match (&arguments.accept, &arguments.forget) {
        (Some(name), _) => accept(&store, known(&servers, name)?, authority),
        (None, Some(name)) => forget(&store, known(&servers, name)?, authority),
        (None, None) if arguments.json => {
            data!("{}", style::json(json!({"servers": servers.iter().map(as_json).collect::<Vec<Value>>()})));
            Ok(ExitStatus::Success)
        }
        (None, None) => {
            list(&servers);
            Ok(ExitStatus::Success)
        }
    }
}

fn known<'a>(servers: &'a [Pins], name: &str) -> anyhow::Result<&'a Pins> {
    let found = servers.iter().find(|pins| pins.server == name);
    match (found, checkrein::nearest::nearest(name, servers.iter().map(|pins| pins.server.as_str()))) {
        (Some(found), _) => Ok(found),
        (None, Some(near)) => bail!("no MCP server is known as `{name}`\n\nhint: did you mean `{near}`?"),
        (None, None) => bail!("no MCP server is known as `{name}`\n\nhint: `checkrein mcp-pins` lists them"),
    }
}

fn accept(store: &PinStore, pins: &Pins, authority: &Authority) -> anyhow::Result<ExitStatus> {
    if pins.waiting.is_empty() {
        out!("No tool of `{}` is waiting.", style::harmless(&pins.server));
        return Ok(ExitStatus::Success);
    }
    for (name, pin) in &pins.waiting {
        show(name, pins.tools.get(name), pin);
    }
    if !authority.confirms("Accept these definitions, which agents read as instructions?")? {
        out!("Nothing was accepted.");
        return Ok(ExitStatus::Failure);
    }
    // Only the definitions that were shown are accepted; a tool that has changed again in the meantime is not.
    let shown: BTreeMap<String, String> =
        pins.waiting.iter().map(|(name, pin)| (name.clone(), pin.digest.clone())).collect();
    let accepted = store.accept(&pins.server, &shown).context("the pins cannot be written")?;
    for name in shown.keys().filter(|name| !accepted.contains(name)) {
        out!("`{}` has changed again and was not accepted.", style::harmless(name));
    }
    out!(
        "Accepted {} of {}. Running proxies notice this when the tools are listed again.",
        accepted.len(),
        shown.len()
    );
    Ok(ExitStatus::success_if(accepted.len() == shown.len()))
}

fn forget(store: &PinStore, pins: &Pins, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let server = style::harmless(&pins.server);
    if !authority.confirms(&format!(
        "Forget `{server}`, so that its next definitions are pinned without a question?"
    ))? {
        out!("Nothing was changed.");
        return Ok(ExitStatus::Failure);
    }
    store.forget(&pins.server).context("the pins cannot be removed")?;
    out!("Forgot `{server}`.");
    Ok(ExitStatus::Success)
}

fn list(servers: &[Pins]) {
    if servers.is_empty() {
        out!("No MCP server has been used through `checkrein mcp-proxy`.");
    }
    for pins in servers {
        let waiting = match pins.waiting.len() {
            0 => String::new(),
            1 => ", 1 is waiting for you".to_owned(),
            many => format!(", {many} are waiting for you"),
        };
        out!("{}: {} tools pinned{waiting}", style::harmless(&pins.server), pins.tools.len());
        for (name, pin) in &pins.waiting {
            show(name, pins.tools.get(name), pin);
        }
        if !pins.waiting.is_empty() {
            out!("  accept with: checkrein mcp-pins --accept {}", style::harmless(&pins.server));
        }
    }
}

/// Shows a new definition, or what is different from the old one.
fn show(name: &str, old: Option<&Pin>, new: &Pin) {
    let what = if old.is_some() { "changed" } else { "new" };
    out!("  {} ({what}):", style::harmless(name));
    let before = old.map(|pin| text(&pin.definition)).unwrap_or_default();
    let after = text(&new.definition);
    for change in TextDiff::from_lines(&before, &after).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        out!("    {sign} {}", style::harmless(change.value().trim_end_matches('\n')));
    }
}

/// Returns a definition as text, with every hidden character written out.
fn text(definition: &Value) -> String {
    sanitize::json(format!("{definition:#}\n"))
}

fn as_json(pins: &Pins) -> Value {
    let tools = |tools: &BTreeMap<String, Pin>| -> Value {
        tools.iter().map(|(name, pin)| (name.clone(), Value::from(pin.digest.clone()))).collect()
    };
    json!({"server": pins.server, "tools": tools(&pins.tools), "waiting": tools(&pins.waiting)})
}
