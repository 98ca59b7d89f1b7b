//! Tools that add something to an agent or change its settings, and tools that install packages or start an agent.
//!
//! Each is written as the command line that does the same, so that the same rules apply.

use super::{Tool, ToolAction, has, texts};
use crate::{
    Action,
    tool::{
        arguments::{self, Argument, Meaning},
        call::{FileAccess, ToolCommand},
    },
};
use checkrein_core::Map;
use serde_json::Value;

/// Words of tools that add something.
const ADDING: &[&str] =
    &["install", "add", "register", "create", "connect", "enable", "configure", "set", "update", "save"];
/// Words for what an agent is extended with.
const EXTENSIONS: &[&str] = &["plugin", "plugins", "extension", "extensions", "marketplace"];
/// Words for settings.
const SETTINGS: &[&str] = &["settings", "setting", "config", "configuration", "preferences"];
/// Words of tools that change which packages are there, and what they do to one.
const PACKAGING: &[(&str, &str)] = &[
    ("uninstall", "uninstall"),
    ("remove", "uninstall"),
    ("delete", "uninstall"),
    ("purge", "uninstall"),
    ("install", "install"),
    ("add", "install"),
    ("upgrade", "install"),
    ("update", "install"),
];

impl Tool {
    /// Adds what the call does to an agent, or to the packages of this machine.
    pub(super) fn extends<'a>(
        &self,
        input: &'a Map,
        arguments: &[Argument<'a>],
        deeds: &mut Vec<ToolAction<'a>>,
    ) {
        self.adds_server(input, arguments, deeds);
        self.adds_skill(input, deeds);
        self.sets(input, deeds);
        self.packages(input, deeds);
        self.names(input, deeds);
        starts_agent(arguments, deeds);
    }

    fn adds(&self) -> bool {
        self.own.iter().any(|word| ADDING.contains(&word.as_str()))
    }

    /// A server or a plugin that an agent starts by itself from now on.
    fn adds_server<'a>(&self, input: &'a Map, arguments: &[Argument<'a>], deeds: &mut Vec<ToolAction<'a>>) {
        let servers = arguments.iter().any(|one| arguments::plain(one.name) == "mcpservers");
        // Clouds have servers, too; only one that is started by a command belongs to an agent.
        let is_started = |one: &&Argument<'_>| one.meaning() == Some(Meaning::Command);
        let command = arguments.iter().find(is_started);
        let server = has(&self.own, "mcp")
            || self.own.iter().any(|word| matches!(word.as_str(), "server" | "servers")) && command.is_some();
        let plugin = self.own.iter().any(|word| EXTENSIONS.contains(&word.as_str()));
        if self.adds() && (server || plugin) || servers {
            let name = arguments::of(input, Meaning::Name).next().unwrap_or("server");
            let words = ["claude", "mcp", "add", name, "--", "server"].map(str::to_owned).to_vec();
            deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
            // What it starts is judged as if it ran now.
            for argument in arguments.iter().filter(is_started) {
                self.command(argument, deeds);
            }
        }
    }

    /// Instructions that an agent follows by itself.
    fn adds_skill<'a>(&self, input: &'a Map, deeds: &mut Vec<ToolAction<'a>>) {
        let is_skill = |word: &String| matches!(word.as_str(), "skill" | "skills" | "slash");
        if !self.adds() || !self.own.iter().any(is_skill) {
            return;
        }
        let content = arguments::of(input, Meaning::Content).next();
        let path = ".claude/skills/skill/SKILL.md".into();
        // Without its text, it cannot be checked.
        deeds.push(match content {
            Some(text) => {
                ToolAction::FileAccess(FileAccess { action: Action::Write, path, content: Some(text.into()) })
            }
            None => ToolAction::FileAccess(FileAccess { action: Action::Write, path, content: None }),
        });
    }

    /// Settings of an agent that are arguments by themselves: `{"disableAllHooks": true}`.
    fn sets<'a>(&self, input: &'a Map, deeds: &mut Vec<ToolAction<'a>>) {
        if !self.own.iter().any(|word| SETTINGS.contains(&word.as_str())) {
            return;
        }
        let is_hook = |name: &str| name.to_ascii_lowercase().contains("hook");
        let nested = ["settings", "config", "values", "changes", "patch"];
        let inner = nested.iter().filter_map(|name| input.get(*name)?.as_object());
        for map in std::iter::once(input).chain(inner) {
            let hooks: Map = map
                .iter()
                .filter(|(name, _)| is_hook(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            // `{"path": "hooks", "value": null}`
            let named = ["path", "field", "property"].iter().filter_map(|key| map.get(*key)?.as_str());
            let named = named.filter(|name| is_hook(name)).map(str::to_owned);
            let named = named.map(|name| (name, map.get("value").cloned().unwrap_or(Value::Null)));
            let settings: Map = hooks.into_iter().chain(named).collect();
            if !settings.is_empty() {
                let settings = Value::Object(settings).to_string();
                let words = ["claude", "-p", "x", "--settings", &settings].map(str::to_owned).to_vec();
                deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
            }
        }
    }

    /// A name that means another command from now on.
    fn names<'a>(&self, input: &'a Map, deeds: &mut Vec<ToolAction<'a>>) {
        let name = arguments::of(input, Meaning::Name).next();
        if let Some(name) = name.filter(|_| has(&self.own, "alias") && (self.adds() || self.own.len() == 1)) {
            let words = ["alias".to_owned(), format!("{name}=x")].to_vec();
            deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
        }
    }

    /// Packages that are installed or removed.
    fn packages<'a>(&self, input: &'a Map, deeds: &mut Vec<ToolAction<'a>>) {
        let named = texts(input, &["package", "packages", "pkg", "package_name", "packageName"]);
        let done = PACKAGING.iter().find(|(word, _)| has(&self.own, word)).map(|(_, done)| *done);
        // A tool that uninstalls has nothing else to name; one that installs may be about anything.
        let named = if named.is_empty() && has(&self.own, "uninstall") {
            texts(input, &["name", "names", "formula", "cask", "crate", "gem", "module", "app", "tool"])
        } else {
            named
        };
        let Some(done) = done.filter(|_| !named.is_empty() && self.place().is_none()) else { return };
        let manager = texts(input, &["manager", "package_manager", "packageManager"]);
        let manager = manager.first().copied().unwrap_or("pip");
        let words = [manager, done].into_iter().chain(named).map(str::to_owned).collect();
        deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
    }
}

/// `{"agent": "claude", "flags": […]}`.
fn starts_agent<'a>(arguments: &[Argument<'a>], deeds: &mut Vec<ToolAction<'a>>) {
    for argument in arguments.iter().filter(|one| matches!(one.name, "agent" | "cli")) {
        let Some(agent) = argument.value.as_str() else { continue };
        let given = super::running::sibling_arguments(argument);
        if !given.is_empty() && !agent.contains(char::is_whitespace) {
            let words = std::iter::once(agent).chain(given).map(str::to_owned).collect();
            deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
        }
    }
}
