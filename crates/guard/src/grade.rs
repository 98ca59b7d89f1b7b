//! Grades: decisions that a configuration gives to built-in rules.
//!
//! A built-in rule asks or denies, and its users may know better: an administrator may want a whole pack to deny, a
//! user may want one rule only to ask. Lower layers can make the administrator's decision stricter and not milder,
//! and a project can only make things stricter. The rules that protect the guard itself never become milder.

use crate::{
    effect::{Effect, Invocation},
    exception::{Authority, is_suppressible},
    glob,
    judge::{Finding, Judgement},
    rule::Rule,
    vocabulary::Certainty,
};
use checkrein_core::Decision;

/// A decision for some built-in rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// Its line in its file.
    pub line: u32,
    /// Whose it is.
    pub authority: Authority,
    /// Patterns of the ids of rules.
    pub rules: Vec<String>,
    /// The decision.
    pub decision: Decision,
}

/// The decision of a rule after all grades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graded {
    /// The decision that counts.
    pub decision: Decision,
    /// The author of the change.
    pub by: Authority,
}

impl Grade {
    /// Returns how exactly it names a rule: by its id, by a pattern, or not at all.
    fn names(&self, rule: &Rule) -> Option<Exactness> {
        let matching = self.rules.iter().filter(|pattern| glob::matches(pattern, &rule.id));
        matching.map(|pattern| if *pattern == rule.id { Exactness::Id } else { Exactness::Pattern }).max()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exactness {
    Pattern,
    Id,
}

/// Returns what grades make of a built-in rule; `None` if they leave it as it is.
pub fn graded(rule: &Rule, grades: &[Grade]) -> Option<Graded> {
    // Of one author, the grade that names the rule itself counts, and of two alike the stricter one.
    let of = |authority: Authority| {
        let own = grades.iter().filter(|grade| grade.authority == authority);
        let named = own.filter_map(|grade| Some((grade.names(rule)?, grade.decision)));
        named.max().map(|(_, decision)| Graded { decision, by: authority })
    };
    let stricter = |first: Option<Graded>, second: Option<Graded>| match (first, second) {
        (Some(first), Some(second)) if second.decision > first.decision => Some(second),
        (Some(first), _) => Some(first),
        (None, second) => second,
    };
    let above = stricter(of(Authority::Managed), of(Authority::User));
    // A project can only make a rule stricter than it is without it.
    let now = above.map_or(rule.decision, |graded| graded.decision);
    let graded = of(Authority::Project).filter(|graded| graded.decision > now).or(above)?;
    let milder = graded.decision < rule.decision && !is_suppressible(rule);
    (graded.decision != rule.decision && !milder).then_some(graded)
}

impl Judgement {
    /// Applies grades to what the built-in rules found. What rules of configurations find is added afterwards.
    #[must_use]
    pub fn with_grades(mut self, grades: &[Grade]) -> Self {
        if grades.is_empty() || self.findings.is_empty() {
            return self;
        }
        for finding in &mut self.findings {
            if let Some(graded) = graded(&as_built_in(&finding.rule), grades) {
                finding.grade(graded, &self.effects, &self.ran);
            }
        }
        self.sorted()
    }
}

/// A rule as it is built in. A finding about what is only supposed has a milder decision than its rule.
fn as_built_in(rule: &Rule) -> Rule {
    let known = crate::rules().iter().find(|known| known.id == rule.id);
    known.cloned().unwrap_or_else(|| rule.clone())
}

impl Finding {
    fn grade(&mut self, graded: Graded, effects: &[Effect], ran: &[Invocation]) {
        let supposed = |effect: &Effect| effect.certainty.has(Certainty::Supposed);
        if graded.decision > self.rule.decision && effects.get(self.effect).is_some_and(supposed) {
            // What is only supposed is asked about, unless the rule is about something certain as well.
            let certain =
                |effect: &Effect| !supposed(effect) && self.rule.is_about(effect, ran.get(effect.by));
            match effects.iter().position(certain) {
                Some(place) => self.effect = place,
                None => return,
            }
        }
        self.raised = (graded.decision > self.rule.decision).then_some(graded.by);
        self.rule.decision = graded.decision;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallContext, EmptyWorld, judge, rules};

    fn grade(authority: Authority, rule: &str, decision: Decision) -> Grade {
        Grade { line: 1, authority, rules: vec![rule.to_owned()], decision }
    }

    fn rule(id: &str) -> Rule {
        rules().iter().find(|rule| rule.id == id).cloned().unwrap()
    }

    #[test]
    fn who_decides() {
        use Authority::{Managed, Project, User};
        use Decision::{Ask, Deny};
        let push = "git.force-push";
        let secret = "secrets.read-secret";
        for (id, grades, expected) in [
            (push, vec![], None),
            (push, vec![(User, push, Ask)], Some((Ask, User))),
            (push, vec![(User, "git.*", Ask)], Some((Ask, User))),
            (push, vec![(User, "kubernetes.*", Ask)], None),
            // The id beats the pattern, and of two alike the stricter one counts.
            (push, vec![(User, "git.*", Deny), (User, push, Ask)], Some((Ask, User))),
            (secret, vec![(User, "secrets.*", Deny), (User, "secrets.r*", Ask)], Some((Deny, User))),
            // The administrator's decision can only become stricter.
            (push, vec![(Managed, push, Deny), (User, push, Ask)], None),
            (push, vec![(Managed, push, Ask), (User, "git.*", Ask)], Some((Ask, Managed))),
            (secret, vec![(Managed, secret, Ask), (User, secret, Deny)], Some((Deny, User))),
            // A project never makes anything milder.
            (push, vec![(Project, push, Ask)], None),
            (secret, vec![(Project, "secrets.*", Deny)], Some((Deny, Project))),
            (push, vec![(User, push, Ask), (Project, push, Deny)], None),
        ] {
            let grades: Vec<Grade> =
                grades.into_iter().map(|(by, rule, decision)| grade(by, rule, decision)).collect();
            let found = graded(&rule(id), &grades).map(|graded| (graded.decision, graded.by));
            assert_eq!(found, expected, "{id} {grades:?}");
        }
    }

    #[test]
    fn what_protects_the_guard_never_becomes_milder() {
        for rule in rules().iter().filter(|rule| !is_suppressible(rule)) {
            for authority in [Authority::Managed, Authority::User, Authority::Project] {
                let graded = graded(rule, &[grade(authority, &rule.id, Decision::Ask)]);
                assert!(graded.is_none_or(|graded| graded.decision >= rule.decision), "{}", rule.id);
            }
        }
    }

    #[test]
    fn a_grade_decides_about_a_call_and_is_marked() {
        let place = CallContext { cwd: Some("/home/dev/shop".into()), ..CallContext::default() };
        let judged = |command: &str, grades: &[Grade]| {
            judge(command, &place, &EmptyWorld::new("/home/dev")).with_grades(grades)
        };
        let raised = judged("cat .env", &[grade(Authority::Managed, "secrets.*", Decision::Deny)]);
        assert_eq!(raised.decision, Decision::Deny);
        assert_eq!(raised.findings.first().and_then(|finding| finding.raised), Some(Authority::Managed));
        let lowered = judged(
            "git push --force origin main",
            &[grade(Authority::User, "git.force-push", Decision::Ask)],
        );
        assert_eq!(lowered.decision, Decision::Ask);
        assert!(lowered.findings.iter().all(|finding| finding.raised.is_none()));
        // Another finding of the same call counts as before.
        let both = judged(
            "git push --force origin main; rm -rf ~",
            &[grade(Authority::User, "git.force-push", Decision::Ask)],
        );
        assert_eq!(both.decision, Decision::Deny);
    }
}
