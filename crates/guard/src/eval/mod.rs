//! From words to effects.
//!
//! Every simple command of a text is followed: through the programs that run others, into the texts that shells are given,
//! and along what flows from one command to the next. What is found is a flat list of [`Effect`]s and of the commands that
//! would run.

mod agent_settings;
mod agents;
mod assignments;
mod command;
mod flow;
mod foreign_shell;
mod git;
mod handlers;
mod installed;
mod locations;
mod network;
mod operands;
mod own_program;
mod packages;
mod program;
mod runaway;
mod secret_exposure;
mod self_protection;
mod shell;
mod size;
mod stdout;
mod subscripts;
mod text;
mod transform;
mod typed;
mod typing;
mod unknown_programs;
mod variables;
mod words;

pub(crate) use typed::Console;
pub(crate) use variables::{Kind, leads_agents};

use crate::{
    allow::NotCoverable,
    effect::{Effect, Invocation, Target},
    judge::{CallContext, roots},
    ours::Ours,
    path::{LinkPolicy, PathPattern, Reach, ResolvedPath, Roots},
    vocabulary::{Mark, Marks, Tag, Verb, Zone},
    world::{FileKind, World},
};
use agent_settings::{Finds, Shown};
use assignments::Assigned;
use checkrein_shell::{
    CommandId, MAX_BYTES, Opaque, Output, Script, Shell, ShellEnv, UnreadableReason, Word, work,
};
use flow::Flow;
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

/// How deep texts and commands may be in one another.
const DEPTH: usize = 24;
/// How many commands are followed.
const COMMANDS: usize = 4096;
/// How much is done for one call, in about hundreds of instructions. A text can make a lot of work in a few characters:
/// functions that call each other, words that may be many things.
const FUEL: usize = 150_000;
/// How far back an effect is looked for that is said again.
const RECENT: usize = 32;
/// How many effects are kept.
const EFFECTS: usize = 4096;

/// Follows what a call would run.
pub(crate) struct Evaluator<'w> {
    world: &'w dyn World,
    roots: Roots,
    cwd: PathPattern,
    home: String,
    pub(crate) effects: Vec<Effect>,
    pub(crate) ran: Vec<Invocation>,
    pub(crate) opaque: Vec<Opaque>,
    /// The first thing that nobody can be allowed.
    pub(crate) loose: Option<NotCoverable>,
    /// The texts that are being followed, the innermost last.
    scopes: Vec<Scope>,
    /// What the call itself wrote, by path.
    files: BTreeMap<String, Content>,
    /// Directories that the call itself fetched from another machine.
    fetched: Vec<String>,
    /// Files that a shell reads before somebody writes them: pipes with a name.
    awaited: Vec<String>,
    /// Links that the call itself made.
    links: BTreeMap<String, String>,
    /// Descriptors that lead to other machines.
    sockets: BTreeMap<u32, Word>,
    /// What is read from descriptors that were opened before.
    descriptors: BTreeMap<u32, Flow>,
    /// The files that descriptors were opened for to be written.
    outputs: BTreeMap<u32, Word>,
    /// Places that were found lately.
    known_spots: RefCell<VecDeque<(PathPattern, LinkPolicy, ResolvedPath)>>,
    /// Functions that were defined, with their bodies.
    functions: BTreeMap<String, String>,
    aliases: BTreeMap<String, Word>,
    /// Aliases of git that were set.
    git_aliases: BTreeMap<String, String>,
    /// Functions and aliases that are being followed: a call of one of them is a loop.
    active: Vec<String>,
    /// What the surroundings are for, as the text has chosen them for all that follows.
    environment: Marks,
    /// What the call looked for among the processes.
    hunt: Option<handlers::Hunt>,
    /// What it typed into terminals.
    typed: Vec<typing::Typed>,
    /// The terminal that it types into at the moment.
    typing_into: String,
    /// What it put into the buffers of terminals, by their names.
    buffers: BTreeMap<String, Flow>,
    /// The program of another language that is being followed has looked for us, or read who is told to ask us.
    found_us: bool,
    /// A program of the text was given ours.
    given_us: bool,
    /// Which settings agents find after what the text has done.
    finds: Finds,
    /// The shell exports whatever it sets.
    exports_all: bool,
    /// What a tool writes to the file that it names.
    arriving: Option<String>,
    /// What the terminal of the call gives: what is typed later, if that can happen.
    terminal: Flow,
    /// What is said is about the command that comes next: its redirections are opened before it runs.
    upcoming: bool,
    /// What the guard depends on: looked up when something is changed.
    ours: OnceCell<Ours>,
    /// The programs of agents: looked up when something is changed outside of the project.
    agents: OnceCell<Ours>,
    depth: usize,
    fuel: Cell<usize>,
}

