//! Tests that the table of keys, the schemas, the default configuration and the readers agree.

use super::*;
use crate::{
    cases::{TestFile, json_of},
    config::{
        Config,
        default_file::default_config,
        fields::one_of,
        format::Notation,
        hook::HookDefinition,
        keys::{CASE, HOOK, join},
        layer::Layer,
        problem::ConfigError,
    },
};
use checkrein_core::{Pattern, PatternError};
use proptest::prelude::*;

/// Returns true if `value` is valid under `schema`, by an independent validator.
fn is_valid(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap().is_valid(value)
}

fn parse(layer: Layer, text: &str) -> Result<Config, ConfigError> {
    Config::parse_as(layer, text, "hooks.toml".as_ref())
}

/// A hook with `line`, in the first layer that may have `key`.
fn hook_with(key: &str, line: &str) -> Result<Config, ConfigError> {
    let refused =
        |layer: Layer| HOOK.keys.iter().any(|row| row.name == key && row.refused_in(layer).is_some());
    let layer = Layer::ALL.into_iter().find(|layer| !refused(*layer)).unwrap();
    let rest = [("event", "event = \"PreToolUse\"\n"), ("command", "command = \"true\"\n")];
    let rest: String = rest.into_iter().filter(|(name, _)| *name != key).map(|(_, line)| line).collect();
    parse(layer, &format!("[[hook]]\n{rest}{line}\n"))
}

fn only_hook(config: Config) -> HookDefinition {
    config.content.hooks.into_iter().next().unwrap()
}

#[test]
fn the_table_has_the_words_of_the_reader() {
    let mut seen = Vec::new();
    for key in HOOK.keys {
        let KeyType::Word(words) = key.holds else { continue };
        seen.push(key.name);
        for word in words() {
            hook_with(key.name, &format!("{} = \"{word}\"", key.name)).unwrap();
        }
        let problems = hook_with(key.name, &format!("{} = \"!\"", key.name)).unwrap_err();
        let message = problems.first().message();
        if key.name == "event" {
            let events: Vec<&str> = Notation::Toml.events().iter().map(|event| event.as_str()).collect();
            assert_eq!(words(), events);
        } else {
            assert!(message.contains(&format!("expected {}", one_of(&words()))), "{message}");
        }
    }
    assert_eq!(seen, ["event", "role", "on_failure", "cwd"]);
    for key in FILE.keys {
        let KeyType::Word(words) = key.holds else { continue };
        for word in words() {
            // A word that is only for the administrator is known all the same.
            let line = format!("{} = \"{word}\"", key.name);
            parse(Layer::User, &line).or_else(|_| parse(Layer::Managed, &line)).unwrap();
        }
        let problems = parse(Layer::User, &format!("{} = \"!\"", key.name)).unwrap_err();
        assert!(problems.first().message().contains(&one_of(&words())), "{problems}");
    }
}

#[test]
fn a_default_is_what_the_absence_means() {
    let without = only_hook(hook_with("", "").unwrap());
    let mut seen = 0;
    for key in HOOK.keys {
        let Absent::Default(value) = key.absent else { continue };
        seen += 1;
        let config = hook_with(key.name, &format!("{} = {}", key.name, value.to_json())).unwrap();
        assert_eq!(only_hook(config), without, "{}", key.name);
    }
    assert_eq!(seen, 7);
    let without = parse(Layer::User, "").unwrap();
    for key in FILE.keys {
        let Absent::Default(value) = key.absent else { continue };
        let with = parse(Layer::User, &format!("{} = {}", key.name, value.to_json())).unwrap();
        assert_eq!(with.content.settings, without.content.settings);
        assert_eq!((with.content.exceptions, with.content.allow_rules), (vec![], vec![]));
    }
}

#[test]
fn a_key_that_must_be_there_must_be_there() {
    for key in HOOK.keys {
        // `hook_with` leaves out the one that is asked for.
        let missing = hook_with(key.name, "").is_err();
        let alone = matches!(key.absent, Absent::RequiredUnless(_)) && key.name == "command";
        assert_eq!(missing, matches!(key.absent, Absent::Required) || alone, "{}", key.name);
    }
}

