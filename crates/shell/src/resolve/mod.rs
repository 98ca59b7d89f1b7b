//! From the syntax to what the shell would make of it.
//!
//! The text is followed in the order in which it would run, with everything that is known of the variables at each point.
//! Where there are several ways through it (branches, loops, functions, other shells), only what holds on all of them is
//! known behind. Everything is bounded: the depth by the reader, the work by [`FUEL`].

mod arithmetic;
mod brace;
mod builtin;
mod compound;
mod environment;
mod evaluate;
mod expand;
mod fields;
mod parameter;
mod pattern;
mod redirect;
mod scan;

use crate::{
    ShellEnv, Word,
    script::{
        Alias, CommandId, Input, Nesting, Opaque, Output, Redirect, Runs, Script, Shell, SimpleCommand, Span,
        UnreadableReason,
    },
    setting::Watch,
    syntax::{Assignment, Chain, Command, Kind, Link, List, Piece, Pipeline, RawWord, Tree},
    word::{Candidates, Part, Unknown, UnknownSource},
    work,
};
pub use arithmetic::names;
use checkrein_core::SmallSort as _;
use environment::Environment;
use scan::Writes;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The maximum amount of expansion, in about bytes. A text can double a variable in a few characters.
const FUEL: usize = 1024 * 1024;

/// Follows the text.
pub(crate) fn resolve<'a>(
    tree: &'a Tree,
    opaque: Vec<Opaque>,
    setting: &'a ShellEnv,
    watch: Option<Watch>,
) -> Script {
    let writes = scan::scan(tree, &BTreeMap::new(), std::iter::once(&tree.list).chain(&tree.substitutions));
    // Until a function is defined, a call of it may do anything: it may be defined by then.
    let anything = Writes { anything: true, ..Writes::default() };
    let mut resolver = Resolver {
        tree,
        environment: Environment::new(setting, watch),
        script: Script { opaque, ..Script::default() },
        places: Vec::new(),
        within: Arc::new([]),
        depth: 0,
        shell: Shell::default(),
        in_function: setting.in_function,
        zero: setting.zero.as_ref(),
        maybe: 0,
        fuel: FUEL,
        substitutions: BTreeMap::new(),
        functions: writes.functions.iter().map(|name| (name.clone(), anything.clone())).collect(),
        writes,
        given: setting.variables.keys().cloned().chain(["HOME".to_owned(), "PWD".to_owned()]).collect(),
    };
    resolver.list(&tree.list);
    // Another text of the call may have burnt the last of its fuel.
    if work::is_out() && resolver.fuel > 0 {
        resolver.fuel = 0;
        resolver.script.opaque.push(Opaque { span: 0..0, why: UnreadableReason::TooMuch });
    }
    resolver.script
}

struct Resolver<'a> {
    tree: &'a Tree,
    environment: Environment,
    script: Script,
    places: Vec<Nesting>,
    /// The places, shared by the commands in them.
    within: Arc<[Nesting]>,
    /// The number of substitutions around; the commands of one pipeline have the same number.
    depth: usize,
    /// The shell that runs what is followed.
    shell: Shell,
    /// The text is the body of a function.
    in_function: bool,
    /// `$0`, if it is known.
    zero: Option<&'a Word>,
    /// The number of conditions around.
    maybe: usize,
    fuel: usize,
    /// The commands of the substitutions that were already followed.
    substitutions: BTreeMap<usize, Arc<[CommandId]>>,
    /// The variables that calls of each function may set.
    functions: BTreeMap<String, Writes>,
    /// The variables that the whole text may set.
    writes: Writes,
    /// Variables that come from outside.
    given: BTreeSet<String>,
}

