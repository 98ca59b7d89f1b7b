//! What the texts of other languages do, as effects.

use super::{Hunt, chmod, processes::names_processes};
use crate::{
    effect::Target,
    eval::{Context, Evaluator, flow::Flow, installed, operands::is_built},
    path::{LinkPolicy, ResolvedPath},
    vocabulary::{Mark, Marks, Verb},
    world::FileKind,
};
use checkrein_code::{self as code, Does, From, Language, Started};
use checkrein_shell::{Candidates, Part, Unknown, Word};

impl Evaluator<'_> {
    /// What the program text of another language does.
    pub(in crate::eval) fn acts(
        &mut self,
        language: Language,
        source: &str,
        started: &Started,
        context: &Context,
    ) {
        let from = self.effects.len();
        // What these give to their environment is not followed.
        let inner = match language {
            Language::Awk | Language::Make | Language::PowerShell => {
                &Context { finds: context.finds.max(self.set_in(source)), ..context.clone() }
            }
            _ => context,
        };
        let outside = std::mem::replace(&mut self.found_us, context.stdin.marks.has(Mark::PerhapsOurs));
        self.acts_known(language, source, started, inner);
        self.found_us = outside;
        // What a filter of lines is told are patterns.
        if !matches!(language, Language::Awk | Language::Sed | Language::Make) {
            self.handed_in(source, from, context);
        }
    }

    fn acts_known(&mut self, language: Language, source: &str, started: &Started, context: &Context) {
        let acts = code::acts_with(language, source, started, installed::starts_agent);
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
                self.found_us |= self.content_of(path, context).marks.has(Mark::PerhapsOurs);
            }
        }
        // Whatever the plumbing between: who connects to another machine and starts a shell hands it over.
        let reaches_out =
            acts.iter().any(|act| matches!(&act.does, Does::Connect(host) if !self.host(host).local));
        let context = &Context { wired: context.wired || reaches_out, ..context.clone() };
        if code::forks_on(language, source) {
            self.say(Verb::Exhaust, Target::Nothing, Marks::NONE, context);
        }
        // It looks at the processes itself, and ends some of them.
        let looks = |act: &code::Act| match &act.does {
            Does::Processes => true,
            Does::Read(path) => installed::written(path).starts_with("/proc/"),
            _ => false,
        };
        let ends = acts.iter().any(|act| act.does == Does::Kill);
        if ends && (acts.iter().any(looks) || names_processes(source)) {
            let hunt = self.sifted_by(language, source);
            self.ends(hunt, context);
        }
        for mut act in acts {
            if let Does::Delete { path, .. } = &mut act.does {
                limited(path, language, source, &act.span);
                if !without_built(path, &deleted) {
                    continue;
                }
            }
            self.act(act.does, language, context);
        }
    }

    /// Notes what a program of another language does.
    pub(in crate::eval) fn act(&mut self, does: Does, language: Language, context: &Context) {
        match does {
            Does::Shell(text) => {
                let wired = self.wired(context);
                match text.constant() {
                    Some(text) => {
                        let inner = Context { stdin: wired.stdin.left(), ..wired };
                        let flow = self.text(&text, &inner);
                        self.found_us |= flow.marks.has(Mark::PerhapsOurs);
                    }
                    None => self.run_text(&text, &wired),
                }
                // A filter of lines that runs what nobody knows is a shell for its input.
                let unknown = text.lead().is_empty() && self.texts(&text).is_empty();
                if language == Language::Awk && unknown {
                    let marks = Marks::of(&[Mark::Shell, Mark::Computed]);
                    self.say(Verb::Opaque, Target::Nothing, marks, context);
                }
            }
            Does::Run(words) => {
                let wired = self.wired(context);
                let flow = self.argv(&words, &wired);
                self.found_us |= flow.marks.has(Mark::PerhapsOurs);
            }
            Does::Delete { path, recursive } => {
                let marks = if recursive {
                    Marks::of(&[Mark::Recursive, Mark::Force])
                } else {
                    Marks::of(&[Mark::Force])
                };
                self.path(Verb::Delete, &path, marks, context);
            }
            Does::Write { path, append } => {
                let verb = if append { Verb::Append } else { Verb::Write };
                for spot in self.path(verb, &path, Marks::NONE, context) {
                    self.types_into(&spot.path, &Flow::default(), context);
                }
            }
            Does::Move { from, to } => {
                let held = self.content_of(&from, context);
                self.path(Verb::Move, &from, Marks::NONE, context);
                self.arrive(&from, &to, context);
                self.fill(&to, &held, false, context);
            }
            Does::Copy { from, to } => {
                let held = self.reads(&from, context);
                self.arrive(&from, &to, context);
                self.fill(&to, &held, false, context);
            }
            Does::Link { path, to } => {
                self.touches_ours(Verb::Link, &to, Marks::NONE, context);
                self.path(Verb::Link, &path, Marks::NONE, context);
            }
            Does::Mode { path, mode, recursive } => {
                let mode = mode.constant().unwrap_or_default();
                let marks = chmod::permissions(&mode);
                let marks = if chmod::gives(&mode) { marks.with(Mark::Gives) } else { marks };
                self.path(
                    Verb::Mode,
                    &path,
                    if recursive { marks.with(Mark::Recursive) } else { marks },
                    context,
                );
            }
            Does::Owner { path } => drop(self.path(Verb::Owner, &path, Marks::NONE, context)),
            Does::Read(path) => {
                let flow = self.reads(&path, context);
                self.found_us |= flow.marks.has(Mark::PerhapsOurs);
            }
            Does::Connect(host) => self.connect(&host, context),
            Does::Send { to, what } => {
                let marks =
                    what.iter().fold(Marks::NONE, |marks, path| marks.and(self.reads(path, context).marks));
                self.connect(&to, context);
                self.send(&to, marks, context);
            }
            Does::Evaluate(from) => {
                let mark = match from {
                    From::Network => Mark::Downloaded,
                    From::Decoded => Mark::Decoded,
                    // Ordinary programs compute what they run; that alone says nothing.
                    From::Unknown => return,
                    From::TooMuch => {
                        self.say(Verb::Opaque, Target::Nothing, Marks::of(&[Mark::TooMuch]), context);
                        return;
                    }
                };
                self.say(
                    Verb::Opaque,
                    Target::Name(format!("{language:?}")),
                    Marks::of(&[mark, Mark::Shell]),
                    context,
                );
            }
            Does::Query(text) => self.queried(&text, context),
            Does::Processes => {}
            Does::Wipe => self.tell(Verb::Destroy, "", &[Mark::All, Mark::Database], context),
            Does::Type(text) => self.types_word(&text, context),
            Does::Kill => {
                self.tell(Verb::Process, "", &[], context);
                if self.hunt == Some(Hunt::Ourselves) {
                    self.ends(Hunt::Ourselves, context);
                }
            }
            Does::Environment => {
                self.say(Verb::Reveal, Target::Nothing, Marks::of(&[Mark::Environment]), context);
            }
        }
    }

    /// A file or a directory becomes `to`, or something in it.
    fn arrive(&mut self, from: &Word, to: &Word, context: &Context) {
        let holds = |(spot, _): &(ResolvedPath, Marks)| self.is_holder(spot);
        if !self.places(to, LinkPolicy::Follow, context).iter().any(holds) {
            self.path(Verb::Write, to, Marks::NONE, context);
            return;
        }
        // As a name in the directory, and in its place: which of both depends on the function.
        let merged = self.merges(from, to, context);
        let mut landed = self.lands(&[from], to, Marks::NONE, context);
        let is_directory =
            |(spot, _): &(ResolvedPath, Marks)| self.world.entry(&spot.path) != Some(FileKind::File);
        if self.places(from, LinkPolicy::Follow, context).iter().any(is_directory) {
            landed.push((to.clone(), merged));
        }
        for (target, marks) in landed {
            self.lands_at(&target, marks, context);
        }
    }

    /// The surroundings of a shell that a program starts after it connected to another machine.
    fn wired(&self, context: &Context) -> Context {
        let by = self.ran.len().saturating_sub(1);
        let connected = self.effects.iter().any(|effect| effect.by == by && effect.verb == Verb::Connect);
        Context { wired: context.wired || connected, ..context.clone() }
    }
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

/// Takes `bin` out of what is deleted where `obj` beside it goes, too: together they are what .NET builds, and `bin` alone may
/// be anything. Answers whether something is left.
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
    if last.ends_with('*')
        && let Some(ending) = code::ending(language, source, span)
    {
        last.push_str(&ending);
    }
}