/// The default configuration as it is when every setting counts. Prose has a space after its `#`.
fn uncommented() -> String {
    let line = |line: &str| match line.strip_prefix('#') {
        Some(text) if text.is_empty() || text.starts_with(' ') => String::new(),
        Some(setting) => format!("{setting}\n"),
        None => format!("{line}\n"),
    };
    default_config().lines().map(line).collect()
}

#[test]
fn the_default_configuration_is_empty_as_it_is() {
    for layer in Layer::ALL {
        let content = parse(layer, &default_config()).unwrap().content;
        assert!(content.hooks.is_empty() && content.rules.is_empty() && content.settings.disable.is_empty());
        assert!(content.exceptions.is_empty() && content.allow_rules.is_empty());
    }
}

#[test]
fn the_default_configuration_is_valid_with_every_setting() {
    let text = uncommented();
    let config = parse(Layer::User, &text).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((config.content.hooks.len(), config.content.rules.len()), (4, 6));
    assert_eq!((config.content.exceptions.len(), config.content.allow_rules.len()), (1, 1));
    assert!(is_valid(&config_schema(), &json_of(&text)));
}

#[test]
fn the_default_configuration_explains_every_key_and_its_default() {
    let file = default_config();
    let comments: Vec<&str> = file.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    let text = comments.join(" ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let settings = uncommented();
    FILE.visit("", &mut |table, keys| {
        for key in keys.keys {
            assert!(text.contains(&key.full_text()), "it does not explain `{table}.{}`", key.name);
            let shown = match key.holds {
                KeyType::Tables(_) => format!("[[{}]]", join(table, key.name)),
                KeyType::Table(_) if key.example_value().is_empty() => format!("[{}]", join(table, key.name)),
                _ => format!("{} = ", key.name),
            };
            assert!(settings.contains(&shown), "it does not show `{table}.{}`", key.name);
            if let (Absent::Default(value), false) = (key.absent, matches!(key.holds, KeyType::Tables(_))) {
                let setting = format!("{} = {}", key.name, value.to_json());
                assert!(settings.contains(&setting), "it does not show `{setting}`");
            }
        }
    });
    assert!(file.lines().all(|line| line.chars().count() <= 120 || !line.starts_with("# ")), "{file}");
}

#[test]
fn the_schema_says_which_layers_may_set_a_key() {
    let schema = config_schema();
    let description =
        |pointer: &str| schema.pointer(&format!("{pointer}/description")).unwrap().as_str().unwrap();
    assert!(description("/properties/hook/items/properties/required").ends_with(" Layers: managed."));
    assert!(description("/properties/hook/items/properties/overridable").ends_with(" Layers: user."));
    assert!(description("/properties/untrusted").ends_with(" Layers: managed, user."));
    assert!(!description("/properties/hook/items/properties/event").contains("Layers"));
}

/// The answers of the reader and the schema to a text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Said {
    /// Both: yes.
    Valid,
    /// Both: no.
    Invalid,
    /// The reader: no. The schema cannot know.
    Beyond,
}

fn agree(schema: &Value, text: &str, read: &Result<(), ConfigError>, said: Said) {
    let (reader, editor) = match said {
        Said::Valid => (true, true),
        Said::Invalid => (false, false),
        Said::Beyond => (false, true),
    };
    assert_eq!(read.is_ok(), reader, "the reader, on\n{text}\n{read:?}");
    assert_eq!(is_valid(schema, &json_of(text)), editor, "the schema, on\n{text}");
}

