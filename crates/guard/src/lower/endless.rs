//! Loops that start more and more processes.

use super::{Context, Lowering};
use crate::{
    effect::Target,
    script::{Place, RedirectKind, Script, Simple},
    vocabulary::{Mark, Marks, Verb},
    word::Word,
};

impl Lowering<'_> {
    /// Notes a loop without an end whose body only starts things in the background, so that nothing slows it down.
    pub(super) fn endless(&mut self, script: &Script, text: &str, context: &Context) {
        let looped = |simple: &&Simple| simple.within.contains(&Place::Loop);
        let in_background = |simple: &Simple| {
            let place = |wanted: &Place| simple.within.iter().position(|place| place == wanted);
            place(&Place::Loop) < place(&Place::Background)
        };
        // What only prints into a file fills the disk as fast as it can.
        let appends =
            |simple: &Simple| simple.redirects.iter().any(|redirect| redirect.kind == RedirectKind::Append);
        let mut steps = script.commands.iter().filter(looped).peekable();
        let only_prints = steps.peek().is_some() && steps.all(prints);
        if only_prints && script.commands.iter().filter(looped).any(appends) {
            self.say(Verb::Exhaust, Target::Nothing, Marks::of(&[Mark::File]), context);
        }
        let mut body = script.commands.iter().filter(looped).filter(|simple| !is_idle(simple)).peekable();
        // Last, because it looks at the whole text.
        if body.peek().is_some() && body.all(in_background) && has_endless_loop(text) {
            self.say(Verb::Exhaust, Target::Nothing, Marks::NONE, context);
        }
    }
}

/// Commands that print at once.
fn prints(simple: &Simple) -> bool {
    let name = simple.words.first().and_then(Word::constant);
    name.is_some_and(|name| matches!(&*name, ":" | "true" | "echo" | "printf" | "date"))
}

/// Commands that take no time.
fn is_idle(simple: &Simple) -> bool {
    simple.words.first().and_then(Word::constant).is_none_or(|name| matches!(&*name, ":" | "true" | "echo"))
}

/// Whether a text has a loop that only something in it can end.
fn has_endless_loop(text: &str) -> bool {
    let plain: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    [
        "while true",
        "while :",
        "while [ 1 ]",
        "while ((1))",
        "while (( 1 ))",
        "until false",
        "for ((;;))",
        "for (( ; ; ))",
        "while [[ 1 ]]",
    ]
    .iter()
    .any(|head| plain.contains(head))
}
