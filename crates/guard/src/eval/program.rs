//! A program of the table with its arguments.

use super::{
    Evaluator, Frame,
    agent_settings::Finds,
    flow::Flow,
    handlers::{Call, Hunt},
    installed, whole,
};
use crate::{
    data::OURSELVES_REPLACING,
    effect::Target,
    path::PathPattern,
    program::ParseFlag,
    program::{self, Parsed, Program, Role, Trait, Wraps, environment},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Domain, Environment, Modifier, Taint},
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// Follows a command with the name of a program, at any path.
    pub(super) fn follow_program(&mut self, name: &str, words: &[Word], frame: &mut Frame) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        self.record_given_us(rest, frame);
        self.run_built(name, rest, frame);
        self.follow_launcher(rest, frame);
        let agent = || words.first().and_then(|word| installed::agent_of(&installed::written(word)));
        let Some(program) =
            find(name).or_else(|| find(installed::without_machine(name))).or_else(|| find(&agent()?))
        else {
            self.record_invocation(words, None, frame);
            self.follow_console(&[name], rest, &[], Qualities::NONE, frame);
            self.may_be_ourselves(words, frame);
            self.emit_wraps_us(rest, frame);
            self.emit_handed(name, rest, frame);
            self.follow_type_request(rest, frame);
            self.emit_attached(&[name], rest, frame);
            self.emit_own_packages(name, rest, frame);
            // Any program that speaks this protocol lends the machine to others, whatever its name.
            let mines = |text: &String| super::network::protocol(text) == Some("stratum");
            if rest.iter().any(|word| self.names_of(word).iter().any(mines)) {
                self.emit(Action::Exhaust, Target::Name(name.to_owned()), Qualities::NONE, frame);
            }
            let mut flow = self.passthrough(rest, frame);
            flow.qualities = flow.qualities.and(self.lookup_marks(rest));
            // A function of the text was followed where it is called.
            if !self.session.functions.contains_key(name) && !super::unknown_programs::only_looks(name) {
                match self.suppose_command(name, rest, frame) {
                    Some(printed) => flow.add(&printed),
                    None => self.suppose_texts(name, rest, frame),
                }
                self.follow_written_operands(name, rest, true, frame);
            }
            return flow;
        };
        self.follow_entry(program, words, frame)
    }

    fn follow_entry(&mut self, program: &'static Program, words: &[Word], frame: &mut Frame) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        // What a substitution gives to an agent are options, too.
        let spread;
        let is_agent = program.does.iter().any(|does| does.qualities.get().has(Modifier::Unguarded));
        let rest = match is_agent.then(|| self.split_arguments(rest)).flatten() {
            Some(words) => {
                spread = words;
                spread.as_slice()
            }
            None => rest,
        };
        let mut parsed = program::parse(program, rest);
        // Some are agents only by one of their subcommands.
        let is_agent =
            is_agent || parsed.program.does.iter().any(|does| does.qualities.get().has(Modifier::Unguarded));
        if parsed.qualities.has(Modifier::Global) && parsed.qualities.has(Environment::Production) {
            // What is chosen here holds for the next commands, too.
            self.session.environment = self.session.environment.with(Environment::Production);
        }
        if parsed.qualities.has(Modifier::Global) {
            let chosen = || parsed.roles.iter().filter(|(role, _)| *role == Role::Environment);
            self.session.development |= chosen()
                .any(|(_, word)| self.names_of(word).iter().any(|name| environment::is_development(name)));
        }
        parsed.qualities = parsed.qualities.and(frame.environment).and(self.session.environment);
        if parsed.qualities.has(Environment::Production) {
            // A name for tests in an environment that counts.
            parsed.qualities = parsed.qualities.without(Environment::Test);
        }
        if frame.stdin.qualities.has(Environment::Production) {
            parsed.qualities = parsed.qualities.with(Environment::Production);
        }
        if frame.stdin.answers() {
            // Its questions are answered by another command.
            parsed.qualities = parsed.qualities.without(Modifier::Asks);
        }
        let takes_all =
            |(role, word): &(Role, Word)| *role == Role::Name && self.flow_of(word).has(Modifier::All);
        if parsed.roles.iter().any(takes_all) {
            parsed.qualities = parsed.qualities.with(Modifier::All);
            if parsed.qualities.has(Domain::Cloud) {
                // The list was not looked at before.
                parsed.qualities = parsed.qualities.with(Modifier::Sweeping);
            }
        }
        if !self.record_invocation(words, Some(parsed.program.name.join(" ")), frame) {
            return Flow::default();
        }
        if let Some(name) = words.first() {
            let name = name.lead().rsplit('/').next().unwrap_or_default().to_owned();
            self.emit_own_packages(&name, rest, frame);
        }
        self.follow_console(parsed.program.name.items(), rest, &parsed.command, parsed.qualities, frame);
        let is_guarded = program.name.items() == ["checkrein"] || is_agent;
        if is_guarded && !parsed.qualities.has(ParseFlag::Help) {
            let name = program.name.first().copied().unwrap_or_default();
            match self.settings_found(name, frame) {
                Finds::Own => {}
                Finds::Unknown if !is_agent => {}
                Finds::Unknown => {
                    self.emit(Action::Configure, Target::Nothing, qualities![Modifier::Agent], frame);
                }
                Finds::Others => self.emit(
                    Action::Unprotect,
                    Target::Name("HOME".to_owned()),
                    qualities![Modifier::Unguarded],
                    frame,
                ),
            }
        }
        if is_agent && !parsed.qualities.has(ParseFlag::Help) {
            self.unknown_options(program, rest, &parsed, frame);
        }
        if program.has(Trait::PackageManager) && parsed.program.handler.is_none() {
            self.follow_package_scripts(rest, frame);
        }
        self.emit_attached(parsed.program.name.items(), rest, frame);
        // Another user has other settings.
        let keeps = |word: &Word| {
            matches!(word.lead(), "update" | "upgrade" | "install" | "doctor" | "login" | "logout")
        };
        let help = parsed.qualities.has(ParseFlag::Help) || parsed.operands.first().is_some_and(keeps);
        if is_agent && frame.qualities.has(Modifier::Privileged) && !help {
            self.emit(Action::Configure, Target::Nothing, qualities![Modifier::Agent], frame);
        }
        // A subcommand with operands of its own is described by them.
        let own =
            parsed.program.handler.or_else(|| program.handler.filter(|_| parsed.program.operands.is_empty()));
        let sifted = self.filter_processes(&parsed, rest, frame);
        let from = self.sink.effects.len();
        let mut flow = match own {
            Some(handler) => {
                if parsed.program.handler.is_none() && !parsed.qualities.has(ParseFlag::Help) {
                    self.emit_static_effects(&parsed, frame);
                }
                handler.follow(self, &Call::new(&parsed, words), frame)
            }
            None => self.follow_table(&parsed, rest, frame),
        };
        let only_looks = qualities![ParseFlag::Help, Modifier::Lists, Modifier::DryRun];
        if parsed.command.is_empty() && !parsed.qualities.has_any(only_looks) {
            let name = program.name.first().copied().unwrap_or_default();
            self.emit_replaced(name, rest, &parsed, frame);
            // The texts of a snippet are in languages that are not read here.
            if program.handler.is_some_and(|handler| handler.name() == "snippet") {
                self.emit_handed(name, rest, frame);
            } else {
                self.emit_handed_unexplained(name, rest, from, frame);
            }
        }
        let is_snippet = own.is_some_and(|handler| handler.name() == "snippet");
        if own.is_none() || is_snippet || parsed.program.name.items() == ["java"] {
            self.follow_written_operands("", rest, false, frame);
        }
        let name = program.name.first().copied().unwrap_or_default();
        if flow.text.is_none() && self.prints_our_names(name, rest, frame) {
            flow.qualities = flow.qualities.with(Certainty::PerhapsOurs);
        }
        match sifted {
            // Neither we nor an agent are among what is left of the list.
            Some(Hunt::Others) => flow.qualities = flow.qualities.without(Taint::Processes),
            Some(Hunt::Ourselves) => {
                flow.qualities = flow.qualities.with(Taint::Processes).with(Certainty::PerhapsOurs);
            }
            Some(_) => flow.qualities = flow.qualities.with(Taint::Processes),
            None => {}
        }
        flow
    }

    /// Programs that replace the files that they read, unless an option keeps them.
    fn emit_replaced(&mut self, name: &str, rest: &[Word], parsed: &Parsed, frame: &Frame) {
        if name == "rename" {
            // What the files are called afterwards is an expression.
            let sources = parsed.roles.iter().filter(|(role, _)| *role == Role::Source);
            let sources: Vec<Word> = sources.map(|(_, word)| word.clone()).collect();
            for mut directory in sources.into_iter().filter(|word| word.lead().contains('/')) {
                directory.push_text("/..");
                self.emit_if_ours(Action::Create, &directory, qualities![Modifier::Extracts], frame);
            }
        }
        if !OURSELVES_REPLACING.contains(&name) {
            return;
        }
        let keeps = rest.iter().any(|word| match word.lead() {
            "--stdout" | "--to-stdout" | "--keep" | "--list" | "--test" => true,
            word => word.starts_with('-') && !word.starts_with("--") && word.contains(['c', 'k', 'l', 't']),
        });
        let read: Vec<Word> = parsed
            .roles
            .iter()
            .filter(|(role, _)| *role == Role::Read)
            .map(|(_, word)| word.clone())
            .collect();
        for word in read.iter().filter(|_| !keeps) {
            // A directory is passed over.
            let places = self.places(word, crate::path::LinkPolicy::Follow, frame);
            if places.iter().any(|(spot, _)| self.is_ours_to_ask_about(&spot.path)) {
                self.emit_if_ours(Action::Delete, word, Qualities::NONE, frame);
            }
        }
    }

    /// A program of which the table says everything.
    pub(super) fn follow_table(&mut self, parsed: &Parsed, rest: &[Word], frame: &mut Frame) -> Flow {
        if parsed.qualities.has(ParseFlag::Help) && parsed.command.is_empty() {
            return Flow::default();
        }
        let held = self.follow_operands(parsed, frame);
        let reveals = self.emit_static_effects(parsed, frame);
        let mut inner = self.inner_frame(parsed, frame);
        if let Some((_, started)) = parsed.roles.iter().rev().find(|(role, _)| *role == Role::Started) {
            let arguments = parsed.command.iter().skip_while(|word| word.lead() == "--");
            // A program of a package is named after it; a package alone runs something unknown.
            let started = match started.lead().split_once('#') {
                Some((package, _)) => started.skip(package.len() + 1),
                None if parsed.program.has(Trait::Flakes) => return self.passthrough(rest, frame),
                None => started.clone(),
            };
            let words: Vec<Word> = std::iter::once(&started).chain(arguments).cloned().collect();
            return self.follow_argv(&words, &inner);
        }
        if !parsed.command.is_empty() {
            // A name with spaces is a text, no matter what runs it.
            let is_text = parsed.joins
                || parsed.command.first().is_some_and(|first| first.lead().contains(char::is_whitespace));
            if is_text {
                let text = super::handlers::join(&parsed.command);
                if parsed.command.first().is_some_and(|first| first.lead() == "-c") {
                    // They are for the shell that it starts.
                    let shell = std::iter::once(Word::text("sh", 0..0)).chain(parsed.command.iter().cloned());
                    return self.follow_argv(&shell.collect::<Vec<_>>(), &inner);
                }
                match text.constant() {
                    // It may be a shell that reads what comes through the wire.
                    Some(text) => drop(self.follow_text(&text, &inner)),
                    None => self.run_text(&text, &inner),
                }
                let mut flow = self.passthrough(rest, frame);
                if parsed.roles.iter().any(|(role, _)| *role == Role::Host) {
                    flow.qualities = flow.qualities.with(Taint::Downloaded);
                }
                return flow;
            }
            let command = self.strip_assignments(parsed, &mut inner);
            self.may_wrap_agent(&command, &inner);
            let mut flow = match command.split_first() {
                Some((package, rest)) if parsed.program.wraps == Wraps::Packaged => {
                    let program = package.constant().map_or_else(
                        || package.clone(),
                        |name| Word::text(&installed::program_of(&name), package.span.clone()),
                    );
                    // What follows `--` is for the program.
                    let skipped = usize::from(rest.first().is_some_and(|word| word.lead() == "--"));
                    let given = rest.iter().skip(skipped).cloned();
                    let command: Vec<Word> = std::iter::once(program).chain(given).collect();
                    self.follow_argv(&command, &inner)
                }
                _ => self.follow_argv(&command, &inner),
            };
            if parsed.program.wraps == Wraps::Elsewhere && !flow.qualities.has(Taint::File) {
                // The environment there is not ours, and a container's is what it was given by us.
                flow.qualities = flow.qualities.without(Taint::Secret);
                if !parsed.qualities.has_any(qualities![Domain::Container, Domain::Cluster]) {
                    flow.qualities = flow.qualities.without(Taint::Environment);
                }
            }
            // Its output was produced there, so its content is unknown here.
            if parsed.program.wraps == Wraps::Elsewhere && flow.text.is_none() {
                flow.qualities = flow.qualities.with(Taint::Downloaded);
            }
            return flow;
        }
        if parsed.program.wraps == Wraps::Privileged && frame.stdin.text.is_some() {
            // `sudo -s` is a shell.
            let text = frame.stdin.clone();
            self.run_content(&text, &inner);
        }
        let named = parsed.roles.iter().any(|(role, _)| *role == Role::Host);
        if parsed.program.wraps == Wraps::Elsewhere && named && frame.stdin.text.is_some() {
            // Without a command it is a shell, there.
            let text = frame.stdin.clone();
            self.run_content(&text, &inner);
        }
        if parsed.program.wraps == Wraps::Later && !parsed.qualities.has(Modifier::Lists) {
            // `at` and `batch` take commands from their input.
            let text = frame.stdin.clone();
            self.run_content(&text, &inner);
        }
        let mut flow = self.printed_by(parsed, rest, held, frame);
        if self.lists_processes(rest, frame) {
            flow.qualities = flow.qualities.with(Taint::Processes);
        }
        if reveals {
            flow.qualities = flow.qualities.with(Taint::Secret);
        }
        if parsed.program.qualities.get().has(Taint::Endless) {
            flow.qualities = flow.qualities.with(Taint::Endless);
        }
        if frame.stdin.qualities.has(Taint::Environment) && asks_for_secrets(rest) {
            // It selects secrets from the environment.
            flow.qualities = flow.qualities.with(Taint::Revealed);
        }
        flow
    }

    /// Records the effects that do not depend on operands. Returns true if the program shows secrets.
    pub(super) fn emit_static_effects(&mut self, parsed: &Parsed, frame: &Frame) -> bool {
        let mut reveals = false;
        for does in parsed.program.does {
            if !parsed.qualities.has_all(does.when.get()) || parsed.qualities.has_any(does.unless.get()) {
                continue;
            }
            reveals |= does.action == Action::Reveal;
            let mut qualities = does.qualities.get().and(parsed.qualities);
            if matches!(does.action, Action::Watch | Action::Type) {
                qualities = qualities.and(self.confirmation_marks());
            }
            let names: Vec<Word> = parsed
                .roles
                .iter()
                .filter(|(role, _)| *role == Role::Name)
                .map(|(_, word)| word.clone())
                .collect();
            for name in &names {
                for text in self.names_of(name) {
                    // Disposable by its name; elsewhere others may use it.
                    let scratch = does.action == Action::Destroy
                        && qualities.has_any(qualities![Domain::Container, Domain::Database])
                        && !parsed.qualities.has(Modifier::All)
                        && (checkrein_sql::is_throwaway(&text)
                            || environment::qualities(&text).has(Environment::Test));
                    let scratch = scratch || does.action == Action::Destroy && is_scratch(&text, qualities);
                    let qualities = if scratch { qualities.with(Environment::Throwaway) } else { qualities };
                    let address = parsed.program.has(Trait::CodeHost)
                        && parsed.qualities.has(Modifier::Remove)
                        && whole::of_code_host(&text);
                    let bucket = parsed.qualities.has(Modifier::Recursive) && whole::is_bucket(&text);
                    let whole = does.action == Action::Destroy && (address || bucket);
                    let qualities = if whole { qualities.with(Modifier::Whole) } else { qualities };
                    // A registry on this machine is not shared.
                    let here = does.action == Action::Publish
                        && qualities.has(Domain::Container)
                        && super::network::is_local(&super::network::host_name(&text));
                    let qualities = if here { qualities.with(Environment::Local) } else { qualities };
                    self.emit(does.action, Target::Name(text), qualities, frame);
                }
            }
            if names.is_empty() {
                self.emit(does.action, Target::Nothing, qualities, frame);
            }
        }
        reveals
    }

    /// The names that a word may be; as written where that is not known.
    pub(super) fn names_of(&self, word: &Word) -> Vec<String> {
        let mut texts = self.texts(word);
        if texts.is_empty() {
            texts.push(super::words::show(word));
        }
        texts
    }

    /// Returns the command without the `NAME=value` before it, which `sudo` and the like put into its environment.
    fn strip_assignments(&mut self, parsed: &Parsed, inner: &mut Frame) -> Vec<Word> {
        let is_assignment = |word: &&Word| {
            word.lead().split_once('=').is_some_and(|(name, _)| {
                !name.is_empty()
                    && !name.starts_with(|char: char| char.is_ascii_digit())
                    && name.chars().all(|char| char.is_alphanumeric() || char == '_')
            })
        };
        if parsed.program.wraps != Wraps::Privileged {
            return parsed.command.clone();
        }
        let count = parsed.command.iter().take_while(is_assignment).count();
        let (given, command) = parsed.command.split_at_checked(count).unwrap_or((&[], &parsed.command));
        for word in given {
            self.setting(word, inner);
            self.set_var_word(word, inner);
        }
        command.to_vec()
    }

    /// Returns true if a program that runs something on another machine is told to use this one. On another port
    /// there is usually a container or a virtual machine.
    fn is_here(&self, parsed: &Parsed) -> bool {
        let mut hosts = parsed.roles.iter().filter(|(role, _)| *role == Role::Host).map(|(_, word)| word);
        parsed.program.has(Trait::LogsIn)
            && !parsed.qualities.has(ParseFlag::Exact)
            && hosts.next().is_some_and(|host| {
                self.texts(host).iter().all(|text| {
                    let plain = !text.contains("://") || !text.trim_start_matches("ssh://").contains(':');
                    plain && super::network::is_local(&super::network::host_name(text))
                }) && !self.texts(host).is_empty()
            })
    }

    /// Returns the frame of a command that the program runs.
    pub(super) fn inner_frame(&mut self, parsed: &Parsed, frame: &Frame) -> Frame {
        let mut inner = frame.clone();
        let runs = !parsed.command.is_empty() || parsed.roles.iter().any(|(role, _)| *role == Role::Shell);
        let wraps = match parsed.program.wraps {
            Wraps::Elsewhere if self.is_here(parsed) => Wraps::Plainly,
            wraps => wraps,
        };
        match wraps {
            Wraps::Plainly | Wraps::Later | Wraps::Packaged => {}
            // Who runs with other rights, or elsewhere, has an environment of its own.
            Wraps::Privileged | Wraps::Elsewhere | Wraps::Throwaway => inner.exported = None,
        }
        match wraps {
            Wraps::Plainly if wraps != parsed.program.wraps => {
                inner.directories = vec![PathPattern::of(&self.home)];
            }
            Wraps::Plainly | Wraps::Packaged => {}
            Wraps::Privileged => {
                if runs {
                    self.emit(Action::Privilege, Target::Nothing, parsed.qualities, frame);
                }
                inner.qualities = inner.qualities.with(Modifier::Privileged);
            }
            Wraps::Elsewhere => {
                inner.qualities = inner.qualities.with(Environment::Elsewhere);
                // What is run in production is done there.
                if parsed.qualities.has(Environment::Production) {
                    inner.environment = inner.environment.with(Environment::Production);
                }
                inner.directories = vec![PathPattern::unknown()];
            }
            Wraps::Throwaway => {
                inner.qualities = inner.qualities.with(Environment::Throwaway);
                inner.directories = vec![PathPattern::unknown()];
            }
            Wraps::Later => inner.qualities = inner.qualities.with(Modifier::Later),
        }
        if matches!(wraps, Wraps::Elsewhere | Wraps::Throwaway) {
            inner.contained = parsed.qualities.has(Domain::Container);
        }
        if parsed.qualities.has(Modifier::Later) {
            inner.qualities = inner.qualities.with(Modifier::Later);
        }
        for (_, word) in parsed.roles.iter().filter(|(role, _)| *role == Role::Assignment) {
            self.set_var_word(word, &mut inner);
        }
        let words: Vec<&Word> = parsed.roles.iter().map(|(_, word)| word).collect();
        for pair in words.windows(2).filter(|_| parsed.program.has(Trait::SetsPairs)) {
            // `bwrap --setenv NAME value`
            if let [name, value] = pair {
                inner.finds = inner.finds.max(self.settings_after(name.lead(), Some(value)));
            }
        }
        self.add_views(parsed, &mut inner);
        let directories: Vec<&Word> =
            parsed.roles.iter().filter(|(role, _)| *role == Role::Directory).map(|(_, word)| word).collect();
        for directory in directories {
            let next: Vec<PathPattern> = self.directories_of(directory, &inner);
            inner.directories = next;
        }
        inner
    }
}

