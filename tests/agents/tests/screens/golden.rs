//! The files with the expected screens, and the picture that is drawn of one of them.

use checkrein_agents::picture;
use std::{env, fs, path::PathBuf};

/// The variable that accepts what is shown now.
const UPDATE: &str = "UPDATE_GENERATED";
/// The width of the screen of the picture, and its agent.
const PICTURE: (&str, usize) = ("claude", 80);

/// The expected screens of one agent at one width.
pub(crate) struct Golden {
    agent: &'static str,
    columns: usize,
    codes: Vec<String>,
    differences: Vec<String>,
}

impl Golden {
    pub(crate) fn new(agent: &'static str, columns: usize) -> Self {
        Self { agent, columns, codes: Vec::new(), differences: Vec::new() }
    }

    /// A code that is another one in every run. It is replaced by one of the same length, so that no line breaks elsewhere.
    pub(crate) fn code(&mut self, code: &str) {
        self.codes.push(code.to_owned());
    }

    /// Ids of events, which are others in every run.
    pub(crate) fn ids(&mut self, ids: &[String]) {
        self.codes.extend(ids.iter().cloned());
    }

    fn settled(&self, screen: &str) -> String {
        let letters = |code: &String| -> String {
            code.chars().map(|letter| if letter.is_alphanumeric() { 'x' } else { letter }).collect()
        };
        let settled =
            self.codes.iter().fold(screen.to_owned(), |text, code| text.replace(code, &letters(code)));
        without_ids(&steady(&settled))
    }

    /// Compares a part of a screen with its file.
    pub(crate) fn compare(&mut self, name: &str, screen: &str) {
        let screen = self.settled(screen);
        let name = format!("{}-{}-{name}.txt", self.agent, self.columns);
        let path = directory().join("screens").join(&name);
        if env::var_os(UPDATE).is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            return fs::write(path, screen).unwrap();
        }
        let expected = fs::read_to_string(path).unwrap_or_default();
        if expected != screen {
            self.differences.push(format!("--- {name}\n{expected}\n+++ now\n{screen}"));
        }
    }

    /// Draws the picture of the README, and checks that the one that is there shows these words.
    pub(crate) fn picture(&mut self, name: &str, coloured: &str, first: &str, last: &str) {
        if (self.agent, self.columns) != PICTURE {
            return;
        }
        // With the same code and id every time, of the same length.
        let sample = |text: String, code: &String| {
            text.replace(code, if code.contains('-') { "cvtv-bezk" } else { "2jny6n0hfjkc" })
        };
        let coloured = self.codes.iter().fold(coloured.to_owned(), sample);
        let screen = between_lines(&coloured, picture::plain, first, last);
        let drawn = picture::draw(&screen, self.columns);
        let path = directory().join("../../docs/images").join(format!("{name}.svg"));
        if env::var_os(UPDATE).is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            return fs::write(path, drawn).unwrap();
        }
        let old = fs::read_to_string(path).unwrap_or_default();
        if picture::words(&old) != picture::words(&drawn) {
            self.differences.push(format!("the picture `{name}` shows other words than\n{screen}"));
        }
    }

    /// Fails if something differs.
    pub(crate) fn finish(self) {
        assert!(
            self.differences.is_empty(),
            "`cargo xtask agents --update` accepts these screens, if they are right:\n{}",
            self.differences.join("\n")
        );
    }
}

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Replaces the greeting, which counts the rules, and the bullet that blinks while a call waits.
fn steady(text: &str) -> String {
    let line = |line: &str| {
        let line = line.strip_prefix('●').map_or_else(|| line.to_owned(), |rest| format!(" {rest}"));
        match line.split_once("Checkrein: ") {
            Some((before, after)) if after.contains(" rules, ") => {
                format!("{before}Checkrein: [greeting]\n")
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// Replaces the ids of sessions.
fn without_ids(text: &str) -> String {
    const FORM: &str = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
    let is_id = |word: &[u8]| {
        word.iter().zip(FORM.bytes()).all(|(byte, form)| match form {
            b'-' => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    };
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at + FORM.len() <= bytes.len() {
        if is_id(&bytes[at..at + FORM.len()]) {
            bytes[at..at + FORM.len()].copy_from_slice(FORM.replace('h', "0").as_bytes());
        }
        at += 1;
    }
    String::from_utf8(bytes).unwrap()
}

/// Returns the lines of a screen from the last one that has `first` to the first one after it that has `last`.
pub(crate) fn between(screen: &str, first: &str, last: &str) -> String {
    between_lines(screen, str::to_owned, first, last)
}

fn between_lines(screen: &str, plain: impl Fn(&str) -> String, first: &str, last: &str) -> String {
    let lines: Vec<&str> = screen.lines().collect();
    let has = |line: &&str, text: &str| plain(line).contains(text);
    let end =
        lines.iter().rposition(|line| has(line, last)).unwrap_or_else(|| panic!("no {last:?} in\n{screen}"));
    let begin = match first {
        "" => 0,
        first => lines[..=end].iter().rposition(|line| has(line, first)).unwrap_or_default(),
    };
    lines[begin..=end].iter().map(|line| format!("{}\n", line.trim_end())).collect()
}
