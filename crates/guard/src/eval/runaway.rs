//! Loops that start more and more processes.

use super::{Evaluator, Frame};
use crate::{
    effect::Target,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Taint},
};
use checkrein_shell::{Nesting, RedirectKind, Script, SimpleCommand, Span, Word, work};

impl Evaluator<'_> {
    /// Notes a loop without an end whose body only starts things in the background, so that nothing slows it down.
    pub(super) fn emit_endless_loop(&mut self, script: &Script, frame: &Frame) {
        let looped = |simple: &&SimpleCommand| simple.within.contains(&Nesting::Loop);
        let in_background = |simple: &SimpleCommand| {
            let place = |wanted: &Nesting| simple.within.iter().position(|place| place == wanted);
            place(&Nesting::Loop) < place(&Nesting::Background)
        };
        // What only prints into a file fills the disk as fast as it can.
        let appends = |simple: &SimpleCommand| {
            simple.redirects.iter().any(|redirect| redirect.kind == RedirectKind::Append)
        };
        let mut steps = script.commands.iter().filter(looped).peekable();
        let only_prints = steps.peek().is_some() && steps.all(prints);
        if only_prints && script.commands.iter().filter(looped).any(appends) {
            self.emit(Action::Exhaust, Target::Nothing, qualities![Taint::File], frame);
        }
        let starts_on = |span: &Span| {
            let inside =
                |simple: &&SimpleCommand| span.start <= simple.span.start && simple.span.end <= span.end;
            let mut body = script
                .commands
                .iter()
                .filter(looped)
                .filter(inside)
                .filter(|simple| !is_idle(simple))
                .peekable();
            body.peek().is_some() && body.all(in_background)
        };
        if script.endless.iter().any(|span| work::burn(script.commands.len()) && starts_on(span)) {
            self.emit(Action::Exhaust, Target::Nothing, Qualities::NONE, frame);
        }
    }
}

/// Commands that print at once.
fn prints(simple: &SimpleCommand) -> bool {
    let name = simple.words.first().and_then(Word::constant);
    name.is_some_and(|name| matches!(&*name, ":" | "true" | "echo" | "printf" | "date"))
}

/// Commands that take no time.
fn is_idle(simple: &SimpleCommand) -> bool {
    simple.words.first().and_then(Word::constant).is_none_or(|name| matches!(&*name, ":" | "true" | "echo"))
}
