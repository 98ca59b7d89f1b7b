//! Findings about the entries of checkrein in an agent's files: missing, incomplete, wrong or duplicate.

use super::{mark, ours};
use crate::install::{
    agents::{Agent, is_program, on_path},
    program,
};
use checkrein::EventName;
use checkrein::SmallSort as _;
use checkrein_hosts::{
    doctor::{Finding, Form, Source, Whose},
    install::{Entry, EventSupport, fails_closed},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Returns the command that fixes an entry.
fn init(agent: &Agent) -> String {
    format!("run `checkrein init --agent {}`", agent.recipe.host)
}

/// Returns how to fix a field of an entry: with `init` if checkrein wrote the entry.
fn fix_of(agent: &Agent, entry: &Entry, field: &str) -> String {
    if entry.command.is_handmade { format!("add `{field}`") } else { init(agent) }
}

/// An entry and the file that has it.
struct Placed<'a> {
    source: &'a Source,
    entry: Entry,
}

impl Placed<'_> {
    fn place(&self) -> String {
        let path = self.source.path.display();
        match self.source.form {
            Form::Hooks => format!("{path}:{}", self.entry.line),
            Form::Inline | Form::Other => format!("{path}: `{}`", self.entry.key),
        }
    }

    fn event(&self) -> Option<EventName> {
        self.entry.event
    }

    /// Returns the event that it really answers.
    fn answered(&self) -> Option<EventName> {
        let said = self.entry.command.event.as_deref();
        self.event().filter(|event| said.is_none_or(|said| said == event.as_str()))
    }
}

fn placed<'a>(sources: &'a [Source]) -> Vec<Placed<'a>> {
    let json = sources.iter().filter(|source| source.has_hooks());
    json.flat_map(|source| {
        source.entries().unwrap_or_default().into_iter().map(move |entry| Placed { source, entry })
    })
    .collect()
}

/// Returns which files call checkrein, and on how many events.
pub(crate) fn facts(agent: &Agent, sources: &[Source]) -> Vec<String> {
    let mut counts: BTreeMap<&Path, (usize, bool)> = BTreeMap::new();
    for placed in placed(sources).iter().filter(|placed| is_for(agent, &placed.entry)) {
        let (count, is_plugin) = counts.entry(&placed.source.path).or_default();
        *count += 1;
        *is_plugin = placed.source.whose == Whose::Plugin;
    }
    let line = |(path, (count, is_plugin)): (&&Path, &(usize, bool))| {
        let events = if *count == 1 { "event" } else { "events" };
        let whose = if *is_plugin { " (a plugin)" } else { "" };
        format!("calls checkrein on {count} {events}: {}{whose}", path.display())
    };
    let others = sources.iter().filter(|source| {
        source.whose == Whose::Plugin && source.entries().is_ok_and(|entries| entries.is_empty())
    });
    let others = others.map(|source| format!("a plugin has other hooks: {}", source.path.display()));
    counts.iter().map(line).chain(others).collect()
}

fn is_for(agent: &Agent, entry: &Entry) -> bool {
    entry.command.host.as_deref() == Some(agent.recipe.host)
}

/// Returns all findings about the entries.
pub(crate) fn findings(agent: &Agent, sources: &[Source]) -> Vec<Finding> {
    let mut findings = broken(agent, sources);
    let all = placed(sources);
    let is_broken = !findings.is_empty();
    if all.is_empty() {
        let text = "it is not set up: no hooks file mentions checkrein".to_owned();
        let fix = if is_broken { format!("fix the file, then {}", init(agent)) } else { init(agent) };
        findings.push(Finding::problem("not-registered", text, fix));
        return findings;
    }
    findings.extend(all.iter().flat_map(|placed| one(agent, placed)));
    findings.extend(missing(agent, &all));
    findings.extend(doubled(agent, &all));
    findings.extend(programs(agent, &all));
    findings
}

