//! Monitor mode and grades, through the program.

use crate::{PROGRAM, layers::Home};
use checkrein::today;
use serde_json::{Value, json};

const FORCE: &str = "git push --force origin topic";
const BRANCH: &str = "git branch -D topic";

fn until(days: u64) -> String {
    today().after(days).to_string()
}

fn monitor(days: u64) -> String {
    format!("[monitor]\nuntil = {}\n", until(days))
}

/// Returns the records of the trail, without the fields that differ in each run.
fn records(home: &Home) -> Vec<Value> {
    let output = home.output(&["log", "--json"], "");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn broken(home: &Home) -> String {
    home.run(&["hooks"], "")
}

#[test]
fn nothing_is_blocked_and_everything_is_recorded() {
    let home = Home::new();
    home.user(&format!(
        "{}[[hook]]\nevent = \"PreToolUse\"\nname = \"mine\"\nmatch = {{ tool = \"Bash\" }}\ncommand = \"grep -q make && echo no >&2 && exit 2; exit 0\"\n",
        monitor(7)
    ));
    assert_eq!(home.claude(FORCE), "--- stdout\n{}\n--- exit 0\n");
    assert_eq!(home.claude(BRANCH), "--- stdout\n{}\n--- exit 0\n");
    assert_eq!(home.claude("make"), "--- stdout\n{}\n--- exit 0\n");
    assert_eq!(home.claude("ls"), "--- stdout\n{}\n--- exit 0\n");
    let seen: Vec<(String, bool, Value)> = records(&home)
        .into_iter()
        .map(|record| {
            let decision = record["decision"].as_str().unwrap().to_owned();
            (decision, record["monitor"].as_bool().unwrap(), record["rules"].clone())
        })
        .collect();
    let expected = [
        ("deny", true, json!(["git.force-push"])),
        ("ask", true, json!(["git.forget-name"])),
        ("deny", true, json!([])),
        ("abstain", false, json!([])),
    ];
    assert_eq!(seen, expected.map(|(decision, monitor, rules)| (decision.to_owned(), monitor, rules)));
    assert_eq!(records(&home)[2]["reason"], "mine: no");
    let log = home.run(&["log"], "");
    assert!(log.contains("would deny") && log.contains("would ask"), "{log}");
    // The results of calls that were only recorded are no alarm.
    let verified = home.run(&["log", "--verify"], "");
    assert!(verified.contains("--- exit 0"), "{verified}");
    let stats = home.run(&["stats", "--json"], "");
    assert!(stats.contains("\"monitored\":3") && stats.contains("\"denied\":0"), "{stats}");
}

#[test]
fn what_protects_checkrein_is_denied_as_usual() {
    let home = Home::new();
    home.user(&monitor(30));
    for command in [
        "echo > ~/.config/checkrein/config.toml",
        "checkrein monitor --for 30d",
        "checkrein monitor --off",
        "checkrein allow 286g-c3v9",
        "git push --force origin topic; checkrein uninstall --yes",
    ] {
        assert!(home.claude(command).contains("\"permissionDecision\":\"deny\""), "{command}");
    }
    // A script is read although the call before it is only recorded.
    let script = home.place.path("project/deep/down/x.sh");
    std::fs::write(script, "echo > ~/.config/checkrein/config.toml\n").unwrap();
    for command in ["sh x.sh", "git push --force origin topic; sh x.sh"] {
        assert!(home.claude(command).contains("call.run-file"), "{command}: {}", home.claude(command));
    }
    assert!(home.claude("checkrein monitor --status").contains("{}"));
}

#[test]
fn only_the_named_rules_and_only_until_the_last_day() {
    let home = Home::new();
    home.user(&format!("{}rules = \"git.*\"\n", monitor(0)));
    assert!(home.claude(FORCE).contains("{}"));
    assert!(home.claude("rm -rf ~").contains("\"deny\""));
    assert!(home.claude("git push --force origin topic; rm -rf ~").contains("\"deny\""));
    home.user("[monitor]\nuntil = 2026-01-31\n");
    assert!(home.claude(FORCE).contains("\"deny\""));
    for (arguments, said) in [
        (&["hooks"][..], "Monitor mode ended on 2026-01-31"),
        (&["doctor"], "monitor-ended"),
        (&["monitor", "--status"], "Monitor mode ended on 2026-01-31"),
    ] {
        let shown = home.run(arguments, "");
        assert!(shown.contains(said), "{arguments:?}: {shown}");
    }
    assert!(home.run(&["hooks", "--check"], "").contains("--- exit 1"));
}

#[test]
fn an_allow_rule_allows_nothing_that_would_be_blocked() {
    let home = Home::new();
    let allow = "[[allow]]\nprograms = [\"git branch *\"]\neffect = [\"read\", \"forget\", \"overwrite\", \"write\"]\n";
    home.user(&format!("{}{allow}", monitor(7)));
    assert!(home.claude("git branch --list").contains("\"allow\""));
    assert!(home.claude(BRANCH).contains("{}"));
}

#[test]
fn it_is_shown_everywhere() {
    let home = Home::new();
    home.user(&monitor(7));
    let day = until(7);
    for (arguments, said) in [
        (&["hooks"][..], format!("Monitor mode until {day} (user): nothing is blocked, only recorded.")),
        (&["hooks", "--json"], format!("\"until\":\"{day}\"")),
        (&["doctor"], format!("Monitor mode until {day}")),
        (&["monitor", "--status"], format!("Monitor mode until {day} (user)")),
        (&["monitor", "--status", "--json"], "\"active\":true".to_owned()),
        (&["check", FORCE], "monitor mode: git.force-push would deny this".to_owned()),
        (&["check", "--json", FORCE], "\"monitored\":[\"git.force-push\"]".to_owned()),
        (&["explain", FORCE], "monitor mode: this is recorded, and not blocked".to_owned()),
    ] {
        let shown = home.run(arguments, "").replace("\n  ", " ").replace('\n', " ");
        assert!(shown.contains(&said), "{arguments:?}: {shown}");
    }
    home.user(&format!("trail = \"off\"\n{}", monitor(7)));
    assert!(home.run(&["doctor"], "").contains("monitor-unrecorded"));
}

#[test]
fn mistakes_are_explained() {
    let home = Home::new();
    for (text, said) in [
        (
            format!("[monitor]\nuntil = {}\n", until(31)),
            format!("monitor mode can last 30 days at most, until {}", until(30)),
        ),
        ("[monitor]\nuntil = \"never\"\n".to_owned(), "`never` is not a date".to_owned()),
        ("[monitor]\nrules = \"git.*\"\n".to_owned(), "monitor mode needs `until`, its last day".to_owned()),
        (
            format!("{}rules = \"protection.*\"\n", monitor(1)),
            "`protection` protects Checkrein itself and is never only monitored".to_owned(),
        ),
        (format!("{}rules = \"gti.*\"\n", monitor(1)), "there is no rule `gti.*`".to_owned()),
        (
            format!("{}forbid = true\n", monitor(1)),
            "only the managed file can forbid monitor mode".to_owned(),
        ),
        (
            "[[grade]]\nrule = \"git.*\"\ndecision = \"allow\"\n".to_owned(),
            "unknown decision `allow`".to_owned(),
        ),
        (
            "[[grade]]\nrule = \"protection.*\"\ndecision = \"ask\"\n".to_owned(),
            "the rules that protect Checkrein itself cannot become milder".to_owned(),
        ),
        (
            "[[grade]]\nrule = \"user.mine\"\ndecision = \"deny\"\n".to_owned(),
            "`user.mine` is not a built-in rule".to_owned(),
        ),
        (
            "[[grade]]\nrule = \"git.force-pusch\"\ndecision = \"ask\"\n".to_owned(),
            "did you mean `git.force-push`?".to_owned(),
        ),
    ] {
        home.user(&text);
        let shown = broken(&home);
        assert!(shown.contains(&said), "{text}: {shown}");
        assert!(home.claude("ls").contains("\"deny\""), "{text}");
    }
    home.user("");
    std::fs::remove_file(home.place.path(".config/checkrein/config.toml")).unwrap();
    for (text, said) in [
        (monitor(1), "only the managed and the user's file can switch on monitor mode"),
        (
            "[[grade]]\nrule = \"git.*\"\ndecision = \"ask\"\n".to_owned(),
            "a project can only make rules stricter",
        ),
    ] {
        home.project(&text);
        let shown = broken(&home);
        assert!(shown.contains(said), "{text}: {shown}");
    }
}

#[test]
fn a_user_switches_it_on_and_off_at_a_terminal() {
    let home = Home::new();
    home.user("trail_days = 9\n");
    let on = home.at_a_terminal(
        "/usr/bin/script",
        &format!("{PROGRAM} monitor --for 7d --rule 'git.*'"),
        str::to_owned,
    );
    assert!(on.contains("Switch monitor mode on? Type `[word]`: [word]"), "{on}");
    let file = home.place.path(".config/checkrein/config.toml");
    let expected = format!(
        "trail_days = 9\n\n# checkrein monitor on {}\n[monitor]\nuntil = {}\nrules = [\"git.*\"]\n",
        today(),
        until(7)
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
    assert!(home.claude(FORCE).contains("{}"));
    // A second time replaces the first.
    let again = home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} monitor --for 2w"), str::to_owned);
    assert!(again.contains(&format!("Monitor mode is on until {}", until(14))), "{again}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("[monitor]").count(), 1, "{text}");
    let off = home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} monitor --off"), str::to_owned);
    assert!(off.contains("Monitor mode is off."), "{off}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "trail_days = 9\n");
    assert!(home.claude(FORCE).contains("\"deny\""));
    // A wrong word changes nothing.
    let refused =
        home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} monitor --for 7d"), |_| "no".to_owned());
    assert!(refused.contains("Nothing was changed."), "{refused}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "trail_days = 9\n");
    home.user("trail = \"off\"\n");
    let nowhere =
        home.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} monitor --for 7d"), str::to_owned);
    assert!(nowhere.contains("the trail is off"), "{nowhere}");
}

#[test]
fn without_a_terminal_it_stays_off() {
    let home = Home::new();
    for arguments in [&["monitor", "--for", "7d"][..], &["monitor", "--off"]] {
        let refused = home.run_apart(arguments);
        assert!(refused.contains("only a user at a terminal can run `checkrein monitor`"), "{refused}");
    }
    assert!(home.run(&["monitor"], "").contains("--- exit 3"));
}

#[test]
fn a_grade_changes_what_a_built_in_rule_decides() {
    let home = Home::new();
    assert!(home.claude(BRANCH).contains("\"ask\""));
    home.user("[[grade]]\nrule = \"git.forget*\"\ndecision = \"deny\"\n");
    assert!(home.claude(BRANCH).contains("\"deny\""));
    for (arguments, said) in [
        (&["rules", "git.forget-name"][..], "the user's layer changed it, built in: ask"),
        (&["rules", "--json", "git.forget-name"], "\"built_in\":\"ask\",\"changed_by\":\"the user's layer\""),
        (&["explain", BRANCH], "the built-in decision is ask; the user's layer changed it to deny"),
        (&["explain", "--json", BRANCH], "\"raised_by\":\"the user's layer\""),
        (&["hooks"], "• deny git.forget*"),
        (&["hooks", "--json"], "\"rule\":[\"git.forget*\"]"),
    ] {
        let shown = home.run(arguments, "");
        assert!(shown.contains(said), "{arguments:?}: {shown}");
    }
    home.user("[[grade]]\nrule = [\"git.force-push\"]\ndecision = \"ask\"\n");
    assert!(home.claude(FORCE).contains("\"ask\""));
    // A project makes it strict again, and nothing milder.
    home.project("[[grade]]\nrule = \"git.*\"\ndecision = \"deny\"\n");
    assert!(home.claude(FORCE).contains("\"deny\""));
}