/// A text that is being followed.
#[derive(Default)]
struct Scope {
    text: String,
    /// What the commands so far print.
    flows: Vec<Flow>,
    /// The commands whose output goes to another one, or to a file.
    passed_on: BTreeSet<CommandId>,
    /// Where each shell is.
    directories: BTreeMap<Shell, Vec<PathPattern>>,
    /// Variables that were read from something.
    variables: BTreeMap<String, Flow>,
    /// What the text assigns.
    assigned: Assigned,
    /// Its assignments as they are written, one on each line.
    assignments: String,
}

/// What a file holds that the call itself wrote.
#[derive(Clone, Debug, Default)]
struct Content {
    /// A program by another name.
    program: Option<String>,
    flow: Flow,
}

/// In what surroundings a command runs.
#[derive(Clone, Debug, Default)]
struct Context {
    /// The working directory; several if it is not certain which.
    directories: Vec<PathPattern>,
    /// How everything is done here: with other rights, elsewhere, later.
    marks: Marks,
    /// What the surroundings are for, as the environment says.
    environment: Marks,
    /// What the text around it has exported, as far as that is known.
    exported: Option<Arc<BTreeMap<String, String>>>,
    /// Which settings agents find in the environment.
    finds: Finds,
    /// What is seen of the file system in another way, in the order in which it takes effect.
    view: Arc<Vec<Shown>>,
    /// What it reads from standard input.
    stdin: Flow,
    /// The file that standard input was opened from.
    opened: Option<Word>,
    /// Its input and output are connected to another machine.
    wired: bool,
    /// The text is the body of a function.
    in_function: bool,
    /// Directories of this machine that a container sees, by its own name for them.
    mounts: Vec<(PathPattern, PathPattern)>,
}

impl Context {
    /// A command is given a variable, for itself alone.
    fn gives(&mut self, name: &str, value: &Word) {
        match value.constant() {
            Some(value) => {
                let exported = Arc::make_mut(self.exported.get_or_insert_default());
                exported.insert(name.to_owned(), value.into_owned());
            }
            None => self.takes(name),
        }
    }

    /// What a variable holds is not known any more.
    fn takes(&mut self, name: &str) {
        if let Some(exported) = self.exported.as_mut().filter(|exported| exported.contains_key(name)) {
            Arc::make_mut(exported).remove(name);
        }
    }
}

impl<'w> Evaluator<'w> {
    pub(crate) fn new(place: &CallContext, world: &'w dyn World) -> Self {
        let home = world.home().unwrap_or_else(|| "/home/you".to_owned());
        let cwd = place.cwd.as_deref().map_or_else(PathPattern::unknown, PathPattern::of);
        Self {
            world,
            roots: roots(place, world),
            cwd,
            home,
            effects: Vec::new(),
            ran: Vec::new(),
            opaque: Vec::new(),
            loose: None,
            scopes: Vec::new(),
            files: BTreeMap::new(),
            fetched: Vec::new(),
            awaited: Vec::new(),
            links: BTreeMap::new(),
            sockets: BTreeMap::new(),
            descriptors: BTreeMap::new(),
            outputs: BTreeMap::new(),
            known_spots: RefCell::default(),
            functions: BTreeMap::new(),
            aliases: BTreeMap::new(),
            git_aliases: BTreeMap::new(),
            active: Vec::new(),
            environment: Marks::NONE,
            hunt: None,
            typed: Vec::new(),
            typing_into: String::new(),
            buffers: BTreeMap::new(),
            found_us: false,
            given_us: false,
            finds: Finds::Own,
            exports_all: false,
            arriving: None,
            terminal: if place.typed { Flow::typed() } else { Flow::default() },
            upcoming: false,
            ours: OnceCell::new(),
            agents: OnceCell::new(),
            depth: 0,
            fuel: Cell::new(FUEL),
        }
    }

    /// Takes fuel. When there is none, nothing more is followed, and that is said.
    fn burn(&self, amount: usize) -> bool {
        self.fuel.set(self.fuel.get().saturating_sub(amount));
        let left = work::burn(amount.saturating_mul(10));
        if !left {
            self.fuel.set(0);
        }
        self.fuel.get() > 0
    }

    /// The surroundings of the call itself.
    fn outermost(&self) -> Context {
        Context { directories: vec![self.cwd.clone()], stdin: self.terminal.clone(), ..Context::default() }
    }

    /// Follows the text of the call.
    pub(crate) fn start(&mut self, text: &str) {
        let context = self.outermost();
        self.text(text, &context);
        self.typed_together(&context);
    }

    /// Follows the argument vector of the call.
    pub(crate) fn start_argv(&mut self, words: &[Word]) {
        let context = self.outermost();
        self.scopes.push(Scope::default());
        if words.iter().map(|word| word.lead().len() + 1).sum::<usize>() > MAX_BYTES {
            self.say(Verb::Opaque, Target::Nothing, Marks::of(&[Mark::TooMuch]), &context);
            self.scopes.pop();
            return;
        }
        self.argv(words, &context);
        self.typed_together(&context);
        self.scopes.pop();
    }

