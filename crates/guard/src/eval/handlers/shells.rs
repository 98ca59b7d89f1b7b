//! Shells, and the built-in commands that run or define something.

use super::{Reader, join};
use crate::{
    effect::Target,
    eval::{
        Evaluator, Frame,
        agent_settings::Finds,
        flow::Flow,
        handlers::Call,
        installed,
        scope::Parameters,
        stdout::{unescape, unescaped},
        variables::environment_of,
    },
    qualities::qualities,
    vocabulary::{Action, Modifier, Taint},
};
use checkrein_shell::{Part, Source, Unknown, UnknownSource, Word};
use std::rc::Rc;

/// Follows `cd`.
pub(in crate::eval) fn cd(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let is_option = |word: &&Word| matches!(word.lead(), "-P" | "-L" | "-e" | "-@" | "--" | "-n");
    let mut operands = rest.iter().filter(|word| !is_option(word));
    let target = operands.next();
    evaluator.change_directory(target, frame);
    // Where it is no built-in command, what follows the directory runs in it.
    let command: Vec<Word> = operands.cloned().collect();
    evaluator.follow_argv(&command, frame)
}

/// Follows `eval`.
pub(in crate::eval) fn eval(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let whole = join(rest);
    match whole.constant() {
        Some(text) => evaluator.follow_text_in(&evaluator.with_variables(&text), frame),
        None => {
            evaluator.run_text(&whole, frame);
            if evaluator.session.exports_all && evaluator.value_of(&whole).text.is_none() {
                evaluator.session.finds = evaluator.session.finds.max(Finds::Unknown);
            }
            // One of several that the text gives to a variable.
            if evaluator.value_of(&whole).text.is_none() {
                for text in evaluator.texts(&whole).into_iter().take(8) {
                    evaluator.follow_text_in(&text, frame);
                }
            }
            // A text that only a variable holds, and nobody can read it here.
            let kept = |unknown: &Unknown| {
                matches!(
                    unknown.why,
                    UnknownSource::Variable(_)
                        | UnknownSource::Element(_)
                        | UnknownSource::Special(_)
                        | UnknownSource::Given(_)
                )
            };
            if let [Part::Unknown(unknown)] = whole.parts.as_slice()
                && kept(unknown)
                && evaluator.value_of(&whole).is_unknown()
                && evaluator.texts(&whole).is_empty()
            {
                let qualities = qualities![Modifier::Shell, Taint::Computed];
                evaluator.emit(Action::Opaque, Target::Nothing, qualities, frame);
            }
            Flow::default()
        }
    }
}

/// Follows `export`.
pub(in crate::eval) fn export(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut shows = rest.is_empty();
    for word in rest {
        if let Some((name, _)) = word.lead().split_once('=') {
            let name = name.to_owned();
            let value = word.skip(name.len() + 1);
            evaluator.variable(&name, &value, frame);
            evaluator.session.environment = evaluator.session.environment.and(environment_of(&name, &value));
            if evaluator.moves_settings(&name, Some(&value)) {
                evaluator.session.finds = Finds::Others;
            }
        }
        shows |= word.lead() == "-p";
    }
    // Of one name it shows that one.
    shows &= rest.iter().all(|word| word.lead().starts_with('-'));
    if shows { Flow::of(qualities![Taint::Environment, Taint::Secret]) } else { Flow::default() }
}

