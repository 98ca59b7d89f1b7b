//! Interpreters of languages that are not read here: R, Julia, Tcl, Elixir and many more.
//!
//! The commands that they run are strings in their source. If a text calls something that runs programs, its strings
//! are read as shell commands.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, installed},
    program::{ParseFlag, Role, Trait},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier},
};
use checkrein_shell::Word;

/// Names of the functions that run programs, in any of these languages.
const CALLS: [&str; 16] = [
    "(term ",
    "(ansi-term",
    "(vterm",
    "send-string",
    "system",
    "exec",
    "run",
    "spawn",
    "shell",
    "cmd",
    "command",
    "popen",
    "process",
    "unlink",
    "rm_rf",
    "open",
];

/// Names of the functions that delete recursively.
const DELETES: [&str; 15] = [
    "unlink(",
    "rm_rf",
    "rm(",
    "file delete",
    "removeitem",
    "deleterecursively",
    "delete_recursive",
    "removeall",
    "remove_all",
    "removedirectoryrecursive",
    "deletedir",
    "delete-directory",
    "rmtree",
    "remove_dir_all",
    "deletetree",
];

/// The maximum number of lines and strings of a text that are examined.
const STRINGS: usize = 512;

/// Names of the home directory.
const HOMES: [&str; 6] =
    ["homedir()", "home_dir", "user_home", "gethomedirectory", "\"user.home\"", "nshomedirectory()"];
/// Names of functions that change a file.
const CHANGES: [&str; 13] = [
    "spit", "delete", "remove", "unlink", "rename", "move", "write", "truncate", "open", "chmod", "copy",
    "symlink", "output",
];

/// Follows `snippet`.
pub(in crate::eval) fn snippet(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.program.has(Trait::OpensOperands) {
        // It may change every file that it opens.
        for file in parsed.operands.iter().filter(|file| !file.lead().starts_with(['-', '+'])) {
            evaluator.emit_if_ours(Action::Append, file, Qualities::NONE, frame);
        }
    }
    let told: Vec<Word> =
        parsed.roles.iter().filter(|(role, _)| *role == Role::Shell).map(|(_, word)| word.clone()).collect();
    let texts: Vec<String> = told.iter().flat_map(|word| evaluator.texts(word)).collect();
    // They are one program.
    let finds = texts.iter().map(|text| evaluator.set_in(text)).max().unwrap_or_default();
    let whole = Frame { finds: frame.finds.max(finds), ..frame.clone() };
    for text in texts {
        evaluator.strings(&text, &whole);
    }
    // A script that the call itself wrote.
    let given = parsed.roles.iter().filter(|(role, _)| *role == Role::Read).map(|(_, word)| word);
    let files = given.chain(parsed.operands.first().filter(|_| told.is_empty()));
    let written: Vec<String> = files.filter_map(|file| evaluator.content_of(file, frame).text).collect();
    for text in written {
        evaluator.strings(&text, &whole);
    }
    if told.is_empty() && parsed.operands.is_empty() && !parsed.qualities.has(ParseFlag::Help) {
        evaluator.consume_typed(&frame.stdin, frame);
    }
    if let (true, Some(text)) = (told.is_empty(), frame.stdin.text.clone()) {
        evaluator.strings(&text, &whole);
    }
    evaluator.passthrough(rest, frame)
}

