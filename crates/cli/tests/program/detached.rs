//! Programs without a parent: an agent that runs these tests is not above them.

use crate::Place;
use std::{
    fs,
    io::Write,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The end of a yes-or-no question.
const QUESTION: &str = "[y/N] ";

/// A detached shell script.
pub(crate) struct Detached {
    directory: TempDir,
}

impl Detached {
    /// Starts the script, with only these variables.
    pub(crate) fn start(text: &str, variables: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
        let (out, err, code, id) = (at("out"), at("err"), at("code"), at("id"));
        fs::write(at("inner"), format!("echo $$ > {id}.new; mv {id}.new {id}\n{text}\n")).unwrap();
        let outer = format!(
            "sh {} > {out} 2> {err} < /dev/null; echo $? > {code}.new; mv {code}.new {code}\n",
            at("inner")
        );
        fs::write(at("outer"), outer).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "(setsid sh \"$0\" > /dev/null 2>&1 &)", &at("outer")]).env_clear();
        command.envs(variables.iter().copied());
        assert!(command.status().unwrap().success());
        Self { directory }
    }

    fn awaited(&self, name: &str) -> String {
        let (path, patience) = (self.directory.path().join(name), Instant::now() + Duration::from_secs(60));
        while !path.exists() {
            assert!(Instant::now() < patience, "a detached program never ended");
            thread::sleep(Duration::from_millis(3));
        }
        fs::read_to_string(path).unwrap().trim().to_owned()
    }

    /// Returns the id of the shell, or of the process that replaced it.
    pub(crate) fn id(&self) -> String {
        self.awaited("id")
    }

    /// Waits for its end.
    pub(crate) fn output(&self) -> Output {
        let code: i32 = self.awaited("code").parse().unwrap();
        let read = |name: &str| fs::read(self.directory.path().join(name)).unwrap();
        Output { status: ExitStatus::from_raw(code << 8), stdout: read("out"), stderr: read("err") }
    }
}

/// Quotes `word` for a shell.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns a command line of these words.
pub(crate) fn line(program: &Path, arguments: &[&str]) -> String {
    let words = std::iter::once(program.to_str().unwrap()).chain(arguments.iter().copied());
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

impl Place {
    /// Runs `inner` at a terminal that `script` creates, detached, so that the process which runs this test
    /// is not above it. Types `answer` of the displayed word or of a plain question, if there is one.
    pub(crate) fn at_a_terminal(&self, script: &str, inner: &str, answer: impl Fn(&str) -> String) -> String {
        let text = self.on_a_screen(script, inner, answer);
        text.replace(self.directory.path().to_str().unwrap(), "[directory]")
    }

    /// Does the same, and returns the screen as it is.
    pub(crate) fn on_a_screen(&self, script: &str, inner: &str, answer: impl Fn(&str) -> String) -> String {
        for tool in ["/usr/bin/script", "/usr/bin/setsid"] {
            assert!(Path::new(tool).exists(), "this test needs `{tool}`, of util-linux");
        }
        let home: PathBuf = self.path("");
        let (keys, screen, done) = (home.join("keys"), home.join("screen"), home.join("done"));
        assert!(Command::new("mkfifo").arg(&keys).status().unwrap().success());
        let detached = format!("{script} -qec \"{inner}\" /dev/null < keys > screen 2>&1; mv screen done");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("(setsid sh -c '{detached}' > /dev/null 2>&1 &)")]).current_dir(&home);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", &home);
        assert!(command.status().unwrap().success());
        // Both ends, so that opening does not block.
        let mut keyboard = fs::OpenOptions::new().read(true).write(true).open(&keys).unwrap();
        let patience = Instant::now() + Duration::from_secs(30);
        let mut typed = None;
        while !done.exists() {
            assert!(Instant::now() < patience, "`{inner}` never ended");
            thread::sleep(Duration::from_millis(10));
            let shown = fs::read_to_string(&screen).unwrap_or_default();
            let word =
                shown.split_once("Type `").and_then(|(_, rest)| Some(rest.split_once("`: ")?.0.to_owned()));
            let word = word.or_else(|| shown.contains(QUESTION).then(|| QUESTION.to_owned()));
            if let (Some(word), None) = (word, &typed) {
                writeln!(keyboard, "{}", answer(&word)).unwrap();
                typed = Some(word);
            }
        }
        let text = fs::read_to_string(&done).unwrap().replace('\r', "");
        fs::remove_file(&done).unwrap();
        fs::remove_file(&keys).unwrap();
        typed
            .filter(|word| word != QUESTION)
            .map_or_else(|| text.clone(), |word| text.replace(&word, "[word]"))
    }
}
