//! Whether it is a person who types.
//!
//! Trust that an agent could give itself is worth nothing. So what grants trust needs a terminal to ask at, and must
//! not have been started by an agent, however many shells or pseudo-terminals lie between.

use anyhow::{Context, bail};
use std::{
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, IsTerminal, Write},
    path::Path,
};

/// Variables that agents set for what they start.
const VARIABLES: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "AI_AGENT",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "QWEN_CODE",
    "COPILOT_CLI",
    "COPILOT_AGENT",
    "CURSOR_AGENT",
    "OPENCODE",
    "CLINE_ACTIVE",
];

/// Names of programs that are agents.
const PROGRAMS: &[&str] = &[
    "claude",
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "cursor-agent",
    "opencode",
    "cline",
    "pi",
    "goose",
    "aider",
    "amp",
    "droid",
    "auggie",
    "agy",
    "mini-agent",
];

/// Refuses unless a person is at a terminal and no agent has started us. `what` completes "only a person can".
pub(crate) fn require(what: &str) -> anyhow::Result<()> {
    let refuse = |why: &str| format!("only a person at a terminal can {what}: {why}");
    if let Some(name) = VARIABLES.iter().find(|name| checkrein::variable(name).is_some()) {
        bail!(refuse(&format!("`{name}` is set, as an agent does for what it starts")));
    }
    if let Some(agent) = ancestors().iter().find_map(|command| agent(command)) {
        bail!(refuse(&format!("this was started by the agent `{agent}`")));
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        bail!(refuse("there is no terminal here"));
    }
    Ok(())
}

/// Asks at the terminal and waits for a line.
pub(crate) fn ask(question: &str) -> anyhow::Result<String> {
    let terminal =
        OpenOptions::new().read(true).write(true).open("/dev/tty").context("there is no terminal")?;
    let mut line = String::new();
    write!(&terminal, "{question} ")?;
    BufReader::new(&terminal).read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// The command lines of the processes that led to us, ours left out.
fn ancestors() -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut process = parent("self");
    // A chain longer than this is no chain.
    while let Some(id) = process.filter(|id| *id > 1 && commands.len() < 512) {
        let line = fs::read(Path::new("/proc").join(id.to_string()).join("cmdline")).unwrap_or_default();
        let words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
        commands.push(words.collect());
        // A process can call itself what it likes, but not change which file it runs.
        if let Ok(program) = fs::read_link(Path::new("/proc").join(id.to_string()).join("exe")) {
            commands.push(vec![program.to_string_lossy().into_owned()]);
        }
        process = parent(&id.to_string());
    }
    commands
}

fn parent(process: &str) -> Option<u32> {
    let status = File::open(Path::new("/proc").join(process).join("status")).ok()?;
    let line = BufReader::new(status)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("PPid:").map(|id| id.trim().to_owned()))?;
    line.parse().ok()
}

/// The agent that a command line starts: the program itself, or the script that an interpreter runs.
fn agent(command: &[String]) -> Option<&'static str> {
    let name = |word: &str| {
        let file = Path::new(word).file_name()?.to_str()?;
        let stem = [".js", ".mjs", ".cjs", ".exe", ".py"]
            .iter()
            .fold(file, |stem, end| stem.strip_suffix(end).unwrap_or(stem));
        PROGRAMS.iter().copied().find(|program| *program == stem.trim_start_matches('-'))
    };
    let package = |word: &str| {
        let parts: Vec<&str> = word.split('/').collect();
        let module = parts.iter().position(|part| *part == "node_modules")?;
        let known = [
            ("claude-code", "claude"),
            ("gemini-cli", "gemini"),
            ("qwen-code", "qwen"),
            ("pi-coding-agent", "pi"),
        ];
        parts.get(module..)?.iter().find_map(|part| {
            known.iter().find(|(package, _)| package == part).map(|(_, agent)| *agent).or_else(|| name(part))
        })
    };
    command
        .iter()
        .take(3)
        .filter(|word| !word.starts_with("--"))
        .find_map(|word| name(word).or_else(|| package(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_recognised_by_what_was_started() {
        for (command, expected) in [
            ("claude", Some("claude")),
            ("/usr/local/bin/codex exec x", Some("codex")),
            ("node /usr/lib/node_modules/@google/gemini-cli/dist/index.js", Some("gemini")),
            ("node /home/a/.npm/bin/opencode", Some("opencode")),
            ("python3 /opt/aider.py", Some("aider")),
            ("-bash", None),
            ("vim claude.md", None),
            ("less /home/claude/notes", None),
            ("sshd: a@pts/0", None),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(agent(&words), expected, "{command}");
        }
    }

    #[test]
    fn somebody_started_us() {
        assert!(!ancestors().is_empty());
    }
}
