//! Texts of rules, filled in from what a call would do.
//!
//! `{target}` is what the effect is about: a path, a branch, a table, a host. `{command}` is the command that has the effect;
//! `{command OLD=NEW}` replaces words of it (an empty `NEW` removes them), and `{command +WORD}` adds one. A part in brackets is
//! left out where it cannot be filled in. A text that cannot be filled in is not used: an example about something else is worse
//! than none.

use crate::{
    effect::{Effect, Invocation, Target},
    glob,
    judge::{Finding, Judgement},
};
use checkrein_shell::quoted_if_needed;

/// The longest target and the longest command that are shown.
const TARGET: usize = 60;
const COMMAND: usize = 90;

/// A suggestion for the calls of one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// The program and its subcommand, as a pattern.
    pub by: &'static str,
    /// The text.
    pub text: &'static str,
}

/// The facts that a text is filled in from.
#[derive(Clone, Copy, Debug)]
pub struct Filling<'a> {
    effect: Option<&'a Effect>,
    ran: Option<&'a Invocation>,
    cwd: Option<&'a str>,
    /// True if the call is a command that its author wrote, so that it can be repeated with other words.
    commands: bool,
}

impl<'a> Filling<'a> {
    /// Creates it from a finding. `commands`: whether the call is a command line, and not a tool that the guard describes by
    /// one.
    pub fn of(judgement: &'a Judgement, finding: &Finding, cwd: Option<&'a str>, commands: bool) -> Self {
        let effect = judgement.effects.get(finding.effect);
        let ran = effect.and_then(|effect| judgement.ran.get(effect.by));
        Self { effect, ran, cwd, commands }
    }

    /// Returns the suggestions of a rule that fit, the best first. A model runs what it is told to run, so one with a command that
    /// does not pass is left out.
    pub fn suggestions(&self, finding: &Finding, passes: &dyn Fn(&str) -> bool) -> Vec<String> {
        let rule = &finding.rule;
        let known = self.ran.and_then(|ran| ran.known_as.as_deref()).unwrap_or_default();
        let spelled = self.ran.map(subcommand).unwrap_or_default();
        let fits = |template: &&Template| {
            self.commands && (glob::matches(template.by, known) || glob::matches(template.by, &spelled))
        };
        let fitted = rule.templates.iter().filter(fits).filter_map(|template| self.fill(template.text));
        let general = Some(rule.suggestion.to_string()).filter(|text| !text.is_empty());
        fitted.chain(general).filter(|text| commands(text).all(passes)).collect()
    }

    /// Returns a phrase that says what the call does.
    pub fn phrase(&self, finding: &Finding) -> Option<String> {
        self.fill(&finding.rule.phrase).filter(|phrase| !phrase.is_empty())
    }

    /// Returns the target of the effect as a shell word.
    pub fn target(&self) -> Option<String> {
        let name = match &self.effect?.target {
            Target::Path(path) => self.seen_from_here(&path.path),
            Target::Host(host) => &host.name,
            // A description of what has no name here.
            Target::Name(name) if name.contains(char::is_whitespace) => return None,
            Target::Name(name) => name,
            Target::Nothing => return None,
        };
        let shown = !name.is_empty() && !name.contains('…') && name.chars().count() <= TARGET;
        let readable = !name.chars().any(checkrein_core::sanitize::is_hidden);
        (shown && readable).then(|| word(name))
    }

