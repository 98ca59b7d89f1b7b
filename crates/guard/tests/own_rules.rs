//! Rules in addition to the built-in ones: users can express what they need, and nothing becomes weaker.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use checkrein_guard::{
    Action, Actions, Certainties, Certainty, Domain, Domains, Environment, Environments, Modifier, Modifiers,
    Rule, Tag, Tags, Taint, Taints, Zone, Zones,
};
use proptest::prelude::*;
use std::borrow::Cow;
use support::{corpus, in_project};

/// A rule that denies what is done by these programs to things of these names.
fn rule(actions: &[Action], programs: &[&'static str], names: &[&'static str]) -> Rule {
    let texts = |texts: &[&'static str]| texts.iter().map(|text| Cow::from(*text)).collect::<Vec<_>>();
    Rule {
        programs: texts(programs).into(),
        targets: texts(names).into(),
        ..Rule::new("user.own".into(), Actions::of(actions), Decision::Deny, "because".into())
    }
}

fn finds(rules: &[Rule], command: &str) -> bool {
    let judgement = in_project(command).with_rules(rules);
    judgement.findings.iter().any(|finding| rules.contains(&finding.rule))
}

#[track_caller]
fn tells_apart(rule: &Rule, about: &[&str], free: &[&str]) {
    tell_apart(std::slice::from_ref(rule), about, free);
}

#[track_caller]
fn tell_apart(rules: &[Rule], about: &[&str], free: &[&str]) {
    let missed: Vec<&&str> = about.iter().filter(|command| !finds(rules, command)).collect();
    let disturbed: Vec<&&str> = free.iter().filter(|command| finds(rules, command)).collect();
    assert!(missed.is_empty() && disturbed.is_empty(), "missed {missed:?}, disturbed {disturbed:?}");
}

#[test]
fn a_branch_has_its_name() {
    tells_apart(
        &rule(&[Action::Send], &["git*"], &["main", "release/*"]),
        &[
            "git push origin main",
            "git -C lib push -u origin topic main",
            "git push origin HEAD:main",
            "git push origin topic:refs/heads/main",
            "git push --force-with-lease origin +main",
            "git push origin release/2",
            "bash -c 'cd x && git push origin main'",
            "b=main; git push origin $b",
        ],
        &[
            "git push origin topic",
            "git push -n origin main",
            "git push origin main:topic",
            "git pull origin main",
            "git commit -m 'git push origin main'",
        ],
    );
}

#[test]
fn a_push_that_may_go_to_main_can_be_meant_too() {
    let main = Rule { with: Modifiers::of(&[Modifier::Main]), ..rule(&[Action::Send], &["git*"], &[]) };
    let unknown =
        Rule { certainty: Certainties::of(&[Certainty::Unknown]), ..rule(&[Action::Send], &["git*"], &[]) };
    tell_apart(
        &[main, unknown],
        &[
            "git push",
            "git push -q origin",
            "git push origin HEAD",
            "git push --all origin",
            "git push origin master",
            "git push origin \"$BRANCH\"",
        ],
        &[
            "git push origin topic",
            "git push -u origin topic:topic",
            "git push --dry-run",
            "git fetch origin main",
        ],
    );
}

#[test]
fn a_context_has_its_name() {
    tells_apart(
        &rule(&[Action::Connect], &[], &["prod", "prod-*", "*-prod"]),
        &[
            "kubectl --context prod get pods",
            "kubectl get pods --context=shop-prod",
            "kubectl -n prod delete pod web-1",
            "kubectl config use-context prod-eu",
            "helm --kube-context prod upgrade web ./chart",
            "aws --profile prod s3 ls",
            "gcloud --project shop-prod compute instances list",
            "sudo kubectl --context prod apply -f web.yaml",
        ],
        &[
            "kubectl --context staging get pods",
            "kubectl get pods",
            "kubectl get pod prod",
            "aws --profile dev s3 ls",
            "echo kubectl --context prod get pods",
        ],
    );
}

/// Two directories of a project may each have a rule of the same name; the stricter must not be lost.
#[test]
fn two_rules_of_one_id_are_two() {
    let ask = Rule { decision: Decision::Ask, ..rule(&[Action::Send], &[], &["main"]) };
    let deny = rule(&[Action::Send], &[], &["main"]);
    let judgement = in_project("git push origin main").with_rules(&[ask, deny]);
    assert_eq!(judgement.findings.len(), 2);
    assert_eq!(judgement.decision, Decision::Deny);
    assert_eq!(judgement.findings[0].rule.decision, Decision::Deny);
}

fn some<T: Copy + std::fmt::Debug + 'static>(
    all: &'static [T],
    most: usize,
) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(prop::sample::select(all), 0..=most)
}

prop_compose! {
    fn any_rule()(
        actions in prop::collection::vec(prop::sample::select(Action::ALL), 1..12),
        zones in some(Zone::ALL, 2),
        (tags, not_tags) in (some(Tag::ALL, 1), some(Tag::ALL, 1)),
        (with, any, without) in (some(Modifier::ALL, 1), some(Modifier::ALL, 2), some(Modifier::ALL, 2)),
        (data, not_data) in (some(Taint::ALL, 1), some(Taint::ALL, 1)),
        (domain, environment, certainty) in (some(Domain::ALL, 1), some(Environment::ALL, 2), some(Certainty::ALL, 1)),
        (not_domain, not_environment, not_certainty) in (some(Domain::ALL, 1), some(Environment::ALL, 1), some(Certainty::ALL, 1)),
        names in prop::sample::select(vec![&[] as &[&str], &["*"], &["m*", "?rod"]]),
        decision in prop::sample::select(vec![Decision::Ask, Decision::Deny]),
    ) -> Rule {
        Rule {
            zones: Zones::of(&zones),
            tags: Tags::of(&tags),
            not_tags: Tags::of(&not_tags),
            with: Modifiers::of(&with),
            with_any: Modifiers::of(&any),
            unless: Modifiers::of(&without),
            data: Taints::of(&data),
            not_data: Taints::of(&not_data),
            domain: Domains::of(&domain),
            not_domain: Domains::of(&not_domain),
            environment: Environments::of(&environment),
            not_environment: Environments::of(&not_environment),
            certainty: Certainties::of(&certainty),
            not_certainty: Certainties::of(&not_certainty),
            decision,
            ..rule(&actions, &[], names)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn further_rules_never_loosen(rules in prop::collection::vec(any_rule(), 1..6)) {
        for case in corpus() {
            let alone = in_project(&case.command);
            let together = alone.clone().with_rules(&rules);
            prop_assert!(together.decision >= alone.decision, "{}", case.id);
            for finding in &alone.findings {
                let kept = together.findings.iter().any(|other| other.rule == finding.rule && other.effect == finding.effect);
                prop_assert!(kept, "{}: {} is gone", case.id, finding.rule.id);
            }
            let strictest = together.findings.iter().map(|finding| finding.rule.decision).max().unwrap_or_default();
            prop_assert_eq!(together.decision, strictest);
            prop_assert_eq!(together.findings.first().map_or(Decision::Abstain, |first| first.rule.decision), strictest);
        }
    }
}
