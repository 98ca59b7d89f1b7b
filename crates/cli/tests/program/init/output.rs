//! The output before and after writing, as text and as JSON.

use super::without_diff;
use crate::machine::Machine;
use insta::assert_snapshot;
use serde_json::Value;

#[test]
fn the_diff_is_shown_and_nothing_is_written() {
    let machine = Machine::with(&[".codex"]);
    machine.write(".codex/hooks.json", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n");
    let before = machine.read(".codex/hooks.json");
    assert_snapshot!(machine.run(&["init", "--dry-run"]), @r#"
    --- stdout
    Checkrein will judge every tool call of these agents:
      Codex: 9 hooks added to [directory]/.codex/hooks.json
    The hooks run [directory]/bin/checkrein.
    Nothing else in these files changes; `checkrein uninstall` restores them.
    --- [directory]/.codex/hooks.json
    +++ [directory]/.codex/hooks.json
    @@ -1,7 +1,107 @@
     {
       "hooks": {
         "Stop": [
    -      {"hooks": [{"type": "command", "command": "say done"}]}
    +      {"hooks": [{"type": "command", "command": "say done"}]},
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event Stop",
    +            "timeout": 610
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionStart": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event SessionStart",
    +            "timeout": 610
    +          }
    +        ]
    +      }
    +    ],
    +    "UserPromptSubmit": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event UserPromptSubmit",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "PreToolUse": [
    +      {
    +        "matcher": "*",
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event PreToolUse",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "PermissionRequest": [
    +      {
    +        "matcher": "*",
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event PermissionRequest",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "PostToolUse": [
    +      {
    +        "matcher": "*",
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event PostToolUse",
    +            "timeout": 610
    +          }
    +        ]
    +      }
    +    ],
    +    "SubagentStart": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event SubagentStart",
    +            "timeout": 30
    +          }
    +        ]
    +      }
    +    ],
    +    "SubagentStop": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event SubagentStop",
    +            "timeout": 610
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionEnd": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "[directory]/bin/checkrein hook --host codex --event SessionEnd",
    +            "timeout": 3
    +          }
    +        ]
    +      }
         ]
       }
     }
    Dry run: nothing was written.
    --- exit 0
    "#);
    assert_eq!(machine.read(".codex/hooks.json"), before);
    assert!(!machine.path(".local").exists());
}

#[test]
fn changes_and_remaining_steps_are_shown() {
    let machine = Machine::with(&[".codex"]);
    machine.write(".claude/settings.json", "{\"model\": \"opus\"}\n");
    assert_snapshot!(without_diff(&machine.run(&["init", "--yes"])), @r#"
    --- stdout
    Checkrein will judge every tool call of these agents:
      Claude Code: 10 hooks added to [directory]/.claude/settings.json
      Codex: 9 hooks added to [directory]/.codex/hooks.json (new file)
    The hooks run [directory]/bin/checkrein.
    Nothing else in these files changes; `checkrein uninstall` restores them.
    Written: [directory]/.claude/settings.json
      backup: [directory]/.local/state/checkrein/installed/[digest].json
    Written: [directory]/.codex/hooks.json
    From now on one redacted line per event is kept on this machine for 30 days, never prompts or outputs: `checkrein log` shows them, `trail = "off"` in your configuration turns it off.

    Next steps:
      Claude Code: restart open sessions to pick up the new hooks
      Codex: start `codex` once and choose *Trust all and continue*; until then Codex silently skips the hooks
      Codex: fails open if checkrein is missing, crashes or hangs; there is no fail-closed option
      run `checkrein doctor` to verify
    --- exit 0
    "#);
    // A second run adds nothing.
    let (claude, codex) = (machine.read(".claude/settings.json"), machine.read(".codex/hooks.json"));
    assert_snapshot!(machine.run(&["init", "--yes"]), @"
    --- stdout
    Claude Code is already set up: [directory]/.claude/settings.json
    Codex is already set up: [directory]/.codex/hooks.json

    Next steps:
      Claude Code: restart open sessions to pick up the new hooks
      Codex: start `codex` once and choose *Trust all and continue*; until then Codex silently skips the hooks
      Codex: fails open if checkrein is missing, crashes or hangs; there is no fail-closed option
      run `checkrein doctor` to verify
    --- exit 0
    ");
    assert_eq!((machine.read(".claude/settings.json"), machine.read(".codex/hooks.json")), (claude, codex));
    assert_snapshot!(without_diff(&machine.uninstall("--yes")), @"
      Claude Code: 10 hooks removed from [directory]/.claude/settings.json
      Codex: 9 hooks removed from [directory]/.codex/hooks.json (the file goes as well)
    Agents will no longer be checked. Continue? Type `[word]`: [word]
    Removed from Claude Code: [directory]/.claude/settings.json
    Removed from Codex: [directory]/.codex/hooks.json
    The program itself can be removed now. If it is removed first, agents block every call or work unchecked.
    --- exit 0
    ");
    assert_eq!(machine.read(".claude/settings.json"), "{\"model\": \"opus\"}\n");
    assert!(!machine.path(".codex/hooks.json").exists() && machine.path(".codex").is_dir());
    assert_snapshot!(machine.uninstall("--yes"), @"
    [directory]/.claude/settings.json has no entries of checkrein
    [directory]/.codex/hooks.json has no entries of checkrein
    --- exit 0
    ");
}

#[test]
fn as_json() {
    let machine = Machine::with(&[".claude"]);
    machine.write(".codex/hooks.json", "{\n  \"x\": 1\n}\n");
    let output = machine.output(&["init", "--yes", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let status = |at: usize| {
        (said["files"][at]["agent"].as_str().unwrap(), said["files"][at]["status"].as_str().unwrap())
    };
    assert_eq!((status(0), status(1)), (("claude", "written"), ("codex", "broken")));
    assert!(said["files"][0]["diff"].as_str().unwrap().starts_with("--- /dev/null\n+++ "));
    assert!(said["files"][1]["problem"].as_str().unwrap().starts_with("line 2, column 3: "));
    assert!(!said["left_to_do"].as_array().unwrap().is_empty());
}
