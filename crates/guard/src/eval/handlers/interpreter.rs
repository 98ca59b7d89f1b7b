//! Interpreters of other languages.

use crate::{
    effect::{Host, Target},
    eval::{
        Evaluator, Frame,
        agent_settings::Finds,
        flow::Flow,
        handlers::Call,
        installed,
        run_files::{RunBy, words_of},
        typed::TYPED,
    },
    program::ParseFlag,
    program::{Role, Trait},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Tag, Taint, Zone},
};
use checkrein_code::{self as code, Code, Invocation, Language, Started};
use checkrein_shell::{Part, Unknown, UnknownSource, Word};

/// Modules of Python that run what is typed into them.
const CONSOLES: [&str; 11] =
    ["pdb", "ipdb", "pudb", "code", "codeop", "asyncio", "IPython", "bpython", "ptpython", "pty", "sqlite3"];

/// Follows `awk`.
pub(in crate::eval) fn awk(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let invocation = code::code_of(Language::Awk, rest);
    let started = evaluator.started(&invocation, frame);
    if let Code::Text(text) = &invocation.code {
        evaluator.program_text(Language::Awk, text, &started, frame);
        if let Some(printed) = text.constant().as_deref().and_then(code::awk_printed) {
            return Flow::text(printed);
        }
    }
    if let Code::File(file) = &invocation.code {
        evaluator.code_file(Language::Awk, file, &started, frame);
    }
    if invocation.code == Code::Stdin {
        evaluator.program_content(Language::Awk, &frame.stdin.clone(), &started, frame);
    }
    let mut held = frame.stdin.changed();
    let begins = |text: &Word| text.lead().trim_start().starts_with("BEGIN");
    // With files, or if it never starts to read, it takes nothing from the terminal.
    held.typed &= !invocation.operands.iter().any(|word| !word.lead().contains('='))
        && !matches!(&invocation.code, Code::Text(text) if begins(text));
    for file in invocation.operands.iter().filter(|word| !word.lead().contains('=')) {
        if invocation.in_place {
            evaluator.emit_path(Action::Append, file, qualities![Modifier::InPlace], frame);
        } else {
            held.qualities =
                held.qualities.and(evaluator.read_file(file, frame).qualities).with(Taint::Computed);
        }
    }
    held
}

/// `go run`, `go build`: the sources that the call itself wrote are read.
pub(in crate::eval) fn go(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let flow = evaluator.follow_table(parsed, rest, frame);
    let mut inner = frame.clone();
    for (role, word) in &parsed.roles {
        if *role == Role::Directory {
            evaluator.change_directory(Some(word), &mut inner);
        }
    }
    let here = [Word::text(".", 0..0)];
    let operands = if parsed.operands.is_empty() { here.as_slice() } else { parsed.operands.as_slice() };
    let places: Vec<String> = operands
        .iter()
        .map(|word| match word.constant() {
            // `./...` is all that is below.
            Some(text) => Word::text(text.trim_end_matches("...").trim_end_matches('/'), 0..0),
            None => word.clone(),
        })
        .flat_map(|word| evaluator.places(&word, crate::path::LinkPolicy::Follow, &inner))
        .map(|(spot, _)| spot.path)
        .collect();
    let is_meant = |path: &str| {
        path.ends_with(".go")
            && places.iter().any(|place| {
                path == place || path.strip_prefix(place.as_str()).is_some_and(|rest| rest.starts_with('/'))
            })
    };
    let sources: Vec<Flow> = evaluator
        .session
        .files
        .iter()
        .filter(|(path, _)| is_meant(path))
        .map(|(_, content)| content.flow.clone())
        .collect();
    for source in sources {
        evaluator.program_content(Language::Go, &source, &Started::default(), &inner);
    }
    flow
}