    /// A path as the user would name it.
    fn seen_from_here<'p>(&self, path: &'p str) -> &'p str {
        let below = self.cwd.and_then(|cwd| path.strip_prefix(cwd)?.strip_prefix('/'));
        below.filter(|rest| !rest.is_empty() && !rest.starts_with('-')).unwrap_or(path)
    }

    fn command(&self, changes: &str) -> Option<String> {
        let ran = self.ran.filter(|_| self.commands)?;
        let here = ran.directory.is_none() || ran.directory.as_deref() == self.cwd;
        let readable =
            |word: &String| !word.contains('…') && !word.chars().any(checkrein_core::sanitize::is_hidden);
        if !here || !ran.words.iter().all(readable) {
            return None;
        }
        let mut words: Vec<&str> = ran.words.iter().map(String::as_str).collect();
        let (mut replaced, mut replaces) = (false, false);
        for change in changes.split_whitespace() {
            if let Some(added) = change.strip_prefix('+') {
                words.push(added);
                continue;
            }
            let (old, new) = change.split_once('=')?;
            replaces = true;
            replaced |= words.contains(&old);
            words.iter_mut().filter(|word| **word == old).for_each(|word| *word = new);
        }
        words.retain(|word| !word.is_empty());
        let line = words.into_iter().map(word).collect::<Vec<_>>().join(" ");
        (replaced || !replaces).then_some(line).filter(|line| line.chars().count() <= COMMAND)
    }

    fn fill(&self, text: &str) -> Option<String> {
        let Some((before, rest)) = text.split_once('[') else { return self.fill_all(text) };
        let (optional, after) = rest.split_once(']')?;
        let optional = self.fill_all(optional).unwrap_or_default();
        Some(format!("{}{optional}{}", self.fill_all(before)?, self.fill_all(after)?))
    }

    fn fill_all(&self, text: &str) -> Option<String> {
        let Some((before, rest)) = text.split_once('{') else { return Some(text.to_owned()) };
        let (name, after) = rest.split_once('}')?;
        let value = match name.split_once(' ').unwrap_or((name, "")) {
            ("target", "") => self.target()?,
            ("command", changes) => self.command(changes)?,
            _ => return None,
        };
        Some(format!("{before}{value}{}", self.fill_all(after)?))
    }
}

/// Returns the commands in a text: code spans that are more than an option or a path.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|text| !text.starts_with(['-', '~']))
}

/// A program and its first operand, which is its subcommand if it has any.
fn subcommand(ran: &Invocation) -> String {
    let names = ran.words.iter().filter(|word| !word.starts_with('-')).take(2);
    names.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// A word as a shell would have to be given it. The home directory is a tilde that is not in quotes.
fn word(text: &str) -> String {
    match text.strip_prefix("~/") {
        _ if text == "~" => text.to_owned(),
        Some("") => text.to_owned(),
        Some(below) => format!("~/{}", quoted_if_needed(below)),
        None => quoted_if_needed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallContext, EmptyWorld, judge};

    fn texts(command: &str) -> (String, String) {
        let shop = Some("/home/ann/shop".to_owned());
        let place = CallContext { cwd: shop.clone(), project: shop, ..CallContext::default() };
        let judgement = judge(command, &place, &EmptyWorld::new("/home/ann"));
        let finding = judgement.findings.first().unwrap();
        let filling = Filling::of(&judgement, finding, place.cwd.as_deref(), true);
        let suggestion = filling.suggestions(finding, &|_| true).into_iter().next().unwrap_or_default();
        (filling.phrase(finding).unwrap_or_default(), suggestion)
    }

    #[test]
    fn texts_are_about_the_call() {
        for (command, phrase, suggestion) in [
            (
                "git push --force origin feature/x",
                "a force push to feature/x",
                "`git push --force-with-lease origin feature/x` stops if others pushed",
            ),
            // No template fits, so the general text stays.
            (
                "git push -qf",
                "a force push",
                "`--force-with-lease` replaces a branch only if nobody else has pushed",
            ),
            (
                "rm -rf 'old docs'",
                "deleting project files: 'old docs'",
                "`git rm -r 'old docs'` deletes them so that they can be restored",
            ),
            (
                "kubectl delete deployment shop",
                "deleting cluster resources: shop",
                "`kubectl get deployment shop` shows what would be deleted",
            ),
            // A command that runs elsewhere is not repeated.
            (
                "cd ../b && git push --force origin x",
                "a force push to x",
                "`--force-with-lease` replaces a branch only if nobody else has pushed",
            ),
        ] {
            assert_eq!(texts(command), (phrase.to_owned(), suggestion.to_owned()), "{command}");
        }
    }
}