impl Evaluator<'_> {
    /// Paths that a text names where it calls something that deletes.
    fn deletions(&mut self, text: &str, frame: &Frame) {
        let lower = text.to_ascii_lowercase();
        if !DELETES.iter().any(|call| lower.contains(call)) {
            return;
        }
        let qualities = qualities![Modifier::Recursive, Modifier::Force];
        let quoted =
            ['"', '\''].into_iter().flat_map(|quote| text.split(quote).skip(1).step_by(2).take(STRINGS));
        // Tcl has no quotes; Julia and others have a word for the home directory.
        let bare = text
            .split(|char: char| char.is_whitespace() || matches!(char, '(' | ')' | ',' | ';' | '"' | '\''));
        let is_path = |word: &&str| word.starts_with(['/', '~', '.']) && !word.contains(' ');
        let mut paths: Vec<String> =
            quoted.chain(bare).filter(is_path).take(STRINGS).map(str::to_owned).collect();
        if HOMES.iter().any(|home| lower.contains(home)) {
            paths.push("~".to_owned());
        }
        for path in paths {
            let path = match path.strip_prefix('~') {
                Some(rest) => format!("{}{rest}", self.home),
                None => path,
            };
            self.emit_path(Action::Delete, &Word::text(&path, 0..0), qualities, frame);
        }
    }

    /// Paths that a text joins to the home directory, where it calls something that changes files.
    fn changes_below_home(&mut self, text: &str, frame: &Frame) {
        let lower = text.to_ascii_lowercase();
        let named = ["\"home\"", "'home'", "env(home)"];
        let home = named.iter().chain(&HOMES).any(|home| lower.contains(home));
        if !home || !CHANGES.iter().any(|call| lower.contains(call)) {
            return;
        }
        let quoted =
            ['"', '\''].into_iter().flat_map(|quote| text.split(quote).skip(1).step_by(2).take(STRINGS));
        let below: Vec<String> = quoted
            .filter(|part| part.starts_with(['/', '.']) && !part.contains(' '))
            .map(|part| format!("{}/{}", self.home, part.trim_start_matches('/')))
            .collect();
        for path in below {
            self.emit_if_ours(Action::Write, &Word::text(&path, 0..0), Qualities::NONE, frame);
        }
    }

    /// Follows everything that an expect script sends to the program that it started, in order.
    fn sends(&mut self, text: &str, frame: &Frame) {
        let mut sent = String::new();
        for call in text.split(['\n', ';', '{', '}']).map(str::trim_start).take(256) {
            let Some(rest) =
                ["send ", "exp_send ", "send_expect "].iter().find_map(|name| call.strip_prefix(name))
            else {
                continue;
            };
            let quoted =
                rest.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map(|(inside, _)| inside);
            let last = rest.split_whitespace().last().unwrap_or_default();
            sent.push_str(&quoted.unwrap_or(last).replace("\\r", "\n").replace("\\n", "\n"));
        }
        if !sent.is_empty() {
            self.follow_text(&sent, frame);
        }
    }

    /// Follows the strings of a text, if it calls something that runs programs.
    pub(in crate::eval) fn strings(&mut self, text: &str, frame: &Frame) {
        let more = |separator: char| text.split(separator).nth(2 * STRINGS).is_some();
        if ['\n', '"', '\'', '`'].into_iter().any(more) {
            self.emit_too_much(frame);
        }
        self.deletions(text, frame);
        self.changes_below_home(text, frame);
        let finds = frame.finds.max(self.set_in(text));
        let inner = Frame { stdin: frame.stdin.left(), finds, ..frame.clone() };
        self.sends(text, &inner);
        // Tcl, dc and ed have no quotes: the rest of the line is the command.
        let mut variables: Vec<(String, String)> = Vec::new();
        for line in text.lines().flat_map(|line| line.split(';')).take(2 * STRINGS) {
            let line = line.trim_start();
            let line = line.strip_prefix("eval ").map_or(line, str::trim_start);
            // `set name {value}`
            if let Some((name, value)) = line.strip_prefix("set ").and_then(|rest| rest.split_once(' ')) {
                let value = value.trim().trim_matches(['{', '}', '"']);
                variables.push((format!("${name}"), checkrein_shell::quoted(value)));
                continue;
            }
            let command =
                ["exec ", "spawn ", "system ", "!"].into_iter().find_map(|start| line.strip_prefix(start));
            if let Some(mut command) = command {
                // Options of the call itself: `spawn -noecho command`.
                while let Some((option, rest)) = command.split_once(' ').filter(|_| command.starts_with('-'))
                {
                    command = if option == "--" { rest } else { rest.trim_start() };
                }
                let command = variables
                    .iter()
                    .rev()
                    .fold(command.to_owned(), |text, (name, value)| text.replace(name.as_str(), value));
                self.follow_text(&command, &inner);
            }
        }
        let lower = text.to_ascii_lowercase();
        if !CALLS.iter().any(|call| lower.contains(call)) {
            return;
        }
        // The quotes of m4 differ at both ends.
        if lower.contains("syscmd(") {
            for call in text.split("syscmd(").skip(1).take(STRINGS) {
                let end = call.rfind(')').unwrap_or(call.len());
                let command = call.get(..end).unwrap_or_default();
                self.follow_text(command.trim().trim_start_matches('`').trim_end_matches('\''), &inner);
            }
            return;
        }
        // The words of a command, each by itself: `(call-process "git" nil nil nil "push")`.
        for quote in ['"', '\''] {
            let strings = text.split(quote).skip(1).step_by(2).take(STRINGS);
            let words: Vec<Word> = strings.map(|string| Word::text(string, 0..0)).collect();
            // The words before an agent may be anything.
            let agent = |word: &Word| installed::agent_of(word.lead()).is_some();
            if let Some(place) = words.iter().position(agent).filter(|place| *place > 0) {
                self.follow_argv(words.get(place..).unwrap_or_default(), &inner);
            }
            if words.len() > 1 && words.first().is_some_and(|first| !first.lead().contains(' ')) {
                self.follow_argv(&words, &inner);
            }
        }
        for quote in ['"', '\'', '`'] {
            for string in
                text.split(quote).skip(1).step_by(2).take(STRINGS).filter(|string| string.contains(' '))
            {
                // What is sent to a program that was spawned ends with a key.
                self.follow_text(&string.replace("\\r", "\n").replace("\\n", "\n"), &inner);
            }
        }
    }
}
