//! The forms in which tools are given what they run: names of arguments, objects, lists, JSON in a text, notebooks, files.

use crate::builtin::*;
use Decision::{Abstain, Ask, Deny};
use checkrein_core::Event;
use checkrein_guard::EmptyWorld;
use serde_json::{Value, json};

fn decision(tool: &str, input: &Value) -> Decision {
    let Value::Object(map) = input.clone() else { panic!("{input}") };
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new(tool, map) });
    payload.session.cwd = Some("/home/dev/shop".into());
    payload.session.project_dir = Some("/home/dev/shop".into());
    Guard::of(EmptyWorld::new("/home/dev"))
        .judgement(&payload)
        .map_or(Abstain, |judgement| judgement.decision)
}

fn check(cases: &[(&str, Value, Decision)]) {
    for (tool, input, expected) in cases {
        assert_eq!(decision(tool, input), *expected, "{tool} {input}");
    }
}

fn written(path: &str, content: &str) -> Decision {
    let whole = decision("Write", &json!({"file_path": path, "content": content}));
    let served = decision("mcp__filesystem__write_file", &json!({"path": path, "content": content}));
    assert_eq!(whole, served, "{path} {content}");
    whole
}

#[test]
fn a_name_is_known_by_its_words() {
    for name in [
        "cmdline",
        "commandString",
        "cli_command",
        "setup_command",
        "postCommand",
        "command2",
        "script_content",
        "bashScript",
        "inline-script",
        "run",
        "execute",
        "code_block",
        "terminal_input",
        "text_to_type",
    ] {
        check(&[
            ("NewTool", json!({name: "rm -rf ~"}), Deny),
            ("NewTool", json!({"steps": [{name: "sudo sh -c 'rm -rf ~'"}]}), Deny),
            ("NewTool", json!({name: "cargo test"}), Abstain),
        ]);
    }
    for name in ["command_name", "script_id", "command_description", "code_style", "shell_history", "note"] {
        check(&[("NewTool", json!({name: "rm -rf ~"}), Abstain)]);
    }
    for name in
        ["absPath", "full_path", "input_file", "configPath", "pathInProject", "attachment", "upload_path"]
    {
        check(&[
            ("NewTool", json!({name: "/home/dev/.ssh/id_ed25519"}), Ask),
            ("NewTool", json!({name: "src/main.rs"}), Abstain),
        ]);
    }
    check(&[
        ("mcp__jetbrains__get_file_text_by_path", json!({"pathInProject": ".env"}), Ask),
        ("mcp__jetbrains__create_new_file", json!({"pathInProject": "../.bashrc", "text": "x"}), Deny),
        ("mcp__playwright__browser_take_screenshot", json!({"filename": "/home/dev/.bashrc"}), Deny),
        ("mcp__playwright__browser_take_screenshot", json!({"filename": "page.png"}), Abstain),
    ]);
}

#[test]
fn a_command_may_be_an_object_a_list_or_a_text_of_json() {
    for command in [
        json!([["rm", "-rf", "/home/dev"]]),
        json!(["rm -rf ~"]),
        json!({"program": "rm", "args": ["-rf", "/home/dev"]}),
        json!({"executable": "rm", "arguments": ["-rf", "/home/dev"]}),
        json!({"text": "rm -rf ~"}),
        json!({"unix": "rm -rf ~", "windows": "dir"}),
        json!([{"raw": "env rm -rf ~"}]),
        json!("{\"command\": \"rm -rf ~\"}"),
        json!("[\"rm\", \"-rf\", \"/home/dev\"]"),
    ] {
        for tool in ["NewTool", "mcp__shell__run_command"] {
            check(&[(tool, json!({"command": command}), Deny)]);
        }
    }
    check(&[
        ("NewTool", json!({"arguments": "{\"cmd\": \"rm -rf ~\"}"}), Deny),
        ("NewTool", json!({"executable": "rm", "args": ["-rf", "/home/dev"]}), Deny),
        ("NewTool", json!({"command": "bash", "argv": ["-c", "rm -rf ~"]}), Deny),
        ("NewTool", json!({"command": "bash", "parameters": ["-c", "ls"]}), Abstain),
        ("NewTool", json!({"arguments": "{\"cmd\": \"cargo test\"}"}), Abstain),
        ("NewTool", json!({"command": {"program": "rm", "args": ["-rf", "dist"]}}), Abstain),
        ("mcp__notes__add", json!({"content": "{\"command\": \"rm -rf ~\"}"}), Abstain),
    ]);
}

