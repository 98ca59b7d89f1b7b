//! The Codex fork: `[[hooks.<event>]]` tables.
//!
//! There are two of them. At first a matcher was a name or a prefix, a hook had 30 s, and nearly every failure blocked;
//! later a matcher became an expression, the time 600 s, and failures passed. Nothing in a file says which, so it is
//! seen from keys and events that only the later one has.

use super::{
    Found, Origin,
    draft::{Draft, Key, Tools},
    handler::program_notes,
    host,
    matcher::{self, Language},
    read::{Reading, as_json},
    rules, write,
};
use crate::config::tree::{Field, Node, NodeValue};
use checkrein_core::{EventName, OnFailure, Role, nearest::nearest};
use checkrein_exec::Program;

/// The generation of the fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Age {
    First,
    Later,
}

/// The keys of an entry, and whether only the later fork has them.
const KEYS: &[(&str, Age)] = &[
    ("command", Age::First),
    ("timeout", Age::First),
    ("matcher", Age::First),
    ("async", Age::Later),
    ("once", Age::Later),
    ("status_message", Age::Later),
    ("commands", Age::Later),
];

/// The events: as the fork writes them, ours, since when, and whether it ever fires them.
const EVENTS: &[(&str, EventName, Age, Fires)] = {
    use Age::{First, Later};
    use Fires::{Never, Yes};
    &[
        ("after_agent", EventName::AfterAgent, First, Yes),
        ("pre_tool_use", EventName::PreToolUse, First, Yes),
        ("post_tool_use", EventName::PostToolUse, First, Yes),
        ("stop", EventName::Stop, First, Never),
        ("user_prompt_submit", EventName::UserPromptSubmit, First, Never),
        ("notification", EventName::Notification, First, Never),
        ("post_tool_use_failure", EventName::PostToolUseFailure, Later, Yes),
        ("session_start", EventName::SessionStart, Later, Yes),
        ("session_end", EventName::SessionEnd, Later, Yes),
        ("permission_request", EventName::PermissionRequest, Later, Never),
        ("subagent_start", EventName::SubagentStart, Later, Never),
        ("subagent_stop", EventName::SubagentStop, Later, Never),
        ("pre_compact", EventName::PreCompact, Later, Never),
        ("task_completed", EventName::TaskCompleted, Later, Never),
    ]
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fires {
    Yes,
    Never,
}

/// Reads the whole file.
pub(super) fn read<'t>(root: Node<'t>, reading: &mut Reading<'_, 't>) -> Found {
    let mut found = Found { rules: write::rules_of(Origin::CodexFork), ..Found::default() };
    let mut off = false;
    for Field { key, key_span, node } in reading.table("", root).unwrap_or_default() {
        match &*key {
            "hooks" => {
                let age = age(&node);
                found.rules.extend(rules_of(age));
                for event in reading.table("hooks", node).unwrap_or_default() {
                    if event.key == "disable_all_hooks" {
                        off = reading.boolean("hooks.disable_all_hooks", &event.node) == Some(true);
                    } else {
                        read_event(age, event, &mut found, reading);
                    }
                }
            }
            "notify" => found.hooks.push(host::notify(&node, reading.line(&key_span))),
            _ => {}
        }
    }
    if off {
        let reason = "`disable_all_hooks` is true, so the fork runs none of its hooks";
        found
            .remarks
            .insert(0, format!("ALL OF THESE HOOKS ARE OFF: {reason}. They are only comments in the result"));
        found.hooks.iter_mut().for_each(|hook| hook.refuse(reason));
    }
    found
}

fn age(hooks: &Node<'_>) -> Age {
    let NodeValue::Table(events) = &hooks.value else { return Age::First };
    let later = events.iter().any(|event| {
        let later_event = EVENTS.iter().any(|(key, _, age, _)| event.key == *key && *age == Age::Later);
        let NodeValue::List(entries) = &event.node.value else { return event.key == "disable_all_hooks" };
        later_event || entries.iter().any(is_later)
    });
    if later { Age::Later } else { Age::First }
}

fn is_later(entry: &Node<'_>) -> bool {
    let NodeValue::Table(fields) = &entry.value else { return false };
    fields.iter().any(|field| match (&*field.key, &field.node.value) {
        // At first a command was always a list.
        ("command", value) => matches!(value, NodeValue::Text(_)),
        // A sign that only expressions have.
        ("matcher", NodeValue::Text(text)) => {
            let name = text.strip_suffix('*').unwrap_or(text);
            text.is_empty()
                || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
                || text.ends_with(".*")
        }
        (key, _) => KEYS.contains(&(key, Age::Later)),
    })
}

