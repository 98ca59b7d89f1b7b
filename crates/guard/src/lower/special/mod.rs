//! Programs of which a table cannot say everything, each in the file of its kind.

mod acts;
mod agents;
mod chmod;
mod cmd;
mod code;
mod database;
mod editor;
mod expression;
mod fd;
mod files;
mod graphql;
mod machine;
mod network;
mod processes;
mod remember;
mod scripts;
mod search;
mod sed;
mod shells;
mod snippet;
mod tar;
mod unpack;
pub(in crate::lower) use unpack::PREFIXES;

pub(super) use chmod::permissions;
pub(super) use processes::Hunt;

use super::{Context, Lowering, flow::Flow};
use crate::program::{Parsed, Special};
use checkrein_shell::Word;

impl Lowering<'_> {
    /// Follows one of them. `words`: the whole command, `parsed`: what the table makes of it.
    pub(super) fn special(
        &mut self,
        special: Special,
        parsed: &Parsed,
        words: &[Word],
        context: &mut Context,
    ) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        match special {
            Special::Shell => {
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
            Special::Eval => self.eval(rest, context),
            Special::Source => self.source(rest, context),
            Special::Cd => self.cd(rest, context),
            Special::Trap => self.trap(rest, context),
            Special::Alias => Flow::default(),
            Special::Read => self.read_variables(words, context),
            Special::Export => self.export(rest, context),
            Special::Env => self.env(rest, context),
            Special::Busybox => self.argv(rest, context),
            Special::Printf => self.printf(rest),
            Special::Find => self.find(rest, context),
            Special::Fd => self.fd(parsed, rest, context),
            Special::Set => self.remember(words, context),
            Special::Editor => self.editor(parsed, rest, context),
            Special::Scripts => self.scripts(parsed, rest, context),
            Special::Xargs => self.xargs(parsed, words, context),
            Special::Git => self.git(rest, context),
            Special::Runner => self.runner(parsed, rest, context),
            Special::Interpreter => self.interpreter(words, context),
            Special::Snippet => self.snippet(parsed, rest, context),
            Special::Awk => self.awk(rest, context),
            Special::Make => self.make(parsed, rest, context),
            Special::Just => self.just(parsed, rest, context),
            Special::Database => self.database(parsed, words, context),
            Special::Query => self.query(parsed, rest, context),
            Special::Graphql => self.graphql(rest, context),
            Special::Tar => self.tar(rest, context),
            Special::Sed => self.sed(rest, context),
            Special::Partitions => self.partitions(rest, context),
            Special::Dd => self.dd(rest, context),
            Special::Chmod => self.chmod(rest, context),
            Special::Rsync => self.rsync(parsed, context),
            Special::Ln => self.link(parsed, context),
            Special::Kill
                if words
                    .first()
                    .is_some_and(|name| name.lead().ends_with("kill") && !name.lead().ends_with("pkill")) =>
            {
                self.kill(rest, context)
            }
            Special::Kill => self.kill_by_name(parsed, rest, context),
            Special::Go => self.go(parsed, rest, context),
            Special::Cmd => self.cmd(rest, context),
            Special::Fifo => self.fifo(parsed, rest, context),
            Special::Clock => self.clock(parsed, rest, context),
            Special::Seek => self.seeks(parsed, rest, context),
            Special::Users => self.users_of(parsed, rest, context),
            Special::Image => self.kill_image(parsed, context),
            Special::Tmux => self.tmux(rest, context),
            Special::Screen => match self.screen(rest, context) {
                Some(flow) => flow,
                None => self.plain(parsed, rest, context),
            },
            Special::Zellij => self.zellij(rest, context),
            Special::Kitty => match self.kitty(rest, context) {
                Some(flow) => flow,
                None => self.plain(parsed, rest, context),
            },
            Special::Wezterm => self.wezterm(rest, context),
            Special::Desktop => {
                let name = parsed.program.name.first().copied().unwrap_or_default();
                self.desktop(name, rest, context)
            }
            Special::Layout => self.layout(parsed, context),
            Special::History => self.history(rest, context),
            Special::Crontab => self.crontab(rest, context),
            Special::Checkrein => self.ourselves(rest, context),
            Special::Container => self.container(parsed, rest, context),
            Special::Chroot => self.chroot(parsed, rest, context),
            Special::Pipe => self.pipe(parsed, rest, context),
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
