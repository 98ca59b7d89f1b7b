//! Turns what programs in other languages do into effects.

use super::{Handler, Hunt, chmod, process_search::names_processes};
use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, installed, operands::is_built},
    path::{LinkPolicy, ResolvedPath},
    program::{self, ParseFlag},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Domain, Environment, Modifier, Taint},
    world::FileKind,
};
use checkrein_code::{self as code, Does, From, Language, Started};
use checkrein_shell::{Candidates, Part, SourceRef, StandIns, Unknown, UnknownSource, Word};

/// The maximum number of names of one thing that is destroyed.
const NAMED: usize = 8;

impl Evaluator<'_> {
    /// Follows the source of a program in another language.
    pub(in crate::eval) fn follow_code<'a>(
        &mut self,
        language: Language,
        source: impl Into<SourceRef<'a>>,
        started: &Started,
        frame: &Frame,
    ) {
        let (source, stand_ins) = StandIns::of(source.into());
        let source = &*source;
        let from = self.sink.effects.len();
        // What these give to their environment is not followed.
        let inner = match language {
            Language::Awk | Language::Make | Language::PowerShell => {
                &Frame { finds: frame.finds.max(self.set_in(source)), ..frame.clone() }
            }
            _ => frame,
        };
        let outside =
            std::mem::replace(&mut self.session.found_us, frame.stdin.qualities.has(Certainty::PerhapsOurs));
        self.follow_known_code(language, source, &stand_ins, started, inner);
        self.session.found_us = outside;
        // What a filter of lines is told are patterns.
        if !matches!(language, Language::Awk | Language::Sed | Language::Make) {
            self.emit_handed_in_text(source, from, frame);
        }
    }

    fn follow_known_code(
        &mut self,
        language: Language,
        source: &str,
        stand_ins: &StandIns,
        started: &Started,
        frame: &Frame,
    ) {
        let mut acts = code::acts_with(language, source, started, installed::starts_agent);
        for act in &mut acts {
            act.does.words_mut().into_iter().for_each(|word| stand_ins.restore_word(word));
        }
        let deleted: Vec<String> = acts
            .iter()
            .filter_map(|act| match &act.does {
                Does::Delete { path, .. } => Some(texts(path)),
                _ => None,
            })
            .flatten()
            .collect();
        // In whatever order its parts are evaluated.
        for act in &acts {
            if let Does::Read(path) = &act.does {
                self.session.found_us |= self.content_of(path, frame).qualities.has(Certainty::PerhapsOurs);
            }
        }
        // However they are joined: a program that connects to another machine and starts a shell gives that machine
        // the shell.
        let reaches_out =
            acts.iter().any(|act| matches!(&act.does, Does::Connect(host) if !self.host(host).local));
        let frame = &Frame { wired: frame.wired || reaches_out, ..frame.clone() };
        if code::forks_on(language, source) {
            self.emit(Action::Exhaust, Target::Nothing, Qualities::NONE, frame);
        }
        // It looks at the processes itself, and ends some of them.
        let looks = |act: &code::Act| match &act.does {
            Does::Processes => true,
            Does::Read(path) => installed::written(path).starts_with("/proc/"),
            _ => false,
        };
        let ends = acts.iter().any(|act| matches!(act.does, Does::Kill | Does::KillListed));
        if acts.iter().any(|act| act.does == Does::KillListed) && !self.selects(language, source) {
            self.emit_named(Action::Process, "", qualities![Modifier::All], frame);
        }
        if ends && (acts.iter().any(looks) || names_processes(source)) {
            let hunt = self.filter_by_code(language, source);
            self.emit_terminated(hunt, frame);
        }
        if acts.iter().any(|act| act.does == Does::KillCounted) {
            self.emit_terminated(Hunt::Unknown, frame);
        }
        let runs_unknown = acts.iter().any(|act| runs_unknown(&act.does));
        if ends {
            self.emit_services_ended(&code::literals(language, source), frame);
        }
        let sends = |span: &std::ops::Range<usize>| {
            acts.iter().any(|act| {
                act.span == *span
                    && matches!(&act.does, Does::Connect(to) | Does::Send { to, .. } if !self.host(to).local)
            })
        };
        let given_away = acts.iter().any(|act| act.does == Does::Environment && sends(&act.span));
        if given_away {
            let anybody = Target::Host(crate::effect::Host { name: String::new(), local: false });
            self.emit(Action::Send, anybody, qualities![Taint::Environment], frame);
        }
        for mut act in acts {
            if self.scopes.len() == 1 {
                self.sink.start = act.span.start;
            }
            if let Does::Delete { path, .. } = &mut act.does {
                limited(path, language, source, &act.span);
                if !without_built(path, &deleted) {
                    continue;
                }
            }
            self.emit_act(act.does, language, frame);
        }
        // A callback is read before the search whose result it gets.
        if ends && self.session.hunt == Some(Hunt::Ourselves) {
            self.emit_terminated(Hunt::Ourselves, frame);
        }
        if runs_unknown {
            for text in code::literals(language, source) {
                self.suppose_text(&text, frame);
            }
            self.suppose_texts("", &started.arguments, frame);
        }
    }

    /// Records an action of a program in another language.
    pub(in crate::eval) fn emit_act(&mut self, does: Does, language: Language, frame: &Frame) {
        match does {
            Does::Shell(text) => self.follow_shell_text(&text, language, frame),
            Does::Run(words) => {
                let wired = self.wired_frame(frame);
                let flow = self.follow_argv(&words, &wired);
                self.session.lists_processes |= flow.qualities.has(Taint::Processes);
                self.session.found_us |= flow.qualities.has(Certainty::PerhapsOurs);
            }
            Does::Delete { path, recursive } => {
                let qualities = if recursive {
                    qualities![Modifier::Recursive, Modifier::Force]
                } else {
                    qualities![Modifier::Force]
                };
                self.emit_path(Action::Delete, &path, qualities, frame);
            }
            Does::Write { path, append } => {
                let action = if append { Action::Append } else { Action::Write };
                for spot in self.emit_path(action, &path, Qualities::NONE, frame) {
                    self.type_into(&spot.path, &Flow::default(), frame);
                }
            }
            Does::Fill { path, text } => {
                let flow = self.value_of(&text);
                self.write_file(&path, &flow, true, frame);
            }
            Does::Load(module) => self.load_module(language, &module, frame),
            Does::Indirect(text) => {
                for text in self.texts(&text) {
                    self.suppose_text(&text, frame);
                }
            }
            Does::Move { from, to } => {
                let held = self.content_of(&from, frame);
                self.emit_path(Action::Move, &from, Qualities::NONE, frame);
                self.record_arrival(&from, &to, frame);
                self.write_file(&to, &held, false, frame);
            }
            Does::Copy { from, to } => {
                let held = self.read_file(&from, frame);
                self.record_arrival(&from, &to, frame);
                self.write_file(&to, &held, false, frame);
            }
            Does::Link { path, to } => {
                self.emit_if_ours(Action::Link, &to, Qualities::NONE, frame);
                self.emit_path(Action::Link, &path, Qualities::NONE, frame);
            }
            Does::Mode { path, mode, recursive } => self.emit_mode(&path, &mode, recursive, frame),
            Does::Owner { path } => drop(self.emit_path(Action::Owner, &path, Qualities::NONE, frame)),
            Does::Read(path) => {
                let flow = self.read_file(&path, frame);
                self.session.found_us |= flow.qualities.has(Certainty::PerhapsOurs);
            }
            Does::Connect(host) => self.connect(&host, frame),
            Does::Send { to, what } => {
                let qualities = what.iter().fold(Qualities::NONE, |qualities, path| {
                    qualities.and(self.read_file(path, frame).qualities)
                });
                self.connect(&to, frame);
                self.send(&to, qualities, frame);
            }
            Does::Evaluate(from) => self.emit_evaluated(&from, language, frame),
            Does::Query(text) => self.follow_queries(&text, frame),
            Does::Processes | Does::KillCounted => {}
            Does::KillAll => self.emit_named(Action::Process, "-1", qualities![Modifier::All], frame),
            Does::KillParent => self.emit_terminated(Hunt::Agent, frame),
            Does::Wipe => {
                self.emit_named(Action::Destroy, "", qualities![Modifier::All, Domain::Database], frame);
            }
            Does::Destroy { what, whole } => {
                let names = self.names_of(&what);
                let qualities = qualities![Environment::Remote];
                let qualities = if whole { qualities.with(Modifier::Whole) } else { qualities };
                for name in names.iter().take(NAMED) {
                    self.emit_named(Action::Destroy, name, qualities, frame);
                }
            }
            Does::Type(text) => self.type_word(&text, frame),
            Does::Kill | Does::KillListed => {
                self.emit_named(Action::Process, "", Qualities::NONE, frame);
                if self.session.hunt == Some(Hunt::Ourselves) {
                    self.emit_terminated(Hunt::Ourselves, frame);
                } else if self.session.lists_processes {
                    self.emit_terminated(Hunt::Unknown, frame);
                }
            }
            Does::Environment => {
                self.emit(Action::Reveal, Target::Nothing, qualities![Taint::Environment], frame);
            }
        }
    }

    /// Follows a text that a program in another language hands to a shell.
    fn follow_shell_text(&mut self, text: &Word, language: Language, frame: &Frame) {
        let wired = self.wired_frame(frame);
        match text.constant() {
            Some(text) => {
                let inner = Frame { stdin: wired.stdin.left(), ..wired };
                let flow = self.follow_text(&text, &inner);
                self.session.lists_processes |= flow.qualities.has(Taint::Processes);
                self.session.found_us |= flow.qualities.has(Certainty::PerhapsOurs);
            }
            None => self.run_text(text, &wired),
        }
        // A filter of lines that runs what is not known is a shell for its input. Of `sed`, the lines of a known input have
        // been followed one by one.
        let unknown = text.lead().is_empty() && self.texts(text).is_empty();
        let filters = match language {
            Language::Awk => true,
            Language::Sed => frame.stdin.text.is_none(),
            _ => false,
        };
        if filters && unknown {
            let how = frame.stdin.unreadable().unwrap_or(qualities![Taint::Computed]);
            self.emit(Action::Opaque, Target::Nothing, how.with(Modifier::Shell), frame);
        }
    }

    fn emit_mode(&mut self, path: &Word, mode: &Word, recursive: bool, frame: &Frame) {
        let mode = mode.constant().unwrap_or_default();
        let qualities = chmod::permissions(&mode);
        let qualities = if chmod::gives(&mode) { qualities.with(ParseFlag::Gives) } else { qualities };
        self.emit_path(
            Action::Mode,
            path,
            if recursive { qualities.with(Modifier::Recursive) } else { qualities },
            frame,
        );
    }

    /// Records that a program evaluates a text that cannot be read here.
    fn emit_evaluated(&mut self, from: &From, language: Language, frame: &Frame) {
        let mark = match from {
            From::Network => Taint::Downloaded,
            From::Decoded => Taint::Decoded,
            // Ordinary programs compute what they run; that alone says nothing.
            From::Unknown => return,
            From::Input => {
                if let Some(qualities) = frame.stdin.unreadable() {
                    let target = Target::Name(format!("{language:?}"));
                    self.emit(Action::Opaque, target, qualities.with(Modifier::Shell), frame);
                }
                return;
            }
            From::TooMuch => {
                self.emit_too_much(frame);
                return;
            }
        };
        self.emit(
            Action::Opaque,
            Target::Name(format!("{language:?}")),
            qualities![mark, Modifier::Shell],
            frame,
        );
    }

    /// A module that the call itself wrote runs when it is loaded.
    fn load_module(&mut self, language: Language, module: &str, frame: &Frame) {
        let endings: &[&str] = match language {
            Language::Python => &["py"],
            Language::JavaScript => &["js", "mjs", "cjs", "ts"],
            Language::Ruby => &["rb"],
            Language::Php => &["php"],
            _ => return,
        };
        for ending in endings {
            let file = Word::text(&format!("{}.{ending}", module.replace('.', "/")), 0..0);
            let flow = self.content_of(&file, frame);
            if flow.text.is_some() && !self.session.active.contains(&module.to_owned()) {
                self.session.active.push(module.to_owned());
                self.program_content(language, &flow, &Started::default(), frame);
                self.session.active.pop();
            }
        }
    }

    /// A file or a directory becomes `to`, or something in it.
    fn record_arrival(&mut self, from: &Word, to: &Word, frame: &Frame) {
        let holds = |(spot, _): &(ResolvedPath, Qualities)| self.is_holder(spot);
        if !self.places(to, LinkPolicy::Follow, frame).iter().any(holds) {
            self.emit_path(Action::Write, to, Qualities::NONE, frame);
            return;
        }
        // As a name in the directory, and in its place: which of both depends on the function.
        let merged = self.merges(from, to, frame);
        let mut landed = self.emit_arrival(&[from], to, Qualities::NONE, frame);
        let is_directory =
            |(spot, _): &(ResolvedPath, Qualities)| self.world.entry(&spot.path) != Some(FileKind::File);
        if self.places(from, LinkPolicy::Follow, frame).iter().any(is_directory) {
            landed.push((to.clone(), merged));
        }
        for (target, qualities) in landed {
            self.emit_arrival_at(&target, qualities, frame);
        }
    }

    /// Returns the frame of a shell that a program starts after it connected to another machine.
    fn wired_frame(&self, frame: &Frame) -> Frame {
        let by = self.sink.invocations.len().saturating_sub(1);
        let connected =
            self.sink.effects.iter().any(|effect| effect.by == by && effect.action == Action::Connect);
        Frame { wired: frame.wired || connected, ..frame.clone() }
    }
}