fn rules_of(age: Age) -> Vec<String> {
    let texts: &[&str] = match age {
        Age::First => &[
            "The file has the fork's first format: matchers are names, `prefix*` or `*`. (Its later format reads them as regular expressions; nothing in this file uses that.)",
            "stdin has flat JSON with `hook_event_name` and `tool_input` as an object, not the fork's `hook_event`.",
        ],
        Age::Later => &["The file has the fork's later format: matchers are regular expressions."],
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn read_event<'t>(age: Age, event: Field<'t>, found: &mut Found, reading: &mut Reading<'_, 't>) {
    let Field { key, node, .. } = event;
    let known = EVENTS.iter().find(|(name, ..)| *name == key);
    let path = format!("hooks.{key}");
    for (number, node) in reading.list(&path, node).unwrap_or_default().into_iter().enumerate() {
        if reading.report.is_full() {
            return;
        }
        let path = format!("{path}[{number}]");
        let first = found.hooks.len();
        read_entry(age, &path, node, known.map(|(_, event, ..)| *event), None, found, reading);
        for draft in found.hooks.iter_mut().skip(first) {
            match known {
                None => {
                    let near = nearest(&key, EVENTS.iter().map(|(name, ..)| *name));
                    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    draft.refuse(format!("the fork has no event `{key}`{near}"));
                }
                Some((.., Fires::Never)) => {
                    draft.change(Key::Hook, "the fork knows this event and never fires it; agents do");
                }
                Some((.., Fires::Yes)) => {}
            }
        }
    }
}

/// One entry, or one of the `commands` that share the `matcher` of an entry.
fn read_entry<'t>(
    age: Age,
    path: &str,
    node: Node<'t>,
    event: Option<EventName>,
    outer: Option<&str>,
    found: &mut Found,
    reading: &mut Reading<'_, 't>,
) {
    let mut draft = Draft::new(path.to_owned(), reading.line(&node.span), as_json(&node));
    draft.event = event;
    let span = node.span.clone();
    let Some(fields) = reading.table(path, node) else { return };
    let (mut timeout, mut matcher, mut commands) = (None, None, None);
    let mut broken = false;
    for Field { key, node, .. } in fields {
        let path = format!("{path}.{key}");
        match &*key {
            "command" => match node.value {
                NodeValue::Text(text) => draft.program = Some(Program::Shell(text.into_owned())),
                _ => match reading.texts(&path, node) {
                    Some(words) => draft.program = Some(Program::List(words)),
                    None => broken = true,
                },
            },
            "timeout" => timeout = reading.number(&path, &node),
            "matcher" => matcher = reading.text(&path, node),
            "async" => {
                if reading.boolean(&path, &node) == Some(true) {
                    draft.role = Role::Observe;
                    draft.explain(Key::Role, "it was `async`: nothing waits for it");
                }
            }
            "once" => {
                if reading.boolean(&path, &node) == Some(true) {
                    draft.change(Key::Hook, "`once` was left out: it runs every time, not once a session");
                }
            }
            "status_message" => {
                draft.explain(Key::Hook, "`status_message` was left out: nothing is shown while a hook runs");
            }
            "commands" if outer.is_none() => commands = reading.list(&path, node),
            _ => draft.change(Key::Hook, format!("`{key}` is not known here and was left out")),
        }
    }
    if let (Some(commands), None) = (commands, &draft.program) {
        let matcher = Some(matcher.as_deref().unwrap_or("*"));
        for (number, node) in commands.into_iter().enumerate() {
            let path = format!("{path}.commands[{number}]");
            read_entry(age, &path, node, event, matcher, found, reading);
        }
        return;
    }
    if draft.program.is_none() {
        if !broken {
            let hint = Some("for example `command = [\"./hook.sh\"]`");
            reading.problem(path, &span, "a hook needs a `command`", hint);
        }
        return;
    }
    finish(age, &mut draft, matcher.as_deref().or(outer), timeout);
    found.hooks.push(draft);
}

/// Adds what follows from a complete entry: the matched tools, the failure rule, the timeout, and notes.
fn finish(age: Age, draft: &mut Draft, matcher: Option<&str>, timeout: Option<f64>) {
    program_notes(draft);
    for name in ["CODEX_PROJECT_DIR", "CODEX_SESSION_ID", "CLAUDE_SESSION_ID"] {
        if draft.env.iter().any(|known| known == name) {
            draft.change(Key::Env, format!("`{name}` was set by the fork itself; nothing sets it here"));
        }
    }
    match_of(age, matcher, draft);
    draft.warn_of_foreign_names();
    failure(age, draft);
    rules::withholds(draft, "the fork only warns");
    let default = if age == Age::First { 30.0 } else { 600.0 };
    rules::timeout(draft, Origin::CodexFork.title(), timeout, default);
}

fn match_of(age: Age, text: Option<&str>, draft: &mut Draft) {
    let Some(text) = text else { return };
    if draft.event.is_some_and(EventName::has_tool) {
        let language = if age == Age::First { Language::Glob } else { Language::Regex };
        matcher::apply(draft, text, language);
        return;
    }
    if draft.event.is_none() {
        draft.tools = Tools::Untold(text.to_owned());
    } else if matcher::is_all(text) {
        // Nothing to say.
    } else if age == Age::First {
        draft.explain(
            Key::Hook,
            format!("its matcher `{text}` was left out: the fork ignores it on this event"),
        );
    } else {
        draft.refuse(format!("its matcher `{text}` is not about a tool; let the hook itself look at stdin"));
    }
}

fn failure(age: Age, draft: &mut Draft) {
    if (age, draft.event) == (Age::First, Some(EventName::PostToolUse)) {
        draft.role = Role::Observe;
        draft.explain(Key::Role, "the fork runs it in the background and does not listen to it");
    }
    if draft.role == Role::Observe {
        return;
    }
    let gate = draft.event.is_some_and(EventName::is_preventable);
    match age {
        Age::First if gate => {
            draft.on_failure = Some(OnFailure::Deny);
            let text = "the fork too blocks on any exit code but 0 and when time is up; it let a call pass whose hook \
                        could not start or wrote nonsense, which is denied here";
            draft.change(Key::OnFailure, text);
        }
        Age::Later if gate => {
            draft.on_failure = Some(OnFailure::Ignore);
            let text = "the fork continues when a hook fails, but blocks when its time is up, which passes here; remove \
                        this line to deny in every case";
            draft.change(Key::OnFailure, text);
        }
        Age::First | Age::Later => {
            draft.on_failure = Some(OnFailure::Ignore);
            draft.explain(Key::OnFailure, "as in the fork: there is nothing left to block");
        }
    }
}
