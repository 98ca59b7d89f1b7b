//! Layers: what each may say, and that a lower one never makes an answer weaker than the managed one alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{
    Config, Decision, Dispatcher, Entry, Environment, Event, EventName, Guard, HookStatus, Layer,
    LayeredConfig, Map, OnFailure, Payload, Places, Role, Setup, ToolCall, Untrusted,
};
use checkrein_testkit::scripted::{self, Script};
use insta::assert_snapshot;
use proptest::prelude::*;
use std::{fs, path::Path};

fn parse(layer: Layer, text: &str) -> Config {
    Config::parse_as(layer, text, Path::new("/somewhere/config.toml")).unwrap()
}

fn refused(layer: Layer, text: &str) -> String {
    Config::parse_as(layer, text, Path::new("/somewhere/config.toml")).unwrap_err().to_string()
}

fn hook(name: &str, more: &str) -> String {
    format!("[[hook]]\nevent = \"PreToolUse\"\nname = \"{name}\"\ncommand = \"true\"\n{more}\n")
}

fn statuses(configs: Vec<Config>) -> Vec<(String, HookStatus)> {
    let stack = LayeredConfig::new(configs, None);
    stack.rows(None).into_iter().map(|row| (row.label(), row.status)).collect()
}

#[test]
fn hooks_are_asked_in_the_order_of_authority() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let path = directory.path().join(name);
        fs::write(&path, hook(name, "")).unwrap();
        path
    };
    let places = Places {
        flag: Some(file("flag")),
        user: Some(file("user")),
        managed: Some(file("managed")),
        projects: vec![file("project")],
        state: None,
        ..Places::default()
    };
    let stack = LayeredConfig::load(&places).unwrap();
    let layers: Vec<(Layer, String)> =
        stack.rows(None).iter().map(|row| (row.config.layer(), row.label())).collect();
    assert_eq!(
        layers,
        [
            (Layer::Managed, "managed".to_owned()),
            (Layer::User, "user".to_owned()),
            (Layer::Project, "project".to_owned()),
            (Layer::Flag, "flag".to_owned()),
        ]
    );
}

#[test]
fn a_layer_that_is_not_there_is_none_and_a_broken_one_breaks_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let places =
        Places { user: Some(path("user.toml")), managed: Some(path("managed.toml")), ..Places::default() };
    assert!(LayeredConfig::load(&places).unwrap().is_empty());
    fs::write(path("user.toml"), "[[hook]]\nevent = \"Nope\"\ncommand = \"true\"\n").unwrap();
    fs::create_dir(path("managed.toml")).unwrap();
    let problems = LayeredConfig::load(&places).unwrap_err();
    assert_eq!(problems.iter().count(), 2, "{problems}");
    // A repair passes over the user's layer, never over the managed one.
    assert!(LayeredConfig::load_what_is_whole(&places).is_err());
    fs::remove_dir(path("managed.toml")).unwrap();
    assert!(LayeredConfig::load_what_is_whole(&places).unwrap().is_empty());
    fs::remove_file(path("user.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", path("user.toml")).unwrap();
    assert!(LayeredConfig::load(&places).is_err(), "a link to nothing is not nothing");
    let flag = Places { flag: Some(path("missing.toml")), ..Places::default() };
    assert!(LayeredConfig::load(&flag).is_err(), "a file that a user named must be there");
}

