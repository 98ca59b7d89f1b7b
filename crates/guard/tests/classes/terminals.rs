//! Terminals: what depends on the machine, such as an open confirmation or the pane in which the agent runs.

use crate::support::rules;
use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};
use checkrein_guard::{CallContext, FileKind, World, judge};

/// A machine with variables, and perhaps with a confirmation that waits for its word.
struct Machine {
    confirming: bool,
    variables: &'static [(&'static str, &'static str)],
}

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    fn entry(&self, _: &str) -> Option<FileKind> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }

    fn is_confirming(&self) -> bool {
        self.confirming
    }
}

fn on(machine: &Machine, cases: &[(&str, Decision)]) {
    let project = Some("/home/dev/proj".to_owned());
    let place = CallContext { cwd: project.clone(), project, typed: false };
    let mut wrong = Vec::new();
    for (text, expect) in cases {
        let judgement = judge(text, &place, machine);
        if judgement.decision != *expect {
            wrong.push(format!("{expect}, but {}: {text:?} {:?}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Looks and keys that are harmless as long as no word is being confirmed.
const LOOKS: [&str; 16] = [
    "tmux capture-pane -p -t work",
    "tmux capturep -t 1 \\; showb",
    "sudo -n tmux capture-pane -p",
    "sh -c 'tmux capture-pane -p -t work | tail -3'",
    "tmux pipe-pane -t work 'cat >> build.log'",
    "screen -S work -X hardcopy out.txt",
    "zellij action dump-screen out.txt",
    "kitten @ get-text --match id:1",
    "wezterm cli get-text --pane-id 1",
    "scrot shot.png",
    "cat /dev/vcs1",
    "python3 -c 'print(open(\"/dev/vcsa2\").read())'",
    "tmux send-keys -t work quiet-otter Enter",
    "screen -S work -X stuff 'quiet-otter\\n'",
    "xdotool type quiet-otter",
    "echo quiet-otter > /proc/4242/fd/0",
];

#[test]
fn looking_or_typing_while_a_confirmation_is_open() {
    let open = Machine { confirming: true, variables: &[] };
    on(&open, &LOOKS.map(|text| (text, Deny)));
    on(
        &open,
        &[
            ("tmux ls", Silent),
            ("npm test", Silent),
            ("tmux kill-session -t dev", Silent),
            ("tmux new -d -s dev 'npm run dev'", Silent),
        ],
    );
    let over = Machine { confirming: false, variables: &[] };
    // A file below `/proc` is not written to anyway.
    let twins = LOOKS.iter().filter(|text| !text.contains("sudo") && !text.contains("/proc/"));
    on(&over, &twins.map(|text| (*text, Silent)).collect::<Vec<_>>());
}

#[test]
fn the_terminal_of_the_agent_is_for_the_user() {
    let inside =
        Machine { confirming: false, variables: &[("TMUX", "/tmp/tmux-1/default,1,0"), ("TMUX_PANE", "%4")] };
    on(
        &inside,
        &[
            ("tmux send-keys y Enter", Ask),
            ("tmux send-keys -t %4 Enter", Ask),
            ("tmux set-buffer y; tmux paste-buffer", Ask),
            ("tmux send-keys -t %4 'rm -rf ~' Enter", Deny),
            ("tmux send-keys -t %5 'npm test' Enter", Silent),
            ("tmux send-keys -t dev 'npm test' Enter", Silent),
            ("tmux capture-pane -p", Silent),
        ],
    );
    let screen = Machine { confirming: false, variables: &[("STY", "77.work")] };
    on(&screen, &[("screen -X stuff 'y\\n'", Ask), ("screen -S dev -X stuff 'npm test\\n'", Silent)]);
}

#[test]
fn settings_that_are_in_use_are_no_other_settings() {
    let set = Machine {
        confirming: false,
        variables: &[("CLAUDE_CONFIG_DIR", "/home/dev/cfg"), ("XDG_CONFIG_HOME", "/home/dev/xdg")],
    };
    on(
        &set,
        &[
            ("env -i PATH=/usr/bin claude -p x", Deny),
            ("env -u CLAUDE_CONFIG_DIR claude -p x", Deny),
            ("env -u XDG_CONFIG_HOME opencode run x", Deny),
            ("CLAUDE_CONFIG_DIR=/tmp/c claude -p x", Deny),
            ("CLAUDE_CONFIG_DIR=/home/dev/cfg claude -p x", Silent),
            ("XDG_CONFIG_HOME=/home/dev/xdg/ opencode run x", Silent),
            ("env -u LANG claude -p x", Silent),
            ("env -i PATH=/usr/bin npm test", Silent),
        ],
    );
    let plain = Machine { confirming: false, variables: &[] };
    on(
        &plain,
        &[("env -i HOME=/home/dev claude -p x", Silent), ("env -u CLAUDE_CONFIG_DIR claude -p x", Silent)],
    );
}