/// `read`, `mapfile`: what comes in goes to the variables that are named, a field for each and the rest for the last.
pub(in crate::eval) fn read_variables(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let words = call.words;
    let Some((name, rest)) = words.split_first() else { return Flow::default() };
    // The options of each that take a value.
    let valued = if name.lead() == "read" { "adinNptu" } else { "dnOsuCc" };
    let mut flow = frame.stdin.clone();
    let mut names: Vec<String> = Vec::new();
    let mut array = None;
    let mut reader = Reader::new(rest);
    while let Some(word) = reader.next() {
        let Some(text) = word.constant() else { continue };
        let Some(letters) = text.strip_prefix('-') else {
            names.push(text.into_owned());
            continue;
        };
        // The first letter that takes a value has the rest of the word, or the next one.
        let Some(place) = letters.find(|char| valued.contains(char)) else { continue };
        let letter = letters.get(place..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        let glued = letters.get(place + 1..).unwrap_or_default();
        let value = if glued.is_empty() {
            reader.next().cloned()
        } else {
            Some(Word::text(glued, word.span.clone()))
        };
        let Some(value) = value else { continue };
        match letter {
            'a' => array = value.constant().map(String::from),
            // From another descriptor than that of standard input.
            'u' => {
                let number = value.constant().unwrap_or_default();
                flow = evaluator
                    .duplicated_descriptor(&number, frame)
                    .unwrap_or_else(|| Flow::of(qualities![Taint::Computed]));
            }
            // `mapfile -C` evaluates a text for each line.
            'C' => evaluator.run_text(&value, frame),
            _ => {}
        }
    }
    flow.text = flow.text.map(|text| text.trim_end_matches('\n').to_owned());
    if flow.is_unknown() && !flow.typed {
        return Flow::default();
    }
    let separators = frame.exported.as_deref().and_then(|exported| exported.get("IFS")).cloned();
    let fields = |most: usize| -> Vec<Vec<String>> {
        let text = flow.text.as_deref().unwrap_or_default();
        text.lines().map(|line| fields_of(line, separators.as_deref(), most)).collect()
    };
    let mut found: Vec<(String, Flow)> = Vec::new();
    if let (Some(array), Some(_)) = (array, &flow.text) {
        // Each word of it is a line of its own here.
        let words: Vec<String> = fields(usize::MAX).into_iter().flatten().collect();
        found.push((array, Flow { text: Some(words.join("\n")), ..flow.clone() }));
    }
    if names.len() > 1 && flow.text.is_some() {
        let lines = fields(names.len());
        for (place, name) in names.into_iter().enumerate() {
            let values: Vec<&str> =
                lines.iter().filter_map(|fields| fields.get(place)).map(String::as_str).collect();
            found.push((name, Flow { text: Some(values.join("\n")), ..flow.clone() }));
        }
    } else {
        let usual = ["REPLY".to_owned(), "MAPFILE".to_owned()];
        found.extend(names.into_iter().chain(usual).map(|name| (name, flow.clone())));
    }
    if let Some(scope) = evaluator.scopes.last_mut() {
        // An element of an array is kept with all of it.
        let whole = |name: String| name.split('[').next().unwrap_or_default().to_owned();
        scope.variables.extend(found.into_iter().map(|(name, flow)| (whole(name), flow)));
    }
    Flow::default()
}

/// Follows `source`.
pub(in crate::eval) fn source(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    if let Some(file) = rest.iter().find(|word| word.lead() != "--") {
        // What it does to the running shell stays.
        match evaluator.content_of(file, frame).text.filter(|text| !text.is_empty()) {
            Some(text) => drop(evaluator.follow_text_in(&evaluator.with_variables(&text), frame)),
            None => {
                evaluator.track_sourced_settings(file, frame);
                evaluator.run_file(file, frame);
            }
        }
    }
    Flow::default()
}

/// `nu`, `xonsh` and `elvish`: shells whose assignments and blocks are others.
pub(in crate::eval) fn structured_shell(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let rest = call.rest();
    let texts = rest.iter().flat_map(|word| evaluator.texts(word)).chain(frame.stdin.text.clone());
    let texts: Vec<String> = texts.collect();
    let finds = texts.iter().map(|text| evaluator.set_in(text)).max().unwrap_or_default();
    frame.finds = frame.finds.max(finds);
    // A block is an argument there, and holds commands.
    for text in texts.iter().filter(|text| text.contains('{')) {
        evaluator.follow_text(&text.replace(['{', '}'], "\n"), frame);
    }
    evaluator.shell(rest, frame)
}

/// Follows `trap`.
pub(in crate::eval) fn trap(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut operands = rest.iter().filter(|word| word.lead() != "--");
    if let Some(text) = operands.next()
        && operands.next().is_some()
        && !matches!(text.lead(), "-" | "-p" | "-l")
    {
        match text.constant() {
            // It runs at the end, with the variables as they are then; so does a function that it calls.
            Some(text) => {
                let mut whole = evaluator.scope().map(|scope| scope.assignments.clone()).unwrap_or_default();
                whole.push_text(&text);
                drop(evaluator.follow_text(&whole, frame));
            }
            None => evaluator.run_text(text, frame),
        }
    }
    Flow::default()
}

/// Follows a shell: its text, its script or its input.
pub(in crate::eval) fn shell(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    evaluator.shell(call.rest(), frame)
}

/// Follows `env`.
pub(in crate::eval) fn env(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    evaluator.env(call.rest(), frame)
}

/// Follows `printf`.
pub(in crate::eval) fn printf(evaluator: &mut Evaluator<'_>, call: &Call<'_>, _: &mut Frame) -> Flow {
    evaluator.printf(call.rest())
}

/// Follows `busybox`: the next word is the program.
pub(in crate::eval) fn busybox(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    evaluator.follow_argv(call.rest(), frame)
}

impl Evaluator<'_> {
    /// `bash -c text`, `sh file`, `… | sh`.
    pub(super) fn shell(&mut self, rest: &[Word], frame: &Frame) -> Flow {
        let mut reader = Reader::new(rest);
        let (mut takes_text, mut interactive, mut only_checks, mut reads_input) =
            (false, false, false, false);
        let mut first = None;
        while let Some(word) = reader.next() {
            let lead = word.lead();
            match lead {
                "--" => {
                    first = reader.next();
                    break;
                }
                "-" => continue,
                "--rcfile" | "--init-file" => {
                    if let Some(file) = reader.next() {
                        self.track_sourced_settings(file, frame);
                        self.run_file(file, frame);
                    }
                }
                "--command" => takes_text = true,
                // A text that fish runs first; elsewhere it is a switch, and the next word a file.
                "-C" | "--init-command" => {
                    if let Some(text) = reader.rest().first().filter(|word| word.lead().contains(' ')) {
                        self.run_text(text, frame);
                        reader.next();
                    }
                }
                "--help" | "--version" => return Flow::default(),
                _ if lead.starts_with("--command=") => {
                    self.run_text(&word.skip("--command=".len()), frame);
                    return Flow::default();
                }
                _ if lead.starts_with("--") => {}
                _ if lead.len() > 1 && lead.starts_with(['-', '+']) => {
                    takes_text |= lead.starts_with('-') && lead.contains('c');
                    self.session.exports_all |= lead.starts_with('-') && lead.contains('a');
                    interactive |= lead.starts_with('-') && lead.contains('i');
                    only_checks |= lead.starts_with('-') && lead.contains('n');
                    reads_input |= lead.starts_with('-') && lead.contains('s');
                    if lead.ends_with(['o', 'O']) {
                        reader.next();
                    }
                }
                _ => {
                    first = Some(word);
                    break;
                }
            }
        }
        let inner = Frame { stdin: frame.stdin.clone(), ..frame.clone() };
        if frame.wired && (interactive || first.is_none()) {
            self.emit(Action::Expose, Target::Nothing, qualities![Modifier::Shell], frame);
        }
        match first {
            _ if only_checks => Flow::default(),
            Some(text) if takes_text => self.shell_text(text, reader.rest(), &inner),
            Some(first) if reads_input => {
                let arguments: Vec<Word> = std::iter::once(first).chain(reader.rest()).cloned().collect();
                self.shell_input(&arguments, &inner)
            }
            Some(file) => {
                self.run_file(file, &inner);
                self.passthrough(reader.rest(), frame)
            }
            None => {
                let mut flow = self.shell_input(&[], &inner);
                if interactive {
                    flow.qualities = flow.qualities.with(Modifier::Shell);
                }
                flow
            }
        }
    }

    /// What a shell reads from its standard input, with the arguments that `-s` gives it.
    fn shell_input(&mut self, arguments: &[Word], frame: &Frame) -> Flow {
        let flow = frame.stdin.clone();
        self.consume_typed(&flow, frame);
        if flow.is_unknown() && flow.partial.is_none() {
            return Flow::default();
        }
        let inner = frame.without_stdin();
        match &flow.text {
            Some(text) if arguments.is_empty() => self.follow_text(text, &inner),
            Some(text) => {
                let arguments = Some(arguments.iter().map(|word| self.argument(word)).collect());
                let parameters = Parameters { zero: None, arguments };
                self.follow_script(text.into(), parameters, &mut inner.clone())
            }
            None => {
                self.run_content(&flow, &inner);
                Flow::default()
            }
        }
    }

    /// The text of `-c` with its arguments: the first is the name, the others are `$1` and so on.
    fn shell_text(&mut self, text: &Word, arguments: &[Word], frame: &Frame) -> Flow {
        let Some(source) = text.constant() else {
            self.run_text(text, frame);
            return Flow::default();
        };
        let mut arguments = arguments.iter().map(|word| self.argument(word));
        let zero = arguments.next();
        let arguments = zero.is_some().then(|| arguments.collect());
        self.follow_script((&*source).into(), Parameters { zero, arguments }, &mut frame.clone())
    }

    /// A word as an argument of a shell: paths that are only known as patterns stay patterns.
    fn argument(&self, word: &Word) -> Word {
        let mut paths = word.unknowns().flat_map(|unknown| self.origin(unknown).paths);
        let (1, Some(path)) = (word.parts.len(), paths.next()) else { return self.carried(word) };
        let mut argument = Word { parts: Vec::new(), span: word.span.clone() };
        for (place, step) in path.to_string().split('/').enumerate() {
            if place > 0 {
                argument.push_text("/");
            }
            if step.contains(['*', '?']) {
                argument.push_glob(step);
            } else {
                argument.push_text(step);
            }
        }
        argument
    }

    pub(super) fn env(&mut self, rest: &[Word], frame: &Frame) -> Flow {
        let mut inner = frame.clone();
        let mut reader = Reader::new(rest);
        let mut empty = false;
        while let Some(word) = reader.next() {
            let lead = word.lead();
            if let Some(option) = EnvOption::of(lead) {
                if option.empties {
                    (empty, inner.exported) = (true, None);
                    if self.empty_environment_moves_settings() {
                        inner.finds = Finds::Others;
                    }
                }
                let attached = option.value.map(|from| word.skip(from));
                let value = || attached.as_ref();
                match option.letter {
                    // Without the variable, or with what it was before the text: nobody knows.
                    Some('u') => {
                        if let Some(name) = value().or_else(|| reader.next()) {
                            if self.moves_settings(name.lead(), None) {
                                inner.finds = Finds::Others;
                            }
                            inner.forget_var(name.lead());
                        }
                    }
                    Some('C') => self.change_directory(value().or_else(|| reader.next()), &mut inner),
                    Some('S') => {
                        let text = value().or_else(|| reader.next());
                        return self.split_string(text, reader.rest(), &inner);
                    }
                    Some('a' | 'P') if attached.is_none() => drop(reader.next()),
                    Some('?') => return Flow::default(),
                    _ => {}
                }
            } else if let Some((name, _)) = lead.split_once('=') {
                let name = name.to_owned();
                let value = word.skip(name.len() + 1);
                self.variable(&name, &value, &inner);
                inner.environment = inner.environment.and(environment_of(&name, &value));
                if self.moves_settings(&name, Some(&value)) {
                    inner.finds = Finds::Others;
                }
                inner.set_var(&name, &self.settled_value(&value));
            } else if lead.is_empty()
                && installed::written(word).starts_with('=')
                && !reader.rest().is_empty()
            {
                // Some variable, and nobody knows which.
                inner.finds = inner.finds.max(Finds::Unknown);
            } else {
                let command: Vec<Word> = std::iter::once(word).chain(reader.rest()).cloned().collect();
                self.may_wrap_agent(&command, &inner);
                return self.follow_argv(&command, &inner);
            }
        }
        if empty { Flow::default() } else { Flow::of(qualities![Taint::Environment, Taint::Secret]) }
    }

    /// `env -S`: the text is split into words, and what follows is added.
    fn split_string(&mut self, text: Option<&Word>, rest: &[Word], frame: &Frame) -> Flow {
        let Some(text) = text.and_then(Word::constant) else {
            self.emit(Action::Opaque, Target::Nothing, qualities![Taint::Computed, Modifier::Shell], frame);
            return Flow::default();
        };
        let script = crate::read(&env_words(&text), &checkrein_shell::ShellEnv::default());
        let Some(command) = script.commands.into_iter().next() else { return Flow::default() };
        let assigned = command.assignments.iter().map(|(name, value)| {
            let mut word = Word::text(&format!("{name}="), value.span.clone());
            value.parts.iter().for_each(|part| word.push(part.clone()));
            word
        });
        let words: Vec<Word> =
            assigned.chain(command.words.iter().cloned()).chain(rest.iter().cloned()).collect();
        self.env(&words, frame)
    }

    pub(super) fn printf(&mut self, rest: &[Word]) -> Flow {
        if let [option, name, rest @ ..] = rest
            && option.lead() == "-v"
        {
            let flow = self.printf(rest);
            if let (Some(name), Some(scope)) = (name.constant(), self.scopes.last_mut()) {
                // An element of an array is kept with all of it.
                let name = name.split('[').next().unwrap_or_default();
                scope.variables.insert(name.to_owned(), flow);
            }
            return Flow::default();
        }
        let mut words = rest.iter().skip_while(|word| word.lead() == "--");
        let Some(format) = words.next() else { return Flow::default() };
        let arguments: Vec<Word> = words.cloned().collect();
        let qualities = arguments
            .iter()
            .fold(self.flow_of(format), |qualities, word| qualities.and(self.value_of(word).qualities));
        let filled = format.constant().and_then(|format| self.fill(&format, &arguments));
        let text = filled.as_ref().and_then(Source::constant).map(str::to_owned);
        let partial = filled.filter(|_| text.is_none()).map(Rc::new);
        let shown = text.is_none() && qualities.has(Taint::Secret);
        let qualities = if shown { qualities.with(Taint::Revealed) } else { qualities };
        Flow { text, qualities, partial, ..Flow::default() }
    }
}

