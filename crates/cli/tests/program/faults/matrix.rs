//! Combinations of faults.

use super::{CLAUDE, CODEX, Dice, assert_holds, canary, fixtures::*, output, through_shell};
use std::path::Path;

/// Makes the event of a call in a directory.
type Make = fn(&Path) -> Vec<u8>;

/// The ways in which an event can be damaged.
const INPUTS: &[(&str, Make)] = &[
    ("whole", canary),
    ("cut", |cwd| canary(cwd)[..60].to_vec()),
    ("without its end", |cwd| canary(cwd).split_last().unwrap().1.to_vec()),
    ("with more behind it", |cwd| [canary(cwd), b"{}".to_vec()].concat()),
    ("empty", |_| Vec::new()),
    ("blank", |_| b" \n".to_vec()),
    ("no JSON", |_| b"rm -rf ~".to_vec()),
    ("a list", |cwd| [b"[".to_vec(), canary(cwd), b"]".to_vec()].concat()),
    ("a number", |_| b"7".to_vec()),
    ("with a byte that is no text", |cwd| replaced(cwd, "rm -rf", b"rm \xff -rf")),
    ("with a NUL", |cwd| replaced(cwd, "rm -rf", b"rm \0 -rf")),
    ("with a lone surrogate", |cwd| replaced(cwd, "rm -rf", b"rm \\ud800 -rf")),
    ("with a key twice", |cwd| replaced(cwd, "\"tool_name\"", b"\"tool_name\":\"Read\",\"tool_name\"")),
    ("deep", |cwd| {
        replaced(cwd, "\"tool_input\":", format!("\"tool_input\":{}", "[".repeat(9999)).as_bytes())
    }),
    ("with another event", |cwd| replaced(cwd, "PreToolUse", b"PostToolUse")),
    ("with no event that is known", |cwd| replaced(cwd, "PreToolUse", b"PreToolUs")),
    ("with a command that is no text", |cwd| replaced(cwd, "\"rm -rf ~\"", b"[1]")),
    ("with a tool that is no text", |cwd| replaced(cwd, "\"Bash\"", b"7")),
    ("without a command", |cwd| replaced(cwd, "\"command\"", b"\"comand\"")),
];

fn replaced(cwd: &Path, from: &str, to: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(canary(cwd)).unwrap();
    let (before, after) = text.split_once(from).unwrap();
    [before.as_bytes(), to, after.as_bytes()].concat()
}

const WRAPS: &[&str] = &[
    "",
    "ulimit -S -n 8; ",
    "ulimit -S -f 0; ",
    "ulimit -S -v 300000; ",
    "ulimit -S -s 512; ",
    "umask 777; ",
    "trap '' TERM HUP INT PIPE ALRM; ",
    "cd /; ",
    "exec 2>&-; ",
    "exec 3</dev/zero 4>/dev/full 5<&0 6>&1; ",
];

const VARIABLES: &[(&str, &str)] = &[
    ("LANG", "xx_YY.UTF-99"),
    ("TZ", ":/dev/zero"),
    ("PATH", ""),
    ("CLAUDE_PROJECT_DIR", "/dev/null"),
    ("CLAUDE_PROJECT_DIR", ""),
    ("RUST_BACKTRACE", "full"),
    ("RUST_MIN_STACK", "1"),
    ("TMPDIR", "/nowhere"),
    ("XDG_CONFIG_HOME", "relative"),
    ("XDG_STATE_HOME", "/dev/null"),
];

/// The number of combinations that are tried: each takes some tens of milliseconds.
const CELLS: usize = 120;

#[test]
fn combinations_of_faults() {
    let fixtures = Fixtures::get();
    let mut dice = Dice::new();
    for number in 0..CELLS {
        let seed = dice.0;
        let (input, make) = dice.of(INPUTS);
        // Files that keep changing or take long to read have their own tests.
        let (user, project) = (dice.of(KINDS), dice.of(KINDS));
        let (state, home, wrap) = (dice.of(STATES), dice.of(HOMES), dice.of(WRAPS));
        let (name, value) = dice.of(VARIABLES);
        let arguments = if dice.below(2) == 0 { CLAUDE } else { CODEX };
        let event = make(&fixtures.path("project").join(project));
        let mut command = through_shell(&format!(r#"{wrap}exec "$0" "$@""#), arguments, fixtures);
        command.env_remove("HOME").envs(fixtures.home(home).map(|home| ("HOME", home)));
        if dice.below(2) == 0 {
            command.env("XDG_CONFIG_HOME", fixtures.path("config").join(user));
            command.env("XDG_STATE_HOME", fixtures.path("state").join(state));
        }
        command.env(name, value);
        let cell = format!(
            "cell {number} (FAULT_SEED={seed}): event {input}, user {user}, project {project}, state {state}, \
             HOME {home}, {wrap:?}, {name}={value}, {arguments:?}"
        );
        assert_holds(&output(&mut command, &event), cell);
    }
}
