//! A program of the table with its arguments.

use super::{Context, Lowering, flow::Flow, size};
use crate::{
    effect::Target,
    path::{Step, Steps},
    program::{self, Parsed, Prints, Program, Role, Wraps},
    vocabulary::{Mark, Marks, Verb, Zone},
    word::Word,
};

impl Lowering<'_> {
    /// A command with the name of a program, wherever that lies.
    pub(super) fn known(&mut self, name: &str, words: &[Word], context: &mut Context) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        let Some(program) = find(name) else {
            self.runs(words, None, context);
            // Whatever it is called: who speaks this protocol lends the machine to others.
            if rest.iter().any(|word| word.lead().starts_with("stratum+")) {
                self.say(Verb::Exhaust, Target::Name(name.to_owned()), Marks::NONE, context);
            }
            return self.through(rest, context);
        };
        self.program(program, words, context)
    }

    fn program(&mut self, program: &'static Program, words: &[Word], context: &mut Context) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        let mut parsed = program::parse(program, rest);
        if parsed.marks.has(Mark::Global) && parsed.marks.has(Mark::Production) {
            // What is chosen here holds for the next commands, too.
            self.realm = self.realm.with(Mark::Production);
        }
        parsed.marks = parsed.marks.and(context.realm).and(self.realm);
        if context.stdin.marks.has(Mark::Production) {
            parsed.marks = parsed.marks.with(Mark::Production);
        }
        let takes_all =
            |(role, word): &(Role, Word)| *role == Role::Name && self.flow_of(word).has(Mark::All);
        if parsed.roles.iter().any(takes_all) {
            parsed.marks = parsed.marks.with(Mark::All);
        }
        if !self.runs(words, Some(parsed.program.name.join(" ")), context) {
            return Flow::default();
        }
        let unhooks = |word: &Word| word.lead().contains("disableAllHooks");
        if rest.iter().any(unhooks) && program.does.iter().any(|does| does.marks.has(Mark::Unguarded)) {
            self.say(Verb::Unprotect, Target::Nothing, Marks::of(&[Mark::Unguarded]), context);
        }
        // A subcommand with operands of its own is described by them.
        let own =
            parsed.program.special.or_else(|| program.special.filter(|_| parsed.program.operands.is_empty()));
        if let Some(special) = own {
            if parsed.program.special.is_none() && !parsed.marks.has(Mark::Help) {
                self.does(&parsed, context);
            }
            return self.special(special, &parsed, words, context);
        }
        self.plain(&parsed, rest, context)
    }

    /// A program of which the table says everything.
    pub(super) fn plain(&mut self, parsed: &Parsed, rest: &[Word], context: &mut Context) -> Flow {
        if parsed.marks.has(Mark::Help) && parsed.command.is_empty() {
            return Flow::default();
        }
        let held = self.roles(parsed, context);
        let reveals = self.does(parsed, context);
        let inner = self.inner(parsed, context);
        if let Some((_, started)) = parsed.roles.iter().rev().find(|(role, _)| *role == Role::Started) {
            let words: Vec<Word> = std::iter::once(started).chain(&parsed.command).cloned().collect();
            return self.argv(&words, &inner);
        }
        if !parsed.command.is_empty() {
            // A name with blanks is a text, whoever runs it.
            let is_text = parsed.joins
                || parsed.command.first().is_some_and(|first| first.lead().contains(char::is_whitespace));
            if is_text {
                self.run_text(&super::special::join(&parsed.command), &inner);
                let mut flow = self.through(rest, context);
                if parsed.roles.iter().any(|(role, _)| *role == Role::Host) {
                    flow.marks = flow.marks.with(Mark::Downloaded);
                }
                return flow;
            }
            let mut flow = self.argv(&parsed.command, &inner);
            if parsed.program.wraps == Wraps::Elsewhere && !flow.marks.has(Mark::File) {
                // The environment there is not ours.
                flow.marks = flow.marks.without(Mark::Environment).without(Mark::Secret);
            }
            let named = parsed.roles.iter().any(|(role, _)| *role == Role::Host);
            if parsed.program.wraps == Wraps::Elsewhere && named && flow.text.is_none() {
                flow.marks = flow.marks.with(Mark::Downloaded);
            }
            return flow;
        }
        if parsed.program.wraps == Wraps::Privileged && context.stdin.text.is_some() {
            // `sudo -s` is a shell.
            let text = context.stdin.clone();
            self.run_content(&text, &inner);
        }
        if parsed.program.wraps == Wraps::Later && !parsed.marks.has(Mark::Lists) {
            // `at` and `batch` take commands from their input.
            let text = context.stdin.clone();
            self.run_content(&text, &inner);
        }
        let mut flow = self.prints(parsed, rest, held, context);
        if reveals {
            flow.marks = flow.marks.with(Mark::Secret);
        }
        if parsed.program.marks.has(Mark::Endless) {
            flow.marks = flow.marks.with(Mark::Endless);
        }
        if context.stdin.marks.has(Mark::Environment) && asks_for_secrets(rest) {
            // Of the environment it picks what nobody should see.
            flow.marks = flow.marks.with(Mark::Revealed);
        }
        flow
    }

    /// What the program does besides what its operands say. Answers whether it shows secrets.
    pub(super) fn does(&mut self, parsed: &Parsed, context: &Context) -> bool {
        let mut reveals = false;
        for does in parsed.program.does {
            if !parsed.marks.has_all(does.when) || parsed.marks.has_any(does.unless) {
                continue;
            }
            reveals |= does.verb == Verb::Reveal;
            let marks = does.marks.and(parsed.marks);
            let names: Vec<Word> = parsed
                .roles
                .iter()
                .filter(|(role, _)| *role == Role::Name)
                .map(|(_, word)| word.clone())
                .collect();
            for name in &names {
                for text in self.names_of(name) {
                    // What is there to be thrown away, by its name; elsewhere others may think otherwise.
                    let scratch = does.verb == Verb::Destroy
                        && marks.has_any(Marks::of(&[Mark::Container, Mark::Database]))
                        && !parsed.marks.has(Mark::All)
                        && crate::sql::is_throwaway(&text);
                    let marks = if scratch { marks.with(Mark::Throwaway) } else { marks };
                    self.say(does.verb, Target::Name(text), marks, context);
                }
            }
            if names.is_empty() {
                self.say(does.verb, Target::Nothing, marks, context);
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

    /// The surroundings of a command that the program runs.
    pub(super) fn inner(&mut self, parsed: &Parsed, context: &Context) -> Context {
        let mut inner = context.clone();
        let runs = !parsed.command.is_empty() || parsed.roles.iter().any(|(role, _)| *role == Role::Shell);
        match parsed.program.wraps {
            Wraps::Plainly => {}
            Wraps::Privileged => {
                if runs {
                    self.say(Verb::Privilege, Target::Nothing, parsed.marks, context);
                }
                inner.marks = inner.marks.with(Mark::Privileged);
            }
            Wraps::Elsewhere => {
                inner.marks = inner.marks.with(Mark::Elsewhere);
                inner.folders = vec![Steps::unknown()];
            }
            Wraps::Throwaway => {
                inner.marks = inner.marks.with(Mark::Throwaway);
                inner.folders = vec![Steps::unknown()];
            }
            Wraps::Later => inner.marks = inner.marks.with(Mark::Later),
        }
        if parsed.marks.has(Mark::Later) {
            inner.marks = inner.marks.with(Mark::Later);
        }
        let folders: Vec<&Word> =
            parsed.roles.iter().filter(|(role, _)| *role == Role::Folder).map(|(_, word)| word).collect();
        for folder in folders {
            let next: Vec<Steps> = self.folders_of(folder, &inner);
            inner.folders = next;
        }
        inner
    }

    /// What the program prints. `held`: what its operands brought along.
    pub(super) fn prints(&mut self, parsed: &Parsed, rest: &[Word], held: Flow, context: &Context) -> Flow {
        let mut carried = self.through(rest, context);
        carried.marks = carried.marks.and(held.marks);
        if parsed.marks.has(Mark::Production) {
            carried.marks = carried.marks.with(Mark::Production);
        }
        let reads_input = !parsed
            .roles
            .iter()
            .any(|(role, word)| *role == Role::Read && word.constant().as_deref() != Some("-"));
        match parsed.program.prints {
            // What is made of a file is not the file.
            Prints::Something if carried.marks.has(Mark::File) => {
                Flow { marks: carried.marks.with(Mark::Computed), ..carried }
            }
            Prints::Something => carried,
            Prints::Nothing => Flow::text(""),
            Prints::Everything if !parsed.marks.has(Mark::Some) => Flow::marked(&[Mark::All]),
            Prints::Figures | Prints::Everything => Flow::default(),
            Prints::Arguments => self.joined(rest, &parsed.operands),
            Prints::Input => {
                let mut flow = if reads_input { context.stdin.clone() } else { held.clone() };
                flow.marks = flow.marks.and(held.marks);
                let name = parsed.program.name;
                if reads_input && !matches!(name, ["cat" | "tee" | "sort" | "uniq" | "tac"]) {
                    flow.narrow();
                }
                let amount = parsed.roles.iter().filter(|(role, _)| *role == Role::Amount);
                let huge = |(_, word): &(Role, Word)| size::bytes(word).is_some_and(|most| most >= size::HUGE);
                if !matches!(name, ["cat" | "tee" | "pv" | "yes"]) && !amount.into_iter().any(huge) {
                    flow.marks = flow.marks.without(Mark::Endless);
                }
                flow
            }
            Prints::Paths => self.listing(parsed, rest, context),
            Prints::Programs => {
                let names = parsed.operands.iter().flat_map(|word| self.texts(word));
                let found =
                    names.map(|name| if name.contains('/') { name } else { format!("/usr/bin/{name}") });
                Flow::text(found.collect::<Vec<_>>().join("\n"))
            }
            Prints::Download => Flow { marks: carried.marks.with(Mark::Downloaded), ..Flow::default() },
            Prints::Decoded if parsed.marks.has(Mark::Decodes) => {
                let source = if reads_input { context.stdin.clone() } else { held };
                self.decoded(parsed.program.name, &source)
            }
            Prints::Decoded => carried,
            Prints::Secret => Flow::marked(&[Mark::Secret, Mark::Revealed]),
            Prints::Environment => {
                let named = !parsed.operands.is_empty();
                let secret = parsed
                    .operands
                    .iter()
                    .flat_map(|word| self.texts(word))
                    .any(|name| super::flow::is_secret_name(&name));
                match (named, secret) {
                    (true, false) => Flow::default(),
                    (true, true) => Flow::marked(&[Mark::Secret, Mark::Revealed]),
                    (false, _) => Flow::marked(&[Mark::Environment, Mark::Secret]),
                }
            }
            Prints::Identity => Flow::marked(&[Mark::Identity]),
            Prints::Temporary => {
                Flow::paths([Steps::of("/tmp").join([Step::Name("tmp.XXXXXXXXXX".into())], false)])
            }
            Prints::Folder => Flow::paths(context.folders.iter().cloned()),
            Prints::Changed => self.rewritten(parsed, context),
        }
    }

    /// The arguments of `echo`, as it prints them.
    fn joined(&self, rest: &[Word], operands: &[Word]) -> Flow {
        let operands = if operands.is_empty() { rest } else { operands };
        let skipped = operands.iter().skip_while(|word| {
            word.constant().is_some_and(|word| matches!(&*word, "-n" | "-e" | "-ne" | "-en" | "-E"))
        });
        let escapes = operands
            .iter()
            .take(2)
            .any(|word| word.constant().is_some_and(|word| word.starts_with('-') && word.contains('e')));
        let mut text = Some(String::new());
        let mut flow = Flow::default();
        for (place, word) in skipped.enumerate() {
            let value = self.value_of(word);
            flow.marks = flow.marks.and(value.marks);
            text = text
                .zip(value.text)
                .map(|(text, value)| if place == 0 { value } else { text + " " + &value });
        }
        flow.text = text.map(|text| if escapes { unescape(&text) } else { text } + "\n");
        if flow.marks.has(Mark::Secret) && flow.text.is_none() {
            flow.marks = flow.marks.with(Mark::Revealed);
        }
        if flow.text.is_none() {
            // A pattern of names prints the names.
            flow.paths = operands
                .iter()
                .filter(|word| word.pattern().is_some() && word.constant().is_none())
                .flat_map(|word| {
                    self.scope_folders().into_iter().flat_map(move |folder| self.pattern_in(word, &folder))
                })
                .collect();
        }
        flow
    }

    /// What `ls` and its kin print: names of what is there.
    fn listing(&self, parsed: &Parsed, rest: &[Word], context: &Context) -> Flow {
        let here = Word::text(".", 0..0);
        let words: Vec<&Word> =
            if parsed.operands.is_empty() { vec![&here] } else { parsed.operands.iter().collect() };
        let mut paths = Vec::new();
        for word in words {
            for (spot, _) in self.places(word, crate::path::Last::Follow, context) {
                if spot.path.contains('…') {
                    continue;
                }
                let steps = pattern_steps(&spot.path);
                // A folder is listed, and not itself, unless that is asked for.
                let folder = word.lead().ends_with(['/', '.']) || spot.zone == Zone::Root;
                let itself = rest.iter().any(|word| {
                    word.lead().starts_with('-')
                        && !word.lead().starts_with("--")
                        && word.lead().contains('d')
                });
                if itself || !folder {
                    paths.push(steps.clone());
                }
                if spot.reach == crate::path::Reach::Itself && !itself {
                    paths.push(steps.join([Step::Pattern("*".into())], false));
                }
            }
        }
        Flow::paths(paths)
    }

    fn scope_folders(&self) -> Vec<Steps> {
        vec![self.cwd.clone()]
    }

    fn pattern_in(&self, word: &Word, folder: &Steps) -> Vec<Steps> {
        let context = Context { folders: vec![folder.clone()], ..Context::default() };
        let places = self.places(word, crate::path::Last::Keep, &context);
        places
            .into_iter()
            .filter(|(spot, _)| !spot.path.contains('…'))
            .map(|(spot, _)| pattern_steps(&spot.path))
            .collect()
    }
}

/// Whether a filter is told to look for secrets.
fn asks_for_secrets(rest: &[Word]) -> bool {
    rest.iter().filter_map(Word::constant).any(|word| {
        let word = word.to_ascii_lowercase();
        ["token", "secret", "passw", "api_key", "apikey", "access_key", "credential", "private"]
            .iter()
            .any(|wanted| word.contains(wanted))
    })
}

/// A path in which patterns are still patterns.
pub(super) fn pattern_steps(path: &str) -> Steps {
    let steps = path.split('/').map(|name| {
        if name.contains(['*', '?', '[']) { Step::Pattern(name.into()) } else { Step::Name(name.into()) }
    });
    Steps::of("/").join(steps, false)
}

/// The entry of a program, also by a name with a version or a suffix: `python3.12`, `mkfs.ext4`, `rm.exe`.
fn find(name: &str) -> Option<&'static Program> {
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

/// `Verb-Noun`, as PowerShell calls its commands, in whatever case.
fn is_cmdlet(name: &str) -> bool {
    name.split_once('-').is_some_and(|(verb, noun)| {
        [verb, noun].iter().all(|part| part.len() > 2 && part.chars().all(|char| char.is_ascii_alphabetic()))
    })
}

/// The escapes of `echo -e` and `printf`.
pub(super) fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\\' {
            result.push(char);
            continue;
        }
        match chars.next() {
            Some('n') => result.push('\n'),
            Some('t') => result.push('\t'),
            Some('r') => result.push('\r'),
            Some('a') => result.push('\u{7}'),
            Some('e') => result.push('\u{1b}'),
            Some('\\') => result.push('\\'),
            Some('x') => push_code(&mut result, &mut chars, 16, 2),
            Some(digit @ '0'..='7') => {
                let mut digits = std::iter::once(digit)
                    .chain(std::iter::from_fn(|| chars.next_if(|char| char.is_digit(8))))
                    .take(4);
                let code =
                    digits.try_fold(0_u32, |code, digit| Some(code * 8 + digit.to_digit(8)?)).unwrap_or(0);
                result.extend(char::from_u32(code & 0xff));
            }
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
    }
    result
}

fn push_code(
    result: &mut String,
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    base: u32,
    most: usize,
) {
    let mut code = 0;
    for _ in 0..most {
        let Some(digit) = chars.next_if(|char| char.is_digit(base)).and_then(|char| char.to_digit(base))
        else {
            break;
        };
        code = code * base + digit;
    }
    result.extend(char::from_u32(code));
}
