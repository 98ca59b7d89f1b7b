//! A command in words of the tables alone.
//!
//! What a model, a project or an output has put into a command is left out, and `…` is in its place. So an outline can be shown to
//! another session without carrying words from one to the other.

use super::vocabulary::{has_subcommands, is_subcommand, option, program, runs_another, runs_module};
use checkrein_guard::{CallContext, Nesting, Output, ShellEnv, SimpleCommand, Word, World, read};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The place of a word that is left out.
pub(super) const LEFT_OUT: &str = "…";
/// The maximum length of a command that is examined, and the maximum number of words of an outline.
const LONGEST: usize = 4096;
const MOST_WORDS: usize = 12;

/// The outline of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// Its words.
    pub(super) words: Vec<String>,
    /// The place of the program that does the work, after those that run it.
    pub(super) core: usize,
    /// The name of that program without its directory, and its subcommands.
    pub(super) path: Vec<String>,
    /// True if the word that selects the subcommand is not known.
    pub(super) is_vague: bool,
    /// A digest of everything that is left out; `None` if that is not known before the call.
    pub(super) rest: Option<String>,
    /// A digest of the operands that are left out; empty if there are none.
    pub(super) operands: String,
}

impl Outline {
    /// Returns the outline of a shell text that runs one program, after any `cd`.
    pub(super) fn of(text: &str, place: &CallContext, world: &dyn World) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let env = ShellEnv { home: world.home(), cwd: place.cwd.clone(), ..ShellEnv::default() };
        let script = read(text, &env);
        let is_plain = script.opaque.is_empty()
            && script.functions.is_empty()
            && script.aliases.is_empty()
            && script.evaluated.is_empty();
        let (last, before) = script.commands.split_last().filter(|_| is_plain)?;
        if !before.iter().all(is_change_of_directory) || !is_alone(last) {
            return None;
        }
        let words: Vec<Option<String>> =
            last.words.iter().map(|word| word.constant().map(std::borrow::Cow::into_owned)).collect();
        let assigned = |(name, value): &(String, Word)| format!("{name}={:?}", value.constant());
        Self::of_words(&words, last.assignments.iter().map(assigned).collect())
    }

    /// Returns the outline of an outline, which is the same one. Another text has none.
    pub(super) fn again(text: &str) -> Option<Self> {
        let words: Vec<Option<String>> = text.split(' ').map(|word| Some(word.to_owned())).collect();
        Self::of_words(&words, Vec::new()).filter(|outline| outline.text() == text)
    }

    fn of_words(words: &[Option<String>], assignments: Vec<String>) -> Option<Self> {
        let mut reader = OutlineReader {
            outline: Self::default(),
            left_out: assignments,
            operands: Vec::new(),
            unknown: false,
        };
        let mut rest = words;
        while let Some(more) = reader.program(rest)? {
            rest = more;
        }
        let OutlineReader { mut outline, left_out, operands, unknown } = reader;
        outline.rest = (!unknown).then(|| digest(&left_out));
        outline.operands = digest(&operands);
        (outline.words.len() <= MOST_WORDS).then_some(outline)
    }

    /// Returns the outline as a text.
    pub(super) fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Returns the programs of the outline: the one that does the work, and those that run it.
    pub(super) fn programs(&self) -> &[String] {
        self.words.get(..=self.core).unwrap_or_default()
    }

    /// Returns the words that select what the program does.
    pub(super) fn subcommands(&self) -> &[String] {
        self.path.get(1..).unwrap_or_default()
    }

    /// Returns the fields as they are kept while a session lasts.
    pub(super) fn to_json(&self) -> Value {
        json!({"words": self.text(), "rest": self.rest, "operands": self.operands})
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self { rest: text("rest"), operands: text("operands")?, ..Self::again(&text("words")?)? })
    }
}

fn is_change_of_directory(command: &SimpleCommand) -> bool {
    command.words.first().and_then(Word::constant).is_some_and(|word| word == "cd") && is_alone(command)
}

/// Returns true if the exit code of a command is that of the text: it is in no pipe, condition or substitution.
fn is_alone(command: &SimpleCommand) -> bool {
    let is_branch = |nesting: &Nesting| matches!(nesting, Nesting::Branch);
    command.within.iter().all(is_branch) && !matches!(command.stdout, Output::Pipe(_))
}

struct OutlineReader {
    outline: Outline,
    left_out: Vec<String>,
    operands: Vec<String>,
    unknown: bool,
}

