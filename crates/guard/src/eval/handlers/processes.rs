//! Processes that are ended: by a number, by a name, by a pattern, or by a number that a search found.
//!
//! A search (`pgrep`, `ps | grep`, a loop over `/proc`) is remembered for as long as the call is followed, so that an unknown number
//! is judged by what the search looked for.

use super::{
    Call, WordReader,
    process_search::{Hunt, Look, look},
};
use crate::{
    data::OURSELVES_ATTACHING,
    effect::Target,
    eval::{
        Evaluator, Frame,
        flow::Flow,
        words::{Candidate, Piece},
    },
    glob,
    path::LinkPolicy,
    program::{ParseFlag, Role},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Modifier, Taint},
};
use checkrein_shell::{Candidates, Part, Unknown, UnknownSource, Word};

/// Our program, as the process table has it.
pub(super) const OURSELVES: &str = "checkrein";

/// The most numbers of processes that are taken for known ones.
const COUNTED: usize = 32;

/// `taskkill /IM name`.
pub(in crate::eval) fn kill_image(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    evaluator.emit_static_effects(parsed, frame);
    if parsed.operands.iter().flat_map(|word| evaluator.names_of(word)).any(|name| is_image(&name)) {
        evaluator.emit(Action::Process, Target::Name(OURSELVES.to_owned()), Qualities::NONE, frame);
    }
    Flow::default()
}

/// Follows `start-stop-daemon`, which ends a process by its program or its name.
pub(in crate::eval) fn daemon(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    if !parsed.qualities.has(Modifier::Stop) || parsed.qualities.has(Modifier::DryRun) {
        return evaluator.follow_table(parsed, call.rest(), frame);
    }
    let exact = Look { exact: true, ..Look::default() };
    for (_, word) in parsed.roles.iter().filter(|(role, _)| matches!(role, Role::Started | Role::Name)) {
        let base = word.constant().map(|text| text.rsplit('/').next().unwrap_or_default().to_owned());
        let hunt = match base {
            Some(base) => evaluator.hunt_of(&Word::text(&base, 0..0), exact),
            None => Hunt::Unknown,
        };
        evaluator.emit_terminated(hunt, frame);
    }
    evaluator.emit_static_effects(parsed, frame);
    Flow::default()
}

/// Follows `kill`.
pub(in crate::eval) fn kill(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut reader = WordReader::new(rest);
    let mut signalled = false;
    let mut numbers = 0;
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
                numbers += usize::from(word.constant().is_some_and(|text| text.parse::<u32>().is_ok()));
                for name in evaluator.names_of(word) {
                    evaluator.emit_named(Action::Process, &name, Qualities::NONE, frame);
                }
                evaluator.found(word, frame);
            }
        }
    }
    // So many were not looked up one by one.
    if numbers > COUNTED {
        evaluator.emit_terminated(Hunt::Unknown, frame);
    }
    Flow::default()
}

