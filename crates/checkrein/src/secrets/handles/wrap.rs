//! Finds the commands of a text that need the value of a tag, and puts `checkrein run` before each of them.

use super::{
    super::{Secrets, text::script},
    plan::{Command, Judge, Plan, Way},
    table,
};
use crate::{
    builtin::on_path,
    ownership,
    state::tickets::{self, Ticket},
};
use checkrein_core::Payload;
use checkrein_guard::{
    CallContext, Edits, Input, Invocation, Judgement, Nesting, Output, RUN, Script, SimpleCommand, Word,
    World, quoted_if_needed,
};
use checkrein_secrets::{Key, tags};
use serde_json::{Value, json};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};

/// Programs that print their words.
const PRINTERS: &[&str] = &["echo", "printf"];
/// The variables of this process that a program needs to run at all.
const ENVIRONMENT: &[&str] = &["HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ"];

/// Returns the text with every command wrapped that needs a value; `None` if no program of the table has a tag; an error is the
/// reason for a denial.
pub(super) fn wrapped(
    secrets: &Secrets,
    payload: &Payload,
    text: &str,
    place: &CallContext,
    judgement: &Judgement,
    world: &dyn World,
) -> Result<Option<String>, String> {
    let script = script(text, place, world);
    let targets = targets_of(&script, secrets)?;
    if targets.is_empty() {
        return Ok(None);
    }
    let scene = Scene::new(secrets, payload, judgement, world)?;
    let (mut edits, mut changes) = (Edits::default(), Vec::new());
    for simple in targets {
        let (range, words) = scene.change(text, &script, simple)?;
        let new = words.iter().map(|word| quoted_if_needed(word)).collect::<Vec<_>>().join(" ");
        edits.replace(range, new);
        changes.push(words);
    }
    let whole = edits.apply(text).ok_or("the command cannot be rewritten")?;
    // In texts that the shell rewrites first, positions are different.
    let again = self::script(&whole, place, world);
    let runs = |expected: &Vec<String>| {
        again.commands.iter().any(|simple| constants(&simple.words).as_ref() == Some(expected))
    };
    let is_meant = again.opaque.is_empty() && changes.iter().all(runs);
    if is_meant {
        Ok(Some(whole))
    } else {
        Err("the command cannot be rewritten; write it without nested quotes".to_owned())
    }
}

/// Returns the commands with a tag that programs of the table can use; an error if other commands have one too, or if the text
/// cannot be read as a whole.
fn targets_of<'a>(script: &'a Script, secrets: &Secrets) -> Result<Vec<&'a SimpleCommand>, String> {
    let gets_tag = |simple: &SimpleCommand| {
        is_tagged(simple) || piped(script, simple).is_some_and(|text| tags(&text).next().is_some())
    };
    let is_ours =
        |simple: &SimpleCommand| simple.words.get(1).and_then(Word::constant).is_some_and(|word| word == RUN);
    let tagged = script.commands.iter().filter(|simple| gets_tag(simple) && !is_ours(simple));
    let (targets, others): (Vec<_>, Vec<_>) = tagged.partition(|simple| is_target(simple, secrets));
    if targets.is_empty() {
        return Ok(targets);
    }
    let is_whole = script.opaque.is_empty()
        && script.functions.is_empty()
        && script.aliases.is_empty()
        && script.evaluated.is_empty();
    if !is_whole {
        return Err(
            "the command cannot be read as a whole; write it without functions, aliases and evaluated text"
                .to_owned(),
        );
    }
    let feeds_none =
        |simple: &SimpleCommand| is_printer(simple) && is_tagged(simple) && !feeds(script, simple, &targets);
    if others.into_iter().any(|simple| !is_printer(simple)) || script.commands.iter().any(feeds_none) {
        return Err(
            "the command also has a tag where nothing reads a secret; make two calls of it".to_owned()
        );
    }
    Ok(targets)
}