#[test]
fn the_schema_of_configurations_agrees_with_the_reader() {
    let hook = "[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"\n";
    let schema = config_schema();
    let check = |text: &str, said| agree(&schema, text, &parse(Layer::User, text).map(drop), said);
    for (text, said) in [
        ("", Said::Valid),
        ("hooks = []", Said::Invalid),
        ("hook = 3", Said::Invalid),
        ("hook = [3]", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"", Said::Invalid),
        ("[[hook]]\ncommand = \"true\"", Said::Invalid),
        ("[[hook]]\ncommand = \"true\"\nevent = \"Stopp\"", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"\ncommand = \" \"", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"\ncommand = []", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"\ncommand = [\" \", \"x\"]", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"\ncommand = [\"x\", 1]", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"\ncommand = [\"x\", \"\"]", Said::Valid),
        ("[[hook]]\nevent = \"Stop\"\ncommand = \"a\\u0000\"", Said::Beyond),
        ("[[hook]]\nevent = \"Stop\"\ncallable = \"a:b\"", Said::Valid),
        ("[[hook]]\nevent = \"Stop\"\ncallable = \"a.b:c.d\"\ncommand = \"x\"", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"\ncallable = \"a\"", Said::Invalid),
        ("[[hook]]\nevent = \"Stop\"\ncallable = \"a-b:c\"", Said::Beyond),
        ("[[hook]]\nevent = \"Stop\"\ncallable = 3", Said::Invalid),
        ("python = \".venv/bin/python\"", Said::Valid),
        ("python = \" \"", Said::Invalid),
        ("python = 3", Said::Invalid),
        ("disable = [\"a\"]", Said::Valid),
        ("disable = \"a\"", Said::Invalid),
        ("disable = [1]", Said::Invalid),
        ("untrusted = \"deny\"", Said::Valid),
        ("untrusted = \"ask\"", Said::Invalid),
        ("untrusted = true", Said::Invalid),
    ] {
        check(text, said);
    }
    for (lines, said) in [
        ("name = \"a\"", Said::Valid),
        ("name = \"\"", Said::Invalid),
        ("name = \" \"", Said::Invalid),
        ("match = {}", Said::Valid),
        ("match = { tools = \"Bash\" }", Said::Invalid),
        ("match = \"Bash\"", Said::Invalid),
        ("match = { tool = [] }", Said::Invalid),
        ("match = { tool = [\"A\", 1] }", Said::Invalid),
        ("match = { except = [] }", Said::Valid),
        ("match = { tool = \"kind:shell\", except = \"Bash*\" }", Said::Valid),
        ("match = { tool = \"kind:shel\" }", Said::Invalid),
        ("match = { except = [\"A|B\"] }", Said::Invalid),
        ("match = { tool = \"/(/\" }", Said::Beyond),
        ("role = \"judge\"", Said::Valid),
        ("role = \"plain\"", Said::Invalid),
        ("role = \"observe\"\non_failure = \"ignore\"\nmay_allow = false", Said::Valid),
        ("role = \"observe\"\non_failure = \"deny\"", Said::Invalid),
        ("role = \"observe\"\nmay_allow = true", Said::Invalid),
        ("role = \"observe\"\nrequired = true", Said::Invalid),
        ("timeout = 20", Said::Valid),
        ("timeout = 600", Said::Beyond),
        ("role = \"observe\"\ntimeout = 600", Said::Valid),
        ("timeout = 0.001", Said::Valid),
        ("timeout = 600.1", Said::Invalid),
        ("timeout = 0", Said::Invalid),
        ("timeout = -1", Said::Invalid),
        ("timeout = \"5\"", Said::Invalid),
        ("on_failure = \"allow\"", Said::Invalid),
        ("may_allow = \"yes\"", Said::Invalid),
        ("may_allow = true", Said::Valid),
        ("cwd = \"project\"", Said::Invalid),
        ("env = [\"A_1\", \"_b\"]", Said::Valid),
        ("env = [\"1A\"]", Said::Invalid),
        ("env = [\"A=1\"]", Said::Invalid),
        ("env = \"A\"", Said::Invalid),
        ("files = [\"a/b.py\", \"./c\", \"..d\", \"e/f..\"]", Said::Valid),
        ("files = [\"../a\"]", Said::Invalid),
        ("files = [\"a/..\"]", Said::Invalid),
        ("files = [\"/etc/passwd\"]", Said::Invalid),
        ("files = [\"\"]", Said::Invalid),
        ("overridable = true", Said::Valid),
        ("required = false", Said::Valid),
        ("required = true", Said::Beyond),
        ("retries = 1", Said::Invalid),
        ("name = \"a\"\n[[hook]]\nname = \"a\"\nevent = \"PreToolUse\"\ncommand = \"true\"", Said::Beyond),
    ] {
        check(&format!("{hook}{lines}"), said);
    }
}

