//! Imports one handler of a host's hooks file.

use super::{
    draft::{Draft, Key, Tools},
    matcher::{self, Language},
    read::Reading,
    rules::{self, Matched},
    shell,
};
use crate::config::tree::{Field, Node};
use checkrein_core::{EventName, Role};
use checkrein_exec::Program;
use checkrein_hosts::import::{Format, Matchers};

/// The place of a handler.
pub(super) struct Context<'a> {
    pub(super) format: &'static Format,
    /// The key of the event in the file.
    pub(super) key: &'a str,
    pub(super) event: Option<EventName>,
    /// The unknown name, if the event is none of ours.
    pub(super) unknown: Option<&'a str>,
}

/// The keys of a handler, as they are written.
#[derive(Default)]
struct HandlerKeys {
    kind: Option<String>,
    command: Option<String>,
    /// The command is one for `bash`.
    is_bash: bool,
    /// The matcher of a handler without a group.
    matcher: Option<String>,
    /// The handler says that its failure is a denial, or that it is not.
    fail_closed: Option<bool>,
    args: Option<Vec<String>>,
    shell: Option<String>,
    timeout: Option<f64>,
    is_async: bool,
    rewake: bool,
    on_failure: Option<String>,
    condition: Option<String>,
    once: bool,
    /// Keys that change nothing and were left out.
    left_out: Vec<String>,
    /// Unknown keys.
    unknown: Vec<String>,
}

/// Fills `draft`; `false` if the handler could not be read, which is then in the report.
pub(super) fn handler<'t>(
    context: &Context<'_>,
    matcher: Option<&str>,
    group_keys: &[String],
    node: Node<'t>,
    draft: &mut Draft,
    reading: &mut Reading<'_, 't>,
) -> bool {
    let Some(written) = read(context.format, &draft.place, node, reading) else { return false };
    draft.event = context.event;
    draft.written_for = context.event.and_then(|event| context.format.written_for(context.key, event));
    let matcher = matcher.or(written.matcher.as_deref());
    let entries = &context.format.entries;
    if let Some((_, less)) = entries.missing.iter().find(|(key, _)| *key == context.key) {
        draft.change(Key::Hook, *less);
    }
    if let Some(reason) = context.unknown {
        draft.refuse(reason);
    }
    if context.event == Some(EventName::WorktreeCreate) {
        draft.refuse(
            "Claude Code takes the path of the worktree from what it prints, and that is not passed on",
        );
    }
    match written.kind.as_deref() {
        Some("command") => command(context, &written, draft),
        Some(kind) => draft.refuse(format!("it is of type `{kind}`; {}", other_kind(context.format, kind))),
        None if entries.kind_optional => command(context, &written, draft),
        None => draft.refuse(format!("it has no `type`, so {} does not run it", context.format.title())),
    }
    role(&written, draft);
    match_of(context, matcher, draft);
    conditions(&written, draft);
    time(context, &written, draft);
    failure(context, &written, draft);
    if let Some(otherwise) = context.format.shows_denied {
        rules::withholds(draft, otherwise);
    }
    for key in group_keys {
        draft.change(
            Key::Hook,
            format!("its group has a key `{key}` that is not known here and was left out"),
        );
    }
    for text in written.unknown {
        draft.change(Key::Hook, text);
    }
    for text in written.left_out {
        draft.explain(Key::Hook, text);
    }
    true
}

fn read<'t>(
    format: &Format,
    path: &str,
    node: Node<'t>,
    reading: &mut Reading<'_, 't>,
) -> Option<HandlerKeys> {
    let mut written = HandlerKeys::default();
    let mut sound = true;
    for Field { key, node, .. } in reading.table(path, node)? {
        let path = format!("{path}.{key}");
        let text =
            |reading: &mut Reading<'_, 't>, node| reading.text(&path, node).map(|text| text.into_owned());
        let known = format.handler_keys.contains(&&*key);
        let left_out = format.left_out.iter().find(|(left_out, _)| *left_out == key);
        let fine = match &*key {
            "type" => set(&mut written.kind, text(reading, node)),
            "command" => set(&mut written.command, text(reading, node)),
            "matcher" if format.entries.flat => set(&mut written.matcher, text(reading, node)),
            key if format.entries.bash.contains(&key) => {
                written.is_bash = true;
                set(&mut written.command, text(reading, node))
            }
            key if format.entries.fail_closed == Some(key) => {
                set(&mut written.fail_closed, reading.boolean(&path, &node))
            }
            key if format.entries.timeout.contains(&key) => {
                set(&mut written.timeout, reading.number(&path, &node))
            }
            "async" => flag(&mut written.is_async, reading.boolean(&path, &node)),
            "args" if known => set(&mut written.args, reading.texts(&path, node)),
            "shell" if known => set(&mut written.shell, text(reading, node)),
            "asyncRewake" if known => flag(&mut written.rewake, reading.boolean(&path, &node)),
            "onFailure" if known => set(&mut written.on_failure, text(reading, node)),
            "if" if known => set(&mut written.condition, text(reading, node)),
            "once" if known => flag(&mut written.once, reading.boolean(&path, &node)),
            "statusMessage" => {
                written
                    .left_out
                    .push("`statusMessage` was left out: nothing is shown while a hook runs".to_owned());
                true
            }
            _ if left_out.is_some() => {
                let why = left_out.map(|(_, why)| *why).unwrap_or_default();
                written.left_out.push(format!("`{key}` was left out: {why}"));
                true
            }
            _ => {
                written.unknown.push(format!("`{key}` is not known here and was left out"));
                true
            }
        };
        sound &= fine;
    }
    sound.then_some(written)
}

