//! The cases of `corpus/doors` through the program. The harness and the Python package run the same ones.

use crate::{Place, ended_with};
use checkrein_testkit::doors::{self, Case, Heard, Seen};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Sends the event once, and returns the answer.
fn ask(place: &Place, case: &Case) -> Seen {
    let project = place.path("project");
    let event = json!({
        "hook_event_name": "PreToolUse",
        "session_id": "doors",
        "cwd": project,
        "tool_name": case.tool,
        "tool_input": {(case.argument.as_str()): case.command},
    });
    let mut arguments = vec!["hook", "--host", "checkrein"];
    if case.flag.is_some() {
        arguments.extend(["--config", "../flag.toml"]);
    }
    let mut command = place.command(&arguments);
    let output = ended_with(command.current_dir(&project).spawn().unwrap(), event.to_string().as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let said = ["reasons", "context", "notices"].into_iter().flat_map(|key| {
        answer[key].as_array().cloned().unwrap_or_default().into_iter().map(|said| Heard {
            hook: said["hook"].as_str().unwrap().to_owned(),
            text: said["text"].as_str().unwrap().to_owned(),
        })
    });
    let remarks = String::from_utf8(output.stderr).unwrap();
    let remarks = remarks.lines().filter_map(|line| line.strip_prefix("checkrein: ").map(str::to_owned));
    if remarks.clone().any(|remark| remark == "the configuration is broken") {
        assert_eq!(answer["decision"], "deny", "{}", case.name);
        return Seen::Broken(answer["reason"].as_str().unwrap().to_owned());
    }
    Seen::Decided {
        decision: answer["decision"].as_str().unwrap().to_owned(),
        said: said.collect(),
        remarks: remarks.collect(),
    }
}

#[test]
fn the_program_decides_like_the_others() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/doors/cases.json");
    let mut wrong = Vec::new();
    for case in doors::load(&corpus).unwrap() {
        let place = Place::new();
        fs::create_dir_all(place.path("project/.git")).unwrap();
        case.lay_out(place.directory.path(), &checkrein::today().after(7).to_string()).unwrap();
        wrong.extend(case.compare(&ask(&place, &case), &ask(&place, &case)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_program_shows_results_like_the_others() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/doors/results.json");
    let mut wrong = Vec::new();
    for case in doors::load_results(&corpus).unwrap() {
        let place = Place::new();
        fs::create_dir_all(place.path("project/.git")).unwrap();
        case.lay_out(place.directory.path()).unwrap();
        let event = json!({
            "hook_event_name": "PostToolUse",
            "session_id": "doors",
            "cwd": place.path("project"),
            "tool_name": "Bash",
            "tool_input": {"command": case.command},
            "tool_response": case.result,
        });
        let mut command = place.command(&["hook", "--host", "checkrein"]);
        let child = command.current_dir(place.path("project")).spawn().unwrap();
        let output = ended_with(child, event.to_string().as_bytes());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let got = match answer["decision"].as_str() {
            Some("deny") => Err(answer["reason"].as_str().unwrap_or_default()),
            _ => Ok(answer["tool_output"].as_str().unwrap_or(&case.result)),
        };
        wrong.extend(case.compare(got));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