#[test]
fn a_list_of_arguments_alone_begins_with_the_program() {
    check(&[
        ("mcp__shell__run", json!({"args": ["rm", "-rf", "/home/dev"]}), Deny),
        ("mcp__terminal__exec", json!({"request": {"arguments": ["sh", "-c", "rm -rf ~"]}}), Deny),
        ("mcp__shell__run", json!({"args": ["cargo", "test"]}), Abstain),
        ("mcp__shell__run", json!({"program": "echo", "args": ["rm", "-rf", "/home/dev"]}), Abstain),
    ]);
}

#[test]
fn the_operation_may_be_an_argument() {
    check(&[
        ("mcp__aws__call", json!({"service": "s3", "operation": "DeleteBucket", "params": {}}), Deny),
        ("mcp__aws__call", json!({"service": "sqs", "operation": "DeleteQueue", "params": {}}), Ask),
        ("mcp__aws__call", json!({"service": "s3", "operation": "ListBuckets", "params": {}}), Abstain),
        ("BatchFiles", json!({"ops": [{"type": "delete", "path": "/home/dev/.claude"}]}), Deny),
        ("BatchFiles", json!({"ops": [{"type": "read", "path": "/home/dev/shop/a.txt"}]}), Abstain),
    ]);
}

#[test]
fn a_tool_for_prose_may_get_a_command() {
    check(&[
        ("CronCreate", json!({"cron": "* * * * *", "command": "rm -rf ~"}), Deny),
        ("CronCreate", json!({"cron": "* * * * *", "prompt": "never run rm -rf ~"}), Abstain),
        ("SlashCommand", json!({"command": "/review rm -rf ~"}), Abstain),
    ]);
}

#[test]
fn servers_that_are_not_known_by_their_names() {
    check(&[
        ("mcp__foo__bar", json!({"command": "rm -rf ~"}), Deny),
        ("mcp__cron__add_job", json!({"schedule": "@daily", "command": "sh -c 'rm -rf ~'"}), Deny),
        ("mcp__proxy__call_tool", json!({"name": "run_command", "arguments": {"command": "rm -rf ~"}}), Deny),
        (
            "mcp__gate__invoke",
            json!({"server": "filesystem", "tool": "write_file", "params": {"path": "/home/dev/.bashrc", "content": "x"}}),
            Deny,
        ),
        ("mcp__kubernetes__kubectl", json!({"args": ["delete", "ns", "prod"]}), Deny),
        ("mcp__kubernetes__kubectl", json!({"command": "kubectl delete ns prod"}), Deny),
        ("mcp__kubernetes__kubectl", json!({"args": ["get", "pods"]}), Abstain),
        ("mcp__aws__call_aws", json!({"cli_command": "aws s3 ls"}), Abstain),
        ("mcp__foo__bar", json!({"command": "replace_content", "new_str": "rm -rf ~"}), Abstain),
        ("mcp__github__search_code", json!({"query": "rm -rf ~"}), Abstain),
        ("mcp__exa__get_code_context_exa", json!({"query": "what does `rm -rf ~` do"}), Abstain),
    ]);
}

#[test]
fn languages_that_are_not_read_are_looked_at_by_their_literals() {
    let run = |language: &str, code: &str| json!({"code": code, "languageId": language});
    check(&[
        ("mcp__code-runner__run-code", run("go", "exec.Command(\"rm\", \"-rf\", \"/home\").Run()"), Ask),
        ("mcp__code-runner__run-code", run("c", "int main() { system(\"rm -rf ~\"); }"), Ask),
        ("mcp__emacs__eval_elisp", json!({"code": "(shell-command \"sudo rm -rf /\")"}), Ask),
        ("mcp__neovim__vim_command", json!({"command": ":!rm -rf ~"}), Deny),
        ("mcp__code-runner__run-code", run("go", "fmt.Println(\"hello\", 1)"), Abstain),
        ("mcp__neovim__vim_command", json!({"command": ":w"}), Abstain),
    ]);
}