#[test]
fn the_schema_of_rules_agrees_with_the_reader() {
    let schema = config_schema();
    let rule = [
        ("id", "id = \"a\"\n"),
        ("effect", "effect = \"delete\"\n"),
        ("decision", "decision = \"deny\"\n"),
        ("reason", "reason = \"because\"\n"),
    ];
    for (line, said) in [
        ("", Said::Valid),
        ("id = \"\"", Said::Invalid),
        ("id = \"A b\"", Said::Invalid),
        ("id = [\"a\"]", Said::Invalid),
        ("effect = [\"delete\", \"move\"]", Said::Valid),
        ("effect = []", Said::Invalid),
        ("effect = \"deletes\"", Said::Invalid),
        ("zone = [\"project\"]", Said::Valid),
        ("zone = \"projects\"", Said::Invalid),
        ("tag = \"secret\"", Said::Valid),
        ("not_tag = \"secret\"", Said::Valid),
        ("not-tag = \"secret\"", Said::Invalid),
        ("with = [\"force\", 1]", Said::Invalid),
        ("with_any = [\"force\"]", Said::Valid),
        ("unless = [\"force\"]", Said::Valid),
        ("programs = [\"rm*\"]", Said::Valid),
        ("programs = []", Said::Invalid),
        ("programs = \" \"", Said::Invalid),
        ("target = \"main\"", Said::Valid),
        ("decision = \"ask\"", Said::Valid),
        ("decision = \"allow\"", Said::Invalid),
        ("reason = \" \"", Said::Invalid),
        ("summary = \"a\\nb\"", Said::Invalid),
        ("summary = \"a\\u202eb\"", Said::Beyond),
        ("suggestion = \"do that\"", Said::Valid),
        ("match = \"rm a\"", Said::Valid),
        ("match = \"ls\"", Said::Beyond),
        ("not_match = \"rm a\"", Said::Beyond),
        ("not_match = [\"ls\"]", Said::Valid),
        ("event = \"Stop\"", Said::Invalid),
    ] {
        let key = line.split(' ').next().unwrap();
        let rest: String = rule.iter().filter(|(name, _)| *name != key).map(|(_, line)| *line).collect();
        let text = format!("[[rule]]\n{rest}{line}\n");
        agree(&schema, &text, &parse(Layer::Project, &text).map(drop), said);
    }
    for (missing, _) in rule {
        let rest: String = rule.iter().filter(|(name, _)| *name != missing).map(|(_, line)| *line).collect();
        let text = format!("[[rule]]\n{rest}");
        agree(&schema, &text, &parse(Layer::Project, &text).map(drop), Said::Invalid);
    }
    agree(&schema, "rule = 3", &parse(Layer::Project, "rule = 3").map(drop), Said::Invalid);
}