    /// Follows what a tool does to a file.
    pub(crate) fn start_file(&mut self, verb: Verb, path: &str, content: Option<&str>) {
        let context = Context { directories: vec![self.cwd.clone()], ..Context::default() };
        let expanded =
            path.strip_prefix("~/").map_or_else(|| path.to_owned(), |rest| format!("{}/{rest}", self.home));
        let word = Word::text(&expanded, 0..0);
        self.arriving = content.map(str::to_owned);
        self.path(verb, &word, Marks::NONE, &context);
        self.arriving = None;
        if let Some(content) = content.filter(|content| content.len() <= MAX_BYTES) {
            self.fill(&word, &Flow::text(content), false, &context);
        }
    }

    /// Follows what a tool does to a thing.
    pub(crate) fn start_resource(&mut self, verb: Verb, name: &str, marks: Marks) {
        let target = if name.is_empty() { Target::Nothing } else { Target::Name(name.to_owned()) };
        self.say(verb, target, marks, &Context::default());
    }

    /// Says that not everything was followed.
    pub(crate) fn too_much(&mut self) {
        let marks = Marks::of(&[Mark::TooMuch]);
        if !self.effects.iter().any(|effect| effect.verb == Verb::Opaque && effect.marks.has(Mark::TooMuch)) {
            let by = self.ran.len().saturating_sub(1);
            self.effects.push(Effect { verb: Verb::Opaque, target: Target::Nothing, marks, by });
        }
    }

    /// Follows a text for a shell, and answers what it prints.
    fn text(&mut self, text: &str, context: &Context) -> Flow {
        let mut context = context.clone();
        self.text_in(text, &mut context)
    }

    /// The same in the shell that is running already: where it is afterwards stays.
    fn text_in(&mut self, text: &str, context: &mut Context) -> Flow {
        if self.depth >= DEPTH || text.len() > MAX_BYTES || !self.burn(text.len() + 64) {
            self.say(Verb::Opaque, Target::Nothing, Marks::of(&[Mark::TooMuch]), context);
            return Flow::default();
        }
        let cwd = match context.directories.as_slice() {
            [directory] if directory.is_known() => Some(directory.to_string()),
            _ => None,
        };
        let setting = ShellEnv {
            home: Some(self.home.clone()),
            cwd,
            variables: context.exported.as_deref().cloned().unwrap_or_default(),
            in_function: context.in_function,
            ..ShellEnv::default()
        };
        let script = crate::read(text, &setting);
        self.unreadable(&script, context);
        self.loose = self.loose.or_else(|| NotCoverable::of(&script, text));
        let directories = BTreeMap::from([(Shell::default(), context.directories.clone())]);
        self.scopes.push(Scope {
            text: text.to_owned(),
            directories,
            assigned: Assigned::of(&script),
            assignments: assignments::sources(&script, text),
            ..Scope::default()
        });
        self.depth += 1;
        self.define(&script, text);
        self.endless(&script, context);
        self.powershell(&script, text, context);
        let mut printed = Flow::default();
        for index in 0..script.commands.len() {
            let Some(simple) = script.commands.get(index) else { break };
            if self.fuel.get() == 0 {
                self.say(Verb::Opaque, Target::Nothing, Marks::of(&[Mark::TooMuch]), context);
                break;
            }
            let flow = self.simple(index, simple, &script, context);
            self.drains(index, &flow, &script, context);
            self.coprocesses(index, &flow, &script, context);
            if matches!(simple.stdout, Output::Pipe(_) | Output::File(_))
                && let Some(scope) = self.scopes.last_mut()
            {
                scope.passed_on.insert(CommandId(index));
            }
            if flow::reaches_the_end(simple) {
                printed.add(&flow);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.flows.push(flow);
            }
        }
        // What a variable may be is known when all commands were followed.
        self.evaluated(&script, context);
        self.handlers(&script, context);
        self.depth -= 1;
        if let Some(scope) = self.scopes.pop()
            && let Some(directories) = scope.directories.get(&Shell::default())
        {
            context.directories.clone_from(directories);
        }
        printed
    }

    /// What could not be read is never safe.
    fn unreadable(&mut self, script: &Script, context: &Context) {
        for opaque in &script.opaque {
            let mark = match opaque.why {
                // Followed with what is evaluated.
                UnreadableReason::Evaluated => continue,
                UnreadableReason::TooLong
                | UnreadableReason::Nul
                | UnreadableReason::NotUtf8
                | UnreadableReason::TooDeep
                | UnreadableReason::TooMuch => Mark::TooMuch,
                // Open quotes and the like, and every cause that the reader may learn to name.
                _ => Mark::Unreadable,
            };
            self.say(Verb::Opaque, Target::Nothing, Marks::of(&[mark]), context);
            if self.opaque.len() < 64 {
                self.opaque.push(opaque.clone());
            }
        }
    }

