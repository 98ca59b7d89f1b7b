use super::*;
use crate::config::keys::HOOK;
use checkrein_core::Map;
use proptest::prelude::*;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

struct Kept {
    directory: TempDir,
    cache: Cache,
}

impl Kept {
    /// Reads `text` as a file of the user's, and keeps it as if that had happened much later.
    fn new(text: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let kept = Self { cache: Cache::new(&directory.path().join("state")), directory };
        fs::write(kept.path(), text).unwrap();
        let stat = rustix::fs::stat(kept.path()).unwrap();
        kept.cache.write_at(&kept.fresh(), &stat, stat.st_ctime + 10).unwrap();
        kept
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("config.toml")
    }

    fn fresh(&self) -> Config {
        Config::load_as(Layer::User, &self.path()).unwrap()
    }

    fn read(&self, event: EventName, call: Option<&ToolCall>) -> Option<Config> {
        self.cache.read(Layer::User, &self.path(), event, call)
    }

    fn place(&self) -> PathBuf {
        self.cache.place(Layer::User, &self.path())
    }
}

const EVENTS: [EventName; 4] =
    [EventName::PreToolUse, EventName::PostToolUse, EventName::Stop, EventName::UserPromptSubmit];

fn patterns() -> impl Strategy<Value = Vec<&'static str>> {
    let pattern = prop::sample::select(vec![
        "Bash",
        "Read",
        "run_shell",
        "kind:shell",
        "kind:read",
        "Ba*",
        "*",
        "/^R/",
    ]);
    prop::collection::vec(pattern, 1..4)
}

prop_compose! {
    fn hook()(
        event in prop::sample::select(EVENTS.as_slice()),
        tool in prop::option::of(patterns()),
        except in prop::option::of(patterns()),
        list in any::<bool>(),
        role in prop::option::of(prop::sample::select(vec!["edit", "judge"])),
        timeout in prop::option::of(0.001_f64..1.0),
        on_failure in prop::option::of(prop::sample::select(vec!["deny", "ask", "ignore"])),
        (may_allow, overridable) in any::<(bool, bool)>(),
        cwd in prop::option::of(prop::sample::select(vec!["session", "config"])),
        env in prop::collection::vec("[A-Z][A-Z0-9_]{0,6}", 0..3),
        text in "[a-zA-Z0-9 ./é'\"$-]{0,12}x",
    ) -> String {
        let mut hook = format!("[[hook]]\nevent = \"{event}\"\n");
        let command = Value::from(text).to_string();
        hook += &if list { format!("command = [{command}, \"b\"]\n") } else { format!("command = {command}\n") };
        let mut matcher = Vec::new();
        matcher.extend(tool.map(|tool| format!("tool = {tool:?}")));
        matcher.extend(except.map(|except| format!("except = {except:?}")));
        if !matcher.is_empty() {
            hook += &format!("match = {{ {} }}\n", matcher.join(", "));
        }
        hook += &role.map(|role| format!("role = \"{role}\"\n")).unwrap_or_default();
        hook += &timeout.map(|timeout| format!("timeout = {timeout:?}\n")).unwrap_or_default();
        hook += &on_failure.map(|rule| format!("on_failure = \"{rule}\"\n")).unwrap_or_default();
        hook += &format!("may_allow = {may_allow}\noverridable = {overridable}\nenv = {env:?}\n");
        hook += &cwd.map(|cwd| format!("cwd = \"{cwd}\"\n")).unwrap_or_default();
        hook
    }
}

prop_compose! {
    fn rule()(
        does in prop::collection::vec(prop::sample::select(checkrein_guard::Action::ALL), 1..4),
        zone in prop::option::of(prop::sample::select(checkrein_guard::Zone::ALL)),
        tag in prop::option::of(prop::sample::select(checkrein_guard::Tag::ALL)),
        modifiers in prop::collection::vec(prop::sample::select(checkrein_guard::Modifier::ALL), 1..4),
        environment in prop::sample::select(checkrein_guard::Environment::ALL),
        certainty in prop::sample::select(checkrein_guard::Certainty::ALL),
        (domain, taint) in (prop::sample::select(checkrein_guard::Domain::ALL), prop::sample::select(checkrein_guard::Taint::ALL)),
        (positive, negative) in (any::<bool>(), any::<bool>()),
        key in prop::sample::select(vec!["with", "with_any", "unless"]),
        names in prop::option::of("[a-zé*?/\"-]{1,8}x"),
        decision in prop::sample::select(vec!["ask", "deny"]),
        reason in "[a-zé'\"` -]{0,12}x",
    ) -> String {
        let words = |words: Vec<&str>| format!("{words:?}");
        let mut rule = format!("effect = {}\n", words(does.iter().map(|word| word.as_str()).collect()));
        rule += &zone.map(|zone| format!("zone = \"{zone}\"\n")).unwrap_or_default();
        rule += &tag.map(|tag| format!("not_tag = \"{tag}\"\n")).unwrap_or_default();
        rule += &format!("{key} = {}\n", words(modifiers.iter().map(|word| word.as_str()).collect()));
        for (is_there, not) in [(positive, ""), (negative, "not_")] {
            if is_there {
                rule += &format!("{not}environment = \"{environment}\"\n{not}certainty = [\"{certainty}\"]\n");
                rule += &format!("{not}domain = \"{domain}\"\n{not}data = \"{taint}\"\n");
            }
        }
        rule += &names.map(|names| format!("target = [{0}]\nprograms = {0}\n", Value::from(names))).unwrap_or_default();
        rule += &format!("decision = \"{decision}\"\nreason = {}\nnot_match = \"true\"\n", Value::from(reason));
        rule
    }
}

