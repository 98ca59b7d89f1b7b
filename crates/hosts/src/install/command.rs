//! Our command line in an agent's file: how it is written and recognised.
//!
//! It must stay byte for byte the same as long as the program does not move: Codex binds a user's trust to it. So it
//! has the path, the dialect and the event, and nothing that a new version would change.

use super::{plugin::PLUGIN_PROGRAM, recipe::Recipe};
use checkrein_core::{Class, EventName};

/// The program's name, by which a registration is recognised.
const PROGRAM: &str = "checkrein";

/// The command that installs the program.
const INSTALL: &str = "cargo install checkrein-cli";

/// The start of a shared command line, which looks for the program first.
const LOOKS: &str = "command -v checkrein >/dev/null || ";

/// The start of its last part, which runs the program.
const RUNS: &str = "; exec ";

/// The behaviour of a project's entry on a machine without our program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The call goes on. The user is told once per session.
    Warn,
    /// Tool calls are denied with the line that installs the program.
    Block,
}

impl Missing {
    /// Returns the sentence for the user of a machine without our program.
    pub fn told(self) -> String {
        let then = match self {
            Self::Warn => "nothing is checked",
            Self::Block => "tool calls are blocked",
        };
        format!("This project uses Checkrein, which is not installed here: {then}. Install it: {INSTALL}")
    }
}

/// A command line that starts checkrein as a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program as written.
    pub program: String,
    /// The dialect.
    pub host: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// True if it has anything else, so that a user must have written it.
    pub is_handmade: bool,
}

impl Command {
    /// Returns the command line that `init` writes.
    pub fn line(program: &str, recipe: &Recipe, event: EventName) -> String {
        format!("{} hook --host {} --event {event}", quoted(program), recipe.host)
    }

    /// Returns the command line for a plugin. The agent or its shell replaces `root` by the directory of the plugin, so that the
    /// line is the same in every version: Codex binds a user's trust to it.
    pub(super) fn plugin_line(root: &str, recipe: &Recipe, event: EventName) -> String {
        format!("\"{root}/{PLUGIN_PROGRAM}\" hook --host {} --event {event}", recipe.host)
    }

    /// Returns the command line for a project's file: it finds the program on the `PATH` of anyone who works there. It names
    /// its shell, because agents use the user's, which may be any.
    pub fn shared_line(recipe: &Recipe, event: EventName, missing: Missing) -> String {
        let line = Self::line(PROGRAM, recipe, event);
        let denies = missing == Missing::Block && event.class() == Class::Gate && event.has_tool();
        let otherwise = if denies {
            format!("{{ echo \"This project requires Checkrein. Install it: {INSTALL}\" >&2; exit 2; }}")
        } else if event == EventName::SessionStart {
            let answer = format!(r#"{{\"systemMessage\":\"{}\"}}"#, missing.told());
            format!("{{ cat >/dev/null; echo \"{answer}\"; exit 0; }}")
        } else {
            "{ cat >/dev/null; echo {}; exit 0; }".to_owned()
        };
        format!("sh -c '{LOOKS}{otherwise}{RUNS}{line}'")
    }

    /// Returns the behaviour without our program, if this is a shared command line.
    pub fn missing(line: &str) -> Option<Missing> {
        shared(&words(line)?)?;
        Some(if line.contains("exit 2") { Missing::Block } else { Missing::Warn })
    }

    /// Parses `line`, or the program `line` with `arguments`, if it starts checkrein as a hook.
    pub fn find(line: &str, arguments: Option<&[String]>) -> Option<Self> {
        let words = match arguments {
            Some(arguments) => Some([&[line.to_owned()], arguments].concat()),
            None => words(line),
        };
        let Some(words) = words else {
            // A shell script that mentions us somewhere.
            let text = line.contains(PROGRAM) && line.contains(" hook ");
            return text.then(|| Self { program: String::new(), host: None, event: None, is_handmade: true });
        };
        if let Some(inner) = shared(&words) {
            return Self::find(inner, None).map(|found| Self { is_handmade: false, ..found });
        }
        let (program, rest) = words.split_first()?;
        let name = program.rsplit(['/', '\\']).next()?;
        let (verb, rest) = rest.split_first()?;
        if name != PROGRAM || verb != "hook" {
            return None;
        }
        let value = |flag: &str| {
            let at = rest.iter().position(|word| word == flag)?;
            rest.get(at + 1).cloned()
        };
        let ours = matches!(rest, [host, _, event, _] if host == "--host" && event == "--event");
        let is_handmade = !ours || arguments.is_some() || !program.starts_with('/');
        Some(Self { program: program.clone(), host: value("--host"), event: value("--event"), is_handmade })
    }
}

/// Returns the command that a shared command line runs.
fn shared(words: &[String]) -> Option<&str> {
    let [shell, option, script] = words else { return None };
    let rest = script.strip_prefix(LOOKS).filter(|_| shell == "sh" && option == "-c")?;
    Some(rest.rsplit_once(RUNS)?.1)
}

/// Quotes `word` for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Splits a simple command into words; `None` if a shell would do more than run one program.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        match char {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        char => word.push(char),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => word.push(chars.next()?),
                        '$' | '`' => return None,
                        char => word.push(char),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '\n' | '*' | '?' | '#' | '~' => {
                return None;
            }
            char => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::{super::CODEX, *};

    #[test]
    fn written_commands_are_recognised() {
        for program in
            ["/usr/bin/checkrein", "/home/a b/checkrein", "/it's/checkrein", "/a$b/\"c\"/checkrein"]
        {
            let line = Command::line(program, &CODEX, EventName::PreToolUse);
            let found = Command::find(&line, None).unwrap();
            assert_eq!(
                found,
                Command {
                    program: program.to_owned(),
                    host: Some("codex".into()),
                    event: Some("PreToolUse".into()),
                    is_handmade: false
                },
                "{line}"
            );
        }
        assert_eq!(
            Command::line("/usr/bin/checkrein", &CODEX, EventName::Stop),
            "/usr/bin/checkrein hook --host codex --event Stop"
        );
    }

    #[test]
    fn a_users_own_commands_are_distinguished() {
        for line in [
            "checkrein hook --host claude --event Stop",
            "/bin/checkrein hook --host claude",
            "/bin/checkrein hook --host claude --event Stop --config x.toml",
            "timeout 5 checkrein hook --host claude; true",
            "$HOME/bin/checkrein hook --host claude --event Stop",
        ] {
            assert!(Command::find(line, None).unwrap().is_handmade, "{line}");
        }
        let arguments = ["hook", "--host", "claude", "--event", "Stop"].map(str::to_owned);
        assert!(Command::find("/bin/checkrein", Some(&arguments)).unwrap().is_handmade);
        for line in ["", "true", "checkrein check x", "/bin/other hook --host claude", "echo checkrein | cat"]
        {
            assert_eq!(Command::find(line, None), None, "{line}");
        }
    }
}
