//! Checks the examples of a rule. They show its author that a word does not mean what they think.
//!
//! They are judged on a machine that has only a home directory and a project in it, so that the same file is right or
//! wrong everywhere. That takes longer than reading the file, so it is done where a user waits for it (`hooks`,
//! `check`, `test`), and when a file is read to be cached; an event that cannot cache anything trusts the file.

use super::Shown;
use crate::config::{reader::ConfigReader, tree::Span};
use checkrein_guard::{CallContext, EmptyWorld, Rule, judge};
use std::borrow::Cow;

/// The maximum total length of a file's examples, in bytes: a file must not take an event's time.
const MOST: usize = 64 * 1024;

/// The purpose of an example.
#[derive(Clone, Copy, PartialEq)]
enum Shows {
    Found,
    Other,
}

const HOME: &str = "/home/user";
const PROJECT: &str = "/home/user/project";

impl ConfigReader<'_, '_> {
    /// Adds a problem for each example that does not hold. `spent`: how long those before it were.
    pub(super) fn examples(&mut self, rule: &Rule, shown: &Shown, spent: &mut usize) {
        self.each("match", rule, (&rule.matches, &shown.matches), Shows::Found, spent);
        self.each("not_match", rule, (&rule.not_matches, &shown.not_matches), Shows::Other, spent);
    }

    fn each(
        &mut self,
        key: &str,
        rule: &Rule,
        (texts, spans): (&[Cow<'static, str>], &[Span]),
        shows: Shows,
        spent: &mut usize,
    ) {
        for (index, (text, span)) in texts.iter().zip(spans).enumerate() {
            let key = format!("{key}[{index}]");
            let before = *spent;
            *spent = before.saturating_add(text.len());
            if *spent > MOST {
                if before <= MOST {
                    let message = format!("the examples of a file may have {MOST} bytes together");
                    self.problem(&key, span, &message, Some("longer ones belong in a `*.test.toml`"));
                }
                continue;
            }
            let found = finds(rule, text);
            let (message, hint) = match shows {
                Shows::Found if !found => (
                    format!("the rule does not match `{text}`"),
                    "`checkrein explain COMMAND` shows what a command does, in the words of rules",
                ),
                Shows::Other if found => (
                    format!("the rule matches `{text}`, which it should not"),
                    "`checkrein explain COMMAND` shows what a command does, in the words of rules",
                ),
                Shows::Found | Shows::Other => continue,
            };
            self.problem(&key, span, &message, Some(hint));
        }
    }
}

/// Returns true if the rule matches a command.
fn finds(rule: &Rule, command: &str) -> bool {
    let place = CallContext {
        cwd: Some(PROJECT.to_owned()),
        project: Some(PROJECT.to_owned()),
        ..CallContext::default()
    };
    let judgement = judge(command, &place, &EmptyWorld::new(HOME));
    judgement.effects.iter().any(|effect| rule.is_about(effect, judgement.ran.get(effect.by)))
}
