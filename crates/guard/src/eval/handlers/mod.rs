//! Programs of which a table cannot say everything, each in the file of its kind.

mod agents;
mod chmod;
mod cmd;
mod code_effects;
mod copy_link;
mod database;
mod editor;
mod fd;
mod find_expression;
mod graphql;
mod interpreter;
mod network;
mod processes;
mod scripts;
mod sed;
mod shell_state;
mod shells;
mod snippet;
mod tar;
mod timers_traces;
mod unpack;
mod xargs_find;
pub(in crate::eval) use unpack::PREFIXES;

pub(super) use chmod::permissions;
pub(super) use processes::Hunt;

use super::{Evaluator, Frame, flow::Flow};
use crate::program::{Handler, Parsed};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// Follows one of them. `words`: the whole command, `parsed`: what the table makes of it.
    pub(super) fn special(
        &mut self,
        special: Handler,
        parsed: &Parsed,
        words: &[Word],
        frame: &mut Frame,
    ) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        match special {
            Handler::Shell => {
                let name = words.first().map(Word::lead).unwrap_or_default();
                let name = name.rsplit('/').next().unwrap_or_default();
                if matches!(name, "nu" | "xonsh" | "elvish") {
                    // Their assignments are not those of a shell.
                    let texts = rest.iter().flat_map(|word| self.texts(word)).chain(frame.stdin.text.clone());
                    let texts: Vec<String> = texts.collect();
                    let finds = texts.iter().map(|text| self.set_in(text)).max().unwrap_or_default();
                    frame.finds = frame.finds.max(finds);
                    // A block is an argument there, and holds commands.
                    for text in texts.iter().filter(|text| text.contains('{')) {
                        self.follow_text(&text.replace(['{', '}'], "\n"), frame);
                    }
                }
                self.shell(rest, frame)
            }
            Handler::Eval => self.eval(rest, frame),
            Handler::Source => self.source(rest, frame),
            Handler::Cd => self.cd(rest, frame),
            Handler::Trap => self.trap(rest, frame),
            Handler::Alias => Flow::default(),
            Handler::Read => self.read_variables(words, frame),
            Handler::Export => self.export(rest, frame),
            Handler::Env => self.env(rest, frame),
            Handler::Busybox => self.follow_argv(rest, frame),
            Handler::Printf => self.printf(rest),
            Handler::Find => self.find(rest, frame),
            Handler::Fd => self.fd(parsed, rest, frame),
            Handler::Set => self.shell_state(words, frame),
            Handler::Editor => self.editor(parsed, rest, frame),
            Handler::Scripts => self.scripts(parsed, rest, frame),
            Handler::Xargs => self.xargs(parsed, words, frame),
            Handler::Git => self.git(rest, frame),
            Handler::Runner => self.runner(parsed, rest, frame),
            Handler::Interpreter => self.interpreter(words, frame),
            Handler::Snippet => self.snippet(parsed, rest, frame),
            Handler::Awk => self.awk(rest, frame),
            Handler::Make => self.make(parsed, rest, frame),
            Handler::Just => self.just(parsed, rest, frame),
            Handler::Database => self.database(parsed, words, frame),
            Handler::Query => self.query(parsed, rest, frame),
            Handler::Graphql => self.graphql(rest, frame),
            Handler::Tar => self.tar(rest, frame),
            Handler::Sed => self.sed(rest, frame),
            Handler::Partitions => self.partitions(rest, frame),
            Handler::Dd => self.dd(rest, frame),
            Handler::Chmod => self.chmod(rest, frame),
            Handler::Rsync => self.rsync(parsed, frame),
            Handler::Ln => self.link(parsed, frame),
            Handler::Kill
                if words
                    .first()
                    .is_some_and(|name| name.lead().ends_with("kill") && !name.lead().ends_with("pkill")) =>
            {
                self.kill(rest, frame)
            }
            Handler::Kill => self.kill_by_name(parsed, rest, frame),
            Handler::Go => self.go(parsed, rest, frame),
            Handler::Cmd => self.cmd(rest, frame),
            Handler::Fifo => self.fifo(parsed, rest, frame),
            Handler::Clock => self.clock(parsed, rest, frame),
            Handler::Seek => self.search_processes(parsed, rest, frame),
            Handler::Users => self.users_of(parsed, rest, frame),
            Handler::Image => self.kill_image(parsed, frame),
            Handler::Tmux => self.tmux(rest, frame),
            Handler::Screen => match self.screen(rest, frame) {
                Some(flow) => flow,
                None => self.follow_table(parsed, rest, frame),
            },
            Handler::Zellij => self.zellij(rest, frame),
            Handler::Kitty => match self.kitty(rest, frame) {
                Some(flow) => flow,
                None => self.follow_table(parsed, rest, frame),
            },
            Handler::Wezterm => self.wezterm(rest, frame),
            Handler::Desktop => {
                let name = parsed.program.name.first().copied().unwrap_or_default();
                self.desktop(name, rest, frame)
            }
            Handler::Layout => self.layout(parsed, frame),
            Handler::History => self.history(rest, frame),
            Handler::Crontab => self.crontab(rest, frame),
            Handler::Checkrein => self.follow_own_program(rest, frame),
            Handler::Container => self.container(parsed, rest, frame),
            Handler::Chroot => self.chroot(parsed, rest, frame),
            Handler::Pipe => self.pipe(parsed, rest, frame),
        }
    }
}

/// Words of a command line as they are read one after another.
pub(super) struct Reader<'a> {
    words: &'a [Word],
}

impl<'a> Reader<'a> {
    pub(super) fn new(words: &'a [Word]) -> Self {
        Self { words }
    }

    pub(super) fn next(&mut self) -> Option<&'a Word> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.words = self.words.get(count..).unwrap_or_default();
    }

    pub(super) fn rest(&self) -> &'a [Word] {
        self.words
    }
}

/// The long option that is meant: GNU programs take any beginning that fits only one.
pub(super) fn long_option<'a>(given: &'a str, known: &[&'static str]) -> &'a str {
    if known.contains(&given) {
        return given;
    }
    let mut fitting = known.iter().filter(|name| name.starts_with(given));
    match (fitting.next(), fitting.next()) {
        (Some(name), None) if !given.is_empty() => name,
        _ => given,
    }
}

/// The words in one, with spaces between them.
pub(super) fn join(words: &[Word]) -> Word {
    let mut whole = Word::default();
    for (place, word) in words.iter().enumerate() {
        if place > 0 {
            whole.push_text(" ");
        }
        word.parts.iter().for_each(|part| whole.push(part.clone()));
    }
    whole
}
