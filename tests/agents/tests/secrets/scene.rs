//! A project with a file of twelve secrets, an agent in it, and everything that the agent sends and leaves.

use crate::servers::{self, Arguments, Received};
use checkrein_agents::installed::subjects;
use checkrein_live::{Played, Subject, Workdir, enter, play};
use checkrein_model::{Call, Script, Turn};
use checkrein_secrets::{
    Kind,
    sample::{self, Random},
};
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The variable that names a directory in which the directories of the tests stay, to look at them.
const KEEP: &str = "CHECKREIN_KEEP_RECORDS";

/// The plain lines that are changed, before and after.
pub(crate) const PLAIN: [(&str, &str); 3] =
    [("PORT=5432", "PORT=6543"), ("LOG_LEVEL=info", "LOG_LEVEL=debug"), ("THEME=dark", "THEME=light")];

/// The kinds of the secrets that have a form of their own, and the names of their lines.
const KINDS: [(&str, &str); 5] = [
    ("GITHUB_TOKEN", "github-pat-classic"),
    ("NPM_AUTH", "npm-access-token"),
    ("STRIPE", "stripe-secret-live"),
    ("SLACK", "slack-bot"),
    ("GITLAB", "gitlab-pat"),
];

/// The secrets that only the file says are some.
const GENERIC: [(&str, &str); 6] = [
    ("API_TOKEN", "kR4vT9xQ2mWz7LpB"),
    ("SESSION_SECRET", "qW8-eR7_tY6.uI5"),
    ("REDIS_PASSWORD", "batteryStaple77"),
    ("SIGNING_KEY", "0f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"),
    ("OAUTH_CLIENT_SECRET", "mN3bV4cX5zL6kJ7h"),
    ("ADMIN_PASSWORD", "hunter2hunter2"),
];

/// The password in the address of the database.
const DATABASE: &str = "Tr0ub4dorX9";

fn of_kind(name: &str) -> String {
    let kind = Kind::all().find(|kind| kind.name() == name).unwrap_or_else(|| panic!("no kind `{name}`"));
    sample::of(kind, &mut Random::new(23)).unwrap()
}

/// Returns the text of the file.
pub(crate) fn text(http: u16, postgres: u16) -> String {
    let tokens: String = KINDS.iter().map(|(name, kind)| format!("{name}={}\n", of_kind(kind))).collect();
    let generic: String = GENERIC.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
    format!(
        "# the shop\nPORT=5432\n{tokens}THEME=dark\nAPI_URL=http://127.0.0.1:{http}/v1\n{generic}\
         DB_URL=postgres://app:{DATABASE}@127.0.0.1:{postgres}/shop\nLOG_LEVEL=info\n"
    )
}