    /// Notes an effect.
    fn say(&mut self, verb: Verb, target: Target, marks: Marks, context: &Context) {
        let by = if self.upcoming { self.ran.len() } else { self.ran.len().saturating_sub(1) };
        let (target, marks) = self.about_ours(verb, target, marks.and(context.marks));
        let effect = Effect { verb, target, marks, by };
        // A loop or a long list says the same again and again.
        let recent = self.effects.len().saturating_sub(RECENT);
        if self.effects.len() == EFFECTS {
            // More than that nobody reads; what follows is not safe for that.
            self.effects.push(Effect {
                verb: Verb::Opaque,
                target: Target::Nothing,
                marks: Marks::of(&[Mark::TooMuch]),
                by,
            });
        }
        if self.effects.len() < EFFECTS && !self.effects.iter().skip(recent).any(|known| *known == effect) {
            self.effects.push(effect);
        }
    }

    /// Notes that a command would run.
    fn runs(&mut self, words: &[Word], known_as: Option<String>, context: &Context) -> bool {
        if self.ran.len() >= COMMANDS {
            self.say(Verb::Opaque, Target::Nothing, Marks::of(&[Mark::TooMuch]), context);
            return false;
        }
        if words.iter().any(Word::is_unknown) {
            self.loose.get_or_insert(NotCoverable::Variable);
        }
        let words = words.iter().map(words::show).collect();
        let directory = match context.directories.as_slice() {
            [directory] if directory.is_known() => Some(directory.to_string()),
            _ => None,
        };
        self.ran.push(Invocation { words, known_as, depth: self.depth, directory });
        true
    }

    /// Notes an effect on each place that a word may mean.
    fn path(&mut self, verb: Verb, word: &Word, marks: Marks, context: &Context) -> Vec<ResolvedPath> {
        let last = match verb {
            Verb::Delete | Verb::Move | Verb::Link => LinkPolicy::Keep,
            _ => LinkPolicy::Follow,
        };
        let mut places = self.places(word, last, context);
        // A blank where something is written makes a mistake; where something is deleted it makes a catastrophe.
        if !matches!(verb, Verb::Delete | Verb::Move | Verb::Mode | Verb::Owner) {
            places.retain(|(_, marks)| !marks.has(Mark::EmptyVariable));
        }
        // Files have nothing below them.
        let files = word.parts.len() == 1 && word.unknowns().any(|unknown| self.origin(unknown).files);
        let marks = if files { marks.without(Mark::Recursive) } else { marks };
        let found = self_protection::CHANGES.has(verb) && self.may_be_found(word);
        for (spot, more) in &places {
            let marks = if found
                && (!spot.path.starts_with('/') || spot.path.contains('…') || word.constant().is_some())
            {
                marks.with(Mark::PerhapsOurs)
            } else {
                marks
            };
            let marks = if self.is_file(spot) { marks.without(Mark::Recursive) } else { marks };
            let marks = marks.and(*more);
            // A pattern of what people write is many files at once.
            let many = spot.tags.has(Tag::Source) && shell::is_pattern(spot);
            let marks =
                if many || spot.reach == Reach::Contents { marks.with(Mark::Sweeping) } else { marks };
            let known = spot.tags.has(Tag::AgentRuns)
                && (self.arriving.is_some() || verb == Verb::Create && self.makes_a_directory());
            let marks = if known { marks.with(Mark::Known) } else { marks };
            self.say(verb, Target::Path(spot.clone()), marks, context);
        }
        places.into_iter().map(|(spot, _)| spot).collect()
    }

    /// Whether the command makes directories, in which there is nothing yet.
    fn makes_a_directory(&self) -> bool {
        let program = self.ran.last().and_then(|ran| ran.words.first());
        program.is_some_and(|program| program.rsplit('/').next() == Some("mkdir"))
    }

    /// Whether something of the project is a file: the disk says so, or its name has an ending.
    fn is_file(&self, spot: &ResolvedPath) -> bool {
        let name = spot.path.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
        let named = ending.is_some_and(|ending| {
            ending.len() <= 5 && ending.chars().all(|char| char.is_ascii_alphanumeric())
        });
        spot.zone == Zone::Project
            && spot.reach == Reach::Itself
            && match self.world.entry(&spot.path) {
                Some(FileKind::File | FileKind::Other | FileKind::Link(_)) => true,
                Some(FileKind::Directory) => false,
                None => named,
            }
    }

    fn scope(&self) -> Option<&Scope> {
        self.scopes.last()
    }
}
