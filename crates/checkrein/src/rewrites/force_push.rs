//! `git push --force` becomes `git push --force-with-lease --force-if-includes`, which stops if others have pushed.

use super::text::{Changes, Command, Scene};
use checkrein_guard::NewWord;

/// Options of git itself that take the next word.
const GLOBAL_VALUES: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"];
/// Options of `git push` that take the next word.
const VALUES: &[&str] =
    &["-o", "--push-option", "--receive-pack", "--exec", "--repo", "--recurse-submodules"];
/// The letters of `git push` without a value.
const LETTERS: &str = "vqndfu46";

const LEASE: &str = "--force-with-lease";
const INCLUDES: &str = "--force-if-includes";

/// Returns the index of a subcommand of git among the words of a command.
pub(super) fn subcommand(command: &Command<'_>) -> Option<(usize, String)> {
    let mut index = 1;
    loop {
        let word = command.word(index)?;
        match word.as_str() {
            value if GLOBAL_VALUES.contains(&value) => index += 2,
            option if option.starts_with('-') => index += 1,
            _ => return Some((index, word)),
        }
    }
}

pub(super) fn change(scene: &Scene<'_>) -> Changes {
    scene.commands(|name| name == "git").iter().filter_map(softened).collect()
}

/// A part of a push.
enum Piece {
    Kept,
    /// Other words; `forces` if what it was forces the push.
    Is {
        words: Vec<String>,
        forces: bool,
    },
}

fn softened(command: &Command<'_>) -> Option<(checkrein_guard::CommandId, Vec<NewWord>)> {
    let (push, _) = subcommand(command).filter(|(_, name)| name == "push")?;
    let mut words: Vec<NewWord> = (0..=push).map(NewWord::Kept).collect();
    let (mut forced, mut leased, mut value, mut only_operands) = (None, false, false, false);
    for index in push + 1..command.words().len() {
        let word = command.word(index);
        let piece = match word.as_deref() {
            _ if value => {
                value = false;
                Piece::Kept
            }
            // What is not known may be anything, so it stays.
            None => Piece::Kept,
            Some("--") if !only_operands => {
                only_operands = true;
                Piece::Kept
            }
            Some(word) if word.starts_with('-') && !only_operands => {
                value = VALUES.contains(&word);
                leased |= word.split('=').next() == Some(LEASE);
                option(word)?
            }
            Some(word) => operand(word),
        };
        match piece {
            Piece::Kept => words.push(NewWord::Kept(index)),
            Piece::Is { words: new, forces } => {
                if forces {
                    forced.get_or_insert(words.len());
                }
                words.extend(new.into_iter().map(NewWord::New));
            }
        }
    }
    let place = forced?;
    if !leased {
        // Where the option was; before the operands, if there was none.
        let place = if only_operands { push + 1 } else { place };
        words.splice(place..place, [LEASE, INCLUDES].map(|word| NewWord::New(word.to_owned())));
    }
    Some(command.with(words))
}

/// Returns what becomes of an option; `None` if it is not known what it forces.
fn option(word: &str) -> Option<Piece> {
    if word.starts_with("--") || word == "-" || VALUES.contains(&word) {
        let forces = word == "--force";
        return Some(if forces { Piece::Is { words: Vec::new(), forces } } else { Piece::Kept });
    }
    let letters = word.get(1..)?;
    if !letters.contains('f') {
        return Some(Piece::Kept);
    }
    let others: String = letters.chars().filter(|letter| *letter != 'f').collect();
    let is_known = others.chars().all(|letter| LETTERS.contains(letter));
    let words = if others.is_empty() { Vec::new() } else { vec![format!("-{others}")] };
    is_known.then_some(Piece::Is { words, forces: true })
}

/// A plus in front of a refspec forces it, also where there is a lease.
fn operand(word: &str) -> Piece {
    match word.strip_prefix('+') {
        Some(rest) => Piece::Is { words: vec![rest.to_owned()], forces: true },
        None => Piece::Kept,
    }
}