impl Resolver<'_> {
    /// Takes fuel. When there is none, that is noted once, and nothing is known any more.
    fn burn(&mut self, amount: usize) -> bool {
        if self.fuel == 0 {
            return false;
        }
        self.fuel = self.fuel.saturating_sub(amount);
        if !work::burn(amount) {
            self.fuel = 0;
        }
        if self.fuel == 0 {
            self.script.opaque.push(Opaque { span: 0..0, why: UnreadableReason::TooMuch });
            self.environment.blind();
        }
        self.fuel > 0
    }

    fn opaque(&mut self, span: Span, why: UnreadableReason) {
        let opaque = Opaque { span, why };
        if self.script.opaque.len() < 64 && !self.script.opaque.contains(&opaque) {
            self.script.opaque.push(opaque);
        }
    }

    fn snapshot(&mut self) -> Environment {
        self.burn(1);
        self.environment.clone()
    }

    /// Follows something inside a place.
    fn inside<T>(&mut self, place: Nesting, follow: impl FnOnce(&mut Self) -> T) -> T {
        self.places.push(place);
        let outer = std::mem::replace(&mut self.within, self.places.as_slice().into());
        let result = follow(self);
        self.within = outer;
        self.places.pop();
        result
    }

    /// Follows something that may run or not.
    fn maybe(&mut self, place: Nesting, follow: impl FnOnce(&mut Self)) {
        let before = self.snapshot();
        self.maybe += 1;
        self.inside(place, follow);
        self.maybe -= 1;
        self.unsettle(&before);
    }

    fn unsettle(&mut self, before: &Environment) {
        if self.environment.differs(before) {
            self.burn(16 * self.environment.size());
        }
        self.environment.unsettle(before);
    }

    /// Follows something that runs in a shell of its own.
    fn apart<T>(&mut self, place: Nesting, follow: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.snapshot();
        let outer = self.fork();
        let result = self.inside(place, follow);
        self.shell = outer;
        self.restore(before);
        result
    }

    /// Goes on in a child of the shell, and answers which shell that was.
    fn fork(&mut self) -> Shell {
        self.script.parents.push(self.shell);
        std::mem::replace(&mut self.shell, Shell(self.script.parents.len()))
    }

    fn restore(&mut self, before: Environment) {
        if self.environment.differs(&before) {
            self.burn(16 * self.environment.size());
        }
        let blind = self.fuel == 0;
        self.environment = before;
        if blind {
            self.environment.blind();
        }
    }

    /// The commands from there on that are not in a substitution of their own.
    fn direct(&self, from: usize) -> Arc<[CommandId]> {
        let commands = self.script.commands.iter().enumerate().skip(from);
        commands
            .filter(|(_, command)| command.depth == self.depth)
            .map(|(index, _)| CommandId(index))
            .collect()
    }

    fn list(&mut self, list: &List) {
        for chain in &list.chains {
            // That there is more has been said.
            if self.fuel == 0 {
                return;
            }
            if chain.background {
                self.apart(Nesting::Background, |resolver| resolver.chain(chain));
            } else {
                self.chain(chain);
            }
        }
    }

    fn chain(&mut self, chain: &Chain) {
        self.pipeline(&chain.first);
        if chain.rest.is_empty() {
            return;
        }
        self.maybe(Nesting::Branch, |resolver| {
            let start = resolver.snapshot();
            for (link, pipeline) in &chain.rest {
                match link {
                    // It runs after all of its predecessors did, as long as only `&&` joins them.
                    Link::And => resolver.pipeline(pipeline),
                    Link::Or => {
                        resolver.unsettle(&start);
                        let before = resolver.snapshot();
                        resolver.pipeline(pipeline);
                        resolver.unsettle(&before);
                    }
                }
            }
        });
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if let [command] = pipeline.stages.as_slice() {
            self.command(command);
            return;
        }
        let mut before: Option<Arc<[CommandId]>> = None;
        for (index, stage) in pipeline.stages.iter().enumerate() {
            let from = self.script.commands.len();
            let outer = self.snapshot();
            let shell = self.fork();
            self.inside(Nesting::Pipeline, |resolver| resolver.command(stage));
            self.shell = shell;
            let inner = std::mem::replace(&mut self.environment, outer);
            if index + 1 == pipeline.stages.len() {
                // Some shells, and bash with an option, run the last stage themselves.
                self.unsettle(&inner);
            }
            let ids = self.direct(from);
            if let Some(before) = before {
                self.connect(&before, &ids);
            }
            before = Some(ids);
        }
    }

    fn connect(&mut self, from: &Arc<[CommandId]>, to: &Arc<[CommandId]>) {
        for id in from.iter() {
            if let Some(command) = self.script.commands.get_mut(id.0)
                && command.stdout == Output::Inherited
            {
                command.stdout = Output::Pipe(Arc::clone(to));
            }
        }
        for id in to.iter() {
            if let Some(command) = self.script.commands.get_mut(id.0)
                && command.stdin == Input::Inherited
            {
                command.stdin = Input::Pipe(Arc::clone(from));
            }
        }
    }

    fn command(&mut self, command: &Command) {
        if let Kind::SimpleCommand { assignments, words } = &command.kind {
            self.simple(assignments, words, command);
            return;
        }
        let redirects = self.redirects(&command.redirects);
        if !redirects.is_empty() {
            self.emit(Vec::new(), Vec::new(), redirects.clone(), command.span.clone());
        }
        let from = self.script.commands.len();
        self.compound(&command.kind, &command.span);
        if redirects.is_empty() {
            return;
        }
        let depth = self.depth;
        if !self.burn(self.script.commands.len().saturating_sub(from).saturating_mul(redirects.len() * 8)) {
            return;
        }
        for inner in self.script.commands.iter_mut().skip(from).filter(|inner| inner.depth == depth) {
            inner.inherit(&redirects);
        }
    }

    fn apply(&mut self, writes: &Writes) {
        if writes.anything {
            self.environment.forget_all();
        }
        if writes.attributes {
            self.environment.blind();
        }
        for name in writes.names.keys() {
            self.environment.forget(name);
        }
    }

    fn simple(&mut self, assignments: &[Assignment], raw: &[RawWord], command: &Command) {
        let words = self.command_words(raw);
        let before = (!words.is_empty()).then(|| self.snapshot());
        let mut values = Vec::new();
        for assignment in assignments {
            let value = self.assign(assignment);
            values.push((assignment.name.clone(), value));
        }
        if let Some(before) = before {
            self.restore(before);
        }
        let redirects = self.redirects(&command.redirects);
        if !words.is_empty() {
            let names: Vec<&str> = assignments.iter().map(|assignment| assignment.name.as_str()).collect();
            let id = CommandId(self.script.commands.len());
            self.effects(&words, &names, id, &command.span);
        }
        self.emit(words, values, redirects, command.span.clone());
    }

    /// Sets a variable, and answers what to.
    fn assign(&mut self, assignment: &Assignment) -> Word {
        let Assignment { name, append, index, value } = assignment;
        if let Some(index) = index {
            self.visit(index);
            self.evaluates(index);
            self.forget_names(index);
        }
        let array = value.pieces.iter().any(|piece| matches!(piece, Piece::Array(_)));
        let mut word = self.assignment_value(value);
        if let Some(key) = index.as_deref().filter(|_| NAMES.contains(&name.as_str())).and_then(plain_key) {
            let defined_by = CommandId(self.script.commands.len());
            self.script.aliases.push(Alias { name: key, value: word.clone(), defined_by });
        }
        if index.is_some() || array {
            let elements = index.is_none().then(|| self.elements(name, *append, value, &word)).flatten();
            match elements {
                Some(elements) => self.environment.set_array(name, elements),
                None => self.environment.set(name, None),
            }
            return word;
        }
        if *append {
            word = match self.environment.get(name) {
                Some(environment::Value::Set(before)) => {
                    let mut whole = before.as_ref().clone();
                    word.parts.into_iter().for_each(|part| whole.push(part));
                    whole
                }
                Some(environment::Value::Unset) => word,
                Some(environment::Value::Array(_)) | None => {
                    let unknown = Unknown::new(UnknownSource::Variable(name.clone()));
                    word.parts.insert(0, Part::Unknown(unknown));
                    word
                }
            };
        }
        let fits = self.burn(word.size());
        self.environment.set(name, fits.then(|| word.clone()));
        word
    }

    /// The words of an array after an assignment, if each of them is known to be one word at its place.
    fn elements(&mut self, name: &str, append: bool, raw: &RawWord, value: &Word) -> Option<Vec<Word>> {
        let [Piece::Array(written)] = raw.pieces.as_slice() else { return None };
        let has_key = |word: &RawWord| matches!(word.pieces.first(), Some(Piece::Bare('[')));
        let [
            Part::Unknown(Unknown {
                why: UnknownSource::Array,
                among: Candidates::TheseOrAnything(words),
                ..
            }),
        ] = value.parts.as_slice()
        else {
            return None;
        };
        let certain = |word: &Word| {
            word.parts.iter().all(|part| match part {
                Part::Text(_) => true,
                Part::Glob(_) => false,
                Part::Unknown(unknown) => !unknown.splits && unknown.why != UnknownSource::TooMuch,
            })
        };
        if written.iter().any(has_key) {
            return if append {
                None
            } else {
                self.placed(written).filter(|words| words.iter().all(certain))
            };
        }
        if !words.iter().all(certain) {
            return None;
        }
        let mut elements = match (append, self.environment.get(name)) {
            (false, _) | (true, Some(environment::Value::Unset)) => Vec::new(),
            (true, Some(environment::Value::Array(before))) => before.to_vec(),
            (true, Some(environment::Value::Set(before))) => vec![before.as_ref().clone()],
            (true, None) => return None,
        };
        elements.extend(words.iter().cloned());
        self.burn(elements.iter().map(|word| word.size() + 16).sum()).then_some(elements)
    }

    /// `([1]=b [0]=a)`: the words in the order of their numbers, if there is one for each. Where names are the keys, the words as
    /// they are written: every one of them is looked for by its name.
    fn placed(&mut self, written: &[RawWord]) -> Option<Vec<Word>> {
        let mut placed: Vec<(usize, Word)> = Vec::new();
        let mut named: Vec<Word> = Vec::new();
        for word in written {
            let key = word.pieces.iter().position(|piece| matches!(piece, Piece::Bare('=')))?;
            let number: String = word
                .pieces
                .get(..key)?
                .iter()
                .map(|piece| match piece {
                    Piece::Bare(char) => Some(*char),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            let number = number.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
            let value = word.pieces.get(key + 1..)?;
            let value = self.joined(value, &word.span, expand::Tilde::Value(0));
            match number {
                Some(number) => placed.push((number, value)),
                None => named.push(value),
            }
        }
        if placed.is_empty() {
            return Some(named);
        }
        if !named.is_empty() {
            return None;
        }
        placed.small_sort_by_key(|(number, _)| *number);
        let in_order = placed.iter().enumerate().all(|(place, (number, _))| place == *number);
        in_order.then(|| placed.into_iter().map(|(_, word)| word).collect())
    }

    fn emit(
        &mut self,
        words: Vec<Word>,
        assignments: Vec<(String, Word)>,
        redirects: Vec<Arc<Redirect>>,
        span: Span,
    ) {
        let (exported, cost) = self.environment.passed();
        self.burn(cost);
        let mut simple = SimpleCommand {
            words,
            assignments,
            exported,
            watched: self.environment.watched(),
            redirects: Vec::new(),
            inherited: Vec::new(),
            stdin: Input::Inherited,
            stdout: Output::Inherited,
            within: Arc::clone(&self.within),
            runs: if self.maybe == 0 { Runs::Always } else { Runs::Maybe },
            span,
            shell: self.shell,
            depth: self.depth,
        };
        simple.point(&redirects);
        simple.redirects = redirects;
        self.script.commands.push(simple);
    }
}

/// Arrays in which shells keep what names mean: `BASH_ALIASES[x]=y` is `alias x=y`.
const NAMES: [&str; 6] = ["BASH_ALIASES", "BASH_CMDS", "aliases", "galiases", "functions", "commands"];

/// The text of an index, if nothing of it depends on the run.
fn plain_key(index: &[Piece]) -> Option<String> {
    let text = |piece: &Piece| match piece {
        Piece::Bare(char) => Some(char.to_string()),
        Piece::Quoted(text) => Some(text.clone()),
        _ => None,
    };
    index.iter().map(text).collect()
}