fn set<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    *slot = value;
    slot.is_some()
}

fn flag(slot: &mut bool, value: Option<bool>) -> bool {
    *slot = value.unwrap_or_default();
    value.is_some()
}

fn other_kind(format: &Format, kind: &str) -> String {
    if format.runs_not.contains(&kind) {
        return format!("{} does not run it either", format.title());
    }
    match kind {
        "http" => "a command that posts stdin, for example with `curl --data-binary @-`, can do the same",
        "prompt" | "agent" => "no model is asked here; a command can ask one",
        "mcp_tool" => "no MCP server is connected here; a command can call it",
        _ => "only commands are hooks here",
    }
    .to_owned()
}

/// Converts the command, and what it gets.
fn command(context: &Context<'_>, written: &HandlerKeys, draft: &mut Draft) {
    let Some(text) = &written.command else {
        draft.refuse("it has no `command`");
        return;
    };
    let mut all: Vec<&str> = vec![text];
    all.extend(written.args.iter().flatten().map(String::as_str));
    for word in &all {
        for name in ["CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "PLUGIN_ROOT", "PLUGIN_DATA"] {
            if shell::mentions_variable(word, name) {
                draft.refuse(format!(
                    "`{name}` is set only for hooks of a plugin; write the path in its place"
                ));
            }
        }
        if word.contains("${user_config.") {
            draft.refuse("`${user_config.…}` is replaced only in a plugin; write the value in its place");
        }
    }
    draft.program = Some(match (&written.args, written.shell.as_deref()) {
        (Some(args), _) => {
            let words: Vec<String> = std::iter::once(text).chain(args).cloned().collect();
            if words.iter().any(|word| word.contains(shell::PROJECT)) {
                let why = "was a list; here only a shell replaces `${CLAUDE_PROJECT_DIR}`, so the words are quoted for one";
                draft.explain(Key::Command, why);
                Program::Shell(shell::join(&words))
            } else {
                Program::List(words)
            }
        }
        (None, None) if written.is_bash => {
            Program::List(vec!["bash".to_owned(), "-c".to_owned(), text.clone()])
        }
        (None, None) => Program::Shell(text.clone()),
        (None, Some("bash")) => Program::List(vec!["bash".to_owned(), "-c".to_owned(), text.clone()]),
        (None, Some(shell)) => {
            draft.refuse(format!("it is written for the shell `{shell}`; here a text runs through `sh -c`"));
            Program::Shell(text.clone())
        }
    });
    if written.args.is_none() && shell::quotes_variable(text, "CLAUDE_PROJECT_DIR") {
        draft.refuse(
            "`CLAUDE_PROJECT_DIR` is between single quotes, where the shell does not replace it; use double quotes",
        );
    }
    program_notes(draft);
    if let Some((file, events)) = context.format.environment_file
        && context.event.is_some_and(|event| events.contains(&event))
        && !draft.env.iter().any(|named| named == file)
    {
        let who = context.format.title();
        draft.explain(Key::Env, format!("what a hook writes to the file `{file}` reaches {who}'s shell"));
        draft.env.push(file.to_owned());
    }
}

/// Adds notes about any command of any origin: relative programs, variables, ourselves.
pub(super) fn program_notes(draft: &mut Draft) {
    let (words, variables): (Vec<&str>, Vec<String>) = match &draft.program {
        None | Some(Program::Callable(_)) => return,
        Some(Program::Shell(text)) => (text.split_whitespace().collect(), shell::variables(text)),
        Some(Program::List(words)) => {
            let script = words.iter().skip_while(|word| *word != "-c").nth(1);
            (
                words.iter().map(String::as_str).collect(),
                script.map_or_else(Vec::new, |text| shell::variables(text)),
            )
        }
    };
    let is_ourselves = shell::is_ourselves(&words);
    let first = words.first().map(|word| word.trim_start_matches(['"', '\'', '\\'])).unwrap_or_default();
    let relative = match &draft.program {
        Some(Program::List(_)) => first.contains('/') && !first.starts_with('/'),
        _ => first.starts_with("./") || first.starts_with("../"),
    };
    let first = first.to_owned();
    if is_ourselves {
        draft.refuse("it is Checkrein itself, which would ask itself for ever");
    }
    if relative && draft.cwd == checkrein_exec::Cwd::Session {
        let text = format!(
            "`{first}` is looked for next to this configuration, not in the directory in which the agent happens to be"
        );
        draft.change(Key::Command, text);
    }
    if !variables.is_empty() {
        draft.env = variables;
        let text = match draft.env.as_slice() {
            [_] => "the command mentions it, and hooks get it only if it is listed here",
            _ => "the command mentions them, and hooks get them only if they are listed here",
        };
        draft.explain(Key::Env, text);
    }
}

