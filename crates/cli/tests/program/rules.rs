//! Rules of the layers, through the program: a project's rules need no trust.

use crate::{Place, bash, ended, layers::without_rules, shown, without_code};
use insta::assert_snapshot;
use std::{
    fs,
    io::Write,
    sync::atomic::{AtomicU32, Ordering},
};

const NO_PUSH: &str = "[[rule]]\nid = \"no-push-to-main\"\neffect = \"send\"\nprograms = \"git*\"\ntarget = \"main\"\ndecision = \"deny\"\nreason = \"changes of main go through a review\"\n";
const NO_PROD: &str = "[[rule]]\nid = \"no-prod\"\neffect = \"connect\"\ntarget = \"prod\"\ndecision = \"ask\"\nreason = \"this is production\"\nsuggestion = \"`kubectl --context staging`\"\n";

/// Returns a home directory with a user's file, and a project in it with another.
fn home(user: &str, project: &str) -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("project/.git")).unwrap();
    fs::create_dir_all(place.path(".config/checkrein")).unwrap();
    fs::write(place.path(".config/checkrein/config.toml"), user).unwrap();
    fs::write(place.path("project/.checkrein.toml"), project).unwrap();
    place
}

/// Returns the output of the program in the project.
fn run(place: &Place, arguments: &[&str], stdin: &str) -> String {
    let mut child = place.command(arguments).current_dir(place.path("project")).spawn().unwrap();
    // It may answer without reading anything.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    shown(&ended(child), place.directory.path())
}

/// Returns the answer to a call in the project, in its own session.
fn claude(place: &Place, command: &str) -> String {
    static SESSIONS: AtomicU32 = AtomicU32::new(0);
    let mut event: serde_json::Value = serde_json::from_str(&bash(command)).unwrap();
    event["cwd"] = place.path("project").to_str().unwrap().into();
    event["session_id"] = format!("s{}", SESSIONS.fetch_add(1, Ordering::Relaxed)).into();
    without_code(&run(place, &["hook", "--host", "claude"], &event.to_string()))
}