prop_compose! {
    fn allow()(
        rules in prop::collection::vec(prop::sample::select(vec!["git.*", "secrets.read-secret", "project.a"]), 1..3),
        programs in prop::option::of("[a-zé*?/\"-]{1,8}x"),
        directory in prop::option::of(prop::sample::select(vec!["~", "~/a b", "/srv/é"])),
        reason in "[a-zé'\"` -]{0,12}x",
        until in prop::sample::select(vec!["never", "2027-01-31", "1999-12-31"]),
    ) -> String {
        let mut allow = format!("[[exception]]\nrules = {rules:?}\nreason = {}\nuntil = \"{until}\"\n", Value::from(reason));
        allow += &programs.map(|text| format!("programs = {0}\ntarget = [{0}]\n", Value::from(text))).unwrap_or_default();
        allow += &directory.map(|directory| format!("directory = \"{directory}\"\n")).unwrap_or_default();
        allow
    }
}

prop_compose! {
    fn allow_rule()(
        programs in prop::collection::vec("[a-z]{1,4}( [a-zé*?-]{1,4}){0,2}", 1..4),
        does in prop::option::of(prop::sample::select(vec!["read", "write", "send"])),
        zone in prop::option::of(prop::sample::select(vec!["project", "temporary"])),
        names in prop::option::of("[a-zé*?/\"-]{1,8}x"),
    ) -> String {
        let mut allow_rule = format!("[[allow]]\nprograms = {}\n", Value::from(programs));
        allow_rule += &does.map(|word| format!("effect = \"{word}\"\n")).unwrap_or_default();
        allow_rule += &zone.map(|word| format!("zone = [\"{word}\"]\n")).unwrap_or_default();
        allow_rule += &names.map(|names| format!("target = {}\n", Value::from(names))).unwrap_or_default();
        allow_rule
    }
}

fn calls() -> Vec<Option<ToolCall>> {
    let call = |name: &str| Some(ToolCall::new(name, Map::new()));
    let renamed = call("Bash").map(|call| ToolCall { host_name: Some("run_shell".into()), ..call });
    vec![None, call("Bash"), call("Read"), call("Other"), renamed]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_kept_equals_a_fresh_parse(
        hooks in prop::collection::vec(hook(), 0..8),
        rules in prop::collection::vec(rule(), 0..4),
        allows in prop::collection::vec(allow(), 0..3),
        allow_rules in prop::collection::vec(allow_rule(), 0..3),
        disable in prop::collection::vec("[a-z]{1,4}", 0..3),
        untrusted in prop::sample::select(vec!["skip", "deny"]),
        exceptions in prop::sample::select(vec!["accept", "refuse"]),
    ) {
        let rules: String =
            rules.iter().enumerate().map(|(index, rule)| format!("[[rule]]\nid = \"r{index}\"\n{rule}")).collect();
        let kept = Kept::new(&format!(
            "disable = {disable:?}\nuntrusted = \"{untrusted}\"\nexceptions = \"{exceptions}\"\n{}{rules}{}{}",
            hooks.concat(),
            allows.concat(),
            allow_rules.concat()
        ));
        let fresh = kept.fresh();
        for event in EVENTS {
            for call in calls() {
                let concerns = |hook: &HookDefinition| hook.event == event && hook.scope.covers(call.as_ref());
                let mut read = kept.read(event, call.as_ref()).expect("it was kept");
                read.content.hooks.retain(concerns);
                let expected: Vec<&HookDefinition> = fresh.content.hooks.iter().filter(|hook| concerns(hook)).collect();
                prop_assert_eq!(read.content.hooks.iter().collect::<Vec<_>>(), expected);
                // Rules are held against calls that can still be prevented, and nothing else.
                let judged = event == EventName::PreToolUse && call.is_some();
                prop_assert_eq!(&*read.content.rules, if judged { &*fresh.content.rules } else { &[] });
                prop_assert_eq!(&*read.content.exceptions, if judged { &*fresh.content.exceptions } else { &[] });
                prop_assert_eq!(&*read.content.allow_rules, if judged { &*fresh.content.allow_rules } else { &[] });
                prop_assert_eq!(&read.content.settings, &fresh.content.settings);
                prop_assert_eq!(&read.directory, &fresh.directory);
            }
        }
    }

    #[test]
    fn a_broken_file_is_nothing(at in 0_usize..2000, byte in any::<u8>(), length in 0_usize..2000) {
        let kept = Kept::new("[[hook]]\nevent = \"PreToolUse\"\nmatch = { tool = \"Bash\" }\ncommand = \"true\"\n");
        let mut bytes = fs::read(kept.place()).unwrap();
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        bytes.truncate(length);
        fs::write(kept.place(), bytes).unwrap();
        // No panic, and nothing is read that is not there.
        let _ = kept.read(EventName::PreToolUse, Some(&ToolCall::new("Bash", Map::new())));
    }
}

