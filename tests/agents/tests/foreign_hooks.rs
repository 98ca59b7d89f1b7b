//! Hooks of other agents under the real ones: one hook of each dialect is in the user's configuration, and each agent obeys it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::{inside::inside, installed::subjects};
use checkrein_live::{ALL, Agent, Subject, Workdir, enter, play};
use checkrein_model::{Call, Script, Turn};
use checkrein_testkit::foreign::{DIRECTORY, REASON, REWRITTEN, SAMPLES, Sample};
use std::{ffi::OsStr, fs, path::PathBuf};

/// The effect of a hook on its call.
#[derive(Clone, Copy)]
enum Does {
    Nothing,
    Deny,
    Rewrite,
}

/// One call, which only the hook of one dialect has an opinion about.
struct Canary {
    sample: &'static Sample,
    does: Does,
    name: String,
}

impl Canary {
    fn mark(&self, workdir: &Workdir) -> PathBuf {
        workdir.project().join(format!("{}.txt", self.name))
    }

    fn command(&self, workdir: &Workdir) -> String {
        format!("echo {} > {}", self.name, self.mark(workdir).display())
    }

    /// Returns the answer of the hook, as its own host's documentation has it.
    fn answer(&self, workdir: &Workdir) -> String {
        match self.does {
            Does::Nothing => "{}".to_owned(),
            Does::Deny => self.sample.denies.to_owned(),
            Does::Rewrite => {
                let command = format!("echo rewritten > {}", self.mark(workdir).display());
                let rewrite = self.sample.rewrites.unwrap_or_default().replace(REWRITTEN, &command);
                rewrite.replace(DIRECTORY, &workdir.project().to_string_lossy())
            }
        }
    }

    /// Returns what the call left: its own text, the text of a hook, or nothing.
    fn left(&self, workdir: &Workdir) -> Option<String> {
        fs::read_to_string(self.mark(workdir)).ok().map(|text| text.trim().to_owned())
    }
}

/// Returns the calls: for each dialect one that its hook lets through, one that it denies, and one that it rewrites if it can.
fn canaries() -> Vec<Canary> {
    let of = |(number, sample): (usize, &'static Sample)| {
        let rewrite = sample.rewrites.map(|_| (Does::Rewrite, "rewrite"));
        [Some((Does::Nothing, "pass")), rewrite, Some((Does::Deny, "deny"))].into_iter().flatten().map(
            move |(does, word)| {
                let host: String = sample.written_for.replace(':', "-");
                Canary { sample, does, name: format!("canary-{word}-{number}-{host}") }
            },
        )
    };
    SAMPLES.iter().enumerate().flat_map(of).collect()
}

/// Returns a configuration with a hook of each dialect, which knows its own calls by its own host's words.
fn configuration(canaries: &[Canary], workdir: &Workdir) -> String {
    let mut text = String::new();
    for (number, sample) in SAMPLES.iter().enumerate() {
        let seen = sample.sees.split(',').next().unwrap();
        let mine = canaries.iter().filter(|canary| std::ptr::eq(canary.sample, sample));
        let arms: String = mine
            .map(|canary| {
                let answer = canary.answer(workdir);
                format!("*'{seen}'*'echo {}'*) echo '{answer}' ;; ", canary.name)
            })
            .collect();
        text += &format!(
            "[[hook]]\nevent = \"PreToolUse\"\nname = \"team-{number}\"\nwritten_for = \"{}\"\nmatch = {{ tool = \"{}\" }}\n\
             command = '''body=$(cat); case $body in {arms}esac; exit 0'''\n\n",
            sample.written_for, sample.tool
        );
    }
    text
}

/// Lets the agent make these calls in one session, and returns the results that the model got.
fn session(subject: &Subject, workdir: &Workdir, outside: &OsStr, calls: Vec<Call>) -> Vec<String> {
    let script = Script::new(calls.into_iter().map(Turn::call));
    let played = play(workdir, subject, outside, script, "Let the canaries sing.").unwrap();
    let last = played.requests.iter().max_by_key(|request| request.results.len());
    last.map(|last| last.results.iter().map(|result| result.text.clone()).collect()).unwrap_or_default()
}

/// Agents that take no change of a call: the model is told what to run instead.
const UNCHANGED: &[&str] = &["qwen", "kimi", "hermes"];

fn obeys(agent: &dyn Agent, outside: &OsStr) {
    enter(outside).unwrap();
    let subject =
        subjects(None).unwrap().into_iter().find(|subject| subject.agent.name() == agent.name()).unwrap();
    let directory = tempfile::Builder::new().prefix("foreign-").tempdir().unwrap();
    let workdir = Workdir::create(directory.path().join("work"), subject.checkrein.clone()).unwrap();
    Workdir::write(&workdir.project().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let canaries = canaries();
    Workdir::write(&workdir.settings().join("config.toml"), &configuration(&canaries, &workdir)).unwrap();
    let call = |canary: &Canary| agent.shell(&canary.command(&workdir));
    // Cline ends a run at the first denial, so each call that may be denied has a run of its own.
    let each = if agent.name() == "cline" { 1 } else { canaries.len() };
    let mut results = Vec::new();
    for some in canaries.chunks(each) {
        results.extend(session(&subject, &workdir, outside, some.iter().map(call).collect()));
    }
    for (number, canary) in canaries.iter().enumerate() {
        let place = format!("{} under {}: {results:#?}", canary.name, agent.name());
        let left = canary.left(&workdir);
        match canary.does {
            Does::Nothing => assert_eq!(left.as_deref(), Some(canary.name.as_str()), "{place}"),
            Does::Deny => {
                assert_eq!(left, None, "{place}");
                let told = results.get(number).is_some_and(|result| result.contains(REASON));
                assert!(told || agent.name() == "cline", "{place}");
            }
            Does::Rewrite if UNCHANGED.contains(&agent.name()) => assert_eq!(left, None, "{place}"),
            Does::Rewrite => assert_eq!(left.as_deref(), Some("rewritten"), "{place}"),
        }
    }
}

#[test]
fn every_agent_obeys_a_hook_of_each_dialect() {
    for agent in ALL {
        inside("every_agent_obeys_a_hook_of_each_dialect", agent.name(), |outside| obeys(*agent, outside));
    }
}