/// A word of `env` that is an option, however short it is written.
#[derive(Debug, Default, PartialEq, Eq)]
struct EnvOption {
    /// Whether the environment is emptied.
    empties: bool,
    /// The option that takes a value, or `?` for one that only shows something.
    letter: Option<char>,
    /// Where in the word the value begins, if it is there.
    value: Option<usize>,
}

impl EnvOption {
    fn of(lead: &str) -> Option<Self> {
        const LONG: &[(&str, char)] = &[
            ("argv0", 'a'),
            ("block-signal", '-'),
            ("chdir", 'C'),
            ("debug", 'v'),
            ("default-signal", '-'),
            ("help", '?'),
            ("ignore-environment", 'i'),
            ("ignore-signal", '-'),
            ("list-signal-handling", '-'),
            ("null", '0'),
            ("split-string", 'S'),
            ("unset", 'u'),
            ("version", '?'),
        ];
        let mut option = Self::default();
        if let Some(long) = lead.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            // The beginning of a name is enough.
            let known = LONG.iter().find(|(known, _)| !name.is_empty() && known.starts_with(name));
            option.letter = known.map(|(_, letter)| *letter);
            option.empties = option.letter == Some('i');
            option.value = value.map(|value| lead.len() - value.len());
            return Some(option);
        }
        let letters = lead.strip_prefix('-')?;
        option.empties = letters.is_empty();
        for (at, letter) in letters.char_indices() {
            option.empties |= letter == 'i';
            if "uaPCS".contains(letter) {
                let value = 1 + at + letter.len_utf8();
                (option.letter, option.value) = (Some(letter), (value < lead.len()).then_some(value));
                break;
            }
        }
        Some(option)
    }
}