/// Returns a finding for each file that the agent ignores because it is broken.
fn broken(agent: &Agent, sources: &[Source]) -> Vec<Finding> {
    let json = sources.iter().filter(|source| source.has_hooks());
    let defects = json.filter_map(|source| Some((source, source.entries().err()?)));
    defects
        .map(|(source, defect)| {
            Finding::problem(
                "file-broken",
                format!("{}: {defect}; {} ignores the file", source.path.display(), agent.recipe.title),
                "fix the file",
            )
        })
        .collect()
}

/// Returns the findings about one entry.
fn one(agent: &Agent, placed: &Placed<'_>) -> Vec<Finding> {
    let Placed { entry, .. } = placed;
    let (place, title) = (placed.place(), agent.recipe.title);
    let mut findings = Vec::new();
    match entry.command.host.as_deref() {
        Some(host) if host != agent.recipe.host => {
            let text = format!("{place} uses the dialect of `{host}`, which {title} does not understand");
            findings.push(Finding::problem("wrong-host", text, format!("remove it, then {}", init(agent))));
        }
        Some(_) | None => {}
    }
    let is_other = |event: &&str| Some(*event) != placed.event().map(EventName::as_str);
    if let Some(event) = entry.command.event.as_deref().filter(is_other) {
        let text = format!(
            "{place} is registered under `{}` but passes `--event {event}`, so every event is refused",
            entry.key
        );
        let by_hand = entry.command.is_handmade;
        let fix = if by_hand { format!("remove it, then {}", init(agent)) } else { init(agent) };
        findings.push(Finding::problem("wrong-event", text, fix));
    }
    if !entry.matches_all() {
        let matcher = entry.matcher.as_deref().unwrap_or_default();
        let text = format!("{place} only matches `{matcher}`");
        findings.push(Finding::warning("narrow", text, "set the matcher to `*`, unless this is intended"));
    }
    for (key, what) in
        [("async", "runs asynchronously, so it cannot deny"), ("if", "only runs if its condition holds")]
    {
        if entry.handler.get(key).is_some_and(|value| value.as_bool() != Some(false)) {
            findings.push(Finding::problem(
                "not-heard",
                format!("{place} {what}"),
                format!("remove `{key}` from it"),
            ));
        }
    }
    let fired = placed.event().and_then(|event| agent.recipe.fired(event));
    findings.extend(fired.and_then(|fired| patience(agent, placed, fired)));
    let blocks = placed.event().is_some_and(|event| fails_closed(agent.recipe, agent.version, event));
    let setting = agent.recipe.layout.fail_closed;
    if blocks && !setting.is_set(&entry.handler) {
        let text = format!("{place} fails open if checkrein is missing or killed");
        let fix = fix_of(agent, entry, &format!("\"{}\": {}", setting.key(), setting.value()));
        findings.push(Finding::warning("fails-open", text, fix));
    }
    findings
}

/// Returns a finding if the agent's timeout is shorter than our answer may take: it then continues without
/// one.
fn patience(agent: &Agent, placed: &Placed<'_>, fired: &EventSupport) -> Option<Finding> {
    let layout = agent.recipe.layout;
    let timeout = layout.seconds(&placed.entry.handler)?;
    (timeout < f64::from(fired.timeout)).then(|| {
        Finding::problem(
            "impatient",
            format!(
                "{}: {} waits {timeout} s and then continues without an answer; an answer may take {} s",
                placed.place(),
                agent.recipe.title,
                fired.timeout
            ),
            fix_of(agent, &placed.entry, &format!("{}: {}", layout.timeout, layout.written(fired.timeout))),
        )
    })
}