/// Returns true if a program runs something that cannot be read here.
fn runs_unknown(does: &Does) -> bool {
    match does {
        Does::Shell(text) => {
            text.starts_with_unknown().is_some()
                || text.constant().is_some_and(|text| {
                    let words: Vec<&str> = text.split_ascii_whitespace().collect();
                    waits_for_text(&words)
                })
        }
        Does::Run(words) => {
            let known: Option<Vec<_>> = words.iter().map(Word::constant).collect();
            let waits = known.is_some_and(|known| {
                let words: Vec<&str> = known.iter().map(|word| &**word).collect();
                waits_for_text(&words)
            });
            waits || words.first().is_some_and(|word| word.starts_with_unknown().is_some())
        }
        Does::Evaluate(_) => true,
        _ => false,
    }
}

/// Returns true for an interpreter that is started without a program: it runs what is written to it.
fn waits_for_text(words: &[&str]) -> bool {
    let [name, options @ ..] = words else { return false };
    let base = name.rsplit('/').next().unwrap_or(name);
    let runs_text = program::find(base).and_then(|program| program.handler).is_some_and(Handler::is_shell)
        || matches!(
            Language::of(base),
            Some(
                Language::Python
                    | Language::Perl
                    | Language::Ruby
                    | Language::JavaScript
                    | Language::Php
                    | Language::Lua
            )
        );
    // `-s` and `-` say the same; every other option may name a program or end at once.
    runs_text && options.iter().all(|option| matches!(*option, "-s" | "-" | "-i" | "-l" | "-x" | "-e" | "-u"))
}