/// Returns whether every tag of a text belongs to a call of `checkrein run` that has a ticket; an error is the reason for a denial.
pub(in super::super) fn covered(
    secrets: &Secrets,
    payload: &Payload,
    text: &str,
    place: &CallContext,
    judgement: &Judgement,
    world: &dyn World,
) -> Result<bool, String> {
    let runs: Vec<&Invocation> = judgement.ran.iter().filter(|ran| is_run(&ran.words)).collect();
    if runs.is_empty() {
        return Ok(false);
    }
    let refused = "`checkrein run` is started only by Checkrein itself, in place of a command with a tag; write the command with the tag and without it";
    let (state, key) = (secrets.state.as_deref().ok_or(refused)?, secrets.key().map_err(|_| refused)?);
    for run in runs {
        let given = Given::read(run.words.get(2..).unwrap_or_default()).ok_or(refused)?;
        let ticket = tickets::read(state, &key, &given.ticket).ok_or(refused)?;
        let directory =
            run.directory.as_deref().and_then(|directory| Path::new(directory).canonicalize().ok());
        let is_bound = Some(&ticket.session) == payload.session.id.as_ref()
            && directory.as_deref() == Some(Path::new(&ticket.directory))
            && ticket.secrets == given.secrets
            && ticket.words == given.words;
        if !is_bound {
            return Err(refused.to_owned());
        }
    }
    let script = script(text, place, world);
    let targets: Vec<&SimpleCommand> = script
        .commands
        .iter()
        .filter(|simple| constants(&simple.words).is_some_and(|words| is_run(&words)))
        .collect();
    let is_inside = |tag: &Range<usize>| {
        script.commands.iter().any(|simple| {
            let is_printed = is_printer(simple) && feeds(&script, simple, &targets);
            let is_target = targets.iter().any(|target| std::ptr::eq(*target, simple));
            let is_document =
                matches!(&simple.stdin, Input::Text(text) if is_target && contains(&text.target.span, tag));
            (is_printed || is_target) && contains(&simple.span, tag) || is_document
        })
    };
    Ok(tags(text).all(|tag| is_inside(&tag)))
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The command line of `checkrein run`.
struct Given {
    ticket: String,
    secrets: Vec<String>,
    words: Vec<String>,
}

impl Given {
    fn read(words: &[String]) -> Option<Self> {
        let end = words.iter().position(|word| word == "--")?;
        let (mut ticket, mut secrets) = (None, Vec::new());
        for pair in words.get(..end)?.chunks(2) {
            match pair {
                [option, value] if option == "--ticket" && ticket.is_none() => ticket = Some(value.clone()),
                [option, value] if option == "--secret" => secrets.push(value.clone()),
                _ => return None,
            }
        }
        Some(Self { ticket: ticket?, secrets, words: words.get(end + 1..)?.to_vec() })
    }
}

fn is_run(words: &[String]) -> bool {
    let is_us = |word: &String| word.rsplit('/').next() == Some("checkrein");
    words.first().is_some_and(is_us) && words.get(1).is_some_and(|word| word == RUN)
}

/// The known text of a word: a tag has to be in one piece.
fn known(word: &Word) -> String {
    let constant = word.constant().map(std::borrow::Cow::into_owned);
    constant.or_else(|| word.pattern()).or_else(|| word.if_unknowns_are_empty()).unwrap_or_default()
}

fn constants(words: &[Word]) -> Option<Vec<String>> {
    words.iter().map(|word| word.constant().map(std::borrow::Cow::into_owned)).collect()
}

fn has_tag(word: &Word) -> bool {
    tags(&known(word)).next().is_some()
}

fn is_tagged(simple: &SimpleCommand) -> bool {
    let is_input = |redirect: &std::sync::Arc<checkrein_guard::Redirect>| has_tag(&redirect.target);
    simple.words.iter().any(has_tag)
        || simple.assignments.iter().any(|(_, word)| has_tag(word))
        || simple.redirects.iter().any(is_input)
}

/// The name of the program of a command, also behind `env`.
fn program(simple: &SimpleCommand) -> Option<String> {
    let words: Vec<String> = simple.words.iter().map(known).collect();
    let (_, rest) = without_env(&words);
    rest.first().map(|word| word.rsplit('/').next().unwrap_or(word).to_owned())
}

/// `env NAME=VALUE program …` is an assignment in another notation.
fn without_env(words: &[String]) -> (Vec<(String, String)>, &[String]) {
    let [first, rest @ ..] = words else { return (Vec::new(), words) };
    if !matches!(first.as_str(), "env" | "/usr/bin/env" | "/bin/env") {
        return (Vec::new(), words);
    }
    let pair = |word: &String| {
        word.split_once('=')
            .filter(|(name, _)| !name.starts_with('-'))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let pairs: Vec<(String, String)> = rest.iter().map_while(pair).collect();
    let count = pairs.len();
    (pairs, rest.get(count..).unwrap_or_default())
}

fn is_target(simple: &SimpleCommand, secrets: &Secrets) -> bool {
    program(simple).is_some_and(|name| !table::find(&name, &secrets.handles).is_empty())
}

fn is_printer(simple: &SimpleCommand) -> bool {
    program(simple).is_some_and(|name| PRINTERS.contains(&name.as_str()))
}

/// Returns whether everything that a command prints goes to these.
fn feeds(script: &Script, simple: &SimpleCommand, targets: &[&SimpleCommand]) -> bool {
    let is_one = |target: Option<&SimpleCommand>| {
        target.is_some_and(|target| targets.iter().any(|one| std::ptr::eq(*one, target)))
    };
    simple.redirects.is_empty()
        && matches!(&simple.stdout, Output::Pipe(to) if !to.is_empty() && to.iter().all(|id| is_one(script.get(*id))))
}

/// The text that a printer writes into the standard input of a command.
fn piped(script: &Script, simple: &SimpleCommand) -> Option<String> {
    let from = match &simple.stdin {
        Input::Text(redirect) => return redirect.target.constant().map(std::borrow::Cow::into_owned),
        Input::Pipe(from) if from.len() == 1 => script.get(*from.first()?)?,
        _ => return None,
    };
    let words = constants(&from.words)?;
    match words.split_first()? {
        (name, rest) if name == "echo" => {
            Some(rest.iter().filter(|word| *word != "-n").cloned().collect::<Vec<_>>().join(" "))
        }
        (name, [format]) if name == "printf" && !format.contains('%') => Some(format.replace("\\n", "\n")),
        (name, [format, rest]) if name == "printf" && matches!(format.as_str(), "%s" | "%s\\n") => {
            Some(rest.clone())
        }
        _ => None,
    }
}

/// The facts that all commands of a call share.
struct Scene<'a> {
    secrets: &'a Secrets,
    judgement: &'a Judgement,
    program: &'a Path,
    state: &'a Path,
    session: &'a str,
    project: Option<&'a Path>,
    key: Key,
    home: Option<String>,
}

impl<'a> Scene<'a> {
    fn new(
        secrets: &'a Secrets,
        payload: &'a Payload,
        judgement: &'a Judgement,
        world: &dyn World,
    ) -> Result<Self, String> {
        let none = "a tag cannot be used here: there is no session, no state directory, or no way to rewrite the command";
        let state = secrets.state.as_deref().filter(|_| secrets.remembers).ok_or(none)?;
        Ok(Self {
            secrets,
            judgement,
            program: secrets.program.as_deref().ok_or(none)?,
            state,
            session: payload.session.id.as_deref().ok_or(none)?,
            project: payload.session.project_dir.as_deref().or(payload.session.cwd.as_deref()).map(Path::new),
            key: secrets.key().map_err(|_| none)?,
            home: world.home(),
        })
    }

    /// Returns what one command becomes: its place in the text, and the words that will run.
    fn change(
        &self,
        text: &str,
        script: &Script,
        simple: &SimpleCommand,
    ) -> Result<(Range<usize>, Vec<String>), String> {
        if simple.within.iter().any(|nesting| matches!(nesting, Nesting::Loop | Nesting::Function(_))) {
            return Err(
                "a tag works once for each command, so it cannot be used in a loop or a function".to_owned()
            );
        }
        let is_stdin = |redirect: &checkrein_guard::Redirect| matches!(&simple.stdin, Input::Text(text) if text.target.span == redirect.target.span);
        if simple.redirects.iter().any(|redirect| has_tag(&redirect.target) && !is_stdin(redirect)) {
            return Err("the name of a file has a tag in it".to_owned());
        }
        let words = constants(&simple.words).ok_or("a part of the command is not known before it runs")?;
        let directory = self.directory(&words)?;
        let (mut assignments, rest) = without_env(&words);
        let exported = simple.exported.iter().flat_map(|exported| exported.iter());
        let mut all: Vec<(String, String)> =
            exported.map(|(name, value)| (name.clone(), value.clone())).collect();
        for (name, word) in &simple.assignments {
            let value = word.constant().ok_or("a part of the command is not known before it runs")?;
            all.push((name.clone(), value.into_owned()));
        }
        all.append(&mut assignments);
        let command = Command { words: rest.to_vec(), assignments: all, stdin: piped(script, simple) };
        let written = rest.first().ok_or("the command names no program")?;
        let name = written.rsplit('/').next().unwrap_or(written);
        let judge = Judge {
            state: self.state,
            session: self.session,
            key: &self.key,
            configured: &self.secrets.handles,
            home: self.home.as_deref(),
            directory: &directory,
        };
        let plan =
            judge.plan(name, &command).map_err(|why| format!("`{name}` is not given the secret: {why}"))?;
        if plan.passes.is_empty() {
            return Err(format!("`{name}` has no place for the secret"));
        }
        let found = self.found(written, &directory)?;
        let arguments = self.arguments(&plan, &found, &directory)?;
        let range = range(simple).ok_or("put redirections behind the command")?;
        if text.get(range.clone()).is_none() {
            return Err("the command cannot be rewritten".to_owned());
        }
        Ok((range, arguments))
    }

    /// The directory that a command runs in, by what the guard has followed.
    fn directory(&self, words: &[String]) -> Result<PathBuf, String> {
        let mut known =
            self.judgement.ran.iter().filter(|ran| ran.words == words).map(|ran| ran.directory.as_deref());
        let first =
            known.next().flatten().ok_or("it is not known in which directory the command would run")?;
        if known.any(|other| other != Some(first)) {
            return Err("the same command would run in two directories; make two calls of it".to_owned());
        }
        Path::new(first).canonicalize().map_err(|_| format!("`{first}` is not a directory"))
    }

    /// The program by its path: not one of the project, and none that others can replace.
    fn found(&self, written: &str, directory: &Path) -> Result<PathBuf, String> {
        let path = if written.contains('/') {
            directory.join(written)
        } else {
            on_path(written)
                .into_iter()
                .map(PathBuf::from)
                .find(|path| path.is_file())
                .ok_or_else(|| format!("there is no `{written}`"))?
        };
        let real = path.canonicalize().map_err(|_| format!("there is no `{}`", path.display()))?;
        let is_inside = |above: &Path| {
            above.canonicalize().is_ok_and(|above| above.parent().is_some() && real.starts_with(above))
        };
        if self.project.is_some_and(is_inside) || is_inside(directory) {
            return Err(format!(
                "`{}` belongs to the project; a secret is given to programs of the machine",
                path.display()
            ));
        }
        match ownership::writable_by_others(&path) {
            Ok(None) => Ok(path),
            _ => Err(format!("others can replace `{}`", path.display())),
        }
    }

    /// Issues the ticket, and returns the command line of `checkrein run`.
    fn arguments(&self, plan: &Plan, program: &Path, directory: &Path) -> Result<Vec<String>, String> {
        let path = |path: &Path| path.to_str().map(str::to_owned).ok_or("a path is not text");
        let mut words = vec![path(program)?];
        words.extend(plan.words.iter().cloned());
        let secrets: Vec<String> =
            plan.passes.iter().map(|pass| format!("{}={}", pass.tag, pass.way.shown())).collect();
        let ticket = Ticket {
            session: self.session.to_owned(),
            directory: path(directory)?,
            words: words.clone(),
            secrets: secrets.clone(),
            plan: self.recorded(plan),
        };
        let random =
            super::super::key::random_bytes().map_err(|_| "cannot read random bytes for a ticket")?;
        let id = tickets::issue(self.state, &self.key, random, &ticket)
            .map_err(|error| format!("the ticket cannot be written: {error}"))?;
        let mut all = vec![path(self.program)?, RUN.to_owned(), "--ticket".to_owned(), id];
        for secret in secrets {
            all.extend(["--secret".to_owned(), secret]);
        }
        all.push("--".to_owned());
        all.extend(words);
        Ok(all)
    }

    fn recorded(&self, plan: &Plan) -> Value {
        let passes: Vec<Value> = plan.passes.iter().map(|pass| {
            let (way, word, becomes) = match &pass.way {
                Way::Variable(name) => (name.as_str(), None, &[][..]),
                Way::Stdin => ("", None, &[][..]),
                Way::Descriptor { word, becomes } => ("", Some(*word), becomes.as_slice()),
            };
            json!({"tag": pass.tag, "variable": way, "word": word, "becomes": becomes, "content": pass.content, "user": pass.user})
        }).collect();
        let mut environment: Vec<(String, String)> = ENVIRONMENT
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), crate::variable(name)?.into_string().ok()?)))
            .collect();
        environment.push(("PATH".to_owned(), self.search_path()));
        environment.extend(plan.environment.iter().cloned());
        json!({"before": plan.before, "passes": passes, "environment": environment})
    }

    /// The directories of programs, without those of the project.
    fn search_path(&self) -> String {
        let path = crate::variable("PATH").unwrap_or_default();
        let is_outside = |directory: &PathBuf| {
            directory.is_absolute() && !self.project.is_some_and(|project| directory.starts_with(project))
        };
        let directories: Vec<PathBuf> = std::env::split_paths(&path).filter(is_outside).collect();
        std::env::join_paths(directories).ok().and_then(|path| path.into_string().ok()).unwrap_or_default()
    }
}

/// The part of the text that a command line takes, without redirections.
fn range(simple: &SimpleCommand) -> Option<Range<usize>> {
    let end = simple.words.last()?.span.end;
    let range = simple.span.start..end;
    let is_between = |redirect: &std::sync::Arc<checkrein_guard::Redirect>| {
        redirect.target.span.start >= range.start && redirect.target.span.end <= range.end
    };
    (range.start < range.end && !simple.redirects.iter().any(is_between)).then_some(range)
}
