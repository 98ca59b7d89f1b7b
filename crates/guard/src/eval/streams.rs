//! Finds the origin of a command's input, of a file's content and of a word's value.

use super::{
    Evaluator, Frame,
    flow::{Flow, TEXT, is_secret_name, words_of},
    variables::leads_agents,
};
use crate::{
    program::ParseFlag,
    qualities::{Qualities, qualities},
    vocabulary::{Certainty, Taint},
};
use checkrein_shell::{
    Candidates, CommandId, Input, Nesting, Part, Redirect, RedirectKind, Script, SimpleCommand, Unknown,
    UnknownSource, Word,
};
use std::{borrow::Cow, rc::Rc, sync::Arc};

impl Evaluator<'_> {
    /// Returns the joint output of the commands.
    pub(super) fn output_of(&self, ids: &[CommandId]) -> Flow {
        let mut flow = Flow::default();
        let flows = self.scope().map(|scope| scope.flows.as_slice()).unwrap_or_default();
        ids.iter()
            .filter_map(|id| flows.get(id.index()))
            .filter(|one| {
                !one.is_unknown()
                    || !one.qualities.is_empty()
                    || !one.also.is_empty()
                    || one.partial.is_some()
                    || one.typed
            })
            .for_each(|one| flow.add(one));
        flow
    }

    /// Returns the text of a substitution: the output of its commands that goes neither to another command nor to a
    /// file.
    pub(super) fn substitution_output(&self, ids: &[CommandId]) -> Flow {
        let Some(scope) = self.scope() else { return Flow::default() };
        let ids: Vec<CommandId> = ids.iter().copied().filter(|id| !scope.passed_on.contains(id)).collect();
        self.output_of(&ids)
    }

    /// Feeds the commands of a process substitution `>(…)`, which are right before the command, with what the command
    /// writes.
    pub(super) fn feed_process_substitution(
        &mut self,
        index: usize,
        flow: &Flow,
        script: &Script,
        frame: &Frame,
    ) {
        let is_sink = |simple: &&SimpleCommand| simple.within.last() == Some(&Nesting::Sink);
        let Some(own) = script.commands.get(index) else { return };
        if index == 0 || script.commands.get(index - 1).filter(is_sink).is_none() {
            return;
        }
        let targets = own.redirects.iter().map(|redirect| &redirect.target);
        let ids =
            own.words.iter().chain(targets).flat_map(Word::unknowns).filter_map(|unknown| {
                match &unknown.why {
                    UnknownSource::Process(ids) => Some(Arc::clone(ids)),
                    _ => None,
                }
            });
        let ids = ids.collect::<Vec<_>>();
        // For `exec` it is the output of the commands after it; for others it is only known at run time.
        let alone = own.words.iter().all(|word| word.lead() == "exec");
        let unknown = Flow::of(qualities![Taint::Computed]);
        let flow = if alone || flow.is_unknown() { &unknown } else { flow };
        for ids in ids {
            for id in ids.iter() {
                let reads = |simple: &&SimpleCommand| is_sink(simple) && simple.stdin == Input::Inherited;
                if let Some(sink) = script.commands.get(id.0).filter(reads) {
                    let inner = Frame { stdin: flow.clone(), ..frame.clone() };
                    self.follow_simple(id.0, sink, script, &inner);
                }
            }
        }
    }

    /// A coprocess reads what a command writes to a descriptor whose number a variable holds.
    pub(super) fn feed_coprocess(&mut self, index: usize, flow: &Flow, script: &Script, frame: &Frame) {
        let Some(own) = script.commands.get(index) else { return };
        let computed = |redirect: &&Arc<Redirect>| {
            redirect.kind == RedirectKind::DuplicateOutput && redirect.target.constant().is_none()
        };
        let Some(redirect) = own.redirects.iter().chain(&own.inherited).find(computed) else { return };
        // Of another descriptor than that of its output, others write to it later.
        let printed = matches!(redirect.descriptor, None | Some(1)) && !own.words.is_empty();
        let is_exec = own.words.iter().all(|word| word.lead() == "exec");
        let unknown = Flow::of(qualities![Taint::Computed]);
        let flow = if printed && !is_exec && flow.text.is_some() { flow } else { &unknown };
        let reads = |simple: &SimpleCommand| matches!(&simple.stdin, Input::Descriptor(redirect) if is_coprocess(redirect));
        let ids: Vec<usize> = (0..index).filter(|id| script.commands.get(*id).is_some_and(reads)).collect();
        for id in ids {
            if let Some(simple) = script.commands.get(id).filter(|_| self.sink.burn(64)) {
                let inner = Frame { stdin: flow.clone(), ..frame.clone() };
                self.follow_simple(id, simple, script, &inner);
            }
        }
    }

    /// Returns the data that a command reads from standard input.
    pub(super) fn input(&self, simple: &SimpleCommand, outer: &Frame) -> Flow {
        match &simple.stdin {
            Input::Inherited => {
                let mut flow = outer.stdin.clone();
                flow.typed &= !self.is_cut_off(simple);
                flow
            }
            Input::Pipe(ids) => {
                let mut flow = self.output_of(ids);
                // Its content is unknown, but it is known to be the output of another program.
                let origin = qualities![Taint::Downloaded, Taint::Decoded];
                let told = flow.qualities.has(Taint::Revealed) && !flow.qualities.has_any(origin);
                if flow.is_unknown() || told && flow.text.is_none() {
                    flow.qualities = flow.qualities.with(Taint::Computed);
                }
                flow
            }
            Input::Text(redirect) => {
                let end = if redirect.kind == RedirectKind::Text { "\n" } else { "" };
                self.stream_of(&redirect.target, end)
            }
            Input::File(redirect) if super::shell::network_address(&redirect.target).is_some() => {
                Flow::of(qualities![Taint::Downloaded])
            }
            Input::File(redirect) => {
                // `< /dev/stdin` is the input from before.
                let inner = Frame { stdin: outer.stdin.left(), ..self.command_frame(simple, outer) };
                self.content_of(&redirect.target, &inner)
            }
            Input::Descriptor(redirect) if self.socket(redirect).is_some() => {
                Flow::of(qualities![Taint::Downloaded])
            }
            // What others write to it.
            Input::Descriptor(redirect) if is_coprocess(redirect) => {
                Flow { typed: false, ..outer.stdin.clone() }
            }
            // Data from a descriptor that is not known here was made by another program.
            Input::Descriptor(redirect) => redirect
                .target
                .constant()
                .and_then(|number| self.duplicated_descriptor(&number, outer))
                .unwrap_or_else(|| Flow::of(qualities![Taint::Computed])),
        }
    }

    /// Returns true if typed input does not reach a command: it reads what is written to it, or is in the background,
    /// from where only `fg` brings it back.
    fn is_cut_off(&self, simple: &SimpleCommand) -> bool {
        simple.within.contains(&Nesting::Sink)
            || simple.within.contains(&Nesting::Background)
                && !self.scope().is_some_and(|scope| scope.text.contains("fg"))
    }

    /// Returns the content of a file: what the call wrote to it, or something on this machine.
    pub(super) fn content_of(&self, word: &Word, frame: &Frame) -> Flow {
        if let [Part::Unknown(Unknown { why: UnknownSource::Process(ids), .. })] = word.parts.as_slice() {
            return self.substitution_output(ids);
        }
        if let Some(flow) = self.descriptor_named(word, frame) {
            return flow;
        }
        let mut flow = Flow::default();
        // About a process that is not named here: its parent, its children.
        if word.lead().starts_with("/proc/") && word.constant().is_none() {
            flow.qualities = qualities![Taint::Processes];
        }
        for (spot, _) in self.places(word, crate::path::LinkPolicy::Follow, frame) {
            match self.session.files.get(&spot.path) {
                Some(content) => flow.add(&content.flow),
                None if spot.zone == crate::vocabulary::Zone::Nowhere => flow.add(&Flow::text("")),
                None => {
                    let own = if self.is_own_program(&spot) {
                        qualities![Taint::OwnProgram]
                    } else {
                        Qualities::NONE
                    };
                    flow.add(&Flow { qualities: words_of(&spot).and(own), ..Flow::default() });
                }
            }
        }
        flow
    }

    /// Returns the content of a file that is named like a descriptor: `/dev/fd/3`, `/proc/$$/fd/3`.
    pub(super) fn descriptor_named(&self, word: &Word, frame: &Frame) -> Option<Flow> {
        if let Some(path) = word.constant() {
            return self.descriptor(&path, frame);
        }
        match word.parts.as_slice() {
            [Part::Text(start), .., Part::Text(end)] if start.starts_with("/proc/") => {
                self.duplicated_descriptor(end.strip_prefix("/fd/")?, frame)
            }
            // A number that the shell chose, as in `exec {fd}<file`.
            [Part::Text(start), Part::Unknown(_)]
                if matches!(start.as_str(), "/dev/fd/" | "/proc/self/fd/") =>
            {
                Some(Flow::of(qualities![Taint::Computed]))
            }
            _ => None,
        }
    }

    /// Returns the data from the path of a descriptor, or of an endless source.
    pub(super) fn descriptor(&self, path: &str, frame: &Frame) -> Option<Flow> {
        match path {
            "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" => return Some(frame.stdin.clone()),
            "/dev/tty" | "/dev/console" if self.terminal.typed => return Some(self.terminal.clone()),
            _ if path.starts_with("/dev/pts/") && self.terminal.typed => return Some(self.terminal.clone()),
            "/dev/zero" | "/dev/urandom" | "/dev/random" | "/dev/full" => {
                return Some(Flow::of(qualities![Taint::Endless]));
            }
            _ => {}
        }
        let number = path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?;
        self.duplicated_descriptor(number, frame)
    }

    /// Returns the data from the descriptor of this number. All three that a session starts with are its terminal.
    pub(super) fn duplicated_descriptor(&self, number: &str, frame: &Frame) -> Option<Flow> {
        let number = number.parse().ok()?;
        // What was written to it in the meantime is read from it.
        if let Some(target) = self.session.outputs.get(&number) {
            return Some(self.content_of(target, frame));
        }
        match self.session.descriptors.get(&number) {
            Some(flow) => Some(flow.clone()),
            None if number == 0 => Some(frame.stdin.clone()),
            None if number <= 2 && self.terminal.typed => Some(self.terminal.clone()),
            None => None,
        }
    }

    /// Returns the value of a word as a stream: its text, or what is known about its origin.
    pub(super) fn value_of(&self, word: &Word) -> Flow {
        if let Some(text) = word.constant() {
            return Flow::text(text);
        }
        let mut text = Some(String::new()).filter(|_| word.parts.len() <= 1024);
        let (mut qualities, mut typed) = (Qualities::NONE, false);
        let mut also = String::new();
        for part in word.parts.iter().take(1024) {
            let piece = match part {
                Part::Text(piece) | Part::Glob(piece) => Flow::text(piece.clone()),
                Part::Unknown(unknown) => {
                    let mut flow = self.origin(unknown);
                    // A substitution loses its last newlines.
                    flow.text = flow.text.map(|text| text.trim_end_matches('\n').to_owned());
                    flow
                }
            };
            qualities = qualities.and(piece.qualities);
            typed |= piece.typed;
            if word.parts.len() == 1 {
                also = piece.also;
            }
            text = text.zip(piece.text).map(|(text, piece)| text + &piece);
        }
        let text = text.filter(|text| text.len() <= TEXT);
        Flow { text, qualities, also, typed, ..Flow::default() }
    }

    /// Returns the value of a word as the text of a stream, followed by `end`.
    pub(super) fn stream_of(&self, word: &Word, end: &str) -> Flow {
        let mut flow = self.value_of(word);
        match &mut flow.text {
            Some(text) => text.push_str(end),
            None => {
                let mut partial = self.source_of(word);
                partial.push_text(end);
                flow.partial = Some(Rc::new(partial)).filter(|partial| partial.len() <= TEXT);
            }
        }
        flow
    }

    /// Returns the origin of an unknown part.
    pub(super) fn origin(&self, unknown: &Unknown) -> Flow {
        let mut flow = match &unknown.why {
            UnknownSource::Substitution(ids) | UnknownSource::Process(ids) => self.substitution_output(ids),
            UnknownSource::Variable(name) | UnknownSource::Element(name) => {
                match self.scope().and_then(|scope| scope.variables.get(name)) {
                    Some(flow) => flow.clone(),
                    None if self.assigned_flow(unknown).is_some() => {
                        self.assigned_flow(unknown).unwrap_or_default()
                    }
                    // Only the text itself changes the home directory.
                    None if name == "HOME" => Flow::text(self.home.clone()),
                    // Where settings are is the same for what the agent starts as for this process.
                    None if leads_agents(name) && matches!(unknown.among, Candidates::Anything) => {
                        self.world.variable(name).map(Flow::text).unwrap_or_default()
                    }
                    // `${TOKEN:+set}` is never what the variable holds.
                    None if matches!(unknown.among, Candidates::These(_)) => Flow::default(),
                    None if is_secret_name(name) => Flow::of(qualities![Taint::Secret]),
                    None if matches!(name.as_str(), "USER" | "LOGNAME" | "HOSTNAME" | "HOST") => {
                        Flow::of(qualities![Taint::Identity])
                    }
                    None => Flow::default(),
                }
            }
            UnknownSource::Home(None) => Flow::text(self.home.clone()),
            UnknownSource::Home(Some(user)) => Flow::text(format!("/home/{user}")),
            UnknownSource::Changed(name) if is_secret_name(name) => Flow::of(qualities![Taint::Secret]),
            // A part of what may be ours may be ours.
            UnknownSource::Changed(name) => {
                let known = self.scope().and_then(|scope| scope.variables.get(name));
                let ours = known.is_some_and(|flow| flow.qualities.has(Certainty::PerhapsOurs));
                if ours { Flow::of(qualities![Certainty::PerhapsOurs]) } else { Flow::default() }
            }
            UnknownSource::Given(number) => self.given(*number),
            UnknownSource::Array => Flow::default(),
            UnknownSource::Arithmetic => Flow::of(qualities![ParseFlag::Counted]),
            UnknownSource::Special(_)
            | UnknownSource::Computed
            | UnknownSource::TooMuch
            | UnknownSource::Unreadable => Flow::default(),
        };
        if let Candidates::These(words) | Candidates::TheseOrAnything(words) = &unknown.among {
            let among = words.iter().take(16).flat_map(|word| word.unknowns()).filter_map(|unknown| {
                match &unknown.why {
                    UnknownSource::Substitution(ids) => Some(self.substitution_output(ids).qualities),
                    _ => None,
                }
            });
            flow.qualities = among.fold(flow.qualities, Qualities::and);
        }
        flow
    }

    /// Returns the value that the text assigns to a variable, if it is only one.
    fn assigned_flow(&self, unknown: &Unknown) -> Option<Flow> {
        let (values, _) = self.scope()?.may_be(unknown);
        let qualities = values
            .iter()
            .flat_map(|value| value.unknowns())
            .filter_map(|unknown| match &unknown.why {
                UnknownSource::Substitution(ids) => Some(self.substitution_output(ids).qualities),
                // Its words are among what it may be.
                UnknownSource::Array => Some(self.origin(unknown).qualities),
                _ => None,
            })
            .fold(Qualities::NONE, Qualities::and);
        match values {
            [] => None,
            // What substitutions print may be known.
            [value]
                if value.unknowns().all(|unknown| matches!(unknown.why, UnknownSource::Substitution(_))) =>
            {
                Some(Flow { text: self.value_of(value).text, qualities, ..Flow::default() })
            }
            [value] => {
                Some(Flow { text: value.constant().map(Cow::into_owned), qualities, ..Flow::default() })
            }
            _ => Some(Flow { qualities, ..Flow::default() }),
        }
    }

    /// Returns what a word contains: secrets, names, downloads.
    pub(super) fn flow_of(&self, word: &Word) -> Qualities {
        let of_processes =
            if self.names_processes(word, 0) { qualities![Taint::Processes] } else { Qualities::NONE };
        word.unknowns().fold(of_processes, |qualities, unknown| qualities.and(self.origin(unknown).qualities))
    }

    /// Returns true if any of the words is the directories of processes, from wherever they are named.
    pub(super) fn lists_processes(&self, words: &[Word], frame: &Frame) -> bool {
        let is_pattern = |word: &Word| matches!(word.parts.first(), Some(Part::Glob(_)));
        words.iter().any(|word| self.names_processes(word, 0))
            || words.iter().any(is_pattern) && frame.directory().as_deref() == Some("/proc")
    }

    /// Returns true if a word may be the directory of any process: `/proc/[0-9]*`, also by way of a variable that was
    /// cut.
    fn names_processes(&self, word: &Word, depth: usize) -> bool {
        let below = match word.parts.first() {
            Some(Part::Text(start) | Part::Glob(start)) => start.strip_prefix("/proc/"),
            Some(Part::Unknown(_)) | None => None,
        };
        if let Some(name) = below
            && word.constant().is_none()
            && (name.is_empty() || name.starts_with(['[', '*', '?']))
            && !word.is_unknown()
        {
            return true;
        }
        let Some(scope) = self.scope().filter(|_| depth < 3) else { return false };
        word.unknowns().any(|unknown| {
            let values = match &unknown.why {
                UnknownSource::Changed(name) | UnknownSource::Variable(name) => scope.values(name),
                _ => &[],
            };
            let among = match &unknown.among {
                Candidates::These(words) | Candidates::TheseOrAnything(words) => &**words,
                Candidates::Anything => &[],
            };
            let all = values.iter().chain(among).chain(unknown.made_of.iter().flat_map(|words| &**words));
            all.take(8).any(|value| self.names_processes(value, depth + 1))
        })
    }
}

/// Returns true if it is the input of a coprocess.
fn is_coprocess(redirect: &Redirect) -> bool {
    matches!(redirect.target.parts.as_slice(), [Part::Unknown(Unknown { why: UnknownSource::Special(name), .. })] if name == "COPROC")
}