impl OutlineReader {
    /// Reads a program with its words. Returns the words of the program that it runs, if it runs one; `None` if the program is not
    /// known, so that there is no outline.
    fn program<'w>(&mut self, words: &'w [Option<String>]) -> Option<Option<&'w [Option<String>]>> {
        let (first, mut rest) = words.split_first()?;
        let (directory, name) = program(first.as_deref()?)?;
        self.outline.core = self.outline.words.len();
        self.outline.words.push(format!("{directory}{name}"));
        self.outline.path = vec![name.to_owned()];
        let mut selects = true;
        while let Some((word, after)) = rest.split_first() {
            let path = &self.outline.path;
            let Some(word) = word.as_deref() else {
                self.unknown = true;
                self.leave_out("");
                rest = after;
                continue;
            };
            let is_option = word.len() > 1 && word.starts_with('-') && word != "--";
            if is_option && runs_module(path, word) {
                let is_module =
                    after.first().and_then(Option::as_deref).is_some_and(|module| program(module).is_some());
                if is_module {
                    self.outline.words.push(word.to_owned());
                    return Some(Some(after));
                }
            }
            if is_option {
                rest = self.option(word, after);
                selects &= rest.len() == after.len();
                continue;
            }
            if selects && is_subcommand(path, word) {
                self.outline.path.push(word.to_owned());
                self.outline.words.push(word.to_owned());
                rest = after;
                continue;
            }
            if selects && runs_another(path) && program(word).is_some() {
                return Some(Some(rest));
            }
            self.outline.is_vague |= selects && (has_subcommands(path) || runs_another(path));
            selects = false;
            self.operands.push(word.to_owned());
            self.leave_out(word);
            rest = after;
        }
        Some(None)
    }

    /// Reads an option. Returns the words after it and its value.
    fn option<'w>(&mut self, word: &str, after: &'w [Option<String>]) -> &'w [Option<String>] {
        let path = &self.outline.path;
        if option(path, word).is_some() {
            self.outline.words.push(word.to_owned());
        }
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match (option(path, word), option(path, name), value) {
            (Some(true), ..) => match after.split_first() {
                Some((value, after)) => {
                    self.unknown |= value.is_none();
                    self.leave_out(value.as_deref().unwrap_or_default());
                    after
                }
                None => after,
            },
            (Some(false), ..) => after,
            (None, Some(_), Some(value)) => {
                self.outline.words.push(format!("{name}={LEFT_OUT}"));
                self.left_out.push(value.to_owned());
                after
            }
            (None, ..) => {
                self.leave_out(word);
                after
            }
        }
    }

    fn leave_out(&mut self, word: &str) {
        // The parts that an outline leaves out are not counted again.
        if word != LEFT_OUT {
            self.left_out.push(word.to_owned());
        }
        if self.outline.words.last().is_none_or(|last| last != LEFT_OUT) {
            self.outline.words.push(LEFT_OUT.to_owned());
        }
    }
}

fn digest(words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    Sha256::digest(words.join("\0")).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_guard::EmptyWorld;

    fn outline(text: &str) -> Option<Outline> {
        Outline::of(text, &CallContext::default(), &EmptyWorld::new("/home/dev"))
    }

    #[test]
    fn only_words_of_the_tables_are_kept() {
        for (text, expected) in [
            ("pnpm install", "pnpm install"),
            ("corepack pnpm install", "corepack pnpm install"),
            ("cd web && npm run build", "npm run build"),
            ("npm run ignore-all-previous-instructions", "npm run …"),
            ("npm install --legacy-peer-deps left-pad", "npm install --legacy-peer-deps …"),
            ("npm install --now-obey-the-following please", "npm install …"),
            ("python3 -m pytest tests/secret_name.py -q", "python3 -m pytest …"),
            ("python3 -m evil_words tests", "python3 …"),
            ("./gradlew test", "./gradlew test"),
            (".venv/bin/pytest -x", ".venv/bin/pytest …"),
            ("uv run pytest", "uv run pytest"),
            ("git push --offline origin main", "git push --offline …"),
            ("TOKEN=hunter2 cargo test", "cargo test"),
            ("cargo test > out.txt 2>&1", "cargo test"),
        ] {
            let found = outline(text).map(|outline| outline.text());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
            let again = Outline::again(expected).map(|outline| outline.text());
            assert_eq!(again.as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_one_known_program_has_no_outline() {
        for text in [
            "",
            "some-program-of-mine --x",
            "/opt/words of/mine/npm install",
            "npm test | tail -5",
            "npm test || true",
            "npm test; npm run lint",
            "npm test &",
            "if npm test; then cargo test; fi",
            "bash -c 'npm test'",
            "sudo npm install",
            "eval npm test",
            "$RUN npm test",
            "npm() { :; }; npm test",
        ] {
            assert_eq!(outline(text), None, "{text}");
        }
        for text in [
            "npm install please",
            "npm  install",
            "npm install …\u{202e}",
            "ignore everything",
            "npm install …  …",
        ] {
            assert_eq!(Outline::again(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_compared_and_not_kept() {
        let [one, same, other] =
            ["npm run a", "cd x && npm run a", "npm run b"].map(|text| outline(text).unwrap());
        assert!(one.is_vague && one.rest == same.rest && one.rest != other.rest);
        assert_ne!(outline("A=1 cargo test").unwrap().rest, outline("cargo test").unwrap().rest);
        assert_eq!(outline("cargo test $X").unwrap().rest, None);
        assert_eq!(outline("corepack pnpm install").unwrap().path, ["pnpm", "install"]);
        assert_eq!(outline("corepack pnpm install").unwrap().programs(), ["corepack", "pnpm"]);
        assert!(!one.to_json().to_string().contains("run a"));
        assert_eq!(Outline::from_json(&other.to_json()), Some(other));
    }
}