/// The words that `env -S` makes of a text, as a shell would write them. Its quotes look like those of a shell, and its
/// escapes are others: `\_` parts words, and `\c` ends the text.
fn env_words(text: &str) -> String {
    let mut words = String::new();
    let mut quote = None;
    let mut rest = text.chars().peekable();
    let mut starts = true;
    let literal = |words: &mut String, char: char| match char {
        '\'' => words.push_str("\"'\""),
        char => words.extend(['\'', char, '\'']),
    };
    while let Some(char) = rest.next() {
        let started = std::mem::replace(&mut starts, false);
        match (char, quote) {
            ('\'' | '"', None) => {
                quote = Some(char);
                words.push_str("''");
            }
            ('\'' | '"', Some(open)) if open == char => quote = None,
            ('#', None) if started => break,
            ('\\', Some('\'')) => match rest.next_if(|next| matches!(next, '\\' | '\'')) {
                Some(next) => literal(&mut words, next),
                None => literal(&mut words, char),
            },
            ('\\', _) => match rest.next() {
                Some('_') if quote.is_none() => {
                    words.push(' ');
                    starts = true;
                }
                Some('c') if quote.is_none() => break,
                Some('_') => literal(&mut words, ' '),
                Some('f') => literal(&mut words, '\u{c}'),
                Some('n') => literal(&mut words, '\n'),
                Some('r') => literal(&mut words, '\r'),
                Some('t') => literal(&mut words, '\t'),
                Some('v') => literal(&mut words, '\u{b}'),
                Some(next) => literal(&mut words, next),
                None => literal(&mut words, char),
            },
            // Only this form is known to it.
            ('$', None | Some('"')) if rest.peek() == Some(&'{') => {
                let name: String = rest.by_ref().skip(1).take_while(|char| *char != '}').collect();
                let is_name = |char: char| char == '_' || char.is_ascii_alphanumeric();
                words.push_str("\"${");
                words.extend(name.chars().filter(|char| is_name(*char)));
                words.push_str("}\"");
            }
            (char, None) if char.is_ascii_whitespace() || char == '\u{b}' => {
                words.push(' ');
                starts = true;
            }
            (char, _) => literal(&mut words, char),
        }
    }
    words
}

