//! Writes drafts as TOML.

use super::{
    Found, Origin, Status,
    draft::{Draft, Key, Note, Tools},
    permissions,
    text::{comment, line, string, strings},
};
use checkrein_core::Role;
use checkrein_exec::{Cwd, Program};

/// Returns the differences that apply to every hook of an origin.
pub(super) fn rules_of(origin: Origin) -> Vec<String> {
    let who = origin.title();
    let environment = format!(
        "A hook gets PATH, HOME, USER, SHELL, LANG, LC_*, TMPDIR, XDG_* and CLAUDE_PROJECT_DIR from the environment, \
         and what `env = [...]` names; {who} passes on everything, so name what else a script needs."
    );
    let order = format!(
        "Hooks of one event run one after another, each on the input that the one before left; {who} starts all of them at once, on the original input."
    );
    let allows =
        "An answer `allow` means no objection. It saves the user a question only with `may_allow = true`.";
    let exit = "Exit code 2 denies on every event that can be denied, also when the hook wrote nothing. Any other code \
                but 0 is a failure, whatever the hook wrote.";
    let texts: Vec<&str> = match origin {
        Origin::Host(format) if format.entries.flat => vec![&environment, &order, allows, format.rule],
        Origin::Host(format) => vec![&environment, &order, allows, exit, format.rule],
        Origin::CodexFork => vec![&environment, exit],
        Origin::List => vec![
            "Keep this file in the directory of the list: hooks run there, and relative programs are looked for there.",
            &environment,
            "`HOOK_TOOL_INPUT` is not set: the input is on stdin, as `tool_input`.",
        ],
    };
    texts.into_iter().map(str::to_owned).collect()
}

/// The whole file.
pub(super) fn file(origin: Origin, name: &str, found: &Found) -> String {
    let title = format!("The hooks of {} in `{name}`, imported by `checkrein import`.", origin.title());
    let mut text = comment("# ", &title);
    for remark in &found.remarks {
        text += "#\n";
        text += &comment("# ", &format!("{remark}."));
    }
    if found.hooks.is_empty() {
        text += "#\n# There are none.\n";
        return text + &permissions::allow_rule(&found.allowed);
    }
    text += "#\n# For all of them:\n";
    for rule in &found.rules {
        let lines = comment("#   ", rule);
        text += &lines.replacen("#   ", "# - ", 1);
    }
    for draft in &found.hooks {
        text += "\n";
        text += &match draft.status() {
            Status::Imported | Status::Changed => hook(draft),
            Status::Refused => refused(draft),
        };
    }
    text + &permissions::allow_rule(&found.allowed)
}

/// A hook that is active.
pub(super) fn hook(draft: &Draft) -> String {
    let mut text = comment("# ", &format!("from {}, line {}", draft.place, draft.line));
    for note in notes_at(draft, Key::Hook) {
        text += &comment("# ", &note.text);
    }
    text + &table(draft)
}

/// A hook that is not: the reasons, what it was, and as much of it as could be translated.
fn refused(draft: &Draft) -> String {
    let mut text = comment("# ", &format!("REFUSED: {}, line {}", draft.place, draft.line));
    for reason in &draft.refusals {
        text += &comment("#   ", reason);
    }
    text += &format!("#   it was: {}\n", line(&draft.was.to_string()));
    if draft.event.is_none() || draft.program.is_none() {
        return text;
    }
    for note in notes_at(draft, Key::Hook) {
        text += &comment("#   ", &note.text);
    }
    for row in table(draft).lines() {
        text += &format!("# {row}\n");
    }
    text
}

fn notes_at(draft: &Draft, key: Key) -> impl Iterator<Item = &Note> {
    draft.notes.iter().filter(move |note| note.at == key)
}

fn table(draft: &Draft) -> String {
    let mut table = Table { draft, text: "[[hook]]\n".to_owned() };
    let pair = |key: &str, value: &str| format!("{key} = {value}");
    if let Some(event) = draft.event {
        table.text += &pair("event", &format!("\"{event}\"\n"));
    }
    if let Some(name) = &draft.name {
        table.text += &pair("name", &format!("{}\n", string(name)));
    }
    if let Some(host) = &draft.written_for {
        table.text += &pair("written_for", &format!("{}\n", string(host)));
    }
    match &draft.tools {
        Tools::All => {}
        Tools::Only(patterns) => {
            let patterns = match patterns.as_slice() {
                [one] => string(one),
                many => strings(many),
            };
            table.row(Key::Match, &pair("match", &format!("{{ tool = {patterns} }}")));
        }
        Tools::Untold(was) => {
            let was = line(was);
            table.row(Key::Match, &format!("match = {{ tool = \"\" }}  # to be written; it was `{was}`"));
        }
    }
    match &draft.program {
        Some(Program::Shell(text)) => table.row(Key::Command, &pair("command", &string(text))),
        Some(Program::List(words)) => table.row(Key::Command, &pair("command", &strings(words))),
        Some(Program::Callable(callable)) => {
            table.row(Key::Command, &pair("callable", &string(&callable.path)));
        }
        None => {}
    }
    if draft.role != Role::Plain {
        table.row(Key::Role, &pair("role", &format!("\"{}\"", draft.role)));
    }
    if let Some(seconds) = draft.timeout {
        table.row(Key::Timeout, &pair("timeout", &seconds.to_string()));
    }
    if let Some(rule) = draft.on_failure {
        table.row(Key::OnFailure, &pair("on_failure", &format!("\"{rule}\"")));
    }
    match draft.cwd {
        Cwd::Session => {}
        Cwd::Config => table.row(Key::Cwd, &pair("cwd", "\"config\"")),
    }
    if !draft.env.is_empty() {
        table.row(Key::Env, &pair("env", &strings(&draft.env)));
    }
    table.text
}

struct Table<'d> {
    draft: &'d Draft,
    text: String,
}

impl Table<'_> {
    /// A line and its notes: behind it if there is room, else above it.
    fn row(&mut self, key: Key, row: &str) {
        const WIDTH: usize = 120;
        let notes: Vec<&Note> = notes_at(self.draft, key).collect();
        if let [note] = notes.as_slice() {
            let behind = format!("{row}  # {}", line(&note.text));
            if behind.chars().count() <= WIDTH {
                self.text += &format!("{behind}\n");
                return;
            }
        }
        for note in notes {
            self.text += &comment("# ", &note.text);
        }
        self.text += &format!("{row}\n");
    }
}
