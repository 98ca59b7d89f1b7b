//! Confirmation by the user.

use super::wrap::fitted_to_stderr;
use anyhow::{Context, bail};
use checkrein::{Confirming, Places, variable};
use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, IsTerminal, Read, Write},
};

/// Returns true if the user can be asked: stdin and stderr are a terminal.
pub(crate) fn has_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks a question to which anyone may say yes. No answer means no; `d` shows the details first.
pub(crate) fn agrees(question: &str, details: impl Fn()) -> anyhow::Result<bool> {
    if !has_terminal() {
        bail!("not a terminal: preview with `--dry-run`, then pass `--yes`");
    }
    let mut typed = BufReader::new(std::io::stdin().take(MOST_TYPED));
    loop {
        let mut line = String::new();
        write!(std::io::stderr(), "{} ", fitted_to_stderr(&format!("{question} (d shows the diff) [y/N]")))?;
        typed.read_line(&mut line)?;
        match line.trim() {
            "y" | "Y" | "yes" | "Yes" => return Ok(true),
            "d" | "D" | "diff" => details(),
            _ => return Ok(false),
        }
    }
}

/// Asks at the terminal and waits for the user to type a random word that it shows. Input that was typed ahead or that comes from
/// a pipe cannot contain that word.
pub(crate) fn confirms(question: &str) -> anyhow::Result<bool> {
    let terminal =
        OpenOptions::new().read(true).write(true).open("/dev/tty").context("cannot open the terminal")?;
    let state = Places::of(variable).state.context("HOME is not set")?;
    // While the word is on the screen, the guard denies commands that read the terminal.
    let _open = Confirming::open(&state).context("cannot tell the guard about the confirmation")?;
    let word = random_word()?;
    let mut line = String::new();
    write!(&terminal, "{} ", fitted_to_stderr(&format!("{question} Type `{word}`:")))?;
    BufReader::new((&terminal).take(MOST_TYPED)).read_line(&mut line)?;
    Ok(line.trim() == word)
}

/// The longest answer, in bytes.
const MOST_TYPED: u64 = 1024;

/// Makes a random word that is easy to type and hard to guess.
fn random_word() -> anyhow::Result<String> {
    const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8; 4] = b"aiou";
    let mut random = [0_u8; 4];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut random))
        .context("cannot read random bytes for a word to confirm with")?;
    let letter = |letters: &[u8], at: u8| letters.get(usize::from(at)).copied().map(char::from);
    let syllables =
        random.iter().flat_map(|byte| [letter(CONSONANTS, byte % 16), letter(VOWELS, byte / 16 % 4)]);
    Ok(syllables.flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_words_are_short_and_differ() {
        let words: std::collections::HashSet<String> = (0..20).map(|_| random_word().unwrap()).collect();
        assert!(words.len() > 10, "{words:?}");
        assert!(words.iter().all(|word| word.len() == 8 && word.bytes().all(|c| c.is_ascii_lowercase())));
    }
}
