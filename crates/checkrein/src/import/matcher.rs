//! Translates matchers of other programs into our patterns.

use super::{
    draft::{Draft, Key, Tools},
    regex::{Flavour, translate},
};
use checkrein_core::Pattern;
use std::collections::HashSet;

/// Whose matcher it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Names between `|` or `,`, or a JavaScript expression.
    Claude,
    /// Names between `|`, or a Rust expression.
    Codex,
    /// Names between `|`, or a JavaScript expression that a part of the name matches.
    Part,
    /// Names between `|`, or a JavaScript expression that the whole name matches.
    Whole,
    /// The fork at first: a name, `prefix*` or `*`.
    Glob,
    /// The fork later: always a Rust expression.
    Regex,
}

/// Our patterns for the matcher of a tool event, or why there are none.
pub(super) fn tools(text: &str, language: Language) -> Result<Tools, String> {
    match language {
        Language::Glob => glob(text),
        _ if is_all(text) => Ok(Tools::All),
        Language::Claude => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | ',' | '|');
            if text.chars().all(plain) { names(text, &['|', ',']) } else { regex(text, Flavour::JavaScript) }
        }
        Language::Codex => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '|');
            if text.chars().all(plain) { names(text, &['|']) } else { regex(text, Flavour::Rust) }
        }
        Language::Part | Language::Whole => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|');
            match language {
                _ if text.chars().all(plain) => names(text, &['|']),
                Language::Whole => regex(&format!("^(?:{text})$"), Flavour::JavaScript),
                _ => regex(text, Flavour::JavaScript),
            }
        }
        Language::Regex => regex(text, Flavour::Rust),
    }
}

/// Returns true if a matcher matches everything, whatever it is compared with.
pub(super) fn is_all(text: &str) -> bool {
    matches!(text, "" | "*" | ".*" | "^.*$" | "^.*" | ".*$" | ".+" | "^.+$")
}

fn names(text: &str, between: &[char]) -> Result<Tools, String> {
    let mut seen = HashSet::new();
    let names = text.split(between).map(str::trim).filter(|name| !name.is_empty() && seen.insert(*name));
    let names: Vec<String> = names.map(str::to_owned).collect();
    if names.is_empty() { Err("it names no tool".to_owned()) } else { Ok(Tools::Only(names)) }
}

fn glob(text: &str) -> Result<Tools, String> {
    if text == "*" {
        return Ok(Tools::All);
    }
    // These mean something else here.
    if text.starts_with("kind:") || text.starts_with('/') {
        return Err("no tool has such a name".to_owned());
    }
    text.parse::<Pattern>().map_err(|error| error.to_string())?;
    Ok(Tools::Only(vec![text.to_owned()]))
}

fn regex(text: &str, flavour: Flavour) -> Result<Tools, String> {
    translate(text, flavour).map(|pattern| Tools::Only(vec![pattern]))
}

/// Sets the tools of `draft`, or refuses it.
pub(super) fn apply(draft: &mut Draft, text: &str, language: Language) {
    match tools(text, language) {
        Ok(tools) => draft.tools = tools,
        Err(why) => {
            draft.refuse(format!("its matcher `{text}` cannot be written here: {why}"));
            draft.tools = Tools::Untold(text.to_owned());
        }
    }
    match language {
        Language::Claude => {
            draft.also_known_as(
                "Task",
                "Agent",
                "Claude Code's `Agent` was called `Task`, and its matchers know both",
            );
            warn_of_servers(draft);
        }
        Language::Codex => {
            let why = "Codex matches `apply_patch` by the names `Edit` and `Write` too";
            draft.also_known_as("Edit", "apply_patch", why);
            draft.also_known_as("Write", "apply_patch", why);
            draft.also_known_as(
                "Agent",
                "spawn_agent",
                "Codex matches `spawn_agent` by the name `Agent` too",
            );
        }
        Language::Part | Language::Whole | Language::Glob | Language::Regex => {}
    }
}

/// `mcp__memory` reads like all tools of a server, and is the name of none.
fn warn_of_servers(draft: &mut Draft) {
    let Tools::Only(patterns) = &draft.tools else { return };
    let servers: Vec<String> = patterns
        .iter()
        .filter(|name| name.strip_prefix("mcp__").is_some_and(|rest| !rest.contains("__")))
        .cloned()
        .collect();
    for name in servers {
        let text =
            format!("`{name}` is the name of no tool, there and here; `{name}__*` means all of that server");
        draft.explain(Key::Match, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(names: &[&str]) -> Result<Tools, String> {
        Ok(Tools::Only(names.iter().map(|name| (*name).to_owned()).collect()))
    }

    #[test]
    fn languages() {
        use Language::{Claude, Codex, Glob, Regex};
        for (language, text, expected) in [
            (Claude, "", Ok(Tools::All)),
            (Claude, "*", Ok(Tools::All)),
            (Claude, "^.*$", Ok(Tools::All)),
            (Claude, "Bash", only(&["Bash"])),
            (Claude, "Bash|Edit, Write|Bash|", only(&["Bash", "Edit", "Write"])),
            (Claude, "mcp__a-b__c", only(&["mcp__a-b__c"])),
            (Claude, "mcp__.*", only(&["/mcp__.*/"])),
            (Claude, "|", Err("it names no tool".to_owned())),
            (Codex, "Bash|Edit", only(&["Bash", "Edit"])),
            // A comma and a hyphen make it an expression there.
            (Codex, "Bash,Edit", only(&["/Bash,Edit/"])),
            (Codex, "mcp__a-b__c", only(&["/mcp__a-b__c/"])),
            (Glob, "*", Ok(Tools::All)),
            (Glob, "shell*", only(&["shell*"])),
            (Glob, "shell", only(&["shell"])),
            (Glob, "", Err("the pattern is empty; write `*` for every tool".to_owned())),
            (Glob, "kind:shell", Err("no tool has such a name".to_owned())),
            (Regex, "", Ok(Tools::All)),
            (Regex, "Bash", only(&["/Bash/"])),
            (Regex, "^Bash$", only(&["/^Bash$/"])),
        ] {
            assert_eq!(tools(text, language), expected, "{language:?} {text}");
        }
        assert!(tools("*shell", Glob).is_err());
    }
}