#[test]
fn what_a_layer_may_not_say() {
    assert_snapshot!(refused(Layer::User, &hook("a", "required = true")), @"
    /somewhere/config.toml:5:12: hook[0].required: only the managed layer can require a hook
    5 | required = true
      |            ^^^^
    ");
    assert_snapshot!(refused(Layer::Managed, &hook("a", "overridable = true")), @"
    /somewhere/config.toml:5:15: hook[0].overridable: a hook of the managed layer cannot be taken away
    5 | overridable = true
      |               ^^^^
    ");
    assert_snapshot!(refused(Layer::Project, &hook("a", "may_allow = true")), @"
    /somewhere/config.toml:5:13: hook[0].may_allow: a project cannot grant permissions
    5 | may_allow = true
      |             ^^^^
    ");
    assert_snapshot!(refused(Layer::Project, "untrusted = \"skip\""), @r#"
    /somewhere/config.toml:1:1: untrusted: only the managed and the user's layer decide about projects
    1 | untrusted = "skip"
      | ^^^^^^^^^
    "#);
    assert_snapshot!(refused(Layer::Managed, "disable = [\"a\"]"), @r#"
    /somewhere/config.toml:1:1: disable: there is no higher layer to take a hook from
    1 | disable = ["a"]
      | ^^^^^^^
    "#);
    assert_snapshot!(refused(Layer::User, "disable = \"a\"\nuntrusted = \"never\""), @r#"
    /somewhere/config.toml:1:11: disable: expected a list of strings, found a string
    1 | disable = "a"
      |           ^^^

    /somewhere/config.toml:2:13: untrusted: unknown treatment of untrusted hooks `never`, expected `skip` or `deny`
    2 | untrusted = "never"
      |             ^^^^^^^
    "#);
    assert_snapshot!(refused(Layer::User, &hook("a", "files = [\"../x\", \"/etc/passwd\"]")), @r#"
    /somewhere/config.toml:5:10: hook[0].files[0]: `../x` is not a file next to the configuration
    5 | files = ["../x", "/etc/passwd"]
      |          ^^^^^^
    hint: name a relative path without `..`, for example `hooks/helper.py`

    /somewhere/config.toml:5:18: hook[0].files[1]: `/etc/passwd` is not a file next to the configuration
    5 | files = ["../x", "/etc/passwd"]
      |                  ^^^^^^^^^^^^^
    hint: name a relative path without `..`, for example `hooks/helper.py`
    "#);
}

#[test]
fn only_what_is_overridable_can_be_disabled() {
    let disable = "disable = [\"a\", \"b\", \"c\"]";
    let user = format!("{}{}", hook("a", "overridable = true"), hook("b", ""));
    let stack =
        vec![parse(Layer::Managed, &hook("c", "")), parse(Layer::User, &user), parse(Layer::Flag, disable)];
    assert_eq!(
        statuses(stack.clone()),
        [
            ("c".to_owned(), HookStatus::Active),
            ("a".to_owned(), HookStatus::Disabled { by: Layer::Flag }),
            ("b".to_owned(), HookStatus::Active),
        ]
    );
    let stack = LayeredConfig::new(stack, None);
    let void: Vec<&str> = stack.void_disables().into_iter().map(|(_, name)| name).collect();
    assert_eq!(void, ["b", "c"]);
    // Not even its own layer takes it away: there one would just remove it.
    let same = format!("disable = [\"a\"]\n{}", hook("a", "overridable = true"));
    assert_eq!(statuses(vec![parse(Layer::User, &same)]), [("a".to_owned(), HookStatus::Active)]);
}

#[test]
fn the_stricter_layer_decides_about_untrusted_hooks() {
    let of = |texts: &[(Layer, &str)]| {
        LayeredConfig::new(texts.iter().map(|(layer, text)| parse(*layer, text)).collect(), None).untrusted()
    };
    assert_eq!(of(&[]), Untrusted::Skip);
    assert_eq!(
        of(&[(Layer::Managed, "untrusted = \"deny\""), (Layer::User, "untrusted = \"skip\"")]),
        Untrusted::Deny
    );
    assert_eq!(of(&[(Layer::Managed, ""), (Layer::User, "untrusted = \"deny\"")]), Untrusted::Deny);
}

#[test]
fn a_required_hook_that_cannot_run_denies_everywhere() {
    for event in ["PreToolUse", "PostToolUse", "Stop"] {
        let text = format!(
            "[[hook]]\nevent = \"{event}\"\nname = \"a\"\ncommand = [\"./not-there\"]\nrequired = true\non_failure = \"ignore\"\n"
        );
        let stack = LayeredConfig::new(vec![parse(Layer::Managed, &text)], None);
        let rows = stack.rows(None);
        assert_eq!(rows[0].failure_rule().as_str(), "deny", "{event}");
    }
}

/// A hook that answers with a decision, as the user of a layer would configure it.
fn answering(index: usize, decision: &str, role: &str, more: &str) -> String {
    let command = format!("['printf', '{{\"decision\":\"{decision}\"}}']");
    let role = if role.is_empty() { String::new() } else { format!("role = \"{role}\"\n") };
    format!("[[hook]]\nevent = \"PreToolUse\"\nname = \"h{index}\"\ncommand = {command}\n{role}{more}\n")
}

fn decide(configs: Vec<Config>) -> Decision {
    let outcome = outcome(configs, "list");
    assert!(
        outcome.trail.iter().all(|step| step.failure.is_none()),
        "the hooks really ran: {:?}",
        outcome.trail
    );
    outcome.decision
}

proptest! {
    // Each case starts real processes.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn composing_layers_is_never_weaker_than_the_managed_layer_alone(
        managed in prop::collection::vec((prop::sample::select(vec!["abstain", "ask", "deny"]), prop::sample::select(vec!["", "edit", "judge"])), 0..3),
        user in prop::collection::vec((prop::sample::select(vec!["abstain", "allow", "ask", "deny"]), prop::sample::select(vec!["", "judge", "observe"]), any::<bool>()), 0..3),
        disable in prop::collection::vec(0_usize..6, 0..6),
    ) {
        let managed: String =
            managed.iter().enumerate().map(|(index, (decision, role))| answering(index, decision, role, "")).collect();
        let user: String = user
            .iter()
            .enumerate()
            .map(|(index, (decision, role, loose))| {
                let may_allow = if *role == "observe" { "" } else { "may_allow = true\n" };
                answering(index + 3, decision, role, &format!("{may_allow}overridable = {loose}"))
            })
            .collect();
        let names: Vec<String> = disable.iter().map(|index| format!("\"h{index}\"")).collect();
        let disable = format!("disable = [{}]\n", names.join(", "));
        let alone = decide(vec![parse(Layer::Managed, &managed)]);
        let together = decide(vec![
            parse(Layer::Managed, &managed),
            parse(Layer::User, &format!("{disable}{user}")),
            parse(Layer::Flag, &disable),
        ]);
        prop_assert!(together >= alone, "{together} is weaker than {alone}");
    }
}

/// The settings of a layer's hook, apart from its answer: `(layer, role, rule of failure, may_allow)`.
type Place = (Layer, Role, Option<OnFailure>, bool);

fn of_layers(layers: &'static [Layer]) -> impl Strategy<Value = Vec<(Place, Script)>> {
    let place = (prop::sample::select(layers), scripted::role(), scripted::on_failure(), any::<bool>());
    prop::collection::vec((place, scripted::script(EventName::PreToolUse, "hook".to_owned())), 0..4)
}

/// The hook as its layer asks it: everything but what it says comes from a configuration.
fn entry((layer, role, on_failure, may_allow): Place, script: Script) -> Entry {
    let written = hook("a", "");
    let stack = LayeredConfig::new(vec![parse(layer, &written)], None);
    let rank = stack.rows(None)[0].rank();
    let entry = Entry::new(EventName::PreToolUse, script).with_role(role).with_rank(rank);
    // A project cannot allow.
    let entry = entry.with_may_allow(may_allow && layer != Layer::Project);
    match on_failure {
        Some(rule) => entry.with_on_failure(rule),
        None => entry,
    }
}

fn dispatcher<'a>(hooks: impl IntoIterator<Item = &'a (Place, Script)>) -> Dispatcher {
    let mut dispatcher = Dispatcher::new();
    for (place, script) in hooks {
        dispatcher.add(entry(*place, script.clone()));
    }
    dispatcher
}

fn input(outcome: &checkrein::Outcome) -> Map {
    outcome.payload.event.call().unwrap().input.clone()
}

/// Returns what a hook of the managed layer decides about an unchanged call, and if it would change it.
fn opinion(hook: &(Place, Script), payload: &Payload) -> (Decision, bool) {
    let outcome = dispatcher([hook]).decide(payload.clone());
    let edited = input(&outcome) != payload.event.call().unwrap().input;
    (outcome.decision, edited)
}

const BELOW: &[Layer] = &[Layer::User, Layer::Project, Layer::Flag];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Hooks of every layer rewrite, decide by what they see, fail, time out and panic.
    ///
    /// What is compared is what would run. If the lower layers left it alone, the outcome is at least as strict as the
    /// managed layer's. If they changed it, every hook of the managed layer that could decide has agreed to *that*; and
    /// one that would have made something else of it has at least had the user asked.
    #[test]
    fn no_hook_from_below_gets_round_the_managed_layer(
        payload in scripted::payload(EventName::PreToolUse),
        managed in of_layers(&[Layer::Managed]),
        below in of_layers(BELOW),
    ) {
        let alone = dispatcher(&managed).dispatch(payload.clone());
        let mut hooks = managed.clone();
        // In the order of authority, as a stack asks them.
        hooks.extend(BELOW.iter().flat_map(|layer| below.iter().filter(move |((of, ..), _)| of == layer).cloned()));
        let together = dispatcher(&hooks).dispatch(payload);
        // A denial is the strictest outcome; it ends the chain, no matter who gives it.
        if together.decision == Decision::Deny {
            return Ok(());
        }
        if input(&together) == input(&alone) {
            // An allow rule is a question less; what is asked or denied stays so.
            prop_assert!(alone.decision < Decision::Ask || together.decision >= alone.decision);
            prop_assert!(alone.stop.is_none() || together.stop.is_some(), "a stop was lost");
        }
        let changed_from_below = together
            .trail
            .iter()
            .any(|step| step.change.is_some() && step.index >= managed.len());
        if !changed_from_below {
            return Ok(());
        }
        for hook in managed.iter().filter(|((_, role, ..), _)| *role != Role::Observe) {
            let (decision, would_edit) = opinion(hook, &together.payload);
            if decision >= Decision::Ask {
                prop_assert!(together.decision >= decision, "{hook:?} says {decision} to what runs");
            }
            if would_edit {
                prop_assert!(together.decision >= Decision::Ask, "{hook:?} was undone");
            }
        }
    }
}

fn outcome(configs: Vec<Config>, command: &str) -> checkrein::Outcome {
    let stack = LayeredConfig::new(configs, None);
    let setup = Setup::new(Environment::new([("PATH".into(), "/usr/bin:/bin".into())]));
    let (dispatcher, _) = stack.dispatcher(Some(EventName::PreToolUse), &setup);
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", input) });
    payload.session.cwd = Some("/".into());
    dispatcher.decide(payload)
}

#[test]
fn an_editor_cannot_be_got_round_from_below() {
    let guard = "[[hook]]\nevent = \"PreToolUse\"\nname = \"guard\"\nrole = \"edit\"\ncommand = '''case \"$(cat)\" in *wipe*) echo no >&2; exit 2;; esac'''\n";
    let rewriter = "[[hook]]\nevent = \"PreToolUse\"\nname = \"rewriter\"\nrole = \"edit\"\ncommand = ['printf', '{\"rewrite_args\":{\"command\":\"wipe\"}}']\n";
    let outcome = outcome(vec![parse(Layer::Managed, guard), parse(Layer::User, rewriter)], "list");
    assert_eq!((outcome.decision, outcome.reason().as_str()), (Decision::Deny, "guard: no"));
}

#[test]
fn what_a_higher_editor_made_is_not_undone_in_silence() {
    let wrap = "[[hook]]\nevent = \"PreToolUse\"\nname = \"wrap\"\nrole = \"edit\"\ncommand = ['printf', '{\"rewrite_args\":{\"command\":\"sandbox list\"}}']\n";
    let undo = "[[hook]]\nevent = \"PreToolUse\"\nname = \"undo\"\nrole = \"edit\"\ncommand = ['printf', '{\"rewrite_args\":{\"command\":\"list\"}}']\n";
    let of = |wrapper, undoer| outcome(vec![parse(wrapper, wrap), parse(undoer, undo)], "list").decision;
    assert_eq!(of(Layer::Managed, Layer::User), Decision::Ask);
    // Between equals the later one has the last word, as in any list of editors.
    assert_eq!(of(Layer::User, Layer::Flag), Decision::Abstain);
    // A hook without a role that rewrites is an editor too.
    let plain = wrap.replace("role = \"edit\"\n", "");
    let of = |undoer| outcome(vec![parse(Layer::Managed, &plain), parse(undoer, undo)], "list").decision;
    assert_eq!(of(Layer::User), Decision::Ask);
}

#[test]
fn an_untrusted_project_takes_nothing_away() {
    let directory = tempfile::tempdir().unwrap();
    let store = checkrein::trust::Store::new(&directory.path().join("state"));
    let path = directory.path().join(".checkrein.toml");
    fs::write(&path, "disable = [\"a\"]\n").unwrap();
    let stack = || {
        let project = Config::load_as(Layer::Project, &path).unwrap();
        LayeredConfig::new(
            vec![parse(Layer::User, &hook("a", "overridable = true")), project],
            Some(store.clone()),
        )
    };
    assert_eq!(stack().rows(None)[0].status, HookStatus::Active);
    assert_eq!(stack().void_disables().len(), 1);
    for content in stack().untrusted_disables() {
        store.trust(&content.unwrap()).unwrap();
    }
    assert_eq!(stack().rows(None)[0].status, HookStatus::Disabled { by: Layer::Project });
    // Another list is another request.
    fs::write(&path, "disable = [\"a\", \"b\"]\n").unwrap();
    assert_eq!(stack().rows(None)[0].status, HookStatus::Active);
}

fn rule(id: &str, decision: &str) -> String {
    format!(
        "[[rule]]\nid = \"{id}\"\neffect = \"send\"\ntarget = \"main\"\ndecision = \"{decision}\"\nreason = \"because\"\n"
    )
}

/// Returns the guard's judgement of an agent's command, with the rules of these layers.
fn guarded(configs: Vec<Config>, command: &str) -> checkrein::guard::Judgement {
    let guard = Guard::of(checkrein::guard::EmptyWorld::new("/home/dev"));
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", input) });
    payload.session.cwd = Some("/home/dev/proj".into());
    guard.with_rules(LayeredConfig::new(configs, None).rules()).judgement(&payload).unwrap()
}

#[test]
fn rules_of_all_layers_count_and_the_strictest_wins() {
    let layers = || Layer::ALL.map(|layer| parse(layer, &rule("push", "ask"))).to_vec();
    let ids = |configs: Vec<Config>| -> Vec<String> {
        LayeredConfig::new(configs, None).rules().iter().map(|rule| rule.id.to_string()).collect()
    };
    assert_eq!(ids(layers()), ["managed.push", "user.push", "project.push", "config.push"]);
    let judgement = guarded(layers(), "git push origin main");
    assert_eq!((judgement.decision, judgement.findings.len()), (Decision::Ask, 4));
    // Two files of one project may use the same id; neither is trusted, and the stricter counts.
    for texts in [["ask", "deny"], ["deny", "ask"]] {
        let configs = texts.map(|decision| parse(Layer::Project, &rule("push", decision))).to_vec();
        assert_eq!(guarded(configs, "git push origin main").decision, Decision::Deny);
    }
    assert_eq!(guarded(layers(), "git push origin topic").decision, Decision::Abstain);
}

#[test]
fn a_rule_of_a_project_never_loosens_what_is_built_in() {
    let ask = "[[rule]]\nid = \"all\"\neffect = [\"delete\", \"overwrite\", \"discard\"]\ndecision = \"ask\"\nreason = \"because\"\n";
    for built_in in checkrein::guard::rules() {
        for command in built_in.matches.iter() {
            let alone = guarded(Vec::new(), command).decision;
            let together = guarded(vec![parse(Layer::Project, ask)], command).decision;
            assert!(together >= alone, "{command}: {together}, and {alone} without the rule");
        }
    }
}

/// The managed layer is never cached, so its examples are not checked by every event.
#[test]
fn an_event_that_keeps_nothing_believes_the_examples() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("config.toml");
    fs::write(&path, format!("{}match = \"ls\"\n", rule("push", "deny"))).unwrap();
    let call = ToolCall::new("Bash", Map::new());
    let managed = Places {
        managed: Some(path.clone()),
        state: Some(directory.path().join("state")),
        ..Places::default()
    };
    let stack = LayeredConfig::load_for(&managed, EventName::PreToolUse, Some(&call)).unwrap();
    assert_eq!(stack.rules().len(), 1);
    assert!(LayeredConfig::load(&managed).is_err(), "a user who looks is told");
    let user = Places { user: Some(path), managed: None, ..managed };
    assert!(LayeredConfig::load_for(&user, EventName::PreToolUse, Some(&call)).is_err());
}

const ALLOW: &str = "[[exception]]\nrules = \"git.*\"\nreason = \"because\"\nuntil = \"never\"\n";
const ALLOW_RULE: &str = "[[allow]]\nprograms = [\"ls *\", \"git *\"]\neffect = [\"read\", \"send\"]\n";

/// Returns the guard's decision with everything that these layers configure.
fn decided(configs: Vec<Config>, command: &str) -> Decision {
    let stack = LayeredConfig::new(configs, None);
    let guard = Guard::of(checkrein::guard::EmptyWorld::new("/home/dev"))
        .with_rules(stack.rules())
        .with_exceptions(stack.exceptions(), checkrein::guard::Day::of_seconds(1_800_000_000))
        .with_allow_rules(stack.allow_rules());
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", input) });
    payload.session.cwd = Some("/home/dev/proj".into());
    payload.session.project_dir = Some("/home/dev/proj".into());
    let mut dispatcher = Dispatcher::new();
    let entry = Entry::new(EventName::PreToolUse, guard).with_role(Role::Judge);
    dispatcher.add(entry.with_may_allow(true));
    dispatcher.decide(payload).decision
}

/// Returns the strictness of a decision for the agent: an allow rule is less strict than silence.
fn strictness(decision: Decision) -> usize {
    match decision {
        Decision::Allow => 0,
        Decision::Abstain => 1,
        Decision::Ask => 2,
        Decision::Deny => 3,
    }
}

#[test]
fn a_rule_of_a_project_never_loosens_what_the_user_wrote() {
    let user = || parse(Layer::User, &format!("{ALLOW}{ALLOW_RULE}"));
    let project = parse(
        Layer::Project,
        "[[rule]]\nid = \"all\"\neffect = [\"read\", \"delete\", \"send\", \"overwrite\"]\ndecision = \"ask\"\nreason = \"because\"\n",
    );
    let matches = checkrein::guard::rules().iter().flat_map(|rule| rule.matches.iter().map(AsRef::as_ref));
    let mut stricter = 0;
    for command in matches.chain(["ls src", "git push origin topic", "cat a", "git status"]) {
        let alone = decided(vec![user()], command);
        let together = decided(vec![user(), project.clone()], command);
        assert!(
            strictness(together) >= strictness(alone),
            "{command}: {together}, and {alone} without the rule"
        );
        stricter += usize::from(together != alone);
    }
    assert!(stricter > 10, "{stricter}");
}

#[test]
fn exceptions_and_allow_rules_count_where_no_higher_layer_refuses_them() {
    let refuse = || parse(Layer::Managed, "exceptions = \"refuse\"\n");
    let force = "git push --force origin topic";
    assert_eq!(decided(vec![], force), Decision::Deny);
    assert_eq!(decided(vec![parse(Layer::User, ALLOW)], force), Decision::Abstain);
    assert_eq!(decided(vec![refuse(), parse(Layer::User, ALLOW)], force), Decision::Deny);
    assert_eq!(decided(vec![refuse(), parse(Layer::Flag, ALLOW)], force), Decision::Deny);
    assert_eq!(decided(vec![parse(Layer::User, ALLOW_RULE)], "ls src"), Decision::Allow);
    assert_eq!(decided(vec![refuse(), parse(Layer::User, ALLOW_RULE)], "ls src"), Decision::Abstain);
    // A layer that refuses still has its own.
    let managed = parse(Layer::Managed, &format!("exceptions = \"refuse\"\n{ALLOW}{ALLOW_RULE}"));
    assert_eq!(decided(vec![managed.clone()], force), Decision::Abstain);
    assert_eq!(decided(vec![managed], "ls src"), Decision::Allow);
    // The administrator's rules stay, and a suppressed call is not allowed.
    let rule = parse(Layer::Managed, &rule("push", "deny"));
    let managed = "[[exception]]\nrules = \"managed.*\"\nreason = \"because\"\nuntil = \"never\"\n";
    assert_eq!(
        decided(vec![rule.clone(), parse(Layer::User, ALLOW)], "git push origin main"),
        Decision::Deny
    );
    let both = vec![rule, parse(Layer::Managed, managed), parse(Layer::User, ALLOW_RULE)];
    assert_eq!(decided(both, "git push origin main"), Decision::Abstain);
}