fn role(written: &HandlerKeys, draft: &mut Draft) {
    if written.rewake {
        draft.refuse("`asyncRewake` wakes the model when the hook is done, which no hook can do here");
    } else if written.is_async {
        draft.role = Role::Observe;
        draft.change(
            Key::Role,
            "it was `async`: nothing waits for it, and here nobody hears what it says either",
        );
    }
}

fn match_of(context: &Context<'_>, matcher: Option<&str>, draft: &mut Draft) {
    let (Some(text), Some(event)) = (matcher, context.event) else {
        if let Some(text) = matcher.filter(|text| !matcher::is_all(text)) {
            draft.tools = Tools::Untold(text.to_owned());
        }
        return;
    };
    let who = context.format.title();
    let others = context.format.entries.other_matchers;
    if let Some((_, what)) = others.iter().find(|(key, _)| *key == context.key && !matcher::is_all(text)) {
        draft.refuse(format!(
            "its matcher `{text}` is compared with {what}; let the hook itself look at that"
        ));
        return;
    }
    match rules::matched(context.format, event) {
        Matched::Tool => {
            let language = match context.format.matchers {
                Matchers::JavaScript => Language::Claude,
                Matchers::Rust => Language::Codex,
                Matchers::Part => Language::Part,
                Matchers::Whole => Language::Whole,
                Matchers::Ignored => {
                    let text = format!("its matcher `{text}` was left out: {who} ignores it");
                    return draft.explain(Key::Hook, text);
                }
            };
            matcher::apply(draft, text, language);
        }
        _ if matcher::is_all(text) => {}
        Matched::Nothing => {
            draft.explain(
                Key::Hook,
                format!("its matcher `{text}` was left out: {who} ignores it on this event"),
            );
        }
        Matched::Unknown => {
            draft.refuse(format!(
                "its matcher `{text}` is not about a tool, and what it is compared with is not known"
            ));
        }
        Matched::Field(field) => {
            draft.refuse(format!(
                "its matcher `{text}` is not about a tool; let the hook itself look at `{field}` on stdin"
            ));
        }
    }
}

fn conditions(written: &HandlerKeys, draft: &mut Draft) {
    if let Some(rule) = &written.condition {
        let why = match draft.event.filter(|event| !event.has_tool()) {
            Some(_) => "on this event such a hook never runs",
            None => "let the hook itself look at the input, or match a tool",
        };
        draft.refuse(format!("it runs only `if` `{rule}`, and there are no such conditions here; {why}"));
    }
    if written.once {
        draft.change(Key::Hook, "`once` was left out: it runs every time");
    }
}

fn time(context: &Context<'_>, written: &HandlerKeys, draft: &mut Draft) {
    let who = context.format.title();
    let mut seconds = written.timeout.map(|written| context.format.recipe.layout.in_seconds(written));
    let allowed = &context.format.seconds;
    if let Some(written) = seconds
        && let Some(kept) = allowed.instead(context.event, written)
    {
        draft.explain(Key::Timeout, format!("{who} makes {kept} s of {written} s"));
        seconds = Some(kept);
    }
    rules::timeout(draft, who, seconds, allowed.default(context.event));
}

fn failure(context: &Context<'_>, written: &HandlerKeys, draft: &mut Draft) {
    let format = context.format;
    if written.fail_closed == Some(true) {
        let key = format.entries.fail_closed.unwrap_or_default();
        return rules::blocks(draft, &format!("`{key}` is true"));
    }
    if context.event.is_some_and(|event| format.entries.denies_on.contains(&event)) {
        return rules::blocks(
            draft,
            &format!("as in {}, which denies where such a hook fails", format.title()),
        );
    }
    match written.on_failure.as_deref() {
        None | Some("continue") => rules::goes_on(draft, format.title()),
        Some("block") => rules::blocks(draft, "`onFailure` is `block`"),
        Some(other) => {
            draft.refuse(format!("its `onFailure` is `{other}`, expected `continue` or `block`"));
        }
    }
}
