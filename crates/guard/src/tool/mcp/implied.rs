//! The context of a command in a call: variables, a host, mounted directories, a process by its name.
//!
//! Each is written as the command line that does the same, so that the same rules apply.

use super::{Tool, ToolAction, has, texts};
use crate::{
    eval::matters_to_agents,
    tool::{
        arguments::{self, Argument, Meaning},
        call::ToolCommand,
    },
};
use checkrein_core::Map;
use serde_json::Value;

/// Names of arguments with variables for a command.
const VARIABLES: &[&str] = &["env", "environment", "envs", "envvars", "environmentvariables", "variables"];
/// Words of tools that end processes.
const ENDING: &[&str] = &["kill", "pkill", "killall", "terminate", "stop", "signal"];
/// Words of tools that type for the user, into whatever is in front.
const DESKTOPS: &[&str] =
    &["computer", "desktop", "keyboard", "robot", "xdotool", "gui", "vnc", "applescript"];
/// Names of arguments with directories that a container sees.
const MOUNTS: &[&str] = &["volumes", "volume", "mounts", "mount", "binds", "bind"];
/// Names of arguments that another argument explains.
const EXPLAINED: &[&str] = &["value", "text", "body", "content", "line", "payload", "data"];

impl Tool {
    /// Adds the actions that follow from the context of the commands, which were found before.
    pub(super) fn implied<'a>(
        &self,
        input: &'a Map,
        arguments: &[Argument<'a>],
        deeds: &mut Vec<ToolAction<'a>>,
    ) {
        let settings = self.variables(arguments);
        if !settings.is_empty() {
            let with_variables = deeds.iter().filter_map(|deed| match deed {
                ToolAction::Command(command) => with_words(&settings, command),
                _ => None,
            });
            let with_variables: Vec<ToolAction<'_>> = with_variables.collect();
            deeds.extend(with_variables);
        }
        with_input(arguments, deeds);
        self.ends(arguments, deeds);
        self.types(input, arguments, deeds);
        self.mounts(input, arguments, deeds);
        self.configures(arguments, deeds);
        for argument in arguments.iter().filter(|argument| is_explained_as_command(argument)) {
            deeds.extend(
                argument.texts().into_iter().map(|text| ToolAction::Command(ToolCommand::Shell(text))),
            );
        }
    }

    /// `env NAME=value`, for variables that decide which settings agents find.
    fn variables(&self, arguments: &[Argument<'_>]) -> Vec<String> {
        let mut settings = Vec::new();
        let named = arguments.iter().filter(|one| VARIABLES.contains(&arguments::plain(one.name).as_str()));
        for argument in named {
            match argument.value {
                Value::Object(map) => settings.extend(map.iter().map(|(name, value)| {
                    format!("{name}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                })),
                _ => settings.extend(argument.texts().into_iter().map(str::to_owned)),
            }
        }
        let matters = |setting: &String| setting.split('=').next().is_some_and(matters_to_agents);
        settings.retain(matters);
        if settings.is_empty() {
            settings
        } else {
            std::iter::once("env".to_owned()).chain(settings).collect()
        }
    }

    /// A process that is ended by its name or by a pattern.
    fn ends<'a>(&self, arguments: &[Argument<'a>], deeds: &mut Vec<ToolAction<'a>>) {
        let ends = ENDING.iter().any(|word| has(&self.own, word));
        let processes =
            self.has_any(&["process", "processes", "proc", "task", "program", "app"]) || self.own.len() == 1;
        if !ends || !processes || self.place().is_some() {
            return;
        }
        let wanted =
            ["name", "pattern", "process", "processname", "match", "query", "command", "target", "program"];
        let named = arguments.iter().filter(|one| wanted.contains(&arguments::plain(one.name).as_str()));
        for text in named.flat_map(Argument::texts) {
            let words = ["pkill", "-f", text].map(str::to_owned).to_vec();
            deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
        }
    }

    /// Adds the text that is typed into the window in front.
    fn types<'a>(&self, input: &'a Map, arguments: &[Argument<'a>], deeds: &mut Vec<ToolAction<'a>>) {
        let told =
            arguments::of(input, Meaning::Action).any(|action| matches!(action, "type" | "write" | "paste"));
        let types = ["type", "write", "paste"].iter().any(|word| has(&self.own, word));
        // `type_text`, unless it is about a page.
        let alone = self.own.len() == 1 && has(&self.own, "paste");
        let plainly = types && (alone || has(&self.own, "text")) && !self.has_any(super::kinds::PAGES);
        if !plainly && (!self.has_any(DESKTOPS) || !(told || types)) {
            return;
        }
        let is_text = |one: &&Argument<'_>| {
            one.meaning() == Some(Meaning::Content)
                || matches!(arguments::plain(one.name).as_str(), "string" | "str" | "phrase")
        };
        let typed = arguments.iter().filter(is_text).flat_map(Argument::texts);
        deeds.extend(typed.map(|text| ToolAction::Keys(text.to_owned())));
    }

    /// A container with directories of this machine.
    fn mounts<'a>(&self, input: &'a Map, arguments: &[Argument<'a>], deeds: &mut Vec<ToolAction<'a>>) {
        if !self.has_any(&["docker", "podman", "container", "containers", "compose"]) {
            return;
        }
        let mut words = vec!["docker".to_owned(), "run".to_owned()];
        let mounts = arguments.iter().filter(|one| MOUNTS.contains(&arguments::plain(one.name).as_str()));
        for mount in mounts {
            let objects = mount
                .value
                .as_array()
                .into_iter()
                .flatten()
                .chain([mount.value])
                .filter_map(Value::as_object);
            let pairs = objects.filter_map(|map| {
                let side = |names: &[&str]| texts(map, names).into_iter().next();
                let from = side(&["source", "src", "host", "hostpath", "host_path"])?;
                let to =
                    side(&["target", "destination", "dst", "container", "containerpath", "container_path"])?;
                Some(format!("{from}:{to}"))
            });
            let plain = mount.texts().into_iter().map(str::to_owned);
            words.extend(pairs.chain(plain).flat_map(|volume| ["-v".to_owned(), volume]));
        }
        if words.len() == 2 {
            return;
        }
        words.extend(
            texts(input, &["image"])
                .first()
                .map_or_else(|| "image".to_owned(), |image| (*image).to_owned())
                .split(' ')
                .map(str::to_owned),
        );
        let commands = arguments.iter().filter(|one| one.meaning() == Some(Meaning::Command));
        for command in commands {
            match command.value {
                Value::String(text) => words.extend(["sh", "-c", text].map(str::to_owned)),
                _ => words.extend(command.texts().into_iter().map(str::to_owned)),
            }
        }
        deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
    }

    /// One setting or variable, with its value next to it.
    fn configures<'a>(&self, arguments: &[Argument<'a>], deeds: &mut Vec<ToolAction<'a>>) {
        let names = ["setting", "key", "name", "variable", "option"];
        for argument in arguments.iter().filter(|one| names.contains(&arguments::plain(one.name).as_str())) {
            let (Some(name), Some(value)) = (argument.value.as_str(), argument.beside.get("value")) else {
                continue;
            };
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let command = if name.to_ascii_lowercase().contains("hook") {
                format!("claude -p x --settings '{{\"{}\": {value}}}'", name.replace(['\'', '"'], ""))
            } else if matters_to_agents(name) {
                format!("export {name}='{}'; claude -p x; codex exec x", text.replace('\'', ""))
            } else {
                continue;
            };
            let words = ["sh", "-c", &command].map(str::to_owned).to_vec();
            deeds.push(ToolAction::Command(ToolCommand::Arguments(words)));
        }
    }
}