/// Follows `interpreter`.
pub(in crate::eval) fn interpreter(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let words = call.words;
    let (Some(name), rest) = (words.first(), words.get(1..).unwrap_or_default()) else {
        return Flow::default();
    };
    let name = evaluator.names_of(name).into_iter().next().unwrap_or_default();
    let base = name.rsplit('/').next().unwrap_or_default();
    let Some(language) = Language::of(base) else { return evaluator.passthrough(rest, frame) };
    let invocation = code::code_of(language, rest);
    let started = evaluator.started(&invocation, frame);
    let mut frame = frame.clone();
    for file in before_program(language, rest, &["--env-file", "--env-file-if-exists"]) {
        frame.finds = frame.finds.max(evaluator.variables_of(&file, &frame));
    }
    let frame = &frame;
    for file in before_program(language, rest, &["-r", "--require", "--import", "--preload", "--loader"]) {
        let given = Unknown { many: true, ..Unknown::new(UnknownSource::Special("@".to_owned())) };
        let words = Word { parts: vec![Part::Unknown(given)], span: file.span.clone() };
        evaluator.agent_file(&file, &[words], frame);
    }
    if goes_on(language, rest) {
        evaluator.consume_typed(&frame.stdin, frame);
    }
    match &invocation.code {
        Code::Text(text) => {
            evaluator.program_text(language, text, &started, frame);
            let printed = text.constant().as_deref().and_then(printed_literal);
            // What it prints may go into the files that it reads.
            if let Some(printed) = printed.filter(|_| !invocation.in_place) {
                return Flow::text(printed);
            }
        }
        // The server of PHP takes its pages from files.
        Code::Stdin if language == Language::Php && rest.iter().any(|word| word.lead().starts_with("-S")) => {
        }
        // Ruby says its version, and waits for nothing.
        Code::Stdin
            if language == Language::Ruby
                && !rest.is_empty()
                && rest.iter().all(|word| word.lead() == "-v") => {}
        Code::Stdin => {
            let flow = frame.stdin.clone();
            evaluator.program_content(language, &flow, &started, frame);
        }
        Code::File(file) => {
            let loaded = evaluator.preloaded(rest, frame);
            evaluator.agent_file(file, &invocation.operands, &loaded);
            let flow = evaluator.content_of(file, frame);
            let written = evaluator
                .places(file, crate::path::LinkPolicy::Follow, frame)
                .iter()
                .any(|(spot, _)| evaluator.session.files.contains_key(&spot.path));
            // A name that a process substitution made, or that of a descriptor, means the data from there.
            let piped = matches!(
                file.parts.as_slice(),
                [Part::Unknown(Unknown { why: UnknownSource::Process(_), .. })]
            ) || file.constant().is_some_and(|path| evaluator.descriptor(&path, frame).is_some());
            if written || piped || flow.text.is_some() || flow.typed {
                evaluator.program_content(language, &flow, &started, frame);
            } else {
                evaluator.record_run(file, RunBy::Code(language), &invocation.operands, frame);
            }
        }
        Code::Module(module) => {
            if CONSOLES.contains(&module.lead()) {
                evaluator.consume_typed(&frame.stdin, frame);
            }
            if matches!(module.lead(), "http.server" | "SimpleHTTPServer") {
                evaluator.serves(rest, frame);
            }
            // It measures the programs that it is given.
            if module.lead() == "timeit" {
                for text in invocation.operands.iter().filter(|word| !word.lead().starts_with('-')) {
                    evaluator.program_text(language, text, &Started::default(), frame);
                }
            }
            // `python -m tool` is the tool.
            let known = |name: &String| crate::program::find(name).is_some();
            let package =
                module.constant().map(|name| installed::program_of(name.split('.').next().unwrap_or(&name)));
            let name = module.constant().map(String::from).filter(known);
            if let Some(name) =
                name.or_else(|| package.filter(|name| installed::is_agent(name) || name == "checkrein"))
            {
                let module = Word::text(&name, module.span.clone());
                let command: Vec<Word> =
                    std::iter::once(module).chain(invocation.operands.iter().cloned()).collect();
                return evaluator.follow_argv(&command, frame);
            }
        }
        Code::None => {}
    }
    if invocation.in_place {
        for file in &invocation.operands {
            evaluator.emit_path(Action::Append, file, qualities![Modifier::InPlace], frame);
        }
    } else if matches!(invocation.code, Code::Text(_)) {
        let mut held = evaluator.passthrough(rest, frame);
        let each = reads_each(language, rest);
        for file in &invocation.operands {
            let content =
                if each { evaluator.read_file(file, frame) } else { evaluator.content_of(file, frame) };
            held.qualities = held.qualities.and(content.qualities);
        }
        if let Code::Text(text) = &invocation.code
            && let Some(source) = text.constant()
        {
            held.also = code::printed(language, &source, &started, installed::starts_agent);
        }
        return Flow { text: None, ..held };
    }
    evaluator.passthrough(rest, frame)
}