#[test]
fn a_rule_of_a_project_counts_without_trust() {
    let place = home(NO_PROD, NO_PUSH);
    assert_snapshot!(claude(&place, "cd lib && git push -q origin HEAD:main"), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked this call: a rule of this project, which no user has trusted, objects (main) (project.no-push-to-main). Allow it once: checkrein allow [code]\nThe objection comes from the project's file `.checkrein.toml`. `checkrein explain` shows the rule; `[[exception]]` with `rules = \"project.no-push-to-main\"` in your own configuration suppresses it.","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Checkrein denied this: a rule of this project, which no user has trusted, objects (main) [project.no-push-to-main]. The user can allow it."}}
    --- exit 0
    "#);
    assert_snapshot!(claude(&place, "kubectl get pods --context=prod"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"PRODUCTION: Checkrein asks before this call: this is production (prod) (user.no-prod). Stop asking in this session: checkrein allow [code] --session"}}
    --- exit 0
    "#);
    assert_snapshot!(claude(&place, "git push origin topic"), @"
    --- stdout
    {}
    --- exit 0
    ");
    // The project's hooks still need it.
    let hook = "[[hook]]\nevent = \"PreToolUse\"\nname = \"theirs\"\ncommand = \"touch ran\"\n";
    fs::write(place.path("project/.checkrein.toml"), format!("{hook}{NO_PUSH}")).unwrap();
    let answer = claude(&place, "git push origin main");
    assert!(
        answer.contains("project.no-push-to-main") && answer.contains("no user has trusted it"),
        "{answer}"
    );
    assert!(!place.path("project/ran").exists());
}

#[test]
fn compiled_rules_decide_the_same() {
    let place = home(NO_PROD, NO_PUSH);
    let first = claude(&place, "git push origin main");
    // A file that changed a moment ago is not compiled, and the time of an inode cannot be set, so wait.
    std::thread::sleep(std::time::Duration::from_millis(3100));
    assert_eq!(claude(&place, "git push origin main"), first);
    let compiled = place.path(".local/state/checkrein/compiled");
    assert_eq!(fs::read_dir(&compiled).unwrap().count(), 2, "both layers are kept");
    assert_eq!(claude(&place, "git push origin main"), first);
    assert!(first.contains("project.no-push-to-main"), "{first}");
}

#[test]
fn a_wrong_example_denies_and_is_named() {
    let place = home(NO_PROD, &format!("{NO_PUSH}match = \"git push origin topic\"\n"));
    assert_snapshot!(run(&place, &["hooks", "--check"], ""), @"
    --- stderr
    [directory]/project/.checkrein.toml:8:9: a key or a value that is not understood

    the configuration is broken: all preventable actions will be denied
    --- exit 1
    ");
    let answer = claude(&place, "ls");
    assert!(
        answer.contains("\"deny\"") && answer.contains(".checkrein.toml:8:9: a key or a value"),
        "{answer}"
    );
}

#[test]
fn the_listing_shows_rules() {
    let place = home(NO_PROD, NO_PUSH);
    assert_snapshot!(without_rules(&run(&place, &["hooks"], "")), @"
    --- stdout
    user      [directory]/.config/checkrein/config.toml
    project   [directory]/project/.checkrein.toml

    No configured hook matches.

    rules
      • ask user.no-prod  connect; named prod
        user, line 1: active
      • deny project.no-push-to-main  send; by git*; named main
        project, line 1: active

    PreToolUse, PermissionRequest
      • guard  all, judge, on failure deny
        built in: active, and cannot be disabled
        [rules]
    --- exit 0
    ");
    assert_snapshot!(without_rules(&run(&place, &["hooks", "--json"], "")), @r#"
    --- stdout
    {"files":[{"layer":"user","path":"[directory]/.config/checkrein/config.toml"},{"layer":"project","path":"[directory]/project/.checkrein.toml"}],"hooks":[{"label":"guard","layer":"built in","path":null,"status":"active","failure_rule":"deny","event":"PreToolUse","name":"guard","match":{"tool":null,"except":[]},"command":null,"role":"judge","may_allow":false,"required":true,"overridable":false},{"label":"guard","layer":"built in","path":null,"status":"active","failure_rule":"deny","event":"PermissionRequest","name":"guard","match":{"tool":null,"except":[]},"command":null,"role":"judge","may_allow":false,"required":true,"overridable":false}],"monitor":[],"rules":[{"layer":"user","path":"[directory]/.config/checkrein/config.toml","status":"active","id":"user.no-prod","line":1,"effect":["connect"],"zone":[],"tag":[],"not_tag":[],"with":[],"with_any":[],"unless":[],"data":[],"not_data":[],"domain":[],"not_domain":[],"environment":[],"not_environment":[],"certainty":[],"not_certainty":[],"programs":[],"target":["prod"],"decision":"ask","reason":"this is production","summary":"","suggestion":"`kubectl --context staging`","match":[],"not_match":[]},{"layer":"project","path":"[directory]/project/.checkrein.toml","status":"active","id":"project.no-push-to-main","line":1,"effect":["send"],"zone":[],"tag":[],"not_tag":[],"with":[],"with_any":[],"unless":[],"data":[],"not_data":[],"domain":[],"not_domain":[],"environment":[],"not_environment":[],"certainty":[],"not_certainty":[],"programs":["git*"],"target":["main"],"decision":"deny","reason":"changes of main go through a review","summary":"","suggestion":"","match":[],"not_match":[]}],"grades":[],"exceptions":[],"allow":[] [rules]
    --- exit 0
    "#);
    assert!(!run(&place, &["hooks", "--event", "Stop"], "").contains("no-prod"));
}

#[test]
fn explain_shows_where_a_rule_is_defined() {
    let place = home(NO_PROD, NO_PUSH);
    let text = run(&place, &["explain", "git push origin main"], "");
    assert!(text.contains("project.no-push-to-main  [directory]/project/.checkrein.toml:1"), "{text}");
    assert!(text.contains("send main"), "{text}");
}