/// Returns a finding for events on which the agent does not call us, although it should.
fn missing(agent: &Agent, all: &[Placed<'_>]) -> Vec<Finding> {
    let recipe = agent.recipe;
    let there: Vec<EventName> =
        all.iter().filter(|placed| is_for(agent, &placed.entry)).filter_map(Placed::answered).collect();
    // One event of ours may be several of the agent's, each for other calls, so one does not cover another.
    let is_there = |fired: &EventSupport| {
        let is_several = recipe.events.iter().filter(|other| other.event == fired.event).count() > 1;
        let mut ours = all.iter().filter(|placed| is_for(agent, &placed.entry));
        if is_several {
            ours.any(|placed| placed.entry.key == fired.key)
        } else {
            there.contains(&fired.event)
        }
    };
    let names =
        |events: &[EventName]| events.iter().map(|event| format!("`{event}`")).collect::<Vec<_>>().join(", ");
    let absent = |configured: &[EventName]| -> Vec<EventName> {
        let wanted = recipe.registered(agent.version, configured);
        wanted.filter(|fired| !is_there(fired)).map(|fired| fired.event).collect()
    };
    let mut findings = Vec::new();
    let always = absent(&[]);
    if !always.is_empty() {
        let keys: Vec<String> = recipe
            .registered(agent.version, &[])
            .filter(|fired| !is_there(fired))
            .map(|fired| if there.contains(&fired.event) { fired.key } else { fired.event.as_str() })
            .map(|name| format!("`{name}`"))
            .collect();
        let text = format!("{} does not call checkrein on {}", recipe.title, keys.join(", "));
        findings.push(Finding::problem("events-missing", text, init(agent)));
    }
    let mut configured: Vec<EventName> = ours::stack()
        .map(|stack| stack.rows(None).iter().map(checkrein::ConfiguredHook::event).collect())
        .unwrap_or_default();
    configured.small_sort();
    configured.dedup();
    let unasked: Vec<EventName> =
        absent(&configured).into_iter().filter(|event| !always.contains(event)).collect();
    if !unasked.is_empty() {
        let text = format!(
            "hooks are configured on {}, but {} does not call checkrein there",
            names(&unasked),
            recipe.title
        );
        findings.push(Finding::problem("configured-not-asked", text, init(agent)));
    }
    let never: Vec<EventName> =
        configured.into_iter().filter(|event| recipe.fired(*event).is_none()).collect();
    if !never.is_empty() {
        let text = format!("hooks are configured on {}, which {} does not have", names(&never), recipe.title);
        findings.push(Finding::note("never-fired", text, "they only run with other agents"));
    }
    findings
}

/// Returns a finding if checkrein is registered twice on an event.
fn doubled(agent: &Agent, all: &[Placed<'_>]) -> Vec<Finding> {
    let mut by_event: BTreeMap<&str, Vec<&Placed<'_>>> = BTreeMap::new();
    for placed in all {
        by_event.entry(&placed.entry.key).or_default().push(placed);
    }
    let command = |placed: &&Placed<'_>| placed.entry.handler.get(agent.recipe.layout.command).cloned();
    let once = |placed: &[&Placed<'_>]| {
        agent.recipe.runs_equal_once
            && placed.windows(2).all(|two| two.first().map(command) == two.last().map(command))
    };
    let twice: Vec<(&str, Vec<&Placed<'_>>)> =
        by_event.into_iter().filter(|(_, placed)| placed.len() > 1 && !once(placed)).collect();
    let Some((_, first)) = twice.first() else { return Vec::new() };
    let events = twice.iter().map(|(event, _)| format!("`{event}`")).collect::<Vec<_>>().join(", ");
    let places = first.iter().map(|placed| placed.place()).collect::<Vec<_>>().join(" and ");
    let text = format!("checkrein is registered more than once on {events}: {places}");
    let is_shared = |placed: &&Placed<'_>| {
        !placed.entry.command.is_handmade && !placed.entry.command.program.starts_with('/')
    };
    let of_plugins = |(_, placed): &(&str, Vec<&Placed<'_>>)| {
        placed.len() == 2 && placed.iter().filter(|placed| placed.source.whose == Whose::Plugin).count() == 1
    };
    if twice.iter().all(of_plugins) {
        let fix = "nothing has to be done: the plugin and your settings judge each call with the same result, and it is recorded once";
        return vec![Finding::note("plugin-and-settings", text, fix)];
    }
    let with_team = |(_, placed): &(&str, Vec<&Placed<'_>>)| {
        placed.len() == 2 && placed.iter().filter(|placed| is_shared(placed)).count() == 1
    };
    if twice.iter().all(with_team) {
        let fix = "nothing has to be done: each call is judged twice, with the same result";
        return vec![Finding::note("doubled", text, fix)];
    }
    vec![Finding::warning("doubled", text, "keep one of them: two rewrites of the same call conflict")]
}

/// Returns the findings about the programs that the entries start.
fn programs(agent: &Agent, all: &[Placed<'_>]) -> Vec<Finding> {
    let mut by_program: BTreeMap<&str, Vec<&Placed<'_>>> = BTreeMap::new();
    for placed in all.iter().filter(|placed| !placed.entry.command.program.is_empty()) {
        by_program.entry(&placed.entry.command.program).or_default().push(placed);
    }
    let us = program::stable().ok();
    let of_one = |(program, placed): (&str, Vec<&Placed<'_>>)| {
        let path = Path::new(program);
        // The report about ourselves covers this path already.
        let is_us = us.as_deref() == Some(path);
        let lies = (!is_us && path.is_absolute() && is_program(path)).then(|| ours::place(path)).flatten();
        [of_program(agent, program, &placed), lies].into_iter().flatten().collect::<Vec<_>>()
    };
    by_program.into_iter().flat_map(of_one).collect()
}

fn of_program(agent: &Agent, program: &str, placed: &[&Placed<'_>]) -> Option<Finding> {
    let place = placed.first()?.place();
    let path = PathBuf::from(program);
    if !path.is_absolute() && !placed.iter().any(|placed| placed.entry.command.is_handmade) {
        // An entry for everyone who works in a project finds the program on their PATH.
        let text = format!("{place} runs `{program}`, which is not on your PATH");
        let fix = "add its directory to your PATH; until then this project's entries check nothing";
        return on_path(program).is_none().then(|| Finding::warning("program-relative", text, fix));
    }
    if !path.is_absolute() {
        let text = match on_path(program) {
            Some(_) => format!("{place} runs `{program}`, which depends on the agent's PATH"),
            None => format!("{place} runs `{program}`, which is not on your PATH"),
        };
        return Some(Finding::warning("program-relative", text, format!("remove it, then {}", init(agent))));
    }
    if !is_program(&path) {
        let why = if path.exists() { "is not executable" } else { "does not exist" };
        let blocks = agent.recipe.fails_closed(agent.version);
        let then = if blocks { "all preventable actions are denied" } else { "everything is allowed" };
        let text = format!("{place} runs `{program}`, which {why}: {then}");
        return Some(Finding::problem("program-missing", text, init(agent)));
    }
    let us = std::env::current_exe().ok()?;
    if is_same(&path, &us) {
        return None;
    }
    if let (Some(theirs), Some(ours)) = (mark::version_of(&path), mark::own_version())
        && theirs < ours
    {
        let text =
            format!("{place} runs `{program}`, which is {theirs}: older than this program, which is {ours}");
        return Some(Finding::warning("program-old", text, init(agent)));
    }
    let text = format!("{place} runs `{program}`, which is not this program (`{}`)", us.display());
    Some(Finding::warning("program-other", text, format!("{} with the program that you want", init(agent))))
}

/// Returns true for the same file, or two files with the same content.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    if real(one) == real(other) {
        return true;
    }
    let size = |path: &Path| fs::metadata(path).map(|file| file.len()).ok();
    size(one) == size(other) && fs::read(one).ok() == fs::read(other).ok()
}