#[test]
fn the_schema_of_exceptions_and_allow_rules_agrees_with_the_reader() {
    let schema = config_schema();
    let exception: &[(&str, &str)] = &[
        ("rules", "rules = \"git.force-push\"\n"),
        ("reason", "reason = \"because\"\n"),
        ("until", "until = \"never\"\n"),
    ];
    let allow: &[(&str, &str)] = &[("programs", "programs = \"ls *\"\n")];
    for (table, needed, line, said) in [
        ("exception", exception, "", Said::Valid),
        ("exception", exception, "rules = [\"git.*\", \"project.a\", \"user.*\"]", Said::Valid),
        ("exception", exception, "rules = \"git.force-puhs\"", Said::Beyond),
        ("exception", exception, "rules = \"managed.a\"", Said::Beyond),
        ("exception", exception, "rules = \"protection.ourselves\"", Said::Beyond),
        ("exception", exception, "rules = \"call.*\"", Said::Beyond),
        ("exception", exception, "rules = \"*\"", Said::Invalid),
        ("exception", exception, "rules = \"*.force-push\"", Said::Invalid),
        ("exception", exception, "rules = \"git\"", Said::Invalid),
        ("exception", exception, "rules = \"git.\"", Said::Invalid),
        ("exception", exception, "rules = []", Said::Invalid),
        ("exception", exception, "rules = 1", Said::Invalid),
        ("exception", exception, "programs = \"git*\"", Said::Valid),
        ("exception", exception, "target = [\"~/a\", \"*.pem\"]", Said::Valid),
        ("exception", exception, "target = \" \"", Said::Invalid),
        ("exception", exception, "directory = [\"~/a\", \"/srv/b\", \"~\"]", Said::Valid),
        ("exception", exception, "directory = \"a\"", Said::Invalid),
        ("exception", exception, "directory = \"/\"", Said::Invalid),
        ("exception", exception, "directory = \"~/a/../b\"", Said::Invalid),
        ("exception", exception, "directory = \"~/*\"", Said::Invalid),
        ("exception", exception, "reason = \" \"", Said::Invalid),
        ("exception", exception, "until = \"2027-01-31\"", Said::Valid),
        ("exception", exception, "until = \"2027-02-31\"", Said::Beyond),
        ("exception", exception, "until = \"tomorrow\"", Said::Invalid),
        ("exception", exception, "until = 2027", Said::Invalid),
        ("exception", exception, "decision = \"allow\"", Said::Invalid),
        ("allow", allow, "", Said::Valid),
        ("allow", allow, "programs = [\"git log *\", \"./gradlew t?st\"]", Said::Valid),
        ("allow", allow, "programs = \"*\"", Said::Invalid),
        ("allow", allow, "programs = \"l? x\"", Said::Invalid),
        ("allow", allow, "programs = \" \"", Said::Invalid),
        ("allow", allow, "programs = []", Said::Invalid),
        ("allow", allow, "effect = [\"read\", \"write\"]", Said::Valid),
        ("allow", allow, "effect = \"opaque\"", Said::Invalid),
        ("allow", allow, "effect = \"reads\"", Said::Invalid),
        ("allow", allow, "zone = \"temporary\"", Said::Valid),
        ("allow", allow, "zone = \"unknown\"", Said::Invalid),
        ("allow", allow, "target = \"*.md\"", Said::Valid),
        ("allow", allow, "reason = \"because\"", Said::Invalid),
    ] {
        let key = line.split(' ').next().unwrap();
        let rest: String = needed.iter().filter(|(name, _)| *name != key).map(|(_, line)| *line).collect();
        let text = format!("[[{table}]]\n{rest}{line}\n");
        agree(&schema, &text, &parse(Layer::User, &text).map(drop), said);
        assert!(parse(Layer::Project, &text).is_err(), "{text}");
    }
    for (table, needed) in [("exception", exception), ("allow", allow)] {
        for (missing, _) in needed {
            let rest: String =
                needed.iter().filter(|(name, _)| name != missing).map(|(_, line)| *line).collect();
            let text = format!("[[{table}]]\n{rest}");
            agree(&schema, &text, &parse(Layer::User, &text).map(drop), Said::Invalid);
        }
        let text = format!("{table} = 3");
        agree(&schema, &text, &parse(Layer::User, &text).map(drop), Said::Invalid);
    }
    // The administrator's rules are the administrator's.
    let text = "[[exception]]\nrules = \"managed.*\"\nreason = \"because\"\nuntil = \"never\"\n";
    assert!(parse(Layer::Managed, text).is_ok());
    let never = "[[exception]]\nrules = \"protection.*\"\nreason = \"because\"\nuntil = \"never\"\n";
    assert!(parse(Layer::Managed, never).is_err());
}

