//! Texts and files that shells are given: functions, aliases, scripts, `-c`, escapes of editors.

use super::{Evaluator, Frame, flow::Flow, words::CANDIDATES};
use crate::{
    effect::Target,
    path::{LinkPolicy, ResolvedPath},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Taint, Zone},
};
use checkrein_code::{Language, Started};
use checkrein_shell::{
    Candidates, Nesting, Part, Runs, Script, ShellEnv, SimpleCommand, Source, SourceRef, Unknown,
    UnknownSource, Word,
};

/// Prefixes of the commands of editors and debuggers that a shell runs.
const ESCAPES: [&str; 11] = [
    "!",
    "shell ",
    "system ",
    "silent !",
    "silent! !",
    "r !",
    "read !",
    "w !",
    "term ",
    "terminal ",
    "platform shell ",
];
/// Prefixes of those that are programs in another language.
const INSIDE: [(&str, Language); 9] = [
    ("lua ", Language::Lua),
    ("python3 ", Language::Python),
    ("python ", Language::Python),
    ("py3 ", Language::Python),
    ("pyx ", Language::Python),
    ("py ", Language::Python),
    ("script ", Language::Python),
    ("ruby ", Language::Ruby),
    ("perl ", Language::Perl),
];
/// Functions of editors that type into a terminal.
const TYPES: [&str; 6] =
    ["chansend(", "term_sendkeys(", "jobsend(", "nvim_chan_send(", "feedkeys(", "term-send-string"];
/// The maximum number of fetched directories that are kept.
const FETCHED: usize = 16;
/// Functions with a meaning of their own: for a name that is no command, and around every prompt.
const HANDLERS: [&str; 7] = [
    "command_not_found_handle",
    "command_not_found_handler",
    "precmd",
    "preexec",
    "chpwd",
    "periodic",
    "zshexit",
];

/// Returns true if a function that calls itself does so while it still runs, in a pipeline or in the background. With other arguments
/// and under a condition it has an end.
fn multiplies(name: &str, body: &str) -> bool {
    let script = crate::read(body, &ShellEnv::default());
    let is_call = |simple: &&SimpleCommand| {
        simple.words.first().and_then(Word::constant).is_some_and(|word| word == name)
    };
    let mut calls = script.commands.iter().filter(is_call).peekable();
    if calls.peek().is_none() {
        // It is called by another name.
        return body.contains(['|', '&']);
    }
    calls.any(|call| {
        let beside = [Nesting::Background, Nesting::Pipeline].iter().any(|place| call.within.contains(place));
        beside && (call.words.len() == 1 || call.runs == Runs::Always)
    })
}

