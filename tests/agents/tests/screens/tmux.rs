//! A terminal multiplexer in which agents run as a user would start them, and a second terminal.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

/// The longest time until a text appears. A busy machine needs seconds.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time between two looks at the screen.
const PAUSE: Duration = Duration::from_millis(100);
/// The time after which a key is pressed again.
const AGAIN: Duration = Duration::from_secs(2);
/// The height of a terminal: high enough that nothing scrolls out of it.
const ROWS: &str = "100";

/// A server of its own, with one session for each terminal.
pub(crate) struct Tmux {
    socket: PathBuf,
    columns: String,
    environment: Vec<(String, String)>,
}

impl Tmux {
    /// A server with this socket, whose terminals have `columns` and this environment.
    pub(crate) fn new(socket: PathBuf, columns: usize, environment: Vec<(String, String)>) -> Self {
        Self { socket, columns: columns.to_string(), environment }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut tmux = Command::new("tmux");
        tmux.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        tmux.args(["-u", "-f", "/dev/null", "-S"]).arg(&self.socket).args(arguments);
        tmux.output().expect("tmux")
    }

    /// Opens a terminal with a program in it.
    pub(crate) fn open(&self, name: &'static str, directory: &Path, program: &[&str]) -> Terminal<'_> {
        let directory = directory.to_str().unwrap();
        let mut arguments = vec!["new-session", "-d", "-s", name, "-c", directory];
        arguments.extend(["-x", &self.columns, "-y", ROWS]);
        arguments.extend(program);
        let output = self.run(&arguments);
        assert!(output.status.success(), "tmux: {}", String::from_utf8_lossy(&output.stderr));
        let _ = self.run(&["set-option", "-g", "status", "off"]);
        let _ = self.run(&["set-option", "-g", "remain-on-exit", "on"]);
        Terminal { tmux: self, name }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.run(&["kill-server"]);
    }
}

/// One terminal.
pub(crate) struct Terminal<'t> {
    tmux: &'t Tmux,
    name: &'static str,
}

impl Terminal<'_> {
    /// Returns what it shows, without the spaces at the ends of lines.
    pub(crate) fn screen(&self) -> String {
        self.capture(&[])
    }

    /// Returns what it shows, with colours.
    pub(crate) fn coloured(&self) -> String {
        self.capture(&["-e"])
    }

    fn capture(&self, more: &[&str]) -> String {
        let output = self.tmux.run(&[&["capture-pane", "-p", "-t", self.name], more].concat());
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        shown.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Returns its words: where a line breaks depends on the width.
    fn together(&self) -> String {
        self.screen().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Waits until it shows one of the texts, and returns which one.
    pub(crate) fn waits_for_one(&self, texts: &[&str]) -> usize {
        let start = Instant::now();
        loop {
            let together = self.together();
            if let Some(found) = texts.iter().position(|text| together.contains(text)) {
                return found;
            }
            let shown = || self.screen().trim_end().to_owned();
            assert!(start.elapsed() < PATIENCE, "{}: none of {texts:?} in\n{}", self.name, shown());
            thread::sleep(PAUSE);
        }
    }

    /// Waits until it shows a text.
    pub(crate) fn waits_for(&self, text: &str) {
        self.waits_for_one(&[text]);
    }

    /// Presses keys, by their names.
    pub(crate) fn press(&self, keys: &[&str]) {
        let _ = self.tmux.run(&[&["send-keys", "-t", self.name], keys].concat());
    }

    /// Presses a key until a text appears: a dialog that was just drawn ignores keys.
    pub(crate) fn presses_until(&self, key: &str, text: &str) {
        let start = Instant::now();
        loop {
            self.press(&[key]);
            let next = Instant::now() + AGAIN;
            while Instant::now() < next {
                if self.together().contains(text) {
                    return;
                }
                thread::sleep(PAUSE);
            }
            assert!(
                start.elapsed() < PATIENCE,
                "{}: no {text:?} in\n{}",
                self.name,
                self.screen().trim_end()
            );
        }
    }

    /// Types a text, and once it is seen, the return key.
    pub(crate) fn types(&self, text: &str) {
        let _ = self.tmux.run(&["send-keys", "-t", self.name, "-l", text]);
        self.waits_for(text);
        self.press(&["Enter"]);
    }

    /// Returns the file of the terminal itself.
    pub(crate) fn file(&self) -> PathBuf {
        let output = self.tmux.run(&["display-message", "-p", "-t", self.name, "#{pane_tty}"]);
        PathBuf::from(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Closes it.
    pub(crate) fn close(self) {
        let _ = self.tmux.run(&["kill-session", "-t", self.name]);
    }
}
