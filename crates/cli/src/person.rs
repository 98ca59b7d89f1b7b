//! Whether it is a person who types.
//!
//! Trust that an agent could give itself is worth nothing. So what grants trust needs a terminal to ask at, and must
//! not have been started by an agent, however many shells or pseudo-terminals lie between. The answer is a word that
//! only the terminal shows.
//!
//! This holds against an agent that tries the obvious, not against a program that leaves its ancestors behind, makes a
//! terminal of its own and reads from it: to us that looks like a terminal emulator. Whoever must be safe from that runs
//! agents as another user.

mod lineage;

use anyhow::{Context, bail};
use lineage::Process;
use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, IsTerminal, Read, Write},
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
    no_agents_variable(what)?;
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        bail!(refusal(what, "there is no terminal here"));
    }
    no_agent_above(what)?;
    // A process can leave its ancestors behind, but not the terminal that somebody holds the other end of.
    let holders = lineage::holders_of_our_terminal();
    let behind = |holder: &u32| lineage::from(*holder).iter().find_map(is_of_an_agent);
    if let Some(agent) = holders.iter().find_map(behind) {
        bail!(refusal(what, &format!("this terminal belongs to {agent}")));
    }
    Ok(())
}

/// Refuses if an agent has started us, and takes no terminal for granted: for scripts of a person.
pub(crate) fn refuse_agents(what: &str) -> anyhow::Result<()> {
    no_agents_variable(what)?;
    no_agent_above(what)
}

fn refusal(what: &str, why: &str) -> String {
    format!("only a person at a terminal can {what}: {why}")
}

fn no_agents_variable(what: &str) -> anyhow::Result<()> {
    let Some(name) = VARIABLES.iter().find(|name| checkrein::variable(name).is_some()) else { return Ok(()) };
    bail!(refusal(what, &format!("`{name}` is set, as an agent does for what it starts")));
}

fn no_agent_above(what: &str) -> anyhow::Result<()> {
    let Some(agent) = lineage::above(std::process::id()).iter().find_map(is_of_an_agent) else {
        return Ok(());
    };
    bail!(refusal(what, &format!("this was started by {agent}")));
}

/// Asks a question that does no harm if anybody says yes to it, and takes no answer for no.
pub(crate) fn agrees(question: &str) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        bail!("there is no terminal to ask at: look with `--dry-run`, then say `--yes`");
    }
    let mut line = String::new();
    write!(std::io::stderr(), "{question} [y/N] ")?;
    BufReader::new(std::io::stdin().take(MOST_TYPED)).read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes" | "Yes"))
}

/// The agent that a process is, or was started by.
fn is_of_an_agent(process: &Process) -> Option<String> {
    let named =
        process.commands.iter().find_map(|command| agent(command)).map(|name| format!("the agent `{name}`"));
    named.or_else(|| {
        let name =
            VARIABLES.iter().find(|name| process.variables.iter().any(|variable| variable == *name))?;
        Some(format!("a process that has `{name}` from an agent"))
    })
}

/// Asks at the terminal itself, and waits for a line: the word that is shown there. What was typed before the question,
/// and what comes from a pipe whatever is asked, cannot be it.
pub(crate) fn confirms(question: &str) -> anyhow::Result<bool> {
    let terminal =
        OpenOptions::new().read(true).write(true).open("/dev/tty").context("there is no terminal")?;
    let word = random_word()?;
    let mut line = String::new();
    write!(&terminal, "{question} Type `{word}`: ")?;
    BufReader::new((&terminal).take(MOST_TYPED)).read_line(&mut line)?;
    Ok(line.trim() == word)
}

/// More than this is no answer.
const MOST_TYPED: u64 = 1024;

/// A word that is easy to type and cannot be guessed in one try.
fn random_word() -> anyhow::Result<String> {
    const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8; 4] = b"aiou";
    let mut random = [0_u8; 4];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut random))
        .context("there is no randomness for a word to confirm with")?;
    let letter = |letters: &[u8], at: u8| letters.get(usize::from(at)).copied().map(char::from);
    let syllables =
        random.iter().flat_map(|byte| [letter(CONSONANTS, byte % 16), letter(VOWELS, byte / 16 % 4)]);
    Ok(syllables.flatten().collect())
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
    fn what_an_agent_left_in_the_environment_is_found() {
        let process = |variables: &[&str]| Process {
            commands: vec![vec!["-bash".to_owned()]],
            variables: variables.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(is_of_an_agent(&process(&["PATH", "HOME"])), None);
        let found = is_of_an_agent(&process(&["PATH", "CLAUDECODE"])).unwrap();
        assert_eq!(found, "a process that has `CLAUDECODE` from an agent");
    }

    #[test]
    fn words_to_type_are_short_and_differ() {
        let words: std::collections::HashSet<String> = (0..20).map(|_| random_word().unwrap()).collect();
        assert!(words.len() > 10, "{words:?}");
        assert!(words.iter().all(|word| word.len() == 8 && word.bytes().all(|c| c.is_ascii_lowercase())));
    }
}
