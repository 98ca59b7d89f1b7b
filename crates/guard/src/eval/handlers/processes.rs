//! Processes that are ended: by a number, by a name, by a pattern, or by a number that a search found.
//!
//! A pattern is held against our own names and command lines as the tool itself would do it. A search (`pgrep`, `ps | grep`, a
//! loop over `/proc`) is remembered for as long as the call is followed, so that a number that nobody knows is judged by what
//! was looked for.

use super::Reader;
use crate::{
    effect::Target,
    ere::Ere,
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, installed},
    glob,
    path::{LinkPolicy, ResolvedPath},
    program::ParseFlag,
    program::{self, Parsed, Role},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Modifier, Tag, Tags, Taint},
};
use checkrein_code::{self as code, Language};
use checkrein_shell::{Part, UnknownSource, Word};
use std::{borrow::Cow, ops::Range};

/// Our program, as the process table has it.
const OURSELVES: &str = "checkrein";
/// Events on whose hooks something hangs.
const EVENTS: [&str; 3] = ["PreToolUse", "PermissionRequest", "PostToolUse"];
/// Programs that take the number of a process and change how it runs.
const ATTACHING: [&str; 10] =
    ["gdb", "lldb", "prlimit", "renice", "cpulimit", "chrt", "ionice", "taskset", "choom", "uclampset"];
/// How many literals of a filter are looked at.
const LITERALS: usize = 16;

/// What a search among processes may have found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::eval) enum Hunt {
    /// Neither us nor an agent.
    #[default]
    Others,
    /// A coding agent.
    Agent,
    /// Whatever it was, nobody knows.
    Unknown,
    /// The guard itself.
    Ourselves,
}

/// How a name is compared.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    /// With the whole command line.
    full: bool,
    /// From the beginning to the end.
    exact: bool,
    ignore_case: bool,
    /// As a text that stands for itself.
    literal: bool,
}

/// `taskkill /IM name`.
pub(in crate::eval) fn kill_image(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    evaluator.emit_static_effects(parsed, frame);
    if parsed.operands.iter().flat_map(|word| evaluator.names_of(word)).any(|name| is_image(&name)) {
        evaluator.emit(Action::Process, Target::Name(OURSELVES.to_owned()), Qualities::NONE, frame);
    }
    Flow::default()
}

/// Follows `kill`.
pub(in crate::eval) fn kill(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut reader = Reader::new(rest);
    let mut signalled = false;
    while let Some(word) = reader.next() {
        let lead = word.lead().to_owned();
        match lead.as_str() {
            "-l" | "-L" | "--list" | "--table" | "-0" => return Flow::default(),
            "-s" | "-n" | "--signal" => {
                signalled = true;
                reader.next();
            }
            "--" => signalled = true,
            _ if lead.starts_with('-') && lead.len() > 1 && !signalled => signalled = true,
            // Every process that we may reach, or the first one.
            "-1" => evaluator.emit_named(Action::Process, "-1", qualities![Modifier::All], frame),
            "1" => evaluator.emit_named(Action::Process, "1", qualities![Modifier::All], frame),
            _ => {
                for name in evaluator.names_of(word) {
                    evaluator.emit_named(Action::Process, &name, Qualities::NONE, frame);
                }
                evaluator.found(word, frame);
            }
        }
    }
    Flow::default()
}

/// `pkill` and its kin.
pub(in crate::eval) fn kill_by_name(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.qualities.has(ParseFlag::Help) || parsed.qualities.has(Modifier::Lists) {
        return Flow::default();
    }
    // Everything of a user, or everything: nothing that says which.
    let any = |word: &Word| matches!(word.constant().as_deref(), Some("." | "" | ".*" | "*" | "^"));
    let all = parsed.qualities.has(Modifier::Global) && parsed.operands.is_empty()
        || parsed.operands.iter().any(any)
        || parsed.program.name == ["killall5"];
    if all {
        evaluator.emit_named(Action::Process, "", qualities![Modifier::All], frame);
        return Flow::default();
    }
    evaluator.emit_static_effects(parsed, frame);
    let look = look(parsed.program.name, rest);
    for word in parsed.operands.clone() {
        let hunt = evaluator.hunt_of(&word, look);
        evaluator.emit_terminated(hunt, frame);
    }
    // By what they have in common: the terminal, or the group of the one that asks.
    let common = |word: &Word| {
        let lead = word.lead();
        lead.starts_with("-t") || lead.starts_with("--ter") || lead.starts_with("--tty")
    };
    let own_group = |pair: &[Word]| {
        matches!(pair, [option, value] if matches!(option.lead(), "-g" | "--pgroup" | "-s" | "--session")
            && value.constant().is_none_or(|value| &*value == "0"))
    };
    if parsed.operands.is_empty() && (rest.iter().any(common) || rest.windows(2).any(own_group)) {
        evaluator.emit_terminated(Hunt::Unknown, frame);
    }
    // The children of what started the shell: of the agent.
    let of_agent = |(_, word): &(Role, Word)| word.unknowns().any(|unknown| is_parent(&unknown.why));
    if parsed.operands.is_empty() && parsed.roles.iter().any(of_agent) {
        evaluator.emit_terminated(Hunt::Agent, frame);
    }
    evaluator.passthrough(rest, frame)
}

