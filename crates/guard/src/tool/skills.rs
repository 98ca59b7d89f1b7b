//! Skills, commands and agents: texts that an agent takes for instructions, with commands in them that it runs by itself.
//!
//! Such a command is between `` !` `` and `` ` ``, in a block that starts with ```` ```! ````, or in `!{…}`. Hooks
//! are in the front matter. An agent runs either without a question, so both are read where they can still be
//! stopped: when the text is written, and when a tool loads it. Prose is not a command, and writing a skill is
//! ordinary work.

use super::{
    combine,
    reading::{Language, NODE, Reading, reading},
    script_content,
};
use crate::{Action, CallContext, Judgement, MAX_BYTES, World, judge, judge_argv};
use checkrein_core::{Map, ToolCall};
use serde_json::Value;

/// Maximum number of commands of one text that are looked at.
const MOST: usize = 100;
/// Keys of the front matter that decide what runs or is allowed.
const DECIDE: &[&str] =
    &["hooks", "mcpServers", "mcp-servers", "mcp_servers", "permissionMode", "permission-mode"];

/// The parts of a text that are not prose.
#[derive(Debug, Default, PartialEq, Eq)]
struct Skill {
    /// The commands that run when it is loaded.
    commands: Vec<String>,
    /// The commands that its hooks run later.
    hooks: Vec<String>,
    /// Something in it decides what runs or is allowed.
    decides: bool,
    /// There is more than was looked at.
    too_much: bool,
}