/// Every key of a hook, with a value that is not its default.
#[test]
fn every_key_is_kept() {
    let hook = |what: &str| {
        format!(
            "[[hook]]\nevent = \"Stop\"\nname = \"a\"\nmatch = {{ tool = \"A\", except = \"B\" }}\n{what}\nrole = \"judge\"\n\
             timeout = 7\non_failure = \"ask\"\nmay_allow = true\ncwd = \"config\"\nenv = [\"A\"]\nfiles = [\"b\"]\n\
             overridable = true\n"
        )
    };
    let translated = "command = \"true\"\nwritten_for = \"cursor\"";
    for what in ["command = \"true\"", "command = [\"a\", \"\"]", "callable = \"a:b\"", translated] {
        let kept = Kept::new(&format!("python = \"p\"\n{}", hook(what)));
        let (fresh, value) = (kept.fresh().content.hooks, written::hook(&kept.fresh().content.hooks[0]));
        assert_eq!(written::read_hook(Layer::User, &value).as_ref(), fresh.first(), "{value}");
        let missing: Vec<&str> =
            HOOK.keys.iter().map(|key| key.name).filter(|key| value.get(key).is_none()).collect();
        let other = if what.starts_with("command") { "callable" } else { "command" };
        let expected =
            if what == translated { vec![other, "required"] } else { vec![other, "written_for", "required"] };
        assert_eq!(missing, expected);
    }
}

const ONE: &str = "[[hook]]\nevent = \"Stop\"\ncommand = \"true\"\n";

#[test]
fn a_changed_file_is_read_anew() {
    let kept = Kept::new(ONE);
    assert!(kept.read(EventName::Stop, None).is_some());
    let text = ONE.replace("true", "fals");
    assert_eq!(text.len(), ONE.len());
    fs::write(kept.path(), text).unwrap();
    assert!(kept.read(EventName::Stop, None).is_none());
    fs::remove_file(kept.path()).unwrap();
    assert!(kept.read(EventName::Stop, None).is_none());
}

#[test]
fn another_layer_or_file_is_another() {
    let kept = Kept::new(ONE);
    assert!(kept.cache.read(Layer::Managed, &kept.path(), EventName::Stop, None).is_none());
    let copy = kept.directory.path().join("copy.toml");
    fs::copy(kept.path(), &copy).unwrap();
    fs::copy(kept.place(), kept.cache.place(Layer::User, &copy)).unwrap();
    assert!(kept.cache.read(Layer::User, &copy, EventName::Stop, None).is_none());
}

#[test]
fn what_others_could_have_written_is_not_believed() {
    let kept = Kept::new(ONE);
    fs::set_permissions(kept.place(), fs::Permissions::from_mode(0o644)).unwrap();
    assert!(kept.read(EventName::Stop, None).is_none());
    fs::set_permissions(kept.place(), fs::Permissions::from_mode(0o600)).unwrap();
    assert!(kept.read(EventName::Stop, None).is_some());
    let elsewhere = kept.directory.path().join("elsewhere");
    fs::rename(kept.place(), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, kept.place()).unwrap();
    assert!(kept.read(EventName::Stop, None).is_none());
}

#[test]
fn a_file_that_changed_a_moment_ago_is_not_kept() {
    let kept = Kept::new(ONE);
    fs::remove_file(kept.place()).unwrap();
    let stat = rustix::fs::stat(kept.path()).unwrap();
    kept.cache.write_at(&kept.fresh(), &stat, stat.st_ctime + 1).unwrap();
    assert!(!kept.place().exists());
}

#[test]
fn the_managed_layer_is_not_believed_from_where_a_user_can_write() {
    let kept = Kept::new(ONE);
    let stat = rustix::fs::stat(kept.path()).unwrap();
    let empty = Config { layer: Layer::Managed, content: FileContent::default(), ..kept.fresh() };
    kept.cache.write_at(&empty, &stat, stat.st_ctime + 100).unwrap();
    let place = (Layer::Managed, &*kept.path());
    let read = Config::load_for(Some(&kept.cache), place, (EventName::Stop, None)).unwrap().unwrap();
    assert_eq!(read.content.hooks.len(), 1);
}

#[test]
fn a_file_that_an_editor_has_taken_away_for_a_moment_is_waited_for() {
    let kept = Kept::new(ONE);
    let aside = kept.directory.path().join("aside");
    fs::rename(kept.path(), &aside).unwrap();
    let read = || Config::load_for(Some(&kept.cache), (Layer::User, &kept.path()), (EventName::Stop, None));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            fs::rename(&aside, kept.path()).unwrap();
        });
        assert!(read().unwrap().is_some());
    });
    // One that stays away is gone, and is not waited for again.
    fs::remove_file(kept.path()).unwrap();
    assert!(read().unwrap().is_none());
    assert!(!kept.place().exists());
}