/// Returns true if the name of a whole namespace or bucket says that it is there to be thrown away. An account or a repository may only
/// be called like one.
fn is_scratch(name: &str, qualities: Qualities) -> bool {
    let cluster = qualities.has(Domain::Cluster);
    let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    qualities.has(Modifier::Whole)
        && (cluster || name.contains("://"))
        && (checkrein_sql::is_throwaway(last)
            || cluster && environment::qualities(name).has(Environment::Test))
}

/// Returns true if a filter is told to look for secrets.
fn asks_for_secrets(rest: &[Word]) -> bool {
    rest.iter().filter_map(Word::constant).any(|word| {
        let word = word.to_ascii_lowercase();
        ["token", "secret", "passw", "api_key", "apikey", "access_key", "credential", "private"]
            .iter()
            .any(|wanted| word.contains(wanted))
    })
}

/// The entry of a program, also by a name with a version or a suffix: `python3.12`, `mkfs.ext4`, `rm.exe`.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    let plain = name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name);
    program::find(plain)
        .or_else(|| {
            program::find(
                plain.trim_end_matches(|char: char| char.is_ascii_digit() || matches!(char, '.' | '-')),
            )
        })
        .or_else(|| program::find(plain.split_once('.')?.0))
        .or_else(|| {
            program::find(&plain.to_ascii_lowercase())
                .filter(|_| name.contains(".exe") || name.contains(".EXE") || is_cmdlet(plain))
        })
}

/// `Action-Noun`, as PowerShell calls its commands, in whatever case.
fn is_cmdlet(name: &str) -> bool {
    name.split_once('-').is_some_and(|(action, noun)| {
        [action, noun]
            .iter()
            .all(|part| part.len() > 2 && part.chars().all(|char| char.is_ascii_alphabetic()))
    })
}
