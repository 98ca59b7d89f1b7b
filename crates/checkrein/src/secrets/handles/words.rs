//! The words of a program, sorted by its entry in the table: options, their values, operands. An option that the table does not
//! have is an error, since it may redirect, trace or weaken.

use super::table::Program;

/// The meaning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// An option without a value, or one whose value follows.
    Option(String),
    /// The value of an option.
    Value(String, String),
    /// A word of its own.
    Operand(String),
}

impl Piece {
    /// The text in which a tag may be.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Option(text) | Self::Value(_, text) | Self::Operand(text) => text,
        }
    }
}

/// Sorts the words after the name of the program. A value that is joined to its option becomes a word of its own, so that the pieces
/// are the words that are run.
pub(super) fn sorted(program: &Program, words: &[String]) -> Result<Vec<Piece>, String> {
    let takes = |option: &str| program.values.iter().any(|known| known == option);
    let is_switch = |option: &str| program.switches.iter().any(|known| known == option);
    let mut pieces = Vec::new();
    let (mut left, mut is_over) = (words.iter(), false);
    while let Some(word) = left.next() {
        if is_over || !word.starts_with('-') || word == "-" {
            pieces.push(Piece::Operand(word.clone()));
        } else if word == "--" {
            is_over = true;
            pieces.push(Piece::Option(word.clone()));
        } else if takes(word) {
            let value = left.next().ok_or_else(|| format!("`{word}` has no value"))?;
            pieces.push(Piece::Option(word.clone()));
            pieces.push(Piece::Value(word.clone(), value.clone()));
        } else if is_switch(word) {
            pieces.push(Piece::Option(word.clone()));
        } else if let Some((option, value)) =
            word.split_once('=').filter(|(option, _)| option.starts_with("--") && takes(option))
        {
            pieces.push(Piece::Option(option.to_owned()));
            pieces.push(Piece::Value(option.to_owned(), value.to_owned()));
        } else if let Some(group) = word.strip_prefix('-').filter(|group| !group.starts_with('-')) {
            grouped(group, &takes, &is_switch, &mut left, &mut pieces).ok_or_else(|| refused(word))?;
        } else {
            return Err(refused(word));
        }
    }
    Ok(pieces)
}

/// `-sSH VALUE`, `-sXPOST`: switches, and at the end an option with its value.
fn grouped<'w>(
    group: &str,
    takes: &dyn Fn(&str) -> bool,
    is_switch: &dyn Fn(&str) -> bool,
    left: &mut impl Iterator<Item = &'w String>,
    pieces: &mut Vec<Piece>,
) -> Option<()> {
    for (at, letter) in group.char_indices() {
        let option = format!("-{letter}");
        if takes(&option) {
            let rest = group.get(at + letter.len_utf8()..).unwrap_or_default();
            let value = if rest.is_empty() { left.next()?.clone() } else { rest.to_owned() };
            pieces.push(Piece::Option(option.clone()));
            pieces.push(Piece::Value(option, value));
            return Some(());
        }
        if !is_switch(&option) {
            return None;
        }
        pieces.push(Piece::Option(option));
    }
    Some(())
}

fn refused(word: &str) -> String {
    let option = word.split('=').next().unwrap_or(word);
    format!("`{option}` is not among the options that are safe with a secret")
}

/// Returns the operands.
pub(super) fn operands(pieces: &[Piece]) -> impl Iterator<Item = &str> {
    pieces
        .iter()
        .filter_map(|piece| if let Piece::Operand(word) = piece { Some(word.as_str()) } else { None })
}

/// Returns the last value of one of these options.
pub(super) fn value<'p>(pieces: &'p [Piece], options: &[String]) -> Option<&'p str> {
    pieces.iter().rev().find_map(|piece| match piece {
        Piece::Value(option, value) if options.contains(option) => Some(value.as_str()),
        _ => None,
    })
}

/// Returns whether the operands begin as the table wants: word by word, with `*` for the rest of a word.
pub(super) fn begins(pieces: &[Piece], commands: &[String]) -> bool {
    let fits = |pattern: &str, word: &str| match pattern.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == pattern,
    };
    commands.is_empty()
        || commands.iter().any(|command| {
            let mut words = operands(pieces);
            command.split(' ').all(|pattern| words.next().is_some_and(|word| fits(pattern, word)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        Program {
            switches: texts(&["-s", "-S", "--silent"]),
            values: texts(&["-H", "-X", "--header"]),
            ..Program::default()
        }
    }

    fn read(text: &str) -> Result<Vec<String>, String> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        sorted(&program(), &words).map(|pieces| pieces.iter().map(|piece| piece.text().to_owned()).collect())
    }

    #[test]
    fn values_are_told_from_operands() {
        assert_eq!(read("-sS -H a:b u").unwrap().join(" "), "-s -S -H a:b u");
        assert_eq!(read("-sXPOST --header=a:b -- -k").unwrap().join(" "), "-s -X POST --header a:b -- -k");
        let words: Vec<String> = ["-X", "-s", "u", "-"].map(str::to_owned).to_vec();
        let pieces = sorted(&program(), &words).unwrap();
        assert_eq!(operands(&pieces).collect::<Vec<_>>(), ["u", "-"]);
        assert_eq!(value(&pieces, &["-X".to_owned()]), Some("-s"));
    }

    #[test]
    fn an_option_that_is_not_listed_is_refused() {
        for text in ["-k u", "-sk u", "--proxy=x u", "--proxy x u", "-skS u", "-H", "--header", "--heade=x"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read("--proxy=http://user:pw@h").unwrap_err().contains("`--proxy`"));
    }

    #[test]
    fn a_command_is_recognised_by_its_first_operands() {
        let commands = ["api".to_owned(), "issue list".to_owned(), "ec2 describe-*".to_owned()];
        for (text, expected) in [
            ("-s api user", true),
            ("issue -X POST list", true),
            ("issue create", false),
            ("ec2 describe-instances", true),
            ("ec2 run-instances", false),
            ("apis", false),
        ] {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            assert_eq!(begins(&sorted(&program(), &words).unwrap(), &commands), expected, "{text}");
        }
    }
}
