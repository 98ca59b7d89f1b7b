//! Our own program, run by an agent: by its name, by a copy of it, or by something that may be one.

use super::{
    Evaluator, Frame,
    flow::Flow,
    handlers::{Call, xargs_find::is_found},
    installed,
};
use crate::{
    data::{OURSELVES_BUILDERS, OURSELVES_NAMING},
    effect::Target,
    glob,
    ours::Lies,
    own::Kind,
    own_commands::{self, CommandClass, HIDDEN_COMMANDS, OWN_COMMANDS, SUPERVISE},
    path::{LinkPolicy, PathPattern, ResolvedPath},
    program,
    program::ParseFlag,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier, Tag, Tags, Taint, Zone},
};
use checkrein_shell::Word;

/// The name of our program.
const NAME: &str = "checkrein";
/// The maximum number of words of an unknown program that are examined.
const WRAPPED: usize = 32;
/// The maximum number of directories of programs that are searched.
const SEARCHED: usize = 64;
/// Follows `checkrein` itself.
pub(super) fn checkrein(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    evaluator.follow_own_program(call.rest(), frame)
}

impl Evaluator<'_> {
    /// `checkrein` with these words: what only a user may do is for users.
    pub(super) fn follow_own_program(&mut self, rest: &[Word], frame: &Frame) -> Flow {
        let is_word = |word: &Word| !word.lead().starts_with('-');
        // The value of an option may precede the command.
        let of_policy = |word: &Word| word.constant().is_some_and(|word| own_commands::starts_policy(&word));
        let known = |word: &Word| {
            word.constant().is_none_or(|word| {
                let group = format!("{word} ");
                HIDDEN_COMMANDS.contains(&&*word)
                    || &*word == SUPERVISE
                    || OWN_COMMANDS.iter().any(|own| own.name == word || own.name.starts_with(&group))
            })
        };
        let first = rest.iter().position(is_word);
        let misplaced = first.filter(|at| rest.get(*at).is_some_and(|word| !known(word)));
        let later = misplaced.and_then(|_| rest.iter().position(of_policy));
        let Some(at) = later.or(first) else {
            return Flow::default();
        };
        let (Some(command), after) = (rest.get(at), rest.get(at + 1..).unwrap_or_default()) else {
            return Flow::default();
        };
        if command.is_unknown() {
            self.emit(
                Action::Unprotect,
                Target::Nothing,
                qualities![Modifier::Guard, Certainty::Unknown],
                frame,
            );
        }
        for name in self.names_of(command) {
            if name == SUPERVISE {
                // For how long, and what.
                self.follow_argv(after.get(1..).unwrap_or_default(), frame);
            }
            if name == own_commands::RUN
                && let Some(end) =
                    after.iter().position(|word| word.constant().is_some_and(|word| word == "--"))
            {
                self.follow_argv(after.get(end + 1..).unwrap_or_default(), frame);
            }
            if name == own_commands::MCP_PROXY {
                let command = after.iter().position(|word| word.constant().is_some_and(|word| word == "--"));
                let server = command.and_then(|at| after.get(at + 1..)).unwrap_or_default();
                self.follow_argv(server, frame);
            }
            if name == own_commands::CAT {
                self.read_without_secrets(after, frame);
            }
            let hidden = HIDDEN_COMMANDS.contains(&name.as_str());
            let (commands, flags) = nested(&name, after);
            let changes = commands.iter().any(|name| changes_policy(name, flags));
            if hidden || changes {
                self.emit(Action::Unprotect, Target::Name(name), qualities![Modifier::Guard], frame);
            }
        }
        Flow::default()
    }

    /// Follows `checkrein cat FILE…`, which reads the files and shows no secrets in them.
    fn read_without_secrets(&mut self, files: &[Word], frame: &Frame) {
        for file in files.iter().filter(|word| !word.lead().starts_with('-')) {
            for (place, qualities) in self.places(file, LinkPolicy::Follow, frame) {
                self.emit(Action::Read, Target::Path(place), qualities.with(Modifier::Unseen), frame);
            }
        }
    }

    /// Returns true if a command with another name is our program: by its bytes, on disk or as the call itself wrote
    /// them.
    pub(super) fn is_copy(
        &self,
        name: &str,
        rest: &[Word],
        places: &[(ResolvedPath, Qualities)],
        frame: &Frame,
    ) -> bool {
        let written = |spot: &ResolvedPath| {
            self.session.files.get(&spot.path).map(|content| content.flow.qualities.has(Taint::OwnProgram))
        };
        if places.iter().any(|(spot, _)| written(spot) == Some(true)) {
            return true;
        }
        // Few commands have such a word, so that few files are looked at.
        if frame.qualities.has(Environment::Elsewhere) || !rest.iter().any(may_be_ours) {
            return false;
        }
        if name.contains('/') {
            let on_disk =
                |spot: &ResolvedPath| written(spot).is_none() && self.world.is_this_program(&spot.path);
            return places.iter().any(|(spot, _)| on_disk(spot));
        }
        // A well-known name is that program.
        if program::find(name).is_some() {
            return false;
        }
        let path = self.world.variable("PATH").unwrap_or_default();
        let directories = path.split(':').filter(|directory| directory.starts_with('/')).take(SEARCHED);
        directories
            .map(|directory| format!("{directory}/{name}"))
            .find(|file| self.world.entry(file).is_some())
            .is_some_and(|file| self.world.is_this_program(&file))
    }

    /// Handles an unknown program that is given a command of ours: it may be us, if the call has read our program or
    /// the name is a pattern that matches ours.
    pub(super) fn may_be_ourselves(&mut self, words: &[Word], frame: &Frame) {
        let Some((first, rest)) = words.split_first() else { return };
        let Some(at) = rest.iter().position(|word| !word.lead().starts_with('-')) else { return };
        let (Some(command), after) = (rest.get(at), rest.get(at + 1..).unwrap_or_default()) else { return };
        let ours = |name: &str| {
            let (names, flags) = nested(name, after);
            names.iter().any(|name| changes_policy(name, flags))
        };
        if frame.qualities.has(Environment::Elsewhere) || !command.constant().is_some_and(|name| ours(&name))
        {
            return;
        }
        // A command that only our program has, without operands that it would need in another program. Many have `init`
        // and `uninstall`, but few take the latter with options alone.
        let options = after.iter().all(|word| word.lead().starts_with('-'));
        let alone =
            options && command.lead() != "init" && (command.lead() != "uninstall" || !after.is_empty());
        let unknown = || first.is_unknown() && self.texts(first).is_empty();
        if self.has_read_us()
            || first.constant().is_none() && self.fits_us(first, frame)
            || alone && unknown()
        {
            let qualities = qualities![Modifier::Guard, Certainty::AnyProgram];
            self.emit(Action::Unprotect, Target::Name(NAME.to_owned()), qualities, frame);
        }
    }

    /// Handles an unknown program that is given our program and a command of ours: it may run what it is given.
    pub(super) fn emit_wraps_us(&mut self, rest: &[Word], frame: &Frame) {
        let is_us = |at: usize| {
            let name = rest.get(at).and_then(Word::constant)?;
            let given = rest.get(at + 1..).unwrap_or_default();
            let copied = given.first().is_some_and(may_be_ours)
                && self.is_copy(&name, given, &self.program_places(&name, frame), frame);
            (name.rsplit('/').next() == Some(NAME) || copied).then_some(given)
        };
        if let Some(words) = (0..rest.len().min(WRAPPED)).find_map(is_us) {
            self.follow_own_program(words, frame);
            return;
        }
        // The same as a text for a shell, or as a list in another language.
        let is_text = |text: &std::borrow::Cow<'_, str>| text.contains([' ', '\'', '"']);
        for text in rest.iter().take(WRAPPED).filter_map(Word::constant).filter(is_text) {
            for at in text.match_indices(NAME).map(|(at, _)| at).take(4) {
                let (before, command) = text.split_at(at);
                if before.ends_with(|char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.')) {
                    continue;
                }
                // A list of words in another language: `["checkrein", "trust"]`.
                if let Some(words) = listed_after(command) {
                    self.follow_own_program(&words, frame);
                    continue;
                }
                if let Some(words) = listed_after(command) {
                    self.follow_own_program(&words, frame);
                    continue;
                }
                let script = crate::read(command, &checkrein_shell::ShellEnv::default());
                if let Some(words) = script.commands.first().and_then(|command| command.words.get(1..)) {
                    self.follow_own_program(words, frame);
                }
            }
        }
    }

    /// Notes that a program is given ours, whatever it makes of it.
    pub(super) fn record_given_us(&mut self, rest: &[Word], frame: &Frame) {
        if self.session.given_us {
            return;
        }
        let named = |text: &str| text.rsplit(['/', '=']).next().is_some_and(|base| base.trim_end() == NAME);
        let is_us = |word: &Word| match word.constant() {
            Some(text) => named(&text),
            None => {
                named(&installed::written(word)) || self.value_of(word).text.is_some_and(|text| named(&text))
            }
        };
        self.session.given_us =
            !frame.qualities.has(Environment::Elsewhere) && rest.iter().take(WRAPPED).any(is_us);
    }

    /// Returns true if the call has read our program, or a directory that contains it.
    fn has_read_us(&self) -> bool {
        self.session.given_us
            || self.sink.effects.iter().any(|effect| match &effect.target {
                Target::Path(spot) => {
                    self.is_own_program(spot) || self.world.is_this_program(&format!("{}/{NAME}", spot.path))
                }
                _ => false,
            })
    }

    /// Commands of shells that give a name to something else.
    pub(super) fn emit_name_taken(&mut self, name: &str, rest: &[Word], frame: &Frame) {
        if !OURSELVES_NAMING.contains(&name.to_ascii_lowercase().as_str())
            || frame.qualities.has(Environment::Elsewhere)
        {
            return;
        }
        let words: Vec<String> = rest.iter().take(WRAPPED).flat_map(|word| self.texts(word)).collect();
        let is_option = |word: &String| word.starts_with('-');
        let has = |letter: char| {
            words.iter().any(|word| is_option(word) && !word.starts_with("--") && word.contains(letter))
        };
        let long = |wanted: &str| words.iter().any(|word| word == wanted);
        let given = words.iter().filter(|word| !is_option(word)).count();
        let ours = words.iter().any(|word| word == NAME);
        let assigned = words.iter().any(|word| {
            word.strip_prefix(NAME).is_some_and(|rest| rest.starts_with('='))
                || word.strip_prefix("BASH_FUNC_").is_some_and(|rest| rest.starts_with(NAME))
                || word.eq_ignore_ascii_case("function:checkrein")
                || word.eq_ignore_ascii_case("alias:checkrein")
        });
        let takes = match name.to_ascii_lowercase().as_str() {
            "alias" | "doskey" => ours && given > 1,
            "abbr" => ours && given > 1 && !has('e') && !has('q') && !long("--erase") && !long("--query"),
            "hash" => ours && has('p'),
            "enable" => ours && has('f'),
            "funcsave" => ours,
            "functions" => ours && (has('c') || long("--copy")),
            "declare" | "typeset" | "export" => ours && has('f') && (name == "export" || has('x')),
            "autoload" | "set-alias" | "sal" | "new-alias" | "nal" | "rehash" => ours,
            _ => false,
        };
        if takes || assigned {
            self.emit(Action::Unprotect, Target::Name(NAME.to_owned()), qualities![Modifier::Guard], frame);
        }
    }

    /// A builder that runs what it built: `cargo run -p checkrein-cli -- trust`.
    pub(super) fn run_built(&mut self, builder: &str, rest: &[Word], frame: &Frame) {
        if !OURSELVES_BUILDERS.contains(&builder) {
            return;
        }
        let lead = |word: &Word| word.constant().map(std::borrow::Cow::into_owned).unwrap_or_default();
        let words: Vec<String> = rest.iter().map(lead).collect();
        let Some(at) = words.iter().position(|word| !word.starts_with(['-', '+'])) else { return };
        let command = words.get(at).map(String::as_str).unwrap_or_default();
        if builder == "cargo" && command == "watch" {
            let told = words.windows(2).filter_map(|pair| match pair {
                [option, text] if matches!(option.as_str(), "-x" | "--exec") => Some(format!("cargo {text}")),
                _ => None,
            });
            for text in told.collect::<Vec<_>>() {
                self.follow_text(&text, &frame.without_stdin());
            }
            return;
        }
        if !matches!(command, "run" | "r" | "exec") {
            return;
        }
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let before = words.get(at + 1..end).unwrap_or_default();
        let is_target = |word: &String| {
            let word = word.rsplit_once('=').map_or(word.as_str(), |(_, value)| value);
            let last = word.trim_end_matches('/').rsplit(['/', ':', '#']).next().unwrap_or_default();
            installed::program_of(last) == NAME
        };
        let target = before.iter().position(is_target);
        // Without `--` the words behind the target are its own.
        let own = match (end < words.len(), target) {
            (true, _) => rest.get(end + 1..),
            (false, Some(target)) => rest.get(at + target + 2..),
            (false, None) => {
                let first = before.iter().position(|word| !word.starts_with('-')).unwrap_or(before.len());
                rest.get(at + 1 + first..)
            }
        };
        let own = own.unwrap_or_default().to_vec();
        let chosen = before.iter().any(|word| {
            ["-p", "--package", "--bin", "--example"].iter().any(|option| {
                word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
            })
        });
        if target.is_some() {
            self.follow_own_program(&own, frame);
        } else if builder == "cargo" && !chosen && own.first().is_some_and(may_be_ours) {
            let given = before.windows(2).find_map(|pair| match pair {
                [option, path] if option == "--manifest-path" => Some(path.clone()),
                _ => None,
            });
            let joined =
                before.iter().find_map(|word| word.strip_prefix("--manifest-path=").map(str::to_owned));
            let path = given.or(joined);
            let manifest = Word::text(path.as_deref().unwrap_or("Cargo.toml"), 0..0);
            let places = self.places(&manifest, LinkPolicy::Follow, frame);
            let text = places.iter().find_map(|(spot, _)| self.world.text(&spot.path));
            let ours = text.as_deref().map(|text| text.contains(NAME));
            // A program elsewhere that cannot be read may be us.
            if ours.unwrap_or(path.is_some_and(|path| path.starts_with(['/', '~']) || path.contains(".."))) {
                self.emit_perhaps_ours(frame);
            }
        }
    }

    /// Handles typed text that may complete a name which another call began: `krein trust`.
    pub(super) fn may_end_our_name(&mut self, text: &Word, frame: &Frame) {
        let lead = text.lead();
        let line = lead.lines().next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        let first = if line.starts_with([' ', '\t']) { "" } else { words.next().unwrap_or_default() };
        let ends = first.len() < NAME.len() && NAME.ends_with(first) && !line.is_empty();
        if ends && words.next().is_some_and(own_commands::starts_policy) {
            self.emit_perhaps_ours(frame);
        }
    }

    /// Handles unfinished typed text that may begin our name: `checkr`.
    pub(super) fn may_begin_our_name(&mut self, text: &Word, frame: &Frame) {
        let Some(text) = text.constant() else { return };
        let last = text.rsplit(['\n', ' ', ';', '|', '&', '/']).next().unwrap_or_default();
        if last.len() > 3 && last.len() < NAME.len() && NAME.starts_with(last) {
            self.emit_perhaps_ours(frame);
        }
    }

    fn emit_perhaps_ours(&mut self, frame: &Frame) {
        let qualities = qualities![Modifier::Guard, Certainty::AnyProgram];
        self.emit(Action::Unprotect, Target::Name(NAME.to_owned()), qualities, frame);
    }

    /// The mark of what a lookup of our name answers.
    pub(super) fn lookup_marks(&self, rest: &[Word]) -> Qualities {
        let begins = |word: &Word| {
            let lead = word.lead().rsplit('/').next().unwrap_or_default();
            lead.len() > 3 && NAME.starts_with(lead)
        };
        let ours = |word: &Word| {
            self.texts(word).iter().any(|text| names_us(text))
                || word
                    .pattern()
                    .is_some_and(|pattern| names_us(pattern.rsplit('/').next().unwrap_or_default()))
                || word.is_unknown() && begins(word)
        };
        if rest.iter().take(WRAPPED).any(ours) { qualities![Certainty::PerhapsOurs] } else { Qualities::NONE }
    }

    /// The mark of the names of files that a search prints: it looks for our name outside the project, or through
    /// files of ours or of agents.
    pub(super) fn searches_for_us(&self, parsed: &program::Parsed, frame: &Frame) -> Qualities {
        let pattern = usize::from(!parsed.qualities.has(ParseFlag::PatternGiven));
        let for_us = parsed.roles.iter().any(|(role, word)| {
            *role == program::Role::Text && word.constant().is_some_and(|text| names_us(&text))
        });
        let here = [Word::text(".", 0..0)];
        let searched = parsed.operands.get(pattern..).filter(|words| !words.is_empty()).unwrap_or(&here);
        let of_us = |(spot, _): (ResolvedPath, Qualities)| match spot.zone {
            Zone::Root | Zone::HomeRoot | Zone::System | Zone::Shared | Zone::Unknown => for_us,
            Zone::Personal | Zone::Home | Zone::Outside => {
                for_us
                    || spot.tags.has_any(Tags::of(&[Tag::Agent, Tag::AgentHooks, Tag::Checkrein]))
                    || self.is_holder(&spot)
            }
            _ => false,
        };
        let found =
            searched.iter().any(|word| self.places(word, LinkPolicy::Follow, frame).into_iter().any(of_us));
        if found { qualities![Certainty::PerhapsOurs] } else { Qualities::NONE }
    }

    /// Returns true if a program that examines files prints the names of files of ours or of agents.
    pub(super) fn prints_our_names(&self, name: &str, rest: &[Word], frame: &Frame) -> bool {
        const NAMES: &[&str] = &[
            "ls",
            "eza",
            "exa",
            "lsd",
            "tree",
            "stat",
            "du",
            "file",
            "rg",
            "git",
            "lsattr",
            "getfacl",
            "wc",
            "sha256sum",
            "md5sum",
            "namei",
        ];
        const OURS: Tags = Tags::of(&[Tag::Agent, Tag::AgentHooks, Tag::Checkrein]);
        let of_us = |word: &Word| {
            let path = word.parts.iter().any(|part| match part {
                checkrein_shell::Part::Text(text) | checkrein_shell::Part::Glob(text) => text.contains('/'),
                checkrein_shell::Part::Unknown(_) => false,
            });
            path && !word.lead().starts_with('-')
                && self.places(word, LinkPolicy::Follow, frame).iter().any(|(spot, _)| {
                    let within = matches!(
                        spot.zone,
                        Zone::Project
                            | Zone::ProjectRoot
                            | Zone::Generated
                            | Zone::Repository
                            | Zone::Temporary
                    );
                    !within
                        && (spot.tags.has_any(OURS)
                            || names_us(spot.path.rsplit('/').next().unwrap_or_default()))
                })
        };
        NAMES.contains(&name) && rest.iter().take(WRAPPED).any(of_us)
    }

    /// Keeps the mark of a name that may be ours on what is made of it.
    pub(super) fn still_perhaps_ours(&self, mut flow: Flow, carried: Qualities) -> Flow {
        if carried.has(Certainty::PerhapsOurs) {
            flow.qualities = flow.qualities.with(Certainty::PerhapsOurs);
        }
        flow
    }

    /// Returns true if an unknown target comes from a search for us. In zsh `=name` is the path of a program.
    pub(super) fn may_be_found(&self, word: &Word) -> bool {
        let expanded = word.constant().is_some_and(|text| text.strip_prefix('=') == Some(NAME));
        expanded
            || word.is_unknown() && (self.session.found_us || self.flow_of(word).has(Certainty::PerhapsOurs))
    }

    /// Returns true if a word that means several paths may be the path of our program.
    fn fits_us(&self, word: &Word, frame: &Frame) -> bool {
        let origins: Vec<Flow> = word.unknowns().map(|unknown| self.origin(unknown)).collect();
        // The results of a search may be a copy of our program, unless the search names them.
        let any =
            |path: &str| !path.rsplit('/').next().is_some_and(|name| name.contains(char::is_alphanumeric));
        let searched = (word.unknowns().any(is_found)
            || origins.iter().any(|origin| !origin.paths.is_empty()))
            && origins.iter().all(|origin| origin.text.is_none())
            && origins.iter().flat_map(|origin| &origin.paths).all(|steps| any(&steps.to_string()));
        if searched {
            return true;
        }
        let found = origins.iter().flat_map(|origin| &origin.paths).map(ToString::to_string);
        let meant = self.places(word, LinkPolicy::Follow, frame).into_iter().map(|(spot, _)| spot.path);
        found.chain(meant).any(|path| {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
            // What is not known of a path may be anything.
            let fits = name.contains('…') || glob::matches(name, NAME);
            let named = name.contains(char::is_alphanumeric) && fits;
            named
                || fits
                    && path.starts_with('/')
                    && (self.world.is_this_program(&format!("{directory}/{NAME}")) || self.has_us(directory))
        })
    }

    /// Returns true if our program is somewhere below a directory.
    pub(super) fn has_us(&self, directory: &str) -> bool {
        let steps = PathPattern::of(if directory.is_empty() { "/" } else { directory }).steps;
        let found = self.ours().about(&steps, self.world);
        found.iter().any(|found| found.kind == Kind::Ours && found.lies == Lies::Above)
    }

    /// Returns true if our program is at a place: by its name, or by its bytes.
    pub(super) fn is_own_program(&self, spot: &ResolvedPath) -> bool {
        let named = spot.path.rsplit('/').next() == Some(NAME);
        // Comparing bytes is expensive, and useful only where a command of ours is named.
        named || self.names_our_command() && self.world.is_this_program(&spot.path)
    }

    /// Returns true if a text of this call contains the name of a command that changes policy.
    fn names_our_command(&self) -> bool {
        let policy = OWN_COMMANDS.iter().filter(|command| command.class == CommandClass::ChangesPolicy);
        let names: Vec<&str> = policy.filter_map(|command| command.name.split(' ').next()).collect();
        self.scopes.iter().any(|scope| names.iter().any(|name| scope.text.contains(name)))
    }

    /// The places that a name of a program means.
    pub(super) fn program_places(&self, name: &str, frame: &Frame) -> Vec<(ResolvedPath, Qualities)> {
        if name.contains('/') {
            self.places(&Word::text(name, 0..0), LinkPolicy::Follow, frame)
        } else {
            Vec::new()
        }
    }
}