/// Adds the commands once more, with the input that the call gives them.
fn with_input<'a>(arguments: &[Argument<'a>], deeds: &mut Vec<ToolAction<'a>>) {
    let is_input = |one: &&Argument<'a>| {
        one.meaning() == Some(Meaning::Input) && one.value.as_str().is_some_and(|text| !text.is_empty())
    };
    let Some(input) = arguments.iter().find(is_input).and_then(|one| one.value.as_str()) else { return };
    let given = deeds.iter().filter_map(|deed| match deed {
        ToolAction::Command(ToolCommand::Shell(text)) => Some((*text).to_owned()),
        ToolAction::Command(ToolCommand::Arguments(words)) => {
            Some(words.iter().map(|word| checkrein_shell::quoted(word)).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    });
    let fed: Vec<ToolAction<'a>> = given
        .map(|command| {
            let line = format!("printf %s {} | {{\n{command}\n}}", checkrein_shell::quoted(input));
            ToolAction::Command(ToolCommand::Arguments(["sh", "-c", &line].map(str::to_owned).to_vec()))
        })
        .collect();
    deeds.extend(fed);
}

/// Returns true if a call names a host, and it is this machine.
pub(super) fn is_for_this_machine(input: &Map) -> bool {
    let hosts = texts(input, &["host", "hostname", "server", "address", "machine"]);
    let local = |host: &&str| {
        let host = host.rsplit('@').next().unwrap_or(host).split(':').next().unwrap_or_default();
        matches!(host, "localhost" | "127.0.0.1" | "" | "0.0.0.0")
    };
    !hosts.is_empty() && hosts.iter().all(local)
}

/// A command after the words that set its variables.
fn with_words(before: &[String], command: &ToolCommand<'_>) -> Option<ToolAction<'static>> {
    let after: Vec<String> = match command {
        ToolCommand::Shell(text) => ["sh", "-c", text].map(str::to_owned).to_vec(),
        ToolCommand::Arguments(words) => words.clone(),
        ToolCommand::PowerShell(_) | ToolCommand::NotUnderstood(_) => return None,
    };
    let words = before.iter().cloned().chain(after).collect();
    Some(ToolAction::Command(ToolCommand::Arguments(words)))
}

/// Returns true if another argument says that a text is a command.
fn is_explained_as_command(argument: &Argument<'_>) -> bool {
    let kind = |text: &str| {
        matches!(
            text.to_ascii_lowercase().as_str(),
            "shell" | "bash" | "sh" | "command" | "exec" | "zsh" | "terminal"
        )
    };
    argument.value.is_string()
        && EXPLAINED.contains(&arguments::plain(argument.name).as_str())
        && (arguments::of(argument.beside, Meaning::Action).any(kind)
            || arguments::of(argument.beside, Meaning::Language).any(kind)
            || texts(argument.beside, &["shell", "shell_type", "shellType"]).into_iter().any(kind))
}
