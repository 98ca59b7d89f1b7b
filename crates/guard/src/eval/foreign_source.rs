//! Sources in languages that no reader knows (C, Rust, Java and others), and files of settings that an unknown program reads:
//! what they would run, judged by the literals in them.
//!
//! A statement of such a source counts if it names something that runs commands or deletes; a literal alone is a mention.

use super::{Evaluator, Frame, flow::Flow};
use checkrein_shell::{Source, Word};
use checkrein_sql::{self as sql, Client};

/// The longest source that is looked at.
const LONGEST: usize = 32 * 1024;
/// The maximum number of statements of a source that are followed.
const STATEMENTS: usize = 512;
/// The maximum number of lines of a settings file that are followed.
const LINES: usize = 256;

/// Endings of sources that are compiled, or run by what compiles them.
const ENDINGS: &[&str] = &[
    "c", "cc", "cpp", "cxx", "m", "mm", "rs", "java", "kt", "kts", "scala", "swift", "cs", "fs", "fsx", "hs",
    "ml", "zig", "nim", "d", "dart", "cr", "v", "jl", "groovy", "f90", "pas", "go", "ex", "exs", "erl",
    "clj", "rkt", "scm", "tcl", "exp", "r", "el", "lisp", "raku", "sml", "m4",
];

/// Parts of names of functions that run a command.
const RUNS: &[&str] = &[
    "system",
    "exec",
    "popen",
    "spawn",
    "command",
    "process",
    "shell",
    "subprocess",
    "callcommand",
    "readprocess",
];

/// Names of functions that delete what they are given.
const DELETES: &[&str] = &[
    "remove_dir_all",
    "remove_all",
    "removeall",
    "deleterecursively",
    "rmtree",
    "removeitem",
    "deletetree",
    "deletedirectory",
    "rmrf",
    "removedirectoryrecursive",
    "removepathforcibly",
    "rmdirrecurse",
    "removedir",
];

/// Parts of the names of functions that remove, move or lock a file.
const TAKES: &[&str] =
    &["rename", "unlink", "remove", "delete", "move", "chmod", "chown", "symlink", "mount"];

/// Returns true if a text in any language calls something that takes a file away.
pub(super) fn takes_files(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    TAKES.iter().any(|name| lower.contains(name)) || lower.contains("mv(")
}

