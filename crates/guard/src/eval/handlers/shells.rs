//! Shells, and the built-in commands that run or define something.

use super::{Call, WordReader, join};
use crate::{
    effect::Target,
    eval::{
        Evaluator, Frame, agent_settings::Finds, flow::Flow, run_files::RunBy, scope::Parameters,
        variables::environment_of,
    },
    qualities::qualities,
    vocabulary::{Action, Modifier, Taint},
};
use checkrein_shell::{Part, SourceRef, Unknown, UnknownSource, Word};

/// Follows `cd`.
pub(in crate::eval) fn cd(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let is_option = |word: &&Word| matches!(word.lead(), "-P" | "-L" | "-e" | "-@" | "--" | "-n");
    let mut operands = rest.iter().filter(|word| !is_option(word));
    let target = operands.next();
    evaluator.change_directory(target, frame);
    // Where it is not a built-in command, what follows the directory runs in it.
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
            let unread = evaluator.value_of(&whole).text.is_none();
            // The text of a file may set any variable.
            let of_file = unread && evaluator.flow_of(&whole).has(Taint::File);
            if of_file || evaluator.session.exports_all && unread {
                evaluator.session.finds = evaluator.session.finds.max(Finds::Unknown);
            }
            // One of several that the text gives to a variable.
            if evaluator.value_of(&whole).text.is_none() {
                for text in evaluator.texts(&whole).into_iter().take(8) {
                    evaluator.follow_text_in(&text, frame);
                }
            }
            // A text that is only in a variable cannot be read here.
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
    // `export -n NAME`: what is started later does not get it.
    let withdraws = rest.iter().any(|word| word.lead().starts_with('-') && word.lead().contains('n'));
    for word in rest {
        if withdraws && !word.lead().starts_with('-') {
            let name = word.lead().split('=').next().unwrap_or_default();
            let finds = evaluator.settings_after(name, None);
            evaluator.session.finds = evaluator.session.finds.max(finds);
        } else if let Some((name, _)) = word.lead().split_once('=') {
            let name = name.to_owned();
            let value = word.skip(name.len() + 1);
            evaluator.variable(&name, &value, frame);
            evaluator.session.environment = evaluator.session.environment.and(environment_of(&name, &value));
            let finds = evaluator.settings_after(&name, Some(&value));
            evaluator.session.finds = evaluator.session.finds.max(finds);
        }
        shows |= word.lead() == "-p";
    }
    // Of one name it shows that one.
    shows &= rest.iter().all(|word| word.lead().starts_with('-'));
    if shows {
        Flow::of(qualities![Taint::Environment, Taint::Secret, Modifier::All])
    } else {
        Flow::default()
    }
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
                evaluator.record_run(file, RunBy::Shell, &[], frame);
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
    evaluator.session.repeats = true;
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

/// Follows `busybox`: the next word is the program.
pub(in crate::eval) fn busybox(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    evaluator.follow_argv(call.rest(), frame)
}

impl Evaluator<'_> {
    /// `bash -c text`, `sh file`, `… | sh`.
    pub(super) fn shell(&mut self, rest: &[Word], frame: &Frame) -> Flow {
        let mut reader = WordReader::new(rest);
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
                self.record_run(file, RunBy::Shell, reader.rest(), &inner);
                self.passthrough(reader.rest(), frame)
            }
            None => {
                // `sh < file` runs the file.
                if let Some(file) = frame.opened.as_ref().filter(|_| frame.stdin.source().is_none()) {
                    self.record_run(file, RunBy::Shell, &[], &inner);
                }
                let mut flow = self.shell_input(&[], &inner);
                if interactive {
                    flow.qualities = flow.qualities.with(Modifier::Shell);
                }
                flow
            }
        }
    }

    /// Follows what a shell reads from its standard input, with the arguments after `-s`.
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
        let mut given = arguments.iter().map(|word| self.argument(word));
        let zero = given.next();
        let arguments: Option<Vec<Word>> = zero.is_some().then(|| given.collect());
        let Some(source) = text.constant() else {
            self.run_text(text, frame);
            // The known parts of it may use the arguments.
            let is_text = |part: &Part| matches!(part, Part::Text(text) if text.contains('$'));
            if arguments.as_ref().is_some_and(|list| !list.is_empty()) && text.parts.iter().any(is_text) {
                let source = self.source_of(text);
                let parameters = Parameters { zero, arguments };
                self.follow_script(SourceRef::from(&source), parameters, &mut frame.clone());
            }
            return Flow::default();
        };
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
}