/// Follows `pkill` and the like.
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
        || parsed.program.name.items() == ["killall5"];
    if all {
        evaluator.emit_named(Action::Process, "", qualities![Modifier::All], frame);
        return Flow::default();
    }
    evaluator.emit_static_effects(parsed, frame);
    let look = look(parsed.program.name.items(), rest);
    for word in parsed.operands.clone() {
        let hunt = evaluator.hunt_of(&word, look);
        evaluator.emit_terminated(hunt, frame);
    }
    // `-F file`: the numbers are in it.
    let is_file = |word: &Word| matches!(word.lead(), "-F" | "--pidfile");
    for pair in rest.windows(2) {
        if let [option, file] = pair
            && is_file(option)
            && evaluator.content_of(file, frame).qualities.has(Taint::Processes)
        {
            let hunt = evaluator.session.hunt.unwrap_or(Hunt::Unknown);
            evaluator.emit_terminated(hunt, frame);
        }
    }
    // Processes that share a property: the terminal, or the group of the caller.
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
    } else if parsed.operands.is_empty()
        && parsed.roles.iter().any(|(_, word)| evaluator.flow_of(word).has(Taint::Processes))
    {
        evaluator.emit_terminated(Hunt::Unknown, frame);
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
    let name = parsed.program.name.items();
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

/// Follows `fuser`, which finds the processes that use these files.
pub(in crate::eval) fn users_of(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let hunt =
        parsed.operands.clone().iter().map(|word| evaluator.openers(word, frame)).max().unwrap_or_default();
    // Whatever uses the file system on which we are.
    let whole = rest.iter().any(|word| {
        let lead = word.lead();
        lead == "--mount" || lead.starts_with('-') && !lead.starts_with("--") && lead.contains(['m', 'c'])
    });
    let above = whole
        && parsed.operands.iter().any(|word| {
            evaluator
                .places(word, LinkPolicy::Follow, frame)
                .iter()
                .any(|(spot, _)| evaluator.has_us(&spot.path))
        });
    let hunt = if above { hunt.max(Hunt::Unknown) } else { hunt };
    if !parsed.qualities.has(Modifier::Stop) {
        evaluator.record_hunt(hunt);
        return evaluator.found_by(hunt, rest, frame);
    }
    evaluator.emit_static_effects(parsed, frame);
    evaluator.emit_terminated(hunt, frame);
    Flow::default()
}

impl Evaluator<'_> {
    /// A process whose number is known only at run time: the call searched for it.
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
        // A pattern, as of the names in `/proc`: whichever processes there are.
        let is_pattern =
            |candidate: &Candidate<'_>| candidate.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)));
        if word.unknowns().any(|unknown| self.is_counted(unknown, 0))
            || self.candidates(word).iter().any(is_pattern)
        {
            self.emit_terminated(Hunt::Unknown, frame);
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

    /// Returns true for a number that is counted, and not found: whichever process has it.
    fn is_counted(&self, unknown: &Unknown, depth: usize) -> bool {
        let is_number = |word: &Word| word.constant().is_some_and(|text| text.parse::<u32>().is_ok());
        if matches!(unknown.why, UnknownSource::Arithmetic | UnknownSource::TooMuch) {
            return true;
        }
        if self.origin(unknown).qualities.has(ParseFlag::Counted) {
            return true;
        }
        let listed = match &unknown.among {
            Candidates::These(words) | Candidates::TheseOrAnything(words) => &**words,
            Candidates::Anything => &[],
        };
        let Some(scope) = self.scope() else { return false };
        let (assigned, _) = scope.may_be(unknown);
        scope.is_counted(unknown)
            || [listed, assigned]
                .iter()
                .any(|words| words.iter().filter(|word| is_number(word)).count() > COUNTED)
            || depth < 3
                && listed
                    .iter()
                    .chain(assigned)
                    .take(COUNTED)
                    .flat_map(Word::unknowns)
                    .any(|inner| self.is_counted(inner, depth + 1))
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

    /// Records that the processes which the search found are terminated.
    pub(in crate::eval) fn emit_terminated(&mut self, hunt: Hunt, frame: &Frame) {
        match hunt {
            Hunt::Others => {}
            Hunt::Agent => self.emit_named(Action::Process, "", qualities![Modifier::Agent], frame),
            Hunt::Unknown => self.emit_named(Action::Process, "", qualities![Certainty::Unknown], frame),
            Hunt::Ourselves => self.emit_named(Action::Process, OURSELVES, Qualities::NONE, frame),
        }
    }

    /// A program of another language ends processes: the services of the machine that it names are among them.
    pub(in crate::eval) fn emit_services_ended(&mut self, literals: &[String], frame: &Frame) {
        let is_name = |text: &&String| (3..32).contains(&text.len()) && !text.contains([' ', '/', '\n', '*']);
        for name in literals.iter().filter(is_name).take(16) {
            let qualities = qualities![Modifier::Sweeping];
            let effect = qualities.effect(Action::Process, Target::Name(name.clone()), self.sink.command());
            if crate::judge::decision_about(&effect, None) > checkrein_core::Decision::Abstain {
                self.emit(Action::Process, Target::Name(name.clone()), qualities, frame);
            }
        }
    }

    /// Programs that slow down, stop or change a process that was searched for.
    pub(in crate::eval) fn emit_attached(&mut self, name: &[&str], rest: &[Word], frame: &Frame) {
        if !matches!(name.first(), Some(program) if OURSELVES_ATTACHING.contains(program)) {
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
}

/// Returns true for the process that started the shell.
fn is_parent(why: &UnknownSource) -> bool {
    matches!(why, UnknownSource::Variable(name) | UnknownSource::Special(name) if name == "PPID")
}

/// Returns true if a Windows tool takes the text for our image name.
pub(super) fn is_image(text: &str) -> bool {
    let name = text.rsplit(' ').next().unwrap_or(text).trim_matches(['"', '\'']).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    !name.is_empty() && name.chars().any(char::is_alphanumeric) && glob::matches(name, OURSELVES)
}