/// Follows `make`.
pub(in crate::eval) fn make(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.qualities.has(ParseFlag::Help) || parsed.qualities.has(Modifier::DryRun) {
        return Flow::default();
    }
    let mut inner = frame.clone();
    let mut given = false;
    for (role, word) in &parsed.roles {
        given |= *role == Role::Read;
        match role {
            Role::Directory => evaluator.change_directory(Some(word), &mut inner),
            Role::Read => {
                let flow = if word.constant().as_deref() == Some("-") {
                    frame.stdin.clone()
                } else {
                    evaluator.content_of(word, &inner)
                };
                if flow.text.is_none() {
                    let (variables, goals) = words_of(&parsed.operands);
                    evaluator.record_run(word, RunBy::Make { goals, variables }, &[], &inner);
                }
                evaluator.program_content(Language::Make, &flow, &Started::default(), &inner);
            }
            Role::Script => evaluator.program_text(Language::Make, word, &Started::default(), &inner),
            _ => {}
        }
    }
    if !given {
        evaluator.own_makefile(&parsed.operands, &inner);
        evaluator.record_makefile(&parsed.operands, &inner);
    }
    let installs = |word: &Word| !word.lead().contains('=') && word.lead().contains("install");
    if parsed.operands.iter().any(installs) {
        for word in &parsed.operands {
            evaluator.arrives_by_name(word, parsed.qualities, &inner);
        }
        evaluator.arrives_by_environment(parsed, &inner);
    }
    // `make NAME=value`: what its functions run in the value runs.
    for word in parsed.operands.iter().filter(|word| word.lead().contains('=')) {
        evaluator.program_text(Language::Make, word, &Started::default(), &inner);
        // A rule may run the value itself.
        if let Some((_, value)) = word.constant().as_deref().and_then(|word| word.split_once('=')) {
            evaluator.suppose_text(value, &inner);
        }
    }
    // `make SHELL=…` and the like are variables of the rules.
    let options =
        rest.iter().find_map(|word| Some(word.constant()?.strip_prefix(".SHELLFLAGS=")?.to_owned()));
    for word in rest.iter().filter(|word| word.lead().starts_with("SHELL=")) {
        let mut shell = word.skip("SHELL=".len());
        if let Some(options) = &options {
            shell.push_text(&format!(" {options}"));
        }
        evaluator.run_text(&shell, &inner);
    }
    Flow::default()
}

/// `rails runner`, `manage.py shell -c`: a program in the language of the framework.
pub(in crate::eval) fn runner(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let language = if parsed.program.has(Trait::Ruby) {
        Language::Ruby
    } else if parsed.program.has(Trait::Php) {
        Language::Php
    } else {
        Language::Python
    };
    let texts: Vec<Word> = parsed
        .roles
        .iter()
        .filter(|(role, _)| *role == Role::Script)
        .map(|(_, word)| word.clone())
        .chain(parsed.command.first().cloned())
        .collect();
    let started = Started::default();
    for text in &texts {
        evaluator.program_text(language, text, &started, frame);
    }
    if texts.is_empty() && !parsed.qualities.has(ParseFlag::Help) {
        evaluator.consume_typed(&frame.stdin, frame);
    }
    if let (true, Some(text)) = (texts.is_empty(), frame.stdin.text.clone()) {
        evaluator.follow_code(language, &text, &started, frame);
    }
    evaluator.passthrough(rest, frame)
}