#[test]
fn notebooks_run_lines_of_a_shell() {
    for code in [
        "!rm -rf ~",
        "!!rm -rf ~",
        "x = !rm -rf ~\nprint(x)",
        "%sx rm -rf ~",
        "%%bash\nset -e\nrm -rf ~",
        "import os\nif True:\n    !sudo rm -rf ~",
        "get_ipython().system('rm -rf ~')",
    ] {
        check(&[
            ("mcp__jupyter__execute_code", json!({"code": code}), Deny),
            ("NotebookEdit", json!({"notebook_path": "a.ipynb", "new_source": code}), Ask),
        ]);
        let notebook = json!({"cells": [{"cell_type": "code", "source": [code]}]});
        assert_eq!(written("a.ipynb", &notebook.to_string()), Ask, "{code}");
    }
    let prose = "# Never\n\n```sh\nrm -rf ~\n```\n";
    let notebook = json!({"cells": [{"cell_type": "markdown", "source": prose}]});
    assert_eq!(written("a.ipynb", &notebook.to_string()), Abstain);
    check(&[
        ("mcp__jupyter__insert_cell", json!({"cell_type": "markdown", "cell_source": prose}), Abstain),
        ("mcp__jupyter__append_markdown_cell", json!({"cell_source": prose}), Abstain),
        (
            "mcp__jupyter__execute_code",
            json!({"code": "%matplotlib inline\n!pip install pandas\nx != 1"}),
            Abstain,
        ),
    ]);
}

#[test]
fn keys_are_the_line_that_they_leave() {
    check(&[
        ("write_stdin", json!({"chars": "\u{3}"}), Abstain),
        ("write_stdin", json!({"chars": "rn\u{7f}m -rf ~\r"}), Deny),
        ("write_stdin", json!({"chars": "q"}), Abstain),
    ]);
}

#[test]
fn scripts_in_any_dress() {
    for first in [
        "#!/usr/bin/env -S FOO=1 bash",
        "#!/usr/bin/env -Sbash -e",
        "#!/usr/bin/env -u X bash",
        "#!/usr/bin/sudo bash",
        "#!/bin/busybox sh",
        "\u{feff}#!/bin/sh",
        "#!/usr/bin/env nix-shell\n#!nix-shell -i bash -p x",
        "#!/usr/bin/fish",
    ] {
        assert_eq!(written("tool", &format!("{first}\nrm -rf ~\n")), Ask, "{first}");
        assert_eq!(written("tool", &format!("{first}\nls\n")), Abstain, "{first}");
    }
    assert_eq!(written("tool", "#!/usr/bin/env julia\nrun(`rm -rf /home`)\n"), Ask);
    assert_eq!(written("tool", "#!/usr/bin/env julia\nprintln(\"hello\")\n"), Abstain);
    assert_eq!(written("a.bats", "@test \"denies\" {\n  run check \"rm -rf ~\"\n}\n"), Abstain);
    for levels in [12, 13, 14, 19, 20, 21, 40, 250] {
        let deep = |code: &str| format!("{}{code}{}", "(".repeat(levels), ")".repeat(levels));
        assert_eq!(written("a.py", &deep("__import__('os').system('rm -rf ~')")), Ask, "{levels}");
        assert_eq!(written("a.js", &deep("require('child_process').execSync('rm -rf ~')")), Ask, "{levels}");
        assert_eq!(written("a.rb", &deep("system('rm -rf ~')")), Ask, "{levels}");
        assert_eq!(written("a.py", &deep("print('rm -rf ~')")), Abstain, "{levels}");
    }
}

#[test]
fn parts_of_a_package_in_any_layout() {
    let edit = |text: &str| {
        decision("Edit", &json!({"file_path": "package.json", "old_string": "x", "new_string": text}))
    };
    for text in [
        "\"scripts\": {\"a\": \"rm -rf ~\"},",
        "\"a\": \"ls\", \"b\": \"rm -rf ~\"",
        "\"a\"\n:\n\"rm -rf ~\"",
        "\": \"ls\", \"a\": \"rm -rf ~",
        "// c\n{\"scripts\":{\"a\":\"rm -rf ~\"}}",
        "\u{feff}{\"scripts\":{\"a\":\"rm -rf ~\"}}",
    ] {
        assert_eq!(edit(text), Ask, "{text}");
        assert_eq!(edit(&text.replace('~', "dist")), Abstain, "{text}");
    }
}