#[test]
fn the_schema_of_tests_agrees_with_the_reader() {
    let schema = tests_schema();
    for (text, said) in [
        ("", Said::Invalid),
        ("config = \"a.toml\"", Said::Invalid),
        ("case = []", Said::Beyond),
        ("case = 3", Said::Invalid),
        ("[[case]]\ncommand = \"ls\"\nexpect = \"deny\"", Said::Valid),
        ("config = \"\"\n[[case]]\ncommand = \"ls\"\nexpect = \"deny\"", Said::Invalid),
        ("[[case]]\ncommand = \"ls\"", Said::Invalid),
        ("[[case]]\nexpect = \"deny\"", Said::Invalid),
        ("[[case]]\ncommand = \"ls\"\nexpect = \"block\"", Said::Invalid),
        ("[[case]]\ncommand = \"ls\"\ntool = \"shell\"\nexpect = \"deny\"", Said::Valid),
        ("[[case]]\ncommand = \"ls\"\ninput = {}\nexpect = \"deny\"", Said::Invalid),
        ("[[case]]\ninput = {}\nexpect = \"deny\"", Said::Invalid),
        ("[[case]]\ntool = \"Read\"\nexpect = \"deny\"", Said::Valid),
        ("[[case]]\ntool = \"Read\"\ninput = { file_path = \"a\" }\nexpect = \"deny\"", Said::Valid),
        ("[[case]]\npayload = { hook_event_name = \"Stop\" }\nexpect = \"deny\"", Said::Valid),
        ("[[case]]\npayload = { hook_event_name = \"Stop\" }\ncwd = \"a\"\nexpect = \"deny\"", Said::Invalid),
        ("[[case]]\npayload = { hook_event_name = \"Stopp\" }\nexpect = \"deny\"", Said::Beyond),
        (
            "[[case]]\npayload = { hook_event_name = \"Stop\" }\ntool = \"Read\"\nexpect = \"deny\"",
            Said::Invalid,
        ),
    ] {
        agree(&schema, text, &TestFile::parse(text, "a.test.toml".as_ref()).map(drop), said);
    }
    for (lines, said) in [
        ("reason = \"a\"", Said::Valid),
        ("reason = [\"a\", \"b\"]", Said::Valid),
        ("reason = []", Said::Invalid),
        ("reason = \"\"", Said::Invalid),
        ("reason = [\" \"]", Said::Invalid),
        ("context = 1", Said::Invalid),
        ("rewritten = {}", Said::Valid),
        ("rewritten = \"a\"", Said::Beyond),
        ("rewritten = 1", Said::Invalid),
        ("stop = \"a\"", Said::Valid),
        ("stop = true", Said::Invalid),
        ("retry = true", Said::Valid),
        ("retry = { command = \"a\" }", Said::Valid),
        ("retry = \"a\"", Said::Invalid),
        ("failure = \"a\"", Said::Valid),
        ("failure = true", Said::Invalid),
        ("cwd = \"a\"", Said::Valid),
        ("reasons = \"a\"", Said::Invalid),
    ] {
        let text = format!("[[case]]\ncommand = \"ls\"\nexpect = \"abstain\"\n{lines}");
        agree(&schema, &text, &TestFile::parse(&text, "a.test.toml".as_ref()).map(drop), said);
    }
    // A key that was added to the reader alone, or to the table alone, is reported.
    for name in CASE.keys.iter().map(|key| key.name) {
        let text = format!("[[case]]\n{name} = 1979-05-27");
        let problems = TestFile::parse(&text, "a.test.toml".as_ref()).unwrap_err();
        assert!(!problems.to_string().contains("unknown key"), "{problems}");
        assert!(problems.iter().any(|problem| problem.key() == format!("case[0].{name}")), "{problems}");
    }
}

proptest! {
    #[test]
    fn the_schema_of_patterns_agrees_with_the_reader(
        text in prop_oneof!["[ab/|*:]{0,6}", "kind:[a-z]{0,5}", "kind:(shell|read|other)[*/]?", "/.{0,5}/"],
    ) {
        let valid = is_valid(&pattern(), &json!(text));
        match text.parse::<Pattern>() {
            Ok(_) | Err(PatternError::Regex { .. }) => prop_assert!(valid, "{}", text),
            Err(_) => prop_assert!(!valid, "{}", text),
        }
    }
}
