//! Monitor mode: what rules find is recorded, and nothing is blocked.
//!
//! Careful users want to see what would be denied before anything is. The rules that protect the guard itself are
//! never part of that, and neither are calls that cannot be understood: an agent that is only watched must not be
//! able to end the watch.

use crate::{
    exception::{Authority, MANAGED, is_suppressible_id},
    glob,
    judge::{Finding, Judgement},
};

/// Rules whose findings are only recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// Whose it is. A user's does not cover what the administrator decided.
    pub authority: Authority,
    /// Patterns of the ids of rules; every rule, if there are none.
    pub rules: Vec<String>,
}

impl Monitor {
    /// Returns whether a finding is only recorded.
    pub fn covers(&self, finding: &Finding) -> bool {
        let id = &finding.rule.id;
        let administrators = id.starts_with(MANAGED) || finding.raised == Some(Authority::Managed);
        let beyond = self.authority != Authority::Managed && administrators;
        !beyond
            && finding.is_monitorable()
            && (self.rules.is_empty() || self.rules.iter().any(|pattern| glob::matches(pattern, id)))
    }
}

impl Finding {
    /// Returns whether any monitor may cover it. For a file that is run, what was found in it decides.
    fn is_monitorable(&self) -> bool {
        is_suppressible_id(self.in_file.as_deref().unwrap_or(&self.rule.id))
    }
}

impl Judgement {
    /// Sets aside the findings that are only recorded. What is left decides as before.
    #[must_use]
    pub fn with_monitors(mut self, monitors: &[Monitor]) -> Self {
        if monitors.is_empty() || self.findings.is_empty() {
            return self;
        }
        let covered = |finding: &Finding| monitors.iter().any(|monitor| monitor.covers(finding));
        let (monitored, findings) = std::mem::take(&mut self.findings).into_iter().partition(covered);
        (self.monitored, self.findings) = (monitored, findings);
        self.sorted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallContext, EmptyWorld, Grade, judge};
    use checkrein_core::Decision;

    fn judged(command: &str, monitor: &Monitor) -> Judgement {
        let place = CallContext { cwd: Some("/home/dev/shop".into()), ..CallContext::default() };
        judge(command, &place, &EmptyWorld::new("/home/dev")).with_monitors(std::slice::from_ref(monitor))
    }

    fn all(authority: Authority) -> Monitor {
        Monitor { authority, rules: Vec::new() }
    }

    #[test]
    fn what_is_monitored_decides_nothing_and_is_kept() {
        let judgement = judged("git push --force origin main; rm -rf ~", &all(Authority::User));
        assert_eq!((judgement.decision, judgement.findings.len()), (Decision::Abstain, 0));
        let ids: Vec<&str> = judgement.monitored.iter().map(|finding| finding.rule.id.as_ref()).collect();
        assert!(ids.contains(&"git.force-push") && ids.len() > 1, "{ids:?}");
    }

    #[test]
    fn only_the_named_rules_are_monitored() {
        let git = Monitor { authority: Authority::User, rules: vec!["git.*".into()] };
        assert_eq!(judged("git push --force origin main", &git).decision, Decision::Abstain);
        let both = judged("git push --force origin main; rm -rf ~", &git);
        assert_eq!(both.decision, Decision::Deny);
        assert_eq!(both.monitored.len(), 1);
    }

    #[test]
    fn what_protects_the_guard_is_never_monitored() {
        for command in [
            "echo > ~/.config/checkrein/config.toml",
            "checkrein monitor --for 7d",
            "checkrein uninstall --yes",
        ] {
            for authority in [Authority::User, Authority::Managed] {
                let judgement = judged(command, &all(authority));
                assert_eq!(judgement.decision, Decision::Deny, "{command}: {:?}", judgement.findings);
            }
        }
    }

    #[test]
    fn a_user_does_not_monitor_what_the_administrator_raised() {
        let place = CallContext { cwd: Some("/home/dev/shop".into()), ..CallContext::default() };
        let grade = Grade {
            line: 1,
            authority: Authority::Managed,
            rules: vec!["secrets.*".into()],
            decision: Decision::Deny,
        };
        let judged = || {
            judge("cat .env", &place, &EmptyWorld::new("/home/dev")).with_grades(std::slice::from_ref(&grade))
        };
        assert_eq!(judged().with_monitors(&[all(Authority::User)]).decision, Decision::Deny);
        assert_eq!(judged().with_monitors(&[all(Authority::Managed)]).decision, Decision::Abstain);
    }
}
