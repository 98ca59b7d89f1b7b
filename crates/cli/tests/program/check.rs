//! `checkrein check`, as text and as JSON.

use crate::Place;
use insta::assert_snapshot;

const HOOKS: &str = r#"
[[hook]]
event = "PreToolUse"
name = "judge"
role = "judge"
command = '''case "$(cat)" in *delete*) echo "not this" >&2; exit 2;; *publish*) echo '{"decision":"ask","reason":"sure?"}';; esac'''
"#;

fn timeless(text: &str) -> String {
    text.lines()
        .map(|line| match (line.find("\"micros\":"), line.split_once(" µs")) {
            (Some(at), _) => format!("{}\"micros\":[time]}}\n", &line[..at]),
            (None, Some((before, _))) => {
                format!("{}[time]\n", before.trim_end_matches(|c: char| c.is_ascii_digit()))
            }
            (None, None) => format!("{line}\n"),
        })
        .collect()
}

fn check(arguments: &[&str], stdin: &str) -> String {
    let mut all = vec!["check", "--config", "hooks.toml"];
    all.extend(arguments);
    timeless(&Place::with(HOOKS).run(&all, stdin))
}

#[test]
fn the_exit_code_is_the_decision() {
    assert_snapshot!(check(&["list", "it"], ""), @"
    --- stdout
    no objection  [time]
    --- exit 0
    ");
    assert_snapshot!(check(&["publish", "it"], ""), @"
    --- stdout
    ask  [time]
      judge: sure?
    --- exit 1
    ");
    assert_snapshot!(check(&["delete", "-rf", "it"], ""), @"
    --- stdout
    denied  [time]
      judge: not this
    --- exit 2
    ");
    assert_snapshot!(check(&[], ""), @"
    --- stderr
    checkrein: nothing to check

    hint: give a command line, `--input`, or `--batch`
    --- exit 3
    ");
    assert_snapshot!(check(&["--frob"], ""), @"
    --- stderr
    checkrein: unexpected argument `--frob`
    usage: checkrein check --config <FILE> [COMMAND LINE]...

    hint: `checkrein check --help` explains the arguments
    --- exit 3
    ");
    assert_snapshot!(check(&["--cwd", "nowhere", "ls"], ""), @"
    --- stderr
    checkrein: no such directory: `nowhere`: No such file or directory (os error 2)
    --- exit 3
    ");
}

#[test]
fn json() {
    assert_snapshot!(check(&["--json", "delete it"], ""), @r#"
    --- stdout
    {"decision":"deny","rules":[],"reasons":["judge: not this"],"effects":[],"micros":[time]}
    --- exit 2
    "#);
    assert_snapshot!(check(&["--json", "--tool", "Write", "--input", r#"{"file_path":"delete"}"#], ""), @r#"
    --- stdout
    {"decision":"deny","rules":[],"reasons":["judge: not this"],"effects":[{"effect":"write","path":"[directory]/delete","zone":"home"}],"micros":[time]}
    --- exit 2
    "#);
    assert_snapshot!(check(&["--tool", "Write", "--input", "[]"], ""), @"
    --- stderr
    checkrein: `--input` is not a JSON object: expected an object, found a list
    --- exit 3
    ");
}

#[test]
fn batch_answers_every_line_in_order() {
    let lines = r#"{"id":1,"command":"list"}
{"id":"two","command":"delete"}
not json

{"id":4}
{"id":5,"command":7}
{"id":6,"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"publish"}}
{"id":7,"hook_event_name":"Nope"}
{"id":8,"hook_event_name":"Stop"}"#;
    assert_snapshot!(check(&["--batch"], lines), @r#"
    --- stdout
    {"id":1,"decision":"abstain","rules":[],"reasons":[],"effects":[],"micros":[time]}
    {"id":"two","decision":"deny","rules":[],"reasons":["judge: not this"],"effects":[],"micros":[time]}
    {"id":null,"decision":"deny","rules":[],"reasons":["checkrein: expected ident at line 1 column 2"],"effects":[],"error":"expected ident at line 1 column 2","micros":[time]}
    {"id":null,"decision":"deny","rules":[],"reasons":["checkrein: EOF while parsing a value at line 2 column 0"],"effects":[],"error":"EOF while parsing a value at line 2 column 0","micros":[time]}
    {"id":4,"decision":"deny","rules":[],"reasons":["checkrein: expected the field `command`, or a complete payload with `hook_event_name`"],"effects":[],"error":"expected the field `command`, or a complete payload with `hook_event_name`","micros":[time]}
    {"id":5,"decision":"deny","rules":[],"reasons":["checkrein: `command` should be a string, found a number"],"effects":[],"error":"`command` should be a string, found a number","micros":[time]}
    {"id":6,"decision":"ask","rules":[],"reasons":["judge: sure?"],"effects":[{"effect":"write","path":"[directory]/publish","zone":"home"}],"micros":[time]}
    {"id":7,"decision":"deny","rules":[],"reasons":["checkrein: unknown event `Nope`"],"effects":[],"error":"unknown event `Nope`","micros":[time]}
    {"id":8,"decision":"abstain","rules":[],"reasons":[],"effects":[],"micros":[time]}
    --- exit 0
    "#);
}

#[test]
fn a_broken_configuration_denies_as_it_would_deny_an_agent() {
    let place = Place::with("[[hook]]\nevent = \"PreToolUse\"\ncomand = \"true\"\n");
    assert_snapshot!(timeless(&place.run(&["check", "--config", "hooks.toml", "ls"], "")), @r#"
    --- stdout
    denied  [time]
      checkrein: hooks.toml:3:1: hook[0].comand: unknown key `comand`
      3 | comand = "true"
        | ^^^^^^
      hint: did you mean `command`?
      
      To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it
    --- exit 2
    "#);
    assert_snapshot!(timeless(&place.run(&["check", "--config", "hooks.toml", "--batch"], r#"{"command":"ls"}"#)), @r#"
    --- stdout
    {"id":null,"decision":"deny","rules":[],"reasons":["checkrein: hooks.toml:3:1: hook[0].comand: unknown key `comand`\n3 | comand = \"true\"\n  | ^^^^^^\nhint: did you mean `command`?\n\nTo fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows the errors), or run `checkrein repair` in a terminal to let the agent do it"],"effects":[],"micros":[time]}
    --- exit 0
    "#);
}

#[test]
fn help() {
    let place = Place::new();
    assert_snapshot!(place.run(&["--help"], ""), @"
    --- stdout
    Checks what coding agents are about to do: denies what cannot be undone, asks about what is risky

    Usage: checkrein <COMMAND>

    Set up:
      demo         Play a recorded agent session through what Checkrein does by default
      init         Install checkrein into the agents on this machine
      doctor       Check the agents' setup on this machine, and suggest fixes
      uninstall    Remove what `init` added to the agents' files
      import       Convert another tool's hooks to checkrein configuration
      managed      Install the administrator's configuration
      completions  Print a shell completion script

    See what is decided, and why:
      check        Show what the hooks decide about a command line or a tool call
      explain      Show step by step how a command line or a tool call is judged
      rules        Show the built-in rules, or one of them with examples
      effects      Explain the words that rules are written in: effects, modifiers, zones, tags
      hooks        List configured hooks, their source, order and status
      coverage     Show what each agent does with an answer, event by event, and how that is known
      schema       Print the JSON Schema of the configuration file
      test         Run policy tests

    Decide otherwise:
      allow        Allow a call that was denied or asked about
      trust        Review a project's hooks and trust them
      monitor      Record what would be blocked instead of blocking it, for some days
      repair       Temporarily let agents work with a broken configuration
      undo         Restore files that a call deleted or overwrote

    Look back:
      log          Show what agents asked for and what was answered
      why          Show why one event was decided as it was
      stats        Count decisions by day, agent, rule and tool
      report       Write a page with the timeline, the rules and the list of events
      replay       Show what would have happened to the calls that agents made in the past
      suggest      Suggest configuration that would spare you prompts, from what agents did in the past
      learn        Show which commands failed here and what worked instead, and forget it

    Keep secrets:
      scan         Find secrets in files, in what is staged, or in the history
      cat          Print files without the secrets in them
      run          Run a program with a secret that the model knows only by its tag

    For agents and MCP servers:
      hook         Answer one event from stdin in the host's dialect
      mcp-proxy    Guard an MCP server, for hosts that have no hooks
      mcp-pins     Show the tools of MCP servers that wait to be accepted, and accept them

    Help:
      help         Print the help of the program or of a command
      version      Print the version

    Options:
      -h, --help     Print help
      -V, --version  Print version
    --- exit 0
    ");
    assert_snapshot!(place.run(&["check", "--help"], ""), @r#"
    --- stdout
    Show what the hooks decide about a command line or a tool call

    Exit code 0: no objection, or allowed. 1: the user would be asked. 2: denied. 3: usage error.

    Usage: checkrein check [OPTIONS] [COMMAND LINE]...

    Arguments:
      [COMMAND LINE]...
              The command line; words are joined with spaces

    Options:
          --json
              Print one JSON object

          --batch
              Read JSON lines from stdin, each {"id", "command"} or a complete payload, and answer each
              with a JSON line

          --cwd <DIR>
              The working directory of the call

          --tool <TOOL>
              The name of the tool
              
              [default: Bash]

          --input <JSON>
              The tool's input as a JSON object, instead of a command line

          --config <FILE>
              A configuration file to use in addition to the usual ones

      -h, --help
              Print help (see a summary with '-h')
    --- exit 0
    "#);
    assert_snapshot!(place.run(&["hook", "--help"], ""), @"
    --- stdout
    Answer one event from stdin in the host's dialect

    Agents run this command as their hook. Exit code 0: the answer is on stdout. 2: denied, also if the
    event or the command line could not be read.

    Usage: checkrein hook [OPTIONS] --host <HOST>

    Options:
          --host <HOST>
              The dialect: [agents], or `checkrein` (native)

          --event <EVENT>
              The event, for hosts whose payload does not name it; must match the payload if it does

          --config <FILE>
              A configuration file to use in addition to the usual ones

      -h, --help
              Print help (see a summary with '-h')
    --- exit 0
    ");
    assert_snapshot!(place.run(&["frob"], ""), @"
    --- stderr
    checkrein: there is no command `frob`
    usage: checkrein <COMMAND>

    hint: `checkrein help` lists the commands
    --- exit 2
    ");
    // Without a command it prints its help as the mistake that was made.
    let help = place.run(&["--help"], "");
    let expected = help.replace("--- stdout", "--- stderr").replace("--- exit 0", "--- exit 2");
    assert_eq!(place.run(&[], ""), expected);
}
