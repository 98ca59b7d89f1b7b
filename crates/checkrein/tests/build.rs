//! The hooks that a valid configuration becomes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{Config, Dispatcher, Entry, EventName, Map, OnFailure, Role, Setup, ToolCall};
use std::time::Duration;

fn config(text: &str) -> Config {
    Config::parse(text, "/etc/checkrein/config.toml".as_ref()).unwrap()
}

fn hooks(text: &str) -> Dispatcher {
    config(text).dispatcher(&Setup::default())
}

fn names(dispatcher: &Dispatcher) -> Vec<&str> {
    dispatcher.entries().iter().map(Entry::name).collect()
}

fn covers(entry: &Entry, tool: &str) -> bool {
    entry.matches(entry.event(), Some(&ToolCall::new(tool, Map::new())))
}

#[test]
fn the_example_of_the_documentation() {
    let hooks = hooks(
        r#"
[[hook]]
event = "PreToolUse"
name = "notify"                      # optional; the command is the label otherwise
match = { tool = ["Write", "Edit*"], except = ["EditDraft"] }   # one or a list
command = "./hooks/notify.sh"        # a string runs through sh -c; a list runs as it is
role = "observe"                     # edit, judge, observe
timeout = 5.0
on_failure = "ignore"
"#,
    );
    let [hook] = hooks.entries() else { panic!("one hook") };
    assert_eq!((hook.name(), hook.event()), ("notify", EventName::PreToolUse));
    assert_eq!(hook.role(), Role::Observe);
    assert_eq!(hook.timeout(), Duration::from_secs(5));
    assert_eq!(hook.failure_rule(), OnFailure::Ignore);
    assert!(!hook.may_allow());
    assert!(covers(hook, "Write") && covers(hook, "EditFile"));
    assert!(!covers(hook, "EditDraft") && !covers(hook, "Read"));
}

#[test]
fn what_is_not_written_is_left_to_the_contract() {
    let hooks = hooks("[[hook]]\nevent = \"PreToolUse\"\ncommand = \"./a.sh --fast\"\n");
    let [hook] = hooks.entries() else { panic!("one hook") };
    assert_eq!(hook.name(), "./a.sh --fast");
    assert_eq!(hook.role(), Role::Plain);
    assert_eq!(hook.timeout(), Entry::TIMEOUT);
    assert_eq!(hook.failure_rule(), OnFailure::Deny);
    assert!(!hook.may_allow() && covers(hook, "anything"));
}

#[test]
fn every_key_arrives() {
    let hooks = hooks(
        r#"
[[hook]]
event = "PostToolUse"
command = ["./a.sh", ""]
match = { tool = "Bash" }
role = "edit"
timeout = 600
on_failure = "ask"
may_allow = true
cwd = "config"
env = ["TOKEN"]

[[hook]]
event = "Stop"
command = "true"
role = "judge"
timeout = 0x10
on_failure = "deny"
may_allow = false
cwd = "session"
env = []
match = { except = [] }
"#,
    );
    let [first, second] = hooks.entries() else { panic!("two hooks") };
    assert_eq!((first.role(), second.role()), (Role::Edit, Role::Judge));
    assert_eq!((first.timeout(), second.timeout()), (Duration::from_secs(600), Duration::from_secs(16)));
    assert_eq!((first.failure_rule(), second.failure_rule()), (OnFailure::Ask, OnFailure::Deny));
    assert_eq!((first.may_allow(), second.may_allow()), (true, false));
    assert!(covers(first, "Bash") && !covers(first, "Read") && second.matches(EventName::Stop, None));
}

#[test]
fn order_is_order_and_one_event_is_built_alone() {
    let text: String = [("PreToolUse", "a"), ("Stop", "b"), ("PreToolUse", "c")]
        .map(|(event, name)| {
            format!("[[hook]]\nevent = \"{event}\"\nname = \"{name}\"\ncommand = \"true\"\n")
        })
        .concat();
    let config = config(&text);
    assert_eq!(names(&config.dispatcher(&Setup::default())), ["a", "b", "c"]);
    assert_eq!(names(&config.for_event(EventName::PreToolUse, &Setup::default())), ["a", "c"]);
    assert_eq!(names(&config.for_event(EventName::PostToolUse, &Setup::default())), [] as [&str; 0]);
}

#[test]
fn every_event_can_have_a_hook() {
    for event in EventName::ALL {
        let hooks = hooks(&format!("[[hook]]\nevent = \"{event}\"\ncommand = \"true\"\n"));
        assert_eq!(hooks.entries()[0].event(), *event);
    }
}

#[test]
fn hooks_in_an_inline_list() {
    let hooks = hooks(
        "hook = [{ event = \"Stop\", command = \"a\" }, { event = \"Stop\", command = [\"b\", \"c\"] }]",
    );
    assert_eq!(hooks.entries().len(), 2);
}

#[test]
fn the_list_of_the_predecessor() {
    let text = "\u{feff}\n [ {\"event\": \"PreToolUse\", \"match\": {\"tool\": [\"write_file\", \"patch_file\"]},
        \"command\": \"./notify.sh\", \"name\": \"notify\", \"timeout\": 0.5},
      {\"event\": \"PostToolUse\", \"command\": \"./audit \\u00e9\", \"callable\": null, \"name\": null, \"match\": null},
      {\"event\": \"UserPromptSubmit\", \"match\": {\"tool\": \"write_file\"}, \"command\": \"a\", \"name\": \"notify\"},
      {\"event\": \"SessionStart\", \"match\": {}, \"command\": \"a\"},
      {\"event\": \"PostToolUseFailure\", \"match\": {\"tool\": null}, \"command\": \"a\"},
      {\"event\": \"PreToolUse\", \"command\": \"b\", \"name\": \"notify\"}]\n";
    let hooks = hooks(text);
    assert_eq!(names(&hooks), ["notify", "./audit é", "notify", "a", "a", "notify"]);
    let [first, second, third, fourth, fifth, _] = hooks.entries() else { panic!("six hooks") };
    assert_eq!((first.timeout(), second.timeout()), (Duration::from_millis(500), Entry::TIMEOUT));
    assert_eq!(first.role(), Role::Plain);
    assert!(covers(first, "patch_file") && !covers(first, "write_files"));
    assert!(covers(second, "anything") && covers(fifth, "anything"));
    // A hook for a tool is never asked about an event that has none.
    assert!(!third.matches(EventName::UserPromptSubmit, None));
    assert!(fourth.matches(EventName::SessionStart, None));
}

#[test]
fn an_empty_configuration_has_no_hooks() {
    for text in ["", "# nothing yet\n", "[]", " [ ] ", "hook = []", "\u{feff}"] {
        assert!(hooks(text).entries().is_empty(), "{text}");
    }
}

#[test]
fn the_directory_is_absolute() {
    let config = Config::parse("", "some/folder/x.toml".as_ref()).unwrap();
    assert!(config.directory().is_absolute() && config.directory().ends_with("some/folder"));
    assert_eq!(config.path(), "some/folder/x.toml");
    assert!(Config::parse("", "".as_ref()).is_err());
}
