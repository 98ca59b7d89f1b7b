//! Whether it is a user who types.
//!
//! Trust that an agent could give itself is worth nothing. So what allow rules trust needs a terminal to ask at, and must
//! not have been started by an agent, however many shells or pseudo-terminals lie between. The answer is a word that
//! only the terminal shows.
//!
//! This holds against an agent that tries the obvious, not against a program that leaves its ancestors behind, makes a
//! terminal of its own and reads from it: to us that looks like a terminal emulator. Whoever must be safe from that runs
//! agents as another user.

mod agents;
mod lineage;

use crate::paint;
use anyhow::{Context, bail};
use checkrein::{Confirming, Places, variable};
use lineage::Process;
use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, IsTerminal, Read, Write},
};

/// Why an agent seems to have started us, in words; nothing, if none has.
pub(crate) fn agent_above() -> Option<String> {
    if let Some(name) = agents::variables().find(|name| variable(name).is_some()) {
        return Some(format!("`{name}` is set, as an agent does for what it starts"));
    }
    let (agent, process) = first_agent(&lineage::above(std::process::id()))?;
    Some(format!("this was started by {agent}{process}"))
}

/// Why this terminal seems to be an agent's. A process can leave its ancestors behind, but not the terminal that somebody
/// holds the other end of.
pub(crate) fn agent_behind_the_terminal() -> Option<String> {
    let holders = lineage::holders_of_our_terminal();
    let (agent, process) = holders.iter().find_map(|holder| first_agent(&lineage::from(*holder)))?;
    Some(format!("this terminal belongs to {agent}{process}"))
}

/// The nearest agent among these, and which process it is.
fn first_agent(processes: &[Process]) -> Option<(String, String)> {
    processes.iter().find_map(|process| Some((agents::is_of_an_agent(process)?, shown(process))))
}

/// A process as a user can find it again.
fn shown(process: &Process) -> String {
    let words = process.words.join(" ");
    let words = if words.is_empty() { process.program.clone().unwrap_or_default() } else { words };
    format!(" (process {}: `{}`)", process.id, paint::one_line(&words))
}

/// Whether it can be seen who started us.
pub(crate) fn sees_who_started_us() -> bool {
    lineage::is_readable()
}

/// Whether there is a terminal to ask at.
pub(crate) fn has_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks a question that does no harm if anybody says yes to it, and takes no answer for no.
pub(crate) fn agrees(question: &str) -> anyhow::Result<bool> {
    if !has_terminal() {
        bail!("there is no terminal to ask at: look with `--print`, then say `--yes`");
    }
    let mut line = String::new();
    write!(std::io::stderr(), "{question} [y/N] ")?;
    BufReader::new(std::io::stdin().take(MOST_TYPED)).read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes" | "Yes"))
}

/// Asks at the terminal itself, and waits for a line: the word that is shown there. What was typed before the question,
/// and what comes from a pipe whatever is asked, cannot be it.
pub(crate) fn confirms(question: &str) -> anyhow::Result<bool> {
    let terminal =
        OpenOptions::new().read(true).write(true).open("/dev/tty").context("there is no terminal")?;
    let state = Places::of(variable).state.context("there is no home directory (HOME)")?;
    // The guard denies to read the terminal as long as the word stands there.
    let _open = Confirming::open(&state).context("the confirmation cannot be announced to the guard")?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_to_type_are_short_and_differ() {
        let words: std::collections::HashSet<String> = (0..20).map(|_| random_word().unwrap()).collect();
        assert!(words.len() > 10, "{words:?}");
        assert!(words.iter().all(|word| word.len() == 8 && word.bytes().all(|c| c.is_ascii_lowercase())));
    }
}