/// The texts that a word is, or is one of.
fn texts(word: &Word) -> Vec<String> {
    match (word.constant(), word.parts.as_slice()) {
        (Some(text), _) => vec![text.into_owned()],
        (None, [Part::Unknown(Unknown { among: Candidates::These(words), .. })]) => {
            words.iter().filter_map(Word::constant).map(Into::into).collect()
        }
        (None, _) => Vec::new(),
    }
}

/// Removes `bin` from what is deleted if `obj` next to it is deleted, too: together they are what .NET builds, and
/// `bin` alone may be anything. Returns true if something is left.
fn without_built(path: &mut Word, deleted: &[String]) -> bool {
    let is_built = |text: &str| is_built(text, deleted.iter().cloned());
    if path.constant().is_some_and(|text| is_built(&text)) {
        return false;
    }
    if let [Part::Unknown(Unknown { among: Candidates::These(words), .. })] = path.parts.as_mut_slice() {
        let kept: Vec<Word> = words
            .iter()
            .filter(|word| !word.constant().is_some_and(|text| is_built(&text)))
            .cloned()
            .collect();
        *words = kept.into();
    }
    true
}

/// Limits what is deleted to the ending that a condition around it asks for.
fn limited(path: &mut Word, language: Language, source: &str, span: &std::ops::Range<usize>) {
    let Some(Part::Glob(last)) = path.parts.last_mut() else { return };
    if !last.ends_with('*') {
        return;
    }
    if let Some(ending) = code::ending(language, source, span) {
        last.push_str(&ending);
        return;
    }
    // One name of several: `if name in ("build", "dist")`.
    let before = last.strip_suffix('*').filter(|before| before.is_empty() || before.ends_with('/'));
    if let Some(before) = before.map(str::to_owned)
        && let Some(names) = code::members(language, source, span)
    {
        let names: Vec<Word> = names.iter().map(|name| Word::text(name, 0..0)).collect();
        let among = Candidates::These(names.into());
        let one = Unknown { empty: false, among, ..Unknown::new(UnknownSource::Computed) };
        path.parts.pop();
        path.push_text(&before);
        path.push(Part::Unknown(one));
    }
}
