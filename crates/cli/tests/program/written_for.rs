//! One hook file of each dialect under every host: its hook reads the call in its own words, and its answer is obeyed.

use crate::{Place, calls::calls};
use checkrein_testkit::foreign::{SAMPLES, Sample};

/// Returns what every host is answered to `command`, under the hook that does `then` where it sees `cargo doc`.
fn answers(sample: &Sample, then: &str, command: &str) -> Vec<(&'static str, String)> {
    let script =
        format!("body=$(cat); case $body in *'{}\"cargo doc\"'*) {then} ;; esac; exit 0", sample.sees);
    let config = format!(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"team\"\ncwd = \"config\"\nwritten_for = \"{}\"\n\
         match = {{ tool = \"{}\" }}\ncommand = '''{script}'''\n",
        sample.written_for, sample.tool
    );
    let place = Place::with(&config);
    // Cursor's other event is about another hook of its own.
    let other_event = |host: &str| host == "cursor" && sample.written_for == "cursor:beforeShellExecution";
    let hosts = calls(command).into_iter().filter(|(host, _)| !other_event(host));
    hosts
        .map(|(host, payload)| {
            let arguments = ["hook", "--host", host, "--event", "PreToolUse", "--config", "hooks.toml"];
            let output = place.output(&arguments, payload.to_string().as_bytes());
            let text = [output.stdout, output.stderr].concat();
            (host, String::from_utf8(text).unwrap())
        })
        .collect()
}

#[test]
fn a_hook_of_each_dialect_denies_under_every_host() {
    for sample in SAMPLES {
        let by_json = format!("echo '{}'", sample.denies);
        for then in [by_json.as_str(), "echo 'not from here' >&2; exit 2"] {
            for (host, answer) in answers(sample, then, "cargo doc") {
                let place = format!("{} under {host}: {answer}", sample.written_for);
                assert!(answer.contains("not from here"), "{place}");
            }
        }
        for (host, answer) in answers(sample, &by_json, "cargo tree") {
            assert!(!answer.contains("not from here"), "{} under {host}: {answer}", sample.written_for);
        }
    }
}

#[test]
fn a_hook_of_each_dialect_rewrites_where_the_host_can() {
    for sample in SAMPLES {
        let Some(rewrite) = sample.rewrites else { continue };
        let plain: Vec<_> = answers(sample, "true", "cargo doc");
        for ((host, answer), (_, plain)) in
            answers(sample, &format!("echo '{rewrite}'"), "cargo doc").into_iter().zip(plain)
        {
            let place = format!("{} under {host}: {answer}", sample.written_for);
            // A host that takes no change gets a denial.
            assert_ne!(answer, plain, "{place}");
            let changes =
                ["checkrein", "claude", "codex", "gemini", "copilot", "pi", "opencode", "cursor", "vscode"];
            assert_eq!(answer.contains("cargo doc --offline"), answer.contains("--offline"), "{place}");
            assert!(!changes.contains(&host) || answer.contains("cargo doc --offline"), "{place}");
        }
    }
}

#[test]
fn a_hook_of_each_dialect_tells_the_model_something() {
    for sample in SAMPLES {
        let Some(context) = sample.tells else { continue };
        for (host, answer) in answers(sample, &format!("echo '{context}'"), "cargo doc") {
            let tells = ["checkrein", "claude", "codex", "copilot", "vscode"];
            let place = format!("{} under {host}: {answer}", sample.written_for);
            assert!(!tells.contains(&host) || answer.contains("read the notes"), "{place}");
        }
    }
}

/// A pattern is about the names of the hook's host, and a change that the other host has no words for is a denial.
#[test]
fn half_a_change_is_a_denial() {
    let config = "[[hook]]\nevent = \"PreToolUse\"\nname = \"team\"\ncwd = \"config\"\nwritten_for = \"claude\"\n\
                  match = { tool = \"Write\" }\ncommand = '''echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\
                  \"updatedInput\":{\"file_path\":\"a\",\"content\":\"two\"}}}' '''\n";
    let place = Place::with(config);
    let patch = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"apply_patch",
        "tool_input":{"command":"*** Begin Patch\n*** Add File: a\n+one\n*** End Patch\n"}}"#;
    let answer = place.run(&["hook", "--host", "codex", "--config", "hooks.toml"], patch);
    assert!(answer.contains("deny") && answer.contains("cannot be written for this agent"), "{answer}");
    let write = r#"{"hook_event_name":"PreToolUse","tool_name":"create_file","session_id":"s","cwd":"/p",
        "tool_input":{"filePath":"a","content":"one"}}"#;
    let answer = place.run(&["hook", "--host", "vscode", "--config", "hooks.toml"], write);
    assert!(answer.contains(r#""updatedInput":{"filePath":"a","content":"two"}"#), "{answer}");
}

#[test]
fn a_host_that_is_not_known_is_an_error_of_the_configuration() {
    for (value, expected) in [
        ("curser", "did you mean `cursor`?"),
        ("cursor:stop", "`stop` of Cursor is `Stop` here, not `PreToolUse`"),
        ("gemini:PreToolUse", "Gemini CLI has no event `PreToolUse`"),
    ] {
        let config =
            format!("[[hook]]\nevent = \"PreToolUse\"\ncommand = \"true\"\nwritten_for = \"{value}\"\n");
        let shown = Place::with(&config).run(&["hooks", "--config", "hooks.toml"], "");
        assert!(shown.contains(expected), "{shown}");
    }
}