/// Returns true if a text that is searched for is our name, contains it, or is a pattern that matches it.
pub(super) fn names_us(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    if text.contains(NAME) {
        return true;
    }
    // Regular expressions in the form of a glob.
    let pattern = text.trim_start_matches('^').trim_end_matches('$').replace(".*", "*");
    let letters = pattern.chars().filter(|char| char.is_alphanumeric()).count();
    letters > 2
        && pattern.contains(['*', '?', '[', '.'])
        && (glob::matches(&pattern, NAME) || glob::matches(&pattern.replace('.', "?"), NAME))
}

/// The names of the commands that a word and those after it mean, and the words that are left.
fn nested<'a>(name: &str, after: &'a [Word]) -> (Vec<String>, &'a [Word]) {
    let group = format!("{name} ");
    if !OWN_COMMANDS.iter().any(|command| command.name.starts_with(&group)) {
        return (vec![name.to_owned()], after);
    }
    let inner = after.iter().position(|word| !word.lead().starts_with('-'));
    match inner.and_then(|at| Some((after.get(at)?, after.get(at + 1..)?))) {
        Some((word, rest)) => match word.constant() {
            Some(inner) => (vec![format!("{group}{inner}")], rest),
            // It may be any of them.
            None => {
                let all = OWN_COMMANDS.iter().filter(|command| command.name.starts_with(&group));
                (all.map(|command| command.name.to_owned()).collect(), rest)
            }
        },
        None => (Vec::new(), after),
    }
}