impl Evaluator<'_> {
    /// A file of a package that brings an agent is that agent.
    fn agent_file(&mut self, file: &Word, operands: &[Word], frame: &Frame) {
        let meant =
            self.places(file, crate::path::LinkPolicy::Follow, frame).into_iter().map(|(spot, _)| spot.path);
        let named = self.names_of(file).into_iter().chain([installed::written(file)]);
        // `$(which agent)`
        let printed = self.value_of(file).text.map(|text| text.trim().to_owned());
        let mut agents: Vec<String> =
            named.chain(meant).chain(printed).filter_map(|path| installed::agent_of(&path)).collect();
        agents.dedup();
        for agent in agents.into_iter().take(1) {
            let program = Word::text(&agent, file.span.clone());
            let command: Vec<Word> = std::iter::once(program).chain(operands.iter().cloned()).collect();
            self.follow_argv(&command, frame);
        }
    }

    /// Returns the frame of a script before which the interpreter loads something else: `node --require file script`.
    fn preloaded(&self, rest: &[Word], frame: &Frame) -> Frame {
        let loads = |word: &Word| {
            let name = word.lead().split('=').next().unwrap_or_default();
            matches!(
                name,
                "-r" | "--require" | "--import" | "--preload" | "--loader" | "--experimental-loader"
            )
        };
        // What is behind the script belongs to it.
        let own = rest
            .iter()
            .take_while(|word| word.constant().is_none_or(|word| installed::agent_of(&word).is_none()));
        let finds = if own.into_iter().any(loads) { Finds::Unknown } else { frame.finds };
        Frame { finds: finds.max(frame.finds), ..frame.clone() }
    }

    /// Follows a file server: everyone who reaches it gets what is in the directory.
    fn serves(&mut self, rest: &[Word], frame: &Frame) {
        let place = rest.iter().position(|word| matches!(word.lead(), "-d" | "--directory"));
        let here = Word::text(".", 0..0);
        let directory = place.and_then(|place| rest.get(place + 1)).unwrap_or(&here);
        let places = self.places(directory, crate::path::LinkPolicy::Follow, frame);
        let keys = |spot: &crate::path::ResolvedPath| {
            spot.tags.has(Tag::Secret) || matches!(spot.zone, Zone::HomeRoot | Zone::Root)
        };
        if places.iter().any(|(spot, _)| keys(spot)) {
            let everybody = Target::Host(Host { name: String::new(), local: false });
            self.emit(Action::Send, everybody, qualities![Taint::Secret, Taint::File], frame);
        }
    }

    /// Returns the arguments and the input that a program is started with.
    fn started(&self, invocation: &Invocation, frame: &Frame) -> Started {
        let file = match &invocation.code {
            Code::File(file) => Some(file.clone()),
            Code::Text(_) | Code::Stdin | Code::Module(_) | Code::None => None,
        };
        let typed = || frame.stdin.typed.then(|| TYPED.to_owned());
        let input = frame.stdin.text.clone().or_else(typed).filter(|_| invocation.code != Code::Stdin);
        // Where settings are is the same for what the agent starts as for this process.
        let mut environment = self.settings_in_environment();
        environment.extend(frame.exported.as_deref().cloned().unwrap_or_default());
        Started {
            arguments: invocation.operands.clone(),
            file,
            input,
            environment,
            modules: self.session.modules(),
        }
    }

    fn program_text(&mut self, language: Language, text: &Word, started: &Started, frame: &Frame) {
        let flow = self.value_of(text);
        match text.constant() {
            Some(text) => self.follow_code(language, &text, started, frame),
            None => {
                self.program_content(language, &flow, started, frame);
                if flow.text.is_none() {
                    // What is known of it is still read.
                    let known = self.source_of(text);
                    self.follow_code(language, &known, started, frame);
                }
            }
        }
    }

    pub(super) fn program_content(
        &mut self,
        language: Language,
        flow: &Flow,
        started: &Started,
        frame: &Frame,
    ) {
        self.consume_typed(flow, frame);
        match &flow.text {
            Some(text) => {
                let text = text.clone();
                self.follow_code(language, &text, started, frame);
            }
            None => {
                if let Some(qualities) = flow.unreadable() {
                    self.emit(Action::Opaque, Target::Nothing, qualities.with(Modifier::Shell), frame);
                }
                if let Some(partial) = flow.partial.clone() {
                    self.follow_code(language, &*partial, started, frame);
                }
            }
        }
    }

    /// Follows a file that is the program of a tool that otherwise reads its words. Its effects are followed if it is
    /// known; that it runs is recorded in any case.
    pub(super) fn code_file(&mut self, language: Language, file: &Word, started: &Started, frame: &Frame) {
        let flow = self.content_of(file, frame);
        if flow.text.is_some() {
            self.program_content(language, &flow, started, frame);
        } else if flow.qualities.has(Taint::Downloaded) {
            let how = qualities![Taint::Downloaded, Modifier::Shell];
            self.emit(Action::Opaque, Target::Name(format!("{language:?}")), how, frame);
        }
        for (spot, _) in self.places(file, crate::path::LinkPolicy::Follow, frame) {
            if spot.zone != Zone::Nowhere {
                self.emit(Action::Run, Target::Path(spot), Qualities::NONE, frame);
            }
        }
    }
}

