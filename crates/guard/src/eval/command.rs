//! A command with its arguments: which program a name means, and what passes through an unknown one.

use super::{Evaluator, Frame, flow::Flow, run_files::RunBy, session::Content};
use crate::{
    effect::Target,
    glob,
    program::{self, Role},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Modifier, Taint},
};
use checkrein_shell::{Part, SuspiciousChar, UnknownSource, Word};

/// The maximum number of values of one array that are followed.
const ARRAYS: usize = 4;
/// The maximum number of programs that a pattern in the place of a command may mean.
const NAMES: usize = 24;

impl Evaluator<'_> {
    /// Follows a command with its arguments.
    pub(super) fn follow_argv(&mut self, words: &[Word], frame: &Frame) -> Flow {
        let mut frame = frame.clone();
        self.follow_argv_in(words, &mut frame)
    }

    /// Follows a command with its arguments in the running shell, so that a change of the directory persists.
    pub(super) fn follow_argv_in(&mut self, words: &[Word], frame: &mut Frame) -> Flow {
        let Some((first, rest)) = words.split_first() else { return Flow::default() };
        if self.sink.is_too_deep() || !self.sink.burn(32 + 16 * words.len()) {
            self.emit_too_much(frame);
            return Flow::default();
        }
        self.emit_unfollowed(first, frame);
        if let Some(flow) = self.follow_array(words, frame) {
            return flow;
        }
        self.sink.descend();
        self.emit_disguised(words, frame);
        let flow = match first.constant() {
            Some(name) => self.follow_named(&name, words, frame),
            None => self.follow_unnamed(first, rest, words, frame),
        };
        self.sink.ascend();
        flow
    }

    /// Follows `git "${words[@]}"` with the words of the array in its place.
    fn follow_array(&mut self, words: &[Word], frame: &mut Frame) -> Option<Flow> {
        let is_whole = |word: &Word| matches!(word.parts.as_slice(), [Part::Unknown(_)]);
        let mut arrays = words.iter().enumerate().skip(1).filter(|(_, word)| is_whole(word));
        let (place, given) = arrays.find_map(|(place, word)| {
            let given = self.arguments_of(word);
            (!given.is_empty()).then_some((place, given))
        })?;
        // It may hold something else when it runs.
        self.sink.forbid_covering(crate::allow::NotCoverable::Variable);
        let (before, after) = (words.get(..place)?, words.get(place + 1..)?);
        let mut flow = Flow::default();
        self.sink.descend();
        for given in given.into_iter().take(ARRAYS) {
            let all: Vec<Word> = before.iter().cloned().chain(given).chain(after.iter().cloned()).collect();
            flow.add(&self.follow_argv_in(&all, frame));
        }
        self.sink.ascend();
        Some(flow)
    }

    /// Characters that hide what a command is.
    fn emit_disguised(&mut self, words: &[Word], frame: &Frame) {
        let Some((first, rest)) = words.split_first() else { return };
        let hides = |odd: SuspiciousChar| matches!(odd, SuspiciousChar::Bidi);
        let looks_like =
            |(char, odd): &(char, SuspiciousChar)| *odd != SuspiciousChar::Foreign || char.is_alphanumeric();
        if first.odd_characters().iter().any(looks_like)
            || rest.iter().any(|word| word.odd_characters().iter().any(|(_, odd)| hides(*odd)))
        {
            self.record_invocation(words, None, frame);
            self.emit(
                Action::Run,
                Target::Name(super::words::show(first)),
                qualities![Modifier::Disguised],
                frame,
            );
        }
    }

    /// A command whose name is not constant.
    fn follow_unnamed(&mut self, first: &Word, rest: &[Word], words: &[Word], frame: &mut Frame) -> Flow {
        if is_this_shell(first) && self.arguments_of(first).is_empty() && self.texts(first).is_empty() {
            return self.follow_program("sh", words, frame);
        }
        // A substitution in its place may become the whole command.
        let splits = first.unknowns().any(|unknown| unknown.splits);
        let whole = splits.then(|| self.value_of(first).text).flatten();
        let texts = whole.map_or_else(|| self.texts(first), |text| vec![text]);
        let mut flow = Flow::default();
        let mut given = false;
        for mut arguments in self.arguments_of(first) {
            given = true;
            // One element of many: outside quotes it is split.
            let blank = |word: &Word| word.constant().is_some_and(|text| text.contains(char::is_whitespace));
            if splits {
                for element in arguments.iter().filter(|word| blank(word)) {
                    let mut text = element.clone();
                    rest.iter().for_each(|word| {
                        text.push_text(" ");
                        word.parts.iter().for_each(|part| text.push(part.clone()));
                    });
                    self.run_text(&text, frame);
                }
            }
            arguments.extend_from_slice(rest);
            flow.add(&self.follow_argv_in(&arguments, frame));
        }
        // A command that another program makes.
        if !given && texts.is_empty() && self.value_of(first).qualities.has(Taint::Computed) {
            let flow = self.value_of(first);
            self.run_content(&flow, frame);
        }
        // An array that was read from lines: each is a word.
        if let (false, false, [Part::Unknown(unknown)]) = (given, splits, first.parts.as_slice())
            && let Some(text) = self.origin(unknown).text.filter(|text| text.trim_end().contains('\n'))
        {
            let lines = text.lines().take(NAMES).map(|line| Word::text(line, first.span.clone()));
            let arguments: Vec<Word> = lines.chain(rest.iter().cloned()).collect();
            return self.follow_argv_in(&arguments, frame);
        }
        if given {
            return flow;
        }
        for text in &texts {
            let names: Vec<&str> = if splits { self.split(text) } else { vec![text] };
            let mut all: Vec<Word> = names.iter().map(|name| Word::text(name, first.span.clone())).collect();
            all.extend_from_slice(rest);
            if let Some(name) = names.first() {
                flow.add(&self.follow_named(name, &all, frame));
            }
        }
        if !texts.is_empty() {
            return flow;
        }
        if let Some(pattern) = first.pattern() {
            let base = pattern.rsplit('/').next().unwrap_or_default().to_owned();
            // One that fits every name says nothing.
            let says = base.contains(char::is_alphanumeric);
            let names: Vec<&str> = program::names()
                .filter(|_| says)
                .filter(|name| glob::matches(&base, name))
                .take(NAMES)
                .collect();
            for name in &names {
                self.follow_named(name, words, frame);
            }
            if !names.is_empty() {
                return flow;
            }
        }
        // The end of the name may be known: `$DIR/rm`.
        if let Some(Part::Text(text)) = first.parts.last()
            && let Some((_, base)) = text.rsplit_once('/')
            && !base.is_empty()
        {
            return self.follow_named(base, words, frame);
        }
        // A part of what another program prints is known.
        let also = self.value_of(first).also;
        if !also.is_empty() {
            self.follow_text(&also, frame);
        }
        if !self.record_invocation(words, None, frame) {
            return flow;
        }
        let qualities = first
            .unknowns()
            .fold(Qualities::NONE, |qualities, unknown| qualities.and(self.origin(unknown).qualities));
        self.emit(
            Action::Run,
            Target::Name(super::words::show(first)),
            qualities.with(Certainty::AnyProgram),
            frame,
        );
        let named = self.value_of(first);
        self.consume_typed(&named, frame);
        self.may_delete(rest, frame);
        self.may_be_ourselves(words, frame);
        self.suppose_texts("", rest, frame);
        self.passthrough(rest, frame)
    }

    /// Follows a program whose name is not known as `rm`, if its words are those of an `rm` that forces and recurses.
    fn may_delete(&mut self, arguments: &[Word], frame: &Frame) {
        let Some(rm) = program::find("rm") else { return };
        let parsed = program::parse(rm, arguments);
        if parsed.qualities.has(Modifier::Recursive) && parsed.qualities.has(Modifier::Force) {
            let qualities = qualities![Modifier::Recursive, Modifier::Force, Certainty::AnyProgram];
            for (_, word) in parsed.roles.iter().filter(|(role, _)| *role == Role::Delete) {
                self.emit_path(Action::Delete, word, qualities, frame);
            }
        }
    }

    /// A command with a name.
    pub(super) fn follow_named(&mut self, name: &str, words: &[Word], frame: &mut Frame) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        // In zsh `=rm` is the path of `rm`, and `repeat 3 rm` runs it three times.
        if let Some(program) = name.strip_prefix('=').filter(|program| program::find(program).is_some()) {
            return self.follow_program(program, words, frame);
        }
        if name == super::typed::TYPED {
            self.record_invocation(words, None, frame);
            self.consume_typed(&Flow::typed(), frame);
            return Flow::default();
        }
        if name == "/proc/self/exe" {
            return self.follow_program("sh", words, frame);
        }
        if name == "repeat" && rest.len() > 1 && !self.session.functions.contains_key(name) {
            return self.follow_argv_in(rest.get(1..).unwrap_or_default(), frame);
        }
        // They run in this shell what follows, which may be `cd`.
        if matches!(name, "command" | "builtin") && !self.session.functions.contains_key(name) {
            let options = rest.iter().take_while(|word| word.lead() == "-p" || word.lead() == "--").count();
            let inner = rest.get(options..).unwrap_or_default();
            if inner
                .first()
                .is_some_and(|word| matches!(word.lead(), "cd" | "pushd" | "popd" | "source" | "." | "eval"))
            {
                return self.follow_argv_in(inner, frame);
            }
        }
        self.emit_name_taken(name, rest, frame);
        self.follow_subscripts(name, rest, frame);
        let own = self.session.functions.get(name).cloned();
        let printed = own.map(|body| self.call_function(name, &body, rest, frame));
        if let Some(value) = self.session.aliases.get(name).cloned() {
            self.expand_alias(name, &value, rest, frame);
        }
        let places = self.program_places(name, frame);
        if self.is_copy(name, rest, &places, frame) {
            return self.follow_program("checkrein", words, frame);
        }
        if name.contains('/') {
            // A link by another name is what it leads to.
            let own = name.rsplit('/').next().unwrap_or_default();
            let linked = places
                .iter()
                .filter_map(|(spot, _)| spot.path.rsplit('/').next())
                .find(|base| *base != own && program::find(base).is_some());
            if let Some(program) = linked.map(str::to_owned) {
                self.follow_program(&program, words, frame);
            }
            let hidden = name.contains("/.") && !name.starts_with("./") && !name.starts_with("../");
            if frame.qualities.has(Modifier::Later) || hidden {
                for (spot, qualities) in &places {
                    self.emit(Action::Run, Target::Path(spot.clone()), *qualities, frame);
                }
            }
            self.run_fetched(&places, frame);
            if let Some(file) = words.first() {
                self.record_run(file, RunBy::Itself, rest, frame);
            }
            let known: Vec<Content> =
                places.into_iter().flat_map(|(spot, _)| self.session.written(&spot.path)).collect();
            for content in known {
                match &content.program {
                    Some(program) => {
                        let program = program.clone();
                        self.follow_program(&program, words, frame);
                    }
                    None => self.run_content(&content.flow, frame),
                }
            }
        }
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if !name.contains('/') && !self.session.files.is_empty() {
            // The search path may lead to a file that the call wrote.
            let own = self.session.written(&format!("*/{name}"));
            for text in own.into_iter().filter_map(|content| content.flow.text) {
                self.suppose_text(&text, frame);
            }
        }
        if name.strip_suffix(base).is_some_and(|directory| directory.ends_with("/init.d/")) {
            // What starts and stops a service, by its own name.
            let of_service = [Word::text("service", 0..0), Word::text(base, 0..0)];
            let command: Vec<Word> = of_service.into_iter().chain(rest.iter().cloned()).collect();
            return self.follow_program("service", &command, frame);
        }
        let flow = self.follow_program(base, words, frame);
        // A function hides the program of its name.
        printed.unwrap_or(flow)
    }

    /// Returns the output of a program that is only known to depend on its arguments and input.
    pub(super) fn passthrough(&self, arguments: &[Word], frame: &Frame) -> Flow {
        let carried =
            arguments.iter().fold(frame.stdin.qualities, |qualities, word| qualities.and(self.flow_of(word)));
        let carried = carried.without(Taint::Endless);
        let qualities = if frame.stdin.text.is_some() { carried.with(Taint::Decoded) } else { carried };
        Flow { qualities, ..Flow::default() }
    }
}

/// `$0`, `$SHELL`, `$BASH`: the shell that runs the text, unless the text says otherwise.
fn is_this_shell(word: &Word) -> bool {
    match word.parts.as_slice() {
        [Part::Unknown(unknown)] => match &unknown.why {
            UnknownSource::Special(name) => name == "0",
            UnknownSource::Variable(name) => matches!(name.as_str(), "SHELL" | "BASH"),
            _ => false,
        },
        _ => false,
    }
}