/// Returns the words after our name in a list of texts, up to its end: `"trust"` of `["checkrein", "trust"]`.
fn listed_after(text: &str) -> Option<Vec<Word>> {
    let quote = text.strip_prefix(NAME)?.chars().next().filter(|char| matches!(char, '\'' | '"'))?;
    let list = text.split([']', '}', ')']).next()?;
    let words = list.split(quote).skip(2).step_by(2).take(WRAPPED);
    Some(words.map(|word| Word::text(word, 0..0)).collect())
}

/// Returns true if a command with these words after it changes policy.
fn changes_policy(name: &str, words: &[Word]) -> bool {
    let Some(command) = own_commands::own_command(name) else { return false };
    let shows = |word: &Word| {
        word.constant()
            .is_some_and(|word| matches!(&*word, "--help" | "-h") || command.shows.contains(&&*word))
    };
    let flags = || words.iter().take_while(|word| word.lead() != "--");
    command.class == CommandClass::ChangesPolicy && !flags().any(shows)
}

/// Returns true if a word may be a command of ours that an agent may not run.
fn may_be_ours(word: &Word) -> bool {
    word.constant().is_none_or(|word| {
        own_commands::starts_policy(&word)
            || HIDDEN_COMMANDS.contains(&&*word)
            || &*word == SUPERVISE
            || &*word == own_commands::MCP_PROXY
    })
}