/// `pgrep`, `pidof`, `ps`, `lsof`: processes are looked for, and their numbers printed.
pub(in crate::eval) fn search_processes(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.qualities.has(ParseFlag::Help) {
        return Flow::default();
    }
    let name = parsed.program.name;
    let named: Vec<Word> =
        parsed.roles.iter().filter(|(role, _)| *role == Role::Name).map(|(_, word)| word.clone()).collect();
    let exact = Look { exact: true, ..Look::default() };
    let hunt = match name {
        ["lsof"] => {
            let files = parsed.operands.clone().iter().map(|word| evaluator.openers(word, frame)).max();
            // `-c` is how the name begins.
            let begins = named.iter().map(|word| evaluator.hunt_of(word, Look::default())).max();
            files.max(begins).unwrap_or_default()
        }
        ["pgrep" | "pidof"] if !parsed.operands.is_empty() => {
            let look = look(name, rest);
            parsed.operands.iter().map(|word| evaluator.hunt_of(word, look)).max().unwrap_or_default()
        }
        ["ps"] if !named.is_empty() => {
            named.iter().map(|word| evaluator.hunt_of(word, exact)).max().unwrap_or_default()
        }
        // Everything there is, or everything of a user.
        _ => return Flow::of(qualities![Taint::Processes]),
    };
    evaluator.record_hunt(hunt);
    evaluator.found_by(hunt, &parsed.operands, frame)
}

/// `fuser`: whoever uses these files.
pub(in crate::eval) fn users_of(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let hunt =
        parsed.operands.clone().iter().map(|word| evaluator.openers(word, frame)).max().unwrap_or_default();
    if !parsed.qualities.has(Modifier::Stop) {
        evaluator.record_hunt(hunt);
        return evaluator.found_by(hunt, rest, frame);
    }
    evaluator.emit_static_effects(parsed, frame);
    evaluator.emit_terminated(hunt, frame);
    Flow::default()
}

