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

use super::{Context, Evaluator, flow::Flow};
use crate::program::{Handler, Parsed};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// Follows one of them. `words`: the whole command, `parsed`: what the table makes of it.
    pub(super) fn special(
        &mut self,
        special: Handler,
        parsed: &Parsed,
        words: &[Word],
        context: &mut Context,
    ) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        match special {
            Handler::Shell => {
                let name = words.first().map(Word::lead).unwrap_or_default();
                let name = name.rsplit('/').next().unwrap_or_default();
                if matches!(name, "nu" | "xonsh" | "elvish") {
                    // Their assignments are not those of a shell.
                    let texts =
                        rest.iter().flat_map(|word| self.texts(word)).chain(context.stdin.text.clone());
                    let texts: Vec<String> = texts.collect();
                    let finds = texts.iter().map(|text| self.set_in(text)).max().unwrap_or_default();
                    context.finds = context.finds.max(finds);
                    // A block is an argument there, and holds commands.
                    for text in texts.iter().filter(|text| text.contains('{')) {
                        self.text(&text.replace(['{', '}'], "\n"), context);
                    }
                }
                self.shell(rest, context)
            }
            Handler::Eval => self.eval(rest, context),
            Handler::Source => self.source(rest, context),
            Handler::Cd => self.cd(rest, context),
            Handler::Trap => self.trap(rest, context),
            Handler::Alias => Flow::default(),
            Handler::Read => self.read_variables(words, context),
            Handler::Export => self.export(rest, context),
            Handler::Env => self.env(rest, context),
            Handler::Busybox => self.argv(rest, context),
            Handler::Printf => self.printf(rest),
            Handler::Find => self.find(rest, context),
            Handler::Fd => self.fd(parsed, rest, context),
            Handler::Set => self.remember(words, context),
            Handler::Editor => self.editor(parsed, rest, context),
            Handler::Scripts => self.scripts(parsed, rest, context),
            Handler::Xargs => self.xargs(parsed, words, context),
            Handler::Git => self.git(rest, context),
            Handler::Runner => self.runner(parsed, rest, context),
            Handler::Interpreter => self.interpreter(words, context),
            Handler::Snippet => self.snippet(parsed, rest, context),
            Handler::Awk => self.awk(rest, context),
            Handler::Make => self.make(parsed, rest, context),
            Handler::Just => self.just(parsed, rest, context),
            Handler::Database => self.database(parsed, words, context),
            Handler::Query => self.query(parsed, rest, context),
            Handler::Graphql => self.graphql(rest, context),
            Handler::Tar => self.tar(rest, context),
            Handler::Sed => self.sed(rest, context),
            Handler::Partitions => self.partitions(rest, context),
            Handler::Dd => self.dd(rest, context),
            Handler::Chmod => self.chmod(rest, context),
            Handler::Rsync => self.rsync(parsed, context),
            Handler::Ln => self.link(parsed, context),
            Handler::Kill
                if words
                    .first()
                    .is_some_and(|name| name.lead().ends_with("kill") && !name.lead().ends_with("pkill")) =>
            {
                self.kill(rest, context)
            }
            Handler::Kill => self.kill_by_name(parsed, rest, context),
            Handler::Go => self.go(parsed, rest, context),
            Handler::Cmd => self.cmd(rest, context),
            Handler::Fifo => self.fifo(parsed, rest, context),
            Handler::Clock => self.clock(parsed, rest, context),
            Handler::Seek => self.seeks(parsed, rest, context),
            Handler::Users => self.users_of(parsed, rest, context),
            Handler::Image => self.kill_image(parsed, context),
            Handler::Tmux => self.tmux(rest, context),
            Handler::Screen => match self.screen(rest, context) {
                Some(flow) => flow,
                None => self.plain(parsed, rest, context),
            },
            Handler::Zellij => self.zellij(rest, context),
            Handler::Kitty => match self.kitty(rest, context) {
                Some(flow) => flow,
                None => self.plain(parsed, rest, context),
            },
            Handler::Wezterm => self.wezterm(rest, context),
            Handler::Desktop => {
                let name = parsed.program.name.first().copied().unwrap_or_default();
                self.desktop(name, rest, context)
            }
            Handler::Layout => self.layout(parsed, context),
            Handler::History => self.history(rest, context),
            Handler::Crontab => self.crontab(rest, context),
            Handler::Checkrein => self.ourselves(rest, context),
            Handler::Container => self.container(parsed, rest, context),
            Handler::Chroot => self.chroot(parsed, rest, context),
            Handler::Pipe => self.pipe(parsed, rest, context),
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
