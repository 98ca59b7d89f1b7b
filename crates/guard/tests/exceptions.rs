//! Exceptions: they take away what they name, where they say, and nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use checkrein_guard::{
    Action, Authority, CallContext, Day, EmptyWorld, EvalContext, Exception, Judgement, judge_file,
    rules as all_rules,
};
use proptest::prelude::*;
use support::{corpus, in_project, rules};

const TODAY: &str = "2026-06-15";

fn exception(rules: &[&str]) -> Exception {
    Exception {
        line: 1,
        authority: Authority::User,
        rules: owned(rules),
        programs: Vec::new(),
        targets: Vec::new(),
        directories: Vec::new(),
        reason: "because".into(),
        until: None,
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn suppressed(judgement: Judgement, exceptions: &[Exception]) -> Judgement {
    let project = Some("/home/dev/proj".to_owned());
    let place = CallContext { cwd: project.clone(), project, ..CallContext::default() };
    let at = EvalContext { place: &place, home: Some("/home/dev/".into()), today: TODAY.parse().unwrap() };
    judgement.with_exceptions(exceptions, &at)
}

#[track_caller]
fn decides(exception: &Exception, text: &str, expected: Decision) {
    let judgement = suppressed(in_project(text), std::slice::from_ref(exception));
    assert_eq!(judgement.decision, expected, "{text}: {:?}", rules(&judgement));
}

#[test]
fn it_takes_away_the_rules_that_it_names() {
    let force = exception(&["git.force-push"]);
    decides(&force, "git push --force origin topic", Decision::Abstain);
    decides(&force, "git clean -fdx", Decision::Deny);
    decides(&force, "git push --force origin topic; git clean -fdx", Decision::Deny);
    decides(&exception(&["git.*"]), "git push --force origin topic; git clean -fdx", Decision::Abstain);
    let judgement = suppressed(in_project("git push --force origin topic"), &[force]);
    assert_eq!(judgement.suppressed[0].finding.rule.id, "git.force-push");
    assert_eq!(judgement.suppressed[0].by.reason, "because");
}

/// A rule finds many effects and names the first; what is suppressed must be all of them.
#[test]
fn what_is_not_in_its_scope_still_objects() {
    let topic = Exception { targets: owned(&["topic"]), ..exception(&["git.force-push"]) };
    decides(&topic, "git push --force origin topic", Decision::Abstain);
    decides(&topic, "git push --force origin topic other", Decision::Deny);
    decides(&topic, "git push --force origin other topic", Decision::Deny);
    decides(&topic, "git push --force origin \"$BRANCH\"", Decision::Deny);
    // Whatever it is called is not whatever it may be.
    let named = Exception { targets: owned(&["*"]), ..exception(&["git.force-push"]) };
    decides(&named, "git push --force origin other", Decision::Abstain);
    decides(&named, "git push --force origin \"$BRANCH\"", Decision::Deny);
    decides(&named, "git push --force origin \"$(cat branch)\"", Decision::Deny);
    let judgement = suppressed(in_project("git push --force origin topic other"), &[topic]);
    let effect = &judgement.effects[judgement.findings[0].effect];
    assert!(effect.to_string().contains("other"), "{effect}: the reason names what is still objected to");
}

#[test]
fn paths_are_named_as_wholes() {
    let samples = Exception { targets: owned(&["*/samples/*"]), ..exception(&["secrets.*"]) };
    decides(&samples, "cat samples/.env", Decision::Abstain);
    decides(&samples, "cat samples/../.env", Decision::Ask);
    decides(&samples, "cat .env", Decision::Ask);
    decides(&samples, "cat samples/.env .env", Decision::Ask);
    decides(&samples, "cat \"$DIR\"/samples/.env", Decision::Ask);
    let home = Exception { targets: owned(&["~/.aws/*"]), ..exception(&["secrets.*"]) };
    decides(&home, "cat ~/.aws/credentials", Decision::Abstain);
    decides(&home, "cat ~/.ssh/id_rsa", Decision::Ask);
    // A pattern in the text may mean more than one in the exception.
    let one = Exception { targets: owned(&["/home/dev/?"]), ..exception(&["filesystem.*"]) };
    let deny = in_project("rm -rf /home/dev/*").decision;
    assert_ne!(deny, Decision::Abstain);
    decides(&one, "rm -rf /home/dev/*", deny);
}

#[test]
fn a_program_is_named_as_the_table_knows_it() {
    let cat = Exception { programs: owned(&["cat"]), ..exception(&["secrets.read-secret"]) };
    decides(&cat, "cat .env", Decision::Abstain);
    decides(&cat, "head .env", Decision::Ask);
    decides(&cat, "cat .env; head .env", Decision::Ask);
}

#[test]
fn a_directory_is_where_the_call_is_made_and_what_it_touches() {
    let here =
        Exception { directories: owned(&["~/proj"]), ..exception(&["git.*", "secrets.*", "filesystem.*"]) };
    decides(&here, "git push --force origin topic", Decision::Abstain);
    decides(&here, "cat .env", Decision::Abstain);
    decides(&here, "cd ../other && git push --force origin topic", Decision::Deny);
    decides(&here, "git -C ../other push --force origin topic", Decision::Deny);
    decides(&here, "git --git-dir=/srv/x/.git push --force origin topic", Decision::Deny);
    decides(&here, "cd \"$X\" && git push --force origin topic", Decision::Deny);
    decides(&here, "cat ~/.ssh/id_rsa", Decision::Ask);
    decides(&here, "cat ../proj2/.env", Decision::Ask);
    let other = Exception { directories: owned(&["~/other"]), ..here.clone() };
    decides(&other, "cat ~/other/.env", Decision::Ask);
    // Of a tool that runs nothing, too.
    let place = CallContext { cwd: Some("/home/dev/proj".into()), project: None, ..CallContext::default() };
    let read = |path: &str| judge_file(Action::Read, path, None, &place, &EmptyWorld::new("/home/dev"));
    assert_eq!(suppressed(read(".env"), std::slice::from_ref(&here)).decision, Decision::Abstain);
    assert_eq!(suppressed(read("../x/.env"), &[here]).decision, Decision::Ask);
}

#[test]
fn it_ends_with_its_day() {
    let until = |day: &str| Exception { until: Some(day.parse().unwrap()), ..exception(&["git.force-push"]) };
    decides(&until(TODAY), "git push --force origin topic", Decision::Abstain);
    decides(&until("2026-06-14"), "git push --force origin topic", Decision::Deny);
    let judgement = suppressed(in_project("git push --force origin topic"), &[until("2026-06-14")]);
    assert_eq!(judgement.expired[0].by.until.map(|day: Day| day.to_string()).as_deref(), Some("2026-06-14"));
    assert!(judgement.suppressed.is_empty());
    // One that still holds makes up for it.
    let both = [until("2026-06-14"), until("2026-07-01")];
    assert_eq!(suppressed(in_project("git push --force origin topic"), &both).decision, Decision::Abstain);
}

#[test]
fn some_rules_are_never_suppressed() {
    for text in ["rm ~/.config/checkrein/config.toml", "checkrein allow k7f2-9qmd", "checkrein trust"] {
        decides(&exception(&["*", "*.*", "protection.*", "protection.ourselves"]), text, Decision::Deny);
        let managed = Exception { authority: Authority::Managed, ..exception(&["*"]) };
        decides(&managed, text, Decision::Deny);
    }
}

#[test]
fn the_administrators_rules_are_excused_by_the_administrator() {
    let mut rule = all_rules().iter().find(|rule| rule.id == "git.force-push").unwrap().clone();
    rule.id = "managed.no-force".into();
    let judgement = in_project("git push --force origin topic").with_rules(&[rule]);
    let user = exception(&["git.*", "managed.*"]);
    let managed = Exception { authority: Authority::Managed, ..user.clone() };
    assert_eq!(suppressed(judgement.clone(), &[user]).decision, Decision::Deny);
    assert_eq!(suppressed(judgement, &[managed]).decision, Decision::Abstain);
}

fn scopes() -> impl Strategy<Value = Exception> {
    let patterns = |all: &'static [&'static str]| prop::collection::vec(prop::sample::select(all), 0..3);
    (
        prop::collection::vec(prop::sample::select(all_rules()), 1..6),
        patterns(&["git*", "rm", "cat", "*"]),
        patterns(&["main", "*", "~/*", "/home/dev/proj/*", "*.env"]),
        patterns(&["~/proj", "~", "/srv"]),
        prop::option::of(0_u64..40),
    )
        .prop_map(|(rules, programs, names, directories, days)| Exception {
            programs: owned(&programs),
            targets: owned(&names),
            directories: owned(&directories),
            until: days.map(|days| Day::of_seconds(1_780_000_000 + days * 86_400)),
            ..exception(&rules.iter().map(|rule| rule.id.as_ref()).collect::<Vec<_>>())
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// An objection is gone only if an exception names its rule; nothing else is lost, and nothing is invented.
    #[test]
    fn an_exception_takes_away_what_it_names_and_nothing_else(exceptions in prop::collection::vec(scopes(), 1..4)) {
        for case in corpus() {
            let plain = in_project(&case.command);
            let left = suppressed(plain.clone(), &exceptions);
            prop_assert!(left.decision <= plain.decision);
            prop_assert_eq!(left.findings.len() + left.suppressed.len(), plain.findings.len());
            prop_assert_eq!(&left.effects, &plain.effects);
            let strictest = left.findings.iter().map(|finding| finding.rule.decision).max().unwrap_or_default();
            prop_assert_eq!(left.decision, strictest);
            for finding in &plain.findings {
                let named = exceptions.iter().any(|exception| exception.rules.iter().any(|id| *id == finding.rule.id));
                let protected = finding.rule.id.starts_with("protection.");
                let stays = left.findings.iter().any(|other| other.rule == finding.rule);
                prop_assert!(stays || named && !protected, "{}: {} is gone", case.id, finding.rule.id);
            }
        }
    }
}