impl Evaluator<'_> {
    /// A process by a number that only the run knows: it is what the call looked for.
    fn found(&mut self, word: &Word, frame: &Frame) {
        let is_number = |text: &str| text.trim_start_matches(['-', '%', '+']).parse::<u32>().is_ok();
        if word.constant().is_some_and(|text| is_number(&text) || text.starts_with('%'))
            || self.is_own_child(word)
        {
            return;
        }
        if word.unknowns().any(|unknown| is_parent(&unknown.why)) {
            // What started the shell is the agent.
            self.emit_terminated(Hunt::Agent, frame);
            return;
        }
        let qualities = self.flow_of(word);
        let hunt = match (self.session.hunt, qualities.has(Taint::Processes)) {
            (Some(hunt), true) => hunt,
            // A list of all, and nothing that chooses from it.
            (None, true) => Hunt::Unknown,
            (Some(Hunt::Ourselves), false) => Hunt::Ourselves,
            (_, false) => Hunt::Others,
        };
        self.emit_terminated(hunt, frame);
    }

    /// `$!`, also by way of a variable.
    fn is_own_child(&self, word: &Word) -> bool {
        let is_last = |word: &Word| matches!(word.parts.as_slice(), [Part::Unknown(unknown)] if matches!(&unknown.why, UnknownSource::Special(name) if name == "!"));
        is_last(word)
            || matches!(word.parts.as_slice(), [Part::Unknown(unknown)]
            if self.scope().is_some_and(|scope| {
                let (values, _) = scope.may_be(unknown);
                !values.is_empty() && values.iter().all(is_last)
            }))
    }

    /// What the search found is ended.
    pub(in crate::eval) fn emit_terminated(&mut self, hunt: Hunt, frame: &Frame) {
        match hunt {
            Hunt::Others => {}
            Hunt::Agent => self.emit_named(Action::Process, "", qualities![Modifier::Agent], frame),
            Hunt::Unknown => self.emit_named(Action::Process, "", qualities![Certainty::Unknown], frame),
            Hunt::Ourselves => self.emit_named(Action::Process, OURSELVES, Qualities::NONE, frame),
        }
    }

    /// Programs that slow down, stop or change a process that was searched for.
    pub(in crate::eval) fn emit_attached(&mut self, name: &[&str], rest: &[Word], frame: &Frame) {
        if !matches!(name.first(), Some(program) if ATTACHING.contains(program)) {
            return;
        }
        for word in rest {
            let named = word.constant().as_deref() == Some(OURSELVES) && name.first() == Some(&"cpulimit");
            let found = || {
                word.is_unknown()
                    && self.session.hunt == Some(Hunt::Ourselves)
                    && self.flow_of(word).has(Taint::Processes)
            };
            if named || found() {
                self.emit_terminated(Hunt::Ourselves, frame);
            } else if word.unknowns().any(|unknown| is_parent(&unknown.why)) {
                self.emit_terminated(Hunt::Agent, frame);
            }
        }
    }

    /// Who has a file open: we have our program, our settings and our state.
    fn openers(&self, word: &Word, frame: &Frame) -> Hunt {
        let is_number =
            |text: &str| text.split(['/', ',']).next().is_some_and(|port| port.parse::<u32>().is_ok());
        if word.constant().is_some_and(|text| is_number(&text)) {
            return Hunt::Others;
        }
        let places = self.places(word, LinkPolicy::Follow, frame);
        // A pattern may be our program among others.
        let fits = |spot: &ResolvedPath| {
            spot.path.rsplit_once('/').is_some_and(|(directory, name)| {
                name.contains(['*', '?', '['])
                    && glob::matches(name, OURSELVES)
                    && self.world.entry(&format!("{directory}/{OURSELVES}")).is_some()
            })
        };
        if places.iter().any(|(spot, _)| fits(spot)) {
            return Hunt::Ourselves;
        }
        let has = |tags: Tags| places.iter().any(|(spot, _)| spot.tags.has_any(tags));
        if has(Tags::of(&[Tag::Checkrein])) {
            Hunt::Ourselves
        } else if has(Tags::of(&[Tag::Agent, Tag::AgentHooks])) {
            Hunt::Agent
        } else if word.is_unknown() && places.iter().all(|(spot, _)| spot.path.is_empty()) {
            Hunt::Unknown
        } else {
            Hunt::Others
        }
    }

    /// What a search prints. The names that it was given stand for the numbers.
    fn found_by(&self, hunt: Hunt, names: &[Word], frame: &Frame) -> Flow {
        let mut flow = self.passthrough(names, frame);
        flow.text =
            names.iter().map(Word::constant).collect::<Option<Vec<_>>>().map(|names| names.join(" ") + "\n");
        if hunt != Hunt::Others {
            flow.qualities = flow.qualities.with(Taint::Processes);
        }
        flow
    }

    fn record_hunt(&mut self, hunt: Hunt) {
        self.session.hunt = self.session.hunt.max(Some(hunt));
    }

    /// A filter of a list of processes, or a look at what is below `/proc`: what it lets through.
    pub(in crate::eval) fn filter_processes(
        &mut self,
        parsed: &Parsed,
        rest: &[Word],
        frame: &Frame,
    ) -> Option<Hunt> {
        let lists = frame.stdin.qualities.has(Taint::Processes);
        let of_process = |word: &Word| {
            word.lead().starts_with("/proc/")
                || self
                    .places(word, LinkPolicy::Follow, frame)
                    .iter()
                    .any(|(spot, _)| spot.path.starts_with("/proc/"))
        };
        let filters = matches!(
            parsed.program.name,
            ["grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" | "ugrep" | "rg" | "ripgrep" | "ag" | "ack"]
        );
        let hunt = match parsed.program.name {
            _ if filters => {
                let about = lists || parsed.operands.iter().skip(1).any(of_process);
                let flag = |letter: char, long: &str| has_flag(rest, letter, long);
                if !about || flag('v', "--invert-match") {
                    return None;
                }
                let look = Look {
                    full: true,
                    ignore_case: flag('i', "--ignore-case"),
                    literal: flag('F', "--fixed-strings") || parsed.program.name == ["fgrep"],
                    exact: false,
                };
                let given =
                    parsed.roles.iter().filter(|(role, _)| *role == Role::Text).map(|(_, word)| word.clone());
                let given: Vec<Word> = if parsed.qualities.has(ParseFlag::PatternGiven) {
                    given.collect()
                } else {
                    parsed.operands.first().cloned().into_iter().collect()
                };
                let extended = flag('E', "--extended-regexp")
                    || flag('P', "--perl-regexp")
                    || !matches!(parsed.program.name, ["grep" | "zgrep" | "ggrep"]);
                given
                    .iter()
                    .map(|word| self.hunt_of(&if extended { word.clone() } else { extend(word) }, look))
                    .max()?
            }
            // It compares what it was given with something.
            ["test" | "["] if rest.iter().any(|word| word.is_unknown()) => {
                let exact = Look { exact: true, ..Look::default() };
                let constants = rest.iter().filter(|word| word.constant().is_some());
                let hunt = constants.map(|word| self.hunt_of(word, exact)).max()?;
                (hunt == Hunt::Ourselves).then_some(hunt)?
            }
            ["awk" | "gawk" | "mawk" | "nawk" | "sed" | "gsed" | "perl" | "ruby" | "python" | "node"]
                if lists =>
            {
                let language = parsed.program.name.first().and_then(|name| Language::of(name));
                let look = Look { full: true, ..Look::default() };
                let sources: Vec<Cow<'_, str>> = rest.iter().filter_map(Word::constant).collect();
                sources.iter().filter_map(|source| self.code_filter(language, source, look)).max()?
            }
            _ => return None,
        };
        self.record_hunt(hunt);
        Some(hunt)
    }

    /// A program of another language lists processes and ends some: its texts say which.
    pub(in crate::eval) fn filter_by_code(&mut self, language: Language, source: &str) -> Hunt {
        let look = Look { full: true, literal: true, ..Look::default() };
        self.code_filter(Some(language), source, look).unwrap_or(Hunt::Unknown)
    }

    /// What the texts in a program find. Any of them may be about us; that it is about others is only said by those that it
    /// selects by.
    fn code_filter(&self, language: Option<Language>, source: &str, look: Look) -> Option<Hunt> {
        let found = |texts: Vec<String>| {
            let texts = texts.into_iter().map(|text| text.trim_end_matches("\\n").to_owned());
            let texts = texts.filter(|text| !look.literal || text.len() > 2 && !text.starts_with('/'));
            texts.take(LITERALS).map(|text| self.hunt_of(&Word::text(&text, 0..0), look)).max()
        };
        let all = found(literals(source));
        match language {
            Some(Language::Sed) | None => all,
            Some(_) if all == Some(Hunt::Ourselves) => all,
            Some(language) => found(code::selects_by(language, source)),
        }
    }

    /// What a pattern or a name finds.
    fn hunt_of(&self, word: &Word, look: Look) -> Hunt {
        let texts = self.texts(word);
        if texts.is_empty() {
            // A part that is in none of our lines is enough.
            let misses = |part: &Part| {
                matches!(part, Part::Text(text) | Part::Glob(text)
                if !text.trim().is_empty() && self.hunt_of_text(text, Look { exact: false, full: true, ..look }) == Hunt::Others)
            };
            return if word.parts.iter().any(misses) { Hunt::Others } else { Hunt::Unknown };
        }
        texts.iter().map(|text| self.hunt_of_text(text, look)).max().unwrap_or_default()
    }

    fn hunt_of_text(&self, text: &str, look: Look) -> Hunt {
        let text = text.trim_end_matches('\n');
        // The whole path of a program.
        let base = text.rsplit('/').next().filter(|_| look.exact && !look.full && text.starts_with('/'));
        let text = base.unwrap_or(text);
        if !self.sink.burn(512) {
            return Hunt::Unknown;
        }
        let ere = match Ere::new(text, look.ignore_case).filter(|_| !look.literal) {
            Some(ere) => ere,
            None => Ere::literal(text, look.ignore_case),
        };
        let agents = || program::names().filter(|name| is_agent(name));
        let finds = |name: &str| if look.exact { ere.is_whole(name) } else { ere.find(name).is_some() };
        if !look.full {
            if finds(OURSELVES) {
                return Hunt::Ourselves;
            }
            // The beginning of a name, unless another program is called so.
            let begins = |name: &str| {
                ere.find(name).is_some_and(|found| found.start == 0 && found.end > 3)
                    && program::find(text).is_none()
            };
            let meant = |name: &str| ere.is_whole(name) || !look.exact && begins(name);
            return if agents().any(meant) { Hunt::Agent } else { Hunt::Others };
        }
        let home = self.home.trim_end_matches('/');
        let directories = [
            String::new(),
            "/usr/local/bin/".to_owned(),
            "/usr/bin/".to_owned(),
            format!("{home}/.cargo/bin/"),
            format!("{home}/.local/bin/"),
        ];
        let mut hunt = Hunt::Others;
        for directory in &directories {
            for host in ["claude", "codex"] {
                for event in EVENTS {
                    let line = format!("{directory}{OURSELVES} hook --host {host} --event {event}");
                    let Some(found) = ere.find(&line).filter(|_| !look.exact || ere.is_whole(&line)) else {
                        continue;
                    };
                    let own = directory.chars().count();
                    let name = line.find(host).unwrap_or_default();
                    let of_host = name..name + host.len();
                    if found.end + 1 >= own && !within(&found, &of_host) && (found.end > own || own > 0) {
                        return Hunt::Ourselves;
                    }
                    if found == of_host {
                        hunt = Hunt::Agent;
                    }
                }
            }
        }
        if agents()
            .any(|name| ere.find(name).is_some_and(|found| found.start == 0 && found.end == name.len()))
        {
            hunt = hunt.max(Hunt::Agent);
        }
        hunt
    }
}