/// The text that a program prints, if that is all it does: `print("…")`, `BEGIN { print "…" }`.
fn printed_literal(source: &str) -> Option<String> {
    let source = source.trim().trim_end_matches(';').trim();
    let source = source
        .strip_prefix("BEGIN")
        .map_or(source, |rest| rest.trim().trim_start_matches('{').trim_end_matches('}'));
    let source = source.trim().trim_end_matches(';').trim();
    const PRINTS: [&str; 8] =
        ["console.log", "process.stdout.write", "printf", "print", "puts", "echo", "say", "p"];
    let rest = PRINTS.iter().find_map(|name| source.strip_prefix(name))?.trim();
    let rest = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest).trim();
    let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\'' | '`'))?;
    let text = rest.strip_prefix(quote)?.strip_suffix(quote)?;
    let plain = !text.contains([quote, '$', '{', '#', '%']);
    plain.then(|| crate::eval::stdout::unescape(text) + "\n")
}

/// `perl -ne`, `ruby -pe`: the program is run for each line of the files that it is given.
fn reads_each(language: Language, rest: &[Word]) -> bool {
    let is_loop = |word: &Word| {
        let lead = word.lead();
        lead.starts_with('-') && !lead.starts_with("--") && lead.contains(['n', 'p'])
    };
    matches!(language, Language::Perl | Language::Ruby)
        && rest.iter().take_while(|word| word.lead().starts_with('-')).any(is_loop)
}

/// `python3 -i`, `node -i`, `php -a`: after its program the interpreter goes on with what is typed.
fn goes_on(language: Language, rest: &[Word]) -> bool {
    let letter = match language {
        Language::Python | Language::JavaScript | Language::Lua => 'i',
        Language::Php => 'a',
        _ => return false,
    };
    let goes_on = |word: &Word| {
        let lead = word.lead();
        lead == "--interactive"
            || lead.strip_prefix('-').is_some_and(|letters| {
                letters.ends_with(letter) && letters.len() <= 4 && letters.chars().all(char::is_alphabetic)
            })
    };
    rest.iter().take_while(|word| word.lead().starts_with('-')).any(goes_on)
}

/// The values of these options of an interpreter of JavaScript.
fn before_program(language: Language, rest: &[Word], names: &[&str]) -> Vec<Word> {
    if language != Language::JavaScript {
        return Vec::new();
    }
    let is_value = |place: usize| {
        let before = place.checked_sub(1).and_then(|before| rest.get(before));
        before.is_some_and(|before| names.contains(&before.lead()))
    };
    let options =
        rest.iter().enumerate().take_while(|(place, word)| word.lead().starts_with('-') || is_value(*place));
    let value = |(place, word): (usize, &Word)| match word.lead().split_once('=') {
        Some((name, _)) if names.contains(&name) => Some(word.skip(name.len() + 1)),
        _ if names.contains(&word.lead()) => rest.get(place + 1).cloned(),
        _ => None,
    };
    options.filter_map(value).take(8).collect()
}