impl Evaluator<'_> {
    /// Remembers the functions and aliases of a text.
    pub(super) fn define_functions(&mut self, script: &Script, text: SourceRef<'_>) {
        for function in &script.functions {
            let Some(source) = text.text().get(function.span.clone()) else { continue };
            if let Some(body) = body_of(source, &function.name)
                && let Some(body) = text.get(function.span.end - body.len()..function.span.end)
            {
                self.session.functions.insert(function.name.clone(), body);
            }
        }
        let hides = |name: &str| name == "checkrein";
        if script.functions.iter().any(|function| hides(&function.name))
            || script.aliases.iter().any(|alias| hides(&alias.name))
        {
            let frame = Frame::default();
            self.emit(
                Action::Unprotect,
                Target::Name("checkrein".to_owned()),
                qualities![Modifier::Guard],
                &frame,
            );
        }
        for alias in &script.aliases {
            self.session.aliases.insert(alias.name.clone(), alias.value.clone());
        }
    }

    /// Functions that the shell calls by itself.
    pub(super) fn call_shell_hooks(&mut self, script: &Script, frame: &Frame) {
        for function in script.functions.iter().filter(|function| HANDLERS.contains(&function.name.as_str()))
        {
            if let Some(body) = self.session.functions.get(&function.name).cloned() {
                self.call_function(&function.name, &body, &[], &mut frame.clone());
            }
        }
    }

    /// A function with its arguments. Returns its output.
    pub(super) fn call_function(
        &mut self,
        name: &str,
        body: &Source,
        arguments: &[Word],
        frame: &mut Frame,
    ) -> Flow {
        // A function that was defined again in between is another one.
        let called = format!("{name} {}", body.text());
        if self.session.active.contains(&called) {
            if multiplies(name, body.text()) {
                self.emit(Action::Exhaust, Target::Name(name.to_owned()), Qualities::NONE, frame);
            }
            return Flow::default();
        }
        self.session.repeats = true;
        self.session.active.push(called);
        let outer = std::mem::replace(&mut frame.in_function, true);
        // The assignments are those of the caller, so they come before the arguments.
        let mut text = self.variables_for(body);
        text.push_text("set --");
        self.push_words(&mut text, arguments);
        text.push_text("\n");
        text.push_source(body);
        let printed = self.follow_text_in(&text, frame);
        frame.in_function = outer;
        self.session.active.pop();
        printed
    }

    /// A text that the running shell reads: it knows the variables of the text around it.
    pub(super) fn with_variables<'a>(&self, text: impl Into<SourceRef<'a>>) -> Source {
        let text = text.into();
        let mut whole = self.variables_for(text);
        whole.push_source(text);
        whole
    }

    /// The variables that a text may use, as assignments.
    fn variables_for<'a>(&self, text: impl Into<SourceRef<'a>>) -> Source {
        let uses = text.into().text().contains('$');
        self.scope().filter(|_| uses).map(|scope| scope.assignments.clone()).unwrap_or_default()
    }

    /// An alias with what follows it.
    pub(super) fn expand_alias(&mut self, name: &str, value: &Word, arguments: &[Word], frame: &mut Frame) {
        let Some(value) = value.constant() else { return };
        if self.session.active.iter().any(|active| active == name) {
            return;
        }
        self.session.active.push(name.to_owned());
        let mut text = Source::from(&*value);
        self.push_words(&mut text, arguments);
        self.follow_text_in(&text, frame);
        self.session.active.pop();
    }

    /// Adds words to a text, as a shell reads them again.
    pub(super) fn push_words(&self, text: &mut Source, words: &[Word]) {
        for word in words {
            text.push_text(" ");
            text.push_word(&self.carried(word));
        }
    }

    /// A text that a shell reads from somewhere.
    pub(super) fn run_content(&mut self, flow: &Flow, frame: &Frame) {
        self.consume_typed(flow, frame);
        match &flow.text {
            Some(text) => {
                let text = text.clone();
                let inner = Frame { stdin: frame.stdin.left(), ..frame.clone() };
                self.follow_text(&text, &inner);
            }
            None => {
                if let Some(qualities) =
                    flow.unreadable().or(flow.partial.is_none().then_some(Qualities::NONE))
                {
                    self.emit(Action::Opaque, Target::Nothing, qualities.with(Modifier::Shell), frame);
                }
                if let Some(partial) = flow.partial.clone() {
                    self.follow_text(&*partial, &frame.without_stdin());
                }
                if !flow.also.is_empty() {
                    let inner = frame.without_stdin();
                    self.follow_text(&flow.also, &inner);
                }
            }
        }
    }

    /// A word that a shell takes as its text.
    pub(super) fn run_text(&mut self, word: &Word, frame: &Frame) {
        self.emit_unfollowed(word, frame);
        let flow = self.value_of(word);
        if flow.text.is_some()
            || flow.typed
            || flow.qualities.has_any(qualities![Taint::Downloaded, Taint::Decoded])
        {
            self.run_content(&flow, frame);
            return;
        }
        // The known parts are still read; what is unknown stays unknown.
        let text = self.source_of(word);
        if word.starts_with_unknown().is_some() {
            self.run_content(&flow, frame);
            // One of several that the text gives to a variable.
            for text in self.texts(word) {
                self.follow_text(&text, frame);
            }
        }
        if word.parts.iter().any(|part| matches!(part, Part::Text(_))) {
            self.follow_text(&text, frame);
        }
    }

    /// Says it if a text that is run may be more than was followed of it.
    pub(super) fn emit_unfollowed(&mut self, word: &Word, frame: &Frame) {
        if word.unknowns().any(|unknown| self.is_too_much(unknown, 0)) {
            self.emit_too_much(frame);
        }
    }

    fn is_too_much(&self, unknown: &Unknown, depth: usize) -> bool {
        /// As deep as candidates are followed.
        const DEEPEST: usize = 4;
        if unknown.why == UnknownSource::TooMuch {
            return true;
        }
        let scope = self.scope();
        let (values, _) = scope.map(|scope| scope.may_be(unknown)).unwrap_or_default();
        let among: &[Word] = match &unknown.among {
            Candidates::These(words) | Candidates::TheseOrAnything(words) => words,
            Candidates::Anything => &[],
        };
        let inside = || among.iter().chain(values).flat_map(Word::unknowns);
        among.len() > CANDIDATES
            || scope.is_some_and(|scope| scope.has_more_values(unknown))
            || depth < DEEPEST
                && self.sink.burn(1)
                && inside().any(|inner| self.is_too_much(inner, depth + 1))
    }

    /// A file that is run.
    pub(super) fn run_file(&mut self, word: &Word, frame: &Frame) {
        if let [Part::Unknown(unknown)] = word.parts.as_slice() {
            let flow = self.origin(unknown);
            if (!flow.is_unknown() || flow.typed) && flow.paths.is_empty() {
                self.run_content(&flow, frame);
                return;
            }
        }
        if let Some(flow) = self.descriptor_named(word, frame)
            && (!flow.is_unknown() || flow.typed)
        {
            self.run_content(&flow, frame);
            return;
        }
        if super::shell::network_address(word).is_some() {
            self.run_content(&Flow::of(qualities![Taint::Downloaded]), frame);
            return;
        }
        for (spot, _) in self.places(word, LinkPolicy::Follow, frame) {
            let qualities =
                if spot.zone == Zone::Temporary { qualities![Modifier::Path] } else { Qualities::NONE };
            if spot.zone == Zone::Nowhere {
                let flow = frame.stdin.clone();
                self.run_content(&flow, frame);
                continue;
            }
            let known = self.session.written(&spot.path);
            self.run_fetched(&[(spot.clone(), qualities)], frame);
            self.emit(Action::Run, Target::Path(spot), qualities, frame);
            for content in known {
                self.run_content(&content.flow, frame);
            }
        }
    }

    /// A file in a directory that the call itself fetched from another machine.
    pub(super) fn run_fetched(&mut self, places: &[(ResolvedPath, Qualities)], frame: &Frame) {
        let is_fetched = |spot: &ResolvedPath| {
            self.session.fetched.iter().any(|directory| spot.path.starts_with(directory.as_str()))
        };
        if places.iter().any(|(spot, _)| is_fetched(spot)) {
            let qualities = qualities![Modifier::Shell, Taint::Downloaded, Modifier::Extracts];
            self.emit(Action::Opaque, Target::Nothing, qualities, frame);
        }
    }

    /// Records a directory that comes from another machine: the programs in it are unknown.
    pub(super) fn record_fetched(&mut self, directory: &Word, frame: &Frame) {
        for (spot, _) in self.places(directory, LinkPolicy::Follow, frame) {
            if self.session.fetched.len() < FETCHED && !spot.path.contains('…') {
                self.session.fetched.push(format!("{}/", spot.path.trim_end_matches('/')));
            }
        }
    }

    /// A command of an editor or a debugger that goes on to a shell: `:!ls`, `shell ls`.
    pub(super) fn follow_escape(&mut self, word: &Word, frame: &Frame) {
        // Functions of an editor that type into a terminal inside it.
        for text in self.texts(word).into_iter().take(8) {
            if TYPES.iter().any(|call| text.contains(call)) {
                let inside =
                    |quote: char| text.split(quote).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
                let typed = inside('"').into_iter().chain(inside('\'')).take(16);
                for typed in typed.collect::<Vec<_>>() {
                    let typed = typed.replace("\\n", "\n").replace("\\r", "\n").replace("\\<CR>", "\n");
                    match typed.strip_prefix(':') {
                        Some(command) => {
                            let command = command.lines().next().unwrap_or_default();
                            self.follow_escape(&Word::text(command, 0..0), frame);
                        }
                        None => self.type_word(&Word::text(&typed, 0..0), frame),
                    }
                }
            }
        }
        // Keys by their names, as a running editor is sent them.
        if let Some(text) = word.constant().filter(|text| text.contains('<') && text.contains(':')) {
            let ends = ["<CR>", "<cr>", "<Enter>", "<Return>", "<NL>", "<C-m>", "<C-M>"];
            let plain = ends.iter().fold(text.into_owned(), |text, key| text.replace(key, "\n"));
            if plain.contains('\n') {
                for line in plain.lines().filter_map(|line| Some(line.split_once(':')?.1)).take(8) {
                    self.follow_escape(&Word::text(&line.replace('<', " "), word.span.clone()), frame);
                }
                return;
            }
        }
        if let Some(text) = word.constant() {
            self.session.finds = self.session.finds.max(self.set_in(&text));
        }
        let lead = word.lead().trim_start_matches([':', ' ']);
        let skipped = word.lead().len() - lead.len();
        if let Some(start) = ESCAPES.into_iter().find(|start| lead.starts_with(start)) {
            self.run_text(&word.skip(skipped + start.len()), frame);
            return;
        }
        // Many have a language in them; others call what runs commands with a text.
        for text in self.texts(&word.skip(skipped)).into_iter().take(8) {
            // A text that is put together and then run as a command of the editor.
            let put = ["execute ", "exec ", "exe "].iter().find_map(|start| text.strip_prefix(start));
            let command = put.map_or(text.as_str(), |put| put.trim_matches(['"', '\'', ' ']));
            if put.is_some()
                && let Some(rest) = ESCAPES.into_iter().find_map(|start| command.strip_prefix(start))
            {
                self.follow_text(rest, frame);
            }
            let inside =
                INSIDE.iter().find_map(|(start, language)| Some((command.strip_prefix(start)?, language)));
            match inside {
                Some((source, language)) => self.follow_code(*language, source, &Started::default(), frame),
                None if text.contains('(') => self.strings(&text, frame),
                None => {}
            }
        }
    }
}

/// The body of `name() body` or `function name body`.
pub(super) fn body_of<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let rest = source.trim_start();
    let rest = rest.strip_prefix("function").map_or(rest, str::trim_start);
    let rest = rest.strip_prefix(name)?.trim_start();
    let rest = match rest.strip_prefix('(') {
        Some(inside) => inside.trim_start().strip_prefix(')').unwrap_or(rest),
        None => rest,
    };
    Some(rest.trim_start())
}