/// What started the shell.
fn is_parent(why: &UnknownSource) -> bool {
    matches!(why, UnknownSource::Variable(name) | UnknownSource::Special(name) if name == "PPID")
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// Whether a program in another language names the files of processes.
pub(super) fn names_processes(source: &str) -> bool {
    literals(source).iter().any(|text| text.starts_with("/proc"))
}

/// A coding agent, by the name of its program; names of two letters mean too many other things.
fn is_agent(name: &str) -> bool {
    name.len() > 3 && installed::is_agent(name)
}

/// How the options say that names are compared.
fn look(name: &[&str], rest: &[Word]) -> Look {
    let flag = |letter: char, long: &str| has_flag(rest, letter, long);
    match name {
        ["killall"] => Look {
            full: false,
            exact: !flag('r', "--regexp"),
            ignore_case: flag('I', "--ignore-case"),
            literal: !flag('r', "--regexp"),
        },
        ["pidof" | "skill" | "snice" | "xkill" | "gkill"] => {
            Look { exact: true, literal: true, ..Look::default() }
        }
        _ => Look {
            full: flag('f', "--full"),
            exact: flag('x', "--exact"),
            ignore_case: flag('i', "--ignore-case"),
            literal: false,
        },
    }
}

/// Whether a switch is given, alone or among other letters. `-KILL` is a signal.
fn has_flag(rest: &[Word], letter: char, long: &str) -> bool {
    let options = rest.iter().take_while(|word| word.lead() != "--");
    options.map(Word::lead).any(|lead| {
        let letters = lead.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        let is_signal = |letters: &str| {
            letters.len() > 2
                && letters.chars().all(|char| char.is_ascii_uppercase() || char.is_ascii_digit())
        };
        lead.starts_with("--") && lead.len() > 4 && long.starts_with(lead)
            || letters.is_some_and(|letters| letters.contains(letter) && !is_signal(letters))
    })
}

/// A basic expression in the words of an extended one.
fn extend(word: &Word) -> Word {
    let Some(text) = word.constant() else { return word.clone() };
    let mut extended = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some(next @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => extended.push(next),
                Some(next) => extended.extend(['\\', next]),
                None => extended.push('\\'),
            },
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => extended.extend(['\\', char]),
            other => extended.push(other),
        }
    }
    Word::text(&extended, word.span.clone())
}

/// The texts and expressions in a program: what is between quotes or slashes.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = source.chars();
    while let Some(char) = chars.next() {
        if !matches!(char, '"' | '\'' | '/') {
            continue;
        }
        let mut text = String::new();
        let mut closed = false;
        while let Some(next) = chars.next() {
            match next {
                '\\' => {
                    text.push('\\');
                    text.extend(chars.next());
                }
                end if end == char => {
                    closed = true;
                    break;
                }
                other => text.push(other),
            }
        }
        if closed && !text.is_empty() && found.len() < LITERALS {
            found.push(text);
        }
    }
    found
}

/// What a Windows tool calls by an image name.
pub(super) fn is_image(text: &str) -> bool {
    let name = text.rsplit(' ').next().unwrap_or(text).trim_matches(['"', '\'']).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    !name.is_empty() && name.chars().any(char::is_alphanumeric) && glob::matches(name, OURSELVES)
}