impl Evaluator<'_> {
    /// A format with its arguments, as long as there are any.
    fn fill(&self, format: &str, arguments: &[Word]) -> Option<Source> {
        let mut result = Source::default();
        let mut arguments = arguments.iter();
        loop {
            let before = arguments.len();
            let mut rest = format;
            while let Some((text, after)) = rest.split_once('%') {
                result.push_text(&unescape(text));
                let end = after.find(|char: char| char.is_ascii_alphabetic() || char == '%')?;
                let kind = after.get(end..)?.chars().next()?;
                rest = after.get(end + 1..)?;
                match kind {
                    '%' => result.push_text("%"),
                    's' | 'd' | 'i' | 'q' | 'u' | 'x' => {
                        if let Some(argument) = arguments.next() {
                            result.push_source(&self.source_of(argument));
                        }
                    }
                    'b' => {
                        if let Some(argument) = arguments.next() {
                            result.push_source(&unescaped(&self.source_of(argument)));
                        }
                    }
                    _ => return None,
                }
            }
            result.push_text(&unescape(rest));
            if arguments.len() == 0 || arguments.len() == before || result.len() > 65_536 {
                return Some(result);
            }
        }
    }
}

/// The fields of a line, at most so many: the last one has all that is left.
fn fields_of(line: &str, separators: Option<&str>, most: usize) -> Vec<String> {
    let separators = separators.unwrap_or(" \t\n");
    let separates = |char: char| separators.contains(char);
    let blank = |char: char| separates(char) && char.is_whitespace();
    let mut fields = Vec::new();
    let mut rest = line.trim_matches(blank);
    while fields.len() + 1 < most
        && let Some((field, after)) = rest.split_once(separates)
    {
        fields.push(field.trim_end_matches(blank).to_owned());
        rest = after.trim_start_matches(blank);
    }
    fields.push(rest.to_owned());
    fields
}
