//! From words to effects.
//!
//! The evaluator follows every simple command of a text: through the programs that run others, into the texts that shells
//! are given, and along what flows from one command to the next. The result is a flat list of
//! [`Effect`]s and of the commands that would run.
//!
//! Its state has three parts. A [`Frame`] is what surrounds one command: directory, variables, standard input. The
//! [`Session`] is what the commands so far have changed. The [`Sink`] takes what was found, and bounds the work.

mod agent_settings;
mod agents;
mod assignments;
mod command;
mod committed;
mod emit;
mod flow;
mod foreign_shell;
mod foreign_source;
mod frame;
pub(crate) mod git;
mod handlers;
mod holes;
mod installed;
mod limits;
mod locations;
mod losses;
mod network;
mod operands;
mod own_program;
mod packages;
mod program;
mod run_files;
mod runaway;
mod scope;
mod secret_exposure;
mod self_protection;
mod session;
mod shell;
mod sink;
mod size;
mod stdout;
mod streams;
mod subscripts;
mod supposed;
mod text;
mod transform;
mod typed;
mod typing;
mod unknown_programs;
mod variables;
mod whole;
mod words;

pub(crate) use handlers::Handler;
pub(crate) use losses::searched_directory;
pub(crate) use run_files::judge_files;
pub(crate) use sink::Sink;
pub(crate) use typed::Console;
pub(crate) use typing::is_typing;
pub(crate) use variables::matters_to_agents;
pub use words::show as shown;

use crate::{
    effect::Effect,
    judge::{CallContext, roots},
    ours::Ours,
    path::{LinkPolicy, PathPattern, ResolvedPath, Roots},
    qualities::Qualities,
    vocabulary::Action,
    world::World,
};
use checkrein_shell::{MAX_BYTES, Word};
use flow::Flow;
use frame::Frame;
use scope::Scope;
use session::Session;
use std::{
    cell::{OnceCell, RefCell},
    collections::VecDeque,
};

/// Follows what a call would run.
pub(crate) struct Evaluator<'w> {
    world: &'w dyn World,
    roots: Roots,
    cwd: PathPattern,
    home: String,
    /// The results.
    pub(crate) sink: Sink,
    /// The changes that the call has made so far.
    session: Session,
    /// The texts that are being followed, the innermost last.
    scopes: Vec<Scope>,
    /// The data that the holes of texts come from, by number ([`checkrein_shell::UnknownSource::Given`]).
    given: RefCell<Vec<Flow>>,
    /// The text is a part of a file, and where that is has been noted.
    placed: bool,
    /// The content that a tool writes to the file that it names.
    arriving: Option<String>,
    /// The number of texts that were followed although they are only supposed to run.
    supposed: usize,
    /// The input from the call's terminal: what is typed later, if that is possible.
    terminal: Flow,
    /// Paths that were resolved lately.
    known_spots: RefCell<VecDeque<(PathPattern, LinkPolicy, ResolvedPath)>>,
    /// The files that the guard depends on; looked up when something is changed.
    ours: OnceCell<Ours>,
    /// The programs of agents: looked up when something is changed outside the project.
    agents: OnceCell<Ours>,
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
            sink: Sink::new(),
            session: Session::default(),
            scopes: Vec::new(),
            placed: false,
            arriving: None,
            supposed: 0,
            terminal: if place.typed { Flow::typed() } else { Flow::default() },
            known_spots: RefCell::default(),
            given: RefCell::default(),
            ours: OnceCell::new(),
            agents: OnceCell::new(),
        }
    }

    /// Returns the frame of the call itself.
    fn outermost(&self) -> Frame {
        Frame { directories: vec![self.cwd.clone()], stdin: self.terminal.clone(), ..Frame::default() }
    }

    /// Follows the text of the call.
    pub(crate) fn start(&mut self, text: &str) {
        let frame = self.outermost();
        self.follow_text(text, &frame);
        self.follow_typed(&frame);
    }

    /// Follows the argument vector of the call.
    pub(crate) fn start_argv(&mut self, words: &[Word]) {
        let frame = self.outermost();
        self.scopes.push(Scope::default());
        if words.iter().map(|word| word.lead().len() + 1).sum::<usize>() > MAX_BYTES {
            self.emit_too_much(&frame);
            self.scopes.pop();
            return;
        }
        self.follow_argv(words, &frame);
        self.follow_typed(&frame);
        self.scopes.pop();
    }

    /// Follows what a tool does to a file.
    pub(crate) fn start_file(&mut self, action: Action, path: &str, content: Option<&str>) {
        let frame = Frame { directories: vec![self.cwd.clone()], ..Frame::default() };
        let expanded =
            path.strip_prefix("~/").map_or_else(|| path.to_owned(), |rest| format!("{}/{rest}", self.home));
        let word = Word::text(&expanded, 0..0);
        self.arriving = content.map(str::to_owned);
        self.emit_path(action, &word, Qualities::NONE, &frame);
        self.arriving = None;
        if let Some(content) = content.filter(|content| content.len() <= MAX_BYTES) {
            self.write_file(&word, &Flow::text(content), false, &frame);
        }
    }

    /// Follows what a tool does to a thing.
    pub(crate) fn start_resource(&mut self, effect: Effect) {
        let qualities = Qualities::of(&effect);
        self.emit(effect.action, effect.target, qualities, &Frame::default());
    }
}