impl Evaluator<'_> {
    /// Follows a file that the call wrote and a program gets: a source that it compiles or runs, or settings that it
    /// obeys.
    pub(super) fn follow_written_operands(
        &mut self,
        name: &str,
        words: &[Word],
        unknown: bool,
        frame: &Frame,
    ) {
        let about = || super::supposed::only_checks(name, words);
        if self.session.files.is_empty() && frame.stdin.text.is_none() {
            return;
        }
        if unknown && about() {
            return;
        }
        for word in words.iter().filter(|word| !word.lead().starts_with('-')).take(16) {
            let places = self.places(word, crate::path::LinkPolicy::Follow, frame);
            for (spot, _) in places {
                let is_source = ending(&spot.path).is_some_and(|ending| ENDINGS.contains(&ending));
                for content in self.session.written(&spot.path) {
                    match content.flow.text {
                        Some(text) if is_source => self.follow_foreign_source(&text, frame),
                        Some(text) if unknown => self.follow_obeyed(&spot.path, &text, frame),
                        _ => {}
                    }
                }
            }
        }
        // `gcc -x c -`
        let reads = words.iter().any(|word| word.lead() == "-");
        if let Some(text) = frame.stdin.text.clone().filter(|_| reads) {
            self.follow_foreign_source(&text, frame);
        }
    }

    /// The statements of a source that run a command or delete something by a literal.
    fn follow_foreign_source(&mut self, source: &str, frame: &Frame) {
        if source.len() > LONGEST || !self.sink.burn(source.len() / 4) {
            return;
        }
        // Functions that no list has may do anything to a file of ours.
        self.emit_handed_in_text(source, self.sink.effects.len(), frame);
        for statement in statements(source).into_iter().take(STATEMENTS) {
            let names: Vec<String> = statement.names.iter().map(|name| name.to_ascii_lowercase()).collect();
            let has =
                |known: &[&str]| names.iter().any(|name| known.iter().any(|known| name.contains(known)));
            if has(DELETES) {
                for path in &statement.literals {
                    let command = [Word::text("rm", 0..0), Word::text("-rf", 0..0), Word::text(path, 0..0)];
                    self.suppose_vector(&command, frame);
                }
            }
            if has(TAKES) {
                for path in statement.literals.iter().filter(|literal| literal.contains('/')) {
                    let command =
                        [Word::text("mv", 0..0), Word::text(path, 0..0), Word::text("/tmp/x", 0..0)];
                    self.suppose_vector(&command, frame);
                }
            }
            if has(RUNS) {
                for text in &statement.literals {
                    self.suppose_text(text, frame);
                }
                let words: Vec<Word> = statement.literals.iter().map(|text| Word::text(text, 0..0)).collect();
                // `execlp("rm", "rm", …)` says the name twice.
                let twice =
                    matches!(statement.literals.as_slice(), [one, two, ..] if one.ends_with(two.as_str()));
                self.suppose_vector(words.get(usize::from(twice)..).unwrap_or_default(), frame);
            }
        }
    }

    /// A file that says what to run: its lines, without what names them.
    fn follow_obeyed(&mut self, path: &str, text: &str, frame: &Frame) {
        if matches!(ending(path), Some("md" | "txt" | "rst" | "html" | "csv" | "log")) {
            return;
        }
        self.suppose_text(text, frame);
        for line in text.lines().take(LINES) {
            let line = line.trim().trim_start_matches("- ").trim();
            let value =
                line.split_once(": ").or_else(|| line.split_once('=')).map_or(line, |(_, value)| value);
            let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'', '[', ']']);
            if value != text.trim() {
                self.suppose_text(value, frame);
            }
        }
    }

    /// Returns the output of a database client for another parser: the literals that it selects, with holes for the
    /// rest.
    pub(super) fn selected(&self, client: Client, texts: &[Word]) -> Flow {
        let mut whole = Source::default();
        for text in texts.iter().filter_map(Word::constant) {
            for literals in sql::selected_texts(client, &text) {
                // A single word is a value.
                if !literals.iter().any(|literal| literal.trim().contains(' ') || literal.ends_with(' ')) {
                    continue;
                }
                for literal in literals {
                    whole.push_text(&literal);
                    if !literal.ends_with(';') {
                        whole.push_hole(self.hole(Flow::default()));
                    }
                }
                // Each may be read by itself, whatever was printed before it: a comment ends with its line.
                whole.push_text("\n;\n");
            }
        }
        let partial = (!whole.text().is_empty()).then(|| whole.into());
        Flow { partial, ..Flow::default() }
    }
}

fn ending(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.rsplit_once('.').map(|(_, ending)| ending)
}

/// A statement: the names and the literals in it.
#[derive(Default)]
struct Statement {
    names: Vec<String>,
    literals: Vec<String>,
}

/// Splits a source by the syntax of most languages: `"…"` are literals, `//` and `/* */` comments, `;`, `{` and `}` end a
/// statement.
fn statements(source: &str) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut current = Statement::default();
    let mut rest = source;
    while let Some(char) = rest.chars().next() {
        let after = |count: usize| rest.get(count..).unwrap_or_default();
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", after);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |at| after(at + 2));
        } else if char == '"' {
            let (literal, left) = literal(after(1));
            current.literals.push(literal);
            rest = left;
        } else if char.is_alphabetic() || char == '_' {
            let end = rest.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(rest.len());
            current.names.push(rest.get(..end).unwrap_or_default().to_owned());
            rest = after(end);
        } else {
            if matches!(char, ';' | '{' | '}') {
                all.push(std::mem::take(&mut current));
            }
            rest = after(char.len_utf8());
        }
    }
    all.push(current);
    all
}

/// A literal behind its quote, and what follows it.
fn literal(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return (value, text.get(at + 1..).unwrap_or_default()),
            '\\' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, escaped)) => value.push(escaped),
                None => break,
            },
            _ => value.push(char),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn comments_are_no_literals() {
        let source = "// system(\"a b\");\n/* \"c\" */ int main() { return system(\"rm -rf \\\"x\\\"\"); }";
        let found: Vec<String> =
            statements(source).into_iter().flat_map(|statement| statement.literals).collect();
        assert_eq!(found, ["rm -rf \"x\""]);
    }
}