/// Judges a file that an agent takes for instructions, if that is worth a question.
pub(super) fn judged(
    action: Action,
    path: &str,
    content: &str,
    place: &CallContext,
    world: &dyn World,
) -> Option<Judgement> {
    // Scripts and programs next to it are read as such.
    if Language::of_file(path, content).is_some() {
        return None;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let settings = name.ends_with(".json") || name.ends_with(".yaml") || name.ends_with(".yml");
    if settings && ["hooks", "mcpServers", "command"].iter().any(|word| content.contains(word)) {
        return Some(combine::decides("it registers hooks, servers or commands of an agent"));
    }
    let skill = Skill::read(content, "");
    for command in skill.commands.iter().chain(&skill.hooks) {
        let whole = action == Action::Write;
        let found = reading(Language::Shell, command, place, world);
        // It runs as soon as the file is loaded, so more counts than in a script that may never run.
        let run = || found.denied_when_run().map(|finding| combine::script(&finding.rule));
        if let Some(objection) = script_content::answer(&found, whole).or_else(run) {
            return Some(objection);
        }
    }
    if skill.decides {
        return Some(combine::decides("its head has hooks, servers or permissions of an agent"));
    }
    skill.too_much.then(|| combine::unread_script("it has too many commands to be read"))
}

/// Returns true if a tool loads such a text.
pub(super) fn loads(call: &ToolCall) -> bool {
    matches!(call.name.as_str(), "Skill" | "skill" | "SlashCommand" | "Workflow" | "workflow")
}

/// Judges a tool that loads such a text.
pub(super) fn loaded(call: &ToolCall, place: &CallContext, world: &dyn World) -> Option<Judgement> {
    let text = |names: &[&str]| names.iter().find_map(|name| call.text(name)).filter(|text| !text.is_empty());
    let mut all = Judgement::default();
    match call.name.as_str() {
        "Skill" | "skill" | "SlashCommand" => {
            let named = text(&["skill", "name", "command"])?.trim_start_matches('/');
            let (name, more) = named.split_once(char::is_whitespace).unwrap_or((named, ""));
            let given = text(&["args", "arguments"]).unwrap_or(more);
            // A command of the agent itself, as in its own shell.
            if matches!(name, "plugin" | "plugins" | "mcp" | "extensions") {
                let words = ["claude", name].into_iter().chain(given.split_whitespace());
                let words: Vec<String> = words.map(str::to_owned).collect();
                combine::add(&mut all, judge_argv(&words, place, world));
            }
            let inner = name.replace(':', "/");
            let files = [
                format!("skills/{name}/SKILL.md"),
                format!("skills/{inner}/SKILL.md"),
                format!("commands/{inner}.md"),
            ];
            let own = files.iter().flat_map(|file| found(file, place, world));
            for source in own.chain(of_plugin(name, world)) {
                let skill = Skill::read(&source, given);
                for command in skill.commands.iter().chain(&skill.hooks) {
                    combine::add(&mut all, judge(command, place, world));
                }
                if skill.too_much || source.len() >= MAX_BYTES {
                    combine::add(&mut all, combine::unread_script("it has too much in it to be read"));
                }
            }
        }
        "Workflow" | "workflow" => {
            let files = text(&["name"])
                .into_iter()
                .flat_map(|name| ["js", "mjs", "ts"].map(|ending| format!("workflows/{name}.{ending}")));
            let mut sources: Vec<String> = files.flat_map(|file| found(&file, place, world)).collect();
            sources.extend(text(&["scriptPath"]).and_then(|path| world.text(&absolute(path, place))));
            for source in &sources {
                let Reading { said, too_much, .. } = reading(NODE, source, place, world);
                said.into_iter().for_each(|one| combine::add(&mut all, one));
                if too_much || source.len() >= MAX_BYTES {
                    combine::add(&mut all, combine::unread_script("it is too long to be read"));
                }
            }
        }
        _ => return None,
    }
    Some(all)
}

/// The texts of this name in the directories that Claude Code looks into.
fn found(file: &str, place: &CallContext, world: &dyn World) -> Vec<String> {
    let home = world.home();
    let mut directories: Vec<&str> =
        [&place.cwd, &place.project, &home].into_iter().filter_map(Option::as_deref).collect();
    directories.dedup();
    let configured = configured(world).map(|directory| format!("{directory}/{file}"));
    let usual = directories.iter().map(|directory| format!("{directory}/.claude/{file}"));
    usual.chain(configured).filter_map(|path| world.text(&path)).collect()
}

/// The directory of the user's own texts, where a variable names it.
fn configured(world: &dyn World) -> Option<String> {
    world.variable("CLAUDE_CONFIG_DIR").filter(|directory| !directory.is_empty())
}

/// Maximum number of directories of plugins that are looked into.
const PLUGINS: usize = 256;

/// Returns the texts of a plugin: `plugin:name`. It is in a cache, by marketplace and version, or in its marketplace.
fn of_plugin(named: &str, world: &dyn World) -> Vec<String> {
    let Some((plugin, name)) = named.split_once(':') else { return Vec::new() };
    if [plugin, name].iter().any(|part| part.is_empty() || part.starts_with('.') || part.contains('/')) {
        return Vec::new();
    }
    let (Some(own), Some(home)) = (world.own(), world.home()) else { return Vec::new() };
    let root = configured(world).unwrap_or_else(|| format!("{home}/.claude"));
    let below = |directory: &str| -> Vec<String> {
        own.names(directory).into_iter().take(PLUGINS).map(|name| format!("{directory}/{name}")).collect()
    };
    let cached = below(&format!("{root}/plugins/cache"));
    let versions = cached.iter().flat_map(|marketplace| below(&format!("{marketplace}/{plugin}")));
    let markets = below(&format!("{root}/plugins/marketplaces"));
    let markets = markets.iter().flat_map(|marketplace| {
        [format!("{marketplace}/plugins/{plugin}"), format!("{marketplace}/{plugin}"), marketplace.clone()]
    });
    let inner = name.replace(':', "/");
    let files = [
        format!("skills/{name}/SKILL.md"),
        format!("skills/{inner}/SKILL.md"),
        format!("commands/{inner}.md"),
    ];
    let directories = versions.chain(markets).take(PLUGINS);
    directories
        .flat_map(|directory| files.iter().map(move |file| format!("{directory}/{file}")).collect::<Vec<_>>())
        .filter_map(|path| world.text(&path))
        .collect()
}

fn absolute(path: &str, place: &CallContext) -> String {
    match &place.cwd {
        Some(cwd) if !path.starts_with('/') => format!("{cwd}/{path}"),
        Some(_) | None => path.to_owned(),
    }
}

/// Changes of a file as the whole file that they leave, if that can be told.
pub(super) fn after(input: &Map, before: &str) -> Option<String> {
    let change = |text: String, change: &Map| {
        let get = |names: [&str; 3]| names.iter().find_map(|name| change.get(*name)?.as_str());
        let old = get(["old_string", "oldString", "old_str"])?;
        let new = get(["new_string", "newString", "new_str"])?;
        (!old.is_empty() && text.contains(old)).then(|| text.replace(old, new))
    };
    match input.get("edits").and_then(Value::as_array) {
        Some(edits) => edits.iter().try_fold(before.to_owned(), |text, edit| change(text, edit.as_object()?)),
        None => change(before.to_owned(), input),
    }
}

impl Skill {
    fn read(text: &str, given: &str) -> Self {
        let mut skill = Self::default();
        let (head, body) = front_matter(text);
        skill.head(head);
        // What the agent puts in place of this is a part of the command.
        let body = if given.is_empty() { body.to_owned() } else { body.replace("$ARGUMENTS", given) };
        skill.blocks(&body);
        for (open, close) in [("!`", "`"), ("!{", "}")] {
            for piece in body.split(open).skip(1) {
                skill.add(piece.split(close).next().unwrap_or(piece));
            }
        }
        skill
    }

    fn add(&mut self, command: &str) {
        if self.commands.len() >= MOST {
            self.too_much = true;
        } else if !command.trim().is_empty() {
            self.commands.push(command.to_owned());
        }
    }

    /// The commands of blocks that are run.
    fn blocks(&mut self, body: &str) {
        let mut block: Option<String> = None;
        for line in body.lines() {
            let fence = line.trim_start();
            match &mut block {
                None if is_run(fence) => block = Some(String::new()),
                None => {}
                Some(text) if fence.starts_with("```") || fence.starts_with("~~~") => {
                    let text = std::mem::take(text);
                    block = None;
                    self.add(&text);
                }
                Some(text) => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        if let Some(text) = block {
            self.add(&text);
        }
    }

    /// Reads the front matter: its keys, and the commands of its hooks.
    fn head(&mut self, head: &str) {
        // YAML may be written as JSON, on one line.
        if head.trim_start().starts_with('{') {
            self.decides |= DECIDE.iter().any(|key| head.contains(key));
        }
        let mut lines = head.lines().peekable();
        while let Some(line) = lines.next() {
            let trimmed = line.trim().trim_start_matches("- ").trim_start_matches('{');
            let Some((key, value)) = trimmed.split_once(':') else { continue };
            let key = key.trim().trim_matches(['"', '\'']);
            self.decides |= DECIDE.contains(&key) && !line.starts_with([' ', '\t']);
            if key == "command" {
                let value = value.trim();
                // A text over several lines.
                let text = if matches!(value, "|" | ">" | "|-" | ">-" | "") {
                    let deep = |line: &&str| line.starts_with([' ', '\t']);
                    let mut text = String::new();
                    while let Some(line) = lines.next_if(deep) {
                        text.push_str(line.trim_start());
                        text.push('\n');
                    }
                    text
                } else {
                    value.trim_end_matches(['}', ']', ',']).trim().trim_matches(['"', '\'']).to_owned()
                };
                if self.hooks.len() < MOST { self.hooks.push(text) } else { self.too_much = true }
            }
        }
    }
}

/// Returns true if a fence opens a block that is run: three marks or more, and `!`.
fn is_run(fence: &str) -> bool {
    ['`', '~'].iter().any(|mark| {
        let rest = fence.trim_start_matches(*mark);
        fence.len() - rest.len() >= 3 && rest.starts_with('!')
    })
}

/// The front matter of a text, and the rest.
fn front_matter(text: &str) -> (&str, &str) {
    let Some(rest) = text.trim_start_matches('\u{feff}').trim_start().strip_prefix("---") else {
        return ("", text);
    };
    match rest.split_once("\n---") {
        Some((head, body)) => (head, body),
        // Its end is missing, so it is not clear what the head is.
        None => (rest, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_hooks_are_found_and_prose_is_not() {
        let text = "---\nname: zed\ndescription: never run `rm`\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: \"touch a\"\n---\nNever run `rm -rf ~`!\n\nNow: !`git status` and !`ls`\n\n```!\nmake\n```\n\n```sh\nrm x\n```\n";
        let skill = Skill::read(text, "");
        assert_eq!(skill.commands, ["make\n", "git status", "ls"]);
        assert_eq!(skill.hooks, ["touch a"]);
        assert!(skill.decides);
        assert_eq!(Skill::read("# Title\n\nRun `cargo test`. Hooks: none.\n", ""), Skill::default());
        assert_eq!(Skill::read("!`echo $ARGUMENTS`", "; ls").commands, ["echo ; ls"]);
    }

    #[test]
    fn a_change_is_seen_as_the_file_that_it_leaves() {
        let one = serde_json::json!({"old_string": "b", "new_string": "x"});
        assert_eq!(after(one.as_object().unwrap(), "a b c").as_deref(), Some("a x c"));
        assert_eq!(after(one.as_object().unwrap(), "a c"), None);
        let many = serde_json::json!({"edits": [{"old_string": "a", "new_string": "y"}, {"old_string": "y", "new_string": "z"}]});
        assert_eq!(after(many.as_object().unwrap(), "a").as_deref(), Some("z"));
    }
}