/// Returns the secrets of the file, by the names of their lines.
pub(crate) fn values(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let is_secret = |name: &str| KINDS.iter().chain(&GENERIC).any(|(known, _)| *known == name);
    let mut values: Vec<(String, String)> = lines
        .filter(|(name, _)| is_secret(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    values.push(("DB_URL".to_owned(), DATABASE.to_owned()));
    values
}

/// Runs a test in a sandbox, with a user's configuration, if the agent is among those that are tried.
pub(crate) fn inside(test: &str, agent: &str, configuration: &str, body: fn(&Scene)) {
    checkrein_agents::inside::inside(test, agent, |outside| {
        body(&Scene::new(agent, configuration, outside.to_owned()));
    });
}

/// The project and the servers.
pub(crate) struct Scene {
    workdir: Workdir,
    outside: OsString,
    pub(crate) subject: Subject,
    pub(crate) http: (u16, Received),
    pub(crate) postgres: (u16, Received),
    /// Removes the directory at the end.
    _directory: Option<tempfile::TempDir>,
}

impl Scene {
    fn new(agent: &str, configuration: &str, outside: OsString) -> Self {
        enter(&outside).unwrap();
        let mut subject =
            subjects(None).unwrap().into_iter().find(|subject| subject.agent.name() == agent).unwrap();
        let (http, postgres) = (servers::http(), servers::postgres());
        let (directory, path) = match env::var_os(KEEP) {
            Some(kept) => (None, Path::new(&kept).join(format!("secrets-{agent}-{}", http.0))),
            None => {
                // Visible: a hidden program in a temporary directory would be asked about.
                let directory = tempfile::Builder::new().prefix("secrets-").tempdir().unwrap();
                let path = directory.path().join("work");
                (Some(directory), path)
            }
        };
        let workdir = Workdir::create(path, subject.checkrein.clone()).unwrap();
        // A repository, whose file with secrets is not tracked.
        Workdir::write(&workdir.project().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        Workdir::write(&workdir.project().join(".gitignore"), ".env\ndeploy.txt\n").unwrap();
        Workdir::write(&workdir.project().join(".env"), &text(http.0, postgres.0)).unwrap();
        let deploy = format!("the shop is deployed with {} since May\n", of_kind("github-pat-classic"));
        Workdir::write(&workdir.project().join("deploy.txt"), &deploy).unwrap();
        if !configuration.is_empty() {
            Workdir::write(&workdir.settings().join("config.toml"), configuration).unwrap();
        }
        // A stand-in for GitHub's client, which sends its token as the real one does and tells it on top.
        let bin = workdir.directory().join("bin");
        let stub = format!(
            "#!/bin/sh\nprintf 'Authorization: token %s' \"$GH_TOKEN\" | curl -sS -H @- http://127.0.0.1:{}/gh\n\
             echo \"here is $GH_TOKEN\"\n",
            http.0
        );
        Workdir::write_program(&bin.join("gh"), &stub).unwrap();
        let mut search = bin.into_os_string();
        search.push(":");
        search.push(&subject.path);
        subject.path = search;
        Self { workdir, outside, subject, http, postgres, _directory: directory }
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> PathBuf {
        self.workdir.project().join(".env")
    }

    /// Returns the text of the file now.
    pub(crate) fn env(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    /// Returns the text of the file at the start.
    pub(crate) fn original(&self) -> String {
        text(self.http.0, self.postgres.0)
    }

    /// Returns the value in this line at the start.
    pub(crate) fn value(&self, name: &str) -> String {
        values(&self.original()).into_iter().find(|(known, _)| known == name).unwrap().1
    }

    /// Returns the file as the model is shown it.
    pub(crate) fn shown(&self) -> String {
        let output = Command::new(&self.subject.checkrein)
            .args(["cat", ".env"])
            .current_dir(self.workdir.project())
            .env_clear()
            .env("HOME", self.workdir.home())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.matches("secret_").count(), 12, "{text}");
        text
    }

    /// Returns the tag of the value in a line.
    pub(crate) fn tag(&self, name: &str) -> String {
        let shown = self.shown();
        let line = shown.lines().find(|line| line.starts_with(&format!("{name}="))).unwrap();
        let at = line.find("secret_").unwrap();
        line[at..].chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect()
    }

    /// Lets the agent make these calls, one after another.
    pub(crate) fn play(&self, calls: impl IntoIterator<Item = Call>) -> Session<'_> {
        let arguments = Arguments::watch();
        let script = Script::new(calls.into_iter().map(Turn::call));
        let count = script.len();
        let played = play(&self.workdir, &self.subject, &self.outside, script, "Work on the shop.").unwrap();
        let arguments = arguments.seen();
        assert!(arguments.len() > 3, "the processes were seen: {arguments:?}");
        let session = Session { scene: self, played, arguments };
        let results = session.results();
        assert_eq!(results.len(), count, "every call has a result: {results:#?}\n{}", session.said());
        session
    }

    /// Exactly the plain lines differ from the start.
    pub(crate) fn only_plain_lines_differ(&self) {
        let expected = PLAIN.iter().fold(self.original(), |text, (old, new)| text.replace(old, new));
        assert_eq!(self.env(), expected);
    }
}

/// A session that is over.
pub(crate) struct Session<'s> {
    scene: &'s Scene,
    played: Played,
    arguments: Vec<String>,
}

impl Session<'_> {
    fn results(&self) -> Vec<String> {
        let last = self.played.requests.iter().max_by_key(|request| request.results.len());
        last.map(|last| last.results.iter().map(|result| result.text.clone()).collect()).unwrap_or_default()
    }

    /// Returns what the agent prints.
    fn said(&self) -> String {
        let read = |name: &str| {
            String::from_utf8_lossy(&fs::read(self.scene.workdir.directory().join(name)).unwrap_or_default())
                .into_owned()
        };
        format!("exit code {:?}\n{}\n{}", self.played.code, read("stdout"), read("stderr"))
    }

    /// Returns the result of a call as the model gets it.
    pub(crate) fn result(&self, call: usize) -> String {
        self.results().get(call).cloned().unwrap_or_default()
    }

    /// The model got these texts as the result of a call.
    pub(crate) fn shows(&self, call: usize, texts: &[&str]) {
        let result = self.result(call);
        for text in texts {
            assert!(result.contains(text), "call {call} has no `{text}`:\n{result}");
        }
    }

    /// No value of the file is anywhere but in the file.
    pub(crate) fn is_hidden(&self) {
        self.is_hidden_except(&[]);
    }

    /// Checks the same in all places whose names have none of these in them.
    pub(crate) fn is_hidden_except(&self, left_out: &[&str]) {
        let mut found = Vec::new();
        let mut look = |place: &str, bytes: &[u8]| {
            if left_out.iter().any(|part| place.contains(part)) {
                return;
            }
            let text = String::from_utf8_lossy(bytes);
            for (name, value) in values(&self.scene.original()) {
                if let Some(at) = text.find(&value) {
                    let start = text.floor_char_boundary(at.saturating_sub(200));
                    found.push(format!("{name} in {place}: {}", &text[start..at + value.len()]));
                }
            }
        };
        for (number, request) in self.played.requests.iter().enumerate() {
            look(&format!("request {number} to the model"), request.body.to_string().as_bytes());
            look(&format!("the headers of request {number}"), format!("{:?}", request.headers).as_bytes());
        }
        look("the output of the agent", self.said().as_bytes());
        look("the arguments of a process", self.arguments.join("\n").as_bytes());
        let mut count = 0;
        for root in [self.scene.workdir.home(), self.scene.workdir.directory().join("tmp")] {
            let mut left = vec![root];
            while let Some(path) = left.pop() {
                let Ok(metadata) = path.symlink_metadata() else { continue };
                if metadata.is_dir() {
                    left.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                } else if metadata.is_file() {
                    count += 1;
                    look(&path.to_string_lossy(), &fs::read(&path).unwrap());
                }
            }
        }
        assert!(count > 5, "the agent and we have written something");
        assert!(found.is_empty(), "{}", found.join("\n\n"));
    }
}
